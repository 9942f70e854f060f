//! Places whose contents follow from those of others.
//!
//! A model may state an expression for the contents of a place. It is checked in every state, as paper 5 asks in
//! its section 3.3: a store that leaves the place out can rely on it, and the modeller learns of it when it does
//! not hold. The other way around, [`order`] says in which order the contents can be computed from the rest.

use petite_net::{Evaluator, Marking, MultiSet, Net, PlaceIdx, RunError, RunErrorKind, Value};

use crate::faults::show_tokens;

/// The places with an expression, those that others depend on first.
pub(crate) fn order(net: &Net) -> Vec<PlaceIdx> {
    let mut found = Vec::new();
    let mut seen = vec![false; net.places.len()];
    for place in (0..net.places.len()).map(PlaceIdx::new) {
        visit(net, place, &mut seen, &mut found);
    }
    found
}

fn visit(net: &Net, place: PlaceIdx, seen: &mut [bool], found: &mut Vec<PlaceIdx>) {
    let Some(implied) = &net.place(place).implied else { return };
    if std::mem::replace(&mut seen[place.index()], true) {
        return;
    }
    let mut needed = Vec::new();
    implied.terms.iter().for_each(|term| term.for_each_place(&mut |place| needed.push(place)));
    needed.into_iter().for_each(|other| visit(net, other, seen, found));
    found.push(place);
}

/// What the expression of a place gives in a marking.
pub(crate) fn contents(net: &Net, place: PlaceIdx, marking: &dyn Marking) -> Result<MultiSet, RunError> {
    let Some(implied) = &net.place(place).implied else { return Ok(MultiSet::new()) };
    let mut frame = vec![Value::Int(0); implied.variables.len()];
    let mut evaluator = Evaluator::new(&net.types, &net.functions);
    let contents = evaluator.terms(&implied.terms, &mut frame, Some(marking));
    contents.map_err(|error| error.within(format!("in the contents of place {}", net.place(place).name)))
}

/// Whether every place in `places` holds what its expression gives.
pub(crate) fn check(net: &Net, places: &[PlaceIdx], marking: &dyn Marking) -> Result<(), RunError> {
    for &place in places {
        let gives = contents(net, place, marking)?;
        let mut n_tokens = 0;
        let mut equal = true;
        marking.tokens(place, &mut |token, count| {
            n_tokens += 1;
            equal = equal && gives.count(token) == count;
        });
        if equal && n_tokens == gives.n_distinct() {
            continue;
        }
        let mut holds = MultiSet::new();
        // What a place holds is within its counts.
        marking.tokens(place, &mut |token, count| {
            let _ = holds.add(token.clone(), count);
        });
        let name = &net.place(place).name;
        let kind = RunErrorKind::NotImplied {
            place: name.text.clone(),
            holds: show_tokens(net, place, &holds),
            gives: show_tokens(net, place, &gives),
        };
        return Err(RunError::new(kind, name.span));
    }
    Ok(())
}

/// That the expression of a place gives a token that the place can never hold.
pub(crate) fn no_token(net: &Net, place: PlaceIdx, token: &Value) -> RunError {
    let name = &net.place(place).name;
    let mut gives = MultiSet::new();
    // One token fits every count.
    let _ = gives.add(token.clone(), 1);
    let kind = RunErrorKind::NotImplied {
        place: name.text.clone(),
        holds: "no such token".to_owned(),
        gives: show_tokens(net, place, &gives),
    };
    RunError::new(kind, name.span)
}

//! Places: their types, capacities and contents.

use petite_net::{
    Capacity, Evaluator, ExprKind, Implied, Marking, MultiSet, Place, PlaceIdx, Span, Term, Value, Variable,
};

use super::modules::{ModuleIdx, twice};
use super::scope::{Scope, Site};
use super::{Elab, Elaborator};
use crate::Diagnostic;
use crate::maria::ast;

/// Allowed numbers of tokens.
type Ranges = Vec<(u32, u32)>;

impl<'a> Elaborator<'a> {
    pub(super) fn declare_place(&mut self, place: &'a ast::Place, at: ModuleIdx) -> Elab<()> {
        if self.modules[at.index()].places.contains_key(&place.name.text) {
            return Err(twice("place", &place.name));
        }
        let domain = self.type_expr(&place.ty, None, at)?;
        let mut total: Option<Ranges> = None;
        for ranges in &place.capacities {
            let allowed = self.cardinalities(ranges, at)?;
            total = Some(match total {
                None => allowed,
                Some(others) => common(&others, &allowed),
            });
            if total.as_ref().is_some_and(Vec::is_empty) {
                let span = ranges.first().map_or(place.name.span, |range| range.span);
                return Err(Diagnostic::new(span, "this capacity allows no number of tokens")
                    .label("nothing is left")
                    .help("write ranges from the lesser to the greater number"));
            }
        }
        // No token can be there more often than there may be tokens.
        let per_token = total.as_ref().and_then(|ranges| ranges.last()).map(|&(_, most)| most);
        let mut name = self.flat_name(&place.name, at);
        let base = name.text.clone();
        let mut n_same = 1;
        while self.places.iter().any(|other| other.name.text == name.text) {
            n_same += 1;
            name.text = format!("{base}.{n_same}");
        }
        let index = PlaceIdx::new(self.places.len());
        self.places.push(Place {
            name,
            domain,
            capacity: Capacity { per_token: per_token.filter(|&most| most < u32::MAX), total },
            initial: MultiSet::new(),
            implied: None,
            constant: place.constant,
            role: None,
        });
        let module = &mut self.modules[at.index()];
        module.places.insert(place.name.text.clone(), index);
        module.contents.extend(place.marking.as_ref().map(|marking| (index, marking)));
        Ok(())
    }

    fn cardinalities(&mut self, ranges: &'a [ast::Range], at: ModuleIdx) -> Elab<Ranges> {
        let mut allowed = Vec::new();
        for range in ranges {
            let mut end = |end: &'a Option<ast::Formula>, default: u32| -> Elab<u32> {
                let Some(formula) = end else { return Ok(default) };
                let number = self.constant_number(formula, at)?;
                u32::try_from(number).map_err(|_| {
                    Diagnostic::new(formula.span, format!("{number} is no number of tokens"))
                        .label("expected a number that is not negative")
                        .help("a capacity is a set of ranges, as in (0..3, 5)")
                })
            };
            let (low, high) = (end(&range.low, 0)?, end(&range.high, u32::MAX)?);
            if low <= high {
                allowed.push((low, high));
            }
        }
        Ok(disjoint(allowed))
    }

    /// Evaluates the contents of places, those that depend on others last.
    pub(super) fn contents(&mut self) {
        let mut implied = Vec::new();
        for m in 0..self.modules.len() {
            for (place, formula) in std::mem::take(&mut self.modules[m].contents) {
                let outcome = self.content(place, formula, ModuleIdx::new(m));
                if let Some(Some((variables, terms))) = self.keep(outcome) {
                    implied.push((place, formula.span));
                    self.places[place.index()].implied = Some(Implied { variables, terms });
                }
            }
        }
        self.implied_contents(implied);
        for p in 0..self.places.len() {
            let outcome = self.check_capacity(PlaceIdx::new(p));
            self.keep(outcome);
        }
    }

    /// Evaluates the contents of a place, unless they depend on other places.
    fn content(
        &mut self,
        place: PlaceIdx,
        formula: &'a ast::Formula,
        at: ModuleIdx,
    ) -> Elab<Option<(Vec<Variable>, Vec<Term>)>> {
        let mut scope = Scope::at(at, Site::Contents);
        let domain = self.places[place.index()].domain;
        let terms = self.terms(formula, domain, &mut scope)?;
        if terms.iter().any(Term::reads_marking) {
            return Ok(Some((scope.variables, terms)));
        }
        let mut frame = vec![Value::Int(0); scope.variables.len()];
        self.places[place.index()].initial =
            Evaluator::new(&self.types, &[]).terms(&terms, &mut frame, None)?;
        Ok(None)
    }

    /// Computes the first contents of places that depend on others, in an order in which that can be done.
    fn implied_contents(&mut self, mut waiting: Vec<(PlaceIdx, Span)>) {
        while !waiting.is_empty() {
            let is_waiting = |place: PlaceIdx| waiting.iter().any(|(other, _)| *other == place);
            let ready = waiting.iter().position(|(place, _)| {
                let mut needs = false;
                if let Some(implied) = &self.places[place.index()].implied {
                    implied.terms.iter().for_each(|term| {
                        term.for_each_place(&mut |other| needs = needs || is_waiting(other));
                    });
                }
                !needs
            });
            let Some(ready) = ready else {
                let (place, span) = waiting[0];
                let name = &self.places[place.index()].name;
                let message = format!("the contents of place {name} depend on themselves");
                self.diagnostics.push(
                    Diagnostic::new(span, message)
                        .label("in a circle")
                        .help("let contents depend only on places that do not depend on them"),
                );
                return;
            };
            let (place, _) = waiting.remove(ready);
            let declared = &self.places[place.index()];
            let Some(implied) = &declared.implied else { continue };
            let mut frame = vec![Value::Int(0); implied.variables.len()];
            let view = Initial(&self.places);
            let tokens = Evaluator::new(&self.types, &[]).terms(&implied.terms, &mut frame, Some(&view));
            if let Some(tokens) = self.keep(tokens.map_err(Diagnostic::from)) {
                self.places[place.index()].initial = tokens;
            }
        }
    }

    fn check_capacity(&self, place: PlaceIdx) -> Elab<()> {
        let declared = &self.places[place.index()];
        let Some(allowed) = &declared.capacity.total else { return Ok(()) };
        let total = declared.initial.total();
        if allowed.iter().any(|&(low, high)| (u64::from(low)..=u64::from(high)).contains(&total)) {
            return Ok(());
        }
        let ranges: Vec<String> = allowed.iter().map(shown_range).collect();
        let message = format!(
            "place {} holds {total} tokens at first, its capacity allows {}",
            declared.name,
            ranges.join(", ")
        );
        Err(Diagnostic::new(declared.name.span, message)
            .label("this place")
            .help("change its contents or its capacity"))
    }

    /// Whether a formula is the constant truth, for gates that never matter.
    pub(super) fn is_true(expr: &petite_net::Expr) -> bool {
        matches!(&expr.kind, ExprKind::Const(value) if value.int() != 0)
    }
}

/// The initial marking, as far as it is known.
struct Initial<'p>(&'p [Place]);

impl Marking for Initial<'_> {
    fn tokens(&self, place: PlaceIdx, each: &mut dyn FnMut(&Value, u32)) {
        self.0[place.index()].initial.iter().for_each(|(token, count)| each(token, count));
    }
}

fn shown_range(&(low, high): &(u32, u32)) -> String {
    match (low, high) {
        _ if low == high => low.to_string(),
        (_, u32::MAX) => format!("{low} and more"),
        _ => format!("{low} to {high}"),
    }
}

/// Ranges in ascending order, those that touch made one.
fn disjoint(mut ranges: Ranges) -> Ranges {
    ranges.sort_unstable();
    let mut result: Ranges = Vec::new();
    for (low, high) in ranges {
        match result.last_mut() {
            Some((_, last)) if low <= last.saturating_add(1) => *last = high.max(*last),
            _ => result.push((low, high)),
        }
    }
    result
}

/// What two sets of ranges have in common.
fn common(left: &Ranges, right: &Ranges) -> Ranges {
    let pairs = left.iter().flat_map(|a| right.iter().map(move |b| (a.0.max(b.0), a.1.min(b.1))));
    disjoint(pairs.filter(|(low, high)| low <= high).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges() {
        assert_eq!(
            disjoint(vec![(5, 5), (1, 4), (3, 3), (9, u32::MAX), (7, 7)]),
            [(1, 5), (7, 7), (9, u32::MAX)]
        );
        assert_eq!(common(&vec![(0, 3), (5, 9)], &vec![(2, 6)]), [(2, 3), (5, 6)]);
        assert_eq!(common(&vec![(0, 3)], &vec![(5, 6)]), []);
    }
}

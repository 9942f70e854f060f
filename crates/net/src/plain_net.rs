//! From plain nets back to nets.

use crate::{
    Arc, Capacity, Expr, ExprKind, Ids, Kind, MultiSet, Name, Net, OnError, Place, PlaceIdx, PlainNet,
    PriorityClass, Sign, Span, Term, Transition, Type, TypeIdx, Types, Value,
};

impl PlainNet {
    /// The same net with black tokens: what engines explore. [`PlainNet::of`] gives this one back.
    pub fn to_net(&self) -> Net {
        let mut types = Types::default();
        let mut add = |name: &str, kind| {
            types.add(Type { name: Name::predefined(name), kind, parent: None, constraint: None })
        };
        let black = Black {
            unit: add("dot", Kind::Struct { components: Vec::new() }),
            count: add("count", Kind::Range { low: 0, high: i64::from(u32::MAX) }),
            token: Value::unit(),
        };
        let places = self.places.iter().map(|place| {
            let mut initial = MultiSet::new();
            // A single value cannot overflow.
            let _ = initial.add(black.token.clone(), place.tokens);
            Place {
                name: Name::predefined(&place.name),
                domain: black.unit,
                capacity: Capacity::default(),
                initial,
                implied: None,
                constant: false,
                role: None,
            }
        });
        let places = places.collect();
        let transitions = self.transitions.iter().map(|transition| Transition {
            name: Name::predefined(&transition.name),
            variables: Vec::new(),
            binding: Vec::new(),
            inputs: black.arcs(&transition.inputs),
            outputs: black.arcs(&transition.outputs),
            inhibitors: black.arcs(&transition.inhibitors),
            picks: Vec::new(),
            lets: Vec::new(),
            guard: None,
            priority: None,
            description: None,
            safe: false,
            class: PriorityClass::NONE,
            on_error: OnError::Stop,
        });
        let transitions = transitions.collect();
        Net {
            name: Name::predefined(&self.name),
            params: Vec::new(),
            types,
            functions: Vec::new(),
            places,
            transitions,
            propositions: Vec::new(),
            properties: Vec::new(),
            progress: None,
            fairness: Vec::new(),
            ids: Ids {
                places: self.places.iter().map(|place| place.id.clone()).collect(),
                transitions: self.transitions.iter().map(|transition| transition.id.clone()).collect(),
            },
            nupn: self.nupn.clone(),
        }
    }
}

/// What all arcs share.
struct Black {
    unit: TypeIdx,
    count: TypeIdx,
    token: Value,
}

impl Black {
    fn arcs(&self, weights: &[(PlaceIdx, u32)]) -> Vec<Arc> {
        let span = Span::default();
        let expr = |kind, ty| Expr { kind, ty, span };
        let arc = |&(place, weight): &(PlaceIdx, u32)| {
            let factor =
                (weight != 1).then(|| expr(ExprKind::Const(Value::Int(i64::from(weight))), self.count));
            let token = expr(ExprKind::Const(self.token.clone()), self.unit);
            let term = Term { sign: Sign::Plus, iters: Vec::new(), condition: None, factor, token, span };
            Arc { place, terms: vec![term], span }
        };
        weights.iter().map(arc).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{PlainPlace, PlainTransition};

    #[test]
    fn there_and_back() {
        let place = |name: &str, tokens| PlainPlace {
            id: Some(format!("id_{name}").into()),
            name: name.into(),
            tokens,
        };
        let net = PlainNet {
            name: "small".into(),
            places: vec![place("a", 2), place("b", 0)],
            transitions: vec![PlainTransition {
                id: Some("t".into()),
                name: "t".into(),
                inputs: vec![(PlaceIdx(0), 1)],
                outputs: vec![(PlaceIdx(0), 3), (PlaceIdx(1), 1)],
                inhibitors: vec![(PlaceIdx(1), 4)],
            }],
            nupn: None,
        };
        assert_eq!(PlainNet::of(&net.to_net()), Some(net));
    }
}

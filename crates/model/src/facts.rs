//! What holds in every reachable state and was found by analysis, for those who want to keep states in less.
//!
//! Finding it takes a second or two on large nets, so it is only done when someone asks ([`crate::Model::facts`]).

use petite_bits::SlotIdx;
use petite_net::{
    Net, PlaceIdx,
    structure::{Effort, Incidence, SlotBounds, invariant_basis, semiflows, token_totals},
};

use crate::Layout;

/// Facts about all reachable states.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// Weighted sums of slots that are the same in all states. They are independent of each other.
    pub equations: Vec<Equation>,
    /// The largest number of tokens in each group, where one was found; empty where nobody looked.
    pub most: Vec<Option<u64>>,
}

/// A weighted sum of slots that is the same in all states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Equation {
    /// The slots with their weights, ascending, none of them zero.
    pub weights: Vec<(SlotIdx, i64)>,
    /// The sum.
    pub sum: i128,
}

impl Facts {
    /// What the totals of the places say, whatever the colours.
    pub(crate) fn of_totals(net: &Net) -> Facts {
        let incidence = token_totals(net);
        let initial: Vec<u64> =
            net.places.iter().map(|place| place.initial.iter().map(|(_, n)| u64::from(n)).sum()).collect();
        let sums = semiflows(&incidence, &mut Effort::QUICK.clone()).found;
        let bounds = SlotBounds::new(&incidence, &initial, &sums);
        let most = (0..net.places.len()).map(|place| bounds.of(SlotIdx::new(place))).collect();
        Facts { equations: Vec::new(), most }
    }

    /// What the instances of all transitions say, colour by colour, beside the totals.
    pub(crate) fn of_instances(net: &Net, layout: &Layout, incidence: &Incidence, initial: &[u64]) -> Facts {
        let mut facts = Facts::of_totals(net);
        let place_of: Vec<PlaceIdx> = layout.slots.iter().map(|slot| PlaceIdx(slot.group.0)).collect();
        let sums = semiflows(incidence, &mut Effort::QUICK.clone()).found;
        let bounds = SlotBounds::new(incidence, initial, &sums);
        let by_colour = bounds.of_places(&place_of, net.places.len(), initial, &sums);
        for (most, found) in facts.most.iter_mut().zip(by_colour) {
            *most = [*most, found].into_iter().flatten().min();
        }
        let basis = invariant_basis(incidence, &mut Effort::THOROUGH.clone()).found;
        let equation = |invariant: petite_net::structure::Invariant| {
            Some(Equation { sum: invariant.value(initial)?, weights: invariant.weights })
        };
        facts.equations = basis.into_iter().filter_map(equation).collect();
        facts
    }
}

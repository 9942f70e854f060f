//! All the parts of a net that hold expressions or tuples, listed in one fixed order.

use std::collections::BTreeSet;

use crate::describe::{Expr, Net, PickDomain, Transition, Tuple, VarId};

impl Transition {
    /// All tuples: of inputs, outputs and inhibitors.
    pub fn tuples(&self) -> impl Iterator<Item = &Tuple> {
        let arcs = self.inputs.iter().chain(&self.outputs).chain(&self.inhibitors);
        arcs.flat_map(|arc| &arc.tuples)
    }

    /// All expressions that are not part of another.
    pub fn expressions(&self) -> Vec<&Expr> {
        let mut exprs: Vec<&Expr> = self.tuples().flat_map(|t| t.condition.iter().chain(&t.token)).collect();
        exprs.extend(self.picks.iter().filter_map(|(_, domain)| match domain {
            PickDomain::Set(set) => Some(set),
            PickDomain::Type(_) => None,
        }));
        exprs.extend(self.lets.iter().map(|(_, value)| value));
        exprs.extend(self.guard.iter().chain(&self.priority));
        exprs
    }

    /// All variables that occur anywhere.
    pub fn mentioned(&self) -> BTreeSet<VarId> {
        let mut vars: BTreeSet<VarId> = self.expressions().into_iter().flat_map(Expr::variables).collect();
        vars.extend(self.tuples().flat_map(|tuple| tuple.iters.iter().map(|iter| iter.var)));
        vars.extend(self.picks.iter().map(|(var, _)| *var));
        vars.extend(self.lets.iter().map(|(var, _)| *var));
        vars
    }

    fn expressions_mut(&mut self) -> Vec<&mut Expr> {
        let arcs = self.inputs.iter_mut().chain(&mut self.outputs).chain(&mut self.inhibitors);
        let tuples = arcs.flat_map(|arc| &mut arc.tuples);
        let mut exprs: Vec<&mut Expr> =
            tuples.flat_map(|tuple| tuple.condition.iter_mut().chain(&mut tuple.token)).collect();
        exprs.extend(self.picks.iter_mut().filter_map(|(_, domain)| match domain {
            PickDomain::Set(set) => Some(set),
            PickDomain::Type(_) => None,
        }));
        exprs.extend(self.lets.iter_mut().map(|(_, value)| value));
        exprs.extend(self.guard.iter_mut().chain(&mut self.priority));
        exprs
    }
}

impl Net {
    /// All expressions that are not part of another: those of initial markings, then those of transitions.
    pub fn expressions(&self) -> Vec<&Expr> {
        let tuples = self.places.iter().flat_map(|place| &place.initial);
        let initial = tuples.flat_map(|tuple| tuple.condition.iter().chain(&tuple.token));
        initial.chain(self.transitions.iter().flat_map(Transition::expressions)).collect()
    }

    /// As [`Net::expressions`], to be changed.
    pub fn expressions_mut(&mut self) -> Vec<&mut Expr> {
        let tuples = self.places.iter_mut().flat_map(|place| &mut place.initial);
        let initial = tuples.flat_map(|tuple| tuple.condition.iter_mut().chain(&mut tuple.token));
        initial.chain(self.transitions.iter_mut().flat_map(Transition::expressions_mut)).collect()
    }

    /// All tuples, in the same order.
    pub fn tuples_mut(&mut self) -> Vec<&mut Tuple> {
        let initial = self.places.iter_mut().flat_map(|place| &mut place.initial);
        let arcs = self
            .transitions
            .iter_mut()
            .flat_map(|t| t.inputs.iter_mut().chain(&mut t.outputs).chain(&mut t.inhibitors));
        initial.chain(arcs.flat_map(|arc| &mut arc.tuples)).collect()
    }
}

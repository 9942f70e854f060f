//! Drawing transitions.
//!
//! Input tuples are drawn one after the other, and each may use the variables of those before it; then arcs and
//! tuples are shuffled, so that a reader has to find an order in which variables can be bound.

use crate::bindings::n_combinations;
use crate::describe::{
    Arc, BOOL, Expr, ExprKind, INT, Iter, Kind, Op, PickDomain, PlaceId, Transition, Tuple, TypeId,
};
use crate::draw_expr::Known;
use crate::generator::Generator;
use crate::wellformed::inputs_are_of_their_types;

/// Combinations of values that a transition's variables may have.
pub const MAX_COMBINATIONS: usize = 300;

/// A transition in the making.
struct Draft {
    transition: Transition,
    known: Known,
}

impl Draft {
    fn variable(&mut self, ty: TypeId) -> usize {
        self.transition.variables.push(ty);
        self.transition.variables.len() - 1
    }

    fn is_picked(&self, expr: &Expr) -> bool {
        expr.lone_variable().is_some_and(|var| self.transition.picks.iter().any(|(picked, _)| *picked == var))
    }

    fn known_variable(&mut self, ty: TypeId) -> Expr {
        let var = self.variable(ty);
        self.known.push((var, ty));
        Expr::var(ty, var)
    }
}

impl Generator {
    pub fn transition(&mut self) -> Transition {
        loop {
            let transition = self.candidate();
            let vars = transition.binding();
            if n_combinations(&self.net, &transition.variables, &vars) <= MAX_COMBINATIONS
                && inputs_are_of_their_types(&self.net, &transition)
            {
                return transition;
            }
        }
    }

    fn candidate(&mut self) -> Transition {
        let mut draft = Draft { transition: Transition::default(), known: vec![] };
        let n_inputs = match self.rng.below(100) {
            0..4 => 0,
            4..60 => 1,
            60..92 => 2,
            _ => 3,
        };
        let mut places: Vec<PlaceId> = (0..self.net.places.len()).collect();
        self.rng.shuffle(&mut places);
        if self.rng.percent(60) {
            // Marked places first: something is more likely to happen there.
            places.sort_by_key(|place| self.net.places[*place].initial.is_empty());
        }
        if n_inputs == 0 || self.rng.percent(12) {
            // Picked before any tuple is drawn, so that tuples use it.
            self.pick(&mut draft);
        }
        for &place in places.iter().take(n_inputs) {
            let tuples = self.input_tuples(place, &mut draft);
            draft.transition.inputs.push(Arc { place, tuples });
        }
        if self.rng.percent(20) {
            self.pick(&mut draft);
        }
        for _ in 0..2 {
            if self.rng.percent(10) {
                self.determined_input(&mut draft);
            }
        }
        if self.rng.percent(20) {
            self.inhibitors(&mut draft);
        }
        if self.rng.percent(22) {
            self.define(&mut draft);
        }
        if self.rng.percent(40) {
            let depth = self.rng.below(3);
            let guard = self.condition(&draft.known, depth);
            let partial = if self.rng.percent(25) { self.partial_guard(guard.clone(), &draft) } else { None };
            draft.transition.guard = Some(partial.unwrap_or(guard));
        }
        self.outputs(&mut draft);
        if self.with_priorities && self.rng.percent(60) {
            draft.transition.priority = Some(self.priority(&draft.known));
        }
        let Draft { mut transition, .. } = draft;
        if transition.inputs.is_empty() && self.rng.percent(80) {
            // Without this it would fire until a capacity is exceeded.
            let plain = |arc: &&Arc| arc.tuples.iter().all(Tuple::binds);
            transition.inhibitors.extend(transition.outputs.iter().find(plain).cloned());
            transition.inhibitors.truncate(1);
        }
        for arcs in [&mut transition.inputs, &mut transition.outputs] {
            self.rng.shuffle(arcs);
            arcs.iter_mut().for_each(|arc| self.rng.shuffle(&mut arc.tuples));
        }
        transition
    }

    fn input_tuples(&mut self, place: PlaceId, draft: &mut Draft) -> Vec<Tuple> {
        let domain = self.net.places[place].domain.clone();
        let mut tuples = vec![self.input_tuple(place, draft)];
        if self.rng.percent(25) {
            let first = tuples[0].token.clone();
            let pair = (0..domain.len())
                .find_map(|a| (a + 1..domain.len()).find(|b| domain[a] == domain[*b]).map(|b| (a, b)));
            match pair {
                // The mirror image of the first one.
                Some((a, b)) if self.rng.percent(60) => {
                    let mut token = first;
                    token.swap(a, b);
                    tuples.push(Tuple::plain(token));
                }
                _ => tuples.push(self.input_tuple(place, draft)),
            }
        }
        tuples
    }

    /// A plain tuple, most of its components variables.
    fn input_tuple(&mut self, place: PlaceId, draft: &mut Draft) -> Tuple {
        let domain = self.net.places[place].domain.clone();
        // A tuple may not use in one component what it binds in another.
        let before = draft.known.clone();
        let mut token = vec![];
        for ty in domain {
            let part = match self.rng.below(100) {
                0..30 => match self.foreign_variable(ty, &before) {
                    Some(variable) if self.rng.percent(80) => variable,
                    _ => self.known_variable(ty, &draft.known).unwrap_or_else(|| draft.known_variable(ty)),
                },
                30..85 => draft.known_variable(ty),
                85..93 => self.literal(ty),
                _ => self.expr_of_some(ty, &before),
            };
            // Nor may it bind what is picked.
            token.push(if draft.is_picked(&part) { draft.known_variable(ty) } else { part });
        }
        Tuple { factor: self.factor(place, 15), ..Tuple::plain(token) }
    }

    /// An expression that uses a variable, if there is any; expressions of nothing are just literals.
    fn expr_of_some(&mut self, ty: TypeId, known: &Known) -> Expr {
        if known.is_empty() { self.literal(ty) } else { self.total_input(ty, known) }
    }

    /// An expression that stays within its type even where the shrinker makes types smaller.
    fn total_input(&mut self, ty: TypeId, known: &Known) -> Expr {
        loop {
            let expr = self.expr(ty, known);
            let mut fixed_divisor = false;
            expr.walk(&mut |part| fixed_divisor |= matches!(part.kind, ExprKind::Binary(Op::Rem, ..)));
            if !fixed_divisor {
                return expr;
            }
        }
    }

    fn factor(&mut self, place: PlaceId, percent: usize) -> u32 {
        if self.net.places[place].capacity > 1 && self.rng.percent(percent) { 2 } else { 1 }
    }

    /// An input tuple with `for` or `if`, all of whose variables are known by then.
    fn determined_input(&mut self, draft: &mut Draft) {
        let place = self.rng.below(self.net.places.len());
        let tuple = self.determined(place, draft);
        match draft.transition.inputs.iter_mut().find(|arc| arc.place == place) {
            Some(arc) => arc.tuples.push(tuple),
            None => draft.transition.inputs.push(Arc { place, tuples: vec![tuple] }),
        }
    }

    fn determined(&mut self, place: PlaceId, draft: &mut Draft) -> Tuple {
        let domain = self.net.places[place].domain.clone();
        let discrete: Vec<usize> = (0..domain.len()).filter(|at| self.net.is_discrete(domain[*at])).collect();
        let mut tuple = Tuple::plain(domain.iter().map(|ty| self.simple(*ty, &draft.known)).collect());
        let mut known = draft.known.clone();
        let n_iters = [0, 1, 1, 2][self.rng.below(4)];
        for _ in 0..n_iters {
            if let Some(&at) = self.rng.pick(&discrete) {
                let var = draft.variable(domain[at]);
                known.push((var, domain[at]));
                tuple.iters.push(Iter { var, range: self.part_of(domain[at]) });
                tuple.token[at] = Expr::var(domain[at], var);
            }
        }
        if tuple.iters.is_empty() || self.rng.percent(60) {
            tuple.condition = Some(self.condition(&known, 1));
        }
        tuple.factor = self.factor(place, 15);
        tuple
    }

    fn pick(&mut self, draft: &mut Draft) {
        let is_set = |ty: &TypeId| matches!(self.net.kind(*ty), Kind::Set { .. });
        let sets: Known = draft.known.iter().copied().filter(|(_, ty)| is_set(ty)).collect();
        if let Some(&(set, of)) = self.rng.pick(&sets)
            && let Kind::Set { element, .. } = *self.net.kind(of)
        {
            let mut from = Expr::var(of, set);
            let n_picks = self.rng.between(1, 2);
            for _ in 0..n_picks {
                let var = draft.known_variable(element);
                let picked = var.lone_variable().unwrap_or(0);
                draft.transition.picks.push((picked, PickDomain::Set(from.clone())));
                from = Expr::binary(of, Op::Without, from, var);
            }
            return;
        }
        let types: Vec<TypeId> = (0..self.net.types.len()).map(TypeId).collect();
        let discrete: Vec<TypeId> =
            types.into_iter().filter(|ty| *ty != INT && self.net.is_discrete(*ty)).collect();
        if let Some(&ty) = self.rng.pick(&discrete) {
            let range = self.part_of(ty);
            let var = draft.known_variable(ty);
            draft.transition.picks.push((var.lone_variable().unwrap_or(0), PickDomain::Type(range)));
        }
    }

    /// A `let` variable, for everything that comes behind it.
    fn define(&mut self, draft: &mut Draft) {
        let types: Vec<TypeId> = draft.known.iter().map(|(_, ty)| *ty).chain([INT]).collect();
        let ty = *self.rng.pick(&types).unwrap_or(&INT);
        // Whether an inhibited binding may have an error in its `let` part is nobody's business.
        let may_fail = self.rng.percent(self.risk) && draft.transition.inhibitors.is_empty();
        let value = match ty {
            INT => self.whole_number(&draft.known),
            _ if may_fail => self.risky(ty, &draft.known),
            _ => self.total_input(ty, &draft.known),
        };
        let var = draft.known_variable(ty).lone_variable().unwrap_or(0);
        draft.transition.lets.push((var, value));
    }

    /// A guard with a part that has no value for the last value of a range: mostly, another part in front of it
    /// keeps it from being asked then.
    fn partial_guard(&mut self, guard: Expr, draft: &Draft) -> Option<Expr> {
        let is_range = |ty: &TypeId| matches!(self.net.kind(*ty), Kind::Range { parent: None, .. });
        let ranges: Known = draft.known.iter().copied().filter(|(_, ty)| is_range(ty)).collect();
        let &(var, ty) = self.rng.pick(&ranges)?;
        let next = Expr { ty, kind: ExprKind::Succ(Expr::var(ty, var).into()) };
        let other = self.simple(ty, &draft.known);
        let partial = Expr::binary(BOOL, Op::Ne, next, other);
        if self.rng.percent(self.risk) && draft.transition.inhibitors.is_empty() {
            let (first, second) = if self.rng.percent(50) { (guard, partial) } else { (partial, guard) };
            return Some(Expr::binary(BOOL, Op::And, first, second));
        }
        let last = Expr::number(ty, self.net.bounds(ty).1);
        let (shield, op) = if self.rng.percent(70) { (Op::Lt, Op::And) } else { (Op::Eq, Op::Or) };
        let shield = Expr::binary(BOOL, shield, Expr::var(ty, var), last);
        Some(Expr::binary(BOOL, op, shield, partial))
    }

    fn inhibitors(&mut self, draft: &mut Draft) {
        let place = self.rng.below(self.net.places.len());
        let mut tuples = vec![];
        for _ in 0..[1, 1, 2][self.rng.below(3)] {
            let mut own: Known = vec![];
            let mut token = vec![];
            for ty in self.net.places[place].domain.clone() {
                let part = match self.rng.below(100) {
                    0..35 => self.simple(ty, &draft.known),
                    35..45 => self.expr_of_some(ty, &draft.known),
                    45..55 => self.literal(ty),
                    55..65 => match self.known_variable(ty, &own) {
                        Some(variable) => variable,
                        None => self.literal(ty),
                    },
                    _ => {
                        let var = draft.variable(ty);
                        own.push((var, ty));
                        Expr::var(ty, var)
                    }
                };
                token.push(part);
            }
            tuples.push(Tuple { factor: self.factor(place, 40), ..Tuple::plain(token) });
        }
        draft.transition.inhibitors.push(Arc { place, tuples });
    }

    fn outputs(&mut self, draft: &mut Draft) {
        let inputs: Vec<(PlaceId, Tuple)> = (draft.transition.inputs.iter())
            .flat_map(|arc| arc.tuples.iter().map(|tuple| (arc.place, tuple.clone())))
            .collect();
        let mut given: Vec<(PlaceId, Tuple)> = vec![];
        for (place, tuple) in &inputs {
            match self.rng.below(100) {
                0..15 => given.push((*place, tuple.clone())),
                15..92 => {
                    let to = if self.rng.percent(40) { Some(*place) } else { None };
                    let mut output = self.output_tuple(to, draft);
                    if output.1.binds() {
                        output.1.factor = tuple.factor;
                    }
                    given.push(output);
                }
                _ => {}
            }
        }
        if inputs.is_empty() || (self.growing && self.rng.percent(40)) {
            given.push(self.output_tuple(None, draft));
        }
        for (place, tuple) in given {
            match draft.transition.outputs.iter_mut().find(|arc| arc.place == place) {
                Some(arc) => arc.tuples.push(tuple),
                None => draft.transition.outputs.push(Arc { place, tuples: vec![tuple] }),
            }
        }
    }

    /// A tuple for a place, or for any one.
    fn output_tuple(&mut self, to: Option<PlaceId>, draft: &mut Draft) -> (PlaceId, Tuple) {
        let place = to.unwrap_or_else(|| self.rng.below(self.net.places.len()));
        if self.rng.percent(12) {
            return (place, self.determined(place, draft));
        }
        let domain = self.net.places[place].domain.clone();
        let mut token = vec![];
        for ty in domain {
            let risky = self.rng.percent(self.risk);
            let part = match self.rng.below(100) {
                _ if risky => self.risky(ty, &draft.known),
                0..35 => self.simple(ty, &draft.known),
                35..95 => self.expr(ty, &draft.known),
                _ => self.literal(ty),
            };
            token.push(part);
        }
        (place, Tuple::plain(token))
    }

    /// A priority: fixed, of the binding, or of the marking.
    fn priority(&mut self, known: &Known) -> Expr {
        let place = self.rng.below(self.net.places.len());
        let fixed = Expr::number(INT, self.rng.below(3) as i64);
        match self.rng.below(6) {
            0 | 1 => fixed,
            2 => self.whole_number(known),
            3 => Expr { ty: INT, kind: ExprKind::Mult(place) },
            4 => Expr { ty: INT, kind: ExprKind::Card(place) },
            _ => {
                let number = self.whole_number(known);
                Expr::binary(INT, Op::Sub, Expr { ty: INT, kind: ExprKind::Mult(place) }, number)
            }
        }
    }
}

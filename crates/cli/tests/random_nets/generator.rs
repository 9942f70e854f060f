//! Drawing nets.
//!
//! A net is drawn from a seed: some types, a few functions over them, places, transitions. The odds are set so that
//! state spaces are small but rarely trivial: transitions mostly give about as many tokens as they take, and
//! capacities are mostly large enough for the tokens there are.

use crate::describe::{
    BOOL, Expr, Function, INT, Iter, Kind, Marking, Net, Place, Transition, Tuple, TypeId,
};
use crate::draw_transition::MAX_COMBINATIONS;
use crate::evaluate::domain;
use crate::naive::{self, Bounds, Verdict};
use crate::rng::Rng;

/// A net in the making.
pub struct Generator {
    pub rng: Rng,
    pub net: Net,
    /// The types that most components have, so that variables of different tuples meet.
    favourites: Vec<TypeId>,
    /// Whether transitions have priorities.
    pub with_priorities: bool,
    /// Whether transitions may give more tokens than they take.
    pub growing: bool,
    /// How large the state space is with the transitions so far.
    score: usize,
    /// In how many of a hundred components of output tuples a value may be out of range.
    pub risk: usize,
}

/// The net of a seed.
pub fn draw(seed: u64) -> Net {
    let mut rng = Rng::new(seed);
    let with_priorities = rng.percent(30);
    let growing = rng.percent(8);
    let risk = if rng.percent(25) { 25 } else { 0 };
    let net = Net { types: vec![Kind::Bool, Kind::Int], ..Net::default() };
    let mut generator = Generator { rng, net, favourites: vec![], with_priorities, growing, score: 2, risk };
    generator.types();
    generator.functions();
    let n_places = generator.rng.between(2, 5);
    for _ in 0..n_places {
        let place = generator.place();
        generator.net.places.push(place);
    }
    generator.tokens();
    let n_transitions = generator.rng.between(2, 5);
    for _ in 0..n_transitions {
        generator.add_transition();
    }
    generator.net
}

/// How far a net is explored to see what a transition brings.
const TRIAL: Bounds = Bounds { states: 150, combinations: MAX_COMBINATIONS, trials: 50_000 };

impl Generator {
    /// Adds a transition that leads to new states, if a few attempts give one: most that is drawn can never fire.
    fn add_transition(&mut self) {
        let mut best: Option<(usize, Transition)> = None;
        for _ in 0..20 {
            let transition = self.transition();
            self.net.transitions.push(transition);
            let score = self.score();
            let transition = self.net.transitions.pop();
            if best.as_ref().is_none_or(|(highest, _)| score > *highest) {
                best = transition.map(|transition| (score, transition));
            }
            if score > self.score + self.score / 2 {
                break;
            }
        }
        if let Some((score, transition)) = best {
            self.score = self.score.max(score);
            self.net.transitions.push(transition);
        }
    }

    /// How much the last transition adds to the state space.
    fn score(&mut self) -> usize {
        match naive::explore(&self.net, TRIAL) {
            Verdict::Explored(found) => {
                let last = self.net.transitions.len() - 1;
                let fires = found.edges.iter().any(|(_, transition, _)| *transition == last);
                if fires { 1 + found.states.len() } else { 1 }
            }
            // Errors end the search, so most nets had better not have any.
            Verdict::Wrong(_) => {
                if self.rng.percent(self.risk) {
                    1000
                } else {
                    0
                }
            }
            Verdict::TooLarge => TRIAL.states + 2,
        }
    }

    /// All types with values that a variable can be tried with.
    fn all_types(&self) -> Vec<TypeId> {
        (0..self.net.types.len()).map(TypeId).filter(|ty| *ty != INT).collect()
    }

    /// All discrete types with so many values at most.
    fn discrete_types(&self, most: i64) -> Vec<TypeId> {
        let small = |ty: &TypeId| {
            let (low, high) = self.net.bounds(*ty);
            high - low < most
        };
        self.all_types().into_iter().filter(|ty| self.net.is_discrete(*ty)).filter(small).collect()
    }

    fn types(&mut self) {
        for _ in 0..[1, 2, 2][self.rng.below(3)] {
            let low = [-1, 0, 0, 0, 1][self.rng.below(5)];
            // Two components of the wide ones make a place with too many values for a slot each.
            let last = if self.rng.percent(15) { 8 } else { self.rng.between(1, 4) };
            let high = low + last as i64;
            self.net.types.push(Kind::Range { low, high, parent: None });
        }
        if self.rng.percent(35) {
            // The first range is the first type after the predefined ones.
            let parent = TypeId(2);
            let (low, high) = self.net.bounds(parent);
            let from = low + self.rng.below(2) as i64;
            let to = from + self.rng.below((high - from + 1) as usize) as i64;
            self.net.types.push(Kind::Range { low: from, high: to, parent: Some(parent) });
        }
        if self.rng.percent(60) {
            let modulus = self.rng.between(2, 4) as i64;
            self.net.types.push(Kind::Mod(modulus));
        }
        if self.rng.percent(60) {
            let n_constants = self.rng.between(1, 3) as i64;
            self.net.types.push(Kind::Enum(n_constants));
        }
        if self.rng.percent(40) {
            let small = self.discrete_types(3);
            let index = *self.rng.pick(&small).unwrap_or(&BOOL);
            let element = *self.rng.pick(&small).unwrap_or(&BOOL);
            self.net.types.push(Kind::Vector { index, element });
        }
        if self.rng.percent(45) {
            let elements = self.discrete_types(4);
            let element = *self.rng.pick(&elements).unwrap_or(&BOOL);
            let (low, high) = self.net.bounds(element);
            let n_elements = (high - low + 1) as usize;
            let scarce = n_elements > 1 && (self.risk > 0 || self.rng.percent(20));
            let capacity = if scarce { self.rng.between(1, n_elements - 1) } else { n_elements };
            self.net.types.push(Kind::Set { element, capacity });
        }
        let types = self.all_types();
        for _ in 0..self.rng.between(1, 3) {
            self.favourites.extend(self.rng.pick(&types));
        }
        if self.rng.percent(50) {
            self.favourites.extend(types.iter().filter(|ty| self.net.is_range(**ty)));
        }
        // Composite types are rare enough: a net that has one mostly uses it.
        if self.rng.percent(60) {
            self.favourites.extend(types.iter().filter(|ty| !self.net.is_discrete(**ty)));
        }
    }

    fn functions(&mut self) {
        if self.rng.percent(50) {
            return;
        }
        for ty in self.all_types() {
            let function = match (self.net.kind(ty), self.rng.below(4)) {
                (Kind::Range { .. }, 0) => Function::Next(ty),
                (Kind::Range { .. } | Kind::Mod(_), 1) => Function::Triangle(ty),
                (Kind::Range { .. } | Kind::Mod(_) | Kind::Enum(_), 2) => Function::Larger(ty),
                (Kind::Range { .. } | Kind::Mod(_) | Kind::Enum(_), _) => Function::Smaller(ty),
                (Kind::Vector { .. }, 0) => Function::Level(ty),
                (Kind::Vector { .. }, _) => Function::CountLast(ty),
                (Kind::Set { element, capacity }, _) => {
                    let (low, high) = self.net.bounds(*element);
                    if (*capacity as i64) <= high - low || *element == BOOL {
                        continue;
                    }
                    Function::UpTo(ty)
                }
                _ => continue,
            };
            self.net.functions.push(function);
        }
    }

    fn place(&mut self) -> Place {
        let n_components = [0, 1, 1, 1, 2, 2, 2, 3][self.rng.below(8)];
        let mut domain_size = 1;
        let mut types = vec![];
        for _ in 0..n_components {
            let any = self.all_types();
            let from = if self.rng.percent(80) { self.favourites.clone() } else { any };
            let ty = *self.rng.pick(&from).unwrap_or(&BOOL);
            domain_size *= domain(&self.net, ty).len();
            if domain_size <= 150 {
                types.push(ty);
            }
        }
        let capacity = [1, 1, 1, 2, 2, 3][self.rng.below(6)];
        Place { domain: types, capacity, ..Place::default() }
    }

    /// Puts tokens into the places.
    fn tokens(&mut self) {
        let tight = self.rng.percent(18);
        for p in 0..self.net.places.len() {
            let n_tuples = if p == 0 { self.rng.between(1, 2) } else { [0, 1, 1, 1, 2][self.rng.below(5)] };
            for _ in 0..n_tuples {
                let before = self.net.places[p].clone();
                self.initial_tuple(p);
                if naive::initial(&self.net).is_err() {
                    self.net.places[p] = before;
                }
            }
        }
        let count = |marking: Marking| marking.iter().flat_map(|bag| bag.values()).sum::<u32>();
        let n_tokens = naive::initial(&self.net).map_or(1, count);
        if !tight {
            for place in &mut self.net.places {
                place.capacity = place.capacity.max(n_tokens);
            }
        }
    }

    fn initial_tuple(&mut self, p: usize) {
        let domain = self.net.places[p].domain.clone();
        let mut tuple = Tuple::plain(domain.iter().map(|ty| self.literal(*ty)).collect());
        let capacity = self.net.places[p].capacity as usize;
        if capacity > 1 && self.rng.percent(40) {
            tuple.factor = self.rng.between(2, capacity.min(3)) as u32;
        }
        let discrete: Vec<usize> = (0..domain.len()).filter(|at| self.net.is_discrete(domain[*at])).collect();
        if self.rng.percent(30)
            && let Some(&at) = self.rng.pick(&discrete)
        {
            let var = self.net.places[p].variables.len();
            self.net.places[p].variables.push(domain[at]);
            tuple.iters.push(Iter { var, range: self.part_of(domain[at]) });
            tuple.token[at] = Expr::var(domain[at], var);
            if self.rng.percent(25) {
                tuple.condition = Some(self.condition(&vec![(var, domain[at])], 0));
            }
        }
        let token = tuple.token.clone();
        self.net.places[p].initial.push(tuple);
        if domain.len() > 1 && domain[0] == domain[domain.len() - 1] && self.rng.percent(40) {
            // The mirror image, for transitions that look for both.
            let mirrored = Tuple::plain(token.into_iter().rev().collect());
            if mirrored.token.iter().all(|part| part.variables().is_empty()) {
                self.net.places[p].initial.push(mirrored);
            }
        }
    }
}

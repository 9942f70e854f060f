//! What the tests of temporal logic share: random numbers, random formulas, and what formulas mean on words.

#![allow(dead_code, reason = "each test binary uses a part of this")]

pub mod nets;
pub mod syntax;

use std::ops::Range;

use petite_bits::mix64;
use petite_logic::{AtomId, Ctl, Ltl};

/// A generator of numbers.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(mix64(seed) << 20)
    }

    /// A number below `n`.
    pub fn below(&mut self, n: u64) -> u64 {
        self.0 += 1;
        mix64(self.0) % n
    }

    pub fn flip(&mut self) -> bool {
        self.below(2) == 0
    }
}

/// The seeds of a random test: so many from the first one on, or as many times more as `PETITE_TIMES` says.
pub fn seeds(first: u64, n: u64) -> Range<u64> {
    let times = std::env::var("PETITE_TIMES").ok().and_then(|times| times.parse::<u64>().ok());
    first..first + n * times.unwrap_or(1)
}

/// Whether random formulas may have `X`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Nexts {
    Some,
    None,
}

/// A random formula of linear time with about so many operators.
pub fn random_ltl(random: &mut Random, size: u64, n_atoms: u64, nexts: Nexts) -> Ltl {
    if size <= 1 {
        return match random.below(12) {
            0 => Ltl::True,
            1 => Ltl::False,
            _ => Ltl::Atom(AtomId(random.below(n_atoms) as u32)),
        };
    }
    let left = 1 + random.below(size - 1);
    let boxed = |random: &mut Random, size| Box::new(random_ltl(random, size, n_atoms, nexts));
    match random.below(10) {
        0 => Ltl::Not(boxed(random, size - 1)),
        1 => Ltl::And(vec![*boxed(random, left), *boxed(random, size - left)]),
        2 => Ltl::Or(vec![*boxed(random, left), *boxed(random, size - left)]),
        3 if nexts == Nexts::Some => Ltl::Next(boxed(random, size - 1)),
        3 | 4 => Ltl::Finally(boxed(random, size - 1)),
        5 | 6 => Ltl::Globally(boxed(random, size - 1)),
        7 | 8 => Ltl::Until(boxed(random, left), boxed(random, size - left)),
        _ => Ltl::Release(boxed(random, left), boxed(random, size - left)),
    }
}

/// A random formula of branching time with about so many operators.
pub fn random_ctl(random: &mut Random, size: u64, n_atoms: u64) -> Ctl {
    if size <= 1 {
        return match random.below(12) {
            0 => Ctl::True,
            1 => Ctl::False,
            _ => Ctl::Atom(AtomId(random.below(n_atoms) as u32)),
        };
    }
    let left = 1 + random.below(size - 1);
    let boxed = |random: &mut Random, size| Box::new(random_ctl(random, size, n_atoms));
    match random.below(11) {
        0 => Ctl::Not(boxed(random, size - 1)),
        1 => Ctl::And(vec![*boxed(random, left), *boxed(random, size - left)]),
        2 => Ctl::Or(vec![*boxed(random, left), *boxed(random, size - left)]),
        3 => Ctl::ExistsNext(boxed(random, size - 1)),
        4 => Ctl::AllNext(boxed(random, size - 1)),
        5 => Ctl::ExistsFinally(boxed(random, size - 1)),
        6 => Ctl::AllFinally(boxed(random, size - 1)),
        7 => Ctl::ExistsGlobally(boxed(random, size - 1)),
        8 => Ctl::AllGlobally(boxed(random, size - 1)),
        9 => Ctl::ExistsUntil(boxed(random, left), boxed(random, size - left)),
        _ => Ctl::AllUntil(boxed(random, left), boxed(random, size - left)),
    }
}

/// A word that ends in a cycle: which atoms hold in each state, as bits; from `back_to` on it is repeated.
#[derive(Clone, Debug)]
pub struct Word {
    pub letters: Vec<u64>,
    pub back_to: usize,
}

impl Word {
    pub fn random(random: &mut Random, n_atoms: u64) -> Word {
        let len = 1 + random.below(6);
        let letters = (0..len).map(|_| random.below(1 << n_atoms)).collect();
        Word { letters, back_to: random.below(len) as usize }
    }

    fn next(&self, at: usize) -> usize {
        if at + 1 == self.letters.len() { self.back_to } else { at + 1 }
    }

    /// Whether a formula holds, by the fixpoints that define it.
    pub fn satisfies(&self, formula: &Ltl) -> bool {
        self.everywhere(formula)[0]
    }

    /// Where a formula holds.
    fn everywhere(&self, formula: &Ltl) -> Vec<bool> {
        let n = self.letters.len();
        let each = |f: &dyn Fn(usize) -> bool| -> Vec<bool> { (0..n).map(f).collect() };
        match formula {
            Ltl::True => vec![true; n],
            Ltl::False => vec![false; n],
            Ltl::Atom(atom) => each(&|at| self.letters[at] >> atom.0 & 1 == 1),
            Ltl::Not(part) => self.everywhere(part).iter().map(|holds| !holds).collect(),
            Ltl::And(parts) => {
                let parts: Vec<_> = parts.iter().map(|part| self.everywhere(part)).collect();
                each(&|at| parts.iter().all(|part| part[at]))
            }
            Ltl::Or(parts) => {
                let parts: Vec<_> = parts.iter().map(|part| self.everywhere(part)).collect();
                each(&|at| parts.iter().any(|part| part[at]))
            }
            Ltl::Next(part) => {
                let part = self.everywhere(part);
                each(&|at| part[self.next(at)])
            }
            Ltl::Finally(part) => self.least(&vec![true; n], &self.everywhere(part)),
            Ltl::Globally(part) => self.greatest(&vec![false; n], &self.everywhere(part)),
            Ltl::Until(left, right) => self.least(&self.everywhere(left), &self.everywhere(right)),
            Ltl::Release(left, right) => self.greatest(&self.everywhere(left), &self.everywhere(right)),
        }
    }

    /// The least solution of x = right or (left and next x).
    fn least(&self, left: &[bool], right: &[bool]) -> Vec<bool> {
        let mut holds = right.to_vec();
        for _ in 0..=holds.len() {
            holds = (0..holds.len()).map(|at| right[at] || left[at] && holds[self.next(at)]).collect();
        }
        holds
    }

    /// The greatest solution of x = right and (left or next x).
    fn greatest(&self, left: &[bool], right: &[bool]) -> Vec<bool> {
        let mut holds = right.to_vec();
        for _ in 0..=holds.len() {
            holds = (0..holds.len()).map(|at| right[at] && (left[at] || holds[self.next(at)])).collect();
        }
        holds
    }
}

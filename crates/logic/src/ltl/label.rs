//! Conjunctions of literals, as two sets of atoms.

/// A conjunction of literals: these atoms hold, those do not. Atoms are numbered within one automaton, below 64.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Label {
    /// Atoms that hold.
    pub positive: u64,
    /// Atoms that do not.
    pub negative: u64,
}

impl Label {
    /// The empty conjunction.
    pub const TRUE: Label = Label { positive: 0, negative: 0 };

    /// One literal.
    pub fn literal(atom: u32, positive: bool) -> Label {
        let bit = 1 << atom;
        if positive { Label { positive: bit, negative: 0 } } else { Label { positive: 0, negative: bit } }
    }

    /// Both conjunctions; none where they contradict each other.
    pub fn and(self, other: Label) -> Option<Label> {
        let both =
            Label { positive: self.positive | other.positive, negative: self.negative | other.negative };
        (both.positive & both.negative == 0).then_some(both)
    }

    /// Whether this conjunction has all literals of the other one.
    #[inline]
    pub fn implies(self, other: Label) -> bool {
        other.positive & !self.positive == 0 && other.negative & !self.negative == 0
    }

    /// Whether it holds where exactly the given atoms do.
    #[inline]
    pub fn holds(self, atoms: u64) -> bool {
        atoms & self.positive == self.positive && atoms & self.negative == 0
    }

    /// The conjunction that is the disjunction of both, where there is one: they differ in the sign of one atom, or
    /// one of them implies the other.
    pub fn union(self, other: Label) -> Option<Label> {
        if self.implies(other) {
            return Some(other);
        }
        if other.implies(self) {
            return Some(self);
        }
        let changed = self.positive ^ other.positive;
        let is_one_sign = changed.count_ones() == 1 && changed == self.negative ^ other.negative;
        is_one_sign
            .then_some(Label { positive: self.positive & !changed, negative: self.negative & !changed })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unions_are_exact() {
        let all: Vec<Label> = (0..27)
            .map(|code: u32| {
                let digit = |atom: u32| code / 3u32.pow(atom) % 3;
                (0..3).fold(Label::TRUE, |label, atom| match digit(atom) {
                    0 => label,
                    sign => label.and(Label::literal(atom, sign == 1)).unwrap(),
                })
            })
            .collect();
        for &a in &all {
            for &b in &all {
                let union = |atoms| a.holds(atoms) || b.holds(atoms);
                let exact = all.iter().find(|c| (0..8).all(|atoms| c.holds(atoms) == union(atoms)));
                assert_eq!(a.union(b), exact.copied(), "{a:?} {b:?}");
                assert_eq!(a.implies(b), (0..8).all(|atoms| !a.holds(atoms) || b.holds(atoms)));
            }
        }
    }
}

//! What the complexity analysis of paper 2, section 3.1.4, predicts.
//!
//! The reachability graph is taken for a tree in which every state has `branching` new successors (the paper's k) and
//! every δ-th level is explicit. Sums are written as sums, not in the closed forms of equations 1 and 2, which are
//! 0 / 0 where the branching is 1; and all are divided by the number of states on the last level, which may be too
//! large for any number.

/// The parameters of the analysis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prediction {
    /// New successors of a state, on average: k.
    pub branching: f64,
    /// Height of the reachability graph: n.
    pub height: u32,
    /// Distance between explicit levels: δ. Zero and one mean that all are explicit.
    pub delta: u32,
    /// Memory of a state in difference form divided by that of an explicit one: x.
    pub relative_size: f64,
    /// Time for going back a step divided by that of a comparison: y.
    pub relative_step: f64,
}

impl Prediction {
    /// Explicit states divided by all states, up to a level: equation 1 divided by equation 2.
    pub fn explicit_share_up_to(&self, level: u32) -> f64 {
        let delta = self.delta.max(1);
        let weight = |i: u32| self.branching.powf(f64::from(i) - f64::from(level));
        let total: f64 = (0..=level).map(weight).sum();
        let explicit: f64 = (0..=level).step_by(delta as usize).map(weight).sum();
        explicit / total
    }

    /// The part of the memory that is saved: Δ of equation 5.
    pub fn reduction(&self) -> f64 {
        (1.0 - self.relative_size) * (1.0 - self.explicit_share_up_to(self.height))
    }

    /// Time for the comparison with a stored state on a level, in units of a comparison of two explicit ones:
    /// T_comparison.
    pub fn comparison(&self, level: u32) -> f64 {
        let explicit = self.explicit_share_up_to(level);
        let steps = f64::from(self.delta.max(1) - 1);
        explicit + (1.0 - explicit) * steps * self.relative_step
    }

    /// The sum of that over all levels: π.
    pub fn time(&self) -> f64 {
        (0..=self.height).map(|level| self.comparison(level)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The closed forms of the paper.
    fn closed(p: &Prediction) -> f64 {
        let (k, n, delta) = (p.branching, f64::from(p.height), f64::from(p.delta));
        let explicit = (k.powf(((n / delta).floor() + 1.0) * delta) - 1.0) / (k.powf(delta) - 1.0);
        let total = (k.powf(n + 1.0) - 1.0) / (k - 1.0);
        (1.0 - p.relative_size) * (1.0 - explicit / total)
    }

    #[test]
    fn sums_are_the_closed_forms() {
        for branching in [1.01, 1.5, 2.0, 7.0] {
            for delta in [1, 2, 3, 7, 20] {
                let p = Prediction { branching, height: 23, delta, relative_size: 0.1, relative_step: 0.5 };
                assert!((p.reduction() - closed(&p)).abs() < 1e-9, "{p:?}");
            }
        }
    }

    #[test]
    fn a_path_without_branches_is_no_special_case() {
        let p = Prediction { branching: 1.0, height: 499, delta: 20, relative_size: 0.0, relative_step: 1.0 };
        assert!((p.reduction() - 0.95).abs() < 1e-9);
        assert!((p.comparison(0) - 1.0).abs() < 1e-12 && p.comparison(499) > 18.0);
        let off = Prediction { delta: 0, ..p };
        assert_eq!((off.reduction(), off.comparison(9)), (0.0, 1.0));
        assert!(Prediction { branching: 30.0, height: 100_000, ..p }.reduction().is_finite());
    }
}

//! How much a lossy search is expected to have missed.
//!
//! Let f_j be the probability that a state which is not stored looks stored while j others are. A state found to
//! be new is evidence that no such accident happened just then; between it and the one before, there may have been any
//! number of accidents, each with probability f_j. So
//!
//! - the probability that nothing was missed is the product of (1 - f_j) over the states stored,
//! - the expected number of states missed is the sum of f_j / (1 - f_j).
//!
//! States that only a missed state leads to were never offered, and no formula knows of them: both figures
//! are bounds from below.

/// The sums so far.
#[derive(Clone, Copy, Debug, Default)]
pub struct Omission {
    /// Logarithm of the probability that nothing was missed.
    log_none: f64,
    expected: f64,
}

impl Omission {
    /// A state was stored while one that is not stored looked stored with this probability.
    #[inline]
    pub fn stored(&mut self, false_positive: f64) {
        self.log_none += (-false_positive).ln_1p();
        self.expected += false_positive / (1.0 - false_positive);
    }

    /// The probability that at least one state was missed.
    pub fn probability(&self) -> f64 {
        -self.log_none.exp_m1()
    }

    /// The number of states that are expected to have been missed.
    pub fn expected(&self) -> f64 {
        self.expected
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiny_and_large_probabilities() {
        let mut omission = Omission::default();
        assert_eq!((omission.probability(), omission.expected()), (0.0, 0.0));
        for _ in 0..1000 {
            omission.stored(1e-18);
        }
        assert!((omission.probability() / 1e-15 - 1.0).abs() < 1e-6);
        omission.stored(0.5);
        assert!((omission.probability() - 0.5).abs() < 1e-9 && (omission.expected() - 1.0).abs() < 1e-9);
    }
}

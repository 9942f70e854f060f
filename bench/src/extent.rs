//! How much of the papers' experiments is run.

/// How large the models are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Extent {
    /// As small as a test needs them; nothing is repeated to measure its time.
    Check,
    /// Smaller than in the papers, for a machine that is busy.
    Small,
    /// As in the papers.
    Paper,
}

impl Extent {
    /// The extents whose rows are shown with this one: those of the check are always among them, so that a page can be
    /// compared with a check.
    pub fn shown(self) -> &'static [Extent] {
        match self {
            Extent::Check => &[Extent::Check],
            Extent::Small => &[Extent::Check, Extent::Small],
            Extent::Paper => &[Extent::Check, Extent::Paper],
        }
    }
}

//! How much a search may spend on the suspicion that it is endless.
//!
//! Examining a run costs its length times what there is to try at each step, or times its length again, and on a
//! large net there may be a suspicion at every place. What is spent is therefore counted, in units of about a
//! sixteenth of the time that one edge takes, and never exceeds a sixteenth of what the search itself has spent,
//! [`FREE`] units apart. Edges are counted, not seconds: the same search spends the same each time.
//!
//! An examination is paid for step by step, each before it is done. One that cannot be paid for any more is left as it
//! is, and taken up again at a later suspicion, when there is twice as much to spend: so steps of any cost are
//! made at last, however often they were begun in vain.

/// Units that may be spent at once: a few tenths of a millisecond.
const FREE: u64 = 1 << 15;

/// Units without which there is no point in beginning.
const LEAST: u64 = 1 << 10;

/// What may be spent, and was.
#[derive(Debug)]
pub struct Allowance {
    spent: u64,
    /// Units without which nothing is begun.
    needed: u64,
    /// Units that may be spent for each edge.
    an_edge: u64,
}

/// What one examination may spend.
#[derive(Debug)]
pub struct Purse {
    given: u64,
    left: u64,
}

/// A purse is empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spent;

impl Allowance {
    /// Nothing spent yet, in a search whose states have so many words.
    pub fn new(n_words: usize) -> Allowance {
        // Long states are copied, compared and kept, which costs about a unit for each word.
        Allowance { spent: 0, needed: LEAST, an_edge: 1 + n_words as u64 / 16 }
    }

    /// All that may be spent after so many edges; `None` while it is too little.
    pub fn open(&self, edges: u64) -> Option<Purse> {
        let allowed = FREE.saturating_add(edges.saturating_mul(self.an_edge));
        let left = allowed.saturating_sub(self.spent);
        (left >= self.needed).then_some(Purse { given: left, left })
    }

    /// A last purse: as much again.
    pub fn open_last(&self, edges: u64) -> Purse {
        let left = FREE.saturating_add(edges.saturating_mul(self.an_edge));
        Purse { given: left, left }
    }

    /// Takes a purse back after an examination.
    pub fn close<T>(&mut self, purse: &Purse, outcome: &Result<T, Spent>) {
        self.spent = self.spent.saturating_add(purse.given - purse.left);
        self.needed = if outcome.is_ok() { LEAST } else { purse.given.saturating_mul(2) };
    }
}

impl Purse {
    /// A purse that is never empty.
    pub fn unlimited() -> Purse {
        Purse { given: u64::MAX, left: u64::MAX }
    }

    /// Lets half of it be spent, and keeps what comes back.
    pub fn lend_half<T>(&mut self, spend: impl FnOnce(&mut Purse) -> T) -> T {
        let given = self.left / 2;
        let mut half = Purse { given, left: given };
        let outcome = spend(&mut half);
        self.left -= given - half.left;
        outcome
    }

    /// Pays for something before it is done.
    pub fn pay(&mut self, units: usize) -> Result<(), Spent> {
        self.left = self.left.checked_sub(units as u64).ok_or(Spent)?;
        Ok(())
    }

    /// How often something can be paid for.
    pub fn affords(&self, units: usize) -> usize {
        usize::try_from(self.left / (units as u64).max(1)).unwrap_or(usize::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_spent_stays_below_what_is_allowed() {
        let mut allowance = Allowance::new(1);
        let (mut spent, mut completed) = (0, 0);
        for edges in 0..1_000_000u64 {
            let Some(mut purse) = allowance.open(edges) else { continue };
            let outcome = purse.pay(20).and_then(|()| purse.pay(100_000));
            completed += u64::from(outcome.is_ok());
            spent += 20 + if outcome.is_ok() { 100_000 } else { 0 };
            allowance.close(&purse, &outcome);
            assert!(spent <= FREE + edges);
        }
        assert!(completed > 2, "{completed} examinations were completed");
    }
}

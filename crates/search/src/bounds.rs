//! The largest numbers of tokens.
//!
//! Counting the tokens of every state would cost more than firing an action does. Only the groups that an action
//! changes can reach a new maximum, so the totals of one state are kept, and those of a successor are theirs
//! plus the action's changes.
//!
//! **Alarms.** A group that grows without end reaches every number of tokens. A search that wants to know sets alarms: one
//! is raised when a group holds [`FIRST_RISE`] tokens more than at first, and then each time that this rise has
//! doubled. Alarms are looked at only where a maximum is exceeded, which is rare, so they cost nothing.

use petite_model::GroupIdx;

/// Tokens beyond the initial ones that raise the first alarm of a group. In a net whose places hold one token at most
/// there never is one.
const FIRST_RISE: u64 = 2;

/// Totals of one state and the maxima of all states seen.
#[derive(Clone, Debug)]
pub struct Bounds {
    /// Tokens in each group of the state at hand.
    totals: Vec<u64>,
    /// Their sum; it cannot leave 128 bits.
    total: u128,
    maxima: Vec<u64>,
    max_total: u128,
    max_multiplicity: u32,
    /// Tokens in each group at first.
    starts: Vec<u64>,
    /// The number of tokens in each group that raises an alarm.
    alarms: Vec<u64>,
    is_alarmed: bool,
}

impl Bounds {
    /// No state seen yet.
    pub fn new(n_groups: usize) -> Bounds {
        Bounds {
            totals: vec![0; n_groups],
            total: 0,
            maxima: vec![0; n_groups],
            max_total: 0,
            max_multiplicity: 0,
            starts: vec![0; n_groups],
            alarms: vec![u64::MAX; n_groups],
            is_alarmed: false,
        }
    }

    /// Tokens in each group of the state at hand.
    #[inline]
    pub fn totals(&self) -> &[u64] {
        &self.totals
    }

    /// Goes to another state, whose totals `write` fills in.
    #[inline]
    pub fn go_to(&mut self, write: impl FnOnce(&mut [u64])) {
        write(&mut self.totals);
        self.total = self.totals.iter().map(|&total| u128::from(total)).sum();
    }

    /// Sees the state at hand, all of its groups.
    pub fn see_all(&mut self) {
        for (max, &total) in self.maxima.iter_mut().zip(&self.totals) {
            *max = total.max(*max);
        }
        self.max_total = self.total.max(self.max_total);
    }

    /// Sees maxima that were found elsewhere.
    pub fn raise(&mut self, maxima: &[u64], total: u128) {
        for (max, &other) in self.maxima.iter_mut().zip(maxima) {
            *max = other.max(*max);
        }
        self.max_total = total.max(self.max_total);
    }

    /// Goes to a successor and sees it.
    #[inline]
    pub fn step(&mut self, changes: &[(GroupIdx, i64)]) {
        for &(group, change) in changes {
            let total = &mut self.totals[group.index()];
            *total = total.wrapping_add_signed(change);
            self.total = self.total.wrapping_add_signed(i128::from(change));
            if *total > self.maxima[group.index()] {
                self.maxima[group.index()] = *total;
                self.is_alarmed |= *total >= self.alarms[group.index()];
            }
        }
        self.max_total = self.total.max(self.max_total);
    }

    /// Goes back to where [`Bounds::step`] came from.
    #[inline]
    pub fn step_back(&mut self, changes: &[(GroupIdx, i64)]) {
        for &(group, change) in changes {
            let total = &mut self.totals[group.index()];
            *total = total.wrapping_sub(change as u64);
            self.total = self.total.wrapping_sub(i128::from(change) as u128);
        }
    }

    /// Sees how often a token is in its group.
    #[inline]
    pub fn see_multiplicity(&mut self, multiplicity: u32) {
        self.max_multiplicity = self.max_multiplicity.max(multiplicity);
    }

    /// The largest number of equal tokens seen in a group.
    pub fn max_multiplicity(&self) -> u32 {
        self.max_multiplicity
    }

    /// Sets alarms for growth beyond the state at hand, which is the initial one.
    pub fn set_alarms(&mut self) {
        self.starts.copy_from_slice(&self.totals);
        for (alarm, &start) in self.alarms.iter_mut().zip(&self.starts) {
            *alarm = start.saturating_add(FIRST_RISE);
        }
    }

    /// Whether an alarm was raised since this was last asked.
    #[inline]
    pub fn take_alarm(&mut self) -> bool {
        std::mem::take(&mut self.is_alarmed)
    }

    /// Sets the alarms of all groups that have reached them anew, to twice the rise. Until then every further
    /// maximum raises an alarm again.
    pub fn defer_alarms(&mut self) {
        for ((alarm, &start), &max) in self.alarms.iter_mut().zip(&self.starts).zip(&self.maxima) {
            if max >= *alarm {
                *alarm = start.saturating_add((max - start).saturating_mul(2));
            }
        }
    }

    /// The largest number of tokens seen in each group.
    pub fn maxima(&self) -> &[u64] {
        &self.maxima
    }

    /// The same, without a copy.
    pub fn into_maxima(self) -> Vec<u64> {
        self.maxima
    }

    /// The largest number of tokens seen in one state.
    pub fn max_total(&self) -> u64 {
        u64::try_from(self.max_total).unwrap_or(u64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_seen_and_taken_back() {
        let mut bounds = Bounds::new(3);
        bounds.go_to(|totals| totals.copy_from_slice(&[2, 0, 5]));
        bounds.see_all();
        let changes = [(GroupIdx(0), -2), (GroupIdx(1), 3)];
        bounds.step(&changes);
        assert_eq!(
            (bounds.totals(), bounds.maxima(), bounds.max_total()),
            (&[0, 3, 5][..], &[2, 3, 5][..], 8)
        );
        bounds.step_back(&changes);
        assert_eq!(
            (bounds.totals(), bounds.maxima(), bounds.max_total()),
            (&[2, 0, 5][..], &[2, 3, 5][..], 8)
        );
    }

    #[test]
    fn alarms_are_raised_when_the_rise_has_doubled() {
        let mut bounds = Bounds::new(1);
        bounds.go_to(|totals| totals[0] = 10);
        bounds.see_all();
        bounds.set_alarms();
        let mut raised = Vec::new();
        for _ in 0..40 {
            bounds.step(&[(GroupIdx(0), 1)]);
            if bounds.take_alarm() {
                raised.push(bounds.totals()[0]);
                if raised.len() != 2 {
                    bounds.defer_alarms();
                }
            }
            // Known numbers raise nothing.
            bounds.step_back(&[(GroupIdx(0), 1)]);
            bounds.step(&[(GroupIdx(0), 1)]);
            assert!(!bounds.take_alarm());
        }
        // The second one was not deferred, so the next maximum raised it again.
        assert_eq!(raised, [12, 14, 15, 20, 30, 50]);
    }
}

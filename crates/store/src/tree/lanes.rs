//! Numbers of tokens in halves, several in a word, so that those of a state are sums of words.

use petite_bits::{SlotIdx, not_less};
use petite_model::{GroupIdx, Layout};

use super::halves::GivenUp;
use crate::Peaks;

/// Numbers of tokens, several in a word.
#[derive(Debug)]
pub(super) struct Lanes {
    /// The groups that lie in both halves; the last lane, without group, has all tokens.
    groups: Vec<GroupIdx>,
    /// Bits of a lane: 8, 16 or 32.
    width: usize,
    /// The largest sums so far.
    most: Vec<u32>,
}

impl Lanes {
    pub fn new(layout: &Layout, side_of: &[usize]) -> Lanes {
        let is_on = |group: &GroupIdx, side: usize| {
            layout.slots_of(*group).any(|slot: SlotIdx| side_of[slot.index()] == side)
        };
        let all = (0..layout.groups.len()).map(GroupIdx::new);
        let groups: Vec<GroupIdx> = all.filter(|group| is_on(group, 0) && is_on(group, 1)).collect();
        let mut lanes = Lanes { groups, width: 8, most: Vec::new() };
        lanes.most = vec![0; lanes.n_words()];
        lanes
    }

    pub fn n_words(&self) -> usize {
        ((self.groups.len() + 1) * self.width).div_ceil(32)
    }

    /// The top bit of each lane.
    #[inline]
    pub fn tops(&self) -> u64 {
        match self.width {
            8 => 0x8080_8080,
            16 => 0x8000_8000,
            _ => 0x8000_0000,
        }
    }

    /// Whether the state whose halves have these numbers of tokens has none that is larger than those seen. The top bits
    /// of lanes are zero, so nothing is carried between them.
    #[inline]
    pub fn cover(&self, left: &[u32], right: &[u32]) -> bool {
        let tops = self.tops();
        let sums = left.iter().zip(right).map(|(left, right)| u64::from(left + right));
        self.most.iter().zip(sums).all(|(&most, sum)| not_less(u64::from(most), sum, tops))
    }

    #[cold]
    pub fn see(&mut self, sums: Vec<u32>) {
        let mask = ((1u64 << self.width) - 1) as u32;
        for (word, sum) in self.most.iter_mut().zip(sums) {
            for shift in (0..32).step_by(self.width) {
                let most = (*word >> shift & mask).max(sum >> shift & mask);
                *word = *word & !(mask << shift) | most << shift;
            }
        }
    }

    /// Makes lanes wide enough for a number of tokens. Gives whether they were.
    pub fn fit(&mut self, total: u64) -> Result<bool, GivenUp> {
        let is_enough = |width: usize| total < 1 << (width - 1);
        if is_enough(self.width) {
            return Ok(true);
        }
        let wider = [16, 32].into_iter().find(|&width| is_enough(width)).ok_or(GivenUp)?;
        let values: Vec<u32> = (0..=self.groups.len()).map(|lane| self.value(lane)).collect();
        self.width = wider;
        self.most = vec![0; self.n_words()];
        for (lane, value) in values.into_iter().enumerate() {
            let bit = lane * wider;
            self.most[bit / 32] |= value << (bit % 32);
        }
        Ok(false)
    }

    pub fn value(&self, lane: usize) -> u32 {
        let bit = lane * self.width;
        self.most[bit / 32] >> (bit % 32) & ((1u64 << self.width) - 1) as u32
    }

    /// The numbers of tokens of a half.
    pub fn packed(&self, totals: &[u64], all: u64) -> Vec<u32> {
        let mut words = vec![0; self.n_words()];
        let values = self.groups.iter().map(|group| totals[group.index()]).chain([all]);
        for (lane, value) in values.enumerate() {
            let bit = lane * self.width;
            words[bit / 32] |= (value as u32) << (bit % 32);
        }
        words
    }

    pub fn raise(&self, peaks: &mut Peaks) {
        for (lane, group) in self.groups.iter().enumerate() {
            let peak = &mut peaks.groups[group.index()];
            *peak = (*peak).max(u64::from(self.value(lane)));
        }
        peaks.total = peaks.total.max(u128::from(self.value(self.groups.len())));
    }
}

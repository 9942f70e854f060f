//! One multi-set as bits.
//!
//! *Source.* Section 3.1 of paper 5; the second form is ours.
//!
//! ```text
//!  one by one   | cardinality t | different items d - 1 | multiplicities, descending | items in that order |
//!                                 log2 t bits             see multiplicities.rs        log2 n bits each
//!
//!  subset       | cardinality t | all once? | the set of the items | multiplicities in the items' order |
//!                                 1 bit       see subsets.rs
//!                                 ... no: different items d - 1, log2 of the least of t - 1 and n bits
//! ```
//!
//! What can be only one way takes no bits: the question whether all items are there once is left out where there is
//! one token, where there are more tokens than items to choose from, and where no item can be there twice.
//!
//! Items are numbers below n. Values of a type that has more than fit a word are numbers of another kind, which the model
//! takes apart into digits; these are always written one by one.

use petite_bits::{BitReader, BitWriter, bits_for};
use petite_model::{GroupIdx, Model};

use super::ItemCode;
use super::cardinality::Cardinality;
use super::multiplicities;
use super::prefix_code::PrefixCode;
use super::row_items;
use super::subsets::Subsets;

/// An item of a multi-set with its multiplicity.
pub(super) type Token = (u64, u32);

/// A code for the multi-sets of one place.
#[derive(Clone, Debug)]
pub(super) struct Contents {
    pub cardinality: Cardinality,
    /// Number of items to choose from; none where the model has to take them apart.
    pub n_items: Option<u64>,
    pub items: ItemCode,
    /// Whether no item can be there more than once.
    pub at_most_once: bool,
    /// Codes for the items, the more frequent the shorter, instead of the set.
    pub weighted: Option<PrefixCode>,
}

/// What writing and reading need beside the code itself.
pub(super) struct Tools<'a> {
    pub group: GroupIdx,
    pub subsets: &'a Subsets,
    /// Scratch.
    pub numbers: &'a mut Vec<u64>,
}

/// Whether the reader knows already that there is a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    Nothing,
    NotEmpty,
}

impl Contents {
    /// Writes a multi-set: different items, ascending.
    #[inline]
    pub fn put<M: Model>(
        &self,
        model: &M,
        tokens: &mut [Token],
        known: Known,
        tools: &mut Tools<'_>,
        code: &mut BitWriter,
    ) {
        let t: u64 = tokens.iter().map(|&(_, count)| u64::from(count)).sum();
        match known {
            Known::Nothing => self.cardinality.put(t, code),
            Known::NotEmpty => self.cardinality.put_positive(t, code),
        }
        if t == 0 {
            return;
        }
        match (self.items, self.n_items) {
            (ItemCode::Subset, Some(n)) => self.put_set(tokens, t, n, tools, code),
            (_, n) => {
                let d = tokens.len() as u64;
                code.put(d - 1, bits_for(t));
                if t > d {
                    tokens.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
                    multiplicities::put(tokens.iter().map(|&(_, count)| count), t, code);
                }
                match n {
                    Some(n) => put_items(tokens, bits_for(n), code),
                    None => {
                        let mut digit = |rank, n| code.put(rank, bits_for(n));
                        for &(token, _) in tokens.iter() {
                            model.token_digits(tools.group, token as u32, &mut digit);
                        }
                    }
                }
            }
        }
    }

    /// Writes a set whose items are the numbers of the bits of a row, given word by word with the number of the lowest bit.
    /// Says `false` where that is not possible, with nothing written.
    #[inline]
    pub fn put_row(&self, row: impl Iterator<Item = (u64, u64)> + Clone, code: &mut BitWriter) -> bool {
        let n_bits = match (self.items, self.n_items) {
            (ItemCode::OneByOne, Some(n)) => bits_for(n),
            _ => return false,
        };
        if n_bits > row_items::MOST_BITS {
            return false;
        }
        let t = row.clone().map(|(bits, _)| u64::from(bits.count_ones())).sum();
        self.cardinality.put(t, code);
        if t > 0 {
            code.put(t - 1, bits_for(t));
            row.for_each(|(bits, first)| row_items::put(bits, first, n_bits, code));
        }
        true
    }

    /// Appends a multi-set that was written; items are in no particular order.
    pub fn take<M: Model>(
        &self,
        model: &mut M,
        known: Known,
        tools: &mut Tools<'_>,
        code: &mut BitReader<'_>,
        tokens: &mut Vec<Token>,
    ) {
        let t = match known {
            Known::Nothing => self.cardinality.take(code),
            Known::NotEmpty => self.cardinality.take_positive(code),
        };
        if t == 0 {
            return;
        }
        match (self.items, self.n_items) {
            (ItemCode::Subset, Some(n)) => self.take_set(t, n, tools, code, tokens),
            (_, n) => {
                let d = code.take(bits_for(t)) + 1;
                let start = tokens.len();
                multiplicities::take(t, d, code, |count| tokens.push((0, count as u32)));
                let digit = |code: &mut BitReader<'_>, n| code.take(bits_for(n));
                for (item, _) in &mut tokens[start..] {
                    *item = match n {
                        Some(n) => digit(code, n),
                        None => {
                            let mut next = |n| Some(digit(code, n));
                            // What was written can be read.
                            model.token_from_digits(tools.group, &mut next).map_or(0, u64::from)
                        }
                    };
                }
            }
        }
    }

    #[inline]
    fn put_set(&self, tokens: &[Token], t: u64, n: u64, tools: &mut Tools<'_>, code: &mut BitWriter) {
        let d = tokens.len() as u64;
        let all_once = t == d;
        if self.asks_whether_once(t, n) {
            code.put(u64::from(all_once), 1);
        }
        if !all_once {
            code.put(d - 1, bits_for((t - 1).min(n)));
        }
        match &self.weighted {
            Some(weighted) => tokens.iter().for_each(|&(item, _)| weighted.put(item as usize, code)),
            None if tools.subsets.put_small(tokens.iter().map(|&(item, _)| item), n, code) => {}
            None => {
                tools.numbers.clear();
                tools.numbers.extend(tokens.iter().map(|&(item, _)| item));
                tools.subsets.put(tools.numbers, 0, n, code);
            }
        }
        if !all_once {
            let (mut rest, mut after) = (t, d);
            for &(_, count) in tokens {
                after -= 1;
                if after > 0 {
                    code.put(u64::from(count) - 1, bits_for(rest - after));
                }
                rest -= u64::from(count);
            }
        }
    }

    fn take_set(
        &self,
        t: u64,
        n: u64,
        tools: &mut Tools<'_>,
        code: &mut BitReader<'_>,
        tokens: &mut Vec<Token>,
    ) {
        let all_once = self.at_most_once || t == 1 || self.asks_whether_once(t, n) && code.take(1) == 1;
        let d = if all_once { t } else { code.take(bits_for((t - 1).min(n))) + 1 };
        tools.numbers.clear();
        match &self.weighted {
            Some(weighted) => tools.numbers.extend((0..d).map(|_| weighted.take(code) as u64)),
            None => tools.subsets.take(d, 0, n, code, tools.numbers),
        }
        let (mut rest, mut after) = (t, d);
        for &item in tools.numbers.iter() {
            after = after.saturating_sub(1);
            let count = match (all_once, after) {
                (true, _) => 1,
                (false, 0) => rest,
                (false, _) => code.take(bits_for(rest.saturating_sub(after))) + 1,
            };
            tokens.push((item, count as u32));
            rest = rest.saturating_sub(count);
        }
    }

    /// Whether it takes a bit to tell that all items are there once.
    fn asks_whether_once(&self, t: u64, n: u64) -> bool {
        !self.at_most_once && t > 1 && t <= n
    }

    /// Whether it comes from a sample run.
    pub fn is_trained(&self) -> bool {
        self.weighted.is_some() || matches!(self.cardinality, Cardinality::Trained(_))
    }

    /// Heap bytes owned.
    pub fn bytes(&self) -> usize {
        self.cardinality.bytes() + self.weighted.as_ref().map_or(0, PrefixCode::bytes)
    }
}

/// Writes items of so many bits each, several at a time.
#[inline]
fn put_items(tokens: &[Token], n_bits: u32, code: &mut BitWriter) {
    // Items of no bits, of which there is one to choose from, have nothing to say.
    let Some(at_once) = 64u32.checked_div(n_bits) else { return };
    for some in tokens.chunks(at_once as usize) {
        let (mut bits, mut shift) = (0, 0);
        for &(item, _) in some {
            bits |= item << shift;
            shift += n_bits;
        }
        code.put(bits, shift);
    }
}

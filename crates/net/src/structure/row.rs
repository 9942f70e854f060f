//! Sparse vectors of integers.
//!
//! A row is a direction: only the ratios of its entries matter, so it is always divided by the greatest common
//! divisor of its entries, which keeps them small. Sums are formed in 64 bits, and only where that is too
//! narrow in 128 bits; a row whose entries do not fit 64 bits after division does not exist (`None`).

/// Entries with ascending keys, none of them zero, without a common divisor. No entry is `i64::MIN`.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Row(Vec<(u32, i64)>);

impl Row {
    /// The direction of a vector; entries of one key are added.
    pub fn new(mut entries: Vec<(u32, i64)>) -> Option<Row> {
        entries.sort_unstable_by_key(|(key, _)| *key);
        let mut sums: Vec<(u32, i128)> = Vec::with_capacity(entries.len());
        for (key, value) in entries {
            match sums.last_mut() {
                Some((last, sum)) if *last == key => *sum += i128::from(value),
                _ => sums.push((key, i128::from(value))),
            }
        }
        sums.retain(|(_, sum)| *sum != 0);
        Row::divided(&sums)
    }

    pub fn entries(&self) -> &[(u32, i64)] {
        &self.0
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The entry of a key, zero where there is none.
    pub fn get(&self, key: u32) -> i64 {
        self.0.binary_search_by_key(&key, |(key, _)| *key).map_or(0, |at| self.0[at].1)
    }

    /// The direction of `factor * self + other_factor * other`.
    pub fn combined(&self, factor: i64, other: &Row, other_factor: i64) -> Option<Row> {
        self.combined_narrow(factor, other, other_factor)
            .or_else(|| self.combined_wide(i128::from(factor), other, i128::from(other_factor)))
    }

    /// The combination of two rows without an entry at `key`: what is left of `self` once `other` is taken from
    /// it as often as it takes. `self` keeps its direction, `other` may be reversed.
    pub fn without(&self, key: u32, other: &Row) -> Option<Row> {
        let (mine, theirs) = (self.get(key), other.get(key));
        let divisor = gcd(mine.unsigned_abs(), theirs.unsigned_abs()) as i64;
        let (mine, theirs) = (mine / divisor, theirs / divisor);
        self.combined(theirs.abs(), other, -mine * theirs.signum())
    }

    fn combined_narrow(&self, factor: i64, other: &Row, other_factor: i64) -> Option<Row> {
        let mut sums = Vec::with_capacity(self.len() + other.len());
        let (mut mine, mut theirs) = (self.0.as_slice(), other.0.as_slice());
        let mut common = 0;
        loop {
            let (key, value) = match (mine.first(), theirs.first()) {
                (None, None) => break,
                (Some(&(a, x)), Some(&(b, y))) if a == b => {
                    (mine, theirs) = (&mine[1..], &theirs[1..]);
                    (a, x.checked_mul(factor)?.checked_add(y.checked_mul(other_factor)?)?)
                }
                (Some(&(a, x)), b) if b.is_none_or(|&(b, _)| a < b) => {
                    mine = &mine[1..];
                    (a, x.checked_mul(factor)?)
                }
                (_, Some(&(b, y))) => {
                    theirs = &theirs[1..];
                    (b, y.checked_mul(other_factor)?)
                }
                (Some(_), None) => unreachable!("the first row goes on where the second has ended"),
            };
            if value == i64::MIN {
                return None;
            }
            if value != 0 {
                common = if common == 1 { 1 } else { gcd(common, value.unsigned_abs()) };
                sums.push((key, value));
            }
        }
        if common > 1 {
            // Every value is at most `i64::MAX` in size, so their divisor is too.
            sums.iter_mut().for_each(|(_, value)| *value /= common as i64);
        }
        Some(Row(sums))
    }

    #[cold]
    fn combined_wide(&self, factor: i128, other: &Row, other_factor: i128) -> Option<Row> {
        let mine = self.0.iter().map(|&(key, value)| (key, i128::from(value) * factor));
        let theirs = other.0.iter().map(|&(key, value)| (key, i128::from(value) * other_factor));
        let mut sums: Vec<(u32, i128)> = mine.chain(theirs).collect();
        sums.sort_unstable_by_key(|(key, _)| *key);
        let mut overflow = false;
        sums.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                let sum = kept.1.checked_add(next.1);
                overflow |= sum.is_none();
                kept.1 = sum.unwrap_or(0);
            }
            same
        });
        sums.retain(|(_, sum)| *sum != 0);
        if overflow { None } else { Row::divided(&sums) }
    }

    fn divided(sums: &[(u32, i128)]) -> Option<Row> {
        let common = sums.iter().fold(0, |common, (_, sum)| gcd_wide(common, sum.unsigned_abs()));
        let narrow = |&(key, sum): &(u32, i128)| {
            // A quotient by zero cannot be: the divisor is zero only where there is no entry.
            let quotient = sum.checked_div(i128::try_from(common).ok()?)?;
            i64::try_from(quotient).ok().filter(|value| *value != i64::MIN).map(|value| (key, value))
        };
        sums.iter().map(narrow).collect::<Option<_>>().map(Row)
    }
}

/// Greatest common divisor; that of zero and a number is the number.
pub(super) fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

fn gcd_wide(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(entries: &[(u32, i64)]) -> Row {
        Row::new(entries.to_vec()).unwrap()
    }

    #[test]
    fn a_row_is_a_direction() {
        assert_eq!(row(&[(3, 4), (1, -6), (2, 5), (2, -5)]), Row(vec![(1, -3), (3, 2)]));
        assert!(row(&[(1, 2), (1, -2)]).is_empty());
        assert_eq!((row(&[(7, 9)]).get(7), row(&[(7, 9)]).get(6)), (1, 0));
        assert_eq!(Row::new(vec![(0, i64::MIN), (1, 1)]), None);
    }

    #[test]
    fn a_key_is_eliminated() {
        let (a, b) = (row(&[(0, 2), (1, 3)]), row(&[(0, -3), (2, 1)]));
        assert_eq!(a.without(0, &b), Some(row(&[(1, 9), (2, 2)])));
        assert_eq!(b.without(0, &a), Some(row(&[(1, 9), (2, 2)])));
        let c = row(&[(0, 4), (1, 5)]);
        assert_eq!(a.without(0, &c), Some(row(&[(1, 1)])));
    }

    #[test]
    fn what_is_too_wide_is_computed_wider_and_then_refused() {
        let big = i64::MAX;
        let (a, b) = (row(&[(0, big), (1, 1)]), row(&[(0, big - 1), (1, 1)]));
        // The products leave 64 bits, their difference does not.
        assert_eq!(a.without(0, &b), Some(row(&[(1, -1)])));
        let (a, b) = (row(&[(0, big), (1, 1)]), row(&[(0, big - 1), (2, big)]));
        assert_eq!(a.without(0, &b), None);
    }
}

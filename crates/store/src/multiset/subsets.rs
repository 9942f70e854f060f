//! Sets of items as numbers.
//!
//! Writing d different items one after the other says in which order they come, which nobody wants to know. The
//! combinatorial number system numbers all sets of d out of n items without gaps: items `c1 < c2 < ... < cd` are
//! number `C(c1, 1) + C(c2, 2) + ... + C(cd, d)`, less than `C(n, d)`. So the set takes `log2 C(n, d)` bits, rounded up
//! once; of 100 items, 9 take 41 bits instead of 63.
//!
//! Where more than half of the items are in the set, those that are not are written instead: there are as many sets of
//! either kind, but fewer items to add up.
//!
//! Numbers stay within 64 bits. Where `C(n, d)` is larger, the items are cut into two halves: how many are in the first
//! one, then each half by itself.
//!
//! **Cost.** An addition for each item. Binomials of up to [`TABLE`] items come from a table of 66 KB, others are
//! computed, in as many steps as there are items.

use petite_bits::{BitReader, BitWriter, bits_for};

/// Largest upper number of the table.
const TABLE: u64 = 128;

/// Writes and reads sets.
#[derive(Clone, Debug)]
pub(super) struct Subsets {
    /// Row after row of Pascal's triangle, each with a zero behind it; what leaves 64 bits is the largest number.
    triangle: Vec<u64>,
}

impl Subsets {
    /// With the table filled.
    pub fn new() -> Subsets {
        let mut triangle: Vec<u64> = Vec::with_capacity(row(TABLE + 1));
        for n in 0..=TABLE as usize {
            let above = (n as u64).checked_sub(1).map_or(0, row);
            for k in 0..=n {
                let inner = 0 < k && k < n;
                triangle.push(if inner {
                    triangle[above + k - 1].saturating_add(triangle[above + k])
                } else {
                    1
                });
            }
            triangle.push(0);
        }
        Subsets { triangle }
    }

    /// Writes a set of items, ascending, each from `low` up to below `low + n`; the reader knows how many.
    pub fn put(&self, items: &[u64], low: u64, n: u64, code: &mut BitWriter) {
        let d = items.len() as u64;
        if d == 0 || d >= n {
            return;
        }
        if self.put_small(items.iter().map(|&item| item - low), n, code) {
            return;
        }
        if d > n / 2 {
            let others = others(items, low, n);
            return self.put(&others, low, n, code);
        }
        if let Some(n_sets) = self.binomial(n, d) {
            let ranks = items.iter().zip(1..).map(|(&item, k)| self.binomial(item - low, k).unwrap_or(0));
            return code.put(ranks.sum(), bits_for(n_sets));
        }
        let half = n / 2;
        let below = items.partition_point(|&item| item < low + half);
        let (least, most) = split(d, half, n);
        code.put(below as u64 - least, bits_for(most - least + 1));
        self.put(&items[..below], low, half, code);
        self.put(&items[below..], low + half, n - half, code);
    }

    /// Writes a set of items below `n`, ascending, where the table has its number. Says `false` otherwise, with nothing written.
    #[inline]
    pub fn put_small(&self, items: impl ExactSizeIterator<Item = u64>, n: u64, code: &mut BitWriter) -> bool {
        let d = items.len() as u64;
        if n > TABLE || d > n {
            return false;
        }
        let n_sets = self.triangle[row(n) + d as usize];
        if n_sets == u64::MAX {
            return false;
        }
        let rank = if d > n / 2 { self.rank(absent(items, n)) } else { self.rank(items) };
        code.put(rank, bits_for(n_sets));
        true
    }

    /// Appends a set of `d` items, ascending.
    pub fn take(&self, d: u64, low: u64, n: u64, code: &mut BitReader<'_>, items: &mut Vec<u64>) {
        if d == 0 {
            return;
        }
        if d >= n {
            return items.extend(low..low + n);
        }
        if d > n / 2 {
            let mut absent = Vec::with_capacity((n - d) as usize);
            self.take(n - d, low, n, code, &mut absent);
            return items.extend(others(&absent, low, n));
        }
        if let Some(n_sets) = self.binomial(n, d) {
            let mut rank = code.take(bits_for(n_sets));
            let start = items.len();
            let mut above = n;
            for k in (1..=d).rev() {
                let item = self.greatest_below(above, k, rank);
                rank -= self.binomial(item, k).unwrap_or(0).min(rank);
                items.push(low + item);
                above = item;
            }
            return items[start..].reverse();
        }
        let half = n / 2;
        let (least, most) = split(d, half, n);
        let below = (least + code.take(bits_for(most - least + 1))).min(most);
        self.take(below, low, half, code, items);
        self.take(d - below, low + half, n - half, code, items);
    }

    /// The number of a set of items of the table, ascending. That of all sets of this size fits a word, so these do.
    #[inline]
    fn rank(&self, items: impl Iterator<Item = u64>) -> u64 {
        items.zip(1..).fold(0, |rank, (item, k): (u64, usize)| rank + self.triangle[row(item) + k])
    }

    /// Number of ways to choose `k` of `n`, if it fits a word.
    fn binomial(&self, n: u64, k: u64) -> Option<u64> {
        if k > n {
            return Some(0);
        }
        if n <= TABLE {
            let number = self.triangle[row(n) + k as usize];
            return (number < u64::MAX).then_some(number);
        }
        let k = k.min(n - k);
        // Every intermediate number is a binomial itself, so each division leaves no rest.
        (1..=k).try_fold(1u64, |number, i| {
            let next = u128::from(number) * u128::from(n - k + i) / u128::from(i);
            u64::try_from(next).ok()
        })
    }

    /// The greatest item below `above` of which `C(item, k)` is at most the rank.
    fn greatest_below(&self, above: u64, k: u64, rank: u64) -> u64 {
        // C(k - 1, k) is zero, so there is always one.
        let (mut low, mut high) = (k - 1, above);
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if self.binomial(middle, k).is_some_and(|number| number <= rank) {
                low = middle;
            } else {
                high = middle;
            }
        }
        low
    }

    /// Heap bytes owned.
    pub fn bytes(&self) -> usize {
        self.triangle.capacity() * size_of::<u64>()
    }
}

/// Where the row of a number starts in the triangle.
#[inline]
fn row(n: u64) -> usize {
    (n * (n + 3) / 2) as usize
}

/// The items below `n` that are not among the given ones, which are ascending.
#[inline]
fn absent(items: impl Iterator<Item = u64>, n: u64) -> impl Iterator<Item = u64> {
    let mut from = 0;
    items.chain([n]).flat_map(move |item| std::mem::replace(&mut from, item + 1)..item)
}

/// The items from `low` up to below `low + n` that are not among the given ones, which are ascending.
fn others(items: &[u64], low: u64, n: u64) -> Vec<u64> {
    let mut absent = Vec::with_capacity((n as usize).saturating_sub(items.len()));
    let mut from = low;
    for &item in items {
        absent.extend(from..item);
        from = item + 1;
    }
    absent.extend(from..low + n);
    absent
}

/// Least and greatest number of `d` items among the first `half` of `n`.
fn split(d: u64, half: u64, n: u64) -> (u64, u64) {
    (d.saturating_sub(n - half), d.min(half))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(subsets: &Subsets, items: &[u64], n: u64) -> usize {
        let mut code = BitWriter::default();
        subsets.put(items, 0, n, &mut code);
        let n_bits = code.n_bits();
        let mut back = Vec::new();
        let mut reader = BitReader::new(code.finish());
        subsets.take(items.len() as u64, 0, n, &mut reader, &mut back);
        assert_eq!((back.as_slice(), reader.position()), (items, n_bits), "of {n}");
        n_bits
    }

    #[test]
    fn small_sets_come_back_and_use_every_number() {
        let subsets = Subsets::new();
        for n in 0..=10u64 {
            for set in 0..1u64 << n {
                let items: Vec<u64> = (0..n).filter(|item| set >> item & 1 == 1).collect();
                let d = items.len() as u64;
                let n_bits = check(&subsets, &items, n);
                assert_eq!(n_bits, bits_for(subsets.binomial(n, d).unwrap()) as usize);
            }
        }
    }

    #[test]
    fn large_sets_come_back() {
        let subsets = Subsets::new();
        for seed in 0..400u64 {
            let random = |i: u64| petite_bits::mix64(seed << 32 | i);
            let n = [100, 128, 129, 1000, 1 << 40, u64::MAX][random(0) as usize % 6];
            let d = random(1) % n.min(200);
            let mut items: Vec<u64> = (0..d).map(|i| random(i + 2) % n).collect();
            if seed % 5 == 0 {
                items = (0..n.min(150)).collect();
            }
            items.sort_unstable();
            items.dedup();
            check(&subsets, &items, n);
        }
        assert_eq!(check(&subsets, &[1, 2, 50, 60, 61, 62, 80, 90, 99], 100), 41);
    }
}

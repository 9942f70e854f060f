//! How often each item of a multi-set is in it.
//!
//! *Source.* Section 3.1 of paper 5. Of t tokens with d different items, the most frequent one is there at least
//! t / d times, and at most 1 + t - d times, since each of the others is there at least once. Multiplicities come in
//! descending order, each in as many bits as its range needs; what is left then is a smaller problem of the same
//! kind. Where all items are there once, or there is one alone, no bit is needed.

use petite_bits::{BitReader, BitWriter, bits_for};

/// Writes multiplicities, which are in descending order.
#[inline]
pub(super) fn put(multiplicities: impl ExactSizeIterator<Item = u32>, total: u64, code: &mut BitWriter) {
    let (mut t, mut d) = (total, multiplicities.len() as u64);
    for multiplicity in multiplicities {
        if d == 1 || t == d {
            return;
        }
        let (low, high) = range(t, d);
        code.put(u64::from(multiplicity) - low, bits_for(high - low + 1));
        t -= u64::from(multiplicity);
        d -= 1;
    }
}

/// Reads multiplicities of so many tokens and different items.
pub(super) fn take(total: u64, different: u64, code: &mut BitReader<'_>, mut each: impl FnMut(u64)) {
    let (mut t, mut d) = (total, different);
    while d > 0 {
        let multiplicity = if d == 1 {
            t
        } else if t <= d {
            1
        } else {
            let (low, high) = range(t, d);
            (low + code.take(bits_for(high - low + 1))).min(high)
        };
        each(multiplicity);
        t = t.saturating_sub(multiplicity);
        d -= 1;
    }
}

/// Least and greatest value of the greatest of d multiplicities whose sum is t.
#[inline]
fn range(t: u64, d: u64) -> (u64, u64) {
    (t.div_ceil(d), 1 + t - d)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Calls `each` with all descending sequences with this sum.
    fn partitions(sum: u32, most: u32, prefix: &mut Vec<u32>, each: &mut impl FnMut(&[u32])) {
        if sum == 0 {
            return each(prefix);
        }
        for first in (1..=most.min(sum)).rev() {
            prefix.push(first);
            partitions(sum - first, first, prefix, each);
            prefix.pop();
        }
    }

    #[test]
    fn every_distribution_comes_back() {
        for t in 1..=14 {
            partitions(t, t, &mut Vec::new(), &mut |multiplicities| {
                let mut code = BitWriter::default();
                put(multiplicities.iter().copied(), u64::from(t), &mut code);
                let n_bits = code.n_bits();
                if multiplicities.len() == 1 || multiplicities[0] == 1 {
                    assert_eq!(n_bits, 0);
                }
                let mut back = Vec::new();
                let mut reader = BitReader::new(code.finish());
                let each = |multiplicity| back.push(multiplicity as u32);
                take(u64::from(t), multiplicities.len() as u64, &mut reader, each);
                assert_eq!((back.as_slice(), reader.position()), (multiplicities, n_bits));
            });
        }
    }

    #[test]
    fn the_papers_example_has_its_length() {
        // Eight tokens, five items: the greatest multiplicity is from 2 to 4 and takes 2 bits.
        let mut code = BitWriter::default();
        put([4, 1, 1, 1, 1].into_iter(), 8, &mut code);
        assert_eq!(code.n_bits(), 2);
    }
}

//! Counting lists and sets: the arithmetic below [`crate::Types::rank`].
//!
//! Every function that counts answers `None` for what does not fit a word.

/// Number of lists with fewer than `len` elements from `n` values, if it fits a word.
pub(crate) fn n_lists_below(n: u64, len: u64) -> Option<u64> {
    match n {
        0 => Some(len.min(1)),
        1 => Some(len),
        // At least doubles each round, so it ends after 64.
        _ => (0..len)
            .try_fold((0u64, Some(1u64)), |(sum, power), _| {
                let power = power?;
                Some((sum.checked_add(power)?, power.checked_mul(n)))
            })
            .map(|(sum, _)| sum),
    }
}

/// Number of sets with fewer than `len` elements from `n` values, if it fits a word.
pub(crate) fn n_sets_below(n: u64, len: u64) -> Option<u64> {
    (0..len.min(n.saturating_add(1))).try_fold(0u64, |sum, k| sum.checked_add(binomial(n, k)?))
}

/// Number of ways to choose `k` of `n`, if it fits a word.
pub(crate) fn binomial(n: u64, k: u64) -> Option<u64> {
    if k > n {
        return Some(0);
    }
    let k = k.min(n - k);
    let mut result = 1u64;
    for i in 0..k {
        // Up to the middle each step grows, so what does not fit here would not fit in the end. The product
        // of two words fits 128 bits.
        let product = u128::from(result) * u128::from(n - i);
        result = u64::try_from(product / u128::from(i + 1)).ok()?;
    }
    Some(result)
}

/// Finds the size of the container with this rank, where `n_of_size` containers have each size, and its rank
/// among those of its size.
pub(crate) fn split_by_size(
    rank: u64,
    capacity: u64,
    n_of_size: impl Fn(u64) -> Option<u64>,
) -> Option<(u64, u64)> {
    let mut rest = rank;
    for size in 0..=capacity {
        let n = n_of_size(size)?;
        if rest < n {
            return Some((size, rest));
        }
        rest -= n;
    }
    None
}

/// The greatest number below `end` that satisfies a condition which holds for zero and, once it fails, fails
/// for all greater numbers.
pub(crate) fn greatest_below(end: u64, holds: impl Fn(u64) -> bool) -> u64 {
    let (mut low, mut high) = (0, end);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if holds(middle) { low = middle } else { high = middle }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binomials_follow_pascal() {
        let mut row = vec![1u64];
        for n in 0..=67u64 {
            for (k, &expected) in row.iter().enumerate() {
                assert_eq!(binomial(n, k as u64), Some(expected), "{n} over {k}");
            }
            assert_eq!(binomial(n, n + 1), Some(0));
            let sums = row.windows(2).map(|pair| pair[0].saturating_add(pair[1]));
            row = [1].into_iter().chain(sums).chain([1]).collect();
        }
        assert_eq!(binomial(68, 34), None);
        assert_eq!(binomial(u64::MAX, 1), Some(u64::MAX));
        assert_eq!(binomial(u64::MAX, u64::MAX - 1), Some(u64::MAX));
        assert_eq!(binomial(u64::MAX, 2), None);
    }

    #[test]
    fn containers_are_counted_up_to_the_end_of_the_word() {
        assert_eq!([0, 1, 2, 3].map(|len| n_lists_below(3, len)), [0, 1, 4, 13].map(Some));
        assert_eq!([0, 1, 2, 9].map(|len| n_lists_below(0, len)), [0, 1, 1, 1].map(Some));
        assert_eq!((n_lists_below(1, u64::MAX), n_lists_below(2, u64::MAX)), (Some(u64::MAX), None));
        assert_eq!((n_lists_below(2, 64), n_lists_below(2, 65)), (Some(u64::MAX), None));
        assert_eq!([0, 1, 2, 3, 9].map(|len| n_sets_below(2, len)), [0, 1, 3, 4, 4].map(Some));
        assert_eq!((n_sets_below(63, 99), n_sets_below(64, 99)), (Some(1 << 63), None));
    }
}

//! Words as bytes.
//!
//! A packed state is kept as the leading bytes of its words, least significant byte first, up to the last byte
//! in use. On little-endian machines these are the bytes as they lie in memory, so that comparing and copying
//! are what the machine does best; on others the words are taken apart one by one.

/// Whether the leading bytes of `words` are `bytes`, which are at most eight for each word.
#[inline]
pub fn words_start_with(words: &[u64], bytes: &[u8]) -> bool {
    match view(words).map(|all| all.get(..bytes.len())) {
        Some(Some(leading)) => are_equal(leading, bytes),
        Some(None) => false,
        None => portable::words_start_with(words, bytes),
    }
}

/// Appends the first `n_bytes` bytes of `words`, or all when there are fewer.
#[inline]
pub fn append_word_bytes(words: &[u64], n_bytes: usize, out: &mut Vec<u8>) {
    match view(words) {
        Some(all) => out.extend_from_slice(&all[..n_bytes.min(all.len())]),
        None => portable::append_word_bytes(words, n_bytes, out),
    }
}

/// Fills `words` from their leading bytes; bytes that are not given become zero.
#[inline]
pub fn words_from_bytes(bytes: &[u8], words: &mut [u64]) {
    let (whole, rest) = bytes.as_chunks::<8>();
    let mut given = whole.iter();
    let mut rest = Some(rest);
    for word in words {
        *word = match given.next() {
            Some(eight) => u64::from_le_bytes(*eight),
            None => rest.take().map_or(0, partial_word),
        };
    }
}

/// Whether two slices of the same length are equal. Most states are short: comparing a few words in place is
/// faster than a call to the library's comparison, which is better from some length on.
#[inline]
fn are_equal(a: &[u8], b: &[u8]) -> bool {
    // The first and the last few bytes overlap where the length is not a multiple: all are compared once at least.
    match (a, b) {
        ([], []) => true,
        _ if a.len() > 64 => a == b,
        _ if a.len() >= 8 => {
            let pairs = a.as_chunks().0.iter().zip(b.as_chunks().0).chain(a.last_chunk().zip(b.last_chunk()));
            let differences = pairs.map(|(&x, &y)| u64::from_le_bytes(x) ^ u64::from_le_bytes(y));
            differences.fold(0, |all, difference| all | difference) == 0
        }
        _ if a.len() >= 4 => a.first_chunk::<4>() == b.first_chunk() && a.last_chunk::<4>() == b.last_chunk(),
        _ if a.len() >= 2 => a.first_chunk::<2>() == b.first_chunk() && a.last_chunk::<2>() == b.last_chunk(),
        _ => a[0] == b[0],
    }
}

/// The word whose lowest bytes are given, at most eight.
#[inline]
fn partial_word(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
}

/// The bytes of the words in memory, where these are in the order that is wanted.
#[inline]
fn view(words: &[u64]) -> Option<&[u8]> {
    if cfg!(target_endian = "little") {
        // SAFETY: the pointer and the length describe exactly the memory of `words`, which is borrowed for as
        // long as the result lives. All of it is initialised, every bit pattern is a valid `u8`, and the
        // alignment of `u8` is 1.
        Some(unsafe { std::slice::from_raw_parts(words.as_ptr().cast::<u8>(), size_of_val(words)) })
    } else {
        None
    }
}

/// The same functions for machines of any byte order.
mod portable {
    pub fn words_start_with(words: &[u64], bytes: &[u8]) -> bool {
        let mut all = words.iter().flat_map(|word| word.to_le_bytes());
        bytes.iter().all(|&byte| all.next() == Some(byte))
    }

    pub fn append_word_bytes(words: &[u64], n_bytes: usize, out: &mut Vec<u8>) {
        out.extend(words.iter().flat_map(|word| word.to_le_bytes()).take(n_bytes));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_agree_and_words_come_back() {
        let words: [u64; 10] = std::array::from_fn(|i| crate::mix64(i as u64 + 1));
        for n_bytes in 0..=80 {
            let (mut fast, mut slow) = (Vec::new(), Vec::new());
            append_word_bytes(&words, n_bytes, &mut fast);
            portable::append_word_bytes(&words, n_bytes, &mut slow);
            assert_eq!(fast, slow);
            assert_eq!(fast.len(), n_bytes);
            assert!(words_start_with(&words, &fast) && portable::words_start_with(&words, &fast));
            let mut back = [7; 10];
            words_from_bytes(&fast, &mut back);
            let keep = |word: usize| match n_bytes.saturating_sub(word * 8) {
                0 => 0,
                bytes @ 1..8 => (1u64 << (bytes * 8)) - 1,
                _ => !0,
            };
            assert_eq!(back, std::array::from_fn(|word| words[word] & keep(word)));
            for at in 0..n_bytes {
                fast[at] ^= 1;
                assert!(!words_start_with(&words, &fast) && !portable::words_start_with(&words, &fast));
                fast[at] ^= 1;
            }
        }
    }

    #[test]
    fn more_bytes_than_words_never_match() {
        assert!(!words_start_with(&[0], &[0; 9]));
        assert!(!portable::words_start_with(&[0], &[0; 9]));
        assert!(words_start_with(&[], &[]));
    }
}

//! Words as bytes.
//!
//! A packed state is kept as the leading bytes of its words, least significant byte first, up to the last byte
//! in use. On little-endian machines these are the bytes as they lie in memory, so that copying is what the
//! machine does best; on others the words are taken apart one by one.

/// Whether the leading bytes of `words` are `bytes`, which are at most eight for each word.
///
/// Most states are short: comparing a few words in place is faster than a call to the library's comparison.
#[inline]
pub fn words_start_with(words: &[u64], bytes: &[u8]) -> bool {
    let (whole, rest) = bytes.as_chunks::<8>();
    if words.len() * 8 < bytes.len() {
        return false;
    }
    let pairs = words.iter().zip(whole);
    let differences = pairs.fold(0, |all, (&word, &eight)| all | word ^ u64::from_le_bytes(eight));
    match (rest, bytes.last_chunk()) {
        ([], _) => differences == 0,
        // The last eight bytes overlap those before them, so the rest needs no byte by byte.
        (_, Some(&last)) => {
            let shift = 8 * rest.len() as u32;
            let (low, high) = (words[whole.len() - 1], words[whole.len()]);
            let expected = low >> shift | high << (64 - shift);
            (differences | expected ^ u64::from_le_bytes(last)) == 0
        }
        (_, None) => words[0] & ((1 << (8 * rest.len())) - 1) == partial_word(rest),
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
    for (word, &eight) in words.iter_mut().zip(whole) {
        *word = u64::from_le_bytes(eight);
    }
    let Some((first, others)) = words.get_mut(whole.len()..).and_then(<[u64]>::split_first_mut) else {
        return;
    };
    *first = match (rest, bytes.last_chunk()) {
        ([], _) => 0,
        // The last eight bytes overlap those before them, which are shifted out.
        (_, Some(&last)) => u64::from_le_bytes(last) >> (64 - 8 * rest.len()),
        (_, None) => partial_word(rest),
    };
    others.fill(0);
}

/// The word whose lowest bytes are given, fewer than eight and at least one.
#[inline]
fn partial_word(bytes: &[u8]) -> u64 {
    // Two halves that overlap where the length is odd: no loop over bytes.
    let n = bytes.len();
    match (bytes.first_chunk(), bytes.last_chunk(), bytes.first_chunk(), bytes.last_chunk()) {
        (Some(&low), Some(&high), ..) => {
            let (low, high) = (u32::from_le_bytes(low), u32::from_le_bytes(high));
            u64::from(low) | u64::from(high) << (8 * (n - 4))
        }
        (_, _, Some(&low), Some(&high)) => {
            let (low, high) = (u16::from_le_bytes(low), u16::from_le_bytes(high));
            u64::from(low) | u64::from(high) << (8 * (n - 2))
        }
        _ => u64::from(bytes[0]),
    }
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

/// The same for machines of any byte order.
mod portable {
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
            assert!(words_start_with(&words, &fast));
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
                assert!(!words_start_with(&words, &fast));
                fast[at] ^= 1;
            }
        }
    }

    #[test]
    fn more_bytes_than_words_never_match() {
        assert!(!words_start_with(&[0], &[0; 9]));
        assert!(words_start_with(&[], &[]));
    }
}

//! Which places are empty, in front of all others.
//!
//! *Source.* Section 3.2.1 of paper 5. First comes the number of empty places, then the places that are fewer,
//! the empty or the others, as ascending positions. Of m positions among n, the first is at most n - m; each later one
//! is above the one before, and can be at most one further than that one could have been. So a position that comes
//! late leaves less to say about those after it, and once one is as late as it can be, all others are known.

use petite_bits::{BitReader, BitWriter, bits_for};

/// Writes which places are empty.
pub(super) fn put(are_empty: &[bool], code: &mut BitWriter) {
    let n = are_empty.len();
    let n_empty = are_empty.iter().filter(|&&is_empty| is_empty).count();
    code.put(n_empty as u64, bits_for(n as u64 + 1));
    let listed = listed(n, n_empty);
    let (mut low, mut high) = (0, n - listed.count);
    let positions = are_empty.iter().enumerate().filter(|(_, is_empty)| **is_empty == listed.empty);
    for (position, _) in positions.take(listed.count) {
        code.put((position - low) as u64, bits_for((high - low + 1) as u64));
        (low, high) = (position + 1, high + 1);
    }
}

/// Reads which of the places are empty.
pub(super) fn take(are_empty: &mut [bool], code: &mut BitReader<'_>) {
    let n = are_empty.len();
    let n_empty = (code.take(bits_for(n as u64 + 1)) as usize).min(n);
    let listed = listed(n, n_empty);
    are_empty.fill(!listed.empty);
    let (mut low, mut high) = (0, n - listed.count);
    for _ in 0..listed.count {
        let position = (low + code.take(bits_for((high - low + 1) as u64)) as usize).min(high);
        are_empty[position] = listed.empty;
        (low, high) = (position + 1, high + 1);
    }
}

/// The places that are listed: empty ones or others, and how many.
struct Listed {
    empty: bool,
    count: usize,
}

fn listed(n: usize, n_empty: usize) -> Listed {
    let empty = 2 * n_empty <= n;
    Listed { empty, count: if empty { n_empty } else { n - n_empty } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_subset_comes_back() {
        for n in 0..=11 {
            for set in 0..1u32 << n {
                let are_empty: Vec<bool> = (0..n).map(|place| set >> place & 1 == 1).collect();
                let mut code = BitWriter::default();
                put(&are_empty, &mut code);
                let n_bits = code.n_bits();
                let mut back = vec![false; n];
                let mut reader = BitReader::new(code.finish());
                take(&mut back, &mut reader);
                assert_eq!((&back, reader.position()), (&are_empty, n_bits));
            }
        }
    }

    #[test]
    fn the_papers_picture_has_its_length() {
        // Six of thirteen: the first two positions take 3 bits, the next two 1, the last two none.
        let mut are_empty = [false; 13];
        [0, 7, 9, 10, 11, 12].iter().for_each(|&place| are_empty[place] = true);
        let mut code = BitWriter::default();
        put(&are_empty, &mut code);
        assert!(code.n_bits() <= 4 + 8, "{}", code.n_bits());
        let mut back = [false; 13];
        take(&mut back, &mut BitReader::new(code.finish()));
        assert_eq!(back, are_empty);
    }
}

//! Numbers of tokens.
//!
//! *Source.* Sections 3.1 and 3.2.2 of paper 5, with the details of its tool.
//!
//! ```text
//!  any number           0                            zero
//!                       1 | 0 | 3 bits               1 .. 8
//!                       1 | 10 | 8 bits              9 .. 264
//!                       1 | 110 | 16 bits            265 .. 65800
//!                       1 | 1110 | 32 bits           65801 .. 2^32 - 1
//!                       1 | 1111 | 64 bits           2^32 and more (the tool had no such numbers)
//!
//!  m allowed numbers    c bits, c = log2 m rounded up: which of them
//!                       where zero is allowed and c > 2, in the paper's code:    0, or 1 | c bits
//! ```
//!
//! What is known not to be zero is written without what tells zero apart. Numbers that were seen in a sample run may have
//! codes by their frequency instead; one more code then stands before all numbers that were not seen.

use petite_bits::{BitReader, BitWriter, bits_for};

use super::prefix_code::PrefixCode;

/// Largest numbers of the four short forms, and the bits behind their prefixes.
const FORMS: [(u64, u32); 4] = [(8, 3), (264, 8), (65_800, 16), (u32::MAX as u64, 32)];

/// A code of the numbers of tokens that a place may hold.
#[derive(Clone, Debug)]
pub(super) enum Cardinality {
    /// Every number is possible.
    Any,
    /// One of a few.
    Among(Allowed),
    /// Some are more frequent than others.
    Trained(Box<Trained>),
}

/// Numbers of tokens that a place may hold.
#[derive(Clone, Debug)]
pub(super) struct Allowed {
    /// Ascending, disjoint, not empty, with both ends.
    ranges: Box<[(u64, u64)]>,
    n_bits: u32,
    has_emptiness_bit: bool,
}

/// Numbers of tokens with codes by frequency.
#[derive(Clone, Debug)]
pub(super) struct Trained {
    /// Ascending.
    numbers: Box<[u64]>,
    /// The code of each number, and behind them that of all others.
    codes: PrefixCode,
    /// How these others are written.
    others: Cardinality,
}

/// Whether zero gets a bit of its own where that may be shorter on average.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EmptinessBit {
    /// Where the others need more than two.
    Sometimes,
    Never,
}

impl Cardinality {
    /// One of the numbers in these ranges, which are ascending and disjoint. Without any, or where they are more than
    /// a word tells apart, every number is possible.
    pub fn among(ranges: impl IntoIterator<Item = (u64, u64)>, emptiness: EmptinessBit) -> Cardinality {
        let ranges: Box<[(u64, u64)]> = ranges.into_iter().collect();
        let count =
            ranges.iter().try_fold(0u64, |sum, (low, high)| sum.checked_add(high - low)?.checked_add(1));
        let Some(count) = count.filter(|&count| count > 0) else { return Cardinality::Any };
        let n_bits = bits_for(count);
        let has_emptiness_bit = emptiness == EmptinessBit::Sometimes && n_bits > 2 && ranges[0].0 == 0;
        Cardinality::Among(Allowed { ranges, n_bits, has_emptiness_bit })
    }

    /// Numbers with the frequencies of a sample, ascending; others were not seen.
    pub fn trained(sample: &[(u64, u64)], others: Cardinality) -> Cardinality {
        let numbers = sample.iter().map(|&(number, _)| number).collect();
        let frequencies: Vec<u64> = sample.iter().map(|&(_, frequency)| frequency + 1).chain([1]).collect();
        let codes = PrefixCode::new(&frequencies);
        Cardinality::Trained(Box::new(Trained { numbers, codes, others }))
    }

    /// Whether a number can be written.
    pub fn allows(&self, number: u64) -> bool {
        match self {
            Cardinality::Any => true,
            Cardinality::Among(allowed) => {
                allowed.ranges.iter().any(|&(low, high)| (low..=high).contains(&number))
            }
            Cardinality::Trained(trained) => trained.others.allows(number),
        }
    }

    /// Writes a number that is allowed.
    #[inline]
    pub fn put(&self, number: u64, code: &mut BitWriter) {
        match self {
            Cardinality::Any => match number {
                0 => code.put(0, 1),
                // The bit for zero, the prefix and the number at once.
                1..=8 => code.put(1 | (number - 1) << 2, 5),
                9..=264 => code.put(0b011 | (number - 9) << 3, 11),
                _ => {
                    code.put(1, 1);
                    put_any(number, code);
                }
            },
            Cardinality::Among(allowed) if allowed.has_emptiness_bit => {
                code.put(u64::from(number > 0), 1);
                if number > 0 {
                    code.put(allowed.rank(number), allowed.n_bits);
                }
            }
            Cardinality::Among(allowed) => code.put(allowed.rank(number), allowed.n_bits),
            Cardinality::Trained(trained) => match trained.numbers.binary_search(&number) {
                Ok(at) => trained.codes.put(at, code),
                Err(_) => {
                    trained.codes.put(trained.numbers.len(), code);
                    trained.others.put(number, code);
                }
            },
        }
    }

    /// Reads a number.
    #[inline]
    pub fn take(&self, code: &mut BitReader<'_>) -> u64 {
        match self {
            Cardinality::Any => match code.take(1) {
                0 => 0,
                _ => take_any(code),
            },
            Cardinality::Among(allowed) if allowed.has_emptiness_bit => match code.take(1) {
                0 => 0,
                _ => allowed.number(code.take(allowed.n_bits)),
            },
            Cardinality::Among(allowed) => allowed.number(code.take(allowed.n_bits)),
            Cardinality::Trained(trained) => match trained.numbers.get(trained.codes.take(code)) {
                Some(&number) => number,
                None => trained.others.take(code),
            },
        }
    }

    /// Writes a number that is not zero, and known not to be.
    pub fn put_positive(&self, number: u64, code: &mut BitWriter) {
        match self {
            Cardinality::Any => put_any(number, code),
            Cardinality::Among(allowed) => {
                let zero = u64::from(allowed.ranges[0].0 == 0);
                code.put(allowed.rank(number) - zero, allowed.positive_bits());
            }
            Cardinality::Trained(_) => self.put(number, code),
        }
    }

    /// Reads a number that is not zero.
    pub fn take_positive(&self, code: &mut BitReader<'_>) -> u64 {
        match self {
            Cardinality::Any => take_any(code),
            Cardinality::Among(allowed) => {
                let zero = u64::from(allowed.ranges[0].0 == 0);
                allowed.number(code.take(allowed.positive_bits()) + zero)
            }
            Cardinality::Trained(_) => self.take(code),
        }
    }

    /// Heap bytes owned.
    pub fn bytes(&self) -> usize {
        match self {
            Cardinality::Any => 0,
            Cardinality::Among(allowed) => size_of_val(&*allowed.ranges),
            Cardinality::Trained(trained) => {
                let tables = size_of_val(&*trained.numbers) + trained.codes.bytes();
                size_of::<Trained>() + tables + trained.others.bytes()
            }
        }
    }
}

impl Allowed {
    /// Number of bits of a number.
    pub fn n_bits(&self) -> u32 {
        self.n_bits
    }

    /// How many allowed numbers are less.
    #[inline]
    fn rank(&self, number: u64) -> u64 {
        let mut below = 0;
        for &(low, high) in &self.ranges {
            if number <= high {
                return below + (number - low);
            }
            below += high - low + 1;
        }
        below
    }

    /// The number of which so many are less; the largest where there are not as many.
    #[inline]
    fn number(&self, mut rank: u64) -> u64 {
        let mut last = 0;
        for &(low, high) in &self.ranges {
            if rank <= high - low {
                return low + rank;
            }
            rank -= high - low + 1;
            last = high;
        }
        last
    }

    fn positive_bits(&self) -> u32 {
        let numbers: u64 = self.ranges.iter().map(|(low, high)| high - low + 1).sum();
        bits_for(numbers - u64::from(self.ranges[0].0 == 0))
    }
}

/// Writes a number from one on.
fn put_any(number: u64, code: &mut BitWriter) {
    let mut low = 1;
    for (form, &(high, n_bits)) in FORMS.iter().enumerate() {
        if number <= high {
            // So many ones and a zero.
            code.put((1 << form) - 1, form as u32 + 1);
            return code.put(number - low, n_bits);
        }
        low = high + 1;
    }
    code.put(0b1111, 4);
    code.put(number, 64);
}

/// Reads a number from one on.
fn take_any(code: &mut BitReader<'_>) -> u64 {
    let mut low = 1;
    for &(high, n_bits) in &FORMS {
        if code.take(1) == 0 {
            return low + code.take(n_bits);
        }
        low = high + 1;
    }
    code.take(64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn n_bits(cardinality: &Cardinality, number: u64) -> usize {
        let mut code = BitWriter::default();
        cardinality.put(number, &mut code);
        let n_bits = code.n_bits();
        let mut reader = BitReader::new(code.finish());
        assert_eq!((cardinality.take(&mut reader), reader.position()), (number, n_bits));
        n_bits
    }

    #[test]
    fn lengths_are_those_of_the_paper() {
        let any = [(0, 1), (1, 5), (8, 5), (9, 11), (264, 11), (265, 20), (65_800, 20), (65_801, 37)];
        for (number, bits) in
            any.into_iter().chain([(u64::from(u32::MAX), 37), (1 << 32, 69), (u64::MAX, 69)])
        {
            assert_eq!(n_bits(&Cardinality::Any, number), bits, "{number}");
        }
        let among =
            |ranges: &[(u64, u64)]| Cardinality::among(ranges.iter().copied(), EmptinessBit::Sometimes);
        assert_eq!((n_bits(&among(&[(0, 3)]), 0), n_bits(&among(&[(0, 3)]), 3)), (2, 2));
        assert_eq!((n_bits(&among(&[(0, 4)]), 0), n_bits(&among(&[(0, 4)]), 4)), (1, 4));
        assert_eq!((n_bits(&among(&[(1, 8)]), 1), n_bits(&among(&[(1, 8)]), 8)), (3, 3));
        assert_eq!((n_bits(&among(&[(7, 7)]), 7), n_bits(&among(&[(81, 81), (90, 90)]), 90)), (0, 1));
        assert_eq!(n_bits(&among(&[]), 9), 11);
        let never = Cardinality::among([(0, 4)], EmptinessBit::Never);
        assert_eq!((n_bits(&never, 0), n_bits(&never, 4)), (3, 3));
    }

    #[test]
    fn frequent_numbers_are_short_and_others_come_back() {
        let trained = Cardinality::trained(&[(0, 10), (3, 80), (9, 5)], Cardinality::Any);
        assert_eq!((n_bits(&trained, 3), n_bits(&trained, 0)), (1, 2));
        assert_eq!(n_bits(&trained, 8), 3 + 5);
        assert!(trained.allows(77) && trained.bytes() > 0);
    }

    #[test]
    fn what_is_not_zero_is_shorter() {
        let among =
            |ranges: &[(u64, u64)]| Cardinality::among(ranges.iter().copied(), EmptinessBit::Sometimes);
        for (cardinality, number, n_bits) in
            [(Cardinality::Any, 8, 4), (among(&[(0, 4), (9, 12)]), 9, 3), (among(&[(3, 4)]), 4, 1)]
        {
            let mut code = BitWriter::default();
            cardinality.put_positive(number, &mut code);
            assert_eq!((code.n_bits(), cardinality.allows(number)), (n_bits, true));
            assert_eq!(cardinality.take_positive(&mut BitReader::new(code.finish())), number);
        }
        assert!(!among(&[(0, 4), (9, 12)]).allows(5));
    }
}

//! Codes of places, remembered.
//!
//! A step changes few places, so most of a state was written just before. Consecutive places make up a *block*; the bits of
//! its slots in the packed state are the key, and the bits of its code the value of a small table:
//!
//! ```text
//!  packed state   | place 1 | place 2 | place 3 ......... | place 4 | ...
//!  blocks         \________ 1 ________/ \_______ 2 _______/ \__ 3 __ ...
//!  code           | from table 1      | from table 2      | written anew, and noted in table 3
//! ```
//!
//! A block that has not changed since the last state does not even need its table. Blocks begin with up to 64 bits of slots. One that is missed too often, although its table is as large as it may be, is
//! cut in two, because its halves change less often than it does; a single place that changes all the time is written
//! without a table. So the cost of encoding a state is about that of the places that changed.
//!
//! **Exact**: the code of a place is a function of its slots alone, and these are compared as a whole.
//!
//! **Cost.** At most [`MOST_BYTES`] for all tables together.

use std::ops::Range;

use petite_bits::{BitWriter, MemoEntry, OutOfMemory, Packing, WordMemo};
use petite_model::Model;

use super::contents::Known;
use super::place::{Place, Scratch};
use super::subsets::Subsets;

/// Bytes of all tables at most: what fits the second cache of most machines.
const MOST_BYTES: usize = 1 << 20;

/// Bytes of one table at most.
const MOST_TABLE_BYTES: usize = 1 << 18;

/// Bits of slots in a block of several places at most.
const BLOCK_BITS: u32 = 64;

/// Places of a block at most: the head of a value has a bit for each.
const MOST_PLACES: usize = 32;

/// Words of the longest key and of the longest code that are remembered.
const MOST_WORDS: usize = 32;

/// Words of a value before those of the code: which places are quiet, and in the lower half the number of bits.
const HEAD: usize = 1;

/// Look-ups after which a block is judged.
const WINDOW: u32 = 1024;

/// All places in order, cut into blocks.
#[derive(Clone, Debug, Default)]
pub(super) struct Blocks {
    blocks: Vec<Block>,
    /// Scratch: the code of a block that is written anew.
    code: BitWriter,
    /// The state that was written last; none at first.
    last: Vec<u64>,
    /// Scratch: the bits in which the state at hand differs from it.
    changed: Vec<u64>,
    /// The block that is to be cut, found while all were written.
    to_cut: Option<usize>,
}

#[derive(Clone, Debug)]
struct Block {
    places: Range<usize>,
    /// Where its bits are: words, ascending, with the bits that count.
    masks: Box<[(u32, u64)]>,
    memo: WordMemo,
    /// The entry of the last state, if there is one.
    last: Option<MemoEntry>,
    /// Scratch: its bits in the state at hand.
    key: Vec<u64>,
    /// Bytes of the table at most.
    most_bytes: usize,
    /// Whether the table is asked at all.
    is_remembered: bool,
    n_asked: u32,
    n_missed: u32,
}

/// What writing a place needs beside the state.
pub(super) struct Pen<'a> {
    pub places: &'a mut [Place],
    pub known: Known,
    pub subsets: &'a Subsets,
    pub scratch: &'a mut Scratch,
}

impl Blocks {
    /// For places whose states are packed like this.
    pub fn new(places: &[Place], packing: &Packing) -> Blocks {
        let mut ranges = Vec::new();
        let mut start = 0;
        while start < places.len() {
            let mut end = start + 1;
            while end < places.len().min(start + MOST_PLACES)
                && n_bits(&masks(&places[start..=end], packing)) <= BLOCK_BITS
            {
                end += 1;
            }
            ranges.push(start..end);
            start = end;
        }
        let most_bytes = (MOST_BYTES / ranges.len().max(1)).min(MOST_TABLE_BYTES);
        let blocks = ranges.into_iter().map(|numbers| Block::new(numbers, places, packing, most_bytes));
        Blocks { blocks: blocks.collect(), ..Blocks::default() }
    }

    /// Writes all places. Those that are quiet are marked, and nothing is written of them, where the reader knows that
    /// all others are not.
    pub fn put<M: Model>(
        &mut self,
        model: &M,
        words: &[u64],
        pen: &mut Pen<'_>,
        are_quiet: &mut [bool],
        code: &mut BitWriter,
    ) -> Result<(), OutOfMemory> {
        self.changed.clear();
        if self.last.len() == words.len() {
            self.changed.extend(self.last.iter().zip(words).map(|(last, word)| last ^ word));
        } else {
            self.changed.resize(words.len(), !0);
        }
        // Should this state be given up half way, some blocks are at it already and others are not.
        self.last.clear();
        for (number, block) in self.blocks.iter_mut().enumerate() {
            let quiet = block.put(model, (words, &self.changed), pen, &mut self.code, code)?;
            if pen.known == Known::NotEmpty {
                for (place, is_quiet) in are_quiet[block.places.clone()].iter_mut().enumerate() {
                    *is_quiet = quiet >> place & 1 == 1;
                }
            }
            if block.n_asked >= WINDOW && block.judge() {
                self.to_cut = Some(number);
            }
        }
        self.last.extend_from_slice(words);
        if let Some(number) = self.to_cut.take() {
            self.cut(number, pen.places, model.packing());
        }
        Ok(())
    }

    /// Cuts a block of several places in two.
    #[cold]
    fn cut(&mut self, number: usize, places: &[Place], packing: &Packing) {
        if self.blocks.try_reserve(1).is_err() {
            return;
        }
        let Range { start, end } = self.blocks[number].places.clone();
        let (middle, most_bytes) = (start + (end - start) / 2, self.blocks[number].most_bytes / 2);
        self.blocks[number] = Block::new(start..middle, places, packing, most_bytes);
        self.blocks.insert(number + 1, Block::new(middle..end, places, packing, most_bytes));
    }

    /// Heap bytes owned.
    pub fn bytes(&self) -> usize {
        let of_block = |block: &Block| {
            size_of_val(&*block.masks) + block.memo.bytes() + block.key.capacity() * size_of::<u64>()
        };
        self.blocks.capacity() * size_of::<Block>()
            + self.blocks.iter().map(of_block).sum::<usize>()
            + self.code.bytes()
            + (self.last.capacity() + self.changed.capacity()) * size_of::<u64>()
    }
}

impl Block {
    fn new(numbers: Range<usize>, places: &[Place], packing: &Packing, most_bytes: usize) -> Block {
        let masks = masks(&places[numbers.clone()], packing);
        let memo = WordMemo::new(masks.len(), HEAD + 1, most_bytes);
        let is_remembered = masks.len() <= MOST_WORDS && memo.has_room();
        let (places, masks) = (numbers, masks.into());
        Block {
            places,
            masks,
            memo,
            last: None,
            key: Vec::new(),
            most_bytes,
            is_remembered,
            n_asked: 0,
            n_missed: 0,
        }
    }

    /// Writes the places of this block in a state, given with the bits that changed; gives a bit for each that is quiet.
    #[inline]
    fn put<M: Model>(
        &mut self,
        model: &M,
        (words, changed): (&[u64], &[u64]),
        pen: &mut Pen<'_>,
        own: &mut BitWriter,
        code: &mut BitWriter,
    ) -> Result<u64, OutOfMemory> {
        if !self.is_remembered {
            return self.write(model, words, pen, code);
        }
        self.n_asked += 1;
        let is_same = self.masks.iter().all(|&(word, mask)| changed[word as usize] & mask == 0);
        if !is_same || self.last.is_none() {
            let bits = |(word, mask): (u32, u64)| words[word as usize] & mask;
            self.last = match *self.masks {
                [only] => self.memo.find([bits(only)]),
                [first, second] => self.memo.find([bits(first), bits(second)]),
                [first, second, third] => self.memo.find([bits(first), bits(second), bits(third)]),
                _ => {
                    self.key.clear();
                    self.key.extend(self.masks.iter().copied().map(bits));
                    self.memo.find(&self.key)
                }
            };
        }
        match self.last.map(|entry| self.memo.value(entry)) {
            Some([head, bits @ ..]) => {
                code.put_words(bits, *head as u32 as usize);
                Ok(head >> 32)
            }
            _ => self.write_anew(model, words, pen, own, code),
        }
    }

    /// Writes the places and takes note of it.
    #[inline(never)]
    fn write_anew<M: Model>(
        &mut self,
        model: &M,
        words: &[u64],
        pen: &mut Pen<'_>,
        own: &mut BitWriter,
        code: &mut BitWriter,
    ) -> Result<u64, OutOfMemory> {
        self.n_missed += 1;
        own.clear();
        let quiet = self.write(model, words, pen, own)?;
        let n_bits = own.n_bits();
        let bits = own.finish().chunks(8).map(|some| {
            let mut eight = [0; 8];
            eight[..some.len()].copy_from_slice(some);
            u64::from_le_bytes(eight)
        });
        let mut left = n_bits;
        for word in bits.clone() {
            code.put(word, left.min(64) as u32);
            left = left.saturating_sub(64);
        }
        if bits.len() <= MOST_WORDS {
            if HEAD + bits.len() > self.memo.n_value() {
                self.memo.clear(HEAD + bits.len());
            }
            self.key.clear();
            self.key.extend(self.masks.iter().map(|&(word, mask)| words[word as usize] & mask));
            let head = quiet << 32 | n_bits as u64;
            self.last = self.memo.note(&self.key, [head].into_iter().chain(bits));
        }
        Ok(quiet)
    }

    /// The same without the table.
    fn write<M: Model>(
        &self,
        model: &M,
        words: &[u64],
        pen: &mut Pen<'_>,
        code: &mut BitWriter,
    ) -> Result<u64, OutOfMemory> {
        let mut quiet = 0;
        for (bit, place) in pen.places[self.places.clone()].iter_mut().enumerate() {
            place.read(model, words, &mut pen.scratch.here)?;
            if pen.known == Known::NotEmpty && place.is_quiet(&pen.scratch.here) {
                quiet |= 1 << bit;
                continue;
            }
            place.put(model, pen.known, pen.subsets, pen.scratch, code);
        }
        Ok(quiet)
    }

    /// Looks at what the table was good for lately. Says whether the block should be cut.
    fn judge(&mut self) -> bool {
        let (n_asked, n_missed) = (std::mem::take(&mut self.n_asked), std::mem::take(&mut self.n_missed));
        if 4 * n_missed <= n_asked || !self.memo.is_full_size() {
            return false;
        }
        if self.places.len() == 1 && 4 * n_missed > 3 * n_asked {
            self.is_remembered = false;
            self.memo.clear(HEAD + 1);
            self.last = None;
        }
        self.places.len() > 1
    }
}

/// The bits of the slots of some places.
fn masks(places: &[Place], packing: &Packing) -> Vec<(u32, u64)> {
    let mut masks: Vec<(u32, u64)> = Vec::new();
    let fields = places.iter().flat_map(Place::slots).map(|slot| packing.field(slot));
    for field in fields.filter(|field| field.width > 0) {
        let mask = u64::from(field.max()) << field.shift;
        match masks.last_mut() {
            Some((word, bits)) if *word == field.word => *bits |= mask,
            _ => masks.push((field.word, mask)),
        }
    }
    masks
}

fn n_bits(masks: &[(u32, u64)]) -> u32 {
    masks.iter().map(|(_, mask)| mask.count_ones()).sum()
}

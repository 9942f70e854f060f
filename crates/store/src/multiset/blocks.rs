//! The code of a state from that of the state before.
//!
//! A step changes few places, so most of a state was written just before. Places that have few bits together make up a *block*,
//! larger ones are blocks by themselves, and the code of each block is a *piece* of the whole. Pieces of small blocks are looked
//! up, those of large ones stay where nothing has changed, and only what nothing was noted of is written:
//!
//! ```text
//!  packed state    | place 1 | place 2 | place 3 ............ | place 4 .......... | place 5 | ...
//!  blocks          \_________ 1 _______/ \________ 2 _________/ \________ 3 ________/ \__ 4 __ ...
//!  piece                from codebook 1     has not changed        changed: written     codebook
//!                            |                     |                       |
//!  code            | ....... 1 ........ | ........ 2 ......... | ......... 3 ....... | .. 4 .. | ...
//! ```
//!
//!
//! What has changed is known of large places only: to look a block up in a table of all its codes takes no longer than to
//! find out. So a state costs about as much as its blocks that are large and changed, plus two dozen instructions for each block.
//!
//! **Exact**: the code of a block is a function of the bits of its slots, and these are compared as a whole.
//!
//! **Cost.** At most [`MOST_BYTES`] for all tables of blocks together.

use std::ops::Range;

use petite_bits::{BitWriter, MemoEntry, OutOfMemory, Packing};
use petite_model::Model;

use super::codebook::{Codebook, key_bits};
use super::contents::Known;
use super::place::{Place, Scratch};
use super::remembered::Remembered;
use super::subsets::Subsets;

/// Bytes of all tables at most: what fits the second cache of most machines. Half is for codebooks.
const MOST_BYTES: usize = 1 << 20;

/// Bytes of one table of a large place at most.
const MOST_TABLE_BYTES: usize = 1 << 18;

/// Bits of slots in a block of several places, the least and the most that are tried.
const BLOCK_BITS: [u32; 2] = [3, 10];

/// Bits of slots of a place with a codebook of its own at most.
const PLACE_BITS: u32 = 12;

/// Places of a block at most: the entries of its table have a bit for each.
const MOST_PLACES: usize = 32;

/// All places in order, cut into blocks.
#[derive(Clone, Debug, Default)]
pub(super) struct Blocks {
    blocks: Vec<Block>,
    /// Scratch: a piece that is written anew, and one of more than 64 bits.
    own: BitWriter,
    long: Vec<u64>,
}

#[derive(Clone, Debug)]
struct Block {
    places: Range<usize>,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    Small(Codebook),
    Large(Box<Large>),
}

/// A block without a codebook.
#[derive(Clone, Debug)]
struct Large {
    /// Where its bits are: words, ascending, with the bits that count.
    masks: Box<[(u32, u64)]>,
    /// These bits in the last state.
    last: Box<[u64]>,
    /// Where the piece of the last state is.
    found: Found,
    /// The last piece that was written.
    piece: Piece,
    long: Vec<u64>,
    /// The pieces of other states, where there is room for some.
    others: Option<Remembered>,
}

/// Where a piece is.
#[derive(Clone, Copy, Debug)]
enum Found {
    Nowhere,
    /// It was just written.
    Here,
    AmongOthers(MemoEntry),
}

/// The code of a block.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Piece {
    /// Its first 64 bits; where there are more, all are elsewhere.
    pub bits: u64,
    pub n_bits: u32,
    /// A bit for each place of the block of which nothing is said.
    pub quiet: u32,
}

impl Piece {
    /// Puts it into a code, with all its bits at hand where they are more than 64; gives a bit for each place that is quiet.
    #[inline]
    fn put(&self, long: &[u64], code: &mut BitWriter) -> u32 {
        match self.n_bits {
            0..=64 => code.put(self.bits, self.n_bits),
            n_bits => code.put_words(long, n_bits as usize),
        }
        self.quiet
    }
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
        let [least, most] = BLOCK_BITS;
        let of_book =
            |range: &Range<usize>| Some(masks(&places[range.clone()], packing)).filter(|m| is_small(m));
        let tries = (least..=most).rev().map(|bits| cut(places, packing, bits));
        let fits = |ranges: &Vec<Range<usize>>| {
            let bytes = ranges.iter().filter_map(of_book).map(|masks| Codebook::most_bytes(&masks));
            bytes.sum::<usize>() <= MOST_BYTES / 2
        };
        let (ranges, has_books) = match tries.into_iter().find(fits) {
            Some(ranges) => (ranges, true),
            None => ((0..places.len()).map(|place| place..place + 1).collect(), false),
        };
        let n_large = ranges.iter().filter(|range| of_book(range).is_none()).count();
        let most_bytes = (MOST_BYTES / 2 / n_large.max(1)).min(MOST_TABLE_BYTES);
        let block = |range: Range<usize>| {
            let masks = masks(&places[range.clone()], packing);
            let kind = match has_books && is_small(&masks) {
                true => Kind::Small(Codebook::new(&masks)),
                false => Kind::Large(Box::new(Large::new(masks, most_bytes))),
            };
            Block { places: range, kind }
        };
        Blocks { blocks: ranges.into_iter().map(block).collect(), ..Blocks::default() }
    }

    /// Writes all places. Those that are quiet are marked, and nothing is written of them, where the reader knows that
    /// all others are not.
    #[inline]
    pub fn put<M: Model>(
        &mut self,
        model: &M,
        words: &[u64],
        pen: &mut Pen<'_>,
        are_quiet: &mut [bool],
        code: &mut BitWriter,
    ) -> Result<(), OutOfMemory> {
        for block in &mut self.blocks {
            let quiet = match &mut block.kind {
                Kind::Small(book) => {
                    let piece = match book.find(words) {
                        Some(piece) => piece,
                        None => {
                            let piece =
                                write(&block.places, model, words, pen, &mut self.own, &mut self.long)?;
                            book.note(words, piece);
                            piece
                        }
                    };
                    piece.put(&self.long, code)
                }
                Kind::Large(large) => {
                    large.move_to(words);
                    if let Found::Nowhere = large.found {
                        large.write(&block.places, model, words, pen, &mut self.own)?;
                    }
                    large.put(code)
                }
            };
            if pen.known == Known::NotEmpty {
                mark(quiet, &mut are_quiet[block.places.clone()]);
            }
        }
        Ok(())
    }

    /// Heap bytes owned.
    pub fn bytes(&self) -> usize {
        let of_block = |block: &Block| match &block.kind {
            Kind::Small(book) => book.bytes(),
            Kind::Large(large) => size_of::<Large>() + large.bytes(),
        };
        self.blocks.capacity() * size_of::<Block>()
            + self.blocks.iter().map(of_block).sum::<usize>()
            + self.long.capacity() * size_of::<u64>()
            + self.own.bytes()
    }
}

impl Large {
    fn new(masks: Vec<(u32, u64)>, most_bytes: usize) -> Large {
        Large {
            others: Remembered::new(masks.len(), most_bytes),
            last: vec![0; masks.len()].into(),
            masks: masks.into(),
            found: Found::Nowhere,
            piece: Piece::default(),
            long: Vec::new(),
        }
    }

    /// Finds the piece of a state, where nothing has changed or it is remembered.
    #[inline]
    fn move_to(&mut self, words: &[u64]) {
        let mut changed = 0;
        for (&(word, mask), last) in self.masks.iter().zip(&mut self.last) {
            let bits = words[word as usize] & mask;
            changed |= bits ^ *last;
            *last = bits;
        }
        if changed != 0 {
            let entry = self.others.as_mut().and_then(|others| others.find(&self.last));
            self.found = entry.map_or(Found::Nowhere, Found::AmongOthers);
        }
    }

    /// Writes the piece of a state to which it has just moved, and takes note of it.
    fn write<M: Model>(
        &mut self,
        places: &Range<usize>,
        model: &M,
        words: &[u64],
        pen: &mut Pen<'_>,
        own: &mut BitWriter,
    ) -> Result<(), OutOfMemory> {
        self.piece = write(places, model, words, pen, own, &mut self.long)?;
        self.found = Found::Here;
        if let Some(others) = &mut self.others {
            others.note(&self.last, self.piece, &self.long);
        }
        Ok(())
    }

    /// Puts the piece that was found into a code; gives a bit for each place that is quiet.
    #[inline]
    fn put(&self, code: &mut BitWriter) -> u32 {
        match (self.found, &self.others) {
            (Found::AmongOthers(entry), Some(others)) => others.put(entry, code),
            _ => self.piece.put(&self.long, code),
        }
    }

    fn bytes(&self) -> usize {
        size_of_val(&*self.masks)
            + size_of_val(&*self.last)
            + self.long.capacity() * size_of::<u64>()
            + self.others.as_ref().map_or(0, Remembered::bytes)
    }
}

/// Marks the places that are quiet.
#[inline(never)]
fn mark(quiet: u32, are_quiet: &mut [bool]) {
    are_quiet.iter_mut().enumerate().for_each(|(place, is_quiet)| *is_quiet = quiet >> place & 1 == 1);
}

/// Writes a piece; all its bits are in `long` where there are more than 64.
#[inline(never)]
fn write<M: Model>(
    places: &Range<usize>,
    model: &M,
    words: &[u64],
    pen: &mut Pen<'_>,
    own: &mut BitWriter,
    long: &mut Vec<u64>,
) -> Result<Piece, OutOfMemory> {
    own.clear();
    let mut quiet = 0;
    for (bit, place) in pen.places[places.clone()].iter_mut().enumerate() {
        let said = place.say(model, words, pen.known, pen.subsets, pen.scratch, own)?;
        quiet |= u32::from(!said) << bit;
    }
    let n_bits = u32::try_from(own.n_bits()).map_err(|_| OutOfMemory)?;
    if let Some(bits) = own.only_word() {
        return Ok(Piece { bits, n_bits, quiet });
    }
    long.clear();
    long.try_reserve(n_bits as usize / 64 + 1)?;
    long.extend(own.words());
    Ok(Piece { bits: long[0], n_bits, quiet })
}

/// Cuts places into blocks of at most so many bits, and larger places.
fn cut(places: &[Place], packing: &Packing, most_bits: u32) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let mut start = 0;
    while start < places.len() {
        let mut end = start + 1;
        while end < places.len().min(start + MOST_PLACES)
            && key_bits(&masks(&places[start..=end], packing)) <= most_bits
        {
            end += 1;
        }
        ranges.push(start..end);
        start = end;
    }
    ranges
}

/// Whether a codebook is not too large for these bits.
fn is_small(masks: &[(u32, u64)]) -> bool {
    key_bits(masks) <= PLACE_BITS
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

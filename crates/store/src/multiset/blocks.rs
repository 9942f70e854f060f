//! The code of a state from that of the state before.
//!
//! A step changes few places, so most of a state was written just before. Places that have few bits together make up a *block*,
//! larger ones are blocks by themselves, and the code of each block is a *piece* of the whole. Pieces of blocks that have
//! not changed stay; the others are looked up, and written only where nothing was noted of them:
//!
//! ```text
//!  packed state    | place 1 | place 2 | place 3 ............ | place 4 | place 5 | place 6 | ...
//!  blocks          \_________ 1 _______/ \________ 2 _________/ \_________ 3 ______________/ ...
//!  has changed               no                   yes                      no
//!  piece                   stays               looked up                 stays               ...
//!                            |                     |                       |
//!  code            | ....... 1 ........ | ........ 2 ......... | ......... 3 .............. | ...
//! ```
//!
//! So a state costs about as much as the blocks that changed, plus a few instructions for each block.
//!
//! **Exact**: the code of a block is a function of the bits of its slots, and these are compared as a whole.
//!
//! **Cost.** At most [`MOST_BYTES`] for all tables of blocks together.

use std::ops::Range;

use petite_bits::{BitWriter, OutOfMemory, Packing};
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

/// Bits of slots in a block of several places, the most and the least that are tried.
const BLOCK_BITS: [u32; 2] = [3, 10];

/// Bits of slots of a place with a codebook of its own at most.
const PLACE_BITS: u32 = 12;

/// Places of a block at most: the entries of its table have a bit for each.
const MOST_PLACES: usize = 32;

/// All places in order, cut into blocks.
#[derive(Clone, Debug, Default)]
pub(super) struct Blocks {
    blocks: Vec<Block>,
    /// Where the bits of blocks are, word by word.
    spans: Vec<Span>,
    /// Where the spans of each word end.
    span_ends: Vec<u32>,
    /// The state that was written last; none at first.
    last: Vec<u64>,
    /// The pieces of its code.
    pieces: Vec<Piece>,
    /// Scratch: the piece of a block that is written anew.
    own: BitWriter,
}

/// The bits of a block in a word.
#[derive(Clone, Copy, Debug)]
struct Span {
    mask: u64,
    block: u32,
}

/// The code of a block.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Piece {
    /// Its first 64 bits; where there are more, all are in [`Block::long`].
    pub bits: u64,
    pub n_bits: u32,
    /// A bit for each place of the block of which nothing is said.
    pub quiet: u32,
}

#[derive(Clone, Debug)]
struct Block {
    places: Range<usize>,
    table: Table,
    /// The piece of the last state, where it has more than 64 bits.
    long: Vec<u64>,
}

/// What is remembered of the codes of a block.
#[derive(Clone, Debug)]
enum Table {
    All(Codebook),
    Some(Remembered),
    None,
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
        let mut spans = Vec::new();
        let mut blocks = Vec::new();
        for (number, places_of_block) in ranges.into_iter().enumerate() {
            let masks = masks(&places[places_of_block.clone()], packing);
            let table = match is_small(&masks) {
                true if has_books => Table::All(Codebook::new(&masks)),
                true => Table::None,
                false => Remembered::new(&masks, most_bytes).map_or(Table::None, Table::Some),
            };
            spans.extend(masks.iter().map(|&(word, mask)| (word, Span { mask, block: number as u32 })));
            blocks.push(Block { places: places_of_block, table, long: Vec::new() });
        }
        spans.sort_by_key(|&(word, span)| (word, span.block));
        let span_ends = (0..packing.n_words() as u32)
            .map(|word| spans.partition_point(|&(other, _)| other <= word) as u32)
            .collect();
        Blocks {
            spans: spans.into_iter().map(|(_, span)| span).collect(),
            span_ends,
            pieces: vec![Piece::default(); blocks.len()],
            blocks,
            ..Blocks::default()
        }
    }

    /// Writes all places. Nothing is written of those that are quiet where the reader knows that all others are not.
    #[inline]
    pub fn put<M: Model>(
        &mut self,
        model: &M,
        words: &[u64],
        pen: &mut Pen<'_>,
        code: &mut BitWriter,
    ) -> Result<(), OutOfMemory> {
        if self.last.len() == words.len() {
            self.renew_changed(model, words, pen)?;
        } else {
            self.renew_all(model, words, pen)?;
        }
        for (piece, block) in self.pieces.iter().zip(&self.blocks) {
            match piece.n_bits {
                0..=64 => code.put(piece.bits, piece.n_bits),
                n_bits => code.put_words(&block.long, n_bits as usize),
            }
        }
        Ok(())
    }

    /// Whether nothing was said of each place in the last state that was written.
    pub fn put_quiet(&self, are_quiet: &mut [bool]) {
        for (piece, block) in self.pieces.iter().zip(&self.blocks) {
            for (place, is_quiet) in are_quiet[block.places.clone()].iter_mut().enumerate() {
                *is_quiet = piece.quiet >> place & 1 == 1;
            }
        }
    }

    /// Makes the pieces of those blocks anew in which a state differs from the last one.
    #[inline]
    fn renew_changed<M: Model>(
        &mut self,
        model: &M,
        words: &[u64],
        pen: &mut Pen<'_>,
    ) -> Result<(), OutOfMemory> {
        let mut start = 0;
        for (word, &end) in self.span_ends.iter().enumerate() {
            let bits = words[word] ^ self.last[word];
            if bits != 0 {
                for span in &self.spans[start..end as usize] {
                    if bits & span.mask != 0 {
                        let block = &mut self.blocks[span.block as usize];
                        match block.renew(model, words, pen, &mut self.own) {
                            Ok(piece) => self.pieces[span.block as usize] = piece,
                            Err(error) => {
                                // Some pieces are of this state already and others are not.
                                self.last.clear();
                                return Err(error);
                            }
                        }
                    }
                }
                self.last[word] = words[word];
            }
            start = end as usize;
        }
        Ok(())
    }

    #[cold]
    fn renew_all<M: Model>(
        &mut self,
        model: &M,
        words: &[u64],
        pen: &mut Pen<'_>,
    ) -> Result<(), OutOfMemory> {
        for (block, piece) in self.blocks.iter_mut().zip(&mut self.pieces) {
            *piece = block.renew(model, words, pen, &mut self.own)?;
        }
        self.last.extend_from_slice(words);
        Ok(())
    }

    /// Heap bytes owned.
    pub fn bytes(&self) -> usize {
        let of_table = |block: &Block| match &block.table {
            Table::All(book) => book.bytes(),
            Table::Some(remembered) => remembered.bytes(),
            Table::None => 0,
        };
        let of_block = |block: &Block| of_table(block) + block.long.capacity() * size_of::<u64>();
        self.blocks.capacity() * size_of::<Block>()
            + self.blocks.iter().map(of_block).sum::<usize>()
            + self.spans.capacity() * size_of::<Span>()
            + self.span_ends.capacity() * size_of::<u32>()
            + self.last.capacity() * size_of::<u64>()
            + self.pieces.capacity() * size_of::<Piece>()
            + self.own.bytes()
    }
}

impl Block {
    /// The piece of this block in a state.
    #[inline]
    fn renew<M: Model>(
        &mut self,
        model: &M,
        words: &[u64],
        pen: &mut Pen<'_>,
        own: &mut BitWriter,
    ) -> Result<Piece, OutOfMemory> {
        let found = match &mut self.table {
            Table::All(book) => book.find(words),
            Table::Some(remembered) => remembered.find(words, &mut self.long),
            Table::None => None,
        };
        match found {
            Some(piece) => Ok(piece),
            None => self.write(model, words, pen, own),
        }
    }

    /// Writes the piece of this block and takes note of it.
    #[inline(never)]
    fn write<M: Model>(
        &mut self,
        model: &M,
        words: &[u64],
        pen: &mut Pen<'_>,
        own: &mut BitWriter,
    ) -> Result<Piece, OutOfMemory> {
        own.clear();
        let mut quiet = 0;
        for (bit, place) in pen.places[self.places.clone()].iter_mut().enumerate() {
            place.read_apart(model, words, pen.scratch)?;
            if pen.known == Known::NotEmpty && pen.scratch.is_quiet() {
                quiet |= 1 << bit;
                continue;
            }
            place.put(model, pen.known, pen.subsets, pen.scratch, own);
        }
        let n_bits = u32::try_from(own.n_bits()).map_err(|_| OutOfMemory)?;
        let piece = match own.only_word() {
            Some(bits) => Piece { bits, n_bits, quiet },
            None => {
                let bytes = own.finish();
                self.long.clear();
                self.long.try_reserve(bytes.len().div_ceil(8))?;
                self.long.extend(bytes.chunks(8).map(word_of));
                Piece { bits: self.long[0], n_bits, quiet }
            }
        };
        match &mut self.table {
            Table::All(book) => book.note(words, piece),
            Table::Some(remembered) => remembered.note(words, piece, &self.long),
            Table::None => {}
        }
        Ok(piece)
    }
}

/// The word of up to eight bytes.
fn word_of(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
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

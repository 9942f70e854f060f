//! A part of the state vector and the table of its contents.
//!
//! ```text
//!  state words    ..|  a | b |......| c |...         gather         contents, each once
//!                      |   |          |             ────────>     0 | a b c |
//!  part words     | a | b | c |                                   1 | a b c |     the index is all that
//!                                                                 2 | ...   |     a state keeps of it
//! ```
//!
//! An index never changes, whatever happens to the widths of the slots: when these grow, the contents are written anew in
//! their places.

use petite_bits::{IdTable, OutOfMemory, Packing, SlotIdx, VectorArena, mix64};

/// Adjacent bits of a state that are adjacent in a part.
#[derive(Clone, Copy, Debug)]
struct Block {
    state_word: u32,
    part_word: u32,
    state_shift: u8,
    part_shift: u8,
    /// Number of bits, 1 to 64.
    width: u8,
}

/// Some slots, and all contents that they had together.
#[derive(Debug)]
pub struct Part {
    slots: Vec<SlotIdx>,
    blocks: Vec<Block>,
    n_words: usize,
    /// Bits of a content.
    n_bits: usize,
    index: IdTable,
    contents: VectorArena,
}

impl Part {
    /// A part of these slots, with no content yet.
    pub fn new(slots: Vec<SlotIdx>, packing: &Packing) -> Part {
        let mut part = Part {
            slots,
            blocks: Vec::new(),
            n_words: 1,
            n_bits: 0,
            index: IdTable::new(),
            contents: VectorArena::new(0),
        };
        part.contents = VectorArena::new(part.cut(packing));
        part
    }

    /// Number of different contents so far.
    pub fn len(&self) -> usize {
        self.contents.len()
    }

    /// Bits of a content as it is packed.
    pub fn n_bits(&self) -> usize {
        self.n_bits
    }

    /// Finds where the bits of the slots are. Gives the bytes of a content.
    fn cut(&mut self, packing: &Packing) -> usize {
        let widths: Vec<u8> = self.slots.iter().map(|&slot| packing.field(slot).width).collect();
        let own = Packing::new(&widths);
        self.blocks.clear();
        for (at, &slot) in self.slots.iter().enumerate() {
            let (from, to) = (packing.field(slot), own.field(SlotIdx::new(at)));
            if from.width == 0 {
                continue;
            }
            if let Some(last) = self.blocks.last_mut()
                && (last.state_word, last.part_word) == (from.word, to.word)
                && last.state_shift + last.width == from.shift
                && last.part_shift + last.width == to.shift
            {
                last.width += from.width;
                continue;
            }
            self.blocks.push(Block {
                state_word: from.word,
                part_word: to.word,
                state_shift: from.shift,
                part_shift: to.shift,
                width: from.width,
            });
        }
        (self.n_words, self.n_bits) = (own.n_words(), own.n_bits());
        own.n_bytes()
    }

    /// Writes the content of a state's part.
    #[inline]
    fn gather(&self, words: &[u64], content: &mut Vec<u64>) {
        content.clear();
        content.resize(self.n_words, 0);
        for block in &self.blocks {
            let bits = words[block.state_word as usize] >> block.state_shift & (!0 >> (64 - block.width));
            content[block.part_word as usize] |= bits << block.part_shift;
        }
    }

    /// Writes a content into a state that is zero there.
    #[inline]
    pub fn scatter(&self, index: u32, content: &mut Vec<u64>, words: &mut [u64]) {
        content.clear();
        content.resize(self.n_words, 0);
        self.contents.get(index as usize, content);
        for block in &self.blocks {
            let bits = content[block.part_word as usize] >> block.part_shift & (!0 >> (64 - block.width));
            words[block.state_word as usize] |= bits << block.state_shift;
        }
    }

    /// The index of a state's content, where it has one.
    #[inline]
    pub fn find(&self, words: &[u64], content: &mut Vec<u64>) -> Option<u32> {
        self.gather(words, content);
        self.index.find(hash_of(content), |id| self.contents.is(id as usize, content)).ok()
    }

    /// The index of a state's content, which it gets if it has none.
    ///
    /// # Errors
    /// Nothing has changed then.
    #[inline]
    pub fn number(&mut self, words: &[u64], content: &mut Vec<u64>) -> Result<u32, OutOfMemory> {
        self.gather(words, content);
        let Part { index, contents, .. } = self;
        let gap = match index.find(hash_of(content), |id| contents.is(id as usize, content)) {
            Ok(id) => return Ok(id),
            Err(gap) => gap,
        };
        let id = u32::try_from(contents.len()).ok().filter(|&id| id <= IdTable::MAX_ID).ok_or(OutOfMemory)?;
        contents.push(content)?;
        if let Err(error) = index.insert(gap, id) {
            contents.pop();
            return Err(error);
        }
        Ok(id)
    }

    /// Writes all contents as they are packed from now on.
    ///
    /// # Errors
    /// Contents are lost then.
    pub fn repack(&mut self, from: &Packing, to: &Packing) -> Result<(), OutOfMemory> {
        let mut old = Part::new(std::mem::take(&mut self.slots), from);
        std::mem::swap(&mut old.contents, &mut self.contents);
        *self = Part::new(std::mem::take(&mut old.slots), to);
        let (mut narrow, mut wide) = (vec![0; from.n_words()], vec![0; to.n_words()]);
        let mut content = Vec::new();
        let moves = petite_bits::Repacking::new(from, to);
        for id in 0..old.contents.len() {
            narrow.fill(0);
            old.scatter(id as u32, &mut content, &mut narrow);
            moves.apply(&narrow, &mut wide);
            let moved = self.number(&wide, &mut content)?;
            debug_assert_eq!(moved as usize, id, "different contents stay different");
        }
        Ok(())
    }

    /// Heap bytes owned.
    pub fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<SlotIdx>()
            + self.blocks.capacity() * size_of::<Block>()
            + self.index.bytes()
            + self.contents.bytes()
    }
}

#[inline]
fn hash_of(content: &[u64]) -> u64 {
    content.iter().fold(0, |hash, &word| mix64((hash ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15)))
}

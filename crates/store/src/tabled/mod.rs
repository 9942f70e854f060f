//! States as indices into tables of what their parts look like.
//!
//! Paper 4 (*OBDD state store and compression*, section 5): a process visits few of the states that its variables could
//! have, and explosions come from combining processes. So each part of a state is looked up in a table of its own,
//! and only the index is kept:
//!
//! ```text
//!  state     |   part 0   |   part 1   |   part 2   |         n(i) bits each
//!                 |             |            |
//!            table 0: k(0)   table 1     table 2              k(i) entries, each once
//!                 |             |            |
//!  code      | index 0 | index 1 | index 2 |                  m(i) bits each, log2 k(i) at least
//! ```
//!
//! | scheme | parts | width of an index |
//! |---|---|---|
//! | *compress* (section 5) | runs of slots of 4 bytes at most | one byte; where a table has more entries, two |
//! | *collapse* (section 5.1) | components | whole bytes, as many for all as the largest table needs |
//! | *new collapse* ("further optimisation") | components | as many bits as its own table needs |
//!
//! A *component* is what belongs to one process: the slots that count tokens of the same first colour, over all places.
//! Slots without colours are cut into runs of at most 8 bytes, and a place whose contents are numbered by the model
//! (a bag) is one by itself. No slot is in two components, so nothing is stored twice.
//!
//! **Widths grow by themselves.** Indices are given consecutively and never change; when one does not fit, all codes are
//! written anew, with a wider field for it. The tables do not change.
//!
//! **Cost.** The code, and the tables. It pays from |s| states on: the bits of the tables over the bits saved in each
//! state (the formula of section 5), which is among the figures.

mod digits;
mod part;

use std::collections::BTreeMap;

use petite_bits::{BitReader, BitWriter, OutOfMemory, Packing, SlotIdx, width_of};
use petite_model::{Content, GroupIdx, Layout, Model};

use crate::{CodeError, Codec, Codes, Coding, Figure};

pub use digits::PartDigits;
use part::Part;

/// Most bits of a part of compress: four bytes.
const COMPRESS_BITS: usize = 32;

/// Most bits of a component of slots without colour.
const RUN_BITS: usize = 64;

/// How states are cut into parts, and how wide indices are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// Four bytes become one.
    Compress,
    /// Components become as many bytes each as the largest table needs.
    Collapse,
    /// Components become as many bits as their table needs.
    NewCollapse,
}

/// A codec by tables.
#[derive(Debug)]
pub struct Tabled {
    scheme: Scheme,
    parts: Vec<Part>,
    /// Bits of each index, now and before the last change.
    widths: Vec<u32>,
    widths_before: Vec<u32>,
    /// Bits of a packed state.
    state_bits: usize,
    /// Scratch: the content of a part.
    content: Vec<u64>,
}

impl Tabled {
    /// A codec for states of this layout, as they are packed now.
    pub fn new(scheme: Scheme, layout: &Layout, packing: &Packing) -> Tabled {
        let cut = match scheme {
            Scheme::Compress => runs((0..packing.n_slots()).map(SlotIdx::new), packing, COMPRESS_BITS),
            Scheme::Collapse | Scheme::NewCollapse => components(layout, packing),
        };
        let parts: Vec<Part> = cut.into_iter().map(|slots| Part::new(slots, packing)).collect();
        let first = if scheme == Scheme::NewCollapse { 0 } else { 8 };
        let widths = vec![first; parts.len()];
        let widths_before = widths.clone();
        Tabled { scheme, parts, widths, widths_before, state_bits: packing.n_bits(), content: Vec::new() }
    }

    /// Bits that an index needs.
    fn needed(index: u32) -> u32 {
        u32::from(width_of(index))
    }

    /// Makes the field of a part wide enough for an index, and those of others as the scheme says.
    fn widen(&mut self, part: usize, index: u32) {
        self.widths_before.clone_from(&self.widths);
        let needed = Tabled::needed(index);
        match self.scheme {
            Scheme::Compress => self.widths[part] = needed.next_multiple_of(8),
            Scheme::Collapse => self.widths.fill(needed.next_multiple_of(8)),
            Scheme::NewCollapse => self.widths[part] = needed,
        }
    }

    fn is_too_wide(&self, part: usize, index: u32) -> bool {
        Tabled::needed(index) > self.widths[part]
    }

    /// Bits of a code.
    fn code_bits(&self) -> usize {
        self.widths.iter().map(|&width| width as usize).sum()
    }
}

impl Coding for Tabled {
    fn name(&self) -> &'static str {
        match self.scheme {
            Scheme::Compress => "compress",
            Scheme::Collapse => "collapse",
            Scheme::NewCollapse => "new-collapse",
        }
    }

    fn fixed_bytes(&self) -> Option<usize> {
        Some(self.code_bits().div_ceil(8))
    }

    /// Indices stay what they are; only the tables are written anew.
    fn repack(&mut self, from: &Packing, to: &Packing) -> Result<Codes, OutOfMemory> {
        self.state_bits = to.n_bits();
        self.parts.iter_mut().try_for_each(|part| part.repack(from, to))?;
        Ok(Codes::Keep)
    }

    fn recode(&mut self, old: &[u8], new: &mut BitWriter) {
        let mut old = BitReader::new(old);
        for (&before, &now) in self.widths_before.iter().zip(&self.widths) {
            new.put(old.take(before), now);
        }
    }

    fn bytes(&self) -> usize {
        self.parts.iter().map(Part::bytes).sum::<usize>()
            + self.parts.capacity() * size_of::<Part>()
            + (self.widths.capacity() + self.widths_before.capacity()) * size_of::<u32>()
            + self.content.capacity() * size_of::<u64>()
    }

    fn figures(&self) -> Vec<Figure> {
        let entries: usize = self.parts.iter().map(Part::len).sum();
        let table_bits: usize = self.parts.iter().map(|part| part.len() * part.n_bits()).sum();
        let tables: usize = self.parts.iter().map(Part::bytes).sum();
        let mut figures = vec![
            Figure::count("parts of a state", self.parts.len() as u64),
            Figure::count("bits of a code", self.code_bits() as u64),
            Figure::count("entries of the tables", entries as u64),
            Figure::count(
                "entries of the largest table",
                self.parts.iter().map(Part::len).max().unwrap_or(0) as u64,
            ),
            Figure::bytes("tables", tables as u64),
        ];
        figures.push(match self.state_bits.checked_sub(self.code_bits()).filter(|&saved| saved > 0) {
            Some(saved) => Figure::count("states to break even", (table_bits / saved) as u64 + 1),
            None => Figure::words("states to break even", "never: a code is no shorter"),
        });
        figures
    }
}

impl<M: Model> Codec<M> for Tabled {
    #[inline]
    fn encode(&mut self, _: &mut M, words: &[u64], code: &mut BitWriter) -> Result<(), CodeError> {
        for part in 0..self.parts.len() {
            let index = self.parts[part].number(words, &mut self.content)?;
            if self.is_too_wide(part, index) {
                self.widen(part, index);
                return Err(CodeError::Recode);
            }
            code.put(u64::from(index), self.widths[part]);
        }
        Ok(())
    }

    fn encode_known(&mut self, _: &mut M, words: &[u64], code: &mut BitWriter) -> bool {
        for (part, &width) in self.parts.iter().zip(&self.widths) {
            match part.find(words, &mut self.content).filter(|&index| Tabled::needed(index) <= width) {
                Some(index) => code.put(u64::from(index), width),
                None => return false,
            }
        }
        true
    }

    fn decode(&mut self, _: &mut M, mut code: BitReader<'_>, words: &mut [u64]) {
        words.fill(0);
        for (part, &width) in self.parts.iter().zip(&self.widths) {
            part.scatter(code.take(width) as u32, &mut self.content, words);
        }
    }
}

/// Cuts slots into runs of at most so many bits, or of one slot.
fn runs(slots: impl Iterator<Item = SlotIdx>, packing: &Packing, most: usize) -> Vec<Vec<SlotIdx>> {
    let mut runs: Vec<Vec<SlotIdx>> = Vec::new();
    let mut used = usize::MAX;
    for slot in slots {
        let width = usize::from(packing.field(slot).width);
        used = used.saturating_add(width);
        match runs.last_mut() {
            Some(run) if used <= most => run.push(slot),
            _ => {
                runs.push(vec![slot]);
                used = width;
            }
        }
    }
    runs
}

/// The slots of each component; see the head of this file.
fn components(layout: &Layout, packing: &Packing) -> Vec<Vec<SlotIdx>> {
    let mut processes: BTreeMap<u64, Vec<SlotIdx>> = BTreeMap::new();
    let (mut bags, mut others) = (Vec::new(), Vec::new());
    for group in (0..layout.groups.len()).map(GroupIdx::new) {
        for slot in layout.slots_of(group) {
            match (layout.groups[group.index()].content, layout.slots[slot.index()].colour.first()) {
                (Content::Bag, _) => bags.push(vec![slot]),
                (Content::Counts, Some(&colour)) => processes.entry(colour).or_default().push(slot),
                (Content::Counts, None) => others.push(slot),
            }
        }
    }
    let mut components = runs(others.into_iter(), packing, RUN_BITS);
    components.extend(processes.into_values());
    components.extend(bags);
    components
}

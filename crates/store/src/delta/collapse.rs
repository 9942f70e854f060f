//! Explicit markings as numbers of their parts.
//!
//! A marking is cut into components, which are places, or several small ones side by side. Each component takes few
//! of the values that it could take: those that were met are interned in a table of the component, and a marking is
//! the list of their numbers (paper 1, "A state collapsing compression scheme"; Holzmann 1997).
//!
//! ```text
//!  marking        | component 0     | component 1              | component 2    |
//!  column 0       17                                        a number for each marking, as wide as the
//!  column 1                          3                      largest of the column: widths grow by themselves
//!  column 2                                                     120
//!  table 0    17: 0110 1001 0001 ...                        each value once, with an index
//! ```
//!
//! **Cost.** The logarithm of the number of values for each component and marking; each value once, with 9 to 12 bytes
//! for its index.

use petite_bits::{
    IdTable, OutOfMemory, PackedVec, Packing, Repacking, SlotIdx, VectorArena, mix64, read_bits,
};
use petite_model::Layout;

use crate::StoreError;

/// Bits that a component has at least, unless it is the last.
const LEAST_BITS: usize = 32;

/// Markings as numbers of their components.
#[derive(Debug)]
pub struct Collapsed {
    components: Vec<Component>,
    len: usize,
    n_words: usize,
}

/// Some adjacent slots.
#[derive(Debug)]
struct Component {
    first: SlotIdx,
    end: SlotIdx,
    /// Where its bits are in a packed state.
    bits: Bits,
    values: VectorArena,
    index: IdTable,
    column: PackedVec,
    /// A value that is being looked at.
    scratch: Vec<u64>,
}

/// A range of bits.
#[derive(Clone, Copy, Debug)]
struct Bits {
    start: usize,
    len: usize,
}

impl Collapsed {
    /// No markings yet.
    pub fn new(layout: &Layout, packing: &Packing) -> Collapsed {
        let mut components = Vec::new();
        let mut first = SlotIdx(0);
        for group in &layout.groups {
            let bits = Bits::of(packing, first, group.end);
            if bits.len >= LEAST_BITS {
                components.push(Component::new(packing, first, group.end));
                first = group.end;
            }
        }
        let end = SlotIdx::new(packing.n_slots());
        if first < end {
            components.push(Component::new(packing, first, end));
        }
        Collapsed { components, len: 0, n_words: packing.n_words() }
    }

    /// Appends a marking.
    pub fn push(&mut self, words: &[u64]) -> Result<(), StoreError> {
        for at in 0..self.components.len() {
            let pushed = self.components[at].push(words);
            if let Err(error) = pushed {
                self.components[..at].iter_mut().for_each(|component| component.column.pop());
                return Err(error);
            }
        }
        self.len += 1;
        Ok(())
    }

    /// Takes the last marking back. Its values stay in their tables.
    pub fn pop(&mut self) {
        if self.len > 0 {
            self.len -= 1;
            self.components.iter_mut().for_each(|component| component.column.pop());
        }
    }

    /// How many markings there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether a marking is the given state.
    pub fn is(&mut self, number: usize, words: &[u64]) -> bool {
        self.components.iter_mut().all(|component| {
            component.bits.copy(words, &mut component.scratch);
            component.values.is(component.column.get(number) as usize, &component.scratch)
        })
    }

    /// Writes a marking.
    pub fn get(&mut self, number: usize, words: &mut [u64]) {
        words.fill(0);
        for component in &mut self.components {
            component.values.get(component.column.get(number) as usize, &mut component.scratch);
            component.bits.put(&component.scratch, words);
        }
    }

    /// Moves all values to another packing; their numbers stay.
    pub fn repack(&mut self, from: &Packing, to: &Packing) -> Result<(), StoreError> {
        let repacking = Repacking::new(from, to);
        let (mut old, mut new) = (vec![0; self.n_words], vec![0; to.n_words()]);
        for component in &mut self.components {
            let mut moved = Component::new(to, component.first, component.end);
            for value in 0..component.values.len() {
                old.fill(0);
                component.values.get(value, &mut component.scratch);
                component.bits.put(&component.scratch, &mut old);
                repacking.apply(&old, &mut new);
                moved.number_of(&new)?;
            }
            moved.column = std::mem::take(&mut component.column);
            *component = moved;
        }
        self.n_words = to.n_words();
        Ok(())
    }

    /// Heap bytes owned.
    pub fn bytes(&self) -> usize {
        self.components.capacity() * size_of::<Component>()
            + self.components.iter().map(Component::bytes).sum::<usize>()
    }

    /// Heap bytes of the markings and the values alone.
    pub fn vector_bytes(&self) -> usize {
        let each = |c: &Component| {
            (self.len * c.column.width() as usize).div_ceil(8) + c.values.len() * c.values.vector_bytes()
        };
        self.components.iter().map(each).sum()
    }

    /// Values of all components together.
    pub fn n_values(&self) -> usize {
        self.components.iter().map(|component| component.values.len()).sum()
    }
}

impl Component {
    fn new(packing: &Packing, first: SlotIdx, end: SlotIdx) -> Component {
        let bits = Bits::of(packing, first, end);
        Component {
            first,
            end,
            bits,
            values: VectorArena::new(bits.len.div_ceil(8)),
            index: IdTable::new(),
            column: PackedVec::new(),
            scratch: vec![0; bits.len.div_ceil(64)],
        }
    }

    fn push(&mut self, words: &[u64]) -> Result<(), StoreError> {
        let number = self.number_of(words)?;
        Ok(self.column.push(u64::from(number))?)
    }

    /// The number of the value that a state has here.
    fn number_of(&mut self, words: &[u64]) -> Result<u32, StoreError> {
        let Component { bits, values, index, scratch, .. } = self;
        bits.copy(words, scratch);
        let hash = scratch.iter().fold(0, |hash, &word| mix64(hash ^ word));
        let gap = match index.find(hash, |value| values.is(value as usize, scratch)) {
            Ok(value) => return Ok(value),
            Err(gap) => gap,
        };
        let value = u32::try_from(values.len()).ok().filter(|&value| value <= IdTable::MAX_ID);
        let value = value.ok_or(StoreError::OutOfIds)?;
        values.push(scratch)?;
        if let Err(OutOfMemory) = index.insert(gap, value) {
            values.pop();
            return Err(StoreError::OutOfMemory);
        }
        Ok(value)
    }

    fn bytes(&self) -> usize {
        self.values.bytes() + self.index.bytes() + self.column.bytes() + self.scratch.capacity() * 8
    }
}

impl Bits {
    /// The bits of some slots.
    fn of(packing: &Packing, first: SlotIdx, end: SlotIdx) -> Bits {
        let fields =
            (first.0..end.0).map(|slot| packing.field(SlotIdx(slot))).filter(|field| field.width > 0);
        let start = |field: petite_bits::Field| field.word as usize * 64 + usize::from(field.shift);
        let mut range: Option<(usize, usize)> = None;
        for field in fields {
            let from = range.map_or(start(field), |(from, _)| from);
            range = Some((from, start(field) + usize::from(field.width)));
        }
        range.map_or(Bits { start: 0, len: 0 }, |(start, end)| Bits { start, len: end - start })
    }

    /// Copies the bits of a state to the beginning of other words.
    fn copy(self, words: &[u64], out: &mut [u64]) {
        for (at, word) in out.iter_mut().enumerate() {
            let width = (self.len - at * 64).min(64) as u32;
            *word = read_bits(words, self.start + at * 64, width);
        }
    }

    /// Copies bits from the beginning of some words into a state where these bits are zero.
    fn put(self, from: &[u64], words: &mut [u64]) {
        for (at, &word) in from.iter().enumerate() {
            let (to, shift) = ((self.start + at * 64) / 64, (self.start + at * 64) % 64);
            words[to] |= word << shift;
            if shift > 0 && word >> (64 - shift) != 0 {
                words[to + 1] |= word >> (64 - shift);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use petite_bits::Outgrown;
    use petite_model::{Content, Group, GroupIdx, Slot};

    /// A layout of groups with so many slots each.
    fn layout(sizes: &[usize]) -> Layout {
        let mut layout = Layout::default();
        for (index, &size) in sizes.iter().enumerate() {
            let first = SlotIdx::new(layout.slots.len());
            let slot = Slot::new(GroupIdx::new(index));
            layout.slots.extend(std::iter::repeat_n(slot, size));
            let end = SlotIdx::new(layout.slots.len());
            layout.groups.push(Group::new("", first, end, Content::Counts));
        }
        layout
    }

    #[test]
    fn markings_come_back_also_when_repacked() {
        for seed in 0..60u64 {
            let random = |i: u64| mix64(seed << 32 | i);
            let sizes: Vec<usize> = (0..random(0) % 9).map(|i| (random(1 + i) % 30) as usize).collect();
            let layout = layout(&sizes);
            let n = layout.slots.len();
            let widths: Vec<u8> =
                (0..n as u64).map(|i| [0, 1, 2, 7, 32][(random(99 + i) % 5) as usize]).collect();
            let mut packing = Packing::new(&widths);
            let mut collapsed = Collapsed::new(&layout, &packing);
            let mut states = Vec::new();
            for i in 0..300u64 {
                let state: Vec<u32> = (0..n)
                    .map(|slot| {
                        random(i % 40 + 1000 * slot as u64) as u32 & packing.field(SlotIdx::new(slot)).max()
                    })
                    .collect();
                collapsed.push(&packed(&packing, &state)).unwrap();
                states.push(state);
                if i == 150 && n > 0 {
                    let slot = SlotIdx((random(7) % n as u64) as u32);
                    if packing.field(slot).width < 32 {
                        let wider = packing.widened(Outgrown { slot, value: packing.field(slot).max() + 1 });
                        collapsed.repack(&packing, &wider).unwrap();
                        packing = wider;
                    }
                }
            }
            collapsed.push(&packed(&packing, &states[0])).unwrap();
            collapsed.pop();
            assert_eq!(collapsed.len(), 300);
            let mut words = vec![!0; packing.n_words()];
            for (number, state) in states.iter().enumerate() {
                collapsed.get(number, &mut words);
                assert_eq!(words, packed(&packing, state), "seed {seed}");
                assert!(collapsed.is(number, &words));
                if n > 0 && packing.field(SlotIdx(0)).width > 0 {
                    words[0] ^= 1 << packing.field(SlotIdx(0)).shift;
                    assert!(!collapsed.is(number, &words));
                }
            }
            assert!(collapsed.n_values() <= collapsed.components.len() * 81);
        }
    }

    fn packed(packing: &Packing, state: &[u32]) -> Vec<u64> {
        let mut words = vec![0; packing.n_words()];
        for (slot, &value) in state.iter().enumerate() {
            packing.set(&mut words, SlotIdx::new(slot), value).unwrap();
        }
        words
    }
}

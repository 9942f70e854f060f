//! States of the window by their progress.
//!
//! A layer is the list of states with one value of the measure. The layer with the least value is the next: a heap
//! of layers tells which that is, and a table finds the layer of a value.

use hashbrown::HashTable;
use petite_bits::{OutOfMemory, mix64};

use super::window::{EntryIdx, NONE, Window, reserve};

petite_bits::typed_index! {
    /// A layer.
    pub struct LayerIdx;
}

/// Layers, least value first.
#[derive(Debug, Default)]
pub struct Layers {
    /// Numbers of a value.
    width: usize,
    values: Vec<i64>,
    lists: Vec<List>,
    free: Vec<LayerIdx>,
    table: HashTable<LayerIdx>,
    /// A binary heap: the value of each layer is not above those of the two below it.
    heap: Vec<LayerIdx>,
}

/// The states of a layer.
#[derive(Clone, Copy, Debug)]
pub struct List {
    /// The first one.
    pub first: EntryIdx,
    last: EntryIdx,
}

impl Layers {
    /// No layers; values have so many numbers.
    pub fn new(width: usize) -> Layers {
        Layers { width, ..Layers::default() }
    }

    /// The layer with the least value.
    pub fn first(&self) -> Option<LayerIdx> {
        self.heap.first().copied()
    }

    /// The value of a layer.
    pub fn value(&self, layer: LayerIdx) -> &[i64] {
        &self.values[layer.index() * self.width..][..self.width]
    }

    /// The first state of a layer.
    pub fn head(&self, layer: LayerIdx) -> EntryIdx {
        self.lists[layer.index()].first
    }

    /// Puts a state at the end of the layer of a value.
    pub fn push(&mut self, value: &[i64], entry: EntryIdx, window: &mut Window) -> Result<(), OutOfMemory> {
        let hash = hash(value);
        let found = self.table.find(hash, |&layer| self.value(layer) == value).copied();
        let layer = match found {
            Some(layer) => layer,
            None => self.add(value, hash)?,
        };
        let list = &mut self.lists[layer.index()];
        match list.last {
            NONE => list.first = entry,
            last => window.link(last, entry),
        }
        list.last = entry;
        Ok(())
    }

    /// Takes the first layer away.
    pub fn pop(&mut self) -> Result<(), OutOfMemory> {
        reserve(&mut self.free, 1)?;
        let Some(layer) = self.first() else { return Ok(()) };
        if let Ok(found) = self.table.find_entry(hash(self.value(layer)), |&other| other == layer) {
            found.remove();
        }
        self.free.push(layer);
        let last = self.heap.len() - 1;
        self.heap.swap(0, last);
        self.heap.pop();
        self.sift_down();
        Ok(())
    }

    /// Heap bytes owned.
    pub fn bytes(&self) -> usize {
        self.values.capacity() * size_of::<i64>()
            + self.lists.capacity() * size_of::<List>()
            + self.free.capacity() * size_of::<LayerIdx>()
            + self.table.allocation_size()
            + self.heap.capacity() * size_of::<LayerIdx>()
    }

    fn add(&mut self, value: &[i64], hash_of_value: u64) -> Result<LayerIdx, OutOfMemory> {
        let width = self.width;
        reserve(&mut self.heap, 1)?;
        let Layers { table, values, .. } = self;
        let hasher = |layer: &LayerIdx| hash(&values[layer.index() * width..][..width]);
        table.try_reserve(1, hasher).map_err(|_| OutOfMemory)?;
        let list = List { first: NONE, last: NONE };
        let layer = match self.free.pop() {
            Some(layer) => {
                self.values[layer.index() * width..][..width].copy_from_slice(value);
                self.lists[layer.index()] = list;
                layer
            }
            None => {
                reserve(&mut self.values, width)?;
                reserve(&mut self.lists, 1)?;
                self.values.extend_from_slice(value);
                self.lists.push(list);
                LayerIdx::new(self.lists.len() - 1)
            }
        };
        let values = &self.values;
        self.table
            .insert_unique(hash_of_value, layer, |layer| hash(&values[layer.index() * width..][..width]));
        self.heap.push(layer);
        self.sift_up();
        Ok(layer)
    }

    fn is_less(&self, a: usize, b: usize) -> bool {
        self.value(self.heap[a]) < self.value(self.heap[b])
    }

    fn sift_up(&mut self) {
        let mut at = self.heap.len() - 1;
        while at > 0 && self.is_less(at, (at - 1) / 2) {
            self.heap.swap(at, (at - 1) / 2);
            at = (at - 1) / 2;
        }
    }

    fn sift_down(&mut self) {
        let (mut at, n) = (0, self.heap.len());
        loop {
            let mut least = at;
            for below in [2 * at + 1, 2 * at + 2] {
                if below < n && self.is_less(below, least) {
                    least = below;
                }
            }
            if least == at {
                return;
            }
            self.heap.swap(at, least);
            at = least;
        }
    }
}

fn hash(value: &[i64]) -> u64 {
    value.iter().fold(0, |hash, &number| mix64(hash ^ number as u64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sweep::window::Kind;
    use petite_bits::Packing;
    use petite_store::StateId;

    #[test]
    fn layers_come_in_order() {
        let packing = Packing::new(&[32]);
        let (mut window, mut layers) = (Window::new(&packing), Layers::new(2));
        let value = |i: u64| [(mix64(i) % 7) as i64 - 3, (mix64(i + 1000) % 5) as i64];
        let mut sorted = Vec::new();
        for i in 0..300u64 {
            let entry = window.insert(&[i], mix64(i), StateId(i as u32), Kind::New).unwrap();
            layers.push(&value(i), entry, &mut window).unwrap();
            sorted.push((value(i), i));
        }
        sorted.sort_unstable();
        let mut met = Vec::new();
        while let Some(layer) = layers.first() {
            let own = layers.value(layer).to_vec();
            let mut entry = layers.head(layer);
            while entry != NONE {
                met.push(([own[0], own[1]], window.words(entry)[0]));
                let next = window.next(entry);
                window.remove(entry).unwrap();
                entry = next;
            }
            layers.pop().unwrap();
        }
        assert_eq!(met, sorted);
        assert_eq!(window.len(), 0);
    }
}

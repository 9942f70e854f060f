//! From state vectors to pairs of numbers and back.
//!
//! The codec keeps one state at hand, its *base*: the words, the raw value of each leaf and the identity of each node. Another
//! state is compared with it word by word; each bit that differs belongs to a leaf, and only the identities on the
//! paths from these leaves to the root are looked up:
//!
//! ```text
//!             root (left id, right id)  = the key
//!            /                \
//!        inner *              inner           * looked up again when slot 3 changes
//!       /       \            /      \
//!    leaf     leaf *      leaf     leaf
//!   0 1 2     3 4          5 6      7 8       slots
//! ```
//!
//! Going to the state of a key works the other way round: where a node's identity is that of the base, nothing below
//! it has to be looked at.
//!
//! **Cost.** One pass over the words, and O(log n) lookups for each changed slot of n.

use petite_bits::{Packing, PairMap, Repacking, SlotIdx};

use super::{leaf::Leaf, shape::Shape};
use crate::StoreError;

/// A state as the pair of the identities of its halves.
pub(super) type Key = (u32, u32);

/// Where a node has no parent but the root.
const ROOT: u32 = u32::MAX;

/// Maps between states and keys.
#[derive(Debug)]
pub(super) struct Codec {
    leaves: Vec<Leaf>,
    inner: Vec<Inner>,
    root: (u32, u32),
    /// The parent of each node.
    parents: Vec<u32>,
    wiring: Wiring,
    base: Base,
    /// Nodes to look up again, a bit each.
    dirty: Vec<u64>,
    /// Identities that were replaced, to put them back.
    replaced: Vec<(u32, u32)>,
    /// Nodes to visit, with their new identities.
    visits: Vec<(u32, u32)>,
    /// Identities looked up so far.
    n_lookups: u64,
}

#[derive(Debug)]
struct Inner {
    left: u32,
    right: u32,
    ids: PairMap,
}

/// The state at hand.
#[derive(Debug)]
struct Base {
    words: Vec<u64>,
    /// The raw values of all leaves, each from a word of its own on.
    raws: Vec<u64>,
    /// The identity of each node.
    ids: Vec<u32>,
}

/// Which bit of the packed words is which bit of the leaves.
#[derive(Debug, Default)]
struct Wiring {
    /// For each bit of the packed words, its leaf and its position in [`Base::raws`].
    to_raw: Vec<(u32, u32)>,
    /// For each bit of the raw values, its position in the packed words.
    to_packed: Vec<u32>,
    /// The first word of each leaf's raw value, and the end.
    starts: Vec<u32>,
}

impl Codec {
    /// A codec for states packed like this. `is_dense` tells slots whose values are dense numbers.
    pub fn new(
        shape: &Shape,
        packing: &Packing,
        is_dense: impl Fn(SlotIdx) -> bool,
    ) -> Result<Codec, StoreError> {
        let n_nodes = shape.leaves.len() + shape.inner.len();
        let mut parents = vec![ROOT; n_nodes];
        for (at, &(left, right)) in shape.inner.iter().enumerate() {
            parents[left as usize] = (shape.leaves.len() + at) as u32;
            parents[right as usize] = (shape.leaves.len() + at) as u32;
        }
        let leaf = |slots: &Vec<SlotIdx>| {
            let is_dense = slots.len() == 1 && is_dense(slots[0]);
            Leaf::new(slots.clone(), &Leaf::raw_packing(slots, packing), is_dense)
        };
        let inner = |&(left, right): &(u32, u32)| Inner { left, right, ids: PairMap::new() };
        let leaves = shape.leaves.iter().map(leaf).collect::<Result<Vec<_>, _>>()?;
        let wiring = Wiring::new(&leaves, packing);
        let base = Base {
            words: vec![0; packing.n_words()],
            raws: vec![0; wiring.starts.last().map_or(0, |&end| end as usize)],
            ids: vec![0; n_nodes],
        };
        let mut codec = Codec {
            leaves,
            inner: shape.inner.iter().map(inner).collect(),
            root: shape.root,
            parents,
            wiring,
            base,
            dirty: vec![0; n_nodes.div_ceil(64)],
            replaced: Vec::new(),
            visits: Vec::new(),
            n_lookups: 0,
        };
        codec.number_base()?;
        Ok(codec)
    }

    /// The key of a state. The base stays.
    #[inline]
    pub fn key(&mut self, words: &[u64]) -> Result<Key, StoreError> {
        let key = self.step(words)?;
        self.step_back(words);
        Ok(key)
    }

    /// The key of a state that is half way to become the base: [`Codec::keep`] or [`Codec::step_back`] must follow.
    #[inline]
    pub fn step(&mut self, words: &[u64]) -> Result<Key, StoreError> {
        self.replaced.clear();
        self.flip(words);
        let outcome = self.look_up();
        if outcome.is_err() {
            self.step_back(words);
        }
        outcome.map(|()| self.base_key())
    }

    /// Makes the state of the last step the base.
    #[inline]
    pub fn keep(&mut self, words: &[u64]) {
        self.base.words.copy_from_slice(words);
    }

    /// Forgets the last step.
    #[inline]
    pub fn step_back(&mut self, words: &[u64]) {
        for &(node, id) in &self.replaced {
            self.base.ids[node as usize] = id;
        }
        self.flip_back(words);
    }

    /// The key of a state, if all its parts were seen before. The base stays.
    pub fn find(&self, words: &[u64]) -> Option<Key> {
        let mut raws = self.base.raws.clone();
        for (at, (&new, &old)) in words.iter().zip(&self.base.words).enumerate() {
            let mut difference = new ^ old;
            while difference != 0 {
                let (_, raw) = self.wiring.to_raw[at * 64 + difference.trailing_zeros() as usize];
                raws[raw as usize / 64] ^= 1 << (raw % 64);
                difference &= difference - 1;
            }
        }
        let mut ids = Vec::with_capacity(self.parents.len());
        for (at, leaf) in self.leaves.iter().enumerate() {
            ids.push(leaf.find(&raws[self.wiring.range(at)])?);
        }
        for inner in &self.inner {
            ids.push(inner.ids.find(ids[inner.left as usize], ids[inner.right as usize])?);
        }
        Some((ids[self.root.0 as usize], ids[self.root.1 as usize]))
    }

    /// Makes the state of a key the base. The key must have been given out.
    pub fn go_to_key(&mut self, (left, right): Key) {
        let n_leaves = self.leaves.len();
        self.visits.clear();
        self.visits.extend([(self.root.0, left), (self.root.1, right)]);
        while let Some((node, id)) = self.visits.pop() {
            let old = std::mem::replace(&mut self.base.ids[node as usize], id);
            if old == id {
                continue;
            }
            if let Some(at) = (node as usize).checked_sub(n_leaves) {
                let inner = &self.inner[at];
                let (left, right) = inner.ids.pair(id);
                self.visits.extend([(inner.left, left), (inner.right, right)]);
            } else {
                self.go_to_leaf(node as usize, id);
            }
        }
    }

    /// The words of the base.
    #[inline]
    pub fn base_words(&self) -> &[u64] {
        &self.base.words
    }

    /// Changes how states are packed. Keys stay.
    pub fn repack(&mut self, from: &Packing, to: &Packing) -> Result<(), StoreError> {
        for leaf in &mut self.leaves {
            let narrow = Leaf::raw_packing(&leaf.slots, from);
            let wide = Leaf::raw_packing(&leaf.slots, to);
            leaf.repack(&narrow, &wide)?;
        }
        self.wiring = Wiring::new(&self.leaves, to);
        let mut words = vec![0; to.n_words()];
        Repacking::new(from, to).apply(&self.base.words, &mut words);
        self.base.words = words;
        self.base.raws = vec![0; self.wiring.starts.last().map_or(0, |&end| end as usize)];
        for (at, leaf) in self.leaves.iter().enumerate() {
            leaf.raw(self.base.ids[at], &mut self.base.raws[self.wiring.range(at)]);
        }
        Ok(())
    }

    /// Whether slots are in the left and in the right half.
    pub fn sides(&self, slots: &[SlotIdx]) -> (bool, bool) {
        let in_leaf = |leaf: &Leaf| leaf.slots.iter().any(|slot| slots.contains(slot));
        let (mut left, mut right) = (false, false);
        for node in (0..self.leaves.len()).filter(|&at| in_leaf(&self.leaves[at])) {
            let mut top = node as u32;
            while self.parents[top as usize] != ROOT {
                top = self.parents[top as usize];
            }
            left |= top == self.root.0;
            right |= top == self.root.1;
        }
        (left, right)
    }

    /// The half that each slot is in: 0 is left, 1 is right.
    pub fn slot_sides(&self, n_slots: usize) -> Vec<usize> {
        let mut sides = vec![0; n_slots];
        for (node, leaf) in self.leaves.iter().enumerate() {
            let mut top = node as u32;
            while self.parents[top as usize] != ROOT {
                top = self.parents[top as usize];
            }
            let side = usize::from(top == self.root.1);
            leaf.slots.iter().for_each(|slot| sides[slot.index()] = side);
        }
        sides
    }

    /// Number of identities looked up so far, for benchmarks.
    pub fn lookups(&self) -> u64 {
        self.n_lookups
    }

    /// Number of identities of each node; that of a leaf whose values are its identities counts as one.
    pub fn node_lens(&self) -> Vec<usize> {
        let leaves = self.leaves.iter().map(|leaf| leaf.len().unwrap_or(1));
        leaves.chain(self.inner.iter().map(|inner| inner.ids.len())).collect()
    }

    /// The children of the root.
    pub fn root_children(&self) -> (usize, usize) {
        (self.root.0 as usize, self.root.1 as usize)
    }

    /// All inner nodes with their children.
    pub fn inner_children(&self) -> impl Iterator<Item = (usize, usize, usize)> {
        let numbers = self.leaves.len()..;
        numbers.zip(&self.inner).map(|(node, inner)| (node, inner.left as usize, inner.right as usize))
    }

    /// Number of pairs of all inner nodes.
    pub fn n_pairs(&self) -> usize {
        self.inner.iter().map(|inner| inner.ids.len()).sum()
    }

    /// Number of leaves, and of identities that they have.
    pub fn n_leaves(&self) -> (usize, usize) {
        (self.leaves.len(), self.leaves.iter().filter_map(Leaf::len).sum())
    }

    /// Identities of both halves.
    pub fn n_halves(&self) -> (usize, usize) {
        let n = |node: u32| match (node as usize).checked_sub(self.leaves.len()) {
            Some(at) => self.inner[at].ids.len(),
            None => self.leaves[node as usize].len().unwrap_or(0),
        };
        (n(self.root.0), n(self.root.1))
    }

    /// Heap bytes of what was numbered.
    pub fn table_bytes(&self) -> usize {
        self.leaves.iter().map(Leaf::bytes).sum::<usize>()
            + self.inner.iter().map(|inner| inner.ids.bytes()).sum::<usize>()
    }

    /// Heap bytes owned.
    pub fn bytes(&self) -> usize {
        let Base { words, raws, ids } = &self.base;
        self.table_bytes()
            + self.leaves.capacity() * size_of::<Leaf>()
            + self.inner.capacity() * size_of::<Inner>()
            + self.wiring.bytes()
            + (words.capacity() + raws.capacity() + self.dirty.capacity()) * size_of::<u64>()
            + (ids.capacity() + self.parents.capacity()) * size_of::<u32>()
            + (self.replaced.capacity() + self.visits.capacity()) * size_of::<(u32, u32)>()
    }

    #[inline]
    fn base_key(&self) -> Key {
        (self.base.ids[self.root.0 as usize], self.base.ids[self.root.1 as usize])
    }

    /// Changes the raw values to those of a state, and marks their leaves.
    #[inline]
    fn flip(&mut self, words: &[u64]) {
        for (at, (&new, &old)) in words.iter().zip(&self.base.words).enumerate() {
            let mut difference = new ^ old;
            while difference != 0 {
                let bit = at * 64 + difference.trailing_zeros() as usize;
                difference &= difference - 1;
                let (leaf, raw) = self.wiring.to_raw[bit];
                self.base.raws[raw as usize / 64] ^= 1 << (raw % 64);
                self.dirty[leaf as usize / 64] |= 1 << (leaf % 64);
            }
        }
    }

    /// Changes the raw values back to those of the base.
    #[inline]
    fn flip_back(&mut self, words: &[u64]) {
        for (at, (&new, &old)) in words.iter().zip(&self.base.words).enumerate() {
            let mut difference = new ^ old;
            while difference != 0 {
                let bit = at * 64 + difference.trailing_zeros() as usize;
                difference &= difference - 1;
                let (_, raw) = self.wiring.to_raw[bit];
                self.base.raws[raw as usize / 64] ^= 1 << (raw % 64);
            }
        }
    }

    /// Looks the identities of all marked nodes up, and of those above that change by it.
    #[inline]
    fn look_up(&mut self) -> Result<(), StoreError> {
        let n_leaves = self.leaves.len();
        for at in 0..self.dirty.len() {
            while self.dirty[at] != 0 {
                let bit = self.dirty[at].trailing_zeros();
                self.dirty[at] &= self.dirty[at] - 1;
                let node = at * 64 + bit as usize;
                self.n_lookups += 1;
                let id = if node < n_leaves {
                    let range = self.wiring.range(node);
                    self.leaves[node].id(&self.base.raws[range])
                } else {
                    let inner = &mut self.inner[node - n_leaves];
                    let (left, right) =
                        (self.base.ids[inner.left as usize], self.base.ids[inner.right as usize]);
                    inner.ids.find_or_insert(left, right).map_err(StoreError::from)
                };
                let id = match id {
                    Ok(id) => id,
                    Err(error) => {
                        self.dirty.fill(0);
                        return Err(error);
                    }
                };
                let old = self.base.ids[node];
                if id != old {
                    self.replaced.push((node as u32, old));
                    self.base.ids[node] = id;
                    let parent = self.parents[node];
                    if parent != ROOT {
                        self.dirty[parent as usize / 64] |= 1 << (parent % 64);
                    }
                }
            }
        }
        Ok(())
    }

    /// Gives a leaf of the base the raw value of an identity.
    #[inline]
    fn go_to_leaf(&mut self, leaf: usize, id: u32) {
        let range = self.wiring.range(leaf);
        let first = range.start;
        if range.len() == 1 {
            let mut raw = [0];
            self.leaves[leaf].raw(id, &mut raw);
            self.set_raw_word(first, raw[0]);
        } else {
            let mut raw = vec![0; range.len()];
            self.leaves[leaf].raw(id, &mut raw);
            for (at, word) in raw.into_iter().enumerate() {
                self.set_raw_word(first + at, word);
            }
        }
    }

    #[inline]
    fn set_raw_word(&mut self, at: usize, word: u64) {
        let mut difference = std::mem::replace(&mut self.base.raws[at], word) ^ word;
        while difference != 0 {
            let bit = self.wiring.to_packed[at * 64 + difference.trailing_zeros() as usize];
            difference &= difference - 1;
            self.base.words[bit as usize / 64] ^= 1 << (bit % 64);
        }
    }

    /// Gives the first base, in which all slots are zero, its identities.
    fn number_base(&mut self) -> Result<(), StoreError> {
        for (at, leaf) in self.leaves.iter_mut().enumerate() {
            self.base.ids[at] = leaf.id(&self.base.raws[self.wiring.range(at)])?;
        }
        for (at, inner) in self.inner.iter_mut().enumerate() {
            let (left, right) = (self.base.ids[inner.left as usize], self.base.ids[inner.right as usize]);
            self.base.ids[self.leaves.len() + at] = inner.ids.find_or_insert(left, right)?;
        }
        Ok(())
    }
}

impl Wiring {
    fn new(leaves: &[Leaf], packing: &Packing) -> Wiring {
        let mut wiring = Wiring { to_raw: vec![(0, 0); packing.n_words() * 64], ..Wiring::default() };
        let mut first = 0;
        for (at, leaf) in leaves.iter().enumerate() {
            wiring.starts.push(first);
            let raw = Leaf::raw_packing(&leaf.slots, packing);
            wiring.to_packed.resize((first as usize + raw.n_words()) * 64, 0);
            for (position, &slot) in leaf.slots.iter().enumerate() {
                let (from, to) = (packing.field(slot), raw.field(SlotIdx::new(position)));
                for bit in 0..u32::from(from.width) {
                    let packed = from.word * 64 + u32::from(from.shift) + bit;
                    let raw = (first + to.word) * 64 + u32::from(to.shift) + bit;
                    wiring.to_raw[packed as usize] = (at as u32, raw);
                    wiring.to_packed[raw as usize] = packed;
                }
            }
            first += raw.n_words() as u32;
        }
        wiring.starts.push(first);
        wiring
    }

    /// The words of a leaf's raw value.
    #[inline]
    fn range(&self, leaf: usize) -> std::ops::Range<usize> {
        self.starts[leaf] as usize..self.starts[leaf + 1] as usize
    }

    fn bytes(&self) -> usize {
        self.to_raw.capacity() * size_of::<(u32, u32)>()
            + (self.to_packed.capacity() + self.starts.capacity()) * size_of::<u32>()
    }
}

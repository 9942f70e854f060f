//! The shape of the tree: which slots make a leaf, and how leaves are joined.
//!
//! The slots, in some order, are halved again and again until a part fits a leaf. Halves weigh the same, as far as a border
//! between slots that belong together allows; the weight of a slot is what its value tells, in bits, as estimated
//! from a sample. Slots that never change weigh nothing and end up deep in the tree, where nobody looks.

use petite_bits::{Packing, SlotIdx};

/// Bits of a leaf of several slots.
const LEAF_BITS: u32 = 8;

/// Slots in an order, with what is known of each.
#[derive(Clone, Debug)]
pub(super) struct Sequence {
    pub slots: Vec<SlotIdx>,
    /// Whether a slot is the first of some that belong together, by position.
    pub starts: Vec<bool>,
}

/// Leaves and how they are joined. Leaves have the numbers from zero, inner nodes those behind; the root has none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shape {
    /// The slots of each leaf.
    pub(super) leaves: Vec<Vec<SlotIdx>>,
    /// The children of each inner node, which have smaller numbers.
    pub(super) inner: Vec<(u32, u32)>,
    /// The children of the root.
    pub(super) root: (u32, u32),
}

/// A part of the tree while it is built.
enum Part {
    Leaf(Vec<SlotIdx>),
    Inner(Box<Part>, Box<Part>),
}

impl Shape {
    /// The shape of slots in the order of the state vector, all of the same weight.
    pub fn in_order(packing: &Packing) -> Shape {
        let slots: Vec<SlotIdx> = (0..packing.n_slots()).map(SlotIdx::new).collect();
        let starts = vec![false; slots.len()];
        let weights = vec![1.0; slots.len()];
        Shape::new(&Sequence { slots, starts }, &weights, packing, |_| false)
    }

    /// The shape of slots in an order. `weights` is by slot; a slot that is `alone` has a leaf to itself.
    pub(super) fn new(
        sequence: &Sequence,
        weights: &[f64],
        packing: &Packing,
        alone: impl Fn(SlotIdx) -> bool,
    ) -> Shape {
        let bits = |slot: SlotIdx| u32::from(packing.field(slot).width);
        let parts = Halving { sequence, weights, bits: &bits, alone: &alone };
        let root = match sequence.slots.len() {
            0 => None,
            n_slots => Some(parts.halve(0, n_slots)),
        };
        let (left, right) = match root {
            None => (Part::Leaf(Vec::new()), Part::Leaf(Vec::new())),
            Some(Part::Leaf(slots)) => (Part::Leaf(slots), Part::Leaf(Vec::new())),
            Some(Part::Inner(left, right)) => (*left, *right),
        };
        let mut shape = Shape::default();
        count_leaves(&left, &mut shape.leaves);
        count_leaves(&right, &mut shape.leaves);
        let mut next_leaf = 0;
        shape.root.0 = shape.number(&left, &mut next_leaf);
        shape.root.1 = shape.number(&right, &mut next_leaf);
        shape
    }

    /// Heap bytes owned.
    pub(super) fn bytes(&self) -> usize {
        let slots: usize = self.leaves.iter().map(Vec::capacity).sum();
        slots * size_of::<SlotIdx>()
            + self.leaves.capacity() * size_of::<Vec<SlotIdx>>()
            + self.inner.capacity() * size_of::<(u32, u32)>()
    }

    /// Numbers the inner nodes of a part, children first.
    fn number(&mut self, part: &Part, next_leaf: &mut u32) -> u32 {
        match part {
            Part::Leaf(_) => {
                *next_leaf += 1;
                *next_leaf - 1
            }
            Part::Inner(left, right) => {
                let children = (self.number(left, next_leaf), self.number(right, next_leaf));
                self.inner.push(children);
                (self.leaves.len() + self.inner.len() - 1) as u32
            }
        }
    }
}

fn count_leaves(part: &Part, leaves: &mut Vec<Vec<SlotIdx>>) {
    match part {
        Part::Leaf(slots) => leaves.push(slots.clone()),
        Part::Inner(left, right) => {
            count_leaves(left, leaves);
            count_leaves(right, leaves);
        }
    }
}

struct Halving<'a> {
    sequence: &'a Sequence,
    weights: &'a [f64],
    bits: &'a dyn Fn(SlotIdx) -> u32,
    alone: &'a dyn Fn(SlotIdx) -> bool,
}

impl Halving<'_> {
    fn halve(&self, from: usize, to: usize) -> Part {
        let slots = &self.sequence.slots[from..to];
        let bits: u32 = slots.iter().map(|&slot| (self.bits)(slot)).sum();
        if slots.len() == 1 || bits <= LEAF_BITS && !slots.iter().any(|&slot| (self.alone)(slot)) {
            return Part::Leaf(slots.to_vec());
        }
        let weight = |slot: &SlotIdx| self.weights[slot.index()] + 1e-3;
        let total: f64 = slots.iter().map(weight).sum();
        let mut before = 0.0;
        let (mut best, mut least) = (1, f64::INFINITY);
        for at in 1..slots.len() {
            before += weight(&slots[at - 1]);
            let imbalance = (2.0 * before - total).abs() / total;
            // A border is worth some imbalance.
            let cost = imbalance + if self.sequence.starts[from + at] { 0.0 } else { 0.25 };
            if cost < least {
                (best, least) = (at, cost);
            }
        }
        let middle = from + best;
        Part::Inner(Box::new(self.halve(from, middle)), Box::new(self.halve(middle, to)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_cover_all_slots_and_number_children_first() {
        for n in [0, 1, 2, 3, 8, 9, 100, 1000] {
            let packing = Packing::new(&(0..n).map(|i| (i % 5) as u8).collect::<Vec<_>>());
            let shape = Shape::in_order(&packing);
            let slots: Vec<SlotIdx> = shape.leaves.iter().flatten().copied().collect();
            assert_eq!(slots, (0..n).map(SlotIdx::new).collect::<Vec<_>>());
            for (at, &(left, right)) in shape.inner.iter().enumerate() {
                let number = (shape.leaves.len() + at) as u32;
                assert!(left < number && right < number);
            }
            assert_eq!(shape.leaves.len(), shape.inner.len() + 2);
        }
    }
}

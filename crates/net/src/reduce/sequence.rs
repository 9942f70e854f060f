//! Runs that transitions of a reduced net stand for.
//!
//! Agglomerating puts two of them one behind the other, over and over, so they share their parts: a sequence is one
//! original transition or two sequences.

use crate::TransIdx;

petite_bits::typed_index! {
    /// A sequence.
    pub struct SeqIdx;
}

/// All sequences. The first ones are the original transitions themselves.
#[derive(Clone, Debug)]
pub struct Sequences {
    n_transitions: usize,
    pairs: Vec<(SeqIdx, SeqIdx)>,
}

impl Sequences {
    /// The transitions of a net.
    pub fn new(n_transitions: usize) -> Sequences {
        Sequences { n_transitions, pairs: Vec::new() }
    }

    /// One after the other.
    pub fn then(&mut self, first: SeqIdx, second: SeqIdx) -> SeqIdx {
        self.pairs.push((first, second));
        SeqIdx::new(self.n_transitions + self.pairs.len() - 1)
    }

    /// The original transitions of a sequence.
    pub fn expand(&self, sequence: SeqIdx) -> Vec<TransIdx> {
        let (mut open, mut transitions) = (vec![sequence], Vec::new());
        while let Some(sequence) = open.pop() {
            match sequence.index().checked_sub(self.n_transitions) {
                None => transitions.push(TransIdx(sequence.0)),
                Some(pair) => {
                    let (first, second) = self.pairs[pair];
                    open.extend([second, first]);
                }
            }
        }
        transitions
    }

    /// The number of transitions of each sequence.
    pub fn lengths(&self) -> Vec<u64> {
        let mut lengths = vec![1u64; self.n_transitions];
        // A sequence consists of earlier ones.
        for (first, second) in &self.pairs {
            lengths.push(lengths[first.index()].saturating_add(lengths[second.index()]));
        }
        lengths
    }

    /// The transition that a sequence is, if it is only one.
    pub fn single(&self, sequence: SeqIdx) -> Option<TransIdx> {
        (sequence.index() < self.n_transitions).then_some(TransIdx(sequence.0))
    }

    /// The first and the last transition of a sequence.
    pub fn ends(&self, sequence: SeqIdx) -> (TransIdx, TransIdx) {
        let end = |pick: fn((SeqIdx, SeqIdx)) -> SeqIdx| {
            let mut at = sequence;
            while let Some(pair) = at.index().checked_sub(self.n_transitions) {
                at = pick(self.pairs[pair]);
            }
            TransIdx(at.0)
        };
        (end(|pair| pair.0), end(|pair| pair.1))
    }
}

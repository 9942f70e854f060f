//! Comparing the languages of two graphs.
//!
//! The motivation of paper 3 (section 3.2, and the work it cites on protocols and their services): hide what is not
//! seen from outside, and ask whether both can do the same sequences of the rest. Hiding makes a graph nondeterministic,
//! so a state of the comparison is the set of nodes that a word may lead to; sets are made as they are met. Pairs of sets
//! that a word leads to must accept alike. Hopcroft and Karp (1971): pairs that are known to be equivalent by others need
//! not be looked at, which a union-find structure tells.
//!
//! **Cost.** The number of sets may be exponential in that of nodes; a limit ends it. Without hidden labels every set
//! has one node, and the effort is nearly linear.

use std::collections::HashMap;

use crate::{ActionName, Graph, Labels, NodeId, Reader};

/// Which words are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Words {
    /// All that can happen from the initial state on.
    All,
    /// Those that may end in a node without successor.
    Halting,
}

/// What a comparison found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// Both have the same words.
    Equal,
    /// One has a word that the other has not.
    Different {
        /// The word.
        word: Vec<String>,
        /// Which graph has it: 0 or 1.
        only_in: usize,
    },
}

/// Why graphs cannot be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CompareError {
    /// A graph has no labels.
    NoLabels,
    /// There are more sets of nodes than allowed.
    TooManySets,
    /// The system gave no more memory.
    OutOfMemory,
}

impl std::fmt::Display for CompareError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            CompareError::NoLabels => "a graph without labels has no words to compare",
            CompareError::TooManySets => "too many sets of nodes have to be told apart",
            CompareError::OutOfMemory => "out of memory",
        })
    }
}

impl std::error::Error for CompareError {}

/// Compares the words of two graphs. Actions that look alike in words are the same letter; those that `is_hidden` says are
/// no letter at all. At most `most_sets` sets of nodes are made.
///
/// # Errors
/// Where a graph has no labels, or memory or sets run out.
pub fn compare_languages(
    graphs: [&Graph; 2],
    is_hidden: &dyn Fn(&Graph, &ActionName) -> bool,
    words: Words,
    most_sets: usize,
) -> Result<Comparison, CompareError> {
    if graphs.iter().any(|graph| graph.labels() == Labels::Left) {
        return Err(CompareError::NoLabels);
    }
    let mut texts = Vec::new();
    let mut letters = HashMap::new();
    let sides = graphs.map(|graph| {
        let letter = |action: &ActionName| {
            (!is_hidden(graph, action)).then(|| {
                *letters.entry(action.text.clone()).or_insert_with(|| {
                    texts.push(action.text.clone());
                    texts.len() as u32 - 1
                })
            })
        };
        let letters: Vec<Option<u32>> = graph.actions().iter().map(letter).collect();
        let n_met = if letters.iter().any(Option::is_none) { graph.n_nodes() } else { 0 };
        Side { reader: graph.reader(), letters, words, met: vec![0; n_met], n_closures: 0 }
    });
    Comparer { sides, sets: Sets::default(), most_sets, pairs: Vec::new() }.compare(&texts)
}

/// One of the graphs.
struct Side<'g> {
    reader: Reader<'g>,
    /// The letter of each label; none where it is hidden.
    letters: Vec<Option<u32>>,
    words: Words,
    /// For each node the number of the closure that met it last; empty where nothing is hidden.
    met: Vec<u32>,
    n_closures: u32,
}

/// Sets of nodes, numbered as they are met.
#[derive(Default)]
struct Sets {
    numbers: HashMap<(usize, Box<[NodeId]>), u32>,
    all: Vec<(usize, Box<[NodeId]>)>,
    /// Union-find: a set that is known to be equivalent; itself for a representative.
    parents: Vec<u32>,
}

/// A pair of sets that a word leads to.
struct Pair {
    sets: [u32; 2],
    /// The pair before, and the letter that led here.
    before: Option<(usize, u32)>,
}

struct Comparer<'g> {
    sides: [Side<'g>; 2],
    sets: Sets,
    most_sets: usize,
    pairs: Vec<Pair>,
}

impl Comparer<'_> {
    fn compare(mut self, texts: &[String]) -> Result<Comparison, CompareError> {
        let starts = [self.set(0, vec![NodeId(0)])?, self.set(1, vec![NodeId(0)])?];
        self.push(starts, None)?;
        let mut next = 0;
        while next < self.pairs.len() {
            let sets = self.pairs[next].sets;
            let accepts = [self.accepts(sets[0]), self.accepts(sets[1])];
            if accepts[0] != accepts[1] {
                let word = self.word(next).iter().map(|&letter| texts[letter as usize].clone()).collect();
                return Ok(Comparison::Different { word, only_in: usize::from(accepts[1]) });
            }
            let moves = [self.moves(sets[0]), self.moves(sets[1])];
            let mut rest = [&moves[0][..], &moves[1][..]];
            while let Some(letter) = rest.iter().filter_map(|moves| moves.first()).map(|m| m.0).min() {
                let mut targets = [0; 2];
                for side in 0..2 {
                    let n = rest[side].partition_point(|m| m.0 == letter);
                    let (here, behind) = rest[side].split_at(n);
                    targets[side] = self.set(side, here.iter().map(|m| m.1).collect())?;
                    rest[side] = behind;
                }
                self.push(targets, Some((next, letter)))?;
            }
            next += 1;
        }
        Ok(Comparison::Equal)
    }

    /// The edges with a letter that leave a set, sorted by letter.
    fn moves(&mut self, set: u32) -> Vec<(u32, NodeId)> {
        let (side, nodes) = &self.sets.all[set as usize];
        let side = &mut self.sides[*side];
        let mut moves = Vec::new();
        for &node in nodes {
            let edges = side.reader.edges(node).iter();
            moves.extend(edges.filter_map(|e| Some((side.letters[e.label.index()]?, e.target))));
        }
        moves.sort_unstable();
        moves
    }

    /// Whether a word that leads to a set is one of those that are compared.
    fn accepts(&mut self, set: u32) -> bool {
        let (side, nodes) = &self.sets.all[set as usize];
        let side = &mut self.sides[*side];
        match side.words {
            Words::All => !nodes.is_empty(),
            Words::Halting => nodes.iter().any(|&node| side.reader.is_dead(node)),
        }
    }

    /// The number of the set of all nodes that hidden edges lead to from these.
    fn set(&mut self, side: usize, mut nodes: Vec<NodeId>) -> Result<u32, CompareError> {
        let Side { reader, letters, met, n_closures, .. } = &mut self.sides[side];
        if !met.is_empty() {
            *n_closures += 1;
            let mut is_new =
                |node: NodeId| std::mem::replace(&mut met[node.index()], *n_closures) != *n_closures;
            nodes.retain(|&node| is_new(node));
            let mut next = 0;
            while next < nodes.len() {
                for edge in reader.edges(nodes[next]) {
                    if letters[edge.label.index()].is_none() && is_new(edge.target) {
                        nodes.push(edge.target);
                    }
                }
                next += 1;
            }
        }
        nodes.sort_unstable();
        nodes.dedup();
        let key = (side, nodes.into_boxed_slice());
        if let Some(&number) = self.sets.numbers.get(&key) {
            return Ok(number);
        }
        let number = self.sets.all.len();
        if number >= self.most_sets.min(u32::MAX as usize) {
            return Err(CompareError::TooManySets);
        }
        let (all, parents, numbers) = (&mut self.sets.all, &mut self.sets.parents, &mut self.sets.numbers);
        let reserved = all.try_reserve(1).is_ok() && parents.try_reserve(1).is_ok();
        if !reserved || numbers.try_reserve(1).is_err() {
            return Err(CompareError::OutOfMemory);
        }
        all.push(key.clone());
        parents.push(number as u32);
        numbers.insert(key, number as u32);
        Ok(number as u32)
    }

    /// Takes note of a pair that has to be equivalent, unless that is known.
    fn push(&mut self, sets: [u32; 2], before: Option<(usize, u32)>) -> Result<(), CompareError> {
        let [a, b] = sets.map(|set| self.sets.root(set));
        if a == b {
            return Ok(());
        }
        self.sets.parents[a as usize] = b;
        self.pairs.try_reserve(1).map_err(|_| CompareError::OutOfMemory)?;
        self.pairs.push(Pair { sets, before });
        Ok(())
    }

    /// The letters that led to a pair.
    fn word(&self, pair: usize) -> Vec<u32> {
        let mut letters = Vec::new();
        let mut at = &self.pairs[pair];
        while let Some((before, letter)) = at.before {
            letters.push(letter);
            at = &self.pairs[before];
        }
        letters.reverse();
        letters
    }
}

impl Sets {
    fn root(&mut self, mut set: u32) -> u32 {
        while self.parents[set as usize] != set {
            let above = self.parents[self.parents[set as usize] as usize];
            self.parents[set as usize] = above;
            set = above;
        }
        set
    }
}

//! The states that a sweep holds: a set from which states can be taken away.
//!
//! ```text
//!  table     hash -> entry
//!  entries   | words | hash, number, next, kind |        the entries of a layer are a list
//!  free      entries that were taken away
//! ```
//!
//! **Cost.** The packed vector in words, 24 bytes beside it, and about 5 in the table.

use hashbrown::HashTable;
use petite_bits::{OutOfMemory, Packing, Repacking};
use petite_store::StateId;

petite_bits::typed_index! {
    /// A state in the window.
    pub struct EntryIdx;
}

/// No entry.
pub const NONE: EntryIdx = EntryIdx(u32::MAX);

/// What is to be done with a state of the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It has a number of this sweep and is to be expanded.
    New,
    /// It was expanded in an earlier sweep and is to be replayed.
    Old,
    /// It was replayed.
    Replayed,
}

/// States by their words.
#[derive(Debug, Default)]
pub struct Window {
    words: Vec<u64>,
    n_words: usize,
    records: Vec<Record>,
    free: Vec<EntryIdx>,
    table: HashTable<EntryIdx>,
}

#[derive(Clone, Copy, Debug)]
struct Record {
    hash: u64,
    number: StateId,
    next: EntryIdx,
    kind: Kind,
    is_persistent: bool,
}

impl Window {
    /// An empty window of states packed like this.
    pub fn new(packing: &Packing) -> Window {
        Window { n_words: packing.n_words(), ..Window::default() }
    }

    /// Number of states.
    pub fn len(&self) -> usize {
        self.table.len()
    }

    /// The entry of a state.
    #[inline]
    pub fn find(&self, words: &[u64], hash: u64) -> Option<EntryIdx> {
        let is_it =
            |entry: &EntryIdx| self.records[entry.index()].hash == hash && self.words(*entry) == words;
        self.table.find(hash, is_it).copied()
    }

    /// Adds a state that is not there.
    pub fn insert(
        &mut self,
        words: &[u64],
        hash: u64,
        number: StateId,
        kind: Kind,
    ) -> Result<EntryIdx, OutOfMemory> {
        let Window { table, records, .. } = self;
        table.try_reserve(1, |entry| records[entry.index()].hash).map_err(|_| OutOfMemory)?;
        let record = Record { hash, number, next: NONE, kind, is_persistent: false };
        let entry = match self.free.pop() {
            Some(entry) => {
                self.words[entry.index() * self.n_words..][..self.n_words].copy_from_slice(words);
                self.records[entry.index()] = record;
                entry
            }
            None => {
                // Both first, so that nothing has changed where there is too little.
                reserve(&mut self.words, self.n_words)?;
                reserve(&mut self.records, 1)?;
                self.words.extend_from_slice(words);
                self.records.push(record);
                EntryIdx::new(self.records.len() - 1)
            }
        };
        let records = &self.records;
        self.table.insert_unique(hash, entry, |entry| records[entry.index()].hash);
        Ok(entry)
    }

    /// Takes a state away.
    pub fn remove(&mut self, entry: EntryIdx) -> Result<(), OutOfMemory> {
        reserve(&mut self.free, 1)?;
        let hash = self.records[entry.index()].hash;
        if let Ok(found) = self.table.find_entry(hash, |other| *other == entry) {
            found.remove();
            self.free.push(entry);
        }
        Ok(())
    }

    /// The packed words of a state.
    #[inline]
    pub fn words(&self, entry: EntryIdx) -> &[u64] {
        &self.words[entry.index() * self.n_words..][..self.n_words]
    }

    /// The hash of a state.
    #[inline]
    pub fn hash(&self, entry: EntryIdx) -> u64 {
        self.records[entry.index()].hash
    }

    /// The number of a state.
    #[inline]
    pub fn number(&self, entry: EntryIdx) -> StateId {
        self.records[entry.index()].number
    }

    /// What is to be done with a state.
    #[inline]
    pub fn kind(&self, entry: EntryIdx) -> Kind {
        self.records[entry.index()].kind
    }

    /// Whether the state is kept elsewhere, too.
    pub fn is_persistent(&self, entry: EntryIdx) -> bool {
        self.records[entry.index()].is_persistent
    }

    /// Says that the state is kept elsewhere, too.
    pub fn set_persistent(&mut self, entry: EntryIdx) {
        self.records[entry.index()].is_persistent = true;
    }

    /// Changes a state's number, and what is to be done with it.
    pub fn set(&mut self, entry: EntryIdx, number: StateId, kind: Kind) {
        let record = &mut self.records[entry.index()];
        (record.number, record.kind) = (number, kind);
    }

    /// The next state of the list.
    #[inline]
    pub fn next(&self, entry: EntryIdx) -> EntryIdx {
        self.records[entry.index()].next
    }

    /// Links a state behind another one.
    pub fn link(&mut self, entry: EntryIdx, next: EntryIdx) {
        self.records[entry.index()].next = next;
    }

    /// Changes the packing of all states. Hashes do not depend on it.
    pub fn repack(&mut self, from: &Packing, to: &Packing) {
        Repacking::new(from, to).apply_all(&mut self.words);
        self.n_words = to.n_words();
    }

    /// Heap bytes owned.
    pub fn bytes(&self) -> usize {
        self.words.capacity() * size_of::<u64>()
            + self.records.capacity() * size_of::<Record>()
            + self.free.capacity() * size_of::<EntryIdx>()
            + self.table.allocation_size()
    }
}

/// Makes room for more, growing by an eighth.
pub fn reserve<T>(items: &mut Vec<T>, more: usize) -> Result<(), OutOfMemory> {
    if items.capacity() - items.len() < more {
        items.try_reserve_exact(more.max(items.len() / 8 + 4))?;
    }
    Ok(())
}

//! The store of states in difference form.

use petite_bits::{Hint, PackedVec, Packing, Repacking, SlotIdx, VectorArena};
use petite_model::Model;

use super::kinds::Kinds;
use super::record::Records;
use super::two_level::TwoLevel;
use crate::{Figure, Inserted, Lookup, Origin, StateId, StateSet, Store, StoreError};

/// States as differences to the states before them.
#[derive(Debug)]
pub struct Difference {
    /// Every so manieth level is explicit; none where all states are, and no difference is ever looked for.
    explicit_every: Option<u32>,
    index: TwoLevel,
    explicit: VectorArena,
    records: Records,
    /// For each state, the number of its explicit vector or the place of its record, above a bit that says which.
    places: PackedVec,
    /// For each state, how many levels the last explicit one is away.
    depths: PackedVec,
    /// A state that is being reconstructed, and the state before a new one.
    working: Vec<u64>,
    previous: Vec<u64>,
    /// The slots whose value is known while a state is reconstructed, as masks of their fields, and these values.
    decided: Vec<u64>,
    sum: Vec<u64>,
    changes: Vec<(u32, u32)>,
    kinds: Kinds,
    n_changes: u64,
    reconstructions: u64,
    steps: u64,
}

/// How one state is kept.
enum Form {
    Explicit(usize),
    Difference(u64),
}

impl Difference {
    /// A store whose explicit levels are δ apart; 0 is off: all states are explicit, as with 1, and nothing is computed
    /// beyond that.
    pub fn new(packing: &Packing, delta: u32) -> Difference {
        Difference {
            explicit_every: (delta > 0).then_some(delta),
            index: TwoLevel::default(),
            explicit: VectorArena::new(packing.n_bytes()),
            records: Records::default(),
            places: PackedVec::new(),
            depths: PackedVec::new(),
            working: Vec::new(),
            previous: Vec::new(),
            decided: Vec::new(),
            sum: Vec::new(),
            changes: Vec::new(),
            kinds: Kinds::default(),
            n_changes: 0,
            reconstructions: 0,
            steps: 0,
        }
    }

    /// States in explicit form.
    pub fn n_explicit(&self) -> usize {
        self.explicit.len()
    }

    /// Changed slots of all states in difference form together.
    pub fn n_changes(&self) -> u64 {
        self.n_changes
    }

    /// What happened to tokens in all states in difference form together.
    pub fn kinds(&self) -> Kinds {
        self.kinds
    }

    fn form(&self, id: u32) -> Form {
        let place = self.places.get(id as usize);
        match place & 1 {
            0 => Form::Explicit((place >> 1) as usize),
            _ => Form::Difference(place >> 1),
        }
    }

    /// Writes a state into the working state: RECONSTRUCT, Algorithm 3. Going back, the differences are added up: what a later
    /// one says of a slot holds. The rest is that of the explicit state. This takes no memory for the way, however long.
    fn reconstruct(&mut self, packing: &Packing, id: u32) {
        let n_words = packing.n_words();
        self.working.resize(n_words, 0);
        let (mut at, mut n_steps) = (id, 0);
        let number = loop {
            let place = match self.form(at) {
                Form::Explicit(number) => break number,
                Form::Difference(place) => place,
            };
            if n_steps == 0 {
                self.decided.clear();
                self.decided.resize(n_words, 0);
                self.sum.clear();
                self.sum.resize(n_words, 0);
            }
            n_steps += 1;
            let record = self.records.get(place);
            for (slot, value) in record.changes() {
                let field = packing.field(SlotIdx(slot));
                let mask = u64::from(field.max()) << field.shift;
                let decided = &mut self.decided[field.word as usize];
                // Fields only ever get wider, so what fitted once still fits.
                if *decided & mask == 0 {
                    *decided |= mask;
                    self.sum[field.word as usize] |= u64::from(value) << field.shift;
                }
            }
            at -= record.back;
        };
        self.explicit.get(number, &mut self.working);
        if n_steps > 0 {
            for ((word, decided), sum) in self.working.iter_mut().zip(&self.decided).zip(&self.sum) {
                *word = *word & !decided | sum;
            }
        }
        self.reconstructions += u64::from(n_steps > 0);
        self.steps += n_steps;
    }

    /// SEARCH, Algorithm 1: the identity of a state, if it is stored.
    fn look_up(&mut self, packing: &Packing, words: &[u64], hash: u64) -> Option<StateId> {
        let index = std::mem::take(&mut self.index);
        let found = index.find(hash, |id| match self.form(id) {
            Form::Explicit(number) => self.explicit.is(number, words),
            Form::Difference(_) => {
                self.reconstruct(packing, id);
                self.working == words
            }
        });
        self.index = index;
        found.map(StateId)
    }

    /// Writes the difference to the state before; gives its place, or nothing where the state has to be explicit.
    fn write_difference<M: Model>(
        &mut self,
        model: &mut M,
        words: &[u64],
        origin: Origin,
        id: u32,
    ) -> Result<(Option<u64>, u32), StoreError> {
        let (Some(every), Origin::Step { parent, action }) = (self.explicit_every, origin) else {
            return Ok((None, 0));
        };
        let depth = (self.depths.get(parent.index()) as u32 + 1) % every;
        if depth == 0 {
            return Ok((None, 0));
        }
        self.previous.clear();
        self.previous.extend_from_slice(words);
        if !model.is_reversible() || model.unfire(&mut self.previous, &mut 0, action).is_err() {
            self.reconstruct(model.packing(), parent.0);
            self.previous.clone_from(&self.working);
        }
        let packing = model.packing();
        let values = |slot| (slot, packing.get(&self.previous, slot), packing.get(words, slot));
        let changed: Vec<(SlotIdx, u32, u32)> = packing.changed(&self.previous, words).map(values).collect();
        self.changes.clear();
        self.changes.extend(changed.iter().map(|&(slot, _, after)| (slot.0, after)));
        let place = self.records.push(id - parent.0, &self.changes, packing.n_bytes())?;
        if place.is_none() {
            // It would take as much room as the state itself.
            return Ok((None, 0));
        }
        self.kinds.count(model.layout(), &changed);
        self.n_changes += changed.len() as u64;
        Ok((place, depth))
    }
}

impl StateSet for Difference {
    fn prefetch(&self, hash: u64) -> Hint {
        self.index.prefetch(hash);
        Hint::default()
    }

    fn len(&self) -> usize {
        self.places.len()
    }

    /// Differences name slots and values, and stay as they are.
    fn repack(&mut self, from: &Packing, to: &Packing) -> Result<(), StoreError> {
        Ok(self.explicit.repack(&Repacking::new(from, to), to.n_bytes())?)
    }

    fn bytes(&self) -> usize {
        self.index.bytes()
            + self.explicit.bytes()
            + self.records.bytes()
            + self.places.bytes()
            + self.depths.bytes()
            + (self.working.capacity() + self.previous.capacity()) * size_of::<u64>()
            + (self.decided.capacity() + self.sum.capacity()) * size_of::<u64>()
            + self.changes.capacity() * size_of::<(u32, u32)>()
    }

    fn vector_bytes(&self) -> usize {
        self.explicit.len() * self.explicit.vector_bytes() + self.records.used()
    }

    fn name(&self) -> &'static str {
        "difference"
    }

    fn figures(&self) -> Vec<Figure> {
        let differences = self.places.len() - self.explicit.len();
        let all_explicit = self.places.len() * self.explicit.vector_bytes();
        let saved = 1.0 - self.vector_bytes() as f64 / all_explicit.max(1) as f64;
        vec![
            Figure::count("delta", self.explicit_every.unwrap_or(0).into()),
            Figure::count("explicit states", self.explicit.len() as u64),
            Figure::count("states in difference form", differences as u64),
            Figure::number("bytes of a difference", self.records.used() as f64 / differences.max(1) as f64),
            Figure::number("part of the vectors' memory saved", saved),
            Figure::count("tokens moved", self.kinds.moved),
            Figure::count("tokens changed", self.kinds.changed),
            Figure::count("tokens created", self.kinds.created),
            Figure::count("tokens deleted", self.kinds.deleted),
            Figure::count("reconstructions", self.reconstructions),
            Figure::count("steps back for reconstructions", self.steps),
            Figure::count("slots hashed on two levels", self.index.n_tables() as u64),
        ]
    }
}

impl<M: Model> Store<M> for Difference {
    /// SEARCH and INSERT, Algorithms 1 and 2.
    fn insert(
        &mut self,
        model: &mut M,
        words: &[u64],
        hash: u64,
        origin: Origin,
    ) -> Result<Inserted, StoreError> {
        if let Some(id) = self.look_up(model.packing(), words, hash) {
            return Ok(Inserted { id, new: false });
        }
        let id = u32::try_from(self.places.len()).ok().filter(|&id| id < u32::MAX);
        let id = id.ok_or(StoreError::OutOfIds)?;
        let (record, depth) = self.write_difference(model, words, origin, id)?;
        let place = match record {
            Some(place) => place << 1 | 1,
            None => {
                self.explicit.push(words)?;
                (self.explicit.len() as u64 - 1) << 1
            }
        };
        // A record or vector that nothing names is only room that is lost.
        self.places.push(place)?;
        if let Err(error) = self.depths.push(u64::from(depth)) {
            self.places.pop();
            return Err(error.into());
        }
        if let Err(error) = self.index.insert(hash, id) {
            self.places.pop();
            self.depths.pop();
            return Err(error);
        }
        Ok(Inserted { id: StateId(id), new: true })
    }
}

impl<M: Model> Lookup<M> for Difference {
    fn get(&mut self, model: &mut M, id: StateId, words: &mut [u64]) {
        self.reconstruct(model.packing(), id.0);
        words.copy_from_slice(&self.working);
    }

    fn find(&mut self, model: &mut M, words: &[u64], hash: u64) -> Option<StateId> {
        self.look_up(model.packing(), words, hash)
    }
}

//! A leaf of the tree: a few slots whose values are numbered together.
//!
//! The bits of a leaf's slots, one behind the other, are its *raw* value. Raw values get dense identities in the order in which
//! they come. A leaf of few bits has a table with a cell for each raw value; a wider one, rare and mostly one wide count,
//! an index and an array. The number of an interned bag is dense already and is its own identity.

use petite_bits::{IdTable, OutOfMemory, Packing, Repacking, SlotIdx, VectorArena, mix64};

use crate::StoreError;

/// Bits of the widest leaf that has a table.
const TABLE_BITS: usize = 10;

/// No identity.
const NONE: u16 = u16::MAX;

/// Slots that are numbered together.
#[derive(Debug)]
pub(super) struct Leaf {
    pub slots: Vec<SlotIdx>,
    ids: Ids,
}

#[derive(Debug)]
enum Ids {
    /// The identity of each raw value, and the raw value of each identity.
    Table { ids: Vec<u16>, raws: Vec<u16> },
    /// The raw value is the identity.
    Itself,
    /// The same in general.
    Index { ids: IdTable, raws: VectorArena },
}

impl Leaf {
    /// A leaf whose raw values are packed like this. `is_dense` says that they are dense numbers already.
    pub fn new(slots: Vec<SlotIdx>, raw: &Packing, is_dense: bool) -> Result<Leaf, OutOfMemory> {
        let ids = match is_dense {
            true => Ids::Itself,
            false => Ids::new(raw)?,
        };
        Ok(Leaf { slots, ids })
    }

    /// How the raw values are packed when states are packed like this.
    pub fn raw_packing(slots: &[SlotIdx], packing: &Packing) -> Packing {
        Packing::new(&slots.iter().map(|&slot| packing.field(slot).width).collect::<Vec<_>>())
    }

    /// The identity of a raw value, which gets one if it has none.
    #[inline]
    pub fn id(&mut self, raw: &[u64]) -> Result<u32, StoreError> {
        match &mut self.ids {
            Ids::Table { ids, .. } => {
                let id = ids[raw[0] as usize];
                if id != NONE {
                    return Ok(u32::from(id));
                }
            }
            Ids::Itself => return Ok(raw[0] as u32),
            Ids::Index { .. } => {}
        }
        self.ids.insert(raw)
    }

    /// The identity of a raw value, if it has one.
    pub fn find(&self, raw: &[u64]) -> Option<u32> {
        match &self.ids {
            Ids::Table { ids, .. } => Some(ids[raw[0] as usize]).filter(|&id| id != NONE).map(u32::from),
            Ids::Itself => Some(raw[0] as u32),
            Ids::Index { ids, raws } => ids.find(hash(raw), |id| raws.is(id as usize, raw)).ok(),
        }
    }

    /// The raw value of an identity.
    #[inline]
    pub fn raw(&self, id: u32, raw: &mut [u64]) {
        match &self.ids {
            Ids::Table { raws, .. } => raw[0] = u64::from(raws[id as usize]),
            Ids::Itself => raw[0] = u64::from(id),
            Ids::Index { raws, .. } => raws.get(id as usize, raw),
        }
    }

    /// Changes how raw values are packed. Identities stay.
    pub fn repack(&mut self, from: &Packing, to: &Packing) -> Result<(), StoreError> {
        if matches!(self.ids, Ids::Itself) || from == to {
            return Ok(());
        }
        let repacking = Repacking::new(from, to);
        let mut wider = Ids::new(to)?;
        let (mut narrow, mut wide) = (vec![0; from.n_words()], vec![0; to.n_words()]);
        for id in 0..self.ids.len() {
            self.raw(id as u32, &mut narrow);
            repacking.apply(&narrow, &mut wide);
            wider.insert(&wide)?;
        }
        self.ids = wider;
        Ok(())
    }

    /// Number of identities; unknown where they are the values themselves.
    pub fn len(&self) -> Option<usize> {
        (!matches!(self.ids, Ids::Itself)).then(|| self.ids.len())
    }

    /// Heap bytes owned.
    pub fn bytes(&self) -> usize {
        let ids = match &self.ids {
            Ids::Table { ids, raws } => (ids.capacity() + raws.capacity()) * size_of::<u16>(),
            Ids::Itself => 0,
            Ids::Index { ids, raws } => ids.bytes() + raws.bytes(),
        };
        ids + self.slots.capacity() * size_of::<SlotIdx>()
    }
}

impl Ids {
    fn new(raw: &Packing) -> Result<Ids, OutOfMemory> {
        if raw.n_bits() > TABLE_BITS {
            return Ok(Ids::Index { ids: IdTable::new(), raws: VectorArena::new(raw.n_bytes()) });
        }
        let mut ids = Vec::new();
        ids.try_reserve_exact(1 << raw.n_bits())?;
        ids.resize(1 << raw.n_bits(), NONE);
        Ok(Ids::Table { ids, raws: Vec::new() })
    }

    fn len(&self) -> usize {
        match self {
            Ids::Table { raws, .. } => raws.len(),
            Ids::Itself => 0,
            Ids::Index { raws, .. } => raws.len(),
        }
    }

    #[cold]
    fn insert(&mut self, raw: &[u64]) -> Result<u32, StoreError> {
        match self {
            Ids::Table { ids, raws } => {
                let id = raws.len();
                if raws.capacity() == id {
                    raws.try_reserve_exact(id / 2 + 2).map_err(|_| StoreError::OutOfMemory)?;
                }
                raws.push(raw[0] as u16);
                ids[raw[0] as usize] = id as u16;
                Ok(id as u32)
            }
            Ids::Itself => Ok(raw[0] as u32),
            Ids::Index { ids, raws } => {
                let gap = match ids.find(hash(raw), |id| raws.is(id as usize, raw)) {
                    Ok(id) => return Ok(id),
                    Err(gap) => gap,
                };
                let id = u32::try_from(raws.len()).ok().filter(|&id| id <= IdTable::MAX_ID);
                let id = id.ok_or(StoreError::OutOfIds)?;
                raws.push(raw)?;
                if let Err(error) = ids.insert(gap, id) {
                    raws.pop();
                    return Err(error.into());
                }
                Ok(id)
            }
        }
    }
}

fn hash(raw: &[u64]) -> u64 {
    raw.iter().fold(0, |sum, &word| mix64(sum ^ word))
}

//! Codes that are written anew, with codecs made for this test.

mod inert;

use petite_bits::{BitReader, BitWriter, OutOfMemory, Outgrown, Packing, SlotIdx, mix64, width_of};
use petite_model::Model;
use petite_store::{
    CodeError, Codec, Coded, Codes, Coding, Inserted, Lookup, Origin, StateId, StateSet, Store,
};

use inert::Inert;

/// Each slot in as many bits as the largest value so far; where `is_fixed` is not set, slots that are zero take one
/// bit alone.
struct Growing {
    widths: Vec<u32>,
    before: Vec<u32>,
    is_fixed: bool,
}

impl Growing {
    fn new(n_slots: usize, is_fixed: bool) -> Growing {
        Growing { widths: vec![0; n_slots], before: vec![0; n_slots], is_fixed }
    }

    fn put(&self, values: impl Iterator<Item = u64>, code: &mut BitWriter) {
        for (value, &width) in values.zip(&self.widths) {
            if !self.is_fixed {
                code.put(u64::from(value > 0), 1);
            }
            if self.is_fixed || value > 0 {
                code.put(value, width);
            }
        }
    }

    fn values(&self, mut code: BitReader<'_>, widths: &[u32]) -> Vec<u64> {
        let is_there = |code: &mut BitReader<'_>| self.is_fixed || code.take(1) > 0;
        widths.iter().map(|&width| if is_there(&mut code) { code.take(width) } else { 0 }).collect()
    }
}

impl Coding for Growing {
    fn name(&self) -> &'static str {
        "growing"
    }

    fn fixed_bytes(&self) -> Option<usize> {
        self.is_fixed.then(|| self.widths.iter().sum::<u32>().div_ceil(8) as usize)
    }

    fn repack(&mut self, _: &Packing, _: &Packing) -> Result<Codes, OutOfMemory> {
        Ok(Codes::Keep)
    }

    fn recode(&mut self, old: &[u8], new: &mut BitWriter) {
        let values = self.values(BitReader::new(old), &self.before);
        self.put(values.into_iter(), new);
    }

    fn bytes(&self) -> usize {
        (self.widths.capacity() + self.before.capacity()) * size_of::<u32>()
    }
}

impl Codec<Inert> for Growing {
    fn encode(&mut self, model: &mut Inert, words: &[u64], code: &mut BitWriter) -> Result<(), CodeError> {
        let packing = model.packing();
        let values = || (0..packing.n_slots()).map(|slot| packing.get(words, SlotIdx::new(slot)));
        if values().zip(&self.widths).any(|(value, &width)| u32::from(width_of(value)) > width) {
            self.before.clone_from(&self.widths);
            for (value, width) in values().zip(&mut self.widths) {
                *width = (*width).max(u32::from(width_of(value)));
            }
            return Err(CodeError::Recode);
        }
        self.put(values().map(u64::from), code);
        Ok(())
    }

    fn decode(&mut self, model: &mut Inert, code: BitReader<'_>, words: &mut [u64]) {
        words.fill(0);
        for (slot, value) in self.values(code, &self.widths).into_iter().enumerate() {
            model.packing().set(words, SlotIdx::new(slot), value as u32).unwrap();
        }
    }
}

#[test]
fn states_stay_the_same_while_their_codes_grow() {
    for is_fixed in [true, false] {
        let mut model = Inert::new(&Packing::new(&[3, 3, 3]));
        let mut store = Coded::new(Growing::new(3, is_fixed));
        let state = |i: u32| [i % 7, mix64(u64::from(i)) as u32 % (1 + i / 100), i];
        let packed = |model: &mut Inert, i: u32, store: &mut Coded<Growing>| {
            let mut words = vec![0; model.packing().n_words()];
            for (slot, value) in state(i).into_iter().enumerate() {
                while let Err(outgrown) = model.packing().set(&mut words, SlotIdx::new(slot), value) {
                    let narrow: Packing = model.widen(Outgrown { value: outgrown.value * 2, ..outgrown });
                    let mut wider = vec![0; model.packing().n_words()];
                    narrow.repack(&words, model.packing(), &mut wider).unwrap();
                    words = wider;
                    store.repack(&narrow, model.packing()).unwrap();
                }
            }
            words
        };
        for repeat in 0..2 {
            for i in 0..20_000 {
                let words = packed(&mut model, i, &mut store);
                let hash = model.packing().hash(&words);
                let expected = Inserted { id: StateId(i), new: repeat == 0 };
                assert_eq!(store.insert(&mut model, &words, hash, Origin::Initial), Ok(expected));
            }
        }
        let mut words = vec![0; model.packing().n_words()];
        for i in 0..20_000 {
            store.get(&mut model, StateId(i), &mut words);
            assert_eq!(words, packed(&mut model, i, &mut store), "state {i}");
        }
        assert_eq!(store.codec().fixed_bytes().is_some(), is_fixed);
        assert!(store.vector_bytes() > 20_000 && store.vector_bytes() <= 20_000 * 4 + 20_000);
    }
}

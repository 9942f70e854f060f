//! Stores own what they say they own, and growing needs little more than that.
//!
//! All checks are in one test, so that nothing else allocates meanwhile.

mod inert;
#[allow(dead_code, reason = "other tests use the rest of it")]
mod ring;

use std::num::NonZeroU32;

use petite_bits::{CountingAllocator, Outgrown, Packing, SlotIdx};
use petite_model::{ActionId, Model};
use petite_store::{
    Batching, Bitstate, Coded, Delta, DeltaConfig, DiagramStore, Difference, DigitSource, Frontier,
    HashCompact, IndexedTree, Lookup, Multiset, MultisetOptions, Obdd, Ondd, Origin, PartDigits, Plain,
    Scheme, SlotDigits, StateId, StateSet, Store, Stratified, Switch, Tabled, Tree,
};

use inert::Inert;
use ring::Ring;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator::new();

/// Bytes that do not grow with the number of states: the runner of the tests may allocate a little.
const CONSTANT: usize = 4096;

/// Bytes that threads of another crate may keep for the next store.
const KEPT_BY_THREADS: usize = 16 << 10;

/// Bytes of a codec's tables, in the largest case.
const TABLES: usize = 80_000;

#[test]
fn bytes_are_what_was_allocated() {
    at_every_size(|model| Plain::new(model.packing()), 0);
    at_every_size(|model| Coded::new(Multiset::new(model, MultisetOptions::PAPER)), TABLES);
    growing_has_no_peak(2_000_000, 1.3);
    repacking_has_no_peak();
    of_every_size(|packing| HashCompact::new(47, packing.n_bits() as u64));
    of_every_size(|_| Bitstate::new(1 << 20, 3, 1).unwrap());
    for scheme in [Scheme::Compress, Scheme::NewCollapse] {
        let tabled = |packing: &Packing| Tabled::new(scheme, Inert::new(packing).layout(), packing);
        of_every_size(|packing| Coded::new(tabled(packing)));
        of_every_size(|packing| {
            DiagramStore::new(Ondd::new(), PartDigits::new(tabled(packing)), Batching::Batches)
        });
    }
    of_every_size(|packing| {
        let slots: Vec<SlotIdx> = (0..packing.n_slots()).map(SlotIdx::new).collect();
        let digits = SlotDigits::new(Inert::new(packing).layout(), packing, &slots, "file");
        DiagramStore::new(Ondd::new(), digits, Batching::Batches)
    });
    trees_at_every_size();
    for collapse in [Switch::Off, Switch::On] {
        let config = DeltaConfig { collapse, ..DeltaConfig::new(NonZeroU32::new(7).unwrap()) };
        steps_at_every_size(|ring| Delta::breadth_first(ring.layout(), ring.packing(), config));
        steps_at_every_size(|ring| Delta::any_order(ring.layout(), ring.packing(), config));
        steps_at_every_size(|ring| Stratified::new(ring.layout(), ring.packing(), config, usize::MAX));
    }
    steps_at_every_size(|ring| Difference::new(ring.packing(), 7));
    // Last, because its memory may be freed later than it is dropped.
    for batching in [Batching::Batches, Batching::Single] {
        let obdd = |packing: &Packing| {
            let slots: Vec<SlotIdx> = (0..packing.n_slots()).map(SlotIdx::new).collect();
            let digits = SlotDigits::new(Inert::new(packing).layout(), packing, &slots, "file");
            let obdd = Obdd::new(digits.format()).unwrap();
            DiagramStore::new(obdd, digits, batching)
        };
        of_every_size_within(obdd, 2);
    }
}

/// What a store says it owns is what was allocated, now and then.
fn of_every_size<S: Store<Inert>>(make: impl Fn(&Packing) -> S) {
    of_every_size_within(make, 50);
}

/// The same, but a store may say too much by a part of what it owns: one whose tables are another crate's, which may make
/// them smaller unseen.
fn of_every_size_within<S: Store<Inert>>(make: impl Fn(&Packing) -> S, part: usize) {
    for widths in [vec![12, 12], vec![32; 4]] {
        let packing = Packing::new(&widths);
        let mut words = vec![0; packing.n_words()];
        let mut model = Inert::new(&packing);
        let before = ALLOCATOR.current();
        let mut store = make(&packing);
        for i in 0..100_000 {
            words.fill(0);
            let low = packing.field(SlotIdx(0)).max();
            packing.set(&mut words, SlotIdx(0), i & low).unwrap();
            packing.set(&mut words, SlotIdx(1), (i / (low >> 1)) ^ (i % 7)).unwrap();
            let hash = packing.hash(&words);
            store.insert(&mut model, &words, hash, Origin::Initial).unwrap();
            if (i + 1).is_power_of_two() || i % 9973 == 0 {
                let (said, real) = (store.bytes(), ALLOCATOR.current() - before);
                let name = store.name();
                assert!(
                    said <= real + real / part + CONSTANT && real <= said + real / 50 + CONSTANT,
                    "{name}: {said} bytes said, {real} allocated, {i} states"
                );
            }
        }
        drop(store);
        // A thread of the crate behind a store may be the one that frees it.
        let is_freed = || ALLOCATOR.current() <= before + CONSTANT + KEPT_BY_THREADS;
        let waits = (0..500).take_while(|_| !is_freed());
        waits.for_each(|_| std::thread::sleep(std::time::Duration::from_millis(10)));
        assert!(is_freed(), "{} bytes are left", ALLOCATOR.current() - before);
    }
}

/// A store at many numbers of states; it may own so many bytes whatever their number.
fn at_every_size<S: Store<Inert>>(make: impl Fn(&mut Inert) -> S, tables: usize) {
    for widths in [vec![12, 12], vec![32; 4], vec![32; 60]] {
        let packing = Packing::new(&widths);
        let mut words = vec![0; packing.n_words()];
        let mut model = Inert::new(&packing);
        let before = ALLOCATOR.current();
        let mut store = make(&mut model);
        for i in 0..300_000 {
            insert(&mut store, &mut model, &mut words, i);
            if (i + 1).is_power_of_two() || i % 9973 == 0 {
                let (said, real) = (store.bytes(), ALLOCATOR.current() - before);
                assert!(
                    said.abs_diff(real) <= real / 50 + CONSTANT,
                    "{said} bytes said, {real} allocated, {i} states"
                );
            }
            if i == 10 {
                assert!(
                    store.bytes() < 16 * packing.n_bytes() + 1000 + tables,
                    "{} for ten states",
                    store.bytes()
                );
            }
        }
        drop(store);
        assert!(ALLOCATOR.current() <= before + CONSTANT);
    }
}

/// A store of steps while all states of a ring are found, oldest first.
fn steps_at_every_size<S: Lookup<Ring>>(make: impl Fn(&Ring) -> S) {
    let mut model = Ring::wide(8, 12);
    let n_words = model.packing().n_words();
    let (mut words, mut successor) = (vec![0; n_words], vec![0; n_words]);
    let mut actions: Vec<ActionId> = Vec::with_capacity(64);
    model.initial(&mut words).unwrap();
    let before = ALLOCATOR.current();
    let mut store = make(&model);
    let hash = model.packing().hash(&words);
    store.insert(&mut model, &words, hash, Origin::Initial).unwrap();
    let (mut next, mut check_at) = (0, 1);
    while next < store.len() {
        let parent = StateId::new(next);
        next += 1;
        store.get(&mut model, parent, &mut words);
        actions.clear();
        model.enabled(&words, &mut actions).unwrap();
        for &action in &actions {
            successor.copy_from_slice(&words);
            let mut hash = model.packing().hash(&words);
            model.fire(&mut successor, &mut hash, action).unwrap();
            let guess = store.guess(hash, store.prefetch(hash));
            let origin = Origin::Step { parent, action };
            store.insert_guessed(&mut model, &successor, hash, origin, guess).unwrap();
        }
        if store.len() >= check_at {
            check_at = store.len() + store.len() / 10;
            let (said, real) = (store.bytes(), ALLOCATOR.current() - before);
            assert!(
                said.abs_diff(real) <= real / 50 + CONSTANT,
                "{said} bytes said by {}, {real} allocated, {} states",
                store.name(),
                store.len()
            );
        }
    }
    assert_eq!(store.len() as u64, model.n_states());
    drop(store);
    assert!(ALLOCATOR.current() <= before + CONSTANT);
}

/// Both trees, with few halves, as states have them.
fn trees_at_every_size() {
    let packing = Packing::new(&[6; 6]);
    let mut words = vec![0; packing.n_words()];
    let mut model = Inert::new(&packing);
    let mut fill = |store: &mut dyn Store<Inert>, before: usize, most_peak: f64| {
        ALLOCATOR.reset_peak();
        for i in 0..600_000u32 {
            for (slot, shift) in [0, 3, 6, 9, 12, 15].into_iter().enumerate() {
                packing.set(&mut words, SlotIdx::new(slot), i >> shift & 15).unwrap();
            }
            store.insert(&mut model, &words, 0, Origin::Initial).unwrap();
            if (i + 1).is_power_of_two() || i % 9973 == 0 {
                let (said, real) = (store.bytes(), ALLOCATOR.current() - before);
                assert!(
                    said.abs_diff(real) <= real / 50 + CONSTANT,
                    "{said} bytes said by {}, {real} allocated, {i} insertions",
                    store.name()
                );
            }
        }
        let ratio = (ALLOCATOR.peak() - before) as f64 / store.bytes() as f64;
        assert!(ratio < most_peak, "the peak was {ratio} times what is kept by {}", store.name());
    };
    for frontier in [Frontier::Inside, Frontier::Outside] {
        let before = ALLOCATOR.current();
        let mut store = Tree::new(&mut Inert::new(&packing), frontier).unwrap();
        fill(&mut store, before, 1.3);
    }
    let before = ALLOCATOR.current();
    let mut store = IndexedTree::new(&mut Inert::new(&packing)).unwrap();
    fill(&mut store, before, 2.1);
}

fn growing_has_no_peak(n: u32, most: f64) {
    let packing = Packing::new(&[32; 4]);
    let mut words = vec![0; packing.n_words()];
    let mut model = Inert::new(&packing);
    let before = ALLOCATOR.current();
    ALLOCATOR.reset_peak();
    let mut store = Plain::new(&packing);
    for i in 0..n {
        insert(&mut store, &mut model, &mut words, i);
    }
    let ratio = (ALLOCATOR.peak() - before) as f64 / store.bytes() as f64;
    assert!(ratio < most, "the peak was {ratio} times what is kept");
}

fn repacking_has_no_peak() {
    let packing = Packing::new(&[20, 12, 32, 32]);
    let wider = packing.widened(Outgrown { slot: SlotIdx(0), value: u32::MAX });
    assert_eq!((packing.n_bytes(), wider.n_bytes()), (12, 16));
    let mut words = vec![0; packing.n_words()];
    let mut model = Inert::new(&packing);
    let mut store = Plain::new(&packing);
    for i in 0..1_000_000 {
        insert(&mut store, &mut model, &mut words, i);
    }
    let (before, bytes) = (ALLOCATOR.current(), store.bytes());
    ALLOCATOR.reset_peak();
    store.repack(&packing, &wider).unwrap();
    let (more, kept) = (ALLOCATOR.peak() - before, store.bytes() - bytes);
    assert!(more < kept + (3 << 20), "{more} bytes more while repacking, {kept} afterwards");
    store.get(&mut model, StateId(77), &mut words);
    assert_eq!(wider.get(&words, SlotIdx(0)), 77);
}

/// Inserts the state that counts to `i` in its first slots; every state is new.
fn insert<S: Store<Inert>>(store: &mut S, model: &mut Inert, words: &mut [u64], i: u32) {
    words.fill(0);
    let packing = model.packing();
    let low = packing.field(SlotIdx(0)).max();
    packing.set(words, SlotIdx(0), i & low).unwrap();
    packing.set(words, SlotIdx(1), i / (low >> 1)).unwrap();
    let hash = packing.hash(words);
    assert!(store.insert(model, words, hash, Origin::Initial).unwrap().new);
}

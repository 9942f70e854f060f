//! The hasher of all tables of this crate: with a fixed seed, so that every run does the same.

/// Builds the hashers.
pub(crate) type FixedState = rapidhash::fast::SeedableState<'static>;

/// A hash map that behaves alike in every run.
pub(crate) type FixedMap<K, V> = hashbrown::HashMap<K, V, FixedState>;

/// An empty map.
pub(crate) fn fixed_map<K, V>() -> FixedMap<K, V> {
    FixedMap::with_hasher(FixedState::fixed())
}

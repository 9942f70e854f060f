//! Packed words, typed indices and growable tables.
//!
//! This is the only crate of the workspace that may use `unsafe`, and it knows nothing of nets or states
//! and opens no files: what it holds could serve any program that keeps many small things in little memory.

mod bit_runs;
mod bit_string;
mod code_arena;
mod counting_allocator;
mod id_table;
mod index;
mod mapped_file;
mod memory;
mod mix;
mod monotone_vec;
mod packed_array;
mod packed_vec;
mod packing;
mod pair_map;
mod permutation;
mod prefetch;
mod quotient_block;
mod quotient_index;
mod quotient_segment;
mod quotient_set;
mod repacking;
mod select;
mod vector_arena;
mod word_bytes;
mod word_memo;

pub use bit_runs::{low_bits, read_bits, write_bits};
pub use bit_string::{BitReader, BitWriter, bits_for};
pub use code_arena::CodeArena;
pub use counting_allocator::CountingAllocator;
pub use id_table::{Gap, Hint, IdTable};
pub use index::SlotIdx;
pub use mapped_file::MappedFile;
pub use memory::OutOfMemory;
pub use mix::mix64;
pub use monotone_vec::MonotoneVec;
pub use packed_array::PackedArray;
pub use packed_vec::PackedVec;
pub use packing::{Field, Marked, Misfit, Outgrown, Packing, not_less, slot_key, width_of};
pub use pair_map::PairMap;
pub use permutation::Permutation;
pub use prefetch::prefetch;
pub use quotient_index::QuotientIndex;
pub use quotient_set::{Fill, QuotientSet, ScanPosition, Spot, USUAL_FILL};
pub use repacking::Repacking;
pub use select::select_one;
pub use vector_arena::VectorArena;
pub use word_bytes::{append_word_bytes, words_from_bytes, words_start_with};
pub use word_memo::{MemoEntry, WordMemo};

//! Every state as a pair of numbers, in a few bits: the smallest exact store known.
//!
//! **Idea.** The slots of a state are folded pairwise into a tree (Blom, Lisser, van de Pol and Weber, "A database approach to
//! distributed state-space generation", 2008; Laarman, van de Pol and Weber, "Parallel recursive state compression for
//! free", SPIN 2011). A node gives each different pair of its children's identities the next identity; what is left of a
//! state is the pair at the root. One step changes few slots, so the halves of states recur, and there are
//! few of them: about the square root of the number of states where the order of the slots is good.
//!
//! ```text
//!  state    slots ... ... ... ...         leaves and inner nodes: dense identities (codec, leaf, PairMap)
//!             \  /     \  /
//!            left id  right id            the root: a set of pairs out of A x B possible ones (QuotientSet)
//! ```
//!
//! The root keeps only what is not known of a pair already: with N pairs out of A · B, log2(A · B / N) bits and two or three
//! more. Laarman's compact tree ("Optimal compression of combinatorial state spaces", ISSE 2019) keeps 32 bits there.
//!
//! **Cost.** About one byte a state on regular models, two or three on others; see `docs/stores-tree.md` for
//! measurements. A state costs some ten lookups in small tables and one in the root.
//!
//! **Order.** Which slots are neighbours decides how many halves there are. Orders are tried on a sample
//! before the search and again on stored states while it runs; see `order`.
//!
//! [`Tree`] is the smallest form: it knows no identities. [`IndexedTree`] does, and gives states back by them.

mod codec;
mod halves;
mod images;
mod indexed;
mod lanes;
mod leaf;
mod learned;
mod memo;
mod order;
mod profiles;
mod sample;
mod shape;
mod small;

pub use halves::RecordLimits;
pub use indexed::IndexedTree;
pub use shape::Shape;
pub use small::{Frontier, Tree};

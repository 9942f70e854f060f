//! From sorted keys to a binary decision diagram.
//!
//! Paper 4's `EncodeOBDD` for many states at once. The keys are followed in order, bit by bit. At the bit where a key
//! leaves the one before it, that one has a 0 and this one a 1: what lies below on the earlier path is complete and
//! becomes the 0-branch of the later one.
//!
//! ```text
//!  0 0 1 0        below bit 2: complete            open zeros:   bit 0   bit 1   bit 2   bit 3
//!  0 0 1 1        leaves at bit 3                                  -       -       -     {0}
//!  0 1 0 0        leaves at bit 1                                  -     {010,011}  -     -
//! ```
//!
//! **Cost.** A node for each bit that is not shared with the key before, some of which are there already.

use oxidd::bdd::BDDFunction;
use oxidd::util::AllocResult;
use oxidd::{BooleanFunction, Function, InnerNode, Manager};
use oxidd_core::LevelView;
use oxidd_core::util::Own;

use crate::diagram::BitPlace;

/// The manager of the diagrams used here.
pub type BddManager<'id> = <BDDFunction as Function>::Manager<'id>;

/// An edge of such a diagram.
pub type BddEdge<'id> = Own<<BddManager<'id> as Manager>::Edge>;

/// The diagram of distinct keys in ascending order.
pub fn encode<'id, 'k>(
    manager: &BddManager<'id>,
    places: &[BitPlace],
    keys: impl Iterator<Item = &'k [u8]>,
) -> AllocResult<BddEdge<'id>> {
    let mut zeros: Vec<Option<BddEdge<'id>>> = places.iter().map(|_| None).collect();
    let made = encode_into(manager, places, keys, &mut zeros);
    // Edges have to be handed back; there are some left where memory ran out.
    zeros.into_iter().flatten().for_each(|edge| manager.drop_edge(edge));
    made
}

fn encode_into<'id, 'k>(
    manager: &BddManager<'id>,
    places: &[BitPlace],
    keys: impl Iterator<Item = &'k [u8]>,
    zeros: &mut [Option<BddEdge<'id>>],
) -> AllocResult<BddEdge<'id>> {
    let mut previous: Option<&[u8]> = None;
    for key in keys {
        if let Some(previous) = previous {
            let bit = places.iter().position(|place| place.of(previous) != place.of(key));
            if let Some(bit) = bit {
                let below = close(manager, places, previous, bit + 1, zeros)?;
                zeros[bit] = Some(below);
            }
        }
        previous = Some(key);
    }
    match previous {
        Some(last) => close(manager, places, last, 0, zeros),
        None => Ok(BDDFunction::f_edge(manager)),
    }
}

/// The diagram of everything on the path of a key from a bit on.
fn close<'id>(
    manager: &BddManager<'id>,
    places: &[BitPlace],
    key: &[u8],
    from: usize,
    zeros: &mut [Option<BddEdge<'id>>],
) -> AllocResult<BddEdge<'id>> {
    let mut edge = BDDFunction::t_edge(manager);
    for bit in (from..places.len()).rev() {
        let (one, zero) = match places[bit].of(key) {
            true => (edge, zeros[bit].take().unwrap_or_else(|| BDDFunction::f_edge(manager))),
            false => (BDDFunction::f_edge(manager), edge),
        };
        edge = node(manager, bit as u32, one, zero)?;
    }
    Ok(edge)
}

/// The node that asks for a bit, or what both branches lead to if that is the same.
pub fn node<'id>(
    manager: &BddManager<'id>,
    level: u32,
    one: BddEdge<'id>,
    zero: BddEdge<'id>,
) -> AllocResult<BddEdge<'id>> {
    if one == zero {
        manager.drop_edge(zero);
        return Ok(one);
    }
    manager.level(level).get_or_insert(InnerNode::new(level, [one, zero]))
}

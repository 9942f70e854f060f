//! The shape of a state vector: the bridge between models and stores.
//!
//! A store knows no nets. What it may need to know of a state beyond its bits is here: the slots, how large
//! their values can get, and which slots belong together.

use petite_bits::SlotIdx;

petite_bits::typed_index! {
    /// A group of slots: a place, a process, a channel.
    pub struct GroupIdx;
}

/// The slots of a model's states.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// All slots in the order of the state vector.
    pub slots: Vec<Slot>,
    /// All groups; their slots are consecutive, in order, and cover the vector.
    pub groups: Vec<Group>,
}

/// One slot of a state vector.
#[derive(Clone, Debug)]
pub struct Slot {
    /// The group it belongs to.
    pub group: GroupIdx,
    /// Largest value it can have, where that is known.
    pub bound: Option<u32>,
    /// Numbers that stand for the colour components of the token that the slot counts, in their order; empty
    /// where it counts black tokens or names an interned bag.
    pub colour: Box<[u64]>,
    /// Canonical rank of that token among the group's [`Group::n_colours`]; `None` where it has none, and in a
    /// slot that names a bag.
    pub rank: Option<u64>,
}

/// Slots that belong together.
#[derive(Clone, Debug)]
pub struct Group {
    /// Name for people.
    pub name: String,
    /// First slot.
    pub first: SlotIdx,
    /// One past the last slot.
    pub end: SlotIdx,
    /// What the slots' values mean.
    pub content: Content,
    /// Largest number of tokens in the group, where that is known.
    pub capacity: Option<u64>,
    /// The numbers of tokens that the model allows in the group, as ascending disjoint closed ranges; `None`
    /// where it limits nothing.
    pub cardinalities: Option<Box<[(u32, u32)]>>,
    /// Number of colours that a token of the group can have by its type, whether they ever appear or not;
    /// `None` where they are too many for a word.
    pub n_colours: Option<u64>,
    /// Whether the content follows from that of other groups, by an expression that the model states.
    pub implied: bool,
    /// Whether the content is the same in all states.
    pub constant: bool,
}

impl Default for Group {
    /// A group without slots of which nothing is known.
    fn default() -> Group {
        let (first, end) = (SlotIdx(0), SlotIdx(0));
        Group {
            name: String::new(),
            first,
            end,
            content: Content::Counts,
            capacity: None,
            cardinalities: None,
            n_colours: None,
            implied: false,
            constant: false,
        }
    }
}

/// What the values of a group's slots mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// Each slot counts the tokens of one colour.
    Counts,
    /// The group's one slot is the number of an interned bag of tokens; 0 is the empty bag.
    Bag,
}

impl Slot {
    /// A slot of which nothing more is known.
    pub fn new(group: GroupIdx) -> Slot {
        Slot { group, bound: None, colour: Box::default(), rank: None }
    }
}

impl Group {
    /// A group of which nothing more is known.
    pub fn new(name: impl Into<String>, first: SlotIdx, end: SlotIdx, content: Content) -> Group {
        Group {
            name: name.into(),
            first,
            end,
            content,
            capacity: None,
            cardinalities: None,
            n_colours: None,
            implied: false,
            constant: false,
        }
    }
}

impl Layout {
    /// The slots of a group.
    pub fn slots_of(&self, group: GroupIdx) -> impl Iterator<Item = SlotIdx> + use<> {
        let group = &self.groups[group.index()];
        (group.first.0..group.end.0).map(SlotIdx)
    }
}

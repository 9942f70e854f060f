//! Finding the enabled ones among many instances.
//!
//! Each instance is filed under one of the slots that it takes tokens from, its *trigger*. In a state only
//! the instances of marked triggers are looked at: walking the set bits of the packed words gives them. Where
//! many instances share a trigger, they are told apart by the marked slots of a second group, then a third: a
//! tree whose branches are taken only where tokens are.
//!
//! ```text
//!  trigger slot            branch on group w          branch on group s         leaf: check all takes
//!  p(2,1) marked ─┬─ no branch: leaf of t7
//!                 └─ w ── slot w(0011) ── s ── slot s(0100) ── t9(2,1,0011,0100)
//! ```
//!
//! The trigger's group is the one that is marked least, by the counts that a sample of the state space gave;
//! after that the group that tells most instances apart. **Cost**: a few bytes a leaf, and in each state one
//! visit for each marked trigger and each branch that the marking agrees with.

use petite_bits::{Packing, SlotIdx};

use crate::{ActionId, GroupIdx, Layout, effects::Take, lists::Lists};

/// At most this many instances are checked one by one instead of being told apart.
const LEAF: usize = 2;

/// The tree.
#[derive(Debug, Default)]
pub(crate) struct Triggers {
    /// Nodes to visit where a slot is marked.
    by_slot: Lists<u32>,
    /// Instances that take nothing.
    always: Vec<ActionId>,
    nodes: Vec<Node>,
    leaves: Lists<ActionId>,
    /// Dense tables of branches: the node for each slot of the group, or `NONE`.
    branches: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
enum Node {
    /// List number `.0` of `leaves` is to be checked.
    Leaf(u32),
    /// For every marked slot of `first..end`, entry `table + slot - first` of `branches` is to be visited.
    Branch { first: SlotIdx, end: SlotIdx, table: u32 },
}

const NONE: u32 = u32::MAX;

/// Branch tables may take this many entries altogether, beyond a few for each instance.
const MAX_TABLES: usize = 16 << 20;

impl Triggers {
    /// Files all instances; `takes` gives what an instance takes, `marked` how often a group's slots were
    /// marked in a sample.
    pub fn new<'a>(
        layout: &Layout,
        n_instances: usize,
        takes: impl Fn(ActionId) -> &'a [Take],
        marked: &[f64],
    ) -> Triggers {
        let mut builder = Builder { layout, takes, tree: Triggers::default(), marked };
        let mut by_shape: std::collections::BTreeMap<Vec<GroupIdx>, Vec<ActionId>> = Default::default();
        for action in (0..n_instances).map(ActionId::new) {
            by_shape.entry(builder.shape(action)).or_default().push(action);
        }
        let mut filed: Vec<(SlotIdx, u32)> = Vec::new();
        for (shape, actions) in by_shape {
            let Some(trigger) = builder.trigger(&shape, &actions) else {
                builder.tree.always.extend(actions);
                continue;
            };
            let rest: Vec<GroupIdx> = shape.iter().copied().filter(|&group| group != trigger).collect();
            for (slot, actions) in builder.split(trigger, &actions) {
                filed.push((slot, builder.node(&rest, actions)));
            }
        }
        filed.sort_unstable();
        let mut tree = builder.tree;
        let mut filed = filed.into_iter().peekable();
        for slot in (0..layout.slots.len()).map(SlotIdx::new) {
            tree.by_slot
                .push(std::iter::from_fn(|| filed.next_if(|(at, _)| *at == slot).map(|(_, node)| node)));
        }
        tree
    }

    /// Calls `check` with every instance whose triggers are marked.
    #[inline]
    pub fn candidates(&self, packing: &Packing, words: &[u64], check: &mut impl FnMut(ActionId)) {
        self.always.iter().for_each(|&action| check(action));
        for (slot, _) in packing.marked(words) {
            for &node in self.by_slot.get(slot.index()) {
                self.visit(node, packing, words, check);
            }
        }
    }

    /// Heap bytes owned.
    pub fn bytes(&self) -> usize {
        self.by_slot.bytes()
            + self.leaves.bytes()
            + self.always.capacity() * size_of::<ActionId>()
            + self.nodes.capacity() * size_of::<Node>()
            + self.branches.capacity() * size_of::<u32>()
    }

    #[inline]
    fn visit(&self, node: u32, packing: &Packing, words: &[u64], check: &mut impl FnMut(ActionId)) {
        match self.nodes[node as usize] {
            Node::Leaf(list) => self.leaves.get(list as usize).iter().for_each(|&action| check(action)),
            Node::Branch { first, end, table } => self.branch(first, end, table, packing, words, check),
        }
    }

    fn branch(
        &self,
        first: SlotIdx,
        end: SlotIdx,
        table: u32,
        packing: &Packing,
        words: &[u64],
        check: &mut impl FnMut(ActionId),
    ) {
        for (slot, _) in packing.marked_in(words, first, end) {
            let next = self.branches[table as usize + (slot.0 - first.0) as usize];
            if next != NONE {
                self.visit(next, packing, words, check);
            }
        }
    }
}

struct Builder<'l, F> {
    layout: &'l Layout,
    takes: F,
    tree: Triggers,
    marked: &'l [f64],
}

impl<'a, F: Fn(ActionId) -> &'a [Take]> Builder<'_, F> {
    /// The groups that an instance takes tokens from.
    fn shape(&self, action: ActionId) -> Vec<GroupIdx> {
        let takes = (self.takes)(action).iter();
        let mut groups: Vec<GroupIdx> = takes.map(|take| self.group(take.slot)).collect();
        groups.sort_unstable();
        groups.dedup();
        groups
    }

    fn group(&self, slot: SlotIdx) -> GroupIdx {
        self.layout.slots[slot.index()].group
    }

    /// The group that is marked least, or tells most instances apart.
    fn trigger(&self, shape: &[GroupIdx], actions: &[ActionId]) -> Option<GroupIdx> {
        let cost = |group: GroupIdx| {
            let kinds = self.split(group, actions).len() as f64;
            // Every marked slot of the group makes one visit, to the share of the instances filed there.
            self.marked[group.index()] * (1.0 + (actions.len() as f64 / kinds).ln_1p())
        };
        let costs = shape.iter().map(|&group| (cost(group), group));
        costs.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))).map(|(_, group)| group)
    }

    /// Instances by the first slot of a group that they take from.
    fn split(&self, group: GroupIdx, actions: &[ActionId]) -> Vec<(SlotIdx, Vec<ActionId>)> {
        let mut pairs: Vec<(SlotIdx, ActionId)> = actions
            .iter()
            .filter_map(|&action| {
                let slot =
                    (self.takes)(action).iter().map(|take| take.slot).find(|s| self.group(*s) == group);
                slot.map(|slot| (slot, action))
            })
            .collect();
        pairs.sort_unstable();
        let chunks = pairs.chunk_by(|a, b| a.0 == b.0);
        chunks.map(|chunk| (chunk[0].0, chunk.iter().map(|(_, action)| *action).collect())).collect()
    }

    /// A node for instances of one shape; `rest` are the groups that were not branched on.
    fn node(&mut self, rest: &[GroupIdx], actions: Vec<ActionId>) -> u32 {
        let best =
            rest.iter().map(|&group| (self.split(group, &actions), group)).max_by_key(|(split, group)| {
                let slots =
                    self.layout.groups[group.index()].end.0 - self.layout.groups[group.index()].first.0;
                (split.len(), std::cmp::Reverse(slots))
            });
        match best {
            Some((split, group)) if actions.len() > LEAF && split.len() > 1 && self.has_room(group) => {
                let rest: Vec<GroupIdx> = rest.iter().copied().filter(|&other| other != group).collect();
                let (first, end) =
                    (self.layout.groups[group.index()].first, self.layout.groups[group.index()].end);
                let table = self.tree.branches.len();
                self.tree.branches.resize(table + (end.0 - first.0) as usize, NONE);
                for (slot, actions) in split {
                    let node = self.node(&rest, actions);
                    self.tree.branches[table + (slot.0 - first.0) as usize] = node;
                }
                self.push(Node::Branch { first, end, table: table as u32 })
            }
            _ => {
                self.tree.leaves.push(actions);
                self.push(Node::Leaf(self.tree.leaves.len() as u32 - 1))
            }
        }
    }

    fn has_room(&self, group: GroupIdx) -> bool {
        let group = &self.layout.groups[group.index()];
        self.tree.branches.len() + (group.end.0 - group.first.0) as usize <= MAX_TABLES
    }

    fn push(&mut self, node: Node) -> u32 {
        self.tree.nodes.push(node);
        self.tree.nodes.len() as u32 - 1
    }
}

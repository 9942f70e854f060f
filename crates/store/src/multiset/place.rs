//! A place as the multi-set code sees it: where its tokens are in the state, and as what they are written.
//!
//! ```text
//!  slots of the place   | 0 | 1 | 1 | 2 |         bag 17 of the place  { token 4: 1, token 9: 2 }
//!  items                  0   1   x   2                                  item 12     item 70
//!  tokens               (1, 1) (2, 2)                                   (12, 1)     (70, 2)
//! ```
//!
//! In a bag, an item is the token's rank in the place's type. Where each token has a slot, it is the number of the slot: any
//! numbering will do, since only how many there could be decides on the length, and this one leaves items in order.
//! Slots that follow from others have no item (x).
//!
//! With a reference, the tokens are compared with the initial ones, and two multi-sets are written: what has *gone*, as
//! positions in the list of initial tokens, and what has *come*.

use petite_bits::{BitReader, BitWriter, OutOfMemory, Packing, SlotIdx};
use petite_model::{GroupIdx, Model};

use super::contents::{Contents, Known, Token, Tools};
use super::marks::Marks;

/// What a slot has that follows from others, and a token of a bag whose rank nobody asked for yet.
pub(super) const NONE: u64 = u64::MAX;

/// A place that is written.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub group: GroupIdx,
    pub source: Source,
    /// What is there, or what has come.
    pub here: Contents,
    /// What has gone.
    pub gone: Option<Gone>,
}

/// Where the tokens of a place are.
#[derive(Clone, Debug)]
pub(super) enum Source {
    /// In a slot for each.
    Slots(Slots),
    /// In a bag that a slot names.
    Bag(Bag),
}

/// Slots with the items that they count.
#[derive(Clone, Debug)]
pub(super) struct Slots {
    first: SlotIdx,
    end: SlotIdx,
    /// The item of each slot, ascending but for [`NONE`].
    items: Box<[u64]>,
    /// The slot of each item.
    slots: Box<[SlotIdx]>,
    /// Where the counts are in a packed state.
    marks: Marks,
}

/// A slot that names a bag.
#[derive(Clone, Debug)]
pub(super) struct Bag {
    slot: SlotIdx,
    /// The rank of each token, as far as known; none where tokens have no ranks.
    ranks: Option<Vec<u64>>,
}

/// What of the initial content has gone.
#[derive(Clone, Debug)]
pub(super) struct Gone {
    /// The initial content, ascending by item.
    pub initial: Box<[Token]>,
    /// A code for positions in it.
    pub contents: Contents,
    /// The code for all of the place's content.
    pub alone: Contents,
}

/// Scratch.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    pub here: Vec<Token>,
    pub gone: Vec<Token>,
    pub bag: Vec<(u32, u32)>,
    pub numbers: Vec<u64>,
}

impl Slots {
    /// Consecutive slots, each with the next item, or [`NONE`] where it follows from others.
    pub fn new(first: SlotIdx, follows: &[bool]) -> Slots {
        let mut slots = Vec::new();
        let items = follows.iter().zip(first.0..).map(|(&follows, slot)| {
            if follows {
                return NONE;
            }
            slots.push(SlotIdx(slot));
            slots.len() as u64 - 1
        });
        let items = items.collect();
        Slots {
            first,
            end: SlotIdx::new(first.index() + follows.len()),
            items,
            slots: slots.into(),
            marks: Marks::default(),
        }
    }

    /// Gets to know how states are packed from now on, and what tokens are compared with.
    fn fit(&mut self, packing: &Packing, reference: &[Token]) {
        self.marks = Marks::new(self.slots.iter().copied().zip(0..), reference, packing);
    }

    /// Number of slots that have an item.
    pub fn n_items(&self) -> usize {
        self.slots.len()
    }

    /// Whether no slot follows from others.
    pub fn is_whole(&self) -> bool {
        self.slots.len() == self.items.len()
    }
}

impl Bag {
    pub fn new(slot: SlotIdx, has_ranks: bool) -> Bag {
        Bag { slot, ranks: has_ranks.then(Vec::new) }
    }
}

impl Place {
    /// Reads the tokens of a state: items ascending.
    pub fn read<M: Model>(
        &mut self,
        model: &M,
        words: &[u64],
        tokens: &mut Vec<Token>,
    ) -> Result<(), OutOfMemory> {
        tokens.clear();
        match &mut self.source {
            Source::Slots(slots) => {
                for (slot, count) in model.packing().marked_in(words, slots.first, slots.end) {
                    let item = slots.items[slot.index() - slots.first.index()];
                    if item != NONE {
                        tokens.push((item, count));
                    }
                }
            }
            Source::Bag(bag) => {
                let content = model.bag_tokens(self.group, model.packing().get(words, bag.slot));
                let Some(ranks) = &mut bag.ranks else {
                    tokens.extend(content.iter().map(|&(token, count)| (u64::from(token), count)));
                    return Ok(());
                };
                for &(token, count) in content {
                    let at = token as usize;
                    if at >= ranks.len() {
                        ranks.try_reserve(at + 1 - ranks.len())?;
                        ranks.resize(at + 1, NONE);
                    }
                    if ranks[at] == NONE {
                        model.token_digits(self.group, token, &mut |rank, _| ranks[at] = rank);
                    }
                    tokens.push((ranks[at], count));
                }
                tokens.sort_unstable();
            }
        }
        Ok(())
    }

    /// Writes the tokens of a state. Says `false` where nothing has to be said, and the reader knows that of all other places
    /// something is.
    #[inline]
    pub fn say<M: Model>(
        &mut self,
        model: &M,
        words: &[u64],
        known: Known,
        subsets: &super::Subsets,
        scratch: &mut Scratch,
        code: &mut BitWriter,
    ) -> Result<bool, OutOfMemory> {
        match &self.source {
            Source::Slots(slots) => {
                if known == Known::Nothing
                    && self.gone.is_none()
                    && slots.is_whole()
                    && slots.marks.row(words).is_some_and(|row| self.here.put_row(row, code))
                {
                    return Ok(true);
                }
                scratch.here.clear();
                scratch.gone.clear();
                slots.marks.read(model.packing(), words, &mut scratch.here, &mut scratch.gone);
            }
            Source::Bag(_) => {
                self.read(model, words, &mut scratch.here)?;
                self.set_apart(scratch);
            }
        }
        if known == Known::NotEmpty && scratch.here.is_empty() && scratch.gone.is_empty() {
            return Ok(false);
        }
        self.put(model, known, subsets, scratch, code);
        Ok(true)
    }

    /// Splits the tokens in the scratch, which were read, into what has come and what has gone.
    pub fn set_apart(&self, scratch: &mut Scratch) {
        scratch.gone.clear();
        if let Some(reference) = &self.gone {
            reference.compare(&mut scratch.here, &mut scratch.gone);
        }
    }

    /// The slots that its code depends on.
    pub fn slots(&self) -> impl Iterator<Item = SlotIdx> {
        match &self.source {
            Source::Slots(slots) => slots.slots.iter().copied(),
            Source::Bag(bag) => std::slice::from_ref(&bag.slot).iter().copied(),
        }
    }

    /// Gets to know how states are packed from now on.
    pub fn fit(&mut self, packing: &Packing) {
        let reference = self.gone.as_ref().map_or(&[][..], |gone| &gone.initial);
        if let Source::Slots(slots) = &mut self.source {
            slots.fit(packing, reference);
        }
    }

    /// Writes what has come and what has gone, which the scratch has.
    #[inline]
    pub fn put<M: Model>(
        &self,
        model: &M,
        known: Known,
        subsets: &super::Subsets,
        scratch: &mut Scratch,
        code: &mut BitWriter,
    ) {
        let Scratch { here, gone, numbers, .. } = scratch;
        let mut tools = Tools { group: self.group, subsets, numbers };
        match &self.gone {
            None => self.here.put(model, here, known, &mut tools, code),
            Some(reference) => {
                reference.contents.put(model, gone, Known::Nothing, &mut tools, code);
                self.here.put(model, here, Known::Nothing, &mut tools, code);
            }
        }
    }

    /// Reads what was written into the scratch: items in no particular order.
    pub fn take<M: Model>(
        &self,
        model: &mut M,
        known: Known,
        subsets: &super::Subsets,
        scratch: &mut Scratch,
        code: &mut BitReader<'_>,
    ) {
        let Scratch { here, gone, numbers, .. } = scratch;
        here.clear();
        let mut tools = Tools { group: self.group, subsets, numbers };
        match &self.gone {
            None => self.here.take(model, known, &mut tools, code, here),
            Some(reference) => {
                gone.clear();
                reference.contents.take(model, Known::Nothing, &mut tools, code, gone);
                self.here.take(model, Known::Nothing, &mut tools, code, here);
                reference.apply(here, gone);
            }
        }
    }

    /// What the place holds where nothing is said of it.
    pub fn take_quiet(&self, scratch: &mut Scratch) {
        scratch.here.clear();
        if let Some(reference) = &self.gone {
            scratch.here.extend_from_slice(&reference.initial);
        }
    }

    /// Writes the tokens of the scratch into a state whose slots for them are zero.
    pub fn write<M: Model>(&self, model: &mut M, scratch: &mut Scratch, words: &mut [u64]) {
        match &self.source {
            Source::Slots(slots) => {
                for &(item, count) in &scratch.here {
                    if let Some(&slot) = slots.slots.get(item as usize) {
                        // The state was packed like this, or narrower, when it was read.
                        let _ = model.packing().set(words, slot, count);
                    }
                }
            }
            Source::Bag(bag) => {
                scratch.bag.clear();
                for &(item, count) in &scratch.here {
                    let token = match bag.ranks {
                        Some(_) => model.token_from_digits(self.group, &mut |_| Some(item)).unwrap_or(0),
                        None => item as u32,
                    };
                    scratch.bag.push((token, count));
                }
                scratch.bag.sort_unstable();
                let number = model.bag_of(self.group, &scratch.bag);
                let _ = model.packing().set(words, bag.slot, number);
            }
        }
    }

    /// Whether its code comes from a sample run.
    pub fn is_trained(&self) -> bool {
        self.here.is_trained() || self.gone.as_ref().is_some_and(|gone| gone.contents.is_trained())
    }

    /// Heap bytes owned.
    pub fn bytes(&self) -> usize {
        let source = match &self.source {
            Source::Slots(slots) => {
                size_of_val(&*slots.items) + size_of_val(&*slots.slots) + slots.marks.bytes()
            }
            Source::Bag(bag) => bag.ranks.as_ref().map_or(0, |ranks| ranks.capacity() * size_of::<u64>()),
        };
        let gone = |gone: &Gone| size_of_val(&*gone.initial) + gone.contents.bytes() + gone.alone.bytes();
        source + self.here.bytes() + self.gone.as_ref().map_or(0, gone)
    }
}

impl Gone {
    /// Splits a content into what has come, which it becomes, and what has gone.
    fn compare(&self, here: &mut Vec<Token>, gone: &mut Vec<Token>) {
        let mut initial = self.initial.iter().zip(0u64..).peekable();
        here.retain_mut(|(item, count)| {
            while let Some((&(_, before), position)) = initial.next_if(|((other, _), _)| other < item) {
                gone.push((position, before));
            }
            if let Some((&(_, before), position)) = initial.next_if(|((other, _), _)| other == item) {
                if before > *count {
                    gone.push((position, before - *count));
                }
                *count = count.saturating_sub(before);
            }
            *count > 0
        });
        gone.extend(initial.map(|(&(_, before), position)| (position, before)));
    }

    /// Makes what has come the content again.
    fn apply(&self, here: &mut Vec<Token>, gone: &mut [Token]) {
        gone.sort_unstable();
        here.sort_unstable();
        let n_come = here.len();
        let mut gone = gone.iter().peekable();
        for (&(item, before), position) in self.initial.iter().zip(0u64..) {
            let left = gone.next_if(|&&(other, _)| other == position).map_or(0, |&(_, count)| count);
            let stays = before.saturating_sub(left);
            match here[..n_come].binary_search_by_key(&item, |&(item, _)| item) {
                Ok(at) => here[at].1 += stays,
                Err(_) if stays > 0 => here.push((item, stays)),
                Err(_) => {}
            }
        }
    }
}

impl Scratch {
    /// Heap bytes owned.
    pub fn bytes(&self) -> usize {
        (self.here.capacity() + self.gone.capacity()) * size_of::<Token>()
            + self.bag.capacity() * size_of::<(u32, u32)>()
            + self.numbers.capacity() * size_of::<u64>()
    }
}

//! The identifiers of a document: each is kept once and stands for a number from then on.
//!
//! An arc may name nodes that come later, so an identifier is often used before it is declared. Arcs then keep
//! two numbers instead of two texts.

use std::borrow::Cow;
use std::hash::BuildHasher;

use hashbrown::HashTable;
use petite_net::{PlaceIdx, Span, TransIdx};
use rapidhash::fast::RandomState;

/// An identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Id(u32);

/// What an identifier is declared as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// It was only used so far.
    Undeclared,
    Place(PlaceIdx),
    Transition(TransIdx),
    /// Another node stands for this one.
    ReferencePlace(Id),
    ReferenceTransition(Id),
    /// Something that no arc can lead to: an arc or a page.
    Other,
}

/// An identifier stands for something already.
#[derive(Clone, Copy, Debug)]
pub(super) struct AlreadyDeclared;

/// All identifiers.
#[derive(Default)]
pub(super) struct Ids<'s> {
    entries: Vec<Entry<'s>>,
    table: HashTable<u32>,
    hasher: RandomState,
}

struct Entry<'s> {
    text: Cow<'s, str>,
    role: Role,
    span: Span,
    /// The hash of the text, so that the table can grow without reading all texts again.
    hash: u64,
}

impl<'s> Ids<'s> {
    /// The number of an identifier, which is new the first time.
    pub fn intern(&mut self, text: Cow<'s, str>) -> Id {
        let hash = self.hasher.hash_one(&*text);
        let entries = &self.entries;
        let is_it = |&id: &u32| entries[id as usize].hash == hash && entries[id as usize].text == text;
        if let Some(&id) = self.table.find(hash, is_it) {
            return Id(id);
        }
        let id = self.entries.len() as u32;
        self.entries.push(Entry { text, role: Role::Undeclared, span: Span::default(), hash });
        let entries = &self.entries;
        self.table.insert_unique(hash, id, |&id| entries[id as usize].hash);
        Id(id)
    }

    /// The number of an identifier that was met before.
    pub fn find(&self, text: &str) -> Option<Id> {
        let hash = self.hasher.hash_one(text);
        let is_it =
            |&id: &u32| self.entries[id as usize].hash == hash && self.entries[id as usize].text == text;
        self.table.find(hash, is_it).map(|&id| Id(id))
    }

    /// Says what an identifier stands for.
    ///
    /// # Errors
    /// When it stands for something already.
    pub fn declare(&mut self, id: Id, role: Role, span: Span) -> Result<(), AlreadyDeclared> {
        let entry = &mut self.entries[id.0 as usize];
        if entry.role != Role::Undeclared {
            return Err(AlreadyDeclared);
        }
        (entry.role, entry.span) = (role, span);
        Ok(())
    }

    pub fn role(&self, id: Id) -> Role {
        self.entries[id.0 as usize].role
    }

    pub fn text(&self, id: Id) -> &str {
        &self.entries[id.0 as usize].text
    }

    /// Replaces references by what they stand for in the end. Gives those that stand for nothing of their kind:
    /// they lead in a circle, to a node of the other kind, or to no node.
    pub fn settle_references(&mut self) -> Vec<(Id, Span)> {
        let mut wrong = Vec::new();
        for start in 0..self.entries.len() {
            // Each node of the path is settled at its end, so all paths together take linear time. While the
            // path is walked its nodes are `Other`: a circle ends there.
            let mut path = Vec::new();
            let mut at = start;
            while let role @ (Role::ReferencePlace(next) | Role::ReferenceTransition(next)) =
                self.entries[at].role
            {
                path.push((at, role));
                self.entries[at].role = Role::Other;
                at = next.0 as usize;
            }
            let end = self.entries[at].role;
            for (at, role) in path {
                let fits = matches!(
                    (role, end),
                    (Role::ReferencePlace(_), Role::Place(_))
                        | (Role::ReferenceTransition(_), Role::Transition(_))
                );
                if fits {
                    self.entries[at].role = end;
                } else {
                    wrong.push((Id(at as u32), self.entries[at].span));
                }
            }
        }
        wrong
    }

    /// The identifiers of places and transitions, at most `limit`.
    pub fn nodes(&self, limit: usize) -> impl Iterator<Item = &str> {
        let is_node = |entry: &&Entry<'s>| !matches!(entry.role, Role::Undeclared | Role::Other);
        self.entries.iter().take(limit).filter(is_node).map(|entry| &*entry.text)
    }
}

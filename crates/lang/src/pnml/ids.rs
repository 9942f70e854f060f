//! The identifiers of a document: each is kept once and stands for a number from then on.
//!
//! An arc may name nodes that come later, so an identifier is often used before it is declared. Arcs then keep
//! two numbers instead of two texts.

use std::borrow::Cow;
use std::hash::{BuildHasher, RandomState};

use hashbrown::HashTable;
use petite_net::{PlaceIdx, Span, TransIdx};

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
}

impl<'s> Ids<'s> {
    /// The number of an identifier, which is new the first time.
    pub fn intern(&mut self, text: Cow<'s, str>) -> Id {
        let hash = self.hasher.hash_one(&*text);
        let entries = &self.entries;
        if let Some(&id) = self.table.find(hash, |&id| entries[id as usize].text == text) {
            return Id(id);
        }
        let id = self.entries.len() as u32;
        self.entries.push(Entry { text, role: Role::Undeclared, span: Span::default() });
        let (entries, hasher) = (&self.entries, &self.hasher);
        self.table.insert_unique(hash, id, |&id| hasher.hash_one(&*entries[id as usize].text));
        Id(id)
    }

    /// The number of an identifier that was met before.
    pub fn find(&self, text: &str) -> Option<Id> {
        let hash = self.hasher.hash_one(text);
        self.table.find(hash, |&id| self.entries[id as usize].text == text).map(|&id| Id(id))
    }

    /// Says what an identifier stands for; where it was declared already, gives the span of that.
    pub fn declare(&mut self, id: Id, role: Role, span: Span) -> Result<(), Span> {
        let entry = &mut self.entries[id.0 as usize];
        if entry.role != Role::Undeclared {
            return Err(entry.span);
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

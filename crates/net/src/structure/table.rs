//! Rows from which columns are eliminated one after the other.
//!
//! Each slot starts with a row: its entries of the incidence matrix, and one more for the slot itself. A
//! combination of rows shows on the left what it makes of each column, and on the right of which slots it is
//! the weighted sum:
//!
//! ```text
//!             columns      slots
//!   slot a | -1  .  1 |  1  .  .
//!   slot b |  1 -1  . |  .  1  .        a + b + c:  .  .  . | 1  1  1
//!   slot c |  .  1 -1 |  .  .  1
//! ```
//!
//! A row without entries on the left is an invariant. What is done to get rid of a column is the caller's
//! business ([`super::elimination`], [`super::semiflows`]); this table finds the rows of a column and the column
//! that is cheapest to do next, on which everything depends: sums of short rows first keep rows short.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::{Effort, Incidence, row::Row};

/// The estimated cost of eliminating a column: how many rows there will be more, and their size.
pub(super) type Cost = (i64, usize);

/// The rows.
#[derive(Debug)]
pub(super) struct Table {
    n_columns: u32,
    rows: Vec<Row>,
    free: Vec<u32>,
    /// A bit for each slot of a row, several slots to a bit: tells most rows apart that share no slots.
    summaries: Vec<u64>,
    /// Numbers of the rows whose first slot is this one, or once was.
    starting: Vec<Vec<u32>>,
    /// Numbers of the rows that have, or once had, an entry in each column.
    containing: Vec<Vec<u32>>,
    /// How many rows have a positive and a negative entry in each column.
    signs: Vec<(u32, u32)>,
    /// Columns by what they may cost. A cost may be out of date, but every column to be done is there at least
    /// once, with no more growth than it causes now.
    queue: BinaryHeap<Reverse<(Cost, u32)>>,
    /// Least growth with which each column is in the queue.
    queued: Vec<i64>,
    done: Vec<bool>,
}

impl Table {
    /// One row for each slot; `None` when there are too many keys or the effort does not suffice.
    pub fn new(incidence: &Incidence, effort: &mut Effort) -> Option<Table> {
        if !effort.spend(2 * incidence.n_changes() + incidence.n_slots()) {
            return None;
        }
        let directions = incidence.directions();
        let n_columns = directions.len();
        u32::try_from(n_columns + incidence.n_slots()).ok()?;
        let mut entries: Vec<Vec<(u32, i64)>> = vec![Vec::new(); incidence.n_slots()];
        for (column, (direction, _)) in directions.iter().enumerate() {
            for &(slot, change) in direction.entries() {
                entries[slot as usize].push((column as u32, change));
            }
        }
        let mut table = Table {
            n_columns: n_columns as u32,
            rows: Vec::with_capacity(entries.len()),
            free: Vec::new(),
            summaries: Vec::new(),
            starting: vec![Vec::new(); incidence.n_slots()],
            containing: vec![Vec::new(); n_columns],
            signs: vec![(0, 0); n_columns],
            queue: BinaryHeap::new(),
            queued: vec![i64::MAX; n_columns],
            done: vec![false; n_columns],
        };
        for (slot, mut row) in entries.into_iter().enumerate() {
            row.push((table.n_columns + slot as u32, 1));
            table.add(Row::new(row)?);
        }
        Some(table)
    }

    /// The first key of a slot.
    pub fn first_slot(&self) -> u32 {
        self.n_columns
    }

    pub fn row(&self, number: u32) -> &Row {
        &self.rows[number as usize]
    }

    /// The numbers of all rows there are.
    pub fn numbers(&self) -> impl Iterator<Item = u32> {
        let rows = self.rows.iter().enumerate().filter(|(_, row)| !row.is_empty());
        rows.map(|(number, _)| number as u32)
    }

    /// All rows there are.
    pub fn rows(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(|row| !row.is_empty())
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.rows.len() - self.free.len()
    }

    /// The entries of a row that tell what it makes of each column.
    fn columns<'r>(&self, row: &'r Row) -> &'r [(u32, i64)] {
        let entries = row.entries();
        &entries[..entries.partition_point(|(key, _)| *key < self.n_columns)]
    }

    /// The entries of a row that tell of which slots it is the sum.
    pub fn slots<'r>(&self, row: &'r Row) -> &'r [(u32, i64)] {
        let entries = row.entries();
        &entries[entries.partition_point(|(key, _)| *key < self.n_columns)..]
    }

    pub fn is_finished(&self, row: &Row) -> bool {
        row.entries().first().is_none_or(|(key, _)| *key >= self.n_columns)
    }

    /// Adds a row.
    pub fn add(&mut self, row: Row) {
        let number = self.free.pop().unwrap_or_else(|| {
            self.rows.push(Row::default());
            self.summaries.push(0);
            (self.rows.len() - 1) as u32
        });
        for &(key, value) in self.columns(&row) {
            let column = key as usize;
            self.containing[column].push(number);
            if value > 0 {
                self.signs[column].0 += 1;
            } else {
                self.signs[column].1 += 1;
            }
            self.requeue(key);
        }
        if let Some(&(first, _)) = self.slots(&row).first() {
            self.starting[(first - self.n_columns) as usize].push(number);
        }
        self.summaries[number as usize] = summary(self.slots(&row));
        self.rows[number as usize] = row;
    }

    /// Whether the slots of a row include all slots of a row in the table, but for row number `except`. Says no
    /// when the effort does not suffice to find out.
    pub fn includes_another(&mut self, row: &Row, except: Option<u32>, effort: &mut Effort) -> bool {
        let slots = self.slots(row);
        let mine = summary(slots);
        for &(slot, _) in slots {
            let at = (slot - self.n_columns) as usize;
            let mut starting = std::mem::take(&mut self.starting[at]);
            let starts = |&number: &u32| {
                self.slots(&self.rows[number as usize]).first().is_some_and(|(first, _)| *first == slot)
            };
            starting.retain(starts);
            let enough = effort.spend(1 + starting.len());
            let included = |&number: &u32| {
                self.summaries[number as usize] & !mine == 0
                    && Some(number) != except
                    && is_included(self.slots(&self.rows[number as usize]), slots)
            };
            let found = enough && starting.iter().any(included);
            self.starting[at] = starting;
            if found || !enough {
                return found;
            }
        }
        false
    }

    /// Takes a row out.
    pub fn remove(&mut self, number: u32) -> Row {
        let row = std::mem::take(&mut self.rows[number as usize]);
        for &(key, value) in self.columns(&row) {
            let column = key as usize;
            if value > 0 {
                self.signs[column].0 -= 1;
            } else {
                self.signs[column].1 -= 1;
            }
            self.requeue(key);
        }
        self.free.push(number);
        row
    }

    /// The next column to eliminate and its rows; the caller takes all of them out. `None` when no column is
    /// left, or when the effort is used up, which leaves rows that are not finished.
    pub fn next(&mut self, effort: &mut Effort) -> Option<(u32, Vec<u32>)> {
        while let Some(Reverse((cost, column))) = self.queue.pop() {
            if self.done[column as usize] {
                continue;
            }
            let rows = self.rows_of(column);
            let length: usize = rows.iter().map(|&row| self.rows[row as usize].len()).sum();
            if !effort.spend(1 + rows.len()) {
                return None;
            }
            let true_cost = (growth(self.signs[column as usize]), length);
            let is_least = self.queue.peek().is_none_or(|Reverse((next, _))| true_cost <= *next);
            if true_cost > cost && !is_least {
                self.queue.push(Reverse((true_cost, column)));
                self.queued[column as usize] = true_cost.0;
                continue;
            }
            self.done[column as usize] = true;
            self.containing[column as usize] = Vec::new();
            if !rows.is_empty() {
                return Some((column, rows));
            }
        }
        None
    }

    /// Sees to it that the queue knows of a column that may have become cheaper.
    fn requeue(&mut self, column: u32) {
        let at = column as usize;
        let growth = growth(self.signs[at]);
        if growth >= self.queued[at] || self.done[at] {
            return;
        }
        self.queued[at] = growth;
        self.queue.push(Reverse(((growth, 0), column)));
        if self.queue.len() > 4 * self.done.len() + 1024 {
            // Entries out of date are most of the queue: one for each column is enough.
            let left = (0..self.n_columns).filter(|&column| !self.done[column as usize]);
            self.queue = left.map(|column| Reverse(((self.queued[column as usize], 0), column))).collect();
        }
    }

    fn rows_of(&mut self, column: u32) -> Vec<u32> {
        let mut rows = std::mem::take(&mut self.containing[column as usize]);
        // Numbers are used again, so one may be here twice, and for a row that has no such entry.
        rows.sort_unstable();
        rows.dedup();
        rows.retain(|&row| self.rows[row as usize].get(column) != 0);
        self.containing[column as usize].clone_from(&rows);
        rows
    }
}

/// How many more rows there are when each positive one is paired with each negative one.
fn growth((positive, negative): (u32, u32)) -> i64 {
    let (positive, negative) = (i64::from(positive), i64::from(negative));
    positive * negative - positive - negative
}

fn summary(slots: &[(u32, i64)]) -> u64 {
    let bit = |key: u32| 1u64 << (u64::from(key).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 58);
    slots.iter().fold(0, |summary, (key, _)| summary | bit(*key))
}

fn is_included(slots: &[(u32, i64)], others: &[(u32, i64)]) -> bool {
    let mut others = others.iter();
    slots.iter().all(|(key, _)| others.any(|(other, _)| other == key))
}

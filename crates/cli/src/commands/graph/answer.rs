//! Answers about graphs, for people and programs.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::json::text_of;
use crate::sheet::Sheet;
use crate::units::grouped;

/// What was found, line by line and field by field.
#[derive(Debug, Default)]
pub struct Found {
    sheet: Sheet,
    fields: Map<String, Value>,
}

impl Found {
    /// A count.
    pub fn count(&mut self, name: &str, field: &str, count: u64) {
        self.sheet.number(name, &grouped(count), "");
        self.fields.insert(field.to_owned(), count.into());
    }

    /// Something in words, and the same for programs.
    pub fn word(&mut self, name: &str, words: &str, field: &str, value: impl Into<Value>) {
        self.sheet.named(name, words);
        self.fields.insert(field.to_owned(), value.into());
    }

    /// A list, cut where it is too long: how many there are in all is for others to say.
    pub fn list<T: Serialize>(&mut self, field: &str, all: &[T], limit: usize, line: impl Fn(&T) -> String) {
        for item in all.iter().take(limit) {
            self.sheet.folded("  ", 6, &line(item));
        }
        if all.len() > limit {
            let more = grouped((all.len() - limit) as u64);
            self.sheet.line(&format!("  ... and {more} more; --limit shows them"));
        }
        let shown = all.iter().take(limit).map(|item| serde_json::to_value(item).unwrap_or(Value::Null));
        self.fields.insert(field.to_owned(), shown.collect());
    }

    /// All of it.
    pub fn text(self, as_json: bool) -> String {
        if as_json { text_of(&self.fields) } else { self.sheet.text }
    }
}

//! Identifiers of the things in a document, all different.

use std::collections::HashMap;

/// Hands out identifiers.
#[derive(Default)]
pub(super) struct Ids {
    /// The identifiers in use, each with the number to try next when it is wanted again.
    used: HashMap<String, u64>,
}

impl Ids {
    /// The wanted identifier as it is, or with a number behind it where it is in use.
    pub fn take(&mut self, wanted: &str) -> String {
        let wanted = if wanted.is_empty() { "_" } else { wanted };
        let Some(next) = self.used.get_mut(wanted) else {
            self.used.insert(wanted.to_owned(), 2);
            return wanted.to_owned();
        };
        let mut number = *next;
        *next += 1;
        let mut id = format!("{wanted}_{number}");
        while self.used.contains_key(&id) {
            number += 1;
            id = format!("{wanted}_{number}");
        }
        self.used.insert(wanted.to_owned(), number + 1);
        self.used.insert(id.clone(), 2);
        id
    }

    /// An identifier that resembles a name.
    pub fn of_name(&mut self, name: &str) -> String {
        self.take(&identifier(name))
    }
}

/// A name with an underscore for each stretch of characters that an XML identifier cannot have.
fn identifier(name: &str) -> String {
    let mut id = String::with_capacity(name.len());
    for character in name.chars() {
        if is_start(character) || matches!(character, '-' | '.' | '0'..='9') {
            id.push(character);
        } else if !id.ends_with('_') {
            id.push('_');
        }
    }
    let trimmed = id.trim_end_matches('_').len();
    // An underscore at the end stands for a bracket as a rule; a name of nothing else keeps one.
    id.truncate(trimmed.max(1));
    if !id.starts_with(is_start) {
        id.insert(0, '_');
    }
    id
}

/// Whether an XML identifier may begin with a character.
fn is_start(character: char) -> bool {
    matches!(character, 'A'..='Z' | 'a'..='z' | '_'
        | '\u{c0}'..='\u{d6}' | '\u{d8}'..='\u{f6}' | '\u{f8}'..='\u{2ff}' | '\u{370}'..='\u{37d}'
        | '\u{37f}'..='\u{1fff}' | '\u{200c}'..='\u{200d}' | '\u{2070}'..='\u{218f}'
        | '\u{2c00}'..='\u{2fef}' | '\u{3001}'..='\u{d7ff}' | '\u{f900}'..='\u{fdcf}'
        | '\u{fdf0}'..='\u{fffd}' | '\u{10000}'..='\u{effff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_identifiers() {
        assert_eq!(identifier("fork(0, 12)"), "fork_0_12");
        assert_eq!(identifier("take(s = -1)"), "take_s_-1");
        assert_eq!(identifier("9 lives"), "_9_lives");
        assert_eq!(identifier(""), "_");
        assert_eq!(identifier("<>&"), "_");
        assert_eq!(identifier("caf\u{e9}"), "caf\u{e9}");
    }

    #[test]
    fn no_identifier_is_given_twice() {
        let mut ids = Ids::default();
        let wanted = ["a", "a_2", "a", "a", "", "_", "a_2", "a"];
        let given: Vec<String> = wanted.iter().map(|id| ids.take(id)).collect();
        assert_eq!(given[..3], ["a", "a_2", "a_3"]);
        let different: std::collections::HashSet<&String> = given.iter().collect();
        assert_eq!(different.len(), wanted.len(), "{given:?}");
    }
}

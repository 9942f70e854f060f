//! What the nodes of a net are called.

use std::collections::HashMap;

use petite_net::{Name, Span};

use super::document::Document;
use super::ids::{Id, Role};
use super::xml::Text;

/// A name for each node, and its identifier where that is something else.
///
/// A node is called by its name unless another node has the same name, or has it as its identifier: then it is
/// called by its identifier, so that no two nodes are called alike.
pub(super) fn names<'n, 's: 'n>(
    document: &Document<'_>,
    nodes: impl Iterator<Item = (Id, Option<&'n Text<'s>>, Span)> + Clone,
) -> (Vec<Name>, Vec<Option<Box<str>>>) {
    let mut n_uses: HashMap<&str, u32> = HashMap::new();
    for (id, name, _) in nodes.clone() {
        // A node whose name is its identifier is called so in any case.
        if let Some(name) = name.filter(|name| name.value != document.ids.text(id)) {
            *n_uses.entry(&*name.value).or_default() += 1;
        }
    }
    let mut ids = Vec::new();
    let mut names = Vec::new();
    for (id, name, span) in nodes {
        let text = document.ids.text(id);
        let is_node = |id| matches!(document.ids.role(id), Role::Place(_) | Role::Transition(_));
        let alone = |name: &&Text<'_>| {
            name.value != text
                && !name.value.is_empty()
                && n_uses.get(&*name.value) == Some(&1)
                && !document.ids.find(&name.value).is_some_and(is_node)
        };
        match name.filter(alone) {
            Some(name) => {
                ids.resize(names.len(), None);
                ids.push(Some(text.into()));
                names.push(Name { text: name.value.to_string(), span: name.span });
            }
            None => names.push(Name { text: text.to_owned(), span }),
        }
    }
    if !ids.is_empty() {
        ids.resize(names.len(), None);
    }
    (names, ids)
}

//! Which transitions make up one: bodies called, and synchronisation between subnets.
//!
//! A transition that calls a body of its own net is the two together, names and all. One that calls a body of a net
//! around its own takes part in a *synchronisation*: every subnet that has callers of that body gives one of them,
//! and all of these happen together. Flattened, each such combination is a transition. A participant may call
//! several bodies; then all their callers are in it.

use std::collections::{BTreeMap, HashMap, HashSet};

use petite_net::Name;

use super::modules::{ModuleIdx, unknown};
use super::scope::Member;
use super::{Elab, Elaborator};
use crate::Diagnostic;
use crate::maria::ast::{self, Part};

/// Combinations that the participants of a synchronisation may have.
const MAX_COMBINATIONS: usize = 10_000;

/// A transition or body with the bodies of its own net that it calls.
struct Node<'a> {
    module: ModuleIdx,
    name: &'a Name,
    is_body: bool,
    names: Vec<String>,
    parts: Vec<&'a Part>,
    is_urgent: bool,
    /// Bodies of nets around.
    calls: Vec<NodeIdx>,
}

/// A node by module and position there.
type NodeIdx = (usize, usize);

/// What makes up one transition of the flat net.
pub(super) struct Fused<'a> {
    pub name: Name,
    pub members: Vec<Member<'a>>,
    /// Whether it has a priority class of its own.
    pub is_urgent: bool,
}

impl<'a> Elaborator<'a> {
    /// All transitions of the flat net, in the order of the text.
    pub(super) fn fused(&mut self) -> Vec<Fused<'a>> {
        let mut nodes: HashMap<NodeIdx, Node<'a>> = HashMap::new();
        for m in 0..self.modules.len() {
            for t in 0..self.modules[m].transitions.len() {
                let node = self.node((m, t));
                if let Some(node) = self.keep(node) {
                    nodes.insert((m, t), node);
                }
            }
        }
        let mut callers: HashMap<NodeIdx, BTreeMap<usize, Vec<NodeIdx>>> = HashMap::new();
        let mut order: Vec<NodeIdx> = nodes.keys().copied().collect();
        order.sort_unstable();
        for &at in &order {
            // A body that nobody calls from outside takes part only as one that is called.
            for &call in &nodes[&at].calls {
                callers.entry(call).or_default().entry(at.0).or_default().push(at);
            }
        }
        let mut fused = Vec::new();
        for &at in &order {
            if nodes[&at].is_body {
                continue;
            }
            let mut found = Vec::new();
            let mut chosen = BTreeMap::from([(at.0, at)]);
            let complete = combine(&nodes, &callers, &mut chosen, &mut HashSet::new(), &mut found);
            if !complete {
                let message = format!(
                    "more than {MAX_COMBINATIONS} ways to synchronise with transition {}",
                    nodes[&at].name
                );
                self.diagnostics.push(
                    Diagnostic::new(nodes[&at].name.span, message)
                        .label("this one")
                        .help("merge some of its partners"),
                );
                return fused;
            }
            for participants in found {
                // Each combination is found from every one of its transitions; the first one counts.
                let first = participants.iter().find(|participant| !nodes[participant].is_body);
                if first == Some(&at) {
                    fused.push(self.fuse(&nodes, &participants));
                }
            }
        }
        fused
    }

    fn node(&self, (m, t): NodeIdx) -> Elab<Node<'a>> {
        let module = ModuleIdx::new(m);
        let merged = &self.modules[m].transitions[t];
        let mut node = Node {
            module,
            name: merged.name,
            is_body: merged.is_body,
            names: Vec::new(),
            parts: Vec::new(),
            is_urgent: false,
            calls: Vec::new(),
        };
        let mut seen = HashSet::new();
        self.take_in(&mut node, t, &mut seen)?;
        Ok(node)
    }

    /// Adds the parts of a transition or body of the node's net, and of the bodies that it calls there.
    fn take_in(&self, node: &mut Node<'a>, t: usize, seen: &mut HashSet<usize>) -> Elab<()> {
        if !seen.insert(t) {
            return Ok(());
        }
        let merged = &self.modules[node.module.index()].transitions[t];
        node.names.push(merged.name.text.clone());
        let declarations: Vec<&'a ast::Transition> = merged.declarations.clone();
        for declaration in declarations {
            node.is_urgent |= declaration.is_urgent;
            for part in &declaration.parts {
                let Part::Call(name) = part else {
                    node.parts.push(part);
                    continue;
                };
                let body = |module: &super::modules::Module<'a>| {
                    module.transitions.iter().position(|other| other.is_body && other.name.text == name.text)
                };
                match self.look_up(node.module, body) {
                    Some((module, t)) if module == node.module => self.take_in(node, t, seen)?,
                    Some((module, t)) => node.calls.push((module.index(), t)),
                    None => {
                        let bodies = self.modules.iter().flat_map(|module| &module.transitions);
                        let known =
                            bodies.filter(|other| other.is_body).map(|other| other.name.text.as_str());
                        return Err(unknown("body", name, known));
                    }
                }
            }
        }
        Ok(())
    }

    /// One transition from its participants, and the bodies around them that they call.
    fn fuse(&self, nodes: &HashMap<NodeIdx, Node<'a>>, participants: &[NodeIdx]) -> Fused<'a> {
        let mut all: Vec<NodeIdx> = Vec::new();
        for participant in participants {
            // Bodies come before those who call them, so that their variables are known first.
            let calls = nodes[participant].calls.iter().filter(|call| nodes.contains_key(call));
            for call in calls.chain([participant]) {
                if !all.contains(call) {
                    all.push(*call);
                }
            }
        }
        let position = |at: &NodeIdx| all.iter().position(|other| other == at);
        let member = |at: &NodeIdx| {
            let node = &nodes[at];
            Member {
                module: node.module,
                names: node.names.clone(),
                parts: node.parts.clone(),
                locals: HashMap::new(),
                indexed: HashMap::new(),
                outer: node.calls.iter().filter_map(position).collect(),
            }
        };
        let transitions = participants.iter().filter(|at| !nodes[at].is_body);
        let names: Vec<String> =
            transitions.map(|at| self.flat_name(nodes[at].name, nodes[at].module).text).collect();
        let span = participants.first().map_or_else(Default::default, |at| nodes[at].name.span);
        Fused {
            name: Name { text: names.join("+"), span },
            members: all.iter().map(member).collect(),
            is_urgent: all.iter().any(|at| nodes[at].is_urgent),
        }
    }
}

/// Completes a choice of participants, one for each net; whether there were not too many ways to.
fn combine(
    nodes: &HashMap<NodeIdx, Node<'_>>,
    callers: &HashMap<NodeIdx, BTreeMap<usize, Vec<NodeIdx>>>,
    chosen: &mut BTreeMap<usize, NodeIdx>,
    settled: &mut HashSet<NodeIdx>,
    found: &mut Vec<Vec<NodeIdx>>,
) -> bool {
    let called = |at: &NodeIdx| nodes.get(at).map_or(&[][..], |node| node.calls.as_slice());
    let open = chosen.values().flat_map(called).find(|call| !settled.contains(call)).copied();
    let Some(call) = open else {
        found.push(chosen.values().copied().collect());
        return found.len() <= MAX_COMBINATIONS;
    };
    // The first net whose part in this call is not decided.
    let empty = BTreeMap::new();
    let parties = callers.get(&call).unwrap_or(&empty);
    for (module, candidates) in parties {
        match chosen.get(module) {
            Some(at) if called(at).contains(&call) => {}
            // That net already does something else.
            Some(_) => return true,
            None => {
                for candidate in candidates {
                    chosen.insert(*module, *candidate);
                    let complete = combine(nodes, callers, chosen, &mut settled.clone(), found);
                    chosen.remove(module);
                    if !complete {
                        return false;
                    }
                }
                return true;
            }
        }
    }
    settled.insert(call);
    // A body may be part of a synchronisation further out.
    combine(nodes, callers, chosen, settled, found)
}

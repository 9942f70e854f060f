//! What the arcs of a document connect.

use petite_net::{PlaceIdx, TransIdx};

use super::document::{ArcKind, ArcNode, Document};
use super::ids::{Id, Role};
use crate::Diagnostic;
use crate::diagnostic::Diagnostics;
use crate::nearest::nearest;

/// An arc whose ends are known.
#[derive(Clone, Copy)]
pub(super) struct Ends {
    pub place: PlaceIdx,
    pub transition: TransIdx,
    pub side: Side,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Input,
    Output,
    Inhibitor,
}

/// The ends of all arcs; an arc that is wrong has none.
pub(super) fn arc_ends(document: &Document<'_>, diagnostics: &mut Diagnostics) -> Vec<Option<Ends>> {
    let node = |id: Id, diagnostics: &mut Diagnostics, span| {
        let role = document.ids.role(id);
        if matches!(role, Role::Place(_) | Role::Transition(_)) {
            return Some(role);
        }
        let text = document.ids.text(id);
        let diagnostic = Diagnostic::new(span, format!("there is no place or transition {text}"));
        let near = if diagnostics.is_full() { None } else { nearest(text, document.ids.nodes(10_000)) };
        diagnostics.push(match near {
            Some(near) => diagnostic.label("dangling arc").help(format!("did you mean {near}?")),
            None => diagnostic.label("dangling arc"),
        });
        None
    };
    let ends = |arc: &ArcNode| {
        let source = node(arc.source, diagnostics, arc.span);
        let target = node(arc.target, diagnostics, arc.span);
        let (place, transition, side) = match (source?, target?) {
            (Role::Place(place), Role::Transition(transition)) => match arc.kind {
                ArcKind::Normal => (place, transition, Side::Input),
                ArcKind::Inhibitor => (place, transition, Side::Inhibitor),
            },
            (Role::Transition(transition), Role::Place(place)) if arc.kind == ArcKind::Normal => {
                (place, transition, Side::Output)
            }
            (source, target) => {
                let kind = |role| if matches!(role, Role::Place(_)) { "place" } else { "transition" };
                let arc_kind = if arc.kind == ArcKind::Inhibitor { "inhibitor arc" } else { "arc" };
                let message = format!(
                    "this {arc_kind} leads from {} {} to {} {}",
                    kind(source),
                    document.ids.text(arc.source),
                    kind(target),
                    document.ids.text(arc.target)
                );
                let help = match arc.kind {
                    ArcKind::Normal => {
                        "arcs lead from a place to a transition, or from a transition to a place"
                    }
                    ArcKind::Inhibitor => "inhibitor arcs lead from a place to a transition",
                };
                diagnostics.push(Diagnostic::new(arc.span, message).label("wrong ends").help(help));
                return None;
            }
        };
        Some(Ends { place, transition, side })
    };
    document.arcs.iter().map(ends).collect()
}

//! From a document to a net.

use petite_net::{
    Arc, Capacity, Evaluator, Expr, ExprKind, Ids, Iter, IterDomain, MultiSet, Name, Net, OnError, Place,
    PriorityClass, Sign, Span, Term, Transition, TypeIdx, Value, VarIdx,
};

use super::bindings::free_variables;
use super::document::{ArcNode, Document, NetKind, PlaceNode};
use super::ends::{Ends, Side, arc_ends};
use super::lower::{Declared, Lowering, MAX_TOKENS, Summand, n_values};
use super::names::names;
use super::sorts::{Leaves, Sorts};
use super::terms::TermId;
use super::{Failed, units};
use crate::Diagnostic;
use crate::diagnostic::Diagnostics;

/// Builds the net that a document describes.
///
/// # Errors
/// All that is wrong with it.
pub(super) fn build(
    mut document: Document<'_>,
    mut diagnostics: Diagnostics,
) -> Result<Net, Vec<Diagnostic>> {
    for (id, span) in document.ids.settle_references() {
        let message = format!("the reference {} leads to no node of its kind", document.ids.text(id));
        diagnostics.push(Diagnostic::new(span, message).label("dangling reference"));
    }
    let ends = arc_ends(&document, &mut diagnostics);
    let nupn = document.nupn.as_ref().map(|found| units::resolve(found, &document));
    let nupn = nupn.transpose().unwrap_or_else(|diagnostic| {
        diagnostics.push(diagnostic);
        None
    });
    let mut builder = Builder::new(&document, diagnostics);
    let places = builder.places();
    let transitions = builder.transitions(&ends);
    let Sorts { diagnostics, types, .. } = builder.sorts;
    if !diagnostics.is_empty() {
        return Err(diagnostics.into_sorted());
    }
    let (place_names, place_ids) =
        names(&document, document.places.iter().map(|p| (p.id, p.name.as_ref(), p.span)));
    let (transition_names, transition_ids) =
        names(&document, document.transitions.iter().map(|t| (t.id, t.name.as_ref(), t.span)));
    let name = document.name.as_ref().filter(|name| !name.value.is_empty()).or(document.id.as_ref());
    let name = name.map_or(Name { text: "net".to_owned(), span: document.span }, |name| Name {
        text: name.value.to_string(),
        span: name.span,
    });
    let named = |(name, place)| Place { name, ..place };
    let places = place_names.into_iter().zip(places).map(named).collect();
    let named = |(name, transition)| Transition { name, ..transition };
    let transitions = transition_names.into_iter().zip(transitions).map(named).collect();
    Ok(Net {
        name,
        params: Vec::new(),
        types,
        functions: Vec::new(),
        places,
        transitions,
        propositions: Vec::new(),
        properties: Vec::new(),
        progress: None,
        fairness: Vec::new(),
        ids: Ids { places: place_ids, transitions: transition_ids },
        nupn,
    })
}

struct Builder<'d, 's> {
    document: &'d Document<'s>,
    sorts: Sorts<'d, 's>,
    /// The components of each place's tokens, and its type.
    domains: Vec<(Leaves, TypeIdx)>,
    /// Components of the different tokens of the initial marking so far, at most.
    n_tokens: u64,
    common: Common,
}

/// What the terms of all arcs share.
struct Common {
    /// The black token.
    unit: Value,
    /// The type of factors.
    count: TypeIdx,
}

impl<'d, 's> Builder<'d, 's> {
    fn new(document: &'d Document<'s>, diagnostics: Diagnostics) -> Self {
        let sorts = Sorts::new(document, diagnostics);
        let common = Common { unit: Value::unit(), count: sorts.count };
        Builder { document, sorts, domains: Vec::new(), n_tokens: 0, common }
    }

    fn places(&mut self) -> Vec<Place> {
        let document = self.document;
        let black: Leaves = [].into();
        // Where a sort is wrong the place counts as black: nothing is built from it.
        for place in &document.places {
            let leaves = self.sort_of(place).unwrap_or_else(|Failed| black.clone());
            let domain = self.sorts.domain(&leaves);
            self.domains.push((leaves, domain));
        }
        let mut places = Vec::with_capacity(document.places.len());
        for (i, place) in document.places.iter().enumerate() {
            let initial = match place.marking {
                Some(marking) => self.marking(marking, i).unwrap_or_default(),
                None => {
                    let mut initial = MultiSet::new();
                    // A single value cannot overflow.
                    let _ = initial.add(self.common.unit.clone(), place.tokens);
                    initial
                }
            };
            places.push(Place {
                name: Name { text: String::new(), span: place.span },
                domain: self.domains[i].1,
                capacity: Capacity::default(),
                initial,
                implied: None,
                constant: false,
                role: None,
            });
        }
        places
    }

    fn sort_of(&mut self, place: &PlaceNode<'s>) -> Result<Leaves, Failed> {
        match (self.document.kind, place.sort) {
            (NetKind::PlaceTransition, _) => Ok([].into()),
            (NetKind::Coloured, Some(sort)) => self.sorts.leaves(sort),
            (NetKind::Coloured, None) => {
                let message = format!("the place {} has no type", self.document.ids.text(place.id));
                let diagnostic = Diagnostic::new(place.span, message).label("no type");
                self.sorts.fail(diagnostic.help("expected <type> with the sort of its tokens inside"))
            }
        }
    }

    /// The tokens that a place starts with.
    fn marking(&mut self, marking: TermId, place: usize) -> Result<MultiSet, Failed> {
        let (leaves, domain) = self.domains[place].clone();
        let mut lowering = Lowering::new(self.document, &mut self.sorts, None);
        let summands = lowering.inscription(marking, &leaves)?;
        let mut frame = vec![Value::Int(0); lowering.variables.len()];
        let size = |summand: &Summand| {
            let sizes = summand.iters.iter().map(|iter| domain_size(&self.sorts, iter));
            sizes.fold(summand.leaves.len().max(1) as u64, u64::saturating_mul)
        };
        let n_tokens = summands.iter().map(size).fold(self.n_tokens, u64::saturating_add);
        self.n_tokens = n_tokens;
        if n_tokens > MAX_TOKENS {
            let span = self.document.terms.span(marking);
            let message = "the initial marking has too many different tokens";
            return self.sorts.fail(Diagnostic::new(span, message).label("too many"));
        }
        let terms: Vec<Term> =
            summands.into_iter().map(|summand| self.common.term(summand, domain)).collect();
        let tokens = Evaluator::new(&self.sorts.types, &[]).terms(&terms, &mut frame, None);
        tokens.or_else(|error| self.sorts.fail(error.into()))
    }

    fn transitions(&mut self, ends: &[Option<Ends>]) -> Vec<Transition> {
        let document = self.document;
        let declared = self.declared_variables();
        let mut arcs_of: Vec<Vec<u32>> = vec![Vec::new(); document.transitions.len()];
        for (arc, ends) in (0..).zip(ends) {
            if let Some(ends) = ends {
                arcs_of[ends.transition.index()].push(arc);
            }
        }
        let mut transitions = Vec::with_capacity(document.transitions.len());
        for (t, arcs) in arcs_of.into_iter().enumerate() {
            if self.sorts.diagnostics.is_full() {
                break;
            }
            let arcs =
                arcs.iter().filter_map(|&arc| Some((&document.arcs[arc as usize], ends[arc as usize]?)));
            // What is wrong has been noted; the net is not built then.
            transitions.extend(self.transition(t, arcs, &declared));
        }
        transitions
    }

    fn declared_variables(&mut self) -> Declared<'d> {
        let mut declared = Declared::new();
        for variable in &self.document.declarations.variables {
            let id = &variable.id;
            let Ok(leaves) = self.sorts.leaves(variable.sort) else { continue };
            let name = variable.name.as_ref().unwrap_or(id).value.to_string();
            if declared.insert(&id.value, (name, leaves)).is_some() {
                let message = format!("there is already a variable {}", id.value);
                self.sorts.diagnostics.push(Diagnostic::new(id.span, message).label("used before"));
            }
        }
        declared
    }

    fn transition<'a>(
        &mut self,
        number: usize,
        arcs: impl Iterator<Item = (&'a ArcNode, Ends)> + Clone,
        declared: &Declared<'d>,
    ) -> Result<Transition, Failed> {
        let node = &self.document.transitions[number];
        let mut lowering = Lowering::new(self.document, &mut self.sorts, Some(declared));
        let count = |side| arcs.clone().filter(|(_, ends)| ends.side == side).count();
        let mut inputs = Vec::with_capacity(count(Side::Input));
        let mut outputs = Vec::with_capacity(count(Side::Output));
        let mut inhibitors = Vec::with_capacity(count(Side::Inhibitor));
        let mut failed = false;
        for (arc, ends) in arcs.clone() {
            let (leaves, domain) = &self.domains[ends.place.index()];
            // An arc that is wrong does not hide what is wrong with the others.
            let terms = match arc.inscription {
                Some(inscription) if ends.side != Side::Inhibitor => {
                    let summands = lowering.inscription(inscription, leaves);
                    summands.map(|sum| sum.into_iter().map(|part| self.common.term(part, *domain)).collect())
                }
                _ if leaves.is_empty() => Ok(vec![self.common.weighted(arc, *domain)]),
                _ if ends.side == Side::Inhibitor => lowering.fail(
                    arc.span,
                    "inhibitor arcs from coloured places are not supported",
                    "refused",
                ),
                _ => lowering.fail(
                    arc.span,
                    "this arc has no inscription, but its place is coloured",
                    "incomplete",
                ),
            };
            failed |= terms.is_err();
            let list = match ends.side {
                Side::Input => &mut inputs,
                Side::Output => &mut outputs,
                Side::Inhibitor => &mut inhibitors,
            };
            list.push(Arc { place: ends.place, terms: terms.unwrap_or_default(), span: arc.span });
        }
        let guard = node.guard.map(|guard| lowering.guard(guard)).transpose()?;
        let (variables, binding) = (lowering.variables, lowering.binding);
        if failed {
            return Err(Failed);
        }
        let mut picks = Vec::new();
        for var in free_variables(&binding, variables.len(), &inputs) {
            picks.push(self.pick(var, variables[var.index()].ty, node.span)?);
        }
        Ok(Transition {
            name: Name { text: String::new(), span: node.span },
            variables,
            binding,
            inputs,
            outputs,
            inhibitors,
            picks,
            lets: Vec::new(),
            guard,
            priority: None,
            description: None,
            safe: false,
            class: PriorityClass::NONE,
            on_error: OnError::Stop,
        })
    }

    /// A free choice of a variable's value.
    fn pick(&mut self, var: VarIdx, ty: TypeIdx, span: Span) -> Result<Iter, Failed> {
        let pick = Iter { var, domain: IterDomain::Type(ty, None), span };
        if domain_size(&self.sorts, &pick) > MAX_TOKENS {
            let message = format!("a variable that no input arc binds has more than {MAX_TOKENS} values");
            return self.sorts.fail(Diagnostic::new(span, message).label("around this transition"));
        }
        Ok(pick)
    }
}

impl Common {
    fn term(&self, summand: Summand, domain: TypeIdx) -> Term {
        let Summand { sign, factor, iters, leaves, span } = summand;
        let fixed = |leaf: &Expr| match &leaf.kind {
            ExprKind::Const(value) => Some(value.clone()),
            _ => None,
        };
        let kind = match leaves.iter().map(fixed).collect::<Option<Vec<Value>>>() {
            Some(values) if values.is_empty() => ExprKind::Const(self.unit.clone()),
            Some(values) => ExprKind::Const(Value::Tuple(values.into())),
            None => ExprKind::Tuple(leaves),
        };
        let token = Expr { kind, ty: domain, span };
        Term { sign, iters, condition: None, factor: self.factor(factor, span), token, span }
    }

    /// The term of an arc that has a weight instead of an inscription.
    fn weighted(&self, arc: &ArcNode, domain: TypeIdx) -> Term {
        let (factor, span) = (arc.weight.unwrap_or(1), arc.span);
        self.term(Summand { sign: Sign::Plus, factor, iters: Vec::new(), leaves: Vec::new(), span }, domain)
    }

    /// The factor of a term; one needs none.
    fn factor(&self, factor: u32, span: Span) -> Option<Expr> {
        let kind = ExprKind::Const(Value::Int(i64::from(factor)));
        (factor != 1).then_some(Expr { kind, ty: self.count, span })
    }
}

fn domain_size(sorts: &Sorts<'_, '_>, iter: &Iter) -> u64 {
    match iter.domain {
        IterDomain::Type(ty, _) => n_values(sorts, ty),
        _ => 1,
    }
}

//! Places: domain, capacity and initial marking.

use petite_net::{Capacity, Evaluator, MultiSet, Place, RunError, RunErrorKind, Span, Term, TypeIdx, Value};

use super::names::Space;
use super::scope::{Context, Scope};
use super::terms::{MAX_TOKENS, TermKind};
use super::{Elab, Elaborator};
use crate::Diagnostic;
use crate::helena::ast;
use crate::nearest::nearest;

/// What a modeller may say about the use of a place.
const ROLES: [&str; 6] = ["process", "local", "shared", "protected", "buffer", "ack"];

/// Most components of a token.
const MAX_COMPONENTS: usize = 256;

impl Elaborator<'_> {
    pub(super) fn place(&mut self, place: &ast::Place) -> Elab<()> {
        let name = &place.name;
        self.undeclared(Space::Place, name)?;
        if place.domain.len() > MAX_COMPONENTS {
            let message = format!("the tokens of place {name} have {} components", place.domain.len());
            return self.fail(
                Diagnostic::new(place.domain_span, message)
                    .label("too many")
                    .help(format!("expected at most {MAX_COMPONENTS}; put some of them into a struct")),
            );
        }
        let domain = self.domain(&place.domain)?;
        let per_token = match &place.capacity {
            Some(capacity) => self.place_capacity(capacity)?,
            None => self.options.default_capacity.unwrap_or(1),
        };
        if let Some(role) = &place.role
            && !ROLES.contains(&role.text.as_str())
        {
            let help = match nearest(&role.text, ROLES) {
                Some(near) => format!("did you mean {near}?"),
                None => format!("expected one of {}", ROLES.join(", ")),
            };
            return self.fail(
                Diagnostic::new(role.span, format!("there is no type {role} of places"))
                    .label("unknown type of place")
                    .help(help),
            );
        }
        let initial = match &place.init {
            Some(tuples) => self.initial(tuples, &place.name.text, domain, per_token)?,
            None => MultiSet::new(),
        };
        self.names.declare(Space::Place, name, self.places.len());
        self.places.push(Place {
            name: name.clone(),
            domain,
            capacity: Capacity { per_token: Some(per_token), total: None },
            initial,
            implied: None,
            constant: false,
            role: place.role.clone(),
        });
        Ok(())
    }

    fn place_capacity(&mut self, expr: &ast::Expr) -> Elab<u32> {
        let capacity = self.static_number(expr, "the capacity of a place")?;
        match u32::try_from(capacity) {
            Ok(capacity) if capacity > 0 => Ok(capacity),
            _ => self.fail(
                Diagnostic::new(expr.span, format!("a place cannot have capacity {capacity}"))
                    .label(format!("this is {capacity}"))
                    .help("expected a number from 1 to 4294967295; is a parameter too small?"),
            ),
        }
    }

    /// The tokens of the initial marking.
    fn initial(
        &mut self,
        tuples: &[ast::Tuple],
        place: &str,
        domain: TypeIdx,
        per_token: u32,
    ) -> Elab<MultiSet> {
        let mut scope = Scope::new(Context::Static("the initial marking"));
        let terms = self.terms(tuples, place, domain, TermKind::Used, &mut scope)?;
        let mut frame = vec![Value::Int(0); scope.variables.len()];
        let initial = match sum(&mut Evaluator::new(&self.types, &self.functions), &terms, &mut frame) {
            Ok(initial) => initial,
            Err(Stop::TooMany(span)) => {
                return self.fail(
                    Diagnostic::new(span, format!("place {place} has more than {MAX_TOKENS} tokens"))
                        .label("too many")
                        .help("use smaller types"),
                );
            }
            Err(Stop::Error(error)) => return self.static_error(error),
        };
        let excess = initial.iter().find(|(_, count)| *count > per_token);
        if let Some((token, count)) = excess {
            let token = self.types.show(domain, token);
            let error = RunErrorKind::CapacityExceeded {
                place: place.to_owned(),
                token,
                count: u64::from(count),
                capacity: per_token.to_string(),
            };
            let span = tuples.iter().fold(tuples[0].span, |span, tuple| span.to(tuple.span));
            return self.fail(
                Diagnostic::new(span, error.to_string())
                    .label("in the initial marking")
                    .help(format!("state a larger capacity, as in `capacity: {count};`")),
            );
        }
        Ok(initial)
    }
}

/// Why the initial marking could not be made.
enum Stop {
    Error(RunError),
    TooMany(Span),
}

/// The sum of terms, as long as it is not too large.
fn sum(evaluator: &mut Evaluator<'_>, terms: &[Term], frame: &mut [Value]) -> Result<MultiSet, Stop> {
    let mut sum = MultiSet::new();
    for term in terms {
        let mut too_many = false;
        let done = evaluator.term(term, frame, &mut |token, count| {
            let overflow = || RunError::new(RunErrorKind::Overflow, term.span);
            sum.add(token, count).map_err(|_| overflow())?;
            too_many = sum.n_distinct() as u64 > MAX_TOKENS;
            if too_many { Err(overflow()) } else { Ok(()) }
        });
        match done {
            Err(_) if too_many => return Err(Stop::TooMany(term.span)),
            Err(error) => return Err(Stop::Error(error)),
            Ok(()) => {}
        }
    }
    Ok(sum)
}

//! Coloured nets.

use crate::{
    Expr, FuncIdx, Function, Iter, MultiSet, Name, Nupn, Progress, Property, Span, TypeIdx, Types, Value,
    VarIdx, Variable,
};

petite_bits::typed_index! {
    /// A place of a net.
    pub struct PlaceIdx;
    /// A transition of a net.
    pub struct TransIdx;
    /// A proposition of a net.
    pub struct PropIdx;
}

/// A coloured net: what every reader produces and every engine explores.
#[derive(Clone, Debug)]
pub struct Net {
    /// The net's name.
    pub name: Name,
    /// The parameters and the values that this net was read with.
    pub params: Vec<(Name, i64)>,
    /// All types.
    pub types: Types,
    /// Functions, called by [`FuncIdx`].
    pub functions: Vec<Function>,
    /// Places.
    pub places: Vec<Place>,
    /// Transitions.
    pub transitions: Vec<Transition>,
    /// State propositions.
    pub propositions: Vec<Proposition>,
    /// Properties to check.
    pub properties: Vec<Property>,
    /// The progress measure, where the model states one.
    pub progress: Option<Progress>,
    /// Assumptions on fairness.
    pub fairness: Vec<FairnessSet>,
    /// Identifiers that differ from names, in languages that have both.
    pub ids: Ids,
    /// The nesting of units, where the model states one.
    pub nupn: Option<Nupn>,
}

impl Net {
    /// How formulas beside the model call a place: its identifier where the language has one, else its name.
    pub fn place_id(&self, place: PlaceIdx) -> &str {
        let id = self.ids.places.get(place.index()).and_then(Option::as_deref);
        id.unwrap_or(&self.place(place).name.text)
    }

    /// How formulas beside the model call a transition, likewise.
    pub fn transition_id(&self, transition: TransIdx) -> &str {
        let id = self.ids.transitions.get(transition.index()).and_then(Option::as_deref);
        id.unwrap_or(&self.transition(transition).name.text)
    }

    /// The place with this index.
    pub fn place(&self, place: PlaceIdx) -> &Place {
        &self.places[place.index()]
    }

    /// The transition with this index.
    pub fn transition(&self, transition: TransIdx) -> &Transition {
        &self.transitions[transition.index()]
    }

    /// The function with this index.
    pub fn function(&self, function: FuncIdx) -> &Function {
        &self.functions[function.index()]
    }
}

/// Identifiers of nodes in languages where a node has an identifier for machines and a name for people.
///
/// A list is empty or has an entry for each node; `None` says that the name is the identifier. So a net whose
/// names are its identifiers pays nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ids {
    /// Of the places.
    pub places: Vec<Option<Box<str>>>,
    /// Of the transitions.
    pub transitions: Vec<Option<Box<str>>>,
}

/// A place.
#[derive(Clone, Debug)]
pub struct Place {
    /// Its name.
    pub name: Name,
    /// Type of its tokens; where the language has tuples for tokens, a struct with their components.
    pub domain: TypeIdx,
    /// Limits that a marking must respect.
    pub capacity: Capacity,
    /// Tokens in the initial marking.
    pub initial: MultiSet,
    /// A sum of terms that always equals the contents, where the model declares one. It reads the tokens of
    /// other places, never in a circle.
    pub implied: Option<Implied>,
    /// Whether the modeller says that no transition changes the contents.
    pub constant: bool,
    /// A hint of the modeller about the place's role.
    pub role: Option<Name>,
}

/// What the contents of a place follow from.
#[derive(Clone, Debug, PartialEq)]
pub struct Implied {
    /// Variables of the terms' iterations.
    pub variables: Vec<Variable>,
    /// The sum.
    pub terms: Vec<Term>,
}

/// Limits of a place. Exceeding one is an error of the model that ends the search; it never blocks a transition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Capacity {
    /// Largest multiplicity of one token value.
    pub per_token: Option<u32>,
    /// Allowed numbers of tokens in the place, as ascending disjoint closed ranges.
    pub total: Option<Vec<(u32, u32)>>,
}

/// Whether a term's tokens are added to a sum or taken away from it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sign {
    /// Added.
    #[default]
    Plus,
    /// Taken away; a run-time error where the sum has fewer of them.
    Minus,
}

/// Part of an arc's inscription: `for (iters) if (condition) factor * token`.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// Whether it adds or takes away.
    pub sign: Sign,
    /// Iteration variables: the term stands for the sum over all combinations.
    pub iters: Vec<Iter>,
    /// The term counts only where this holds.
    pub condition: Option<Expr>,
    /// Multiplicity, one when absent. Zero is allowed, a negative one is a run-time error. Where an iteration
    /// runs over tokens or the items of a multi-set, each combination counts as often as they occur.
    pub factor: Option<Expr>,
    /// The token. On an input arc a [`crate::ExprKind::Tuple`] of this may bind variables: a component that
    /// is a variable alone takes the token's component as its value.
    pub token: Expr,
    /// Where it stands.
    pub span: Span,
}

impl Term {
    /// Whether the term is a plain tuple that always stands for its tokens, and so can bind variables.
    pub fn can_bind(&self) -> bool {
        self.iters.is_empty() && self.condition.is_none() && self.sign == Sign::Plus
    }

    /// Whether its tokens depend on the marking.
    pub fn reads_marking(&self) -> bool {
        let mut reads = false;
        self.for_each_place(&mut |_| reads = true);
        reads
    }

    /// Calls `visit` with every place whose tokens are read.
    pub fn for_each_place(&self, visit: &mut dyn FnMut(PlaceIdx)) {
        self.iters.iter().for_each(|iter| iter.for_each_place(visit));
        let parts = self.condition.iter().chain(&self.factor).chain([&self.token]);
        parts.for_each(|part| part.for_each_place(visit));
    }

    /// Calls `visit` with every expression of it.
    pub fn for_each_part<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        self.iters.iter().for_each(|iter| iter.for_each_part(visit));
        self.condition.iter().chain(&self.factor).chain([&self.token]).for_each(visit);
    }
}

/// An arc between a place and a transition.
#[derive(Clone, Debug, PartialEq)]
pub struct Arc {
    /// The place.
    pub place: PlaceIdx,
    /// The inscription: the sum of the terms.
    pub terms: Vec<Term>,
    /// Where it stands.
    pub span: Span,
}

impl Arc {
    /// Whether a term takes away from the others: the tokens are then known only from all terms together, and
    /// none of them can bind variables.
    pub fn subtracts(&self) -> bool {
        self.terms.iter().any(|term| term.sign == Sign::Minus)
    }
}

/// A transition.
#[derive(Clone, Debug)]
pub struct Transition {
    /// Its name.
    pub name: Name,
    /// All variables of its expressions: those of the binding, `let` and iteration variables.
    pub variables: Vec<Variable>,
    /// The variables that make the binding (bound by input arcs or picked): two bindings differ exactly if
    /// these do.
    pub binding: Vec<VarIdx>,
    /// Tokens taken.
    pub inputs: Vec<Arc>,
    /// Tokens given.
    pub outputs: Vec<Arc>,
    /// The transition is disabled where a place holds a token that matches a term at least `factor` times;
    /// variables outside `binding` and `lets` match anything.
    pub inhibitors: Vec<Arc>,
    /// Free variables and the values they may take.
    pub picks: Vec<Iter>,
    /// Variables computed from the binding, in order; a guard may use them.
    pub lets: Vec<(VarIdx, Expr)>,
    /// Must hold for the binding to be enabled.
    pub guard: Option<Expr>,
    /// Bindings with a lower priority than an enabled one are disabled; may read the marking. Zero when absent.
    pub priority: Option<Expr>,
    /// How to show a firing: a format with `%d` for each expression.
    pub description: Option<(String, Vec<Expr>)>,
    /// Promise of the modeller that no other transition disables this one.
    pub safe: bool,
    /// Transitions of another class are disabled behind an enabled one that has a class, in the order of
    /// declaration; see [`PriorityClass`].
    pub class: PriorityClass,
    /// What an error in the evaluation of an instance means.
    pub on_error: OnError,
}

/// A class of transitions that go first.
///
/// Transitions are tried in the order of their declaration. As soon as one with a class of its own, a number other
/// than zero, is enabled in a state, all transitions of other classes that come after it are disabled there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PriorityClass(pub u32);

impl PriorityClass {
    /// Goes after nobody and before nobody.
    pub const NONE: PriorityClass = PriorityClass(0);
}

/// What an error in the evaluation of an instance means, other than one that the modeller calls fatal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnError {
    /// The model is wrong: the search ends.
    #[default]
    Stop,
    /// The instance is not enabled, and the user is told.
    LeaveOut,
}

/// Instances that a fair run must not pass over.
#[derive(Clone, Debug)]
pub struct FairnessSet {
    /// What is demanded of runs.
    pub demand: Fairness,
    /// For each transition with instances in the set, the condition on their binding.
    pub members: Vec<(TransIdx, Expr)>,
    /// Where it is declared.
    pub span: Span,
}

/// What a fairness set demands of runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fairness {
    /// An instance is fired infinitely often where one is enabled from some time on.
    Weak,
    /// An instance is fired infinitely often where one is enabled infinitely often.
    Strong,
    /// Nothing of runs: some instance is to be enabled in some state.
    Enabled,
}

/// A named truth value of markings.
#[derive(Clone, Debug)]
pub struct Proposition {
    /// Its name.
    pub name: Name,
    /// Iteration variables of its expression.
    pub variables: Vec<Variable>,
    /// The truth value; may read the marking.
    pub expr: Expr,
}

/// What expressions may ask of a marking.
pub trait Marking {
    /// Calls `each` with every different token of a place and its multiplicity, in a fixed order.
    fn tokens(&self, place: PlaceIdx, each: &mut dyn FnMut(&Value, u32));

    /// Number of different tokens.
    fn card(&self, place: PlaceIdx) -> u64 {
        let mut n = 0;
        self.tokens(place, &mut |_, _| n += 1);
        n
    }

    /// Number of tokens.
    fn mult(&self, place: PlaceIdx) -> u64 {
        let mut n = 0;
        self.tokens(place, &mut |_, count| n += u64::from(count));
        n
    }
}

//! Variables in scope.

use petite_net::{Name, TypeIdx, VarIdx, Variable};

/// What an expression is part of: it decides what the expression may use, and how messages speak of it.
#[derive(Clone, Debug)]
pub(super) enum Context {
    /// Something evaluated when the model is read: "a constant", "the capacity of a place".
    Static(&'static str),
    Function,
    /// The transition of this name.
    Transition(String),
    Proposition,
}

/// What may be done with a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// A parameter or local variable of a function.
    Local,
    /// A local constant of a function.
    Constant,
    /// Runs over the values of a type or a container.
    Iteration,
    /// Runs over the tokens of a place.
    Token,
    /// Is bound by an input arc or a pick, computed by `let`, or matches anything on an inhibitor arc.
    Transition,
}

#[derive(Clone, Debug)]
struct Visible {
    name: String,
    var: VarIdx,
    role: Role,
}

/// The variables of a frame, and which of them can be named now.
#[derive(Clone, Debug)]
pub(super) struct Scope {
    pub(super) context: Context,
    /// All variables of the frame.
    pub(super) variables: Vec<Variable>,
    visible: Vec<Visible>,
    /// Whether places may be read.
    pub(super) reads_marking: bool,
}

impl Scope {
    pub(super) fn new(context: Context) -> Scope {
        let reads_marking = matches!(context, Context::Proposition);
        Scope { context, variables: Vec::new(), visible: Vec::new(), reads_marking }
    }

    /// Adds a variable and makes it visible; it hides others of its name.
    pub(super) fn declare(&mut self, name: &Name, ty: TypeIdx, role: Role) -> VarIdx {
        let var = VarIdx::new(self.variables.len());
        self.variables.push(Variable { name: name.clone(), ty });
        self.visible.push(Visible { name: name.text.clone(), var, role });
        var
    }

    pub(super) fn find(&self, name: &str) -> Option<(VarIdx, Role)> {
        self.visible.iter().rev().find(|visible| visible.name == name).map(|found| (found.var, found.role))
    }

    /// Whether a name was declared after a mark.
    pub(super) fn declared_since(&self, mark: usize, name: &str) -> bool {
        self.visible[mark..].iter().any(|visible| visible.name == name)
    }

    pub(super) fn ty(&self, var: VarIdx) -> TypeIdx {
        self.variables[var.index()].ty
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.visible.iter().map(|visible| visible.name.as_str())
    }

    /// A mark to come back to.
    pub(super) fn mark(&self) -> usize {
        self.visible.len()
    }

    /// Hides the variables declared since a mark.
    pub(super) fn release(&mut self, mark: usize) {
        self.visible.truncate(mark);
    }
}

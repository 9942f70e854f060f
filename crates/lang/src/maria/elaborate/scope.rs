//! What the names in a formula may stand for.

use std::collections::HashMap;

use petite_net::{Expr, Iter, PlaceIdx, Span, Term, TypeIdx, Value, VarIdx, Variable};

use super::modules::ModuleIdx;
use crate::maria::ast;

/// Where a formula stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Site {
    /// In a type, a capacity or the like: everything must be known.
    Fixed,
    /// In the contents of a place: may read other places.
    Contents,
    /// In a property: may read places.
    Property,
    /// In a transition's input arc: variables may be declared by their use.
    Input,
    /// In a transition's output arc: likewise, and places are what was taken from them.
    Output,
    /// In a gate or the like.
    Gate,
}

/// Names and variables.
#[derive(Clone, Debug)]
pub(super) struct Scope<'a> {
    pub module: ModuleIdx,
    pub site: Site,
    /// The frame.
    pub variables: Vec<Variable>,
    /// Parameters, quantified variables and iterators, the innermost last.
    pub locals: Vec<(String, Expr)>,
    /// Quantified variables that are carried out value by value, the innermost last.
    pub quantified: Vec<Quantified>,
    /// The parts that make up the transition, where it is one.
    pub members: Vec<Member<'a>>,
    /// The part that is being read.
    pub current: usize,
    /// Variables that take any value.
    pub picks: Vec<Iter>,
    /// Conditions of these.
    pub conditions: Vec<Expr>,
    /// Output variables without a name, by where they stand and the values of the quantified variables there.
    pub unnamed: HashMap<(Span, Vec<Value>), VarIdx>,
    /// What is taken from places.
    pub taken: Vec<(PlaceIdx, Vec<Term>)>,
    /// Functions that are being carried out.
    pub depth: usize,
}

/// A quantified variable and its value.
#[derive(Clone, Debug)]
pub(super) struct Quantified {
    pub name: String,
    pub ty: TypeIdx,
    pub value: Value,
}

/// One of the transitions or bodies that make up a transition.
#[derive(Clone, Debug)]
pub(super) struct Member<'a> {
    pub module: ModuleIdx,
    /// The names of the transitions and bodies in it.
    pub names: Vec<String>,
    pub parts: Vec<&'a ast::Part>,
    pub locals: HashMap<String, Local<'a>>,
    /// Variables for single values of quantified ones: by name, type and value.
    pub indexed: HashMap<(String, TypeIdx, Value), VarIdx>,
    /// Members of surrounding modules whose names this one sees.
    pub outer: Vec<usize>,
}

/// What a name of a transition stands for.
#[derive(Clone, Debug)]
pub(super) enum Local<'a> {
    Variable(VarIdx),
    /// A function of the variables of a member.
    Function(&'a ast::Function, usize),
}

impl<'a> Scope<'a> {
    /// Of a formula whose value must be known.
    pub fn fixed(module: ModuleIdx) -> Scope<'a> {
        Scope::at(module, Site::Fixed)
    }

    /// Of a formula at some site.
    pub fn at(module: ModuleIdx, site: Site) -> Scope<'a> {
        Scope {
            module,
            site,
            variables: Vec::new(),
            locals: Vec::new(),
            quantified: Vec::new(),
            members: Vec::new(),
            current: 0,
            picks: Vec::new(),
            conditions: Vec::new(),
            unnamed: HashMap::new(),
            taken: Vec::new(),
            depth: 0,
        }
    }

    /// A new variable of the frame.
    pub fn variable(&mut self, name: petite_net::Name, ty: TypeIdx) -> VarIdx {
        self.variables.push(Variable { name, ty });
        VarIdx::new(self.variables.len() - 1)
    }

    /// What the innermost local of a name stands for.
    pub fn local(&self, name: &str) -> Option<&Expr> {
        self.locals.iter().rev().find(|(local, _)| local == name).map(|(_, expr)| expr)
    }

    /// What a name of the transition stands for, in the part being read or around it.
    pub fn of_transition(&self, name: &str) -> Option<Local<'a>> {
        self.of_member(self.current, name)
    }

    fn of_member(&self, member: usize, name: &str) -> Option<Local<'a>> {
        let member = self.members.get(member)?;
        if let Some(local) = member.locals.get(name) {
            return Some(local.clone());
        }
        member.outer.iter().find_map(|&outer| self.of_member(outer, name))
    }

    /// Whether variables may be declared by their use.
    pub fn declares(&self) -> bool {
        matches!(self.site, Site::Input | Site::Output) && !self.members.is_empty()
    }

    /// Runs `work` as if it stood elsewhere: without the locals of this place.
    pub fn apart<T>(
        &mut self,
        module: ModuleIdx,
        current: usize,
        locals: Vec<(String, Expr)>,
        work: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let outer_locals = std::mem::replace(&mut self.locals, locals);
        let outer_module = std::mem::replace(&mut self.module, module);
        let outer_current = std::mem::replace(&mut self.current, current);
        self.depth += 1;
        let result = work(self);
        self.depth -= 1;
        self.current = outer_current;
        self.module = outer_module;
        self.locals = outer_locals;
        result
    }
}

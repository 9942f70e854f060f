//! The values of expressions and inscriptions, by direct interpretation of the description.
//!
//! The rules are those of the language: arithmetic of modulo types wraps around, that of ranges does not and is
//! checked only where the whole value becomes a component, an argument or a `let` variable.

use std::collections::BTreeSet;

use crate::describe::{
    Bag, Expr, ExprKind, Function, Iter, Kind, Marking, Net, Op, Tuple, TypeId, Val, VarId,
};

/// How a model can be wrong at run time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wrong {
    /// A value is not of its type.
    Range,
    /// A set is too small for its elements.
    Container,
    /// A token occurs more often than its place allows.
    Capacity,
}

/// What expressions are evaluated in.
#[derive(Clone)]
pub struct Scope<'a> {
    pub net: &'a Net,
    pub values: Vec<Option<Val>>,
    /// Only priorities may read it.
    pub marking: Option<&'a Marking>,
}

/// All values of a type.
pub fn domain(net: &Net, ty: TypeId) -> Vec<Val> {
    match *net.kind(ty) {
        Kind::Int => panic!("no variable of the whole numbers is ever enumerated"),
        Kind::Vector { index, element } => {
            let (low, high) = net.bounds(index);
            let mut vectors = vec![vec![]];
            for _ in low..=high {
                vectors = extended(&vectors, net.bounds(element));
            }
            vectors.into_iter().map(Val::Vector).collect()
        }
        Kind::Set { element, capacity } => {
            let (low, high) = net.bounds(element);
            let subsets = (0..1u32 << (high - low + 1)).filter(|bits| bits.count_ones() as usize <= capacity);
            let elements = |bits: u32| (low..=high).filter(move |item| bits >> (item - low) & 1 == 1);
            subsets.map(|bits| Val::Set(elements(bits).collect())).collect()
        }
        _ => {
            let (low, high) = net.bounds(ty);
            (low..=high).map(Val::Num).collect()
        }
    }
}

fn extended(vectors: &[Vec<i64>], (low, high): (i64, i64)) -> Vec<Vec<i64>> {
    let with = |vector: &Vec<i64>, item| vector.iter().copied().chain([item]).collect();
    vectors.iter().flat_map(|vector| (low..=high).map(move |item| with(vector, item))).collect()
}

/// Whether a value is of a type.
pub fn contains(net: &Net, ty: TypeId, value: &Val) -> bool {
    let within = |ty: TypeId, number: i64| {
        let (low, high) = net.bounds(ty);
        (low..=high).contains(&number)
    };
    match (net.kind(ty), value) {
        (Kind::Vector { element, .. }, Val::Vector(items)) => {
            items.iter().all(|item| within(*element, *item))
        }
        (Kind::Set { element, capacity }, Val::Set(items)) => {
            items.len() <= *capacity && items.iter().all(|item| within(*element, *item))
        }
        (_, Val::Num(number)) => within(ty, *number),
        _ => false,
    }
}

impl Scope<'_> {
    /// The value of an expression.
    pub fn value(&self, expr: &Expr) -> Result<Val, Wrong> {
        let net = self.net;
        Ok(match &expr.kind {
            ExprKind::Literal(value) => value.clone(),
            ExprKind::Var(var) => match &self.values[*var] {
                Some(value) => value.clone(),
                None => panic!("variable x{var} is used before it has a value"),
            },
            ExprKind::Not(operand) => Val::Num(i64::from(!self.value(operand)?.holds())),
            ExprKind::Succ(operand) => Val::Num(self.neighbour(expr.ty, self.number(operand)?, 1)?),
            ExprKind::Pred(operand) => Val::Num(self.neighbour(expr.ty, self.number(operand)?, -1)?),
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right, expr.ty)?,
            ExprKind::If(condition, then, otherwise) => {
                self.value(if self.value(condition)?.holds() { then } else { otherwise })?
            }
            ExprKind::Vector(items) => {
                let Kind::Vector { index, .. } = *net.kind(expr.ty) else { panic!("not a vector type") };
                let (low, high) = net.bounds(index);
                let items: Vec<i64> = items.iter().map(|item| self.number(item)).collect::<Result<_, _>>()?;
                let item = |at: i64| items[(at as usize).min(items.len() - 1)];
                Val::Vector((0..=high - low).map(item).collect())
            }
            ExprKind::Set(items) => {
                self.set(expr.ty, items.iter().map(|item| self.number(item)).collect::<Result<_, _>>()?)?
            }
            ExprKind::Element(vector, index) => {
                let (items, at) = self.element(vector, index)?;
                Val::Num(items[at])
            }
            ExprKind::Update(vector, index, item) => {
                let (mut items, at) = self.element(vector, index)?;
                items[at] = self.number(item)?;
                Val::Vector(items)
            }
            ExprKind::Size(set) => Val::Num(self.elements(set)?.len() as i64),
            ExprKind::ToInt(operand) => self.value(operand)?,
            ExprKind::Call(function, arguments) => {
                let arguments = arguments.iter().map(|argument| self.converted(argument, argument.ty));
                self.call(&net.functions[*function], &arguments.collect::<Result<Vec<_>, _>>()?)
            }
            ExprKind::Card(place) => Val::Num(self.bag(*place).len() as i64),
            ExprKind::Mult(place) => Val::Num(self.bag(*place).values().map(|&count| i64::from(count)).sum()),
        })
    }

    /// The value of an expression where it has to be of the type.
    pub fn converted(&self, expr: &Expr, ty: TypeId) -> Result<Val, Wrong> {
        let value = self.value(expr)?;
        if contains(self.net, ty, &value) { Ok(value) } else { Err(Wrong::Range) }
    }

    /// Adds the tokens that a tuple stands for; `types` are those of the variables, `domain` that of the place.
    pub fn add_tokens(
        &mut self,
        tuple: &Tuple,
        types: &[TypeId],
        domain: &[TypeId],
        bag: &mut Bag,
    ) -> Result<(), Wrong> {
        self.nest(&tuple.iters, tuple, types, domain, bag)
    }

    fn nest(
        &mut self,
        iters: &[Iter],
        tuple: &Tuple,
        types: &[TypeId],
        domain: &[TypeId],
        bag: &mut Bag,
    ) -> Result<(), Wrong> {
        if let Some((iter, rest)) = iters.split_first() {
            for number in iterated(self.net, types, iter.var, iter.range) {
                self.values[iter.var] = Some(Val::Num(number));
                self.nest(rest, tuple, types, domain, bag)?;
            }
            self.values[iter.var] = None;
            return Ok(());
        }
        if let Some(condition) = &tuple.condition
            && !self.value(condition)?.holds()
        {
            return Ok(());
        }
        let components = tuple.token.iter().zip(domain);
        let token = components.map(|(expr, ty)| self.converted(expr, *ty)).collect::<Result<_, _>>()?;
        *bag.entry(token).or_default() += tuple.factor;
        Ok(())
    }

    fn number(&self, expr: &Expr) -> Result<i64, Wrong> {
        Ok(self.value(expr)?.num())
    }

    fn elements(&self, expr: &Expr) -> Result<BTreeSet<i64>, Wrong> {
        match self.value(expr)? {
            Val::Set(items) => Ok(items),
            value => panic!("the generator promised a set, not {value:?}"),
        }
    }

    fn element(&self, vector: &Expr, index: &Expr) -> Result<(Vec<i64>, usize), Wrong> {
        let Kind::Vector { index: index_type, .. } = *self.net.kind(vector.ty) else {
            panic!("not a vector type")
        };
        let Val::Vector(items) = self.value(vector)? else { panic!("the generator promised a vector") };
        let at = self.number(index)? - self.net.bounds(index_type).0;
        match usize::try_from(at) {
            Ok(at) if at < items.len() => Ok((items, at)),
            _ => Err(Wrong::Range),
        }
    }

    fn set(&self, ty: TypeId, items: BTreeSet<i64>) -> Result<Val, Wrong> {
        match *self.net.kind(ty) {
            Kind::Set { capacity, .. } if items.len() <= capacity => Ok(Val::Set(items)),
            _ => Err(Wrong::Container),
        }
    }

    fn bag(&self, place: usize) -> &Bag {
        match self.marking {
            Some(marking) => &marking[place],
            None => panic!("only priorities read the marking"),
        }
    }

    fn neighbour(&self, ty: TypeId, number: i64, step: i64) -> Result<i64, Wrong> {
        let (low, high) = self.net.bounds(ty);
        match number + step {
            next if (low..=high).contains(&next) => Ok(next),
            _ if matches!(self.net.kind(ty), Kind::Range { .. } | Kind::Int) => Err(Wrong::Range),
            next if next > high => Ok(low),
            _ => Ok(high),
        }
    }

    fn binary(&self, op: Op, left: &Expr, right: &Expr, ty: TypeId) -> Result<Val, Wrong> {
        let truth = |truth: bool| Val::Num(i64::from(truth));
        let wrapped = |number: i64| match *self.net.kind(ty) {
            Kind::Mod(modulus) => Val::Num(number.rem_euclid(modulus)),
            _ => Val::Num(number),
        };
        Ok(match op {
            Op::And => truth(self.value(left)?.holds() && self.value(right)?.holds()),
            Op::Or => truth(self.value(left)?.holds() || self.value(right)?.holds()),
            Op::Add => wrapped(self.number(left)? + self.number(right)?),
            Op::Sub => wrapped(self.number(left)? - self.number(right)?),
            Op::Mul => wrapped(self.number(left)? * self.number(right)?),
            Op::Rem => wrapped(self.number(left)? % self.number(right)?),
            Op::Eq => truth(self.value(left)? == self.value(right)?),
            Op::Ne => truth(self.value(left)? != self.value(right)?),
            Op::Lt => truth(self.number(left)? < self.number(right)?),
            Op::Le => truth(self.number(left)? <= self.number(right)?),
            Op::Gt => truth(self.number(left)? > self.number(right)?),
            Op::Ge => truth(self.number(left)? >= self.number(right)?),
            Op::In => truth(self.elements(right)?.contains(&self.number(left)?)),
            Op::With => {
                let mut items = self.elements(left)?;
                items.insert(self.number(right)?);
                self.set(ty, items)?
            }
            Op::Without => {
                let mut items = self.elements(left)?;
                items.remove(&self.number(right)?);
                Val::Set(items)
            }
        })
    }

    /// What the functions compute, said without the statements that the model text spells them in.
    fn call(&self, function: &Function, arguments: &[Val]) -> Val {
        let first = &arguments[0];
        match (function, first) {
            (Function::Larger(_), _) => first.max(&arguments[1]).clone(),
            (Function::Smaller(_), _) => first.min(&arguments[1]).clone(),
            (Function::Next(ty), _) => {
                let (low, high) = self.net.bounds(*ty);
                Val::Num(if first.num() == high { low } else { first.num() + 1 })
            }
            (Function::Triangle(_), _) => Val::Num((1..=first.num()).sum()),
            (Function::CountLast(ty), Val::Vector(items)) => {
                let Kind::Vector { element, .. } = *self.net.kind(*ty) else { panic!("not a vector type") };
                let last = self.net.bounds(element).1;
                Val::Num(items.iter().filter(|item| **item == last).count() as i64)
            }
            (Function::Level(_), Val::Vector(items)) => Val::Vector(vec![items[0]; items.len()]),
            (Function::UpTo(ty), _) => {
                let Kind::Set { element, .. } = *self.net.kind(*ty) else { panic!("not a set type") };
                Val::Set((self.net.bounds(element).0..=first.num()).collect())
            }
            _ => panic!("{function:?} of {arguments:?}"),
        }
    }
}

/// The numbers that a `for` variable or a pick over its type runs through.
pub fn iterated(
    net: &Net,
    types: &[TypeId],
    var: VarId,
    range: Option<(i64, i64)>,
) -> std::ops::RangeInclusive<i64> {
    let (low, high) = net.bounds(types[var]);
    let (from, to) = range.unwrap_or((low, high));
    from.max(low)..=to.min(high)
}

//! Drawing expressions.
//!
//! All but [`Generator::risky`] give expressions that have a value of their type wherever they are evaluated, so
//! that run-time errors come only from where they are meant to.

use crate::describe::{BOOL, Expr, ExprKind, Function, INT, Kind, Op, TypeId, VarId};
use crate::evaluate::domain;
use crate::generator::Generator;

/// Variables that have a value, with their types.
pub type Known = Vec<(VarId, TypeId)>;

impl Generator {
    /// A fixed value of a type.
    pub fn literal(&mut self, ty: TypeId) -> Expr {
        if ty == INT {
            return Expr::number(INT, self.rng.below(4) as i64);
        }
        let values = domain(&self.net, ty);
        Expr::literal(ty, values[self.rng.below(values.len())].clone())
    }

    /// Some variable of a type.
    pub fn known_variable(&mut self, ty: TypeId, known: &Known) -> Option<Expr> {
        let fitting: Vec<VarId> = known.iter().filter(|(_, of)| *of == ty).map(|(var, _)| *var).collect();
        self.rng.pick(&fitting).map(|var| Expr::var(ty, *var))
    }

    /// Some variable of another range: its values need not be of this one.
    pub fn foreign_variable(&mut self, ty: TypeId, known: &Known) -> Option<Expr> {
        let is_range = |of: &TypeId| self.net.is_range(*of) && *of != ty;
        let fitting: Known = known.iter().copied().filter(|(_, of)| is_range(of)).collect();
        let &(var, of) = self.rng.pick(&fitting).filter(|_| self.net.is_range(ty))?;
        Some(Expr::var(of, var))
    }

    /// A variable where there is one, a fixed value otherwise.
    pub fn simple(&mut self, ty: TypeId, known: &Known) -> Expr {
        self.known_variable(ty, known).unwrap_or_else(|| self.literal(ty))
    }

    /// Any expression of a type.
    pub fn expr(&mut self, ty: TypeId, known: &Known) -> Expr {
        match self.rng.below(100) {
            0..20 => self.simple(ty, known),
            20..30 => self.literal(ty),
            30..40 => {
                let parts = (self.condition(known, 0), self.simple(ty, known), self.simple(ty, known));
                Expr { ty, kind: ExprKind::If(parts.0.into(), parts.1.into(), parts.2.into()) }
            }
            40..55 => self.element(ty, known).unwrap_or_else(|| self.computed(ty, known)),
            55..70 => self.call(ty, known).unwrap_or_else(|| self.computed(ty, known)),
            _ => self.computed(ty, known),
        }
    }

    /// An expression that may have no value of its type.
    pub fn risky(&mut self, ty: TypeId, known: &Known) -> Expr {
        if self.rng.percent(30)
            && let Some(foreign) = self.foreign_variable(ty, known)
        {
            return foreign;
        }
        let operand = self.simple(ty, known);
        let one = Expr::number(INT, 1);
        match (self.net.kind(ty).clone(), self.rng.below(4)) {
            (Kind::Range { parent: None, .. }, 0) => Expr { ty, kind: ExprKind::Succ(operand.into()) },
            (Kind::Range { parent: None, .. }, 1) => Expr { ty, kind: ExprKind::Pred(operand.into()) },
            (Kind::Range { .. }, 2) => Expr::binary(ty, Op::Add, operand, one),
            (Kind::Range { .. }, _) => Expr::binary(ty, Op::Sub, operand, one),
            (Kind::Set { element, .. }, _) => {
                let item = self.expr(element, known);
                Expr::binary(ty, Op::With, operand, item)
            }
            _ => self.expr(ty, known),
        }
    }

    /// An expression with the operators of its type.
    fn computed(&mut self, ty: TypeId, known: &Known) -> Expr {
        let operand = self.simple(ty, known);
        match self.net.kind(ty).clone() {
            Kind::Bool => self.condition(known, 1),
            Kind::Int => self.whole_number(known),
            Kind::Range { low: 0, high, .. } if self.rng.percent(50) => {
                let sum = Expr::binary(ty, Op::Add, operand, Expr::number(INT, 1));
                Expr::binary(ty, Op::Rem, sum, Expr::number(INT, high + 1))
            }
            Kind::Range { .. } => operand,
            // A sum of numbers without a variable would be one of whole numbers.
            Kind::Mod(_) if operand.lone_variable().is_none() => operand,
            Kind::Mod(_) => match self.rng.below(6) {
                0 => Expr { ty, kind: ExprKind::Succ(operand.into()) },
                1 => Expr { ty, kind: ExprKind::Pred(operand.into()) },
                2 => Expr::binary(ty, Op::Sub, operand, Expr::number(INT, 1)),
                3 => Expr::binary(ty, Op::Mul, operand, Expr::number(INT, 2)),
                4 => {
                    let other = self.simple(ty, known);
                    Expr::binary(ty, Op::Add, operand, other)
                }
                _ => Expr::binary(ty, Op::Add, operand, Expr::number(INT, 1)),
            },
            Kind::Enum(_) if self.rng.percent(50) => Expr { ty, kind: ExprKind::Succ(operand.into()) },
            Kind::Enum(_) => Expr { ty, kind: ExprKind::Pred(operand.into()) },
            Kind::Vector { index, element } => self.vector(ty, index, element, operand, known),
            Kind::Set { element, capacity } => self.set(ty, element, capacity, operand, known),
        }
    }

    fn vector(&mut self, ty: TypeId, index: TypeId, element: TypeId, operand: Expr, known: &Known) -> Expr {
        let item = self.expr(element, known);
        if self.rng.percent(70) {
            let index = self.simple(index, known);
            return Expr { ty, kind: ExprKind::Update(operand.into(), index.into(), item.into()) };
        }
        let (low, high) = self.net.bounds(index);
        let n_items = self.rng.below((high - low + 1) as usize);
        let mut items = vec![item];
        items.extend((0..n_items).map(|_| self.simple(element, known)));
        Expr { ty, kind: ExprKind::Vector(items) }
    }

    fn set(&mut self, ty: TypeId, element: TypeId, capacity: usize, operand: Expr, known: &Known) -> Expr {
        let item = self.expr(element, known);
        let (low, high) = self.net.bounds(element);
        match self.rng.below(5) {
            0 if capacity as i64 > high - low => Expr::binary(ty, Op::With, operand, item),
            1 if capacity > 1 => {
                let other = self.simple(element, known);
                Expr { ty, kind: ExprKind::Set(vec![item, other]) }
            }
            1 => Expr { ty, kind: ExprKind::Set(vec![item]) },
            _ => Expr::binary(ty, Op::Without, operand, item),
        }
    }

    /// An element of a known vector.
    fn element(&mut self, ty: TypeId, known: &Known) -> Option<Expr> {
        let fits = |(_, of): &(VarId, TypeId)| matches!(self.net.kind(*of), Kind::Vector { element, .. } if *element == ty);
        let vectors: Known = known.iter().copied().filter(fits).collect();
        let &(var, of) = self.rng.pick(&vectors)?;
        let Kind::Vector { index, .. } = *self.net.kind(of) else { return None };
        let index = self.simple(index, known);
        Some(Expr { ty, kind: ExprKind::Element(Expr::var(of, var).into(), index.into()) })
    }

    /// A call of a function with a result of this type.
    fn call(&mut self, ty: TypeId, known: &Known) -> Option<Expr> {
        let fits = |function: &Function| self.net.signature(function).1 == ty;
        let n_functions = self.net.functions.len();
        let fitting: Vec<usize> = (0..n_functions).filter(|&f| fits(&self.net.functions[f])).collect();
        let function = *self.rng.pick(&fitting)?;
        let (params, _) = self.net.signature(&self.net.functions[function]);
        let arguments = params.into_iter().map(|param| self.simple(param, known)).collect();
        Some(Expr { ty, kind: ExprKind::Call(function, arguments) })
    }

    /// A truth value; with `depth`, one made of several.
    pub fn condition(&mut self, known: &Known, depth: usize) -> Expr {
        if depth > 0 && self.rng.percent(55) {
            let (left, right) = (self.condition(known, depth - 1), self.condition(known, depth - 1));
            return match self.rng.below(5) {
                0 | 1 => Expr::binary(BOOL, Op::And, left, right),
                2 | 3 => Expr::binary(BOOL, Op::Or, left, right),
                _ => Expr::not(left),
            };
        }
        match self.rng.below(100) {
            0..15 => match self.known_variable(BOOL, known) {
                Some(truth) => truth,
                None => self.comparison(known),
            },
            15..30 => self.membership(known).unwrap_or_else(|| self.comparison(known)),
            30..50 => {
                let (left, right) = (self.whole_number(known), Expr::number(INT, self.rng.below(4) as i64));
                let op = self.comparing();
                Expr::binary(BOOL, op, left, right)
            }
            _ => self.comparison(known),
        }
    }

    /// A comparison of two values of one type.
    fn comparison(&mut self, known: &Known) -> Expr {
        let Some(&(var, ty)) = self.rng.pick(known) else {
            let (left, right) = (self.literal(BOOL), self.literal(BOOL));
            return Expr::binary(BOOL, Op::Eq, left, right);
        };
        let mut left = Expr::var(ty, var);
        let others: Known = known.iter().copied().filter(|(other, _)| *other != var).collect();
        let right = match self.rng.below(100) {
            0..45 => self.simple(ty, &others),
            45..60 => self.foreign_variable(ty, &others).unwrap_or_else(|| self.simple(ty, &others)),
            _ => self.literal(ty),
        };
        if !self.net.is_discrete(ty) || ty == BOOL {
            let op = if self.rng.percent(50) { Op::Eq } else { Op::Ne };
            return Expr::binary(BOOL, op, left, right);
        }
        if self.net.is_numeric(ty) && self.rng.percent(30) {
            let op = if self.rng.percent(50) { Op::Add } else { Op::Sub };
            left = Expr::binary(ty, op, left, Expr::number(INT, 1));
        }
        let op = self.comparing();
        Expr::binary(BOOL, op, left, right)
    }

    fn comparing(&mut self) -> Op {
        [Op::Eq, Op::Ne, Op::Ne, Op::Lt, Op::Le, Op::Gt, Op::Ge][self.rng.below(7)]
    }

    fn membership(&mut self, known: &Known) -> Option<Expr> {
        let is_set = |(_, of): &(VarId, TypeId)| matches!(self.net.kind(*of), Kind::Set { .. });
        let sets: Known = known.iter().copied().filter(is_set).collect();
        let &(var, of) = self.rng.pick(&sets)?;
        let Kind::Set { element, .. } = *self.net.kind(of) else { return None };
        let item = self.simple(element, known);
        Some(Expr::binary(BOOL, Op::In, item, Expr::var(of, var)))
    }

    /// A whole number.
    pub fn whole_number(&mut self, known: &Known) -> Expr {
        if self.rng.percent(40)
            && let Some(call) = self.call(INT, known)
        {
            return call;
        }
        let Some(&(var, ty)) = self.rng.pick(known) else {
            return Expr::number(INT, self.rng.below(3) as i64);
        };
        let variable = Expr::var(ty, var);
        match self.net.kind(ty).clone() {
            Kind::Int => variable,
            Kind::Range { .. } | Kind::Mod(_) => {
                let number = Expr { ty: INT, kind: ExprKind::ToInt(variable.into()) };
                match self.rng.below(3) {
                    0 => Expr::binary(INT, Op::Mul, number, Expr::number(INT, 2)),
                    1 => Expr::binary(INT, Op::Sub, Expr::number(INT, 2), number),
                    _ => number,
                }
            }
            Kind::Set { .. } => Expr { ty: INT, kind: ExprKind::Size(variable.into()) },
            _ => {
                let condition = self.comparison(known);
                let (then, otherwise) = (Expr::number(INT, 1), Expr::number(INT, 0));
                Expr { ty: INT, kind: ExprKind::If(condition.into(), then.into(), otherwise.into()) }
            }
        }
    }

    /// A fixed part of a discrete type, for `range low .. high`.
    pub fn part_of(&mut self, ty: TypeId) -> Option<(i64, i64)> {
        let (low, high) = self.net.bounds(ty);
        let from = low + self.rng.below((high - low + 1) as usize) as i64;
        let to = from + self.rng.below((high - from + 1) as usize) as i64;
        self.rng.percent(40).then_some((from, to))
    }
}

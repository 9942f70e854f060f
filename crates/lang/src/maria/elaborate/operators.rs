//! Logic, comparisons, and the choice between the meanings of operators.

use petite_net::{BagTest, BinaryOp, Expr, ExprKind, Extreme, Span, TypeIdx, UnaryOp};

use super::scope::Scope;
use super::values::no_value;
use super::{Elab, Elaborator};
use crate::Diagnostic;
use crate::maria::ast::{Binary, Formula, FormulaKind, Unary};

impl<'a> Elaborator<'a> {
    pub(super) fn unary(
        &mut self,
        op: Unary,
        operand: &'a Formula,
        span: Span,
        hint: Option<TypeIdx>,
        scope: &mut Scope<'a>,
    ) -> Elab<Expr> {
        match op {
            Unary::Not => {
                let operand = self.truth(operand, scope)?;
                self.negated(operand, span)
            }
            Unary::Successor | Unary::Predecessor => {
                let operand = match (&operand.kind, hint) {
                    // A bare number is one of the type that is expected.
                    (FormulaKind::Number(_), Some(ty)) if self.is_numeric(ty) => {
                        self.value_of(operand, ty, scope)?
                    }
                    _ => self.value(operand, hint, scope)?,
                };
                self.refuse_order(operand.ty, span)?;
                let op = if op == Unary::Successor { UnaryOp::Next } else { UnaryOp::Previous };
                let ty = operand.ty;
                self.made(ExprKind::Unary(op, Box::new(operand)), ty, span)
            }
            Unary::Minus => self.minus(operand, span, hint, scope),
            Unary::Complement => self.complement(operand, span, hint, scope),
            Unary::Head => self.head(operand, span, scope),
            Unary::Used | Unary::Free => self.room(op, operand, span, scope),
            Unary::Cardinality => self.cardinality(operand, span, scope),
            Unary::Max | Unary::Min => {
                let (bag, _) = self.bag_of_unknown(operand, scope)?;
                let extreme = if op == Unary::Max { Extreme::Greatest } else { Extreme::Least };
                self.made(ExprKind::Multiplicity(extreme, Box::new(bag)), self.basic.unsigned, span)
            }
            Unary::Eventually | Unary::Always | Unary::Next => Err(temporal(span)),
        }
    }

    pub(super) fn negated(&mut self, operand: Expr, span: Span) -> Elab<Expr> {
        self.made(ExprKind::Unary(UnaryOp::Not, Box::new(operand)), self.basic.bool, span)
    }

    pub(super) fn binary(
        &mut self,
        op: Binary,
        left: &'a Formula,
        right: &'a Formula,
        span: Span,
        hint: Option<TypeIdx>,
        scope: &mut Scope<'a>,
    ) -> Elab<Expr> {
        match op {
            Binary::And | Binary::Or | Binary::Xor | Binary::Implies | Binary::Iff => {
                self.logical(op, left, right, span, scope)
            }
            Binary::Equal
            | Binary::NotEqual
            | Binary::Less
            | Binary::LessEqual
            | Binary::Greater
            | Binary::GreaterEqual => self.comparison(op, left, right, span, scope),
            Binary::Equals | Binary::Subset => {
                let (left, right) = self.two_bags(left, right, scope)?;
                let test = if op == Binary::Equals { BagTest::Equals } else { BagTest::Subset };
                self.made(ExprKind::Compare(test, Box::new(left), Box::new(right)), self.basic.bool, span)
            }
            Binary::Add
            | Binary::Sub
            | Binary::Mul
            | Binary::Div
            | Binary::Rem
            | Binary::ShiftLeft
            | Binary::ShiftRight
            | Binary::BitAnd
            | Binary::BitOr
            | Binary::BitXor => self.arithmetic(op, left, right, span, hint, scope),
            Binary::Until | Binary::Release => Err(temporal(span)),
            Binary::Times | Binary::Union | Binary::Minus | Binary::Intersect => Err(no_value(span)),
        }
    }

    fn logical(
        &mut self,
        op: Binary,
        left: &'a Formula,
        right: &'a Formula,
        span: Span,
        scope: &mut Scope<'a>,
    ) -> Elab<Expr> {
        let left = self.truth(left, scope)?;
        let right = self.truth(right, scope)?;
        self.connected(op, left, right, span)
    }

    /// Two truth values with a logical operator between them.
    pub(super) fn connected(&mut self, op: Binary, left: Expr, right: Expr, span: Span) -> Elab<Expr> {
        match op {
            Binary::And => self.both(left, right, span),
            Binary::Or => self.either(left, right, span),
            Binary::Implies => {
                let not = self.negated(left, span)?;
                self.either(not, right, span)
            }
            Binary::Xor => self.compared(BinaryOp::Ne, left, right, span),
            _ => self.compared(BinaryOp::Eq, left, right, span),
        }
    }

    /// The conjunction of two truth values; one that is known on the left decides at once.
    pub(super) fn both(&mut self, left: Expr, right: Expr, span: Span) -> Elab<Expr> {
        match &left.kind {
            ExprKind::Const(value) => Ok(if value.int() != 0 { right } else { left }),
            _ => {
                let kind = ExprKind::Binary(BinaryOp::And, Box::new(left), Box::new(right));
                self.made(kind, self.basic.bool, span)
            }
        }
    }

    /// The disjunction, likewise.
    pub(super) fn either(&mut self, left: Expr, right: Expr, span: Span) -> Elab<Expr> {
        match &left.kind {
            ExprKind::Const(value) => Ok(if value.int() != 0 { left } else { right }),
            _ => {
                let kind = ExprKind::Binary(BinaryOp::Or, Box::new(left), Box::new(right));
                self.made(kind, self.basic.bool, span)
            }
        }
    }

    fn compared(&mut self, op: BinaryOp, left: Expr, right: Expr, span: Span) -> Elab<Expr> {
        self.made(ExprKind::Binary(op, Box::new(left), Box::new(right)), self.basic.bool, span)
    }

    fn comparison(
        &mut self,
        op: Binary,
        left: &'a Formula,
        right: &'a Formula,
        span: Span,
        scope: &mut Scope<'a>,
    ) -> Elab<Expr> {
        let (left, right) = self.pair(left, right, None, scope)?;
        let op = match op {
            Binary::Equal => BinaryOp::Eq,
            Binary::NotEqual => BinaryOp::Ne,
            Binary::Less => BinaryOp::Lt,
            Binary::LessEqual => BinaryOp::Le,
            Binary::Greater => BinaryOp::Gt,
            _ => BinaryOp::Ge,
        };
        if !matches!(op, BinaryOp::Eq | BinaryOp::Ne) {
            self.refuse_order(left.ty, span)?;
            self.refuse_order(right.ty, span)?;
        }
        // Numbers compare by value, whatever their constraints; others must be of one type up to a constraint.
        if self.is_numeric(left.ty) && self.is_numeric(right.ty)
            || self.types.root(left.ty) == self.types.root(right.ty)
        {
            return self.compared(op, left, right, span);
        }
        let ty = left.ty;
        let right = self.converted(right, ty)?;
        self.compared(op, left, right, span)
    }

    /// Whether the type of two operands is better found from the left one.
    pub(super) fn is_left_first(&self, left: &Formula, right: &Formula, scope: &Scope<'a>) -> bool {
        self.is_strongly_typable(left, scope)
            || !self.is_strongly_typable(right, scope)
                && (self.is_typable(left, scope) || !self.is_typable(right, scope))
    }

    /// Two operands of one type, found from whichever side has one.
    pub(super) fn pair(
        &mut self,
        left: &'a Formula,
        right: &'a Formula,
        hint: Option<TypeIdx>,
        scope: &mut Scope<'a>,
    ) -> Elab<(Expr, Expr)> {
        if self.is_left_first(left, right, scope) {
            let left = self.value(left, hint, scope)?;
            let right = self.value(right, Some(left.ty), scope)?;
            Ok((left, right))
        } else {
            let right = self.value(right, hint, scope)?;
            let left = self.value(left, Some(right.ty), scope)?;
            Ok((left, right))
        }
    }
}

fn temporal(span: Span) -> Diagnostic {
    Diagnostic::new(span, "temporal operators cannot stand in a net")
        .label("a temporal formula")
        .help("state such a formula as a question to the net, not in it")
}

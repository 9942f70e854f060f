//! Operators on numbers, and the choice between them and those on containers.

use std::cmp::Ordering;

use super::Evaluator;
use super::containers::rotated;
use crate::{BinaryOp, Expr, ExprKind, Kind, RunError, RunErrorKind, TypeIdx, UnaryOp, Value};

impl Evaluator<'_> {
    pub(super) fn unary(&self, op: UnaryOp, number: i64, expr: &Expr) -> Result<Value, RunError> {
        let step = match op {
            UnaryOp::Neg => return self.in_type(number.checked_neg(), expr),
            UnaryOp::Not => return Ok(Value::bool(number == 0)),
            UnaryOp::Succ | UnaryOp::Next => 1,
            UnaryOp::Pred | UnaryOp::Previous => -1,
        };
        let (low, high) = self.types.bounds(expr.ty);
        let next = number + step;
        if (low..=high).contains(&next) {
            return Ok(Value::Int(next));
        }
        if matches!(self.types[expr.ty].kind, Kind::Range { .. }) {
            let ty = self.types[expr.ty].name.text.clone();
            return Err(RunError::new(
                RunErrorKind::NoNeighbour { value: number.to_string(), ty },
                expr.span,
            ));
        }
        Ok(Value::Int(if step > 0 { low } else { high }))
    }

    pub(super) fn binary(
        &self,
        op: BinaryOp,
        left: &Value,
        right: &Value,
        expr: &Expr,
    ) -> Result<Value, RunError> {
        let truth = match op {
            BinaryOp::Add => return self.in_type(left.int().checked_add(right.int()), expr),
            BinaryOp::Sub => return self.in_type(left.int().checked_sub(right.int()), expr),
            BinaryOp::Mul => return self.in_type(left.int().checked_mul(right.int()), expr),
            BinaryOp::Div | BinaryOp::Rem if right.int() == 0 => {
                return Err(RunError::new(RunErrorKind::DivisionByZero, expr.span));
            }
            BinaryOp::Div => return self.in_type(left.int().checked_div(right.int()), expr),
            BinaryOp::Rem => return self.in_type(left.int().checked_rem(right.int()), expr),
            BinaryOp::Eq => left == right,
            BinaryOp::Ne => left != right,
            BinaryOp::Lt => self.ordering(left, right, expr).is_lt(),
            BinaryOp::Le => self.ordering(left, right, expr).is_le(),
            BinaryOp::Gt => self.ordering(left, right, expr).is_gt(),
            BinaryOp::Ge => self.ordering(left, right, expr).is_ge(),
            BinaryOp::BitAnd => return self.in_type(Some(left.int() & right.int()), expr),
            BinaryOp::BitOr => return self.in_type(Some(left.int() | right.int()), expr),
            BinaryOp::BitXor => return self.in_type(Some(left.int() ^ right.int()), expr),
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight => {
                let by = right.int();
                if !(0..32).contains(&by) {
                    return Err(RunError::new(RunErrorKind::ShiftRange { by }, expr.span));
                }
                let shifted = match op {
                    BinaryOp::ShiftLeft => left.int().checked_mul(1 << by),
                    _ => Some(left.int() >> by),
                };
                return self.in_type(shifted, expr);
            }
            BinaryOp::RotateLeft => return Ok(rotated(left, right.int())),
            BinaryOp::RotateRight => return Ok(rotated(left, right.int().saturating_neg())),
            BinaryOp::And => left.int() != 0 && right.int() != 0,
            BinaryOp::Or => left.int() != 0 || right.int() != 0,
            BinaryOp::In => right.items().contains(left),
            _ => return self.combine(op, left, right, expr),
        };
        Ok(Value::bool(truth))
    }

    /// How two values compare in the order of their type.
    fn ordering(&self, left: &Value, right: &Value, expr: &Expr) -> Ordering {
        match (left, right, &expr.kind) {
            (Value::Int(left), Value::Int(right), _) => left.cmp(right),
            (_, _, ExprKind::Binary(_, operand, _)) => self.types.order(operand.ty, left, right),
            _ => left.cmp(right),
        }
    }

    /// The result of arithmetic, brought into the range of a modulo type; other ranges are checked where the
    /// whole expression's value is used.
    fn in_type(&self, result: Option<i64>, expr: &Expr) -> Result<Value, RunError> {
        let number = result.ok_or_else(|| RunError::new(RunErrorKind::Overflow, expr.span))?;
        Ok(Value::Int(self.modulo(expr.ty).map_or(number, |modulus| number.rem_euclid(modulus))))
    }

    fn modulo(&self, ty: TypeIdx) -> Option<i64> {
        match self.types[ty].kind {
            Kind::Modulo { modulus } => Some(modulus),
            _ => None,
        }
    }
}

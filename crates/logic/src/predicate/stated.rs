//! Propositions of nets that can be told without evaluating expressions.
//!
//! Most propositions only compare numbers of tokens: `critical'card > 1`. These become predicates like those of formulas.

use petite_net::{BinaryOp, Comparison, Expr, ExprKind, Number, Predicate, UnaryOp, Value};

/// The predicate that a truth-valued expression without variables stands for, where it is simple enough.
pub(crate) fn lowered(expr: &Expr) -> Option<Predicate> {
    Some(match &expr.kind {
        ExprKind::Const(Value::Int(truth)) => Predicate::Const(*truth != 0),
        ExprKind::Unary(UnaryOp::Not, body) => Predicate::Not(Box::new(lowered(body)?)),
        ExprKind::Convert(body) | ExprKind::Cast(body) if body.ty == expr.ty => lowered(body)?,
        ExprKind::Binary(BinaryOp::And, left, right) => Predicate::And(vec![lowered(left)?, lowered(right)?]),
        ExprKind::Binary(BinaryOp::Or, left, right) => Predicate::Or(vec![lowered(left)?, lowered(right)?]),
        ExprKind::Binary(operator, left, right) => {
            let comparison = match operator {
                BinaryOp::Eq => Comparison::Eq,
                BinaryOp::Ne => Comparison::Ne,
                BinaryOp::Lt => Comparison::Lt,
                BinaryOp::Le => Comparison::Le,
                BinaryOp::Gt => Comparison::Gt,
                BinaryOp::Ge => Comparison::Ge,
                _ => return None,
            };
            Predicate::Compare(comparison, number(left)?, number(right)?)
        }
        _ => return None,
    })
}

/// The number that an expression stands for. Only counts and constants: arithmetic of the net may wrap around or fail,
/// which numbers of formulas do not.
fn number(expr: &Expr) -> Option<Number> {
    match &expr.kind {
        ExprKind::Const(Value::Int(value)) => Some(Number::Const(*value)),
        ExprKind::PlaceCard(place) => Some(Number::Distinct(*place)),
        ExprKind::PlaceMult(place) => Some(Number::Tokens(*place)),
        ExprKind::Convert(body) | ExprKind::Cast(body) if body.ty == expr.ty => number(body),
        _ => None,
    }
}

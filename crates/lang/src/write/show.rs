//! Expressions and inscriptions as text, in the notation of Helena's language.
//!
//! The text is for people: it is cut off where it gets long.

use petite_net::{
    Arc, BagExpr, BagTest, BinaryOp, ContainerAttribute, Expr, ExprKind, Extreme, Failure, Fold, Iter,
    IterDomain, Kind, MultiSet, Net, Sign, Term, TypeIdx, UnaryOp, Value, Variable,
};

/// Longest text, in bytes, before it is cut off.
const LONGEST: usize = 300;

/// The guard of a transition.
pub(super) fn guard(net: &Net, variables: &[Variable], guard: &Expr) -> String {
    let mut shown = Shown { net, variables, text: String::new() };
    shown.expr(guard);
    shown.cut()
}

/// The inscription of an arc.
pub(super) fn inscription(net: &Net, variables: &[Variable], arc: &Arc) -> String {
    let mut shown = Shown { net, variables, text: String::new() };
    for (i, term) in arc.terms.iter().enumerate() {
        match (i, term.sign) {
            (0, Sign::Plus) => {}
            (0, Sign::Minus) => shown.text.push_str("- "),
            (_, Sign::Plus) => shown.text.push_str(" + "),
            (_, Sign::Minus) => shown.text.push_str(" - "),
        }
        shown.term(term);
        if shown.is_full() {
            break;
        }
    }
    shown.cut()
}

/// The tokens of a marking.
pub(super) fn marking(net: &Net, domain: TypeIdx, tokens: &MultiSet) -> String {
    let mut shown = Shown { net, variables: &[], text: String::new() };
    if net.types.is_unit(domain) {
        return tokens.count(&Value::unit()).to_string();
    }
    for (i, (token, count)) in tokens.iter().enumerate() {
        if i > 0 {
            shown.text.push_str(" + ");
        }
        if count != 1 {
            shown.text.push_str(&format!("{count}*"));
        }
        shown.token(domain, token);
        if shown.is_full() {
            break;
        }
    }
    shown.cut()
}

struct Shown<'n> {
    net: &'n Net,
    variables: &'n [Variable],
    text: String,
}

impl Shown<'_> {
    fn is_full(&self) -> bool {
        self.text.len() > LONGEST
    }

    /// The text, with dots in place of what is too much.
    fn cut(mut self) -> String {
        if self.is_full() {
            let end = (0..=LONGEST).rev().find(|&end| self.text.is_char_boundary(end)).unwrap_or(0);
            self.text.truncate(end);
            self.text.push_str("...");
        }
        self.text
    }

    fn term(&mut self, term: &Term) {
        if !term.iters.is_empty() {
            self.text.push_str("for (");
            self.iters(&term.iters);
            self.text.push_str(") ");
        }
        if let Some(condition) = &term.condition {
            self.text.push_str("if (");
            self.expr(condition);
            self.text.push_str(") ");
        }
        if let Some(factor) = &term.factor {
            self.expr(factor);
            self.text.push('*');
        }
        match &term.token.kind {
            ExprKind::Const(token) => self.token(term.token.ty, token),
            ExprKind::Tuple(components) => {
                self.text.push_str("<(");
                self.list(components);
                self.text.push_str(")>");
            }
            _ => self.expr(&term.token),
        }
    }

    fn token(&mut self, ty: TypeIdx, token: &Value) {
        match (&self.net.types[ty].kind, token) {
            (Kind::Struct { components }, Value::Tuple(items))
                if components.is_empty() && items.is_empty() =>
            {
                self.text.push_str("epsilon");
            }
            (Kind::Struct { components }, Value::Tuple(items)) => {
                let shown =
                    components.iter().zip(items.iter()).map(|(c, item)| self.net.types.show(c.ty, item));
                let shown = shown.collect::<Vec<_>>().join(", ");
                self.text.push_str(&format!("<({shown})>"));
            }
            _ => self.text.push_str(&self.net.types.show(ty, token)),
        }
    }

    fn iters(&mut self, iters: &[Iter]) {
        for (i, iter) in iters.iter().enumerate() {
            if i > 0 {
                self.text.push_str(", ");
            }
            self.variable(iter.var.index());
            self.text.push_str(" in ");
            match &iter.domain {
                IterDomain::Type(ty, range) => {
                    self.text.push_str(&self.net.types[*ty].name.text);
                    if let Some(range) = range {
                        self.text.push_str(" range ");
                        self.expr(&range.0);
                        self.text.push_str(" .. ");
                        self.expr(&range.1);
                    }
                }
                IterDomain::Place(place) => self.text.push_str(&self.net.place(*place).name.text),
                IterDomain::Container(container) => self.expr(container),
                IterDomain::Bag(bag) => self.bag(bag),
            }
        }
    }

    fn bag(&mut self, bag: &BagExpr) {
        match bag {
            BagExpr::Terms(terms) => {
                self.text.push('(');
                for (i, term) in terms.iter().enumerate() {
                    if i > 0 {
                        self.text.push_str(" + ");
                    }
                    self.term(term);
                }
                self.text.push(')');
            }
            BagExpr::Place(place) => self.text.push_str(&self.net.place(*place).name.text),
            BagExpr::Minus(left, right) => self.bags(left, "minus", right),
            BagExpr::Intersection(left, right) => self.bags(left, "intersect", right),
        }
    }

    fn bags(&mut self, left: &BagExpr, word: &str, right: &BagExpr) {
        if !self.is_full() {
            self.bag(left);
            self.text.push_str(&format!(" {word} "));
            self.bag(right);
        }
    }

    fn variable(&mut self, var: usize) {
        if let Some(variable) = self.variables.get(var) {
            self.text.push_str(&variable.name.text);
        }
    }

    fn list(&mut self, exprs: &[Expr]) {
        for (i, expr) in exprs.iter().enumerate() {
            if i > 0 {
                self.text.push_str(", ");
            }
            self.expr(expr);
        }
    }

    fn component(&self, ty: TypeIdx, component: u32) -> String {
        match &self.net.types[ty].kind {
            Kind::Struct { components: named } | Kind::Union { variants: named } => {
                named.get(component as usize).map_or_else(String::new, |named| named.name.text.clone())
            }
            _ => (component + 1).to_string(),
        }
    }

    /// An operand: in brackets where it is an operation itself.
    fn operand(&mut self, expr: &Expr) {
        let brackets = matches!(expr.kind, ExprKind::Binary(..) | ExprKind::If(..) | ExprKind::Unary(..));
        if brackets {
            self.text.push('(');
        }
        self.expr(expr);
        if brackets {
            self.text.push(')');
        }
    }

    fn expr(&mut self, expr: &Expr) {
        if self.is_full() {
            return;
        }
        match &expr.kind {
            ExprKind::Const(value) => self.text.push_str(&self.net.types.show(expr.ty, value)),
            ExprKind::Var(var) => self.variable(var.index()),
            ExprKind::Unary(op, operand) => {
                self.text.push_str(match op {
                    UnaryOp::Neg => "-",
                    UnaryOp::Not => "not ",
                    UnaryOp::Succ | UnaryOp::Next => "succ ",
                    UnaryOp::Pred | UnaryOp::Previous => "pred ",
                });
                self.operand(operand);
            }
            ExprKind::Binary(op, left, right) => {
                self.operand(left);
                self.text.push_str(&format!(" {} ", operator(*op)));
                self.operand(right);
            }
            ExprKind::If(condition, then, otherwise) => {
                self.operand(condition);
                self.text.push_str(" ? ");
                self.operand(then);
                self.text.push_str(" : ");
                self.operand(otherwise);
            }
            ExprKind::Call(function, arguments) => {
                self.text.push_str(&self.net.function(*function).name.text);
                self.text.push('(');
                self.list(arguments);
                self.text.push(')');
            }
            // What is converted is clear from where it stands.
            ExprKind::Convert(operand) => self.expr(operand),
            ExprKind::Tuple(items) => {
                let [open, close] = if matches!(self.net.types[expr.ty].kind, Kind::Vector { .. }) {
                    ["[", "]"]
                } else {
                    ["{", "}"]
                };
                self.text.push_str(open);
                self.list(items);
                self.text.push_str(close);
            }
            ExprKind::Seq(items) => {
                self.text.push('|');
                self.list(items);
                self.text.push('|');
            }
            ExprKind::Tagged(variant, content) => {
                let name = self.component(expr.ty, *variant);
                self.text.push_str(&format!("{name}="));
                self.operand(content);
            }
            ExprKind::Component(whole, component) => {
                self.operand(whole);
                let name = self.component(whole.ty, *component);
                self.text.push_str(&format!(".{name}"));
            }
            ExprKind::WithComponent(whole, component, value) => {
                self.operand(whole);
                let name = self.component(whole.ty, *component);
                self.text.push_str(&format!(" :: ({name} := "));
                self.expr(value);
                self.text.push(')');
            }
            ExprKind::Element(whole, indices) => {
                self.operand(whole);
                self.text.push('[');
                self.list(indices);
                self.text.push(']');
            }
            ExprKind::WithElement(whole, indices, value) => {
                self.operand(whole);
                self.text.push_str(" :: ([");
                self.list(indices);
                self.text.push_str("] := ");
                self.expr(value);
                self.text.push(')');
            }
            ExprKind::Slice(whole, from, to) => {
                self.operand(whole);
                self.text.push('[');
                self.expr(from);
                self.text.push_str(" .. ");
                self.expr(to);
                self.text.push(']');
            }
            ExprKind::Attribute(attribute, whole) => {
                self.operand(whole);
                self.text.push_str(attribute_name(*attribute));
            }
            ExprKind::Iterate { fold, iters, condition, body } => {
                self.text.push_str(fold_name(*fold));
                self.text.push_str(" (");
                self.iters(iters);
                if let Some(condition) = condition {
                    self.text.push_str(" | ");
                    self.expr(condition);
                }
                if let Some(body) = body {
                    self.text.push_str(": ");
                    self.expr(body);
                }
                self.text.push(')');
            }
            ExprKind::PlaceCard(place) => {
                self.text.push_str(&format!("{}'card", self.net.place(*place).name));
            }
            ExprKind::PlaceMult(place) => {
                self.text.push_str(&format!("{}'mult", self.net.place(*place).name));
            }
            ExprKind::Cast(operand) => {
                self.text.push_str(&format!("{}(", self.net.types[expr.ty].name));
                self.expr(operand);
                self.text.push(')');
            }
            // A position is shown as the value that it comes from.
            ExprKind::Rank(operand) => self.expr(operand),
            ExprKind::Content(whole, variant) => {
                self.operand(whole);
                let name = self.component(whole.ty, *variant);
                self.text.push_str(&format!(".{name}"));
            }
            ExprKind::IsVariant(whole, variant) => {
                self.operand(whole);
                let name = self.component(whole.ty, *variant);
                self.text.push_str(&format!(" is {name}"));
            }
            ExprKind::Insert(whole, at, item) => {
                self.operand(whole);
                self.text.push('[');
                self.expr(at);
                self.text.push_str("] + ");
                self.operand(item);
            }
            ExprKind::Remove(whole, at, count) => {
                self.operand(whole);
                self.text.push('[');
                self.expr(at);
                self.text.push_str("] - ");
                self.operand(count);
            }
            ExprKind::Compare(BagTest::Equals, left, right) => self.bags(left, "equals", right),
            ExprKind::Compare(BagTest::Subset, left, right) => self.bags(left, "subset", right),
            ExprKind::Multiplicity(extreme, bag) => {
                self.text.push_str(match extreme {
                    Extreme::Greatest => "max ",
                    Extreme::Least => "min ",
                });
                self.bag(bag);
            }
            ExprKind::Fail(Failure::Undefined) => self.text.push_str("undefined"),
            ExprKind::Fail(Failure::Fatal) => self.text.push_str("fatal"),
        }
    }
}

fn operator(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::Eq => "=",
        BinaryOp::Ne => "!=",
        BinaryOp::Lt => "<",
        BinaryOp::Le => "<=",
        BinaryOp::Gt => ">",
        BinaryOp::Ge => ">=",
        BinaryOp::And => "and",
        BinaryOp::Or | BinaryOp::Union => "or",
        BinaryOp::Concat | BinaryOp::Prepend | BinaryOp::Append => "&",
        BinaryOp::Intersection => "and",
        BinaryOp::Difference => "-",
        BinaryOp::Subset => "subset",
        BinaryOp::StrictSubset => "strict subset",
        BinaryOp::In => "in",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitOr => "|",
        BinaryOp::BitXor => "^",
        BinaryOp::ShiftLeft | BinaryOp::RotateLeft => "<<",
        BinaryOp::ShiftRight | BinaryOp::RotateRight => ">>",
    }
}

fn attribute_name(attribute: ContainerAttribute) -> &'static str {
    match attribute {
        ContainerAttribute::Size => "'size",
        ContainerAttribute::Capacity => "'capacity",
        ContainerAttribute::Space => "'space",
        ContainerAttribute::Full => "'full",
        ContainerAttribute::Empty => "'empty",
        ContainerAttribute::First => "'first",
        ContainerAttribute::Last => "'last",
        ContainerAttribute::Prefix => "'prefix",
        ContainerAttribute::Suffix => "'suffix",
        ContainerAttribute::FirstIndex => "'first_index",
        ContainerAttribute::LastIndex => "'last_index",
    }
}

fn fold_name(fold: Fold) -> &'static str {
    match fold {
        Fold::Forall => "forall",
        Fold::Exists => "exists",
        Fold::Card => "card",
        Fold::Mult => "mult",
        Fold::Sum => "sum",
        Fold::Product => "product",
        Fold::Min => "min",
        Fold::Max => "max",
    }
}

//! The description as a model text in Helena's language.
//!
//! Only what is used is declared. Expressions are written with all their parentheses: how tightly operators bind
//! is a matter of the reader's own tests.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::describe::{
    Arc, Expr, ExprKind, Function, Iter, Kind, Net, Op, PickDomain, PlaceId, Transition, Tuple, TypeId, Val,
};

impl Net {
    /// The net as a model text.
    pub fn render(&self) -> String {
        let mut text = String::from("random {\n");
        let (types, functions, places) = self.used();
        // Sets and vectors stand behind the types they are made of.
        for ty in types {
            self.render_type(ty, &mut text);
        }
        for function in functions {
            self.render_function(function, &mut text);
        }
        for place in places {
            self.render_place(place, &mut text);
        }
        for (t, transition) in self.transitions.iter().enumerate() {
            self.render_transition(t, transition, &mut text);
        }
        text.push_str("}\n");
        text
    }

    /// Types, functions and places that matter.
    fn used(&self) -> (BTreeSet<TypeId>, BTreeSet<usize>, BTreeSet<PlaceId>) {
        let (mut types, mut functions, mut places) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        for (p, place) in self.places.iter().enumerate() {
            if !place.initial.is_empty() {
                places.insert(p);
            }
        }
        for transition in &self.transitions {
            types.extend(transition.mentioned().into_iter().map(|var| transition.variables[var]));
            let arcs = [&transition.inputs, &transition.outputs, &transition.inhibitors];
            places.extend(arcs.into_iter().flatten().map(|arc| arc.place));
        }
        for expr in self.expressions() {
            expr.walk(&mut |expr| {
                types.insert(expr.ty);
                match expr.kind {
                    ExprKind::Call(function, _) => {
                        functions.insert(function);
                    }
                    ExprKind::Card(place) | ExprKind::Mult(place) => {
                        places.insert(place);
                    }
                    _ => {}
                }
            });
        }
        for &place in &places {
            let place = &self.places[place];
            let iters = place.initial.iter().flat_map(|tuple| &tuple.iters);
            types.extend(iters.map(|iter| place.variables[iter.var]).chain(place.domain.iter().copied()));
        }
        for &function in &functions {
            types.extend(self.signature(&self.functions[function]).0);
        }
        for ty in types.clone() {
            match *self.kind(ty) {
                Kind::Vector { index, element } => types.extend([index, element]),
                Kind::Set { element, .. } => types.extend([element]),
                _ => {}
            }
        }
        for ty in types.clone() {
            if let Kind::Range { parent: Some(parent), .. } = *self.kind(ty) {
                types.insert(parent);
            }
        }
        (types, functions, places)
    }

    /// Types of the parameters and of the result.
    pub fn signature(&self, function: &Function) -> (Vec<TypeId>, TypeId) {
        use crate::describe::INT;
        match *function {
            Function::Larger(ty) | Function::Smaller(ty) => (vec![ty, ty], ty),
            Function::Next(ty) | Function::Level(ty) => (vec![ty], ty),
            Function::Triangle(ty) | Function::CountLast(ty) => (vec![ty], INT),
            Function::UpTo(ty) => {
                let Kind::Set { element, .. } = *self.kind(ty) else { panic!("not a set type") };
                (vec![element], ty)
            }
        }
    }

    pub fn type_name(&self, ty: TypeId) -> String {
        let letter = match self.kind(ty) {
            Kind::Bool => return "bool".to_owned(),
            Kind::Int => return "int".to_owned(),
            Kind::Range { .. } => 'r',
            Kind::Mod(_) => 'm',
            Kind::Enum(_) => 'e',
            Kind::Vector { .. } => 'v',
            Kind::Set { .. } => 's',
        };
        format!("{letter}{}", ty.0)
    }

    fn render_type(&self, ty: TypeId, text: &mut String) {
        let name = |ty| self.type_name(ty);
        let definition = match self.kind(ty) {
            Kind::Bool | Kind::Int => return,
            Kind::Range { low, high, parent: Some(parent) } => {
                let (name, parent) = (name(ty), name(*parent));
                put(text, format_args!("   subtype {name} : {parent} range {low} .. {high};\n"));
                return;
            }
            Kind::Range { low, high, parent: None } => format!("range {low} .. {high}"),
            Kind::Mod(modulus) => format!("mod {modulus}"),
            Kind::Enum(n) => {
                let constants: Vec<String> = (0..*n).map(|c| self.show_value(ty, &Val::Num(c))).collect();
                format!("enum ({})", constants.join(", "))
            }
            Kind::Vector { index, element } => format!("vector [{}] of {}", name(*index), name(*element)),
            Kind::Set { element, capacity } => format!("set of {} with capacity {capacity}", name(*element)),
        };
        put(text, format_args!("   type {} : {definition};\n", name(ty)));
    }

    fn render_function(&self, function: usize, text: &mut String) {
        let (params, result) = self.signature(&self.functions[function]);
        let params: Vec<String> = params
            .iter()
            .zip(["a", "b"])
            .map(|(ty, name)| format!("{} {name}", self.type_name(*ty)))
            .collect();
        let head = format!("function f{function} ({}) -> {}", params.join(", "), self.type_name(result));
        let body = match self.functions[function] {
            Function::Larger(_) => "{ if (a > b) return a; else return b; }".to_owned(),
            Function::Smaller(_) => "return (a < b) ? a : b;".to_owned(),
            Function::Next(ty) => {
                let ty = self.type_name(ty);
                format!("{{ if (a = {ty}'last) return {ty}'first; return succ a; }}")
            }
            Function::Triangle(_) => {
                "{ int i := 1; int n := 0; while (i <= int(a)) { n := n + i; i := i + 1; } return n; }"
                    .to_owned()
            }
            Function::CountLast(ty) => {
                let Kind::Vector { index, element } = *self.kind(ty) else { panic!("not a vector type") };
                let (index, element) = (self.type_name(index), self.type_name(element));
                format!(
                    "{{ int n := 0; for (i in {index}) if (a[i] = {element}'last) n := n + 1; return n; }}"
                )
            }
            Function::Level(ty) => {
                let Kind::Vector { index, .. } = *self.kind(ty) else { panic!("not a vector type") };
                let (ty, index) = (self.type_name(ty), self.type_name(index));
                format!("{{ {ty} r := a; for (i in {index}) r[i] := a[{index}'first]; return r; }}")
            }
            Function::UpTo(ty) => {
                let Kind::Set { element, .. } = *self.kind(ty) else { panic!("not a set type") };
                let (ty, element) = (self.type_name(ty), self.type_name(element));
                format!("{{ {ty} r := empty; for (i in {element}) if (i <= a) r := r or i; return r; }}")
            }
        };
        put(text, format_args!("   {head}\n      {body}\n"));
    }

    fn render_place(&self, p: PlaceId, text: &mut String) {
        let place = &self.places[p];
        let domain: Vec<String> = place.domain.iter().map(|ty| self.type_name(*ty)).collect();
        let domain = if domain.is_empty() { "epsilon".to_owned() } else { domain.join(" * ") };
        put(text, format_args!("   place p{p} {{ dom: {domain};"));
        if !place.initial.is_empty() {
            put(text, format_args!(" init: {};", self.render_sum(&place.initial, &place.variables)));
        }
        if place.capacity != 1 {
            put(text, format_args!(" capacity: {};", place.capacity));
        }
        text.push_str(" }\n");
    }

    fn render_transition(&self, t: usize, transition: &Transition, text: &mut String) {
        put(text, format_args!("   transition t{t} {{\n"));
        let sections =
            [("in", &transition.inputs), ("out", &transition.outputs), ("inhibit", &transition.inhibitors)];
        for (section, arcs) in sections {
            if section != "inhibit" || !arcs.is_empty() {
                let arc = |arc: &Arc| {
                    format!("p{}: {};", arc.place, self.render_sum(&arc.tuples, &transition.variables))
                };
                let arcs: Vec<String> = arcs.iter().map(arc).collect();
                put(text, format_args!("      {section} {{ {} }}\n", arcs.join(" ")));
            }
        }
        if !transition.picks.is_empty() {
            let pick = |(var, domain): &(usize, PickDomain)| match domain {
                PickDomain::Set(set) => format!("x{var} in {};", self.render_expr(set)),
                PickDomain::Type(range) => {
                    format!(
                        "{};",
                        self.render_iter(&Iter { var: *var, range: *range }, &transition.variables)
                    )
                }
            };
            let picks: Vec<String> = transition.picks.iter().map(pick).collect();
            put(text, format_args!("      pick {{ {} }}\n", picks.join(" ")));
        }
        if !transition.lets.is_empty() {
            let define = |(var, value): &(usize, Expr)| {
                format!(
                    "{} x{var} := {};",
                    self.type_name(transition.variables[*var]),
                    self.render_expr(value)
                )
            };
            let lets: Vec<String> = transition.lets.iter().map(define).collect();
            put(text, format_args!("      let {{ {} }}\n", lets.join(" ")));
        }
        for (section, expr) in [("guard", &transition.guard), ("priority", &transition.priority)] {
            if let Some(expr) = expr {
                put(text, format_args!("      {section}: {};\n", self.render_expr(expr)));
            }
        }
        text.push_str("   }\n");
    }

    fn render_sum(&self, tuples: &[Tuple], types: &[TypeId]) -> String {
        let tuples: Vec<String> = tuples.iter().map(|tuple| self.render_tuple(tuple, types)).collect();
        tuples.join(" + ")
    }

    fn render_tuple(&self, tuple: &Tuple, types: &[TypeId]) -> String {
        let mut text = String::new();
        if !tuple.iters.is_empty() {
            let iters: Vec<String> = tuple.iters.iter().map(|iter| self.render_iter(iter, types)).collect();
            put(&mut text, format_args!("for ({}) ", iters.join(", ")));
        }
        if let Some(condition) = &tuple.condition {
            put(&mut text, format_args!("if ({}) ", self.render_expr(condition)));
        }
        if tuple.factor != 1 {
            put(&mut text, format_args!("{} * ", tuple.factor));
        }
        let components: Vec<String> =
            tuple.token.iter().map(|component| self.render_expr(component)).collect();
        match components.as_slice() {
            [] => text.push_str("epsilon"),
            _ => put(&mut text, format_args!("<( {} )>", components.join(", "))),
        }
        text
    }

    fn render_iter(&self, iter: &Iter, types: &[TypeId]) -> String {
        let ty = types[iter.var];
        let bound = |number| self.show_value(ty, &Val::Num(number));
        match iter.range {
            None => format!("x{} in {}", iter.var, self.type_name(ty)),
            Some((low, high)) => {
                format!("x{} in {} range {} .. {}", iter.var, self.type_name(ty), bound(low), bound(high))
            }
        }
    }

    fn render_expr(&self, expr: &Expr) -> String {
        let all = |exprs: &[Expr]| {
            let exprs: Vec<String> = exprs.iter().map(|expr| self.render_expr(expr)).collect();
            exprs.join(", ")
        };
        let text = |expr: &Expr| self.render_expr(expr);
        match &expr.kind {
            ExprKind::Literal(Val::Num(number)) if *number < 0 => format!("({number})"),
            ExprKind::Literal(Val::Set(items)) if items.is_empty() => "empty".to_owned(),
            ExprKind::Literal(value) => self.show_value(expr.ty, value),
            ExprKind::Var(var) => format!("x{var}"),
            ExprKind::Not(operand) => format!("(not {})", text(operand)),
            ExprKind::Succ(operand) => format!("(succ {})", text(operand)),
            ExprKind::Pred(operand) => format!("(pred {})", text(operand)),
            ExprKind::Binary(op, left, right) => format!("({} {} {})", text(left), sign(*op), text(right)),
            ExprKind::If(condition, then, otherwise) => {
                format!("({} ? {} : {})", text(condition), text(then), text(otherwise))
            }
            ExprKind::Vector(items) => format!("[{}]", all(items)),
            ExprKind::Set(items) if items.is_empty() => "empty".to_owned(),
            ExprKind::Set(items) => format!("|{}|", all(items)),
            ExprKind::Element(vector, index) => format!("{}[{}]", text(vector), text(index)),
            ExprKind::Update(vector, index, item) => {
                format!("({} :: ([{}] := {}))", text(vector), text(index), text(item))
            }
            ExprKind::Size(set) => format!("{}'size", text(set)),
            ExprKind::ToInt(operand) => format!("int({})", text(operand)),
            ExprKind::Call(function, arguments) => format!("f{function}({})", all(arguments)),
            ExprKind::Card(place) => format!("p{place}'card"),
            ExprKind::Mult(place) => format!("p{place}'mult"),
        }
    }
}

fn sign(op: Op) -> &'static str {
    match op {
        Op::Add => "+",
        Op::Sub | Op::Without => "-",
        Op::Mul => "*",
        Op::Rem => "%",
        Op::Eq => "=",
        Op::Ne => "!=",
        Op::Lt => "<",
        Op::Le => "<=",
        Op::Gt => ">",
        Op::Ge => ">=",
        Op::And => "and",
        Op::Or | Op::With => "or",
        Op::In => "in",
    }
}

fn put(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    text.write_fmt(arguments).expect("writing to a string cannot fail");
}

//! Calls of functions and casts.

use petite_net::{Expr, ExprKind, FuncIdx, Kind, Name, Span, TypeIdx};

use super::names::{Found, Space};
use super::scope::Scope;
use super::{Elab, Elaborator, Failed, Typed};
use crate::Diagnostic;
use crate::helena::ast;
use crate::nearest::nearest;

impl Elaborator<'_> {
    /// A name with arguments: a function if there is one of this name, otherwise a type.
    pub(super) fn call_or_cast(
        &mut self,
        name: &Name,
        args: &[ast::Expr],
        span: Span,
        scope: &mut Scope,
    ) -> Elab<Typed> {
        match self.names.find(Space::Function, &name.text) {
            Found::Thing(function) => return self.call(FuncIdx::new(function), args, span, scope),
            Found::Broken => return Err(Failed),
            Found::Nothing => {}
        }
        match self.names.find(Space::Type, &name.text) {
            Found::Thing(ty) => return self.cast(TypeIdx::new(ty), args, span, scope),
            Found::Broken => return Err(Failed),
            Found::Nothing => {}
        }
        let candidates = self.names.all(Space::Function).chain(self.names.all(Space::Type));
        let help = match nearest(&name.text, candidates) {
            Some(near) => format!("did you mean {near}?"),
            None => "define it before this line; functions that call each other need a prototype".to_owned(),
        };
        self.fail(
            Diagnostic::new(name.span, format!("there is no function or type {name}"))
                .label("unknown function")
                .help(help),
        )
    }

    fn call(&mut self, function: FuncIdx, args: &[ast::Expr], span: Span, scope: &mut Scope) -> Elab<Typed> {
        let called = &self.functions[function.index()];
        let (name, result) = (called.name.text.clone(), called.result);
        let params: Vec<TypeIdx> =
            called.variables[..called.n_params].iter().map(|variable| variable.ty).collect();
        if params.len() != args.len() {
            let message =
                format!("function {name} has {}, this call has {}", arguments(params.len()), args.len());
            return self.fail(Diagnostic::new(span, message).label("wrong number of arguments"));
        }
        let mut converted = Vec::new();
        for (arg, ty) in args.iter().zip(params) {
            converted.push(self.converted(arg, ty, scope)?);
        }
        Ok(Typed::fixed(ExprKind::Call(function, converted), result, span))
    }

    fn cast(&mut self, ty: TypeIdx, args: &[ast::Expr], span: Span, scope: &mut Scope) -> Elab<Typed> {
        let name = self.type_name(ty).to_owned();
        let [arg] = args else {
            let message = format!("a cast to type {name} has 1 argument, this one has {}", args.len());
            return self.fail(Diagnostic::new(span, message).label("wrong number of arguments"));
        };
        // Numbers are taken as they are and then checked; all else is what the cast says.
        let expected = Some(ty).filter(|&ty| !self.is_numeric(ty));
        let typed = self.expr(arg, expected, scope)?;
        let from = typed.expr.ty;
        let castable = match (self.kind_of(from), self.kind_of(ty)) {
            (Kind::Range { .. } | Kind::Modulo { .. }, Kind::Range { .. } | Kind::Modulo { .. }) => true,
            _ => self.types.root(from) == self.types.root(ty),
        };
        if !castable {
            let message = format!("a value of type {} cannot be cast to type {name}", self.type_name(from));
            return self.fail(
                Diagnostic::new(arg.span, message)
                    .label(format!("this is of type {}", self.type_name(from)))
                    .help("only numbers can be cast to other numeric types, and values to subtypes of their type"),
            );
        }
        let flexible_fits = Typed { expr: typed.expr, flexible: true };
        let Expr { kind, .. } = if self.fits(&flexible_fits, ty) {
            self.coerce(flexible_fits, ty)?
        } else {
            let span = flexible_fits.expr.span;
            Expr { kind: ExprKind::Convert(Box::new(flexible_fits.expr)), ty, span }
        };
        Ok(Typed::fixed(kind, ty, span))
    }
}

fn arguments(number: usize) -> String {
    match number {
        0 => "no arguments".to_owned(),
        1 => "1 argument".to_owned(),
        _ => format!("{number} arguments"),
    }
}

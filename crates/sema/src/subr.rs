//! Function calls: prototypes as the identifier tables give them, and subroutines.

use ctypes::{TypeGraph, TypeId};
use diag::{Span, Tag};
use image::SymKind;
use lang::{Action, Global, GlobalKind, Subr};
use syntax::ast::{self, ExprKind as Ast};

use crate::compiler::Compiler;
use crate::hir::{Expr, ExprKind, Scope, Ty};
use crate::typed::{R, Typed};
use crate::vars::VarName;

/// A parameter of a prototype.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Param<'a> {
    /// Its type; `None` for `@`, any type.
    pub ty: Option<&'a str>,
    /// `[T]`.
    pub optional: bool,
}

/// A parsed prototype.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Proto<'a> {
    /// Type of the result.
    pub ret: &'a str,
    /// Parameters.
    pub params: Vec<Param<'a>>,
    /// `...`.
    pub variadic: bool,
}

impl Proto<'_> {
    /// Splits `ret(args)`.
    pub fn parse(text: &str) -> Proto<'_> {
        let (ret, args) = text.split_once('(').unwrap_or((text, ""));
        let mut proto = Proto {
            ret: ret.trim(),
            params: Vec::new(),
            variadic: false,
        };
        let args = args.strip_suffix(')').unwrap_or(args);
        for arg in args.split(',').map(str::trim).filter(|a| !a.is_empty()) {
            let inner = arg.strip_prefix('[').and_then(|a| a.strip_suffix(']'));
            match arg {
                "..." => proto.variadic = true,
                _ => proto.params.push(Param {
                    ty: Some(inner.unwrap_or(arg)).filter(|t| *t != "@"),
                    optional: inner.is_some(),
                }),
            }
        }
        proto
    }

    fn required(&self) -> usize {
        self.params.iter().filter(|p| !p.optional).count()
    }
}

impl Compiler<'_> {
    /// The built-in function that a call names, unless the program hides it.
    pub(crate) fn callee(&self, e: &ast::Expr) -> Option<&'static Global> {
        let Ast::Call(callee, _) = &e.kind else {
            return None;
        };
        let Ast::Ident(name) = &callee.kind else {
            return None;
        };
        let hidden = self
            .entity(VarName {
                scope: Scope::Global,
                name,
            })
            .is_some();
        let g = self.builtin(name).filter(|_| !hidden)?;
        match g.kind {
            GlobalKind::Subr(_) | GlobalKind::Action(_) | GlobalKind::Agg(_) => Some(g),
            GlobalKind::Builtin(_)
            | GlobalKind::Arg(_)
            | GlobalKind::Args
            | GlobalKind::Uregs
            | GlobalKind::SelfPtr
            | GlobalKind::ThisPtr
            | GlobalKind::Foreign => None,
        }
    }

    /// Whether it can stand only as a statement: an action, or an assignment to an aggregation.
    pub(crate) fn is_action(&self, e: &ast::Expr) -> bool {
        match &e.kind {
            Ast::Assign(_, target, _) => match &target.kind {
                Ast::Agg(_) => true,
                Ast::Index(base, _) => matches!(base.kind, Ast::Agg(_)),
                _ => false,
            },
            _ => self
                .callee(e)
                .is_some_and(|g| matches!(g.kind, GlobalKind::Action(_))),
        }
    }

    /// An action or aggregating function where an expression is wanted.
    pub(crate) fn call_in_expression<T>(&mut self, e: &ast::Expr) -> R<T> {
        match self.callee(e) {
            Some(g) => self.not_here(g, e.span),
            None => {
                let text = "aggregations may only be assigned in statements";
                self.fail(Tag::D_OP_ACT, e.span, text)
            }
        }
    }

    /// `callee(args)` in an expression.
    pub(crate) fn call(&mut self, callee: &ast::Expr, args: &[ast::Expr], span: Span) -> R<Typed> {
        let Ast::Ident(name) = &callee.kind else {
            return self.fail(
                Tag::D_FUNC_IDENT,
                span,
                "function designator is not of function type",
            );
        };
        if let Some(entity) = self.entity(VarName {
            scope: Scope::Global,
            name,
        }) {
            let text = format!(
                "{} '{name}' may not be referenced as a function",
                entity.describe()
            );
            return self.fail(Tag::D_FUNC_IDKIND, span, text);
        }
        let Some(g) = self.builtin(name) else {
            let error = self.error(
                Tag::D_FUNC_UNDEF,
                span,
                format!("undefined function name: {name}"),
            );
            return Err(self.suggest(error, name, crate::expr::is_function));
        };
        match g.kind {
            GlobalKind::Subr(subr) => self.subroutine(subr, g, args, span),
            GlobalKind::Action(_) | GlobalKind::Agg(_) => self.not_here(g, span),
            GlobalKind::Builtin(_)
            | GlobalKind::Arg(_)
            | GlobalKind::Args
            | GlobalKind::Uregs
            | GlobalKind::SelfPtr
            | GlobalKind::ThisPtr
            | GlobalKind::Foreign => {
                if g.proto.contains('(') {
                    self.supported(g, span)?;
                }
                let text = format!(
                    "{} '{name}' may not be referenced as a function",
                    g.kind.describe()
                );
                self.fail(Tag::D_FUNC_IDKIND, span, text)
            }
        }
    }

    fn not_here<T>(&self, g: &Global, span: Span) -> R<T> {
        let (kind, help) = match g.kind {
            GlobalKind::Agg(_) => (
                "aggregating function",
                format!(
                    "its result goes to an aggregation: @name[keys] = {}(...);",
                    g.name
                ),
            ),
            _ => (
                "action",
                "an action is a statement of its own; if and predicates decide whether it runs"
                    .into(),
            ),
        };
        let text = format!(
            "{kind} {}( ) may not be called from a D expression (D program context required)",
            g.name
        );
        let mut error = self.error(Tag::D_CG_EXPR, span, text);
        error.help = Some(help);
        Err(error)
    }

    fn subroutine(
        &mut self,
        subr: Subr,
        g: &'static Global,
        args: &[ast::Expr],
        span: Span,
    ) -> R<Typed> {
        self.supported(g, span)?;
        self.used(g.name, g.stability, span)?;
        let typed = args.iter().map(|a| self.expr(a)).collect::<R<Vec<_>>>()?;
        let code = self.arguments(g, typed, span)?;
        if subr.is_destructive() {
            self.destructive = true;
        }
        let ty = self.proto_type(Proto::parse(g.proto).ret, span)?;
        let expr = Expr {
            kind: ExprKind::Call(subr, code),
            ty: self.hir_ty(ty),
            pos: self.pos(span),
        };
        Ok(Typed::value(ty, expr, span))
    }

    /// Number of arguments.
    pub(crate) fn check_count(&self, g: &Global, count: usize, span: Span) -> R<()> {
        let proto = Proto::parse(g.proto);
        let (least, most) = (proto.required(), proto.params.len());
        if count >= least && (count <= most || proto.variadic) {
            return Ok(());
        }
        let at_least = if proto.variadic || least != most {
            "at least "
        } else {
            ""
        };
        let plural = if count == 1 { "" } else { "s" };
        let text = format!(
            "{}( ) prototype mismatch: {count} arg{plural} passed, {at_least}{least} expected",
            g.name
        );
        self.fail(Tag::D_PROTO_LEN, span, text)
    }

    /// Whether argument `index` fits what the prototype wants. User pointers are what copying from user space wants.
    fn check_argument(&self, g: &Global, index: usize, want: TypeId, arg: &Typed) -> R<()> {
        let user_address =
            self.is_pointer(arg) && self.is_user(arg.ty) && self.graph.is_integral(want);
        if self.argument_fits(want, arg) || user_address {
            return Ok(());
        }
        let text = format!(
            "{}( ) argument #{} is incompatible with prototype:\n\tprototype: {}\n\t{:>9}: {}",
            g.name,
            index + 1,
            self.graph.name(want),
            "argument",
            self.name_of(arg)
        );
        self.fail(Tag::D_PROTO_ARG, arg.span, text)
    }

    /// Checks arguments against a prototype and fits them into its types.
    pub(crate) fn arguments(
        &mut self,
        g: &'static Global,
        args: Vec<Typed>,
        span: Span,
    ) -> R<Vec<Expr>> {
        self.check_count(g, args.len(), span)?;
        let proto = Proto::parse(g.proto);
        let mut code = Vec::with_capacity(args.len());
        for (i, arg) in args.into_iter().enumerate() {
            let want = match proto.params.get(i).and_then(|p| p.ty) {
                Some(text) => Some(self.proto_type(text, span)?),
                None => None,
            };
            let Some(want) = want else {
                code.push(self.datum(arg)?);
                continue;
            };
            self.check_argument(g, i, want, &arg)?;
            code.push(self.argument(arg, want)?);
        }
        Ok(code)
    }

    /// An argument in the type of its parameter: `const char *` takes strings.
    fn argument(&mut self, arg: Typed, want: TypeId) -> R<Expr> {
        if self.graph.is_char_pointer_or_array(want) {
            if arg.constant() == Some(0) {
                let pos = self.pos(arg.span);
                return Ok(Expr {
                    kind: ExprKind::Int(0),
                    ty: Ty::Int(crate::hir::IntTy::U64),
                    pos,
                });
            }
            return self.string(arg);
        }
        self.convert(arg, want)
    }

    /// A value that may be recorded or be an aggregation key: any expression, or `stack()`, `sym()` and their like.
    pub(crate) fn recordable(&mut self, e: &ast::Expr) -> R<Typed> {
        if let (Some(g), Ast::Call(_, args)) = (self.callee(e), &e.kind)
            && let GlobalKind::Action(action) = g.kind
        {
            self.supported(g, e.span)?;
            let pos = self.pos(e.span);
            if matches!(action, Action::Stack | Action::Ustack | Action::Jstack) {
                let expr = self.stack_value(action, args, e.span)?;
                return Ok(Typed::value(TypeGraph::STACK, expr, e.span));
            }
            if let Some(kind) = crate::action::sym_kind(action) {
                let value = self.sym_address(g, args, e.span)?;
                let kind_expr = Expr {
                    kind: ExprKind::Sym(Box::new(value)),
                    ty: Ty::Sym(kind),
                    pos,
                };
                let ty = match kind {
                    SymKind::Sym | SymKind::Mod => TypeGraph::SYMADDR,
                    SymKind::Usym | SymKind::Umod | SymKind::Uaddr => TypeGraph::USYMADDR,
                };
                return Ok(Typed::value(ty, kind_expr, e.span));
            }
        }
        self.expr(e)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prototypes_split_into_parameters() {
        let p = Proto::parse("string(const char *, int, [int])");
        assert_eq!(p.ret, "string");
        assert_eq!(p.params.len(), 3);
        assert_eq!(p.required(), 2);
        assert_eq!(
            p.params[2],
            Param {
                ty: Some("int"),
                optional: true
            }
        );
        let p = Proto::parse("void(@, ...)");
        assert!(p.variadic && p.params[0].ty.is_none());
        assert!(Proto::parse("int()").params.is_empty());
    }
}

//! What an inline or translator says of its parameter, with the argument computed once.
//!
//! A body that names its parameter several times would otherwise have the argument's code as often, and might see two
//! values of it. Arguments that cost nothing, or that a body may not need, are put in its place as they are.

use syntax::ast;

use crate::compiler::Compiler;
use crate::hir::{Expr, ExprKind, Scope, Ty};
use crate::typed::{Base, DynVal, Form, Place, R, Typed};
use crate::walk::{self, Seen};
use std::rc::Rc;

/// A value that is computed before what uses it.
struct Once {
    id: u32,
    value: Expr,
}

/// How a body needs an argument.
#[derive(Clone, Copy)]
struct How {
    /// Whatever its conditions are.
    sure: bool,
    /// The body or an argument changes something, so that arguments must have been computed before, in their order.
    changing: bool,
}

impl Compiler<'_> {
    /// Types a definition's body where it is used, each argument computed once if that can be and pays.
    pub(crate) fn expanded_once(
        &mut self,
        used_at: diag::Span,
        bindings: Vec<(String, Typed)>,
        body: &ast::Expr,
    ) -> R<Typed> {
        let mut before = Vec::new();
        let mut bound = Vec::new();
        let changing = changes(body) || bindings.iter().any(|(_, value)| is_changing(value));
        // What cannot be computed before is computed after all that is: no more of that than must be.
        let (mut left, mut left_changing) = (false, false);
        for (name, value) in &bindings {
            let uses = uses(body, name);
            let how = How {
                sure: surely(body, name),
                changing,
            };
            let often = uses.count >= 2 && how.sure && (!left_changing || is_changing(value));
            let wanted = often || uses.count > 0 && changing && !left;
            let held = match wanted && !uses.address {
                true => self.held(value, how, &mut before)?,
                false => None,
            };
            if held.is_none() && uses.count > 0 && !is_constant(value) {
                left = true;
                left_changing |= is_changing(value);
            }
            bound.push((name.clone(), held.unwrap_or_else(|| value.clone())));
        }
        if before.is_empty() {
            return self.expanded(used_at, bindings, body);
        }
        let value = self.expanded(used_at, bound, body)?;
        match preceded(&value, &before) {
            Some(value) => Ok(value),
            None => self.expanded(used_at, bindings, body),
        }
    }

    /// What stands for a value that was computed before.
    fn held(&mut self, value: &Typed, how: How, before: &mut Vec<Once>) -> R<Option<Typed>> {
        let whole = self.is_composite(value.ty) || self.is_array(value.ty);
        if let Form::Place(place) = &value.form
            && whole
        {
            let Base::Mem(addr, space) = &place.base else {
                return Ok(None);
            };
            let Some(addr) = self.hold(addr, how, before) else {
                return Ok(None);
            };
            let place = Place {
                base: Base::Mem(addr, *space),
                ..place.clone()
            };
            return Ok(Some(Typed {
                form: Form::Place(place),
                ..value.clone()
            }));
        }
        match &value.form {
            Form::Value(_) | Form::Place(_) if !whole => {}
            Form::Value(_) | Form::Place(_) | Form::Dyn(_) | Form::Agg(_) => return Ok(None),
        }
        let code = self.code(value.clone())?;
        let held = self.hold(&code, how, before);
        Ok(held.map(|code| Typed::value(value.ty, code, value.span)))
    }

    fn hold(&mut self, value: &Expr, how: How, before: &mut Vec<Once>) -> Option<Expr> {
        let wanted = match self.costs(value) {
            true => how.sure,
            false => how.changing && !matches!(value.kind, ExprKind::Int(_)),
        };
        if !matches!(value.ty, Ty::Int(_)) || !wanted {
            return None;
        }
        self.onces += 1;
        let id = self.onces;
        before.push(Once {
            id,
            value: value.clone(),
        });
        Some(Expr {
            kind: ExprKind::Again(id),
            ..value.clone()
        })
    }

    /// Whether computing it takes more than an instruction or two.
    fn costs(&self, e: &Expr) -> bool {
        let mut costs = false;
        walk::expr(e, &mut |seen| {
            costs |= match seen {
                Seen::Target(..) => true,
                Seen::Expr(e) => match &e.kind {
                    ExprKind::Int(_)
                    | ExprKind::Str(_)
                    | ExprKind::Builtin(_)
                    | ExprKind::RawArg(_)
                    | ExprKind::Arg { .. }
                    | ExprKind::Again(_)
                    | ExprKind::Cast(_)
                    | ExprKind::Unary(..)
                    | ExprKind::Binary { .. }
                    | ExprKind::Comma(..)
                    | ExprKind::Stack => false,
                    ExprKind::Var { id, .. } => {
                        let var = self.vars.get(id.0 as usize);
                        var.is_none_or(|v| v.scope == Scope::Thread)
                    }
                    ExprKind::Assoc { .. }
                    | ExprKind::Element { .. }
                    | ExprKind::Address(_)
                    | ExprKind::Load { .. }
                    | ExprKind::BitField { .. }
                    | ExprKind::Mem { .. }
                    | ExprKind::StringOf { .. }
                    | ExprKind::StrCmp { .. }
                    | ExprKind::Logical(..)
                    | ExprKind::Cond(..)
                    | ExprKind::Once { .. }
                    | ExprKind::Assign(..)
                    | ExprKind::OpAssign { .. }
                    | ExprKind::Step { .. }
                    | ExprKind::Call(..)
                    | ExprKind::UserReg(_)
                    | ExprKind::Sym(_) => true,
                },
            };
        });
        costs
    }
}

/// A value after what must be computed before it; `None` if there is no place for that.
fn preceded(value: &Typed, before: &[Once]) -> Option<Typed> {
    let form = match &value.form {
        Form::Value(e) => Form::Value(after(e, before)),
        Form::Place(place) => match &place.base {
            Base::Mem(addr, space) if place.indices.is_empty() => Form::Place(Place {
                base: Base::Mem(after(addr, before), *space),
                ..place.clone()
            }),
            Base::Mem(..) | Base::Var(_) | Base::Assoc(..) => return None,
        },
        Form::Dyn(inner) => Form::Dyn(Rc::new(DynVal {
            input: preceded(&inner.input, before)?,
            ..DynVal::clone(inner)
        })),
        Form::Agg(_) => return None,
    };
    Some(Typed {
        form,
        ..value.clone()
    })
}

fn after(e: &Expr, before: &[Once]) -> Expr {
    let mut out = e.clone();
    for once in before.iter().rev().filter(|once| mentions(e, once.id)) {
        let value = Expr {
            kind: ExprKind::Once {
                id: once.id,
                value: Box::new(once.value.clone()),
            },
            ..once.value.clone()
        };
        let (ty, pos) = (out.ty, out.pos);
        let kind = ExprKind::Comma(Box::new(value), Box::new(out));
        out = Expr { kind, ty, pos };
    }
    out
}

fn mentions(e: &Expr, id: u32) -> bool {
    let mut found = false;
    walk::expr(e, &mut |seen| {
        found |= matches!(seen, Seen::Expr(e) if matches!(e.kind, ExprKind::Again(n) if n == id));
    });
    found
}

/// Whether computing an argument changes anything.
fn is_changing(value: &Typed) -> bool {
    let e = match &value.form {
        Form::Value(e) => e,
        Form::Place(place) => match &place.base {
            Base::Mem(addr, _) => addr,
            Base::Var(_) | Base::Assoc(..) => return false,
        },
        Form::Dyn(_) | Form::Agg(_) => return false,
    };
    walk::changes(e)
}

fn is_constant(value: &Typed) -> bool {
    matches!(&value.form, Form::Value(e) if matches!(e.kind, ExprKind::Int(_) | ExprKind::Str(_)))
}

/// Whether a body changes anything itself.
fn changes(body: &ast::Expr) -> bool {
    use ast::ExprKind as K;
    matches!(&body.kind, K::Post(..) | K::Pre(..) | K::Assign(..))
        || parts(body).into_iter().any(changes)
}

/// How a body uses a name.
#[derive(Clone, Copy, Default)]
struct Uses {
    count: usize,
    /// Its address is taken, or it is assigned to.
    address: bool,
}

fn uses(body: &ast::Expr, name: &str) -> Uses {
    let is_it = |e: &ast::Expr| matches!(&e.kind, ast::ExprKind::Ident(n) if n == name);
    let mut all = Uses {
        count: usize::from(is_it(body)),
        address: match &body.kind {
            ast::ExprKind::Unary(ast::UnaryOp::Addr, e)
            | ast::ExprKind::Post(_, e)
            | ast::ExprKind::Pre(_, e)
            | ast::ExprKind::Assign(_, e, _) => is_it(e),
            _ => false,
        },
    };
    for part in parts(body) {
        let more = uses(part, name);
        all.count += more.count;
        all.address |= more.address;
    }
    all
}

/// Whether a name's value is needed whatever a body's conditions are.
fn surely(body: &ast::Expr, name: &str) -> bool {
    match &body.kind {
        ast::ExprKind::Ident(n) => n == name,
        ast::ExprKind::Cond(c, t, e) => surely(c, name) || surely(t, name) && surely(e, name),
        ast::ExprKind::Binary(ast::BinaryOp::LAnd | ast::BinaryOp::LOr, l, _) => surely(l, name),
        _ => parts(body).into_iter().any(|part| surely(part, name)),
    }
}

/// The expressions that one is made of, but for what is only measured.
fn parts(e: &ast::Expr) -> Vec<&ast::Expr> {
    use ast::ExprKind as K;
    match &e.kind {
        K::Int(..)
        | K::Str(_)
        | K::Ident(_)
        | K::Agg(_)
        | K::SelfKw
        | K::ThisKw
        | K::SizeofType(_)
        | K::Sizeof(_)
        | K::Offsetof(..) => Vec::new(),
        K::Index(e, more) | K::Call(e, more) => {
            let mut all: Vec<&ast::Expr> = more.iter().collect();
            all.insert(0, e);
            all
        }
        K::Dot(e, _)
        | K::Arrow(e, _)
        | K::Unary(_, e)
        | K::Post(_, e)
        | K::Pre(_, e)
        | K::Cast(_, e)
        | K::Stringof(e)
        | K::Xlate(_, e) => vec![e],
        K::Binary(_, l, r) | K::Assign(_, l, r) | K::Comma(l, r) => vec![l, r],
        K::Cond(c, t, e) => vec![c, t, e],
    }
}

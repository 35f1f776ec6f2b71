//! Assignment, `op=`, `++` and `--`.

use ctypes::{Kind, TypeGraph, TypeId};
use diag::{Diagnostic, Span, Tag};
use lang::GlobalKind;
use syntax::ast::{self, BinaryOp, StepOp};

use crate::compiler::Compiler;
use crate::hir::{self, Expr, ExprKind, IntTy, LValue, LValueKind, Scope, Ty};
use crate::ops::{Class, op_row};
use crate::typed::{Base, Form, Place, R, Typed};
use crate::types::int;

/// What is meant by `/x = 1/`.
pub(crate) const COMPARES: &str = "= assigns; == compares";

impl Compiler<'_> {
    pub(crate) fn assign(&mut self, a: &ast::Expr, b: &ast::Expr, span: Span) -> R<Typed> {
        self.no_aggregation(a)?;
        if self.is_action(b) {
            return self.call_in_expression(b);
        }
        let value = self.expr(b).map_err(|e| self.with_at(e, a, b))?;
        self.no_dyn("=", &value, span)?;
        if matches!(value.form, Form::Agg(_)) {
            return self.rvalue(value);
        }
        let target = self.target(a, Some(value.ty))?;
        self.no_dyn("=", &target, span)?;
        let to = target.ty;
        self.widen(a, to, &value);
        let lvalue = self.lvalue(target, a, "=")?;
        if matches!(self.graph.base(to), Kind::Array { .. } | Kind::Func { .. }) {
            let text = format!(
                "operator = may not be applied to operand of type \"{}\"",
                self.graph.name(to)
            );
            return self.fail(Tag::D_OP_ARRFUN, span, text);
        }
        let code = self.assigned(to, &lvalue, value, span)?;
        let pos = self.pos(span);
        let ty = self.hir_ty(to);
        let kind = ExprKind::Assign(Box::new(lvalue), Box::new(code));
        Ok(Typed::value(to, Expr { kind, ty, pos }, span))
    }

    /// What is assigned an aggregating function is an aggregation whose `@` was forgotten.
    fn with_at(&self, mut e: Box<Diagnostic>, a: &ast::Expr, b: &ast::Expr) -> Box<Diagnostic> {
        let aggregating = self
            .callee(b)
            .is_some_and(|g| matches!(g.kind, GlobalKind::Agg(_)));
        let name = match &a.kind {
            ast::ExprKind::Ident(name) => Some((name, "")),
            ast::ExprKind::Index(whole, _) => match &whole.kind {
                ast::ExprKind::Ident(name) => Some((name, "[...]")),
                _ => None,
            },
            _ => None,
        };
        if let (true, Some((name, keys))) = (aggregating, name) {
            e.help = Some(format!(
                "the name of an aggregation begins with @: @{name}{keys} = ...;"
            ));
        }
        e
    }

    /// The value as the target takes it.
    fn assigned(&mut self, to: TypeId, target: &LValue, value: Typed, span: Span) -> R<Expr> {
        let pos = self.pos(value.span);
        let zero = self.is_integer(&value) && value.constant() == Some(0);
        match target.ty {
            Ty::Str if zero && self.is_dynamic(target) => Ok(int(0, IntTy::I64, pos)),
            Ty::Str if zero => Ok(Expr {
                kind: ExprKind::Str(Vec::new()),
                ty: Ty::Str,
                pos,
            }),
            Ty::Bytes { .. } if zero && self.is_dynamic(target) => Ok(int(0, IntTy::I64, pos)),
            _ if self.value_fits(to, &value) => self.convert(value, to),
            // The string by its address.
            _ if self.is_string(&value)
                && self.graph.is_pointer(to)
                && !self.is_user(to)
                && self.argument_fits(to, &value) =>
            {
                Ok(Expr {
                    kind: ExprKind::Address(Box::new(self.code(value)?)),
                    ty: Ty::Int(IntTy::U64),
                    pos,
                })
            }
            _ => {
                let (l, r) = (self.graph.name(to), self.name_of(&value));
                self.fail(
                    Tag::D_OP_INCOMPAT,
                    span,
                    format!("operands have incompatible types: \"{l}\" = \"{r}\""),
                )
            }
        }
    }

    /// Whether a value of this type may be assigned to a variable or member of type `to`.
    pub(crate) fn value_fits(&self, to: TypeId, value: &Typed) -> bool {
        if self.graph.is_string(to) {
            return self.is_strcompat(value);
        }
        if self.is_string(value) || self.mixes_spaces(to, value.ty) {
            return false;
        }
        self.argument_fits(to, value)
    }

    /// Assigning 0 to it frees its storage.
    fn is_dynamic(&self, target: &LValue) -> bool {
        match target.kind {
            _ if !target.indices.is_empty() || target.bits.is_some() => false,
            LValueKind::Assoc { offset: 0, .. } => true,
            LValueKind::Var { id, offset: 0 } => self
                .vars
                .get(id.0 as usize)
                .is_some_and(|v| v.scope == Scope::Thread),
            LValueKind::Var { .. } | LValueKind::Assoc { .. } | LValueKind::Mem { .. } => false,
        }
    }

    fn no_aggregation(&mut self, a: &ast::Expr) -> R<()> {
        let mut at = a;
        let mut dimensions = 0;
        while let ast::ExprKind::Index(base, _) = &at.kind {
            at = base;
            dimensions += 1;
        }
        let ast::ExprKind::Agg(name) = &at.kind else {
            return Ok(());
        };
        if dimensions > 1 {
            let text =
                format!("improper attempt to reference @{name} as a multi-dimensional array");
            return self.fail(Tag::D_AGG_MDIM, a.span, text);
        }
        let text = format!("@{name} must be assigned the result of an aggregating function");
        self.fail(Tag::D_AGG_FUNC, a.span, text)
    }

    /// Something that may be stored to.
    fn lvalue(&mut self, target: Typed, a: &ast::Expr, op: &str) -> R<LValue> {
        let span = target.span;
        let pos = self.pos(span);
        let place = match target.form {
            Form::Place(Place {
                writable: false, ..
            }) => return self.read_only(op, span),
            Form::Place(place) => place,
            Form::Value(_)
                if matches!(a.kind, ast::ExprKind::Ident(_) | ast::ExprKind::Index(..)) =>
            {
                return self.read_only(op, span);
            }
            Form::Value(_) | Form::Dyn(_) | Form::Agg(_) => {
                let text = format!("operator {op} requires modifiable lvalue as an operand");
                return self.fail(Tag::D_OP_LVAL, span, text);
            }
        };
        let offset = u32::try_from(place.offset).unwrap_or(0);
        let signed = self.graph.is_signed(target.ty);
        let bits = place.bits.map(|b| hir::Bits {
            shift: b.shift,
            bits: b.bits,
            signed,
        });
        let ty = match place.bits {
            Some(b) => Ty::Int(IntTy {
                bytes: b.storage,
                signed: false,
            }),
            None => self.hir_ty(target.ty),
        };
        let kind = match place.base {
            Base::Var(id) => LValueKind::Var { id, offset },
            Base::Assoc(id, keys) => LValueKind::Assoc { id, keys, offset },
            Base::Mem(addr, _) => LValueKind::Mem {
                addr,
                offset: place.offset,
            },
        };
        Ok(LValue {
            kind,
            indices: place.indices,
            bits,
            ty,
            pos,
        })
    }

    fn read_only<T>(&self, op: &str, span: Span) -> R<T> {
        let text = format!("operator {op} can only be applied to a writable variable");
        let mut e = self.error(Tag::D_OP_WRITE, span, text);
        if op == "=" {
            e.help = Some(COMPARES.into());
        }
        Err(e)
    }

    pub(crate) fn op_assign(
        &mut self,
        op: BinaryOp,
        a: &ast::Expr,
        b: &ast::Expr,
        span: Span,
    ) -> R<Typed> {
        let row = op_row(op);
        let text = format!("{}=", row.text);
        self.no_aggregation(a)?;
        let target = self.target(a, None)?;
        let value = self.expr(b)?;
        self.no_dyn(&text, &target, span)?;
        self.no_dyn(&text, &value, span)?;
        let to = target.ty;
        self.widen(a, to, &value);
        let pointer = self.graph.is_pointer(to);
        if row.class == Class::Additive && pointer {
            self.known_size(to, "left-hand scalar operand", &text, span)?;
        } else if !self.is_integer(&target) {
            return self.wrong_operands(row.class, &text, span);
        }
        if !self.is_integer(&value) {
            return self.wrong_operands(row.class, &text, span);
        }
        self.no_division_by_zero(row.code, &value, span)?;
        let lvalue = self.lvalue(target, a, &text)?;
        let pos = self.pos(span);
        let signed = !pointer && self.graph.is_signed(self.promote(to, value.ty));
        let mut code = self.code(value)?;
        if pointer {
            code = self.scale(code, self.stride(to), pos);
        }
        let ty = self.hir_ty(to);
        let kind = ExprKind::OpAssign {
            target: Box::new(lvalue),
            op: row.code,
            signed,
            value: Box::new(code),
        };
        Ok(Typed::value(to, Expr { kind, ty, pos }, span))
    }

    fn wrong_operands<T>(&self, class: Class, op: &str, span: Span) -> R<T> {
        let (tag, kind) = match class {
            Class::Arith | Class::Additive => (Tag::D_OP_ARITH, "arithmetic"),
            Class::Integral | Class::Compare | Class::Logical(_) => (Tag::D_OP_INT, "integral"),
        };
        self.fail(
            tag,
            span,
            format!("operator {op} requires operands of {kind} type"),
        )
    }

    /// Arithmetic in place needs a pointee of known size.
    fn known_size(&self, ty: TypeId, what: &str, op: &str, span: Span) -> R<()> {
        let to = self.graph.pointee(ty).unwrap_or(TypeGraph::VOID);
        if self.size_of(to).is_none() {
            return self.fail(
                Tag::D_OP_VFPTR,
                span,
                format!("operator {op} requires {what} of known size"),
            );
        }
        Ok(())
    }

    pub(crate) fn step(&mut self, op: StepOp, post: bool, a: &ast::Expr, span: Span) -> R<Typed> {
        let (text, sign) = match op {
            StepOp::Inc => ("++", 1),
            StepOp::Dec => ("--", -1),
        };
        self.no_aggregation(a)?;
        let target = self.target(a, Some(TypeGraph::INT64))?;
        self.no_dyn(text, &target, span)?;
        let ty = target.ty;
        let scalar = self.is_scalar(&target);
        let lvalue = self.lvalue(target, a, text)?;
        if !scalar {
            let text = format!("operator {text} requires operand of scalar type");
            return self.fail(Tag::D_OP_SCALAR, span, text);
        }
        let mut delta = sign;
        if self.graph.is_pointer(ty) {
            self.known_size(ty, "an operand", text, span)?;
            delta *= self.stride(ty);
        }
        let (pos, hty) = (self.pos(span), self.hir_ty(ty));
        let kind = ExprKind::Step {
            target: Box::new(lvalue),
            delta,
            post,
        };
        Ok(Typed::value(ty, Expr { kind, ty: hty, pos }, span))
    }
}

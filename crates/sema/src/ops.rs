//! Operators: unary, binary, conditional, casts and the size operators (reference §3.3, §4).

use ctypes::{Kind, TypeGraph, TypeId};
use diag::{Span, Tag};
use syntax::ast::{self, BinaryOp, UnaryOp};

use crate::compiler::Compiler;
use crate::hir::{BinOp, Expr, ExprKind, IntTy, LogOp, Ty, UnOp};
use crate::typed::{Base, Form, Operands, Place, R, Typed};
use crate::types::{binary, int, narrow};

/// The operand class an operator demands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    /// `* /`
    Arith,
    /// `% & | ^ << >>`
    Integral,
    /// `+ -`
    Additive,
    /// `< <= > >= == !=`
    Compare,
    /// `&& || ^^`
    Logical(LogOp),
}

/// An operator: its text, its code and the operands it demands.
pub(crate) struct OpRow {
    pub text: &'static str,
    pub code: BinOp,
    pub class: Class,
}

/// The row of a binary operator.
pub(crate) fn op_row(op: BinaryOp) -> OpRow {
    let (text, code, class) = match op {
        BinaryOp::Mul => ("*", BinOp::Mul, Class::Arith),
        BinaryOp::Div => ("/", BinOp::Div, Class::Arith),
        BinaryOp::Mod => ("%", BinOp::Mod, Class::Integral),
        BinaryOp::Add => ("+", BinOp::Add, Class::Additive),
        BinaryOp::Sub => ("-", BinOp::Sub, Class::Additive),
        BinaryOp::Shl => ("<<", BinOp::Shl, Class::Integral),
        BinaryOp::Shr => (">>", BinOp::Shr, Class::Integral),
        BinaryOp::Lt => ("<", BinOp::Lt, Class::Compare),
        BinaryOp::Gt => (">", BinOp::Gt, Class::Compare),
        BinaryOp::Le => ("<=", BinOp::Le, Class::Compare),
        BinaryOp::Ge => (">=", BinOp::Ge, Class::Compare),
        BinaryOp::Eq => ("==", BinOp::Eq, Class::Compare),
        BinaryOp::Ne => ("!=", BinOp::Ne, Class::Compare),
        BinaryOp::And => ("&", BinOp::And, Class::Integral),
        BinaryOp::Xor => ("^", BinOp::Xor, Class::Integral),
        BinaryOp::Or => ("|", BinOp::Or, Class::Integral),
        BinaryOp::LAnd => ("&&", BinOp::And, Class::Logical(LogOp::And)),
        BinaryOp::LXor => ("^^", BinOp::Xor, Class::Logical(LogOp::Xor)),
        BinaryOp::LOr => ("||", BinOp::Or, Class::Logical(LogOp::Or)),
    };
    OpRow { text, code, class }
}

/// Divides as the machine does; `None` for division by zero.
fn fold(op: BinOp, signed: bool, a: u64, b: u64) -> Option<u64> {
    let (x, y) = (a as i64, b as i64);
    let shift = (b & 63) as u32;
    Some(match op {
        BinOp::Add => a.wrapping_add(b),
        BinOp::Sub => a.wrapping_sub(b),
        BinOp::Mul => a.wrapping_mul(b),
        BinOp::Div if b == 0 => return None,
        BinOp::Mod if b == 0 => return None,
        BinOp::Div if signed => x.wrapping_div(y) as u64,
        BinOp::Mod if signed => x.wrapping_rem(y) as u64,
        BinOp::Div => a / b,
        BinOp::Mod => a % b,
        BinOp::And => a & b,
        BinOp::Or => a | b,
        BinOp::Xor => a ^ b,
        BinOp::Shl => a << shift,
        BinOp::Shr if signed => (x >> shift) as u64,
        BinOp::Shr => a >> shift,
        BinOp::Eq => u64::from(a == b),
        BinOp::Ne => u64::from(a != b),
        BinOp::Lt => u64::from(if signed { x < y } else { a < b }),
        BinOp::Le => u64::from(if signed { x <= y } else { a <= b }),
        BinOp::Gt => u64::from(if signed { x > y } else { a > b }),
        BinOp::Ge => u64::from(if signed { x >= y } else { a >= b }),
    })
}

impl Compiler<'_> {
    /// The usual conversions: the operand type of greater rank; at equal rank the later type.
    pub(crate) fn promote(&self, a: TypeId, b: TypeId) -> TypeId {
        let plain = |t| {
            if matches!(self.graph.base(t), Kind::Enum(_)) {
                TypeGraph::INT
            } else {
                t
            }
        };
        let (x, y) = (plain(a), plain(b));
        let (rx, ry) = (
            self.graph.rank(x).unwrap_or(0),
            self.graph.rank(y).unwrap_or(0),
        );
        let later = self.graph.resolve(y) > self.graph.resolve(x);
        if ry > rx || (ry == rx && later) { y } else { x }
    }

    pub(crate) fn no_dyn(&self, op: &str, e: &Typed, span: Span) -> R<()> {
        if e.is_dyn() {
            return self.fail(
                Tag::D_OP_DYN,
                span,
                format!("operator {op} operands cannot be of dynamic type"),
            );
        }
        Ok(())
    }

    pub(crate) fn unary(&mut self, op: UnaryOp, a: &ast::Expr, span: Span) -> R<Typed> {
        match op {
            UnaryOp::Addr => self.addr_of(a, span),
            UnaryOp::Deref => self.deref(a, span),
            UnaryOp::Plus | UnaryOp::Neg | UnaryOp::BitNot | UnaryOp::Not => {
                self.unary_value(op, a, span)
            }
        }
    }

    fn unary_value(&mut self, op: UnaryOp, a: &ast::Expr, span: Span) -> R<Typed> {
        // What is read so before anything was assigned to it is a number, unless it is a bare name: `!self->x`, `!a[k]`.
        let e = match a.kind {
            ast::ExprKind::Arrow(..) | ast::ExprKind::Index(..) => {
                self.target(a, Some(TypeGraph::INT64))?
            }
            _ => self.expr(a)?,
        };
        let (text, code, tag, class) = match op {
            UnaryOp::Neg => ("-", Some(UnOp::Neg), Tag::D_OP_ARITH, "arithmetic"),
            UnaryOp::BitNot => ("~", Some(UnOp::BitNot), Tag::D_OP_INT, "integral"),
            UnaryOp::Not => ("!", Some(UnOp::Not), Tag::D_OP_SCALAR, "scalar"),
            UnaryOp::Plus | UnaryOp::Addr | UnaryOp::Deref => {
                ("+", None, Tag::D_OP_ARITH, "arithmetic")
            }
        };
        self.no_dyn(text, &e, span)?;
        let fits = if op == UnaryOp::Not {
            self.is_scalar(&e)
        } else {
            self.is_integer(&e)
        };
        if !fits {
            return self.fail(
                tag,
                span,
                format!("operator {text} requires an operand of {class} type"),
            );
        }
        let ty = if op == UnaryOp::Not {
            TypeGraph::INT
        } else {
            e.ty
        };
        let pos = self.pos(span);
        let value = self.code(e)?;
        let hty = self.int_ty(ty).unwrap_or(IntTy::I64);
        let kind = match (code, &value.kind) {
            (None, _) => return Ok(Typed::value(ty, value, span)),
            (Some(UnOp::Neg), ExprKind::Int(v)) => ExprKind::Int(v.wrapping_neg()),
            (Some(UnOp::BitNot), ExprKind::Int(v)) => ExprKind::Int(!v),
            (Some(UnOp::Not), ExprKind::Int(v)) => ExprKind::Int(u64::from(*v == 0)),
            (Some(code), _) => ExprKind::Unary(code, Box::new(value)),
        };
        Ok(Typed::value(
            ty,
            Expr {
                kind,
                ty: Ty::Int(hty),
                pos,
            },
            span,
        ))
    }

    fn deref(&mut self, a: &ast::Expr, span: Span) -> R<Typed> {
        let e = self.expr(a)?;
        if let Form::Dyn(value) = &e.form {
            if !value.pointer {
                return self.fail(
                    Tag::D_DEREF_NONPTR,
                    span,
                    "cannot dereference non-pointer type",
                );
            }
            let mut whole = (**value).clone();
            whole.pointer = false;
            let ty = self.graph.pointee(e.ty).unwrap_or(e.ty);
            return Ok(Typed {
                ty,
                form: Form::Dyn(whole.into()),
                span,
            });
        }
        if matches!(self.graph.base(e.ty), Kind::Func { .. }) {
            return self.fail(
                Tag::D_DEREF_FUNC,
                span,
                "cannot dereference pointer to function",
            );
        }
        let e = self.text_pointer(e)?;
        if !self.is_pointer(&e) {
            return self.fail(
                Tag::D_DEREF_NONPTR,
                span,
                "cannot dereference non-pointer type",
            );
        }
        let to = self.element_type(e.ty, span)?;
        self.pointee_place(e, to, span)
    }

    /// A string as the array of characters that it is: a pointer to the first; anything else as it is.
    pub(crate) fn text_pointer(&mut self, e: Typed) -> R<Typed> {
        if !self.is_string(&e) {
            return Ok(e);
        }
        let (span, pos) = (e.span, self.pos(e.span));
        let ty = self.graph.pointer_to(TypeGraph::CHAR);
        let kind = ExprKind::Address(Box::new(self.string(e)?));
        let ty_of = Ty::Int(IntTy::U64);
        Ok(Typed::value(
            ty,
            Expr {
                kind,
                ty: ty_of,
                pos,
            },
            span,
        ))
    }

    fn addr_of(&mut self, a: &ast::Expr, span: Span) -> R<Typed> {
        let e = self.expr(a)?;
        if e.is_dyn() {
            return self.fail(
                Tag::D_ADDROF_VAR,
                span,
                "cannot take address of dynamic object",
            );
        }
        let func = matches!(self.graph.base(e.ty), Kind::Func { .. });
        let ty = match &e.form {
            Form::Value(_) if func => self.graph.pointer_to(e.ty),
            Form::Place(Place { bits: Some(_), .. }) => {
                return self.fail(
                    Tag::D_ADDROF_BITFIELD,
                    span,
                    "cannot take address of bit-field",
                );
            }
            Form::Place(Place {
                base: Base::Mem(_, space),
                ..
            }) => {
                let user = *space == crate::hir::Space::User;
                self.graph.add(Kind::Pointer { to: e.ty, user })
            }
            Form::Place(_) => {
                return self.fail(
                    Tag::D_ADDROF_VAR,
                    span,
                    "cannot take address of dynamic variable",
                );
            }
            Form::Value(_) | Form::Dyn(_) | Form::Agg(_) => {
                return self.fail(
                    Tag::D_ADDROF_LVAL,
                    span,
                    "unacceptable operand for unary & operator",
                );
            }
        };
        let address = self.address(e)?;
        Ok(Typed::value(ty, address, span))
    }

    pub(crate) fn binary_op(
        &mut self,
        op: BinaryOp,
        a: &ast::Expr,
        b: &ast::Expr,
        span: Span,
    ) -> R<Typed> {
        let l = self.operand(a)?;
        let r = self.operand(b)?;
        self.operated(op, (a, l), (b, r), span)
    }

    /// The result of an operator. What [`Compiler::expr`] recurses through holds operands and little else, so that long
    /// chains need little stack.
    fn operated(
        &mut self,
        op: BinaryOp,
        (a, l): (&ast::Expr, Box<Typed>),
        (b, r): (&ast::Expr, Box<Typed>),
        span: Span,
    ) -> R<Typed> {
        let (row, l, r) = (op_row(op), *l, *r);
        self.no_dyn(row.text, &l, span)?;
        self.no_dyn(row.text, &r, span)?;
        match row.class {
            Class::Arith | Class::Integral => self.integer_op(&row, l, r, span),
            Class::Additive => self.additive(&row, l, r, span),
            Class::Compare => {
                self.no_ambiguity(row.text, (a, &l), (b, &r), span)?;
                self.compare(&row, l, r, span)
            }
            Class::Logical(op) => self.logical(op, row.text, l, r, span),
        }
    }

    /// Two integer operands, or the error of the operator's class.
    fn demand_integers(&self, row: &OpRow, l: &Typed, r: &Typed, span: Span) -> R<()> {
        if self.is_integer(l) && self.is_integer(r) {
            return Ok(());
        }
        let (tag, class) = if row.class == Class::Arith {
            (Tag::D_OP_ARITH, "arithmetic")
        } else {
            (Tag::D_OP_INT, "integral")
        };
        self.fail(
            tag,
            span,
            format!("operator {} requires operands of {class} type", row.text),
        )
    }

    fn integer_op(&mut self, row: &OpRow, l: Typed, r: Typed, span: Span) -> R<Typed> {
        self.demand_integers(row, &l, &r, span)?;
        self.no_division_by_zero(row.code, &r, span)?;
        let ty = self.promote(l.ty, r.ty);
        self.numbers(row.code, l, r, ty, ty, span)
    }

    pub(crate) fn no_division_by_zero(&self, op: BinOp, r: &Typed, span: Span) -> R<()> {
        if matches!(op, BinOp::Div | BinOp::Mod) && r.constant() == Some(0) {
            return self.fail(
                Tag::D_DIV_ZERO,
                span,
                "expression contains division by zero",
            );
        }
        Ok(())
    }

    /// An operation on two numbers whose signedness is that of `by`, with a result of type `ty`.
    fn numbers(
        &mut self,
        op: BinOp,
        l: Typed,
        r: Typed,
        by: TypeId,
        ty: TypeId,
        span: Span,
    ) -> R<Typed> {
        let pos = self.pos(span);
        let signed = self.graph.is_signed(by);
        let result = self.int_ty(ty).unwrap_or(IntTy::I64);
        let folded = match (l.constant(), r.constant()) {
            (Some(a), Some(b)) => fold(op, signed, a, b),
            _ => None,
        };
        let value = match folded {
            Some(v) => int(v, result, pos),
            None => {
                let (l, r) = (self.scalar(l)?, self.scalar(r)?);
                binary(op, signed, l, r, result, pos)
            }
        };
        Ok(Typed::value(ty, value, span))
    }

    fn incompatible<T>(&self, op: &str, l: &Typed, r: &Typed, span: Span) -> R<T> {
        let help = match (self.is_string(l), self.is_string(r)) {
            (true, false) if self.is_integer(r) => Some(r),
            (false, true) if self.is_integer(l) => Some(l),
            _ => None,
        };
        let help = help.map(|number| match number.constant() {
            Some(n) => format!("a string is compared with a string, \"{n}\""),
            None => "lltostr() makes a string of a number, strtoll() a number of a string".into(),
        });
        let (l, r) = (self.name_of(l), self.name_of(r));
        let mut e = self.error(
            Tag::D_OP_INCOMPAT,
            span,
            format!("operands have incompatible types: \"{l}\" {op} \"{r}\""),
        );
        e.help = help;
        Err(e)
    }

    fn additive(&mut self, row: &OpRow, l: Typed, r: Typed, span: Span) -> R<Typed> {
        if self.is_integer(&l) && self.is_integer(&r) {
            let ty = self.promote(l.ty, r.ty);
            return self.numbers(row.code, l, r, ty, ty, span);
        }
        match (self.is_pointer(&l), self.is_pointer(&r)) {
            (true, false) if self.is_integer(&r) => self.pointer_plus(row.code, l, r, span),
            (false, true) if self.is_integer(&l) && row.code == BinOp::Add => {
                self.pointer_plus(row.code, r, l, span)
            }
            (true, true) if row.code == BinOp::Sub && self.ptr_compat(&l, &r) => {
                self.pointer_minus(l, r, span)
            }
            _ => self.incompatible(row.text, &l, &r, span),
        }
    }

    /// Bytes that a step of a pointer covers; `void` and functions count as one byte.
    pub(crate) fn stride(&self, ty: TypeId) -> i64 {
        let to = self.graph.pointee(ty).unwrap_or(TypeGraph::CHAR);
        self.size_of(to)
            .filter(|n| *n > 0)
            .and_then(|n| i64::try_from(n).ok())
            .unwrap_or(1)
    }

    fn decayed(&mut self, ty: TypeId, e: &Typed) -> TypeId {
        match (self.graph.base(ty), &e.form) {
            (
                Kind::Array { elem, .. },
                Form::Place(Place {
                    base: Base::Mem(_, space),
                    ..
                }),
            ) => {
                let kind = Kind::Pointer {
                    to: *elem,
                    user: *space == crate::hir::Space::User,
                };
                self.graph.add(kind)
            }
            (Kind::Array { elem, .. }, _) => {
                let elem = *elem;
                self.graph.pointer_to(elem)
            }
            _ => ty,
        }
    }

    /// `void` and functions have no size that a pointer could step by.
    fn pointer_steps(&self, op: BinOp, ty: TypeId, span: Span) -> R<()> {
        let to = self.graph.pointee(ty).unwrap_or(TypeGraph::VOID);
        if !matches!(self.graph.base(to), Kind::Void | Kind::Func { .. }) {
            return Ok(());
        }
        let text = if op == BinOp::Add { "+" } else { "-" };
        let text = format!("operator {text} requires left-hand scalar operand of known size");
        self.fail(Tag::D_OP_VFPTR, span, text)
    }

    fn pointer_plus(&mut self, op: BinOp, p: Typed, n: Typed, span: Span) -> R<Typed> {
        let pos = self.pos(span);
        let ty = self.decayed(p.ty, &p);
        self.pointer_steps(op, ty, span)?;
        let size = self.stride(ty);
        let n = self.code(n)?;
        let offset = self.scale(n, size, pos);
        let p = self.scalar(p)?;
        let value = match (&p.kind, &offset.kind) {
            (ExprKind::Int(a), ExprKind::Int(b)) => {
                int(fold(op, false, *a, *b).unwrap_or(0), IntTy::U64, pos)
            }
            _ => binary(op, false, p, offset, IntTy::U64, pos),
        };
        Ok(Typed::value(ty, value, span))
    }

    fn pointer_minus(&mut self, l: Typed, r: Typed, span: Span) -> R<Typed> {
        let pos = self.pos(span);
        let size = self.stride(l.ty);
        let (l, r) = (self.scalar(l)?, self.scalar(r)?);
        let bytes = binary(BinOp::Sub, true, l, r, IntTy::I64, pos);
        let value = match size {
            1 => bytes,
            _ => binary(
                BinOp::Div,
                true,
                bytes,
                int(size as u64, IntTy::I64, pos),
                IntTy::I64,
                pos,
            ),
        };
        let ty = self.graph.parse("ptrdiff_t").unwrap_or(TypeGraph::LONG);
        Ok(Typed::value(ty, value, span))
    }

    /// A name that is both an enumerator of the other operand's type and a global variable.
    fn no_ambiguity(
        &self,
        op: &str,
        l: (&ast::Expr, &Typed),
        r: (&ast::Expr, &Typed),
        span: Span,
    ) -> R<()> {
        for ((name, _), (_, other)) in [(l, r), (r, l)] {
            let ast::ExprKind::Ident(name) = &name.kind else {
                continue;
            };
            let Kind::Enum(e) = self.graph.base(other.ty) else {
                continue;
            };
            if self.globals.contains_key(name) && e.items.iter().any(|(n, _)| n == name) {
                let tag = self.graph.name(other.ty);
                let text = format!(
                    "ambiguous use of operator {op}: {name} is both a {tag} enum tag and a global scalar"
                );
                return self.fail(Tag::D_IDENT_AMBIG, span, text);
            }
        }
        Ok(())
    }

    fn compare(&mut self, row: &OpRow, l: Typed, r: Typed, span: Span) -> R<Typed> {
        if self.is_integer(&l) && self.is_integer(&r) {
            let by = self.promote(l.ty, r.ty);
            return self.numbers(row.code, l, r, by, TypeGraph::INT, span);
        }
        if self.is_string(&l) || self.is_string(&r) {
            return self.compare_strings(row, l, r, span);
        }
        if self.ptr_compat(&l, &r) {
            return self.numbers(row.code, l, r, TypeGraph::UINT64, TypeGraph::INT, span);
        }
        self.incompatible(row.text, &l, &r, span)
    }

    /// A string may also be compared with NULL: one never assigned is equal to it.
    fn compare_strings(&mut self, row: &OpRow, l: Typed, r: Typed, span: Span) -> R<Typed> {
        let fits =
            |c: &Self, e: &Typed| c.is_strcompat(e) || (c.is_integer(e) && e.constant() == Some(0));
        if !fits(self, &l) || !fits(self, &r) {
            return self.incompatible(row.text, &l, &r, span);
        }
        let pos = self.pos(span);
        let (l, r) = (self.string_or_null(l)?, self.string_or_null(r)?);
        let kind = ExprKind::StrCmp {
            op: row.code,
            l: Box::new(l),
            r: Box::new(r),
        };
        Ok(Typed::value(
            TypeGraph::INT,
            Expr {
                kind,
                ty: Ty::Int(IntTy::I32),
                pos,
            },
            span,
        ))
    }

    fn string_or_null(&mut self, e: Typed) -> R<Expr> {
        if e.constant().is_some() {
            return Ok(Expr {
                kind: ExprKind::Str(Vec::new()),
                ty: Ty::Str,
                pos: self.pos(e.span),
            });
        }
        self.string(e)
    }

    fn logical(&mut self, op: LogOp, text: &str, l: Typed, r: Typed, span: Span) -> R<Typed> {
        if !self.is_scalar(&l) || !self.is_scalar(&r) {
            return self.fail(
                Tag::D_OP_SCALAR,
                span,
                format!("operator {text} requires operands of scalar type"),
            );
        }
        let pos = self.pos(span);
        let kind = match (op, l.constant(), r.constant()) {
            (LogOp::And, Some(0), _) => ExprKind::Int(0),
            (LogOp::Or, Some(n), _) if n != 0 => ExprKind::Int(1),
            (LogOp::And, Some(a), Some(b)) => ExprKind::Int(u64::from(a != 0 && b != 0)),
            (LogOp::Or, Some(a), Some(b)) => ExprKind::Int(u64::from(a != 0 || b != 0)),
            (LogOp::Xor, Some(a), Some(b)) => ExprKind::Int(u64::from((a != 0) != (b != 0))),
            _ => ExprKind::Logical(op, Box::new(self.code(l)?), Box::new(self.code(r)?)),
        };
        Ok(Typed::value(
            TypeGraph::INT,
            Expr {
                kind,
                ty: Ty::Int(IntTy::I32),
                pos,
            },
            span,
        ))
    }

    pub(crate) fn conditional(
        &mut self,
        c: &ast::Expr,
        a: &ast::Expr,
        b: &ast::Expr,
        span: Span,
    ) -> R<Typed> {
        if self.is_action(a) || self.is_action(b) {
            return self.fail(
                Tag::D_OP_ACT,
                span,
                "action cannot be used in a conditional context",
            );
        }
        let c = self.choice(c, span)?;
        let (t, f) = (self.operand(a)?, self.operand(b)?);
        self.chosen(c, (t, f), span)
    }

    /// What a conditional decides by.
    fn choice(&mut self, c: &ast::Expr, span: Span) -> R<Expr> {
        let c = self.expr(c)?;
        if !self.is_scalar(&c) {
            return self.fail(
                Tag::D_OP_SCALAR,
                span,
                "operator ?: expression must be of scalar type",
            );
        }
        self.code(c)
    }

    /// The value of a conditional.
    fn chosen(&mut self, c: Expr, (t, f): Operands, span: Span) -> R<Typed> {
        let (t, f) = (*t, *f);
        if t.is_dyn() || f.is_dyn() {
            return self.fail(
                Tag::D_OP_DYN,
                span,
                "operator ?: operands cannot be of dynamic type",
            );
        }
        let Some(ty) = self.cond_type(&t, &f) else {
            return self.fail(
                Tag::D_OP_INCOMPAT,
                span,
                "operator ?: operands must have compatible types",
            );
        };
        let pos = self.pos(span);
        let (t, f) = if self.graph.is_string(ty) {
            (self.string(t)?, self.string(f)?)
        } else {
            (self.scalar(t)?, self.scalar(f)?)
        };
        let hty = self.hir_ty(ty);
        let value = match c.kind {
            ExprKind::Int(0) => f,
            ExprKind::Int(_) => t,
            _ => Expr {
                kind: ExprKind::Cond(Box::new(c), Box::new(t), Box::new(f)),
                ty: hty,
                pos,
            },
        };
        Ok(Typed::value(ty, value, span))
    }

    fn cond_type(&mut self, t: &Typed, f: &Typed) -> Option<TypeId> {
        if self.is_integer(t) && self.is_integer(f) {
            return Some(if t.ty == f.ty {
                t.ty
            } else {
                self.promote(t.ty, f.ty)
            });
        }
        // An array of char is a string too, so that the choice of two is a text and not an address.
        let array = |e: &Typed| self.is_array(e.ty);
        if self.is_strcompat(t)
            && self.is_strcompat(f)
            && (self.is_string(t) || self.is_string(f) || array(t) && array(f))
        {
            return Some(TypeGraph::STRING);
        }
        if self.ptr_compat(t, f) {
            let side = if self.is_pointer(t) { t } else { f };
            return Some(self.decayed(side.ty, side));
        }
        let same = self.is_composite(t.ty) && self.graph.same(t.ty, f.ty);
        same.then_some(t.ty)
    }

    pub(crate) fn comma(&mut self, a: &ast::Expr, b: &ast::Expr, span: Span) -> R<Typed> {
        if self.is_action(a) || self.is_action(b) {
            return self.fail(Tag::D_OP_ACT, span, "operator , operands cannot be actions");
        }
        let (l, r) = (self.operand(a)?, self.operand(b)?);
        self.sequence((l, r), span)
    }

    fn sequence(&mut self, (l, r): Operands, span: Span) -> R<Typed> {
        let (l, r) = (*l, *r);
        self.no_dyn(",", &l, span)?;
        self.no_dyn(",", &r, span)?;
        let ty = r.ty;
        let (l, r) = (self.code(l)?, self.code(r)?);
        let pos = self.pos(span);
        let hty = r.ty;
        Ok(Typed::value(
            ty,
            Expr {
                kind: ExprKind::Comma(Box::new(l), Box::new(r)),
                ty: hty,
                pos,
            },
            span,
        ))
    }

    pub(crate) fn cast(&mut self, ty: &ast::TypeName, a: &ast::Expr, span: Span) -> R<Typed> {
        let to = self.type_name(ty)?;
        let e = self.expr(a)?;
        let bad = |c: &Self, e: &Typed| {
            let text = format!(
                "invalid cast expression: \"{}\" to \"{}\"",
                c.name_of(e),
                c.graph.name(to)
            );
            c.fail(Tag::D_CAST_INVAL, span, text)
        };
        if e.is_dyn() {
            return bad(self, &e);
        }
        if self.graph.is_string(to) {
            return if self.is_strcompat(&e) || self.is_scalar(&e) {
                let value = self.string(e)?;
                Ok(Typed::value(to, value, span))
            } else {
                bad(self, &e)
            };
        }
        if matches!(self.graph.base(to), Kind::Void) {
            let mut value = self.code(e)?;
            value.ty = Ty::Void;
            return Ok(Typed::value(to, value, span));
        }
        let scalar = |c: &Self, e: &Typed| c.is_scalar(e) || c.is_pointer(e);
        let e = if self.graph.is_pointer(to) {
            self.text_pointer(e)?
        } else {
            e
        };
        match self.int_ty(to) {
            Some(want) if scalar(self, &e) && !matches!(self.graph.base(to), Kind::Func { .. }) => {
                let same = self.graph.same(to, e.ty);
                let mut value = if self.is_boolean(to) {
                    self.convert(e, to)?
                } else {
                    narrow(self.scalar(e)?, want)
                };
                // The kernel vouches for the argument's own type only.
                if let ExprKind::Arg { trusted, .. } = &mut value.kind {
                    *trusted &= same;
                }
                Ok(Typed::value(to, value, span))
            }
            _ if self.is_composite(to) && self.graph.same(to, e.ty) => Ok(Typed { ty: to, ..e }),
            Some(_) | None => bad(self, &e),
        }
    }

    fn size_constant(&self, ty: TypeId, span: Span) -> R<Typed> {
        let dynamic = matches!(
            self.graph.base(ty),
            Kind::Dyn | Kind::Stack | Kind::SymAddr | Kind::UsymAddr
        );
        match self.size_of(ty) {
            Some(size) if !dynamic => Ok(self.constant(size, TypeGraph::SIZE, span)),
            Some(_) | None => self.fail(
                Tag::D_SIZEOF_TYPE,
                span,
                "cannot apply sizeof to an operand of unknown size",
            ),
        }
    }

    pub(crate) fn sizeof_type(&mut self, ty: &ast::TypeName, span: Span) -> R<Typed> {
        let ty = self.type_name(ty)?;
        self.size_constant(ty, span)
    }

    pub(crate) fn sizeof_expr(&mut self, a: &ast::Expr, span: Span) -> R<Typed> {
        let e = self.expr(a)?;
        match &e.form {
            Form::Place(Place { bits: Some(_), .. }) => self.fail(
                Tag::D_SIZEOF_BITFIELD,
                span,
                "cannot apply sizeof to a bit-field",
            ),
            Form::Dyn(_) | Form::Agg(_) => self.fail(
                Tag::D_SIZEOF_TYPE,
                span,
                "cannot apply sizeof to an operand of unknown size",
            ),
            Form::Place(_) | Form::Value(_) => self.size_constant(e.ty, span),
        }
    }

    pub(crate) fn stringof(&mut self, a: &ast::Expr, span: Span) -> R<Typed> {
        let e = self.expr(a)?;
        if !self.is_strcompat(&e) && !self.is_scalar(&e) {
            let text = format!(
                "cannot apply stringof to a value of type {}",
                self.name_of(&e)
            );
            return self.fail(Tag::D_STRINGOF_TYPE, span, text);
        }
        let value = self.string(e)?;
        Ok(Typed::value(TypeGraph::STRING, value, span))
    }

    pub(crate) fn offsetof(&mut self, ty: &ast::TypeName, name: &str, span: Span) -> R<Typed> {
        let ty = self.type_name(ty)?;
        if !self.is_composite(ty) {
            return self.fail(
                Tag::D_OFFSETOF_TYPE,
                span,
                "offsetof operand must be a struct or union type",
            );
        }
        let Some(member) = self.graph.member(ty, name) else {
            let text = format!("{name} is not a member of {}", self.graph.name(ty));
            return self.fail(Tag::D_TYPE_MEMBER, span, text);
        };
        if member.bits.is_some() {
            let text = format!("cannot take offset of a bit-field: {name}");
            return self.fail(Tag::D_OFFSETOF_BITFIELD, span, text);
        }
        Ok(self.constant(member.bit_offset / 8, TypeGraph::SIZE, span))
    }
}

//! Questions about D types, and the step from C types to what code depends on: loading places, narrowing, strings.

use ctypes::{Kind, TypeGraph, TypeId};
use diag::{Span, Tag};

use crate::compiler::Compiler;
use crate::hir::{self, BinOp, Expr, ExprKind, IntTy, Space, Ty};
use crate::typed::{Base, Bits, Form, Place, R, Typed};

/// Type name of an aggregation in messages.
pub(crate) const AGGREGATION: &str = "aggregation";

impl Compiler<'_> {
    /// The type as code sees it.
    pub(crate) fn hir_ty(&self, ty: TypeId) -> Ty {
        match self.graph.base(ty) {
            Kind::Void | Kind::Dyn | Kind::Forward { .. } => Ty::Void,
            Kind::Int(i) if i.bytes <= 8 => Ty::Int(IntTy {
                bytes: i.bytes,
                signed: i.signed,
            }),
            Kind::Int(i) => Ty::Bytes {
                size: u32::from(i.bytes),
                chars: false,
            },
            Kind::Float { bytes, .. } => Ty::Bytes {
                size: *bytes,
                chars: false,
            },
            Kind::Pointer { .. } | Kind::Func { .. } => Ty::Int(IntTy::U64),
            Kind::Enum(e) => Ty::Int(IntTy {
                bytes: e.bytes,
                signed: e.signed,
            }),
            Kind::Array { .. } | Kind::Composite(_) => {
                let size = self.graph.size(ty).unwrap_or(0);
                let size = u32::try_from(size).unwrap_or(u32::MAX);
                Ty::Bytes {
                    size,
                    chars: self.graph.is_char_pointer_or_array(ty),
                }
            }
            Kind::String => Ty::Str,
            Kind::Stack => Ty::Stack {
                user: false,
                frames: self.opts.limits.stackframes,
            },
            Kind::SymAddr => Ty::Sym(image::SymKind::Sym),
            Kind::UsymAddr => Ty::Sym(image::SymKind::Usym),
            // `base` strips these.
            Kind::Typedef { .. } | Kind::Const(_) | Kind::Volatile(_) | Kind::Restrict(_) => {
                Ty::Void
            }
        }
    }

    /// The integer type that values of a scalar type have in code.
    pub(crate) fn int_ty(&self, ty: TypeId) -> Option<IntTy> {
        match self.hir_ty(ty) {
            Ty::Int(i) => Some(i),
            Ty::Void | Ty::Str | Ty::Bytes { .. } | Ty::Stack { .. } | Ty::Sym(_) => None,
        }
    }

    /// Name of the type of an expression, for messages.
    pub(crate) fn name_of(&self, e: &Typed) -> String {
        match e.form {
            Form::Agg(_) => format!("<{AGGREGATION}>"),
            Form::Dyn(_) | Form::Value(_) | Form::Place(_) => self.graph.name(e.ty),
        }
    }

    /// A value type that arithmetic and comparisons know.
    fn plain(e: &Typed) -> bool {
        matches!(e.form, Form::Value(_) | Form::Place(_))
    }

    pub(crate) fn is_integer(&self, e: &Typed) -> bool {
        Self::plain(e) && self.graph.is_integral(e.ty) && self.int_ty(e.ty).is_some()
    }

    /// A pointer, or an array or function that acts as one.
    pub(crate) fn is_pointer(&self, e: &Typed) -> bool {
        let pointer = matches!(
            self.graph.base(e.ty),
            Kind::Pointer { .. } | Kind::Array { .. } | Kind::Func { .. }
        );
        Self::plain(e) && pointer
    }

    pub(crate) fn is_scalar(&self, e: &Typed) -> bool {
        Self::plain(e) && self.graph.is_scalar(e.ty) && self.int_ty(e.ty).is_some()
    }

    pub(crate) fn is_string(&self, e: &Typed) -> bool {
        Self::plain(e) && self.graph.is_string(e.ty)
    }

    /// `string`, `char *` or `char []`.
    pub(crate) fn is_strcompat(&self, e: &Typed) -> bool {
        self.is_string(e) || (Self::plain(e) && self.graph.is_char_pointer_or_array(e.ty))
    }

    pub(crate) fn is_composite(&self, ty: TypeId) -> bool {
        matches!(
            self.graph.base(ty),
            Kind::Composite(_) | Kind::Forward { .. }
        )
    }

    /// Whether two pointers may be compared and assigned: same pointee, one `void *`, or an integer constant 0.
    pub(crate) fn ptr_compat(&self, a: &Typed, b: &Typed) -> bool {
        let zero = |e: &Typed| self.is_integer(e) && e.constant() == Some(0);
        match (self.is_pointer(a), self.is_pointer(b)) {
            (true, true) => self.pointers_match(a.ty, b.ty),
            (true, false) => zero(b),
            (false, true) => zero(a),
            (false, false) => false,
        }
    }

    /// Same address space, and same pointee or one of them void.
    pub(crate) fn pointers_match(&self, a: TypeId, b: TypeId) -> bool {
        let to = |t: TypeId| self.graph.pointee(t).unwrap_or(t);
        let void = |t: TypeId| matches!(self.graph.base(t), Kind::Void);
        let (x, y) = (to(a), to(b));
        self.is_user(a) == self.is_user(b)
            && (void(x) || void(y) || self.graph.same(x, y) || self.same_size_chars(x, y))
    }

    /// Two pointers, one to memory of the kernel, one to memory of the process.
    pub(crate) fn mixes_spaces(&self, a: TypeId, b: TypeId) -> bool {
        self.graph.is_pointer(a) && self.graph.is_pointer(b) && self.is_user(a) != self.is_user(b)
    }

    /// `char` and its signed and unsigned forms stand for each other behind pointers.
    fn same_size_chars(&self, a: TypeId, b: TypeId) -> bool {
        let char_like =
            |t| matches!(self.graph.base(t), Kind::Int(i) if i.char_like && i.bytes == 1);
        char_like(a) && char_like(b)
    }

    /// A pointer into the user's address space.
    pub(crate) fn is_user(&self, ty: TypeId) -> bool {
        matches!(self.graph.base(ty), Kind::Pointer { user: true, .. })
    }

    /// Address space that a pointer type points into.
    pub(crate) fn space_of(&self, ty: TypeId) -> Space {
        if self.is_user(ty) {
            Space::User
        } else {
            Space::Kernel
        }
    }

    /// The same pointer into user space, if it was read there.
    fn retag(&mut self, ty: TypeId, place: &Place) -> TypeId {
        match (&place.base, self.graph.base(ty)) {
            (Base::Mem(_, Space::User), Kind::Pointer { to, user: false }) => {
                let to = *to;
                self.graph.add(Kind::Pointer { to, user: true })
            }
            _ => ty,
        }
    }

    /// Its value: loads places, turns arrays in memory into addresses where `decay` is asked for.
    pub(crate) fn rvalue(&mut self, e: Typed) -> R<Typed> {
        let Typed { ty, form, span } = e;
        match form {
            Form::Value(_) => Ok(Typed { ty, form, span }),
            Form::Place(place) => {
                let ty = self.retag(ty, &place);
                let value = self.load(place, ty, span)?;
                Ok(Typed::value(ty, value, span))
            }
            Form::Dyn(_) => self.fail(
                Tag::D_CG_DYN,
                span,
                "expression cannot evaluate to result of a translated pointer",
            ),
            Form::Agg(i) => {
                let text = format!(
                    "aggregation @{} may only be used by an aggregation action",
                    self.aggs[i].name
                );
                self.fail(Tag::D_IDENT_BADREF, span, text)
            }
        }
    }

    /// The value as code, of whatever type.
    pub(crate) fn code(&mut self, e: Typed) -> R<Expr> {
        let span = e.span;
        match self.rvalue(e)?.form {
            Form::Value(expr) => Ok(expr),
            Form::Place(_) | Form::Dyn(_) | Form::Agg(_) => self.fail(
                Tag::D_UNKNOWN,
                span,
                "internal error -- expression has no value",
            ),
        }
    }

    /// The value as a 64-bit number: integers as they are, arrays and functions by address.
    pub(crate) fn scalar(&mut self, e: Typed) -> R<Expr> {
        match (&e.form, self.graph.base(e.ty)) {
            (Form::Place(_), Kind::Array { .. }) => self.address(e),
            _ => self.code(e),
        }
    }

    /// Address of what is in memory.
    pub(crate) fn address(&mut self, e: Typed) -> R<Expr> {
        let span = e.span;
        let pos = self.pos(span);
        match e.form {
            Form::Place(Place {
                base: Base::Mem(addr, _),
                offset,
                bits: None,
                ..
            }) => Ok(self.add_const(addr, offset, pos)),
            Form::Place(_) => self.fail(
                Tag::D_ADDROF_VAR,
                span,
                "cannot take address of dynamic variable",
            ),
            Form::Value(expr) if matches!(expr.ty, Ty::Int(_)) => Ok(expr),
            Form::Value(_) | Form::Dyn(_) | Form::Agg(_) => self.fail(
                Tag::D_ADDROF_LVAL,
                span,
                "unacceptable operand for unary & operator",
            ),
        }
    }

    /// `addr + offset` as code.
    pub(crate) fn add_const(&self, addr: Expr, offset: i64, pos: hir::Pos) -> Expr {
        if offset == 0 {
            return addr;
        }
        if let ExprKind::Int(v) = addr.kind {
            return int(v.wrapping_add(offset as u64), IntTy::U64, pos);
        }
        binary(
            BinOp::Add,
            false,
            addr,
            int(offset as u64, IntTy::I64, pos),
            IntTy::U64,
            pos,
        )
    }

    fn load(&mut self, place: Place, ty: TypeId, span: Span) -> R<Expr> {
        let pos = self.pos(span);
        let hty = self.hir_ty(ty);
        if hty == Ty::Void {
            return self.incomplete(ty, span);
        }
        if let Some(bits) = place.bits {
            return Ok(self.load_bits(place, bits, self.graph.is_signed(ty), hty, pos));
        }
        let offset = u32::try_from(place.offset).unwrap_or(0);
        let kind = match place.base {
            Base::Var(id) => ExprKind::Var { id, offset },
            Base::Assoc(id, keys) => ExprKind::Assoc { id, keys, offset },
            Base::Mem(addr, space) => load_kind(addr, place.offset, space, hty),
        };
        Ok(element(Expr { kind, ty: hty, pos }, place.indices))
    }

    fn load_bits(&self, place: Place, bits: Bits, signed: bool, ty: Ty, pos: hir::Pos) -> Expr {
        let Bits {
            storage,
            shift,
            bits,
        } = bits;
        let unit = IntTy {
            bytes: storage,
            signed: false,
        };
        let offset = u32::try_from(place.offset).unwrap_or(0);
        let whole = match place.base {
            Base::Mem(addr, space) => {
                let (addr, offset) = (Box::new(addr), place.offset);
                let kind = ExprKind::BitField {
                    addr,
                    offset,
                    space,
                    storage,
                    shift,
                    bits,
                    signed,
                };
                return Expr { kind, ty, pos };
            }
            Base::Var(id) => ExprKind::Var { id, offset },
            Base::Assoc(id, keys) => ExprKind::Assoc { id, keys, offset },
        };
        let whole = element(
            Expr {
                kind: whole,
                ty: Ty::Int(unit),
                pos,
            },
            place.indices,
        );
        let up = int(
            u64::from(64u8.saturating_sub(shift).saturating_sub(bits)),
            IntTy::I64,
            pos,
        );
        let down = int(u64::from(64u8.saturating_sub(bits)), IntTy::I64, pos);
        let top = binary(BinOp::Shl, false, whole, up, IntTy::U64, pos);
        let mut field = binary(BinOp::Shr, signed, top, down, IntTy::U64, pos);
        field.ty = ty;
        field
    }

    fn incomplete<T>(&self, ty: TypeId, span: Span) -> R<T> {
        let name = self.graph.name(ty);
        if matches!(self.graph.base(ty), Kind::Forward { .. }) {
            let text = format!(
                "operator * cannot be applied to a forward declaration: no {name} definition is available"
            );
            return self.fail(Tag::D_OP_INCOMPLETE, span, text);
        }
        self.fail(
            Tag::D_DEREF_VOID,
            span,
            "cannot dereference pointer to void",
        )
    }

    /// The value as a D string: `char *` and `char []` are read from their address space.
    pub(crate) fn string(&mut self, e: Typed) -> R<Expr> {
        if self.is_string(&e) {
            return self.code(e);
        }
        let pos = self.pos(e.span);
        let max = match self.graph.base(e.ty) {
            Kind::Array { len, .. } => {
                Some(u32::try_from(*len).unwrap_or(u32::MAX)).filter(|n| *n > 0)
            }
            _ => None,
        };
        let (addr, offset, space) = match e.form {
            Form::Place(Place {
                base: Base::Mem(addr, space),
                offset,
                bits: None,
                ..
            }) if self.is_array(e.ty) => (addr, offset, space),
            _ => {
                let e = self.rvalue(e)?;
                let (space, span) = (self.space_of(e.ty), e.span);
                let addr = self.code(e)?;
                let addr = match addr.kind {
                    ExprKind::Var { .. } | ExprKind::Assoc { .. } | ExprKind::Element { .. }
                        if matches!(addr.ty, Ty::Bytes { .. }) =>
                    {
                        Expr {
                            pos: addr.pos,
                            kind: ExprKind::Address(Box::new(addr)),
                            ty: Ty::Int(IntTy::U64),
                        }
                    }
                    _ if matches!(addr.ty, Ty::Int(_)) => addr,
                    _ => {
                        let text = "only a char array that is in a variable or in memory can be used as a string";
                        return self.fail(Tag::D_UNKNOWN, span, text);
                    }
                };
                (addr, 0, space)
            }
        };
        Ok(Expr {
            kind: ExprKind::StringOf {
                addr: Box::new(addr),
                offset,
                space,
                max,
            },
            ty: Ty::Str,
            pos,
        })
    }

    /// `_Bool`: what is stored is whether the value is not 0.
    pub(crate) fn is_boolean(&self, ty: TypeId) -> bool {
        matches!(self.graph.base(ty), Kind::Int(i) if i.boolean)
    }

    pub(crate) fn is_array(&self, ty: TypeId) -> bool {
        matches!(self.graph.base(ty), Kind::Array { .. })
    }

    /// What a recording action records: arrays and structures whole, everything else by value.
    pub(crate) fn datum(&mut self, e: Typed) -> R<Expr> {
        let want = self.int_ty(e.ty);
        let value = self.code(e)?;
        Ok(match want {
            Some(want) if matches!(value.ty, Ty::Int(have) if have != want) => narrow(value, want),
            Some(_) | None => value,
        })
    }

    /// The value fitted into the type of a variable, parameter or key: narrowed, or read as a string.
    pub(crate) fn convert(&mut self, e: Typed, to: TypeId) -> R<Expr> {
        if self.graph.is_string(to) {
            return self.string(e);
        }
        match self.hir_ty(to) {
            Ty::Int(want) => {
                let boolean = self.is_boolean(to) && !self.is_boolean(e.ty);
                let value = self.scalar(e)?;
                Ok(if boolean {
                    truth(value, want)
                } else {
                    narrow(value, want)
                })
            }
            Ty::Void | Ty::Str | Ty::Bytes { .. } | Ty::Stack { .. } | Ty::Sym(_) => self.code(e),
        }
    }
}

/// A load of a value of type `ty` from memory.
fn load_kind(addr: Expr, offset: i64, space: Space, ty: Ty) -> ExprKind {
    let addr = Box::new(addr);
    match ty {
        Ty::Int(_) => ExprKind::Load {
            addr,
            offset,
            space,
        },
        Ty::Str => ExprKind::StringOf {
            addr,
            offset,
            space,
            max: None,
        },
        Ty::Bytes { .. } | Ty::Void | Ty::Stack { .. } | Ty::Sym(_) => ExprKind::Mem {
            addr,
            offset,
            space,
        },
    }
}

/// An integer constant.
pub(crate) fn int(value: u64, ty: IntTy, pos: hir::Pos) -> Expr {
    Expr {
        kind: ExprKind::Int(value),
        ty: Ty::Int(ty),
        pos,
    }
}

/// A binary operation.
pub(crate) fn binary(op: BinOp, signed: bool, l: Expr, r: Expr, ty: IntTy, pos: hir::Pos) -> Expr {
    Expr {
        kind: ExprKind::Binary {
            op,
            signed,
            l: Box::new(l),
            r: Box::new(r),
        },
        ty: Ty::Int(ty),
        pos,
    }
}

/// Sign- or zero-extends the low bytes of a constant as its type says.
pub(crate) fn extend(value: u64, ty: IntTy) -> u64 {
    let shift = 64 - u32::from(ty.bytes.clamp(1, 8)) * 8;
    if ty.signed {
        (((value << shift) as i64) >> shift) as u64
    } else {
        value << shift >> shift
    }
}

/// Fits a number into an integer type.
pub(crate) fn narrow(mut value: Expr, want: IntTy) -> Expr {
    let pos = value.pos;
    match value.kind {
        ExprKind::Int(v) => return int(extend(v, want), want, pos),
        _ if want.bytes >= 8 => {
            value.ty = match &value.kind {
                // The type of what is loaded says how much is loaded.
                kind if is_exact(kind) => return retyped(value, want),
                _ => Ty::Int(want),
            };
            return value;
        }
        _ => {}
    }
    if value.ty == Ty::Int(want) && is_exact(&value.kind) {
        return value;
    }
    Expr {
        kind: ExprKind::Cast(Box::new(value)),
        ty: Ty::Int(want),
        pos,
    }
}

/// Whether a number is not 0, as a `_Bool`.
pub(crate) fn truth(value: Expr, want: IntTy) -> Expr {
    let pos = value.pos;
    match value.kind {
        ExprKind::Int(v) => int(u64::from(v != 0), want, pos),
        _ => binary(BinOp::Ne, false, value, int(0, IntTy::I64, pos), want, pos),
    }
}

/// The element of an array in a variable that the indices choose.
fn element(whole: Expr, indices: Vec<hir::Index>) -> Expr {
    if indices.is_empty() {
        return whole;
    }
    let (ty, pos) = (whole.ty, whole.pos);
    let whole = Box::new(whole);
    let kind = ExprKind::Element { whole, indices };
    Expr { kind, ty, pos }
}

/// A value whose own type decides how it is loaded: keeps it below a cast if the type differs.
fn retyped(mut value: Expr, want: IntTy) -> Expr {
    if value.ty == Ty::Int(want) {
        return value;
    }
    let pos = value.pos;
    if matches!(value.ty, Ty::Int(t) if t.bytes == 8) {
        value.ty = Ty::Int(want);
        return value;
    }
    Expr {
        kind: ExprKind::Cast(Box::new(value)),
        ty: Ty::Int(want),
        pos,
    }
}

/// Whether a value of this kind always is within its type, and its type says how it is fetched.
fn is_exact(kind: &ExprKind) -> bool {
    match kind {
        ExprKind::Int(_)
        | ExprKind::Str(_)
        | ExprKind::Builtin(_)
        | ExprKind::RawArg(_)
        | ExprKind::UserReg(_)
        | ExprKind::Arg { .. }
        | ExprKind::Var { .. }
        | ExprKind::Assoc { .. }
        | ExprKind::Element { .. }
        | ExprKind::Address(_)
        | ExprKind::Load { .. }
        | ExprKind::BitField { .. }
        | ExprKind::Mem { .. }
        | ExprKind::StringOf { .. }
        | ExprKind::StrCmp { .. }
        | ExprKind::Logical(..)
        | ExprKind::Cast(_)
        | ExprKind::Assign(..)
        | ExprKind::OpAssign { .. }
        | ExprKind::Step { .. }
        | ExprKind::Call(..)
        | ExprKind::Stack
        | ExprKind::Sym(_) => true,
        ExprKind::Unary(op, _) => *op == hir::UnOp::Not,
        ExprKind::Binary { op, .. } => is_comparison(*op),
        ExprKind::Comma(_, last) => is_exact(&last.kind),
        ExprKind::Once { value, .. } => is_exact(&value.kind),
        ExprKind::Cond(..) | ExprKind::Again(_) => false,
    }
}

/// Gives 0 or 1.
fn is_comparison(op: BinOp) -> bool {
    match op {
        BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge => true,
        BinOp::Add
        | BinOp::Sub
        | BinOp::Mul
        | BinOp::Div
        | BinOp::Mod
        | BinOp::And
        | BinOp::Or
        | BinOp::Xor
        | BinOp::Shl
        | BinOp::Shr => false,
    }
}

/// The intrinsic type of an integer constant.
pub(crate) fn rank_type(rank: syntax::ast::IntRank) -> TypeId {
    use syntax::ast::IntRank;
    match rank {
        IntRank::Int => TypeGraph::INT,
        IntRank::UInt => TypeGraph::UINT,
        IntRank::Long => TypeGraph::LONG,
        IntRank::ULong => TypeGraph::ULONG,
        IntRank::LongLong => TypeGraph::LONGLONG,
        IntRank::ULongLong => TypeGraph::ULONGLONG,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_extend_by_their_type() {
        assert_eq!(
            extend(
                0xff,
                IntTy {
                    bytes: 1,
                    signed: true
                }
            ),
            u64::MAX
        );
        assert_eq!(
            extend(
                0x1ff,
                IntTy {
                    bytes: 1,
                    signed: false
                }
            ),
            0xff
        );
        assert_eq!(extend(u64::MAX, IntTy::U32), 0xffff_ffff);
        assert_eq!(extend(5, IntTy::I64), 5);
    }

    #[test]
    fn narrowing_casts_only_where_bits_may_be_lost() {
        let pos = hir::Pos::default();
        let arg = Expr {
            kind: ExprKind::RawArg(0),
            ty: Ty::Int(IntTy::I64),
            pos,
        };
        assert!(matches!(
            narrow(arg.clone(), IntTy::I32).kind,
            ExprKind::Cast(_)
        ));
        assert!(matches!(narrow(arg, IntTy::U64).kind, ExprKind::RawArg(0)));
        let sum = binary(
            BinOp::Add,
            true,
            int(1, IntTy::I32, pos),
            int(2, IntTy::I32, pos),
            IntTy::I32,
            pos,
        );
        assert!(matches!(narrow(sum, IntTy::I32).kind, ExprKind::Cast(_)));
        assert!(matches!(
            narrow(
                int(300, IntTy::I32, pos),
                IntTy {
                    bytes: 1,
                    signed: false
                }
            )
            .kind,
            ExprKind::Int(44)
        ));
    }
}

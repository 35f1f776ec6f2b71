//! What typing an expression gives, before it is decided whether its value, its place or its members are wanted.

use std::rc::Rc;

use ctypes::TypeId;
use diag::{Diagnostic, Span};

use crate::derived::SiteMembers;
use crate::hir;

/// Result of a step of semantic analysis.
pub(crate) type R<T> = Result<T, Box<Diagnostic>>;

/// Two operands, on the heap (see [`crate::compiler::Compiler::operand`]).
pub(crate) type Operands = (Box<Typed>, Box<Typed>);

/// A typed expression.
#[derive(Clone, Debug)]
pub(crate) struct Typed {
    /// Its C or D type.
    pub ty: TypeId,
    /// What it is.
    pub form: Form,
    /// Where it stands.
    pub span: Span,
}

/// What a typed expression is.
#[derive(Clone, Debug)]
pub(crate) enum Form {
    /// A value.
    Value(hir::Expr),
    /// Something with a place: loaded when its value is wanted.
    Place(Place),
    /// The result of a translator: only its members exist.
    Dyn(Rc<DynVal>),
    /// An aggregation (index).
    Agg(usize),
}

/// A place: a variable, an array element or memory, or a part of one.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// The whole.
    pub base: Base,
    /// Bytes from its start.
    pub offset: i64,
    /// What is added to that at run time: elements of arrays in variables.
    pub indices: Vec<hir::Index>,
    /// It is a bit-field: bits from `offset` (byte) on.
    pub bits: Option<Bits>,
    /// May be assigned to.
    pub writable: bool,
}

/// What a place is part of.
#[derive(Clone, Debug)]
pub(crate) enum Base {
    /// A scalar variable.
    Var(hir::VarId),
    /// An element of an associative array.
    Assoc(hir::AssocId, Vec<hir::Expr>),
    /// Memory.
    Mem(hir::Expr, hir::Space),
}

/// A bit-field in its storage unit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bits {
    /// Bytes of the storage unit.
    pub storage: u8,
    /// Lowest bit.
    pub shift: u8,
    /// Number of bits.
    pub bits: u8,
}

/// The result of a translator.
#[derive(Clone, Debug)]
pub(crate) struct DynVal {
    /// Index of the translator.
    pub xlator: usize,
    /// What is translated.
    pub input: Typed,
    /// It has the type of a pointer to the output.
    pub pointer: bool,
    /// Members that the probe's site knows better than the translator.
    pub members: Option<Rc<SiteMembers>>,
}

impl Typed {
    /// A value.
    pub fn value(ty: TypeId, expr: hir::Expr, span: Span) -> Typed {
        Typed {
            ty,
            form: Form::Value(expr),
            span,
        }
    }

    /// Whether it is the result of a translator.
    pub fn is_dyn(&self) -> bool {
        matches!(self.form, Form::Dyn(_))
    }

    /// The integer constant it is.
    pub fn constant(&self) -> Option<u64> {
        match &self.form {
            Form::Value(hir::Expr {
                kind: hir::ExprKind::Int(v),
                ..
            }) => Some(*v),
            Form::Value(_) | Form::Place(_) | Form::Dyn(_) | Form::Agg(_) => None,
        }
    }

    /// The string constant it is.
    pub fn string_constant(&self) -> Option<&[u8]> {
        match &self.form {
            Form::Value(hir::Expr {
                kind: hir::ExprKind::Str(s),
                ..
            }) => Some(s),
            Form::Value(_) | Form::Place(_) | Form::Dyn(_) | Form::Agg(_) => None,
        }
    }
}

/// Splits a bit-field at `bit_offset` into a byte offset and the field in its storage unit: the smallest aligned unit
/// that holds it, else eight bytes.
pub(crate) fn bit_place(bit_offset: u64, bits: u8) -> (i64, Bits) {
    for storage in [1u64, 2, 4, 8] {
        let unit = storage * 8;
        let start = bit_offset / unit * unit;
        if bit_offset - start + u64::from(bits) <= unit {
            let at = Bits {
                storage: storage as u8,
                shift: (bit_offset - start) as u8,
                bits,
            };
            return ((start / 8) as i64, at);
        }
    }
    let start = bit_offset / 8;
    (
        (start as i64),
        Bits {
            storage: 8,
            shift: (bit_offset % 8) as u8,
            bits,
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bit_fields_use_the_smallest_aligned_unit() {
        let (at, b) = bit_place(3, 3);
        assert_eq!((at, b.storage, b.shift), (0, 1, 3));
        let (at, b) = bit_place(14, 4);
        assert_eq!((at, b.storage, b.shift), (0, 4, 14));
        let (at, b) = bit_place(32, 30);
        assert_eq!((at, b.storage, b.shift), (4, 4, 0));
        let (at, b) = bit_place(8, 8);
        assert_eq!((at, b.storage, b.shift), (1, 1, 0));
    }
}

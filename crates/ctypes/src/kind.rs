//! What a type can be: the nodes of the type graph.

use std::rc::Rc;

use crate::TypeId;

/// Name space of a lookup.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NameKind {
    /// Typedef or base type name (`pid_t`, `unsigned long`).
    Plain,
    /// `struct TAG`.
    Struct,
    /// `union TAG`.
    Union,
    /// `enum TAG`.
    Enum,
}

/// What a type is.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// `void`.
    Void,
    /// Integer.
    Int(Int),
    /// Floating point: named and printed, never computed with.
    Float {
        /// C name.
        name: String,
        /// Bytes.
        bytes: u32,
    },
    /// Pointer.
    Pointer {
        /// Pointee.
        to: TypeId,
        /// `userland`: points into the user's address space.
        user: bool,
    },
    /// Array; `len` 0 for `[]`.
    Array {
        /// Element.
        elem: TypeId,
        /// Elements.
        len: u64,
    },
    /// Structure or union.
    Composite(Composite),
    /// Enumeration.
    Enum(Enum),
    /// Typedef.
    Typedef {
        /// Name.
        name: String,
        /// What it stands for.
        to: TypeId,
    },
    /// `const`.
    Const(TypeId),
    /// `volatile`.
    Volatile(TypeId),
    /// `restrict`.
    Restrict(TypeId),
    /// Function.
    Func {
        /// Return type.
        ret: TypeId,
        /// Parameters.
        params: Vec<TypeId>,
        /// `...`.
        variadic: bool,
    },
    /// `struct S;` and the like, never defined. `kind` as written.
    Forward {
        /// `Struct`, `Union` or `Enum`.
        kind: NameKind,
        /// Tag.
        tag: String,
    },
    /// D `string`.
    String,
    /// D `<DYN>`.
    Dyn,
    /// D `stack`.
    Stack,
    /// D `_symaddr`.
    SymAddr,
    /// D `_usymaddr`.
    UsymAddr,
}

/// An integer type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Int {
    /// C name (`unsigned int`).
    pub name: String,
    /// Bytes: 1, 2, 4, 8 or 16.
    pub bytes: u8,
    /// Signed.
    pub signed: bool,
    /// `char` and its like.
    pub char_like: bool,
    /// `_Bool`.
    pub boolean: bool,
}

/// A structure or union.
#[derive(Clone, Debug, PartialEq)]
pub struct Composite {
    /// `union`.
    pub is_union: bool,
    /// Tag, `None` if anonymous.
    pub tag: Option<String>,
    /// Bytes.
    pub size: u64,
    /// Alignment in bytes.
    pub align: u64,
    /// Members; `None`: not imported yet (ask [`TypeGraph::members`]).
    pub members: Option<Rc<Vec<Member>>>,
    /// Key for the source that made the stub.
    pub origin: Option<u64>,
}

/// A member.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    /// Name; empty for an anonymous structure or union.
    pub name: String,
    /// Type.
    pub ty: TypeId,
    /// Offset in bits from the start.
    pub bit_offset: u64,
    /// Bits of a bit-field, else `None`.
    pub bits: Option<u8>,
}

/// An enumeration.
#[derive(Clone, Debug, PartialEq)]
pub struct Enum {
    /// Tag.
    pub tag: Option<String>,
    /// Bytes.
    pub bytes: u8,
    /// Signed.
    pub signed: bool,
    /// Names and values.
    pub items: Rc<Vec<(String, i64)>>,
}

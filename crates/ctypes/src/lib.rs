//! The C and D type graph: kinds, layout, conversions' ranks, lookup by name, printing.
//!
//! Types live in an arena ([`TypeGraph`]) and are named by [`TypeId`]. Types that come from outside (kernel BTF) are
//! brought in on demand through a [`TypeSource`]: a structure is a stub until somebody asks for its members.
//!
//! Invariant: pure. No file, no clock.

use std::rc::Rc;

/// Index of a type in its graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(pub u32);

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

/// A type from outside, on its way into the graph.
pub trait TypeSource {
    /// Finds a type by name and imports it (see [`TypeGraph::import`]). `module`: only there (``module`type``).
    fn lookup(&self, graph: &mut TypeGraph, module: Option<&str>, kind: NameKind, name: &str) -> Option<TypeId>;
    /// Imports the members of a stub that this source made (`origin` is the source's own key).
    fn complete(&self, graph: &mut TypeGraph, id: TypeId, origin: u64);
    /// An enumerator by name: its value and enum type.
    fn enumerator(&self, graph: &mut TypeGraph, name: &str) -> Option<(i64, TypeId)>;
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

/// The arena of types.
pub struct TypeGraph {
    _todo: (),
}

#[expect(unused_variables, reason = "signatures first")]
impl TypeGraph {
    /// A graph with the intrinsic and pre-defined types of D (reference §3.1, §3.2) on LP64, and nothing else.
    pub fn new() -> TypeGraph { todo!() }
    /// Connects the outside source. Lookups ask D's own definitions first, then the source.
    pub fn set_source(&mut self, source: Rc<dyn TypeSource>) { todo!() }
    /// Kind of a type.
    pub fn kind(&self, id: TypeId) -> &Kind { todo!() }
    /// Adds a type (no deduplication but for pointers, arrays and qualifiers of the same type).
    pub fn add(&mut self, kind: Kind) -> TypeId { todo!() }
    /// Replaces a stub (completing a forward declaration or a source's structure).
    pub fn replace(&mut self, id: TypeId, kind: Kind) { todo!() }
    /// Name lookup. `name` may not hold a backquote; `module` scopes it.
    pub fn lookup(&mut self, module: Option<&str>, kind: NameKind, name: &str) -> Option<TypeId> { todo!() }
    /// Parses and looks up a C type text such as `const char *`, `struct task_struct *`, `unsigned int`, `string`, `uid_t`.
    pub fn parse(&mut self, text: &str) -> Option<TypeId> { todo!() }
    /// Gives a D-declared type a name.
    pub fn define(&mut self, kind: NameKind, name: &str, id: TypeId) { todo!() }
    /// An enumerator visible to D (declared in D, else from the source).
    pub fn enumerator(&mut self, name: &str) -> Option<(i64, TypeId)> { todo!() }
    /// Makes an enumerator visible.
    pub fn define_enumerator(&mut self, name: &str, value: i64, id: TypeId) { todo!() }
    /// Strips typedefs and qualifiers.
    pub fn resolve(&self, id: TypeId) -> TypeId { todo!() }
    /// Kind after [`TypeGraph::resolve`].
    pub fn base(&self, id: TypeId) -> &Kind { todo!() }
    /// Size in bytes; `None` for void, functions, forward declarations, dynamic types. `string` is `strsize`, which the caller knows: `None`.
    pub fn size(&self, id: TypeId) -> Option<u64> { todo!() }
    /// Alignment in bytes.
    pub fn align(&self, id: TypeId) -> u64 { todo!() }
    /// Members of a structure or union (imports them if need be).
    pub fn members(&mut self, id: TypeId) -> Option<Rc<Vec<Member>>> { todo!() }
    /// A member by name, looking into anonymous members; its `bit_offset` is from the start of `id`.
    pub fn member(&mut self, id: TypeId, name: &str) -> Option<Member> { todo!() }
    /// Lays out members in C order and adds the type. `members`: name, type, bit-field width. A union if `is_union`.
    pub fn layout(&mut self, is_union: bool, tag: Option<String>, members: Vec<(String, TypeId, Option<u8>)>) -> Composite { todo!() }
    /// C text of the type (`struct task_struct *`, `char [16]`, `int (*)(void)`).
    pub fn name(&self, id: TypeId) -> String { todo!() }
    /// C declaration of `name` with the type (`char comm[16]`).
    pub fn declare(&self, id: TypeId, name: &str) -> String { todo!() }
    /// `T *`.
    pub fn pointer_to(&mut self, to: TypeId) -> TypeId { todo!() }
    /// Same type after stripping names and qualifiers (structural for pointers/arrays, by identity for composites; a composite and a
    /// forward declaration of the same tag are the same).
    pub fn same(&self, a: TypeId, b: TypeId) -> bool { todo!() }
    /// Rank for the usual conversions (bits + 1 if unsigned; enums count as int), `None` if not arithmetic.
    pub fn rank(&self, id: TypeId) -> Option<u32> { todo!() }
    /// Integer, enum (after resolve).
    pub fn is_integral(&self, id: TypeId) -> bool { todo!() }
    /// Pointer (after resolve).
    pub fn is_pointer(&self, id: TypeId) -> bool { todo!() }
    /// Integer, enum, pointer.
    pub fn is_scalar(&self, id: TypeId) -> bool { todo!() }
    /// D `string`.
    pub fn is_string(&self, id: TypeId) -> bool { todo!() }
    /// `char *` or `char []` (any char-like of one byte).
    pub fn is_char_pointer_or_array(&self, id: TypeId) -> bool { todo!() }
    /// Signedness of an integral type (pointers are unsigned).
    pub fn is_signed(&self, id: TypeId) -> bool { todo!() }
    /// Pointee of a pointer or element of an array.
    pub fn pointee(&self, id: TypeId) -> Option<TypeId> { todo!() }
}

/// The types every program needs, by id, the same in every graph.
impl TypeGraph {
    /// `void`
    pub const VOID: TypeId = TypeId(0);
    /// `char`
    pub const CHAR: TypeId = TypeId(1);
    /// `int`
    pub const INT: TypeId = TypeId(2);
    /// `unsigned int`
    pub const UINT: TypeId = TypeId(3);
    /// `long`
    pub const LONG: TypeId = TypeId(4);
    /// `unsigned long`
    pub const ULONG: TypeId = TypeId(5);
    /// `long long`
    pub const LONGLONG: TypeId = TypeId(6);
    /// `unsigned long long`
    pub const ULONGLONG: TypeId = TypeId(7);
    /// `string`
    pub const STRING: TypeId = TypeId(8);
    /// `<DYN>`
    pub const DYN: TypeId = TypeId(9);
    /// `stack`
    pub const STACK: TypeId = TypeId(10);
    /// `_symaddr`
    pub const SYMADDR: TypeId = TypeId(11);
    /// `_usymaddr`
    pub const USYMADDR: TypeId = TypeId(12);
    /// `void *`
    pub const VOIDPTR: TypeId = TypeId(13);
    /// `int64_t`
    pub const INT64: TypeId = TypeId(14);
    /// `uint64_t`
    pub const UINT64: TypeId = TypeId(15);
    /// `size_t`
    pub const SIZE: TypeId = TypeId(16);
}

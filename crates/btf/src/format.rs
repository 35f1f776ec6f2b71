//! Numbers of the BTF format (kernel `Documentation/bpf/btf.rst`, `include/uapi/linux/btf.h`).

/// First two bytes of a blob, in its byte order.
pub(crate) const MAGIC: u16 = 0xeb9f;
/// The only version there is.
pub(crate) const VERSION: u8 = 1;
/// Bytes of the header.
pub(crate) const HEADER_LEN: u32 = 24;
/// Bytes every type record begins with: name, info, size or type.
pub(crate) const RECORD_LEN: usize = 12;

/// What is wrong with BTF data.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The data end too early.
    #[error("BTF data are truncated")]
    Truncated,
    /// The first bytes are not BTF's.
    #[error("not BTF data of this machine's byte order")]
    Magic,
    /// Unknown version.
    #[error("BTF version {0} is not supported")]
    Version(u8),
    /// A section lies outside of the data or is not aligned.
    #[error("BTF sections are misplaced")]
    Sections,
    /// Unknown kind of type.
    #[error("BTF type [{id}] has unknown kind {kind}")]
    Kind {
        /// Type.
        id: u32,
        /// Number of the kind.
        kind: u8,
    },
    /// No such type.
    #[error("BTF has no type [{0}]")]
    Id(u32),
    /// A type that holds itself.
    #[error("BTF type [{0}] is circular")]
    Circular(u32),
    /// A type where a type of another kind belongs.
    #[error("BTF type [{0}] is not usable here")]
    Unusable(u32),
    /// No BTF for this module.
    #[error("no BTF for module {0}")]
    Module(String),
}

/// Kind of a BTF type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum BtfKind {
    /// Type 0.
    Void = 0,
    /// Integer.
    Int,
    /// Pointer.
    Ptr,
    /// Array.
    Array,
    /// Structure.
    Struct,
    /// Union.
    Union,
    /// Enumeration of 32-bit values.
    Enum,
    /// Forward declaration of a structure or union.
    Fwd,
    /// Typedef.
    Typedef,
    /// `volatile`.
    Volatile,
    /// `const`.
    Const,
    /// `restrict`.
    Restrict,
    /// Function.
    Func,
    /// Function type.
    FuncProto,
    /// Variable.
    Var,
    /// Section of variables.
    Datasec,
    /// Floating point.
    Float,
    /// Attribute of a declaration.
    DeclTag,
    /// Attribute of a type.
    TypeTag,
    /// Enumeration of 64-bit values.
    Enum64,
}

/// Kinds by number.
const KINDS: [BtfKind; 20] = [
    BtfKind::Void,
    BtfKind::Int,
    BtfKind::Ptr,
    BtfKind::Array,
    BtfKind::Struct,
    BtfKind::Union,
    BtfKind::Enum,
    BtfKind::Fwd,
    BtfKind::Typedef,
    BtfKind::Volatile,
    BtfKind::Const,
    BtfKind::Restrict,
    BtfKind::Func,
    BtfKind::FuncProto,
    BtfKind::Var,
    BtfKind::Datasec,
    BtfKind::Float,
    BtfKind::DeclTag,
    BtfKind::TypeTag,
    BtfKind::Enum64,
];

impl BtfKind {
    /// The kind with this number; type 0 has no record, so 0 is none.
    pub(crate) fn from_number(number: u8) -> Option<BtfKind> {
        KINDS
            .get(usize::from(number))
            .copied()
            .filter(|k| *k != BtfKind::Void)
    }

    /// Bytes that follow the record: once, and for each of its `vlen` items.
    pub(crate) fn extra(self) -> (usize, usize) {
        match self {
            BtfKind::Int | BtfKind::Var | BtfKind::DeclTag => (4, 0),
            BtfKind::Array => (12, 0),
            BtfKind::Struct | BtfKind::Union | BtfKind::Datasec | BtfKind::Enum64 => (0, 12),
            BtfKind::Enum | BtfKind::FuncProto => (0, 8),
            BtfKind::Void
            | BtfKind::Ptr
            | BtfKind::Fwd
            | BtfKind::Typedef
            | BtfKind::Volatile
            | BtfKind::Const
            | BtfKind::Restrict
            | BtfKind::Func
            | BtfKind::Float
            | BtfKind::TypeTag => (0, 0),
        }
    }
}

/// The info word: number of items, kind, flag.
#[derive(Clone, Copy)]
pub(crate) struct Info(pub u32);

impl Info {
    pub(crate) fn new(kind: BtfKind, vlen: u32, flag: bool) -> Info {
        Info(vlen & 0xffff | (kind as u32) << 24 | u32::from(flag) << 31)
    }

    pub(crate) fn kind_number(self) -> u8 {
        (self.0 >> 24 & 0x1f) as u8
    }

    pub(crate) fn vlen(self) -> usize {
        (self.0 & 0xffff) as usize
    }

    pub(crate) fn flag(self) -> bool {
        self.0 >> 31 == 1
    }
}

/// Little-endian word at `at`; 0 outside.
pub(crate) fn word(bytes: &[u8], at: usize) -> u32 {
    let Some(bytes) = bytes.get(at..).and_then(|tail| tail.first_chunk()) else {
        return 0;
    };
    u32::from_le_bytes(*bytes)
}

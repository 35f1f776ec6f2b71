//! Shape of a value for `print()`: names and layout, resolved by the compiler.

/// A type as `print()` shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrintType {
    /// C name of the type (`struct timespec`, `pid_t`).
    pub name: String,
    /// Its shape.
    pub shape: PrintShape,
}

/// What `print()` does with the bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PrintShape {
    /// An integer.
    Int {
        /// Bytes.
        bytes: u8,
        /// Signed type.
        signed: bool,
        /// A character type.
        char_like: bool,
    },
    /// A floating-point number.
    Float {
        /// Bytes.
        bytes: u8,
    },
    /// A pointer.
    Pointer {
        /// It points to a function.
        function: bool,
    },
    /// An enumeration.
    Enum {
        /// Bytes.
        bytes: u8,
        /// Names and values.
        names: Vec<(String, i64)>,
    },
    /// A D string.
    Str,
    /// An array.
    Array {
        /// Element type.
        elem: Box<PrintType>,
        /// Bytes of an element.
        stride: u32,
        /// Elements.
        len: u32,
    },
    /// A structure or union.
    Struct {
        /// Members.
        members: Vec<PrintMember>,
    },
    /// Declared but not defined.
    Forward,
    /// Nothing known.
    Unknown,
}

/// One member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrintMember {
    /// Name, empty for an anonymous one.
    pub name: String,
    /// Offset in bits.
    pub bit_offset: u32,
    /// Width in bits for a bit-field, else 0.
    pub bits: u32,
    /// Type.
    pub ty: PrintType,
}

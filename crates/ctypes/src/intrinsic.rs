//! The types that every graph holds: C's base types and D's own, as rows (reference §3.1, §3.2), on LP64.
//!
//! The place of a row in [`ROWS`] is its [`TypeId`]; the first ones have names in [`TypeGraph`].

use crate::{Int, Kind, TypeGraph, TypeId};

/// How a row makes its type.
pub(crate) enum Def {
    Void,
    /// Bytes and signedness.
    Int(u8, bool),
    /// Bytes and signedness of a character.
    Char(u8, bool),
    Bool,
    /// Bytes.
    Float(u32),
    String,
    Dyn,
    Stack,
    SymAddr,
    UsymAddr,
    /// Pointer to an earlier row.
    Pointer(TypeId),
    /// Typedef of an earlier row.
    Typedef(TypeId),
}

/// One type: C name and definition.
pub(crate) struct Row(pub &'static str, pub Def);

const UCHAR: TypeId = TypeId(17);
const SHORT: TypeId = TypeId(19);
const USHORT: TypeId = TypeId(20);

/// All intrinsic types. Base types carry the one spelling that [`canonical`] makes of all the ways to write them.
pub(crate) const ROWS: &[Row] = &[
    Row("void", Def::Void),
    Row("char", Def::Char(1, true)),
    Row("int", Def::Int(4, true)),
    Row("unsigned int", Def::Int(4, false)),
    Row("long", Def::Int(8, true)),
    Row("unsigned long", Def::Int(8, false)),
    Row("long long", Def::Int(8, true)),
    Row("unsigned long long", Def::Int(8, false)),
    Row("string", Def::String),
    Row("<DYN>", Def::Dyn),
    Row("stack", Def::Stack),
    Row("_symaddr", Def::SymAddr),
    Row("_usymaddr", Def::UsymAddr),
    Row("", Def::Pointer(TypeGraph::VOID)),
    Row("int64_t", Def::Typedef(TypeGraph::LONG)),
    Row("uint64_t", Def::Typedef(TypeGraph::ULONG)),
    Row("size_t", Def::Typedef(TypeGraph::ULONG)),
    Row("unsigned char", Def::Char(1, false)),
    Row("signed char", Def::Char(1, true)),
    Row("short", Def::Int(2, true)),
    Row("unsigned short", Def::Int(2, false)),
    Row("_Bool", Def::Bool),
    Row("__int128", Def::Int(16, true)),
    Row("unsigned __int128", Def::Int(16, false)),
    Row("float", Def::Float(4)),
    Row("double", Def::Float(8)),
    Row("long double", Def::Float(16)),
    Row("float imaginary", Def::Float(4)),
    Row("double imaginary", Def::Float(8)),
    Row("long double imaginary", Def::Float(16)),
    Row("float complex", Def::Float(8)),
    Row("double complex", Def::Float(16)),
    Row("long double complex", Def::Float(32)),
    Row("int8_t", Def::Typedef(TypeGraph::CHAR)),
    Row("int16_t", Def::Typedef(SHORT)),
    Row("int32_t", Def::Typedef(TypeGraph::INT)),
    Row("intptr_t", Def::Typedef(TypeGraph::LONG)),
    Row("ssize_t", Def::Typedef(TypeGraph::LONG)),
    Row("uint8_t", Def::Typedef(UCHAR)),
    Row("uint16_t", Def::Typedef(USHORT)),
    Row("uint32_t", Def::Typedef(TypeGraph::UINT)),
    Row("uchar_t", Def::Typedef(UCHAR)),
    Row("ushort_t", Def::Typedef(USHORT)),
    Row("uint_t", Def::Typedef(TypeGraph::UINT)),
    Row("ulong_t", Def::Typedef(TypeGraph::ULONG)),
    Row("u_longlong_t", Def::Typedef(TypeGraph::ULONGLONG)),
    Row("ptrdiff_t", Def::Typedef(TypeGraph::LONG)),
    Row("uintptr_t", Def::Typedef(TypeGraph::ULONG)),
    Row("id_t", Def::Typedef(TypeGraph::INT)),
    Row("pid_t", Def::Typedef(TypeGraph::INT)),
];

impl Row {
    /// The node of the graph.
    pub(crate) fn kind(&self) -> Kind {
        let name = self.0.to_owned();
        let int = |bytes, signed, char_like, boolean| {
            Kind::Int(Int {
                name: name.clone(),
                bytes,
                signed,
                char_like,
                boolean,
            })
        };
        match self.1 {
            Def::Void => Kind::Void,
            Def::Int(bytes, signed) => int(bytes, signed, false, false),
            Def::Char(bytes, signed) => int(bytes, signed, true, false),
            Def::Bool => int(1, false, false, true),
            Def::Float(bytes) => Kind::Float { name, bytes },
            Def::String => Kind::String,
            Def::Dyn => Kind::Dyn,
            Def::Stack => Kind::Stack,
            Def::SymAddr => Kind::SymAddr,
            Def::UsymAddr => Kind::UsymAddr,
            Def::Pointer(to) => Kind::Pointer { to, user: false },
            Def::Typedef(to) => Kind::Typedef { name, to },
        }
    }

    /// Types of the implementation, which [`TypeGraph::parse`] knows and name look-up does not.
    pub(crate) fn hidden(&self) -> bool {
        match self.1 {
            Def::Dyn | Def::Stack | Def::SymAddr | Def::UsymAddr | Def::Pointer(_) => true,
            Def::Void
            | Def::Int(..)
            | Def::Char(..)
            | Def::Bool
            | Def::Float(_)
            | Def::String
            | Def::Typedef(_) => false,
        }
    }
}

/// The row of a hidden type.
pub(crate) fn hidden(name: &str) -> Option<TypeId> {
    let at = ROWS
        .iter()
        .position(|row| row.hidden() && row.0 == name && !name.is_empty())?;
    Some(TypeId(at as u32))
}

/// Words that make up the names of base types.
pub(crate) fn is_base_word(word: &str) -> bool {
    BaseWords::default().take(word).is_some()
}

/// Counts of the specifiers seen.
#[derive(Default)]
struct BaseWords {
    long: u8,
    short: u8,
    signed: u8,
    unsigned: u8,
    int: u8,
    complex: Option<&'static str>,
    base: Option<&'static str>,
}

impl BaseWords {
    fn take(&mut self, word: &str) -> Option<()> {
        match word {
            "long" => self.long += 1,
            "short" => self.short += 1,
            "signed" => self.signed += 1,
            "unsigned" => self.unsigned += 1,
            "int" => self.int += 1,
            "complex" | "_Complex" if self.complex.is_none() => self.complex = Some(" complex"),
            "imaginary" | "_Imaginary" if self.complex.is_none() => {
                self.complex = Some(" imaginary")
            }
            _ => {
                let bases = ["void", "char", "_Bool", "float", "double", "__int128"];
                let base = if word == "bool" { "_Bool" } else { word };
                let found = bases.into_iter().find(|b| *b == base)?;
                if self.base.replace(found).is_some() {
                    return None;
                }
            }
        }
        (self.long <= 2 && self.short <= 1 && self.int <= 1 && self.signed + self.unsigned <= 1)
            .then_some(())
    }

    fn name(&self) -> Option<String> {
        let plain = self.long == 0 && self.short == 0 && self.int == 0;
        let sign = self.signed + self.unsigned;
        let prefix = if self.unsigned == 1 { "unsigned " } else { "" };
        match (self.base, self.complex) {
            (Some(base @ ("float" | "double")), complex) if self.short + self.int + sign == 0 => {
                let long = match (base, self.long) {
                    (_, 0) => "",
                    ("double", 1) => "long ",
                    _ => return None,
                };
                Some(format!("{long}{base}{}", complex.unwrap_or_default()))
            }
            (_, Some(_)) => None,
            (Some(base @ ("void" | "_Bool")), None) if plain && sign == 0 => Some(base.to_owned()),
            (Some("char"), None) if plain && self.signed == 1 => Some("signed char".to_owned()),
            (Some(base @ ("char" | "__int128")), None) if plain => Some(format!("{prefix}{base}")),
            (Some(_), None) => None,
            (None, None) => {
                let size = match (self.short, self.long) {
                    (0, 0) => "int",
                    (1, 0) => "short",
                    (0, 1) => "long",
                    (0, 2) => "long long",
                    _ => return None,
                };
                (self.int + self.short + self.long + sign > 0).then(|| format!("{prefix}{size}"))
            }
        }
    }
}

/// The one spelling of a base type that may be written in many ways (`long unsigned int` → `unsigned long`).
pub(crate) fn canonical<'a>(words: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let mut seen = BaseWords::default();
    for word in words {
        seen.take(word)?;
    }
    seen.name()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings() {
        let c = |text: &str| canonical(text.split(' '));
        assert_eq!(c("long unsigned int").as_deref(), Some("unsigned long"));
        assert_eq!(c("unsigned").as_deref(), Some("unsigned int"));
        assert_eq!(c("short int").as_deref(), Some("short"));
        assert_eq!(c("long long signed int").as_deref(), Some("long long"));
        assert_eq!(c("char unsigned").as_deref(), Some("unsigned char"));
        assert_eq!(
            c("long double complex").as_deref(),
            Some("long double complex")
        );
        assert_eq!(c("signed unsigned"), None);
        assert_eq!(c("long float"), None);
        assert_eq!(c("short char"), None);
        assert_eq!(c("complex"), None);
        assert_eq!(c("task_struct"), None);
        assert_eq!(c("long long long"), None);
    }

    #[test]
    fn rows_agree_with_the_constants() {
        let name = |id: TypeId| ROWS[id.0 as usize].0;
        assert_eq!(name(TypeGraph::ULONGLONG), "unsigned long long");
        assert_eq!(name(TypeGraph::USYMADDR), "_usymaddr");
        assert_eq!(name(TypeGraph::SIZE), "size_t");
        assert_eq!(name(UCHAR), "unsigned char");
        assert_eq!(name(SHORT), "short");
        assert_eq!(name(USHORT), "unsigned short");
        assert!(matches!(
            ROWS[TypeGraph::VOIDPTR.0 as usize].1,
            Def::Pointer(TypeId(0))
        ));
    }
}

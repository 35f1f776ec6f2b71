//! One BTF type, read where it lies.

use crate::format::{BtfKind, Error, Info, RECORD_LEN, word};
use crate::read::Btf;

/// Bits of an integer's encoding.
const INT_SIGNED: u32 = 1;
const INT_CHAR: u32 = 2;
const INT_BOOL: u32 = 4;

/// A type and its items, borrowed from the data.
#[derive(Clone, Copy)]
pub struct Type<'a> {
    btf: &'a Btf,
    id: u32,
    kind: BtfKind,
    flag: bool,
    name: u32,
    word: u32,
    body: &'a [u8],
    each: usize,
}

/// How an integer is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IntEncoding {
    /// Signed.
    pub signed: bool,
    /// Character.
    pub char_like: bool,
    /// `_Bool`.
    pub boolean: bool,
    /// Offset in bits within its storage (0 but for old bit-fields).
    pub bit_offset: u8,
    /// Bits of the value.
    pub bits: u8,
}

/// A member of a structure or union.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemberView<'a> {
    /// Name, empty if anonymous.
    pub name: &'a str,
    /// Type id.
    pub ty: u32,
    /// Offset in bits.
    pub bit_offset: u32,
    /// Bits of a bit-field.
    pub bits: Option<u8>,
}

/// An enumerator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Enumerator<'a> {
    /// Name.
    pub name: &'a str,
    /// Value (unsigned 64-bit ones wrap).
    pub value: i64,
}

/// A parameter of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Param<'a> {
    /// Name, empty if unknown.
    pub name: &'a str,
    /// Type id.
    pub ty: u32,
}

/// A variable of a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SectionVar {
    /// Id of the [`BtfKind::Var`].
    pub var: u32,
    /// Offset in the section, bytes.
    pub offset: u32,
    /// Bytes.
    pub size: u32,
}

impl std::fmt::Debug for Type<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "[{}] {:?} '{}'", self.id, self.kind, self.name())
    }
}

impl<'a> Type<'a> {
    pub(crate) fn void(btf: &'a Btf) -> Type<'a> {
        Type {
            btf,
            id: 0,
            kind: BtfKind::Void,
            flag: false,
            name: 0,
            word: 0,
            body: &[],
            each: 0,
        }
    }

    /// Reads the record at the head of `record`.
    pub(crate) fn read(btf: &'a Btf, id: u32, record: &'a [u8]) -> Result<Type<'a>, Error> {
        let info = Info(word(record, 4));
        let number = info.kind_number();
        let kind = BtfKind::from_number(number).ok_or(Error::Kind { id, kind: number })?;
        let (once, each) = kind.extra();
        let end = RECORD_LEN + once + each * info.vlen();
        let body = record.get(RECORD_LEN..end).ok_or(Error::Truncated)?;
        Ok(Type {
            btf,
            id,
            kind,
            flag: info.flag(),
            name: word(record, 0),
            word: word(record, 8),
            body,
            each,
        })
    }

    /// Id.
    pub fn id(&self) -> u32 {
        self.id
    }

    /// Kind.
    pub fn kind(&self) -> BtfKind {
        self.kind
    }

    /// Name, empty if anonymous.
    pub fn name(&self) -> &'a str {
        self.btf.string(self.name)
    }

    pub(crate) fn name_offset(&self) -> u32 {
        self.name
    }

    /// The flag of the info word: signed enumeration, union (of a forward declaration), bit-fields, attribute.
    pub fn flag(&self) -> bool {
        self.flag
    }

    /// Bytes of an integer, structure, union, enumeration, section or floating point type; else 0.
    pub fn size(&self) -> u32 {
        match self.kind {
            BtfKind::Int
            | BtfKind::Struct
            | BtfKind::Union
            | BtfKind::Enum
            | BtfKind::Enum64
            | BtfKind::Datasec
            | BtfKind::Float => self.word,
            BtfKind::Void
            | BtfKind::Ptr
            | BtfKind::Array
            | BtfKind::Fwd
            | BtfKind::Typedef
            | BtfKind::Volatile
            | BtfKind::Const
            | BtfKind::Restrict
            | BtfKind::Func
            | BtfKind::FuncProto
            | BtfKind::Var
            | BtfKind::DeclTag
            | BtfKind::TypeTag => 0,
        }
    }

    /// Id of the type that this one is made of: pointee, element, aliased or qualified type, function's type, return type,
    /// variable's type, tagged type; else `None`.
    pub fn target(&self) -> Option<u32> {
        match self.kind {
            BtfKind::Ptr
            | BtfKind::Typedef
            | BtfKind::Volatile
            | BtfKind::Const
            | BtfKind::Restrict
            | BtfKind::Func
            | BtfKind::FuncProto
            | BtfKind::Var
            | BtfKind::DeclTag
            | BtfKind::TypeTag => Some(self.word),
            BtfKind::Array => Some(word(self.body, 0)),
            BtfKind::Void
            | BtfKind::Int
            | BtfKind::Struct
            | BtfKind::Union
            | BtfKind::Enum
            | BtfKind::Enum64
            | BtfKind::Fwd
            | BtfKind::Datasec
            | BtfKind::Float => None,
        }
    }

    /// Elements of an array.
    pub fn array_len(&self) -> Option<u32> {
        (self.kind == BtfKind::Array).then(|| word(self.body, 8))
    }

    /// Encoding of an integer.
    pub fn int(&self) -> Option<IntEncoding> {
        let data = word(self.body, 0);
        let encoding = data >> 24;
        (self.kind == BtfKind::Int).then_some(IntEncoding {
            signed: encoding & INT_SIGNED != 0,
            char_like: encoding & INT_CHAR != 0,
            boolean: encoding & INT_BOOL != 0,
            bit_offset: (data >> 16) as u8,
            bits: data as u8,
        })
    }

    /// Items of `size` bytes each, if the type is of these kinds.
    fn items(&self, kinds: &[BtfKind]) -> std::slice::ChunksExact<'a, u8> {
        let body = if kinds.contains(&self.kind) {
            self.body
        } else {
            &[]
        };
        body.chunks_exact(self.each.max(1))
    }

    /// Members of a structure or union.
    pub fn members(&self) -> impl Iterator<Item = MemberView<'a>> + use<'a> {
        let (btf, flag) = (self.btf, self.flag);
        self.items(&[BtfKind::Struct, BtfKind::Union])
            .map(move |item| {
                let (ty, place) = (word(item, 4), word(item, 8));
                let name = btf.string(word(item, 0));
                if flag {
                    let bits = (place >> 24) as u8;
                    return MemberView {
                        name,
                        ty,
                        bit_offset: place & 0xff_ffff,
                        bits: (bits > 0).then_some(bits),
                    };
                }
                let (shift, bits) = old_bit_field(btf, ty);
                MemberView {
                    name,
                    ty,
                    bit_offset: place.saturating_add(shift),
                    bits,
                }
            })
    }

    /// Enumerators.
    pub fn enumerators(&self) -> impl Iterator<Item = Enumerator<'a>> + use<'a> {
        let (btf, signed, wide) = (self.btf, self.enum_signed(), self.kind == BtfKind::Enum64);
        self.items(&[BtfKind::Enum, BtfKind::Enum64])
            .map(move |item| {
                let low = word(item, 4);
                let value = match (wide, signed) {
                    (true, _) => (u64::from(word(item, 8)) << 32 | u64::from(low)) as i64,
                    (false, true) => i64::from(low as i32),
                    (false, false) => i64::from(low),
                };
                Enumerator {
                    name: btf.string(word(item, 0)),
                    value,
                }
            })
    }

    /// Offsets of the enumerators' names.
    pub(crate) fn enumerator_names(&self) -> impl Iterator<Item = u32> + use<'a> {
        self.items(&[BtfKind::Enum, BtfKind::Enum64])
            .map(|item| word(item, 0))
    }

    /// Signedness of an enumeration. Data from before Linux 6.0 do not tell; then it is C's `int`.
    pub fn enum_signed(&self) -> bool {
        match self.kind {
            BtfKind::Enum => self.flag || !self.btf.marks_signed_enums(),
            _ => self.flag,
        }
    }

    /// Parameters of a function type; `...` is a last one without name and type.
    pub fn params(&self) -> impl Iterator<Item = Param<'a>> + use<'a> {
        let btf = self.btf;
        self.items(&[BtfKind::FuncProto]).map(move |item| Param {
            name: btf.string(word(item, 0)),
            ty: word(item, 4),
        })
    }

    /// Variables of a section.
    pub fn section_vars(&self) -> impl Iterator<Item = SectionVar> + use<'a> {
        let items = self.items(&[BtfKind::Datasec]);
        items.map(|item| SectionVar {
            var: word(item, 0),
            offset: word(item, 4),
            size: word(item, 8),
        })
    }

    /// Member or parameter that a declaration tag is on; `None`: the declaration itself.
    pub fn tag_component(&self) -> Option<u32> {
        let index = word(self.body, 0);
        (self.kind == BtfKind::DeclTag && index != u32::MAX).then_some(index)
    }
}

/// Before structures had a flag, a bit-field was an integer type of fewer bits than its bytes have.
fn old_bit_field(btf: &Btf, ty: u32) -> (u32, Option<u8>) {
    let Ok(ty) = btf.ty(ty) else { return (0, None) };
    match ty.int() {
        Some(int) if u32::from(int.bits) != ty.size().saturating_mul(8) => {
            (u32::from(int.bit_offset), Some(int.bits))
        }
        _ => (0, None),
    }
}

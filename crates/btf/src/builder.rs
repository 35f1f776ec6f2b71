//! Writing BTF: the small blobs that describe a map's key and value or a program's functions and lines.

use std::collections::HashMap;

use crate::format::{BtfKind, HEADER_LEN, Info, MAGIC, VERSION};
use crate::read::Btf;

/// A member to write.
#[derive(Clone, Copy, Debug)]
pub struct Field<'a> {
    /// Name, empty if anonymous.
    pub name: &'a str,
    /// Type id.
    pub ty: u32,
    /// Offset in bits.
    pub bit_offset: u32,
    /// Bits of a bit-field, 0 for none.
    pub bits: u8,
}

/// BTF data in the making. Every method that adds a type returns its id; ids may be used before their types are added
/// (see [`BtfBuilder::next_id`]), since only [`Btf`] readers resolve them.
#[derive(Clone, Debug)]
pub struct BtfBuilder {
    types: Vec<u8>,
    strings: Vec<u8>,
    known: HashMap<String, u32>,
    first_string: u32,
    next: u32,
}

impl Default for BtfBuilder {
    fn default() -> BtfBuilder {
        BtfBuilder::new()
    }
}

impl BtfBuilder {
    /// Data that stand alone.
    pub fn new() -> BtfBuilder {
        BtfBuilder {
            types: Vec::new(),
            strings: vec![0],
            known: HashMap::new(),
            first_string: 0,
            next: 1,
        }
    }

    /// Data of a module upon `base`.
    pub fn split(base: &Btf) -> BtfBuilder {
        let (first_string, next) = (base.string_end(), base.ids().end);
        BtfBuilder {
            strings: Vec::new(),
            first_string,
            next,
            ..BtfBuilder::new()
        }
    }

    /// Id that the next type gets.
    pub fn next_id(&self) -> u32 {
        self.next
    }

    /// Offset of a string, as line records want it too.
    pub fn string(&mut self, text: &str) -> u32 {
        if text.is_empty() {
            return 0;
        }
        if let Some(at) = self.known.get(text) {
            return *at;
        }
        let at = self.first_string + self.strings.len() as u32;
        self.strings.extend(text.bytes().filter(|b| *b != 0));
        self.strings.push(0);
        self.known.insert(text.to_owned(), at);
        at
    }

    fn word(&mut self, word: u32) {
        self.types.extend(word.to_le_bytes());
    }

    fn record(&mut self, name: &str, info: Info, word: u32) -> u32 {
        let name = self.string(name);
        for field in [name, info.0, word] {
            self.word(field);
        }
        let id = self.next;
        self.next += 1;
        id
    }

    fn simple(&mut self, kind: BtfKind, name: &str, word: u32) -> u32 {
        self.record(name, Info::new(kind, 0, false), word)
    }

    /// Integer of 1, 2, 4, 8 or 16 bytes.
    pub fn int(&mut self, name: &str, bytes: u32, signed: bool) -> u32 {
        self.int_encoded(name, bytes, u32::from(signed), bytes * 8)
    }

    /// `_Bool`.
    pub fn boolean(&mut self, name: &str) -> u32 {
        self.int_encoded(name, 1, 4, 8)
    }

    /// Integer by its raw encoding (1 signed, 2 character, 4 boolean) and bits.
    pub fn int_encoded(&mut self, name: &str, bytes: u32, encoding: u32, bits: u32) -> u32 {
        let id = self.simple(BtfKind::Int, name, bytes);
        self.word(encoding << 24 | bits);
        id
    }

    /// Floating point.
    pub fn float(&mut self, name: &str, bytes: u32) -> u32 {
        self.simple(BtfKind::Float, name, bytes)
    }

    /// `T *`.
    pub fn ptr(&mut self, to: u32) -> u32 {
        self.simple(BtfKind::Ptr, "", to)
    }

    /// `T [len]`; `index`: id of an integer type.
    pub fn array(&mut self, elem: u32, index: u32, len: u32) -> u32 {
        let id = self.simple(BtfKind::Array, "", 0);
        for field in [elem, index, len] {
            self.word(field);
        }
        id
    }

    /// Structure of `size` bytes.
    pub fn structure(&mut self, name: &str, size: u32, fields: &[Field<'_>]) -> u32 {
        self.composite(BtfKind::Struct, name, size, fields)
    }

    /// Union of `size` bytes.
    pub fn union(&mut self, name: &str, size: u32, fields: &[Field<'_>]) -> u32 {
        self.composite(BtfKind::Union, name, size, fields)
    }

    fn composite(&mut self, kind: BtfKind, name: &str, size: u32, fields: &[Field<'_>]) -> u32 {
        let flag = fields.iter().any(|f| f.bits > 0);
        let id = self.record(name, Info::new(kind, fields.len() as u32, flag), size);
        for field in fields {
            let name = self.string(field.name);
            self.word(name);
            self.word(field.ty);
            self.word(field.bit_offset | u32::from(field.bits) << 24);
        }
        id
    }

    /// Enumeration of 4 bytes.
    pub fn enumeration(&mut self, name: &str, signed: bool, items: &[(&str, i32)]) -> u32 {
        let id = self.record(
            name,
            Info::new(BtfKind::Enum, items.len() as u32, signed),
            4,
        );
        for (name, value) in items {
            let name = self.string(name);
            self.word(name);
            self.word(*value as u32);
        }
        id
    }

    /// Enumeration of 8 bytes.
    pub fn enumeration64(&mut self, name: &str, signed: bool, items: &[(&str, i64)]) -> u32 {
        let id = self.record(
            name,
            Info::new(BtfKind::Enum64, items.len() as u32, signed),
            8,
        );
        for (name, value) in items {
            let name = self.string(name);
            self.word(name);
            self.word(*value as u32);
            self.word((*value >> 32) as u32);
        }
        id
    }

    /// `struct NAME;` or `union NAME;`.
    pub fn forward(&mut self, name: &str, is_union: bool) -> u32 {
        self.record(name, Info::new(BtfKind::Fwd, 0, is_union), 0)
    }

    /// Typedef.
    pub fn typedef(&mut self, name: &str, to: u32) -> u32 {
        self.simple(BtfKind::Typedef, name, to)
    }

    /// `const`.
    pub fn constant(&mut self, to: u32) -> u32 {
        self.simple(BtfKind::Const, "", to)
    }

    /// `volatile`.
    pub fn volatile(&mut self, to: u32) -> u32 {
        self.simple(BtfKind::Volatile, "", to)
    }

    /// `restrict`.
    pub fn restrict(&mut self, to: u32) -> u32 {
        self.simple(BtfKind::Restrict, "", to)
    }

    /// Function type. `params`: names and types; `("", 0)` at the end for `...`.
    pub fn func_proto(&mut self, ret: u32, params: &[(&str, u32)]) -> u32 {
        let id = self.record(
            "",
            Info::new(BtfKind::FuncProto, params.len() as u32, false),
            ret,
        );
        for (name, ty) in params {
            let name = self.string(name);
            self.word(name);
            self.word(*ty);
        }
        id
    }

    /// Function. `linkage`: 0 static, 1 global, 2 extern.
    pub fn func(&mut self, name: &str, proto: u32, linkage: u32) -> u32 {
        self.record(name, Info::new(BtfKind::Func, linkage, false), proto)
    }

    /// Variable. `linkage`: 0 static, 1 global.
    pub fn var(&mut self, name: &str, ty: u32, linkage: u32) -> u32 {
        let id = self.simple(BtfKind::Var, name, ty);
        self.word(linkage);
        id
    }

    /// Section of variables: id, offset, bytes of each.
    pub fn datasec(&mut self, name: &str, size: u32, vars: &[(u32, u32, u32)]) -> u32 {
        let id = self.record(
            name,
            Info::new(BtfKind::Datasec, vars.len() as u32, false),
            size,
        );
        for (var, offset, bytes) in vars {
            for field in [*var, *offset, *bytes] {
                self.word(field);
            }
        }
        id
    }

    /// Attribute of a declaration; `component`: member or parameter, `None` for the whole.
    pub fn decl_tag(&mut self, name: &str, to: u32, component: Option<u32>) -> u32 {
        let id = self.simple(BtfKind::DeclTag, name, to);
        self.word(component.unwrap_or(u32::MAX));
        id
    }

    /// Attribute of a type (`user`, `rcu`, `percpu`).
    pub fn type_tag(&mut self, name: &str, to: u32) -> u32 {
        self.simple(BtfKind::TypeTag, name, to)
    }

    /// The blob.
    pub fn finish(&self) -> Vec<u8> {
        let (types, strings) = (self.types.len() as u32, self.strings.len() as u32);
        let mut blob =
            Vec::with_capacity(HEADER_LEN as usize + self.types.len() + self.strings.len());
        blob.extend(MAGIC.to_le_bytes());
        blob.extend([VERSION, 0]);
        for field in [HEADER_LEN, 0, types, types, strings] {
            blob.extend(field.to_le_bytes());
        }
        blob.extend(&self.types);
        blob.extend(&self.strings);
        blob
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Error;

    #[test]
    fn all_kinds_read_back() {
        let mut b = BtfBuilder::new();
        let int = b.int("int", 4, true);
        let fields = [
            Field {
                name: "a",
                ty: int,
                bit_offset: 0,
                bits: 3,
            },
            Field {
                name: "b",
                ty: int,
                bit_offset: 32,
                bits: 0,
            },
        ];
        let s = b.structure("s", 8, &fields);
        let e = b.enumeration64("wide", false, &[("BIG", 1 << 40), ("ALL", -1)]);
        let e32 = b.enumeration("narrow", true, &[("MINUS", -1)]);
        let proto = b.func_proto(int, &[("fmt", int), ("", 0)]);
        let func = b.func("f", proto, 1);
        let array = b.array(int, int, 7);
        let var = b.var("v", array, 1);
        let sec = b.datasec(".percpu", 28, &[(var, 4, 28)]);
        let tag = b.decl_tag("kfunc", func, None);
        let fwd = b.forward("u", true);
        let float = b.float("double", 8);
        let btf = Btf::parse(b.finish()).expect("own data");
        let ty = |id| btf.ty(id).expect("own id");
        assert_eq!(btf.types().count(), 12);
        assert!(ty(int).int().is_some_and(|i| i.signed && i.bits == 32));
        let members: Vec<_> = ty(s)
            .members()
            .map(|m| (m.name, m.bit_offset, m.bits))
            .collect();
        assert_eq!(members, [("a", 0, Some(3)), ("b", 32, None)]);
        assert_eq!(
            ty(e).enumerators().map(|e| e.value).collect::<Vec<_>>(),
            [1 << 40, -1]
        );
        assert_eq!(
            ty(e32).enumerators().map(|e| e.value).collect::<Vec<_>>(),
            [-1]
        );
        let f = btf.func_proto("f").expect("f");
        assert_eq!((f.ret, f.params.len(), f.variadic), (int, 1, true));
        assert_eq!(
            (ty(array).array_len(), btf.var("v")),
            (Some(7), Some(array))
        );
        assert_eq!(
            ty(sec)
                .section_vars()
                .next()
                .map(|v| (v.var, v.offset, v.size)),
            Some((var, 4, 28))
        );
        assert_eq!(
            (ty(tag).name(), ty(tag).tag_component(), ty(tag).target()),
            ("kfunc", None, Some(func))
        );
        assert!(ty(fwd).flag() && ty(float).size() == 8);
        assert_eq!(btf.ty(99).err(), Some(Error::Id(99)));
    }

    #[test]
    fn broken_headers() {
        let good = {
            let mut b = BtfBuilder::new();
            b.int("int", 4, true);
            b.finish()
        };
        assert_eq!(Btf::parse(Vec::new()).err(), Some(Error::Truncated));
        assert_eq!(Btf::parse(b"\x7fELF").err(), Some(Error::Magic));
        let mut version = good.clone();
        version[2] = 9;
        assert_eq!(Btf::parse(version).err(), Some(Error::Version(9)));
        let mut kind = good.clone();
        kind[24 + 7] = 31;
        assert_eq!(
            Btf::parse(kind).err(),
            Some(Error::Kind { id: 1, kind: 31 })
        );
        let mut unterminated = good;
        *unterminated.last_mut().expect("not empty") = b'x';
        assert_eq!(Btf::parse(unterminated).err(), Some(Error::Sections));
    }
}

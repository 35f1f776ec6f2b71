//! `print()`: a value shown as its C type, members one a line.

use crate::error::{Error, Result};
use crate::float;
use crate::num::{self, Radix, Spec};
use crate::stack::World;
use crate::value::{Value, int_at, until_nul};
use image::print::PrintShape;
use image::{PrintMember, PrintType};

const INDENT: usize = 4;
/// Types nest no deeper than this; the compiler never makes more.
const DEEPEST: usize = 64;

/// Appends `type value`.
pub(crate) fn print(
    out: &mut Vec<u8>,
    world: &mut World,
    ty: &PrintType,
    v: Value<'_>,
) -> Result<()> {
    out.extend_from_slice(ty.name.as_bytes());
    out.push(b' ');
    let word;
    let bytes: &[u8] = match v {
        Value::Bytes { bytes, .. } | Value::Str(bytes) => bytes,
        Value::Int(v) => {
            word = v.bits.to_ne_bytes();
            if cfg!(target_endian = "big") {
                &word[8usize.saturating_sub(v.bytes.into())..]
            } else {
                &word
            }
        }
        Value::Stack(_) | Value::Sym(_) => {
            return Err(Error::Image("print() of a stack or symbol"));
        }
    };
    Printer { out, world }
        .shape(&ty.shape, bytes, 0)
        .ok_or(Error::Record("a printed value is cut short"))
}

struct Printer<'o, 'w> {
    out: &'o mut Vec<u8>,
    world: &'w mut World,
}

impl Printer<'_, '_> {
    fn put(&mut self, text: &str) {
        self.out.extend_from_slice(text.as_bytes());
    }

    fn indent(&mut self, depth: usize) {
        num::fill(self.out, b' ', depth * INDENT);
    }

    /// `%#x`: 0 has no prefix.
    fn hex(&mut self, v: u64) {
        num::int(
            self.out,
            &Spec {
                alt: true,
                ..Spec::default()
            },
            Radix::Hex,
            false,
            v,
        );
    }

    fn shape(&mut self, shape: &PrintShape, bytes: &[u8], depth: usize) -> Option<()> {
        if depth > DEEPEST {
            self.put("...");
            return Some(());
        }
        match shape {
            PrintShape::Int {
                bytes: size,
                char_like,
                ..
            } => {
                let v = int_at(bytes, 0, *size)?;
                self.integer(v, *size, *char_like);
            }
            PrintShape::Float { bytes: size } => {
                let v = float::decode(bytes.get(..usize::from(*size))?)?;
                let (prec, conv) = if *size == 4 { (7, 'e') } else { (16, 'E') };
                float::print(
                    self.out,
                    &Spec {
                        plus: true,
                        prec: Some(prec),
                        ..Spec::default()
                    },
                    conv,
                    v,
                );
            }
            PrintShape::Pointer { function } => {
                let v = int_at(bytes, 0, 8)?;
                if *function && v != 0 {
                    self.world.kernel_addr(self.out, v);
                } else {
                    self.put("0x");
                    num::hex(self.out, v);
                }
            }
            PrintShape::Enum { bytes: size, names } => {
                let v = sign_extend(int_at(bytes, 0, *size)?, u32::from(*size) * 8);
                self.enumerator(names, v);
            }
            PrintShape::Str => self.string(until_nul(bytes)),
            PrintShape::Array { elem, stride, len } => {
                self.array(elem, *stride, *len, bytes, depth)?
            }
            PrintShape::Struct { members } => {
                self.put("{\n");
                for member in members {
                    self.member(member, bytes, depth + 1)?;
                }
                self.indent(depth);
                self.put("}");
            }
            PrintShape::Forward => self.put("<forward decl>"),
            PrintShape::Unknown => self.put("<unknown encoding>"),
        }
        Some(())
    }

    fn integer(&mut self, v: u64, size: u8, char_like: bool) {
        if !char_like || size != 1 {
            return self.hex(v);
        }
        match v as u8 {
            0 => self.put("'\\0'"),
            c @ 0x20..=0x7e => self.out.extend_from_slice(&[b'\'', c, b'\'']),
            c => {
                let octal = [
                    b'\'',
                    b'\\',
                    b'0' + (c >> 6),
                    b'0' + (c >> 3 & 7),
                    b'0' + (c & 7),
                    b'\'',
                ];
                self.out.extend_from_slice(&octal);
            }
        }
    }

    fn enumerator(&mut self, names: &[(String, i64)], v: i64) {
        match names.iter().find(|(_, value)| *value == v) {
            Some((name, _)) => self.put(name),
            None => num::dec(self.out, v),
        }
    }

    fn string(&mut self, text: &[u8]) {
        self.put("\"");
        text.iter()
            .for_each(|c| crate::printf::escape(self.out, *c));
        self.put("\"");
    }

    fn array(
        &mut self,
        elem: &PrintType,
        stride: u32,
        len: u32,
        bytes: &[u8],
        depth: usize,
    ) -> Option<()> {
        let stride = (stride as usize).max(1);
        let bytes = bytes.get(..stride.checked_mul(len as usize)?)?;
        match &elem.shape {
            PrintShape::Int {
                bytes: 1,
                char_like: true,
                ..
            } => self.string(until_nul(bytes)),
            PrintShape::Struct { .. } => {
                self.put("[\n");
                for (i, item) in bytes.chunks_exact(stride).enumerate() {
                    if i > 0 {
                        self.put(",\n");
                    }
                    self.indent(depth + 1);
                    self.put(&elem.name);
                    self.put(" ");
                    self.shape(&elem.shape, item, depth + 1)?;
                }
                self.put("\n");
                self.indent(depth);
                self.put("]");
            }
            PrintShape::Int { .. }
            | PrintShape::Float { .. }
            | PrintShape::Pointer { .. }
            | PrintShape::Enum { .. }
            | PrintShape::Str
            | PrintShape::Array { .. }
            | PrintShape::Forward
            | PrintShape::Unknown => {
                self.put("[ ");
                for (i, item) in bytes.chunks_exact(stride).enumerate() {
                    if i > 0 {
                        self.put(", ");
                    }
                    self.shape(&elem.shape, item, depth)?;
                }
                self.put(" ]");
            }
        }
        Some(())
    }

    fn member(&mut self, member: &PrintMember, bytes: &[u8], depth: usize) -> Option<()> {
        self.indent(depth);
        self.put(&member.ty.name);
        if !member.name.is_empty() {
            self.put(" ");
            self.put(&member.name);
        }
        if member.bits > 0 {
            self.put(":");
            num::udec(self.out, u64::from(member.bits));
        }
        self.put(" = ");
        if member.bits > 0 {
            self.bit_field(member, bytes)?;
        } else {
            self.shape(
                &member.ty.shape,
                bytes.get(member.bit_offset as usize / 8..)?,
                depth,
            )?;
        }
        self.put("\n");
        Some(())
    }

    fn bit_field(&mut self, member: &PrintMember, bytes: &[u8]) -> Option<()> {
        let v = bit_field(bytes, member.bit_offset, member.bits)?;
        match &member.ty.shape {
            PrintShape::Enum { names, .. } => self.enumerator(names, v as i64),
            PrintShape::Int { .. }
            | PrintShape::Float { .. }
            | PrintShape::Pointer { .. }
            | PrintShape::Str
            | PrintShape::Array { .. }
            | PrintShape::Struct { .. }
            | PrintShape::Forward
            | PrintShape::Unknown => self.hex(v),
        }
        Some(())
    }
}

fn sign_extend(v: u64, bits: u32) -> i64 {
    let shift = 64u32.saturating_sub(bits).min(63);
    (v << shift) as i64 >> shift
}

/// The bits as the ABI lays them out: from the low end of each byte on little-endian machines, else from the high end.
fn bit_field(bytes: &[u8], offset: u32, bits: u32) -> Option<u64> {
    let mut v = 0u64;
    for i in 0..bits.min(64) {
        let at = offset.checked_add(i)?;
        let byte = bytes.get(at as usize / 8)?;
        if cfg!(target_endian = "little") {
            v |= u64::from(byte >> (at % 8) & 1) << i;
        } else {
            v = v << 1 | u64::from(byte >> (7 - at % 8) & 1);
        }
    }
    Some(v)
}

#[cfg(test)]
#[path = "print_tests.rs"]
mod tests;

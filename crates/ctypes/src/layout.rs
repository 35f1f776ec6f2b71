//! Sizes, alignments and the layout of structures, as the System V ABI of x86-64 and arm64 has them.

use std::rc::Rc;

use crate::{Composite, Kind, Member, NameKind, TypeGraph, TypeId};

/// Array-of-array chains are no longer than this in any sound program.
const MAX_DEPTH: u32 = 256;

impl TypeGraph {
    /// Bytes that a value takes in a structure or array: as [`TypeGraph::size`], but with room for a `string`.
    pub fn stored_size(&self, id: TypeId) -> Option<u64> {
        match self.base(id) {
            Kind::String => Some(self.string_bytes),
            _ => self.size(id),
        }
    }

    /// Size in bytes; `None` for void, functions, forward declarations, dynamic types. `string` is `strsize`, which the
    /// caller knows: `None`.
    pub fn size(&self, id: TypeId) -> Option<u64> {
        self.size_within(id, MAX_DEPTH)
    }

    fn size_within(&self, id: TypeId, depth: u32) -> Option<u64> {
        match self.base(id) {
            Kind::Int(int) => Some(u64::from(int.bytes)),
            Kind::Float { bytes, .. } => Some(u64::from(*bytes)),
            Kind::Pointer { .. } => Some(8),
            Kind::Array { elem, len } if *self.base(*elem) == Kind::String => {
                self.string_bytes.checked_mul(*len)
            }
            Kind::Array { elem, len } => self
                .size_within(*elem, depth.checked_sub(1)?)?
                .checked_mul(*len),
            Kind::Composite(composite) => Some(composite.size),
            Kind::Enum(e) => Some(u64::from(e.bytes)),
            Kind::Forward { kind, tag } => match self.kind(self.resolve(self.own(*kind, tag)?)) {
                Kind::Composite(composite) => Some(composite.size),
                Kind::Enum(e) => Some(u64::from(e.bytes)),
                _ => None,
            },
            // What these name is known to `base` already, or has no size.
            Kind::Typedef { .. } | Kind::Const(_) | Kind::Volatile(_) | Kind::Restrict(_) => None,
            Kind::SymAddr | Kind::UsymAddr => Some(8),
            Kind::Void | Kind::Func { .. } | Kind::String | Kind::Dyn | Kind::Stack => None,
        }
    }

    /// Alignment in bytes; 1 for what has none.
    pub fn align(&self, id: TypeId) -> u64 {
        let mut at = id;
        for _ in 0..MAX_DEPTH {
            match self.base(at) {
                Kind::Array { elem, .. } => at = *elem,
                Kind::Int(int) => return u64::from(int.bytes).max(1),
                Kind::Float { name, bytes } => return float_align(name, *bytes),
                Kind::Pointer { .. } | Kind::SymAddr | Kind::UsymAddr => return 8,
                Kind::Composite(composite) => return composite.align.max(1),
                Kind::Enum(e) => return u64::from(e.bytes).max(1),
                Kind::Forward { kind, tag } => {
                    return match self.own(*kind, tag).map(|found| self.base(found)) {
                        Some(Kind::Composite(composite)) => composite.align.max(1),
                        Some(Kind::Enum(e)) => u64::from(e.bytes).max(1),
                        _ => 1,
                    };
                }
                Kind::String => return 8,
                Kind::Void | Kind::Func { .. } | Kind::Dyn | Kind::Stack => return 1,
                Kind::Typedef { .. } | Kind::Const(_) | Kind::Volatile(_) | Kind::Restrict(_) => {
                    return 1;
                }
            }
        }
        1
    }

    /// Lays out members in C order. `members`: name, type, bit-field width. A union if `is_union`. The result is not yet in
    /// the graph: [`TypeGraph::add`] it, or [`TypeGraph::replace`] a forward declaration by it. A member without a size
    /// takes no room.
    pub fn layout(
        &mut self,
        is_union: bool,
        tag: Option<String>,
        members: Vec<(String, TypeId, Option<u8>)>,
    ) -> Composite {
        let mut place = Placement {
            is_union,
            at: 0,
            end: 0,
            align: 1,
        };
        let mut laid = Vec::with_capacity(members.len());
        for (name, ty, bits) in members {
            let size = self.stored_size(ty).unwrap_or(0).saturating_mul(8);
            let align = self.align(ty).saturating_mul(8);
            let bit_offset = match bits {
                Some(width) => place.bit_field(u64::from(width), size, align, !name.is_empty()),
                None => place.plain(size, align),
            };
            // An unnamed bit-field is padding; it has done its work.
            if bits.is_none() || !name.is_empty() {
                laid.push(Member {
                    name,
                    ty,
                    bit_offset,
                    bits,
                });
            }
        }
        let align = place.align;
        let size = place
            .end
            .div_ceil(8)
            .checked_next_multiple_of(align)
            .unwrap_or(u64::MAX);
        Composite {
            is_union,
            tag,
            size,
            align,
            members: Some(Rc::new(laid)),
            origin: None,
        }
    }

    /// The name space that a composite's tag lives in.
    pub fn tag_space(composite: &Composite) -> NameKind {
        if composite.is_union {
            NameKind::Union
        } else {
            NameKind::Struct
        }
    }
}

/// A complex number is aligned as its parts.
fn float_align(name: &str, bytes: u32) -> u64 {
    let bytes = u64::from(bytes);
    let part = if name.ends_with("complex") {
        bytes / 2
    } else {
        bytes
    };
    if part.is_power_of_two() { part } else { 1 }
}

/// The running state of a layout, in bits (but `align`: bytes).
struct Placement {
    is_union: bool,
    at: u64,
    end: u64,
    align: u64,
}

impl Placement {
    fn plain(&mut self, size: u64, align: u64) -> u64 {
        self.align = self.align.max(align / 8);
        self.put(align, size)
    }

    /// A bit-field may not cross a boundary of its own type; one of width 0 closes the unit.
    fn bit_field(&mut self, width: u64, unit: u64, align: u64, named: bool) -> u64 {
        if named {
            self.align = self.align.max(align / 8);
        }
        if width == 0 {
            return self.put(align, 0);
        }
        let start = if self.is_union { 0 } else { self.at };
        let crosses = unit > 0 && start % unit + width > unit;
        self.put(if crosses { align } else { 1 }, width)
    }

    fn put(&mut self, align: u64, size: u64) -> u64 {
        let start = if self.is_union { 0 } else { self.at };
        let start = start
            .checked_next_multiple_of(align.max(1))
            .unwrap_or(u64::MAX);
        self.at = start.saturating_add(size);
        self.end = self.end.max(self.at);
        start
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(text: &[(&str, &str, Option<u8>)]) -> Composite {
        let mut graph = TypeGraph::new();
        let members = text
            .iter()
            .map(|(n, t, b)| ((*n).to_owned(), graph.parse(t).expect(t), *b))
            .collect();
        graph.layout(false, None, members)
    }

    fn offsets(composite: &Composite) -> Vec<u64> {
        composite
            .members
            .iter()
            .flat_map(|m| m.iter())
            .map(|m| m.bit_offset)
            .collect()
    }

    #[test]
    fn plain_members() {
        let c = layout(&[
            ("a", "char", None),
            ("b", "long", None),
            ("c", "short [3]", None),
        ]);
        assert_eq!((offsets(&c), c.size, c.align), (vec![0, 64, 128], 24, 8));
        let c = layout(&[("n", "int", None), ("flex", "char []", None)]);
        assert_eq!((offsets(&c), c.size), (vec![0, 32], 4));
    }

    /// Offsets as GCC gives them.
    #[test]
    fn bit_fields() {
        let c = layout(&[
            ("a", "unsigned int", Some(3)),
            ("b", "unsigned int", Some(30)),
            ("c", "char", None),
        ]);
        assert_eq!((offsets(&c), c.size, c.align), (vec![0, 32, 64], 12, 4));
        let c = layout(&[
            ("a", "char", None),
            ("b", "int", Some(4)),
            ("c", "long", Some(50)),
        ]);
        assert_eq!((offsets(&c), c.size, c.align), (vec![0, 8, 12], 8, 8));
        let c = layout(&[
            ("a", "int", Some(1)),
            ("", "int", Some(0)),
            ("b", "char", Some(1)),
        ]);
        assert_eq!((offsets(&c), c.size, c.align), (vec![0, 32], 8, 4));
        let c = layout(&[("a", "char", None), ("", "long", Some(5))]);
        assert_eq!((offsets(&c), c.size, c.align), (vec![0], 2, 1));
    }

    #[test]
    fn unions() {
        let mut graph = TypeGraph::new();
        let members = vec![
            ("a".into(), TypeGraph::INT, None),
            ("b".into(), TypeGraph::ULONG, Some(3)),
        ];
        let c = graph.layout(true, None, members);
        assert_eq!((offsets(&c), c.size, c.align), (vec![0, 0], 8, 8));
    }

    #[test]
    fn sizes() {
        let mut graph = TypeGraph::new();
        for (text, size, align) in [
            ("char [16]", Some(16), 1),
            ("int [2][3]", Some(24), 4),
            ("string", None, 8),
            ("void", None, 1),
            ("void *", Some(8), 8),
            ("long double", Some(16), 16),
            ("float complex", Some(8), 4),
            ("_Bool", Some(1), 1),
            ("pid_t", Some(4), 4),
            ("int (*)(void)", Some(8), 8),
        ] {
            let id = graph.parse(text).expect(text);
            assert_eq!((graph.size(id), graph.align(id)), (size, align), "{text}");
        }
    }
}

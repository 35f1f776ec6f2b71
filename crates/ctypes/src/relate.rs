//! Questions about types and pairs of types: sameness, rank, classes.

use crate::{Composite, Kind, NameKind, TypeGraph, TypeId};

/// Type trees compared are no deeper than this; only broken type data are.
const MAX_DEPTH: u32 = 64;

impl TypeGraph {
    /// Same type after stripping names and qualifiers (structural for pointers/arrays, by encoding for integers, by identity
    /// for composites; a composite and a forward declaration of the same tag are the same, and so are two imports of one
    /// tag and size, which several kernel modules describe each for itself).
    pub fn same(&self, a: TypeId, b: TypeId) -> bool {
        self.same_within(a, b, MAX_DEPTH)
    }

    fn same_within(&self, a: TypeId, b: TypeId, depth: u32) -> bool {
        let (a, b) = (self.resolve(a), self.resolve(b));
        let Some(depth) = depth.checked_sub(1) else {
            return false;
        };
        if a == b {
            return true;
        }
        match (self.kind(a), self.kind(b)) {
            (Kind::Void, Kind::Void) => true,
            (Kind::Int(x), Kind::Int(y)) => {
                (x.bytes, x.signed, x.char_like, x.boolean)
                    == (y.bytes, y.signed, y.char_like, y.boolean)
            }
            (Kind::Float { bytes: x, name: n }, Kind::Float { bytes: y, name: m }) => {
                x == y && n == m
            }
            (Kind::Pointer { to: x, user: u }, Kind::Pointer { to: y, user: v }) => {
                u == v && self.same_within(*x, *y, depth)
            }
            (Kind::Array { elem: x, len: n }, Kind::Array { elem: y, len: m }) => {
                n == m && self.same_within(*x, *y, depth)
            }
            (Kind::Composite(x), Kind::Composite(y)) => same_import(x, y),
            (Kind::Enum(x), Kind::Enum(y)) => x.tag.is_some() && x == y,
            (Kind::Forward { kind, tag }, other) | (other, Kind::Forward { kind, tag }) => {
                names(other, *kind, tag)
            }
            (
                Kind::Func {
                    ret: x,
                    params: p,
                    variadic: v,
                },
                Kind::Func {
                    ret: y,
                    params: q,
                    variadic: w,
                },
            ) => {
                v == w
                    && p.len() == q.len()
                    && self.same_within(*x, *y, depth)
                    && p.iter()
                        .zip(q)
                        .all(|(x, y)| self.same_within(*x, *y, depth))
            }
            _ => false,
        }
    }

    /// Rank for the usual conversions (bits + 1 if unsigned; enums count as int), `None` if not arithmetic.
    pub fn rank(&self, id: TypeId) -> Option<u32> {
        match self.base(id) {
            Kind::Int(int) => Some(u32::from(int.bytes) * 8 + u32::from(!int.signed)),
            Kind::Enum(_) => Some(32),
            _ => None,
        }
    }

    /// Integer, enum (after resolve).
    pub fn is_integral(&self, id: TypeId) -> bool {
        matches!(self.base(id), Kind::Int(_) | Kind::Enum(_))
    }

    /// Pointer (after resolve).
    pub fn is_pointer(&self, id: TypeId) -> bool {
        matches!(self.base(id), Kind::Pointer { .. })
    }

    /// Integer, enum, pointer.
    pub fn is_scalar(&self, id: TypeId) -> bool {
        self.is_integral(id) || self.is_pointer(id)
    }

    /// D `string`.
    pub fn is_string(&self, id: TypeId) -> bool {
        matches!(self.base(id), Kind::String)
    }

    /// `char *` or `char []` (any char-like of one byte).
    pub fn is_char_pointer_or_array(&self, id: TypeId) -> bool {
        self.pointee(id).is_some_and(
            |to| matches!(self.base(to), Kind::Int(int) if int.char_like && int.bytes == 1),
        )
    }

    /// Signedness of an integral type (pointers are unsigned).
    pub fn is_signed(&self, id: TypeId) -> bool {
        match self.base(id) {
            Kind::Int(int) => int.signed,
            Kind::Enum(e) => e.signed,
            _ => false,
        }
    }

    /// Pointee of a pointer or element of an array.
    pub fn pointee(&self, id: TypeId) -> Option<TypeId> {
        match *self.base(id) {
            Kind::Pointer { to, .. } => Some(to),
            Kind::Array { elem, .. } => Some(elem),
            _ => None,
        }
    }
}

fn same_import(x: &Composite, y: &Composite) -> bool {
    let key = |c: &Composite| (c.is_union, c.size, c.tag.clone());
    x.origin.is_some() && y.origin.is_some() && x.tag.is_some() && key(x) == key(y)
}

/// Is `other` what `kind tag` names?
fn names(other: &Kind, kind: NameKind, tag: &str) -> bool {
    match other {
        Kind::Composite(c) => TypeGraph::tag_space(c) == kind && c.tag.as_deref() == Some(tag),
        Kind::Enum(e) => kind == NameKind::Enum && e.tag.as_deref() == Some(tag),
        Kind::Forward { kind: k, tag: t } => *k == kind && t == tag,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sameness() {
        let mut graph = TypeGraph::new();
        let mut same = |a: &str, b: &str| {
            let (x, y) = (graph.parse(a).expect(a), graph.parse(b).expect(b));
            graph.same(x, y)
        };
        assert!(same("uint64_t *", "const unsigned long long *"));
        assert!(same("int8_t", "char"));
        assert!(!same("int8_t", "unsigned char"));
        assert!(!same("_Bool", "unsigned char"));
        assert!(!same("char *", "userland char *"));
        assert!(!same("char [4]", "char [5]"));
        assert!(same("int (*)(long)", "pid_t (*)(int64_t)"));
        assert!(!same("int (*)(long)", "int (*)(long, ...)"));
    }

    #[test]
    fn forward_and_definition() {
        let mut graph = TypeGraph::new();
        let forward = graph.add(Kind::Forward {
            kind: NameKind::Struct,
            tag: "s".into(),
        });
        let c = graph.layout(
            false,
            Some("s".into()),
            vec![("a".into(), TypeGraph::INT, None)],
        );
        let whole = graph.add(Kind::Composite(c.clone()));
        let twin = graph.add(Kind::Composite(c));
        assert!(graph.same(forward, whole) && graph.same(whole, forward));
        assert!(!graph.same(whole, twin));
        assert_eq!(graph.size(forward), None);
        graph.define(NameKind::Struct, "s", whole);
        assert_eq!(graph.size(forward), Some(4));
        assert_eq!(
            graph.member(forward, "a").map(|m| m.ty),
            Some(TypeGraph::INT)
        );
    }

    #[test]
    fn ranks() {
        let mut graph = TypeGraph::new();
        let mut rank = |text: &str| {
            let id = graph.parse(text).expect(text);
            graph.rank(id)
        };
        assert_eq!(rank("char"), Some(8));
        assert_eq!(rank("unsigned short"), Some(17));
        assert!(rank("uint32_t") > rank("int32_t"));
        assert!(rank("int64_t") > rank("uint32_t"));
        assert_eq!(rank("void *"), None);
        assert_eq!(rank("double"), None);
    }

    #[test]
    fn classes() {
        let mut graph = TypeGraph::new();
        let mut id = |text: &str| graph.parse(text).expect(text);
        let (comm, text, words, s) = (
            id("char [16]"),
            id("const unsigned char *"),
            id("int *"),
            id("string"),
        );
        assert!(graph.is_char_pointer_or_array(comm) && graph.is_char_pointer_or_array(text));
        assert!(!graph.is_char_pointer_or_array(words) && !graph.is_char_pointer_or_array(s));
        assert!(graph.is_scalar(words) && !graph.is_scalar(s) && graph.is_string(s));
        assert!(!graph.is_signed(words) && graph.is_signed(TypeGraph::INT64));
    }
}

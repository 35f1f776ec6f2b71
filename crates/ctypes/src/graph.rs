//! The arena of types: adding, naming, looking up and completing them.

use std::collections::HashMap;
use std::rc::Rc;

use crate::intrinsic::{self, ROWS};
use crate::{Kind, Member, NameKind, TypeId, TypeSource};

/// Anonymous structures nest at most this deep in a member look-up; only broken type data nest deeper.
const MAX_NESTING: u32 = 32;

/// The arena of types.
pub struct TypeGraph {
    types: Vec<Kind>,
    derived: HashMap<Derived, TypeId>,
    names: HashMap<NameKind, HashMap<String, TypeId>>,
    enumerators: HashMap<String, (i64, TypeId)>,
    source: Option<Rc<dyn TypeSource>>,
    /// Bytes that a `string` takes inside of a structure or array.
    pub(crate) string_bytes: u64,
}

/// The types of which there is one only.
#[derive(PartialEq, Eq, Hash)]
enum Derived {
    Pointer(TypeId, bool),
    Array(TypeId, u64),
    Const(TypeId),
    Volatile(TypeId),
    Restrict(TypeId),
}

impl Derived {
    fn of(kind: &Kind) -> Option<Derived> {
        match *kind {
            Kind::Pointer { to, user } => Some(Derived::Pointer(to, user)),
            Kind::Array { elem, len } => Some(Derived::Array(elem, len)),
            Kind::Const(to) => Some(Derived::Const(to)),
            Kind::Volatile(to) => Some(Derived::Volatile(to)),
            Kind::Restrict(to) => Some(Derived::Restrict(to)),
            Kind::Void
            | Kind::Int(_)
            | Kind::Float { .. }
            | Kind::Composite(_)
            | Kind::Enum(_)
            | Kind::Typedef { .. }
            | Kind::Func { .. }
            | Kind::Forward { .. }
            | Kind::String
            | Kind::Dyn
            | Kind::Stack
            | Kind::SymAddr
            | Kind::UsymAddr => None,
        }
    }
}

impl Default for TypeGraph {
    fn default() -> TypeGraph {
        TypeGraph::new()
    }
}

impl TypeGraph {
    /// Sets the bytes of a `string` inside of structures that are laid out from now on, a multiple of eight.
    pub fn set_string_bytes(&mut self, bytes: u64) {
        self.string_bytes = bytes;
    }

    /// A graph with the intrinsic and pre-defined types of D (reference §3.1, §3.2) on LP64, and nothing else.
    pub fn new() -> TypeGraph {
        let mut graph = TypeGraph {
            types: Vec::with_capacity(ROWS.len() * 2),
            derived: HashMap::new(),
            names: HashMap::new(),
            enumerators: HashMap::new(),
            source: None,
            string_bytes: 256,
        };
        for row in ROWS {
            let id = graph.add(row.kind());
            if !row.hidden() {
                graph.define(NameKind::Plain, row.0, id);
            }
        }
        graph
    }

    /// Connects the outside source. Lookups ask D's own definitions first, then the source.
    pub fn set_source(&mut self, source: Rc<dyn TypeSource>) {
        self.source = Some(source);
    }

    /// Kind of a type.
    pub fn kind(&self, id: TypeId) -> &Kind {
        self.types.get(id.0 as usize).unwrap_or(&Kind::Void)
    }

    /// Adds a type (no deduplication but for pointers, arrays and qualifiers of the same type).
    pub fn add(&mut self, kind: Kind) -> TypeId {
        let next = TypeId(self.types.len() as u32);
        if let Some(key) = Derived::of(&kind) {
            let id = *self.derived.entry(key).or_insert(next);
            if id != next {
                return id;
            }
        }
        self.types.push(kind);
        next
    }

    /// Replaces a stub (completing a forward declaration or a source's structure).
    pub fn replace(&mut self, id: TypeId, kind: Kind) {
        let Some(slot) = self.types.get_mut(id.0 as usize) else {
            return;
        };
        if let Some(old) = Derived::of(slot)
            && self.derived.get(&old) == Some(&id)
        {
            self.derived.remove(&old);
        }
        if let Some(new) = Derived::of(&kind) {
            self.derived.entry(new).or_insert(id);
        }
        *slot = kind;
    }

    /// Name lookup. `name` may not hold a backquote; `module` scopes it: `D` and `C` are the program's own definitions,
    /// any other module is one of the source's.
    pub fn lookup(&mut self, module: Option<&str>, kind: NameKind, name: &str) -> Option<TypeId> {
        match module {
            None => self
                .own(kind, name)
                .or_else(|| self.source.clone()?.lookup(self, None, kind, name)),
            Some("D" | "C") => self.own(kind, name),
            Some(_) => self.source.clone()?.lookup(self, module, kind, name),
        }
    }

    /// D's own definitions only.
    pub(crate) fn own(&self, kind: NameKind, name: &str) -> Option<TypeId> {
        if let Some(id) = self.names.get(&kind).and_then(|names| names.get(name)) {
            return Some(*id);
        }
        (kind == NameKind::Plain).then(|| self.base_type(name))?
    }

    /// A C base type in any of its spellings (`long unsigned int`, `unsigned long`).
    pub fn base_type(&self, spelling: &str) -> Option<TypeId> {
        let name = intrinsic::canonical(spelling.split_ascii_whitespace())?;
        self.names.get(&NameKind::Plain)?.get(&name).copied()
    }

    /// Gives a D-declared type a name.
    pub fn define(&mut self, kind: NameKind, name: &str, id: TypeId) {
        self.names
            .entry(kind)
            .or_default()
            .insert(name.to_owned(), id);
    }

    /// An enumerator visible to D (declared in D, else from the source).
    pub fn enumerator(&mut self, name: &str) -> Option<(i64, TypeId)> {
        if let Some(found) = self.enumerators.get(name) {
            return Some(*found);
        }
        self.source.clone()?.enumerator(self, name)
    }

    /// Makes an enumerator visible.
    pub fn define_enumerator(&mut self, name: &str, value: i64, id: TypeId) {
        self.enumerators.insert(name.to_owned(), (value, id));
    }

    /// Strips typedefs and qualifiers.
    pub fn resolve(&self, id: TypeId) -> TypeId {
        let mut at = id;
        for _ in 0..self.types.len() {
            match *self.kind(at) {
                Kind::Typedef { to, .. }
                | Kind::Const(to)
                | Kind::Volatile(to)
                | Kind::Restrict(to) => at = to,
                _ => return at,
            }
        }
        TypeGraph::VOID
    }

    /// Kind after [`TypeGraph::resolve`].
    pub fn base(&self, id: TypeId) -> &Kind {
        self.kind(self.resolve(id))
    }

    /// Members of a structure or union (imports them if need be). A forward declaration has those of the definition of its tag.
    pub fn members(&mut self, id: TypeId) -> Option<Rc<Vec<Member>>> {
        let at = self.definition(id)?;
        let Kind::Composite(stub) = self.kind(at) else {
            return None;
        };
        if let (None, Some(origin), Some(source)) =
            (&stub.members, stub.origin, self.source.clone())
        {
            source.complete(self, at, origin);
        }
        match self.kind(at) {
            Kind::Composite(composite) => composite.members.clone(),
            _ => None,
        }
    }

    /// The structure or union that `id` names.
    fn definition(&mut self, id: TypeId) -> Option<TypeId> {
        let at = self.resolve(id);
        let Kind::Forward { kind, tag } = self.kind(at) else {
            return Some(at);
        };
        let (kind, tag) = (*kind, tag.clone());
        self.lookup(None, kind, &tag)
            .map(|found| self.resolve(found))
    }

    /// A member by name, looking into anonymous members; its `bit_offset` is from the start of `id`.
    pub fn member(&mut self, id: TypeId, name: &str) -> Option<Member> {
        if name.is_empty() {
            None
        } else {
            self.member_within(id, name, MAX_NESTING)
        }
    }

    fn member_within(&mut self, id: TypeId, name: &str, depth: u32) -> Option<Member> {
        let members = self.members(id)?;
        if let Some(found) = members.iter().find(|m| m.name == name) {
            return Some(found.clone());
        }
        let depth = depth.checked_sub(1)?;
        members
            .iter()
            .filter(|m| m.name.is_empty() && m.bits.is_none())
            .find_map(|outer| {
                let mut inner = self.member_within(outer.ty, name, depth)?;
                inner.bit_offset = inner.bit_offset.saturating_add(outer.bit_offset);
                Some(inner)
            })
    }

    /// `T *`.
    pub fn pointer_to(&mut self, to: TypeId) -> TypeId {
        self.add(Kind::Pointer { to, user: false })
    }
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

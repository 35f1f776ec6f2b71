//! Look-up by name: hash tables of ids, built by the first question, and the questions asked of kernel BTF.

use std::rc::Rc;

use crate::format::{BtfKind, Error};
use crate::read::Btf;
use crate::view::{Param, Type};

/// What the kernel puts before the name of a tracepoint to name the typedef of its function.
const TRACEPOINT_PREFIX: &str = "btf_trace_";

/// Longest chain of typedefs and qualifiers.
const MAX_CHAIN: u32 = 32;

/// An open-addressed table of non-zero numbers, keyed by the names that they stand for.
struct Table {
    slots: Vec<u32>,
}

impl Table {
    fn with_room(entries: usize) -> Table {
        Table {
            slots: vec![0; (entries * 3 / 2 + 1).next_power_of_two()],
        }
    }

    fn mask(&self) -> usize {
        self.slots.len() - 1
    }

    fn insert(&mut self, hash: u32, value: u32) {
        let mask = self.mask();
        let mut at = hash as usize & mask;
        for _ in 0..self.slots.len() {
            match self.slots.get_mut(at) {
                Some(slot) if *slot == 0 => {
                    *slot = value;
                    return;
                }
                _ => at = (at + 1) & mask,
            }
        }
    }

    /// Entries that may have this hash, in the order of their insertion.
    fn candidates(&self, hash: u32) -> impl Iterator<Item = u32> {
        let start = hash as usize & self.mask();
        let (head, tail) = self.slots.split_at(start.min(self.slots.len()));
        tail.iter()
            .chain(head)
            .copied()
            .take_while(|value| *value != 0)
    }
}

/// Hash of the bytes up to the first NUL or the end, eight at a time: an index of the kernel's hashes 100,000 names.
fn hash(text: &[u8]) -> u32 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let mut state = 0u64;
    let mut rest = text;
    loop {
        let (word, tail) = match rest.split_first_chunk() {
            Some((chunk, tail)) => (u64::from_le_bytes(*chunk), tail),
            None => {
                let bytes = rest
                    .iter()
                    .rev()
                    .fold(0, |word, byte| word << 8 | u64::from(*byte));
                (bytes, &[][..])
            }
        };
        // The lowest set bit marks the first byte that is 0.
        let zeros = word.wrapping_sub(ONES) & !word & (ONES << 7);
        let before = if zeros == 0 {
            word
        } else {
            word & ((zeros & zeros.wrapping_neg()) >> 7).wrapping_sub(1)
        };
        state = (state.rotate_left(23) ^ before).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        // A whole word of text goes on even if nothing follows, so that both ends of a name hash alike.
        if zeros != 0 {
            return (state >> 32) as u32;
        }
        rest = tail;
    }
}

fn hash_at(btf: &Btf, offset: u32) -> u32 {
    hash(btf.string_tail(offset))
}

/// Named types by name.
pub(crate) struct NameIndex {
    table: Table,
}

impl NameIndex {
    fn build(btf: &Btf, wanted: impl Fn(BtfKind) -> bool) -> NameIndex {
        let named =
            |(_, name, kind): &(u32, u32, Option<BtfKind>)| *name != 0 && kind.is_some_and(&wanted);
        let mut table = Table::with_room(btf.heads().filter(named).count());
        for (id, name, _) in btf.heads().filter(named) {
            table.insert(hash_at(btf, name), id);
        }
        NameIndex { table }
    }
}

/// Enumerators by name.
pub(crate) struct EnumeratorIndex {
    table: Table,
    /// Offset of the name and id of the enumeration.
    entries: Vec<(u32, u32)>,
}

impl EnumeratorIndex {
    fn build(btf: &Btf) -> EnumeratorIndex {
        let enums = btf
            .heads()
            .filter(|(.., kind)| matches!(kind, Some(BtfKind::Enum | BtfKind::Enum64)));
        let enums = enums.filter_map(|(id, ..)| btf.ty(id).ok());
        let entries: Vec<_> = enums
            .flat_map(|ty| ty.enumerator_names().map(move |name| (name, ty.id())))
            .collect();
        let mut table = Table::with_room(entries.len());
        for (at, (name, _)) in (1..).zip(&entries) {
            table.insert(hash_at(btf, *name), at);
        }
        EnumeratorIndex { table, entries }
    }
}

/// A function's type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proto<'a> {
    /// Return type's id.
    pub ret: u32,
    /// Parameters.
    pub params: Vec<Param<'a>>,
    /// `...`.
    pub variadic: bool,
}

impl Btf {
    /// Types with this name (but functions), here and not in the base, in order of ids.
    fn named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = Type<'a>> {
        let index = self
            .type_names
            .get_or_init(|| NameIndex::build(self, |kind| kind != BtfKind::Func));
        self.matching(index, name)
    }

    /// Functions with this name, here and not in the base.
    fn funcs<'a>(&'a self, name: &'a str) -> impl Iterator<Item = Type<'a>> {
        let index = self
            .func_names
            .get_or_init(|| NameIndex::build(self, |kind| kind == BtfKind::Func));
        self.matching(index, name)
    }

    fn matching<'a>(
        &'a self,
        index: &'a NameIndex,
        name: &'a str,
    ) -> impl Iterator<Item = Type<'a>> {
        let found = index
            .table
            .candidates(hash(name.as_bytes()))
            .filter_map(|id| self.ty(id).ok());
        found.filter(move |ty| !name.is_empty() && self.string_is(ty.name_offset(), name))
    }

    /// First type of this kind and name, here and not in the base.
    pub fn find_own(&self, kind: BtfKind, name: &str) -> Option<u32> {
        if kind == BtfKind::Func {
            return self.funcs(name).next().map(|ty| ty.id());
        }
        self.named(name)
            .find(|ty| ty.kind() == kind)
            .map(|ty| ty.id())
    }

    /// First type of this kind and name, here or in the base.
    pub fn find(&self, kind: BtfKind, name: &str) -> Option<u32> {
        self.find_own(kind, name)
            .or_else(|| self.base()?.find(kind, name))
    }

    /// Is there type data for a function of this name (fentry can only attach to such)?
    pub fn func_exists(&self, name: &str) -> bool {
        self.find(BtfKind::Func, name).is_some()
    }

    /// Ids of the functions of this name here and not in the base: static functions may share one.
    pub fn functions_named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = u32> + 'a {
        self.funcs(name).map(|ty| ty.id())
    }

    /// Ids and names of all functions here, in order of ids.
    pub fn functions(&self) -> impl Iterator<Item = (u32, &str)> {
        let funcs = self
            .heads()
            .filter(|(.., kind)| *kind == Some(BtfKind::Func));
        funcs
            .map(|(id, name, _)| (id, self.string(name)))
            .filter(|(_, name)| !name.is_empty())
    }

    /// Type of a function by its name.
    pub fn func_proto(&self, name: &str) -> Option<Proto<'_>> {
        let func = self.ty(self.find(BtfKind::Func, name)?).ok()?;
        self.proto(func.target()?).ok()
    }

    /// Parameters of a tracepoint by its kernel name (`sched_switch`), without the first one (the kernel's own `void *`):
    /// what a raw tracepoint program finds in its context words.
    pub fn tracepoint_proto(&self, name: &str) -> Option<Proto<'_>> {
        let typedef = self
            .ty(self.find(BtfKind::Typedef, &format!("{TRACEPOINT_PREFIX}{name}"))?)
            .ok()?;
        let pointer = self
            .ty(typedef.target()?)
            .ok()
            .filter(|ty| ty.kind() == BtfKind::Ptr)?;
        let mut proto = self.proto(pointer.target()?).ok()?;
        if !proto.params.is_empty() {
            proto.params.remove(0);
        }
        Some(proto)
    }

    /// Id of the typedef that a BTF tracepoint program names as its target.
    pub fn tracepoint_id(&self, name: &str) -> Option<u32> {
        self.find(BtfKind::Typedef, &format!("{TRACEPOINT_PREFIX}{name}"))
    }

    /// Kernel names of the tracepoints here.
    pub fn tracepoints(&self) -> impl Iterator<Item = &str> {
        let typedefs = self
            .heads()
            .filter(|(.., kind)| *kind == Some(BtfKind::Typedef));
        typedefs
            .filter(|(_, name, _)| {
                self.string_tail(*name)
                    .starts_with(TRACEPOINT_PREFIX.as_bytes())
            })
            .filter_map(|(_, name, _)| self.string(name).strip_prefix(TRACEPOINT_PREFIX))
    }

    /// The function type with this id, or the one that typedefs and qualifiers with this id lead to.
    pub fn proto(&self, id: u32) -> Result<Proto<'_>, Error> {
        let ty = self.ty(self.strip(id)?)?;
        if ty.kind() != BtfKind::FuncProto {
            return Err(Error::Unusable(id));
        }
        let mut params: Vec<_> = ty.params().collect();
        let variadic = params
            .last()
            .is_some_and(|last| last.ty == 0 && last.name.is_empty());
        if variadic {
            params.pop();
        }
        Ok(Proto {
            ret: ty.target().unwrap_or(0),
            params,
            variadic,
        })
    }

    /// The type behind typedefs, qualifiers and type tags.
    pub fn strip(&self, id: u32) -> Result<u32, Error> {
        let mut at = id;
        for _ in 0..MAX_CHAIN {
            let ty = self.ty(at)?;
            match (ty.kind(), ty.target()) {
                (
                    BtfKind::Typedef
                    | BtfKind::Const
                    | BtfKind::Volatile
                    | BtfKind::Restrict
                    | BtfKind::TypeTag,
                    Some(to),
                ) => at = to,
                _ => return Ok(at),
            }
        }
        Err(Error::Circular(id))
    }

    /// Type id of a variable (per-CPU variables are all that kernels describe, as a rule).
    pub fn var(&self, name: &str) -> Option<u32> {
        self.ty(self.find(BtfKind::Var, name)?).ok()?.target()
    }

    /// Id of the enumeration, here and not in the base, that has this enumerator.
    pub fn enum_with(&self, enumerator: &str) -> Option<u32> {
        let index = self
            .enumerators
            .get_or_init(|| EnumeratorIndex::build(self));
        let places = index.table.candidates(hash(enumerator.as_bytes()));
        let mut entries = places.filter_map(|at| index.entries.get(at as usize - 1));
        entries
            .find(|(name, _)| self.string_is(*name, enumerator))
            .map(|(_, id)| *id)
    }

    /// This or the one below it that holds the type `id`.
    pub fn owner(self: &Rc<Btf>, id: u32) -> &Rc<Btf> {
        match self.base() {
            Some(base) if id < self.ids().start => base.owner(id),
            _ => self,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_end_at_nul() {
        let long = "a_name_of_more_than_eight_bytes";
        for len in 0..long.len() {
            let name = &long.as_bytes()[..len];
            let stored = [name, b"\0another\0name"].concat();
            assert_eq!(hash(name), hash(&stored), "{len}");
            assert_eq!(hash(name), hash(&[name, b"\0"].concat()), "{len}");
            assert_ne!(hash(name), hash(&long.as_bytes()[..len + 1]));
        }
    }
}

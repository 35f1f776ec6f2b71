//! The C and D type graph: kinds, layout, conversions' ranks, lookup by name, printing.
//!
//! Types live in an arena ([`TypeGraph`]) and are named by [`TypeId`]. Types that come from outside (kernel BTF) are
//! brought in on demand through a [`TypeSource`]: a structure is a stub until somebody asks for its members.
//!
//! Invariant: pure. No file, no clock.

mod graph;
mod intrinsic;
mod kind;
mod layout;
mod name;
mod parse;
mod relate;

pub use graph::TypeGraph;
pub use kind::{Composite, Enum, Int, Kind, Member, NameKind};

/// Index of a type in its graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(pub u32);

/// A type from outside, on its way into the graph.
pub trait TypeSource {
    /// Finds a type by name and imports it. `module`: only there (``module`type``).
    fn lookup(
        &self,
        graph: &mut TypeGraph,
        module: Option<&str>,
        kind: NameKind,
        name: &str,
    ) -> Option<TypeId>;
    /// Imports the members of a stub that this source made (`origin` is the source's own key).
    fn complete(&self, graph: &mut TypeGraph, id: TypeId, origin: u64);
    /// An enumerator by name: its value and enum type.
    fn enumerator(&self, graph: &mut TypeGraph, name: &str) -> Option<(i64, TypeId)>;
}

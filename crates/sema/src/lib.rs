//! Semantic analysis: names, types, translators, inlines. Turns an AST into a typed program ([`hir`]).
//!
//! Invariant: sees the outside world only through [`World`]; it has never opened a file.

pub mod hir;
pub mod world;

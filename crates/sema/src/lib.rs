//! Semantic analysis: names, types, translators, inlines. Turns an AST into a typed program ([`hir`]).
//!
//! A [`Compiler`] takes the texts of one command line in turn ([`Compiler::add`]); variables, aggregations, inlines,
//! translators and types persist from one to the next, clauses accumulate, and [`Compiler::finish`] gives the program.
//! There is one pass: typing an expression gives its code. A *place* ([`typed`]) is only loaded once its value is wanted,
//! so that `&e`, `e.member` and `e = …` need no second look. What translators give exists only as members.
//!
//! Invariant: sees the outside world only through [`World`]; it has never opened a file.

mod action;
mod agg;
mod assign;
mod clause;
mod compiler;
mod decl;
mod defined;
mod derived;
mod dump;
mod expr;
pub mod hir;
mod inline;
mod library;
mod lines;
mod once;
mod ops;
mod pragma;
mod print;
mod printf;
mod probe;
mod provider;
mod subr;
mod typed;
mod types;
mod uregs;
mod vars;
pub mod walk;
pub mod world;
mod xlate;

#[cfg(test)]
mod tests;

pub use compiler::{AddInfo, Compiler, Options, Wide};
pub use dump::dump;
pub use library::{Library, LibraryText};
pub use provider::{Interface, InterfaceArg, InterfaceProbe, ProbeDef, ProviderDef};
pub use world::World;

impl syntax::TypeNames for Compiler<'_> {
    fn is_type(&mut self, name: &str) -> bool {
        Compiler::is_type(self, name)
    }

    fn int_inline(&mut self, name: &str) -> Option<(u64, syntax::ast::IntRank)> {
        self.inline_constant(name)
    }
}

//! Lexer and parser of D, hand-written: D needs lexer states, `typedef` feedback, `/predicate/` against division, probe
//! descriptions, macro arguments and tagged errors.
//!
//! [`parse`] turns one text into an [`ast::Unit`] or the first error. Any input ends in one of the two: nesting and
//! expression height are bounded (so later passes may recurse), and time is linear in the text.

pub mod ast;
mod control;
mod dump;
mod fold;
mod lexer;
mod literal;
mod macros;
mod names;
mod parser;
mod spec;
mod token;

pub use control::{scan_options, scan_pragmas};
pub use dump::dump;
pub use macros::Macros;
pub use names::defined_names;
pub use spec::{SpecDepth, split_spec};

use ast::IntRank;
use diag::Diagnostic;

/// Result of everything in here: the first error ends the parse.
pub(crate) type R<T> = Result<T, Box<Diagnostic>>;

/// What the parser has to know about names from elsewhere. `typedef` and `inline` of the same text it tracks itself, the
/// intrinsic types and `NULL` it knows.
pub trait TypeNames {
    /// Is `name` (maybe scoped, ``module`name``) a typedef name?
    fn is_type(&mut self, name: &str) -> bool;
    /// The value of an `inline` without parameters from an earlier text whose body is an integer constant.
    fn int_inline(&mut self, _name: &str) -> Option<(u64, IntRank)> {
        None
    }
}

/// No names from elsewhere.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoTypes;

impl TypeNames for NoTypes {
    fn is_type(&mut self, _name: &str) -> bool {
        false
    }
}

/// A text with all that decides how it is read.
pub struct ParseInput<'a> {
    /// Index of the text in the source map.
    pub source: u32,
    /// The text.
    pub text: &'a str,
    /// A library file: may depend on other libraries.
    pub library: bool,
    /// A specifier needs neither predicate nor body (command-line text, or `-x pspec`).
    pub bare_specs: bool,
    /// Fields that specifiers may have: the `-P`, `-m`, `-f` and `-n` flags.
    pub depth: SpecDepth,
    /// A text without any item is no error (`-x empty`, libraries).
    pub empty_ok: bool,
    /// Macro arguments and variables.
    pub macros: &'a Macros,
    /// Names from elsewhere.
    pub types: &'a mut dyn TypeNames,
}

/// Parses a text. The error vector holds one diagnostic today.
pub fn parse(input: ParseInput<'_>) -> Result<ast::Unit, Vec<Diagnostic>> {
    parser::Parser::new(input)
        .and_then(parser::Parser::unit)
        .map_err(|d| vec![*d])
}

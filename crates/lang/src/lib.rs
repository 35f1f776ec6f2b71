//! The vocabulary of D, declared once as rows: built-in variables, subroutines, actions, aggregating functions,
//! options, keywords, stability. Every stage dispatches on these enums; none matches on a name.

pub mod options;
pub mod vocab;
pub use vocab::{Action, Agg, Builtin, Subr};

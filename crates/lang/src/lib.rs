//! The vocabulary of D, declared once as rows: built-in variables, subroutines, actions, aggregating functions,
//! options, keywords, stability. Every stage dispatches on these enums; none matches on a name.

pub mod globals;
pub mod keywords;
pub mod options;
pub mod solaris;
pub mod stability;
pub mod version;
pub mod vocab;
pub use globals::{Global, GlobalKind, global};
pub use stability::{Class, Level, Stability};
pub use version::Version;
pub use vocab::{Action, Agg, Builtin, Subr};

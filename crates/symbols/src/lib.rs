//! User-land facts: ELF files and their functions, processes and their mappings, names of languages undone.
//!
//! Problem: an address of a process is a name only together with the file that is mapped there, and that file may be in
//! another mount namespace, deleted, stripped or huge. Choice: files are read in the few pieces that are needed (never as
//! a whole, never mapped: a file that somebody truncates must not kill the tracer), and what was read is kept by identity.
//!
//! Invariant: nothing here traces or prints, and no answer is a guess: an address outside every function has no name.

pub mod code;
pub mod demangle;
pub mod elf;
mod error;
pub mod events;
mod files;
pub mod jit;
pub mod process;
pub mod resolve;
pub mod spaces;

pub use elf::{ElfFile, Function};
pub use error::Error;
pub use files::Files;
pub use resolve::{Resolver, Symbol, Whose};

//! Tables for walking user stacks in BPF: `.eh_frame` of an ELF file, made compact.
//!
//! ```text
//! file -> elf (sections, segments) -> cfi (a rule for each range of code) -> Table -> words of the pool
//! ```
//!
//! Formats: [`image::layout::unwind`]. Code is named by its offset in the file, which is what a mapping of it tells,
//! so a table serves all processes, wherever they have mapped the file.
//!
//! For x86-64 and 64-bit Arm. A frame that begins at another register than the stack and the frame pointer is left
//! unknown: 0.02 % of the rows of x86-64 libraries, nearly all at registers that no call preserves.
//!
//! Invariant: any bytes end in a table or an error; what cannot be expressed is a rule that ends the walk, never a
//! wrong frame.

mod cfi;
mod elf;
mod expr;
mod machine;
mod rule;
mod table;
#[cfg(test)]
mod tests;
mod vdso;

pub use elf::Source;
pub use machine::Machine;
pub use rule::{Cfa, Link, Rbp, Rule};
pub use table::Table;
pub use vdso::vdso;

/// Why there is no table.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// Not an ELF file for this machine.
    #[error("not an ELF file of this machine")]
    Foreign,
    /// It has no unwind data; such code keeps frame pointers, if anything.
    #[error("no .eh_frame")]
    Absent,
}

/// Reads the unwind data of a file that is code of `machine`.
pub fn read(source: &dyn Source, machine: Machine) -> Result<Table, Error> {
    let image = elf::Image::open(source, machine)?;
    Ok(Table::new(&cfi::code(&image)))
}

//! Tables for walking user stacks in BPF: `.eh_frame` of an ELF file, made compact.
//!
//! ```text
//! file -> elf (sections, segments) -> cfi (a rule for each range of code) -> Table -> words of the pool
//! ```
//!
//! Formats: [`image::layout::unwind`]. Code is named by its offset in the file, which is what a mapping of it tells,
//! so a table serves all processes, wherever they have mapped the file.
//!
//! Only x86-64: on 64-bit Arm the frame pointer is part of the calling convention and is kept by what distributions
//! ship, so the kernel's own walk serves there.
//!
//! Invariant: any bytes end in a table or an error; what cannot be expressed is a rule that ends the walk, never a
//! wrong frame.

mod cfi;
mod elf;
mod expr;
mod rule;
mod table;
#[cfg(test)]
mod tests;

pub use elf::Source;
pub use rule::{Cfa, Rbp, Rule};
pub use table::Table;

/// Why there is no table.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// Not an ELF file for this machine.
    #[error("not an x86-64 ELF file")]
    Foreign,
    /// It has no unwind data; such code keeps frame pointers, if anything.
    #[error("no .eh_frame")]
    Absent,
}

/// Reads the unwind data of a file.
pub fn read(source: &dyn Source) -> Result<Table, Error> {
    let image = elf::Image::open(source)?;
    Ok(Table::new(cfi::ranges(&image)))
}

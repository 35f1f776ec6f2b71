//! What can go wrong with a file or process.

use std::path::PathBuf;

/// Why a file or process told nothing.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Reading failed.
    #[error("{}: {cause}", path.display())]
    Io {
        /// What was read.
        path: PathBuf,
        /// The system's word.
        cause: std::io::Error,
    },
    /// Not an ELF file.
    #[error("{}: not an ELF file", .0.display())]
    NotElf(PathBuf),
    /// An ELF file whose tables contradict themselves.
    #[error("{}: malformed ELF file: {what}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: &'static str,
    },
}

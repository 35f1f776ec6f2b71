//! Where the bytes of a file come from.

use std::fs::File;
use std::io::{Error, ErrorKind, Result};
use std::os::unix::fs::FileExt;

/// A file, or bytes in memory.
#[derive(Debug)]
pub(super) enum Source {
    /// Read by pieces.
    File {
        /// Open file.
        file: File,
        /// Its length when it was opened.
        len: u64,
    },
    /// All of it.
    Bytes(Vec<u8>),
}

impl Source {
    pub(super) fn file(file: File) -> Result<Source> {
        let meta = file.metadata()?;
        if !meta.is_file() {
            return Err(Error::new(ErrorKind::InvalidInput, "not a regular file"));
        }
        Ok(Source::File {
            len: meta.len(),
            file,
        })
    }

    pub(super) fn bytes(bytes: Vec<u8>) -> Source {
        Source::Bytes(bytes)
    }

    pub(super) fn as_file(&self) -> Option<&File> {
        match self {
            Source::File { file, .. } => Some(file),
            Source::Bytes(_) => None,
        }
    }

    pub(super) fn len(&self) -> u64 {
        match self {
            Source::File { len, .. } => *len,
            Source::Bytes(bytes) => bytes.len() as u64,
        }
    }

    /// A piece; an error if any of it is outside. Nothing is allocated for sizes that the file does not have.
    pub(super) fn read(&self, offset: u64, size: u64) -> Result<Vec<u8>> {
        let end = offset.checked_add(size).filter(|end| *end <= self.len());
        let (Some(_), Ok(size)) = (end, usize::try_from(size)) else {
            return Err(ErrorKind::UnexpectedEof.into());
        };
        match self {
            Source::File { file, .. } => {
                let mut bytes = vec![0; size];
                file.read_exact_at(&mut bytes, offset)?;
                Ok(bytes)
            }
            Source::Bytes(all) => {
                let from = usize::try_from(offset).unwrap_or(usize::MAX);
                let piece = from.checked_add(size).and_then(|to| all.get(from..to));
                piece
                    .map(<[u8]>::to_vec)
                    .ok_or_else(|| ErrorKind::UnexpectedEof.into())
            }
        }
    }
}

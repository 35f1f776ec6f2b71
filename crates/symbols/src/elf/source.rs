//! Where the bytes of a file come from.

use std::fs::File;
use std::io::{Error, ErrorKind, Result};
use std::os::unix::fs::FileExt;

use object::read::{ReadCache, ReadCacheOps};

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

    /// For the readers of `object`: each piece is read once and kept until this is dropped.
    pub(super) fn pieces(&self) -> Pieces<'_> {
        ReadCache::new(Cursor {
            source: self,
            at: 0,
        })
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

/// The pieces of a source that were read.
pub(super) type Pieces<'a> = ReadCache<Cursor<'a>>;

/// A place in a source. (The file's own is shared by all who read it.)
pub(super) struct Cursor<'a> {
    source: &'a Source,
    at: u64,
}

impl ReadCacheOps for Cursor<'_> {
    fn len(&mut self) -> std::result::Result<u64, ()> {
        Ok(self.source.len())
    }

    fn seek(&mut self, to: u64) -> std::result::Result<u64, ()> {
        self.at = to;
        Ok(to)
    }

    fn read(&mut self, into: &mut [u8]) -> std::result::Result<usize, ()> {
        let left = self.source.len().saturating_sub(self.at);
        let size = usize::try_from(left).map_or(into.len(), |left| left.min(into.len()));
        let into = into.get_mut(..size).ok_or(())?;
        self.read_exact(into)?;
        Ok(size)
    }

    fn read_exact(&mut self, into: &mut [u8]) -> std::result::Result<(), ()> {
        let found = self.source.read(self.at, into.len() as u64);
        into.copy_from_slice(&found.map_err(|_| ())?);
        self.at += into.len() as u64;
        Ok(())
    }
}

//! ELF files that were opened once, by what they are.

use std::collections::HashMap;
use std::fs::File;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use crate::ElfFile;

/// A version of a file: device, inode, length, and when it was last changed (seconds, nanoseconds).
type Version = (u64, u64, u64, i64, i64);

/// Open files. One that was indexed stays, so that deleting it, or the end of the process that had it mapped, takes
/// nothing away.
#[derive(Debug, Default)]
pub struct Files {
    known: Mutex<HashMap<Version, Option<Arc<ElfFile>>>>,
}

impl Files {
    /// The ELF file behind an open file that is known as `path` below the directory `root`; `None` if it is none. Reads
    /// only what has not been read before.
    pub fn get(&self, file: File, path: &Path, root: &Path) -> Option<Arc<ElfFile>> {
        let meta = file.metadata().ok()?;
        let version = (
            meta.dev(),
            meta.ino(),
            meta.len(),
            meta.mtime(),
            meta.mtime_nsec(),
        );
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let open = || ElfFile::from_file(file, path, root).ok().map(Arc::new);
        known.entry(version).or_insert_with(open).clone()
    }

    /// Closes what nobody else holds.
    pub fn forget_unused(&self) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.retain(|_, elf| elf.as_ref().is_some_and(|e| Arc::strong_count(e) > 1));
    }

    /// The same for a path of this process's own root.
    pub fn open(&self, path: &Path) -> Option<Arc<ElfFile>> {
        let file = crate::process::open_same(path, 0).ok()?;
        self.get(file, path, Path::new("/"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_once() {
        let files = Files::default();
        let own = std::env::current_exe().unwrap();
        let (a, b) = (files.open(&own).unwrap(), files.open(&own).unwrap());
        assert!(Arc::ptr_eq(&a, &b));
        assert!(files.open(Path::new("/proc/self/maps")).is_none());
        assert!(files.open(Path::new("/nowhere")).is_none());
    }
}

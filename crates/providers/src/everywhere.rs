//! Files with probes of their own that any process has mapped, or maps while tracing.
//!
//! A probe of such a file is the same for all processes, so that one which starts later has it from its first instruction.
//! The file stays open and is named by its descriptor: by then the process that it was found in may be over.

use std::collections::HashSet;
use std::fs::File;
use std::os::fd::{AsFd, AsRawFd};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::Arc;

use symbols::ElfFile;
use symbols::process::{self, FileId, Mapping};

use crate::process::base;
use crate::{Module, usdt};

/// Descriptors for such files.
const FILES: u64 = 4096;

/// A version of a file: device, inode, length, and when it was last changed (seconds, nanoseconds). The device is 0 on
/// overlay file systems, where one file is the lower one of several: probes are put into that.
type Version = (u64, u64, u64, i64, i64);

/// The files found so far.
#[derive(Default)]
pub(crate) struct Everywhere {
    begun: bool,
    seen: HashSet<Version>,
    found: Vec<Module>,
}

impl Everywhere {
    /// Whether anybody has asked.
    pub fn has_begun(&self) -> bool {
        self.begun
    }

    /// The files with probes.
    pub fn found(&self) -> &[Module] {
        &self.found
    }

    /// Looks at all of these processes; whether there is a new file with probes.
    pub fn look_at_all(&mut self, processes: &[u32]) -> bool {
        if !self.begun {
            self.begun = true;
            sys::proc::make_room_for_files(FILES);
        }
        let mut passed: HashSet<FileId> = HashSet::new();
        let mut news = false;
        for pid in processes {
            // It may have ended meanwhile, or be out of reach.
            for mapping in process::maps(*pid).unwrap_or_default() {
                if mapping.executable && mapping.is_file() && passed.insert(mapping.file) {
                    news |= self.look_at(*pid, &mapping);
                }
            }
        }
        news
    }

    /// Looks at a file that a process has mapped; whether it is a new one with probes.
    pub fn look_at(&mut self, pid: u32, mapping: &Mapping) -> bool {
        if !mapping.is_file() {
            return false;
        }
        // A process that is over leaves its path, which is ours too if it was in no container.
        let own = || process::open_same(&mapping.path, mapping.file.inode);
        let Ok(file) = process::open_mapping(pid, mapping).or_else(|_| own()) else {
            return false;
        };
        match version(&file) {
            Some(version) if self.seen.insert(version) => {}
            Some(_) | None => return false,
        }
        let Some(module) = module(pid, file, &mapping.path) else {
            return false;
        };
        self.found.push(module);
        true
    }
}

fn version(file: &File) -> Option<Version> {
    let meta = file.metadata().ok()?;
    let device = match sys::proc::is_on_overlay(file.as_fd()) {
        true => 0,
        false => meta.dev(),
    };
    Some((
        device,
        meta.ino(),
        meta.len(),
        meta.mtime(),
        meta.mtime_nsec(),
    ))
}

/// The file, if it has probes.
fn module(pid: u32, file: File, path: &Path) -> Option<Module> {
    let elf = ElfFile::from_file(file, path, &process::root(pid)).ok()?;
    if !usdt::has_probes(&elf) {
        return None;
    }
    let descriptor = elf.as_file()?.as_raw_fd();
    Some(Module {
        name: base(path),
        path: path.to_string_lossy().into_owned(),
        main: false,
        file: format!("/proc/self/fd/{descriptor}").into(),
        go: false,
        elf: Arc::new(elf),
        code: Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_looked_at_once() {
        let mut all = Everywhere::default();
        let own = std::process::id();
        assert!(!all.has_begun());
        all.look_at_all(&[own]);
        assert!(all.has_begun() && !all.seen.is_empty());
        let known = all.seen.len();
        assert!(!all.look_at_all(&[own]));
        assert_eq!(all.seen.len(), known);
        assert!(!all.look_at_all(&[u32::MAX]));
    }
}

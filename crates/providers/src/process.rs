//! A running process: the files whose code it can run.

use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use symbols::process::{self, Mapping};
use symbols::{ElfFile, Files};

/// A process and the code mapped in it.
#[derive(Debug)]
pub struct Process {
    /// Its number.
    pub pid: u32,
    /// Files with code, by address; the program itself is one of them.
    pub modules: Vec<Module>,
    /// Mapped files with code that are none this process can read.
    others: Vec<PathBuf>,
}

/// A file with code that a process has mapped.
#[derive(Clone, Debug)]
pub struct Module {
    /// File name without directories.
    pub name: String,
    /// Path in the process's root.
    pub path: String,
    /// It is the program itself (`a.out`).
    pub main: bool,
    /// A path by which this process can open it.
    pub file: Arc<str>,
    /// The file.
    pub elf: Arc<ElfFile>,
    /// Compiled by Go, whose functions have a calling convention of their own.
    pub go: bool,
    /// Executable mappings: first address, length, offset in the file.
    pub code: Vec<(u64, u64, u64)>,
}

impl Process {
    /// Reads what a process has mapped.
    pub fn read(pid: u32, files: &Files) -> std::io::Result<Process> {
        Ok(Process::of_maps(pid, &process::maps(pid)?, files))
    }

    /// The process with the code that it has mapped since, if there is any. What it had mapped before stays known.
    pub(crate) fn grown(&self, pid: u32, files: &Files) -> Option<Process> {
        let maps = process::maps(pid).ok()?;
        let known = |m: &Mapping| {
            let path = m.path.to_string_lossy();
            self.modules.iter().any(|own| own.path == path) || self.others.contains(&m.path)
        };
        let code = maps.iter().filter(|m| m.executable && m.is_file());
        if code.clone().all(known) {
            return None;
        }
        let mut grown = Process::of_maps(pid, &maps, files);
        let seen = |path: &str| grown.modules.iter().any(|m| m.path == path);
        let before: Vec<Module> = self
            .modules
            .iter()
            .filter(|m| !seen(&m.path))
            .cloned()
            .collect();
        grown.modules.extend(before);
        Some(grown)
    }

    fn of_maps(pid: u32, maps: &[Mapping], files: &Files) -> Process {
        let program = process::executable(pid).map(|(path, _)| path).ok();
        let mut modules: Vec<Module> = Vec::new();
        let mut others = Vec::new();
        for mapping in maps.iter().filter(|m| m.executable && m.is_file()) {
            let path = mapping.path.to_string_lossy();
            let code = (mapping.start, mapping.end - mapping.start, mapping.offset);
            if let Some(known) = modules.iter_mut().find(|m| m.path == path) {
                known.code.push(code);
                continue;
            }
            let main = program.as_deref() == Some(&mapping.path);
            let Some(elf) = open(pid, mapping, files) else {
                others.push(mapping.path.clone());
                continue;
            };
            modules.push(Module {
                name: base(&mapping.path),
                main,
                file: reach(pid, mapping),
                go: elf.sections().iter().any(|s| s.name == ".gopclntab"),
                elf,
                code: vec![code],
                path: path.into_owned(),
            });
        }
        Process {
            pid,
            modules,
            others,
        }
    }

    /// Whether its frames may be unwound at run time (C++ exceptions, Rust panics): return addresses must then stay as they
    /// are. Reads the program's symbols.
    pub fn unwinds(&self) -> bool {
        self.modules.iter().any(has_unwinder)
    }

    /// The module that has code at an address, and where the byte is in the file.
    pub fn at(&self, address: u64) -> Option<(&Module, u64)> {
        self.modules.iter().find_map(|m| {
            m.code.iter().find_map(|(start, len, offset)| {
                let behind = address.checked_sub(*start).filter(|b| b < len)?;
                Some((m, offset + behind))
            })
        })
    }
}

pub(crate) fn base(path: &Path) -> String {
    path.file_name()
        .map(|n| String::from_utf8_lossy(n.as_bytes()).into_owned())
        .unwrap_or_default()
}

fn open(pid: u32, mapping: &Mapping, files: &Files) -> Option<Arc<ElfFile>> {
    let file = process::open_mapping(pid, mapping).ok()?;
    files.get(file, &mapping.path, &process::root(pid))
}

/// A path to the file that is mapped: by the process's root as long as the file is there, else by the mapping itself.
fn reach(pid: u32, mapping: &Mapping) -> Arc<str> {
    let in_root = process::open_in_root(pid, &mapping.path, mapping.file.inode);
    let path = mapping.path.to_string_lossy();
    if in_root.is_ok() && path.is_ascii() {
        format!("/proc/{pid}/root{path}").into()
    } else {
        let (start, end) = (mapping.start, mapping.end);
        format!("/proc/{pid}/map_files/{start:x}-{end:x}").into()
    }
}

/// Whether a module can unwind the stack at run time.
fn has_unwinder(module: &Module) -> bool {
    const LIBRARIES: [&str; 4] = ["libgcc_s.", "libunwind", "libc++abi.", "libstdc++."];
    LIBRARIES.iter().any(|l| module.name.starts_with(l))
        || module.main
            && module
                .elf
                .functions_named("_Unwind_RaiseException")
                .next()
                .is_some()
}

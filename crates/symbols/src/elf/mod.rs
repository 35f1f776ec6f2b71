//! ELF files: headers when opened, functions when first asked for.
//!
//! `object` knows the formats; files are read by pieces, and what is damaged is not there. Facts are those of the System V
//! ABI (gABI and the processor supplements), GNU's notes and `.gnu_debug*` sections.

mod debug;
mod functions;
mod header;
mod notes;
mod source;
mod stubs;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

pub use functions::Function;
use functions::{Functions, Wanted};
use header::Header;
pub use notes::{Note, Notes, notes};
use source::Source;
use stubs::Stubs;

use crate::Error;

/// Width of addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// 32 bits.
    Elf32,
    /// 64 bits.
    Elf64,
}

/// What a file is for (`e_type`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A program that is loaded at its own addresses.
    Exec,
    /// A shared object or a position-independent program.
    Dyn,
    /// An object file, a core file or something else that is not run.
    Other,
}

/// A program header of type `PT_LOAD`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Address in the file's own numbering.
    pub vaddr: u64,
    /// Where its bytes are in the file.
    pub offset: u64,
    /// Bytes in the file.
    pub file_size: u64,
    /// Bytes in memory.
    pub mem_size: u64,
    /// `PF_X`.
    pub executable: bool,
    /// `PF_W`.
    pub writable: bool,
}

/// A section header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// Name.
    pub name: String,
    /// `sh_type`.
    pub kind: u32,
    /// `SHF_EXECINSTR`.
    pub executable: bool,
    /// Address, 0 if it is not loaded.
    pub vaddr: u64,
    /// Where its bytes are in the file.
    pub offset: u64,
    /// Bytes.
    pub size: u64,
    /// `sh_link`: index of the section that this one refers to.
    pub link: u32,
    /// `sh_entsize`: bytes of one entry.
    pub entry_size: u64,
    /// `sh_addralign`.
    pub align: u64,
}

/// An open ELF file. Cheap to open; [`ElfFile::functions`] reads the symbol tables once.
#[derive(Debug)]
pub struct ElfFile {
    /// Where it is said to be (for separate debug files and messages); may be in another root.
    path: PathBuf,
    /// Directory that `path` is relative to: `/`, or `/proc/PID/root`.
    root: PathBuf,
    source: Source,
    header: Header,
    functions: OnceLock<Functions>,
    variables: OnceLock<Functions>,
    stubs: OnceLock<Stubs>,
}

impl ElfFile {
    /// Opens a file of this process's own root directory.
    pub fn open(path: &Path) -> Result<ElfFile, Error> {
        let file = File::open(path).map_err(|cause| Error::Io {
            path: path.to_owned(),
            cause,
        })?;
        ElfFile::from_file(file, path, Path::new("/"))
    }

    /// Takes an open file that is known as `path` under the directory `root`; separate debug files are looked for there,
    /// then in this process's own root.
    pub fn from_file(file: File, path: &Path, root: &Path) -> Result<ElfFile, Error> {
        let source = Source::file(file).map_err(|cause| Error::Io {
            path: path.to_owned(),
            cause,
        })?;
        ElfFile::new(source, path, root)
    }

    /// Takes bytes in memory (the vDSO, tests); `name` is for messages.
    pub fn from_bytes(bytes: Vec<u8>, name: &Path) -> Result<ElfFile, Error> {
        ElfFile::new(Source::bytes(bytes), name, Path::new("/"))
    }

    fn new(source: Source, path: &Path, root: &Path) -> Result<ElfFile, Error> {
        let header = Header::read(&source, path)?;
        Ok(ElfFile {
            path: path.to_owned(),
            root: root.to_owned(),
            source,
            header,
            functions: OnceLock::new(),
            variables: OnceLock::new(),
            stubs: OnceLock::new(),
        })
    }

    /// The path that it was opened by.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The open file behind it, if there is one.
    pub fn as_file(&self) -> Option<&File> {
        self.source.as_file()
    }

    /// Width of addresses.
    pub fn class(&self) -> Class {
        self.header.class
    }

    /// What it is for.
    pub fn kind(&self) -> Kind {
        self.header.kind
    }

    /// `e_machine` (62 is x86-64, 3 is i386, 183 is AArch64).
    pub fn machine(&self) -> u16 {
        self.header.machine
    }

    /// `e_entry`, an address in the file's own numbering.
    pub fn entry(&self) -> u64 {
        self.header.entry
    }

    /// The dynamic linker (`PT_INTERP`); none in static programs and most libraries.
    pub fn interpreter(&self) -> Option<&Path> {
        self.header.interpreter.as_deref()
    }

    /// GNU build id.
    pub fn build_id(&self) -> Option<&[u8]> {
        self.header.build_id.as_deref()
    }

    /// Loaded segments, in the order of the file.
    pub fn segments(&self) -> &[Segment] {
        &self.header.segments
    }

    /// Section headers, in the order of the file (the first is empty).
    pub fn sections(&self) -> &[Section] {
        &self.header.sections
    }

    /// Bytes of a section; `None` if there is none of that name or it has no bytes in the file.
    pub fn section(&self, name: &str) -> Result<Option<Vec<u8>>, Error> {
        let Some(section) = self.header.section(name) else {
            return Ok(None);
        };
        self.section_bytes(section)
    }

    fn section_bytes(&self, section: &Section) -> Result<Option<Vec<u8>>, Error> {
        if section.kind == object::elf::SHT_NOBITS.0 {
            return Ok(None);
        }
        self.read(section.offset, section.size).map(Some)
    }

    /// `size` bytes of the file.
    pub fn read(&self, offset: u64, size: u64) -> Result<Vec<u8>, Error> {
        self.source.read(offset, size).map_err(|cause| Error::Io {
            path: self.path.clone(),
            cause,
        })
    }

    /// `size` bytes of memory as the file initialises it, at an address in the file's own numbering; `None` outside.
    pub fn read_vaddr(&self, vaddr: u64, size: u64) -> Option<Vec<u8>> {
        let segment = self.segments().iter().find(|s| {
            s.vaddr <= vaddr && vaddr.saturating_add(size) <= s.vaddr.saturating_add(s.file_size)
        })?;
        self.read(segment.offset.checked_add(vaddr - segment.vaddr)?, size)
            .ok()
    }

    /// Where the byte at an address is in the file.
    pub fn vaddr_to_offset(&self, vaddr: u64) -> Option<u64> {
        self.header.vaddr_to_offset(vaddr)
    }

    /// At which address a byte of the file is loaded. Where several segments hold it (overlapping pages), an executable
    /// one counts.
    pub fn offset_to_vaddr(&self, offset: u64) -> Option<u64> {
        self.header.offset_to_vaddr(offset)
    }

    /// All functions, sorted by address and, at one address, the name that is shown first. From `.symtab`, `.dynsym`, the
    /// separate debug file (by build id, then `.gnu_debuglink`) and `.gnu_debugdata`; what cannot be read is not there.
    pub fn functions(&self) -> impl Iterator<Item = Function<'_>> {
        self.table()
            .functions()
            .map(|f| f.located(|a| self.vaddr_to_offset(a)))
    }

    /// Functions of one name (several: static functions of different files).
    pub fn functions_named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = Function<'a>> {
        self.functions().filter(move |f| f.name == name)
    }

    /// The function that an address (in the file's own numbering) lies in, and how far behind its start.
    pub fn lookup(&self, vaddr: u64) -> Option<(Function<'_>, u64)> {
        let found = self.table().lookup(vaddr)?;
        let offset = vaddr - found.vaddr;
        Some((found.located(|a| self.vaddr_to_offset(a)), offset))
    }

    /// The stub (`NAME@plt`) of the procedure linkage tables that an address lies in, and how far behind its start.
    pub fn lookup_stub(&self, vaddr: u64) -> Option<(&str, u64)> {
        self.stubs.get_or_init(|| Stubs::of(self)).lookup(vaddr)
    }

    fn table(&self) -> &Functions {
        self.functions.get_or_init(|| self.collect(Wanted::Code))
    }

    /// The variable that an address (in the file's own numbering) lies in: its name, and how far behind its start.
    pub fn lookup_variable(&self, vaddr: u64) -> Option<(&str, u64)> {
        let table = self.variables.get_or_init(|| self.collect(Wanted::Data));
        let found = table.lookup(vaddr)?;
        Some((found.name, vaddr - found.vaddr))
    }

    fn collect(&self, wanted: Wanted) -> Functions {
        let mut table = functions::Builder::new(wanted);
        self.add_symbols(&mut table);
        for other in debug::others(self) {
            other.add_symbols(&mut table);
        }
        table.build()
    }

    fn add_symbols(&self, table: &mut functions::Builder) {
        for (section, complete) in [(".symtab", true), (".dynsym", false)] {
            let Some(symbols) = self.header.section(section) else {
                continue;
            };
            let strings = self.header.sections.get(symbols.link as usize);
            let bytes = self.section_bytes(symbols).ok().flatten();
            let names = strings.and_then(|s| self.section_bytes(s).ok().flatten());
            if let (Some(bytes), Some(names)) = (bytes, names) {
                table.add(&self.header, &bytes, &names, complete);
            }
        }
    }
}

#[cfg(test)]
mod tests;

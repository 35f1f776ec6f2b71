//! The headers of a file: what it is, its segments and sections, its build id.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use super::notes::{Note, Notes};
use super::source::Source;
use super::{Class, Kind, Section, Segment};
use crate::Error;

/// Section without bytes in the file.
pub(super) const SHT_NOBITS: u32 = 8;
const SHT_NOTE: u32 = 7;
const PT_LOAD: u32 = 1;
const PT_INTERP: u32 = 3;
const PT_NOTE: u32 = 4;
const NT_GNU_BUILD_ID: u32 = 3;
/// `e_phnum` and `e_shnum` that mean: the number is in section 0.
const PN_XNUM: u64 = 0xffff;
/// More headers than this are a damaged file.
const MOST_HEADERS: u64 = 1 << 20;
/// Longest path of a dynamic linker, and longest note section that is searched.
const MOST_NOTES: u64 = 1 << 16;

/// Number formats of a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Format {
    /// 64-bit structures.
    pub(super) wide: bool,
    big_endian: bool,
}

impl Format {
    /// That of 64-bit little-endian files.
    pub(super) const LITTLE: Format = Format {
        wide: true,
        big_endian: false,
    };
}

/// Reads fields one after the other.
pub(super) struct Fields<'a> {
    format: Format,
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Fields<'a> {
    pub(super) fn new(format: Format, bytes: &'a [u8]) -> Fields<'a> {
        Fields {
            format,
            bytes,
            at: 0,
        }
    }

    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let piece = self.bytes.get(self.at..self.at.checked_add(N)?)?;
        self.at += N;
        let mut field: [u8; N] = piece.try_into().ok()?;
        if self.format.big_endian {
            field.reverse();
        }
        Some(field)
    }

    pub(super) fn byte(&mut self) -> Option<u8> {
        self.take::<1>().map(|[b]| b)
    }

    pub(super) fn half(&mut self) -> Option<u16> {
        self.take().map(u16::from_le_bytes)
    }

    pub(super) fn word(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }

    /// An address, offset or size: as wide as the file's class.
    pub(super) fn wide(&mut self) -> Option<u64> {
        if self.format.wide {
            self.take().map(u64::from_le_bytes)
        } else {
            self.word().map(u64::from)
        }
    }

    /// A byte string whose padded length is a multiple of 4.
    pub(super) fn padded(&mut self, len: usize) -> Option<&'a [u8]> {
        let bytes = self.bytes.get(self.at..self.at.checked_add(len)?)?;
        self.at = self.at.checked_add(len.checked_next_multiple_of(4)?)?;
        Some(bytes)
    }
}

/// What the headers say.
#[derive(Debug)]
pub(super) struct Header {
    pub(super) format: Format,
    pub(super) kind: Kind,
    pub(super) machine: u16,
    pub(super) entry: u64,
    pub(super) segments: Vec<Segment>,
    pub(super) sections: Vec<Section>,
    pub(super) interpreter: Option<PathBuf>,
    pub(super) build_id: Option<Vec<u8>>,
}

/// Where a table of headers is.
#[derive(Clone, Copy)]
struct Table {
    offset: u64,
    entry: u64,
    count: u64,
}

/// The fixed part at the start of the file.
struct Start {
    format: Format,
    kind: Kind,
    machine: u16,
    entry: u64,
    programs: Table,
    sections: Table,
    names: u64,
}

/// A program header, of any type.
struct Program {
    kind: u32,
    segment: Segment,
}

impl Header {
    pub(super) fn read(source: &Source, path: &Path) -> Result<Header, Error> {
        let malformed = |what| Error::Malformed {
            path: path.to_owned(),
            what,
        };
        let first = source
            .read(0, source.len().min(64))
            .map_err(|cause| Error::Io {
                path: path.to_owned(),
                cause,
            })?;
        if first.get(..4) != Some(b"\x7fELF") {
            return Err(Error::NotElf(path.to_owned()));
        }
        let mut start = start(&first).ok_or_else(|| malformed("file header"))?;
        // A damaged or stripped-off section table leaves the segments, which are what the kernel loads by.
        let sections = sections(source, &mut start).unwrap_or_default();
        let programs = programs(source, &start).ok_or_else(|| malformed("program headers"))?;
        let interpreter = programs
            .iter()
            .find(|p| p.kind == PT_INTERP)
            .and_then(|p| piece(source, p.segment.offset, p.segment.file_size))
            .map(|mut bytes| {
                bytes.retain(|b| *b != 0);
                PathBuf::from(OsString::from_vec(bytes))
            });
        let build_id = build_id(source, start.format, &programs, &sections);
        Ok(Header {
            format: start.format,
            kind: start.kind,
            machine: start.machine,
            entry: start.entry,
            segments: programs
                .into_iter()
                .filter(|p| p.kind == PT_LOAD)
                .map(|p| p.segment)
                .collect(),
            sections,
            interpreter,
            build_id,
        })
    }

    pub(super) fn class(&self) -> Class {
        if self.format.wide {
            Class::Elf64
        } else {
            Class::Elf32
        }
    }

    pub(super) fn section(&self, name: &str) -> Option<&Section> {
        self.sections.iter().find(|s| s.name == name)
    }

    pub(super) fn vaddr_to_offset(&self, vaddr: u64) -> Option<u64> {
        self.segments
            .iter()
            .find(|s| s.vaddr <= vaddr && vaddr - s.vaddr < s.file_size)
            .and_then(|s| s.offset.checked_add(vaddr - s.vaddr))
    }

    pub(super) fn offset_to_vaddr(&self, offset: u64) -> Option<u64> {
        let holds = |s: &&Segment| s.offset <= offset && offset - s.offset < s.file_size;
        let executable = self.segments.iter().filter(|s| s.executable).find(holds);
        executable
            .or_else(|| self.segments.iter().find(holds))
            .and_then(|s| s.vaddr.checked_add(offset - s.offset))
    }
}

fn piece(source: &Source, offset: u64, size: u64) -> Option<Vec<u8>> {
    (size <= MOST_NOTES)
        .then(|| source.read(offset, size).ok())
        .flatten()
}

fn start(first: &[u8]) -> Option<Start> {
    let format = Format {
        wide: match first.get(4)? {
            1 => false,
            2 => true,
            _ => return None,
        },
        big_endian: match first.get(5)? {
            1 => false,
            2 => true,
            _ => return None,
        },
    };
    let mut at = Fields::new(format, first.get(16..)?);
    let kind = match at.half()? {
        2 => Kind::Exec,
        3 => Kind::Dyn,
        _ => Kind::Other,
    };
    let machine = at.half()?;
    let _version = at.word()?;
    let (entry, programs, sections) = (at.wide()?, at.wide()?, at.wide()?);
    let (_flags, _size) = (at.word()?, at.half()?);
    let (program_size, program_count) = (u64::from(at.half()?), u64::from(at.half()?));
    let (section_size, section_count) = (u64::from(at.half()?), u64::from(at.half()?));
    Some(Start {
        format,
        kind,
        machine,
        entry,
        programs: Table {
            offset: programs,
            entry: program_size,
            count: program_count,
        },
        sections: Table {
            offset: sections,
            entry: section_size,
            count: section_count,
        },
        names: u64::from(at.half()?),
    })
}

/// The entries of a table, each in its bytes.
fn entries(source: &Source, table: Table, least: u64) -> Option<Vec<Vec<u8>>> {
    if table.count == 0 {
        return Some(Vec::new());
    }
    if table.entry < least || table.count > MOST_HEADERS {
        return None;
    }
    let size = table.entry.checked_mul(table.count)?;
    let bytes = source.read(table.offset, size).ok()?;
    let entry = usize::try_from(table.entry).ok()?;
    Some(bytes.chunks_exact(entry).map(<[u8]>::to_vec).collect())
}

fn programs(source: &Source, start: &Start) -> Option<Vec<Program>> {
    let least = if start.format.wide { 56 } else { 32 };
    let all = entries(source, start.programs, least)?;
    all.iter().map(|e| program(start.format, e)).collect()
}

fn program(format: Format, bytes: &[u8]) -> Option<Program> {
    let mut at = Fields::new(format, bytes);
    let kind = at.word()?;
    let early = if format.wide { at.word()? } else { 0 };
    let (offset, vaddr, _physical) = (at.wide()?, at.wide()?, at.wide()?);
    let (file_size, mem_size) = (at.wide()?, at.wide()?);
    let flags = if format.wide { early } else { at.word()? };
    Some(Program {
        kind,
        segment: Segment {
            vaddr,
            offset,
            file_size,
            mem_size,
            executable: flags & 1 != 0,
            writable: flags & 2 != 0,
        },
    })
}

/// Section headers; completes the counts that do not fit the file header.
fn sections(source: &Source, start: &mut Start) -> Option<Vec<Section>> {
    if start.sections.offset == 0 {
        return None;
    }
    let least = if start.format.wide { 64 } else { 40 };
    if start.sections.count == 0 || start.programs.count == PN_XNUM || start.names == PN_XNUM {
        let first = entries(
            source,
            Table {
                count: 1,
                ..start.sections
            },
            least,
        )?;
        let (_, zero, info) = section(start.format, first.first()?)?;
        if start.sections.count == 0 {
            start.sections.count = zero.size;
        }
        if start.programs.count == PN_XNUM {
            start.programs.count = u64::from(info);
        }
        if start.names == PN_XNUM {
            start.names = u64::from(zero.link);
        }
    }
    let all = entries(source, start.sections, least)?;
    let mut sections: Vec<(u32, Section, u32)> = all
        .iter()
        .map(|e| section(start.format, e))
        .collect::<Option<_>>()?;
    let names = sections.get(usize::try_from(start.names).ok()?)?;
    let names = source.read(names.1.offset, names.1.size).ok()?;
    for (name, section, _) in &mut sections {
        section.name = text(&names, *name).to_owned();
    }
    Some(sections.into_iter().map(|(_, s, _)| s).collect())
}

/// A section header without its name: (place of the name, header, `sh_info`).
fn section(format: Format, bytes: &[u8]) -> Option<(u32, Section, u32)> {
    let mut at = Fields::new(format, bytes);
    let name = at.word()?;
    let kind = at.word()?;
    let (flags, vaddr, offset, size) = (at.wide()?, at.wide()?, at.wide()?, at.wide()?);
    let (link, info) = (at.word()?, at.word()?);
    let (_align, entry_size) = (at.wide()?, at.wide()?);
    Some((
        name,
        Section {
            name: String::new(),
            kind,
            flags,
            vaddr,
            offset,
            size,
            link,
            entry_size,
        },
        info,
    ))
}

/// The NUL-terminated text at a place of a string table; empty if it is outside or no UTF-8.
pub(super) fn text(names: &[u8], at: u32) -> &str {
    let rest = names.get(at as usize..).unwrap_or_default();
    let len = rest.iter().position(|b| *b == 0).unwrap_or(0);
    rest.get(..len)
        .and_then(|b| std::str::from_utf8(b).ok())
        .unwrap_or_default()
}

fn build_id(
    source: &Source,
    format: Format,
    programs: &[Program],
    sections: &[Section],
) -> Option<Vec<u8>> {
    let by_program = programs
        .iter()
        .filter(|p| p.kind == PT_NOTE)
        .map(|p| (p.segment.offset, p.segment.file_size));
    let by_section = sections
        .iter()
        .filter(|s| s.kind == SHT_NOTE)
        .map(|s| (s.offset, s.size));
    // Debug files keep program headers whose bytes are gone; there the sections count.
    by_section
        .chain(by_program)
        .filter_map(|(offset, size)| piece(source, offset, size))
        .find_map(|notes| gnu_build_id(format, &notes))
}

fn gnu_build_id(format: Format, notes: &[u8]) -> Option<Vec<u8>> {
    let mut all = Notes::of(format, notes);
    let own = |n: &Note<'_>| n.kind == NT_GNU_BUILD_ID && n.owner == b"GNU\0" && !n.desc.is_empty();
    all.find(own).map(|n| n.desc.to_vec())
}

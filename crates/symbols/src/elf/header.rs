//! The headers of a file: what it is, its segments and sections, its build id.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use object::elf::{self, FileHeader32, FileHeader64};
use object::pod::{Pod, slice_from_bytes};
use object::read::ReadRef;
use object::read::elf::{FileHeader, ProgramHeader, SectionHeader};
use object::{Endianness, FileKind};

use super::notes::{Note, Notes};
use super::source::{Pieces, Source};
use super::{Class, Kind, Section, Segment};
use crate::Error;

/// Longest path of a dynamic linker, and longest note section that is searched.
const MOST_NOTES: u64 = 1 << 16;

/// What the headers say.
#[derive(Debug)]
pub(super) struct Header {
    pub(super) class: Class,
    pub(super) endian: Endianness,
    pub(super) kind: Kind,
    pub(super) machine: u16,
    pub(super) entry: u64,
    pub(super) segments: Vec<Segment>,
    pub(super) sections: Vec<Section>,
    pub(super) interpreter: Option<PathBuf>,
    pub(super) build_id: Option<Vec<u8>>,
}

impl Header {
    pub(super) fn read(source: &Source, path: &Path) -> Result<Header, Error> {
        let first = source
            .read(0, source.len().min(4))
            .map_err(|cause| Error::Io {
                path: path.to_owned(),
                cause,
            })?;
        if first != elf::ELFMAG {
            return Err(Error::NotElf(path.to_owned()));
        }
        let pieces = source.pieces();
        let header = match FileKind::parse(&pieces) {
            Ok(FileKind::Elf32) => of::<FileHeader32<Endianness>>(&pieces, Class::Elf32),
            Ok(FileKind::Elf64) => of::<FileHeader64<Endianness>>(&pieces, Class::Elf64),
            Ok(_) | Err(_) => Err("file header"),
        };
        header.map_err(|what| Error::Malformed {
            path: path.to_owned(),
            what,
        })
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

/// The headers of a file of one class; an error says which part is damaged.
fn of<E: FileHeader<Endian = Endianness>>(
    data: &Pieces<'_>,
    class: Class,
) -> Result<Header, &'static str> {
    let start = E::parse(data).map_err(|_| "file header")?;
    let endian = start.endian().map_err(|_| "file header")?;
    // A damaged or stripped-off section table leaves the segments, which are what the kernel loads by.
    let sections = sections(start, endian, data).unwrap_or_default();
    let programs = start
        .program_headers(endian, data)
        .map_err(|_| "program headers")?;
    let loaded = programs.iter().filter(|p| p.p_type(endian) == elf::PT_LOAD);
    Ok(Header {
        class,
        endian,
        kind: match start.e_type(endian) {
            elf::ET_EXEC => Kind::Exec,
            elf::ET_DYN => Kind::Dyn,
            _ => Kind::Other,
        },
        machine: start.e_machine(endian).0,
        entry: start.e_entry(endian).into(),
        segments: loaded.map(|p| segment(p, endian)).collect(),
        interpreter: programs
            .iter()
            .find(|p| p.p_type(endian) == elf::PT_INTERP)
            .and_then(|p| interpreter(p, endian, data)),
        build_id: build_id::<E>(programs, endian, &sections, data),
        sections,
    })
}

fn segment<P: ProgramHeader<Endian = Endianness>>(header: &P, endian: Endianness) -> Segment {
    let flags = header.p_flags(endian);
    Segment {
        vaddr: header.p_vaddr(endian).into(),
        offset: header.p_offset(endian).into(),
        file_size: header.p_filesz(endian).into(),
        mem_size: header.p_memsz(endian).into(),
        executable: flags.contains(elf::PF_X),
        writable: flags.contains(elf::PF_W),
    }
}

fn interpreter<P: ProgramHeader<Endian = Endianness>>(
    header: &P,
    endian: Endianness,
    data: &Pieces<'_>,
) -> Option<PathBuf> {
    let (offset, size) = header.file_range(endian);
    let mut path = piece(data, offset, size)?.to_vec();
    path.retain(|b| *b != 0);
    Some(PathBuf::from(OsString::from_vec(path)))
}

fn sections<E: FileHeader<Endian = Endianness>>(
    start: &E,
    endian: Endianness,
    data: &Pieces<'_>,
) -> Option<Vec<Section>> {
    let headers = start.section_headers(endian, data).ok()?;
    let names = headers.get(start.shstrndx(endian, data).ok()? as usize)?;
    let names = names.data(endian, data).ok()?;
    let section = |header: &E::SectionHeader| Section {
        name: text(names, header.sh_name(endian)).to_owned(),
        kind: header.sh_type(endian).0,
        executable: header.sh_flags(endian).contains(elf::SHF_EXECINSTR),
        vaddr: header.sh_addr(endian).into(),
        offset: header.sh_offset(endian).into(),
        size: header.sh_size(endian).into(),
        link: header.sh_link(endian),
        entry_size: header.sh_entsize(endian).into(),
        align: header.sh_addralign(endian).into(),
    };
    Some(headers.iter().map(section).collect())
}

/// The entries of a table, as many as there are whole ones.
pub(super) fn entries<T: Pod>(bytes: &[u8]) -> &[T] {
    slice_from_bytes(bytes, bytes.len() / size_of::<T>()).map_or(&[], |(all, _)| all)
}

/// The NUL-terminated text at a place of a string table; empty if it is outside or no UTF-8.
pub(super) fn text(names: &[u8], at: u32) -> &str {
    let rest = names.get(at as usize..).unwrap_or_default();
    let len = rest.iter().position(|b| *b == 0).unwrap_or(0);
    rest.get(..len)
        .and_then(|b| std::str::from_utf8(b).ok())
        .unwrap_or_default()
}

fn piece<'a>(data: &'a Pieces<'_>, offset: u64, size: u64) -> Option<&'a [u8]> {
    (size <= MOST_NOTES)
        .then(|| data.read_bytes_at(offset, size).ok())
        .flatten()
}

fn build_id<E: FileHeader<Endian = Endianness>>(
    programs: &[E::ProgramHeader],
    endian: Endianness,
    sections: &[Section],
    data: &Pieces<'_>,
) -> Option<Vec<u8>> {
    let by_program = programs
        .iter()
        .filter(|p| p.p_type(endian) == elf::PT_NOTE)
        .map(|p| (p.file_range(endian), p.p_align(endian).into()));
    let by_section = sections
        .iter()
        .filter(|s| s.kind == elf::SHT_NOTE.0)
        .map(|s| ((s.offset, s.size), s.align));
    // Debug files keep program headers whose bytes are gone; there the sections count.
    by_section
        .chain(by_program)
        .filter_map(|((offset, size), align)| {
            let bytes = piece(data, offset, size)?;
            gnu_build_id(Notes::of(endian, align, bytes))
        })
        .next()
}

fn gnu_build_id(mut notes: Notes<'_>) -> Option<Vec<u8>> {
    let own = |n: &Note<'_>| {
        n.kind == elf::NT_GNU_BUILD_ID.0 && n.owner == elf::ELF_NOTE_GNU && !n.desc.is_empty()
    };
    notes.find(own).map(|n| n.desc.to_vec())
}

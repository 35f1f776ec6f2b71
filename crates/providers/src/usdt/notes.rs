//! Notes of statically defined probes (`.note.stapsdt`, SystemTap's `sys/sdt.h`): where they are, what their arguments
//! are.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use image::Operand;
use symbols::ElfFile;
use symbols::elf::{Note as Elf, notes};

use super::operand;

/// Where they are.
const SECTION: &str = ".note.stapsdt";
/// Owner and type of the notes.
const OWNER: &[u8] = b"stapsdt";
const TYPE: u32 = 3;
/// Place, base and semaphore before the texts of a note.
const ADDRESSES: usize = 24;
/// Section whose address tells how far a linker moved things after the notes were written.
const BASE: &str = ".stapsdt.base";

/// One place of a probe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Note {
    /// Provider.
    pub provider: String,
    /// Name, with `-` for `__`.
    pub name: String,
    /// Its address, in the file's own numbering.
    pub place: u64,
    /// Byte offset in the file.
    pub offset: u64,
    /// Byte offset in the file of its semaphore, 0 for none.
    pub semaphore: u32,
    /// Arguments.
    pub operands: Arc<[Operand]>,
}

impl Note {
    /// The function that it is in, may be empty. Reads the file's symbols.
    pub fn function<'a>(&self, elf: &'a ElfFile) -> &'a str {
        elf.lookup(self.place).map_or("", |(f, _)| f.name)
    }
}

/// Whether a file has such notes.
pub(super) fn are_in(elf: &ElfFile) -> bool {
    elf.sections().iter().any(|s| s.name == SECTION)
}

/// The notes of a file.
pub(super) fn of(elf: &ElfFile) -> Vec<Note> {
    let Ok(Some(section)) = elf.section(SECTION) else {
        return Vec::new();
    };
    let base = elf.sections().iter().find(|s| s.name == BASE);
    let base = base.map(|s| s.vaddr);
    let mut symbols = operand::Symbols::new(elf);
    let mut found = Vec::new();
    let own = |n: &Elf<'_>| n.owner == OWNER && n.kind == TYPE;
    for n in notes(&section).filter(own) {
        found.extend(note(elf, base, n.desc, &mut symbols));
    }
    found
}

/// Owner, section and type of the notes that hold definitions of providers as D text.
const INTERFACE_OWNER: &[u8] = b"dtrace";
const INTERFACE_SECTION: &str = ".note.dtrace";
const INTERFACE_TYPE: u32 = 1;

/// The definitions of providers that a file brings, by the provider's name. (`dtrace -h` puts them into each object of a
/// program, so that one may be there several times.)
pub(super) fn interfaces(elf: &ElfFile) -> HashMap<String, Rc<str>> {
    let mut found = HashMap::new();
    let Ok(Some(section)) = elf.section(INTERFACE_SECTION) else {
        return found;
    };
    let own = |n: &Elf<'_>| n.owner == INTERFACE_OWNER && n.kind == INTERFACE_TYPE;
    for n in notes(&section).filter(own) {
        let text = n.desc.split(|b| *b == 0).next().unwrap_or_default();
        let Ok(text) = std::str::from_utf8(text) else {
            continue;
        };
        let name = text
            .strip_prefix("provider ")
            .and_then(|t| t.split_whitespace().next());
        if let Some(name) = name {
            found.insert(name.to_owned(), Rc::from(text));
        }
    }
    found
}

fn note(
    elf: &ElfFile,
    base: Option<u64>,
    desc: &[u8],
    symbols: &mut operand::Symbols<'_>,
) -> Option<Note> {
    let address = |n: usize| Some(u64::from_le_bytes(*desc.get(n * 8..)?.first_chunk()?));
    let (place, noted, semaphore) = (address(0)?, address(1)?, address(2)?);
    let moved = base.map_or(0, |base| base.wrapping_sub(noted));
    let place = place.wrapping_add(moved);
    let mut texts = desc.get(ADDRESSES..)?.split(|b| *b == 0);
    let mut text = || texts.next().and_then(|t| std::str::from_utf8(t).ok());
    let (provider, name, args) = (text()?, text()?, text()?);
    let semaphore = match semaphore {
        0 => 0,
        at => u32::try_from(elf.vaddr_to_offset(at.wrapping_add(moved))?).ok()?,
    };
    Some(Note {
        provider: provider.to_owned(),
        name: name.replace("__", "-"),
        place,
        offset: elf.vaddr_to_offset(place)?,
        semaphore,
        operands: operand::parse_all(elf.machine(), args, place, symbols).into(),
    })
}

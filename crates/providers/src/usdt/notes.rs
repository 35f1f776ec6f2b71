//! Notes of statically defined probes (`.note.stapsdt`, SystemTap's `sys/sdt.h`): where they are, what their arguments
//! are.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use image::Operand;
use symbols::ElfFile;

use super::operand;

/// Where they are.
const SECTION: &str = ".note.stapsdt";
/// Owner and type of the notes.
const OWNER: &[u8] = b"stapsdt\0";
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
    let mut rest = section.as_slice();
    while let Some((owner, kind, desc, behind)) = next(rest) {
        rest = behind;
        if owner == OWNER && kind == TYPE {
            found.extend(note(elf, base, desc, &mut symbols));
        }
    }
    found
}

/// Owner, section and type of the notes that hold definitions of providers as D text.
const INTERFACE_OWNER: &[u8] = b"dtrace\0";
const INTERFACE_SECTION: &str = ".note.dtrace";
const INTERFACE_TYPE: u32 = 1;

/// The definitions of providers that a file brings, by the provider's name. (`dtrace -h` puts them into each object of a
/// program, so that one may be there several times.)
pub(super) fn interfaces(elf: &ElfFile) -> HashMap<String, Rc<str>> {
    let mut found = HashMap::new();
    let Ok(Some(section)) = elf.section(INTERFACE_SECTION) else {
        return found;
    };
    let mut rest = section.as_slice();
    while let Some((owner, kind, desc, behind)) = next(rest) {
        rest = behind;
        let text = desc.split(|b| *b == 0).next().unwrap_or_default();
        let Ok(text) = std::str::from_utf8(text) else {
            continue;
        };
        let name = text
            .strip_prefix("provider ")
            .and_then(|t| t.split_whitespace().next());
        if let Some(name) = name.filter(|_| owner == INTERFACE_OWNER && kind == INTERFACE_TYPE) {
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

type Parts<'a> = (&'a [u8], u32, &'a [u8], &'a [u8]);

/// Owner, type and description of the first note, and what is behind it.
fn next(section: &[u8]) -> Option<Parts<'_>> {
    let word = |at: usize| {
        let bytes = section.get(at..)?.first_chunk::<4>()?;
        Some(u32::from_le_bytes(*bytes))
    };
    let (owner_len, desc_len, kind) = (word(0)? as usize, word(4)? as usize, word(8)?);
    let owner_end = 12usize.checked_add(owner_len)?;
    let desc_at = owner_end.checked_next_multiple_of(4)?;
    let desc_end = desc_at.checked_add(desc_len)?;
    let owner = section.get(12..owner_end)?;
    let desc = section.get(desc_at..desc_end)?;
    let behind = desc_end.checked_next_multiple_of(4)?;
    Some((owner, kind, desc, section.get(behind..).unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_walked() {
        let mut bytes = Vec::new();
        for (owner, desc) in [(&b"GNU\0"[..], &b"abc"[..]), (OWNER, b"xy")] {
            for word in [owner.len() as u32, desc.len() as u32, TYPE] {
                bytes.extend(word.to_le_bytes());
            }
            for part in [owner, desc] {
                bytes.extend(part);
                bytes.resize(bytes.len().next_multiple_of(4), 0);
            }
        }
        let (owner, _, desc, rest) = next(&bytes).unwrap();
        assert_eq!((owner, desc), (&b"GNU\0"[..], &b"abc"[..]));
        let (owner, kind, desc, rest) = next(rest).unwrap();
        assert_eq!((owner, kind, desc), (OWNER, TYPE, &b"xy"[..]));
        assert!(next(rest).is_none());
        assert!(next(&bytes[..14]).is_none());
    }
}

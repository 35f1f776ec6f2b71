//! Notes: the one walker of note sections and segments.

use object::Endianness;
use object::elf::FileHeader64;
use object::read::elf::NoteIterator;

/// A note.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Note<'a> {
    /// Who defines what the type means.
    pub owner: &'a [u8],
    /// Type.
    pub kind: u32,
    /// What it says.
    pub desc: &'a [u8],
}

/// The notes of a section, up to the first that is damaged.
pub struct Notes<'a> {
    endian: Endianness,
    /// (Notes of 32-bit files look the same.)
    all: Option<NoteIterator<'a, FileHeader64<Endianness>>>,
}

/// The notes of a section of a little-endian file.
pub fn notes(section: &[u8]) -> Notes<'_> {
    Notes::of(Endianness::Little, 4, section)
}

impl<'a> Notes<'a> {
    pub(super) fn of(endian: Endianness, align: u64, section: &'a [u8]) -> Notes<'a> {
        Notes {
            endian,
            all: NoteIterator::new(endian, align, section).ok(),
        }
    }
}

impl<'a> Iterator for Notes<'a> {
    type Item = Note<'a>;

    fn next(&mut self) -> Option<Note<'a>> {
        let note = self.all.as_mut()?.next().ok()??;
        Some(Note {
            owner: note.name(),
            kind: note.n_type(self.endian).0,
            desc: note.desc(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_walked() {
        let mut bytes = Vec::new();
        for (owner, desc) in [(&b"GNU\0"[..], &b"abc"[..]), (b"stapsdt\0", b"xy")] {
            for word in [owner.len() as u32, desc.len() as u32, 3] {
                bytes.extend(word.to_le_bytes());
            }
            for part in [owner, desc] {
                bytes.extend(part);
                bytes.resize(bytes.len().next_multiple_of(4), 0);
            }
        }
        let all: Vec<_> = notes(&bytes).map(|n| (n.owner, n.kind, n.desc)).collect();
        let want = [(&b"GNU"[..], 3, &b"abc"[..]), (b"stapsdt", 3, b"xy")];
        assert_eq!(all, want);
        for cut in 0..bytes.len() {
            assert!(notes(&bytes[..cut]).count() <= 2);
        }
        assert_eq!(notes(&[0xff; 40]).count(), 0);
    }
}

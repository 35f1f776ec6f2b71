//! Notes: the one walker of note sections and segments.

use super::header::{Fields, Format};

/// A note.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Note<'a> {
    /// Who defines what the type means, with its NUL.
    pub owner: &'a [u8],
    /// Type.
    pub kind: u32,
    /// What it says.
    pub desc: &'a [u8],
}

/// The notes of a section, up to the first that is damaged.
pub struct Notes<'a>(Fields<'a>);

/// The notes of a section of a little-endian file.
pub fn notes(section: &[u8]) -> Notes<'_> {
    Notes(Fields::new(Format::LITTLE, section))
}

impl<'a> Notes<'a> {
    pub(super) fn of(format: Format, section: &'a [u8]) -> Notes<'a> {
        Notes(Fields::new(format, section))
    }
}

impl<'a> Iterator for Notes<'a> {
    type Item = Note<'a>;

    fn next(&mut self) -> Option<Note<'a>> {
        let at = &mut self.0;
        let (owner, desc, kind) = (at.word()?, at.word()?, at.word()?);
        Some(Note {
            owner: at.padded(owner as usize)?,
            kind,
            desc: at.padded(desc as usize)?,
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
        let want = [(&b"GNU\0"[..], 3, &b"abc"[..]), (b"stapsdt\0", 3, b"xy")];
        assert_eq!(all, want);
        for cut in 0..bytes.len() {
            assert!(notes(&bytes[..cut]).count() <= 2);
        }
        assert_eq!(notes(&[0xff; 40]).count(), 0);
    }
}

//! Notes: which probe sites an object has, and what a site's note looks like.

use symbols::elf::{Note, notes};

/// Owner of SystemTap's notes.
const STAPSDT: &[u8] = b"stapsdt";
/// Type of a probe site.
const SITE: u32 = 3;
/// Owner of the interface note.
const DTRACE: &[u8] = b"dtrace";
/// Type of an interface.
const INTERFACE: u32 = 1;
/// Site, base and semaphore before the texts of a note.
const ADDRESSES: usize = 24;

/// `(provider, probe)` of each site that a `.note.stapsdt` section describes. Stops at the first malformed note.
pub(crate) fn sites(section: &[u8]) -> Vec<(String, String)> {
    let own = |n: &Note<'_>| n.owner == STAPSDT && n.kind == SITE;
    let names = |n: Note<'_>| {
        let texts = n.desc.get(ADDRESSES..)?;
        let mut texts = texts.split(|b| *b == 0).map(String::from_utf8_lossy);
        Some((texts.next()?.into_owned(), texts.next()?.into_owned()))
    };
    notes(section).filter(own).filter_map(names).collect()
}

/// The note of a site, its three addresses still zero, and where they are in it.
pub(crate) fn site(provider: &str, probe: &str, args: &str) -> (Vec<u8>, usize) {
    let mut desc = vec![0; ADDRESSES];
    for text in [provider, probe, args] {
        desc.extend(text.as_bytes());
        desc.push(0);
    }
    let addresses = (12 + STAPSDT.len() + 1).next_multiple_of(4);
    (note(STAPSDT, SITE, &desc), addresses)
}

/// The note of a provider's interface.
pub(crate) fn interface(text: &str) -> Vec<u8> {
    let desc = [text.as_bytes(), &[0]].concat();
    note(DTRACE, INTERFACE, &desc)
}

fn note(owner: &[u8], kind: u32, desc: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let owner = [owner, &[0]].concat();
    for word in [owner.len() as u32, desc.len() as u32, kind] {
        bytes.extend(word.to_le_bytes());
    }
    for part in [&owner[..], desc] {
        bytes.extend(part);
        bytes.resize(bytes.len().next_multiple_of(4), 0);
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_can_be_read() {
        let section = [
            interface("provider p { };"),
            site("p", "one", "-4@%edi").0,
            site("p", "t__wo", "").0,
        ]
        .concat();
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(sites(&section), [pair("p", "one"), pair("p", "t__wo")]);
        for cut in 0..section.len() {
            let part = section.get(..cut).unwrap_or_default();
            assert!(sites(part).len() <= 2, "{cut}");
        }
        let huge = [0xff; 40];
        assert!(sites(&huge).is_empty());
    }
}

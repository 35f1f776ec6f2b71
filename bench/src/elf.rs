//! Just enough of ELF (64 bits, little endian) to load what clang makes of `bpf/*.bpf.c`, and to see whether an
//! executable is static. Inputs are our own build products; whatever is malformed is an error all the same.

/// Section types.
const SYMTAB: u32 = 2;
const REL: u32 = 9;
/// Program header types.
const PT_DYNAMIC: u32 = 2;
const PT_INTERP: u32 = 3;
/// Dynamic tag of a needed library.
const DT_NEEDED: u64 = 1;

/// A section.
#[derive(Clone, Debug)]
pub struct Section<'a> {
    /// Name.
    pub name: String,
    /// Contents.
    pub bytes: &'a [u8],
    kind: u32,
    info: u32,
}

/// A map that an object defines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapDef {
    /// Variable name.
    pub name: String,
    /// `BPF_MAP_TYPE_*`.
    pub kind: u32,
    /// Bytes of a key.
    pub key_size: u32,
    /// Bytes of a value.
    pub value_size: u32,
    /// Entries.
    pub max_entries: u32,
}

/// A BPF object with one program.
#[derive(Clone, Debug)]
pub struct Object {
    /// What follows `raw_tp/` in the section name.
    pub tracepoint: String,
    /// Instructions.
    pub code: Vec<u8>,
    /// Maps.
    pub maps: Vec<MapDef>,
    /// Byte offset of an instruction and the index of the map that it holds.
    pub relocs: Vec<(usize, usize)>,
}

fn u16_at(b: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(b.get(at..at + 2)?.try_into().ok()?))
}

fn u32_at(b: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(b.get(at..at + 4)?.try_into().ok()?))
}

fn u64_at(b: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(b.get(at..at + 8)?.try_into().ok()?))
}

fn string_at(table: &[u8], at: usize) -> Option<String> {
    let text = table.get(at..)?.split(|b| *b == 0).next()?;
    Some(String::from_utf8_lossy(text).into_owned())
}

fn range(file: &[u8], offset: u64, size: u64) -> Option<&[u8]> {
    let start = usize::try_from(offset).ok()?;
    file.get(start..start.checked_add(usize::try_from(size).ok()?)?)
}

fn sections(file: &[u8]) -> Option<Vec<Section<'_>>> {
    if file.get(..6)? != b"\x7fELF\x02\x01" {
        return None;
    }
    let (table, entry) = (u64_at(file, 0x28)?, u16_at(file, 0x3a)?);
    let (count, names) = (u16_at(file, 0x3c)?, u16_at(file, 0x3e)?);
    let header = |i: u16| range(file, table + u64::from(i) * u64::from(entry), 64);
    let bytes = |h: &[u8]| match u32_at(h, 4)? {
        // A section without contents in the file.
        8 => Some((0, 0)),
        _ => Some((u64_at(h, 0x18)?, u64_at(h, 0x20)?)),
    };
    let (offset, size) = bytes(header(names)?)?;
    let names = range(file, offset, size)?;
    let mut all = Vec::new();
    for i in 0..count {
        let h = header(i)?;
        let (offset, size) = bytes(h)?;
        all.push(Section {
            name: string_at(names, u32_at(h, 0)? as usize)?,
            bytes: range(file, offset, size)?,
            kind: u32_at(h, 4)?,
            info: u32_at(h, 0x2c)?,
        });
    }
    Some(all)
}

/// Reads an object of one raw-tracepoint program.
pub fn object(file: &[u8]) -> Option<Object> {
    let all = sections(file)?;
    let named = |name: &str| all.iter().find(|s| s.name == name);
    let index = all.iter().position(|s| s.name.starts_with("raw_tp/"))?;
    let program = all.get(index)?;
    let symbols = all.iter().find(|s| s.kind == SYMTAB)?.bytes;
    let strings = named(".strtab")?.bytes;
    let (mut maps, mut relocs) = (Vec::new(), Vec::new());
    let rel = all
        .iter()
        .find(|s| s.kind == REL && s.info as usize == index);
    for entry in rel.map_or(&[][..], |s| s.bytes).chunks_exact(16) {
        let symbol = symbols.get((u64_at(entry, 8)? >> 32) as usize * 24..)?;
        let map = map_def(
            named("maps")?.bytes,
            string_at(strings, u32_at(symbol, 0)? as usize)?,
            usize::try_from(u64_at(symbol, 8)?).ok()?,
        )?;
        let known = maps.iter().position(|m| *m == map);
        let number = known.unwrap_or_else(|| {
            maps.push(map);
            maps.len() - 1
        });
        relocs.push((usize::try_from(u64_at(entry, 0)?).ok()?, number));
    }
    Some(Object {
        tracepoint: program.name.strip_prefix("raw_tp/")?.to_string(),
        code: program.bytes.to_vec(),
        maps,
        relocs,
    })
}

fn map_def(section: &[u8], name: String, at: usize) -> Option<MapDef> {
    Some(MapDef {
        name,
        kind: u32_at(section, at)?,
        key_size: u32_at(section, at + 4)?,
        value_size: u32_at(section, at + 8)?,
        max_entries: u32_at(section, at + 12)?,
    })
}

/// Whether an executable needs neither an interpreter nor a library; `None` if it is not ELF.
pub fn is_static(file: &[u8]) -> Option<bool> {
    if file.get(..6)? != b"\x7fELF\x02\x01" {
        return None;
    }
    let (table, entry) = (u64_at(file, 0x20)?, u16_at(file, 0x36)?);
    for i in 0..u16_at(file, 0x38)? {
        let h = range(file, table + u64::from(i) * u64::from(entry), 56)?;
        let contents = range(file, u64_at(h, 8)?, u64_at(h, 0x20)?);
        match u32_at(h, 0)? {
            PT_INTERP => return Some(false),
            PT_DYNAMIC => {
                let mut tags = contents?.chunks_exact(16);
                if tags.any(|tag| u64_at(tag, 0) == Some(DT_NEEDED)) {
                    return Some(false);
                }
            }
            _ => {}
        }
    }
    Some(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn garbage_is_refused() {
        assert!(object(b"").is_none());
        assert!(object(b"\x7fELF\x02\x01").is_none());
        assert!(object(&[0xff; 4096]).is_none());
        assert!(is_static(b"#!/bin/sh").is_none());
    }

    #[test]
    fn this_test_is_a_static_executable_or_not_as_built() {
        let me = std::fs::read(std::env::current_exe().expect("path")).expect("readable");
        assert_eq!(is_static(&me), Some(cfg!(target_feature = "crt-static")));
    }

    #[test]
    fn cut_off_executables_are_no_panic() {
        let me = std::fs::read(std::env::current_exe().expect("path")).expect("readable");
        for len in 0..600 {
            let _ = is_static(&me[..len]);
            assert!(object(&me[..len]).is_none());
        }
    }
}

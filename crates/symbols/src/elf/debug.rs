//! Where the symbols of a stripped file may be: a separate debug file, or a small one packed inside (`.gnu_debugdata`).

use std::io::{Error, ErrorKind, Write};
use std::path::{Path, PathBuf};

use object::Endian;

use super::ElfFile;

/// Where distributions put debug files.
const DEBUG_ROOT: &str = "usr/lib/debug";
/// Most bytes that a packed symbol table may have; it is a fraction of its file.
const MOST_UNPACKED: usize = 256 << 20;
/// Bytes read at a time for a checksum.
const PIECE: u64 = 1 << 20;

/// Files that have more symbols of `file`, open. None if it has its own complete table.
pub(super) fn others(file: &ElfFile) -> Vec<ElfFile> {
    if file.header.section(".symtab").is_some() {
        return Vec::new();
    }
    let separate = by_build_id(file).or_else(|| by_link(file));
    match separate {
        Some(found) => vec![found],
        None => packed(file).into_iter().collect(),
    }
}

/// `file`'s own root first: a container has its own debug files.
fn roots(file: &ElfFile) -> Vec<&Path> {
    let own = Path::new("/");
    if file.root == own {
        vec![own]
    } else {
        vec![&file.root, own]
    }
}

fn open(path: &Path) -> Option<ElfFile> {
    let found = ElfFile::open(path).ok()?;
    found.header.section(".symtab").is_some().then_some(found)
}

fn by_build_id(file: &ElfFile) -> Option<ElfFile> {
    let id = file.build_id()?;
    let hex: String = id.iter().map(|b| format!("{b:02x}")).collect();
    let (first, rest) = hex.split_at_checked(2)?;
    let name = format!("{DEBUG_ROOT}/.build-id/{first}/{rest}.debug");
    roots(file).iter().find_map(|root| {
        let found = open(&root.join(&name))?;
        (found.build_id() == Some(id)).then_some(found)
    })
}

/// A name in the directory of the file, in `.debug` below it, or in the same place below the debug directory; and a
/// checksum that tells the right file from one of another build.
fn by_link(file: &ElfFile) -> Option<ElfFile> {
    let section = file.header.section(".gnu_debuglink")?;
    let bytes = file.section_bytes(section).ok()??;
    let len = bytes.iter().position(|b| *b == 0)?;
    let name = Path::new(std::str::from_utf8(bytes.get(..len)?).ok()?);
    let at = (len + 1).next_multiple_of(4);
    let crc = file
        .header
        .endian
        .read_u32(*bytes.get(at..)?.first_chunk()?);
    let dir = file.path.strip_prefix("/").ok()?.parent()?;
    let places = |root: &Path| -> [PathBuf; 3] {
        [
            root.join(dir).join(name),
            root.join(dir).join(".debug").join(name),
            root.join(DEBUG_ROOT).join(dir).join(name),
        ]
    };
    let mut all = roots(file).into_iter().flat_map(places);
    all.find_map(|path| {
        let found = open(&path)?;
        let same = match (file.build_id(), found.build_id()) {
            (Some(a), Some(b)) => a == b,
            (Some(_) | None, Some(_) | None) => checksum(&found) == Some(crc),
        };
        same.then_some(found)
    })
}

/// CRC-32 (IEEE 802.3) of a whole file.
fn checksum(file: &ElfFile) -> Option<u32> {
    let table: [u32; 256] = std::array::from_fn(|n| {
        (0..8).fold(n as u32, |c, _| {
            if c & 1 == 1 {
                (c >> 1) ^ 0xedb8_8320
            } else {
                c >> 1
            }
        })
    });
    let len = file.source.len();
    let mut crc = u32::MAX;
    let mut at = 0;
    while at < len {
        let size = PIECE.min(len - at);
        for byte in file.source.read(at, size).ok()? {
            let index = usize::from((crc as u8) ^ byte);
            crc = (crc >> 8) ^ table.get(index).copied().unwrap_or(0);
        }
        at += size;
    }
    Some(!crc)
}

/// Collects bytes up to a limit, so that a made-up archive cannot take all memory.
struct Limited(Vec<u8>);

impl Write for Limited {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if self.0.len() + bytes.len() > MOST_UNPACKED {
            return Err(Error::new(ErrorKind::OutOfMemory, "unpacked size"));
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn packed(file: &ElfFile) -> Option<ElfFile> {
    let section = file.header.section(".gnu_debugdata")?;
    let bytes = file.section_bytes(section).ok()??;
    let mut unpacked = Limited(Vec::new());
    lzma_rs::xz_decompress(&mut bytes.as_slice(), &mut unpacked).ok()?;
    ElfFile::from_bytes(unpacked.0, &file.path).ok()
}

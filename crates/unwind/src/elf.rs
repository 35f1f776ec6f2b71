//! What of an ELF file is needed: its code segments and its unwind data. Source: the System V ABI and its x86-64
//! supplement.

use std::fs::File;
use std::os::unix::fs::FileExt;

use crate::Error;

/// Something that has the bytes of an ELF file.
pub trait Source {
    /// `len` bytes from `offset` on; an error if they are not there.
    fn bytes(&self, offset: u64, len: usize) -> std::io::Result<Vec<u8>>;
}

impl Source for File {
    fn bytes(&self, offset: u64, len: usize) -> std::io::Result<Vec<u8>> {
        // A header may claim anything: memory is taken for what is there.
        let last = (len as u64).checked_sub(1);
        let end = last.and_then(|last| offset.checked_add(last));
        self.read_exact_at(&mut [0; 1], end.ok_or(std::io::ErrorKind::InvalidData)?)?;
        let mut out = vec![0; len];
        self.read_exact_at(&mut out, offset)?;
        Ok(out)
    }
}

impl Source for Vec<u8> {
    fn bytes(&self, offset: u64, len: usize) -> std::io::Result<Vec<u8>> {
        let from = usize::try_from(offset).unwrap_or(usize::MAX);
        let found = from.checked_add(len).and_then(|to| self.get(from..to));
        found
            .map(<[u8]>::to_vec)
            .ok_or_else(|| std::io::ErrorKind::UnexpectedEof.into())
    }
}

/// Unwind data larger than this are not read.
const LARGEST: u64 = 1 << 30;
const HEADER: usize = 64;
const MACHINE: u16 = 62;
const PT_LOAD: u32 = 1;
const PT_EH_FRAME: u32 = 0x6474_e550;
const PF_X: u32 = 1;
const SHT_NOBITS: u32 = 8;

/// A loadable segment.
#[derive(Clone, Copy, Debug)]
struct Segment {
    kind: u32,
    flags: u32,
    offset: u64,
    address: u64,
    size: u64,
}

impl Segment {
    fn to_offset(self, address: u64) -> Option<u64> {
        let into = address.checked_sub(self.address)?;
        (into < self.size).then(|| self.offset.checked_add(into))?
    }
}

/// An open file.
#[derive(Clone)]
pub(crate) struct Image {
    segments: Vec<Segment>,
    /// Address of the unwind data.
    pub(crate) frames_at: u64,
    /// The unwind data.
    pub(crate) frames: Vec<u8>,
}

impl Image {
    /// Finds segments and unwind data.
    pub(crate) fn open(source: &dyn Source) -> Result<Image, Error> {
        let header = source.bytes(0, HEADER).map_err(|_| Error::Foreign)?;
        let h = Fields(&header);
        let magic = h.0.get(..6) == Some(b"\x7fELF\x02\x01".as_slice());
        if !magic || h.half(18) != Some(MACHINE) {
            return Err(Error::Foreign);
        }
        let segments = segments(source, h)?;
        let (frames_at, offset, size) = match section(source, h)? {
            Some(found) => found,
            None => from_segment(source, &segments)?.ok_or(Error::Absent)?,
        };
        if size == 0 || size > LARGEST {
            return Err(Error::Absent);
        }
        Ok(Image {
            frames: source.bytes(offset, size as usize)?,
            frames_at,
            segments,
        })
    }

    /// Where code is in the file: first byte and behind the last.
    pub(crate) fn code(&self) -> impl Iterator<Item = (u64, u64)> {
        let code = self.segments.iter().filter(|s| s.flags & PF_X != 0);
        code.filter(|s| s.kind == PT_LOAD)
            .map(|s| (s.offset, s.offset.saturating_add(s.size)))
    }

    /// Offset in the file of code at an address.
    pub(crate) fn code_offset(&self, address: u64) -> Option<u64> {
        let code = self.segments.iter().filter(|s| s.flags & PF_X != 0);
        code.filter(|s| s.kind == PT_LOAD)
            .find_map(|s| s.to_offset(address))
    }
}

fn segments(source: &dyn Source, h: Fields<'_>) -> Result<Vec<Segment>, Error> {
    let (at, size, count) = (
        h.long(32).unwrap_or(0),
        usize::from(h.half(54).unwrap_or(0)),
        usize::from(h.half(56).unwrap_or(0)),
    );
    if size < 56 {
        return Err(Error::Foreign);
    }
    let table = source.bytes(at, size * count)?;
    let one = |bytes| {
        let f = Fields(bytes);
        Some(Segment {
            kind: f.word(0)?,
            flags: f.word(4)?,
            offset: f.long(8)?,
            address: f.long(16)?,
            size: f.long(32)?,
        })
    };
    Ok(table.chunks_exact(size).filter_map(one).collect())
}

/// Address, offset and size of `.eh_frame`, by section headers.
fn section(source: &dyn Source, h: Fields<'_>) -> Result<Option<(u64, u64, u64)>, Error> {
    let (at, size, count, names) = (
        h.long(40).unwrap_or(0),
        usize::from(h.half(58).unwrap_or(0)),
        usize::from(h.half(60).unwrap_or(0)),
        usize::from(h.half(62).unwrap_or(0)),
    );
    if size < 64 || at == 0 || count == 0 {
        return Ok(None);
    }
    let Ok(table) = source.bytes(at, size * count) else {
        return Ok(None);
    };
    let headers: Vec<_> = table.chunks_exact(size).map(Fields).collect();
    let place = |f: &Fields<'_>| Some((f.long(16)?, f.long(24)?, f.long(32)?));
    let Some((_, names_at, names_len)) = headers.get(names).and_then(place) else {
        return Ok(None);
    };
    if names_len > LARGEST {
        return Ok(None);
    }
    let names = source.bytes(names_at, names_len as usize)?;
    let named = |f: &&Fields<'_>| {
        let from = f.word(0).unwrap_or(u32::MAX) as usize;
        let name = names.get(from..).unwrap_or_default();
        name.starts_with(b".eh_frame\0") && f.word(4) != Some(SHT_NOBITS)
    };
    Ok(headers.iter().find(named).and_then(place))
}

/// The same by the segment of `.eh_frame_hdr`, where section headers were stripped: the data go to its segment's end.
fn from_segment(
    source: &dyn Source,
    segments: &[Segment],
) -> Result<Option<(u64, u64, u64)>, Error> {
    let Some(header) = segments.iter().find(|s| s.kind == PT_EH_FRAME) else {
        return Ok(None);
    };
    let bytes = source.bytes(header.offset, 8)?;
    // Version 1, the pointer as four bytes relative to itself: what all linkers write.
    if bytes.get(..2) != Some([1, 0x1b].as_slice()) {
        return Ok(None);
    }
    let relative = Fields(&bytes).word(4).unwrap_or(0) as i32;
    let address = (header.address.wrapping_add(4)).wrapping_add_signed(i64::from(relative));
    let found = segments.iter().filter(|s| s.kind == PT_LOAD).find_map(|s| {
        let offset = s.to_offset(address)?;
        Some((address, offset, s.offset.checked_add(s.size)? - offset))
    });
    Ok(found)
}

/// Little-endian fields of a header.
#[derive(Clone, Copy)]
struct Fields<'a>(&'a [u8]);

impl Fields<'_> {
    fn array<const N: usize>(&self, at: usize) -> Option<[u8; N]> {
        self.0.get(at..at + N)?.try_into().ok()
    }

    fn half(&self, at: usize) -> Option<u16> {
        self.array(at).map(u16::from_le_bytes)
    }

    fn word(&self, at: usize) -> Option<u32> {
        self.array(at).map(u32::from_le_bytes)
    }

    fn long(&self, at: usize) -> Option<u64> {
        self.array(at).map(u64::from_le_bytes)
    }
}

//! What of an ELF file is needed: its code segments and its unwind data. Source: the System V ABI and its supplements
//! for x86-64 and AArch64.

use std::fs::File;
use std::os::unix::fs::FileExt;

use crate::cfi::Range;
use crate::{Cfa, Error, Link, Machine, Rule};

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
    /// Whose code it is.
    pub(crate) machine: Machine,
    segments: Vec<Segment>,
    /// Address of the unwind data.
    pub(crate) frames_at: u64,
    /// The unwind data.
    pub(crate) frames: Vec<u8>,
    /// Where the procedure linkage table is in the file, if it was found: first byte, size.
    linkage: Option<(u64, u64)>,
}

/// Bytes of the first entry of a procedure linkage table of 64-bit Arm, which resolves names, and saves registers.
const FIRST_ENTRY: u64 = 32;

impl Image {
    /// Finds segments and unwind data.
    pub(crate) fn open(source: &dyn Source, machine: Machine) -> Result<Image, Error> {
        let header = source.bytes(0, HEADER).map_err(|_| Error::Foreign)?;
        let h = Fields(&header);
        let magic = h.0.get(..6) == Some(b"\x7fELF\x02\x01".as_slice());
        if !magic || h.half(18) != Some(machine.number()) {
            return Err(Error::Foreign);
        }
        let segments = segments(source, h)?;
        let (frames_at, offset, size) = match section(source, h, b".eh_frame\0")? {
            Some(found) => found,
            None => from_segment(source, &segments)?.ok_or(Error::Absent)?,
        };
        if size == 0 || size > LARGEST {
            return Err(Error::Absent);
        }
        Ok(Image {
            frames: source.bytes(offset, size as usize)?,
            linkage: section(source, h, b".plt\0")?.map(|(_, at, size)| (at, size)),
            machine,
            frames_at,
            segments,
        })
    }

    /// Code of 64-bit Arm from 0x1000 to 0x2000 with these unwind data.
    #[cfg(test)]
    pub(crate) fn arm(frames: Vec<u8>, frames_at: u32) -> Image {
        Image {
            machine: Machine::Aarch64,
            segments: vec![Segment {
                kind: PT_LOAD,
                flags: PF_X,
                offset: 0x1000,
                address: 0x1000,
                size: 0x1000,
            }],
            frames_at: frames_at.into(),
            frames,
            linkage: None,
        }
    }

    /// The rule of the procedure linkage table, of which the unwind data of 64-bit Arm say nothing: it only jumps.
    pub(crate) fn linkage(&self) -> Option<Range> {
        let (start, size) = self.linkage?;
        match self.machine {
            Machine::X86_64 => None,
            Machine::Aarch64 => Some(Range {
                start: start.checked_add(FIRST_ENTRY)?,
                end: start.checked_add(size)?,
                rule: Rule::Linked(Cfa::Sp(0), Link::Register),
            }),
        }
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

/// Functions by their dynamic symbols: where their code is in the file, and the code.
pub(crate) fn functions(
    source: &dyn Source,
    machine: Machine,
) -> Result<Vec<(u64, Vec<u8>)>, Error> {
    /// `STT_FUNC`, and bytes of a symbol.
    const FUNCTION: u8 = 2;
    const SYMBOL: usize = 24;
    let header = source.bytes(0, HEADER).map_err(|_| Error::Foreign)?;
    let h = Fields(&header);
    if h.half(18) != Some(machine.number()) {
        return Err(Error::Foreign);
    }
    let segments = segments(source, h)?;
    let (_, at, size) = section(source, h, b".dynsym\0")?.ok_or(Error::Absent)?;
    let symbols = source.bytes(at, size.min(1 << 20) as usize)?;
    let one = |bytes| {
        let f = Fields(bytes);
        let [info] = f.array(4)?;
        let (value, size) = (f.long(8)?, f.long(16)?);
        let code = (info & 15 == FUNCTION && size > 0).then_some(value)?;
        let start = segments.iter().find_map(|s| s.to_offset(code))?;
        Some((start, source.bytes(start, size as usize).ok()?))
    };
    Ok(symbols.chunks_exact(SYMBOL).filter_map(one).collect())
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

/// Address, offset and size of the section of a name, with its end, by section headers.
fn section(
    source: &dyn Source,
    h: Fields<'_>,
    name: &[u8],
) -> Result<Option<(u64, u64, u64)>, Error> {
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
        let found = names.get(from..).unwrap_or_default();
        found.starts_with(name) && f.word(4) != Some(SHT_NOBITS)
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

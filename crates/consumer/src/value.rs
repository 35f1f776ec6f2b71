//! Values: recorded data and keys, decoded from bytes but not copied.

use crate::error::{Error, Result};
use image::layout::SPARE_FRAMES;
use image::{ClauseDesc, Datum, DatumKind, Image, Probe, ProbeField, SymKind};

/// Reads a native-endian u32 at `at`.
pub(crate) fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    let end = at.checked_add(4)?;
    bytes.get(at..end)?.try_into().ok().map(u32::from_ne_bytes)
}

/// Reads a native-endian u64 at `at`.
pub(crate) fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    let end = at.checked_add(8)?;
    bytes.get(at..end)?.try_into().ok().map(u64::from_ne_bytes)
}

/// Reads a native-endian integer of 1, 2, 4 or 8 bytes, zero-extended.
pub(crate) fn int_at(bytes: &[u8], at: usize, size: u8) -> Option<u64> {
    match size {
        1 => bytes.get(at).copied().map(u64::from),
        2 => bytes
            .get(at..at.checked_add(2)?)?
            .try_into()
            .ok()
            .map(|b| u64::from(u16::from_ne_bytes(b))),
        4 => u32_at(bytes, at).map(u64::from),
        8 => u64_at(bytes, at),
        _ => None,
    }
}

/// The bytes before the first NUL.
pub(crate) fn until_nul(bytes: &[u8]) -> &[u8] {
    let len = bytes.iter().position(|b| *b == 0).unwrap_or(bytes.len());
    bytes.get(..len).unwrap_or(bytes)
}

/// An integer of a D type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Int {
    /// Zero-extended.
    pub bits: u64,
    pub bytes: u8,
    pub signed: bool,
}

impl Int {
    pub(crate) fn i64(v: i64) -> Int {
        Int {
            bits: v as u64,
            bytes: 8,
            signed: true,
        }
    }

    /// Sign-extended from its size, whatever its type.
    pub(crate) fn extended(self) -> i64 {
        match self.bytes {
            1 => i64::from(self.bits as u8 as i8),
            2 => i64::from(self.bits as u16 as i16),
            4 => i64::from(self.bits as u32 as i32),
            _ => self.bits as i64,
        }
    }

    /// Sign and magnitude by its type.
    pub(crate) fn parts(self) -> (bool, u64) {
        if self.signed {
            let v = self.extended();
            (v < 0, v.unsigned_abs())
        } else {
            (false, self.bits)
        }
    }

    /// By its type; unsigned 64-bit values above the maximum wrap.
    pub(crate) fn value(self) -> i64 {
        if self.signed {
            self.extended()
        } else {
            self.bits as i64
        }
    }
}

/// Program counters as they lie in a record or key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Frames<'a> {
    pub user: bool,
    /// Which process: [`image::layout::process`].
    pub word: u64,
    /// At most so many are shown.
    most: usize,
    bytes: &'a [u8],
}

impl<'a> Frames<'a> {
    /// From bytes that begin with the process word for user stacks.
    pub(crate) fn new(user: bool, bytes: &'a [u8]) -> Option<Frames<'a>> {
        if !user {
            return Some(Frames {
                user,
                word: 0,
                most: usize::MAX,
                bytes,
            });
        }
        if bytes.is_empty() {
            return Some(Frames {
                user,
                word: 0,
                most: usize::MAX,
                bytes,
            });
        }
        Some(Frames {
            user,
            word: u64_at(bytes, 0)?,
            most: usize::MAX,
            bytes: bytes.get(8..)?,
        })
    }

    /// A stack that was recorded in so many words, of which kernel stacks have some to spare.
    pub(crate) fn recorded_in(self, words: u32) -> Frames<'a> {
        let spare = if self.user { 0 } else { SPARE_FRAMES };
        let most = words.saturating_sub(spare) as usize;
        Frames { most, ..self }
    }

    /// How many frames are shown at most.
    pub(crate) fn most(self) -> usize {
        self.most
    }

    /// The counters up to the first 0.
    pub(crate) fn pcs(self) -> impl Iterator<Item = u64> + 'a {
        self.bytes
            .chunks_exact(8)
            .filter_map(|c| u64_at(c, 0))
            .take_while(|pc| *pc != 0)
    }
}

/// An address to be shown as a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SymAddr {
    pub kind: SymKind,
    pub addr: u64,
    /// Which process: [`image::layout::process`].
    pub word: u64,
}

/// Whether the process word accompanies the address.
pub(crate) fn is_user(kind: SymKind) -> bool {
    match kind {
        SymKind::Sym | SymKind::Mod => false,
        SymKind::Usym | SymKind::Umod | SymKind::Uaddr => true,
    }
}

/// One decoded datum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Value<'a> {
    Int(Int),
    Bytes { bytes: &'a [u8], chars: bool },
    Str(&'a [u8]),
    Stack(Frames<'a>),
    Sym(SymAddr),
}

/// Text of one component of a probe's description.
pub(crate) fn probe_field(probe: &Probe, field: ProbeField) -> &str {
    match field {
        ProbeField::Provider => &probe.provider,
        ProbeField::Module => &probe.module,
        ProbeField::Function => &probe.function,
        ProbeField::Name => &probe.name,
    }
}

/// Reads the data of one record in action order.
#[derive(Clone)]
pub(crate) struct Data<'a> {
    image: &'a Image,
    probe: u32,
    fixed: &'a [u8],
    var: &'a [u8],
}

const SHORT: Error = Error::Record("data end early");

impl<'a> Data<'a> {
    /// `body` is the record without its header.
    pub(crate) fn new(
        image: &'a Image,
        clause: &ClauseDesc,
        probe: u32,
        body: &'a [u8],
    ) -> Result<Data<'a>> {
        let (fixed, var) = body
            .split_at_checked(clause.fixed_size as usize)
            .ok_or(SHORT)?;
        Ok(Data {
            image,
            probe,
            fixed,
            var,
        })
    }

    fn take_var(&mut self, offset: usize) -> Option<&'a [u8]> {
        let len = u32_at(self.fixed, offset)? as usize;
        let (taken, rest) = self.var.split_at_checked(len)?;
        self.var = rest;
        Some(taken)
    }

    /// Decodes the next datum; must be called in action order, for each.
    #[inline]
    pub(crate) fn read(&mut self, datum: &Datum) -> Result<Value<'a>> {
        // Not ok_or(): making and dropping an error for each datum shows in profiles.
        match self.decode(datum) {
            Some(v) => Ok(v),
            None => Err(SHORT),
        }
    }

    #[inline]
    fn decode(&mut self, datum: &Datum) -> Option<Value<'a>> {
        let at = datum.offset as usize;
        Some(match &datum.kind {
            DatumKind::Int { bytes, signed } => Value::Int(Int {
                bits: int_at(self.fixed, at, *bytes)?,
                bytes: *bytes,
                signed: *signed,
            }),
            DatumKind::Bytes { len, chars } => Value::Bytes {
                bytes: self.fixed.get(at..at.checked_add(*len as usize)?)?,
                chars: *chars,
            },
            DatumKind::InlineStr { cap } => Value::Str(until_nul(
                self.fixed.get(at..at.checked_add(*cap as usize)?)?,
            )),
            DatumKind::VarStr => Value::Str(self.take_var(at)?),
            DatumKind::Stack { user, frames } => {
                let stack = Frames::new(*user, self.take_var(at)?)?;
                Value::Stack(stack.recorded_in(*frames))
            }
            DatumKind::Sym(kind) => Value::Sym(SymAddr {
                kind: *kind,
                addr: u64_at(self.fixed, at)?,
                word: if is_user(*kind) {
                    u64_at(self.fixed, at.checked_add(8)?)?
                } else {
                    0
                },
            }),
            DatumKind::Probe(field) => Value::Str(
                probe_field(self.image.probes.get(self.probe as usize)?, *field).as_bytes(),
            ),
        })
    }
}

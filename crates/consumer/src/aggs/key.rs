//! Canonical keys: components one after the other, independent of how the kernel stores them.
//!
//! An integer is 8 bytes (zero-extended), a string its bytes and a NUL, a probe component a u32 probe index (the first
//! probe with that text), a stack a u32 length in bytes and its words, a symbol 8 bytes of address and 8 of process word ([`image::layout::process`]).

use crate::error::{Error, Result};
use crate::stack::World;
use crate::value::{
    Frames, Int, SymAddr, Value, int_at, is_user, probe_field, u32_at, u64_at, until_nul,
};
use image::layout::SPARE_FRAMES;
use image::layout::process::pid;
use image::{AggDesc, AggStorage, Image, KeyDesc, KeyKind, ProbeField, SymKind};
use std::cmp::Ordering;
use std::collections::HashMap;

const SHORT: Error = Error::Image("a key component lies outside the key");

/// Remembers which value stands for all that print alike.
#[derive(Default)]
pub(crate) struct Canon {
    probes: HashMap<(ProbeField, u32), u32>,
    modules: HashMap<(SymKind, u64, String), u64>,
}

impl Canon {
    fn probe(&mut self, image: &Image, field: ProbeField, probe: u32) -> u32 {
        *self.probes.entry((field, probe)).or_insert_with(|| {
            let Some(this) = image.probes.get(probe as usize) else {
                return probe;
            };
            let text = probe_field(this, field);
            let first = image
                .probes
                .iter()
                .position(|p| probe_field(p, field) == text);
            first.map_or(probe, |p| p as u32)
        })
    }

    fn symbol(&mut self, world: &mut World, sym: SymAddr) -> u64 {
        match world.module_of(sym) {
            Some(module) => *self
                .modules
                .entry((sym.kind, sym.word, module))
                .or_insert(sym.addr),
            None => world.start_of(sym),
        }
    }

    /// Appends the canonical form of a raw key (of a slot: its number, which is the probe's).
    pub(crate) fn encode(
        &mut self,
        out: &mut Vec<u8>,
        image: &Image,
        world: &mut World,
        desc: &AggDesc,
        raw: &[u8],
    ) -> Result<()> {
        for key in &desc.keys {
            let at = key.offset as usize;
            match &key.kind {
                KeyKind::Int { bytes, .. } => {
                    out.extend_from_slice(&int_at(raw, at, *bytes).ok_or(SHORT)?.to_ne_bytes());
                }
                KeyKind::Str { cap } => {
                    let text = at
                        .checked_add(*cap as usize)
                        .and_then(|end| raw.get(at..end))
                        .ok_or(SHORT)?;
                    out.extend_from_slice(until_nul(text));
                    out.push(0);
                }
                KeyKind::Probe(field) => {
                    let probe = match desc.storage {
                        AggStorage::Hash(_) => u32_at(raw, at).ok_or(SHORT)?,
                        AggStorage::Slots { .. } => u32_at(raw, 0).ok_or(SHORT)?,
                    };
                    out.extend_from_slice(&self.probe(image, *field, probe).to_ne_bytes());
                }
                KeyKind::Stack { user, frames } => {
                    let len = (*frames as usize + usize::from(*user)).saturating_mul(8);
                    let all = at
                        .checked_add(len)
                        .and_then(|end| raw.get(at..end))
                        .ok_or(SHORT)?;
                    if *user {
                        stack(out, all, 8);
                    } else {
                        kernel_stack(out, all, *frames, world);
                    }
                }
                KeyKind::Sym(kind) => {
                    let addr = u64_at(raw, at).ok_or(SHORT)?;
                    let word = if is_user(*kind) {
                        u64_at(raw, at.saturating_add(8)).ok_or(SHORT)?
                    } else {
                        0
                    };
                    let addr = self.symbol(
                        world,
                        SymAddr {
                            kind: *kind,
                            addr,
                            word,
                        },
                    );
                    out.extend_from_slice(&addr.to_ne_bytes());
                    out.extend_from_slice(&word.to_ne_bytes());
                }
            }
        }
        Ok(())
    }
}

/// A kernel stack without the tracing machinery, which may differ from firing to firing, and without spare frames.
fn kernel_stack(out: &mut Vec<u8>, all: &[u8], words: u32, world: &mut World) {
    let pcs = all.chunks_exact(8).filter_map(|c| u64_at(c, 0));
    let skip = pcs.take_while(|pc| world.is_machinery(*pc)).count() * 8;
    let most = words.saturating_sub(SPARE_FRAMES) as usize * 8;
    let traced = all.get(skip..).unwrap_or_default();
    stack(out, traced.get(..most).unwrap_or(traced), 0);
}

/// A stack's words without the padding; the first `head` bytes are no frames.
fn stack(out: &mut Vec<u8>, all: &[u8], head: usize) {
    let pcs = all.get(head..).unwrap_or_default();
    let used = pcs
        .chunks_exact(8)
        .take_while(|c| c.iter().any(|b| *b != 0))
        .count()
        * 8;
    let words = all.get(..head + used).unwrap_or(all);
    out.extend_from_slice(&(words.len() as u32).to_ne_bytes());
    out.extend_from_slice(words);
}

/// The components of a canonical key.
#[derive(Clone)]
pub(crate) struct Keys<'a> {
    image: &'a Image,
    descs: std::slice::Iter<'a, KeyDesc>,
    bytes: &'a [u8],
}

impl<'a> Keys<'a> {
    pub(crate) fn new(image: &'a Image, desc: &'a AggDesc, canonical: &'a [u8]) -> Keys<'a> {
        Keys {
            image,
            descs: desc.keys.iter(),
            bytes: canonical,
        }
    }

    fn take(&mut self, len: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.bytes.split_at_checked(len)?;
        self.bytes = rest;
        Some(taken)
    }

    fn decode(&mut self, kind: &KeyKind) -> Option<Value<'a>> {
        Some(match kind {
            KeyKind::Int { bytes, signed } => Value::Int(Int {
                bits: u64_at(self.take(8)?, 0)?,
                bytes: *bytes,
                signed: *signed,
            }),
            KeyKind::Str { .. } => {
                let text = until_nul(self.bytes);
                self.take(text.len() + 1)?;
                Value::Str(text)
            }
            KeyKind::Probe(field) => {
                let probe = u32_at(self.take(4)?, 0)?;
                let text = self
                    .image
                    .probes
                    .get(probe as usize)
                    .map_or("", |p| probe_field(p, *field));
                Value::Str(text.as_bytes())
            }
            KeyKind::Stack { user, .. } => {
                let len = u32_at(self.take(4)?, 0)? as usize;
                Value::Stack(Frames::new(*user, self.take(len)?)?)
            }
            KeyKind::Sym(kind) => {
                let both = self.take(16)?;
                Value::Sym(SymAddr {
                    kind: *kind,
                    addr: u64_at(both, 0)?,
                    word: u64_at(both, 8)?,
                })
            }
        })
    }
}

impl<'a> Iterator for Keys<'a> {
    type Item = Value<'a>;

    fn next(&mut self) -> Option<Value<'a>> {
        let desc = self.descs.next()?;
        self.decode(&desc.kind)
    }
}

/// Whether the canonical keys of two aggregations are the same bytes for the same values.
pub(crate) fn alike(a: &AggDesc, b: &AggDesc) -> bool {
    let form = |key: &KeyDesc| match &key.kind {
        KeyKind::Int { bytes, signed } => (0, u32::from(*bytes), *signed),
        KeyKind::Str { .. } => (1, 0, false),
        KeyKind::Probe(_) => (2, 0, false),
        KeyKind::Stack { user, .. } => (3, 0, *user),
        KeyKind::Sym(kind) => (4, 0, is_user(*kind)),
    };
    a.keys.iter().map(form).eq(b.keys.iter().map(form))
}

/// A form of keys in which the same values are the same bytes, however their aggregations store them.
pub(crate) fn common(keys: Keys<'_>) -> Vec<u8> {
    let mut out = Vec::new();
    for value in keys {
        match value {
            Value::Int(i) => out.extend_from_slice(&i.extended().to_ne_bytes()),
            Value::Str(text) => {
                out.extend_from_slice(text);
                out.push(0);
            }
            Value::Bytes { bytes, .. } => out.extend_from_slice(bytes),
            Value::Stack(frames) => {
                out.extend_from_slice(&frames.word.to_ne_bytes());
                out.extend_from_slice(&(frames.pcs().count() as u64).to_ne_bytes());
                out.extend(frames.pcs().flat_map(u64::to_ne_bytes));
            }
            Value::Sym(sym) => {
                out.extend_from_slice(&sym.addr.to_ne_bytes());
                out.extend_from_slice(&sym.word.to_ne_bytes());
            }
        }
    }
    out
}

/// Order of two values of one component.
fn compare_values(a: &Value<'_>, b: &Value<'_>) -> Ordering {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) if a.signed => a.extended().cmp(&b.extended()),
        (Value::Int(a), Value::Int(b)) => a.bits.cmp(&b.bits),
        (Value::Str(a), Value::Str(b)) => a.cmp(b),
        (Value::Bytes { bytes: a, .. }, Value::Bytes { bytes: b, .. }) => a.cmp(b),
        (Value::Stack(a), Value::Stack(b)) => pid(a.word)
            .cmp(&pid(b.word))
            .then_with(|| a.pcs().cmp(b.pcs()))
            .then_with(|| a.word.cmp(&b.word)),
        (Value::Sym(a), Value::Sym(b)) => pid(a.word)
            .cmp(&pid(b.word))
            .then(a.addr.cmp(&b.addr))
            .then(a.word.cmp(&b.word)),
        (
            Value::Int(_) | Value::Str(_) | Value::Bytes { .. } | Value::Stack(_) | Value::Sym(_),
            _,
        ) => Ordering::Equal,
    }
}

/// Order of two keys, component `first` compared before all others, then those after it, then those before it.
pub(crate) fn compare<'a>(a: Keys<'a>, b: Keys<'a>, first: usize) -> Ordering {
    let order = |a: Keys<'a>, b: Keys<'a>, skip: usize, take: usize| {
        let pairs = a.zip(b).skip(skip).take(take);
        pairs
            .map(|(a, b)| compare_values(&a, &b))
            .find(|o| o.is_ne())
            .unwrap_or(Ordering::Equal)
    };
    order(a.clone(), b.clone(), first, usize::MAX).then_with(|| order(a, b, 0, first))
}

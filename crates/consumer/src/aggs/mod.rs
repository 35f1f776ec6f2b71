//! Aggregations: from the kernel's per-CPU values to printed lines.
//!
//! Problem: `clear()`, `trunc()` and `normalize()` act on values that programs go on changing, and no event may be lost
//! or counted twice. Choice: the kernel's values are cumulative and never written; the consumer remembers for each key
//! what it has cleared (its base) and shows the difference. All actions of one record see the same snapshot, so what
//! `printa()` printed is exactly what the `clear()` after it subtracts. `min()` and `max()` cannot be subtracted: the
//! kernel's value is reset, and an event between snapshot and reset may be missed. Keys that `trunc()` removed are
//! hidden until their value changes; from a hash they are taken out when they have been still for long.
//!
//! Keys are translated when first seen: probe indices to one representative a text, program counters to the start of
//! their function or to one address a module; keys that become equal share one entry.

mod key;
mod print;
mod sort;
mod state;

pub(crate) use key::Keys;
pub(crate) use print::{print_all, print_default, print_format};
pub(crate) use state::{Access, AggState, Entry};

use crate::num::{self, Radix, Spec};
use crate::options::Options;
use crate::quantize;
use crate::value::{Int, u32_at};
use image::{AggDesc, AggFunc, AggStorage};

pub(crate) use sort::{Row, rows, top};

/// Key of an entry as the kernel keeps it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AggKey<'a> {
    /// Key bytes of [`image::AggStorage::Hash`].
    Bytes(&'a [u8]),
    /// Slot of [`image::AggStorage::Slots`].
    Slot(u32),
}

/// The kernel's values of one aggregation at one moment.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    slots: bool,
    key_len: usize,
    words: usize,
    cpus: usize,
    entries: usize,
    keys: Vec<u8>,
    values: Vec<u64>,
}

impl Snapshot {
    /// An empty snapshot for an aggregation.
    pub fn new(desc: &AggDesc) -> Snapshot {
        let (slots, key_len) = match desc.storage {
            AggStorage::Hash(_) => (false, desc.key_size as usize),
            AggStorage::Slots { .. } => (true, 4),
        };
        Snapshot {
            slots,
            key_len,
            words: desc.func.words() as usize,
            ..Snapshot::default()
        }
    }

    /// 64-bit words of one CPU's value.
    pub fn words(&self) -> usize {
        self.words
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.entries
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.entries == 0
    }

    /// Adds an entry: its key and its values, CPU after CPU, each [`Snapshot::words`] long. All entries must have the
    /// same number of CPUs; missing words are 0.
    pub fn push(&mut self, key: AggKey<'_>, values: &[u64]) {
        if self.entries == 0 {
            self.cpus = values.len().div_ceil(self.words.max(1));
        }
        self.entries += 1;
        match key {
            AggKey::Bytes(key) => self.keys.extend(key.iter().copied().take(self.key_len)),
            AggKey::Slot(slot) => self
                .keys
                .extend(slot.to_ne_bytes().into_iter().take(self.key_len)),
        }
        self.keys.resize(self.entries * self.key_len, 0);
        let stride = self.cpus * self.words;
        self.values.extend(values.iter().copied().take(stride));
        self.values.resize(self.entries * stride, 0);
    }

    /// Key bytes, or the slot's number in native order.
    pub(crate) fn raw_key(&self, entry: usize) -> &[u8] {
        let at = entry * self.key_len;
        self.keys.get(at..at + self.key_len).unwrap_or_default()
    }

    pub(crate) fn key(&self, entry: usize) -> AggKey<'_> {
        let raw = self.raw_key(entry);
        if self.slots {
            AggKey::Slot(u32_at(raw, 0).unwrap_or(0))
        } else {
            AggKey::Bytes(raw)
        }
    }

    pub(crate) fn values(&self, entry: usize) -> &[u64] {
        let stride = self.cpus * self.words;
        let at = entry * stride;
        self.values.get(at..at + stride).unwrap_or_default()
    }

    pub(crate) fn clear(&mut self) {
        self.entries = 0;
        self.keys.clear();
        self.values.clear();
    }
}

/// Whether values of this function can be subtracted.
pub(crate) fn additive(func: AggFunc) -> bool {
    match func {
        AggFunc::Min | AggFunc::Max => false,
        AggFunc::Count
        | AggFunc::Sum
        | AggFunc::Avg
        | AggFunc::Stddev
        | AggFunc::Quantize
        | AggFunc::Lquantize { .. }
        | AggFunc::Llquantize { .. } => true,
    }
}

fn pair(words: &[u64], at: usize) -> u128 {
    let word = |i| words.get(i).copied().map_or(0, u128::from);
    word(at) | word(at + 1) << 64
}

fn set_pair(words: &mut [u64], at: usize, v: u128) {
    if let Some([low, high]) = words.get_mut(at..at + 2) {
        (*low, *high) = (v as u64, (v >> 64) as u64);
    }
}

/// Adds (or merges) one CPU's value into `into`.
pub(crate) fn merge(func: AggFunc, into: &mut [u64], from: &[u64]) {
    match func {
        AggFunc::Min | AggFunc::Max => merge_extreme(func == AggFunc::Min, into, from),
        AggFunc::Stddev => {
            let squares = pair(into, 2).wrapping_add(pair(from, 2));
            add(into, from);
            set_pair(into, 2, squares);
        }
        AggFunc::Count
        | AggFunc::Sum
        | AggFunc::Avg
        | AggFunc::Quantize
        | AggFunc::Lquantize { .. }
        | AggFunc::Llquantize { .. } => add(into, from),
    }
}

fn add(into: &mut [u64], from: &[u64]) {
    for (a, b) in into.iter_mut().zip(from) {
        *a = a.wrapping_add(*b);
    }
}

fn merge_extreme(min: bool, into: &mut [u64], from: &[u64]) {
    let ([valid, best], [given, v]) = (into, from) else {
        return;
    };
    if *given == 0 {
        return;
    }
    let v = *v;
    let better = if min {
        (v as i64) < *best as i64
    } else {
        v as i64 > *best as i64
    };
    if *valid == 0 || better {
        (*valid, *best) = (1, v);
    }
}

/// `into -= what`, for additive functions.
pub(crate) fn subtract(func: AggFunc, into: &mut [u64], what: &[u64]) {
    let squares = pair(into, 2).wrapping_sub(pair(what, 2));
    for (a, b) in into.iter_mut().zip(what) {
        *a = a.wrapping_sub(*b);
    }
    if func == AggFunc::Stddev {
        set_pair(into, 2, squares);
    }
}

/// Average of `[n, Σ]`, normalised.
fn average(words: &[u64], normal: u64) -> i64 {
    match words {
        [n, sum, ..] if *n != 0 => {
            quantize::normalized(quantize::normalized(*sum as i64, normal), *n)
        }
        _ => 0,
    }
}

/// Integer standard deviation of `[n, Σ, Σx²]`, normalised.
fn deviation(words: &[u64], normal: u64) -> u64 {
    let n = words.first().copied().unwrap_or(0);
    if n == 0 || normal == 0 {
        return 0;
    }
    let squares = pair(words, 2) / u128::from(normal) / u128::from(normal) / u128::from(n);
    let mean = u128::from(average(words, normal).unsigned_abs());
    squares.saturating_sub(mean * mean).isqrt() as u64
}

/// One value as it is to be shown.
#[derive(Clone, Copy)]
pub(crate) struct AggView<'a> {
    pub func: AggFunc,
    pub words: &'a [u64],
    pub normal: u64,
}

impl AggView<'_> {
    /// The number it shows, normalised; `None` for histograms.
    pub(crate) fn scalar(&self) -> Option<Int> {
        let word = |i: usize| self.words.get(i).copied().unwrap_or(0) as i64;
        match self.func {
            AggFunc::Count => {
                let v = quantize::normalized(word(0), self.normal);
                Some(Int {
                    bits: v as u64,
                    bytes: 8,
                    signed: false,
                })
            }
            AggFunc::Sum => Some(Int::i64(quantize::normalized(word(0), self.normal))),
            AggFunc::Min | AggFunc::Max if word(0) == 0 => Some(Int::i64(0)),
            AggFunc::Min | AggFunc::Max => {
                Some(Int::i64(quantize::normalized(word(1), self.normal)))
            }
            AggFunc::Avg => Some(Int::i64(average(self.words, self.normal))),
            AggFunc::Stddev => Some(Int {
                bits: deviation(self.words, self.normal),
                bytes: 8,
                signed: false,
            }),
            AggFunc::Quantize | AggFunc::Lquantize { .. } | AggFunc::Llquantize { .. } => None,
        }
    }

    /// Appends the histogram; `clear()`ed values have no buckets, which counts as all zero.
    pub(crate) fn histogram(&self, out: &mut Vec<u8>, opts: &Options) {
        quantize::histogram(out, opts, self.func, self.words, self.normal);
    }

    /// Appends the value in its default form.
    pub(crate) fn print(&self, out: &mut Vec<u8>, opts: &Options) {
        match self.scalar() {
            Some(v) => {
                out.push(b' ');
                let (neg, mag) = v.parts();
                num::int(out, &Spec::width(16), Radix::Dec, neg, mag);
            }
            None => self.histogram(out, opts),
        }
    }
}

/// Name of the function in D.
pub(crate) fn func_name(func: AggFunc) -> &'static str {
    match func {
        AggFunc::Count => "count",
        AggFunc::Sum => "sum",
        AggFunc::Min => "min",
        AggFunc::Max => "max",
        AggFunc::Avg => "avg",
        AggFunc::Stddev => "stddev",
        AggFunc::Quantize => "quantize",
        AggFunc::Lquantize { .. } => "lquantize",
        AggFunc::Llquantize { .. } => "llquantize",
    }
}

#[cfg(test)]
mod tests;

//! What the consumer knows of one aggregation between two snapshots.

use super::key::Canon;
use super::{AggKey, AggView, Snapshot, additive, merge, subtract};
use crate::error::{Error, Result};
use crate::host::AggSource;
use crate::quantize::normalized;
use crate::stack::World;
use foldhash::HashMap;
use image::{AggDesc, AggFunc, AggStorage, Image};

/// Snapshots after which a hidden key that has not changed is taken out of its hash.
const STALE: u32 = 8;

/// One key and its value.
pub(crate) struct Entry {
    /// Canonical key.
    pub key: Box<[u8]>,
    /// Merged over CPUs and over raw keys that share it; less the base once shown.
    current: Vec<u64>,
    /// What `clear()` and `trunc()` subtract; empty: nothing.
    base: Vec<u64>,
    /// `current - base`.
    pub value: Vec<u64>,
    /// With `aggpercpu`: `value` of each CPU, one after the other.
    cpus: Vec<u64>,
    /// What `clear()` and `trunc()` subtract from those.
    cpu_base: Vec<u64>,
    /// Divisor set by `normalize()`.
    pub normal: u64,
    /// Truncated, and unchanged since.
    pub hidden: bool,
    /// Snapshots since it was hidden.
    still: u32,
}

impl Entry {
    fn new(key: &[u8], words: usize) -> Entry {
        Entry {
            key: key.into(),
            current: vec![0; words],
            base: Vec::new(),
            value: vec![0; words],
            cpus: Vec::new(),
            cpu_base: Vec::new(),
            normal: 1,
            hidden: false,
            still: 0,
        }
    }

    /// Adds one CPU's value, apart from those of other CPUs.
    fn add_cpu(&mut self, func: AggFunc, cpu: usize, words: &[u64]) {
        let at = cpu * words.len();
        self.cpus.resize(self.cpus.len().max(at + words.len()), 0);
        if let Some(own) = self.cpus.get_mut(at..at + words.len()) {
            merge(func, own, words);
        }
    }

    /// The CPUs whose values are kept apart and which have one.
    pub(crate) fn by_cpu(&self, func: AggFunc) -> impl Iterator<Item = (usize, AggView<'_>)> {
        let view = move |words| AggView {
            func,
            words,
            normal: self.normal,
        };
        let each = self.cpus.chunks_exact(self.value.len().max(1));
        each.enumerate()
            .filter(|(_, words)| words.iter().any(|w| *w != 0))
            .map(move |(cpu, words)| (cpu, view(words)))
    }

    /// Computes the value after `current` has been merged anew.
    fn settle(&mut self, func: AggFunc) {
        self.value.copy_from_slice(&self.current);
        if !self.base.is_empty() && additive(func) {
            subtract(func, &mut self.value, &self.base);
        }
        if additive(func) && !self.cpu_base.is_empty() {
            let words = self.value.len().max(1);
            let bases = self.cpu_base.chunks_exact(words);
            for (cpu, base) in self.cpus.chunks_exact_mut(words).zip(bases) {
                subtract(func, cpu, base);
            }
        }
        if self.hidden && self.value.iter().any(|v| *v != 0) {
            self.hidden = false;
            self.still = 0;
        } else if self.hidden {
            self.still += 1;
        }
    }

    /// Forgets the value.
    fn zero(&mut self) {
        self.base.clone_from(&self.current);
        self.value.fill(0);
        // Their values are already less what was subtracted before.
        self.cpu_base.resize(self.cpus.len(), 0);
        for (base, value) in self.cpu_base.iter_mut().zip(&mut self.cpus) {
            *base = base.wrapping_add(std::mem::take(value));
        }
    }

    pub(crate) fn view(&self, func: AggFunc) -> AggView<'_> {
        AggView {
            func,
            words: &self.value,
            normal: self.normal,
        }
    }
}

/// State of one aggregation.
#[derive(Default)]
pub(crate) struct AggState {
    /// Entries in order of first appearance, hidden ones too.
    pub entries: Vec<Entry>,
    /// It has been printed by `printa()`.
    pub printed: bool,
    by_key: HashMap<Box<[u8]>, usize>,
    /// Raw key (or slot number) to entry.
    by_raw: HashMap<Box<[u8]>, usize>,
    snapshot: Snapshot,
    /// Entry of each snapshot entry, `None` for unused slots.
    owner: Vec<Option<usize>>,
    /// Record for which the snapshot was taken.
    epoch: Option<u64>,
    canon: Canon,
    /// Each CPU's values are kept apart too.
    percpu: bool,
}

/// An aggregation in its surroundings.
pub(crate) struct Access<'a> {
    pub image: &'a Image,
    pub desc: &'a AggDesc,
    pub id: u32,
    pub source: &'a mut dyn AggSource,
}

impl Access<'_> {
    fn wrap(&self, source: std::io::Error) -> Error {
        Error::Aggregation {
            name: self.desc.name.clone(),
            source,
        }
    }
}

impl AggState {
    /// Of an aggregation without entries.
    pub(crate) fn new(percpu: bool) -> AggState {
        AggState {
            percpu,
            ..AggState::default()
        }
    }

    /// Takes a snapshot unless this record has one already.
    pub(crate) fn refresh(
        &mut self,
        cx: &mut Access<'_>,
        world: &mut World,
        epoch: u64,
    ) -> Result<()> {
        if self.epoch == Some(epoch) {
            return Ok(());
        }
        let words = cx.desc.func.words() as usize;
        if self.epoch.is_none() {
            self.snapshot = Snapshot::new(cx.desc);
        }
        self.snapshot.clear();
        let taken = cx.source.snapshot(cx.id, &mut self.snapshot);
        taken.map_err(|e| cx.wrap(e))?;
        self.epoch = Some(epoch);
        self.absorb(cx, world, words)?;
        self.expire(cx)
    }

    /// Merges the snapshot into the entries.
    fn absorb(&mut self, cx: &Access<'_>, world: &mut World, words: usize) -> Result<()> {
        let func = cx.desc.func;
        for entry in &mut self.entries {
            entry.current.fill(0);
            entry.cpus.fill(0);
        }
        self.owner.clear();
        for i in 0..self.snapshot.len() {
            let owner = self.owner_of(cx, world, i, words)?;
            self.owner.push(owner);
            let Some(entry) = owner.and_then(|o| self.entries.get_mut(o)) else {
                continue;
            };
            let values = self.snapshot.values(i).chunks_exact(words.max(1));
            for (cpu, value) in values.enumerate() {
                merge(func, &mut entry.current, value);
                if self.percpu {
                    entry.add_cpu(func, cpu, value);
                }
            }
        }
        self.entries.iter_mut().for_each(|e| e.settle(func));
        Ok(())
    }

    /// The entry that snapshot entry `i` belongs to, made if it is new; `None` for a slot never written.
    fn owner_of(
        &mut self,
        cx: &Access<'_>,
        world: &mut World,
        i: usize,
        words: usize,
    ) -> Result<Option<usize>> {
        if let Some(owner) = self.by_raw.get(self.snapshot.raw_key(i)) {
            return Ok(Some(*owner));
        }
        let slots = matches!(cx.desc.storage, AggStorage::Slots { .. });
        if slots && self.snapshot.values(i).iter().all(|v| *v == 0) {
            return Ok(None);
        }
        let mut key = Vec::new();
        let raw = self.snapshot.raw_key(i);
        self.canon.encode(&mut key, cx.image, world, cx.desc, raw)?;
        let owner = match self.by_key.get(key.as_slice()) {
            Some(owner) => *owner,
            None => {
                self.entries.push(Entry::new(&key, words));
                self.by_key.insert(key.into(), self.entries.len() - 1);
                self.entries.len() - 1
            }
        };
        self.by_raw.insert(self.snapshot.raw_key(i).into(), owner);
        Ok(Some(owner))
    }

    /// Takes keys that have been hidden and still for long out of the kernel's hash, so that it does not fill up.
    fn expire(&mut self, cx: &mut Access<'_>) -> Result<()> {
        let stale = |e: &Entry| e.hidden && e.still >= STALE;
        let AggStorage::Hash(_) = cx.desc.storage else {
            return Ok(());
        };
        if !additive(cx.desc.func) || !self.entries.iter().any(stale) {
            return Ok(());
        }
        let words = cx.desc.func.words() as usize;
        let mut last = Vec::new();
        let mut kept = vec![false; self.entries.len()];
        for (i, owner) in self.owner.iter().enumerate() {
            let Some((owner, entry)) = owner.and_then(|o| Some((o, self.entries.get_mut(o)?)))
            else {
                continue;
            };
            if !stale(entry) {
                continue;
            }
            last.clear();
            let AggKey::Bytes(key) = self.snapshot.key(i) else {
                continue;
            };
            let deleted = cx
                .source
                .delete(cx.id, key, &mut last)
                .map_err(|e| cx.wrap(e))?;
            if !deleted {
                entry.still = 0;
                if let Some(kept) = kept.get_mut(owner) {
                    *kept = true;
                }
                continue;
            }
            if last.is_empty() {
                last.extend_from_slice(self.snapshot.values(i));
            }
            // From now on the kernel counts this key from 0: take its final value out of the base, which leaves what
            // changed after the snapshot.
            let bases = entry.cpu_base.chunks_exact_mut(words.max(1));
            for (base, value) in bases.zip(last.chunks_exact(words.max(1))) {
                subtract(cx.desc.func, base, value);
            }
            for value in last.chunks_exact(words.max(1)) {
                subtract(cx.desc.func, &mut entry.base, value);
            }
        }
        let mut index = 0;
        self.entries.retain(|e| {
            let keep =
                !stale(e) || kept.get(index).is_some_and(|k| *k) || e.base.iter().any(|w| *w != 0);
            index += 1;
            keep
        });
        self.reindex();
        Ok(())
    }

    fn reindex(&mut self) {
        self.by_key = self
            .entries
            .iter()
            .enumerate()
            .map(|(i, e)| (e.key.clone(), i))
            .collect();
        self.by_raw.clear();
        self.owner.clear();
    }

    /// Entries that are to be shown.
    pub(crate) fn visible(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|e| !e.hidden)
    }

    /// Resets the kernel's values of the entries for which `chosen` holds, if the function needs it.
    fn reset(&mut self, cx: &mut Access<'_>, chosen: impl Fn(&Entry) -> bool) -> Result<()> {
        if additive(cx.desc.func) {
            return Ok(());
        }
        for (i, owner) in self.owner.iter().enumerate() {
            if owner.and_then(|o| self.entries.get(o)).is_some_and(&chosen) {
                cx.source
                    .reset(cx.id, self.snapshot.key(i))
                    .map_err(|e| cx.wrap(e))?;
            }
        }
        Ok(())
    }

    /// `clear()`: values are zero, keys stay.
    pub(crate) fn clear(&mut self, cx: &mut Access<'_>) -> Result<()> {
        self.reset(cx, |e| !e.hidden)?;
        self.entries.iter_mut().for_each(Entry::zero);
        Ok(())
    }

    /// `trunc()`: removes the entries whose index is not in `keep`.
    pub(crate) fn trunc(&mut self, cx: &mut Access<'_>, keep: &[usize]) -> Result<()> {
        let mut kept = vec![false; self.entries.len()];
        for i in keep {
            if let Some(kept) = kept.get_mut(*i) {
                *kept = true;
            }
        }
        for (entry, kept) in self.entries.iter_mut().zip(kept) {
            if !kept && !entry.hidden {
                entry.zero();
                (entry.hidden, entry.still, entry.normal) = (true, 0, 1);
            }
        }
        self.reset(cx, |e| e.hidden && e.still == 0)
    }

    /// `normalize()` and `denormalize()` (by 1) of the entries there are.
    pub(crate) fn normalize(&mut self, normal: u64) {
        self.entries
            .iter_mut()
            .filter(|e| !e.hidden)
            .for_each(|e| e.normal = normal);
    }
}

/// A value to sort by: the number itself, or the weighted sum of a histogram and the count of its zero bucket.
pub(crate) fn rank(
    func: AggFunc,
    labels: &[crate::quantize::Label],
    words: &[u64],
) -> (i128, i128) {
    let word = |i: usize| i128::from(words.get(i).copied().unwrap_or(0) as i64);
    match func {
        AggFunc::Count => (i128::from(words.first().copied().unwrap_or(0)), 0),
        AggFunc::Sum => (word(0), 0),
        AggFunc::Min | AggFunc::Max => (word(1), 0),
        AggFunc::Avg => (
            i128::from(normalized(
                word(1) as i64,
                words.first().copied().unwrap_or(0),
            )),
            0,
        ),
        AggFunc::Stddev => (i128::from(super::deviation(words, 1)), 0),
        AggFunc::Quantize | AggFunc::Lquantize { .. } | AggFunc::Llquantize { .. } => {
            let weigh = |(label, v): (&crate::quantize::Label, &u64)| {
                i128::from(label.weight()).saturating_mul(i128::from(*v as i64))
            };
            let sum = labels
                .iter()
                .zip(words)
                .map(weigh)
                .fold(0i128, i128::saturating_add);
            let zero = labels
                .iter()
                .zip(words)
                .find(|(label, _)| label.weight() == 0)
                .map_or(0, |(_, v)| i128::from(*v));
            (sum, zero)
        }
    }
}

//! Reads aggregations out of the kernel: whole snapshots and single keys.
//!
//! Values stay per CPU; merging is the consumer's business. A hash is read in batches, which takes each bucket's lock
//! for a moment only; a value that is being updated meanwhile is read before or after the update, word by word.

use image::{AggDesc, AggStorage};
use sys::bpf::{Batch, Map};
use sys::errno;

use crate::error::{LoadError, bad_image};
use crate::load::Loaded;
use crate::maps::LoadedMap;

/// Bytes of values in the first batch; more if a bucket of the hash does not fit.
const BATCH_BYTES: usize = 1 << 20;
/// Largest batch tried.
const BATCH_MAX: usize = 1 << 16;

/// Key of an aggregation entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AggKey<'a> {
    /// Key bytes of [`AggStorage::Hash`].
    Bytes(&'a [u8]),
    /// Slot of [`AggStorage::Slots`].
    Slot(u32),
}

/// What is called for each entry: the key and the values, `words` words of CPU 0, then of CPU 1, …
type Emit<'a> = dyn FnMut(AggKey<'_>, &[u64]) + 'a;

/// Where the slots of an aggregation lie.
#[derive(Clone, Copy)]
struct Slots {
    offset: usize,
    slots: u32,
    stride: usize,
    cpu_stride: usize,
}

impl Loaded {
    fn agg(&self, agg: u32) -> Result<&AggDesc, LoadError> {
        self.aggs
            .get(agg as usize)
            .ok_or_else(|| bad_image(format!("no aggregation {agg}")))
    }

    fn agg_map(&self, index: u32) -> Result<&LoadedMap, LoadError> {
        self.maps
            .get(index as usize)
            .ok_or_else(|| bad_image(format!("no map {index} for an aggregation")))
    }

    /// Hands out every entry of aggregation `agg`. Slots that are all zero are not entries.
    pub fn aggregation(
        &self,
        agg: u32,
        mut emit: impl FnMut(AggKey<'_>, &[u64]),
    ) -> Result<(), LoadError> {
        let desc = self.agg(agg)?;
        match desc.storage {
            AggStorage::Hash(map) => {
                self.read_hash(self.agg_map(map)?, desc.words as usize, &mut emit)
            }
            AggStorage::Slots {
                map,
                offset,
                slots,
                stride,
                cpu_stride,
            } => {
                let place = Slots {
                    offset: offset as usize,
                    slots,
                    stride: stride as usize,
                    cpu_stride: cpu_stride as usize,
                };
                self.read_slots(map, place, desc.words as usize, &mut emit)
            }
        }
    }

    fn read_slots(
        &self,
        map: u32,
        place: Slots,
        words: usize,
        emit: &mut Emit<'_>,
    ) -> Result<(), LoadError> {
        let memory = self.agg_map(map)?.memory.as_ref();
        let memory =
            memory.ok_or_else(|| bad_image("aggregation slots in a map without memory"))?;
        let mut values = vec![0; words * self.cpus as usize];
        for slot in 0..place.slots {
            for (i, value) in values.iter_mut().enumerate() {
                let (cpu, word) = (i / words, i % words);
                let at =
                    place.offset + cpu * place.cpu_stride + slot as usize * place.stride + word * 8;
                *value = memory
                    .load_u64(at)
                    .ok_or_else(|| bad_image("aggregation slots outside their map"))?;
            }
            if values.iter().any(|v| *v != 0) {
                emit(AggKey::Slot(slot), &values);
            }
        }
        Ok(())
    }

    fn read_hash(
        &self,
        LoadedMap { map, cpus, .. }: &LoadedMap,
        words: usize,
        emit: &mut Emit<'_>,
    ) -> Result<(), LoadError> {
        let mut entries = (BATCH_BYTES / map.value_bytes().max(1)).clamp(16, 4096);
        let mut batch = Batch::new(map, entries);
        let mut values = Vec::new();
        let mut started = false;
        while !batch.done {
            match map.lookup_batch(&mut batch) {
                Ok(()) => {}
                Err(e) if e.errno == errno::ENOSPC && entries < BATCH_MAX => {
                    entries *= 4;
                    batch.grow(map, entries);
                    continue;
                }
                // No batches for this kind of map.
                Err(e)
                    if !started
                        && matches!(e.errno, errno::EINVAL | errno::ENOTSUPP | errno::ENOTSUP) =>
                {
                    return walk_hash(map, *cpus, words, emit);
                }
                Err(e) => return Err(e.into()),
            }
            started = true;
            let keys = batch.keys.chunks_exact(map.key_size().max(1));
            let raw = batch.values.chunks_exact(map.value_bytes().max(1));
            for (key, raw) in keys.zip(raw).take(batch.count) {
                unpack(raw, words, *cpus, &mut values);
                emit(AggKey::Bytes(key), &values);
            }
        }
        Ok(())
    }

    /// Deletes an entry of a keyed aggregation and returns the last values it had, `None` if it was not there.
    /// Updates that come later make a new entry: none is lost.
    pub fn take_entry(&self, agg: u32, key: &[u8]) -> Result<Option<Vec<u64>>, LoadError> {
        let desc = self.agg(agg)?;
        let AggStorage::Hash(index) = desc.storage else {
            return Err(bad_image("slots of an aggregation cannot be deleted"));
        };
        let LoadedMap { map, cpus, .. } = self.agg_map(index)?;
        let mut raw = vec![0; map.value_bytes()];
        let there = match map.take(key, &mut raw) {
            // Kernels before 5.14: an update between the two steps is lost, as it is with clear().
            Err(e) if matches!(e.errno, errno::EINVAL | errno::ENOTSUPP | errno::ENOTSUP) => {
                map.lookup(key, &mut raw)? && map.delete(key)?
            }
            result => result?,
        };
        let mut values = Vec::new();
        unpack(&raw, desc.words as usize, *cpus, &mut values);
        Ok(there.then_some(values))
    }

    /// Sets all values of an aggregation's entry to zero (`clear()`), keeping the entry.
    pub fn reset_entry(&self, agg: u32, key: AggKey<'_>) -> Result<(), LoadError> {
        let desc = self.agg(agg)?;
        match (desc.storage, key) {
            (AggStorage::Hash(index), AggKey::Bytes(key)) => {
                let map = &self.agg_map(index)?.map;
                Ok(map.update(key, &vec![0; map.value_bytes()])?)
            }
            (
                AggStorage::Slots {
                    map,
                    offset,
                    slots,
                    stride,
                    cpu_stride,
                },
                AggKey::Slot(slot),
            ) if slot < slots => {
                let memory = self.agg_map(map)?.memory.as_ref();
                let memory =
                    memory.ok_or_else(|| bad_image("aggregation slots in a map without memory"))?;
                for cpu in 0..self.cpus {
                    let base = offset + cpu * cpu_stride + slot * stride;
                    for word in 0..desc.words {
                        memory.store_u64((base + word * 8) as usize, 0);
                    }
                }
                Ok(())
            }
            (
                AggStorage::Hash(_) | AggStorage::Slots { .. },
                AggKey::Bytes(_) | AggKey::Slot(_),
            ) => Err(bad_image("key of the wrong kind for the aggregation")),
        }
    }
}

/// Key by key. A key deleted meanwhile would start the walk again, so the keys are collected first.
fn walk_hash(map: &Map, cpus: u32, words: usize, emit: &mut Emit<'_>) -> Result<(), LoadError> {
    let mut keys: Vec<Vec<u8>> = Vec::new();
    let mut next = vec![0; map.key_size()];
    while map.next_key(keys.last().map(Vec::as_slice), &mut next)? {
        keys.push(next.clone());
    }
    let (mut raw, mut values) = (vec![0; map.value_bytes()], Vec::new());
    for key in keys {
        if map.lookup(&key, &mut raw)? {
            unpack(&raw, words, cpus, &mut values);
            emit(AggKey::Bytes(&key), &values);
        }
    }
    Ok(())
}

/// Words of each CPU, without the padding between CPUs.
fn unpack(raw: &[u8], words: usize, cpus: u32, values: &mut Vec<u64>) {
    values.clear();
    let cpu_bytes = raw.len() / (cpus.max(1) as usize);
    for cpu in raw.chunks_exact(cpu_bytes.max(1)) {
        let (cpu_words, _) = cpu.as_chunks::<8>();
        values.extend(
            cpu_words
                .iter()
                .take(words)
                .map(|word| u64::from_ne_bytes(*word)),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_unpacked_cpu_by_cpu() {
        let raw: Vec<u8> = [1u64, 2, 99, 3, 4, 99]
            .iter()
            .flat_map(|w| w.to_ne_bytes())
            .collect();
        let mut values = Vec::new();
        unpack(&raw, 2, 2, &mut values);
        assert_eq!(values, [1, 2, 3, 4]);
    }
}

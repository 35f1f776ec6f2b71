//! Principal buffers that are read at the end ([`layout::kept`]): every CPU's records, oldest first.

use image::{Image, MapRole, Policy, layout};
use layout::{kept, record};
use sys::mem::Mapping;

use crate::load::Loaded;
use crate::maps::LoadedMap;

/// A record: timestamp, CPU, bytes.
pub(crate) type Timed = (u64, u32, Vec<u8>);

/// The buffers of an image.
#[derive(Debug)]
pub(crate) struct Kept {
    map: usize,
    /// Bytes from one CPU's element to the next's.
    stride: usize,
    cpus: usize,
    policy: Policy,
}

impl Kept {
    /// `None` if the image's buffers are read all the time.
    pub(crate) fn new(image: &Image) -> Option<Kept> {
        let map = image.maps.iter().position(|m| m.role == MapRole::Kept)?;
        let def = image.maps.get(map)?;
        Some(Kept {
            map,
            stride: (def.value_size as usize).next_multiple_of(8),
            cpus: def.max_entries as usize,
            policy: image.policy,
        })
    }

    fn memory<'a>(&self, maps: &'a [LoadedMap]) -> Option<&'a Mapping> {
        maps.get(self.map)?.memory.as_ref()
    }

    /// Whether a record did not fit.
    fn filled(&self, maps: &[LoadedMap]) -> bool {
        let Some(memory) = self.memory(maps) else {
            return false;
        };
        (0..self.cpus).any(|cpu| {
            memory.load_u64_acquire(cpu * self.stride + kept::FILLED as usize) == Some(1)
        })
    }

    /// Bytes for entries in a buffer: of a ring, the largest power of two that fits.
    fn size(&self) -> u64 {
        let room = (self.stride as u64).saturating_sub(u64::from(kept::DATA));
        match self.policy {
            Policy::Switch | Policy::Fill => room,
            Policy::Ring => (room / 2 + 1).next_power_of_two(),
        }
    }

    /// Takes all records out, in order of time; the buffers are then empty. No program may be running.
    pub(crate) fn take(&self, maps: &[LoadedMap]) -> Vec<Timed> {
        let mut records = Vec::new();
        let Some(memory) = self.memory(maps) else {
            return records;
        };
        for cpu in 0..self.cpus {
            let start = records.len();
            let at = cpu * self.stride;
            read(
                memory,
                at,
                self.size(),
                self.policy,
                cpu as u32,
                &mut records,
            );
            if let Some(newest_first) = records.get_mut(start..) {
                newest_first.reverse();
            }
            memory.store_u64(at + kept::HEAD as usize, 0);
            memory.store_u64(at + kept::FILLED as usize, 0);
        }
        records.sort_by_key(|(time, ..)| *time);
        records
    }
}

/// Reads one CPU's buffer backwards.
fn read(
    memory: &Mapping,
    at: usize,
    size: u64,
    policy: Policy,
    cpu: u32,
    records: &mut Vec<Timed>,
) {
    let head = memory
        .load_u64_acquire(at + kept::HEAD as usize)
        .unwrap_or(0);
    let end = (head >> kept::LAST_BITS) * 8;
    let oldest = end.saturating_sub(size);
    let mut words = head & ((1 << kept::LAST_BITS) - 1);
    let mut next = end;
    while words > 0 {
        let Some(begin) = next.checked_sub(words * 8).filter(|b| *b >= oldest) else {
            return;
        };
        let place = match policy {
            Policy::Ring => begin & (size - 1),
            Policy::Switch | Policy::Fill => begin,
        };
        let entry = at + kept::DATA as usize + place as usize;
        let field = |offset: u32| memory.load_u32(entry + offset as usize).unwrap_or(0);
        let len = field(kept::LEN) as usize;
        if len < record::HEADER as usize || len as u64 + u64::from(kept::ENTRY) > words * 8 {
            return;
        }
        let data = entry + kept::ENTRY as usize;
        let Some(bytes) = memory.read(data, len) else {
            return;
        };
        let time = memory
            .load_u64(data + record::TIMESTAMP as usize)
            .unwrap_or(0);
        records.push((time, cpu, bytes));
        words = u64::from(field(kept::BEFORE));
        next = begin;
    }
}

impl Loaded {
    /// Whether a buffer of the policy `fill` is full, which ends tracing.
    pub fn filled(&self) -> bool {
        self.kept.as_ref().is_some_and(|k| k.filled(&self.maps))
    }
}

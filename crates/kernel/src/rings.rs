//! Principal buffers: one ring a CPU, merged by time; and the ring of control events.
//!
//! Problem: records of several CPUs must come out in the order of their timestamps although each CPU has its own
//! ring, and within a ring the order is only nearly that of the timestamps (an interrupt's record can lie before that
//! of the program it interrupted). Choice: a drain lists what is committed in all rings, sorts the list (two or more
//! sorted runs, so the sort is a merge) and emits what is older than a horizon a little before its own start: younger
//! records may still have elder ones on their way. Bytes are never copied. Limit: a program that is stalled between
//! taking its timestamp and committing for longer than [`STALL_NS`] no longer holds the others back.

use std::collections::BTreeMap;
use std::os::fd::BorrowedFd;

use image::{Image, MapRole, Policy, layout::record};
use sys::ring::{Ring, Slot};
use sys::time::monotonic_ns;

use crate::error::{LoadError, bad_image};
use crate::load::Loaded;
use crate::maps::LoadedMap;
use crate::spec::Speculations;

/// A record is emitted when it is this much older than the start of the drain: more than a program takes between its
/// timestamp and its record, a virtual CPU's short absences included.
const SLACK_NS: u64 = 4_000_000;
/// Longest that a reserved but not committed record holds back what other CPUs recorded later.
const STALL_NS: u64 = 100_000_000;
/// Looks of the last drain, a millisecond apart, at a record that is not committed yet.
const LAST_LOOKS: u32 = 100;
/// Bytes after which space is given back to the producer while a long drain goes on.
const RELEASE_BYTES: u64 = 16 * 1024;

/// One record in the list of a drain.
#[derive(Clone, Copy, Debug)]
struct Entry {
    timestamp: u64,
    position: u64,
    next: u64,
    ring: u32,
}

/// One CPU's ring and what of it has been emitted.
#[derive(Debug)]
struct CpuRing {
    ring: Ring,
    /// Everything before is emitted.
    cursor: u64,
    /// Emitted records after the cursor: position and next position.
    ahead: BTreeMap<u64, u64>,
}

/// All rings of an image.
#[derive(Debug)]
pub struct Merger {
    rings: Vec<CpuRing>,
    events: Option<(usize, Ring)>,
    list: Vec<Entry>,
    /// Records come out while tracing, and with them committed speculations.
    emits: bool,
}

/// What a drain did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Drained {
    /// Records emitted.
    pub records: u64,
    /// Records that wait until they are old enough.
    pub waiting: u64,
    /// Fullest ring at the start of the drain, in 1/256 of its size.
    pub fill: u32,
}

impl CpuRing {
    fn new(ring: Ring) -> CpuRing {
        CpuRing {
            cursor: ring.position(),
            ring,
            ahead: BTreeMap::new(),
        }
    }

    /// Lists what is committed and not yet emitted; returns the time after which this ring may still have more, and
    /// whether a record is being written.
    fn list(&mut self, index: u32, horizon: u64, list: &mut Vec<Entry>) -> (u64, bool) {
        let mut at = self.cursor;
        let mut last = 0;
        loop {
            if let Some(next) = self.ahead.get(&at) {
                at = *next;
                continue;
            }
            match self.ring.slot(at) {
                Slot::End => return (horizon, false),
                // The one being written is not older than the one before it, give or take an interrupt.
                Slot::Busy => {
                    let known = last.max(horizon.saturating_sub(STALL_NS));
                    return (horizon.min(known), true);
                }
                Slot::Discarded { next } => {
                    emitted(&mut self.cursor, &mut self.ahead, at, next);
                    at = next;
                }
                Slot::Record { bytes, next } => {
                    let timestamp = timestamp(bytes);
                    last = last.max(timestamp);
                    list.push(Entry {
                        timestamp,
                        position: at,
                        next,
                        ring: index,
                    });
                    at = next;
                }
            }
        }
    }
}

/// Notes that the record at `at` is done with.
fn emitted(cursor: &mut u64, ahead: &mut BTreeMap<u64, u64>, at: u64, next: u64) {
    if at != *cursor {
        ahead.insert(at, next);
        return;
    }
    *cursor = next;
    while let Some(next) = ahead.remove(cursor) {
        *cursor = next;
    }
}

/// Hands out the committed speculations that come before a record of this time and clause; how many records.
fn committed(
    spec: &mut Speculations,
    time: u64,
    clause: u64,
    emit: &mut dyn FnMut(u32, &[u8]),
) -> u64 {
    let mut count = 0;
    while let Some(group) = spec.before(time, clause) {
        for (_, cpu, bytes) in &group.records {
            emit(*cpu, bytes);
            count += 1;
        }
    }
    count
}

/// Hands out records of buffers that were kept, and the committed speculations among them; how many.
fn kept_records(
    records: Vec<crate::kept::Timed>,
    mut spec: Option<&mut Speculations>,
    emit: &mut dyn FnMut(u32, &[u8]),
) -> u64 {
    let mut count = records.len() as u64;
    for (time, cpu, bytes) in records {
        if let Some(spec) = &mut spec {
            count += committed(spec, time, clause(&bytes), emit);
        }
        emit(cpu, &bytes);
    }
    if let Some(spec) = spec {
        count += committed(spec, u64::MAX, u64::MAX, emit);
    }
    count
}

fn clause(bytes: &[u8]) -> u64 {
    let at = record::CLAUSE as usize;
    bytes
        .get(at..at + 4)
        .and_then(|b| b.try_into().ok())
        .map_or(0, |b| u64::from(u32::from_ne_bytes(b)))
}

fn timestamp(bytes: &[u8]) -> u64 {
    let at = record::TIMESTAMP as usize;
    bytes
        .get(at..at + 8)
        .and_then(|b| b.try_into().ok())
        .map_or(0, u64::from_ne_bytes)
}

impl Merger {
    /// Maps the rings of the image.
    pub(crate) fn new(image: &Image, maps: &[LoadedMap]) -> Result<Merger, LoadError> {
        let mut merger = Merger {
            rings: Vec::new(),
            events: None,
            list: Vec::new(),
            emits: image.policy == Policy::Switch,
        };
        for (index, (def, map)) in image.maps.iter().zip(maps).enumerate() {
            match def.role {
                MapRole::Ring(_) => {
                    let ring = Ring::new(map.map.fd(), def.max_entries)?;
                    merger.rings.push(CpuRing::new(ring));
                }
                MapRole::Rings => {
                    for ring in &map.rings {
                        merger
                            .rings
                            .push(CpuRing::new(Ring::new(ring.fd(), def.max_entries)?));
                    }
                }
                MapRole::Events => {
                    if merger.events.is_some() {
                        return Err(bad_image("two event rings"));
                    }
                    merger.events = Some((index, Ring::new(map.map.fd(), def.max_entries)?));
                }
                MapRole::Control
                | MapRole::Drops
                | MapRole::Globals
                | MapRole::Rodata
                | MapRole::Scratch
                | MapRole::SpecStates
                | MapRole::SpecBuffers
                | MapRole::Thread
                | MapRole::Slots
                | MapRole::Kept
                | MapRole::Parts
                | MapRole::Sighted
                | MapRole::UnwindFiles
                | MapRole::UnwindPool
                | MapRole::Assoc(_)
                | MapRole::Agg(_) => {}
            }
        }
        Ok(merger)
    }

    /// Descriptor that becomes readable when an event comes.
    pub(crate) fn events_fd<'a>(&self, maps: &'a [LoadedMap]) -> Option<BorrowedFd<'a>> {
        let (index, _) = self.events.as_ref()?;
        Some(maps.get(*index)?.map.fd())
    }

    /// Whether there are principal buffers at all.
    pub(crate) fn has_rings(&self) -> bool {
        !self.rings.is_empty()
    }

    fn fill(&mut self) -> u32 {
        let parts = self
            .rings
            .iter_mut()
            .map(|r| (r.ring.refresh() * 256 / r.ring.size().max(1)) as u32);
        parts.max().unwrap_or(0)
    }

    /// Lists all rings; returns the horizon and whether a record is being written.
    fn list(&mut self, start: u64) -> (u64, bool) {
        self.list.clear();
        let (mut horizon, mut busy) = (start, false);
        for (index, ring) in self.rings.iter_mut().enumerate() {
            let (limit, writing) = ring.list(index as u32, start, &mut self.list);
            horizon = horizon.min(limit);
            busy |= writing;
        }
        (horizon, busy)
    }

    /// As [`Merger::list`] when no program starts any more: waits for those that still write.
    fn list_last(&mut self) {
        for _ in 0..LAST_LOOKS {
            let (_, busy) = self.list(u64::MAX);
            if !busy {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(1));
            self.fill();
        }
    }

    fn drain(
        &mut self,
        last: bool,
        mut spec: Option<&mut Speculations>,
        emit: &mut dyn FnMut(u32, &[u8]),
    ) -> Drained {
        let start = monotonic_ns().saturating_sub(SLACK_NS);
        let mut drained = Drained {
            fill: self.fill(),
            ..Drained::default()
        };
        let horizon = match last {
            true => {
                self.list_last();
                u64::MAX
            }
            false => {
                let horizon = self.list(start).0;
                spec.as_ref().map_or(horizon, |s| s.horizon(horizon))
            }
        };
        // Stable, and fast on the sorted runs that the rings are.
        self.list.sort_by_key(|entry| entry.timestamp);
        let ready = self
            .list
            .partition_point(|entry| entry.timestamp <= horizon);
        drained.waiting = (self.list.len() - ready) as u64;
        for entry in self.list.iter().take(ready) {
            let Some(cpu) = self.rings.get_mut(entry.ring as usize) else {
                continue;
            };
            if let Slot::Record { bytes, .. } = cpu.ring.slot(entry.position) {
                if let Some(spec) = &mut spec {
                    drained.records += committed(spec, entry.timestamp, clause(bytes), emit);
                }
                emit(entry.ring, bytes);
                drained.records += 1;
            }
            emitted(&mut cpu.cursor, &mut cpu.ahead, entry.position, entry.next);
            if cpu.cursor - cpu.ring.position() >= RELEASE_BYTES {
                cpu.ring.release(cpu.cursor);
            }
        }
        for cpu in &mut self.rings {
            cpu.ring.release(cpu.cursor);
        }
        if let Some(spec) = spec.filter(|_| self.emits) {
            drained.records += committed(spec, horizon, u64::MAX, emit);
            drained.waiting += spec.waiting() as u64;
        }
        drained
    }

    fn drain_events(&mut self, emit: &mut dyn FnMut(&[u8])) -> u64 {
        let Some((_, ring)) = &mut self.events else {
            return 0;
        };
        ring.refresh();
        let mut at = ring.position();
        let mut count = 0;
        loop {
            match ring.slot(at) {
                Slot::End | Slot::Busy => break,
                Slot::Discarded { next } => at = next,
                Slot::Record { bytes, next } => {
                    emit(bytes);
                    count += 1;
                    at = next;
                }
            }
        }
        ring.release(at);
        count
    }
}

impl Loaded {
    /// Hands out records by time, with the CPU that wrote them: those older than a few milliseconds, or with `last` (the
    /// programs are detached) all.
    pub fn drain(&mut self, last: bool, mut emit: impl FnMut(u32, &[u8])) -> Drained {
        if let Some(spec) = &mut self.speculations {
            spec.collect(&self.maps, last);
        }
        let mut drained = self
            .rings
            .drain(last, self.speculations.as_mut(), &mut emit);
        if let (true, Some(kept)) = (last, &self.kept) {
            drained.records +=
                kept_records(kept.take(&self.maps), self.speculations.as_mut(), &mut emit);
        }
        self.waiter.note(drained);
        drained
    }

    /// Hands out control events in the order in which they were sent. Returns how many.
    pub fn drain_events(&mut self, mut emit: impl FnMut(&[u8])) -> u64 {
        let count = self.rings.drain_events(&mut emit);
        self.waiter.note_events(count);
        count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_emitted_out_of_order_release_the_ring_in_order() {
        let (mut cursor, mut ahead) = (0, BTreeMap::new());
        emitted(&mut cursor, &mut ahead, 16, 32);
        emitted(&mut cursor, &mut ahead, 48, 64);
        assert_eq!((cursor, ahead.len()), (0, 2));
        emitted(&mut cursor, &mut ahead, 0, 16);
        assert_eq!((cursor, ahead.len()), (32, 1));
        emitted(&mut cursor, &mut ahead, 32, 48);
        assert_eq!((cursor, ahead.len()), (64, 0));
    }
}

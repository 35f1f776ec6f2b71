//! Speculations that were committed: their records, read from the buffers of all CPUs ([`layout::spec`]).
//!
//! What is committed comes out where `commit()` was called, in the order of its own timestamps. A slot is free again as
//! soon as its buffers have been read.

use std::collections::VecDeque;
use std::time::Duration;

use image::{Image, MapRole, layout};
use layout::{record, spec};
use sys::mem::Mapping;

use crate::maps::LoadedMap;

/// Looks of the last drain, a millisecond apart, at a buffer that is being written to.
const LAST_LOOKS: u32 = 100;

/// The records of one committed speculation.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Committed {
    /// When `commit()` was called.
    pub(crate) time: u64,
    /// Index of the clause that called it.
    pub(crate) clause: u64,
    /// Timestamp, CPU and bytes of each record, in order of time.
    pub(crate) records: Vec<(u64, u32, Vec<u8>)>,
}

/// The speculations of an image.
#[derive(Debug)]
pub(crate) struct Speculations {
    states: usize,
    buffers: usize,
    /// Slots of all speculations.
    count: usize,
    /// Buffers of a slot: one a CPU.
    cpus: usize,
    /// Bytes from one buffer to the next.
    stride: usize,
    /// Read and not yet handed out, by time of the commit.
    pending: VecDeque<Committed>,
    /// The earliest commit whose buffers cannot be read yet.
    held: Option<u64>,
}

impl Speculations {
    /// `None` if the image has none.
    pub(crate) fn new(image: &Image) -> Option<Speculations> {
        let find = |role| {
            let index = image.maps.iter().position(|m| m.role == role)?;
            Some((index, image.maps.get(index)?))
        };
        let (states, state) = find(MapRole::SpecStates)?;
        let (buffers, buffer) = find(MapRole::SpecBuffers)?;
        let count = (state.value_size / spec::STATE_STRIDE).max(1) as usize;
        Some(Speculations {
            states,
            buffers,
            count,
            cpus: buffer.max_entries as usize / count,
            stride: (buffer.value_size as usize).next_multiple_of(8),
            pending: VecDeque::new(),
            held: None,
        })
    }

    /// Reads and frees what has been committed. With `last` no program starts any more: waits for those that write.
    pub(crate) fn collect(&mut self, maps: &[LoadedMap], last: bool) {
        let memory = |index: usize| maps.get(index).and_then(|m| m.memory.as_ref());
        let (Some(states), Some(buffers)) = (memory(self.states), memory(self.buffers)) else {
            return;
        };
        for _ in 0..LAST_LOOKS {
            self.held = None;
            for n in 0..self.count {
                self.look(n, states, buffers);
            }
            if !last || self.held.is_none() {
                break;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        self.pending.make_contiguous().sort_by_key(|c| c.time);
    }

    fn look(&mut self, n: usize, states: &Mapping, buffers: &Mapping) {
        let at = n * spec::STATE_STRIDE as usize;
        let word = states
            .load_u64_acquire(at + spec::COMMITTED as usize)
            .unwrap_or(0);
        if word == 0 {
            return;
        }
        let field = |offset: u32| states.load_u64(at + offset as usize).unwrap_or(0);
        let time = field(spec::TIME);
        let mut records = Vec::new();
        for cpu in 0..self.cpus {
            let at = (n * self.cpus + cpu) * self.stride;
            let writers = buffers.load_u64_acquire(at + spec::WRITERS as usize);
            if writers != Some(0) {
                self.held = Some(self.held.map_or(time, |t| t.min(time)));
                return;
            }
            let generation = word >> spec::GENERATION_SHIFT;
            read(buffers, at, generation, cpu as u32, &mut records);
        }
        records.sort_by_key(|(time, ..)| *time);
        self.pending.push_back(Committed {
            time,
            clause: field(spec::CLAUSE),
            records,
        });
        states.store_u64(at + spec::COMMITTED as usize, 0);
    }

    /// Nothing after this time may be handed out yet.
    pub(crate) fn horizon(&self, horizon: u64) -> u64 {
        self.held
            .map_or(horizon, |time| horizon.min(time.saturating_sub(1)))
    }

    /// The next committed speculation, if it comes before a record of this time and clause.
    pub(crate) fn before(&mut self, time: u64, clause: u64) -> Option<Committed> {
        self.pending
            .pop_front_if(|c| (c.time, c.clause) < (time, clause))
    }

    /// Number of committed speculations that wait.
    pub(crate) fn waiting(&self) -> usize {
        self.pending.len() + usize::from(self.held.is_some())
    }
}

/// Reads the entries of one buffer, if it is of this generation.
fn read(
    buffers: &Mapping,
    at: usize,
    generation: u64,
    cpu: u32,
    records: &mut Vec<(u64, u32, Vec<u8>)>,
) {
    let word = buffers
        .load_u64_acquire(at + spec::USED as usize)
        .unwrap_or(0);
    if word >> spec::GENERATION_SHIFT != generation {
        return;
    }
    let mut from = at + spec::DATA as usize;
    let end = from + (word as u32) as usize;
    while from < end {
        let len = buffers.load_u64(from).unwrap_or(0) as usize;
        let start = from + spec::ENTRY as usize;
        if len < record::HEADER as usize || len > end.saturating_sub(start) {
            return;
        }
        let Some(bytes) = buffers.read(start, len) else {
            return;
        };
        let time = buffers
            .load_u64(start + record::TIMESTAMP as usize)
            .unwrap_or(0);
        records.push((time, cpu, bytes));
        from = start + len.next_multiple_of(8);
    }
}

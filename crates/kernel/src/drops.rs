//! Counts of what was lost, per CPU and cause.

use image::layout::drops;
use sys::mem::Mapping;

use crate::load::Loaded;

/// What one CPU lost since the last look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Drops {
    /// Records that did not fit the principal buffer.
    pub principal: u64,
    /// Aggregation entries that could not be made.
    pub aggregation: u64,
    /// Dynamic variables that could not be made.
    pub dynamic: u64,
    /// Faults in ERROR clauses.
    pub error_in_error: u64,
    /// Fault reports that did not fit the event ring.
    pub events: u64,
    /// Records that did not fit a speculative buffer.
    pub speculative: u64,
    /// Speculations that failed while some were being committed.
    pub spec_busy: u64,
    /// Speculations that failed.
    pub spec_unavailable: u64,
    /// System calls of 32-bit processes, which are not traced.
    pub foreign: u64,
    /// User stacks that were walked in part by frame pointers, where tables were missing.
    pub unwind: u64,
    /// Firings of user-space probes lost because too many were under way on their CPU.
    pub preempted: u64,
}

impl Drops {
    /// Whether nothing was lost.
    pub fn is_empty(&self) -> bool {
        *self == Drops::default()
    }
}

/// Last counts seen.
#[derive(Debug)]
pub(crate) struct Counters {
    map: Option<usize>,
    seen: Vec<Drops>,
    missed: Vec<u64>,
}

impl Counters {
    pub(crate) fn new(map: Option<usize>, cpus: u32) -> Counters {
        Counters {
            map,
            seen: vec![Drops::default(); cpus as usize],
            missed: Vec::new(),
        }
    }
}

fn read(memory: &Mapping, cpu: usize) -> Drops {
    let at = |offset: u32| {
        memory
            .load_u64(cpu * drops::STRIDE as usize + offset as usize)
            .unwrap_or(0)
    };
    Drops {
        principal: at(drops::PRINCIPAL),
        aggregation: at(drops::AGGREGATION),
        dynamic: at(drops::DYNAMIC),
        error_in_error: at(drops::ERROR_IN_ERROR),
        events: at(drops::EVENTS),
        speculative: at(drops::SPECULATIVE),
        spec_busy: at(drops::SPEC_BUSY),
        spec_unavailable: at(drops::SPEC_UNAVAILABLE),
        foreign: at(drops::FOREIGN),
        unwind: at(drops::UNWIND),
        preempted: at(drops::PREEMPTED),
    }
}

impl Loaded {
    /// What each CPU lost since the last call (CPU number and counts; only CPUs that lost something).
    pub fn drops(&mut self) -> Vec<(u32, Drops)> {
        let memory = self
            .drops
            .map
            .and_then(|index| self.maps.get(index))
            .and_then(|map| map.memory.as_ref());
        let Some(memory) = memory else {
            return Vec::new();
        };
        let mut lost = Vec::new();
        for (cpu, seen) in self.drops.seen.iter_mut().enumerate() {
            let now = read(memory, cpu);
            let delta = Drops {
                principal: now.principal.wrapping_sub(seen.principal),
                aggregation: now.aggregation.wrapping_sub(seen.aggregation),
                dynamic: now.dynamic.wrapping_sub(seen.dynamic),
                error_in_error: now.error_in_error.wrapping_sub(seen.error_in_error),
                events: now.events.wrapping_sub(seen.events),
                speculative: now.speculative.wrapping_sub(seen.speculative),
                spec_busy: now.spec_busy.wrapping_sub(seen.spec_busy),
                spec_unavailable: now.spec_unavailable.wrapping_sub(seen.spec_unavailable),
                foreign: now.foreign.wrapping_sub(seen.foreign),
                unwind: now.unwind.wrapping_sub(seen.unwind),
                preempted: now.preempted.wrapping_sub(seen.preempted),
            };
            *seen = now;
            if !delta.is_empty() {
                lost.push((cpu as u32, delta));
            }
        }
        lost
    }

    /// Firings since the last call that the kernel skipped because a program of ours was already running on that
    /// CPU (a probe that fired inside another). One number a program, in the order of the image.
    pub fn missed_firings(&mut self) -> Vec<u64> {
        let Ok(infos) = self.program_info() else {
            return Vec::new();
        };
        self.drops.missed.resize(infos.len(), 0);
        infos
            .iter()
            .zip(&mut self.drops.missed)
            .map(|(info, seen)| {
                info.recursion_misses
                    - std::mem::replace(seen, info.recursion_misses).min(info.recursion_misses)
            })
            .collect()
    }
}

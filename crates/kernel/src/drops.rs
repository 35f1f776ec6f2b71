//! Counts of what was lost, per CPU and cause.

use std::array;

use image::layout::drops::{Counts, STRIDE};
use sys::mem::Mapping;

use crate::load::Loaded;

/// Last counts seen.
#[derive(Debug)]
pub(crate) struct Counters {
    map: Option<usize>,
    seen: Vec<Counts>,
    missed: Vec<u64>,
}

impl Counters {
    pub(crate) fn new(map: Option<usize>, cpus: u32) -> Counters {
        Counters {
            map,
            seen: vec![Counts::default(); cpus as usize],
            missed: Vec::new(),
        }
    }
}

fn read(memory: &Mapping, cpu: usize) -> Counts {
    array::from_fn(|n| memory.load_u64(cpu * STRIDE as usize + n * 8).unwrap_or(0))
}

impl Loaded {
    /// What each CPU lost since the last call, indexed by CPU; empty if this image counts no drops.
    pub fn drops(&mut self) -> Vec<Counts> {
        let memory = self
            .drops
            .map
            .and_then(|index| self.maps.get(index))
            .and_then(|map| map.memory.as_ref());
        let Some(memory) = memory else {
            return Vec::new();
        };
        let newly = |(cpu, seen): (usize, &mut Counts)| {
            let before = std::mem::replace(seen, read(memory, cpu));
            array::from_fn(|n| seen[n].wrapping_sub(before[n]))
        };
        self.drops.seen.iter_mut().enumerate().map(newly).collect()
    }

    /// Firings since the last call that the kernel skipped because a program of ours was already running on that
    /// CPU (a probe that fired inside another). One number a program, in the order of the image.
    pub fn missed_firings(&mut self) -> Vec<u64> {
        let Ok(mut infos) = self.program_info() else {
            return Vec::new();
        };
        self.links.count_missed();
        for (program, missed) in &self.links.missed {
            if let Some(info) = infos.get_mut(*program) {
                info.recursion_misses += missed;
            }
        }
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

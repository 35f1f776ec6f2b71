//! Splits a site that is too much for one program into parts, which jump from one to the next.
//!
//! The kernel limits a program: 64 maps, a million instructions that its verifier looks at, jumps of 32,767
//! instructions. A site is lowered as a whole first, with marks where it may be cut; if it is more than the budget, each
//! part is lowered by itself ([`crate::part`]). Parts follow each other by tail calls: nothing else runs in between, and
//! they share the site's element of scratch memory.

use std::collections::{BTreeMap, BTreeSet};

use image::{MapDef, MapRole, Site};
use ir::{Arg, Func, Inst};

/// How much goes into one program, roughly in instructions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Budget {
    /// What sites get that have none of their own.
    pub usual: u32,
    /// Of sites whose programs the kernel found too much.
    pub sites: BTreeMap<Site, u32>,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget {
            usual: USUAL,
            sites: BTreeMap::new(),
        }
    }
}

impl Budget {
    /// Of one site.
    pub fn of(&self, site: &Site) -> u32 {
        self.sites.get(site).copied().unwrap_or(self.usual)
    }
}

/// See [`Budget::usual`].
const USUAL: u32 = 16_000;
/// What a call of a string function costs the verifier, in the measure of the budget.
const LOCAL_CALL: u32 = 40;
/// Parts that one firing may go through (`MAX_TAIL_CALL_CNT` of linux/bpf.h, and the first).
pub const LONGEST: usize = 34;
/// Maps that the kernel lets one program use (`MAX_USED_MAPS` of kernel/bpf/verifier.c).
pub const MOST_MAPS: usize = 64;

/// A place where a site may be cut, in firing order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct At {
    /// Probe, or group of probes with the same clauses: see [`crate::site::SitePlan::segments`].
    pub segment: u32,
    /// Position in the list of clauses (parts) of the segment.
    pub clause: u32,
    /// Statement of that; 0 is before the predicate.
    pub stmt: u32,
}

impl At {
    /// Where a segment begins.
    pub fn segment(n: usize) -> At {
        At {
            segment: n as u32,
            ..At::default()
        }
    }
}

/// A place where the whole may be cut.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    /// Which.
    pub at: At,
    /// A D clause begins there.
    pub clause: bool,
    /// Instructions of the intermediate form before it.
    pub inst: usize,
}

/// What lies between two marks.
#[derive(Clone, Debug, Default)]
struct Load {
    cost: u32,
    maps: BTreeSet<u32>,
}

impl Load {
    fn with(&self, other: &Load) -> Load {
        Load {
            cost: self.cost.saturating_add(other.cost),
            maps: self.maps.union(&other.maps).copied().collect(),
        }
    }
}

/// What may be in one part.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    /// Cost.
    pub cost: u32,
    /// Maps of aggregations and arrays.
    pub maps: usize,
}

impl Limit {
    fn holds(self, load: &Load) -> bool {
        load.cost <= self.cost && load.maps.len() <= self.maps
    }
}

/// How many maps a part may use beyond those that all may use.
pub fn room(maps: &[MapDef]) -> usize {
    let common = maps.iter().filter(|m| !own(m)).count() + 1;
    MOST_MAPS.saturating_sub(common).max(1)
}

/// Whether a map is of one variable.
fn own(map: &MapDef) -> bool {
    matches!(map.role, MapRole::Assoc(_) | MapRole::Agg(_))
}

/// Cost of a whole function.
pub fn cost(f: &Func) -> u32 {
    f.insts.iter().map(weight).sum()
}

/// Roughly the instructions that one of the intermediate form becomes, and what else it costs the verifier.
fn weight(inst: &Inst) -> u32 {
    let words = |args: &[Arg]| 1 + args.len() as u32;
    match inst {
        Inst::Label(_) | Inst::Note(_) => 0,
        Inst::Const { .. }
        | Inst::Copy { .. }
        | Inst::Load { .. }
        | Inst::Store { .. }
        | Inst::AtomicAdd { .. }
        | Inst::Jump(_)
        | Inst::Branch { .. }
        | Inst::Pc { .. } => 1,
        Inst::Alu { .. }
        | Inst::Ext { .. }
        | Inst::Swap { .. }
        | Inst::FetchAdd { .. }
        | Inst::StackAddr { .. }
        | Inst::Map { .. }
        | Inst::MapValue { .. }
        | Inst::Exit => 2,
        Inst::Call { args, .. } => words(args),
        Inst::CallLocal { args, .. } => words(args) + LOCAL_CALL,
    }
}

/// Cuts a site: where each part begins. One part: it fits.
pub fn cuts(f: &Func, marks: &[Mark], maps: &[MapDef], limit: Limit) -> Vec<At> {
    let loads = loads(f, marks, maps);
    let mut cutter = Cutter {
        limit,
        here: Load::default(),
        cuts: vec![At::default()],
    };
    let mut n = 0;
    while n < marks.len() {
        let rest = marks.get(n + 1..).unwrap_or_default();
        let end = n + 1 + rest.iter().take_while(|m| !m.clause).count();
        cutter.clause(
            marks.get(n..end).unwrap_or_default(),
            loads.get(n..end).unwrap_or_default(),
        );
        n = end;
    }
    cutter.cuts
}

fn loads(f: &Func, marks: &[Mark], maps: &[MapDef]) -> Vec<Load> {
    let ends = marks.iter().skip(1).map(|m| m.inst).chain([f.insts.len()]);
    let load = |(mark, end): (&Mark, usize)| {
        let mut load = Load::default();
        for inst in f.insts.get(mark.inst..end).unwrap_or_default() {
            load.cost = load.cost.saturating_add(weight(inst));
            if let Inst::Map { map, .. } | Inst::MapValue { map, .. } = inst
                && maps.get(*map as usize).is_some_and(own)
            {
                load.maps.insert(*map);
            }
        }
        load
    };
    marks.iter().zip(ends).map(load).collect()
}

/// Fills one part after the other.
struct Cutter {
    limit: Limit,
    here: Load,
    cuts: Vec<At>,
}

impl Cutter {
    fn cut(&mut self, at: At) {
        self.here = Load::default();
        if self.cuts.last() != Some(&at) {
            self.cuts.push(at);
        }
    }

    /// A D clause goes into one part if it can, else it is cut between its statements.
    fn clause(&mut self, marks: &[Mark], loads: &[Load]) {
        let Some(first) = marks.first() else { return };
        let whole = loads.iter().fold(Load::default(), |sum, l| sum.with(l));
        let both = self.here.with(&whole);
        if self.limit.holds(&both) {
            self.here = both;
            return;
        }
        self.cut(first.at);
        if self.limit.holds(&whole) {
            self.here = whole;
            return;
        }
        for (mark, load) in marks.iter().zip(loads) {
            let both = self.here.with(load);
            if self.limit.holds(&both) {
                self.here = both;
            } else {
                self.cut(mark.at);
                self.here = load.clone();
            }
        }
    }
}

/// The most parts that one firing goes through. `selects`: a firing is one segment; else all of them.
pub fn longest(cuts: &[At], selects: bool) -> usize {
    if !selects {
        return cuts.len();
    }
    let last = cuts.last().map_or(0, |c| c.segment);
    let parts = |segment| {
        let start = At {
            segment,
            ..At::default()
        };
        let end = At {
            segment: segment + 1,
            ..At::default()
        };
        let first = cuts.partition_point(|c| *c <= start);
        let behind = cuts.partition_point(|c| *c < end);
        // The first part of all jumps to the segment's first.
        behind - first + 1 + usize::from(first > 1)
    };
    (0..=last).map(parts).max().unwrap_or(1)
}

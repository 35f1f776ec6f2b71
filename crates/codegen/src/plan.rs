//! Plans what is shared by all programs: maps, where variables live, how aggregations are keyed and stored.

use std::collections::BTreeSet;

use image::{
    AggDesc, AggFunc, AggStorage, KeyDesc, KeyKind, MapDef, MapKind, MapRole, Policy, Site,
    SymKind, layout,
};
use lang::Builtin;
use sema::hir::{Agg, AggId, Assoc, ExprKind, KeyTy, Program, Scope, StmtKind, Ty};

use crate::Target;
use crate::kept::Kept;
use crate::rodata::Rodata;
use sema::walk;

/// Where an associative array's elements are.
#[derive(Clone, Debug)]
pub struct AssocPlan {
    /// Map index.
    pub map: u32,
    /// Offset of each key in the key bytes.
    pub key_offs: Vec<u32>,
    /// Bytes of the key.
    pub key_size: u32,
    /// Bytes of an element.
    pub value_size: u32,
}

/// How an aggregation is updated.
#[derive(Clone, Debug)]
pub struct AggPlan {
    /// What the consumer is told.
    pub desc: AggDesc,
    /// More than one program updates it: each has entries of its own (hash) or updates atomically (slots).
    pub shared: bool,
    /// Offset in the key of the hidden program number, with a shared hash.
    pub program_key: Option<u32>,
    /// Bytes of a value in memory; of all CPUs' values in a plain hash.
    pub stride: u32,
    /// In a plain hash: bytes from one CPU's value to the next CPU's.
    pub cpu_stride: Option<u32>,
    /// All CPUs share one value of an entry.
    pub common: bool,
}

/// Principal buffers.
#[derive(Clone, Debug)]
pub enum Rings {
    /// Map of each CPU.
    Each(Vec<u32>),
    /// Array of maps.
    Array(u32),
    /// Buffers that are read at the end.
    Kept(Kept),
}

/// Up to so many CPUs a program chooses its buffer by comparing the CPU; a program may use 64 maps in all.
const RINGS_BY_NAME: u32 = 32;

/// Everything shared by the programs.
pub struct Plan {
    /// Maps so far.
    pub maps: Vec<MapDef>,
    /// Read-only memory.
    pub rodata: Rodata,
    /// Map indices.
    pub control: u32,
    /// Drop counters.
    pub drops: u32,
    /// Read-only memory.
    pub rodata_map: u32,
    /// Working memory.
    pub scratch: u32,
    /// Principal buffers.
    pub rings: Rings,
    /// Control events.
    pub events: u32,
    /// Globals.
    pub globals: u32,
    /// Thread-local variables.
    pub thread: u32,
    /// Byte offset of each variable in its storage (global and thread scope).
    pub var_offs: Vec<u32>,
    /// Bytes of thread storage used.
    pub thread_size: u32,
    /// Offset of a thread's number in its storage, if some `self->x[k]` needs it.
    pub thread_number: Option<u32>,
    /// Offset in the globals of the last thread number given.
    pub thread_counter: u32,
    /// Offset in thread storage of the on-CPU clock ([`crate::clock`]), if `vtimestamp` is used.
    pub vtime: Option<u32>,
    /// The table of process words seen last, if user addresses are recorded.
    pub sighted: Option<u32>,
    /// Offset in the globals of what each CPU was held up by `chill()` (since when, how long), if there is any.
    pub chill: Option<u32>,
    /// Associative arrays.
    pub assocs: Vec<AssocPlan>,
    /// Map of the aggregations without keys of their own.
    pub slots: Option<u32>,
    /// Aggregations.
    pub aggs: Vec<AggPlan>,
    /// CPU numbers are masked with this: one less than a power of two.
    pub cpu_mask: u32,
    /// Speculations, if there are any.
    pub spec: Option<crate::spec::SpecPlan>,
    /// How user stacks are walked by tables, if they are.
    pub unwind: Option<crate::rt::unwind::Facts>,
    /// Bytes of scratch a program uses at most.
    pub scratch_size: u32,
    /// Elements of the scratch map that the programs so far take, in CPUs.
    pub scratch_elements: u32,
    /// Bytes of scratch for the string that `strtok()` cuts.
    pub tokens: u32,
    /// Index of the ERROR probe, and its clauses.
    pub error: Option<(u32, Vec<u32>)>,
}

/// Up to so many CPUs a keyed aggregation is a plain hash with a cache line or more for each CPU: it is allocated in one
/// piece (a per-CPU hash takes a millisecond a thousand entries, or else can lose entries where the kernel cannot
/// allocate), and its look-up is inlined.
const STRIDED_CPUS: u32 = 16;
/// Most bytes of the values of all CPUs.
const STRIDED_MOST: u32 = 1 << 20;
/// Most bytes of a value of a per-CPU hash (`PCPU_MIN_UNIT_SIZE`). What is larger, quantizations of thousands of levels,
/// has one value for all CPUs, updated atomically.
const PERCPU_MOST: u32 = 32 << 10;
/// CPUs do not share one.
const CACHE_LINE: u32 = 64;
/// Keyed aggregations that may each be as large as `aggsize`.
const AMPLE: u64 = 8;

/// Bytes reserved for a string of at most `strsize` bytes.
pub fn str_cap(strsize: u32) -> u32 {
    strsize.next_multiple_of(8)
}

/// Words in which a stack of so many frames is recorded.
pub fn stack_words(user: bool, frames: u32) -> u32 {
    if user {
        frames
    } else {
        frames + image::layout::SPARE_FRAMES
    }
}

/// Bytes of a value of this type in a variable.
pub fn size_of(ty: Ty, strsize: u32) -> u32 {
    match ty {
        Ty::Int(i) => u32::from(i.bytes),
        Ty::Str => str_cap(strsize),
        Ty::Bytes { size, .. } => size,
        Ty::Stack { frames, .. } => frames * 8,
        Ty::Sym(_) => 16,
        Ty::Void => 0,
    }
}

fn array(name: &str, role: MapRole, size: u32, mmap: bool) -> MapDef {
    MapDef {
        name: name.into(),
        role,
        kind: MapKind::Array,
        key_size: 4,
        value_size: size,
        max_entries: 1,
        mmap,
        init: Vec::new(),
    }
}

/// The ERROR probe and its clauses.
fn error_clauses(p: &Program) -> Option<(u32, Vec<u32>)> {
    let error = p.probes.iter().position(|e| e.probe.site == Site::Error)? as u32;
    let clauses = p.clauses.iter().zip(0..);
    let of_it = clauses.filter(|(c, _)| c.probes.contains(&error));
    Some((error, of_it.map(|(_, n)| n).collect()))
}

impl Plan {
    /// Plans the whole program.
    pub fn new(p: &Program, target: &Target) -> Plan {
        let cpus = target.cpus.max(1).next_power_of_two();
        let mut plan = Plan {
            maps: Vec::new(),
            rodata: Rodata::default(),
            control: 0,
            drops: 0,
            rodata_map: 0,
            scratch: 0,
            rings: Rings::Each(Vec::new()),
            events: 0,
            globals: 0,
            thread: 0,
            var_offs: vec![0; p.vars.len()],
            thread_size: 0,
            thread_number: None,
            thread_counter: 0,
            vtime: None,
            chill: None,
            sighted: None,
            assocs: Vec::new(),
            slots: None,
            aggs: Vec::new(),
            cpu_mask: cpus - 1,
            spec: None,
            unwind: None,
            scratch_size: 8,
            scratch_elements: 0,
            tokens: crate::site::tokens(p),
            error: error_clauses(p),
        };
        plan.control = plan.add(array(
            "control",
            MapRole::Control,
            layout::control::SIZE,
            true,
        ));
        plan.drops = plan.add(array(
            "drops",
            MapRole::Drops,
            layout::drops::STRIDE * cpus,
            true,
        ));
        plan.rodata_map = plan.add(array("rodata", MapRole::Rodata, 8, false));
        // Not a per-CPU array: the values of those are at most 32 KiB.
        plan.scratch = plan.add(array("scratch", MapRole::Scratch, 8, false));
        plan.rings = match p.limits.policy {
            Policy::Switch => plan.rings(target.cpus.max(1), ring_bytes(p.limits.bufsize)),
            // Planned when the size of the records is known.
            Policy::Fill | Policy::Ring => Rings::Each(Vec::new()),
        };
        plan.events = plan.add(MapDef {
            kind: MapKind::Ringbuf,
            key_size: 0,
            value_size: 0,
            max_entries: 64 << 10,
            ..array("events", MapRole::Events, 0, false)
        });
        plan.unwind = crate::unwind::plan(p, target, &mut plan);
        plan.processes(p);
        plan.variables(p);
        plan.arrays(p);
        plan.aggregations(p);
        plan
    }

    /// Adds a map; gives its index.
    pub fn add(&mut self, map: MapDef) -> u32 {
        self.maps.push(map);
        (self.maps.len() - 1) as u32
    }

    /// Adds the map of a split site's later parts; how many there are is filled in when that is known.
    pub fn add_parts(&mut self, site: u32) -> u32 {
        self.add(MapDef {
            kind: MapKind::Programs,
            value_size: 4,
            ..array(&format!("parts_{site}"), MapRole::Parts, 0, false)
        })
    }

    /// Filling an array of maps waits for a grace period of the kernel (10 ms and more), so few CPUs do without.
    fn rings(&mut self, cpus: u32, bytes: u32) -> Rings {
        if cpus > RINGS_BY_NAME {
            return Rings::Array(self.add(MapDef {
                kind: MapKind::RingbufArray,
                value_size: 4,
                max_entries: bytes,
                ..array("buffers", MapRole::Rings, 0, false)
            }));
        }
        let ring = |cpu| MapDef {
            kind: MapKind::Ringbuf,
            key_size: 0,
            max_entries: bytes,
            ..array(&format!("buffer_{cpu}"), MapRole::Ring(cpu), 0, false)
        };
        Rings::Each((0..cpus).map(|cpu| self.add(ring(cpu))).collect())
    }

    fn processes(&mut self, p: &Program) {
        if records_user_addresses(p) {
            let size = layout::process::SLOTS * 8;
            self.sighted = Some(self.add(array("sighted", MapRole::Sighted, size, false)));
        }
    }

    fn variables(&mut self, p: &Program) {
        let mut globals = 0;
        let thread_arrays = p.assocs.iter().any(|a| a.scope == Scope::Thread);
        if thread_arrays {
            self.thread_number = Some(0);
            self.thread_size = 8;
            self.thread_counter = globals;
            globals += 8;
        }
        let chills = |c: &sema::hir::Clause| {
            let mut kinds = c.body.iter().map(|s| &s.kind);
            kinds.any(|k| matches!(k, StmtKind::Chill(_)))
        };
        if p.clauses.iter().any(chills) {
            self.chill = Some(globals);
            globals += 16 * (self.cpu_mask + 1);
        }
        if uses_vtimestamp(p) {
            self.vtime = Some(self.thread_size);
            self.thread_size += crate::clock::SIZE;
        }
        for (n, v) in p.vars.iter().enumerate() {
            let size = size_of(v.ty, p.limits.strsize).next_multiple_of(8);
            let total = match v.scope {
                Scope::Global => &mut globals,
                Scope::Thread => &mut self.thread_size,
                Scope::Clause => continue,
            };
            self.var_offs[n] = *total;
            *total += size;
        }
        self.globals = self.add(array("globals", MapRole::Globals, globals.max(8), true));
        if self.thread_size > 0 {
            self.thread = self.add(MapDef {
                kind: MapKind::TaskStorage,
                max_entries: 0,
                ..array("thread", MapRole::Thread, self.thread_size, false)
            });
        }
    }

    fn arrays(&mut self, p: &Program) {
        for (n, a) in p.assocs.iter().enumerate() {
            let plan = self.array_plan(p, n as u32, a);
            self.assocs.push(plan);
        }
    }

    fn array_plan(&mut self, p: &Program, n: u32, a: &Assoc) -> AssocPlan {
        let mut size = if a.scope == Scope::Thread { 8 } else { 0 };
        let mut key_offs = Vec::new();
        for k in &a.keys {
            key_offs.push(size);
            size += size_of(*k, p.limits.strsize).next_multiple_of(8);
        }
        let value_size = size_of(a.ty, p.limits.strsize).next_multiple_of(8).max(8);
        let entries =
            (p.limits.dynvarsize / u64::from(size + value_size + 48)).clamp(16, 1 << 24) as u32;
        let map = self.add(MapDef {
            kind: MapKind::Hash,
            key_size: size,
            value_size,
            max_entries: entries,
            ..array(&map_name("v_", &a.name), MapRole::Assoc(n), 0, false)
        });
        AssocPlan {
            map,
            key_offs,
            key_size: size,
            value_size,
        }
    }

    fn aggregations(&mut self, p: &Program) {
        let users = agg_users(p);
        for (n, a) in p.aggs.iter().enumerate() {
            // A thread can be preempted within a program on user-space points, and another update the same value.
            let shared = users[n].len() > 1 || users[n].iter().any(Site::is_user);
            let plan = self.agg_plan(p, n as u32, a, shared);
            self.aggs.push(plan);
        }
    }

    fn agg_plan(&mut self, p: &Program, n: u32, a: &Agg, shared: bool) -> AggPlan {
        let words = a.func.words();
        let stride = value_words(a.func) * 8;
        let fragile = matches!(a.func, AggFunc::Min | AggFunc::Max | AggFunc::Stddev);
        let growing = may_grow(p) && !a.keys.is_empty();
        let probe_keys = a.keys.iter().all(|k| matches!(k, KeyTy::Probe(_)));
        let name = map_name("a_", &a.name);
        if probe_keys && !(fragile && shared) && !growing {
            return self.slot_plan(p, a, shared, words, stride);
        }
        let (keys, mut key_size) = key_layout(&a.keys, p.limits.strsize);
        let program_key = shared.then_some(key_size);
        if shared {
            key_size += 8;
        }
        let cpus = self.cpu_mask + 1;
        let apart = stride.next_multiple_of(CACHE_LINE);
        let cpu_stride = (cpus <= STRIDED_CPUS && apart * cpus <= STRIDED_MOST).then_some(apart);
        let common = cpu_stride.is_none() && stride > PERCPU_MOST;
        let value_size = cpu_stride.map_or(stride, |s| s * cpus);
        let per_entry = u64::from(key_size + 48)
            + cpu_stride.map_or(u64::from(stride) + 32, |s| u64::from(s * cpus));
        let budget = p.limits.aggsize * cpu_stride.map_or(1, |_| u64::from(cpus));
        // A few aggregations may each be as large as all should be, so that a large one loses nothing.
        let sharers = (p.aggs.iter().filter(|a| !a.keys.is_empty()).count() as u64).div_ceil(AMPLE);
        let entries = (budget / per_entry / sharers.max(1)).clamp(16, 1 << 20) as u32;
        let map = self.add(MapDef {
            kind: if cpu_stride.is_some() || common {
                MapKind::Hash
            } else {
                MapKind::PercpuHash
            },
            key_size,
            value_size,
            max_entries: entries,
            ..array(&name, MapRole::Agg(n), 0, false)
        });
        let storage = AggStorage::Hash(map);
        let desc = AggDesc {
            name: a.name.clone(),
            func: a.func,
            keys,
            key_size,
            words,
            storage,
        };
        AggPlan {
            desc,
            shared,
            program_key,
            stride: value_size,
            cpu_stride,
            common,
        }
    }

    fn slot_plan(
        &mut self,
        p: &Program,
        a: &Agg,
        shared: bool,
        words: u32,
        stride: u32,
    ) -> AggPlan {
        let slots = if a.keys.is_empty() {
            1
        } else {
            p.probes.len().max(1) as u32
        };
        // A cache line apart, so that CPUs do not share one.
        let cpu_stride = (slots * stride).next_multiple_of(128);
        let map = match self.slots {
            Some(map) => map,
            None => {
                let map = self.add(array("slots", MapRole::Slots, 0, true));
                self.slots = Some(map);
                map
            }
        };
        let room = &mut self.maps[map as usize].value_size;
        let offset = *room;
        *room += cpu_stride * (self.cpu_mask + 1);
        let keys = a
            .keys
            .iter()
            .filter_map(|k| match k {
                KeyTy::Probe(field) => Some(KeyDesc {
                    kind: KeyKind::Probe(*field),
                    offset: 0,
                }),
                KeyTy::Int(_)
                | KeyTy::Str
                | KeyTy::ShortStr(_)
                | KeyTy::Stack { .. }
                | KeyTy::Sym(_) => None,
            })
            .collect();
        let storage = AggStorage::Slots {
            map,
            offset,
            slots,
            stride,
            cpu_stride,
        };
        let desc = AggDesc {
            name: a.name.clone(),
            func: a.func,
            keys,
            key_size: 0,
            words,
            storage,
        };
        AggPlan {
            desc,
            shared,
            program_key: None,
            stride,
            cpu_stride: None,
            common: false,
        }
    }
}

/// Words of a value in memory: `quantize()` has one more so that a masked index is always inside.
fn value_words(func: AggFunc) -> u32 {
    match func {
        AggFunc::Quantize => 128,
        _ => func.words(),
    }
}

/// Where each key lies.
fn key_layout(keys: &[KeyTy], strsize: u32) -> (Vec<KeyDesc>, u32) {
    let mut size = 0;
    let mut out = Vec::new();
    for k in keys {
        let (kind, bytes) = match *k {
            KeyTy::Int(i) => (
                KeyKind::Int {
                    bytes: i.bytes,
                    signed: i.signed,
                },
                u32::from(i.bytes),
            ),
            KeyTy::Str => (
                KeyKind::Str {
                    cap: str_cap(strsize),
                },
                str_cap(strsize),
            ),
            KeyTy::ShortStr(n) => {
                let cap = n.min(strsize).next_multiple_of(8);
                (KeyKind::Str { cap }, cap)
            }
            KeyTy::Probe(field) => (KeyKind::Probe(field), 4),
            KeyTy::Stack { user, frames } => {
                let frames = stack_words(user, frames);
                let head = if user { 8 } else { 0 };
                (KeyKind::Stack { user, frames }, frames * 8 + head)
            }
            KeyTy::Sym(kind) => (KeyKind::Sym(kind), if is_user(kind) { 16 } else { 8 }),
        };
        out.push(KeyDesc { kind, offset: size });
        size += bytes.next_multiple_of(8);
    }
    (out, size)
}

/// Symbols of user space come with their process.
pub fn is_user(kind: SymKind) -> bool {
    match kind {
        SymKind::Sym | SymKind::Mod => false,
        SymKind::Usym | SymKind::Umod | SymKind::Uaddr => true,
    }
}

/// The sites whose programs update each aggregation.
/// Whether probes may come while tracing: those of processes, which a clause that has none as yet may be for.
fn may_grow(p: &Program) -> bool {
    p.clauses.iter().any(|c| c.probes.is_empty())
        || p.probes.iter().any(|e| e.probe.site == Site::User)
}

fn agg_users(p: &Program) -> Vec<BTreeSet<Site>> {
    let mut users = vec![BTreeSet::new(); p.aggs.len()];
    for c in &p.clauses {
        for s in &c.body {
            if let StmtKind::Aggregate { agg: AggId(n), .. } = s.kind {
                let sites = c
                    .probes
                    .iter()
                    .filter_map(|i| p.probes.get(*i as usize))
                    .flat_map(|e| e.places.iter().map(|place| place.site.clone()));
                users[n as usize].extend(sites);
                if c.probes.is_empty() {
                    users[n as usize].insert(Site::User);
                }
                // ERROR clauses are part of every program.
                if c.probes
                    .iter()
                    .any(|i| p.probes[*i as usize].probe.site == Site::Error)
                {
                    users[n as usize].insert(Site::Begin);
                }
            }
        }
    }
    users
}

fn records_user_addresses(p: &Program) -> bool {
    let mut found = false;
    for c in &p.clauses {
        walk::clause(c, &mut |s| {
            if let walk::Seen::Expr(e) = s {
                found |= match e.ty {
                    Ty::Stack { user, .. } => user,
                    Ty::Sym(kind) => is_user(kind),
                    Ty::Int(_) | Ty::Str | Ty::Bytes { .. } | Ty::Void => false,
                };
            }
        });
    }
    found
}

fn uses_vtimestamp(p: &Program) -> bool {
    let mut used = false;
    walk::program(p, &mut |s| {
        if let walk::Seen::Expr(e) = s {
            used |= matches!(e.kind, ExprKind::Builtin(Builtin::Vtimestamp));
        }
    });
    used
}

/// Bytes of one ring: the kernel wants a power of two of at least a page.
fn ring_bytes(bufsize: u64) -> u32 {
    bufsize.clamp(4096, 1 << 30).next_power_of_two() as u32
}

/// A map name that the kernel accepts.
fn map_name(prefix: &str, name: &str) -> String {
    let ok = |c: char| {
        if c.is_ascii_alphanumeric() || c == '_' {
            c
        } else {
            '_'
        }
    };
    prefix
        .chars()
        .chain(name.chars())
        .map(ok)
        .take(15)
        .collect()
}

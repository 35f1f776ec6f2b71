//! Register allocation by linear scan.
//!
//! A register's live range is the interval of list positions from its first definition to its last use (jumps only go
//! forward, so nothing is live outside it). Values that live across a call need R6-R9; others may also have R1-R4. R0
//! and R5 are the emitter's, for spilled operands. Where no machine register is free, the interval that ends last goes
//! to the stack, whole.
//!
//! Hints: the n-th argument of a call wants R(n+1), a copy wants its source's register.

use bpf::Reg;

use crate::{Arg, Func, Inst, V};

/// Where a register lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Home {
    /// Never defined or used.
    Nowhere,
    /// A machine register.
    Reg(Reg),
    /// Eight bytes of the stack, by number.
    Spill(u32),
}

/// The result of allocation.
#[derive(Clone, Debug)]
pub struct Allocation {
    /// Home of each register.
    pub homes: Vec<Home>,
    /// Number of spill places.
    pub spills: u32,
}

#[derive(Clone, Copy, Debug)]
struct Interval {
    v: V,
    start: usize,
    end: usize,
    crosses: bool,
    hint: Option<Reg>,
    copy_of: Option<V>,
}

const CALLEE_SAVED: [Reg; 4] = [Reg::R6, Reg::R7, Reg::R8, Reg::R9];
const CALLER_SAVED: [Reg; 4] = [Reg::R1, Reg::R2, Reg::R3, Reg::R4];

/// Gives every register a home.
pub fn allocate(f: &Func) -> Allocation {
    let mut intervals = intervals(f);
    intervals.sort_by_key(|i| (i.start, i.v));
    let mut state = State {
        homes: vec![Home::Nowhere; f.regs as usize],
        active: Vec::new(),
        places: Vec::new(),
    };
    for i in intervals {
        state.place(i);
    }
    Allocation {
        homes: state.homes,
        spills: state.places.len() as u32,
    }
}

fn intervals(f: &Func) -> Vec<Interval> {
    let mut all: Vec<Option<Interval>> = vec![None; f.regs as usize];
    let blank = |v: V, at: usize| Interval {
        v,
        start: at,
        end: at,
        crosses: false,
        hint: None,
        copy_of: None,
    };
    all[0] = Some(Interval {
        hint: Some(Reg::R1),
        ..blank(Func::CTX, 0)
    });
    let mut calls = Vec::new();
    for (at, inst) in f.insts.iter().enumerate() {
        // Position 0 is the entry, where the context pointer is defined.
        let at = at + 1;
        inst.uses(&mut |v| {
            if let Some(i) = &mut all[v.0 as usize] {
                i.end = at;
            }
        });
        if let Some(d) = inst.def() {
            let i = all[d.0 as usize].get_or_insert(blank(d, at));
            i.end = i.end.max(at);
            if let Inst::Copy { s, .. } = inst {
                i.copy_of = Some(*s);
            }
        }
        if inst.is_call() {
            calls.push(at);
            hint_arguments(inst, &mut all);
        }
    }
    let mut out: Vec<Interval> = all.into_iter().flatten().collect();
    for i in &mut out {
        let first = calls.partition_point(|c| *c <= i.start);
        i.crosses = calls.get(first).is_some_and(|c| *c < i.end);
    }
    out
}

/// Arguments that die at a call want to be where it takes them.
fn hint_arguments(inst: &Inst, all: &mut [Option<Interval>]) {
    let (Inst::Call { args, .. } | Inst::CallLocal { args, .. }) = inst else {
        return;
    };
    for (n, arg) in args.iter().enumerate() {
        if let Arg::V(v) = arg
            && let Some(i) = &mut all[v.0 as usize]
        {
            i.hint = CALLER_SAVED.get(n).copied();
        }
    }
}

struct State {
    homes: Vec<Home>,
    active: Vec<(Interval, Reg)>,
    /// Position at which the last value of each place of the stack dies.
    places: Vec<usize>,
}

impl State {
    fn place(&mut self, i: Interval) {
        self.active.retain(|(a, _)| a.end > i.start);
        match self.choose(&i) {
            Some(r) => self.assign(i, r),
            None => self.evict_for(i),
        }
    }

    fn is_free(&self, r: Reg) -> bool {
        self.active.iter().all(|(_, a)| *a != r)
    }

    fn choose(&self, i: &Interval) -> Option<Reg> {
        let copied = i.copy_of.and_then(|s| match self.homes[s.0 as usize] {
            Home::Reg(r) => Some(r),
            Home::Nowhere | Home::Spill(_) => None,
        });
        let classes: &[&[Reg]] = if i.crosses {
            &[&CALLEE_SAVED]
        } else {
            &[&CALLER_SAVED, &CALLEE_SAVED]
        };
        let allowed = |r: Reg| classes.iter().any(|c| c.contains(&r)) && self.is_free(r);
        i.hint
            .into_iter()
            .chain(copied)
            .find(|r| allowed(*r))
            .or_else(|| {
                classes
                    .iter()
                    .flat_map(|c| c.iter().copied())
                    .find(|r| allowed(*r))
            })
    }

    fn assign(&mut self, i: Interval, r: Reg) {
        self.homes[i.v.0 as usize] = Home::Reg(r);
        self.active.push((i, r));
    }

    /// No register is free: the interval that ends last goes to the stack.
    fn evict_for(&mut self, i: Interval) {
        let victim = self
            .active
            .iter()
            .enumerate()
            .filter(|(_, (_, r))| !i.crosses || CALLEE_SAVED.contains(r))
            .max_by_key(|(_, (a, _))| a.end)
            .map(|(n, (a, r))| (n, *a, *r));
        match victim {
            Some((n, a, r)) if a.end > i.end => {
                self.active.remove(n);
                self.spill(a);
                self.assign(i, r);
            }
            _ => self.spill(i),
        }
    }

    /// A place of the stack for the whole interval: one whose last value died before this one began, though this one
    /// may have begun long ago.
    fn spill(&mut self, i: Interval) {
        let free = self.places.iter().position(|end| *end < i.start);
        let n = free.unwrap_or_else(|| {
            self.places.push(0);
            self.places.len() - 1
        });
        self.places[n] = i.end;
        self.homes[i.v.0 as usize] = Home::Spill(n as u32);
    }
}

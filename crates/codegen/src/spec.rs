//! Speculation: `speculation()`, `speculate()`, `commit()`, `discard()`. The protocol is that of [`image::layout::spec`].
//!
//! A clause with `speculate()` builds its records as any other; where it would send one it appends it to its CPU's buffer
//! of the speculation. `commit()` only marks the slot: the consumer reads the buffers, so what is discarded is never
//! copied.

use bpf::{AluOp, Helper, JmpOp, Width};
use image::layout::{Fault, drops, event, record, spec};
use image::{MapDef, MapKind, MapRole};
use ir::{Arg, Inst, L, V};
use lang::Subr;
use sema::hir::{Expr, ExprKind, Program, StmtKind};

use crate::Result;
use crate::clause::Actions;
use crate::plan::Plan;
use crate::rt::Local;
use crate::site::SiteGen;
use sema::walk;

/// Bits of a state word that hold the state.
const STATES: i32 = 0xff;
/// Bytes of buffers on each CPU that slots are made for beyond the first two.
const SLOT_BYTES: u32 = 2 << 20;
/// Most slots of a speculation.
const SLOTS: u32 = 64;

/// Where speculations are.
#[derive(Clone, Copy, Debug)]
pub struct SpecPlan {
    /// Map of their states.
    states: u32,
    /// Map of their buffers.
    buffers: u32,
    /// How many there are.
    count: u32,
    /// Slots of each.
    slots: u32,
    /// Bytes for entries in a buffer.
    limit: u32,
}

impl SpecPlan {
    /// Plans the maps of a program that speculates.
    pub fn new(p: &Program, actions: &[Actions], plan: &mut Plan) -> Option<SpecPlan> {
        if !p.clauses.iter().any(uses) {
            return None;
        }
        let count = p.limits.nspec;
        let limit = (p.limits.specsize as u32) & !7;
        let largest = actions
            .iter()
            .map(|a| record::HEADER + a.fixed_size + a.variable)
            .max()
            .unwrap_or(0);
        let slots = slots(count, limit);
        let map = |name: &str, role, value_size, max_entries| MapDef {
            name: name.into(),
            role,
            kind: MapKind::Array,
            key_size: 4,
            value_size,
            max_entries,
            mmap: true,
            init: Vec::new(),
        };
        let states = map(
            "spec_states",
            MapRole::SpecStates,
            spec::STATE_STRIDE * count.max(1) * slots,
            1,
        );
        // The verifier must believe that the largest record fits behind the last byte.
        let size = spec::DATA + limit + (spec::ENTRY + largest).next_multiple_of(8);
        let cpus = plan.cpu_mask + 1;
        let buffers = map(
            "spec_buffers",
            MapRole::SpecBuffers,
            size,
            count.max(1) * slots * cpus,
        );
        Some(SpecPlan {
            states: plan.add(states),
            buffers: plan.add(buffers),
            count,
            slots,
            limit,
        })
    }
}

/// Slots of each of `count` speculations of `limit` bytes: so many that bursts of commits find free ones before the
/// consumer runs, in bounded memory.
fn slots(count: u32, limit: u32) -> u32 {
    let one = count.max(1).saturating_mul(limit.max(8));
    let most = (SLOT_BYTES / one).clamp(2, SLOTS);
    1 << most.ilog2()
}

/// Whether a clause has to do with speculations.
fn uses(c: &sema::hir::Clause) -> bool {
    let mut found = c.body.iter().any(|s| {
        matches!(
            s.kind,
            StmtKind::Speculate(_) | StmtKind::Commit(_) | StmtKind::Discard(_)
        )
    });
    walk::clause(c, &mut |s| {
        if let walk::Seen::Expr(e) = s {
            found |= matches!(e.kind, ExprKind::Call(Subr::Speculation, _));
        }
    });
    found
}

/// Whether a clause (part) speculates.
pub fn speculates(c: &sema::hir::Clause) -> bool {
    c.body
        .iter()
        .any(|s| matches!(s.kind, StmtKind::Speculate(_)))
}

impl SiteGen<'_> {
    fn spec_plan(&self) -> Result<SpecPlan> {
        match self.plan.spec {
            Some(plan) => Ok(plan),
            None => crate::lower::internal("no speculations planned"),
        }
    }

    /// `speculation()`: an id, or 0 and a drop.
    pub fn speculation(&mut self) -> Result<V> {
        let plan = self.spec_plan()?;
        let states = self.f.map_value(plan.states, 0);
        let found = self.local(
            Local::SpecTake,
            &[
                states.into(),
                Arg::Imm(plan.count as i32),
                Arg::Imm(plan.slots as i32 - 1),
            ],
        );
        let d = self.f.reg();
        let (done, busy) = (self.f.label(), self.f.label());
        self.f.copy_to(d, found);
        self.f.branch(JmpOp::Sgt, d, 0, done);
        self.f.branch(JmpOp::Slt, d, 0, busy);
        self.drop_event(drops::Kind::SpecUnavailable);
        self.f.jump(done);
        self.f.bind(busy);
        self.f.push(Inst::Const { d, v: 0 });
        self.drop_event(drops::Kind::SpecBusy);
        self.f.bind(done);
        Ok(d)
    }

    /// Address of the state of speculation `id`, which is in range.
    fn spec_state(&mut self, plan: SpecPlan, id: V) -> V {
        let index = self.f.alu(AluOp::Sub, id, 1);
        let index = self.bounded(index, plan.count.max(1) - 1);
        let off = self
            .f
            .alu(AluOp::Mul, index, (spec::STATE_STRIDE * plan.slots) as i32);
        let base = self.f.map_value(plan.states, 0);
        self.f.alu(AluOp::Add, base, off)
    }

    /// `speculate(id)`: the records that follow go to the speculation, whose id `current` then holds. The clause ends,
    /// at `after`, if it is not active.
    pub fn speculate(&mut self, id: &Expr, current: V, after: L) -> Result<()> {
        let plan = self.spec_plan()?;
        let v = self.int(id)?;
        self.f.branch(JmpOp::Eq, v, 0, after);
        self.f.branch(JmpOp::Gt, v, plan.count as i32, after);
        let at = self.spec_state(plan, v);
        let word = self.f.load(at, spec::STATE as i32, Width::DW);
        let state = self.f.alu(AluOp::And, word, STATES);
        self.f.branch(JmpOp::Ne, state, spec::ACTIVE as i32, after);
        self.f.copy_to(current, v);
        Ok(())
    }

    /// `commit(id)`, `discard(id)`: nothing happens unless it is active; an id that never was is a fault.
    pub fn end_speculation(&mut self, id: &Expr, commit: bool) -> Result<()> {
        let plan = self.spec_plan()?;
        let v = self.int(id)?;
        self.fault_if(JmpOp::Gt, v, plan.count as i32, Fault::IllOp, None);
        let none = self.f.label();
        self.f.branch(JmpOp::Eq, v, 0, none);
        let at = self.spec_state(plan, v);
        if commit {
            let time = self.time();
            let clause = Arg::Imm(self.state.clause as i32);
            let mask = Arg::Imm(plan.slots as i32 - 1);
            self.local(Local::SpecCommit, &[at.into(), time.into(), clause, mask]);
            self.wake(event::COMMITTED);
        } else {
            self.local(Local::SpecDiscard, &[at.into()]);
        }
        self.f.bind(none);
        Ok(())
    }

    /// Appends the record at `data` (`size` bytes, at most `most`) to speculation `id`.
    pub fn send_speculative(&mut self, id: V, data: V, size: Arg, most: u32) -> Result<()> {
        let plan = self.spec_plan()?;
        let cpus = self.plan.cpu_mask + 1;
        let (done, write, full) = (self.f.label(), self.f.label(), self.f.label());
        let index = self.f.alu(AluOp::Sub, id, 1);
        let state = self.spec_state(plan, id);
        let word = self.f.load(state, spec::STATE as i32, Width::DW);
        let generation = self.f.alu(AluOp::Rsh, word, spec::GENERATION_SHIFT as i32);
        let at = self.f.alu(AluOp::And, generation, plan.slots as i32 - 1);
        let key = self.f.alu(AluOp::Mul, index, plan.slots as i32);
        let key = self.f.alu(AluOp::Add, key, at);
        let key = self.f.alu(AluOp::Mul, key, cpus as i32);
        let cpu = self.cpu();
        let key = self.f.alu(AluOp::Add, key, cpu);
        let slot = self.word_slot();
        self.f.store(slot, 0, Width::W, key);
        let map = self.f.map(plan.buffers);
        let key = self.f.slot_addr(slot, 0);
        let buffer = self.call(Helper::MapLookupElem, &[map.into(), key.into()]);
        self.f.branch(JmpOp::Eq, buffer, 0, done);
        let entry: Arg = match size {
            Arg::Imm(n) => Arg::Imm((n + spec::ENTRY as i32 + 7) & !7),
            Arg::V(v) => {
                let v = self.f.alu(AluOp::Add, v, spec::ENTRY as i32 + 7);
                self.f.alu(AluOp::And, v, !7).into()
            }
        };
        let off = self.local(
            Local::SpecReserve,
            &[
                state.into(),
                buffer.into(),
                entry,
                Arg::Imm(plan.limit as i32),
                word.into(),
            ],
        );
        self.f.branch(JmpOp::Sge, off, 0, write);
        self.f.branch(JmpOp::Eq, off, -2, full);
        self.f.jump(done);
        self.f.bind(full);
        self.drop_event(drops::Kind::Speculative);
        self.f.jump(done);
        self.f.bind(write);
        let off = self.bounded(off, plan.limit);
        let off = self.f.alu(AluOp::And, off, !7);
        let at = self.f.alu(AluOp::Add, buffer, off);
        self.f.store(at, spec::DATA as i32, Width::DW, size);
        let to = self.address(at, (spec::DATA + spec::ENTRY) as i32);
        let size: Arg = match size {
            Arg::Imm(n) => Arg::Imm(n),
            Arg::V(v) => self.bounded(v, most).into(),
        };
        self.call(Helper::ProbeReadKernel, &[to.into(), size, data.into()]);
        let minus = self.f.konst(u64::MAX);
        let old = self.f.reg();
        self.f.push(Inst::FetchAdd {
            d: old,
            base: buffer.into(),
            off: spec::WRITERS as i32,
            src: minus,
        });
        self.f.bind(done);
        Ok(())
    }
}

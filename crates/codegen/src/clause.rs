//! Clauses: predicate, statements, the record, faults.

use std::ops::Range;

use bpf::{AluOp, Helper, JmpOp, Width};
use image::layout::{Fault, control, drops, event, record};
use image::{ActionKind, Datum, DatumKind, Site};
use ir::{Arg, Inst, L, Slot, V};
use sema::hir::{Clause, Expr, ExprKind, Program, StmtKind, Ty};

use crate::part::{Cut, WHOLE};
use crate::plan::{Plan, Rings};
use crate::site::{FaultArgs, Firing, SiteGen};
use crate::spec::speculates;
use crate::strings::{COMM, probe_field};
use crate::{Arch, Result, stop};

/// `BPF_RB_NO_WAKEUP`: the consumer looks by itself.
const NO_WAKEUP: i32 = 1;
/// `BPF_RB_FORCE_WAKEUP`.
pub(crate) const FORCE_WAKEUP: i32 = 2;
/// Constants up to this long are recorded in the fixed part.
const INLINE_STR: usize = 31;

/// The records of one clause.
#[derive(Clone, Debug, Default)]
pub struct Actions {
    /// Bytes of the fixed part.
    pub fixed_size: u32,
    /// Most bytes of the variable part.
    pub variable: u32,
    /// Whether a firing sends a record.
    pub records: bool,
    /// Recording actions, in statement order.
    pub list: Vec<Recorded>,
}

/// One recording action.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// What the consumer does.
    pub kind: ActionKind,
    /// Where its data lie.
    pub data: Vec<Datum>,
}

impl Actions {
    /// Lays out what a clause records.
    pub fn plan(c: &Clause, p: &Program, _plan: &Plan) -> Result<Actions> {
        let mut a = Actions {
            records: c.default_action,
            ..Actions::default()
        };
        for s in &c.body {
            let (kind, data): (ActionKind, Vec<&Expr>) = match &s.kind {
                StmtKind::Record { action, data } => (action.clone(), data.iter().collect()),
                StmtKind::Exit(status) => (ActionKind::Exit, vec![status]),
                StmtKind::Expr(_)
                | StmtKind::Aggregate { .. }
                | StmtKind::Raise(_)
                | StmtKind::Stop
                | StmtKind::Chill(_)
                | StmtKind::Speculate(_)
                | StmtKind::Commit(_)
                | StmtKind::Discard(_) => continue,
            };
            a.records = true;
            let data = data
                .into_iter()
                .map(|e| a.datum(e, p))
                .collect::<Result<_>>()?;
            a.list.push(Recorded { kind, data });
        }
        a.fixed_size = a.fixed_size.next_multiple_of(8);
        Ok(a)
    }

    fn datum(&mut self, e: &Expr, p: &Program) -> Result<Datum> {
        let strsize = p.limits.strsize.max(1);
        let (kind, size, align) = match e.ty {
            Ty::Int(i) => (
                DatumKind::Int {
                    bytes: i.bytes,
                    signed: i.signed,
                },
                u32::from(i.bytes),
                u32::from(i.bytes),
            ),
            Ty::Str => match &e.kind {
                ExprKind::Builtin(b) if probe_field(*b).is_some() => (
                    DatumKind::Probe(probe_field(*b).unwrap_or(image::ProbeField::Name)),
                    0,
                    1,
                ),
                ExprKind::Builtin(lang::Builtin::Execname | lang::Builtin::Threadname)
                    if strsize >= COMM =>
                {
                    (DatumKind::InlineStr { cap: COMM }, COMM, 8)
                }
                ExprKind::Str(s) if s.len() <= INLINE_STR.min(strsize as usize - 1) => {
                    let cap = (s.len() as u32 + 1).next_multiple_of(8);
                    (DatumKind::InlineStr { cap }, cap, 8)
                }
                _ => {
                    self.variable += crate::plan::str_cap(strsize);
                    (DatumKind::VarStr, 4, 4)
                }
            },
            Ty::Bytes { size, chars } => (DatumKind::Bytes { len: size, chars }, size, 8),
            Ty::Stack { user, frames } => {
                let frames = crate::plan::stack_words(user, frames);
                self.variable += frames * 8 + if user { 8 } else { 0 };
                (DatumKind::Stack { user, frames }, 4, 4)
            }
            Ty::Sym(kind) => {
                let size = if crate::plan::is_user(kind) { 16 } else { 8 };
                (DatumKind::Sym(kind), size, 8)
            }
            Ty::Void => return stop(e.pos, "a void value cannot be recorded"),
        };
        self.fixed_size = self.fixed_size.next_multiple_of(align.max(1));
        let offset = self.fixed_size;
        self.fixed_size += size;
        Ok(Datum { kind, offset })
    }
}

/// State of the clause being lowered.
#[derive(Default)]
pub struct ClauseState {
    /// Its index.
    pub clause: u32,
    /// Its predicate is being lowered.
    pub in_predicate: bool,
    /// Its own timestamp.
    pub time: Option<V>,
    /// This thread's storage, or a register that holds 0.
    pub thread: Option<V>,
    /// The value being stored is constant zero: no storage is no loss.
    pub zero_store: bool,
    /// Scratch offsets of the clause's own allocations: their start, and the end of the last one so far.
    pub arena: u32,
    /// See `arena`.
    pub arena_end: u32,
    /// Stack slots in use by its temporaries.
    pub slots_used: Vec<Slot>,
    /// Number of the action being lowered, from 1; 0 for the predicate.
    action: u32,
    pub fault: Option<FaultExit>,
    /// Something jumps there.
    pub faulted: bool,
    /// Record under construction: offset in scratch.
    pub record: u32,
    /// Length of the record's variable part so far.
    pub variable: Option<V>,
    /// Behind the last part of the D clause.
    after: Option<L>,
}

/// Which statements of a clause are lowered.
struct Stmts {
    /// The first.
    from: usize,
    /// Behind the last, if there are more.
    to: Option<usize>,
    /// Where the D clause is left, if this part of the program does not have all of it.
    go: Option<L>,
}

/// Whether a statement records something.
fn records(s: &StmtKind) -> bool {
    matches!(s, StmtKind::Record { .. } | StmtKind::Exit(_))
}

impl ClauseState {
    /// For what is no clause; its faults are those of a clause's predicate.
    pub fn aside(owner: u32) -> ClauseState {
        ClauseState {
            clause: owner,
            in_predicate: true,
            ..ClauseState::default()
        }
    }
}

/// Where faults of a clause go, and the registers that say what happened.
#[derive(Clone, Copy)]
pub struct FaultExit {
    /// Where they go.
    pub label: L,
    code: V,
    addr: V,
    action: V,
    pc: V,
}

impl SiteGen<'_> {
    /// The clauses of a group, in order. Parts of one D clause share its fate.
    pub fn clauses(&mut self, list: &[u32]) -> Result<()> {
        let (from, to) = WHOLE;
        self.clauses_within(list, from, to)
    }

    /// Those from one place up to another.
    pub fn clauses_within(&mut self, list: &[u32], from: Cut, to: Cut) -> Result<()> {
        let mut n = 0;
        while n < list.len() && (n, 0) < to {
            let mut end = n + 1;
            while end < list.len() && self.p.clauses[list[end] as usize].continues {
                end += 1;
            }
            if (end, 0) > from {
                self.d_clause(list, n..end, from, to)?;
            }
            n = end;
        }
        Ok(())
    }

    fn d_clause(&mut self, list: &[u32], d: Range<usize>, from: Cut, to: Cut) -> Result<()> {
        if d.start > 0 {
            self.at.clause = d.start as u32;
            self.mark(true);
        }
        let resumed = from > (d.start, 0);
        let cut = to < (d.end, 0);
        let after = self.f.label();
        let speculating = list[d.clone()]
            .iter()
            .any(|c| speculates(&self.p.clauses[*c as usize]));
        self.spec = None;
        if resumed {
            self.resume_clause(speculating, after);
        } else if speculating {
            self.spec = Some(self.f.konst(0));
        }
        let go = cut.then(|| self.f.label());
        for k in d.clone() {
            if (k + 1, 0) <= from || (k, 0) >= to {
                continue;
            }
            self.at.clause = k as u32;
            if k > d.start {
                self.mark(false);
            }
            let stmts = Stmts {
                from: if from.0 == k { from.1 } else { 0 },
                to: (to.0 == k).then_some(to.1),
                go,
            };
            self.clause(list[k], k == d.start, after, stmts)?;
        }
        match go {
            None => {
                self.f.bind(after);
                self.exit_island();
            }
            Some(go) => {
                if to.1 == 0 {
                    self.leave_between(go);
                }
                self.leave_clause(after, go);
            }
        }
        Ok(())
    }

    pub fn note(&mut self, pos: sema::hir::Pos) {
        self.f.push(Inst::Note(ir::Pos {
            clause: self.state.clause,
            line: pos.line,
            col: pos.col,
        }));
    }

    /// A place where faults go.
    pub fn fault_exit(&mut self) -> FaultExit {
        FaultExit {
            label: self.f.label(),
            code: self.f.reg(),
            addr: self.f.reg(),
            action: self.f.reg(),
            pc: self.f.reg(),
        }
    }

    /// One clause (part), or some of its statements. `after` is behind the last part of its D clause.
    fn clause(&mut self, n: u32, first: bool, after: L, stmts: Stmts) -> Result<()> {
        let program = self.p;
        let c = &program.clauses[n as usize];
        self.bump = self.persistent;
        self.state = ClauseState {
            clause: n,
            after: Some(after),
            ..ClauseState::default()
        };
        self.open_arena();
        let next = self.f.label();
        let fault = self.fault_exit();
        self.state.fault = Some(fault);
        self.note(c.pos);
        if stmts.from > 0 {
            self.resume_clause_part(next);
        } else if let Some(p) = &c.predicate {
            self.state.in_predicate = true;
            self.note(p.pos);
            self.thread_for_predicate(p);
            self.branch_false(p, if first { after } else { next })?;
            self.state.in_predicate = false;
        }
        if self.takes_time(n) {
            let t = self.f.call(Helper::KtimeGetNs, &[]);
            self.state.time = Some(t);
        }
        let to = stmts.to.unwrap_or(c.body.len());
        self.thread_for_body(&c.body[stmts.from..to]);
        self.body(c, n, &stmts)?;
        let cut = stmts.go.filter(|_| stmts.to.is_some());
        if let Some(go) = cut {
            self.leave_clause_part(next, go);
        }
        if self.state.faulted {
            if cut.is_none() {
                self.f.jump(next);
            }
            self.f.bind(fault.label);
            self.report_fault(fault)?;
            self.f.jump(after);
        }
        if cut.is_none() {
            self.f.bind(next);
        }
        Ok(())
    }

    fn body(&mut self, c: &Clause, n: u32, stmts: &Stmts) -> Result<()> {
        let plan = self.actions[n as usize].clone();
        if plan.records && stmts.from == 0 {
            self.state.record = self.take(record::HEADER + plan.fixed_size + plan.variable);
        }
        let done = c.body[..stmts.from].iter().filter(|s| records(&s.kind));
        let mut recorded = plan.list.iter().skip(done.count());
        self.state.action = stmts.from as u32;
        let to = stmts.to.unwrap_or(c.body.len());
        for (k, s) in c.body.iter().enumerate().take(to).skip(stmts.from) {
            if k > 0 {
                self.at.stmt = k as u32;
                self.mark(false);
            }
            self.note(s.pos);
            self.state.action += 1;
            let mark = self.bump;
            self.statement(s, &mut recorded)?;
            // A statement's temporaries die with it.
            self.bump = mark;
            self.state.slots_used.clear();
        }
        self.at.stmt = 0;
        if plan.records && stmts.to.is_none() {
            self.send_record(&plan)?;
        }
        Ok(())
    }

    /// One statement; `recorded` gives the plan of the next recording action.
    fn statement<'p>(
        &mut self,
        s: &sema::hir::Stmt,
        recorded: &mut impl Iterator<Item = &'p Recorded>,
    ) -> Result<()> {
        match &s.kind {
            StmtKind::Expr(e) => self.effect(e)?,
            StmtKind::Record { data, .. } => {
                let exprs: Vec<&Expr> = data.iter().collect();
                self.record_data(&exprs, recorded.next())?;
            }
            StmtKind::Exit(e) => {
                self.record_data(&[e], recorded.next())?;
                self.exit_action(e)?;
            }
            StmtKind::Aggregate {
                agg,
                keys,
                value,
                incr,
            } => {
                self.aggregate(*agg, keys, value.as_ref(), incr.as_ref())?;
            }
            StmtKind::Raise(e) => {
                let v = self.int(e)?;
                self.must_run();
                self.f.push(Inst::Call {
                    d: None,
                    helper: Helper::SendSignal,
                    args: vec![v.into()],
                });
            }
            StmtKind::Stop => {
                self.must_run();
                const SIGSTOP: i32 = 19;
                let args = vec![Arg::Imm(SIGSTOP)];
                self.f.push(Inst::Call {
                    d: None,
                    helper: Helper::SendSignal,
                    args,
                });
            }
            StmtKind::Speculate(id) => {
                if let (Some(current), Some(after)) = (self.spec, self.state.after) {
                    self.speculate(id, current, after)?;
                }
            }
            StmtKind::Commit(id) => self.end_speculation(id, true)?,
            StmtKind::Discard(id) => self.end_speculation(id, false)?,
            StmtKind::Chill(ns) => self.chill(ns)?,
        }
        Ok(())
    }

    /// Evaluates an action's data into the record.
    fn record_data(&mut self, exprs: &[&Expr], recorded: Option<&Recorded>) -> Result<()> {
        let Some(recorded) = recorded else {
            return crate::lower::internal("an action without a plan");
        };
        for (e, d) in exprs.iter().zip(&recorded.data) {
            let off = (self.state.record + record::HEADER + d.offset) as i32;
            self.record_datum(e, d, off)?;
        }
        Ok(())
    }

    fn record_datum(&mut self, e: &Expr, d: &Datum, off: i32) -> Result<()> {
        match &d.kind {
            DatumKind::Int { bytes, .. } => {
                let v = self.int(e)?;
                let scratch = self.scratch();
                self.f.store(scratch, off, crate::vars::width(*bytes), v);
            }
            DatumKind::Bytes { len, .. } => self.bytes_into(e, off, *len)?,
            DatumKind::InlineStr { cap } => {
                let scratch = self.scratch();
                self.padded_string(e, scratch, off, *cap)?;
            }
            DatumKind::VarStr => {
                let (base, at) = self.variable_end(crate::plan::str_cap(self.strsize()));
                let len = self.str_into(e, base, at)?;
                // Without its NUL.
                let text = self.f.alu(AluOp::Sub, len, 1);
                self.grow_variable(off, text, self.strsize() - 1);
            }
            DatumKind::Stack { user, frames } => self.record_stack(*user, *frames, off)?,
            DatumKind::Sym(kind) => {
                let v = self.int(e)?;
                let scratch = self.scratch();
                self.f.store(scratch, off, Width::DW, v);
                if crate::plan::is_user(*kind) {
                    self.process_into(scratch, off + 8)?;
                }
            }
            DatumKind::Probe(_) => {}
        }
        Ok(())
    }

    /// Where the variable part of the record ends now, with this much left to come.
    pub fn variable_end(&mut self, room: u32) -> (V, i32) {
        let start = (self.state.record
            + record::HEADER
            + self.actions[self.state.clause as usize].fixed_size) as i32;
        let scratch = self.scratch();
        match self.state.variable {
            None => (scratch, start),
            Some(len) => {
                let mut most = self.actions[self.state.clause as usize].variable;
                if self.part.is_some() {
                    // The verifier knows nothing of a length that comes from the part before.
                    most -= room.min(most);
                }
                let len = self.bounded(len, most);
                (self.f.alu(AluOp::Add, scratch, len), start)
            }
        }
    }

    /// Notes the length of a variable datum (at most `most`) and adds it to the variable part.
    pub fn grow_variable(&mut self, off: i32, len: V, most: u32) {
        let scratch = self.scratch();
        self.fault_if(JmpOp::Gt, len, most as i32, Fault::Unknown, None);
        self.f.store(scratch, off, Width::W, len);
        self.state.variable = Some(match self.state.variable {
            None => len,
            Some(v) => self.f.alu(AluOp::Add, v, len),
        });
    }

    /// Frames of the tracing machinery at the top of a kernel stack: the program, `bpf_trace_runN()`, and for system
    /// calls, whose tracepoints may fault, `__bpf_trace_NAME()`. What a kernel has more of them the consumer drops.
    pub fn stack_skip(&self) -> i32 {
        match self.site.site {
            Site::SyscallEntry | Site::SyscallReturn => 3,
            Site::Tracepoint { .. } => 2,
            Site::Begin | Site::End | Site::Error | Site::Tick { .. } => 3,
            // The program and the trampoline, which is two frames on arm64; samples and kprobes begin with the registers.
            Site::KernelFunction { .. } => match self.target.arch {
                Arch::X86_64 => 2,
                Arch::Aarch64 => 3,
            },
            Site::Profile { .. }
            | Site::Counter(_)
            | Site::KernelProbe { .. }
            | Site::KernelFunctions { .. } => 0,
            // The thread is in user mode: all of its kernel stack is about the probe.
            Site::User | Site::UserPlace { .. } => 255,
        }
    }

    /// `exit()`: closes the gate for everybody, wakes the consumer.
    fn exit_action(&mut self, status: &Expr) -> Result<()> {
        let v = self.int(status)?;
        let cpu = self.cpu();
        let c = self.f.map_value(self.plan.control, 0);
        self.f.store(c, control::EXIT_STATUS as i32, Width::DW, v);
        self.f.store(c, control::EXIT_CPU as i32, Width::DW, cpu);
        self.f.store(
            c,
            control::GATE as i32,
            Width::DW,
            control::GATE_EXITING as i32,
        );
        let slot = self.event_slot();
        self.f
            .store(slot, event::KIND as i32, Width::W, event::EXITED as i32);
        self.send_event(slot, Arg::Imm(FORCE_WAKEUP));
        Ok(())
    }

    /// A zeroed event on the stack, with its CPU.
    pub fn event_slot(&mut self) -> Slot {
        let slot = match self.event {
            Some(s) => s,
            None => {
                let s = self.f.slot(event::SIZE);
                self.event = Some(s);
                s
            }
        };
        for n in 0..(event::SIZE / 8) as i32 {
            self.f.store(slot, n * 8, Width::DW, 0);
        }
        let cpu = self.cpu();
        self.f.store(slot, event::CPU as i32, Width::W, cpu);
        slot
    }

    /// Wakes the consumer with an event of this kind, which says all there is to say.
    pub fn wake(&mut self, kind: u32) {
        let slot = self.event_slot();
        self.f
            .store(slot, event::KIND as i32, Width::W, kind as i32);
        self.output_event(slot, Arg::Imm(FORCE_WAKEUP));
    }

    fn output_event(&mut self, slot: Slot, wakes: Arg) -> V {
        let map = self.f.map(self.plan.events);
        let data = self.f.slot_addr(slot, 0);
        let args = [map.into(), data.into(), Arg::Imm(event::SIZE as i32), wakes];
        self.call(Helper::RingbufOutput, &args)
    }

    /// Sends an event; `wakes` are flags of `bpf_ringbuf_output()`.
    pub fn send_event(&mut self, slot: Slot, wakes: Arg) {
        let r = self.output_event(slot, wakes);
        let ok = self.f.label();
        self.f.branch(JmpOp::Eq, r, 0, ok);
        self.drop_event(drops::Kind::Event);
        self.f.bind(ok);
    }

    /// Index of the probe that fires.
    pub fn probe_index(&mut self) -> Arg {
        match self.firing {
            Firing::One(p) => Arg::Imm(p as i32),
            Firing::Any(v) => v.into(),
        }
    }

    /// This CPU's principal buffer, by comparing the CPU.
    fn ring_of(&mut self, maps: &[u32], cpu: V) -> V {
        let (ring, have) = (self.f.reg(), self.f.label());
        for (n, map) in maps.iter().enumerate() {
            let next = self.f.label();
            if n + 1 < maps.len() {
                self.f.branch(JmpOp::Ne, cpu, n as i32, next);
            }
            self.f.push(Inst::Map { d: ring, map: *map });
            self.f.jump(have);
            self.f.bind(next);
        }
        self.f.bind(have);
        ring
    }

    /// This CPU's principal buffer in an array of maps; `none` is where to go without one.
    fn ring_in(&mut self, maps: u32, cpu: V, none: L) -> V {
        let slot = self.word_slot();
        self.f.store(slot, 0, Width::W, cpu);
        let maps = self.f.map(maps);
        let key = self.f.slot_addr(slot, 0);
        let ring = self.call(Helper::MapLookupElem, &[maps.into(), key.into()]);
        self.f.branch(JmpOp::Eq, ring, 0, none);
        ring
    }

    fn send_record(&mut self, plan: &Actions) -> Result<()> {
        let at = self.state.record as i32;
        let time = self.time();
        let cpu = self.cpu();
        let scratch = self.scratch();
        let probe = self.probe_index();
        self.f
            .store(scratch, at + record::TIMESTAMP as i32, Width::DW, time);
        self.f.store(
            scratch,
            at + record::CLAUSE as i32,
            Width::W,
            self.state.clause as i32,
        );
        self.f
            .store(scratch, at + record::PROBE as i32, Width::W, probe);
        let done = self.f.label();
        let data = self.address(scratch, at);
        let fixed = (record::HEADER + plan.fixed_size) as i32;
        let size: Arg = match self.state.variable {
            None => Arg::Imm(fixed),
            Some(v) => {
                let v = self.bounded(v, plan.variable);
                self.f.alu(AluOp::Add, v, fixed).into()
            }
        };
        if let Some(id) = self.spec {
            let principal = self.f.label();
            self.f.branch(JmpOp::Eq, id, 0, principal);
            self.send_speculative(id, data, size, fixed as u32 + plan.variable)?;
            self.f.jump(done);
            self.f.bind(principal);
        }
        self.send(cpu, data, size, fixed as u32 + plan.variable, done);
        self.f.bind(done);
        Ok(())
    }

    /// Puts the record at `data` (`size` bytes, at most `most`) into this CPU's principal buffer, or counts it as lost.
    fn send(&mut self, cpu: V, data: V, size: Arg, most: u32, done: L) {
        let ring = match self.plan.rings.clone() {
            Rings::Kept(kept) => return self.keep(kept, cpu, data, size, most, done),
            Rings::Each(maps) => self.ring_of(&maps, cpu),
            Rings::Array(maps) => self.ring_in(maps, cpu, done),
        };
        let r = self.call(
            Helper::RingbufOutput,
            &[ring.into(), data.into(), size, Arg::Imm(NO_WAKEUP)],
        );
        self.f.branch(JmpOp::Eq, r, 0, done);
        self.drop_event(drops::Kind::Principal);
    }

    /// Leaves the clause with a fault if the comparison holds.
    pub fn fault_if(&mut self, op: JmpOp, a: V, b: i32, code: Fault, addr: Option<V>) {
        let Some(exit) = self.state.fault else { return };
        self.state.faulted = true;
        let fine = self.f.label();
        self.f.branch(crate::expr::negate(op), a, b, fine);
        self.f.push(Inst::Pc { d: exit.pc });
        self.f.push(Inst::Const {
            d: exit.code,
            v: u64::from(code as u32),
        });
        match addr {
            Some(v) => self.f.copy_to(exit.addr, v),
            None => self.f.push(Inst::Const { d: exit.addr, v: 0 }),
        }
        let action = if self.state.in_predicate {
            0
        } else {
            self.state.action
        };
        self.f.push(Inst::Const {
            d: exit.action,
            v: u64::from(action),
        });
        self.f.jump(exit.label);
        self.f.bind(fine);
    }

    /// Tells the consumer of a fault, then runs the ERROR clauses in the context of the fault.
    pub fn report_fault(&mut self, fault: FaultExit) -> Result<()> {
        let clause = self.state.clause;
        if self.fault_args.is_some() {
            self.drop_event(drops::Kind::ErrorInError);
            return Ok(());
        }
        let slot = self.event_slot();
        let probe = self.probe_index();
        self.f
            .store(slot, event::KIND as i32, Width::W, event::FAULTED as i32);
        self.f
            .store(slot, event::CLAUSE as i32, Width::W, clause as i32);
        self.f.store(slot, event::PROBE as i32, Width::W, probe);
        self.f
            .store(slot, event::ACTION as i32, Width::W, fault.action);
        self.f
            .store(slot, event::FAULT as i32, Width::W, fault.code);
        self.f
            .store(slot, event::ADDRESS as i32, Width::DW, fault.addr);
        self.f.store(slot, event::PC as i32, Width::W, fault.pc);
        let time = self.f.call(Helper::KtimeGetNs, &[]);
        self.f.store(slot, event::TIMESTAMP as i32, Width::DW, time);
        let wakes = self.unless_quiet(time);
        self.send_event(slot, wakes.into());
        self.error_clauses(clause, fault)
    }

    /// Flags of an event that wakes the consumer if none has done so just now.
    fn unless_quiet(&mut self, now: V) -> V {
        let (flags, quiet) = (self.f.reg(), self.f.label());
        let set = |v: i32| Inst::Const {
            d: flags,
            v: v as u64,
        };
        self.f.push(set(NO_WAKEUP));
        let control = self.f.map_value(self.plan.control, 0);
        let until = control::QUIET_UNTIL as i32;
        let end = self.f.load(control, until, Width::DW);
        self.f.branch(JmpOp::Lt, now, end, quiet);
        let end = self.f.alu(AluOp::Add, now, control::QUIET_NS as i32);
        self.f.store(control, until, Width::DW, end);
        self.f.push(set(FORCE_WAKEUP));
        self.f.bind(quiet);
        flags
    }

    fn error_clauses(&mut self, clause: u32, fault: FaultExit) -> Result<()> {
        let Some((error, list)) = self.plan.error.clone() else {
            return Ok(());
        };
        self.state.clause = clause;
        let epid = self.fault_epid()?;
        // The address of a variable is a pointer to the verifier, and D computes with arg5.
        let addr = self.launder(fault.addr);
        self.fault_args = Some(FaultArgs {
            values: [epid, fault.action, fault.pc, fault.code, addr],
        });
        let (firing, spec, at) = (self.firing, self.spec, self.at);
        let state = std::mem::take(&mut self.state);
        self.firing = Firing::One(error);
        self.clauses(&list)?;
        (self.firing, self.spec, self.at) = (firing, spec, at);
        self.state = state;
        self.fault_args = None;
        Ok(())
    }

    fn fault_epid(&mut self) -> Result<V> {
        let e = Expr {
            kind: ExprKind::Builtin(lang::Builtin::Epid),
            ty: Ty::Int(sema::hir::IntTy::U32),
            pos: sema::hir::Pos::default(),
        };
        self.int(&e)
    }
}

//! One firing site: prologue (gate, selector, dispatch), then the clauses of each group of probes.

use std::collections::BTreeMap;

use bpf::{AluOp, Helper, JmpOp, Width};
use image::layout::control;
use image::{Operand, ProgramKind, Site, Task};
use ir::{Arg, Func, Inst, L, Slot, V};
use sema::hir::{Expr, ExprKind, Program};

use crate::clause::{Actions, ClauseState};
use crate::lower::kind_of;
use crate::part::{CARRIED, Open, Which};
use crate::plan::Plan;
use crate::sites::{Group, Segment, SitePlan, Uses};
use crate::split::{At, Mark};
use crate::{Arch, Result, Target, stop};
use sema::walk;

/// Eight bytes of something that the verifier knows for sure: what it is, and the offset.
pub type Pointer = (Root, i32);

/// What the verifier knows for sure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Root {
    /// The thread that runs.
    Task,
    /// A word of the context.
    Word(u8),
}

/// What the prologue must provide.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Needs {
    /// Address of this program's scratch.
    pub scratch: bool,
    /// The CPU.
    pub cpu: bool,
    /// The timestamp, for more than one clause or a predicate.
    pub time: bool,
    /// Clauses whose body alone needs the timestamp.
    pub body_time: Vec<u32>,
    /// Conditions of probes need scratch or the CPU.
    pub conditions: bool,
    /// Bytes of scratch that the `alloca()`s and `copyin()`s of each clause take together.
    pub arenas: BTreeMap<u32, u32>,
    /// Pointers in what the kernel hands out, and in how many places of the code they are read.
    pub pointers: BTreeMap<Pointer, u32>,
}

impl Needs {
    /// For the first run.
    pub fn everything() -> Needs {
        Needs {
            scratch: true,
            cpu: true,
            time: true,
            body_time: Vec::new(),
            conditions: true,
            arenas: BTreeMap::new(),
            pointers: BTreeMap::new(),
        }
    }
}

/// A lowered site.
pub struct Generated {
    /// Its code.
    pub func: Func,
    /// How it is loaded.
    pub kind: ProgramKind,
    /// What it turned out to need.
    pub needs: Needs,
    /// Where it may be cut, if it is the whole.
    pub marks: Vec<Mark>,
    /// What it leaves to the next part.
    pub open: Open,
}

/// Which probe fires, as far as the compiler knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Firing {
    /// This one.
    One(u32),
    /// The one whose index is in this register.
    Any(V),
}

/// Where `arg0`… come from while an ERROR clause is being lowered.
#[derive(Clone, Copy)]
pub struct FaultArgs {
    /// Enabled-probe id, action, pc, fault code, address.
    pub values: [V; 5],
}

/// Lowers one site.
pub struct SiteGen<'a> {
    pub p: &'a Program,
    pub plan: &'a mut Plan,
    pub target: &'a Target<'a>,
    pub epids: &'a [Vec<u32>],
    pub actions: &'a [Actions],
    pub site: &'a SitePlan,
    pub kind: ProgramKind,
    /// Number of this program.
    pub number: u32,
    /// The first of its elements of the scratch map, in CPUs.
    first: u32,
    pub f: Func,
    /// Which part of the site this is; `None`: all of it.
    pub part: Option<Which<'a>>,
    /// What fires.
    pub segments: Vec<Segment>,
    /// What it leaves to the next part.
    pub open: Open,
    /// Where it may be cut.
    pub marks: Vec<Mark>,
    /// The place being lowered.
    pub at: At,
    /// Offset in scratch of what one part carries over to the next.
    pub carried_at: u32,
    pub needs: Needs,
    used_time: Vec<(u32, bool)>,
    pub used: Needs,
    /// Who is the current thread of the firing.
    pub task: Task,
    /// Pointers that the prologue has read.
    pub pointers: BTreeMap<Pointer, V>,
    /// Numbers that are computed once, by [`sema::hir::ExprKind::Once`].
    pub onces: BTreeMap<u32, V>,
    /// What is being lowered is no clause: it takes its own timestamp.
    pub aside: bool,
    scratch: Option<V>,
    cpu: Option<V>,
    pub time: Option<V>,
    wall: Option<V>,
    regs: Option<V>,
    /// What is claimed while clauses run, where scratch must be claimed.
    claimed: Option<Claim>,
    /// The group whose clauses are being lowered.
    pub group: usize,
    /// Bytes of scratch that keep their meaning over the clauses of a firing.
    pub persistent: u32,
    /// Next free byte of scratch.
    pub bump: u32,
    pub firing: Firing,
    pub exit: L,
    /// Stack slots or scratch offsets of clause-local variables.
    pub locals: BTreeMap<u32, Local>,
    pub state: ClauseState,
    /// Holds the speculation that the D clause records into, 0 for none; only where a clause speculates.
    pub spec: Option<V>,
    pub fault_args: Option<FaultArgs>,
    /// How many values wait while others are computed: see [`crate::held`].
    pub held: u32,
    pub word: Option<Slot>,
    /// Stack slots that clauses take turns with.
    pool: Vec<Slot>,
    /// Where the last exit on the way was placed.
    island: usize,
    pub event: Option<Slot>,
}

/// An element of scratch memory that belongs to this firing.
#[derive(Clone, Copy)]
struct Claim {
    /// Its address.
    element: V,
    /// Its number among those of this CPU, shifted to its place in hidden keys.
    lane: V,
    /// Offset of the count of those who claim it.
    off: u32,
}

/// Where a clause-local variable is.
#[derive(Clone, Copy, Debug)]
pub enum Local {
    /// On the stack.
    Slot(Slot),
    /// In scratch.
    Scratch(u32),
}

/// Scratch bytes 0..8 launder pointers into numbers, 8..16 are `strtok()`'s position.
const PERSISTENT: u32 = 16;
/// Offset in scratch of the string that `strtok()` cuts.
const TOKENS: u32 = PERSISTENT;
/// Instructions of the intermediate form between two exits; one becomes three instructions at most.
const ISLAND_EVERY: usize = 8000;
/// Bytes of stack that a clause's temporaries may take.
const STACK_TEMPS: u32 = 112;

impl<'a> SiteGen<'a> {
    #[expect(
        clippy::too_many_arguments,
        reason = "the one place that gathers a site's surroundings"
    )]
    pub fn new(
        p: &'a Program,
        plan: &'a mut Plan,
        target: &'a Target<'a>,
        epids: &'a [Vec<u32>],
        actions: &'a [Actions],
        site: &'a SitePlan,
        number: u32,
        needs: Needs,
        part: Option<Which<'a>>,
    ) -> SiteGen<'a> {
        let mut f = Func::new();
        let exit = f.label();
        let tokens = plan.tokens;
        let kind = kind_of(&site.site, uses(p, plan, site).typed);
        let claim = if site.site.is_user() { 8 } else { 0 };
        let first = plan.scratch_elements;
        let carried_at = PERSISTENT + tokens + claim;
        let persistent = carried_at + part.map_or(0, |_| CARRIED);
        SiteGen {
            p,
            plan,
            target,
            epids,
            actions,
            site,
            kind,
            number,
            first,
            f,
            part,
            segments: site.segments(),
            open: Open::default(),
            marks: Vec::new(),
            at: At::default(),
            carried_at,
            needs,
            used_time: Vec::new(),
            used: Needs::default(),
            task: Task::Current,
            pointers: BTreeMap::new(),
            onces: BTreeMap::new(),
            aside: false,
            scratch: None,
            cpu: None,
            time: None,
            wall: None,
            regs: None,
            claimed: None,
            group: 0,
            persistent,
            bump: persistent,
            firing: Firing::One(0),
            exit,
            locals: BTreeMap::new(),
            state: ClauseState::default(),
            spec: None,
            fault_args: None,
            held: 0,
            word: None,
            pool: Vec::new(),
            island: 0,
            event: None,
        }
    }

    /// Lowers the site.
    pub fn run(mut self) -> Result<Generated> {
        if self.first() {
            self.gate();
        }
        self.place_locals();
        if !self.first() {
            self.resumed()?;
        } else {
            match self.dispatch() {
                Some(entries) => self.selected(entries)?,
                None => self.sequence()?,
            }
        }
        let exit = self.exit;
        self.f.bind(exit);
        self.f.push(Inst::Exit);
        self.plan.scratch_size = self.plan.scratch_size.max(self.persistent);
        let needs = self.found();
        Ok(Generated {
            func: self.f,
            kind: self.kind,
            needs,
            marks: self.marks,
            open: self.open,
        })
    }

    /// One group fires, the one that the dispatch jumped to.
    fn selected(&mut self, entries: Vec<(L, Firing)>) -> Result<()> {
        for (n, (label, firing)) in entries.into_iter().enumerate() {
            self.f.bind(label);
            self.firing = firing;
            self.chosen(n)?;
            let exit = self.exit;
            self.f.jump(exit);
        }
        Ok(())
    }

    /// What this run turned out to need.
    fn found(&self) -> Needs {
        let mut needs = self.used.clone();
        let mut clauses: Vec<u32> = self.used_time.iter().map(|(c, _)| *c).collect();
        clauses.sort_unstable();
        clauses.dedup();
        let early = self.used_time.iter().any(|(_, predicate)| *predicate);
        needs.time = early || clauses.len() > 1;
        needs.body_time = if needs.time { Vec::new() } else { clauses };
        needs
    }

    /// Nothing happens before the gate opens nor after `exit()`. BEGIN and END run outside.
    fn gate(&mut self) {
        match self.site.site {
            Site::Begin | Site::End | Site::Error => return,
            Site::Tick { .. }
            | Site::Profile { .. }
            | Site::Counter(_)
            | Site::SyscallEntry
            | Site::SyscallReturn
            | Site::Tracepoint { .. }
            | Site::KernelFunction { .. }
            | Site::KernelProbe { .. }
            | Site::User
            | Site::UserPlace { .. }
            | Site::KernelFunctions { .. } => {}
        }
        let control = self.f.map_value(self.plan.control, 0);
        let gate = self.f.load(control, control::GATE as i32, Width::DW);
        let exit = self.exit;
        self.f
            .branch(JmpOp::Ne, gate, control::GATE_OPEN as i32, exit);
        if let Some(only) = self.p.limits.cpu {
            let cpu = self.f.call(Helper::GetSmpProcessorId, &[]);
            self.f.branch(JmpOp::Ne, cpu, only as i32, exit);
        }
    }

    /// Loads the selector and jumps to the group of the probe that fires. `None`: all probes of the site fire.
    fn dispatch(&mut self) -> Option<Vec<(L, Firing)>> {
        if let Site::KernelFunctions { .. } = self.site.site {
            return Some(self.by_cookie());
        }
        if self.site.site == Site::User {
            return Some(self.by_point(0..self.site.groups.len()));
        }
        let selector = self.selector()?;
        self.refuse_foreign();
        let probes: usize = self.site.groups.iter().map(|g| g.probes.len()).sum();
        Some(if probes <= 3 {
            self.compare_selectors(selector)
        } else {
            self.table_selectors(selector)
        })
    }

    /// The numbers of 32-bit processes' system calls mean other calls: those are counted, not traced.
    fn refuse_foreign(&mut self) {
        let regs = self.pt_regs();
        let native = self.f.label();
        match self.target.arch {
            // The code segment: __USER32_CS (arch/x86/include/asm/segment.h).
            Arch::X86_64 => {
                let cs = self.f.load(regs, 136, Width::H);
                self.f.branch(JmpOp::Ne, cs, 0x23, native);
            }
            // PSR_MODE32_BIT of pstate (arch/arm64/include/uapi/asm/ptrace.h).
            Arch::Aarch64 => {
                let state = self.f.load(regs, 264, Width::DW);
                let mode = self.f.alu(AluOp::And, state, 0x10);
                self.f.branch(JmpOp::Eq, mode, 0, native);
            }
        }
        self.drop_event(image::layout::drops::Kind::Foreign);
        let exit = self.exit;
        self.f.jump(exit);
        self.f.bind(native);
    }

    fn selector(&mut self) -> Option<V> {
        match self.site.site {
            Site::SyscallEntry => Some(self.f.load(Func::CTX, 8, Width::DW)),
            Site::SyscallReturn => {
                let regs = self.pt_regs();
                let (off, width) = match self.target.arch {
                    Arch::X86_64 => (120, Width::DW),
                    Arch::Aarch64 => (280, Width::W),
                };
                Some(self.f.load(regs, off, width))
            }
            Site::Begin
            | Site::End
            | Site::Error
            | Site::Tick { .. }
            | Site::Profile { .. }
            | Site::Counter(_)
            | Site::Tracepoint { .. }
            | Site::KernelFunction { .. }
            | Site::KernelProbe { .. }
            | Site::User
            | Site::UserPlace { .. }
            | Site::KernelFunctions { .. } => None,
        }
    }

    /// The attach cookie is the probe's index; with more than one group, a table by index holds the group.
    fn by_cookie(&mut self) -> Vec<(L, Firing)> {
        let site = self.site;
        let cookie = self.call(Helper::GetAttachCookie, &[Func::CTX.into()]);
        let firing = |g: &Group| match g.probes.as_slice() {
            [only] => Firing::One(*only),
            _ => Firing::Any(cookie),
        };
        let out: Vec<(L, Firing)> = site
            .groups
            .iter()
            .map(|g| (self.f.label(), firing(g)))
            .collect();
        let (last, others) = match out.split_last() {
            Some(((last, _), others)) => (*last, others),
            None => return out,
        };
        if !others.is_empty() {
            let group = self.group_of(cookie);
            for (n, (label, _)) in others.iter().enumerate() {
                self.f.branch(JmpOp::Eq, group, n as i32, *label);
            }
        }
        self.f.jump(last);
        out
    }

    /// Number of the group of the probe with this index.
    fn group_of(&mut self, probe: V) -> V {
        let mut groups = vec![0u32; self.p.probes.len()];
        for (n, g) in self.site.groups.iter().enumerate() {
            for p in &g.probes {
                groups[*p as usize] = n as u32;
            }
        }
        let off = self.plan.rodata.words(&groups);
        let at = self.bounded_probe(probe, groups.len() as u32);
        let at = self.f.alu(AluOp::Lsh, at, 2);
        let base = self.f.map_value(self.plan.rodata_map, off);
        let at = self.f.alu(AluOp::Add, base, at);
        self.f.load(at, 0, Width::W)
    }

    /// A few probes: compare one by one.
    fn compare_selectors(&mut self, selector: V) -> Vec<(L, Firing)> {
        let site = self.site;
        let mut out = Vec::new();
        for g in &site.groups {
            let label = self.f.label();
            let firing = if g.probes.len() == 1 {
                Firing::One(g.probes[0])
            } else {
                Firing::Any(self.f.reg())
            };
            out.push((label, firing));
        }
        let last = site.groups.iter().map(|g| g.probes.len()).sum::<usize>() - 1;
        let mut n = 0;
        for (g, (label, firing)) in site.groups.iter().zip(&out) {
            for probe in &g.probes {
                let number = self.p.probes[*probe as usize].probe.selector as i32;
                if let Firing::Any(v) = firing {
                    self.f.push(Inst::Const {
                        d: *v,
                        v: u64::from(*probe),
                    });
                }
                if n == last {
                    let exit = self.exit;
                    self.f.branch(JmpOp::Ne, selector, number, exit);
                    self.f.jump(*label);
                } else {
                    self.f.branch(JmpOp::Eq, selector, number, *label);
                }
                n += 1;
            }
        }
        out
    }

    /// Many probes: a table by selector holds the probe's index + 1, and the group in the high half.
    fn table_selectors(&mut self, selector: V) -> Vec<(L, Firing)> {
        let site = self.site;
        let selectors = site
            .groups
            .iter()
            .flat_map(|g| &g.probes)
            .map(|p| self.p.probes[*p as usize].probe.selector);
        let size = selectors.max().unwrap_or(0) + 1;
        let mut table = vec![0u32; size as usize];
        for (n, g) in site.groups.iter().enumerate() {
            for p in &g.probes {
                table[self.p.probes[*p as usize].probe.selector as usize] =
                    (p + 1) | ((n as u32) << 16);
            }
        }
        let off = self.plan.rodata.words(&table);
        let exit = self.exit;
        self.f.branch(JmpOp::Ge, selector, size as i32, exit);
        let at = self.f.alu(AluOp::Lsh, selector, 2);
        let base = self.f.map_value(self.plan.rodata_map, off);
        let place = self.f.alu(AluOp::Add, base, at);
        let entry = self.f.load(place, 0, Width::W);
        self.f.branch(JmpOp::Eq, entry, 0, exit);
        let low = if site.groups.len() > 1 {
            self.f.alu(AluOp::And, entry, 0xffff)
        } else {
            entry
        };
        let probe = self.f.alu(AluOp::Sub, low, 1);
        let mut out = Vec::new();
        let group = self.f.alu(AluOp::Rsh, entry, 16);
        for n in 0..site.groups.len() {
            let label = self.f.label();
            if n + 1 == site.groups.len() {
                self.f.jump(label);
            } else {
                self.f.branch(JmpOp::Eq, group, n as i32, label);
            }
            out.push((label, Firing::Any(probe)));
        }
        // A group of one probe knows which.
        for (g, entry) in site.groups.iter().zip(&mut out) {
            if let ((_, firing), [only]) = (entry, g.probes.as_slice()) {
                *firing = Firing::One(*only);
            }
        }
        out
    }

    /// What the prologue provided for one firing is not there for the next.
    pub fn forget_prologue(&mut self) {
        self.scratch = None;
        self.cpu = None;
        self.time = None;
        self.wall = None;
        self.regs = None;
        self.pointers.clear();
        self.task = Task::Current;
    }

    /// Provides what the site turned out to need, but for the time. `begins`: another part of the program has not done so
    /// for this firing.
    pub fn fetch_needs(&mut self, begins: bool) {
        let claims = self.needs.scratch && self.site.site.is_user();
        if self.needs.cpu || claims {
            let cpu = self.fetch_cpu();
            self.cpu = Some(cpu);
        }
        if claims {
            let off = self.claim_offset();
            if begins {
                self.claim_scratch(self.first, off);
                self.own(true);
            } else {
                self.find_scratch(self.first, off);
            }
        } else if self.needs.scratch {
            self.fetch_scratch();
        }
        self.fetch_pointers();
    }

    /// Behind the clauses of a segment: gives back what they claimed.
    pub fn leave(&mut self) {
        if self.claimed.is_some() {
            let exit = self.exit;
            self.f.bind(exit);
            self.release();
            self.claimed = None;
            self.exit = self.f.label();
        }
    }

    fn claim_offset(&self) -> u32 {
        TOKENS + self.plan.tokens
    }

    /// Notes what [`SiteGen::claim_scratch`] claimed.
    pub fn set_claimed(&mut self, element: V, lane: V, off: u32) {
        self.scratch = Some(element);
        self.claimed = Some(Claim { element, lane, off });
    }

    /// Gives back what is claimed.
    fn release(&mut self) {
        if let Some(claim) = self.claimed {
            self.own(false);
            let minus = self.f.konst(u64::MAX);
            self.f.push(Inst::AtomicAdd {
                base: claim.element.into(),
                off: claim.off as i32,
                src: minus,
            });
        }
    }

    /// What tells this program's entries of a shared aggregation from those of others.
    pub fn program_key(&mut self) -> Arg {
        let number =
            (self.number | self.target.generation << crate::points::GENERATION_SHIFT) as i32;
        if !self.site.site.is_user() {
            return Arg::Imm(number);
        }
        self.used.scratch = true;
        match self.claimed {
            Some(claim) => self.f.alu(AluOp::Add, claim.lane, number).into(),
            // Only while finding out what is needed.
            None => Arg::Imm(number),
        }
    }

    /// Operands of the points of the group being lowered.
    pub fn operands(&self) -> &'a [Operand] {
        self.site
            .groups
            .get(self.group)
            .map_or(&[], |g| &g.operands)
    }

    /// A probe of the group being lowered: those of a group have the same arguments.
    pub fn some_probe(&self) -> u32 {
        match self.firing {
            Firing::One(p) => p,
            Firing::Any(_) => self.site.groups[self.group].probes[0],
        }
    }

    fn fetch_cpu(&mut self) -> V {
        let cpu = self.f.call(Helper::GetSmpProcessorId, &[]);
        self.f.alu(AluOp::And, cpu, self.plan.cpu_mask as i32)
    }

    fn fetch_scratch(&mut self) {
        let cpu = match self.cpu {
            Some(v) => v,
            None => self.fetch_cpu(),
        };
        let first = self.first * (self.plan.cpu_mask + 1);
        let index = self.f.alu(AluOp::Add, cpu, first as i32);
        let slot = self.word_slot();
        self.f.store(slot, 0, Width::W, index);
        let map = self.f.map(self.plan.scratch);
        let key = self.f.slot_addr(slot, 0);
        let p = self.call(Helper::MapLookupElem, &[map.into(), key.into()]);
        let exit = self.exit;
        self.f.branch(JmpOp::Eq, p, 0, exit);
        self.scratch = Some(p);
    }

    /// Jumps reach 32,767 instructions; in long programs those to the exit get one on the way.
    pub fn exit_island(&mut self) {
        if self.f.insts.len() - self.island < ISLAND_EVERY {
            return;
        }
        self.island = self.f.insts.len();
        let over = self.f.label();
        self.f.jump(over);
        let exit = self.exit;
        self.f.bind(exit);
        self.release();
        self.f.push(Inst::Exit);
        self.exit = self.f.label();
        self.f.bind(over);
    }

    /// Eight bytes of stack for whatever is brief.
    pub fn word_slot(&mut self) -> Slot {
        match self.word {
            Some(s) => s,
            None => {
                let s = self.f.slot(8);
                self.word = Some(s);
                s
            }
        }
    }

    /// Address of this program's scratch.
    pub fn scratch(&mut self) -> V {
        self.used.scratch = true;
        match self.scratch {
            Some(v) => v,
            // Only while finding out what is needed: the next run provides it.
            None => self.f.konst(0),
        }
    }

    /// The CPU, masked so that it is a valid index.
    pub fn cpu(&mut self) -> V {
        self.used.cpu = true;
        match self.cpu {
            Some(v) => v,
            None => self.fetch_cpu(),
        }
    }

    /// The firing's timestamp.
    pub fn time(&mut self) -> V {
        if self.aside {
            return self.f.call(Helper::KtimeGetNs, &[]);
        }
        self.used_time
            .push((self.state.clause, self.state.in_predicate));
        match self.time.or(self.state.time) {
            Some(v) => v,
            None => self.f.call(Helper::KtimeGetNs, &[]),
        }
    }

    /// Whether this clause takes the timestamp itself, at the start of its body.
    pub fn takes_time(&self, clause: u32) -> bool {
        self.needs.body_time.contains(&clause)
    }

    /// `walltimestamp`: the timestamp plus the offset that the consumer wrote.
    pub fn wall(&mut self) -> V {
        let t = self.time();
        let control = self.f.map_value(self.plan.control, 0);
        let off = self.f.load(control, control::WALL_OFFSET as i32, Width::DW);
        self.f.alu(AluOp::Add, t, off)
    }

    /// Registers of the traced thread: context word 0 of system call sites.
    pub fn pt_regs(&mut self) -> V {
        match self.regs {
            Some(v) => v,
            None => self.f.load(Func::CTX, 0, Width::DW),
        }
    }

    /// `n` bytes of scratch for the rest of the clause, aligned to eight.
    pub fn take(&mut self, n: u32) -> u32 {
        let off = self.bump;
        self.bump += n.next_multiple_of(8);
        // One more string's worth of slack, so that a bounded variable offset never reaches the end.
        self.plan.scratch_size = self.plan.scratch_size.max(self.bump + 8);
        off
    }

    /// Keeps `n` bytes behind what is in use: nothing is written there, but the verifier must believe that it might.
    pub fn slack(&mut self, n: u32) {
        self.plan.scratch_size = self.plan.scratch_size.max(self.bump + 8 + n);
    }

    /// `min(v, most)`, unsigned, in a register of its own. For use right where it is made: older verifiers forget the
    /// bounds of a value that was put on the stack in between. The verifier follows first what does not jump: `v` as it
    /// is, of which it then sees the other case as a part.
    pub fn bounded(&mut self, v: V, most: u32) -> V {
        let d = self.f.reg();
        let (large, fine) = (self.f.label(), self.f.label());
        self.f.copy_to(d, v);
        self.f.branch(JmpOp::Gt, d, most as i32, large);
        self.f.jump(fine);
        self.f.bind(large);
        self.f.push(Inst::Const {
            d,
            v: u64::from(most),
        });
        self.f.bind(fine);
        d
    }

    /// Scratch for the string that `strtok()` cuts, the same for all clauses of a firing.
    pub fn token_buffer(&mut self) -> u32 {
        TOKENS
    }

    /// Memory for the rest of the clause: stack while the clause has used little of it, else scratch.
    pub fn temp(&mut self, size: u32) -> (V, i32) {
        let size = size.next_multiple_of(8);
        let used: u32 = self
            .state
            .slots_used
            .iter()
            .map(|s| self.f.slots[s.0 as usize])
            .sum();
        if used + size > STACK_TEMPS || self.deep() {
            let off = self.take(size);
            return (self.scratch(), off as i32);
        }
        let free = self
            .pool
            .iter()
            .copied()
            .find(|s| self.f.slots[s.0 as usize] == size && !self.state.slots_used.contains(s));
        let slot = free.unwrap_or_else(|| {
            let s = self.f.slot(size);
            self.pool.push(s);
            s
        });
        self.state.slots_used.push(slot);
        (self.f.slot_addr(slot, 0), 0)
    }

    /// `base + off` as one register.
    pub fn address(&mut self, base: V, off: i32) -> V {
        if off == 0 {
            base
        } else {
            self.f.alu(AluOp::Add, base, off)
        }
    }

    /// Sets the clause's own allocations apart from what else is in scratch, so that stores through D pointers reach
    /// nothing but them.
    pub fn open_arena(&mut self) {
        let size = self.needs.arenas.get(&self.state.clause).copied();
        self.state.arena = self.take(size.unwrap_or(0));
        self.state.arena_end = self.state.arena;
    }

    /// `n` bytes of the clause's own, as `alloca()` gives them.
    pub fn allot(&mut self, n: u32) -> u32 {
        let off = self.state.arena_end.next_multiple_of(8);
        self.state.arena_end = off + n;
        let used = self.state.arena_end - self.state.arena;
        let need = self.used.arenas.entry(self.state.clause).or_insert(0);
        *need = (*need).max(used);
        off
    }

    /// Counts a drop on this CPU.
    pub fn drop_event(&mut self, kind: image::layout::drops::Kind) {
        // Cold: takes the CPU itself rather than asking the prologue for it.
        let cpu = match self.cpu {
            Some(v) => v,
            None => self.fetch_cpu(),
        };
        let off = self
            .f
            .alu(AluOp::Mul, cpu, image::layout::drops::STRIDE as i32);
        let base = self.f.map_value(self.plan.drops, kind.offset());
        let at = self.f.alu(AluOp::Add, base, off);
        let one = self.f.konst(1);
        self.f.push(Inst::AtomicAdd {
            base: at.into(),
            off: 0,
            src: one,
        });
    }

    /// A helper call on argument registers and constants.
    pub fn call(&mut self, helper: Helper, args: &[Arg]) -> V {
        if reads_process(helper) {
            self.must_run();
        }
        self.f.call(helper, args)
    }
}

/// Whether a helper looks into the memory of the process that runs.
fn reads_process(helper: Helper) -> bool {
    matches!(
        helper,
        Helper::ProbeReadUser | Helper::ProbeReadUserStr | Helper::ProbeWriteUser
    )
}

/// What the clauses of a site use: found out once, however often it is lowered.
pub fn uses<'s>(p: &Program, plan: &Plan, site: &'s SitePlan) -> &'s Uses {
    site.uses.get_or_init(|| Uses {
        typed: wants_typed(p, site),
        locals: crate::vars::locals(p, plan, site),
    })
}

/// Whether anything of a site reads through a pointer that the kernel vouches for.
fn wants_typed(p: &Program, site: &SitePlan) -> bool {
    let mut typed = site.places(p).any(|place| place.task != Task::Current);
    let mut look = |s: walk::Seen| {
        if let walk::Seen::Expr(Expr {
            kind: ExprKind::Arg { trusted: true, .. },
            ..
        }) = s
        {
            typed = true;
        }
    };
    for clause in site.clauses() {
        walk::clause(&p.clauses[clause as usize], &mut look);
    }
    for when in site.places(p).filter_map(|place| place.when.as_ref()) {
        walk::expr(when, &mut look);
    }
    let setups = site.before.iter().chain(&site.after);
    for stmt in setups.flat_map(|n| &p.setups[*n].body) {
        walk::stmt(stmt, &mut look);
    }
    typed
}

/// Bytes of scratch for the string that `strtok()` cuts.
pub fn tokens(p: &Program) -> u32 {
    if uses_strtok(p) {
        p.limits.strsize.next_multiple_of(8) + 8
    } else {
        0
    }
}

fn uses_strtok(p: &Program) -> bool {
    let mut used = false;
    for c in &p.clauses {
        walk::clause(c, &mut |s| {
            if let walk::Seen::Expr(e) = s {
                used |= matches!(e.kind, ExprKind::Call(lang::Subr::Strtok, _));
            }
        });
    }
    used
}

/// Refuses a site that has no such thing.
pub fn unavailable<T>(pos: sema::hir::Pos, what: &str) -> Result<T> {
    stop(pos, format!("{what} is not available in this probe"))
}

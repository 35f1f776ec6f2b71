//! The driver: plans, lowers every site, assembles the image.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use image::{
    ActionDesc, ClauseDesc, FunctionDef, Image, LineInfo, Part, ProgramDef, ProgramKind, Reloc,
    Site,
};
use ir::emit::{EmitError, emit};
use ir::{Emitted, Func, Inst, alloc, passes, text, verify};
use sema::hir::{Clause, Pos, Program};

use crate::clause::Actions;
use crate::kept::Kept;
use crate::part::{Open, Which};
use crate::plan::Plan;
use crate::site::{Generated, Needs, SiteGen};
use crate::sites::{SitePlan, selects};
use crate::spec::{SpecPlan, speculates};
use crate::split::{self, At, Budget, Limit};
use crate::{Compiled, Result, Stop, Target, points, rt, stop};

/// Lowers a whole program.
pub fn lower(p: &Program, target: &Target, budget: &Budget) -> Result<Compiled> {
    let mut plan = Plan::new(p, target);
    check_thread(&plan)?;
    let (epids, actions) = number_clauses(p, &plan)?;
    plan.spec = SpecPlan::new(p, &actions, &mut plan);
    Kept::plan(p, &actions, &mut plan);
    let mut all = Lowering {
        p,
        plan,
        target,
        epids: &epids,
        actions: &actions,
        programs: Vec::new(),
        ir: String::new(),
    };
    for (n, site) in SitePlan::all(p).iter().enumerate() {
        all.site(site, n as u32, budget.of(&site.site))?;
        all.plan.scratch_elements += if site.site.is_user() {
            points::LANES
        } else {
            1
        };
    }
    if let Some(off) = all.plan.vtime {
        let generated = crate::clock::program(&all.plan, off);
        let site = SitePlan::clock();
        all.push(generated, &site, None).map_err(Unfit::stop)?;
    }
    let Lowering {
        plan, programs, ir, ..
    } = all;
    let clauses = describe(p, epids, actions);
    Ok(Compiled {
        image: assemble(p, plan, programs, clauses),
        ir,
    })
}

/// Why a part is no program.
enum Unfit {
    /// It is too much for one.
    TooBig(Stop),
    /// Something else is wrong.
    Wrong(Stop),
}

impl Unfit {
    fn stop(self) -> Stop {
        match self {
            Unfit::TooBig(stop) | Unfit::Wrong(stop) => stop,
        }
    }
}

impl From<Stop> for Unfit {
    fn from(stop: Stop) -> Unfit {
        Unfit::Wrong(stop)
    }
}

/// A program being lowered.
struct Lowering<'a> {
    p: &'a Program,
    plan: Plan,
    target: &'a Target<'a>,
    epids: &'a [Vec<u32>],
    actions: &'a [Actions],
    programs: Vec<ProgramDef>,
    ir: String,
}

impl Lowering<'_> {
    /// A site: one program, or parts where that would be too much.
    fn site(&mut self, site: &SitePlan, n: u32, budget: u32) -> Result<()> {
        let first = self.generate(site, n, Needs::everything(), None)?;
        let limit = Limit {
            cost: budget,
            maps: split::room(&self.plan.maps),
        };
        let cuts = split::cuts(&first.func, &first.marks, &self.plan.maps, limit);
        if cuts.len() > 1 {
            return self.parts(site, n, &first, limit);
        }
        let whole = self.settled(site, n, first)?;
        match self.push(whole, site, None) {
            Ok(()) => Ok(()),
            Err(Unfit::Wrong(stop)) => Err(stop),
            Err(Unfit::TooBig(_)) => {
                let first = self.generate(site, n, Needs::everything(), None)?;
                self.parts(site, n, &first, limit)
            }
        }
    }

    /// Generates once more, twice if need be, with a prologue that provides what is needed and no more.
    fn settled(&mut self, site: &SitePlan, n: u32, first: Generated) -> Result<Generated> {
        if first.needs == Needs::everything() {
            return Ok(first);
        }
        let second = self.generate(site, n, first.needs.clone(), None)?;
        if second.needs == first.needs {
            return Ok(second);
        }
        self.generate(site, n, second.needs, None)
    }

    fn generate(
        &mut self,
        site: &SitePlan,
        n: u32,
        needs: Needs,
        part: Option<Which<'_>>,
    ) -> Result<Generated> {
        let (p, target) = (self.p, self.target);
        let plan = &mut self.plan;
        SiteGen::new(
            p,
            plan,
            target,
            self.epids,
            self.actions,
            site,
            n,
            needs,
            part,
        )
        .run()
    }

    /// A site as parts, smaller ones if some turn out to be too much all the same.
    fn parts(
        &mut self,
        site: &SitePlan,
        n: u32,
        whole: &Generated,
        mut limit: Limit,
    ) -> Result<()> {
        let needs = Needs {
            time: whole.needs.time || !whole.needs.body_time.is_empty(),
            body_time: Vec::new(),
            arenas: whole.needs.arenas.clone(),
            pointers: whole.needs.pointers.clone(),
            ..Needs::everything()
        };
        let map = self.plan.add_parts(n);
        let (programs, text) = (self.programs.len(), self.ir.len());
        let longest = |cuts: &[At]| split::longest(cuts, selects(&site.site));
        let mut cuts = split::cuts(&whole.func, &whole.marks, &self.plan.maps, limit);
        while longest(&cuts) > split::LONGEST && limit.cost < MOST_COST {
            limit.cost += limit.cost / 4 + 1;
            cuts = split::cuts(&whole.func, &whole.marks, &self.plan.maps, limit);
        }
        let mut before = Vec::new();
        let mut why = Stop::default();
        loop {
            if longest(&cuts) > split::LONGEST {
                return self.too_many(site, longest(&cuts));
            }
            if cuts != before {
                match self.try_parts(site, n, &needs, &cuts, map) {
                    Ok(()) => {
                        self.plan.maps[map as usize].max_entries = cuts.len().max(2) as u32 - 1;
                        return Ok(());
                    }
                    Err(Unfit::Wrong(stop)) => return Err(stop),
                    Err(Unfit::TooBig(stop)) => why = stop,
                }
                self.programs.truncate(programs);
                self.ir.truncate(text);
            }
            if limit.cost == 0 {
                return Err(why);
            }
            before = cuts;
            limit.cost /= 2;
            limit.maps = (limit.maps * 3 / 4).max(1);
            cuts = split::cuts(&whole.func, &whole.marks, &self.plan.maps, limit);
        }
    }

    fn too_many(&self, site: &SitePlan, parts: usize) -> Result<()> {
        let first = site.clauses().first().copied().unwrap_or(0) as usize;
        stop(
            self.p.clauses.get(first).map_or(Pos::default(), |c| c.pos),
            format!(
                "the clauses of one probe make {parts} BPF programs, and the kernel lets at most {} follow each \
                 other: enable fewer clauses on it, or run them as separate programs",
                split::LONGEST
            ),
        )
    }

    fn try_parts(
        &mut self,
        site: &SitePlan,
        n: u32,
        needs: &Needs,
        cuts: &[At],
        map: u32,
    ) -> std::result::Result<(), Unfit> {
        let mut open = Open::default();
        for part in 0..cuts.len() {
            let which = Which {
                cuts,
                n: part,
                map,
                open,
            };
            let generated = self.generate(site, n, needs.clone(), Some(which))?;
            open = generated.open;
            self.push(generated, site, Some(which))?;
        }
        Ok(())
    }

    /// Optimises, allocates, emits.
    fn push(
        &mut self,
        mut g: Generated,
        site: &SitePlan,
        which: Option<Which<'_>>,
    ) -> std::result::Result<(), Unfit> {
        let mut name = site.name.clone();
        let mut part = None;
        let mut attachments = Vec::new();
        if let Some(w) = which
            && w.n > 0
        {
            let _ = write!(name, "_{}", w.n);
            name.truncate(NAME);
            part = Some(Part {
                map: w.map,
                index: w.n as u32 - 1,
            });
        } else {
            attachments = points::attachments(self.p, site)?;
        }
        if self.target.text {
            let _ = writeln!(self.ir, "program {name} ({:?}, {:?})", site.site, g.kind);
        }
        let cost = split::cost(&g.func);
        let facts = self
            .plan
            .unwind
            .map_or_else(Vec::new, rt::unwind::Facts::words);
        let text = self.target.text.then_some(&mut self.ir);
        let emitted = finish(&mut g.func, &name, &facts, text)?;
        let (clauses, divisible) = match which {
            None => (site.clauses(), g.marks.len() > 1),
            Some(w) => w.contents(site, self.p),
        };
        let reloc = |m: &bpf::asm::MapRef| Reloc {
            insn: m.insn,
            map: m.map,
            value_off: m.value_off,
        };
        let line = |(insn, p): &(u32, ir::Pos)| LineInfo {
            insn: *insn,
            clause: p.clause,
            line: p.line,
            col: p.col,
        };
        self.programs.push(ProgramDef {
            name,
            site: site.site.clone(),
            kind: g.kind,
            relocs: emitted.maps.iter().map(reloc).collect(),
            lines: emitted.notes.iter().map(line).collect(),
            insns: emitted.insns,
            functions: emitted.functions.into_iter().map(function).collect(),
            clauses,
            attachments,
            part,
            cost,
            divisible,
        });
        Ok(())
    }
}

/// No budget is larger: there is nothing that fits then and did not before.
const MOST_COST: u32 = 1 << 24;
/// Bytes of a program's name that the kernel keeps.
const NAME: usize = 15;

/// Optimises, allocates, emits.
fn finish(
    f: &mut Func,
    name: &str,
    facts: &[u32],
    ir: Option<&mut String>,
) -> std::result::Result<Emitted, Unfit> {
    let broken = |b: verify::Broken| {
        Unfit::Wrong(Stop {
            message: format!(
                "internal error -- intermediate form is invalid: {} at {} of {name}",
                b.what, b.at
            ),
            pos: Pos::default(),
        })
    };
    verify::check(f).map_err(broken)?;
    passes::optimize(f);
    verify::check(f).map_err(broken)?;
    if let Some(ir) = ir {
        ir.push_str(&text::dump(f));
    }
    let allocation = alloc::allocate(f);
    let emitted =
        emit(f, &allocation, rt::LOCALS, facts).map_err(|e| Unfit::TooBig(too_big(&e, f)))?;
    let maps: BTreeSet<u32> = emitted.maps.iter().map(|m| m.map).collect();
    if maps.len() > split::MOST_MAPS {
        return Err(Unfit::TooBig(Stop {
            message: format!(
                "one statement uses {} aggregations, arrays and buffers, each a kernel map; a program may use {}: \
                 make several statements of it",
                maps.len(),
                split::MOST_MAPS
            ),
            pos: start(f),
        }));
    }
    Ok(emitted)
}

fn function(f: ir::local::Function) -> FunctionDef {
    FunctionDef {
        insn: f.insn,
        name: f.name,
        params: f.params,
    }
}

/// The first place in the program text that a function comes from.
fn start(f: &Func) -> Pos {
    let first = f.insts.iter().rev().find_map(|i| match i {
        Inst::Note(p) if p.line > 0 => Some(p),
        _ => None,
    });
    first.map_or(Pos::default(), |p| Pos {
        line: p.line,
        col: p.col,
    })
}

fn too_big(e: &EmitError, f: &Func) -> Stop {
    let message = match e {
        EmitError::Stack(n) => format!(
            "one statement needs {n} bytes of BPF stack, of which there are {}; make several statements of it",
            ir::emit::STACK_LIMIT
        ),
        EmitError::NotConstant(what) => {
            format!(
                "internal error -- a capacity given to {} is unknown",
                what.0
            )
        }
        EmitError::Asm(e) => {
            format!(
                "one statement is too much for a BPF program ({e}); make several statements of it"
            )
        }
    };
    Stop {
        message,
        pos: start(f),
    }
}

/// Most bytes of a thread's storage (`BPF_LOCAL_STORAGE_MAX_VALUE_SIZE`, with room for what the kernel adds).
const THREAD_MAX: u32 = 65_280;

/// A thread's variables must fit what the kernel stores for a thread.
fn check_thread(plan: &Plan) -> Result<()> {
    if plan.thread_size <= THREAD_MAX {
        return Ok(());
    }
    let message = format!(
        "the thread-local variables take {} bytes; this kernel stores {THREAD_MAX} for a thread: use fewer of them, or a smaller strsize",
        plan.thread_size
    );
    stop(Pos::default(), message)
}

/// Gives each clause its enabled-probe ids, and plans its records.
fn number_clauses(p: &Program, plan: &Plan) -> Result<(Vec<Vec<u32>>, Vec<Actions>)> {
    let mut next = 1;
    let mut epids = Vec::new();
    let mut actions = Vec::new();
    for (n, c) in p.clauses.iter().enumerate() {
        epids.push(
            c.probes
                .iter()
                .map(|_| {
                    next += 1;
                    next - 1
                })
                .collect(),
        );
        let mut planned = Actions::plan(c, p, plan)?;
        // `speculate()` alone makes a record, unless later parts may.
        let last = p.clauses.get(n + 1).is_none_or(|c| !c.continues);
        planned.records |= last && speculates(c);
        actions.push(planned);
    }
    Ok((epids, actions))
}

fn describe(p: &Program, epids: Vec<Vec<u32>>, actions: Vec<Actions>) -> Vec<ClauseDesc> {
    let one = |(c, (epids, a)): (&Clause, (Vec<u32>, Actions))| ClauseDesc {
        fixed_size: a.fixed_size,
        records: a.records,
        actions: a
            .list
            .into_iter()
            .map(|r| ActionDesc {
                kind: r.kind,
                data: r.data,
            })
            .collect(),
        probes: c.probes.clone(),
        epids,
        line: c.pos.line,
    };
    p.clauses
        .iter()
        .zip(epids.into_iter().zip(actions))
        .map(one)
        .collect()
}

fn assemble(p: &Program, plan: Plan, programs: Vec<ProgramDef>, clauses: Vec<ClauseDesc>) -> Image {
    let (mut maps, rodata) = (plan.maps, plan.rodata.finish());
    let table = &mut maps[plan.rodata_map as usize];
    table.value_size = (rodata.len() as u32).max(8);
    table.init = rodata;
    let scratch = &mut maps[plan.scratch as usize];
    scratch.value_size = plan.scratch_size.next_multiple_of(8);
    scratch.max_entries = plan.scratch_elements.max(1) * (plan.cpu_mask + 1);
    Image {
        maps,
        programs,
        probes: p.probes.iter().map(|e| e.probe.clone()).collect(),
        clauses,
        aggs: plan.aggs.into_iter().map(|a| a.desc).collect(),
        strsize: p.limits.strsize,
        policy: p.limits.policy,
    }
}

/// Kind of program for a site. BTF tracepoints only where something needs typed context words.
pub fn kind_of(site: &Site, typed: bool) -> ProgramKind {
    match site {
        Site::Begin | Site::End | Site::Error | Site::Tick { .. } => ProgramKind::Run,
        Site::Profile { .. } | Site::Counter(_) => ProgramKind::PerfEvent,
        Site::User | Site::UserPlace { .. } => ProgramKind::Uprobe,
        Site::SyscallEntry | Site::SyscallReturn => ProgramKind::TpBtf,
        Site::Tracepoint { .. } if typed => ProgramKind::TpBtf,
        Site::Tracepoint { .. } => ProgramKind::RawTp,
        Site::KernelFunction { ret: false, .. } => ProgramKind::Fentry,
        Site::KernelFunction { ret: true, .. } => ProgramKind::Fexit,
        Site::KernelProbe { .. } | Site::KernelFunctions { .. } => ProgramKind::Kprobe,
    }
}

/// Refuses what only the caller's mistake could ask for.
pub fn internal<T>(what: &str) -> Result<T> {
    stop(Pos::default(), format!("internal error -- {what}"))
}

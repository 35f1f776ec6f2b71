//! The driver: plans, lowers every site, assembles the image.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use image::{
    ActionDesc, ClauseDesc, FunctionDef, Image, LineInfo, ProgramDef, ProgramKind, Reloc, Site,
};
use ir::emit::{EmitError, emit};
use ir::{alloc, passes, text, verify};
use sema::hir::{Clause, Pos, Program};

use crate::clause::Actions;
use crate::plan::Plan;
use crate::site::{Generated, Needs, SiteGen};
use crate::sites::SitePlan;
use crate::spec::{SpecPlan, speculates};
use crate::{Compiled, Result, Target, points, rt, stop};

/// Lowers a whole program.
pub fn lower(p: &Program, target: &Target) -> Result<Compiled> {
    let mut plan = Plan::new(p, target);
    check_thread(&plan)?;
    let (epids, actions) = number_clauses(p, &plan)?;
    plan.spec = SpecPlan::new(p, &actions, &mut plan);
    let mut programs = Vec::new();
    let mut ir = String::new();
    for site in SitePlan::all(p) {
        let n = programs.len() as u32;
        let generated = generate(p, &mut plan, target, &epids, &actions, &site, n)?;
        plan.scratch_elements += if site.site == Site::User {
            points::LANES
        } else {
            1
        };
        let _ = writeln!(
            ir,
            "program {} ({:?}, {:?})",
            site.name, site.site, generated.kind
        );
        let mut program = finish(generated, &site, plan.unwind, &mut ir)?;
        program.attachments = points::attachments(p, &site)?;
        programs.push(program);
    }
    if let Some(off) = plan.vtime {
        let generated = crate::site::clock_program(&mut plan, target, off)?;
        let site = SitePlan::clock();
        let _ = writeln!(ir, "program {} ({:?})", site.name, site.site);
        programs.push(finish(generated, &site, None, &mut ir)?);
    }
    let clauses = describe(p, epids, actions);
    Ok(Compiled {
        image: assemble(p, plan, programs, clauses),
        ir,
    })
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

/// Generates a site twice: the first run finds out what its prologue must provide.
fn generate(
    p: &Program,
    plan: &mut Plan,
    target: &Target,
    epids: &[Vec<u32>],
    actions: &[Actions],
    site: &SitePlan,
    n: u32,
) -> Result<Generated> {
    let mut needs = Needs::everything();
    for _ in 0..2 {
        let g = SiteGen::new(p, plan, target, epids, actions, site, n, needs.clone()).run()?;
        if g.needs == needs {
            return Ok(g);
        }
        needs = g.needs;
    }
    SiteGen::new(p, plan, target, epids, actions, site, n, needs).run()
}

/// Maps that the kernel lets one program use (`MAX_USED_MAPS` of kernel/bpf/verifier.c).
const MOST_MAPS: usize = 64;

/// Optimises, allocates, emits.
fn finish(
    mut g: Generated,
    site: &SitePlan,
    unwind: Option<rt::unwind::Facts>,
    ir: &mut String,
) -> Result<ProgramDef> {
    let broken = |b: verify::Broken| crate::Stop {
        message: format!(
            "internal error -- intermediate form is invalid: {} at {} of {}",
            b.what, b.at, site.name
        ),
        pos: Pos::default(),
    };
    verify::check(&g.func).map_err(broken)?;
    passes::optimize(&mut g.func);
    verify::check(&g.func).map_err(broken)?;
    ir.push_str(&text::dump(&g.func));
    let allocation = alloc::allocate(&g.func);
    let facts = unwind.map_or_else(Vec::new, rt::unwind::Facts::words);
    let emitted = emit(&g.func, &allocation, rt::LOCALS, &facts).map_err(|e| too_big(&e, site))?;
    let maps: BTreeSet<u32> = emitted.maps.iter().map(|m| m.map).collect();
    if maps.len() > MOST_MAPS {
        return stop(
            Pos::default(),
            format!(
                "the clauses of one probe ({}) use {} aggregations, arrays and buffers, each a kernel map; a program \
                 may use {MOST_MAPS}: use fewer, or different keys of one",
                site.name,
                maps.len()
            ),
        );
    }
    let relocs = emitted
        .maps
        .iter()
        .map(|m| Reloc {
            insn: m.insn,
            map: m.map,
            value_off: m.value_off,
        })
        .collect();
    let lines = emitted
        .notes
        .iter()
        .map(|(insn, p)| LineInfo {
            insn: *insn,
            clause: p.clause,
            line: p.line,
            col: p.col,
        })
        .collect();
    Ok(ProgramDef {
        name: site.name.clone(),
        site: site.site.clone(),
        kind: g.kind,
        insns: emitted.insns,
        relocs,
        functions: emitted.functions.into_iter().map(function).collect(),
        lines,
        clauses: site.clauses(),
        attachments: Vec::new(),
    })
}

fn function(f: ir::local::Function) -> FunctionDef {
    FunctionDef {
        insn: f.insn,
        name: f.name,
        params: f.params,
    }
}

fn too_big(e: &EmitError, site: &SitePlan) -> crate::Stop {
    let message = match e {
        EmitError::Stack(n) => format!(
            "the clauses of one probe ({}) need {n} bytes of BPF stack, of which there are {}; split the longest expression",
            site.name,
            ir::emit::STACK_LIMIT
        ),
        EmitError::NotConstant(what) => {
            format!(
                "internal error -- a capacity given to {} is unknown",
                what.0
            )
        }
        EmitError::Asm(e) => format!(
            "too many clauses on one probe ({}): {e}; enable fewer clauses on it, or run them as separate programs",
            site.name
        ),
    };
    crate::Stop {
        message,
        pos: Pos::default(),
    }
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
    }
}

/// Kind of program for a site. BTF tracepoints only where something needs typed context words.
pub fn kind_of(site: &Site, typed: bool) -> ProgramKind {
    match site {
        Site::Begin | Site::End | Site::Error | Site::Tick { .. } => ProgramKind::Run,
        Site::Profile { .. } | Site::Counter(_) => ProgramKind::PerfEvent,
        Site::User => ProgramKind::Uprobe,
        Site::SyscallEntry | Site::SyscallReturn => ProgramKind::TpBtf,
        Site::Tracepoint { .. } if typed => ProgramKind::TpBtf,
        Site::Tracepoint { .. } => ProgramKind::RawTp,
        Site::KernelFunction { ret: false, .. } => ProgramKind::Fentry,
        Site::KernelFunction { ret: true, .. } => ProgramKind::Fexit,
        Site::KernelFunctions { .. } => ProgramKind::Kprobe,
    }
}

/// Refuses what only the caller's mistake could ask for.
pub fn internal<T>(what: &str) -> Result<T> {
    stop(Pos::default(), format!("internal error -- {what}"))
}

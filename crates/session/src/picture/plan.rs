//! What will be drawn, known before tracing begins.

use super::context;
use super::measure::{self, Amount};
use crate::compile::{Compilation, Input};
use crate::opts::Options;
use image::{ActionKind, AggFunc};
use lang::options::Opt;
use pictures::Unit;
use sema::hir::{Agg, Clause, Expr, KeyTy, Program, Stmt, StmtKind};

/// A form of output that is a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Picture {
    /// Stacks (`-O flame`).
    Flame,
    /// Quantizations over time (`-O heatmap`).
    Heatmap,
    /// What begins and ends on threads (`-O trace`).
    Trace,
}

/// An aggregation that is drawn.
#[derive(Clone, Debug)]
pub(crate) struct Drawn {
    /// Its place in the program.
    pub agg: usize,
    /// Its name, without `@`.
    pub name: String,
    /// What stands over it.
    pub heading: String,
    /// Unit of what is drawn.
    pub unit: Unit,
    /// What is put before its keys.
    pub labels: Vec<String>,
    /// Its function.
    pub func: AggFunc,
    /// The program prints it.
    pub printed: bool,
}

/// What will be drawn.
#[derive(Clone, Debug)]
pub struct Plan {
    pub(crate) picture: Picture,
    pub(crate) title: String,
    pub(crate) drawn: Vec<Drawn>,
    /// Names of the values of each clause.
    pub(crate) clauses: Vec<Vec<String>>,
    /// Records do not come in the order of their times.
    pub(crate) unordered: bool,
    /// What the user should know, one line each.
    pub notes: Vec<String>,
}

impl Plan {
    /// Whether columns are made though the program prints none.
    pub(crate) fn asks(&self) -> bool {
        self.picture == Picture::Heatmap && self.drawn.iter().any(|d| !d.printed)
    }
}

/// Says what will be drawn, or what is to be written that something can be. The program of a timeline then records its
/// threads, too.
pub fn plan(
    picture: Picture,
    compilation: &mut Compilation,
    options: &Options,
) -> Result<Plan, String> {
    let program = &compilation.program;
    let mut plan = Plan {
        picture,
        title: options
            .text(Opt::Title)
            .unwrap_or_else(|| title(compilation)),
        drawn: Vec::new(),
        clauses: Vec::new(),
        unordered: !options.flag(Opt::Temporal) || speculates(program),
        notes: Vec::new(),
    };
    let unit = options.text(Opt::Unit).map(|word| Unit::named(&word));
    let (wanted, why): (fn(&Agg) -> bool, _) = match picture {
        Picture::Flame => (has_stack, "no stack is among its keys"),
        Picture::Heatmap => (is_histogram, "it has no buckets"),
        Picture::Trace => (|_| false, "a timeline has records only"),
    };
    for (agg, desc) in program.aggs.iter().enumerate() {
        if wanted(desc) {
            plan.drawn
                .extend(drawn(picture, program, agg, desc, unit.as_ref())?);
        } else {
            let note = format!("{} is not in the picture: {why}", called(desc));
            plan.notes.push(note);
        }
    }
    match picture {
        Picture::Flame if plan.drawn.is_empty() => return Err(no_stacks(program)),
        Picture::Heatmap if plan.drawn.is_empty() => {
            return Err("-O heatmap draws quantize(), lquantize() and llquantize(), and the program has none of them: \
                        write @ = quantize(VALUE)"
                .to_owned());
        }
        Picture::Flame | Picture::Heatmap => {}
        Picture::Trace => timeline(&mut plan, compilation)?,
    }
    Ok(plan)
}

/// What a picture of a program is called.
fn title(compilation: &Compilation) -> String {
    let one = |text: &crate::compile::Text| match &text.input {
        Input::Probe(_, text) => text.split_whitespace().collect::<Vec<_>>().join(" "),
        Input::Script(path) => path.file_name().map_or_else(
            || path.display().to_string(),
            |name| name.to_string_lossy().into_owned(),
        ),
        Input::Own(name, _) => (*name).to_owned(),
    };
    let texts: Vec<_> = compilation.texts.iter().map(one).collect();
    let title = texts.join("; ");
    match title.char_indices().nth(90) {
        Some((end, _)) => format!("{}\u{2026}", title.get(..end).unwrap_or_default()),
        None => title,
    }
}

/// The aggregation as programs write it.
fn called(agg: &Agg) -> String {
    match agg.name.as_str() {
        "_" => "@".to_owned(),
        name => format!("@{name}"),
    }
}

fn has_stack(agg: &Agg) -> bool {
    agg.keys.iter().any(|k| matches!(k, KeyTy::Stack { .. }))
}

fn is_histogram(agg: &Agg) -> bool {
    measure::additive(agg.func) == Some(Amount::Values)
}

fn statements(program: &Program) -> impl Iterator<Item = (&Clause, &Stmt)> {
    let clauses = program.clauses.iter();
    clauses.flat_map(|c| c.body.iter().map(move |s| (c, s)))
}

fn speculates(program: &Program) -> bool {
    statements(program).any(|(_, s)| matches!(s.kind, StmtKind::Speculate(_)))
}

fn no_stacks(program: &Program) -> String {
    let is_stack = |s: &Stmt| {
        matches!(
            &s.kind,
            StmtKind::Record {
                action: ActionKind::Stack,
                ..
            }
        )
    };
    let instead = match statements(program).any(|(_, s)| is_stack(s)) {
        true => " in place of stack() or ustack()",
        false => "",
    };
    format!(
        "-O flame draws aggregations with a stack among their keys, and the program has none: \
         write @[stack()] = count() (stacks of the kernel) or @[ustack()] = count() (of programs){instead}"
    )
}

/// A statement that an aggregation has values from: its clause, keys and value.
type Source<'a> = (&'a Clause, &'a [Expr], Option<&'a Expr>);

fn sources(program: &Program, agg: usize) -> impl Iterator<Item = Source<'_>> {
    statements(program).filter_map(move |(clause, s)| match &s.kind {
        StmtKind::Aggregate {
            agg: id,
            keys,
            value,
            ..
        } if id.0 as usize == agg => Some((clause, keys.as_slice(), value.as_ref())),
        _ => None,
    })
}

/// The clauses that count firings of clocks or counters count samples.
fn things(program: &Program, clause: &Clause) -> &'static str {
    let samples = clause.probes.iter().all(|p| {
        let probe = program.probes.get(*p as usize).map(|p| &p.probe);
        probe.is_some_and(|p| matches!(&*p.provider, "profile" | "cpc"))
    });
    if samples { "samples" } else { "events" }
}

fn drawn(
    picture: Picture,
    program: &Program,
    agg: usize,
    desc: &Agg,
    unit: Option<&Unit>,
) -> Result<Option<Drawn>, String> {
    let Some((clause, _, value)) = sources(program, agg).next() else {
        return Ok(None);
    };
    let func = function(desc.func);
    let Some(amount) = measure::additive(desc.func) else {
        return Err(format!(
            "{} cannot be drawn: {func}() values of several stacks do not add up (use count() or sum())",
            called(desc)
        ));
    };
    let of_value = || value.map_or(Unit::Things(String::new()), |v| measure::unit(program, v));
    let told = match (picture, amount) {
        (Picture::Flame, Amount::Firings) => Unit::Things(things(program, clause).to_owned()),
        (Picture::Flame, Amount::Values) => Unit::Things("values".to_owned()),
        (Picture::Flame, Amount::Sum) | (Picture::Heatmap | Picture::Trace, _) => of_value(),
    };
    let names = desc.keys.iter().enumerate();
    let names: Vec<String> = names.map(|(i, ty)| key_name(program, agg, i, ty)).collect();
    let label = |(name, ty): (&String, &KeyTy)| match ty {
        KeyTy::Int(_) if name != "..." => format!("{name} "),
        KeyTy::Int(_)
        | KeyTy::Str
        | KeyTy::ShortStr(_)
        | KeyTy::Probe(_)
        | KeyTy::Stack { .. }
        | KeyTy::Sym(_) => String::new(),
    };
    let by = match names.as_slice() {
        [] => String::new(),
        names => format!("[{}]", names.join(", ")),
    };
    Ok(Some(Drawn {
        agg,
        name: desc.name.clone(),
        heading: format!("{}{by} = {func}()", called(desc)),
        unit: unit.cloned().unwrap_or(told),
        labels: names.iter().zip(&desc.keys).map(label).collect(),
        func: desc.func,
        printed: prints(program, agg),
    }))
}

/// What a key is called, if it is the same in all statements.
fn key_name(program: &Program, agg: usize, place: usize, ty: &KeyTy) -> String {
    match ty {
        KeyTy::Stack { user: false, .. } => return "stack()".to_owned(),
        KeyTy::Stack { user: true, .. } => return "ustack()".to_owned(),
        KeyTy::Int(_) | KeyTy::Str | KeyTy::ShortStr(_) | KeyTy::Probe(_) | KeyTy::Sym(_) => {}
    }
    let keys = sources(program, agg).map(|(_, keys, _)| keys.get(place));
    let mut names = keys.map(|key| measure::name(program, key?));
    let first = names.next().flatten();
    let same = names.all(|name| name == first);
    first.filter(|_| same).unwrap_or_else(|| "...".to_owned())
}

fn function(func: AggFunc) -> &'static str {
    match func {
        AggFunc::Count => "count",
        AggFunc::Sum => "sum",
        AggFunc::Min => "min",
        AggFunc::Max => "max",
        AggFunc::Avg => "avg",
        AggFunc::Stddev => "stddev",
        AggFunc::Quantize => "quantize",
        AggFunc::Lquantize { .. } => "lquantize",
        AggFunc::Llquantize { .. } => "llquantize",
    }
}

/// Whether the program prints an aggregation while it runs.
fn prints(program: &Program, agg: usize) -> bool {
    let running = |c: &Clause| {
        !c.probes.iter().all(|p| {
            let probe = program.probes.get(*p as usize).map(|p| &p.probe);
            probe.is_some_and(|p| &*p.provider == "dtrace")
        })
    };
    statements(program).any(|(clause, s)| match &s.kind {
        StmtKind::Record {
            action: ActionKind::Printa { aggs, .. },
            ..
        } => running(clause) && aggs.iter().any(|a| *a as usize == agg),
        _ => false,
    })
}

/// Plans a timeline.
fn timeline(plan: &mut Plan, compilation: &mut Compilation) -> Result<(), String> {
    let program = &compilation.program;
    let shown = || program.clauses.iter().filter(|c| context::shows(c));
    if shown().next().is_none() {
        return Err(
            "-O trace draws what clauses record, and no clause of the program records anything: \
             write empty bodies, like syscall:::entry, syscall:::return { }"
                .to_owned(),
        );
    }
    let probes = shown().flat_map(|c| &c.probes);
    let mut probes = probes
        .filter_map(|p| program.probes.get(*p as usize))
        .peekable();
    // Probes may come later (-Z).
    let some = probes.peek().is_some();
    if some && !probes.any(|p| pictures::trace::begins(&p.probe.name)) {
        plan.notes.push(
            "no probe of the program begins anything (entry, start, begin, acquire, on-cpu): the timeline has instants only"
                .to_owned(),
        );
    }
    plan.clauses = program.clauses.iter().map(|c| values(program, c)).collect();
    compilation.threads = true;
    context::add(&mut compilation.program);
    Ok(())
}

/// Names of the values that a clause shows.
fn values(program: &Program, clause: &Clause) -> Vec<String> {
    let mut names = Vec::new();
    for s in &clause.body {
        let StmtKind::Record { action, data } = &s.kind else {
            continue;
        };
        match action {
            ActionKind::Printf(_) => names.push("printf".to_owned()),
            ActionKind::Tracemem { .. } => names.push("tracemem".to_owned()),
            ActionKind::Stack => names.push("stack".to_owned()),
            ActionKind::Trace | ActionKind::Print(_) | ActionKind::Sym => {
                let name = |e| measure::name(program, e).unwrap_or_default();
                names.extend(data.iter().map(name));
            }
            ActionKind::Printa { .. }
            | ActionKind::Exit
            | ActionKind::Clear(_)
            | ActionKind::Trunc(_)
            | ActionKind::Normalize(_)
            | ActionKind::Denormalize(_)
            | ActionKind::System(_)
            | ActionKind::Freopen(_)
            | ActionKind::Ftruncate
            | ActionKind::Setopt => {}
        }
    }
    names
}

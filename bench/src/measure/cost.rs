//! What tracing adds to a cheap system call: a pinned loop, untraced and under each tracer in turns.
//!
//! The fastest of many short repeats over all turns counts: other work on the machine only ever adds, and adds more
//! than what is measured. A tracer whose own count is below the calls made did not trace them: its cell stays empty.

use crate::cprog::{self, Attached};
use crate::elf::Object;
use crate::load::{self, Work};
use crate::measure::or_note;
use crate::report::{Bar, Row};
use crate::tool::{Env, Script, Tool};
use crate::{Result, fail};

const CALLS: u64 = 20_000;
const REPEATS: u32 = 60;
const TURNS: usize = 7;
/// Allowed distance from the hand-written program.
const NEAR: f64 = 1.15;

const COUNT: Script = Script {
    d: "BEGIN { printf(\"ready\\n\"); } syscall:::entry { @ = count(); }",
    bt: "BEGIN { printf(\"ready\\n\"); } tracepoint:raw_syscalls:sys_enter { @ = count(); }",
};
const KEYED: Script = Script {
    d: "BEGIN { printf(\"ready\\n\"); } syscall:::entry { @[probefunc] = count(); }",
    bt: "BEGIN { printf(\"ready\\n\"); } tracepoint:raw_syscalls:sys_enter { @[args->id] = count(); }",
};

const ASSOC: Script = Script {
    d: "BEGIN { printf(\"ready\\n\"); } syscall:::entry { a[cpu]++; } END { printf(\"%d %d %d %d\", a[0], a[1], a[2], a[3]); }",
    bt: "BEGIN { printf(\"ready\\n\"); } tracepoint:raw_syscalls:sys_enter { @[cpu]++; }",
};
/// A thread-local variable read and written; no C program does the same.
const SELF: Script = Script {
    d: "BEGIN { printf(\"ready\\n\"); } syscall:::entry { self->x++; @ = count(); }",
    bt: "BEGIN { printf(\"ready\\n\"); } tracepoint:raw_syscalls:sys_enter { @x[tid]++; @ = count(); }",
};

/// Nanoseconds of a call, the fastest seen yet.
type Fastest = Option<f64>;

pub fn rows(env: &Env) -> Result<Vec<Row>> {
    let object = |name| cprog::compile(name, &env.dir);
    let (empty, count, keyed) = (object("empty")?, object("count")?, object("keyed")?);
    let (mut base, mut bare) = (None, None);
    let assoc = object("assoc")?;
    let (mut counts, mut keys) = ([None; 3], [None; 3]);
    let (mut assocs, mut selfs) = ([None; 3], [None; 3]);
    for _ in 0..TURNS {
        faster(&mut base, Some(fastest(env)?));
        faster(&mut bare, Some(under_c(env, &empty)?));
        turn(env, &mut counts, &count, COUNT)?;
        turn(env, &mut keys, &keyed, KEYED)?;
        turn(env, &mut assocs, &assoc, ASSOC)?;
        turn(env, &mut selfs, &count, SELF)?;
    }
    let mut floor = Row::new("getppid(), untraced (ns)", Bar::None);
    floor.c = base;
    let mut tracepoint = Row::new("+ bare raw tracepoint (ns)", Bar::None);
    tracepoint.c = added(bare, base);
    Ok(vec![
        floor,
        tracepoint,
        row("+ @ = count() (ns)", counts, base),
        row("+ @[probefunc] = count() (ns)", keys, base),
        row("+ a[cpu]++ (ns)", assocs, base),
        Row {
            bar: Bar::None,
            c: None,
            ..row("+ self->x++; @ = count() (ns)", selfs, base)
        },
    ])
}

fn row(what: &str, columns: [Fastest; 3], base: Fastest) -> Row {
    let [ours, c, bpftrace] = columns.map(|ns| added(ns, base));
    Row {
        ours,
        c,
        bpftrace,
        ..Row::new(what, Bar::NearC(NEAR))
    }
}

fn added(traced: Fastest, base: Fastest) -> Option<f64> {
    Some(traced? - base?)
}

fn faster(best: &mut Fastest, ns: Option<f64>) {
    if let Some(ns) = ns {
        *best = Some(best.map_or(ns, |b| b.min(ns)));
    }
}

fn turn(env: &Env, columns: &mut [Fastest; 3], object: &Object, script: Script) -> Result<()> {
    let [ours, c, bpftrace] = columns;
    let under = |tool| or_note("cost", under_tool(env, tool, script));
    faster(ours, under(Tool::Dtrace));
    faster(c, Some(under_c(env, object)?));
    faster(bpftrace, under(Tool::Bpftrace));
    Ok(())
}

/// Nanoseconds of a call.
fn fastest(env: &Env) -> Result<f64> {
    let work = Work::Calls {
        calls: CALLS,
        repeats: REPEATS,
    };
    let laps = load::start(env, env.load_cpu(), work)?.finish()?;
    let per_call = laps.iter().map(|l| l.ns as f64 / l.calls as f64);
    Ok(per_call.fold(f64::INFINITY, f64::min))
}

fn under_c(env: &Env, object: &Object) -> Result<f64> {
    let attached: Attached = cprog::attach(object)?;
    let ns = fastest(env)?;
    if !object.maps.is_empty() {
        plausible(attached.total("hits")?)?;
    }
    Ok(ns)
}

fn under_tool(env: &Env, tool: Tool, script: Script) -> Result<Option<f64>> {
    let Some(session) = env.start_ready(tool, script)? else {
        return Ok(None);
    };
    let ns = fastest(env)?;
    let text = session.stop()?.text()?;
    let numbers = text.split(|c: char| !c.is_ascii_digit());
    plausible(numbers.filter_map(|n| n.parse().ok()).max().unwrap_or(0))?;
    Ok(Some(ns))
}

fn plausible(counted: u64) -> Result<()> {
    let made = CALLS * u64::from(REPEATS);
    if counted < made {
        return fail(format!("{counted} counted of {made} calls made"));
    }
    Ok(())
}

//! What tracing adds to a cheap system call: a pinned loop, untraced and under each tracer in turns.
//!
//! Each turn takes the fastest of some repeats (what the machine did meanwhile only adds), the median of the turns is
//! the result. A tracer whose own count is below the calls made did not trace them: its cell stays empty.

use crate::cprog::{self, Attached};
use crate::elf::Object;
use crate::load::{self, Work};
use crate::measure::or_note;
use crate::report::{Bar, Row, median};
use crate::tool::{Env, Script, Tool};
use crate::{Result, fail};

const CALLS: u64 = 200_000;
const REPEATS: u32 = 8;
const TURNS: usize = 5;
/// Allowed distance from the hand-written program.
const NEAR: f64 = 1.15;

const COUNT: Script = Script {
    d: "BEGIN { printf(\"ready\\n\"); } syscall:::entry { @ = count(); } END { printa(\"%@d\\n\", @); }",
    bt: "BEGIN { printf(\"ready\\n\"); } tracepoint:raw_syscalls:sys_enter { @ = count(); }",
};
const KEYED: Script = Script {
    d: "BEGIN { printf(\"ready\\n\"); } syscall:::entry { @[probefunc] = count(); }",
    bt: "BEGIN { printf(\"ready\\n\"); } tracepoint:raw_syscalls:sys_enter { @[args->id] = count(); }",
};

/// One column of one row: its turns.
type Turns = Vec<f64>;

pub fn rows(env: &Env) -> Result<Vec<Row>> {
    let object = |name| cprog::compile(name, &env.dir);
    let (empty, count, keyed) = (object("empty")?, object("count")?, object("keyed")?);
    let mut base = Turns::new();
    let mut bare = Turns::new();
    let mut counts: [Turns; 3] = Default::default();
    let mut keys: [Turns; 3] = Default::default();
    for _ in 0..TURNS {
        base.push(fastest(env)?);
        bare.push(under_c(env, &empty)?);
        turn(env, &mut counts, &count, COUNT)?;
        turn(env, &mut keys, &keyed, KEYED)?;
    }
    let base = median(base);
    let mut floor = Row::new("getppid(), untraced (ns)", Bar::None);
    floor.c = base;
    let mut tracepoint = Row::new("+ bare raw tracepoint (ns)", Bar::None);
    tracepoint.c = added(bare, base);
    Ok(vec![
        floor,
        tracepoint,
        row("+ @ = count() (ns)", counts, base),
        row("+ @[probefunc] = count() (ns)", keys, base),
    ])
}

fn row(what: &str, turns: [Turns; 3], base: Option<f64>) -> Row {
    let [ours, c, bpftrace] = turns.map(|t| added(t, base));
    Row {
        ours,
        c,
        bpftrace,
        ..Row::new(what, Bar::NearC(NEAR))
    }
}

fn added(turns: Turns, base: Option<f64>) -> Option<f64> {
    Some(median(turns)? - base?)
}

fn turn(env: &Env, turns: &mut [Turns; 3], object: &Object, script: Script) -> Result<()> {
    let [ours, c, bpftrace] = turns;
    ours.extend(or_note("cost", under_tool(env, Tool::Dtrace, script)));
    c.push(under_c(env, object)?);
    bpftrace.extend(or_note("cost", under_tool(env, Tool::Bpftrace, script)));
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

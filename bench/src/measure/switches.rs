//! What tracing adds to a switch of threads: `sched:::on-cpu, sched:::off-cpu { @[execname] = count(); }` while two threads
//! on one CPU wake each other as fast as they can (well over 200,000 switches a second).
//!
//! The hand-written programs are two, on `sched_switch` and `sched_exit_tp`; bpftrace has no such tracepoint.

use crate::Result;
use crate::cprog;
use crate::load::{self, Work};
use crate::measure::or_note;
use crate::report::{Bar, Row};
use crate::tool::{Env, Script, Tool};

const SWITCHES: u64 = 4_000;
const REPEATS: u32 = 60;
const TURNS: usize = 5;
/// Events of a switch.
const EVENTS: f64 = 2.0;
/// Allowed distance from the hand-written programs.
const NEAR: f64 = 1.15;

const SCRIPT: Script = Script {
    d: "BEGIN { printf(\"ready\\n\"); } sched:::on-cpu, sched:::off-cpu { @[execname] = count(); }",
    bt: "",
};

pub fn rows(env: &Env) -> Result<Vec<Row>> {
    let (off, on) = (
        cprog::compile("offcpu", &env.dir)?,
        cprog::compile("oncpu", &env.dir)?,
    );
    let (mut base, mut ours, mut c) = (f64::INFINITY, f64::INFINITY, f64::INFINITY);
    for _ in 0..TURNS {
        base = base.min(fastest(env)?);
        if let Some(ns) = or_note("switches", under_dtrace(env)) {
            ours = ours.min(ns);
        }
        let _attached = (cprog::attach(&off)?, cprog::attach(&on)?);
        c = c.min(fastest(env)?);
    }
    let mut floor = Row::new("switch of threads, untraced (ns)", Bar::None);
    floor.c = Some(base);
    let added = |ns: f64| ns.is_finite().then(|| (ns - base) / EVENTS);
    let mut row = Row::new(
        "+ on-cpu, off-cpu @[execname] (ns an event)",
        Bar::NearC(NEAR),
    );
    row.ours = added(ours);
    row.c = added(c);
    Ok(vec![floor, row])
}

/// Nanoseconds of a switch, the fastest of many short repeats.
fn fastest(env: &Env) -> Result<f64> {
    let work = Work::Switches {
        switches: SWITCHES,
        repeats: REPEATS,
    };
    let laps = load::start(env, env.load_cpu(), work)?.finish()?;
    let each = laps.iter().map(|l| l.ns as f64 / l.calls as f64);
    Ok(each.fold(f64::INFINITY, f64::min))
}

fn under_dtrace(env: &Env) -> Result<Option<f64>> {
    let Some(session) = env.start_ready(Tool::Dtrace, SCRIPT)? else {
        return Ok(None);
    };
    let ns = fastest(env)?;
    session.stop()?.text()?;
    Ok(Some(ns))
}

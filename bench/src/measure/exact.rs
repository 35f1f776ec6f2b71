//! Ten million known events on two busy CPUs, counted.

use crate::load::{self, Work};
use crate::measure::or_note;
use crate::report::{Bar, Row};
use crate::tool::{Env, Script, Tool};
use crate::{Result, cprog};

const EVENTS: u64 = 10_000_000;
const SCRIPT: Script = Script {
    d: "BEGIN { printf(\"ready\\n\"); } \
        syscall::getppid:entry /execname == \"bench-load\"/ { @ = count(); }",
    bt: "BEGIN { printf(\"ready\\n\"); } \
         tracepoint:syscalls:sys_enter_getppid /comm == \"bench-load\"/ { @ = count(); }",
};

pub fn rows(env: &Env) -> Result<Vec<Row>> {
    let bar = Bar::Exactly(EVENTS as f64);
    let mut row = Row::new("10 million events on two CPUs: counted", bar);
    row.ours = or_note("exact", counted(env, Tool::Dtrace));
    row.bpftrace = or_note("exact", counted(env, Tool::Bpftrace));
    let attached = cprog::attach(&cprog::compile("known", &env.dir)?)?;
    make_events(env)?;
    row.c = Some(attached.total("hits")? as f64);
    Ok(vec![row])
}

fn counted(env: &Env, tool: Tool) -> Result<Option<f64>> {
    let Some(session) = env.start_ready(tool, SCRIPT)? else {
        return Ok(None);
    };
    make_events(env)?;
    let n = session.stop()?.last_number()?;
    Ok(Some(n as f64))
}

/// Half on the first CPU, half on the last.
fn make_events(env: &Env) -> Result<()> {
    let work = Work::Calls {
        calls: EVENTS / 2,
        repeats: 1,
    };
    let first = env.cpus.first().copied().unwrap_or(0);
    let loads = [first, env.load_cpu()].map(|cpu| load::start(env, cpu, work));
    for running in loads {
        running?.finish()?;
    }
    Ok(())
}

//! Enabling and disabling every system call, above the second that is traced.

use crate::Result;
use crate::measure::or_note;
use crate::report::{Bar, Row, median};
use crate::tool::{Env, Script, Tool};

const SCRIPT: Script = Script {
    d: "syscall:::entry { @[probefunc] = count(); } tick-1s { exit(0); }",
    bt: "tracepoint:syscalls:sys_enter_* { @[probe] = count(); } interval:s:1 { exit(); }",
};
const TRACED_MS: f64 = 1000.0;
const RUNS: usize = 5;

pub fn rows(env: &Env) -> Result<Vec<Row>> {
    let what = "all syscalls by probefunc: enable and disable (ms)";
    let mut row = Row::new(what, Bar::AtMost(60.0));
    row.ours = or_note("bulk", overhead(env, Tool::Dtrace, RUNS));
    if !env.no_slow {
        row.bpftrace = or_note("bulk", overhead(env, Tool::Bpftrace, 1));
    }
    Ok(vec![row])
}

fn overhead(env: &Env, tool: Tool, runs: usize) -> Result<Option<f64>> {
    let mut values = Vec::new();
    for _ in 0..runs {
        let Some(done) = env.run(tool, SCRIPT)? else {
            return Ok(None);
        };
        values.push(done.wall.as_secs_f64() * 1e3 - TRACED_MS);
    }
    Ok(median(values))
}

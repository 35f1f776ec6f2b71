//! Size of the program for `syscall::read:entry { @[execname] = count(); }`: as compiled, and as the kernel runs it
//! (after the verifier has rewritten it, in-lining map look-ups).

use std::os::fd::AsFd;
use std::process::Command;

use crate::measure::or_note;
use crate::report::{Bar, Row};
use crate::tool::{Env, Script, Tool};
use crate::{Result, cprog, fail, os};

const SCRIPT: Script = Script {
    d: "BEGIN { printf(\"ready\\n\"); } syscall::read:entry { @[execname] = count(); }",
    bt: "BEGIN { printf(\"ready\\n\"); } tracepoint:syscalls:sys_enter_read { @[comm] = count(); }",
};
const COMPILED: &str = "syscall::read:entry { @[execname] = count(); }";

pub fn rows(env: &Env) -> Result<Vec<Row>> {
    let object = cprog::compile("execname", &env.dir)?;
    let mut compiled = Row::new("read by execname: instructions", Bar::AtMost(80.0));
    compiled.ours = or_note("size", listed(env));
    compiled.c = Some(object.code.len() as f64 / 8.0);
    let mut loaded = Row::new("read by execname: instructions in the kernel", Bar::None);
    loaded.ours = or_note("size", largest(env, Tool::Dtrace));
    loaded.c = Some(f64::from(cprog::attach(&object)?.xlated()?));
    loaded.bpftrace = or_note("size", largest(env, Tool::Bpftrace));
    Ok(vec![compiled, loaded])
}

/// Instructions in the listing of our compiler: one past the last position it shows.
fn listed(env: &Env) -> Result<Option<f64>> {
    let Some(path) = &env.dtrace else {
        return Ok(None);
    };
    let output = Command::new(path)
        .args(["--dump=asm", "-e", "-n", COMPILED])
        .output()?;
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text);
    let position = |line: &str| line.trim_start().split_once(':')?.0.parse().ok();
    let last: Option<u32> = text.lines().filter_map(position).max();
    match last {
        Some(last) => Ok(Some(f64::from(last) + 1.0)),
        None => fail(format!("no instructions listed: {}", text.trim())),
    }
}

/// The largest program that a running tracer holds.
fn largest(env: &Env, tool: Tool) -> Result<Option<f64>> {
    let Some(session) = env.start_ready(tool, SCRIPT)? else {
        return Ok(None);
    };
    let sizes = programs(session.pid());
    session.stop()?;
    match sizes?.into_iter().max() {
        Some(n) => Ok(Some(f64::from(n))),
        None => fail(format!("{tool:?} holds no program")),
    }
}

fn programs(pid: u32) -> Result<Vec<u32>> {
    let mut sizes = Vec::new();
    for entry in std::fs::read_dir(format!("/proc/{pid}/fdinfo"))? {
        let text = std::fs::read_to_string(entry?.path()).unwrap_or_default();
        let id = text.lines().find_map(|l| l.strip_prefix("prog_id:"));
        if let Some(Ok(id)) = id.map(|id| id.trim().parse()) {
            let program = os::program_by_id(id)?;
            sizes.push(sys::bpf::prog_info(program.as_fd())?.xlated_insns);
        }
    }
    Ok(sizes)
}

//! Probes in user-space code: what one adds to a call and to a site, what a site costs that nobody traces, and how long it
//! takes to enable all functions of a program and its C library.
//!
//! As with system calls, the fastest of many laps counts.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::cprog;
use crate::elf::Object;
use crate::measure::or_note;
use crate::report::{Bar, Row, median};
use crate::tool::{Env, Script, Tool};
use crate::{Result, fail};

/// Laps, and calls of one, while nobody traces or somebody does.
const UNTRACED: (u32, u32) = (200, 200_000);
const TRACED: (u32, u32) = (300, 1_000);
const TURNS: usize = 5;
/// Allowed distance from the hand-written program.
const NEAR: f64 = 1.1;
const ENABLED_MS: f64 = 1000.0;
const RUNS: usize = 5;

/// Nanoseconds of a call, of an empty round, of a site.
type Lap = [f64; 3];

/// A target that waits for its line.
struct Target {
    child: Child,
    offset: u64,
    laps: (u32, u32),
}

impl Target {
    fn start(path: &Path, laps: (u32, u32)) -> Result<Target> {
        let mut child = Command::new(path)
            .args([laps.0.to_string(), laps.1.to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let mut line = String::new();
        let Some(out) = child.stdout.as_mut() else {
            return fail("no output of the target");
        };
        // One byte at a time: the rest is read later.
        let mut byte = [0];
        while !line.ends_with('\n') && out.read(&mut byte)? == 1 {
            line.push(char::from(byte[0]));
        }
        let offset = line.split_whitespace().nth(1).map(str::parse);
        match offset {
            Some(Ok(offset)) => Ok(Target {
                child,
                offset,
                laps,
            }),
            Some(Err(_)) | None => fail(format!("the target said '{line}'")),
        }
    }

    /// The fastest of its laps.
    fn run(mut self) -> Result<Lap> {
        drop(
            self.child
                .stdin
                .take()
                .map(|mut pipe| pipe.write_all(b"\n")),
        );
        let out = self.child.stdout.take();
        let mut best = [f64::INFINITY; 3];
        for line in out.map(BufReader::new).into_iter().flat_map(BufRead::lines) {
            let line = line?;
            let numbers = line
                .split_whitespace()
                .filter_map(|w| w.parse::<f64>().ok());
            for (best, ns) in best.iter_mut().zip(numbers) {
                *best = best.min(ns / f64::from(self.laps.1));
            }
        }
        let status = self.child.wait()?;
        if status.success() && best.iter().all(|b| b.is_finite()) {
            return Ok(best);
        }
        fail(format!("the target: {status}"))
    }
}

/// The fastest yet under dtrace, the C program and bpftrace.
type Columns = [Option<f64>; 3];

pub fn rows(env: &Env) -> Result<Vec<Row>> {
    let path = build(env)?;
    let count = cprog::compile("count", &env.dir)?;
    let (mut base, mut calls, mut sites) = ([f64::INFINITY; 3], [None; 3], [None; 3]);
    for _ in 0..TURNS {
        let lap = Target::start(&path, UNTRACED)?.run()?;
        for (best, ns) in base.iter_mut().zip(lap) {
            *best = best.min(ns);
        }
        call(env, &path, &count, &mut calls)?;
        site(env, &path, &mut sites)?;
    }
    let [call, round, nothing] = base;
    let mut untraced = Row::new("f(), untraced (ns)", Bar::None);
    untraced.c = Some(call);
    let mut disabled = Row::new("probe site, disabled (ns)", Bar::AtMost(1.0));
    disabled.ours = Some((nothing - round).max(0.0));
    let sites = sites.map(|ns| ns.map(|ns: f64| ns - nothing));
    Ok(vec![
        untraced,
        filled(
            "+ f:entry { @ = count(); } (ns)",
            calls.map(|ns| Some(ns? - call)),
            Bar::TimesC(NEAR),
        ),
        disabled,
        filled("+ site { @ = count(); } (ns)", sites, Bar::AtMostBpftrace),
        enabling(env, &path),
    ])
}

fn filled(what: &str, [ours, c, bpftrace]: Columns, bar: Bar) -> Row {
    Row {
        ours,
        c,
        bpftrace,
        ..Row::new(what, bar)
    }
}

fn build(env: &Env) -> Result<PathBuf> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("bpf/target.c");
    let path = env.dir.join("bench-target");
    let status = Command::new("cc")
        .args(["-O2", "-o"])
        .arg(&path)
        .arg(source)
        .status()?;
    if status.success() {
        Ok(path)
    } else {
        fail(format!("cc: {status}"))
    }
}

fn faster(best: &mut Option<f64>, ns: Option<f64>) {
    if let Some(ns) = ns {
        *best = Some(best.map_or(ns, |b| b.min(ns)));
    }
}

/// Scripts of this run live as long as it does.
fn kept(text: String) -> &'static str {
    Box::leak(text.into_boxed_str())
}

fn call(env: &Env, path: &Path, count: &Object, columns: &mut Columns) -> Result<()> {
    let [ours, c, bpftrace] = columns;
    for (tool, column) in [(Tool::Dtrace, ours), (Tool::Bpftrace, bpftrace)] {
        let target = Target::start(path, TRACED)?;
        let pid = target.child.id();
        let script = Script {
            d: kept(format!(
                "BEGIN {{ printf(\"ready\\n\"); }} pid{pid}:a.out:f:entry {{ @ = count(); }}"
            )),
            bt: kept(format!(
                "BEGIN {{ printf(\"ready\\n\"); }} uprobe:{}:f {{ @ = count(); }}",
                path.display()
            )),
        };
        faster(column, or_note("user", under(env, tool, script, target, 0)));
    }
    let target = Target::start(path, TRACED)?;
    let text = path.to_string_lossy();
    let attached = cprog::attach_uprobe(count, &text, target.offset, target.child.id())?;
    let lap = target.run()?;
    plausible(attached.total("hits")?)?;
    faster(c, Some(lap[0]));
    Ok(())
}

fn site(env: &Env, path: &Path, columns: &mut Columns) -> Result<()> {
    let [ours, _, bpftrace] = columns;
    for (tool, column) in [(Tool::Dtrace, ours), (Tool::Bpftrace, bpftrace)] {
        let target = Target::start(path, TRACED)?;
        let pid = target.child.id();
        let script = Script {
            d: kept(format!(
                "BEGIN {{ printf(\"ready\\n\"); }} benchsite{pid}:::site {{ @ = count(); }}"
            )),
            bt: kept(format!(
                "BEGIN {{ printf(\"ready\\n\"); }} usdt:{}:benchsite:site {{ @ = count(); }}",
                path.display()
            )),
        };
        faster(column, or_note("user", under(env, tool, script, target, 2)));
    }
    Ok(())
}

/// A lap's number under a tracer.
fn under(
    env: &Env,
    tool: Tool,
    script: Script,
    target: Target,
    which: usize,
) -> Result<Option<f64>> {
    let Some(session) = env.start_ready(tool, script)? else {
        return Ok(None);
    };
    let lap = target.run()?;
    let text = session.stop()?.text()?;
    let numbers = text.split(|c: char| !c.is_ascii_digit());
    plausible(numbers.filter_map(|n| n.parse().ok()).max().unwrap_or(0))?;
    Ok(lap.get(which).copied())
}

fn plausible(counted: u64) -> Result<()> {
    let made = u64::from(TRACED.0) * u64::from(TRACED.1);
    if counted < made {
        return fail(format!("{counted} counted of {made} calls made"));
    }
    Ok(())
}

/// All functions of the program and its libraries: from start to end, above the second that is traced.
fn enabling(env: &Env, path: &Path) -> Row {
    let mut row = Row::new(
        "pid:::entry of libc and a program: enable and disable (ms)",
        Bar::AtMost(2000.0),
    );
    let once = || {
        let mut target = Target::start(path, UNTRACED)?;
        let script = Script {
            d: kept(format!(
                "pid{}:::entry {{ @ = count(); }} tick-1s {{ exit(0); }}",
                target.child.id()
            )),
            bt: "",
        };
        let done = env.run(Tool::Dtrace, script);
        target.child.kill()?;
        target.child.wait()?;
        Ok(done?.map(|done| done.wall.as_secs_f64() * 1e3 - ENABLED_MS))
    };
    let values: Vec<f64> = (0..RUNS).filter_map(|_| or_note("user", once())).collect();
    row.ours = median(values);
    row
}

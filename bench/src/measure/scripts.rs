//! How long every script of the toolkit and every command takes from exec to tracing, and where that goes (`-xtimes`).

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::measure::or_note;
use crate::report::{Bar, Row};
use crate::tool::Env;
use crate::{Result, fail, os};

/// Most that a start may take, in milliseconds.
const BAR: f64 = 50.0;
/// The best of so many is what it takes: the machine may have other work.
const RUNS: usize = 5;
/// Longest wait for the end of one that was interrupted.
const PATIENCE: Duration = Duration::from_secs(30);
/// What `-xtimes` begins with.
const STARTED: &str = "started in ";
/// What commands are measured with.
const COMMANDS: [&[&str]; 5] = [
    &["lockstat", "sleep", "5"],
    &["plockstat", "-A", "-p", TARGET],
    &["intrstat", "1", "2"],
    &["dmpstat", "1", "2"],
    &["prstat", "1", "2"],
];
/// Stands for the number of a process.
const TARGET: &str = "PID";

/// A process that does nothing, for those that must have one.
struct Idle(Child);

impl Drop for Idle {
    fn drop(&mut self) {
        // It has not been waited for, so it is there.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// One start: milliseconds from exec to tracing, and what the program says of them.
struct Start {
    ms: f64,
    said: String,
}

pub fn rows(env: &Env) -> Result<Vec<Row>> {
    let Some(dtrace) = &env.dtrace else {
        return Ok(Vec::new());
    };
    let idle = Idle(Command::new("sleep").arg("3600").spawn()?);
    let target = idle.0.id().to_string();
    let mut rows = Vec::new();
    for script in scripts()? {
        let arguments = arguments(&script, &target)?;
        let mut command = || {
            let mut command = Command::new(dtrace);
            // Programs with probes of their own (Python, Java) need not be there.
            command.args(["-Z", "-xtimes", "-xdefaultargs", "-s"]);
            command.arg(&script).args(&arguments);
            command
        };
        let name = script.file_stem().unwrap_or_default().to_string_lossy();
        rows.push(row(&name, or_note(&name, best(&mut command).map(Some))));
    }
    let tools = dtrace.with_file_name("dtrace-tools");
    for words in COMMANDS.iter().filter(|_| tools.exists()) {
        let [name, arguments @ ..] = *words else {
            continue;
        };
        let mut command = || {
            let mut command = Command::new(&tools);
            command.args([*name, "-x", "times"]);
            for argument in arguments {
                command.arg(if *argument == TARGET {
                    &target
                } else {
                    *argument
                });
            }
            command
        };
        rows.push(row(name, or_note(name, best(&mut command).map(Some))));
    }
    Ok(rows)
}

fn row(name: &str, start: Option<Start>) -> Row {
    let said = start.as_ref().map_or("", |s| &s.said);
    let mut row = Row::new(format!("{name}: start (ms) {said}"), Bar::AtMost(BAR));
    row.ours = start.map(|s| s.ms);
    row
}

fn scripts() -> Result<Vec<PathBuf>> {
    let toolkit = Path::new(env!("CARGO_MANIFEST_DIR")).join("../toolkit");
    let mut found = Vec::new();
    for area in std::fs::read_dir(&toolkit)? {
        let area = area?.path();
        if area.is_dir() {
            for file in std::fs::read_dir(area)? {
                found.push(file?.path());
            }
        }
    }
    found.retain(|file| file.extension().is_some_and(|e| e == "d"));
    found.sort();
    Ok(found)
}

/// What a script must be given, by the line of its header that says how it is used.
fn arguments(script: &Path, target: &str) -> Result<Vec<String>> {
    let text = std::fs::read_to_string(script)?;
    let usage = text.lines().find_map(|line| line.split_once("Usage: "));
    let usage = usage.map_or("", |(_, usage)| usage);
    let mut out = Vec::new();
    if let Some((_, rest)) = usage.split_once(" -p PID | -c COMMAND") {
        out.extend(["-p".to_owned(), target.to_owned()]);
        for word in rest.split_whitespace().take_while(|w| !w.starts_with('[')) {
            out.push(match word {
                "module" => "libc.so.6".to_owned(),
                _ => "malloc".to_owned(),
            });
        }
    }
    Ok(out)
}

/// The fastest of a few starts.
fn best(command: &mut dyn FnMut() -> Command) -> Result<Start> {
    let mut best: Option<Start> = None;
    for _ in 0..RUNS {
        let start = one(&mut command())?;
        if best.as_ref().is_none_or(|b| start.ms < b.ms) {
            best = Some(start);
        }
    }
    best.map_or_else(|| fail("no run"), Ok)
}

fn one(command: &mut Command) -> Result<Start> {
    command.stdin(Stdio::null()).stdout(Stdio::null());
    let begun = Instant::now();
    let mut child = command.stderr(Stdio::piped()).spawn()?;
    let Some(stderr) = child.stderr.take() else {
        return fail("no standard error");
    };
    let mut stderr = BufReader::new(stderr);
    let mut said = String::new();
    let started = loop {
        let mut line = String::new();
        if stderr.read_line(&mut line)? == 0 {
            break None;
        }
        let now = begun.elapsed();
        if let Some((_, times)) = line.split_once(STARTED) {
            let steps = times.split_once(" ms ").map_or(times, |(_, steps)| steps);
            break Some((now, steps.trim().to_owned()));
        }
        said += &line;
    };
    os::interrupt(&child);
    // Read to the end, so that it can write it.
    let mut rest = Vec::new();
    stderr.read_to_end(&mut rest)?;
    os::wait(&child, PATIENCE)?;
    match started {
        Some((took, said)) => Ok(Start {
            ms: took.as_secs_f64() * 1e3,
            said,
        }),
        None => fail(format!("did not start: {}", said.trim())),
    }
}

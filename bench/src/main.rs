//! The benchmark: dtrace beside hand-written BPF C (clang of the distribution) and bpftrace of the distribution, all in
//! one run, as a table of values, ratios and bars.
//!
//! `bench [--check] [--no-slow] [--only NAME]… [--dtrace PATH]` as root. bpftrace cannot work without tracefs, so everything
//! runs in a mount namespace of its own where tracefs is mounted; the machine's own mounts stay as they are.
//! Loads run on the last CPU, tracers wherever the scheduler puts them.

use std::error::Error;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

mod cprog;
mod elf;
mod load;
mod measure;
mod os;
mod report;
mod tool;

use report::{Row, Verdict};
use tool::Env;

/// What can go wrong is only ever shown.
pub type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// An error of this text.
pub fn fail<T>(text: impl Into<String>) -> Result<T> {
    Err(text.into().into())
}

/// Tells the user on stderr.
pub fn note(text: impl AsRef<str>) {
    eprintln!("bench: {}", text.as_ref());
}

/// Set in the environment of the copy of this program that runs in the namespace.
const INSIDE: &str = "BENCH_INSIDE";
const USAGE: &str = "usage: bench [--check] [--no-slow] [--only NAME]... [--dtrace PATH]";

#[derive(Default)]
struct Options {
    check: bool,
    no_slow: bool,
    only: Vec<String>,
    dtrace: Option<PathBuf>,
}

fn main() -> ExitCode {
    let mut args = std::env::args_os();
    let name = args.next().unwrap_or_default();
    let is_load = Path::new(&name)
        .file_name()
        .is_some_and(|n| n == load::NAME);
    let result = if is_load {
        load::main(args).map(|()| true)
    } else {
        bench()
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            note(error.to_string());
            ExitCode::from(2)
        }
    }
}

fn options() -> Result<Options> {
    use lexopt::prelude::*;
    let mut options = Options::default();
    let mut parser = lexopt::Parser::from_env();
    while let Some(arg) = parser.next()? {
        match arg {
            Long("check") => options.check = true,
            Long("no-slow") => options.no_slow = true,
            Long("only") => options.only.push(parser.value()?.string()?),
            Long("dtrace") => options.dtrace = Some(parser.value()?.into()),
            Long("help") | Short('h') => {
                let names: Vec<&str> = measure::ALL.iter().map(|(name, _)| *name).collect();
                println!("{USAGE}\nnames: {}", names.join(" "));
                std::process::exit(0);
            }
            _ => return fail(USAGE),
        }
    }
    let known = |name: &String| measure::ALL.iter().any(|(n, _)| n == name);
    if let Some(bad) = options.only.iter().find(|name| !known(name)) {
        return fail(format!("no measurement '{bad}'"));
    }
    Ok(options)
}

/// Whether all bars are met, or need not be.
fn bench() -> Result<bool> {
    let options = options()?;
    if !sys::proc::may_trace() {
        return fail("must run as root");
    }
    if std::env::var_os(INSIDE).is_none() {
        return Err(enter_namespace().into());
    }
    mount_tracefs();
    let env = environment(&options)?;
    let mut rows: Vec<Row> = Vec::new();
    for (name, measure) in measure::ALL {
        if options.only.is_empty() || options.only.iter().any(|n| n == name) {
            note(format!("measuring {name}"));
            match measure(&env) {
                Ok(more) => rows.extend(more),
                Err(error) => note(format!("{name}: {error}")),
            }
        }
    }
    std::fs::remove_dir_all(&env.dir)?;
    let info = sys::proc::uname();
    println!("Linux {}, {} CPUs\n", info.release, env.cpus.len());
    print!("{}", report::table(&rows));
    let good = |row: &Row| matches!(row.verdict(), Verdict::Met | Verdict::Info);
    Ok(!options.check || (!rows.is_empty() && rows.iter().all(good)))
}

/// Becomes the same program in a mount namespace of its own; returns only on failure.
fn enter_namespace() -> std::io::Error {
    let exe = match std::env::current_exe() {
        Ok(exe) => exe,
        Err(error) => return error,
    };
    Command::new("unshare")
        .args(["-m", "--propagation", "private"])
        .arg(exe)
        .args(std::env::args_os().skip(1))
        .env(INSIDE, "1")
        .exec()
}

fn mount_tracefs() {
    let at = Path::new("/sys/kernel/tracing");
    if at.join("events").exists() {
        return;
    }
    let mount = Command::new("mount")
        .args(["-t", "tracefs", "tracefs"])
        .arg(at)
        .status();
    if !mount.is_ok_and(|s| s.success()) {
        note("tracefs cannot be mounted: bpftrace will have nothing to trace");
    }
}

fn environment(options: &Options) -> Result<Env> {
    let exe = std::env::current_exe()?;
    let beside = exe.with_file_name("dtrace");
    let dtrace = options.dtrace.clone().unwrap_or(beside);
    let dtrace = dtrace.exists().then_some(dtrace);
    if dtrace.is_none() {
        note("no dtrace beside this program and none given by --dtrace: its column stays empty");
    }
    let bpftrace = find("bpftrace");
    if bpftrace.is_none() {
        note("bpftrace is not installed (see bench/setup.sh): its column stays empty");
    }
    let dir = PathBuf::from(format!("/dev/shm/bench-{}", std::process::id()));
    std::fs::create_dir_all(&dir)?;
    std::os::unix::fs::symlink(&exe, dir.join(load::NAME))?;
    Ok(Env {
        dtrace,
        bpftrace,
        dir,
        no_slow: options.no_slow,
        cpus: sys::proc::online_cpus(),
    })
}

fn find(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|dir| dir.join(name))
        .find(|file| file.exists())
}

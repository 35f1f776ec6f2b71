//! The load: threads of known behaviour that call `getppid` as fast as they can.
//!
//! It is this program under another name (`bench-load`), so that predicates on `execname` single it out.

use std::ffi::OsString;
use std::hint::black_box;
use std::io::{Read as _, Write as _};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::tool::Env;
use crate::{Result, fail};

/// Name of the load's process.
pub const NAME: &str = "bench-load";

/// Calls between two looks at the clock.
const BATCH: u64 = 256;

/// What the load shall do.
#[derive(Clone, Copy, Debug)]
pub enum Work {
    /// This many calls, this many times.
    Calls {
        /// Calls of one repeat.
        calls: u64,
        /// Repeats.
        repeats: u32,
    },
    /// This many switches between two threads on one CPU, this many times.
    Switches {
        /// Switches of one repeat.
        switches: u64,
        /// Repeats.
        repeats: u32,
    },
    /// As many calls as it can, or as `per_second` allows, in some seconds.
    Seconds {
        /// How long.
        seconds: u32,
        /// At most this many calls a second.
        per_second: Option<u32>,
    },
}

/// One line of the load's report.
#[derive(Clone, Copy, Debug)]
pub struct Lap {
    /// Calls made.
    pub calls: u64,
    /// Time they took.
    pub ns: u64,
}

/// A load that is running.
#[derive(Debug)]
pub struct Load(Child);

/// Starts a load on a CPU.
pub fn start(env: &Env, cpu: u32, work: Work) -> Result<Load> {
    let mut command = Command::new(env.dir.join(NAME));
    command.arg(cpu.to_string());
    match work {
        Work::Calls { calls, repeats } => {
            command.args(["calls".into(), calls.to_string(), repeats.to_string()]);
        }
        Work::Switches { switches, repeats } => {
            command.args(["switches".into(), switches.to_string(), repeats.to_string()]);
        }
        Work::Seconds {
            seconds,
            per_second,
        } => {
            let rate = per_second.unwrap_or(0);
            command.args(["seconds".into(), seconds.to_string(), rate.to_string()]);
        }
    }
    Ok(Load(command.stdout(Stdio::piped()).spawn()?))
}

impl Load {
    /// Its process id.
    pub fn pid(&self) -> u32 {
        self.0.id()
    }

    /// Waits for its end.
    pub fn finish(self) -> Result<Vec<Lap>> {
        let output = self.0.wait_with_output()?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let laps: Option<Vec<Lap>> = text.lines().map(parse).collect();
        match laps {
            Some(laps) if output.status.success() && !laps.is_empty() => Ok(laps),
            Some(_) | None => fail(format!("{NAME}: {} '{text}'", output.status)),
        }
    }
}

fn parse(line: &str) -> Option<Lap> {
    let (calls, ns) = line.split_once(' ')?;
    Some(Lap {
        calls: calls.parse().ok()?,
        ns: ns.parse().ok()?,
    })
}

/// The load's own main function: `CPU calls N REPEATS`, `CPU switches N REPEATS` or `CPU seconds S RATE` (0: no limit); prints calls and nanoseconds.
pub fn main(args: impl Iterator<Item = OsString>) -> Result<()> {
    let args: Vec<String> = args.filter_map(|a| a.into_string().ok()).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args.as_slice() {
        [cpu, "calls", calls, repeats] => {
            sys::proc::bind_to_cpu(cpu.parse()?)?;
            let calls = calls.parse()?;
            for _ in 0..repeats.parse()? {
                let start = Instant::now();
                call(calls);
                println!("{calls} {}", start.elapsed().as_nanos());
            }
        }
        [cpu, "switches", switches, repeats] => {
            sys::proc::bind_to_cpu(cpu.parse()?)?;
            switch(switches.parse()?, repeats.parse()?)?;
        }
        [cpu, "seconds", seconds, rate] => {
            sys::proc::bind_to_cpu(cpu.parse()?)?;
            let lap = for_seconds(Duration::from_secs(seconds.parse()?), rate.parse()?);
            println!("{} {}", lap.calls, lap.ns);
        }
        _ => {
            return fail(
                "usage: bench-load CPU calls N REPEATS | bench-load CPU switches N REPEATS | bench-load CPU seconds S RATE",
            );
        }
    }
    Ok(())
}

/// Two threads that wake each other in turns.
fn switch(switches: u64, repeats: u32) -> Result<()> {
    let (mut here, mut to_there) = std::io::pipe()?;
    let (mut there, mut to_here) = std::io::pipe()?;
    let other = std::thread::spawn(move || {
        let mut byte = [0];
        while here.read_exact(&mut byte).is_ok() {
            if to_here.write_all(&byte).is_err() {
                break;
            }
        }
    });
    let mut byte = [0];
    for _ in 0..repeats {
        let start = Instant::now();
        for _ in 0..switches / 2 {
            to_there.write_all(&byte)?;
            there.read_exact(&mut byte)?;
        }
        println!("{switches} {}", start.elapsed().as_nanos());
    }
    drop(to_there);
    other.join().map_err(|_| "the other thread failed".into())
}

fn for_seconds(length: Duration, rate: u64) -> Lap {
    let (start, mut calls) = (Instant::now(), 0);
    loop {
        let elapsed = start.elapsed();
        if elapsed >= length {
            let ns = elapsed.as_nanos() as u64;
            return Lap { calls, ns };
        }
        let due = elapsed.as_nanos() as u64 * rate / 1_000_000_000;
        if rate == 0 || calls < due {
            call(BATCH);
            calls += BATCH;
        }
    }
}

/// The C library does not remember the answer: every call enters the kernel.
fn call(n: u64) {
    for _ in 0..n {
        black_box(std::os::unix::process::parent_id());
    }
}

//! One printed line for each system call of a thread that makes them as fast as it can: how many arrive, how many are
//! reported as dropped, how many are neither.

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use sys::ring::{Ring, Slot};

use crate::cprog::{self, Attached};
use crate::elf::Object;
use crate::load::{self, Work};
use crate::measure::or_note;
use crate::report::{Bar, Row};
use crate::tool::{Env, Script, Tool};
use crate::{Result, note};

const SECONDS: u32 = 5;
/// Up to this rate nothing may be lost.
const LOSSLESS_RATE: u32 = 1_000_000;
/// Time for the last records to arrive.
const SETTLE: Duration = Duration::from_millis(1500);

const SCRIPT: Script = Script {
    d: "BEGIN { printf(\"ready\\n\"); } syscall::getppid:entry { printf(\"%d %s\\n\", pid, execname); }",
    bt: "BEGIN { printf(\"ready\\n\"); } \
         tracepoint:syscalls:sys_enter_getppid { printf(\"%d %s\\n\", pid, comm); }",
};

/// What became of the events of one run.
#[derive(Clone, Copy, Debug)]
struct Outcome {
    produced: u64,
    received: u64,
    dropped: u64,
    ns: u64,
}

impl Outcome {
    /// Thousands a second.
    fn rate(&self) -> f64 {
        self.produced as f64 * 1e6 / self.ns as f64
    }

    fn lost(&self) -> f64 {
        self.produced as f64 - self.received as f64
    }

    /// Events that were neither delivered nor reported; negative if more were reported than lost.
    fn unexplained(&self) -> f64 {
        self.lost() - self.dropped as f64
    }
}

pub fn rows(env: &Env) -> Result<Vec<Row>> {
    let object = cprog::compile("printf", &env.dir)?;
    let fast = outcomes(env, &object, None);
    let paced = outcomes(env, &object, Some(LOSSLESS_RATE));
    let row = |what: &str, bar, of: &Outcomes, value: fn(&Outcome) -> f64| {
        let [ours, c, bpftrace] = of.each_ref().map(|o| o.as_ref().map(value));
        Row {
            ours,
            c,
            bpftrace,
            ..Row::new(format!("printf, 5 s, {what}"), bar)
        }
    };
    let none = Bar::Exactly(0.0);
    Ok(vec![
        row("full speed: events", Bar::None, &fast, |o| {
            o.produced as f64
        }),
        row("full speed: 1000 events/s", Bar::None, &fast, Outcome::rate),
        row("full speed: received", Bar::None, &fast, |o| {
            o.received as f64
        }),
        row("full speed: reported lost", Bar::None, &fast, |o| {
            o.dropped as f64
        }),
        row(
            "full speed: lost unreported",
            none,
            &fast,
            Outcome::unexplained,
        ),
        row(
            "≤ 1 million/s: 1000 events/s",
            Bar::None,
            &paced,
            Outcome::rate,
        ),
        row("≤ 1 million/s: lost", none, &paced, Outcome::lost),
    ])
}

/// dtrace, hand-written, bpftrace.
type Outcomes = [Option<Outcome>; 3];

fn outcomes(env: &Env, object: &Object, per_second: Option<u32>) -> Outcomes {
    let work = Work::Seconds {
        seconds: SECONDS,
        per_second,
    };
    [
        or_note("records", under_tool(env, Tool::Dtrace, work)),
        or_note("records", under_c(env, object, work).map(Some)),
        or_note("records", under_tool(env, Tool::Bpftrace, work)),
    ]
}

fn under_tool(env: &Env, tool: Tool, work: Work) -> Result<Option<Outcome>> {
    let Some(session) = env.start_ready(tool, SCRIPT)? else {
        return Ok(None);
    };
    let load = load::start(env, env.load_cpu(), work)?;
    let pid = load.pid();
    let laps = load.finish()?;
    std::thread::sleep(SETTLE);
    let done = session.stop()?;
    let (received, dropped) = lines_of(&done.out, pid)?;
    Ok(Some(Outcome {
        produced: laps.iter().map(|l| l.calls).sum(),
        ns: laps.iter().map(|l| l.ns).sum(),
        received,
        dropped: dropped + done.err.lines().filter_map(drops).sum::<u64>(),
    }))
}

/// Complete lines that the load caused, and drops reported between them (as bpftrace does).
fn lines_of(out: &Path, pid: u32) -> Result<(u64, u64)> {
    let want = format!("{pid} {}\n", load::NAME);
    let mut reader = BufReader::with_capacity(1 << 20, File::open(out)?);
    let (mut line, mut n, mut dropped) = (Vec::new(), 0, 0);
    while reader.read_until(b'\n', &mut line)? > 0 {
        if line == want.as_bytes() {
            n += 1;
        } else {
            dropped += drops(&String::from_utf8_lossy(&line)).unwrap_or(0);
        }
        line.clear();
    }
    Ok((n, dropped))
}

/// The number in `dtrace: N drops on CPU C` or `Lost N events`.
fn drops(line: &str) -> Option<u64> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let at = words.windows(2).position(|w| {
        matches!(w, [_, "drop" | "drops" | "events"])
            && (w[1] != "events" || line.starts_with("Lost"))
    })?;
    words.get(at)?.parse().ok()
}

fn under_c(env: &Env, object: &Object, work: Work) -> Result<Outcome> {
    let attached = cprog::attach(object)?;
    let out = env.dir.join("out");
    let stop = AtomicBool::new(false);
    let (pid, laps) = std::thread::scope(|scope| -> Result<_> {
        let reader = scope.spawn(|| consume(&attached, &out, &stop).map_err(|e| e.to_string()));
        let load = load::start(env, env.load_cpu(), work);
        let result = load.and_then(|load| Ok((load.pid(), load.finish()?)));
        stop.store(true, Ordering::Release);
        match reader.join() {
            Ok(Ok(())) => {}
            Ok(Err(error)) => note(format!("records: {error}")),
            Err(_) => note("records: the reader failed"),
        }
        result
    })?;
    Ok(Outcome {
        produced: laps.iter().map(|l| l.calls).sum(),
        ns: laps.iter().map(|l| l.ns).sum(),
        received: lines_of(&out, pid)?.0,
        dropped: attached.total("lost")?,
    })
}

/// Prints the records of the hand-written program until told to stop and nothing is left.
fn consume(attached: &Attached, out: &Path, stop: &AtomicBool) -> Result<()> {
    let (def, map) = attached.map("ring")?;
    let mut ring = Ring::new(map.fd(), def.max_entries)?;
    let mut out = BufWriter::with_capacity(1 << 18, File::create(out)?);
    loop {
        let last = stop.load(Ordering::Acquire);
        ring.refresh();
        let mut at = ring.position();
        loop {
            match ring.slot(at) {
                Slot::Record { bytes, next } => {
                    print(&mut out, bytes)?;
                    at = next;
                }
                Slot::Discarded { next } => at = next,
                Slot::Busy | Slot::End => break,
            }
        }
        let idle = at == ring.position();
        ring.release(at);
        if idle && last {
            return Ok(out.flush()?);
        }
        if idle {
            std::thread::sleep(Duration::from_micros(500));
        }
    }
}

fn print(out: &mut impl Write, record: &[u8]) -> Result<()> {
    let Some((pid, rest)) = record.split_first_chunk::<4>() else {
        return Ok(());
    };
    let comm = rest.split(|b| *b == 0).next().unwrap_or_default();
    write!(out, "{} ", u32::from_ne_bytes(*pid))?;
    out.write_all(comm)?;
    out.write_all(b"\n")?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::drops;

    #[test]
    fn reports_of_drops() {
        assert_eq!(drops("dtrace: 12 drops on CPU 1"), Some(12));
        assert_eq!(drops("dtrace: 1 drop on CPU 0"), Some(1));
        assert_eq!(drops("dtrace: 3 aggregation drops on CPU 0"), None);
        assert_eq!(drops("Lost 4096 events"), Some(4096));
        assert_eq!(drops("12 bench-load"), None);
    }
}

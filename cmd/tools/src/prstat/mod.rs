//! prstat(1): in which states threads spend their time, to the nanosecond (microstate accounting).
//!
//! A thread is always in one state. Each change takes the time from the state that ends and gives it to the one that begins
//! (`@t[pid, tid, state] = sum(now)` and `sum(-now)`), so that what a state has lasted is its sum, plus the present time if it goes
//! on. That it goes on is seen from `BIAS`, which is added to each time: sums of complete stays do not have it.

mod program;
mod report;

use crate::run::{self, Plan};
use crate::stamp::Stamp;
use crate::tool::{Stop, Tool, rows};
use crate::units::{above_0, number, pace};
use cli::{Operands, Word};
use report::Report;
use std::ffi::OsString;
use std::time::Duration;

pub const TOOL: Tool = Tool {
    name: "prstat",
    summary: "in which states processes and threads spend their time",
    synopsis: "[flags] [interval [count]]",
    operands: Operands::Anywhere,
    flags: || rows(TABLE),
    run: start,
};

cli::flags! {
    Micro "-m" "" "microstates (which is all there is)";
    Threads "-L" "" "a line for each thread, not for each process";
    Pids "-p" "pidlist" "only these processes: 12,34";
    Top "-n" "n" "at most so many lines (15)";
    Sort "-s" "key" "sort by this column, greatest first (cpu: USR and SYS)";
    Stamp "-d" "u|d" "the time above each report: seconds since 1970, or a date";
    Dump "-V" "" "print the D program that is run, and go on";
    Set "-x" "opt[=val]" "set an option of D";
    Help "-h" "" "print this text";
}

/// Titles of the states, by their number in the program less one.
pub const STATES: [&str; 8] = ["USR", "SYS", "TRP", "TFL", "DFL", "LCK", "SLP", "LAT"];
/// Titles of what is counted, by number.
pub const COUNTS: [&str; 4] = ["VCX", "ICX", "SCL", "SIG"];
/// Seen only where functions of the kernel can be probed: no tracepoint tells when a page fault ends.
pub const TRP: usize = 2;

/// By what lines are sorted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Key {
    /// USR and SYS.
    #[default]
    Cpu,
    /// One state.
    State(usize),
    /// What is counted.
    Count(usize),
}

impl Key {
    fn parse(text: &str) -> Result<Key, Stop> {
        let at = |titles: &[&str]| titles.iter().position(|t| t.eq_ignore_ascii_case(text));
        match (at(&STATES), at(&COUNTS)) {
            (Some(n), _) => Ok(Key::State(n)),
            (None, Some(n)) => Ok(Key::Count(n)),
            (None, None) if text == "cpu" => Ok(Key::Cpu),
            (None, None) => Err(Stop::Usage(format!("no such column: {text}"))),
        }
    }
}

fn start(tool: &'static Tool, typed: Vec<OsString>) -> Result<u8, Stop> {
    let (mut plan, mut operands, mut dump) = (Plan::default(), Vec::new(), false);
    let mut stamp = Stamp::None;
    let (mut pids, mut top, mut key, mut threads) = (Vec::<u64>::new(), 15, Key::Cpu, false);
    for word in tool.parse(TABLE, typed)? {
        let (row, value) = match word {
            Word::Operand(text) => {
                operands.push(text);
                continue;
            }
            Word::Flag(row, value) => (row, value),
        };
        match row.flag {
            Flag::Micro => {}
            Flag::Threads => threads = true,
            Flag::Pids => {
                for pid in value.split([',', ' ']) {
                    pids.push(number("-p", pid)?);
                }
            }
            Flag::Top => top = above_0::<u32>("-n", &value)? as usize,
            Flag::Sort => key = Key::parse(&value)?,
            Flag::Stamp => stamp = Stamp::parse("-d", &value)?,
            Flag::Dump => dump = true,
            Flag::Set => plan.set.push(value),
            Flag::Help => return Err(Stop::Shown(tool.usage())),
        }
    }
    let (every, count) = pace(&operands)?;
    run::may_trace()?;
    if let Some(gone) = pids.iter().find(|pid| !report::exists(**pid)) {
        let why = format!("failed to grab pid {gone}: No such process");
        return Err(Stop::Failed(why));
    }
    let base = sys::time::monotonic_ns() as i64;
    let mut kernel = run::Kernel::default();
    let mut has = |probe: &str| kernel.missing(probe).is_none();
    let told = has("sdt:::page_fault_user");
    let handler = program::HANDLER;
    let faults = program::Faults {
        told,
        timed: told && has(&format!("{handler}:entry")) && has(&format!("{handler}:return")),
    };
    plan.program = program::text(&pids, faults, base);
    if dump {
        crate::complain(&plan.program);
    }
    plan.every = Some(every.unwrap_or(Duration::from_secs(5)));
    let form = report::Form {
        stamp,
        pids,
        threads,
        top,
        key,
        traps: faults.timed,
        left: count,
    };
    let mut report = Report::new(form, base);
    run::run(tool, plan, &mut report)?;
    Ok(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_have_names() {
        assert_eq!(Key::parse("cpu"), Ok(Key::Cpu));
        assert_eq!(Key::parse("lat"), Ok(Key::State(7)));
        assert_eq!(Key::parse("ICX"), Ok(Key::Count(1)));
        assert!(Key::parse("x").is_err());
    }
}

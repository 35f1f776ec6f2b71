//! cpustat(1): counts of each CPU's performance counters.

mod report;
mod soak;

use crate::counting;
use crate::run;
use crate::stamp::Stamp;
use crate::tool::{Stop, Tool, rows};
use crate::units::{pace, seconds};
use crate::wait::{Waits, Woken};
use cli::{Operands, Word};
use counters::{Sets, units};
use report::Report;
use soak::Soakers;
use std::ffi::OsString;
use std::time::{Duration, Instant};

pub const TOOL: Tool = Tool {
    name: "cpustat",
    summary: "performance counters of each CPU",
    synopsis: "-c events ... [-p period] [-T u|d] [-nstD] [interval [count]]",
    operands: Operands::Anywhere,
    flags: || rows(TABLE),
    run: start,
};

cli::flags! {
    Events "-c" "events" "count these; several lists are counted in turn";
    Period "-p" "period" "so many seconds from one round of all lists to the next";
    Stamp "-T" "u|d" "the time above each report: seconds since 1970, or a date";
    Bare "-n" "" "no titles";
    Soak "-s" "" "keep idle CPUs busy while only the system is counted";
    Cycles "-t" "" "cycles of the processor as well";
    Debug "-D" "" "tell how the events are counted";
    Help "-h" "" "print this text and the events of this machine";
}

/// What was asked for.
struct Asked {
    lists: counting::Lists,
    period: Option<Duration>,
    titles: bool,
    stamp: Stamp,
    soak: bool,
    interval: Duration,
    /// Samples, or with a period rounds.
    count: Option<u64>,
}

fn asked(tool: &'static Tool, typed: Vec<OsString>) -> Result<Asked, Stop> {
    let mut operands = Vec::new();
    let mut asked = Asked {
        lists: counting::Lists::default(),
        period: None,
        titles: true,
        stamp: Stamp::None,
        soak: false,
        interval: Duration::from_secs(5),
        count: None,
    };
    for word in tool.parse(TABLE, typed)? {
        let (row, value) = match word {
            Word::Operand(text) => {
                operands.push(text);
                continue;
            }
            Word::Flag(row, value) => (row, value),
        };
        match row.flag {
            Flag::Events => asked.lists.texts.push(value),
            Flag::Period => asked.period = Some(seconds(&value)?),
            Flag::Stamp => asked.stamp = Stamp::parse("-T", &value)?,
            Flag::Bare => asked.titles = false,
            Flag::Soak => asked.soak = true,
            Flag::Cycles => asked.lists.cycles = true,
            Flag::Debug => asked.lists.debug = true,
            Flag::Help => return Err(Stop::Shown(counting::help(tool, &units()))),
        }
    }
    let (interval, count) = pace(&operands)?;
    asked.interval = interval.unwrap_or(asked.interval);
    asked.count = count;
    Ok(asked)
}

fn start(tool: &'static Tool, typed: Vec<OsString>) -> Result<u8, Stop> {
    let asked = asked(tool, typed)?;
    run::may_trace()?;
    let sets = asked.lists.tried(tool, false)?;
    let say = |text: &str| crate::complain(&format!("{}: {text}\n", tool.name));
    let cpus = sys::proc::online_cpus();
    sys::proc::make_room_for_files(needed(&sets, cpus.len()));
    let waits = Waits::new(false)?;
    let soakers = asked.soak.then(|| Soakers::start(&cpus));
    let mut report = Report::new(&sets, sys::proc::online_cpus);
    if asked.titles {
        show(&report.titles())?;
    }
    let mut loops = Loop {
        asked: &asked,
        sets: &sets,
        waits: &waits,
        soakers: soakers.as_ref(),
        begun: Instant::now(),
    };
    report.begin();
    loops.run(&mut report, &say)?;
    show(&report.totals(loops.begun.elapsed()))?;
    Ok(u8::from(report.failed))
}

/// Descriptors that all counters take, and some.
fn needed(sets: &Sets, cpus: usize) -> u64 {
    let events: usize = sets.iter().map(|set| set.wants.len()).sum();
    (events * cpus + 64) as u64
}

fn show(text: &str) -> Result<(), Stop> {
    run::print(text).map_err(|e| Stop::Failed(e.to_string()))
}

/// The course of a run.
struct Loop<'a> {
    asked: &'a Asked,
    sets: &'a Sets,
    waits: &'a Waits,
    soakers: Option<&'a Soakers>,
    begun: Instant,
}

impl Loop<'_> {
    fn run(&mut self, report: &mut Report<'_>, say: &dyn Fn(&str)) -> Result<(), Stop> {
        let lists = self.sets.len().max(1);
        let per_round = if self.asked.period.is_some() {
            lists as u64
        } else {
            1
        };
        let mut left = self
            .asked
            .count
            .map(|count| count.saturating_mul(per_round));
        let mut due = self.begun;
        let mut round = due;
        self.soak(report.list());
        while left != Some(0) {
            due += self.asked.interval;
            // Intervals that nobody had time for are left out.
            while due < Instant::now() {
                due += self.asked.interval;
            }
            let woken = self.waits.until(Some(due))?;
            show(&(self.asked.stamp.line() + &report.sample(self.begun.elapsed())))?;
            report.complaints.drain(..).for_each(|line| say(&line));
            if woken == Woken::Interrupted {
                return Ok(());
            }
            left = left.map(|n| n - 1);
            if left == Some(0) || lists == 1 {
                continue;
            }
            if report.list() + 1 == lists && self.rest(report, &mut round, &mut due)? {
                return Ok(());
            }
            report.turn();
            self.soak(report.list());
        }
        Ok(())
    }

    /// Between two rounds of all lists; whether the user interrupted it.
    fn rest(
        &self,
        report: &mut Report<'_>,
        round: &mut Instant,
        due: &mut Instant,
    ) -> Result<bool, Stop> {
        let Some(period) = self.asked.period else {
            return Ok(false);
        };
        *round += period;
        if *round <= *due {
            *round = *due;
            return Ok(false);
        }
        *due = *round;
        report.rest();
        if let Some(soakers) = self.soakers {
            soakers.set(false);
        }
        Ok(self.waits.until(Some(*due))? == Woken::Interrupted)
    }

    fn soak(&self, list: usize) {
        if let Some(soakers) = self.soakers {
            soakers.set(self.sets.get(list).is_some_and(|set| set.is_system_only()));
        }
    }
}

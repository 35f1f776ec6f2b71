//! hwstat(1): what performance counters say about a machine, as ratios: cycles per instruction, misses, bytes moved.

mod count;
mod idle;
mod table;
mod views;

use crate::run;
use crate::tool::{Stop, Tool, rows};
use crate::units::pace;
use crate::wait::{Waits, Woken};
use cli::{Operands, Word};
use count::{Counting, Modes, Way};
use counters::{Known, units};
use std::ffi::OsString;
use std::fmt::Write as _;
use std::time::{Duration, Instant};
use table::Moment;
use views::VIEWS;

pub const TOOL: Tool = Tool {
    name: "hwstat",
    summary: "what the processors do with their cycles: CPI, caches, TLBs, memory",
    synopsis: "[flags] [table] [interval [count]]",
    operands: Operands::Anywhere,
    flags: || rows(TABLE),
    run: start,
};

cli::flags! {
    Each "-a" "" "a line for each CPU, not one for all";
    Cpus "-c" "cpulist" "only these CPUs: 0-3,8";
    Kernel "-k" "" "count what happens in the kernel only";
    User "-u" "" "count what happens in user mode only";
    Help "-h" "" "print this text and the tables of this machine";
}

/// What was asked for.
struct Asked {
    table: String,
    cpus: Vec<u32>,
    each: bool,
    modes: Modes,
    interval: Duration,
    count: Option<u64>,
}

fn asked(tool: &'static Tool, typed: Vec<OsString>) -> Result<Asked, Stop> {
    let (mut each, mut user, mut kernel) = (false, false, false);
    let mut cpus = sys::proc::online_cpus();
    let mut operands = Vec::new();
    for word in tool.parse(TABLE, typed)? {
        let (row, value) = match word {
            Word::Operand(text) => {
                operands.push(text);
                continue;
            }
            Word::Flag(row, value) => (row, value),
        };
        match row.flag {
            Flag::Each => each = true,
            Flag::Cpus => cpus = run::cpus(&value)?,
            Flag::Kernel => kernel = true,
            Flag::User => user = true,
            Flag::Help => return Err(Stop::Shown(help(tool))),
        }
    }
    let table = match operands.first().map(|word| word.to_string_lossy()) {
        Some(word) if !word.starts_with(|c: char| c.is_ascii_digit()) => {
            let word = word.into_owned();
            operands.remove(0);
            word
        }
        Some(_) | None => "cpi".to_owned(),
    };
    if !VIEWS.iter().any(|view| view.name == table) {
        return Err(Stop::Usage(format!("no such table: {table}")));
    }
    let (interval, count) = pace(&operands)?;
    Ok(Asked {
        table,
        cpus,
        each,
        // Neither is both.
        modes: Modes {
            user: user || !kernel,
            kernel: kernel || !user,
        },
        interval: interval.unwrap_or(Duration::from_secs(1)),
        count,
    })
}

/// The usage text, and which tables there can be.
fn help(tool: &Tool) -> String {
    let mut text = tool.usage();
    text += "\nTables:\n";
    let units = units();
    let modes = Modes {
        user: true,
        kernel: true,
    };
    let mut before = "";
    for view in VIEWS {
        if view.name == before {
            continue;
        }
        before = view.name;
        let here = match count::way(view.name, &units, modes) {
            Ok(_) => "",
            Err(_) => " (not on this machine)",
        };
        let _infallible = writeln!(text, "  {:<13} {}{here}", view.name, view.about);
    }
    text
}

fn start(tool: &'static Tool, typed: Vec<OsString>) -> Result<u8, Stop> {
    let asked = asked(tool, typed)?;
    run::may_trace()?;
    let way = count::way(&asked.table, &units(), asked.modes)?;
    let waits = Waits::new(false)?;
    sys::proc::make_room_for_files(way.descriptors() * asked.cpus.len() as u64 + 64);
    let begun = asked.cpus.iter().map(|cpu| way.begin(*cpu));
    let mut meter = Meter {
        counting: begun.collect::<Result<_, _>>()?,
        way,
        each: asked.each,
        begun: Instant::now(),
        last: Moment::begin(&asked.cpus),
        total: Vec::new(),
        first: Moment::begin(&asked.cpus),
    };
    show(&table::titles(meter.way.view))?;
    let (mut due, mut left) = (meter.begun, asked.count);
    while left != Some(0) {
        due += asked.interval;
        // Intervals that nobody had time for are left out.
        while due < Instant::now() {
            due += asked.interval;
        }
        let woken = waits.until(Some(due))?;
        show(&meter.sample()?)?;
        if woken == Woken::Interrupted {
            break;
        }
        left = left.map(|n| n - 1);
    }
    show(&meter.whole())?;
    Ok(0)
}

fn show(text: &str) -> Result<(), Stop> {
    run::print(text).map_err(|e| Stop::Failed(e.to_string()))
}

/// What is counted, and has been.
struct Meter {
    way: Way,
    counting: Vec<Counting>,
    each: bool,
    begun: Instant,
    /// When the last sample was taken, and when the first interval began.
    last: Moment,
    first: Moment,
    /// All that was counted.
    total: Vec<Known>,
}

impl Meter {
    fn sample(&mut self) -> Result<String, Stop> {
        let mut taken = Vec::new();
        for counting in &mut self.counting {
            taken.push((counting.cpu, self.way.take(counting)?));
        }
        let now = Moment::now(taken.iter().map(|(cpu, _)| *cpu));
        let time = self.begun.elapsed();
        let mut all: Vec<Known> = Vec::new();
        let mut text = String::new();
        for (cpu, counts) in &taken {
            merge(&mut all, counts);
            if self.each {
                let span = now.since(&self.last, Some(*cpu));
                text += &table::line(self.way.view, time, &cpu.to_string(), counts, &span);
            }
        }
        if !self.each {
            let span = now.since(&self.last, None);
            text += &table::line(self.way.view, time, "all", &all, &span);
        }
        merge(&mut self.total, &all);
        self.last = now;
        Ok(text)
    }

    /// What was counted since the beginning.
    fn whole(&self) -> String {
        let span = self.last.since(&self.first, None);
        table::line(
            self.way.view,
            self.begun.elapsed(),
            "total",
            &self.total,
            &span,
        )
    }
}

/// Adds counts of the same events.
fn merge(to: &mut Vec<Known>, more: &[Known]) {
    to.resize(more.len(), Known::Elsewhere);
    crate::counting::add(to, more);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(words: &str) -> Result<Asked, Stop> {
        asked(
            &TOOL,
            words.split_whitespace().map(OsString::from).collect(),
        )
    }

    #[test]
    fn tables_and_modes() {
        let a = typed("").unwrap_or_else(|e| panic!("{e:?}"));
        assert_eq!(
            (a.table.as_str(), a.modes.user, a.modes.kernel),
            ("cpi", true, true)
        );
        let a = typed("-u tlb 2 3").unwrap_or_else(|e| panic!("{e:?}"));
        assert_eq!(
            (a.table.as_str(), a.modes.user, a.modes.kernel),
            ("tlb", true, false)
        );
        assert_eq!((a.interval, a.count), (Duration::from_secs(2), Some(3)));
        assert_eq!(typed("0.5").map(|a| a.table).ok().as_deref(), Some("cpi"));
        for wrong in ["nonsense", "cpi x", "tlb 0", "-c 999999", "cpi 1 2 3"] {
            assert!(matches!(typed(wrong), Err(Stop::Usage(_))), "{wrong}");
        }
    }

    #[test]
    fn help_says_what_this_machine_lacks() {
        let text = sys::simulated::Pmu::none().run(|| help(&TOOL));
        assert!(text.contains("  cpi           cycles per instruction, and how busy the CPUs are (not on this machine)\n"), "{text}");
        let text = sys::simulated::Pmu::new(8).run(|| help(&TOOL));
        assert!(text.contains("how busy the CPUs are\n"), "{text}");
        assert!(text.lines().all(|line| line.len() <= 100), "{text}");
    }
}

//! dmpstat(1): what each CPU does, in the columns of Solaris' mpstat(1), from probes.
//!
//! Time is accounted at every change: what the CPU did since the last one goes to what it did then.

use crate::run::{self, Plan};
use crate::stamp::Stamp;
use crate::tool::{Stop, Tool, rows};
use crate::units::{BIAS, pace, unbias};
use cli::{Operands, Word};
use session::data::Entry;
use session::{Next, Reader, TraceError, View};
use std::collections::HashMap;
use std::ffi::OsString;
use std::time::Duration;

pub const TOOL: Tool = Tool {
    name: "dmpstat",
    summary: "what each CPU does: faults, cross calls, interrupts, switches, spins, system calls, time",
    synopsis: "[flags] [interval [count]]",
    operands: Operands::Anywhere,
    flags: || rows(TABLE),
    run: start,
};

cli::flags! {
    Cpus "-c" "cpulist" "only these CPUs: 0-3,8";
    Stamp "-T" "u|d" "the time above each report: seconds since 1970, or a date";
    Dump "-V" "" "print the D program that is run, and go on";
    Set "-x" "opt[=val]" "set an option of D";
    Help "-h" "" "print this text";
}

/// A column that counts: its title, its width, and where: probe and condition, more than one perhaps.
struct Counted {
    title: &'static str,
    width: usize,
    probes: &'static [(&'static str, &'static str)],
}

const fn counted(
    title: &'static str,
    width: usize,
    probes: &'static [(&'static str, &'static str)],
) -> Counted {
    Counted {
        title,
        width,
        probes,
    }
}

/// The columns before those of time.
const COUNTED: &[Counted] = &[
    counted("minf", 4, &[("vminfo:::as_fault", "")]),
    counted("mjf", 3, &[("vminfo:::maj_fault", "")]),
    counted("xcal", 4, &[("sdt:::csd_queue_cpu", "")]),
    counted(
        "intr",
        5,
        &[
            ("sdt:::interrupt-start", ""),
            ("sdt:::local_timer_entry", ""),
        ],
    ),
    counted("ithr", 4, &[("sdt:::softirq-start", "")]),
    counted("csw", 5, &[("sched:::off-cpu", "")]),
    counted("icsw", 4, &[("sched:::preempt", "")]),
    counted("migr", 4, &[("sdt:::sched_migrate_task", "")]),
    counted(
        "smtx",
        4,
        &[
            ("lockstat:::adaptive-spin", ""),
            ("lockstat:::adaptive-block", ""),
            ("lockstat:::spin-spin", ""),
        ],
    ),
    counted(
        "srw",
        4,
        &[("lockstat:::rw-block", ""), ("lockstat:::rw-spin", "")],
    ),
    counted("syscl", 6, &[("syscall:::entry", "")]),
];

/// What a CPU does, in the order of the columns; `wt` is not told apart from `idl` and has been 0 on Solaris since 10.
const USR: usize = 1;
const SYS: usize = 2;
const IDLE: usize = 3;
/// The D program; `@n` counts by column and CPU, `@t` has the time of each state of each CPU.
fn program(probes: &[(usize, &str, &str)], base: i64) -> String {
    let bias = BIAS - base;
    let mut text = String::from("int doing[int];\nself int run;\n");
    for (column, probe, when) in probes {
        let when = if when.is_empty() {
            String::new()
        } else {
            format!(" /{when}/")
        };
        text += &format!("{probe}{when} {{ @n[{column}, cpu] = count(); }}\n");
    }
    let change = |probe: &str, first: &str, to: &str| {
        format!(
            "{probe}\n{{\n\tthis->now = timestamp;\n\t{first}\n\tthis->to = {to};\n\
             \t@t[doing[cpu], cpu] = sum((int64_t)(this->now + {bias}));\n\
             \t@t[this->to, cpu] = sum(-(int64_t)(this->now + {bias}));\n\
             \tdoing[cpu] = this->to;\n}}\n"
        )
    };
    text += &change("syscall:::entry", "self->run = 2;", "2");
    text += &change("syscall:::return", "self->run = 1;", "1");
    let run =
        "self->run = self->run != 0 ? self->run : (curthread->flags & 0x200000) != 0 ? 2 : 1;";
    text += &change("sched:::on-cpu", run, "tid == 0 ? 3 : self->run");
    text
}

fn start(tool: &'static Tool, typed: Vec<OsString>) -> Result<u8, Stop> {
    let (mut cpus, mut dump) = (sys::proc::online_cpus(), false);
    let (mut plan, mut operands, mut stamp) = (Plan::default(), Vec::new(), Stamp::None);
    for word in tool.parse(TABLE, typed)? {
        let (row, value) = match word {
            Word::Operand(text) => {
                operands.push(text);
                continue;
            }
            Word::Flag(row, value) => (row, value),
        };
        match row.flag {
            Flag::Cpus => cpus = run::cpus(&value)?,
            Flag::Stamp => stamp = Stamp::parse("-T", &value)?,
            Flag::Dump => dump = true,
            Flag::Set => plan.set.push(value),
            Flag::Help => return Err(Stop::Shown(tool.usage())),
        }
    }
    let (every, count) = pace(&operands)?;
    run::may_trace()?;
    let mut kernel = run::Kernel::default();
    let mut probes = Vec::new();
    let mut shown = Vec::new();
    for (n, column) in COUNTED.iter().enumerate() {
        let there = column
            .probes
            .iter()
            .filter(|(probe, _)| kernel.missing(probe).is_none());
        let before = probes.len();
        probes.extend(there.map(|(probe, when)| (n, *probe, *when)));
        shown.push(probes.len() > before);
    }
    let base = sys::time::monotonic_ns() as i64;
    plan.program = program(&probes, base);
    if dump {
        crate::complain(&plan.program);
    }
    plan.every = Some(every.unwrap_or(Duration::from_secs(1)));
    let mut report = Report {
        stamp,
        cpus,
        shown,
        left: count,
        last: 0,
        base,
        open: HashMap::new(),
    };
    run::run(tool, plan, &mut report)?;
    Ok(0)
}

/// What is shown at each interval.
struct Report {
    stamp: Stamp,
    cpus: Vec<u32>,
    /// Which columns this kernel has.
    shown: Vec<bool>,
    /// Reports yet to be made, if their number is limited.
    left: Option<u64>,
    /// When the last one was made.
    last: u64,
    /// From when times count.
    base: i64,
    /// How often each state of a CPU goes on: once for one of them.
    open: HashMap<(u64, u64), i64>,
}

/// The two numbers of a key.
fn place(entry: &Entry) -> Option<(u64, u64)> {
    match entry.key.as_slice() {
        [n, cpu] => Some((n.word(), cpu.word())),
        _ => None,
    }
}

impl Report {
    /// ns of each CPU in user mode, in the kernel, idle.
    fn times(&mut self, entries: &[Entry], (from, now): (u64, u64)) -> HashMap<(u64, u64), i64> {
        let length = now.saturating_sub(from) as i64;
        let before = self.open.iter();
        let mut all: HashMap<_, _> = before.map(|(key, open)| (*key, open * length)).collect();
        for entry in entries {
            // State 0 is what was before the first change.
            let Some(key) = place(entry).filter(|(state, _)| *state != 0) else {
                continue;
            };
            let (more, ns) = unbias(entry.value.number());
            *self.open.entry(key).or_default() += more;
            *all.entry(key).or_default() += ns + more * (now as i64 - self.base);
        }
        all
    }

    fn line(
        &self,
        cpu: u32,
        counts: &HashMap<(u64, u64), i64>,
        times: &HashMap<(u64, u64), i64>,
        seconds: f64,
    ) -> String {
        let mut text = format!("{cpu:>3}");
        for ((n, column), shown) in COUNTED.iter().enumerate().zip(&self.shown) {
            let count = counts
                .get(&(n as u64, u64::from(cpu)))
                .copied()
                .unwrap_or(0);
            let cell = match shown {
                true => format!("{:.0}", count as f64 / seconds),
                false => "-".to_owned(),
            };
            text += &format!(" {cell:>width$}", width = column.width);
        }
        let of = |state: usize| {
            times
                .get(&(state as u64, u64::from(cpu)))
                .copied()
                .unwrap_or(0)
                .max(0)
        };
        let states = [USR, SYS, IDLE].map(of);
        let total: i64 = states.iter().sum();
        let part = |ns: i64| crate::units::percent(ns as f64, total as f64);
        // A CPU on which nothing changes sleeps.
        let [usr, sys, idle] = if total == 0 {
            [0.0, 0.0, 100.0]
        } else {
            states.map(part)
        };
        text + &format!(" {usr:3.0} {sys:3.0}   0 {idle:3.0}\n")
    }
}

impl Reader for Report {
    fn interval(&mut self, view: &mut View<'_>) -> Result<Next, TraceError> {
        let from = if self.last == 0 {
            view.begun
        } else {
            self.last
        };
        self.last = view.now;
        let seconds = view.now.saturating_sub(from).max(1) as f64 / 1e9;
        let entries = view.take("t")?;
        let times = self.times(&entries, (from, view.now));
        let counts = view.take("n")?;
        let counts = counts
            .iter()
            .filter_map(|e| Some((place(e)?, e.value.number())));
        let counts: HashMap<_, _> = counts.collect();
        let mut text = self.stamp.line() + "CPU";
        for column in COUNTED {
            text += &format!(" {:>width$}", column.title, width = column.width);
        }
        text += " usr sys  wt idl\n";
        for cpu in &self.cpus {
            text += &self.line(*cpu, &counts, &times, seconds);
        }
        run::print(&text)?;
        Ok(run::count_down(&mut self.left))
    }

    fn finish(&mut self, _: &mut View<'_>) -> Result<(), TraceError> {
        Ok(())
    }
}

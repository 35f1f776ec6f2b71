//! intrstat(1): interrupts of each device on each CPU, and the part of the time that they take.
//!
//! Device interrupts are named `handler#irq`, interrupts of the CPU itself `cpu#kind` (x86, where they have tracepoints of their
//! own), softirqs `softirq#kind`. An interrupt inside a softirq is not counted as time of the softirq.

use crate::run::{self, Plan};
use crate::stamp::Stamp;
use crate::tool::{Stop, Tool, rows};
use crate::units::{pace, percent};
use cli::{Operands, Word};
use session::data::Measure;
use session::{Next, Reader, TraceError, View};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fmt::Write as _;
use std::time::Duration;

pub const TOOL: Tool = Tool {
    name: "intrstat",
    summary: "interrupts of each device on each CPU, and the time they take",
    synopsis: "[flags] [interval [count]]",
    operands: Operands::Anywhere,
    flags: || rows(TABLE),
    run: start,
};

cli::flags! {
    Cpus "-c" "cpulist" "only these CPUs: 0-3,8";
    Stamp "-T" "u|d" "the time above each report: seconds since 1970, or a date";
    Hard "-H" "" "no softirqs, only interrupts";
    Dump "-V" "" "print the D program that is run, and go on";
    Set "-x" "opt[=val]" "set an option of D";
    Help "-h" "" "print this text";
}

/// Softirqs by number, as /proc/softirqs names them (include/linux/interrupt.h).
const SOFTIRQS: [&str; 10] = [
    "HI", "TIMER", "NET_TX", "NET_RX", "BLOCK", "IRQ_POLL", "TASKLET", "SCHED", "HRTIMER", "RCU",
];

/// Interrupts of x86 CPUs themselves: their tracepoints less `_entry`, and what is shown.
const VECTORS: [(&str, &str); 8] = [
    ("local_timer", "timer"),
    ("reschedule", "resched"),
    ("call_function", "call"),
    ("call_function_single", "call1"),
    ("irq_work", "work"),
    ("thermal_apic", "thermal"),
    ("threshold_apic", "threshold"),
    ("x86_platform_ipi", "platform"),
];

/// The D program; `@t` has the time of each interrupt by name, number and CPU. What begins on a CPU ends on it before another of
/// its kind begins there, so that a variable for each CPU will do; `taken` is all time of interrupts.
fn program(vectors: &[(&str, &str)], soft: bool) -> String {
    let over = |name: &str, number: &str| {
        format!(
            "    this->ns = timestamp - irq[cpu];\n    @t[{name}, {number}, cpu] = avg(this->ns);\n    taken[cpu] += this->ns;\n"
        )
    };
    let mut text = format!(
        "uint64_t irq[int], taken[int], soft[int];\n\
         sdt:::interrupt-start {{ irq[cpu] = timestamp; }}\n\
         sdt:::interrupt-complete\n/irq[cpu]/\n{{\n{}}}\n",
        over("stringof(args[0]->name)", "args[0]->irq")
    );
    for (tracepoint, name) in vectors {
        // Writing to a String cannot fail.
        let _ = write!(
            text,
            "sdt:::{tracepoint}_entry {{ irq[cpu] = timestamp; }}\n\
             sdt:::{tracepoint}_exit\n/irq[cpu]/\n{{\n{}}}\n",
            over(&format!("\"cpu#{name}\""), "-1")
        );
    }
    if soft {
        text += "sdt:::softirq-start { soft[cpu] = timestamp - taken[cpu]; }\n\
                 sdt:::softirq-complete\n/soft[cpu]/\n{\n    \
                 @s[args[0], cpu] = avg(timestamp - taken[cpu] - soft[cpu]);\n}\n";
    }
    text
}

fn start(tool: &'static Tool, typed: Vec<OsString>) -> Result<u8, Stop> {
    let mut cpus = sys::proc::online_cpus();
    let (mut soft, mut dump, mut plan, mut operands) = (true, false, Plan::default(), Vec::new());
    let mut stamp = Stamp::None;
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
            Flag::Hard => soft = false,
            Flag::Dump => dump = true,
            Flag::Set => plan.set.push(value),
            Flag::Help => return Err(Stop::Shown(tool.usage())),
        }
    }
    let (every, count) = pace(&operands)?;
    run::may_trace()?;
    let mut kernel = run::Kernel::default();
    let vectors = VECTORS.iter().copied();
    let vectors =
        vectors.filter(|(name, _)| kernel.missing(&format!("sdt:::{name}_entry")).is_none());
    plan.program = program(&vectors.collect::<Vec<_>>(), soft);
    if dump {
        crate::complain(&plan.program);
    }
    plan.every = Some(every.unwrap_or(Duration::from_secs(1)));
    let mut report = Report {
        stamp,
        cpus,
        soft,
        left: count,
        shown: 0,
        devices: BTreeSet::new(),
        width: run::columns(),
    };
    run::run(tool, plan, &mut report)?;
    Ok(0)
}

/// How many interrupts of a device there were on a CPU, and ns in them.
type Cells = BTreeMap<(String, u32), (u64, u64)>;

/// What is shown at each interval.
struct Report {
    stamp: Stamp,
    cpus: Vec<u32>,
    soft: bool,
    /// Reports yet to be made, if their number is limited.
    left: Option<u64>,
    /// When the last one was made.
    shown: u64,
    /// Every device that was seen.
    devices: BTreeSet<String>,
    /// Columns of the screen.
    width: usize,
}

impl Report {
    fn gather(&mut self, view: &mut View<'_>) -> Result<Cells, TraceError> {
        let mut cells = Cells::new();
        let mut add = |name: String, cpu: u64, value: &Measure| {
            let Measure::Average { count, sum } = value else {
                return;
            };
            let cell = cells.entry((name, cpu as u32)).or_default();
            (cell.0, cell.1) = (cell.0 + count, cell.1.saturating_add_signed(*sum));
        };
        for entry in view.take("t")? {
            if let [name, number, cpu] = entry.key.as_slice() {
                let name = match number.word() as i32 {
                    number if number >= 0 => format!("{}#{number}", name.text()),
                    _ => name.text().to_owned(),
                };
                add(name, cpu.word(), &entry.value);
            }
        }
        let soft = if self.soft {
            view.take("s")?
        } else {
            Vec::new()
        };
        for entry in soft {
            if let [kind, cpu] = entry.key.as_slice() {
                let kind = SOFTIRQS.get(kind.word() as usize).unwrap_or(&"OTHER");
                add(format!("softirq#{kind}"), cpu.word(), &entry.value);
            }
        }
        self.devices
            .extend(cells.keys().map(|(name, _)| name.clone()));
        Ok(cells)
    }
}

/// One table: all devices on some of the CPUs.
fn table(devices: &BTreeSet<String>, cpus: &[u32], cells: &Cells, elapsed: u64) -> String {
    let width = devices.iter().map(String::len).max().unwrap_or(0).max(12);
    let mut text = format!("\n{:>width$} |", "device");
    for cpu in cpus {
        // Writing to a String cannot fail.
        let _ = write!(text, " {:>9} %tim", format!("cpu{cpu}"));
    }
    let _ = writeln!(
        text,
        "\n{}-+{}",
        "-".repeat(width),
        "-".repeat(15 * cpus.len())
    );
    for device in devices {
        let _ = write!(text, "{device:>width$} |");
        for cpu in cpus {
            let (count, ns) = cells
                .get(&(device.clone(), *cpu))
                .copied()
                .unwrap_or_default();
            let part = percent(ns as f64, elapsed as f64);
            let _ = write!(text, " {count:>9} {part:4.1}");
        }
        text.push('\n');
    }
    text
}

impl Reader for Report {
    fn interval(&mut self, view: &mut View<'_>) -> Result<Next, TraceError> {
        let elapsed = view.elapsed() - self.shown;
        self.shown = view.elapsed();
        let cells = self.gather(view)?;
        let fit = (self.width.saturating_sub(14) / 15).max(1);
        let tables = self.cpus.chunks(fit);
        let text: String = tables
            .map(|cpus| table(&self.devices, cpus, &cells, elapsed))
            .collect();
        run::print(&(self.stamp.line() + &text))?;
        Ok(run::count_down(&mut self.left))
    }

    fn finish(&mut self, _: &mut View<'_>) -> Result<(), TraceError> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_has_a_column_for_each_cpu() {
        let cells = Cells::from([(("eth0#24".to_owned(), 1), (1234, 500_000_000))]);
        let devices = BTreeSet::from(["eth0#24".to_owned()]);
        let want = "
      device |      cpu0 %tim      cpu1 %tim
-------------+------------------------------
     eth0#24 |         0  0.0      1234 50.0
";
        assert_eq!(table(&devices, &[0, 1], &cells, 1_000_000_000), want);
    }
}

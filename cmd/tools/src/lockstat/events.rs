//! The events of lockstat, and the D program that counts them.

use super::{Args, Gather, Place};
use std::fmt::Write as _;

/// Frames above the caller that may belong to the locks.
const LOCK_FRAMES: u32 = 8;

/// How an event is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A probe whose `arg1` is how long it took.
    Contention,
    /// The time from one probe to another, and how many hold the lock together.
    Hold {
        /// It is taken.
        acquire: (&'static str, &'static str),
        /// How many have it, in D.
        holders: &'static str,
    },
    /// A probe that has no time.
    Error,
    /// The profiling interrupt.
    Profile,
}

/// One kind of event.
#[derive(Clone, Copy, Debug)]
pub struct Event {
    /// Its number for `-e`, as Solaris has it.
    pub number: u64,
    /// Its name.
    pub title: &'static str,
    /// How it is seen.
    pub source: Source,
    /// The probe (of a hold, that of its end), and when it counts.
    probe: (&'static str, &'static str),
}

const fn contention(
    number: u64,
    title: &'static str,
    probe: &'static str,
    when: &'static str,
) -> Event {
    Event {
        number,
        title,
        source: Source::Contention,
        probe: (probe, when),
    }
}

const fn hold(
    number: u64,
    title: &'static str,
    acquire: (&'static str, &'static str),
    release: (&'static str, &'static str),
    holders: &'static str,
) -> Event {
    Event {
        number,
        title,
        source: Source::Hold { acquire, holders },
        probe: release,
    }
}

/// Every event, by number; 8 and 9 are Linux's own.
pub const EVENTS: &[Event] = &[
    contention(0, "Adaptive mutex spin", "lockstat:::adaptive-spin", ""),
    contention(1, "Adaptive mutex block", "lockstat:::adaptive-block", ""),
    contention(2, "Spin lock spin", "lockstat:::spin-spin", ""),
    contention(
        4,
        "R/W writer blocked by writer",
        "lockstat:::rw-block",
        "arg2 == 0 && arg3 != 0",
    ),
    contention(
        5,
        "R/W writer blocked by readers",
        "lockstat:::rw-block",
        "arg2 == 0 && arg3 == 0",
    ),
    contention(
        6,
        "R/W reader blocked by writer",
        "lockstat:::rw-block",
        "arg2 != 0 && arg3 != 0",
    ),
    contention(
        7,
        "R/W reader blocked by write wanted",
        "lockstat:::rw-block",
        "arg2 != 0 && arg3 == 0",
    ),
    contention(
        8,
        "R/W spin lock, writer spin",
        "lockstat:::rw-spin",
        "arg2 == 0",
    ),
    contention(
        9,
        "R/W spin lock, reader spin",
        "lockstat:::rw-spin",
        "arg2 != 0",
    ),
    hold(
        32,
        "Adaptive mutex hold",
        ("lockstat:::adaptive-acquire", ""),
        ("lockstat:::adaptive-release", ""),
        "1",
    ),
    hold(
        33,
        "Spin lock hold",
        ("lockstat:::spin-acquire", ""),
        ("lockstat:::spin-release", ""),
        "1",
    ),
    hold(
        34,
        "R/W writer hold",
        ("lockstat:::rw-acquire", "arg1 == 0"),
        ("lockstat:::rw-release", "arg1 == 0"),
        "1",
    ),
    hold(
        35,
        "R/W reader hold",
        ("lockstat:::rw-acquire", "arg1 != 0"),
        ("lockstat:::rw-release", "arg1 != 0"),
        "((struct rw_semaphore *)arg0)->count.counter >> 8",
    ),
    Event {
        number: 56,
        title: "Profiling interrupt",
        source: Source::Profile,
        probe: ("", ""),
    },
    Event {
        number: 60,
        title: "Adaptive mutex not acquired",
        source: Source::Error,
        probe: ("lockstat:::adaptive-acquire-error", ""),
    },
];

impl Event {
    /// Descriptions of the probes that it needs.
    pub fn probes(&self) -> impl Iterator<Item = &'static str> {
        let acquire = match self.source {
            Source::Hold { acquire, .. } => Some(acquire.0),
            Source::Contention | Source::Error | Source::Profile => None,
        };
        let probe = Some(self.probe.0).filter(|p| !p.is_empty());
        acquire.into_iter().chain(probe)
    }
}

/// Bytes that a record may take in the kernel, one for each CPU.
pub fn room(args: &Args) -> u64 {
    let frames = u64::from(args.gather.depth() + LOCK_FRAMES + 8);
    let values = match args.gather {
        Gather::Basic => 8,
        Gather::Timing => 16,
        Gather::Histogram(_) => 127 * 8,
    };
    24 + frames * 8 + values
}

/// What is to be true of a lock.
fn chosen_locks(args: &Args) -> Option<String> {
    let one = |place: &Place| match place {
        Place::Address(from, size) => {
            format!(
                "(uint64_t)arg0 >= 0x{from:x} && (uint64_t)arg0 < 0x{:x}",
                from.saturating_add(*size)
            )
        }
        Place::Name(name, size) => {
            let size = size.map_or_else(|| format!("sizeof (`{name})"), |s| s.to_string());
            format!("arg0 >= (uintptr_t)&`{name} && arg0 < (uintptr_t)&`{name} + {size}")
        }
    };
    let all: Vec<String> = args.locks.iter().map(one).collect();
    (!all.is_empty()).then(|| format!("({})", all.join(" || ")))
}

/// A predicate of what must be true together.
fn predicate(parts: &[Option<String>]) -> String {
    let parts: Vec<&str> = parts
        .iter()
        .flatten()
        .map(String::as_str)
        .filter(|p| !p.is_empty())
        .collect();
    if parts.is_empty() {
        String::new()
    } else {
        format!("\n/{}/", parts.join(" && "))
    }
}

/// The statements that count an event: its number, lock, circumstance and how long it took, in D.
fn gathered(args: &Args, number: u64, lock: &str, circumstance: &str, time: &str) -> String {
    let frames = args.gather.depth().max(1) + LOCK_FRAMES;
    if args.trace {
        return format!(
            "\ttrace({number}); trace({lock}); trace({circumstance}); trace({time}); trace(tid); stack({frames});\n"
        );
    }
    let key = format!("{number}, {lock}, {circumstance}, stack({frames})");
    match args.gather {
        Gather::Basic => format!("\t@a[{key}] = count();\n"),
        Gather::Timing => format!("\t@a[{key}] = avg({time});\n"),
        Gather::Histogram(_) => {
            format!("\t@a[{key}] = avg({time});\n\t@h[{key}] = quantize({time});\n")
        }
    }
}

/// The D program.
pub fn program(args: &Args) -> String {
    let mut text = String::new();
    let longer = |time: &str| (args.duration > 0).then(|| format!("{time} > {}", args.duration));
    for event in &args.events {
        let (probe, when) = event.probe;
        let (when, number) = (Some(when.to_owned()), event.number);
        // Writing to a String cannot fail.
        let _ = match event.source {
            Source::Contention => {
                let when = predicate(&[when, chosen_locks(args), longer("arg1")]);
                let gathered = gathered(args, number, "(uint64_t)arg0", "0", "arg1");
                write!(text, "{probe}{when}\n{{\n{gathered}}}\n")
            }
            Source::Error => {
                let when = predicate(&[when, chosen_locks(args)]);
                let gathered = gathered(args, number, "(uint64_t)arg0", "0", "0");
                write!(text, "{probe}{when}\n{{\n{gathered}}}\n")
            }
            Source::Hold { acquire, holders } => {
                hold_clauses(&mut text, args, event, acquire, holders)
            }
            Source::Profile => profile_clause(&mut text, args, event),
        };
    }
    text
}

fn hold_clauses(
    text: &mut String,
    args: &Args,
    event: &Event,
    (probe, when): (&str, &str),
    holders: &str,
) -> std::fmt::Result {
    let (release, over, number) = (event.probe.0, event.probe.1, event.number);
    let since = format!("self->held{number}[arg0]");
    let when = predicate(&[Some(when.to_owned()), chosen_locks(args)]);
    write!(text, "{probe}{when}\n{{\n\t{since} = timestamp;\n}}\n")?;
    let over = predicate(&[Some(over.to_owned()), Some(format!("{since} != 0"))]);
    let longer = match args.duration {
        0 => String::new(),
        ns => format!("\tif (this->ns > {ns}) {{\n"),
    };
    let end = if longer.is_empty() { "" } else { "\t}\n" };
    let gathered = gathered(args, number, "(uint64_t)arg0", holders, "this->ns");
    write!(
        text,
        "{release}{over}\n{{\n\tthis->ns = timestamp - {since};\n{longer}{gathered}{end}\t{since} = 0;\n}}\n"
    )
}

/// How late an interrupt is, is told by the most punctual one of its CPU so far: they are due at equal distances.
fn profile_clause(text: &mut String, args: &Args, event: &Event) -> std::fmt::Result {
    let (rate, period) = (args.rate, 1_000_000_000 / args.rate.max(1));
    let when = predicate(&[args
        .duration
        .gt(&0)
        .then(|| format!("this->late > {}", args.duration))]);
    let gathered = gathered(
        args,
        event.number,
        "(uint64_t)cpu",
        "soft[cpu] | (arg0 == 0 ? 2 : 0)",
        "this->late",
    );
    write!(
        text,
        "uint64_t due[int];\nint soft[int];\n\
         sdt:::softirq-start {{ soft[cpu] = 1; }}\nsdt:::softirq-complete {{ soft[cpu] = 0; }}\n\
         profile:::profile-{rate}\n{{\n\
         \tthis->late = due[cpu] != 0 ? (timestamp - due[cpu]) % {period} : 0;\n\
         \tdue[cpu] = due[cpu] == 0 || this->late > {half} ? timestamp : due[cpu];\n\
         \tthis->late = this->late > {half} ? 0 : this->late;\n}}\n\
         profile:::profile-{rate}{when}\n{{\n{gathered}}}\n",
        half = period / 2
    )
}

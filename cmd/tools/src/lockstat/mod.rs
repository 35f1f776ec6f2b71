//! lockstat(1): who waits for locks of the kernel, who holds them, or (`-I`) where its CPUs are.
//!
//! Each event is keyed by lock and kernel stack; the caller is the first function that is not of the locks themselves.

mod events;
mod report;
mod results;

use crate::run::{self, Plan};
use crate::tool::{Stop, Tool, rows};
use crate::units::{above_0, number};
use cli::{Operands, Word};
use events::{EVENTS, Event, Source};
use report::Report;
use session::Target;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};

pub const TOOL: Tool = Tool {
    name: "lockstat",
    summary: "contention and holding of kernel locks, and profiling of the kernel",
    synopsis: "[flags] command [argument ...]",
    operands: Operands::Last,
    flags: || rows(TABLE),
    run: start,
};

cli::flags! {
    Contention "-C" "" "watch contention (what is done if no event is chosen)";
    Errors "-E" "" "watch errors";
    Hold "-H" "" "watch how long locks are held";
    Interrupts "-I" "" "watch profiling interrupts";
    All "-A" "" "watch all lock events: -C -H";
    Events "-e" "list" "watch only these events, by number: 0,4-7 (see below)";
    Rate "-i" "rate" "profiling interrupts per second and CPU for -I (97)";
    Basic "-b" "" "gather how often only, not how long";
    Timing "-t" "" "gather how long on average (the default)";
    Histogram "-h" "" "gather how long as a distribution";
    Stacks "-s" "depth" "the same, with stacks of so many frames";
    Records "-n" "nrecords" "make room for so many different records (10000)";
    Lock "-l" "lock[,size]" "only this lock, by name or address; may repeat";
    Function "-f" "func[,size]" "only events that this function generates, by name or address; may repeat";
    Duration "-d" "ns" "only events longer than so many nanoseconds";
    Trace "-T" "" "print each event, in order of time";
    Arrays "-c" "" "count locks of an array as one";
    Functions "-k" "" "count places within a function as one";
    Generated "-g" "" "count an event for all functions on its stack (-s 50)";
    Wherever "-w" "" "do not tell callers apart";
    Whichever "-W" "" "do not tell locks apart";
    Rates "-R" "" "print rates (events per second), not counts";
    Parsable "-p" "" "print for programs";
    Product "-P" "" "sort by count times time";
    Top "-D" "n" "print only so many lines of each kind of event";
    Output "-o" "file" "print to a file";
    Dump "-V" "" "print the D program that is run, and go on";
    Set "-x" "opt[=val]" "set an option of D";
    Help "--help" "" "print this text";
}

/// Frames that `-s` can show: the kernel gathers 127, of which some are of the locks and of tracing.
const MOST_FRAMES: u32 = 100;

/// What is gathered of each event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Gather {
    /// How often.
    Basic,
    /// How long.
    #[default]
    Timing,
    /// Its distribution; stacks of so many frames.
    Histogram(u32),
}

impl Gather {
    fn depth(self) -> u32 {
        match self {
            Gather::Basic | Gather::Timing => 0,
            Gather::Histogram(depth) => depth,
        }
    }
}

/// A place with a size, from `-l` or `-f`.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Place {
    Name(String, Option<u64>),
    Address(u64, u64),
}

impl Place {
    fn parse(text: &str) -> Result<Place, Stop> {
        let bad = || Stop::Usage(format!("invalid name or address: {text}"));
        let hex = |t: &str| u64::from_str_radix(t.strip_prefix("0x")?, 16).ok();
        let (what, size) = match text.split_once(',') {
            Some((what, size)) => {
                let size = hex(size).or_else(|| size.parse().ok());
                (what, Some(size.ok_or_else(bad)?))
            }
            None => (text, None),
        };
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
        match hex(what) {
            Some(address) => Ok(Place::Address(address, size.unwrap_or(1))),
            None if what.is_empty() || !what.chars().all(word) => Err(bad()),
            None => Ok(Place::Name(what.to_owned(), size)),
        }
    }
}

/// What was typed.
#[derive(Default)]
struct Args {
    events: Vec<&'static Event>,
    rate: u64,
    gather: Gather,
    locks: Vec<Place>,
    functions: Vec<Place>,
    duration: u64,
    trace: bool,
    arrays: bool,
    by_function: bool,
    generated: bool,
    wherever: bool,
    whichever: bool,
    rates: bool,
    parsable: bool,
    product: bool,
    top: Option<usize>,
    records: u64,
    output: Option<PathBuf>,
}

impl Args {
    /// Takes a flag that says what to gather or how to report it; others are given back.
    fn take(&mut self, flag: Flag, value: &str) -> Result<Option<Flag>, Stop> {
        match flag {
            Flag::Contention => self.watch(|e| e.source == Source::Contention),
            Flag::Errors => self.watch(|e| e.source == Source::Error),
            Flag::Hold => self.watch(|e| matches!(e.source, Source::Hold { .. })),
            Flag::Interrupts => self.watch(|e| e.source == Source::Profile),
            Flag::All => {
                self.watch(|e| matches!(e.source, Source::Contention | Source::Hold { .. }));
            }
            Flag::Events => self.listed(value)?,
            Flag::Rate => self.rate = number("-i", value)?,
            Flag::Basic => self.gather = Gather::Basic,
            Flag::Timing => self.gather = Gather::Timing,
            Flag::Histogram => self.gather = Gather::Histogram(0),
            Flag::Stacks => match number("-s", value)? {
                depth @ 0..=MOST_FRAMES => self.gather = Gather::Histogram(depth),
                depth => {
                    return Err(Stop::Usage(format!(
                        "invalid depth: {depth} (at most {MOST_FRAMES})"
                    )));
                }
            },
            Flag::Records => self.records = above_0::<u32>("-n", value)?.into(),
            Flag::Lock => self.locks.push(Place::parse(value)?),
            Flag::Function => self.functions.push(Place::parse(value)?),
            Flag::Duration => self.duration = number("-d", value)?,
            Flag::Trace => self.trace = true,
            Flag::Arrays => self.arrays = true,
            Flag::Functions => self.by_function = true,
            Flag::Generated => self.generated = true,
            Flag::Wherever => self.wherever = true,
            Flag::Whichever => self.whichever = true,
            Flag::Rates => self.rates = true,
            Flag::Parsable => self.parsable = true,
            Flag::Product => self.product = true,
            Flag::Top => self.top = Some(above_0::<u32>("-D", value)? as usize),
            Flag::Output => self.output = Some(value.into()),
            Flag::Dump | Flag::Set | Flag::Help => return Ok(Some(flag)),
        }
        Ok(None)
    }

    fn watch(&mut self, which: impl Fn(&Event) -> bool) {
        for event in EVENTS.iter().filter(|e| which(e)) {
            if !self.events.iter().any(|known| known.number == event.number) {
                self.events.push(event);
            }
        }
    }

    /// `-e`: `0,4-7`.
    fn listed(&mut self, list: &str) -> Result<(), Stop> {
        for part in list.split(',') {
            let bad = || Stop::Usage(format!("invalid list of events: {list}"));
            let (low, high) = part.split_once('-').unwrap_or((part, part));
            let low: u64 = low.trim().parse().map_err(|_| bad())?;
            let high: u64 = high.trim().parse().map_err(|_| bad())?;
            let before = self.events.len();
            self.watch(|e| (low..=high).contains(&e.number));
            let known = EVENTS.iter().any(|e| (low..=high).contains(&e.number));
            if self.events.len() == before && !known {
                return Err(Stop::Usage(format!("there is no such event: {part}")));
            }
        }
        Ok(())
    }

    /// What follows from all flags together.
    fn settle(&mut self) -> Result<(), Stop> {
        if self.events.is_empty() {
            self.watch(|e| e.source == Source::Contention);
        }
        self.events.sort_by_key(|e| e.number);
        if self.generated && self.gather.depth() == 0 {
            self.gather = Gather::Histogram(50);
        }
        if self.rate == 0 || self.rate > 5000 {
            return Err(Stop::Usage(format!(
                "invalid rate: {} (1 to 5000 per second)",
                self.rate
            )));
        }
        Ok(())
    }
}

/// The list of events, for the manual and for `--help`.
fn events_text() -> String {
    let mut text = String::from("\nEvents of -e:\n\n");
    for event in EVENTS {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "  {:>3}  {}", event.number, event.title);
    }
    text
}

fn start(tool: &'static Tool, typed: Vec<OsString>) -> Result<u8, Stop> {
    let mut args = Args {
        rate: 97,
        records: 10_000,
        ..Args::default()
    };
    let (mut plan, mut command, mut dump) = (Plan::default(), Vec::new(), false);
    for word in tool.parse(TABLE, typed)? {
        let (row, value) = match word {
            Word::Operand(text) => {
                command.push(text);
                continue;
            }
            Word::Flag(row, value) => (row, value),
        };
        match args.take(row.flag, &value)? {
            Some(Flag::Dump) => dump = true,
            Some(Flag::Set) => plan.set.push(value),
            Some(_) => return Err(Stop::Shown(tool.usage() + &events_text())),
            None => {}
        }
    }
    args.settle()?;
    if command.is_empty() {
        return Err(Stop::Usage(
            "a command is needed: what runs while events are gathered (sleep 5, say)".to_owned(),
        ));
    }
    run::may_trace()?;
    leave_out_what_is_missing(tool, &mut args)?;
    plan.program = events::program(&args);
    if dump {
        crate::complain(&plan.program);
    }
    plan.targets = vec![Target::Words(command)];
    let room = args.records.saturating_mul(events::room(&args));
    plan.options = vec![("aggsize", room.max(4 << 20).to_string())];
    let output = args.output.clone();
    let unwritten = |e: &std::io::Error| {
        let path = output.as_deref().unwrap_or(Path::new("")).display();
        Stop::Failed(format!("failed to write {path}: {}", session::plain(e)))
    };
    // Before the command runs: who has waited for it wants the report.
    let file = output.as_ref().map(File::create).transpose();
    let file = file.map_err(|e| unwritten(&e))?;
    let mut report = Report::new(args);
    run::run(tool, plan, &mut report)?;
    let text = report.text();
    match file {
        None => Err(Stop::Shown(text)),
        Some(mut file) => {
            let written = file.write_all(text.as_bytes());
            written.map(|()| 0).map_err(|e| unwritten(&e))
        }
    }
}

/// Events that this kernel does not show are said, once for each reason, and not watched.
fn leave_out_what_is_missing(tool: &Tool, args: &mut Args) -> Result<(), Stop> {
    let mut kernel = run::Kernel::default();
    let mut reasons: Vec<(String, Vec<&str>)> = Vec::new();
    args.events.retain(|event| {
        let Some(why) = event.probes().find_map(|p| kernel.missing(p)) else {
            return true;
        };
        match reasons.iter_mut().find(|(known, _)| *known == why) {
            Some((_, titles)) => titles.push(event.title),
            None => reasons.push((why, vec![event.title])),
        }
        false
    });
    let told: Vec<String> = reasons
        .iter()
        .map(|(why, titles)| format!("not shown: {}: {why}", titles.join(", ")))
        .collect();
    if args.events.is_empty() {
        return Err(Stop::Failed(told.join(&format!("\n{}: ", tool.name))));
    }
    for text in told {
        crate::complain(&format!("{}: {text}\n", tool.name));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(flags: &[(Flag, &str)]) -> Result<Args, Stop> {
        let mut args = Args {
            rate: 97,
            ..Args::default()
        };
        for (flag, value) in flags {
            args.take(*flag, value)?;
        }
        args.settle()?;
        Ok(args)
    }

    fn numbers(flags: &[(Flag, &str)]) -> Vec<u64> {
        let args = args(flags).ok().unwrap_or_default();
        args.events.iter().map(|e| e.number).collect()
    }

    #[test]
    fn events_are_chosen() {
        let contention = numbers(&[(Flag::Contention, "")]);
        assert_eq!(numbers(&[]), contention);
        assert_eq!(numbers(&[(Flag::Events, "4-7,1,1")]), [1, 4, 5, 6, 7]);
        assert_eq!(numbers(&[(Flag::Interrupts, "")]), [56]);
        let all = numbers(&[(Flag::All, "")]);
        assert!(all.len() > contention.len() && !all.contains(&56));
        for bad in ["", "x", "99", "1-"] {
            assert!(args(&[(Flag::Events, bad)]).is_err(), "{bad}");
        }
    }

    #[test]
    fn generated_events_need_stacks() {
        let depth = |flags: &[(Flag, &str)]| args(flags).map(|a| a.gather.depth()).ok();
        assert_eq!(depth(&[(Flag::Generated, "")]), Some(50));
        assert_eq!(
            depth(&[(Flag::Generated, ""), (Flag::Stacks, "7")]),
            Some(7)
        );
        assert!(args(&[(Flag::Rate, "0")]).is_err());
    }

    #[test]
    fn places_have_names_or_addresses() {
        let place = |t| Place::parse(t).ok();
        assert_eq!(place("0xff00,0x10"), Some(Place::Address(0xff00, 16)));
        assert_eq!(place("0xff00"), Some(Place::Address(0xff00, 1)));
        assert_eq!(
            place("tasklist_lock"),
            Some(Place::Name("tasklist_lock".to_owned(), None))
        );
        assert_eq!(place("f,8"), Some(Place::Name("f".to_owned(), Some(8))));
        assert!(place("f{").is_none() && place(",8").is_none() && place("f,x").is_none());
    }
}

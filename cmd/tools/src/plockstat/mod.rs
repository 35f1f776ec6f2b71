//! plockstat(1): what the threads of a process lose to its locks. The probes are those of the provider `plockstat`.

mod program;
mod report;
mod results;

use crate::run::{self, Plan};
use crate::tool::{Stop, Tool, rows};
use crate::units::above_0;
use cli::{Operands, Word};
use results::Results;
use session::{Reader, Target, TraceError, View};
use std::ffi::OsString;

pub const TOOL: Tool = Tool {
    name: "plockstat",
    summary: "what the threads of a process lose to its locks",
    synopsis: "[flags] command [argument ...] | -p pid",
    operands: Operands::Last,
    flags: || rows(TABLE),
    run: start,
};

cli::flags! {
    Both "-A" "" "how long threads wait, and how long locks are held: -C -H";
    Contention "-C" "" "how long threads wait and spin for locks (what is done if neither is chosen)";
    Hold "-H" "" "how long locks are held";
    Seconds "-e" "secs" "end after so many seconds";
    Most "-n" "count" "at most so many lines of each section";
    Process "-p" "pid" "the locks of this process, which goes on afterwards";
    Depth "-s" "depth" "distributions of times, and stacks of so many frames";
    Verbose "-v" "" "say when tracing begins";
    Dump "-V" "" "print the D program and end";
    Set "-x" "opt[=val]" "set an option of D";
    Help "-h" "" "print this text";
}

/// What was typed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Args {
    /// Report how long threads wait for locks, or fail to get them.
    pub contention: bool,
    /// Report how long locks are held.
    pub hold: bool,
    /// Most lines of a section.
    pub most: Option<usize>,
    /// Frames of each stack, with histograms; none: callers only.
    pub depth: Option<u32>,
    /// Seconds after which it ends by itself.
    pub seconds: Option<u32>,
}

impl Args {
    /// Takes a flag that says what to gather or how to report it; others are given back.
    fn take(&mut self, flag: Flag, value: &str) -> Result<Option<Flag>, Stop> {
        match flag {
            Flag::Both => (self.contention, self.hold) = (true, true),
            Flag::Contention => self.contention = true,
            Flag::Hold => self.hold = true,
            Flag::Seconds => self.seconds = Some(above_0("-e", value)?),
            Flag::Most => self.most = Some(above_0::<u32>("-n", value)? as usize),
            Flag::Depth => self.depth = Some(above_0("-s", value)?),
            Flag::Process | Flag::Verbose | Flag::Dump | Flag::Set | Flag::Help => {
                return Ok(Some(flag));
            }
        }
        Ok(None)
    }
}

/// Whose locks: one command, or one process.
fn target(pid: Option<i32>, command: Vec<OsString>) -> Result<Target, Stop> {
    let why = match (pid, command.is_empty()) {
        (Some(pid), true) => return Ok(Target::Pid(pid)),
        (None, false) => return Ok(Target::Words(command)),
        (None, true) => "neither a command nor -p is given",
        (Some(_), false) => "one command or one process can be traced",
    };
    Err(Stop::Usage(why.to_owned()))
}

fn start(tool: &'static Tool, typed: Vec<OsString>) -> Result<u8, Stop> {
    let mut args = Args::default();
    let (mut plan, mut command, mut pid) = (Plan::default(), Vec::new(), None);
    let (mut verbose, mut dump) = (false, false);
    for word in tool.parse(TABLE, typed)? {
        let (row, value) = match word {
            Word::Operand(text) => {
                command.push(text);
                continue;
            }
            Word::Flag(row, value) => (row, value),
        };
        match args.take(row.flag, &value)? {
            Some(Flag::Process) => pid = Some(above_0("-p", &value)?),
            Some(Flag::Verbose) => verbose = true,
            Some(Flag::Dump) => dump = true,
            Some(Flag::Set) => plan.set.push(value),
            Some(_) => return Err(Stop::Shown(tool.usage())),
            None => {}
        }
    }
    args.contention |= !args.hold;
    plan.program = program::text(&args);
    if dump {
        return Err(Stop::Shown(plan.program));
    }
    plan.targets = vec![target(pid, command)?];
    let mut gathered = Gathered {
        args: &args,
        begun: verbose.then_some(tool.name),
        results: Results::default(),
    };
    run::run(tool, plan, &mut gathered)?;
    let results = gathered.results;
    Err(Stop::Shown(report::text(&args, &results)))
}

/// Takes what was gathered when the run ends.
struct Gathered<'a> {
    args: &'a Args,
    begun: Option<&'static str>,
    results: Results,
}

impl Reader for Gathered<'_> {
    fn begin(&mut self) {
        if let Some(name) = self.begun {
            crate::complain(&format!("{name}: tracing enabled\n"));
        }
    }

    fn finish(&mut self, view: &mut View<'_>) -> Result<(), TraceError> {
        for section in program::sections(self.args) {
            for suffix in ['n', 't'] {
                let name = format!("{}{suffix}", section.name);
                let entries = view.entries(&name)?;
                self.results.0.insert(name, entries);
            }
        }
        Ok(())
    }
}

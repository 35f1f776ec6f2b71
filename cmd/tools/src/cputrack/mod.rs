//! cputrack(1): counts of the performance counters of a process's threads.

mod follow;
mod track;

use crate::counting;
use crate::run;
use crate::tool::{Stop, Tool, rows};
use crate::units::number;
use cli::{Operands, Word};
use counters::units;
use follow::{Course, Target};
use std::ffi::OsString;
use std::time::Duration;
use track::{Form, Tracker};

pub const TOOL: Tool = Tool {
    name: "cputrack",
    summary: "performance counters of the threads of a process",
    synopsis: "-c events [-c events] ... [-efntvD] [-N count] [-o file] [-T interval] {-p pid | command [argument ...]}",
    operands: Operands::Last,
    flags: || rows(TABLE),
    run: start,
};

cli::flags! {
    Events "-c" "events" "count these; several lists are counted in turn";
    Interval "-T" "seconds" "time between samples (1); 0: none";
    Count "-N" "count" "so many samples of each process, then leave it";
    Execs "-e" "" "go on when the process runs another program";
    Forks "-f" "" "follow the processes that it makes";
    Bare "-n" "" "no titles";
    Cycles "-t" "" "cycles of the processor as well";
    Verbose "-v" "" "tell where the counts of each thread begin and end";
    Output "-o" "file" "write to this file";
    Pid "-p" "pid" "a process that runs already";
    Debug "-D" "" "tell how the events are counted";
    Help "-h" "" "print this text and the events of this machine";
}

/// What was asked for.
struct Asked {
    lists: counting::Lists,
    interval: Duration,
    form: Form,
    titles: bool,
    output: Option<String>,
    pid: Option<i32>,
    command: Vec<OsString>,
}

fn interval(text: &str) -> Result<Duration, Stop> {
    let seconds: Option<f64> = text.parse().ok();
    let interval = seconds.and_then(|s| Duration::try_from_secs_f64(s).ok());
    interval.ok_or_else(|| Stop::Usage(format!("invalid interval: {text}")))
}

fn asked(tool: &'static Tool, typed: Vec<OsString>) -> Result<Asked, Stop> {
    let mut asked = Asked {
        lists: counting::Lists::default(),
        interval: Duration::from_secs(1),
        form: Form::default(),
        titles: true,
        output: None,
        pid: None,
        command: Vec::new(),
    };
    for word in tool.parse(TABLE, typed)? {
        let (row, value) = match word {
            Word::Operand(text) => {
                asked.command.push(text);
                continue;
            }
            Word::Flag(row, value) => (row, value),
        };
        match row.flag {
            Flag::Events => asked.lists.texts.push(value),
            Flag::Interval => asked.interval = interval(&value)?,
            // As in the command that this one is modelled on, 0 is no limit.
            Flag::Count => asked.form.ticks = Some(number("-N", &value)?).filter(|n| *n > 0),
            Flag::Execs => asked.form.execs = true,
            Flag::Forks => asked.form.forks = true,
            Flag::Bare => asked.titles = false,
            Flag::Cycles => asked.lists.cycles = true,
            Flag::Verbose => asked.form.verbose = true,
            Flag::Output => asked.output = Some(value),
            Flag::Pid => asked.pid = Some(number("-p", &value)?),
            Flag::Debug => asked.lists.debug = true,
            Flag::Help => return Err(Stop::Shown(counting::help(tool, &units()))),
        }
    }
    Ok(asked)
}

fn start(tool: &'static Tool, typed: Vec<OsString>) -> Result<u8, Stop> {
    let asked = asked(tool, typed)?;
    run::may_trace()?;
    let target = match (asked.pid, asked.command.is_empty()) {
        (Some(pid), true) => Target::Process(pid),
        (None, false) => Target::Command(&asked.command),
        (Some(_), false) => {
            return Err(Stop::Usage("both -p and a command".to_owned()));
        }
        (None, true) => return Err(Stop::Usage("no command and no -p".to_owned())),
    };
    let sets = asked.lists.tried(tool, true)?;
    let say = |text: &str| crate::complain(&format!("{}: {text}\n", tool.name));
    let mut tracker = Tracker::new(&sets, asked.form);
    let mut course = Course::new(&asked.output, asked.interval, &say)?;
    let titles = asked.titles.then(|| tracker.titles());
    course.begin(target, &titles.unwrap_or_default(), &mut tracker)?;
    course.run(&mut tracker)?;
    Ok(u8::from(tracker.failed))
}

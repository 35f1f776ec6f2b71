//! Runs the D program of a command and gives its data to who makes the report.

use crate::tool::{Stop, Tool};
use session::{
    CompileError, Input, Next, Reader, Reading, Session, Setter, Target, TraceError, Victims,
};
use std::io::Write as _;
use std::time::Duration;

/// What is to be run.
#[derive(Default)]
pub struct Plan {
    /// The D program.
    pub program: String,
    /// Its arguments, `$1`….
    pub arguments: Vec<String>,
    /// Processes to follow; the first is `$target`. The run ends when all have ended.
    pub targets: Vec<Target>,
    /// Options of the program, set before those of the environment (`DTRACE_OPT_…`) and of `-x`.
    pub options: Vec<(&'static str, String)>,
    /// What `-x` gave: `name` or `name=value`.
    pub set: Vec<String>,
    /// How often the reader is asked for a report.
    pub every: Option<Duration>,
}

/// Messages of a run.
struct Messages(&'static str);

impl session::Front for Messages {
    fn message(&mut self, text: &str) {
        crate::complain(&format!("{}: {text}\n", self.0));
    }
}

fn failed(e: impl std::fmt::Display) -> Stop {
    Stop::Failed(e.to_string())
}

/// Says that tracing is not allowed, if it is not. What is asked of the kernel comes after this.
pub fn may_trace() -> Result<(), Stop> {
    session::may_trace().map_err(Stop::Failed)
}

/// What the kernel can show; asked before a program is made.
#[derive(Default)]
pub struct Kernel(Session);

impl Kernel {
    /// Why it has no such probe, if it has none.
    pub fn missing(&mut self, probe: &str) -> Option<String> {
        self.0.missing(probe)
    }
}

fn set(session: &mut Session, plan: &Plan) -> Result<(), Stop> {
    let mut one = |name: &str, value: Option<&str>, who: &str| {
        let done = session.options.set(name, value, Setter::CommandLine);
        done.map_err(|why| Stop::Failed(format!("failed to set {who}{name}: {why}")))
    };
    one("quiet", None, "")?;
    for (name, value) in &plan.options {
        one(name, Some(value), "")?;
    }
    let env = std::env::vars_os()
        .filter_map(|(n, v)| Some((n.into_string().ok()?, v.into_string().ok()?)));
    session.options.set_from_env(env).map_err(failed)?;
    for text in &plan.set {
        let (name, value) = text
            .split_once('=')
            .map_or((text.as_str(), None), |(n, v)| (n, Some(v)));
        let done = session.options.set(name, value, Setter::CommandLine);
        done.map_err(|why| Stop::Failed(format!("failed to set -x {name}: {why}")))?;
    }
    Ok(())
}

fn rejected(e: &CompileError) -> Stop {
    match e {
        CompileError::Rejected(rejected) => {
            Stop::Failed(rejected.lines().collect::<Vec<_>>().join("\n"))
        }
        CompileError::Read(_)
        | CompileError::Cpp(..)
        | CompileError::Version(_)
        | CompileError::Amin => failed(e),
    }
}

/// Runs a program until its targets have ended, the reader has enough, or the user interrupts.
pub fn run(tool: &'static Tool, plan: Plan, reader: &mut dyn Reader) -> Result<(), Stop> {
    may_trace()?;
    let mut session = Session::new();
    set(&mut session, &plan)?;
    let victims = Victims::take(&plan.targets, &session.options).map_err(failed)?;
    let target = victims.target();
    session.follow(victims);
    let input = Input::Own(tool.name, plan.program);
    let compilation = session
        .compile(&[input], &plan.arguments, target)
        .map_err(|e| rejected(&e))?;
    let image = session
        .generate(&compilation, false)
        .map_err(|e| rejected(&e))?
        .image;
    let job = session::Job {
        destructive: compilation.destructive(),
        program: compilation.program.clone(),
        image,
        victims: session.victims(),
        output: session::Destination::Standard,
        json: false,
        compilation,
    };
    let reading = Reading {
        reader,
        every: plan.every,
        events: false,
    };
    session::read(&mut session, job, &mut Messages(tool.name), reading).map_err(failed)?;
    Ok(())
}

/// Prints a part of a report, at once.
pub fn print(text: &str) -> Result<(), TraceError> {
    let mut out = std::io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    written.map_err(|e| TraceError::Write(session::plain(&e)))
}

/// One report less is to be made.
pub fn count_down(left: &mut Option<u64>) -> Next {
    match left {
        Some(n) => {
            *n = n.saturating_sub(1);
            if *n == 0 { Next::Stop } else { Next::Continue }
        }
        None => Next::Continue,
    }
}

/// Columns of the screen, as the shell says (`$COLUMNS`); 80 if it does not.
pub fn columns() -> usize {
    let told = std::env::var("COLUMNS").ok();
    told.and_then(|c| c.parse().ok()).unwrap_or(80)
}

/// The CPUs of a list that are online.
pub fn cpus(list: &str) -> Result<Vec<u32>, Stop> {
    let wanted = sys::proc::parse_cpu_list(list);
    let mut cpus = sys::proc::online_cpus();
    cpus.retain(|cpu| wanted.contains(cpu));
    if cpus.is_empty() {
        return Err(Stop::Usage(format!("no such CPU is online: {list}")));
    }
    Ok(cpus)
}

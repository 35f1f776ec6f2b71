//! Running the tracers that are compared: start, wait until they trace, stop, collect what they said.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::{Result, fail, os};

/// What a script prints when it is about to trace.
pub const READY: &str = "ready";
/// Time for attaching after [`READY`]: bpftrace runs `BEGIN` before it attaches the rest.
const SETTLE: Duration = Duration::from_millis(400);
/// Longest wait for [`READY`] and for the end.
const PATIENCE: Duration = Duration::from_secs(90);
/// Time between two looks at a file.
const POLL: Duration = Duration::from_millis(2);

/// A tracer with a command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tool {
    /// Ours.
    Dtrace,
    /// The distribution's.
    Bpftrace,
}

/// The same job in both languages.
#[derive(Clone, Copy, Debug)]
pub struct Script {
    /// D.
    pub d: &'static str,
    /// bpftrace.
    pub bt: &'static str,
}

/// What the measurements share.
#[derive(Clone, Debug)]
pub struct Env {
    /// Our binary, if there.
    pub dtrace: Option<PathBuf>,
    /// The distribution's, if there.
    pub bpftrace: Option<PathBuf>,
    /// Scratch folder in memory.
    pub dir: PathBuf,
    /// Skip what takes minutes.
    pub no_slow: bool,
    /// CPUs online.
    pub cpus: Vec<u32>,
}

/// A tracer that ended.
#[derive(Debug)]
pub struct Finished {
    /// From start to end.
    pub wall: Duration,
    /// Most memory resident, bytes.
    pub peak_rss: u64,
    /// File with its output.
    pub out: PathBuf,
    /// Its error output.
    pub err: String,
}

/// A tracer that is running.
#[derive(Debug)]
pub struct Session {
    tool: Tool,
    child: Child,
    started: Instant,
    out: PathBuf,
    err: PathBuf,
}

impl Env {
    /// The CPU where loads run; tracers are left to the scheduler.
    pub fn load_cpu(&self) -> u32 {
        self.cpus.last().copied().unwrap_or(0)
    }

    fn path(&self, tool: Tool) -> Option<&Path> {
        match tool {
            Tool::Dtrace => self.dtrace.as_deref(),
            Tool::Bpftrace => self.bpftrace.as_deref(),
        }
    }

    /// Starts a tracer on a script; `None` if it is not there.
    pub fn start(&self, tool: Tool, script: Script) -> Result<Option<Session>> {
        let Some(path) = self.path(tool) else {
            return Ok(None);
        };
        let mut command = Command::new(path);
        match tool {
            Tool::Dtrace => command.args(["-q", "-n", script.d]),
            // Its quiet mode would also keep quiet about lost events.
            Tool::Bpftrace => command.args(["-e", script.bt]),
        };
        let (out, err) = (self.dir.join("out"), self.dir.join("err"));
        command.stdout(File::create(&out)?);
        command.stderr(File::create(&err)?);
        let started = Instant::now();
        let child = command.stdin(Stdio::null()).spawn()?;
        Ok(Some(Session {
            tool,
            child,
            started,
            out,
            err,
        }))
    }

    /// Starts a tracer and waits until it traces.
    pub fn start_ready(&self, tool: Tool, script: Script) -> Result<Option<Session>> {
        let Some(session) = self.start(tool, script)? else {
            return Ok(None);
        };
        match session.wait_ready() {
            Ok(()) => Ok(Some(session)),
            Err(error) => {
                os::interrupt(&session.child);
                let said = session.finish().map(|f| f.err).unwrap_or_default();
                fail(format!("{error}: {}", said.trim()))
            }
        }
    }

    /// Runs a script that ends by itself.
    pub fn run(&self, tool: Tool, script: Script) -> Result<Option<Finished>> {
        match self.start(tool, script)? {
            Some(session) => session.finish().map(Some),
            None => Ok(None),
        }
    }
}

impl Session {
    /// Its process id.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    fn wait_ready(&self) -> Result<()> {
        while self.started.elapsed() < PATIENCE {
            let said = std::fs::read(&self.out)?;
            if said.windows(READY.len()).any(|w| w == READY.as_bytes()) {
                std::thread::sleep(SETTLE);
                return Ok(());
            }
            if os::has_ended(&self.child) {
                return fail(format!("{:?} ended before it traced", self.tool));
            }
            std::thread::sleep(POLL);
        }
        fail(format!("{:?} did not start to trace", self.tool))
    }

    /// Interrupts it and waits for its end.
    pub fn stop(self) -> Result<Finished> {
        os::interrupt(&self.child);
        self.finish()
    }

    /// Waits for its end; a failed tracer is an error that carries what it said.
    pub fn finish(self) -> Result<Finished> {
        let ended = os::wait(&self.child, PATIENCE)?;
        let wall = self.started.elapsed();
        let err = String::from_utf8_lossy(&std::fs::read(&self.err)?).into_owned();
        if !ended.status.success() {
            let (tool, status) = (self.tool, ended.status);
            return fail(format!("{tool:?}: {status}: {}", err.trim()));
        }
        Ok(Finished {
            wall,
            peak_rss: ended.peak_rss,
            out: self.out,
            err,
        })
    }
}

impl Finished {
    /// Its output.
    pub fn text(&self) -> Result<String> {
        Ok(String::from_utf8_lossy(&std::fs::read(&self.out)?).into_owned())
    }

    /// The last number of its output, where a single aggregation stands.
    pub fn last_number(&self) -> Result<u64> {
        let text = self.text()?;
        let word = text.split_whitespace().next_back().map(str::parse);
        match word {
            Some(Ok(n)) => Ok(n),
            Some(Err(_)) | None => fail(format!("no number at the end of '{}'", text.trim())),
        }
    }
}

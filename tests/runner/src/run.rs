//! Running one test and judging what it did.

use crate::case::{Case, Verdict};
use std::io::Read;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// What a run left.
pub struct Outcome {
    /// How it ended; `None` if it had to be killed.
    pub status: Option<ExitStatus>,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

/// The command line of a test.
pub fn command(case: &Case, dtrace: &Path) -> Command {
    if case.shell {
        let mut cmd = Command::new("bash");
        cmd.arg(&case.path).args(&case.args).env("DTRACE", dtrace);
        return cmd;
    }
    let mut cmd = Command::new(dtrace);
    match &case.verdict {
        Verdict::Succeeds => {}
        Verdict::Error(_) => {
            cmd.args(["-xerrtags", "-e"]);
        }
        Verdict::Drops(_) => {
            cmd.arg("-xdroptags");
        }
    }
    cmd.args(&case.flags);
    if let Some(trigger) = &case.trigger {
        cmd.args(["-c", trigger]);
    }
    cmd.arg("-s").arg(&case.path).args(&case.args);
    cmd
}

/// Runs it, at most as long as it may take.
pub fn run(mut cmd: Command, timeout: Duration) -> std::io::Result<Outcome> {
    cmd.stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0);
    let mut child = cmd.spawn()?;
    let guard = Guard::of(&child)?;
    let (out, err) = (child.stdout.take(), child.stderr.take());
    let out = std::thread::spawn(move || slurp(out));
    let err = std::thread::spawn(move || slurp(err));
    let deadline = Instant::now() + timeout;
    let mut status = child.try_wait()?;
    while status.is_none() && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(5));
        status = child.try_wait()?;
    }
    // What it left would run on, and hold its output open.
    drop(guard);
    if status.is_none() {
        child.kill()?;
        child.wait()?;
    }
    let text = |t: std::thread::JoinHandle<Vec<u8>>| {
        t.join()
            .map(|b| String::from_utf8_lossy(&b).into_owned())
            .unwrap_or_default()
    };
    Ok(Outcome {
        status,
        stdout: text(out),
        stderr: text(err),
    })
}

/// Kills all processes of a test's group when it is dropped, and also when this process is killed: its input ends then.
struct Guard(Child);

impl Guard {
    fn of(leader: &Child) -> std::io::Result<Guard> {
        let kill = "cat >/dev/null; kill -KILL -$1 2>/dev/null";
        let mut guard = Command::new("sh");
        guard.args(["-c", kill, "guard", &leader.id().to_string()]);
        guard.stdin(Stdio::piped()).stdout(Stdio::null());
        guard.stderr(Stdio::null()).process_group(0);
        guard.spawn().map(Guard)
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        // It ends by itself; a failure leaves no more than the test has left.
        let _ = self.0.wait();
    }
}

fn slurp<R: Read>(from: Option<R>) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Some(mut from) = from {
        // A broken pipe ends the text; what came before is still worth showing.
        let _ = from.read_to_end(&mut bytes);
    }
    bytes
}

/// `Err` says what was wrong.
pub fn judge(case: &Case, outcome: &Outcome) -> Result<(), String> {
    let fail = |why: String| {
        Err(format!(
            "{why}\n--- stdout\n{}--- stderr\n{}",
            outcome.stdout, outcome.stderr
        ))
    };
    let Some(status) = outcome.status else {
        return fail(format!("killed after {} s", case.timeout.as_secs()));
    };
    let code = status.code().unwrap_or(-1);
    match &case.verdict {
        Verdict::Succeeds if code != case.status => {
            fail(format!("ended with {status}, not {}", case.status))
        }
        Verdict::Succeeds => golden(case, outcome),
        Verdict::Error(tag) if code != 1 => {
            fail(format!("ended with {status}; must fail with {tag}"))
        }
        Verdict::Error(tag) if !outcome.stderr.contains(&format!("[{tag}]")) => {
            fail(format!("no [{tag}]"))
        }
        Verdict::Drops(tag) if !outcome.stderr.contains(&format!("[{tag}]")) => {
            fail(format!("no [{tag}]"))
        }
        Verdict::Error(_) | Verdict::Drops(_) => Ok(()),
    }
}

fn golden(case: &Case, outcome: &Outcome) -> Result<(), String> {
    let path = case.golden();
    if std::env::var_os("UPDATE").is_some() && path.exists() {
        return std::fs::write(&path, &outcome.stdout).map_err(|e| e.to_string());
    }
    match std::fs::read_to_string(&path) {
        Err(_) => Ok(()),
        Ok(want) if want == outcome.stdout => Ok(()),
        Ok(want) => {
            let line = want
                .lines()
                .zip(outcome.stdout.lines())
                .take_while(|(a, b)| a == b)
                .count()
                + 1;
            Err(format!(
                "differs from {} at line {line}\n--- want\n{want}--- got\n{}--- stderr\n{}",
                path.display(),
                outcome.stdout,
                outcome.stderr
            ))
        }
    }
}

//! `-c` and `-p`: the processes a run follows. It ends when all of them are gone; the first is `$target`.

use crate::evaltime::{self, Evaltime};
use crate::opts::Options;
use lang::options::Opt;
use std::ffi::{OsStr, OsString};
use std::os::fd::BorrowedFd;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use sys::victim::Victim;

/// A process to follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// `-c`: start this command.
    Command(String),
    /// The same in words.
    Words(Vec<OsString>),
    /// `-p`: a running process.
    Pid(i32),
}

/// How a process ended.
pub struct Ended {
    /// As `dtrace` says it.
    pub message: String,
    /// With status 0, or nobody knows.
    pub well: bool,
}

/// Why a process cannot be followed.
#[derive(Debug, thiserror::Error)]
pub enum VictimError {
    /// The command did not start.
    #[error("failed to execute {command}: {reason}")]
    Execute {
        /// The command as typed.
        command: String,
        /// Why.
        reason: String,
    },
    /// The command line has an unclosed quote or no word.
    #[error("failed to execute {0}: it has no words or an open quote")]
    Words(String),
    /// There is no such process, or it may not be seen.
    #[error("failed to grab pid {pid}: {reason}")]
    Grab {
        /// The process.
        pid: i32,
        /// Why.
        reason: String,
    },
    /// It could not be let run.
    #[error("failed to release pid {pid}: {reason}")]
    Release {
        /// The process.
        pid: i32,
        /// Why.
        reason: String,
    },
}

/// The processes of a run.
#[derive(Default)]
pub struct Victims {
    all: Vec<(Victim, bool)>,
    evaltime: Evaltime,
    /// Commands that wait where `evaltime` says.
    reached: Vec<i32>,
}

fn reason(e: &sys::SysError) -> String {
    crate::files::plain(&std::io::Error::from_raw_os_error(e.errno))
}

impl Victims {
    /// Starts or finds all of them; commands wait.
    pub fn take(targets: &[Target], options: &Options) -> Result<Victims, VictimError> {
        let all = targets
            .iter()
            .map(|t| take(t, options).map(|v| (v, true)))
            .collect::<Result<_, _>>()?;
        let mut victims = Victims {
            all,
            evaltime: Evaltime::of(&options.text(Opt::Evaltime).unwrap_or_default()),
            reached: Vec::new(),
        };
        if options.is_set(Opt::Evaltime) {
            let pids: Vec<i32> = victims.all.iter().map(|(v, _)| v.pid()).collect();
            for pid in pids {
                victims
                    .reach(pid)
                    .map_err(|reason| VictimError::Grab { pid, reason })?;
            }
        }
        Ok(victims)
    }

    /// Lets a command that is held run to where `evaltime` says; does nothing to other processes.
    pub fn reach(&mut self, pid: i32) -> Result<(), String> {
        if self.evaltime == Evaltime::Exec || self.reached.contains(&pid) {
            return Ok(());
        }
        let found = self.all.iter_mut().find(|(v, _)| v.pid() == pid);
        let Some((victim, _)) = found.filter(|(v, _)| v.is_stopped()) else {
            return Ok(());
        };
        self.reached.push(pid);
        evaltime::reach(victim, self.evaltime)
    }

    /// `$target`.
    pub fn target(&self) -> Option<i32> {
        self.all.first().map(|(v, _)| v.pid())
    }

    /// Their process ids.
    pub fn pids(&self) -> impl Iterator<Item = i32> {
        self.all.iter().map(|(v, _)| v.pid())
    }

    /// Lets the commands run.
    pub fn release(&mut self) -> Result<(), VictimError> {
        for (victim, _) in &mut self.all {
            let pid = victim.pid();
            victim.release().map_err(|e| VictimError::Release {
                pid,
                reason: reason(&e),
            })?;
        }
        Ok(())
    }

    /// What to wait on, by number.
    pub fn fds(&self) -> impl Iterator<Item = (usize, BorrowedFd<'_>)> {
        self.all.iter().enumerate().map(|(n, (v, _))| (n, v.fd()))
    }

    /// Notes that process `n` has ended; says how, once.
    pub fn ended(&mut self, n: usize) -> Option<Ended> {
        let (victim, alive) = self.all.get_mut(n)?;
        if !*alive || !victim.has_ended() {
            return None;
        }
        *alive = false;
        let status = victim.exit_status();
        Some(Ended {
            message: message(victim.pid(), status),
            well: status.is_none_or(|s| s.success()),
        })
    }

    /// The descriptor of process `n`.
    pub fn fd(&self, n: usize) -> Option<BorrowedFd<'_>> {
        self.all.get(n).map(|(v, _)| v.fd())
    }

    /// Whether there were any and all have ended.
    pub fn all_gone(&self) -> bool {
        !self.all.is_empty() && self.all.iter().all(|(_, alive)| !alive)
    }
}

impl Drop for Victims {
    fn drop(&mut self) {
        for (victim, _) in &mut self.all {
            // What was never let run must not run because tracing failed.
            victim.kill();
            // What was started to be traced does not outlive tracing.
            victim.terminate();
        }
    }
}

fn take(target: &Target, options: &Options) -> Result<Victim, VictimError> {
    match target {
        Target::Pid(pid) => Victim::watch(*pid).map_err(|e| VictimError::Grab {
            pid: *pid,
            reason: reason(&e),
        }),
        Target::Command(command) => {
            let words = words(command).ok_or_else(|| VictimError::Words(command.clone()))?;
            spawn(&words, command, options)
        }
        Target::Words(words) => {
            let name = words.first().map(|w| w.to_string_lossy().into_owned());
            spawn(words, &name.unwrap_or_default(), options)
        }
    }
}

fn spawn<S: AsRef<OsStr>>(
    words: &[S],
    command: &str,
    options: &Options,
) -> Result<Victim, VictimError> {
    let environment = environment(options);
    Victim::spawn_with(words, environment.as_deref()).map_err(|e| VictimError::Execute {
        command: command.to_owned(),
        reason: reason(&e),
    })
}

/// The environment of commands, if `-x setenv` and `-x unsetenv` change it; the later one counts.
fn environment(options: &Options) -> Option<Vec<OsString>> {
    let changes = options.lists(&[Opt::Setenv, Opt::Unsetenv]);
    let mut all: Option<Vec<(OsString, OsString)>> = None;
    for (opt, value) in changes {
        let all = all.get_or_insert_with(|| std::env::vars_os().collect());
        let (name, text) = match value.split_once('=') {
            Some((name, text)) => (name, text),
            None => (value, ""),
        };
        all.retain(|(own, _)| own != name);
        if opt == Opt::Setenv {
            all.push((name.into(), text.into()));
        }
    }
    let joined = |(name, text): (OsString, OsString)| {
        let mut whole = name;
        whole.push("=");
        whole.push(text);
        whole
    };
    all.map(|all| all.into_iter().map(joined).collect())
}

/// How a process ended, as `dtrace` says it.
fn message(pid: i32, status: Option<ExitStatus>) -> String {
    match status {
        Some(s) => match (s.signal(), s.code()) {
            (Some(signal), _) => format!("pid {pid} terminated by {}", signal_name(signal)),
            (None, Some(code)) if code != 0 => format!("pid {pid} exited with status {code}"),
            (None, _) => format!("pid {pid} has exited"),
        },
        None => format!("pid {pid} has exited"),
    }
}

/// Names of signals by number (Linux, all architectures we run on).
fn signal_name(signal: i32) -> String {
    const NAMES: [&str; 31] = [
        "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2",
        "PIPE", "ALRM", "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU", "URG",
        "XCPU", "XFSZ", "VTALRM", "PROF", "WINCH", "IO", "PWR", "SYS",
    ];
    let name = usize::try_from(signal - 1).ok().and_then(|n| NAMES.get(n));
    name.map_or_else(|| format!("signal {signal}"), |n| format!("SIG{n}"))
}

/// Splits a command at blanks; quotes hold words together, a backslash takes the next character as it is.
fn words(command: &str) -> Option<Vec<String>> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    let mut chars = command.chars();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(q), c) if c == q => quote = None,
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None | Some('"'), '\\') => word
                .get_or_insert_default()
                .push(chars.next().unwrap_or('\\')),
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    (quote.is_none() && !words.is_empty()).then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::opts::Setter;

    #[test]
    fn commands_are_split() {
        let split = |c| words(c).unwrap_or_default();
        assert_eq!(split("ls  -l /"), ["ls", "-l", "/"]);
        assert_eq!(
            split(r#"sh -c 'echo "a b"' x\ y """#),
            ["sh", "-c", "echo \"a b\"", "x y", ""]
        );
        assert_eq!(words("echo 'open"), None);
        assert_eq!(words("  "), None);
    }

    #[test]
    fn ends_are_told_as_dtrace_tells_them() {
        assert_eq!(
            message(7, Some(ExitStatus::from_raw(0))),
            "pid 7 has exited"
        );
        assert_eq!(
            message(7, Some(ExitStatus::from_raw(3 << 8))),
            "pid 7 exited with status 3"
        );
        assert_eq!(
            message(7, Some(ExitStatus::from_raw(9))),
            "pid 7 terminated by SIGKILL"
        );
        assert_eq!(message(7, None), "pid 7 has exited");
        assert_eq!(signal_name(40), "signal 40");
    }

    #[test]
    fn environment_of_commands() {
        let mut options = Options::default();
        assert!(environment(&options).is_none());
        options
            .set("setenv", Some("A=1"), Setter::CommandLine)
            .expect("an option");
        options
            .set("unsetenv", Some("B"), Setter::CommandLine)
            .expect("an option");
        let all = environment(&options).unwrap_or_default();
        assert!(all.contains(&"A=1".into()) && all.len() > 1);
        options
            .set("unsetenv", Some("A"), Setter::CommandLine)
            .expect("an option");
        let all = environment(&options).unwrap_or_default();
        assert!(!all.is_empty() && !all.contains(&"A=1".into()));
    }

    #[test]
    fn missing_commands_and_processes_are_named() {
        let options = Options::default();
        let take = |t: Target| {
            Victims::take(&[t], &options)
                .err()
                .map(|e| e.to_string())
                .unwrap_or_default()
        };
        assert_eq!(
            take(Target::Command("/no/such x".into())),
            "failed to execute /no/such x: No such file or directory"
        );
        assert!(take(Target::Pid(i32::MAX)).starts_with("failed to grab pid 2147483647: "));
    }
}

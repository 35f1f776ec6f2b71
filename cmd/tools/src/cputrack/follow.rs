//! The course of a run of cputrack: what the kernel tells of the threads, in the order in which it happens.

use super::track::Tracker;
use crate::run;
use crate::tool::Stop;
use crate::wait::{Waits, Woken};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::Write as _;
use std::time::{Duration, Instant};
use sys::SysError;
use sys::tracee::{Change, Following};
use sys::victim::Victim;

/// Bytes of a command line that are shown.
const SHOWN: usize = 80;
/// How often threads of a process are looked for that begin meanwhile.
const LOOKS: usize = 1000;

/// How long the end of an interrupted command is waited for.
const LAST: Duration = Duration::from_millis(250);

/// What is followed.
pub enum Target<'a> {
    /// A command, to be started.
    Command(&'a [OsString]),
    /// A process that runs.
    Process(i32),
}

/// A run.
pub struct Course<'a> {
    waits: Waits,
    following: Following,
    /// What keeps a started command.
    victim: Option<Victim>,
    output: Option<File>,
    interval: Duration,
    begun: Instant,
    say: &'a dyn Fn(&str),
}

fn failed(e: SysError) -> Stop {
    Stop::Failed(e.to_string())
}

/// A field of /proc/TID/status that is a number.
fn status(tid: i32, field: &str) -> Option<i32> {
    let text = fs::read_to_string(format!("/proc/{tid}/status")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(field))?;
    line.trim().parse().ok()
}

/// The process of a thread.
fn process_of(tid: i32) -> Option<i32> {
    status(tid, "Tgid:")
}

/// Whether a thread is no more, or only its number is.
fn has_ended(tid: i32) -> bool {
    let text = fs::read_to_string(format!("/proc/{tid}/status")).unwrap_or_default();
    let mut lines = text.lines();
    let state = lines.find_map(|line| line.strip_prefix("State:"));
    state.is_none_or(|state| state.trim_start().starts_with(['Z', 'X']))
}

/// Whether this process traces a thread.
fn is_ours(tid: i32) -> bool {
    status(tid, "TracerPid:") == Some(std::process::id() as i32)
}

/// The command line of a process, or the start of it.
fn program(pid: i32) -> String {
    let words = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    let text = String::from_utf8_lossy(&words).replace('\0', " ");
    text.trim_end().chars().take(SHOWN).collect()
}

/// Threads of a process.
fn threads(pid: i32) -> Vec<i32> {
    let entries = fs::read_dir(format!("/proc/{pid}/task"));
    let entries = entries.into_iter().flatten().flatten();
    entries
        .filter_map(|e| e.file_name().to_str()?.parse().ok())
        .collect()
}

impl<'a> Course<'a> {
    /// Nothing is followed yet.
    pub fn new(
        output: &Option<String>,
        interval: Duration,
        say: &'a dyn Fn(&str),
    ) -> Result<Course<'a>, Stop> {
        let create = |path: &String| {
            let why = |e: std::io::Error| {
                format!("cannot open '{path}' for writing: {}", session::plain(&e))
            };
            File::create(path).map_err(|e| Stop::Failed(why(e)))
        };
        Ok(Course {
            output: output.as_ref().map(create).transpose()?,
            waits: Waits::new(true)?,
            following: Following::default(),
            victim: None,
            interval,
            begun: Instant::now(),
            say,
        })
    }

    fn write(&mut self, text: &str) -> Result<(), Stop> {
        match &mut self.output {
            Some(file) => file.write_all(text.as_bytes()).map_err(|e| {
                Stop::Failed(format!("failed to write output: {}", session::plain(&e)))
            }),
            None if text.is_empty() => Ok(()),
            None => run::print(text).map_err(|e| Stop::Failed(e.to_string())),
        }
    }

    fn flush(&mut self, tracker: &mut Tracker<'_>) -> Result<(), Stop> {
        let text = tracker.take();
        self.write(&text)?;
        tracker
            .complaints
            .drain(..)
            .for_each(|line| (self.say)(&line));
        Ok(())
    }

    /// Starts or finds what is to be followed.
    pub fn begin(
        &mut self,
        target: Target<'_>,
        titles: &str,
        tracker: &mut Tracker<'_>,
    ) -> Result<(), Stop> {
        match target {
            Target::Command(words) => {
                let shown = words
                    .first()
                    .map(|w| w.to_string_lossy())
                    .unwrap_or_default();
                let why = |e: SysError| {
                    let reason = sys::error::text(e.errno);
                    Stop::Failed(format!("failed to start program '{shown}': {reason}"))
                };
                let mut victim = Victim::spawn(words).map_err(why)?;
                if !victim.is_stopped() {
                    victim.kill();
                    let why = "ptrace(2), by which processes are followed, is forbidden here";
                    return Err(Stop::Failed(why.to_owned()));
                }
                self.enter(titles)?;
                let pid = victim.pid();
                tracker.process(pid);
                tracker.thread(Duration::ZERO, (pid, pid), false);
                self.following.release(&mut victim).map_err(failed)?;
                self.victim = Some(victim);
            }
            Target::Process(pid) => {
                self.capture(pid)?;
                self.enter(titles)?;
                tracker.process(pid);
                for tid in threads(pid)
                    .into_iter()
                    .filter(|tid| self.following.follows(*tid))
                {
                    tracker.thread(self.begun.elapsed(), (pid, tid), false);
                }
            }
        }
        self.flush(tracker)
    }

    fn enter(&mut self, titles: &str) -> Result<(), Stop> {
        // After the command was started, which has the limit that it would have had.
        sys::proc::make_room_for_files(u64::MAX);
        self.begun = Instant::now();
        self.write(titles)
    }

    /// Follows all threads of a process. New ones of those are followed anyway; those that others make meanwhile are looked for.
    fn capture(&mut self, pid: i32) -> Result<(), Stop> {
        let why = |errno: i32| {
            let hint = match errno {
                sys::errno::EPERM => {
                    "; it is the kernel's, or a debugger or another cputrack follows it"
                }
                _ => "",
            };
            let reason = sys::error::text(errno);
            Stop::Failed(format!("failed to capture pid {pid}: {reason}{hint}"))
        };
        if process_of(pid) != Some(pid) {
            return Err(why(sys::errno::ESRCH));
        }
        let mut gone = Vec::new();
        for _ in 0..LOOKS {
            let mut new = threads(pid);
            new.retain(|tid| !self.following.follows(*tid) && !gone.contains(tid));
            if new.is_empty() {
                break;
            }
            for tid in new {
                match self.following.seize(tid) {
                    Ok(()) => {}
                    // It has ended, perhaps as the first of several, or one that is followed already has made it.
                    Err(_) if has_ended(tid) || is_ours(tid) => gone.push(tid),
                    Err(e) => return Err(why(e.errno)),
                }
            }
        }
        match threads(pid).iter().any(|tid| self.following.follows(*tid)) {
            true => Ok(()),
            false => Err(why(sys::errno::ESRCH)),
        }
    }

    /// Follows until everything has ended, enough was seen, or the user interrupts.
    pub fn run(&mut self, tracker: &mut Tracker<'_>) -> Result<(), Stop> {
        let mut due = (!self.interval.is_zero()).then(|| self.begun + self.interval);
        loop {
            self.changes(tracker)?;
            if tracker.is_empty() {
                return Ok(());
            }
            match self.waits.until(due)? {
                Woken::Child => continue,
                Woken::Interrupted => return self.interrupted(tracker),
                Woken::Due => {}
            }
            tracker.tick(self.begun.elapsed());
            self.flush(tracker)?;
            let now = Instant::now();
            // Intervals that nobody had time for are left out.
            while due.is_some_and(|due| due <= now) {
                due = due.map(|due| due + self.interval);
            }
        }
    }

    /// A terminal interrupts a command too: its end is waited for, a moment.
    fn interrupted(&mut self, tracker: &mut Tracker<'_>) -> Result<(), Stop> {
        let until = Instant::now() + LAST;
        while self.victim.is_some() && Instant::now() < until {
            self.changes(tracker)?;
            if tracker.is_empty() {
                return Ok(());
            }
            std::thread::sleep(LAST / 50);
        }
        tracker.tick(self.begun.elapsed());
        self.flush(tracker)
    }

    /// Takes all that has happened.
    fn changes(&mut self, tracker: &mut Tracker<'_>) -> Result<(), Stop> {
        while let Some(change) = self.following.poll().map_err(failed)? {
            self.take(change, tracker)?;
            self.flush(tracker)?;
        }
        Ok(())
    }

    fn take(&mut self, change: Change, tracker: &mut Tracker<'_>) -> Result<(), Stop> {
        let time = self.begun.elapsed();
        match change {
            Change::Ended(tid) => {
                tracker.ended(time, tid);
                Ok(())
            }
            Change::Begun(tid) => {
                let known = match process_of(tid) {
                    Some(pid) if tracker.follows(pid) => {
                        tracker.thread(time, (pid, tid), true);
                        true
                    }
                    Some(pid) if pid == tid && tracker.follows_forks() => {
                        tracker.process(pid);
                        tracker.thread(time, (pid, tid), false);
                        true
                    }
                    Some(_) | None => false,
                };
                self.go_on(tid, known)
            }
            Change::Made { tid, child } => {
                let pid = tracker.process_of(tid);
                if let (Some(pid), Some(new)) = (pid, process_of(child))
                    && new != pid
                {
                    tracker.forked(time, (pid, tid), child);
                }
                self.go_on(tid, pid.is_some())
            }
            Change::Executes { tid, former } => {
                let follows = tracker.executes(time, (tid, former), &program(tid));
                self.go_on(tid, follows)
            }
        }
    }

    fn go_on(&mut self, tid: i32, known: bool) -> Result<(), Stop> {
        match known {
            true => self.following.go(tid),
            false => self.following.leave(tid),
        }
        .map_err(failed)
    }
}

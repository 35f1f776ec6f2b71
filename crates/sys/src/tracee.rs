//! Following processes with `ptrace(2)`: threads that begin, children, programs, ends.
//!
//! A thread that begins is stopped before its first instruction, and one that runs another program before that one's first,
//! so that whoever follows can look in time. Signals are handed over, stopped processes stay stopped. When the follower
//! dies, all that it followed runs on.

use std::collections::HashMap;
use std::marker::PhantomData;

use crate::error::SysError;
use crate::seam;
use crate::victim::{self, Victim};

const OPTIONS: i32 = libc::PTRACE_O_TRACECLONE
    | libc::PTRACE_O_TRACEFORK
    | libc::PTRACE_O_TRACEVFORK
    | libc::PTRACE_O_TRACEEXEC;
/// `PTRACE_LISTEN`.
const LISTEN: usize = 0x4208;
/// `PTRACE_EVENT_STOP`.
const EVENT_STOP: i32 = 128;

/// What happened to a thread that is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// It has begun, and is stopped.
    Begun(i32),
    /// It has made another thread or process, and is stopped.
    Made {
        /// The thread.
        tid: i32,
        /// What it made.
        child: i32,
    },
    /// It runs another program, and is stopped; all other threads of its process are gone.
    Executes {
        /// Its number now, which is that of the process.
        tid: i32,
        /// Its number before.
        former: i32,
    },
    /// It is gone.
    Ended(i32),
}

/// Threads that are followed; by the thread that began to.
#[derive(Debug, Default)]
pub struct Following {
    /// Whether each is stopped because its whole process is.
    known: HashMap<i32, bool>,
    _thread: PhantomData<*const ()>,
}

fn request(name: &'static str, request: usize, tid: i32, data: usize) -> Result<(), SysError> {
    let args = [request, tid as usize, 0, data, 0, 0];
    // SAFETY: the requests used here take plain numbers, or a place for one that lives.
    unsafe { seam::call(name, libc::SYS_ptrace, args) }
        .map(drop)
        .map_err(|e| e.on(format!("thread {tid}")))
}

/// What an event of a stopped thread tells besides.
fn message(tid: i32) -> Result<i32, SysError> {
    let mut word: libc::c_ulong = 0;
    request(
        "ptrace(PTRACE_GETEVENTMSG)",
        libc::PTRACE_GETEVENTMSG as usize,
        tid,
        &raw mut word as usize,
    )?;
    Ok(word as i32)
}

/// The next change of any thread: its number and raw status.
fn waited() -> Result<Option<(i32, i32)>, SysError> {
    let mut status = 0i32;
    // What other threads started or trace is theirs.
    let flags = (libc::WNOHANG | libc::__WALL | libc::__WNOTHREAD) as usize;
    let args = [usize::MAX, &raw mut status as usize, flags, 0, 0, 0];
    // SAFETY: status is a live int; no resource usage is asked for.
    match unsafe { seam::call("wait4", libc::SYS_wait4, args) } {
        Ok(0) => Ok(None),
        Ok(tid) => Ok(Some((tid as i32, status))),
        Err(e) if e.errno == libc::ECHILD => Ok(None),
        Err(e) => Err(e),
    }
}

impl Following {
    /// Follows a command that waits for its release, and lets it run. It must be stopped ([`Victim::is_stopped`]).
    pub fn release(&mut self, victim: &mut Victim) -> Result<(), SysError> {
        let pid = victim.pid();
        request(
            "ptrace(PTRACE_SETOPTIONS)",
            libc::PTRACE_SETOPTIONS as usize,
            pid,
            OPTIONS as usize,
        )?;
        self.known.insert(pid, false);
        victim.release_to_tracer();
        self.go(pid)
    }

    /// Follows a running thread without stopping it.
    pub fn seize(&mut self, tid: i32) -> Result<(), SysError> {
        victim::seize(tid, OPTIONS)?;
        self.known.insert(tid, false);
        Ok(())
    }

    /// Whether a thread is followed.
    pub fn follows(&self, tid: i32) -> bool {
        self.known.contains_key(&tid)
    }

    /// Lets a stopped thread run on, unless its process is stopped.
    pub fn go(&mut self, tid: i32) -> Result<(), SysError> {
        match self.known.get(&tid) {
            Some(true) => request("ptrace(PTRACE_LISTEN)", LISTEN, tid, 0),
            Some(false) | None => victim::resume(tid, 0),
        }
        .or_else(gone)
    }

    /// Follows a stopped thread no longer and lets it run.
    pub fn leave(&mut self, tid: i32) -> Result<(), SysError> {
        self.known.remove(&tid);
        victim::detach(tid).or_else(gone)
    }

    /// The next thing that has happened; `None`: nothing yet (`SIGCHLD` tells when to ask again).
    pub fn poll(&mut self) -> Result<Option<Change>, SysError> {
        while let Some((tid, status)) = waited()? {
            if !libc::WIFSTOPPED(status) {
                self.known.remove(&tid);
                return Ok(Some(Change::Ended(tid)));
            }
            let (signal, event) = (libc::WSTOPSIG(status), status >> 16);
            match event {
                0 => victim::resume(tid, signal).or_else(gone)?,
                libc::PTRACE_EVENT_CLONE | libc::PTRACE_EVENT_FORK | libc::PTRACE_EVENT_VFORK => {
                    // Killed meanwhile: its end is told next.
                    let Ok(child) = message(tid) else { continue };
                    return Ok(Some(Change::Made { tid, child }));
                }
                libc::PTRACE_EVENT_EXEC => {
                    let Ok(former) = message(tid) else { continue };
                    self.known.remove(&former);
                    self.known.insert(tid, false);
                    return Ok(Some(Change::Executes { tid, former }));
                }
                EVENT_STOP => {
                    let whole = signal != libc::SIGTRAP;
                    if self.known.insert(tid, whole).is_none() {
                        return Ok(Some(Change::Begun(tid)));
                    }
                    self.go(tid)?;
                }
                _ => self.go(tid)?,
            }
        }
        Ok(None)
    }
}

/// A thread that was killed while it was stopped is no failure.
fn gone(e: SysError) -> Result<(), SysError> {
    if e.errno == libc::ESRCH {
        Ok(())
    } else {
        Err(e)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    /// What happens until all are gone.
    fn course(argv: &[&str]) -> Result<Vec<Change>, SysError> {
        let mut following = Following::default();
        let mut victim = Victim::spawn(argv)?;
        following.release(&mut victim)?;
        let mut changes = Vec::new();
        for _ in 0..2000 {
            while let Some(change) = following.poll()? {
                changes.push(change);
                match change {
                    Change::Begun(tid)
                    | Change::Made { tid, .. }
                    | Change::Executes { tid, .. } => {
                        following.go(tid)?;
                    }
                    Change::Ended(_) if following.known.is_empty() => return Ok(changes),
                    Change::Ended(_) => {}
                }
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        Err(SysError::new("wait4", libc::ETIMEDOUT))
    }

    #[test]
    fn children_programs_and_ends_are_told() -> Result<(), SysError> {
        let changes = course(&["sh", "-c", "(exit 3); kill -WINCH $$; exec true"])?;
        let has = |what: &dyn Fn(&Change) -> bool| changes.iter().filter(|c| what(c)).count();
        assert_eq!(has(&|c| matches!(c, Change::Begun(_))), 1, "{changes:?}");
        assert_eq!(has(&|c| matches!(c, Change::Made { .. })), 1, "{changes:?}");
        assert_eq!(
            has(&|c| matches!(c, Change::Executes { .. })),
            1,
            "{changes:?}"
        );
        assert_eq!(has(&|c| matches!(c, Change::Ended(_))), 2, "{changes:?}");
        Ok(())
    }
}

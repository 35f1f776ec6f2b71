//! Processes that are started or watched for tracing.
//!
//! A command is started under `ptrace(2)` and stops right after its `execve`, before its first instruction; it runs
//! when it is released. `PTRACE_O_EXITKILL` holds until then: a command that was to be traced does not run untraced
//! because its tracer died. Where ptrace is forbidden, the command waits before its `execve` instead.
//!
//! ptrace belongs to a thread: a [`Victim`] stays on the one that started it.

use std::ffi::{CString, OsStr, OsString};
use std::io::{Read, Write};
use std::marker::PhantomData;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

use crate::error::SysError;
use crate::{event, seam};

const PTRACE_GETREGS: usize = 12;
const PTRACE_SETREGS: usize = 13;
/// Index in `struct user_regs_struct`.
const ORIG_RAX: usize = 15;
const EVENT_EXEC: i32 = libc::SIGTRAP | libc::PTRACE_EVENT_EXEC << 8;

/// How a process is held.
#[derive(Debug)]
enum Hold {
    /// Stopped by ptrace after `execve`.
    Stopped,
    /// Waiting for a byte before `execve`; the second pipe tells if that fails.
    Waiting {
        go: std::io::PipeWriter,
        failed: std::io::PipeReader,
    },
    /// Running.
    Free,
    /// It ended while it was held.
    Ended(i32),
}

/// A process that is being traced as a whole.
#[derive(Debug)]
pub struct Victim {
    pid: i32,
    pidfd: OwnedFd,
    child: bool,
    hold: Hold,
    name: String,
    _thread: PhantomData<*const ()>,
}

impl Victim {
    /// Starts a command; it waits for [`Victim::release`].
    pub fn spawn<S: AsRef<OsStr>>(argv: &[S]) -> Result<Victim, SysError> {
        Victim::spawn_with(argv, None)
    }

    /// The same with an environment (`NAME=value`) instead of this process's own.
    pub fn spawn_with<S: AsRef<OsStr>>(
        argv: &[S],
        environment: Option<&[OsString]>,
    ) -> Result<Victim, SysError> {
        let name = argv
            .first()
            .map_or_else(String::new, |a| a.as_ref().to_string_lossy().into_owned());
        let strings = argv
            .iter()
            .map(|a| CString::new(a.as_ref().as_bytes()))
            .collect::<Result<Vec<_>, _>>();
        let strings = strings.map_err(|_| SysError::new("execvp", libc::EINVAL).on(&name))?;
        if strings.is_empty() {
            return Err(SysError::new("execvp", libc::ENOENT).on("an empty command"));
        }
        let pointers = pointers(&strings);
        let variables: Option<Vec<CString>> = environment.map(|all| {
            let strings = all.iter().map(|v| CString::new(v.as_bytes()));
            strings.filter_map(Result::ok).collect()
        });
        let variables = variables.as_deref().map(self::pointers);
        let (wait, go) = pipe()?;
        let (failed, report) = pipe()?;
        // SAFETY: the child makes only system calls on what was prepared above, then execs or exits.
        let pid = unsafe {
            seam::call(
                "clone",
                libc::SYS_clone,
                [libc::SIGCHLD as usize, 0, 0, 0, 0, 0],
            )
        }
        .map_err(|e| e.on(&name))? as i32;
        if pid == 0 {
            child(
                &pointers,
                variables.as_deref(),
                wait.as_raw_fd(),
                go.as_raw_fd(),
                report.as_raw_fd(),
            );
        }
        drop((wait, report));
        let pidfd = event::pidfd(pid)?;
        let hold = Hold::Waiting { go, failed };
        let mut victim = Victim {
            pid,
            pidfd,
            child: true,
            hold,
            name,
            _thread: PhantomData,
        };
        if seize(pid, libc::PTRACE_O_TRACEEXEC | libc::PTRACE_O_EXITKILL).is_ok() {
            victim.exec()?;
            victim.reach_exec()?;
            victim.hold = Hold::Stopped;
        }
        Ok(victim)
    }

    /// Watches a running process without stopping it.
    pub fn watch(pid: i32) -> Result<Victim, SysError> {
        let pidfd = event::pidfd(pid)?;
        let name = format!("process {pid}");
        Ok(Victim {
            pid,
            pidfd,
            child: false,
            hold: Hold::Free,
            name,
            _thread: PhantomData,
        })
    }

    /// Process id.
    pub fn pid(&self) -> i32 {
        self.pid
    }

    /// Becomes readable when the process ends.
    pub fn fd(&self) -> BorrowedFd<'_> {
        self.pidfd.as_fd()
    }

    /// Lets the process run.
    pub fn release(&mut self) -> Result<(), SysError> {
        match self.hold {
            Hold::Stopped => detach(self.pid)?,
            Hold::Waiting { .. } => self.exec()?,
            Hold::Free => {}
            Hold::Ended(_) => return Ok(()),
        }
        self.hold = Hold::Free;
        Ok(())
    }

    /// It stays traced, by who lets it run from now on.
    pub(crate) fn release_to_tracer(&mut self) {
        self.hold = Hold::Free;
    }

    /// Whether it is stopped by ptrace, so that [`Victim::run_until`] can let it run and stop again.
    pub fn is_stopped(&self) -> bool {
        matches!(self.hold, Hold::Stopped)
    }

    /// Lets a stopped command run until this signal comes, which is then forgotten; all others are handed over. False: it
    /// has ended instead.
    pub fn run_until(&mut self, signal: i32) -> Result<bool, SysError> {
        if !self.is_stopped() {
            return Err(SysError::new("ptrace(PTRACE_CONT)", libc::ESRCH).on(&self.name));
        }
        let mut pass = 0;
        loop {
            resume(self.pid, pass)?;
            let Some(status) = wait(self.pid, libc::__WALL)? else {
                continue;
            };
            if !libc::WIFSTOPPED(status) {
                self.hold = Hold::Ended(status);
                return Ok(false);
            }
            pass = match (libc::WSTOPSIG(status), status >> 16) {
                (own, 0) if own == signal => return Ok(true),
                (other, 0) => other,
                // An event (exec, a group stop) is no signal.
                (_, _) => 0,
            };
        }
    }

    /// Sets the registers of a stopped command to what they were at a probe (words of `struct pt_regs`), so that the
    /// instruction there runs again. Does nothing on other architectures than x86-64.
    pub fn rewind(&self, words: &[u64]) -> Result<(), SysError> {
        if !self.is_stopped() || cfg!(not(target_arch = "x86_64")) {
            return Ok(());
        }
        // struct user_regs_struct begins with the words of struct pt_regs (arch/x86/include/asm/user_64.h).
        let mut registers = [0u64; 27];
        registers_of(
            "ptrace(PTRACE_GETREGS)",
            PTRACE_GETREGS,
            self.pid,
            &mut registers,
        )?;
        for (to, from) in registers.iter_mut().zip(words.iter().take(21)) {
            *to = *from;
        }
        // Not in a system call: nothing is to be restarted.
        registers[ORIG_RAX] = u64::MAX;
        registers_of(
            "ptrace(PTRACE_SETREGS)",
            PTRACE_SETREGS,
            self.pid,
            &mut registers,
        )
    }

    /// Ends a command that has not been released; does nothing to other processes.
    pub fn kill(&mut self) {
        if !self.child || matches!(self.hold, Hold::Free | Hold::Ended(_)) {
            return;
        }
        let args = [self.pid as usize, libc::SIGKILL as usize, 0, 0, 0, 0];
        // SAFETY: plain numbers; the child has not been waited for, so the number is still its own.
        let _gone_already = unsafe { seam::call("kill", libc::SYS_kill, args) };
        let _gone_already = wait(self.pid, libc::__WALL);
        self.hold = Hold::Free;
    }

    /// Asks a started command that still runs to end (SIGTERM); does nothing to other processes.
    pub fn terminate(&self) {
        if !self.child || !matches!(self.hold, Hold::Free) {
            return;
        }
        let pidfd = self.pidfd.as_raw_fd() as usize;
        let args = [pidfd, libc::SIGTERM as usize, 0, 0, 0, 0];
        // SAFETY: an open pidfd, plain numbers, and no siginfo_t.
        let _gone_already =
            unsafe { seam::call("pidfd_send_signal", libc::SYS_pidfd_send_signal, args) };
    }

    /// Lets the child go into `execve`; returns when that has succeeded or failed.
    fn exec(&mut self) -> Result<(), SysError> {
        let Hold::Waiting { go, failed } = &mut self.hold else {
            return Ok(());
        };
        let mut errno = [0; 4];
        // A child that is gone answers with the end of the pipe too.
        let told = go
            .write_all(b"!")
            .and_then(|()| failed.read_exact(&mut errno));
        match told {
            Ok(()) => {
                self.exit_status();
                Err(SysError::new("execvp", i32::from_ne_bytes(errno)).on(&self.name))
            }
            Err(_) => Ok(()),
        }
    }

    fn reach_exec(&self) -> Result<(), SysError> {
        loop {
            match wait(self.pid, libc::__WALL)? {
                Some(status) if libc::WIFSTOPPED(status) && status >> 8 == EVENT_EXEC => {
                    return Ok(());
                }
                // A signal meant for the command: hand it over.
                Some(status) if libc::WIFSTOPPED(status) => {
                    resume(self.pid, libc::WSTOPSIG(status))?
                }
                Some(_) | None => {
                    return Err(SysError::new("execvp", libc::ESRCH)
                        .on(format!("{}: ended too early", self.name)));
                }
            }
        }
    }

    /// How a started command ended; `None` while it runs, and for processes that are not children.
    pub fn exit_status(&self) -> Option<ExitStatus> {
        if !self.child {
            return None;
        }
        if let Hold::Ended(status) = self.hold {
            return Some(ExitStatus::from_raw(status));
        }
        wait(self.pid, libc::WNOHANG)
            .ok()
            .flatten()
            .map(ExitStatus::from_raw)
    }

    /// Whether the process has ended.
    pub fn has_ended(&self) -> bool {
        let mut poll = libc::pollfd {
            fd: self.pidfd.as_raw_fd(),
            events: libc::POLLIN,
            revents: 0,
        };
        // SAFETY: one live pollfd, no waiting.
        unsafe { libc::poll(&mut poll, 1, 0) > 0 }
    }
}

impl Drop for Victim {
    fn drop(&mut self) {
        let _gone_already = self.release();
    }
}

/// Pointers to strings, with a null pointer at the end.
fn pointers(strings: &[CString]) -> Vec<*const libc::c_char> {
    let pointers = strings.iter().map(|s| s.as_ptr());
    pointers.chain([std::ptr::null()]).collect()
}

fn pipe() -> Result<(std::io::PipeReader, std::io::PipeWriter), SysError> {
    std::io::pipe().map_err(|e| SysError::new("pipe2", e.raw_os_error().unwrap_or(libc::EMFILE)))
}

/// The child: waits for the word, undoes what the tracer did to its signals, becomes the command.
fn child(
    argv: &[*const libc::c_char],
    environment: Option<&[*const libc::c_char]>,
    wait: i32,
    go: i32,
    report: i32,
) -> ! {
    // SAFETY: only async-signal-safe calls, on live buffers; argv ends with a null pointer.
    unsafe {
        // Our own copy of the writing end must not keep the pipe open if the tracer dies.
        libc::close(go);
        let mut byte = 0u8;
        if libc::read(wait, (&raw mut byte).cast(), 1) == 0 {
            // The tracer died before it could hold us.
            libc::_exit(1);
        }
        let mut none: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&mut none);
        libc::sigprocmask(libc::SIG_SETMASK, &none, std::ptr::null_mut());
        libc::signal(libc::SIGPIPE, libc::SIG_DFL);
        if let Some(program) = argv.first() {
            match environment {
                Some(all) => libc::execvpe(*program, argv.as_ptr(), all.as_ptr()),
                None => libc::execvp(*program, argv.as_ptr()),
            };
        }
        let errno = seam::last_errno();
        libc::write(report, (&raw const errno).cast(), 4);
        libc::_exit(127)
    }
}

fn ptrace(name: &'static str, request: usize, pid: i32, data: usize) -> Result<(), SysError> {
    // SAFETY: the requests used here take plain numbers.
    unsafe {
        seam::call(
            name,
            libc::SYS_ptrace,
            [request, pid as usize, 0, data, 0, 0],
        )
    }
    .map(drop)
    .map_err(|e| e.on(format!("process {pid}")))
}

/// Reads or writes `struct user_regs_struct` of a stopped thread.
fn registers_of(
    name: &'static str,
    request: usize,
    tid: i32,
    registers: &mut [u64; 27],
) -> Result<(), SysError> {
    let at = registers.as_mut_ptr() as usize;
    // SAFETY: the array is live and has the size of the structure.
    unsafe { seam::call(name, libc::SYS_ptrace, [request, tid as usize, 0, at, 0, 0]) }
        .map(drop)
        .map_err(|e| e.on(format!("process {tid}")))
}

/// Starts tracing a running thread without stopping it; `options` are `PTRACE_O_*`.
pub fn seize(tid: i32, options: i32) -> Result<(), SysError> {
    ptrace(
        "ptrace(PTRACE_SEIZE)",
        libc::PTRACE_SEIZE as usize,
        tid,
        options as usize,
    )
}

/// Stops a seized thread; [`wait`] tells when it has.
pub fn interrupt(tid: i32) -> Result<(), SysError> {
    ptrace(
        "ptrace(PTRACE_INTERRUPT)",
        libc::PTRACE_INTERRUPT as usize,
        tid,
        0,
    )
}

/// Lets a stopped thread run on, with a signal (0: none).
pub fn resume(tid: i32, signal: i32) -> Result<(), SysError> {
    ptrace(
        "ptrace(PTRACE_CONT)",
        libc::PTRACE_CONT as usize,
        tid,
        signal as usize,
    )
}

/// Stops tracing a stopped thread and lets it run.
pub fn detach(tid: i32) -> Result<(), SysError> {
    ptrace(
        "ptrace(PTRACE_DETACH)",
        libc::PTRACE_DETACH as usize,
        tid,
        0,
    )
}

/// Waits for a change of a child or traced thread; its raw status, `None` if `WNOHANG` was given and there is none.
pub fn wait(tid: i32, flags: i32) -> Result<Option<i32>, SysError> {
    loop {
        let mut status = 0i32;
        let args = [
            tid as usize,
            &raw mut status as usize,
            flags as usize,
            0,
            0,
            0,
        ];
        // SAFETY: status is a live int; no resource usage is asked for.
        match unsafe { seam::call("wait4", libc::SYS_wait4, args) } {
            Ok(0) => return Ok(None),
            Ok(_) => return Ok(Some(status)),
            Err(e) if e.errno == libc::EINTR => {}
            Err(e) => return Err(e),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn ended(victim: &Victim) -> Option<ExitStatus> {
        let epoll = event::Epoll::new().ok()?;
        epoll.add(victim.fd(), 1).ok()?;
        epoll.wait(Some(Duration::from_secs(10))).ok()?;
        victim.exit_status()
    }

    #[test]
    fn a_command_waits_until_it_is_released() -> Result<(), SysError> {
        let mut victim = Victim::spawn(&["sh", "-c", "exit 3"])?;
        let comm =
            std::fs::read_to_string(format!("/proc/{}/comm", victim.pid())).unwrap_or_default();
        assert_eq!(comm, "sh\n", "stopped after exec");
        assert!(!victim.has_ended() && victim.exit_status().is_none());
        victim.release()?;
        assert_eq!(ended(&victim).and_then(|s| s.code()), Some(3));
        assert!(victim.has_ended());
        Ok(())
    }

    #[test]
    fn a_held_command_never_runs_when_its_tracer_dies() -> Result<(), SysError> {
        // The tracer is the thread that seized, so the end of a thread is the death of a tracer.
        let spawned = std::thread::spawn(|| {
            let victim = Victim::spawn(&["sh", "-c", "exit 5"])?;
            let pid = victim.pid();
            std::mem::forget(victim);
            Ok::<i32, SysError>(pid)
        });
        let pid = spawned
            .join()
            .unwrap_or(Err(SysError::new("thread", libc::EIO)))?;
        assert_eq!(
            wait(pid, 0)?.map(|s| ExitStatus::from_raw(s).signal()),
            Some(Some(libc::SIGKILL))
        );
        Ok(())
    }

    #[test]
    fn without_ptrace_it_waits_before_exec() -> Result<(), SysError> {
        let hook = |name: &'static str| name.starts_with("ptrace").then_some(libc::EPERM);
        let mut victim = seam::with_hook(Box::new(hook), || Victim::spawn(&["true"]))?;
        assert!(!victim.has_ended());
        victim.release()?;
        assert_eq!(ended(&victim).and_then(|s| s.code()), Some(0));
        Ok(())
    }

    #[test]
    fn a_command_that_is_not_wanted_never_runs() -> Result<(), SysError> {
        let path = std::env::temp_dir().join(format!("victim-{}", std::process::id()));
        let mut victim = Victim::spawn(&["touch", &path.to_string_lossy()])?;
        victim.kill();
        assert!(victim.has_ended() && !path.exists());
        Ok(())
    }

    #[test]
    fn a_missing_command_is_an_error() {
        let error = Victim::spawn(&["/no/such/command"]).err();
        assert_eq!(
            error.map(|e| e.to_string()).as_deref(),
            Some("execvp of /no/such/command failed: No such file or directory")
        );
        assert!(Victim::spawn::<&str>(&[]).is_err());
        assert!(Victim::spawn(&["a\0b"]).is_err());
    }
}

//! Descriptors to wait on: eventfd, timerfd, signalfd, pidfd, and epoll to wait on several.

use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::time::Duration;

use crate::error::SysError;
use crate::seam;

/// Makes a system call that returns a new descriptor.
///
/// # Safety
/// As [`seam::call`].
unsafe fn open(
    name: &'static str,
    nr: libc::c_long,
    args: [usize; 6],
) -> Result<OwnedFd, SysError> {
    // SAFETY: the caller vouches for the arguments.
    let fd = unsafe { seam::call(name, nr, args) }?;
    // SAFETY: the kernel returned a new descriptor that nobody else owns.
    Ok(unsafe { OwnedFd::from_raw_fd(fd as i32) })
}

/// Reads one u64 (eventfd, timerfd); `None` if there is nothing to read.
fn read_u64(name: &'static str, fd: BorrowedFd<'_>) -> Result<Option<u64>, SysError> {
    let mut value = 0u64;
    let args = [fd.as_raw_fd() as usize, &raw mut value as usize, 8, 0, 0, 0];
    // SAFETY: value has the 8 bytes asked for.
    match unsafe { seam::call(name, libc::SYS_read, args) } {
        Ok(_) => Ok(Some(value)),
        Err(e) if matches!(e.errno, libc::EAGAIN | libc::EINTR) => Ok(None),
        Err(e) => Err(e),
    }
}

/// A flag that another thread can wait on.
#[derive(Debug)]
pub struct Event(OwnedFd);

impl Event {
    /// An unset event.
    pub fn new() -> Result<Event, SysError> {
        let flags = (libc::EFD_CLOEXEC | libc::EFD_NONBLOCK) as usize;
        // SAFETY: plain numbers.
        unsafe { open("eventfd2", libc::SYS_eventfd2, [0, flags, 0, 0, 0, 0]) }.map(Event)
    }

    /// Sets it; whoever waits wakes up.
    pub fn set(&self) -> Result<(), SysError> {
        let one = 1u64;
        let args = [
            self.0.as_raw_fd() as usize,
            &raw const one as usize,
            8,
            0,
            0,
            0,
        ];
        // SAFETY: one has the 8 bytes written.
        unsafe { seam::call("write(eventfd)", libc::SYS_write, args) }.map(drop)
    }

    /// Unsets it.
    pub fn clear(&self) -> Result<(), SysError> {
        read_u64("read(eventfd)", self.0.as_fd()).map(drop)
    }

    /// To wait on.
    pub fn fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

/// A timer on the monotonic clock.
#[derive(Debug)]
pub struct Timer(OwnedFd);

impl Timer {
    /// A stopped timer.
    pub fn new() -> Result<Timer, SysError> {
        let flags = (libc::TFD_CLOEXEC | libc::TFD_NONBLOCK) as usize;
        let args = [libc::CLOCK_MONOTONIC as usize, flags, 0, 0, 0, 0];
        // SAFETY: plain numbers.
        unsafe { open("timerfd_create", libc::SYS_timerfd_create, args) }.map(Timer)
    }

    /// Fires first at `first_ns` of the monotonic clock, then every `period_ns` (0: never again).
    pub fn start(&self, first_ns: u64, period_ns: u64) -> Result<(), SysError> {
        let spec = libc::itimerspec {
            it_interval: timespec(period_ns),
            it_value: timespec(first_ns.max(1)),
        };
        let args = [
            self.0.as_raw_fd() as usize,
            libc::TFD_TIMER_ABSTIME as usize,
            &raw const spec as usize,
            0,
            0,
            0,
        ];
        // SAFETY: spec is a live itimerspec; the old setting is not asked for.
        unsafe { seam::call("timerfd_settime", libc::SYS_timerfd_settime, args) }.map(drop)
    }

    /// Expirations since the last call.
    pub fn expirations(&self) -> Result<u64, SysError> {
        Ok(read_u64("read(timerfd)", self.0.as_fd())?.unwrap_or(0))
    }

    /// To wait on.
    pub fn fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

fn timespec(ns: u64) -> libc::timespec {
    libc::timespec {
        tv_sec: (ns / 1_000_000_000) as i64,
        tv_nsec: (ns % 1_000_000_000) as i64,
    }
}

/// Signals taken from a descriptor instead of by handlers. The signals are blocked in the calling thread (and the
/// threads it starts later) for as long as this lives.
#[derive(Debug)]
pub struct Signals {
    fd: OwnedFd,
    old: u64,
}

fn signal_mask(how: i32, set: u64) -> Result<u64, SysError> {
    let mut old = 0u64;
    let args = [
        how as usize,
        &raw const set as usize,
        &raw mut old as usize,
        8,
        0,
        0,
    ];
    // SAFETY: both sets are 8 live bytes, as stated.
    unsafe { seam::call("rt_sigprocmask", libc::SYS_rt_sigprocmask, args) }?;
    Ok(old)
}

/// Lets no signal interrupt the calling thread: other threads take them.
pub fn block_all_signals() -> Result<(), SysError> {
    signal_mask(libc::SIG_BLOCK, u64::MAX).map(drop)
}

impl Signals {
    /// Takes over `signals` (by number).
    pub fn new(signals: &[i32]) -> Result<Signals, SysError> {
        let set = signals
            .iter()
            .filter(|s| (1..=64).contains(*s))
            .fold(0u64, |set, s| set | 1 << (s - 1));
        let flags = (libc::SFD_CLOEXEC | libc::SFD_NONBLOCK) as usize;
        let args = [usize::MAX, &raw const set as usize, 8, flags, 0, 0];
        // SAFETY: set is 8 live bytes, as stated.
        let fd = unsafe { open("signalfd4", libc::SYS_signalfd4, args) }?;
        let old = signal_mask(libc::SIG_BLOCK, set)?;
        Ok(Signals { fd, old })
    }

    /// The next pending signal's number, if there is one.
    pub fn next(&self) -> Result<Option<i32>, SysError> {
        let mut info = [0u8; 128];
        let args = [
            self.fd.as_raw_fd() as usize,
            info.as_mut_ptr() as usize,
            info.len(),
            0,
            0,
            0,
        ];
        // SAFETY: info has the 128 bytes of a signalfd_siginfo.
        match unsafe { seam::call("read(signalfd)", libc::SYS_read, args) } {
            Ok(_) => {
                let [a, b, c, d, ..] = info;
                Ok(Some(i32::from_ne_bytes([a, b, c, d])))
            }
            Err(e) if matches!(e.errno, libc::EAGAIN | libc::EINTR) => Ok(None),
            Err(e) => Err(e),
        }
    }

    /// To wait on.
    pub fn fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }
}

/// Ends the process as `signal` does by default, though it is blocked elsewhere.
pub fn die_of(signal: i32) -> Result<(), SysError> {
    signal_mask(libc::SIG_UNBLOCK, 1 << (signal - 1).clamp(0, 63))?;
    let pid = std::process::id() as usize;
    // SAFETY: plain numbers.
    unsafe { seam::call("kill", libc::SYS_kill, [pid, signal as usize, 0, 0, 0, 0]) }.map(drop)
}

impl Drop for Signals {
    fn drop(&mut self) {
        let _nothing_to_do_about_it = signal_mask(libc::SIG_SETMASK, self.old);
    }
}

/// A descriptor that becomes readable when the process ends.
pub fn pidfd(pid: i32) -> Result<OwnedFd, SysError> {
    // SAFETY: plain numbers.
    unsafe {
        open(
            "pidfd_open",
            libc::SYS_pidfd_open,
            [pid as usize, 0, 0, 0, 0, 0],
        )
    }
    .map_err(|e| e.on(format!("process {pid}")))
}

/// Waits on several descriptors, each with a token.
#[derive(Debug)]
pub struct Epoll(OwnedFd);

impl Epoll {
    /// Waits on nothing yet.
    pub fn new() -> Result<Epoll, SysError> {
        let flags = libc::EPOLL_CLOEXEC as usize;
        // SAFETY: plain numbers.
        unsafe {
            open(
                "epoll_create1",
                libc::SYS_epoll_create1,
                [flags, 0, 0, 0, 0, 0],
            )
        }
        .map(Epoll)
    }

    fn control(&self, op: i32, fd: BorrowedFd<'_>, token: u64) -> Result<(), SysError> {
        let event = libc::epoll_event {
            events: libc::EPOLLIN as u32,
            u64: token,
        };
        let args = [
            self.0.as_raw_fd() as usize,
            op as usize,
            fd.as_raw_fd() as usize,
            &raw const event as usize,
            0,
            0,
        ];
        // SAFETY: event is a live epoll_event.
        unsafe { seam::call("epoll_ctl", libc::SYS_epoll_ctl, args) }.map(drop)
    }

    /// Adds a descriptor; it must be removed or closed by its owner.
    pub fn add(&self, fd: BorrowedFd<'_>, token: u64) -> Result<(), SysError> {
        self.control(libc::EPOLL_CTL_ADD, fd, token)
    }

    /// Removes a descriptor.
    pub fn remove(&self, fd: BorrowedFd<'_>) -> Result<(), SysError> {
        self.control(libc::EPOLL_CTL_DEL, fd, 0)
    }

    /// Waits until one is readable, or for `timeout` (`None`: for ever). Returns the tokens of the readable ones; an
    /// interruption by a signal counts as a timeout.
    pub fn wait(&self, timeout: Option<Duration>) -> Result<Vec<u64>, SysError> {
        let mut events = [libc::epoll_event { events: 0, u64: 0 }; 16];
        // Rounded up: a wait must not end before its time and turn into a busy loop.
        let ms = timeout.map_or(-1, |t| {
            i32::try_from(t.as_nanos().div_ceil(1_000_000)).unwrap_or(i32::MAX)
        });
        let args = [
            self.0.as_raw_fd() as usize,
            events.as_mut_ptr() as usize,
            events.len(),
            ms as usize,
            0,
            8,
        ];
        // SAFETY: events has room for the stated number; no signal mask is given.
        match unsafe { seam::call("epoll_pwait", libc::SYS_epoll_pwait, args) } {
            Ok(count) => Ok(events.iter().take(count).map(|e| e.u64).collect()),
            Err(e) if e.errno == libc::EINTR => Ok(Vec::new()),
            Err(e) => Err(e),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::monotonic_ns;

    #[test]
    fn events_and_timers_wake_an_epoll() -> Result<(), SysError> {
        let (epoll, event, timer) = (Epoll::new()?, Event::new()?, Timer::new()?);
        epoll.add(event.fd(), 7)?;
        epoll.add(timer.fd(), 9)?;
        assert!(epoll.wait(Some(Duration::ZERO))?.is_empty());
        event.set()?;
        assert_eq!(epoll.wait(None)?, [7]);
        event.clear()?;
        timer.start(monotonic_ns() + 1_000_000, 0)?;
        assert_eq!(epoll.wait(None)?, [9]);
        assert_eq!(timer.expirations()?, 1);
        assert_eq!(timer.expirations()?, 0);
        Ok(())
    }

    #[test]
    fn signals_arrive_by_descriptor() -> Result<(), SysError> {
        let signals = Signals::new(&[libc::SIGUSR1])?;
        // SAFETY: the signal is blocked in this thread.
        unsafe { libc::raise(libc::SIGUSR1) };
        assert_eq!(signals.next()?, Some(libc::SIGUSR1));
        assert_eq!(signals.next()?, None);
        Ok(())
    }
}

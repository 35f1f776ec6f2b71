//! Signals that end a run.
//!
//! A thread of their own takes them: the first tells the run, which then finishes in order; the second ends the process
//! at once, whatever the run is waiting for (an output that nobody reads, say). What comes together with the first is no
//! second: timeout(1) signals its command and then its process group, in which the command is.

use std::os::fd::BorrowedFd;
use std::sync::Arc;
use std::time::{Duration, Instant};
use sys::SysError;
use sys::event::{Epoll, Event, Signals, die_of};

/// Numbers of hang-up, interrupt and termination (the same on all architectures).
const ENDING: [i32; 3] = [1, 2, 15];
/// Signals that come within this time after the first belong to it.
const TOGETHER: Duration = Duration::from_millis(100);
/// Stack of the thread.
const STACK: usize = 64 * 1024;

/// Set when the first signal has come.
pub struct Interrupt(Arc<Event>);

impl Interrupt {
    /// Takes over the signals. They stay blocked in this thread and those it starts.
    pub fn new() -> Result<Interrupt, SysError> {
        let event = Arc::new(Event::new()?);
        let signals = Signals::new(&ENDING)?;
        let epoll = Epoll::new()?;
        epoll.add(signals.fd(), 0)?;
        let told = Arc::clone(&event);
        std::thread::Builder::new()
            .name("dtrace".into())
            .stack_size(STACK)
            .spawn(move || watch(&signals, &epoll, &told))
            .map_err(|e| {
                SysError::new("clone", e.raw_os_error().unwrap_or(0)).on("signal thread")
            })?;
        Ok(Interrupt(event))
    }

    /// To wait on.
    pub fn fd(&self) -> BorrowedFd<'_> {
        self.0.fd()
    }
}

/// Ends with the process.
fn watch(signals: &Signals, epoll: &Epoll, told: &Event) {
    let mut first: Option<Instant> = None;
    // Waiting cannot fail on descriptors that are ours; if it does, signals are lost and the default is not.
    while epoll.wait(None).is_ok() {
        while let Ok(Some(signal)) = signals.next() {
            let done = match first {
                None => told.set(),
                Some(time) if time.elapsed() < TOGETHER => Ok(()),
                Some(_) => die_of(signal),
            };
            if done.is_err() {
                return;
            }
            first.get_or_insert_with(Instant::now);
        }
    }
}

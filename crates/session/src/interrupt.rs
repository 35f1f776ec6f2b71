//! Signals that end a run.
//!
//! A thread of their own takes them: the first tells the run, which then finishes in order; the second ends the process
//! at once, whatever the run is waiting for (an output that nobody reads, say).

use std::os::fd::BorrowedFd;
use std::sync::Arc;
use sys::SysError;
use sys::event::{Epoll, Event, Signals, die_of};

/// Numbers of hang-up, interrupt and termination (the same on all architectures).
const ENDING: [i32; 3] = [1, 2, 15];
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
    let mut first = true;
    // Waiting cannot fail on descriptors that are ours; if it does, signals are lost and the default is not.
    while epoll.wait(None).is_ok() {
        while let Ok(Some(signal)) = signals.next() {
            let done = if first { told.set() } else { die_of(signal) };
            if done.is_err() {
                return;
            }
            first = false;
        }
    }
}

//! Waiting for something to do: records, control events, signals, the end of a process.
//!
//! Programs commit records without waking anyone, because a wake-up costs more than a record. The reader therefore
//! looks again after a sleep that is short while rings fill and long while they do not. Control events wake it at once,
//! but for faults that follow one by less than [`control::QUIET_NS`]: so it looks again after those, too.

use std::os::fd::BorrowedFd;
use std::time::Duration;

use image::layout::control;
use sys::SysError;
use sys::event::Epoll;

use crate::error::LoadError;
use crate::load::Loaded;
use crate::rings::Drained;

const LONGEST_MS: u64 = 10;
/// Fill (in 1/256) from which the next look comes at once, and from which it comes soon.
const FULL: u32 = 96;
const BUSY: u32 = 16;
const EVENTS: u64 = u64::MAX;

/// Why [`Loaded::wait`] returned.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wake {
    /// Control events are there.
    pub events: bool,
    /// Tokens of the added descriptors that are readable.
    pub tokens: Vec<u64>,
}

/// What to wait on and how long.
#[derive(Debug)]
pub struct Waiter {
    epoll: Epoll,
    sleep_ms: u64,
    /// Events came that may be followed by others which wake nobody.
    after_events: bool,
}

impl Waiter {
    pub(crate) fn new(events: Option<BorrowedFd<'_>>) -> Result<Waiter, SysError> {
        let epoll = Epoll::new()?;
        if let Some(fd) = events {
            epoll.add(fd, EVENTS)?;
        }
        Ok(Waiter {
            epoll,
            sleep_ms: 1,
            after_events: false,
        })
    }

    pub(crate) fn note_events(&mut self, count: u64) {
        self.after_events = count > 0;
    }

    pub(crate) fn note(&mut self, drained: Drained) {
        self.sleep_ms = match drained.fill {
            FULL.. => 0,
            BUSY.. => 1,
            _ if drained.waiting > 0 => 2,
            _ => (self.sleep_ms * 2).clamp(1, LONGEST_MS),
        };
    }
}

impl Loaded {
    /// Also waits on `fd`, under `token` (any number but the largest).
    pub fn watch(&self, fd: BorrowedFd<'_>, token: u64) -> Result<(), LoadError> {
        Ok(self.waiter.epoll.add(fd, token)?)
    }

    /// Waits on `fd` no more.
    pub fn unwatch(&self, fd: BorrowedFd<'_>) -> Result<(), LoadError> {
        Ok(self.waiter.epoll.remove(fd)?)
    }

    /// Waits until records may be worth draining, a control event or a watched descriptor is there, or `limit` has
    /// passed.
    pub fn wait(&mut self, limit: Option<Duration>) -> Result<Wake, LoadError> {
        let own = self
            .rings
            .has_rings()
            .then(|| Duration::from_millis(self.waiter.sleep_ms));
        let soon = Duration::from_nanos(u64::from(control::QUIET_NS));
        let soon = self.waiter.after_events.then_some(soon);
        let own = own.into_iter().chain(soon).min();
        let timeout = match (own, limit) {
            (Some(own), Some(limit)) => Some(own.min(limit)),
            (own, limit) => own.or(limit),
        };
        let mut tokens = self.waiter.epoll.wait(timeout)?;
        let before = tokens.len();
        tokens.retain(|token| *token != EVENTS);
        Ok(Wake {
            events: tokens.len() != before,
            tokens,
        })
    }
}

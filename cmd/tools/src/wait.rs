//! Waiting for the next report, for the user's interrupt, and for children.

use crate::tool::Stop;
use session::Interrupt;
use std::time::{Duration, Instant};
use sys::event::{Epoll, Signals};

/// Number of the signal that tells of children.
const SIGCHLD: i32 = 17;

/// Why waiting ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Woken {
    /// It is time.
    Due,
    /// Something happened to a child or a traced process.
    Child,
    /// The user has enough.
    Interrupted,
}

/// What is waited for.
pub struct Waits {
    epoll: Epoll,
    children: Option<Signals>,
    _interrupt: Interrupt,
}

const INTERRUPT: u64 = 0;
const CHILDREN: u64 = 1;

fn failed(e: impl std::fmt::Display) -> Stop {
    Stop::Failed(e.to_string())
}

impl Waits {
    /// Takes over the signals that end a run, and those of children if wanted.
    pub fn new(children: bool) -> Result<Waits, Stop> {
        // Blocked before a thread begins, which would take it otherwise.
        let children = children.then(|| Signals::new(&[SIGCHLD])).transpose();
        let children = children.map_err(failed)?;
        let interrupt = Interrupt::new().map_err(failed)?;
        let epoll = Epoll::new().map_err(failed)?;
        epoll.add(interrupt.fd(), INTERRUPT).map_err(failed)?;
        if let Some(signals) = &children {
            epoll.add(signals.fd(), CHILDREN).map_err(failed)?;
        }
        Ok(Waits {
            epoll,
            children,
            _interrupt: interrupt,
        })
    }

    /// Waits until then (`None`: for ever) or until something happens.
    pub fn until(&self, due: Option<Instant>) -> Result<Woken, Stop> {
        loop {
            let left = due.map(|due| due.saturating_duration_since(Instant::now()));
            let tokens = self.epoll.wait(left).map_err(failed)?;
            if tokens.contains(&INTERRUPT) {
                return Ok(Woken::Interrupted);
            }
            if let (true, Some(signals)) = (tokens.contains(&CHILDREN), &self.children) {
                while signals.next().map_err(failed)?.is_some() {}
                return Ok(Woken::Child);
            }
            if left == Some(Duration::ZERO) {
                return Ok(Woken::Due);
            }
        }
    }
}

//! The part of a run that keeps an eye on processes, so that their addresses have names when they are printed.

use super::Run;
use crate::Front;
use crate::host::Users;
use crate::opts::Options;
use image::layout::{event, process};
use image::{Image, MapRole};
use lang::options::Opt;
use std::cell::RefCell;
use std::rc::Rc;
use std::time::{Duration, Instant};
use symbols::Resolver;

/// How long a program that was just started may wait until its file is opened: it may be deleted soon.
const LOOK: Duration = Duration::from_millis(50);
/// Descriptors for the files of programs and libraries.
const FILES: u64 = 4096;

/// Whether the program records addresses of processes.
fn records_user_addresses(image: &Image) -> bool {
    image.maps.iter().any(|m| m.role == MapRole::Sighted)
}

/// Begins to listen to what processes map, if the program needs it.
pub fn start(image: &Image, options: &Options, front: &mut dyn Front) -> Users {
    let demangle = options.flag(Opt::Demangle);
    let resolver = if records_user_addresses(image) && !options.flag(Opt::Noresolve) {
        sys::proc::make_room_for_files(FILES);
        Resolver::start(demangle).unwrap_or_else(|e| {
            front.message(&format!(
                "addresses of processes that end before they are printed will have no names: {e}"
            ));
            Resolver::without_watch(demangle)
        })
    } else {
        Resolver::without_watch(demangle)
    };
    Rc::new(RefCell::new(resolver))
}

impl Run<'_> {
    fn watches(&self) -> bool {
        records_user_addresses(&self.image)
    }

    /// Victims are older than tracing, and may be over at once.
    pub(super) fn adopt(&self) {
        if !self.watches() {
            return;
        }
        let mut users = self.users.borrow_mut();
        for pid in self.victims.pids() {
            users.adopt(pid as u32);
        }
    }

    /// When to look at what processes map, at the latest.
    pub(super) fn next_look(&self, now: Instant, otherwise: Instant) -> Instant {
        if self.watches() {
            otherwise.min(now + LOOK)
        } else {
            otherwise
        }
    }

    /// Takes note of processes, and looks at those that were recorded for the first time. Gives the other events.
    pub(super) fn sightings(&mut self) -> Vec<Vec<u8>> {
        let mut events: Vec<Vec<u8>> = Vec::new();
        let mut users = self.users.borrow_mut();
        users.drain();
        self.loaded.drain_events(|bytes| match sighting(bytes) {
            Some((word, time)) => users.sighted(process::pid(word), word, time),
            None => events.push(bytes.to_vec()),
        });
        events
    }
}

/// The process word and time of an event that tells of a first sight.
fn sighting(bytes: &[u8]) -> Option<(u64, u64)> {
    let kind = bytes.get(event::KIND as usize..)?.first_chunk::<4>()?;
    let word = |at: u32| {
        Some(u64::from_ne_bytes(
            *bytes.get(at as usize..)?.first_chunk()?,
        ))
    };
    (u32::from_ne_bytes(*kind) == event::SIGHTED)
        .then_some((word(event::ADDRESS)?, word(event::TIMESTAMP)?))
}

//! Runs whose data a command takes and shows in a form of its own.

use crate::host::KernelAggs;
use crate::trace::TraceError;
use consumer::Consumer;
use consumer::data::{Entry, Frame, Record};
use consumer::events::Event;
use image::Probe;
use std::time::{Duration, Instant};

/// Whether to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Go on.
    Continue,
    /// The run ends as if interrupted.
    Stop,
}

/// Who takes the data of a run.
pub trait Reader {
    /// Probes fire from now on.
    fn begin(&mut self) {}

    /// A record, in the order in which they were made.
    fn record(&mut self, _record: Record, _view: &mut View<'_>) -> Result<Next, TraceError> {
        Ok(Next::Continue)
    }

    /// Something happened, in the order in which it did; with [`Reading::events`].
    fn event(&mut self, _event: Event, _view: &mut View<'_>) -> Result<Next, TraceError> {
        Ok(Next::Continue)
    }

    /// An interval has passed; the last one, when the run ends before its time, has not.
    fn interval(&mut self, _view: &mut View<'_>) -> Result<Next, TraceError> {
        Ok(Next::Continue)
    }

    /// Nothing fires any more, and all records have been given.
    fn finish(&mut self, view: &mut View<'_>) -> Result<(), TraceError>;
}

/// A reader, and how often it is asked.
pub struct Reading<'a> {
    /// Who takes the data.
    pub reader: &'a mut dyn Reader,
    /// The time between two calls of [`Reader::interval`]; they keep to its multiples.
    pub every: Option<Duration>,
    /// Give events instead of records.
    pub events: bool,
}

/// What a run holds at a moment.
pub struct View<'a> {
    pub(crate) consumer: &'a mut Consumer,
    pub(crate) source: KernelAggs<'a>,
    /// Firings that were missed.
    pub(crate) missed: u64,
    /// When probes began to fire (`CLOCK_MONOTONIC` ns).
    pub begun: u64,
    /// Now, or when they ceased to.
    pub now: u64,
}

impl View<'_> {
    /// How long probes have been firing, in ns.
    pub fn elapsed(&self) -> u64 {
        self.now.saturating_sub(self.begun)
    }

    /// All that an aggregation (its name without `@`) holds.
    pub fn entries(&mut self, name: &str) -> Result<Vec<Entry>, TraceError> {
        self.look(name, false)
    }

    /// The same, and forgets it: the next call gives what has come since.
    pub fn take(&mut self, name: &str) -> Result<Vec<Entry>, TraceError> {
        self.look(name, true)
    }

    fn look(&mut self, name: &str, forget: bool) -> Result<Vec<Entry>, TraceError> {
        let found = self.consumer.entries(name, forget, &mut self.source)?;
        found.ok_or_else(|| TraceError::Aborted(format!("the program has no aggregation @{name}")))
    }

    /// A probe, by its place among those of the program.
    pub fn probe(&self, index: u32) -> Option<&Probe> {
        self.source.image.probes.get(index as usize)
    }

    /// What was lost since the run began, a line each.
    pub fn lost(&self) -> Vec<String> {
        let mut lines = self.consumer.lost();
        match self.missed {
            0 => {}
            1 => lines.push("LOST: 1 firing".to_owned()),
            n => lines.push(format!("LOST: {n} firings")),
        }
        lines
    }

    /// What is at an address of the kernel.
    pub fn kernel(&mut self, address: u64) -> Frame {
        self.consumer.kernel(address)
    }
}

/// A reader in a run, and when it is asked next.
pub(crate) struct Paced<'a> {
    pub reader: &'a mut dyn Reader,
    every: Option<Duration>,
    due: Option<Instant>,
    pub begun: u64,
    pub events: bool,
}

impl<'a> Paced<'a> {
    pub(crate) fn new(reading: Reading<'a>) -> Paced<'a> {
        Paced {
            reader: reading.reader,
            every: reading.every.filter(|d| !d.is_zero()),
            due: None,
            begun: 0,
            events: reading.events,
        }
    }

    /// Probes fire from now on.
    pub(crate) fn begin(&mut self) {
        self.begun = sys::time::monotonic_ns();
        self.due = self.every.map(|every| Instant::now() + every);
        self.reader.begin();
    }

    /// When the reader is asked next, if that is before `otherwise`.
    pub(crate) fn next(&self, otherwise: Instant) -> Instant {
        self.due.map_or(otherwise, |due| due.min(otherwise))
    }

    /// Whether an interval has passed; if so the next one begins. Intervals that nobody had time for are left out.
    pub(crate) fn passed(&mut self) -> bool {
        let now = Instant::now();
        let (Some(due), Some(every)) = (self.due, self.every) else {
            return false;
        };
        if now < due {
            return false;
        }
        let missed = now.duration_since(due).as_nanos() / every.as_nanos().max(1);
        let steps = u32::try_from(missed).unwrap_or(0).saturating_add(1);
        self.due = Some(due + every.saturating_mul(steps));
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Nobody;
    impl Reader for Nobody {
        fn finish(&mut self, _: &mut View<'_>) -> Result<(), TraceError> {
            Ok(())
        }
    }

    #[test]
    fn intervals_keep_to_their_multiples() {
        let every = Duration::from_millis(20);
        let mut nobody = Nobody;
        let mut paced = Paced::new(Reading {
            reader: &mut nobody,
            every: Some(every),
            events: false,
        });
        let later = Instant::now() + Duration::from_secs(60);
        assert_eq!(paced.next(later), later);
        paced.begin();
        let first = paced.next(later);
        assert!(!paced.passed());
        std::thread::sleep(every * 5 / 2);
        assert!(paced.passed());
        assert!(!paced.passed(), "one that was missed is not made up for");
        let since = paced.next(later).duration_since(first).as_nanos();
        assert_eq!(since % every.as_nanos(), 0);
    }
}

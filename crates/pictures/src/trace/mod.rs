//! Timelines in the Trace Event Format, which `ui.perfetto.dev` and `chrome://tracing` show: slices from the probe that
//! begins something to the one that ends it, on the track of their thread.
//!
//! Format: "Trace Event Format" (Google, the JSON Object Format): `X` complete events on threads, `b` and `e` pairs for
//! what is not nested in what its thread does, `i` instants, `M` names; times in microseconds with three decimals.
//!
//! Text comes as the data do and is taken with [`Timeline::take`]; only [`Timeline::finish`] makes it a whole.

mod pair;
mod write;

use consumer::data::Item;
use consumer::events::Shown;
use image::Probe;
use pair::{Key, Part, Role, role};
use std::collections::HashMap;
use write::{Args, Writer};

pub use pair::begins;

/// Numbers of threads end below this (`PID_MAX_LIMIT`); the idle threads of the CPUs, all of number 0, come behind.
const IDLE: u64 = 1 << 22;

/// A thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Track {
    pid: u64,
    tid: u64,
}

/// A firing, with what all its clauses recorded.
struct Firing {
    track: Track,
    cpu: u32,
    time: u64,
    probe: u32,
    role: Role,
    /// Name of the probe, under which its values stand.
    of: String,
    /// What a slice that begins here is called.
    name: String,
    category: String,
    clause: u32,
    args: Args,
}

/// Something that has begun.
struct Open {
    begin: Firing,
    key: Key,
    /// What must be the same at its end, if its thread need not be.
    same: Option<Item>,
}

/// What became of the pairs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Tally {
    slices: u64,
    instants: u64,
    unfinished: u64,
    unbegun: u64,
}

/// A timeline that is being written.
pub struct Timeline {
    writer: Writer,
    /// The firing of which more records may come.
    held: Option<Firing>,
    /// What has begun on each thread, innermost last.
    open: HashMap<Track, Vec<Open>>,
    /// What has begun and is not nested in what its thread does.
    floating: Vec<Open>,
    names: HashMap<Track, String>,
    processes: HashMap<u64, String>,
    tally: Tally,
    last: u64,
}

impl Default for Timeline {
    fn default() -> Timeline {
        Timeline::new()
    }
}

impl Timeline {
    /// An empty timeline.
    pub fn new() -> Timeline {
        Timeline {
            writer: Writer::new(),
            held: None,
            open: HashMap::new(),
            floating: Vec::new(),
            names: HashMap::new(),
            processes: HashMap::new(),
            tally: Tally::default(),
            last: 0,
        }
    }

    /// Takes the text that there is so far.
    pub fn take(&mut self) -> String {
        self.writer.take()
    }

    /// A record of a probe. Its first items are the numbers of process and thread and the name of the thread; `labels` are
    /// the names of those after them.
    pub fn record(&mut self, shown: &Shown, probe: &Probe, labels: &[String]) {
        let [pid, tid, name, values @ ..] = shown.items.as_slice() else {
            return;
        };
        let track = match (pid.word(), tid.word()) {
            (0, 0) => Track {
                pid: 0,
                tid: IDLE + u64::from(shown.cpu),
            },
            (pid, tid) => Track { pid, tid },
        };
        self.name(track, name.text());
        self.writer.begin(shown.timestamp);
        self.last = self.last.max(shown.timestamp);
        let args = Args::of(values, labels);
        if let Some(held) = &mut self.held {
            let same = (held.track, held.cpu) == (track, shown.cpu)
                && held.probe == shown.probe
                && held.time == shown.timestamp
                && held.clause != shown.clause;
            if same {
                held.clause = shown.clause;
                held.args.join(args);
                return;
            }
        }
        self.settle();
        let role = role(probe);
        self.held = Some(Firing {
            track,
            cpu: shown.cpu,
            time: shown.timestamp,
            probe: shown.probe,
            of: probe.name.to_string(),
            name: role.title(probe, values.first()),
            role,
            category: probe.provider.to_string(),
            clause: shown.clause,
            args,
        });
    }

    /// Gives a thread its name, and its process the name of its first thread.
    fn name(&mut self, track: Track, name: &str) {
        if self.names.get(&track).is_some_and(|known| known == name) {
            return;
        }
        self.names.insert(track, name.to_owned());
        let first = track.pid == track.tid;
        if first || !self.processes.contains_key(&track.pid) {
            self.processes.insert(track.pid, name.to_owned());
            let shown = if track.pid == 0 { "idle" } else { name };
            self.writer.named("process_name", track, shown);
        }
        let cpu = track.tid.checked_sub(IDLE).filter(|_| track.pid == 0);
        let shown = cpu.map_or_else(|| name.to_owned(), |cpu| format!("{name}/{cpu}"));
        self.writer.named("thread_name", track, &shown);
    }

    /// Places the firing that was held.
    fn settle(&mut self) {
        let Some(firing) = self.held.take() else {
            return;
        };
        match firing.role.part {
            Part::Instant => {
                self.tally.instants += 1;
                self.writer.instant(&firing, None);
            }
            Part::Begin => {
                let key = firing.role.key.clone();
                let same = firing.args.first().filter(|_| !key.is_call()).cloned();
                let track = firing.track;
                self.open.entry(track).or_default().push(Open {
                    begin: firing,
                    key,
                    same,
                });
            }
            Part::End => self.end(&firing),
        }
    }

    fn end(&mut self, end: &Firing) {
        let key = &end.role.key;
        if key.is_call() {
            let stack = self.open.entry(end.track).or_default();
            match stack.iter().rposition(|o| o.key == *key) {
                Some(at) => self.close_call(end, at),
                None => self.unbegun(end),
            }
            return;
        }
        match self.find_span(end) {
            Some((open, nested)) => {
                self.tally.slices += 1;
                if nested {
                    self.writer.slice(&open.begin, end.time, Some(end), None);
                } else {
                    self.writer.floating(&open.begin, end.time, Some(end), None);
                }
            }
            None => self.unbegun(end),
        }
    }

    /// The end of a call: what began inside it and has not ended is not nested, or its end was not seen.
    fn close_call(&mut self, end: &Firing, at: usize) {
        let stack = self.open.entry(end.track).or_default();
        let inside = stack.split_off(at);
        let mut inside = inside.into_iter();
        let Some(call) = inside.next() else {
            return;
        };
        let mut lost = Vec::new();
        for open in inside {
            if open.key.is_call() {
                lost.push(open);
            } else {
                self.floating.push(open);
            }
        }
        for open in lost.iter().rev() {
            self.tally.unfinished += 1;
            let why = format!("no end was recorded; closed with {}", call.begin.name);
            self.writer.slice(&open.begin, end.time, None, Some(&why));
        }
        self.tally.slices += 1;
        self.writer.slice(&call.begin, end.time, Some(end), None);
    }

    /// What ends here: on any thread what recorded the same value first, else the innermost on this one. True if it is
    /// nested in what its thread does.
    fn find_span(&mut self, end: &Firing) -> Option<(Open, bool)> {
        let key = &end.role.key;
        let value = end.args.first();
        let alike = |o: &Open| o.key == *key && o.same.is_some() && o.same.as_ref() == value;
        if let Some(at) = self.floating.iter().position(alike) {
            return Some((self.floating.remove(at), false));
        }
        let own = self.open.entry(end.track).or_default();
        let here = own
            .iter()
            .rposition(alike)
            .map(|at| (end.track, at))
            .or_else(|| {
                let others = self.open.iter();
                let found = others.filter_map(|(t, s)| Some((*t, s.iter().rposition(alike)?)));
                found.min_by_key(|(track, _)| (track.pid, track.tid))
            });
        let here = here.or_else(|| {
            let own = self.open.get(&end.track)?;
            let at = own.iter().rposition(|o| o.key == *key)?;
            Some((end.track, at))
        });
        if let Some((track, at)) = here {
            let stack = self.open.get_mut(&track)?;
            let nested = track == end.track && at + 1 == stack.len();
            return Some((stack.remove(at), nested));
        }
        let floating = self.floating.iter();
        let mut floating = floating.rev().enumerate();
        let (back, _) = floating.find(|(_, o)| o.key == *key && o.begin.track == end.track)?;
        let at = self.floating.len() - 1 - back;
        Some((self.floating.remove(at), false))
    }

    fn unbegun(&mut self, end: &Firing) {
        self.tally.unbegun += 1;
        self.writer.instant(end, Some("no beginning was recorded"));
    }

    /// Ends what is still open, says what was lost, and makes the text a whole. `now` is when probes ceased to fire
    /// (`CLOCK_MONOTONIC` ns).
    pub fn finish(&mut self, now: u64, about: &crate::About) {
        self.settle();
        let now = now.max(self.last);
        let mut rest: Vec<(Open, bool)> = Vec::new();
        for (_, stack) in std::mem::take(&mut self.open) {
            rest.extend(stack.into_iter().map(|open| (open, true)));
        }
        let floating = std::mem::take(&mut self.floating);
        rest.extend(floating.into_iter().map(|open| (open, false)));
        rest.sort_by_key(|(open, _)| (open.begin.time, open.begin.track.tid));
        for (open, nested) in rest {
            self.tally.unfinished += 1;
            let why = Some("it had not ended when tracing did");
            if nested {
                self.writer.slice(&open.begin, now, None, why);
            } else {
                self.writer.floating(&open.begin, now, None, why);
            }
        }
        self.writer.finish(now, about, self.tally);
    }
}

#[cfg(test)]
mod tests;

//! Trace events as JSON.

use super::{Firing, Tally, Track};
use crate::About;
use crate::text::{item, json, json_shown};
use consumer::data::Item;
use std::fmt::Write;

/// The largest number that every reader of JSON reads exactly.
const EXACT: u64 = 1 << 53;

/// Values with their names.
#[derive(Default)]
pub struct Args(Vec<(String, Item)>);

impl Args {
    /// Values that a clause recorded; those without label are numbered.
    pub fn of(values: &[Item], labels: &[String]) -> Args {
        let mut args = Args::default();
        for (i, value) in values.iter().enumerate() {
            let label = labels.get(i).filter(|l| !l.is_empty());
            let label = label.map_or_else(|| format!("value {}", i + 1), String::clone);
            args.push(label, value.clone());
        }
        args
    }

    fn push(&mut self, label: String, value: Item) {
        let known = |name: &str| self.0.iter().any(|(l, _)| l == name);
        let mut name = label.clone();
        let mut n = 2;
        while known(&name) {
            name = format!("{label} ({n})");
            n += 1;
        }
        self.0.push((name, value));
    }

    /// Adds those of another clause.
    pub fn join(&mut self, others: Args) {
        for (label, value) in others.0 {
            self.push(label, value);
        }
    }

    /// The value that was recorded first.
    pub fn first(&self) -> Option<&Item> {
        self.0.first().map(|(_, v)| v)
    }

    fn write(&self, out: &mut String) {
        out.push('{');
        for (i, (label, value)) in self.0.iter().enumerate() {
            if i > 0 {
                out.push(',');
            }
            json(out, label);
            out.push(':');
            write_value(out, value);
        }
        out.push('}');
    }
}

fn write_value(out: &mut String, value: &Item) {
    // Writing to a String cannot fail.
    match value {
        Item::Int(v) if v.unsigned_abs() <= EXACT => drop(write!(out, "{v}")),
        Item::Uint(v) if *v <= EXACT => drop(write!(out, "{v}")),
        // Addresses, nearly always.
        Item::Int(v) => drop(write!(out, "\"{v:#x}\"")),
        Item::Uint(v) => drop(write!(out, "\"{v:#x}\"")),
        Item::Text(text) => json(out, text),
        Item::Bytes(_) | Item::Symbol(_) => json_shown(out, &item(value)),
        Item::Stack(frames) => {
            out.push('[');
            for (i, frame) in frames.iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                json(out, &frame.full_place());
            }
            out.push(']');
        }
    }
}

/// The text, as far as it has come.
pub struct Writer {
    out: String,
    empty: bool,
    /// Time 0.
    begun: Option<u64>,
    floating: u64,
}

impl Writer {
    /// The beginning.
    pub fn new() -> Writer {
        Writer {
            out: "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[".to_owned(),
            empty: true,
            begun: None,
            floating: 0,
        }
    }

    /// Takes the text that there is so far.
    pub fn take(&mut self) -> String {
        std::mem::take(&mut self.out)
    }

    /// The time of the first firing is 0.
    pub fn begin(&mut self, time: u64) {
        self.begun.get_or_insert(time);
    }

    fn next(&mut self) {
        self.out.push_str(if self.empty { "\n" } else { ",\n" });
        self.empty = false;
    }

    /// Begins an event: all but what only some have.
    fn event(&mut self, phase: char, name: &str, category: &str, track: Track, time: u64) {
        let begun = self.begun.unwrap_or(time);
        self.next();
        // Writing to a String cannot fail.
        let _ = write!(self.out, "{{\"ph\":\"{phase}\",\"name\":");
        json(&mut self.out, name);
        self.out.push_str(",\"cat\":");
        json(&mut self.out, category);
        let Track { pid, tid } = track;
        let _ = write!(self.out, ",\"pid\":{pid},\"tid\":{tid},\"ts\":");
        if time < begun {
            self.out.push('-');
        }
        self.micros(time.abs_diff(begun));
    }

    /// Nanoseconds as microseconds.
    fn micros(&mut self, ns: u64) {
        // Writing to a String cannot fail.
        let _ = write!(self.out, "{}.{:03}", ns / 1000, ns % 1000);
    }

    /// The values of the two ends, under the names of their probes.
    fn args(&mut self, firings: &[&Firing], note: Option<&str>) {
        self.out.push_str(",\"args\":{");
        let mut comma = "";
        for firing in firings.iter().filter(|f| f.args.first().is_some()) {
            self.out.push_str(comma);
            comma = ",";
            json(&mut self.out, &firing.of);
            self.out.push(':');
            firing.args.write(&mut self.out);
        }
        if let Some(note) = note {
            self.out.push_str(comma);
            self.out.push_str("\"note\":");
            json(&mut self.out, note);
        }
        self.out.push('}');
    }

    /// Gives a thread or process its name.
    pub fn named(&mut self, what: &str, track: Track, name: &str) {
        self.next();
        let Track { pid, tid } = track;
        // Writing to a String cannot fail.
        let _ = write!(
            self.out,
            "{{\"ph\":\"M\",\"name\":\"{what}\",\"pid\":{pid},\"tid\":{tid},\"args\":{{\"name\":"
        );
        json(&mut self.out, name);
        self.out.push_str("}}");
    }

    /// Something that takes no time.
    pub fn instant(&mut self, firing: &Firing, note: Option<&str>) {
        self.event(
            'i',
            &firing.name,
            &firing.category,
            firing.track,
            firing.time,
        );
        self.out.push_str(",\"s\":\"t\"");
        self.args(&[firing], note);
        self.out.push('}');
    }

    /// Something that is nested in what its thread does.
    pub fn slice(&mut self, begin: &Firing, until: u64, end: Option<&Firing>, note: Option<&str>) {
        self.event('X', &begin.name, &begin.category, begin.track, begin.time);
        self.out.push_str(",\"dur\":");
        self.micros(until.saturating_sub(begin.time));
        let both: Vec<&Firing> = [begin].into_iter().chain(end).collect();
        self.args(&both, note);
        self.out.push('}');
    }

    /// Something that is not.
    pub fn floating(
        &mut self,
        begin: &Firing,
        until: u64,
        end: Option<&Firing>,
        note: Option<&str>,
    ) {
        self.floating += 1;
        let id = self.floating;
        let until = until.max(begin.time);
        for (phase, time, firing, note) in [
            ('b', begin.time, Some(begin), None),
            ('e', until, end, note),
        ] {
            self.event(phase, &begin.name, &begin.category, begin.track, time);
            // Writing to a String cannot fail.
            let _ = write!(self.out, ",\"id\":\"{id:#x}\"");
            let firings: Vec<&Firing> = firing.into_iter().collect();
            self.args(&firings, note);
            self.out.push('}');
        }
    }

    /// The end: what was lost as an event that everyone sees, then all that is known of the whole.
    pub fn finish(&mut self, now: u64, about: &About, tally: Tally) {
        let track = Track { pid: 0, tid: 0 };
        for lost in &about.lost {
            self.event('i', lost, "dtrace", track, now);
            self.out.push_str(",\"s\":\"g\",\"args\":{}}");
        }
        self.out.push_str("\n],\"otherData\":{\"title\":");
        json(&mut self.out, &about.title);
        self.out.push_str(",\"made\":");
        json(&mut self.out, &about.made);
        let counts = [
            ("slices", tally.slices),
            ("instants", tally.instants),
            ("beginnings without end", tally.unfinished),
            ("ends without beginning", tally.unbegun),
        ];
        for (name, count) in counts {
            // Writing to a String cannot fail.
            let _ = write!(self.out, ",\"{name}\":{count}");
        }
        if counts.iter().all(|(_, n)| *n == 0) {
            self.out.push_str(",\"note\":\"nothing was recorded\"");
        }
        self.out.push_str(",\"lost\":");
        json(&mut self.out, &about.lost.join("; "));
        self.out.push_str("}}\n");
    }
}

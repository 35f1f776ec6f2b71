//! The report of lockstat.

use super::events::Event;
use super::results::{self, Lock, Record};
use super::{Args, Gather};
use crate::units::percent;
use session::data::Item;
use session::{Next, Reader, TraceError, View};
use std::collections::HashMap;
use std::fmt::Write as _;

const RULE: &str =
    "-------------------------------------------------------------------------------";
/// Columns of a bar.
const BAR: usize = 30;

/// One event, with `-T`.
struct Traced {
    number: u64,
    ns: u64,
    time: u64,
    thread: u64,
    lock: Lock,
    stack: Vec<session::data::Frame>,
}

/// Takes what was gathered, and makes the report.
pub struct Report {
    args: Args,
    records: HashMap<u64, Vec<Record>>,
    traced: Vec<Traced>,
    /// Events that `-n` had no room for.
    missed: u64,
    seconds: f64,
}

impl Reader for Report {
    fn record(
        &mut self,
        record: session::data::Record,
        view: &mut View<'_>,
    ) -> Result<Next, TraceError> {
        let [number, lock, circumstance, time, thread, stack] = record.items.as_slice() else {
            return Ok(Next::Continue);
        };
        if self.traced.len() as u64 >= self.args.records {
            self.missed += 1;
            return Ok(Next::Continue);
        }
        let key: [Item; 4] = [number, lock, circumstance, stack].map(Item::clone);
        if let Some((number, lock, _, frames)) = results::parts(&key, |a| view.kernel(a)) {
            self.traced.push(Traced {
                number,
                ns: record.timestamp.saturating_sub(view.begun),
                time: time.word(),
                thread: thread.word(),
                lock,
                stack: frames.to_vec(),
            });
        }
        Ok(Next::Continue)
    }

    fn finish(&mut self, view: &mut View<'_>) -> Result<(), TraceError> {
        self.seconds = view.elapsed() as f64 / 1e9;
        if self.args.trace {
            return Ok(());
        }
        let entries = view.entries("a")?;
        let hists = match self.args.gather {
            Gather::Histogram(_) => view.entries("h")?,
            Gather::Basic | Gather::Timing => Vec::new(),
        };
        self.records = results::records(&entries, &hists, |address| view.kernel(address));
        Ok(())
    }
}

impl Report {
    pub fn new(args: Args) -> Report {
        Report {
            args,
            records: HashMap::new(),
            traced: Vec::new(),
            missed: 0,
            seconds: 0.0,
        }
    }

    /// The whole report.
    pub fn text(mut self) -> String {
        let mut text = String::new();
        if self.args.trace {
            self.trace_text(&mut text);
            return text;
        }
        for event in self.args.events.clone() {
            let records = self.records.remove(&event.number).unwrap_or_default();
            let events: u64 = records.iter().map(|r| r.count).sum();
            let shown = results::arranged(&self.args, records);
            if shown.is_empty() {
                continue;
            }
            // What -f leaves out is not counted; what -g counts often is.
            let events = match self.args.generated {
                true => events,
                false => shown.iter().map(|r| r.count).sum(),
            };
            if self.args.parsable {
                self.parsable(&mut text, event, &shown);
            } else {
                self.section(&mut text, event, &shown, events);
            }
        }
        text
    }

    fn section(&self, text: &mut String, event: &Event, records: &[Record], events: u64) {
        let per_second = events as f64 / self.seconds.max(1e-9);
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "\n{}: {events} events in {:.3} seconds ({per_second:.0} events/sec)\n",
            event.title, self.seconds
        );
        let total = match self.args.product {
            true => records.iter().map(|r| r.time).sum(),
            false => events,
        };
        let most = self.args.top.unwrap_or(usize::MAX);
        let depth = match self.args.gather {
            Gather::Basic | Gather::Timing => None,
            Gather::Histogram(_) if self.args.generated => None,
            Gather::Histogram(depth) => Some(depth as usize),
        };
        if depth.is_none() {
            self.header(text, event);
        }
        let mut cumulative = 0.0;
        for record in records.iter().take(most) {
            if depth.is_some() {
                let _ = writeln!(text, "{RULE}");
                self.header(text, event);
            }
            let part = if self.args.product {
                record.time
            } else {
                record.count
            };
            let part = percent(part as f64, total as f64);
            cumulative += part;
            self.row(text, record, part, cumulative);
            if depth.is_some() {
                distribution(text, record);
            }
        }
        let _ = writeln!(text, "{RULE}");
    }

    fn header(&self, text: &mut String, event: &Event) {
        let count = if self.args.rates { "ops/s" } else { "Count" };
        let part = if self.args.generated { "genr" } else { "indv" };
        let time = if self.args.gather == Gather::Basic {
            ""
        } else {
            "nsec"
        };
        let lock = if event.number == 56 {
            "CPU+PIL"
        } else {
            "Lock"
        };
        let hottest = |chosen: bool, what: &str| match chosen {
            true => format!("Hottest {what}"),
            false => what.to_owned(),
        };
        let lock = hottest(self.args.whichever, lock);
        let caller = hottest(self.args.wherever, "Caller");
        let line = format!(
            "{count:>5} {part:>4} {:>4} {:>4} {time:>8} {lock:<22} {caller:<24}",
            "cuml", "rcnt"
        );
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{}\n{RULE}", line.trim_end());
    }

    fn row(&self, text: &mut String, record: &Record, part: f64, cumulative: f64) {
        let count = match self.args.rates {
            true => (record.count as f64 / self.seconds.max(1e-9)).round() as u64,
            false => record.count,
        };
        let cumulative = match self.args.generated {
            true => "---- ".to_owned(),
            false => format!("{cumulative:3.0}% "),
        };
        let holders = record.holders as f64 / record.count.max(1) as f64;
        let time = match self.args.gather {
            Gather::Basic => String::new(),
            Gather::Timing | Gather::Histogram(_) => {
                (record.time / record.count.max(1)).to_string()
            }
        };
        let line = format!(
            "{count:>5} {part:3.0}% {cumulative}{holders:4.2} {time:>8} {:<22} {:<24}",
            record.lock.text(),
            record.caller.full_place()
        );
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{}", line.trim_end());
    }

    fn parsable(&self, text: &mut String, event: &Event, records: &[Record]) {
        for record in records.iter().take(self.args.top.unwrap_or(usize::MAX)) {
            // Writing to a String cannot fail.
            let _ = write!(
                text,
                "{} {} {} {} {:.2} {}",
                event.number,
                record.count,
                record.lock.text(),
                record.caller.full_place(),
                record.holders as f64 / record.count.max(1) as f64,
                record.time / record.count.max(1)
            );
            if let Gather::Histogram(_) = self.args.gather {
                record
                    .hist
                    .iter()
                    .for_each(|n| text.push_str(&format!(" {n}")));
                record
                    .stack
                    .iter()
                    .for_each(|f| text.push_str(&format!(" {}", f.full_place())));
            }
            text.push('\n');
        }
    }

    fn trace_text(&self, text: &mut String) {
        let line = format!(
            "{:>5}  {:>12}  {:>10}  {:>8}  {:<22}  Caller",
            "Event", "Time", "nsec", "Thread", "Lock"
        );
        // Writing to a String cannot fail.
        let _ = writeln!(text, "\n{line}\n{RULE}");
        for event in &self.traced {
            let caller = event.stack.first().map(session::data::Frame::full_place);
            let _ = writeln!(
                text,
                "{:>5}  {:>12}  {:>10}  {:>8}  {:<22}  {}",
                event.number,
                event.ns,
                event.time,
                event.thread,
                event.lock.text(),
                caller.unwrap_or_else(|| results::USERMODE.to_owned())
            );
            let more = event
                .stack
                .iter()
                .take(self.args.gather.depth() as usize)
                .skip(1);
            for frame in more {
                let _ = writeln!(text, "{:>67}  {}", "", frame.full_place());
            }
        }
        if self.missed > 0 {
            let _ = writeln!(
                text,
                "{} more events (-n {})",
                self.missed, self.args.records
            );
        }
    }
}

/// The distribution of a record's times, its stack beside it.
fn distribution(text: &mut String, record: &Record) {
    let first = record.hist.iter().position(|n| *n != 0).unwrap_or(0);
    let last = record.hist.iter().rposition(|n| *n != 0).unwrap_or(0);
    let mut frames = record.stack.iter();
    // Writing to a String cannot fail.
    let _ = writeln!(
        text,
        "\n{:>10} {:>31} {:<9} Stack",
        "nsec", "------ Time Distribution ------", "count"
    );
    for (power, count) in record.hist.iter().enumerate().take(last + 1).skip(first) {
        let bar = "@"
            .repeat((u128::from(*count) * BAR as u128 / u128::from(record.count.max(1))) as usize);
        let frame = frames
            .next()
            .map(session::data::Frame::full_place)
            .unwrap_or_default();
        let line = format!("{:>10} |{bar:<BAR$} {count:<9} {frame}", 1u64 << power);
        let _ = writeln!(text, "{}", line.trim_end());
    }
    for frame in frames {
        let _ = writeln!(
            text,
            "{:>10} |{:<BAR$} {:<9} {}",
            "",
            "",
            "",
            frame.full_place()
        );
    }
}

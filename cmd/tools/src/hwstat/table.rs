//! Lines of a table: what columns make of counts.

use super::idle;
use super::views::{Value, View};
use counters::Known;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

/// When something was counted, and what CPUs had done until then.
pub struct Moment {
    at: Instant,
    ticks: BTreeMap<u32, (u64, u64)>,
}

/// The time between two.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    pub seconds: f64,
    /// What part of it CPUs were not idle, 0 to 1.
    pub busy: f64,
    pub cpus: usize,
}

impl Moment {
    /// Now, and those CPUs.
    pub fn now(cpus: impl Iterator<Item = u32>) -> Moment {
        let mut ticks = idle::read();
        let cpus: Vec<u32> = cpus.collect();
        ticks.retain(|cpu, _| cpus.contains(cpu));
        Moment {
            at: Instant::now(),
            ticks,
        }
    }

    /// The same of a list.
    pub fn begin(cpus: &[u32]) -> Moment {
        Moment::now(cpus.iter().copied())
    }

    /// The time since then, of one CPU or of all.
    pub fn since(&self, before: &Moment, of: Option<u32>) -> Span {
        let (mut all, mut idle, mut cpus) = (0, 0, 0);
        for (cpu, (ticks, waited)) in &self.ticks {
            if of.is_some_and(|of| of != *cpu) {
                continue;
            }
            let (first, first_waited) = before.ticks.get(cpu).copied().unwrap_or_default();
            all += ticks.saturating_sub(first);
            idle += waited.saturating_sub(first_waited);
            cpus += 1;
        }
        let busy = all.saturating_sub(idle) as f64;
        Span {
            seconds: self.at.duration_since(before.at).as_secs_f64(),
            busy: if all > 0 { busy / all as f64 } else { 0.0 },
            cpus,
        }
    }
}

/// The line of titles.
pub fn titles(view: &View) -> String {
    let mut text = format!("{:>8} {:>5}", "time", "cpu");
    for (title, _) in view.columns {
        let _infallible = write!(text, " {title}");
    }
    text.push('\n');
    text
}

/// A line of it.
pub fn line(view: &View, time: Duration, cpu: &str, counts: &[Known], span: &Span) -> String {
    let mut text = format!("{:>8.3} {cpu:>5}", time.as_secs_f64());
    let mut scaled = false;
    for (title, value) in view.columns {
        let cell = cell(*value, counts, span, &mut scaled);
        let _infallible = write!(text, " {cell:>width$}", width = title.len());
    }
    if scaled {
        text += " *";
    }
    text.push('\n');
    text
}

/// What is known of an event; sets `scaled` if it was not counted all the time.
fn number(counts: &[Known], place: usize, scaled: &mut bool) -> Option<u64> {
    match counts.get(place)? {
        Known::Exactly(n) => Some(*n),
        Known::Scaled(n) => {
            *scaled = true;
            Some(*n)
        }
        Known::Nothing | Known::Elsewhere => None,
    }
}

fn cell(value: Value, counts: &[Known], span: &Span, scaled: &mut bool) -> String {
    let mut number = |place| number(counts, place, scaled);
    let shown = match value {
        Value::Count(place) => return number(place).map_or("-".to_owned(), |n| n.to_string()),
        Value::Per(part, whole, times) => quotient(number(part), number(whole), times),
        Value::PerSecond(place, times) => {
            number(place).map(|n| n as f64 * times / span.seconds.max(1e-9))
        }
        Value::PerBusy(place, times) => {
            let busy = span.seconds * span.busy * span.cpus as f64;
            number(place)
                .filter(|_| busy > 0.0)
                .map(|n| n as f64 * times / busy)
        }
        Value::Busy => return format!("{:.1}", 100.0 * span.busy),
    };
    shown.map_or("-".to_owned(), |n| format!("{n:.2}"))
}

/// A part of a whole; of nothing there are no parts.
fn quotient(part: Option<u64>, whole: Option<u64>, times: f64) -> Option<f64> {
    let (part, whole) = (part? as f64, whole? as f64);
    (whole > 0.0).then_some(part * times / whole)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hwstat::views::VIEWS;

    const SPAN: Span = Span {
        seconds: 2.0,
        busy: 0.25,
        cpus: 4,
    };

    fn shown(name: &str, counts: &[Known]) -> String {
        let view = VIEWS.iter().find(|view| view.name == name).expect("a view");
        let line = line(view, Duration::from_millis(1500), "all", counts, &SPAN);
        assert!(line.len() <= titles(view).len() + 2, "{line}");
        line.split_whitespace()
            .skip(2)
            .collect::<Vec<_>>()
            .join(" ")
    }

    #[test]
    fn ratios_and_volumes() {
        let exactly = |counts: &[u64]| {
            counts
                .iter()
                .map(|n| Known::Exactly(*n))
                .collect::<Vec<_>>()
        };
        // 3e9 cycles in 2 s of 4 CPUs that were busy for a quarter of it.
        assert_eq!(
            shown("cpi", &exactly(&[3_000_000_000, 2_000_000_000])),
            "2000000000 1.50 25.0 1.50"
        );
        assert_eq!(shown("cpi", &exactly(&[0, 0])), "0 - 25.0 0.00");
        let cache = exactly(&[10_000_000, 4_000_000, 1_000_000, 1_000_000, 250_000]);
        assert_eq!(
            shown("cache", &cache),
            "4000000 25.00 100.00 1000000 25.00 25.00 8.00"
        );
    }

    #[test]
    fn what_took_turns_is_marked() {
        let counts = [Known::Scaled(10), Known::Exactly(10)];
        assert_eq!(shown("cpi", &counts), "10 1.00 25.0 0.00 *");
        assert_eq!(
            shown("cpi", &[Known::Nothing, Known::Exactly(7)]),
            "7 - 25.0 -"
        );
    }
}

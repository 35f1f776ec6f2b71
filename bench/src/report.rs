//! The table: what was measured, the ratios, and whether the bars are met.

use std::fmt;

/// What a row must satisfy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bar {
    /// Ours is at most this.
    AtMost(f64),
    /// Ours is exactly this.
    Exactly(f64),
    /// Ours is at most this many times the hand-written one, and below bpftrace.
    NearC(f64),
    /// Ours is at most this many times the hand-written one.
    TimesC(f64),
    /// Ours is at most what bpftrace has.
    AtMostBpftrace,
    /// For information.
    None,
}

/// How a row came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The bar is met.
    Met,
    /// It is not.
    Missed,
    /// Something that the bar needs is missing.
    Unknown,
    /// There is no bar.
    Info,
}

/// One measurement.
#[derive(Clone, Debug)]
pub struct Row {
    /// What is measured, with its unit.
    pub what: String,
    /// dtrace.
    pub ours: Option<f64>,
    /// Hand-written BPF C.
    pub c: Option<f64>,
    /// bpftrace.
    pub bpftrace: Option<f64>,
    /// What ours must satisfy.
    pub bar: Bar,
}

impl Row {
    /// A row without values.
    pub fn new(what: impl Into<String>, bar: Bar) -> Row {
        Row {
            what: what.into(),
            ours: None,
            c: None,
            bpftrace: None,
            bar,
        }
    }

    /// Whether its bar is met.
    pub fn verdict(&self) -> Verdict {
        let met = match self.bar {
            Bar::None => return Verdict::Info,
            Bar::AtMost(limit) => self.ours.map(|v| v <= limit),
            Bar::Exactly(value) => self.ours.map(|v| v == value),
            Bar::NearC(times) => match (self.ours, self.c) {
                (Some(v), Some(c)) => Some(v <= c * times && self.bpftrace.is_none_or(|b| v < b)),
                (None, _) | (_, None) => None,
            },
            Bar::TimesC(times) => self.ours.zip(self.c).map(|(v, c)| v <= c * times),
            Bar::AtMostBpftrace => self.ours.zip(self.bpftrace).map(|(v, b)| v <= b),
        };
        match met {
            Some(true) => Verdict::Met,
            Some(false) => Verdict::Missed,
            None => Verdict::Unknown,
        }
    }
}

impl fmt::Display for Bar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Bar::AtMost(limit) => write!(f, "≤ {}", number(*limit)),
            Bar::Exactly(value) => write!(f, "= {}", number(*value)),
            Bar::NearC(times) => write!(f, "≤ {times} × C, < bpftrace"),
            Bar::TimesC(times) => write!(f, "≤ {times} × C"),
            Bar::AtMostBpftrace => f.write_str("≤ bpftrace"),
            Bar::None => f.write_str(""),
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::Met => "met",
            Verdict::Missed => "MISSED",
            Verdict::Unknown => "not measured",
            Verdict::Info => "",
        })
    }
}

/// At most three significant digits after the point, none for large numbers.
fn number(v: f64) -> String {
    if v == v.trunc() || v.abs() >= 1000.0 {
        format!("{v:.0}")
    } else if v.abs() >= 10.0 {
        format!("{v:.1}")
    } else {
        format!("{v:.2}")
    }
}

fn cell(v: Option<f64>) -> String {
    v.map_or_else(|| "–".into(), number)
}

fn ratio(a: Option<f64>, b: Option<f64>) -> String {
    match (a, b) {
        (Some(a), Some(b)) if b != 0.0 => format!("{:.2}", a / b),
        _ => "–".into(),
    }
}

const HEAD: [&str; 8] = [
    "what",
    "dtrace",
    "BPF C",
    "bpftrace",
    "/ C",
    "/ bpftrace",
    "bar",
    "verdict",
];

/// The rows as a Markdown table.
pub fn table(rows: &[Row]) -> String {
    let mut lines: Vec<[String; 8]> = vec![HEAD.map(String::from)];
    for row in rows {
        lines.push([
            row.what.clone(),
            cell(row.ours),
            cell(row.c),
            cell(row.bpftrace),
            ratio(row.ours, row.c),
            ratio(row.ours, row.bpftrace),
            row.bar.to_string(),
            row.verdict().to_string(),
        ]);
    }
    let mut widths = [0; 8];
    for line in &lines {
        for (width, text) in widths.iter_mut().zip(line) {
            *width = text.chars().count().max(*width);
        }
    }
    let mut text = String::new();
    for (n, line) in lines.iter().enumerate() {
        for ((text_cell, width), column) in line.iter().zip(widths).zip(0..) {
            let right = (1..6).contains(&column) && n > 0;
            let padded = if right {
                format!("| {text_cell:>width$} ")
            } else {
                format!("| {text_cell:<width$} ")
            };
            text.push_str(&padded);
        }
        text.push_str("|\n");
        if n == 0 {
            let rule = |(i, w): (usize, usize)| match i {
                1..6 => format!("|{}:", "-".repeat(w + 1)),
                _ => format!("|{}", "-".repeat(w + 2)),
            };
            text.extend(widths.into_iter().enumerate().map(rule));
            text.push_str("|\n");
        }
    }
    text
}

/// Middle value; `None` of nothing.
pub fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts() {
        let mut row = Row::new("x", Bar::NearC(1.15));
        assert_eq!(row.verdict(), Verdict::Unknown);
        (row.ours, row.c) = (Some(114.0), Some(100.0));
        assert_eq!(row.verdict(), Verdict::Met);
        row.bpftrace = Some(110.0);
        assert_eq!(row.verdict(), Verdict::Missed);
        (row.ours, row.bar) = (Some(7.0), Bar::Exactly(7.0));
        assert_eq!(row.verdict(), Verdict::Met);
        row.bar = Bar::AtMost(6.9);
        assert_eq!(row.verdict(), Verdict::Missed);
    }

    #[test]
    fn tables_are_markdown() {
        let mut row = Row::new("start (ms)", Bar::AtMost(20.0));
        (row.ours, row.bpftrace) = (Some(12.345), Some(300.0));
        let text = table(&[row]);
        let last = text.lines().last().expect("a row");
        let cells: Vec<&str> = last.split('|').map(str::trim).collect();
        let want = [
            "",
            "start (ms)",
            "12.3",
            "–",
            "300",
            "–",
            "0.04",
            "≤ 20",
            "met",
            "",
        ];
        assert_eq!(cells, want);
        let lengths: Vec<usize> = text.lines().map(|l| l.chars().count()).collect();
        assert!(lengths.iter().all(|l| *l == lengths[0]), "{text}");
    }

    #[test]
    fn medians() {
        assert_eq!(median(vec![]), None);
        assert_eq!(median(vec![3.0, 1.0, 2.0]), Some(2.0));
    }
}

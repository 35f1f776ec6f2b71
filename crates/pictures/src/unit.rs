//! What values are counts of, and how they are shown.

use std::fmt::Write;

/// What values are counts of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Time; so many nanoseconds each.
    Time(u64),
    /// Bytes.
    Bytes,
    /// Things, by their name in the plural; empty: nobody knows.
    Things(String),
}

const SECOND: u128 = 1_000_000_000;
/// Names of times and of amounts, greatest first.
const TIMES: [(u128, &str); 4] = [(SECOND, "s"), (1_000_000, "ms"), (1_000, "µs"), (1, "ns")];
const AMOUNTS: [(u128, &str); 5] = [
    (1 << 40, "TiB"),
    (1 << 30, "GiB"),
    (1 << 20, "MiB"),
    (1 << 10, "KiB"),
    (1, "bytes"),
];

impl Unit {
    /// From the word of `-x unit`.
    pub fn named(word: &str) -> Unit {
        match word {
            "ns" => Unit::Time(1),
            "us" | "µs" => Unit::Time(1_000),
            "ms" => Unit::Time(1_000_000),
            "s" => Unit::Time(1_000_000_000),
            "bytes" => Unit::Bytes,
            other => Unit::Things(other.to_owned()),
        }
    }

    /// A value with its unit: `1.23 ms`, `12 MiB`, `1,234 samples`.
    pub fn show(&self, value: i128) -> String {
        let sign = if value < 0 { "-" } else { "" };
        let size = value.unsigned_abs();
        let text = match self {
            Unit::Time(ns) => scaled(size.saturating_mul(u128::from(*ns)), &TIMES),
            Unit::Bytes => scaled(size, &AMOUNTS),
            Unit::Things(name) if name.is_empty() => grouped(size),
            Unit::Things(name) if size == 1 => {
                format!("1 {}", name.strip_suffix('s').unwrap_or(name))
            }
            Unit::Things(name) => format!("{} {name}", grouped(size)),
        };
        format!("{sign}{text}")
    }

    /// For scripts, an object.
    pub(crate) fn json(&self, out: &mut String) {
        // Writing to a String cannot fail.
        match self {
            Unit::Time(ns) => drop(write!(out, "{{\"ns\":{ns}}}")),
            Unit::Bytes => out.push_str("{\"bytes\":1}"),
            Unit::Things(name) => {
                out.push_str("{\"things\":");
                crate::text::json_shown(out, name);
                out.push('}');
            }
        }
    }
}

/// With three digits that count, in the greatest unit of which there is one at least.
fn scaled(size: u128, units: &[(u128, &str)]) -> String {
    let fits = |(least, _): &&(u128, &str)| size >= *least;
    let Some((least, name)) = units.iter().find(fits).or(units.last()) else {
        return grouped(size);
    };
    let whole = size / least;
    // Rounded down: nothing is said to be more than it is.
    let thousandths = (size % least).saturating_mul(1000) / least;
    match whole {
        0..10 if *least > 1 => format!("{whole}.{:02} {name}", thousandths / 10),
        10..100 if *least > 1 => format!("{whole}.{} {name}", thousandths / 100),
        _ => format!("{} {name}", grouped(whole)),
    }
}

/// Digits in groups of three.
pub fn grouped(n: u128) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() * 4 / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A part of a whole in per cent, with a digit behind the point; two for what is small.
pub fn percent(part: u128, whole: u128) -> String {
    if whole == 0 {
        return "0 %".to_owned();
    }
    let percent = part as f64 * 100.0 / whole as f64;
    match percent {
        p if p >= 1.0 || part == 0 => format!("{p:.1} %"),
        p if p >= 0.01 => format!("{p:.2} %"),
        _ => "under 0.01 %".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_shown_with_their_units() {
        let cases = [
            (Unit::Time(1), 999, "999 ns"),
            (Unit::Time(1), 1_999, "1.99 µs"),
            (Unit::Time(1_000), 12_345, "12.3 ms"),
            (Unit::Time(1), 7_384_000_000_000, "7,384 s"),
            (Unit::Time(1), -5_000_000, "-5.00 ms"),
            (Unit::Bytes, 512, "512 bytes"),
            (Unit::Bytes, 1536, "1.50 KiB"),
            (Unit::named("samples"), 1_234_567, "1,234,567 samples"),
            (Unit::named("samples"), 1, "1 sample"),
            (Unit::Things(String::new()), 0, "0"),
        ];
        for (unit, value, want) in cases {
            assert_eq!(unit.show(value), want);
        }
        assert_eq!(
            Unit::named("s").show(i128::from(i64::MAX)),
            "9,223,372,036,854,775,807 s"
        );
    }

    #[test]
    fn parts_of_a_whole() {
        assert_eq!(percent(1, 3), "33.3 %");
        assert_eq!(percent(1, 1000), "0.10 %");
        assert_eq!(percent(1, 1_000_000), "under 0.01 %");
        assert_eq!(percent(0, 7), "0.0 %");
        assert_eq!(percent(0, 0), "0 %");
    }
}

//! The report: a section for each kind of event, the locks that cost most first.

use super::Args;
use super::program::{self, Section};
use super::results::{Entry, Results};
use session::data::Bucket;
use std::fmt::Write;

/// Columns of a bar.
const BAR: usize = 24;
/// Buckets of a histogram, from the first that is not empty.
const MOST_ROWS: usize = 64;

/// The text of a report.
pub fn text(args: &Args, results: &Results) -> String {
    let mut out = String::new();
    for section in program::sections(args) {
        let mut entries = results.section(section.name, args.depth.unwrap_or(1) as usize);
        if let Some(most) = args.most {
            entries.truncate(most);
        }
        if !entries.is_empty() {
            self::section(&mut out, section, &entries, args.depth);
        }
    }
    out
}

fn section(out: &mut String, section: &Section, entries: &[Entry], depth: Option<u32>) {
    let rule = "-".repeat(79);
    // Writing to a String cannot fail.
    let _ = writeln!(out, "{}\n", section.title);
    let header = format!("{:>5} {:>8} {:<28} Caller", "Count", "nsec", "Lock");
    let _ = writeln!(out, "{header}\n{rule}");
    for entry in entries {
        let caller = entry.stack.first().map_or("", String::as_str);
        let _ = writeln!(
            out,
            "{:>5} {:>8} {:<28} {caller}",
            entry.count(),
            entry.average(),
            entry.lock
        );
        if let Some(depth) = depth {
            histogram(out, entry, depth as usize);
            let _ = writeln!(out, "{rule}");
        }
    }
    out.push('\n');
}

/// The distribution of an entry's times, its stack beside it.
fn histogram(out: &mut String, entry: &Entry, depth: usize) {
    let _ = writeln!(
        out,
        "\n{:>10} ---- Time Distribution --- {:>5} Stack",
        "nsec", "count"
    );
    let rows = rows(&entry.buckets);
    let most = rows
        .iter()
        .map(|b| b.count.unsigned_abs())
        .sum::<u64>()
        .max(1);
    let mut frames = entry.stack.iter().take(depth);
    for Bucket { value, count, .. } in rows {
        let bar = "@".repeat((count.unsigned_abs() * BAR as u64).div_ceil(most) as usize);
        let frame = frames.next().map_or("", String::as_str);
        let line = format!("{value:>10} |{bar:<BAR$}| {count:>5} {frame}");
        let _ = writeln!(out, "{}", line.trim_end());
    }
    for frame in frames {
        let _ = writeln!(out, "{:>10} |{:<BAR$}| {:>5} {frame}", "", "", "");
    }
}

/// The buckets with those between that are empty.
fn rows(buckets: &[Bucket]) -> Vec<Bucket> {
    let mut out: Vec<Bucket> = Vec::new();
    for bucket in buckets {
        while let Some(last) = out.last()
            && last.value > 0
            && last.value < bucket.value / 2
            && out.len() < MOST_ROWS
        {
            out.push(Bucket {
                value: last.value * 2,
                count: 0,
                ..*bucket
            });
        }
        out.push(*bucket);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry() -> Entry {
        Entry {
            lock: "a.out`lock".to_owned(),
            stack: ["a.out`work+0x10", "a.out`main+0x20", "libc.so.6`start"]
                .map(str::to_owned)
                .to_vec(),
            buckets: vec![
                Bucket {
                    value: 1024,
                    below: false,
                    count: 3,
                },
                Bucket {
                    value: 4096,
                    below: false,
                    count: 1,
                },
            ],
            total: 8000,
        }
    }

    #[test]
    fn a_section() {
        let mut out = String::new();
        let hold = &program::SECTIONS[0];
        section(&mut out, hold, &[entry()], None);
        assert_eq!(
            out,
            format!(
                "Mutex hold\n\nCount     nsec Lock                         Caller\n{}\n    4     2000 a.out`lock                   a.out`work+0x10\n\n",
                "-".repeat(79)
            )
        );
    }

    #[test]
    fn a_distribution() {
        let mut out = String::new();
        histogram(&mut out, &entry(), 5);
        assert_eq!(
            out,
            "\n      nsec ---- Time Distribution --- count Stack\n\
             \x20     1024 |@@@@@@@@@@@@@@@@@@      |     3 a.out`work+0x10\n\
             \x20     2048 |                        |     0 a.out`main+0x20\n\
             \x20     4096 |@@@@@@                  |     1 libc.so.6`start\n"
        );
    }
}

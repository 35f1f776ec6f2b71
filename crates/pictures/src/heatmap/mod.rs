//! Heat maps of `quantize()`, `lquantize()` and `llquantize()`: time from left to right, values upwards, a column for each
//! time that the aggregation was printed.
//!
//! A column has what has come since the one before it, whether the program clears the aggregation in between or not. Rows
//! are the buckets of the function, so the axis is logarithmic or linear as the function is.

mod draw;

pub use draw::svg;

use crate::Unit;
use consumer::data::{self, Bucket, Entry, Item, Measure};
use image::AggFunc;
use std::collections::HashMap;

/// What one bucket has: from the first to below the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Level {
    low: Option<i64>,
    high: Option<i64>,
}

/// A stretch of time, in nanoseconds since tracing began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Column {
    from: u64,
    to: u64,
}

/// Something that was counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cell {
    column: usize,
    level: usize,
    count: i64,
}

/// The counts of one key, by level.
type Counts = HashMap<usize, i64>;

/// The cells of one key.
#[derive(Default)]
struct Panel {
    title: String,
    cells: Vec<Cell>,
    total: i128,
}

/// The heat map of one aggregation.
pub struct Map {
    /// What stands over it.
    heading: String,
    unit: Unit,
    /// What is put before keys: `pid ` before numbers of processes.
    labels: Vec<String>,
    levels: Vec<Level>,
    by_bucket: HashMap<(i64, bool), usize>,
    begun: u64,
    columns: Vec<Column>,
    panels: Vec<Panel>,
    by_key: HashMap<Vec<Item>, usize>,
    /// What each key showed last, since it was emptied.
    last: HashMap<Vec<Item>, Counts>,
    /// What was taken out between two columns.
    carried: HashMap<Vec<Item>, Counts>,
}

/// The levels of a function.
fn levels(func: AggFunc, scale: &[Bucket]) -> Vec<Level> {
    let quantize = matches!(func, AggFunc::Quantize);
    let level = |(i, bucket): (usize, &Bucket)| {
        let next = scale.get(i + 1).map(|b| b.value);
        match bucket.value {
            value if bucket.below => Level {
                low: None,
                high: Some(value),
            },
            // Powers of two below zero are the ends nearest to it.
            value @ ..0 if quantize => Level {
                low: Some(value.saturating_mul(2).saturating_add(1)),
                high: Some(value + 1),
            },
            0 if quantize => Level {
                low: Some(0),
                high: Some(1),
            },
            value if quantize => Level {
                low: Some(value),
                high: value.checked_mul(2),
            },
            value => Level {
                low: Some(value),
                high: next,
            },
        }
    };
    scale.iter().enumerate().map(level).collect()
}

impl Map {
    /// An empty map of what `func` counts from `begun` on (`CLOCK_MONOTONIC` ns). `labels` are put before keys, by their
    /// place.
    pub fn new(heading: String, unit: Unit, labels: Vec<String>, func: AggFunc, begun: u64) -> Map {
        let scale = data::scale(func);
        let by_bucket = scale.iter().enumerate();
        Map {
            heading,
            unit,
            labels,
            levels: levels(func, &scale),
            by_bucket: by_bucket.map(|(i, b)| ((b.value, b.below), i)).collect(),
            begun,
            columns: Vec::new(),
            panels: Vec::new(),
            by_key: HashMap::new(),
            last: HashMap::new(),
            carried: HashMap::new(),
        }
    }

    fn counts(&self, entry: &Entry) -> Counts {
        let Measure::Buckets(buckets) = &entry.value else {
            return Counts::new();
        };
        let level = |b: &Bucket| self.by_bucket.get(&(b.value, b.below)).copied();
        let counts = buckets.iter().filter_map(|b| Some((level(b)?, b.count)));
        counts.collect()
    }

    /// Takes what has come to a key since the last time out of what it holds.
    fn fresh(&mut self, entry: &Entry) -> Counts {
        let now = self.counts(entry);
        let mut fresh = now.clone();
        if let Some(last) = self.last.insert(entry.key.clone(), now) {
            for (level, count) in last {
                *fresh.entry(level).or_default() -= count;
            }
        }
        fresh
    }

    /// What the aggregation holds at a time: a column ends.
    pub fn printed(&mut self, timestamp: u64, entries: &[Entry]) {
        let to = timestamp.saturating_sub(self.begun);
        let from = self.columns.last().map_or(0, |c| c.to);
        if self.columns.is_empty() || to > from {
            self.columns.push(Column {
                from: from.min(to),
                to,
            });
        }
        for (key, counts) in std::mem::take(&mut self.carried) {
            self.count(key, counts);
        }
        for entry in entries {
            let fresh = self.fresh(entry);
            self.count(entry.key.clone(), fresh);
        }
    }

    /// What the aggregation held when it was emptied; what no column has had yet comes into the next one.
    pub fn removed(&mut self, entries: &[Entry]) {
        for entry in entries {
            let fresh = self.fresh(entry);
            let carried = self.carried.entry(entry.key.clone()).or_default();
            for (level, count) in fresh {
                *carried.entry(level).or_default() += count;
            }
        }
        self.last.clear();
    }

    /// What the aggregation holds in the end: the last column, if there is anything new.
    pub fn finish(&mut self, timestamp: u64, entries: &[Entry]) {
        let news = |(key, counts): (&Entry, Counts)| {
            let last = self.last.get(&key.key);
            counts
                .iter()
                .any(|(level, n)| last.and_then(|l| l.get(level)).unwrap_or(&0) != n)
        };
        let carried = self
            .carried
            .values()
            .flat_map(Counts::values)
            .any(|n| *n != 0);
        if carried || entries.iter().map(|e| (e, self.counts(e))).any(news) {
            self.printed(timestamp, entries);
        }
    }

    /// Adds counts to the last column of a key.
    fn count(&mut self, key: Vec<Item>, counts: Counts) {
        let column = self.columns.len().saturating_sub(1);
        let mut counts: Vec<_> = counts.into_iter().filter(|(_, n)| *n != 0).collect();
        if counts.is_empty() {
            return;
        }
        counts.sort_unstable();
        let panel = match self.by_key.get(&key) {
            Some(panel) => *panel,
            None => {
                self.panels.push(Panel {
                    title: self.title(&key),
                    ..Panel::default()
                });
                self.by_key.insert(key, self.panels.len() - 1);
                self.panels.len() - 1
            }
        };
        let Some(panel) = self.panels.get_mut(panel) else {
            return;
        };
        for (level, count) in counts {
            panel.total += i128::from(count);
            let known = panel.cells.iter_mut().rev();
            let mut known = known.take_while(|c| c.column == column);
            match known.find(|c| c.level == level) {
                Some(cell) => cell.count += count,
                None => panel.cells.push(Cell {
                    column,
                    level,
                    count,
                }),
            }
        }
    }

    fn title(&self, key: &[Item]) -> String {
        let texts = key.iter().enumerate().map(|(i, item)| {
            let label = self.labels.get(i).map_or("", String::as_str);
            format!("{label}{}", crate::text::item(item))
        });
        texts.collect::<Vec<_>>().join(", ")
    }
}

#[cfg(test)]
mod tests;

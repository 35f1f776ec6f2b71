//! What the run has found, read from its JSON output.

use serde_json::Value;
use std::collections::HashMap;
use std::collections::hash_map::Entry as Slot;

/// How often something took about how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bucket {
    /// Least nanoseconds.
    pub from: i64,
    /// Times.
    pub count: u64,
}

/// A lock at one place of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Name or address of the lock.
    pub lock: String,
    /// Who used it, innermost first.
    pub stack: Vec<String>,
    /// Distribution of the times.
    pub buckets: Vec<Bucket>,
    /// Nanoseconds of all together.
    pub total: u64,
}

impl Entry {
    /// How often.
    pub fn count(&self) -> u64 {
        self.buckets.iter().map(|b| b.count).sum()
    }

    /// Adds what is known of the same lock and place.
    fn add(&mut self, other: &Entry) {
        self.total += other.total;
        for bucket in &other.buckets {
            match self.buckets.binary_search_by_key(&bucket.from, |b| b.from) {
                Ok(at) => self
                    .buckets
                    .iter_mut()
                    .skip(at)
                    .take(1)
                    .for_each(|b| b.count += bucket.count),
                Err(at) => self.buckets.insert(at, *bucket),
            }
        }
    }

    /// Nanoseconds each time.
    pub fn average(&self) -> u64 {
        self.total / self.count().max(1)
    }
}

/// The output is not what a run writes.
#[derive(Debug, thiserror::Error)]
#[error("unreadable result of tracing: {0}")]
pub struct Unreadable(String);

/// Entries by the name of their aggregation.
type Entries = HashMap<String, Vec<Value>>;

/// The results of a run.
#[derive(Debug, Default)]
pub struct Results(Entries);

impl Results {
    /// Takes the lines of a run.
    pub fn read(text: &str) -> Result<Results, Unreadable> {
        let mut entries = Entries::new();
        for line in text.lines() {
            let mut line: Value =
                serde_json::from_str(line).map_err(|e| Unreadable(e.to_string()))?;
            let is_aggregation = line.get("type").and_then(Value::as_str) == Some("aggregation");
            let name = line.get("name").and_then(Value::as_str).map(str::to_owned);
            let list = line.get_mut("entries").map(Value::take);
            if let (true, Some(name), Some(Value::Array(list))) = (is_aggregation, name, list) {
                entries.insert(name, list);
            }
        }
        Ok(Results(entries))
    }

    /// The entries of a section with stacks of so many frames, those that took most first.
    pub fn section(&self, name: &str, frames: usize) -> Vec<Entry> {
        let of = |suffix| self.0.get(&format!("{name}{suffix}")).into_iter().flatten();
        let totals: HashMap<String, u64> = of('t')
            .filter_map(|e| Some((e.get("key")?.to_string(), e.get("value")?.as_u64()?)))
            .collect();
        let mut places: HashMap<(String, Vec<String>), Entry> = HashMap::new();
        for mut found in of('n').filter_map(|e| entry(e, &totals)) {
            found.stack.truncate(frames);
            match places.entry((found.lock.clone(), found.stack.clone())) {
                Slot::Occupied(mut known) => known.get_mut().add(&found),
                Slot::Vacant(free) => drop(free.insert(found)),
            }
        }
        let mut all: Vec<Entry> = places.into_values().collect();
        all.sort_by(|a, b| (b.total, &a.lock, &a.stack).cmp(&(a.total, &b.lock, &b.stack)));
        all
    }
}

fn entry(value: &Value, totals: &HashMap<String, u64>) -> Option<Entry> {
    let key = value.get("key")?;
    let buckets = value.get("buckets")?.as_array()?.iter().filter_map(|b| {
        Some(Bucket {
            from: b.get("value")?.as_i64()?,
            count: b.get("count")?.as_u64()?,
        })
    });
    let stack = key.get(1)?.as_array()?.iter();
    let stack: Vec<String> = stack
        .filter_map(|f| f.as_str().map(str::to_owned))
        .collect();
    Some(Entry {
        lock: key.get(0)?.as_str()?.to_owned(),
        stack: users(stack),
        buckets: buckets.collect(),
        total: totals.get(&key.to_string()).copied()?,
    })
}

/// The stack from the caller of the C library on.
fn users(stack: Vec<String>) -> Vec<String> {
    let own = stack.iter().take_while(|frame| is_lock_function(frame));
    let own = own.count();
    stack.into_iter().skip(own).collect()
}

/// Whether a frame is one of the functions by which locks are used.
fn is_lock_function(frame: &str) -> bool {
    let Some((module, function)) = frame.split_once('`') else {
        return false;
    };
    let function = function.trim_start_matches('_');
    let own = [
        "pthread_mutex_",
        "pthread_rwlock_",
        "pthread_cond_",
        "lll_",
        "futex_",
    ];
    let library = module.starts_with("libc") || module.starts_with("libpthread");
    own.iter().any(|prefix| function.starts_with(prefix))
        || library
            && ["mtx_", "cnd_"]
                .iter()
                .any(|prefix| function.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINES: &str = r#"{"type":"aggregation","name":"mutex_holdn","function":"quantize","entries":[{"key":["a.out`l",["libc.so.6`pthread_mutex_unlock","a.out`f+0x3","a.out`main"]],"buckets":[{"value":8,"count":2},{"value":16,"count":1}]},{"key":["a.out`m",["a.out`g"]],"buckets":[{"value":64,"count":1}]}]}
{"type":"aggregation","name":"mutex_holdt","function":"sum","entries":[{"key":["a.out`l",["libc.so.6`pthread_mutex_unlock","a.out`f+0x3","a.out`main"]],"value":33},{"key":["a.out`m",["a.out`g"]],"value":70}]}
{"type":"end","status":0}"#;

    #[test]
    fn entries_are_put_together() {
        let all = Results::read(LINES)
            .expect("results")
            .section("mutex_hold", 2);
        let [long, short] = all.as_slice() else {
            panic!("{all:?}")
        };
        assert_eq!(
            (long.lock.as_str(), long.count(), long.average()),
            ("a.out`m", 1, 70)
        );
        assert_eq!((short.count(), short.average()), (3, 11));
        assert_eq!(short.stack, ["a.out`f+0x3", "a.out`main"]);
    }

    #[test]
    fn stacks_that_are_cut_alike_are_one() {
        let bucket = |from, count| Bucket { from, count };
        let mut one = Entry {
            lock: String::new(),
            stack: Vec::new(),
            buckets: vec![bucket(8, 1), bucket(32, 1)],
            total: 50,
        };
        let other = Entry {
            buckets: vec![bucket(16, 2), bucket(32, 4)],
            ..one.clone()
        };
        one.add(&other);
        assert_eq!(one.buckets, [bucket(8, 1), bucket(16, 2), bucket(32, 5)]);
        assert_eq!((one.count(), one.total), (8, 100));
    }

    #[test]
    fn other_output_is_an_error() {
        assert!(Results::read("dtrace: what").is_err());
        assert!(
            Results::read("")
                .expect("nothing")
                .section("x", 1)
                .is_empty()
        );
    }
}

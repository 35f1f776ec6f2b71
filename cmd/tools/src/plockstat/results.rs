//! What the run has found.

use session::data::{self, Bucket, Frame, Item, Measure};
use std::collections::HashMap;
use std::collections::hash_map::Entry as Slot;

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
        let times: i64 = self.buckets.iter().map(|b| b.count).sum();
        u64::try_from(times).unwrap_or(0)
    }

    /// Adds what is known of the same lock and place.
    fn add(&mut self, other: &Entry) {
        self.total += other.total;
        for bucket in &other.buckets {
            match self
                .buckets
                .binary_search_by_key(&bucket.value, |b| b.value)
            {
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

/// The results of a run: entries by the name of their aggregation.
#[derive(Debug, Default)]
pub struct Results(pub HashMap<String, Vec<data::Entry>>);

impl Results {
    /// The entries of a section with stacks of so many frames, those that took most first.
    pub fn section(&self, name: &str, frames: usize) -> Vec<Entry> {
        let of = |suffix: char| self.0.get(&format!("{name}{suffix}")).into_iter().flatten();
        let totals: HashMap<&[Item], i64> = of('t')
            .map(|e| (e.key.as_slice(), e.value.number()))
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

fn entry(found: &data::Entry, totals: &HashMap<&[Item], i64>) -> Option<Entry> {
    let ([Item::Symbol(lock), stack], Measure::Buckets(buckets)) =
        (found.key.as_slice(), &found.value)
    else {
        return None;
    };
    Some(Entry {
        lock: lock.full_place(),
        stack: users(stack.frames()),
        buckets: buckets.clone(),
        total: u64::try_from(*totals.get(found.key.as_slice())?).unwrap_or(0),
    })
}

/// The stack from the caller of the C library on.
fn users(stack: &[Frame]) -> Vec<String> {
    let others = stack.iter().skip_while(|frame| is_lock_function(frame));
    others.map(Frame::full_place).collect()
}

/// Beginnings of names of the functions by which locks are used, in any library and in that of C.
const LOCK_FUNCTIONS: [&str; 5] = [
    "pthread_mutex_",
    "pthread_rwlock_",
    "pthread_cond_",
    "lll_",
    "futex_",
];
const LIBC_LOCK_FUNCTIONS: [&str; 2] = ["mtx_", "cnd_"];

/// Whether a frame is one of the functions by which locks are used.
fn is_lock_function(frame: &Frame) -> bool {
    let (Some(module), Some(name)) = (&frame.module, &frame.name) else {
        return false;
    };
    let function = name.trim_start_matches('_');
    let begins = |names: &[&str]| names.iter().any(|start| function.starts_with(start));
    let library = module.starts_with("libc") || module.starts_with("libpthread");
    begins(&LOCK_FUNCTIONS) || library && begins(&LIBC_LOCK_FUNCTIONS)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(module: &str, name: &str, offset: u64) -> Frame {
        Frame {
            module: Some(module.into()),
            name: Some(name.into()),
            offset,
            ..Frame::default()
        }
    }

    fn bucket(value: i64, count: i64) -> Bucket {
        Bucket {
            value,
            below: false,
            count,
        }
    }

    /// The times of a lock, and all together.
    fn found(lock: &str, stack: &[Frame], buckets: &[Bucket], total: i64) -> [data::Entry; 2] {
        let key = vec![
            Item::Symbol(frame("a.out", lock, 0)),
            Item::Stack(stack.to_vec()),
        ];
        [Measure::Buckets(buckets.to_vec()), Measure::Number(total)].map(|value| data::Entry {
            key: key.clone(),
            value,
        })
    }

    #[test]
    fn entries_are_put_together() {
        let long = [
            frame("libc.so.6", "pthread_mutex_unlock", 0),
            frame("a.out", "f", 3),
            frame("a.out", "main", 0),
        ];
        let [ln, lt] = found("l", &long, &[bucket(8, 2), bucket(16, 1)], 33);
        let [mn, mt] = found("m", &[frame("a.out", "g", 0)], &[bucket(64, 1)], 70);
        let of = |name: &str, entries| (name.to_owned(), entries);
        let results = [
            of("mutex_holdn", vec![ln, mn]),
            of("mutex_holdt", vec![lt, mt]),
        ];
        let all = Results(results.into_iter().collect()).section("mutex_hold", 2);
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
    fn nothing_found_is_nothing_shown() {
        assert!(Results::default().section("x", 1).is_empty());
    }
}

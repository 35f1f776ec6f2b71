//! What was gathered, put together as the flags ask.

use super::{Args, Place};
use session::data::{Bucket, Entry, Frame, Item, Measure};
use std::collections::HashMap;

/// Buckets of a distribution, by powers of two.
pub const BUCKETS: usize = 64;

/// Beginnings of names of functions that are of the locks themselves.
const LOCK_FUNCTIONS: &[&str] = &[
    "mutex_",
    "__mutex_",
    "ww_mutex_",
    "rt_mutex_",
    "__rt_mutex",
    "rtlock_",
    "rt_spin_",
    "rwbase_",
    "down_",
    "__down_",
    "up_",
    "__up_",
    "downgrade_",
    "rwsem_",
    "percpu_down",
    "percpu_up",
    "__percpu_down",
    "_raw_",
    "__raw_",
    "do_raw_",
    "native_queued_",
    "__pv_queued_",
    "pv_queued_",
    "queued_",
    "osq_",
    "trace_contention",
];

/// The profiling interrupt came in a softirq.
const SOFTIRQ: u64 = 1;
/// The profiling interrupt came in a process, not in the kernel.
const USER: u64 = 2;

/// A lock, or the CPU of a profiling interrupt.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Lock {
    /// Of the kernel.
    At(Frame),
    /// CPU, in a softirq or not.
    Cpu(u64, bool),
}

impl Lock {
    /// As reports show it. Data have names only where symbols of the kernel include them, and then near those.
    pub fn text(&self) -> String {
        const NEAR: u64 = 4096;
        match self {
            Lock::At(frame) if frame.name.is_some() && frame.offset < NEAR => frame.full_place(),
            Lock::At(frame) => format!("0x{:x}", frame.address),
            Lock::Cpu(cpu, false) => format!("cpu[{cpu}]"),
            Lock::Cpu(cpu, true) => format!("cpu[{cpu}]+softirq"),
        }
    }
}

/// Events of a kind that are shown as one.
#[derive(Clone, Debug)]
pub struct Record {
    /// The lock; with `-W` that of most.
    pub lock: Lock,
    /// Who; with `-w` who most.
    pub caller: Frame,
    /// From the caller outwards.
    pub stack: Vec<Frame>,
    /// How many.
    pub count: u64,
    /// How long all together, in ns.
    pub time: u64,
    /// How many threads held the lock, added up.
    pub holders: u64,
    /// How many took 2 to the power of the index and longer.
    pub hist: Vec<u64>,
}

/// In a process.
pub const USERMODE: &str = "(usermode)";

fn usermode() -> Frame {
    Frame {
        name: Some(USERMODE.into()),
        ..Frame::default()
    }
}

fn is_lock_function(frame: &Frame) -> bool {
    let name = frame.name.as_deref().unwrap_or_default();
    LOCK_FUNCTIONS.iter().any(|start| name.starts_with(start))
}

/// The frames without those of the locks above the caller.
pub fn from_caller(frames: &[Frame]) -> &[Frame] {
    let own = frames.iter().take_while(|f| is_lock_function(f)).count();
    match frames.get(own..) {
        Some(rest) if !rest.is_empty() => rest,
        Some(_) | None => frames,
    }
}

/// The parts of a key: number of the event, lock, circumstance, frames.
pub fn parts(
    key: &[Item],
    mut named: impl FnMut(u64) -> Frame,
) -> Option<(u64, Lock, u64, &[Frame])> {
    let [number, lock, circumstance, stack] = key else {
        return None;
    };
    let (number, circumstance) = (number.word(), circumstance.word());
    Some(match number {
        56 => {
            let lock = Lock::Cpu(lock.word(), circumstance & SOFTIRQ != 0);
            (number, lock, circumstance, stack.frames())
        }
        _ => {
            let lock = Lock::At(named(lock.word()));
            (number, lock, circumstance, from_caller(stack.frames()))
        }
    })
}

/// The records of the entries, by the number of their event, one for each key.
pub fn records(
    entries: &[Entry],
    hists: &[Entry],
    mut named: impl FnMut(u64) -> Frame,
) -> HashMap<u64, Vec<Record>> {
    let hists: HashMap<&[Item], &Measure> =
        hists.iter().map(|e| (e.key.as_slice(), &e.value)).collect();
    let mut all: HashMap<u64, Vec<Record>> = HashMap::new();
    for entry in entries {
        let Some((number, lock, circumstance, frames)) = parts(&entry.key, &mut named) else {
            continue;
        };
        let (count, time) = match &entry.value {
            Measure::Average { count, sum } => (*count, u64::try_from(*sum).unwrap_or(0)),
            Measure::Number(count) => (u64::try_from(*count).unwrap_or(0), 0),
            Measure::Buckets(_) => continue,
        };
        let user = number == 56 && circumstance & USER != 0;
        let stack = if user {
            vec![usermode()]
        } else {
            frames.to_vec()
        };
        let holders = if number == 35 { circumstance.max(1) } else { 1 };
        all.entry(number).or_default().push(Record {
            lock,
            caller: stack.first().cloned().unwrap_or_default(),
            stack,
            count,
            time,
            holders: holders.saturating_mul(count),
            hist: distribution(hists.get(entry.key.as_slice()).copied()),
        });
    }
    all
}

fn distribution(measure: Option<&Measure>) -> Vec<u64> {
    let mut hist = vec![0; BUCKETS];
    let buckets: &[Bucket] = match measure {
        Some(Measure::Buckets(buckets)) => buckets,
        Some(Measure::Number(_) | Measure::Average { .. }) | None => &[],
    };
    for bucket in buckets {
        let power = u64::try_from(bucket.value)
            .unwrap_or(0)
            .checked_ilog2()
            .unwrap_or(0);
        if let Some(slot) = hist.get_mut(power as usize) {
            *slot += u64::try_from(bucket.count).unwrap_or(0);
        }
    }
    hist
}

/// Whether the caller is one of those that were asked for.
fn of_function(functions: &[Place], caller: &Frame) -> bool {
    let is = |place: &Place| match place {
        Place::Name(name, size) => {
            caller.name.as_deref() == Some(name) && size.is_none_or(|s| caller.offset < s)
        }
        Place::Address(from, size) => (*from..from.saturating_add(*size)).contains(&caller.address),
    };
    functions.is_empty() || functions.iter().any(is)
}

/// A place as the flags tell places apart.
fn place(frame: &Frame, by_function: bool) -> Frame {
    let mut place = frame.clone();
    if by_function && place.name.is_some() {
        place.address = place.address.wrapping_sub(place.offset);
        place.offset = 0;
    }
    place
}

fn whole(lock: &Lock, arrays: bool) -> Lock {
    match lock {
        Lock::At(frame) if arrays => Lock::At(place(frame, true)),
        Lock::At(_) | Lock::Cpu(..) => lock.clone(),
    }
}

/// What makes two records one.
#[derive(PartialEq, Eq, Hash)]
struct Key(Option<Lock>, Option<Frame>, Vec<Frame>);

/// Records of one kind as the flags ask: filtered, put together, the greatest first.
pub fn arranged(args: &Args, records: Vec<Record>) -> Vec<Record> {
    let mut groups: HashMap<Key, Vec<Record>> = HashMap::new();
    for mut record in records {
        if !of_function(&args.functions, &record.caller) {
            continue;
        }
        record.lock = whole(&record.lock, args.arrays);
        record.stack = record
            .stack
            .iter()
            .map(|f| place(f, args.by_function))
            .collect();
        record.caller = place(&record.caller, args.by_function);
        let callers = match args.generated {
            true => record.stack.clone(),
            false => vec![record.caller.clone()],
        };
        let depth = if args.generated {
            0
        } else {
            args.gather.depth() as usize
        };
        for caller in callers {
            let mut record = record.clone();
            record.caller = caller;
            record.stack.truncate(depth);
            let key = Key(
                (!args.whichever).then(|| record.lock.clone()),
                (!args.wherever).then(|| record.caller.clone()),
                if args.wherever {
                    Vec::new()
                } else {
                    record.stack.clone()
                },
            );
            groups.entry(key).or_default().push(record);
        }
    }
    let mut all: Vec<Record> = groups.into_values().filter_map(together).collect();
    let rank = |r: &Record| {
        if args.product {
            (r.time, r.count)
        } else {
            (r.count, r.time)
        }
    };
    all.sort_by(|a, b| {
        rank(b)
            .cmp(&rank(a))
            .then_with(|| a.caller.address.cmp(&b.caller.address))
    });
    all
}

/// One record of several; its lock and caller are those of most.
fn together(records: Vec<Record>) -> Option<Record> {
    let hottest = records.iter().max_by_key(|r| r.count)?;
    let mut sum = Record {
        count: 0,
        time: 0,
        holders: 0,
        hist: vec![0; BUCKETS],
        ..hottest.clone()
    };
    for record in &records {
        sum.count += record.count;
        sum.time = sum.time.saturating_add(record.time);
        sum.holders = sum.holders.saturating_add(record.holders);
        for (all, one) in sum.hist.iter_mut().zip(&record.hist) {
            *all += one;
        }
    }
    Some(sum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lockstat::{Flag, Gather};

    fn frame(name: &str, offset: u64) -> Frame {
        Frame {
            address: 0x1000 + name.len() as u64 * 0x100 + offset,
            module: Some("vmlinux".into()),
            name: Some(name.into()),
            offset,
            user: false,
        }
    }

    fn entry(lock: u64, frames: &[Frame], count: u64, sum: i64) -> Entry {
        Entry {
            key: vec![
                Item::Int(2),
                Item::Uint(lock),
                Item::Int(0),
                Item::Stack(frames.to_vec()),
            ],
            value: Measure::Average { count, sum },
        }
    }

    fn found(flags: &[(Flag, &str)]) -> Vec<(String, String, u64, u64)> {
        let slow = [
            frame("_raw_spin_lock", 3),
            frame("wake", 8),
            frame("main", 1),
        ];
        let entries = [
            entry(0xa, &slow, 3, 30),
            entry(0xb, &slow, 2, 200),
            entry(0xa, &[frame("wake", 16), frame("main", 2)], 4, 40),
        ];
        let mut args = Args::default();
        for (flag, value) in flags {
            args.take(*flag, value).expect("a flag");
        }
        let unnamed = |address| Frame {
            address,
            ..Frame::default()
        };
        let records = records(&entries, &[], unnamed).remove(&2).expect("records");
        let shown = arranged(&args, records).into_iter();
        let row = |r: Record| (r.lock.text(), r.caller.full_place(), r.count, r.time);
        shown.map(row).collect()
    }

    fn row(lock: &str, caller: &str, count: u64, time: u64) -> (String, String, u64, u64) {
        (lock.to_owned(), caller.to_owned(), count, time)
    }

    #[test]
    fn records_are_told_apart_as_asked() {
        let plain = [
            row("0xa", "wake+0x10", 4, 40),
            row("0xa", "wake+0x8", 3, 30),
            row("0xb", "wake+0x8", 2, 200),
        ];
        assert_eq!(found(&[]), plain);
        let functions = [row("0xa", "wake", 7, 70), row("0xb", "wake", 2, 200)];
        assert_eq!(found(&[(Flag::Functions, "")]), functions);
        let both = [(Flag::Functions, ""), (Flag::Product, "")];
        assert_eq!(found(&both)[0], functions[1]);
        let whichever = [
            row("0xa", "wake+0x8", 5, 230),
            row("0xa", "wake+0x10", 4, 40),
        ];
        assert_eq!(found(&[(Flag::Whichever, "")]), whichever);
        let wherever = [
            row("0xa", "wake+0x10", 7, 70),
            row("0xb", "wake+0x8", 2, 200),
        ];
        assert_eq!(found(&[(Flag::Wherever, "")]), wherever);
        assert_eq!(found(&[(Flag::Function, "wake,16")]).len(), 2);
        assert_eq!(found(&[(Flag::Function, "main")]), []);
    }

    #[test]
    fn generated_events_count_for_the_whole_stack() {
        let flags = [
            (Flag::Generated, ""),
            (Flag::Functions, ""),
            (Flag::Whichever, ""),
        ];
        let want = [row("0xa", "wake", 9, 270), row("0xa", "main", 9, 270)];
        let mut got = found(&flags);
        got.sort_by(|a, b| b.1.cmp(&a.1));
        assert_eq!(got, want);
    }

    #[test]
    fn interrupts_have_a_cpu_and_users_no_function() {
        let key = |circumstance| Entry {
            key: vec![
                Item::Int(56),
                Item::Uint(1),
                Item::Int(circumstance),
                Item::Stack(Vec::new()),
            ],
            value: Measure::Number(1),
        };
        let all = records(&[key(2), key(1)], &[], |_| Frame::default());
        let texts = |r: &Record| (r.lock.text(), r.caller.place());
        let texts: Vec<_> = all.get(&56).into_iter().flatten().map(texts).collect();
        assert_eq!(texts[0], ("cpu[1]".to_owned(), "(usermode)".to_owned()));
        assert_eq!(texts[1].0, "cpu[1]+softirq");
    }

    #[test]
    fn distributions_are_by_powers_of_two() {
        let bucket = |value, count| Bucket {
            value,
            below: false,
            count,
        };
        let hist = distribution(Some(&Measure::Buckets(vec![
            bucket(0, 1),
            bucket(1, 2),
            bucket(1024, 5),
        ])));
        assert_eq!((hist[0], hist[10], hist.len()), (3, 5, BUCKETS));
        assert_eq!(Gather::default(), Gather::Timing);
    }
}

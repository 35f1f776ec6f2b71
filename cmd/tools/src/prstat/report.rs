//! The report of prstat: what changed since the last one, a line a thread or process.

use super::{COUNTS, Key, STATES, TRP};
use crate::run;
use crate::stamp::Stamp;
use crate::units::{percent, unbias};
use session::data::Entry;
use session::{Next, Reader, TraceError, View};
use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs;

/// What is shown.
pub struct Form {
    /// Only these processes, if any is named.
    pub pids: Vec<u64>,
    /// A line a thread.
    pub threads: bool,
    /// At most so many lines.
    pub top: usize,
    /// What they are sorted by.
    pub key: Key,
    /// Whether traps are seen.
    pub traps: bool,
    /// Reports yet to be made, if their number is limited.
    pub left: Option<u64>,
    /// The time above each.
    pub stamp: Stamp,
}

/// A process and one of its threads.
type Id = (u64, u64);

/// What a thread did in an interval.
#[derive(Clone, Debug, Default)]
struct Spent {
    /// ns in each state.
    states: [i64; 8],
    counts: [i64; 4],
}

/// Makes the reports.
pub struct Report {
    form: Form,
    /// How often each state of a thread goes on: once for one of them, as soon as anything is known of the thread.
    open: HashMap<Id, [i64; 8]>,
    /// When the last report was made.
    last: u64,
    /// From when times count.
    base: i64,
}

impl Report {
    pub fn new(form: Form, base: i64) -> Report {
        Report {
            form,
            open: HashMap::new(),
            last: 0,
            base,
        }
    }

    /// What each thread spent from `from` to `now`.
    fn spent(
        &mut self,
        times: &[Entry],
        counts: &[Entry],
        (from, now): (u64, u64),
    ) -> HashMap<Id, Spent> {
        let mut all: HashMap<Id, Spent> = HashMap::new();
        let mut fresh: Vec<Id> = Vec::new();
        let (from, now) = (from as i64, now as i64);
        for (id, open) in &self.open {
            let spent = all.entry(*id).or_default();
            for (ns, open) in spent.states.iter_mut().zip(open) {
                *ns += open * (now - from);
            }
        }
        for entry in times {
            let Some((id, n)) = place(entry) else {
                continue;
            };
            let open = self.open.entry(id).or_insert_with(|| {
                fresh.push(id);
                [0; 8]
            });
            let (more, ns) = unbias(entry.value.number());
            let state = n.wrapping_sub(1) as usize;
            if let Some(open) = open.get_mut(state) {
                *open += more;
            }
            if let Some(all) = all.entry(id).or_default().states.get_mut(state) {
                *all += ns + more * (now - self.base);
            }
        }
        for id in fresh {
            all.entry(id).and_modify(|s| cut(s, now - from));
        }
        for entry in counts {
            if let Some((id, n)) = place(entry)
                && let Some(count) = all.entry(id).or_default().counts.get_mut(n as usize)
            {
                *count += entry.value.number();
            }
        }
        all
    }
}

/// The first that is seen of a thread tells of all its time before; that was in earlier reports.
fn cut(spent: &mut Spent, interval: i64) {
    let more = spent.states.iter().sum::<i64>() - interval;
    if let (true, Some(longest)) = (more > 0, spent.states.iter_mut().max()) {
        *longest -= more;
    }
}

fn place(entry: &Entry) -> Option<(Id, u64)> {
    match entry.key.as_slice() {
        [pid, tid, n] => Some(((pid.word(), tid.word()), n.word())),
        _ => None,
    }
}

/// A thread that exists.
struct Thread {
    id: Id,
    runs: bool,
}

impl Thread {
    /// The state of a thread to which nothing has happened since tracing began.
    fn state(&self) -> usize {
        let (pid, tid) = self.id;
        let place = fs::read_to_string(format!("/proc/{pid}/task/{tid}/wchan"));
        match place {
            _ if self.runs => 0,
            Ok(place) if place.starts_with("futex") => 5,
            Ok(_) | Err(_) => 6,
        }
    }
}

/// Whether there is such a process.
pub fn exists(pid: u64) -> bool {
    !numbers(&format!("/proc/{pid}/task")).is_empty()
}

fn numbers(dir: &str) -> Vec<u64> {
    let entries = fs::read_dir(dir).into_iter().flatten().flatten();
    let mut all: Vec<u64> = entries
        .filter_map(|e| e.file_name().to_str()?.parse().ok())
        .collect();
    all.sort_unstable();
    all
}

/// The threads of these processes, or of all.
fn threads(pids: &[u64]) -> Vec<Thread> {
    let all = if pids.is_empty() {
        numbers("/proc")
    } else {
        pids.to_vec()
    };
    let of = |pid: u64| {
        numbers(&format!("/proc/{pid}/task"))
            .into_iter()
            .filter_map(move |tid| {
                let stat = fs::read_to_string(format!("/proc/{pid}/task/{tid}/stat")).ok()?;
                let state = stat.rsplit_once(')')?.1.trim_start().chars().next()?;
                (state != 'Z' && state != 'X').then_some(Thread {
                    id: (pid, tid),
                    runs: state == 'R',
                })
            })
    };
    all.into_iter().flat_map(of).collect()
}

/// A line of the report.
struct Line {
    pid: u64,
    tid: u64,
    threads: usize,
    spent: Spent,
}

impl Line {
    fn rank(&self, key: Key) -> i64 {
        let total = self.spent.states.iter().sum::<i64>().max(1);
        let part = |ns: i64| ns.saturating_mul(1 << 20) / total;
        let [usr, sys, ..] = self.spent.states;
        match key {
            Key::Cpu => part(usr + sys),
            Key::State(n) => part(self.spent.states.get(n).copied().unwrap_or(0)),
            Key::Count(n) => self.spent.counts.get(n).copied().unwrap_or(0),
        }
    }

    fn text(&self, traps: bool, users: &HashMap<String, String>) -> String {
        let total = self.spent.states.iter().sum::<i64>() as f64;
        let name = fs::read_to_string(format!("/proc/{}/comm", self.pid)).unwrap_or_default();
        let user = user_of(self.pid, users);
        let mut text = format!("{:>6} {:<8.8}", self.pid, user);
        for (n, ns) in self.spent.states.iter().enumerate() {
            text.push(' ');
            text += &match n {
                TRP if !traps => "  -".to_owned(),
                _ => part(percent(*ns as f64, total)),
            };
        }
        for count in self.spent.counts {
            text.push(' ');
            text += &short(count);
        }
        let last = if self.tid == 0 {
            self.threads as u64
        } else {
            self.tid
        };
        format!("{text} {}/{last}", name.trim_end())
    }
}

/// A percentage in three columns.
fn part(percent: f64) -> String {
    match percent {
        p if p < 9.95 => format!("{p:3.1}"),
        p => format!("{p:3.0}"),
    }
}

/// A count in three columns.
fn short(count: i64) -> String {
    match count {
        n if n < 1000 => format!("{n:>3}"),
        n if n < 99_500 => format!("{:>2}K", (n + 500) / 1000),
        n if n < 1_000_000 => format!(".{}M", (n / 100_000).max(1)),
        n => format!("{:>2}M", n / 1_000_000),
    }
}

/// Names of users by number.
fn users() -> HashMap<String, String> {
    let text = fs::read_to_string("/etc/passwd").unwrap_or_default();
    let entry = |line: &str| {
        let mut words = line.split(':');
        let name = words.next()?.to_owned();
        Some((words.nth(1)?.to_owned(), name))
    };
    text.lines().filter_map(entry).collect()
}

fn user_of(pid: u64, users: &HashMap<String, String>) -> String {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("Uid:"));
    let uid = line
        .and_then(|l| l.split_whitespace().nth(1))
        .unwrap_or("-");
    users.get(uid).map_or_else(|| uid.to_owned(), String::clone)
}

/// The threads of a process as one.
fn by_process(lines: Vec<Line>) -> Vec<Line> {
    let mut all: Vec<Line> = Vec::new();
    for line in lines {
        match all.last_mut().filter(|known| known.pid == line.pid) {
            Some(known) => {
                known.threads += 1;
                let more = line.spent;
                known
                    .spent
                    .states
                    .iter_mut()
                    .zip(more.states)
                    .for_each(|(a, b)| *a += b);
                known
                    .spent
                    .counts
                    .iter_mut()
                    .zip(more.counts)
                    .for_each(|(a, b)| *a += b);
            }
            None => all.push(Line { tid: 0, ..line }),
        }
    }
    all
}

impl Reader for Report {
    fn interval(&mut self, view: &mut View<'_>) -> Result<Next, TraceError> {
        let from = if self.last == 0 {
            view.begun
        } else {
            self.last
        };
        let now = view.now;
        self.last = now;
        let (times, counts) = (view.take("t")?, view.take("n")?);
        let mut spent = self.spent(&times, &counts, (from, now));
        let living = threads(&self.form.pids);
        let ids: std::collections::HashSet<Id> = living.iter().map(|t| t.id).collect();
        self.open.retain(|id, _| ids.contains(id));
        let lines = living.iter().map(|thread| {
            let mut spent = spent.remove(&thread.id).unwrap_or_default();
            spent.states.iter_mut().for_each(|ns| *ns = (*ns).max(0));
            if spent.states == [0; 8]
                && let Some(state) = spent.states.get_mut(thread.state())
            {
                *state = (now - from) as i64;
            }
            Line {
                pid: thread.id.0,
                tid: thread.id.1,
                threads: 1,
                spent,
            }
        });
        let mut lines: Vec<Line> = lines.collect();
        let (all, mut processes) = (lines.len(), lines.iter().map(|l| l.pid).collect::<Vec<_>>());
        processes.dedup();
        if !self.form.threads {
            lines = by_process(lines);
        }
        lines.sort_by_key(|l| std::cmp::Reverse(l.rank(self.form.key)));
        lines.truncate(self.form.top);
        run::print(&table(&lines, &self.form, (processes.len(), all)))?;
        Ok(run::count_down(&mut self.form.left))
    }

    fn finish(&mut self, _: &mut View<'_>) -> Result<(), TraceError> {
        Ok(())
    }
}

fn table(lines: &[Line], form: &Form, (processes, all): (usize, usize)) -> String {
    let last = if form.threads { "LWPID" } else { "NLWP" };
    let titles: Vec<&str> = STATES.iter().chain(&COUNTS).copied().collect();
    let mut text = form.stamp.line();
    text += &format!("   PID USERNAME {} PROCESS/{last}\n", titles.join(" "));
    let users = users();
    for line in lines {
        text += &line.text(form.traps, &users);
        text.push('\n');
    }
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load: Vec<&str> = load.split_whitespace().take(3).collect();
    // Writing to a String cannot fail.
    let _ = writeln!(
        text,
        "Total: {processes} processes, {all} lwps, load averages: {}",
        load.join(", ")
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::BIAS;
    use session::data::{Item, Measure};

    fn entry(state: i64, sum: i64) -> Entry {
        Entry {
            key: vec![Item::Int(7), Item::Int(8), Item::Int(state)],
            value: Measure::Number(sum),
        }
    }

    fn report() -> Report {
        let form = Form {
            pids: Vec::new(),
            threads: true,
            top: 5,
            key: Key::Cpu,
            traps: false,
            stamp: Stamp::None,
            left: None,
        };
        Report::new(form, 0)
    }

    #[test]
    fn a_state_that_goes_on_lasts_until_now() {
        let mut report = report();
        // From 1000: user to 1300, asleep until now, which is 2000.
        let first = [entry(1, 300), entry(7, -(1300 + BIAS))];
        let spent = report.spent(&first, &[], (1000, 2000));
        let states = spent.get(&(7, 8)).map(|s| s.states);
        assert_eq!(states, Some([300, 0, 0, 0, 0, 0, 700, 0]));
        // Nothing happens.
        let states = report
            .spent(&[], &[], (2000, 3000))
            .get(&(7, 8))
            .map(|s| s.states);
        assert_eq!(states, Some([0, 0, 0, 0, 0, 0, 1000, 0]));
        // Woken at 3100, on the CPU from 3150.
        let then = [
            entry(7, 3100 + BIAS),
            entry(8, 3150 - 3100),
            entry(2, -(3150 + BIAS)),
        ];
        let states = report
            .spent(&then, &[], (3000, 4000))
            .get(&(7, 8))
            .map(|s| s.states);
        assert_eq!(states, Some([0, 850, 0, 0, 0, 0, 100, 50]));
    }

    #[test]
    fn what_was_before_the_interval_is_cut() {
        let mut report = report();
        let late = [entry(7, 5000), entry(2, -(6000 + BIAS))];
        let states = report
            .spent(&late, &[], (5500, 6500))
            .get(&(7, 8))
            .map(|s| s.states);
        assert_eq!(states, Some([0, 500, 0, 0, 0, 0, 500, 0]));
    }

    #[test]
    fn numbers_take_three_columns() {
        assert_eq!(
            [0.0, 9.94, 9.96, 100.0].map(part),
            ["0.0", "9.9", " 10", "100"]
        );
        assert_eq!(
            [7, 999, 1499, 99_000, 250_000, 3_000_000].map(short),
            ["  7", "999", " 1K", "99K", ".2M", " 3M"]
        );
    }
}

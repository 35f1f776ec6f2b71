//! The table of cputrack: what happens to processes and threads, with the counts of each.

use crate::counting::{self, known};
use counters::{Count, Cycle, Known, Place, Sets};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;
use sys::errno;

/// What is shown and followed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Form {
    /// `-f`: children too; lines have the process.
    pub forks: bool,
    /// `-e`: other programs of the same process too.
    pub execs: bool,
    /// `-v`: beginnings and ends of counting.
    pub verbose: bool,
    /// Ticks of each process, if their number is limited.
    pub ticks: Option<u64>,
}

/// A process, and what is known of all that its threads did.
struct Process {
    /// `None`: its counters were refused.
    threads: BTreeMap<i32, Option<Cycle>>,
    /// Of threads that have ended and of earlier programs, by list.
    past: Vec<Option<Vec<Known>>>,
    ticks_left: Option<u64>,
}

impl Process {
    fn note(&mut self, cycle: &Cycle) {
        for (n, past) in self.past.iter_mut().enumerate() {
            merge(past, cycle.total(n));
        }
    }

    /// Something of what the process does is not counted: nobody knows its sums any more.
    fn lose(&mut self, sets: &Sets) {
        for (past, set) in self.past.iter_mut().zip(sets.iter()) {
            *past = Some(vec![Known::Nothing; set.wants.len()]);
        }
    }

    /// What is known of a list: what has ended, and what goes on.
    fn sum(&self, list: usize) -> Option<Vec<Known>> {
        let mut sum = self.past.get(list).cloned().flatten();
        for cycle in self.threads.values().flatten() {
            merge(&mut sum, cycle.total(list));
        }
        sum
    }
}

fn merge(to: &mut Option<Vec<Known>>, total: &[Count]) {
    match to {
        Some(to) => counting::add(to, &known(total)),
        None => *to = Some(known(total)),
    }
}

/// Keeps the counters of threads and writes the table.
pub struct Tracker<'a> {
    sets: &'a Sets,
    form: Form,
    processes: BTreeMap<i32, Process>,
    /// Lines that nobody took yet.
    text: String,
    /// What went wrong since somebody asked.
    pub complaints: Vec<String>,
    /// Whether anything ever did.
    pub failed: bool,
}

impl<'a> Tracker<'a> {
    /// Follows nothing yet.
    pub fn new(sets: &'a Sets, form: Form) -> Tracker<'a> {
        Tracker {
            sets,
            form,
            processes: BTreeMap::new(),
            text: String::new(),
            complaints: Vec::new(),
            failed: false,
        }
    }

    /// The titles.
    pub fn titles(&self) -> String {
        let pid = if self.form.forks { "    pid " } else { "" };
        let titles = counting::titles(self.sets);
        format!("   time {pid}    lwp      event{titles}\n")
    }

    /// The lines since the last call.
    pub fn take(&mut self) -> String {
        std::mem::take(&mut self.text)
    }

    /// Whether a process is followed.
    pub fn follows(&self, pid: i32) -> bool {
        self.processes.contains_key(&pid)
    }

    /// Whether children are to be.
    pub fn follows_forks(&self) -> bool {
        self.form.forks
    }

    /// Whether nothing is.
    pub fn is_empty(&self) -> bool {
        self.processes.values().all(|p| p.threads.is_empty())
    }

    /// The process of a thread.
    pub fn process_of(&self, tid: i32) -> Option<i32> {
        let has = |p: &&i32| self.processes[p].threads.contains_key(&tid);
        self.processes.keys().find(has).copied()
    }

    fn head(&self, time: Duration, pid: i32, tid: i32, event: &str) -> String {
        let seconds = time.as_secs_f64();
        match self.form.forks {
            true => format!("{seconds:>7.3} {pid:>7} {tid:>7} {event:>10}"),
            false => format!("{seconds:>7.3} {tid:>7} {event:>10}"),
        }
    }

    fn row(&mut self, head: &str, counts: &[Known], list: usize) {
        self.text += &counting::line(head, counts, self.sets, list);
    }

    fn remark(&mut self, head: &str, remark: &str) {
        // Words of a command may hold anything; a line stays one.
        let remark = remark.replace(|c: char| c.is_control(), "?");
        let _infallible = writeln!(self.text, "{head} # {remark}");
    }

    fn complain(&mut self, pid: i32, what: &str) {
        self.complaints.push(format!("{pid}: {what}"));
        self.failed = true;
    }

    /// Follows a process, whose threads are told next.
    pub fn process(&mut self, pid: i32) {
        let process = Process {
            threads: BTreeMap::new(),
            past: vec![None; self.sets.len()],
            ticks_left: self.form.ticks,
        };
        self.processes.insert(pid, process);
    }

    /// Begins to count a thread of a process. `created`: it is new.
    pub fn thread(&mut self, time: Duration, (pid, tid): (i32, i32), created: bool) {
        if !self.follows(pid) {
            return;
        }
        let cycle = Cycle::start(self.sets, Place::Thread(tid), 0);
        if cycle.as_ref().is_err_and(|e| e.errno == errno::ESRCH) {
            // It ended before anything of it was to be counted.
            return;
        }
        let cycle = cycle.map_err(|e| {
            let what = format!("init_lwp: can't bind perf counters to lwp {tid} - {e}");
            self.complain(pid, &what);
        });
        let counts = cycle.is_ok();
        if let Some(process) = self.processes.get_mut(&pid) {
            process.threads.insert(tid, cycle.ok());
            if !counts {
                return process.lose(self.sets);
            }
        }
        let zero = vec![Known::Exactly(0); self.sets.get(0).map_or(0, |set| set.wants.len())];
        if created {
            let head = self.head(time, pid, tid, "lwp_create");
            self.row(&head, &zero, 0);
        }
        if self.form.verbose {
            // What it did between the opening of its counters and now is in its next line.
            let head = self.head(time, pid, tid, "init_lwp");
            self.row(&head, &zero, 0);
        }
    }

    /// Takes the last counts of a thread and forgets its counters.
    fn finish(&mut self, time: Duration, (pid, tid): (i32, i32)) -> Option<Cycle> {
        let process = self.processes.get_mut(&pid)?;
        let mut cycle = process.threads.remove(&tid)??;
        let taken = cycle.take();
        process.note(&cycle);
        if let Err(e) = taken {
            process.lose(self.sets);
            let what = format!("fini_lwp: lwp {tid}: can't access perf counters - {e}");
            self.complain(pid, &what);
        }
        if self.form.verbose {
            let head = self.head(time, pid, tid, "fini_lwp");
            self.lists(&head, &cycle);
        }
        Some(cycle)
    }

    /// A line for each list that has counted in a thread.
    fn lists(&mut self, head: &str, cycle: &Cycle) {
        for list in 0..self.sets.len() {
            let total = cycle.total(list);
            if self.sets.len() == 1 || total.iter().any(|c| c.enabled > 0) {
                self.row(head, &known(total), list);
            }
        }
    }

    /// A line for each list: the whole process.
    fn sums(&mut self, head: &str, pid: i32) {
        for list in 0..self.sets.len() {
            let sum = self.processes.get(&pid).and_then(|p| p.sum(list));
            if let Some(sum) = sum {
                self.row(head, &sum, list);
            }
        }
    }

    /// A thread is gone.
    pub fn ended(&mut self, time: Duration, tid: i32) {
        let Some(pid) = self.process_of(tid) else {
            return;
        };
        let cycle = self.finish(time, (pid, tid));
        if let (true, Some(cycle)) = (tid != pid, cycle) {
            let head = self.head(time, pid, tid, "lwp_exit");
            self.lists(&head, &cycle);
        }
        if self
            .processes
            .get(&pid)
            .is_some_and(|p| p.threads.is_empty())
        {
            let head = self.head(time, pid, tid, "exit");
            self.sums(&head, pid);
            self.processes.remove(&pid);
        }
    }

    /// A thread has made a process.
    pub fn forked(&mut self, time: Duration, (pid, tid): (i32, i32), child: i32) {
        let head = self.head(time, pid, tid, "fork");
        self.remark(&head, &child.to_string());
    }

    /// A process runs another program; whether it is followed still.
    pub fn executes(&mut self, time: Duration, (pid, former): (i32, i32), program: &str) -> bool {
        let Some(process) = self.processes.get(&pid) else {
            return false;
        };
        // Whatever else there was is gone; the number of the process is the thread's that goes on.
        let threads: Vec<i32> = process.threads.keys().copied().collect();
        let others = threads.iter().filter(|tid| **tid != former);
        for tid in others.chain(threads.iter().filter(|tid| **tid == former)) {
            self.finish(time, (pid, *tid));
        }
        let head = self.head(time, pid, pid, "exec");
        self.sums(&head, pid);
        self.remark(&head, &format!("'{program}'"));
        if !self.form.execs {
            self.processes.remove(&pid);
            return false;
        }
        self.thread(time, (pid, pid), false);
        true
    }

    /// An interval has passed: what each thread did in it.
    pub fn tick(&mut self, time: Duration) {
        let pids: Vec<i32> = self.processes.keys().copied().collect();
        for pid in pids {
            self.sample(time, pid);
            let Some(process) = self.processes.get_mut(&pid) else {
                continue;
            };
            if let Some(left) = &mut process.ticks_left {
                *left = left.saturating_sub(1);
                if *left == 0 {
                    self.processes.remove(&pid);
                }
            }
        }
    }

    fn sample(&mut self, time: Duration, pid: i32) {
        let Some(process) = self.processes.get_mut(&pid) else {
            return;
        };
        let mut taken = Vec::new();
        let threads = process.threads.iter_mut();
        for (tid, cycle) in threads.filter_map(|(tid, cycle)| Some((tid, cycle.as_mut()?))) {
            let list = cycle.now();
            let counts = cycle.take().and_then(|counts| {
                if self.sets.len() > 1 {
                    cycle.turn()?;
                }
                Ok(counts)
            });
            taken.push((*tid, list, counts));
        }
        for (tid, list, counts) in taken {
            match counts {
                Ok(counts) => {
                    let head = self.head(time, pid, tid, "tick");
                    self.row(&head, &known(&counts), list);
                }
                Err(e) => {
                    self.complain(
                        pid,
                        &format!("tick: lwp {tid}: can't access perf counters - {e}"),
                    );
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sys::simulated::Pmu;

    const MS: u64 = 1_000_000;
    /// Process 10 has the threads 10 and 11.
    const P: i32 = 10;
    const T: i32 = 11;

    fn sets(texts: &[&str], cycles: bool) -> Sets {
        counting::sets(texts, cycles, &[])
    }

    fn at(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    fn lines(tracker: &mut Tracker<'_>) -> Vec<String> {
        let line = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
        tracker.take().lines().map(line).collect()
    }

    fn verbose() -> Form {
        Form {
            verbose: true,
            ..Form::default()
        }
    }

    #[test]
    fn threads_have_lines_and_the_process_their_sum() {
        let pmu = Pmu::new(4);
        pmu.run(|| {
            let sets = sets(&["instructions"], true);
            let mut tracker = Tracker::new(&sets, verbose());
            assert_eq!(
                tracker.titles().split_whitespace().collect::<Vec<_>>(),
                ["time", "lwp", "event", "cycles", "pic0"]
            );
            tracker.process(P);
            tracker.thread(at(0), (P, P), false);
            pmu.advance(MS);
            tracker.thread(at(1), (P, T), true);
            assert_eq!(tracker.process_of(T), Some(P));
            // The first waits from now on.
            pmu.advance_where(3 * MS, |asked| asked.pid == T);
            tracker.tick(at(4));
            pmu.advance_where(2 * MS, |asked| asked.pid == T);
            tracker.ended(at(6), T);
            tracker.ended(at(7), P);
            assert_eq!(
                lines(&mut tracker),
                [
                    "0.000 10 init_lwp 0 0",
                    "0.001 11 lwp_create 0 0",
                    "0.001 11 init_lwp 0 0",
                    "0.004 10 tick 1000 1000",
                    "0.004 11 tick 3000 3000",
                    "0.006 11 fini_lwp 5000 5000",
                    "0.006 11 lwp_exit 5000 5000",
                    "0.007 10 fini_lwp 1000 1000",
                    "0.007 10 exit 6000 6000",
                ]
            );
            assert!(tracker.is_empty() && !tracker.failed);
            assert!(pmu.open().is_empty());
        });
    }

    #[test]
    fn another_program_ends_following_or_begins_anew() {
        for execs in [false, true] {
            let pmu = Pmu::new(4);
            pmu.run(|| {
                let sets = sets(&["cycles"], false);
                let form = Form { execs, ..verbose() };
                let mut tracker = Tracker::new(&sets, form);
                tracker.process(P);
                tracker.thread(at(0), (P, P), false);
                tracker.thread(at(0), (P, T), true);
                lines(&mut tracker);
                pmu.advance(MS);
                // The other thread executes: it has the number of the process from now on.
                assert_eq!(tracker.executes(at(1), (P, T), "ls -l"), execs);
                pmu.advance(2 * MS);
                tracker.ended(at(3), P);
                let begun = [
                    "0.001 10 fini_lwp 1000",
                    "0.001 11 fini_lwp 1000",
                    "0.001 10 exec 2000",
                    "0.001 10 exec # 'ls -l'",
                ];
                let anew = [
                    "0.001 10 init_lwp 0",
                    "0.003 10 fini_lwp 2000",
                    "0.003 10 exit 4000",
                ];
                let more = if execs { &anew[..] } else { &[] };
                assert_eq!(lines(&mut tracker), [&begun[..], more].concat());
                assert!(tracker.is_empty() && pmu.open().is_empty());
            });
        }
    }

    #[test]
    fn children_have_lines_of_their_own() {
        let pmu = Pmu::new(4);
        pmu.run(|| {
            let sets = sets(&["cycles"], false);
            let form = Form {
                forks: true,
                ..Form::default()
            };
            let mut tracker = Tracker::new(&sets, form);
            assert!(tracker.titles().contains("    pid     lwp      event"));
            tracker.process(P);
            tracker.thread(at(0), (P, P), false);
            tracker.forked(at(1), (P, P), 20);
            tracker.process(20);
            tracker.thread(at(1), (20, 20), false);
            pmu.advance_where(MS, |asked| asked.pid == 20);
            tracker.ended(at(2), 20);
            assert!(!tracker.is_empty());
            tracker.ended(at(3), P);
            assert_eq!(
                lines(&mut tracker),
                [
                    "0.001 10 10 fork # 20",
                    "0.002 20 20 exit 1000",
                    "0.003 10 10 exit 0",
                ]
            );
        });
    }

    #[test]
    fn each_thread_takes_its_own_turn_of_the_lists() {
        let pmu = Pmu::new(1);
        pmu.run(|| {
            let sets = sets(&["cycles", "branches,instructions"], false);
            let mut tracker = Tracker::new(&sets, Form::default());
            tracker.process(P);
            tracker.thread(at(0), (P, P), false);
            pmu.advance(MS);
            tracker.tick(at(1));
            tracker.thread(at(1), (P, T), false);
            pmu.advance(MS);
            pmu.advance(MS);
            tracker.tick(at(3));
            tracker.ended(at(3), T);
            tracker.ended(at(3), P);
            assert_eq!(
                lines(&mut tracker),
                [
                    "0.001 10 tick 1000 # cycles",
                    "0.003 10 tick 2000* 2000* # branches,instructions",
                    "0.003 11 tick 2000 # cycles",
                    "0.003 11 lwp_exit 2000 # cycles",
                    "0.003 10 exit 3000 # cycles",
                    "0.003 10 exit 2000* 2000* # branches,instructions",
                ]
            );
        });
    }

    #[test]
    fn a_process_is_left_after_its_ticks() {
        let pmu = Pmu::new(1);
        pmu.run(|| {
            let sets = sets(&["cycles"], false);
            let form = Form {
                ticks: Some(2),
                ..Form::default()
            };
            let mut tracker = Tracker::new(&sets, form);
            tracker.process(P);
            tracker.thread(at(0), (P, P), false);
            tracker.tick(at(1));
            assert!(tracker.follows(P));
            tracker.tick(at(2));
            assert!(tracker.is_empty() && lines(&mut tracker).len() == 2);
            assert!(pmu.open().is_empty());
            // What comes of it later is nobody's.
            tracker.ended(at(3), P);
            assert!(lines(&mut tracker).is_empty());
        });
    }

    #[test]
    fn a_thread_whose_counters_are_refused_is_named() {
        let pmu = Pmu::new(1);
        pmu.run(|| {
            let sets = sets(&["cycles"], false);
            let mut tracker = Tracker::new(&sets, Form::default());
            tracker.process(P);
            tracker.thread(at(0), (P, P), false);
            pmu.refuse(|asked| (asked.pid == T).then_some(errno::EMFILE));
            tracker.thread(at(1), (P, T), true);
            assert_eq!(
                tracker.complaints,
                ["10: init_lwp: can't bind perf counters to lwp 11 - event cycles cannot be counted: Too many open files"]
            );
            assert!(tracker.failed);
            pmu.advance(MS);
            tracker.ended(at(2), T);
            tracker.ended(at(2), P);
            // The sum lacks a thread: that is no count of the process.
            assert_eq!(lines(&mut tracker), ["0.002 10 exit -"]);
        });
    }

    #[test]
    fn a_failing_call_anywhere_is_told() {
        let pmu = Pmu::new(2);
        pmu.run(|| {
            let sets = sets(&["cycles,instructions", "branches"], false);
            for n in 1.. {
                let course = || {
                    let mut tracker = Tracker::new(&sets, Form::default());
                    tracker.process(P);
                    tracker.thread(at(0), (P, P), false);
                    tracker.thread(at(0), (P, T), true);
                    tracker.tick(at(1));
                    tracker.ended(at(2), T);
                    tracker.ended(at(3), P);
                    (tracker.failed, tracker.complaints.len(), tracker.is_empty())
                };
                let (told, hit) = sys::seam::fail_nth(n, errno::EIO, course);
                if !hit {
                    assert!(n > 10);
                    break;
                }
                assert_eq!(told, (true, 1, true), "call {n}");
            }
        });
    }
}

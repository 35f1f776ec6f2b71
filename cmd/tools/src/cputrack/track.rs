//! The table of cputrack: what happens to processes and threads, with the counts of each.

use crate::counting::{self, known};
use counters::{Count, Cycle, Known, Place, Sets};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

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
    threads: BTreeMap<i32, Cycle>,
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

    /// What is known of a list: what has ended, and what goes on.
    fn sum(&self, list: usize) -> Option<Vec<Known>> {
        let mut sum = self.past.get(list).cloned().flatten();
        for cycle in self.threads.values() {
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
        self.processes.is_empty()
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
        let cycle = match Cycle::start(self.sets, Place::Thread(tid), 0) {
            Ok(cycle) => cycle,
            Err(e) => {
                let what = format!("init_lwp: can't bind perf counters to lwp {tid} - {e}");
                return self.complain(pid, &what);
            }
        };
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
        if let Some(process) = self.processes.get_mut(&pid) {
            process.threads.insert(tid, cycle);
        }
    }

    /// Takes the last counts of a thread and forgets its counters.
    fn finish(&mut self, time: Duration, (pid, tid): (i32, i32)) -> Option<Cycle> {
        let process = self.processes.get_mut(&pid)?;
        let mut cycle = process.threads.remove(&tid)?;
        if let Err(e) = cycle.take() {
            self.complain(
                pid,
                &format!("fini_lwp: lwp {tid}: can't access perf counters - {e}"),
            );
        }
        if let Some(process) = self.processes.get_mut(&pid) {
            process.note(&cycle);
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
        for (tid, cycle) in &mut process.threads {
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

//! The table of cpustat: a line a CPU and interval, and the totals.

use crate::counting::{self, known};
use counters::{Count, Cycle, Known, Place, Sets};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

/// Which CPUs are online.
type Online<'a> = Box<dyn Fn() -> Vec<u32> + 'a>;

/// What is counted where, and what has been.
pub struct Report<'a> {
    sets: &'a Sets,
    online: Online<'a>,
    /// CPUs that are counted; those that went offline are not.
    cpus: BTreeMap<u32, Cycle>,
    /// CPUs that were, or are not to be tried again while they are online.
    refused: Vec<u32>,
    /// What was shown, by list and CPU.
    shown: BTreeMap<(usize, u32), Vec<Count>>,
    list: usize,
    /// What went wrong since somebody asked.
    pub complaints: Vec<String>,
    /// Whether anything ever did.
    pub failed: bool,
}

impl<'a> Report<'a> {
    /// Nothing is counted yet.
    pub fn new(sets: &'a Sets, online: impl Fn() -> Vec<u32> + 'a) -> Report<'a> {
        Report {
            sets,
            online: Box::new(online),
            cpus: BTreeMap::new(),
            refused: Vec::new(),
            shown: BTreeMap::new(),
            list: 0,
            complaints: Vec::new(),
            failed: false,
        }
    }

    /// The titles.
    pub fn titles(&self) -> String {
        format!("   time cpu event{}\n", counting::titles(self.sets))
    }

    /// Begins to count on all CPUs.
    pub fn begin(&mut self) {
        self.follow();
    }

    /// Which list is counted.
    pub fn list(&self) -> usize {
        self.list
    }

    fn complain(&mut self, cpu: u32, why: &str) {
        self.complaints.push(format!("cpu{cpu} - {why}"));
        self.failed = true;
    }

    /// Counts on the CPUs that are online now, and on no other.
    fn follow(&mut self) {
        let online = (self.online)();
        let gone = self
            .cpus
            .keys()
            .copied()
            .filter(|cpu| !online.contains(cpu));
        for cpu in gone.collect::<Vec<_>>() {
            self.cpus.remove(&cpu);
            self.complain(cpu, "went offline");
        }
        self.refused.retain(|cpu| online.contains(cpu));
        for cpu in online {
            if self.cpus.contains_key(&cpu) || self.refused.contains(&cpu) {
                continue;
            }
            match Cycle::start(self.sets, Place::Cpu(cpu), self.list) {
                Ok(cycle) => drop(self.cpus.insert(cpu, cycle)),
                Err(e) => {
                    self.refused.push(cpu);
                    self.complain(cpu, &e.to_string());
                }
            }
        }
    }

    /// A line a CPU: what has come since the last one.
    pub fn sample(&mut self, time: Duration) -> String {
        let mut text = String::new();
        let online = (self.online)();
        let mut broken = Vec::new();
        for (cpu, cycle) in &mut self.cpus {
            // A counter of a CPU that is offline stands still, which is no count.
            if !online.contains(cpu) {
                continue;
            }
            let counts = match cycle.take() {
                Ok(counts) => counts,
                Err(e) => {
                    broken.push((*cpu, e.to_string()));
                    continue;
                }
            };
            let none = || vec![Count::default(); counts.len()];
            let shown = self.shown.entry((self.list, *cpu)).or_insert_with(none);
            counters::add(shown, &counts);
            let head = format!("{:>7.3} {cpu:>3} {:>5}", time.as_secs_f64(), "tick");
            text += &counting::line(&head, &known(&counts), self.sets, self.list);
        }
        for (cpu, why) in broken {
            self.cpus.remove(&cpu);
            self.refused.push(cpu);
            self.complain(cpu, &why);
        }
        self.follow();
        text
    }

    /// Nothing is counted until the next list is.
    pub fn rest(&mut self) {
        self.each(|cycle| cycle.rest());
    }

    /// The next list is counted.
    pub fn turn(&mut self) {
        self.list = (self.list + 1) % self.sets.len().max(1);
        self.each(Cycle::turn);
    }

    fn each(&mut self, what: impl Fn(&mut Cycle) -> Result<(), sys::SysError>) {
        let failed = self.cpus.iter_mut();
        let failed = failed.filter_map(|(cpu, cycle)| Some((*cpu, what(cycle).err()?)));
        for (cpu, e) in failed.collect::<Vec<_>>() {
            self.complain(cpu, &e.to_string());
        }
    }

    /// The totals of what was shown, a line a list.
    pub fn totals(&self, time: Duration) -> String {
        let mut text = String::new();
        for list in 0..self.sets.len() {
            let mut cpus = self.shown.iter().filter(|((of, _), _)| *of == list);
            let Some((_, first)) = cpus.next() else {
                continue;
            };
            let (mut sum, mut number) = (known(first), 1);
            for (_, counts) in cpus {
                counting::add(&mut sum, &known(counts));
                number += 1;
            }
            let head = format!("{:>7.3} {number:>3} {:>5}", time.as_secs_f64(), "total");
            let _infallible = text.write_str(&self.total(&head, &sum, list));
        }
        text
    }

    fn total(&self, head: &str, sum: &[Known], list: usize) -> String {
        counting::line(head, sum, self.sets, list)
    }
}

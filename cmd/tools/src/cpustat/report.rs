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

#[cfg(test)]
mod tests {
    use super::*;
    use counters::Unit;
    use std::cell::RefCell;
    use sys::errno;
    use sys::simulated::Pmu;

    const SECOND: u64 = 1_000_000_000;

    fn sets(texts: &[&str]) -> Sets {
        counting::sets(texts, false, &[])
    }

    /// Words of each line.
    fn words(text: &str) -> Vec<String> {
        let line = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
        text.lines().map(line).collect()
    }

    /// Two CPUs; on the second everything happens twice as often.
    fn machine(slots: usize) -> Pmu {
        Pmu::new(slots).rate(|a| if a.cpu == 1 { 2000 } else { 1000 })
    }

    #[test]
    fn each_cpu_has_a_line_and_the_last_is_the_sum() {
        let pmu = machine(4);
        pmu.run(|| {
            let sets = sets(&["cycles,instructions"]);
            let mut report = Report::new(&sets, || vec![0, 1]);
            assert_eq!(words(&report.titles()), ["time cpu event pic0 pic1"]);
            report.begin();
            pmu.advance(SECOND);
            assert_eq!(
                words(&report.sample(Duration::from_millis(1002))),
                [
                    "1.002 0 tick 1000000 1000000",
                    "1.002 1 tick 2000000 2000000"
                ]
            );
            pmu.advance(SECOND / 2);
            let second = words(&report.sample(Duration::from_millis(1500)));
            assert_eq!(
                second,
                ["1.500 0 tick 500000 500000", "1.500 1 tick 1000000 1000000"]
            );
            let totals = words(&report.totals(Duration::from_millis(1501)));
            assert_eq!(totals, ["1.501 2 total 4500000 4500000"]);
            assert!(!report.failed);
        });
        assert!(pmu.open().is_empty());
    }

    #[test]
    fn lists_are_counted_in_turn() {
        let pmu = machine(1);
        pmu.run(|| {
            let sets = sets(&["cycles", "instructions,branches"]);
            let mut report = Report::new(&sets, || vec![0]);
            report.begin();
            let mut lines = Vec::new();
            for time in 1..=4 {
                // Two slices: events that take turns have one each.
                pmu.advance(SECOND / 2);
                pmu.advance(SECOND / 2);
                lines.extend(words(&report.sample(Duration::from_secs(time))));
                report.turn();
            }
            report.rest();
            pmu.advance(SECOND);
            assert_eq!(
                lines,
                [
                    "1.000 0 tick 1000000 # cycles",
                    "2.000 0 tick 1000000* 1000000* # instructions,branches",
                    "3.000 0 tick 1000000 # cycles",
                    "4.000 0 tick 1000000* 1000000* # instructions,branches",
                ]
            );
            assert_eq!(
                words(&report.totals(Duration::from_secs(5))),
                [
                    "5.000 1 total 2000000 # cycles",
                    "5.000 1 total 2000000* 2000000* # instructions,branches",
                ]
            );
        });
    }

    #[test]
    fn counts_of_events_without_a_counter_are_unknown() {
        let pmu = machine(1);
        pmu.run(|| {
            let sets = sets(&["cycles,instructions"]);
            let mut report = Report::new(&sets, || vec![0]);
            report.begin();
            // One slice only: one of the two has the counter.
            pmu.advance(SECOND);
            let line = words(&report.sample(Duration::from_secs(1))).concat();
            assert!(
                line == "1.000 0 tick 1000000 -" || line == "1.000 0 tick - 1000000",
                "{line}"
            );
        });
    }

    #[test]
    fn cpus_that_come_and_go_are_followed() {
        let pmu = machine(2).refusing(|a| (a.cpu == 7).then_some(errno::ENODEV));
        let online = RefCell::new(vec![0, 1, 7]);
        pmu.run(|| {
            let sets = sets(&["cycles"]);
            let mut report = Report::new(&sets, || online.borrow().clone());
            report.begin();
            let refused = "cpu7 - event cycles cannot be counted: No such device";
            assert_eq!(report.complaints.drain(..).collect::<Vec<_>>(), [refused]);
            pmu.advance(SECOND);
            assert_eq!(words(&report.sample(Duration::from_secs(1))).len(), 2);
            // CPU 0 goes, CPU 7 stays refused and is not named again.
            online.replace(vec![1, 7]);
            pmu.advance(SECOND);
            let lines = words(&report.sample(Duration::from_secs(2)));
            assert_eq!(lines, ["2.000 1 tick 2000000"]);
            assert_eq!(
                report.complaints.drain(..).collect::<Vec<_>>(),
                ["cpu0 - went offline"]
            );
            // It comes back, and counts from there.
            online.replace(vec![0, 1, 7]);
            report.sample(Duration::from_secs(3));
            pmu.advance(SECOND);
            let lines = words(&report.sample(Duration::from_secs(4)));
            assert_eq!(lines, ["4.000 0 tick 1000000", "4.000 1 tick 2000000"]);
            let totals = words(&report.totals(Duration::from_secs(4)));
            assert_eq!(totals, ["4.000 2 total 8000000"]);
            assert!(report.complaints.is_empty() && report.failed);
        });
    }

    #[test]
    fn counters_may_wrap() {
        let pmu = machine(1).first(|_| u64::MAX - 10);
        pmu.run(|| {
            let sets = sets(&["cycles"]);
            let mut report = Report::new(&sets, || vec![0]);
            report.begin();
            // What a counter has when it begins was not counted; what the kernel gives first is not 0.
            report.sample(Duration::ZERO);
            pmu.advance(SECOND);
            let line = words(&report.sample(Duration::from_secs(1)));
            assert_eq!(line, ["1.000 0 tick 1000000"]);
        });
    }

    #[test]
    fn one_cpu_counts_for_those_that_share_a_unit() {
        let memory = Unit {
            name: "imc".to_owned(),
            kind: 12,
            shared: Some(vec![1]),
            terms: Vec::new(),
            cores: None,
            events: vec![counters::PmuEvent {
                name: "reads".to_owned(),
                kind: 12,
                config: 4,
                config1: 0,
                config2: 0,
            }],
        };
        let pmu = machine(4).refusing(|a| (a.kind == 12 && a.cpu != 1).then_some(errno::EINVAL));
        pmu.run(|| {
            let sets = counting::sets(&["imc/reads/,cycles"], false, &[memory]);
            let mut report = Report::new(&sets, || vec![0, 1]);
            report.begin();
            pmu.advance(SECOND);
            let lines = words(&report.sample(Duration::from_secs(1)));
            assert_eq!(
                lines,
                ["1.000 0 tick - 1000000", "1.000 1 tick 2000000 2000000"]
            );
            let totals = words(&report.totals(Duration::from_secs(1)));
            assert_eq!(totals, ["1.000 2 total 2000000 3000000"]);
        });
    }

    #[test]
    fn a_failing_call_anywhere_is_told_and_leaves_nothing_open() {
        let pmu = machine(2);
        pmu.run(|| {
            let sets = sets(&["cycles,instructions", "branches"]);
            for n in 1.. {
                let course = || {
                    let mut report = Report::new(&sets, || vec![0, 1]);
                    report.begin();
                    report.sample(Duration::from_secs(1));
                    report.turn();
                    report.sample(Duration::from_secs(2));
                    (report.failed, report.complaints.len())
                };
                let (told, hit) = sys::seam::fail_nth(n, errno::EIO, course);
                if !hit {
                    assert!(n > 10);
                    break;
                }
                assert_eq!(told, (true, 1), "call {n}");
                assert!(pmu.open().is_empty(), "call {n}");
            }
        });
    }
}

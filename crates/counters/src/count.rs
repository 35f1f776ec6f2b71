//! A list of events counted at one place, and what a count says.

use crate::events::RAW;
use crate::find::{Event, refusal};
use crate::spec::{Cores, Set, Want};
use std::fmt;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use sys::{SysError, errno, perf};

/// Where is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// Everything that a CPU does.
    Cpu(u32),
    /// What a thread does, on whatever CPU.
    Thread(i32),
}

impl Place {
    fn numbers(self) -> (i32, i32) {
        match self {
            Place::Cpu(cpu) => (-1, cpu as i32),
            Place::Thread(tid) => (tid, -1),
        }
    }
}

/// An event that cannot be counted, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Refused {
    /// The event as typed.
    pub event: String,
    kind: u32,
    /// Whether it was to be counted in one mode only.
    part: bool,
    /// Error number.
    pub errno: i32,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (why, hint) = (sys::error::text(self.errno), refusal(self.kind, self.errno));
        write!(f, "event {} cannot be counted: {why}{hint}", self.event)?;
        if self.errno == errno::EINVAL && self.part && self.kind > RAW {
            f.write_str("; if its unit cannot tell modes apart, add the attribute sys")?;
        }
        Ok(())
    }
}

pub(crate) fn refused(want: &Want, errno: i32) -> Refused {
    Refused {
        event: want.name.clone(),
        kind: want.event.kind,
        part: !(want.user && want.kernel),
        errno,
    }
}

/// What was counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Events that the counter saw.
    pub seen: u64,
    /// For how many ns they were to be counted.
    pub enabled: u64,
    /// For how many of these there was a counter.
    pub running: u64,
}

/// What is known of how many events there were.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// So many.
    Exactly(u64),
    /// So many, if as many happened while another event had the counter.
    Scaled(u64),
    /// Nothing: there was no counter at all.
    Nothing,
    /// Nothing here: another CPU counts it for this one.
    Elsewhere,
}

impl Count {
    /// Of an event that is not counted here.
    const NOWHERE: Count = Count {
        seen: 0,
        enabled: u64::MAX,
        running: 0,
    };

    /// What came after another one. Counters may wrap.
    pub fn since(self, before: Count) -> Count {
        if self == Count::NOWHERE {
            return self;
        }
        Count {
            seen: self.seen.wrapping_sub(before.seen),
            enabled: self.enabled.saturating_sub(before.enabled),
            running: self.running.saturating_sub(before.running),
        }
    }

    /// Both.
    pub fn plus(self, other: Count) -> Count {
        Count {
            seen: self.seen.wrapping_add(other.seen),
            enabled: self.enabled.saturating_add(other.enabled),
            running: self.running.saturating_add(other.running),
        }
    }

    /// Both, where one of the two counts at a time.
    fn beside(self, other: Count) -> Count {
        Count {
            enabled: self.enabled.max(other.enabled),
            ..self.plus(other)
        }
    }

    /// How many events there were.
    pub fn known(self) -> Known {
        match self {
            Count::NOWHERE => Known::Elsewhere,
            Count {
                enabled,
                running,
                seen,
            } if running >= enabled => Known::Exactly(seen),
            Count { running: 0, .. } => Known::Nothing,
            Count {
                enabled,
                running,
                seen,
            } => {
                let whole = u128::from(seen) * u128::from(enabled) / u128::from(running);
                Known::Scaled(u64::try_from(whole).unwrap_or(u64::MAX))
            }
        }
    }
}

/// Whether a thread's events of this kind can be counted, for who asks: the answer for the asking thread, in user mode. `Err`:
/// the error number.
pub fn is_known(event: &Event) -> Result<(), i32> {
    let attr = perf::Attr::counting(event.kind, event.words).only(true, false);
    let opened = perf::open(&attr, 0, -1);
    opened.map(drop).map_err(|e| e.errno)
}

/// What to open for an event at a place, and on which CPU.
fn attrs(want: &Want, place: Place) -> Vec<perf::Attr> {
    let of = |kind: &&Cores| match place {
        Place::Cpu(cpu) => kind.cpus.contains(&cpu),
        Place::Thread(_) => true,
    };
    if want.cores.is_empty() {
        return vec![want.attr()];
    }
    let kinds = want.cores.iter().filter(of);
    kinds.map(|kind| want.attr_of(kind.unit)).collect()
}

/// A CPU that counts an event: this one if it does.
fn reader(want: &Want, cpu: u32) -> u32 {
    let mut readers = want.cores.iter().flat_map(|kind| &kind.cpus);
    let first = readers.clone().next().copied();
    match readers.any(|reader| *reader == cpu) {
        true => cpu,
        false => first.unwrap_or(cpu),
    }
}

/// Whether the events of a list fit into the counters of a CPU at once, besides those that others never give back.
pub fn fits(set: &Set, cpu: u32) -> Result<bool, Refused> {
    for want in &set.wants {
        let cpu = reader(want, cpu);
        let mut attrs = attrs(want, Place::Cpu(cpu)).into_iter();
        let opened = attrs.try_for_each(|attr| perf::open(&attr, -1, cpu as i32).map(drop));
        opened.map_err(|e| refused(want, e.errno))?;
    }
    if set.wants.iter().any(|want| !want.cores.is_empty()) {
        return Ok(false);
    }
    let fit = |wants: &[Want]| {
        let counters = Counters::group(wants, Place::Cpu(cpu), true);
        counters.and_then(|c| {
            c.start()?;
            c.leader().map_or(Ok(false), perf::is_counting)
        })
    };
    if fit(&set.wants) == Ok(true) {
        return Ok(true);
    }
    // Taking turns needs one counter at least.
    match set.wants.first() {
        Some(first) if fit(std::slice::from_ref(first)) != Ok(true) => {
            Err(refused(first, errno::EBUSY))
        }
        Some(_) | None => Ok(false),
    }
}

/// A list of events being counted at a place.
#[derive(Debug)]
pub struct Counters {
    /// For each event one descriptor; none if another CPU counts it, several for a thread that may run on cores of several kinds.
    events: Vec<Vec<OwnedFd>>,
    together: bool,
}

impl Counters {
    /// Opens them, stopped. `together` if they fit ([`fits`]).
    pub fn open(set: &Set, place: Place, together: bool) -> Result<Counters, Refused> {
        if together {
            let opened = Counters::group(&set.wants, place, false);
            return opened.map_err(|e| refused(set.first(), e.errno));
        }
        let (pid, cpu) = place.numbers();
        let mut events = Vec::new();
        for want in &set.wants {
            let attrs = attrs(want, place).into_iter();
            let opened = attrs.map(|attr| perf::open(&attr, pid, cpu));
            let opened = opened.collect::<Result<Vec<_>, _>>();
            events.push(opened.map_err(|e| refused(want, e.errno))?);
        }
        Ok(Counters {
            events,
            together: false,
        })
    }

    fn group(wants: &[Want], place: Place, pinned: bool) -> Result<Counters, SysError> {
        let (pid, cpu) = place.numbers();
        let mut events: Vec<Vec<OwnedFd>> = Vec::new();
        for want in wants {
            let leader = events.first().and_then(|e| e.first()).map(OwnedFd::as_fd);
            let attr = match leader {
                Some(_) => want.attr().following(),
                None if pinned => want.attr().leading().pinned(),
                None => want.attr().leading(),
            };
            let opened = perf::open_in(&attr, pid, cpu, leader)?;
            events.push(vec![opened]);
        }
        Ok(Counters {
            events,
            together: true,
        })
    }

    fn leader(&self) -> Option<BorrowedFd<'_>> {
        self.events.first()?.first().map(OwnedFd::as_fd)
    }

    /// What is started and stopped.
    fn handles(&self) -> impl Iterator<Item = BorrowedFd<'_>> {
        let number = if self.together { 1 } else { self.events.len() };
        let events = self.events.iter().take(number);
        events.flatten().map(OwnedFd::as_fd)
    }

    /// Begins to count, or goes on.
    pub fn start(&self) -> Result<(), SysError> {
        self.handles().try_for_each(perf::enable)
    }

    /// Ceases to count; what has been counted stays.
    pub fn stop(&self) -> Result<(), SysError> {
        self.handles().try_for_each(perf::disable)
    }

    /// What has been counted so far, in the order of the list; nothing known where another CPU counts.
    pub fn read(&self) -> Result<Vec<Count>, SysError> {
        if let (true, Some(leader)) = (self.together, self.leader()) {
            return self.read_group(leader);
        }
        self.events
            .iter()
            .map(|event| read_one(event))
            .collect::<Result<_, _>>()
    }

    fn read_group(&self, leader: BorrowedFd<'_>) -> Result<Vec<Count>, SysError> {
        let mut words = vec![0; 3 + self.events.len()];
        perf::read(leader, &mut words)?;
        let (enabled, running) = match words.as_slice() {
            [_, enabled, running, ..] => (*enabled, *running),
            _ => (0, 0),
        };
        let seen = words.into_iter().skip(3);
        Ok(seen
            .map(|seen| Count {
                seen,
                enabled,
                running,
            })
            .collect())
    }
}

/// An event that has one descriptor, or one for each kind of core, of which one counts at a time.
fn read_one(event: &[OwnedFd]) -> Result<Count, SysError> {
    if event.is_empty() {
        return Ok(Count::NOWHERE);
    }
    let mut all = Count::default();
    for event in event {
        let mut words = [0; 3];
        perf::read(event.as_fd(), &mut words)?;
        let [seen, enabled, running] = words;
        all = all.beside(Count {
            seen,
            enabled,
            running,
        });
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::events::{HARDWARE, SOFTWARE};
    use crate::units::Unit;
    use sys::simulated::Pmu;

    const MS: u64 = 1_000_000;

    fn set(text: &str) -> Set {
        Set::parse(text, &[]).expect("a list")
    }

    #[test]
    fn counts_are_exact_scaled_or_unknown() {
        let count = |seen, enabled, running| {
            Count {
                seen,
                enabled,
                running,
            }
            .known()
        };
        assert_eq!(count(7, 0, 0), Known::Exactly(7));
        assert_eq!(count(7, 100, 100), Known::Exactly(7));
        assert_eq!(count(700, 300, 100), Known::Scaled(2100));
        assert_eq!(count(0, 300, 0), Known::Nothing);
        assert_eq!(count(u64::MAX, 3, 1), Known::Scaled(u64::MAX));
    }

    #[test]
    fn what_fits_is_counted_together() {
        let pmu = Pmu::new(2).rate(|a| if a.config == 1 { 3000 } else { 1000 });
        pmu.run(|| {
            let set = set("cycles,instructions,context-switches");
            assert_eq!(fits(&set, 0), Ok(true));
            assert!(pmu.open().is_empty(), "the trial leaves nothing open");
            let counters = Counters::open(&set, Place::Cpu(3), true).expect("opens");
            pmu.advance(MS);
            assert_eq!(
                counters.read().expect("reads"),
                [Count::default(); 3],
                "stopped"
            );
            counters.start().expect("starts");
            pmu.advance(2 * MS);
            let read = counters.read().expect("reads");
            let known: Vec<_> = read.into_iter().map(Count::known).collect();
            assert_eq!(known, [2000, 6000, 2000].map(Known::Exactly));
        });
    }

    #[test]
    fn what_does_not_fit_takes_turns() {
        let pmu = Pmu::new(2);
        pmu.run(|| {
            let set = set("cycles,instructions,branches,branch-misses,task-clock");
            assert_eq!(fits(&set, 0), Ok(false));
            let counters = Counters::open(&set, Place::Thread(77), false).expect("opens");
            counters.start().expect("starts");
            for _ in 0..20 {
                pmu.advance(MS);
            }
            let read = counters.read().expect("reads");
            for count in &read[..4] {
                assert_eq!(count.enabled, 20 * MS);
                assert!(count.running < count.enabled && count.running > 0);
                let Known::Scaled(n) = count.known() else {
                    panic!("not scaled")
                };
                assert!(n.abs_diff(20_000) < 5, "{n}");
            }
            assert_eq!(read[4].known(), Known::Exactly(20_000), "needs no counter");
            assert!(pmu.open().iter().all(|a| (a.pid, a.cpu) == (77, -1)));
            drop(counters);
            assert!(pmu.open().is_empty());
        });
    }

    #[test]
    fn refusals_name_the_event() {
        let why = |pmu: &Pmu, text: &str| {
            let fits = pmu.run(|| fits(&set(text), 0));
            fits.err().map(|e| e.to_string()).unwrap_or_default()
        };
        let none = Pmu::none();
        assert_eq!(
            why(&none, "page-faults,PAPI_tot_cyc"),
            "event PAPI_tot_cyc cannot be counted: No such file or directory; this machine, or this guest of it, shows \
             no such performance counter"
        );
        assert_eq!(none.run(|| fits(&set("page-faults"), 0)), Ok(true));
        let forbidden = Pmu::new(4).refusing(|_| Some(errno::EACCES));
        assert_eq!(
            why(&forbidden, "cycles"),
            "event cycles cannot be counted: Permission denied"
        );
        let mut whole = set("cycles").wants.remove(0);
        whole.event.kind = RAW + 1;
        let part = refused(&whole, errno::EINVAL).to_string();
        assert!(part.ends_with(
            "Invalid argument; if its unit cannot tell modes apart, add the attribute sys"
        ));
        whole.kernel = true;
        assert!(
            refused(&whole, errno::EINVAL)
                .to_string()
                .ends_with("Invalid argument")
        );
        // Somebody else's pinned event has the only counter for good.
        let taken = Pmu::new(1);
        taken.run(|| {
            let theirs = Counters::group(&set("branches").wants, Place::Cpu(0), true).expect("opens");
            theirs.start().expect("starts");
            assert_eq!(
                why(&taken, "instructions"),
                "event instructions cannot be counted: Device or resource busy; others use the performance counters"
            );
        });
        let one = Pmu::new(4)
            .refusing(|a| (a.kind == HARDWARE && a.config == 3).then_some(errno::ENOENT));
        assert!(why(&one, "cycles,cache-misses").starts_with("event cache-misses "));
        assert_eq!(why(&one, "cycles"), "");
        assert_eq!(SOFTWARE, sys::perf::TYPE_SOFTWARE);
    }

    #[test]
    fn each_kind_of_core_has_its_unit() {
        let unit = |name: &str, kind, cpus: &[u32]| Unit {
            name: name.to_owned(),
            kind,
            cores: Some(cpus.to_vec()),
            ..Unit::default()
        };
        let units = [unit("cpu_core", 4, &[0, 1]), unit("cpu_atom", 10, &[2, 3])];
        // A unit counts on its own cores only; the thread has been on each half of the time.
        let pmu = Pmu::new(4).refusing(|a| {
            let right = if a.cpu < 2 { 4 } else { 10 };
            (a.cpu >= 0 && a.config >> 32 != right).then_some(errno::ENOENT)
        });
        pmu.run(|| {
            let set = Set::parse("cycles,instructions", &units).expect("a list");
            assert_eq!(fits(&set, 0), Ok(false));
            for cpu in 0..4 {
                assert!(
                    Counters::open(&set, Place::Cpu(cpu), false).is_ok(),
                    "{cpu}"
                );
            }
            let thread = Counters::open(&set, Place::Thread(5), false).expect("opens");
            assert_eq!(pmu.open().len(), 4);
            thread.start().expect("starts");
            let units: Vec<u64> = pmu.open().iter().map(|a| a.config >> 32).collect();
            assert_eq!(units, [4, 10, 4, 10]);
            pmu.advance_where(MS, |asked| asked.config >> 32 == 4);
            pmu.advance_where(2 * MS, |asked| asked.config >> 32 == 10);
            let seen = thread.read().expect("reads");
            let seen: Vec<u64> = seen.into_iter().map(|count| count.seen).collect();
            assert_eq!(seen, [3000, 3000], "on both");
            // While the one counts the other is wanted, and has no counter.
            let parts = [(3000, 4, 1), (1000, 4, 3)];
            let whole = parts.map(|(seen, enabled, running)| Count {
                seen,
                enabled,
                running,
            });
            let sum = whole.into_iter().fold(Count::default(), Count::beside);
            assert_eq!(sum.known(), Known::Exactly(4000));
        });
    }

    #[test]
    fn counters_that_wrap_go_on() {
        let pmu = Pmu::new(1).first(|_| u64::MAX - 500);
        pmu.run(|| {
            let counters = Counters::open(&set("cycles"), Place::Cpu(0), true).expect("opens");
            counters.start().expect("starts");
            let before = counters.read().expect("reads")[0];
            pmu.advance(MS);
            let after = counters.read().expect("reads")[0];
            assert_eq!(after.seen, 499, "it wrapped");
            assert_eq!(after.since(before).known(), Known::Exactly(1000));
        });
    }
}

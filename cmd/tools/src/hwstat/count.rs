//! Which way a machine can make a table, and counting for it.

use super::views::{Source, VIEWS, View};
use crate::counting;
use crate::tool::Stop;
use counters::{Count, Cycle, Event, Known, Place, Set, Sets, Unit, Want};

/// Which modes are counted.
#[derive(Clone, Copy, Debug)]
pub struct Modes {
    pub user: bool,
    pub kernel: bool,
}

/// A way that this machine has, and what is to be counted.
#[derive(Debug)]
pub struct Way {
    pub view: &'static View,
    /// For each event that is counted its place in the view's list.
    places: Vec<usize>,
    sets: Sets,
}

/// The first way to make the table that this machine has; otherwise why it has none.
pub fn way(name: &str, units: &[Unit], modes: Modes) -> Result<Way, Stop> {
    let mut why = None;
    for view in VIEWS.iter().filter(|view| view.name == name) {
        let (places, set) = match view.source {
            Source::Cpu(events) => ((0..events.len()).collect(), of_cpu(events, modes, units)),
            Source::Units(prefix, events) => of_units(prefix, events, units),
        };
        if set.wants.is_empty() {
            continue;
        }
        match counting::tried(vec![set]) {
            Ok(sets) => return Ok(Way { view, places, sets }),
            Err(refused) => why = Some(refused),
        }
    }
    let nothing = || format!("{name}: this machine, or this guest of it, shows no such counters");
    Err(why.unwrap_or_else(|| Stop::Failed(nothing())))
}

fn want(name: &str, event: Event, modes: Modes, units: &[Unit]) -> Want {
    Want {
        user: modes.user,
        kernel: modes.kernel,
        ..Want::new(name, event, units)
    }
}

fn set(wants: Vec<Want>) -> Set {
    Set {
        name: String::new(),
        wants,
        cycles: false,
    }
}

fn of_cpu(events: &[&str], modes: Modes, units: &[Unit]) -> Set {
    let found = |name: &&str| {
        let event = counters::find(name, || Vec::new().into())?;
        Some(want(name, event, modes, units))
    };
    set(events.iter().filter_map(found).collect())
}

/// The events of each unit that has all of them.
fn of_units(prefix: &str, events: &[&str], units: &[Unit]) -> (Vec<usize>, Set) {
    let (mut places, mut wants) = (Vec::new(), Vec::new());
    let both = Modes {
        user: true,
        kernel: true,
    };
    for unit in units.iter().filter(|unit| unit.name.starts_with(prefix)) {
        let found: Vec<_> = events.iter().filter_map(|e| of_unit(unit, e)).collect();
        if found.len() != events.len() {
            continue;
        }
        for (place, (event, name)) in found.into_iter().zip(events).enumerate() {
            let name = format!("{}/{name}/", unit.name);
            places.push(place);
            wants.push(want(&name, event, both, units));
        }
    }
    (places, set(wants))
}

fn of_unit(unit: &Unit, name: &str) -> Option<Event> {
    if let Some(event) = unit.events.iter().find(|event| event.name == name) {
        return Some(Event {
            kind: event.kind,
            words: [event.config, event.config1, event.config2],
            row: None,
        });
    }
    let mut words = [0; 3];
    for term in name.split(',') {
        let (term, value) = term.split_once("=0x")?;
        unit.set(&mut words, term, u64::from_str_radix(value, 16).ok()?)?;
    }
    Some(Event {
        kind: unit.kind,
        words,
        row: None,
    })
}

/// Counts on one CPU.
pub struct Counting {
    pub cpu: u32,
    cycle: Cycle,
}

impl Way {
    /// Begins to count on a CPU.
    pub fn begin(&self, cpu: u32) -> Result<Counting, Stop> {
        let cycle = Cycle::start(&self.sets, Place::Cpu(cpu), 0);
        let cycle = cycle.map_err(|e| Stop::Failed(format!("cpu{cpu}: {e}")))?;
        Ok(Counting { cpu, cycle })
    }

    /// Descriptors that counting takes on one CPU.
    pub fn descriptors(&self) -> u64 {
        self.places.len() as u64
    }

    /// What came since the last time, in the order of the view's events.
    pub fn take(&self, counting: &mut Counting) -> Result<Vec<Known>, Stop> {
        let counts = counting.cycle.take();
        let counts = counts.map_err(|e| Stop::Failed(format!("cpu{}: {e}", counting.cpu)))?;
        Ok(self.sums(&counts))
    }

    fn sums(&self, counts: &[Count]) -> Vec<Known> {
        let (Source::Cpu(events) | Source::Units(_, events)) = self.view.source;
        let mut sums = vec![Known::Elsewhere; events.len()];
        for (place, count) in self.places.iter().zip(counts) {
            if let Some(sum) = sums.get_mut(*place) {
                counting::add(std::slice::from_mut(sum), &[count.known()]);
            }
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use counters::PmuEvent;
    use sys::simulated::Pmu;

    const BOTH: Modes = Modes {
        user: true,
        kernel: true,
    };

    fn unit(name: &str, kind: u32, events: &[&str]) -> Unit {
        let event = |(n, name): (usize, &&str)| PmuEvent {
            name: (*name).to_owned(),
            kind,
            config: n as u64 + 1,
            config1: 0,
            config2: 0,
        };
        let terms = [("event", "config:0-7"), ("umask", "config:8-15")];
        Unit {
            name: name.to_owned(),
            kind,
            shared: Some(vec![0]),
            cores: None,
            terms: terms.map(|(a, b)| (a.to_owned(), b.to_owned())).to_vec(),
            events: events.iter().enumerate().map(event).collect(),
        }
    }

    #[test]
    fn the_best_way_that_the_machine_has() {
        let columns = |pmu: &Pmu| {
            let way = pmu.run(|| way("cache", &[], BOTH));
            way.map(|way| way.view.columns.len()).map_err(|e| match e {
                Stop::Failed(text) | Stop::Usage(text) | Stop::Shown(text) => text,
            })
        };
        assert_eq!(columns(&Pmu::new(8)), Ok(7));
        let no_last = Pmu::new(8).refusing(|a| (a.kind == 3 && a.config & 0xff == 2).then_some(2));
        assert_eq!(columns(&no_last), Ok(6));
        let generic = Pmu::new(8).refusing(|a| (a.kind == 3).then_some(2));
        assert_eq!(columns(&generic), Ok(3));
        let why = columns(&Pmu::none()).err().unwrap_or_default();
        assert!(why.contains("no such performance counter"), "{why}");
        let none = Pmu::new(4).run(|| way("memory", &[], BOTH)).err();
        assert!(
            matches!(none, Some(Stop::Failed(text)) if text.starts_with("memory: this machine"))
        );
    }

    #[test]
    fn units_are_added_up_and_counted_once() {
        let lines = ["cas_count_read", "cas_count_write"];
        let units = [
            unit("uncore_imc_0", 12, &lines),
            unit("uncore_imc_1", 13, &lines),
            unit("uncore_imc_2", 14, &["clockticks"]),
        ];
        let pmu = Pmu::new(4).rate(|a| u64::from(a.kind) * 100 + a.config);
        pmu.run(|| {
            let way = way("memory", &units, BOTH).unwrap_or_else(|e| panic!("{e:?}"));
            let mut first = way.begin(0).unwrap_or_else(|e| panic!("{e:?}"));
            let mut second = way.begin(1).unwrap_or_else(|e| panic!("{e:?}"));
            pmu.advance(1_000_000);
            let seen = way.take(&mut first);
            assert_eq!(
                seen,
                Ok(vec![
                    Known::Exactly(1201 + 1301),
                    Known::Exactly(1202 + 1302)
                ])
            );
            assert_eq!(way.take(&mut second), Ok(vec![Known::Elsewhere; 2]));
        });
    }

    #[test]
    fn terms_make_an_event() {
        let upi = unit("uncore_upi_0", 20, &[]);
        let event = of_unit(&upi, "event=0x2,umask=0xf");
        assert_eq!(event.map(|e| (e.kind, e.words)), Some((20, [0xf02, 0, 0])));
        assert!(of_unit(&upi, "event=0x2,edge=0x1").is_none());
        assert!(of_unit(&upi, "drs_data").is_none());
    }
}

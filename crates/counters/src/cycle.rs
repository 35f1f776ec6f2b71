//! Several lists of events at one place, one after the other.

use crate::count::{Count, Counters, Place, Refused, fits, refused};
use crate::spec::Set;
use sys::SysError;

/// Lists that have been tried on the machine.
#[derive(Clone, Debug)]
pub struct Sets {
    all: Vec<(Set, bool)>,
}

impl Sets {
    /// Tries each on a CPU.
    pub fn tried(sets: Vec<Set>, cpu: u32) -> Result<Sets, Refused> {
        let tried = sets
            .into_iter()
            .map(|set| fits(&set, cpu).map(|fit| (set, fit)));
        Ok(Sets {
            all: tried.collect::<Result<_, _>>()?,
        })
    }

    /// The lists.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Set> {
        self.all.iter().map(|(set, _)| set)
    }

    /// List `n`.
    pub fn get(&self, n: usize) -> Option<&Set> {
        self.all.get(n).map(|(set, _)| set)
    }

    /// Whether events of list `n` count at the same time.
    pub fn is_together(&self, n: usize) -> bool {
        self.all.get(n).is_some_and(|(_, together)| *together)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }
}

/// What has been counted of a list.
#[derive(Debug)]
struct Counted {
    counters: Counters,
    last: Vec<Count>,
    total: Vec<Count>,
}

/// The lists at one place; one of them counts.
#[derive(Debug)]
pub struct Cycle {
    lists: Vec<Counted>,
    now: usize,
}

impl Cycle {
    /// Opens all lists; one of them counts at once.
    pub fn start(sets: &Sets, place: Place, now: usize) -> Result<Cycle, Refused> {
        let mut lists = Vec::new();
        for (set, together) in &sets.all {
            let none = vec![Count::default(); set.wants.len()];
            lists.push(Counted {
                counters: Counters::open(set, place, *together)?,
                last: none.clone(),
                total: none,
            });
        }
        let cycle = Cycle { lists, now };
        let begun = cycle.set(true);
        match (begun, sets.get(now)) {
            (Err(e), Some(set)) => Err(refused(set.first(), e.errno)),
            (Ok(()), _) | (_, None) => Ok(cycle),
        }
    }

    fn set(&self, on: bool) -> Result<(), SysError> {
        match self.lists.get(self.now) {
            Some(list) if on => list.counters.start(),
            Some(list) => list.counters.stop(),
            None => Ok(()),
        }
    }

    /// Which list counts.
    pub fn now(&self) -> usize {
        self.now
    }

    /// What the list has counted since it was taken last.
    pub fn take(&mut self) -> Result<Vec<Count>, SysError> {
        let Some(list) = self.lists.get_mut(self.now) else {
            return Ok(Vec::new());
        };
        let read = list.counters.read()?;
        let pairs = read.iter().zip(&list.last);
        let more: Vec<Count> = pairs.map(|(now, last)| now.since(*last)).collect();
        list.last = read;
        add(&mut list.total, &more);
        Ok(more)
    }

    /// Nothing counts until the next list is begun.
    pub fn rest(&self) -> Result<(), SysError> {
        self.set(false)
    }

    /// The next list counts.
    pub fn turn(&mut self) -> Result<(), SysError> {
        self.set(false)?;
        self.now = (self.now + 1) % self.lists.len().max(1);
        self.set(true)
    }

    /// All that a list had counted when it was taken last.
    pub fn total(&self, list: usize) -> &[Count] {
        self.lists.get(list).map_or(&[], |list| &list.total)
    }
}

/// Adds counts of the same list.
pub fn add(to: &mut [Count], more: &[Count]) {
    for (to, more) in to.iter_mut().zip(more) {
        *to = to.plus(*more);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::Known;
    use sys::simulated::Pmu;

    const MS: u64 = 1_000_000;

    #[test]
    fn lists_count_in_turn() {
        let pmu = Pmu::new(1);
        pmu.run(|| {
            let parse = |text| Set::parse(text, &[]).expect("a list");
            let sets = Sets::tried(vec![parse("cycles"), parse("instructions,branches")], 0);
            let sets = sets.expect("tried");
            assert!(sets.is_together(0) && !sets.is_together(1));
            let mut cycle = Cycle::start(&sets, Place::Cpu(0), 0).expect("starts");
            let known = |counts: &[Count]| counts.iter().map(|c| c.known()).collect::<Vec<_>>();
            pmu.advance(MS);
            assert_eq!(known(&cycle.take().expect("read")), [Known::Exactly(1000)]);
            cycle.turn().expect("turns");
            assert_eq!(cycle.now(), 1);
            pmu.advance(MS);
            pmu.advance(MS);
            assert_eq!(
                known(&cycle.take().expect("read")),
                [Known::Scaled(2000); 2]
            );
            cycle.turn().expect("turns");
            pmu.advance(3 * MS);
            assert_eq!(known(&cycle.take().expect("read")), [Known::Exactly(3000)]);
            cycle.rest().expect("rests");
            pmu.advance(MS);
            assert_eq!(known(&cycle.take().expect("read")), [Known::Exactly(0)]);
            assert_eq!(known(cycle.total(0)), [Known::Exactly(4000)]);
            assert_eq!(known(cycle.total(1)), [Known::Scaled(2000); 2]);
        });
    }
}

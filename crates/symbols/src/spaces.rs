//! Address spaces: which process had what mapped, when. Pure: fed with events and snapshots.
//!
//! Problem: an address is asked about when its process may have ended, run another program, or left its number to
//! somebody else. Choice: a list of address spaces for each number, each with its birth; a space begins empty (a new
//! program), as a copy (a new process), or unknown (a process older than tracing, until it is looked at).
//!
//! Invariant: of a space whose beginning is unknown, or whose records were lost, only what was seen is answered.

use std::collections::{HashMap, VecDeque};
use std::path::PathBuf;
use std::sync::Arc;

use crate::events::Event;
use crate::process::{FileId, Mapping};

/// Spaces of ended processes that are remembered: 64 bytes for each of their mappings.
const MOST_ENDED: usize = 1 << 16;
/// Mappings of one space; more are made fewer by forgetting those that others have replaced.
const MOST_MAPS: usize = 4096;
/// How many parents are asked.
const GENERATIONS: u32 = 32;

/// A file, or a name such as `[vdso]`; the index is stable.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Object {
    /// Which file.
    pub id: FileId,
    /// Path in the process's own root.
    pub path: PathBuf,
}

/// Something executable in a space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Map {
    /// First address.
    pub start: u64,
    /// First address behind it.
    pub end: u64,
    /// Where in the object the first byte is.
    pub offset: u64,
    /// When it was mapped; 0 if it was there when the space was first looked at.
    pub time: u64,
    /// Index of the object.
    pub object: u32,
}

impl Map {
    fn holds(&self, address: u64) -> bool {
        self.start <= address && address < self.end
    }

    fn same(&self, other: &Map) -> bool {
        (self.start, self.end, self.offset, self.object)
            == (other.start, other.end, other.offset, other.object)
    }
}

/// An address space of a process.
#[derive(Debug)]
struct Space {
    birth: u64,
    end: Option<u64>,
    /// All that it ever had is known.
    complete: bool,
    /// Process whose copy it is, if that one's mappings were not known at birth.
    parent: Option<u32>,
    /// Process that started this one.
    starter: Option<u32>,
    maps: Arc<Vec<Map>>,
}

/// Address spaces of all processes.
#[derive(Debug, Default)]
pub struct Spaces {
    objects: Vec<Object>,
    numbers: HashMap<Object, u32>,
    processes: HashMap<u32, Vec<Space>>,
    ended: VecDeque<(u32, u64)>,
}

/// What must be looked at before a question can be answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unknown {
    /// Process whose mappings are to be read.
    pub pid: u32,
    /// Who may have the same mappings, if it is gone.
    pub parent: Option<u32>,
}

impl Spaces {
    /// An object by its index.
    pub fn object(&self, index: u32) -> Option<&Object> {
        self.objects.get(index as usize)
    }

    fn number(&mut self, id: FileId, path: PathBuf) -> u32 {
        let object = Object { id, path };
        if let Some(number) = self.numbers.get(&object) {
            return *number;
        }
        let number = self.objects.len() as u32;
        self.objects.push(object.clone());
        self.numbers.insert(object, number);
        number
    }

    fn map(&mut self, mapping: Mapping, time: u64) -> Map {
        Map {
            start: mapping.start,
            end: mapping.end,
            offset: mapping.offset,
            time,
            object: self.number(mapping.file, mapping.path),
        }
    }

    /// Takes note of an event; they must come in their order. Gives the object that was mapped.
    pub fn note(&mut self, time: u64, event: Event) -> Option<u32> {
        match event {
            Event::Map(pid, mapping) => return self.mapped(time, pid, mapping),
            Event::Exec(pid) => {
                let before = self.processes.get(&pid).and_then(|s| s.last());
                let starter = before.and_then(|s| s.starter);
                self.begin(pid, time, None, starter, Arc::default());
            }
            Event::Fork { pid, parent } => {
                let from = self.processes.get(&parent).and_then(|s| s.last());
                let (complete, maps) = match from {
                    Some(space) => (space.complete, Arc::clone(&space.maps)),
                    None => (false, Arc::default()),
                };
                let unknown = (!complete).then_some(parent);
                self.begin(pid, time, unknown, Some(parent), maps);
            }
            Event::Exit(pid) => self.ended(pid, time),
            Event::Lost => {
                let all = self.processes.values_mut().filter_map(|s| s.last_mut());
                all.for_each(|space| space.complete = false);
            }
        }
        None
    }

    fn mapped(&mut self, time: u64, pid: u32, mapping: Mapping) -> Option<u32> {
        let map = self.map(mapping, time);
        let space = self.latest(pid);
        let maps = Arc::make_mut(&mut space.maps);
        let last = maps.iter().rev().find(|m| m.holds(map.start));
        if !last.is_some_and(|m| m.same(&map)) {
            maps.push(map);
        }
        if maps.len() > MOST_MAPS {
            forget_replaced(maps);
        }
        Some(map.object)
    }

    /// The space that a process has now; one of unknown beginning if nothing is known.
    fn latest(&mut self, pid: u32) -> &mut Space {
        let spaces = self.processes.entry(pid).or_default();
        if spaces.is_empty() {
            spaces.push(Space {
                birth: 0,
                end: None,
                complete: false,
                parent: None,
                starter: None,
                maps: Arc::default(),
            });
        }
        let last = spaces.len() - 1;
        &mut spaces[last]
    }

    fn begin(
        &mut self,
        pid: u32,
        time: u64,
        parent: Option<u32>,
        starter: Option<u32>,
        maps: Arc<Vec<Map>>,
    ) {
        let spaces = self.processes.entry(pid).or_default();
        let ended = spaces.last_mut().filter(|s| s.end.is_none());
        if let Some(before) = ended {
            before.end = Some(time);
            let birth = before.birth;
            self.bury(pid, birth);
        }
        self.processes.entry(pid).or_default().push(Space {
            birth: time,
            end: None,
            complete: parent.is_none(),
            parent,
            starter,
            maps,
        });
    }

    fn ended(&mut self, pid: u32, time: u64) {
        let Some(space) = self.processes.get_mut(&pid).and_then(|s| s.last_mut()) else {
            return;
        };
        space.end = Some(time);
        let birth = space.birth;
        self.bury(pid, birth);
    }

    fn bury(&mut self, pid: u32, birth: u64) {
        self.ended.push_back((pid, birth));
        if self.ended.len() <= MOST_ENDED {
            return;
        }
        let Some((pid, birth)) = self.ended.pop_front() else {
            return;
        };
        if let Some(spaces) = self.processes.get_mut(&pid) {
            spaces.retain(|s| s.birth != birth);
            if spaces.is_empty() {
                self.processes.remove(&pid);
            }
        }
    }

    /// The space that a process had at a time.
    fn at(&self, pid: u32, time: u64) -> Option<&Space> {
        let spaces = self.processes.get(&pid)?;
        let behind = spaces.partition_point(|s| s.birth <= time);
        let found = behind.checked_sub(1).and_then(|n| spaces.get(n));
        match found {
            // A process is told after its start: between the end of one and that, the number is the next one's.
            Some(space) if space.end.is_some_and(|end| end < time) => {
                spaces.get(behind).or(Some(space))
            }
            Some(space) => Some(space),
            None => None,
        }
    }

    /// When the space that a process had at a time began; 0 if that is not known.
    pub fn birth(&self, pid: u32, time: u64) -> u64 {
        self.at(pid, time).map_or(0, |s| s.birth)
    }

    /// Whether the process has ended, or another has its number.
    pub fn is_over(&self, pid: u32, time: u64) -> bool {
        self.at(pid, time).is_some_and(|s| s.end.is_some())
    }

    /// What is to be read for questions about a process at a time; `None`: all is known.
    pub fn unknown(&self, pid: u32, time: u64) -> Option<Unknown> {
        match self.at(pid, time) {
            Some(space) if space.complete => None,
            Some(space) => Some(Unknown {
                pid,
                parent: space.parent,
            }),
            // All that is known of the number is later.
            None if self.processes.contains_key(&pid) => None,
            None => Some(Unknown { pid, parent: None }),
        }
    }

    /// Takes what a process has mapped now, at `time`. Gives the objects that were never met before.
    pub fn snapshot(&mut self, pid: u32, maps: Vec<Mapping>) -> Vec<u32> {
        let known = self.objects.len() as u32;
        let taken: Vec<Map> = maps
            .into_iter()
            .filter(|m| m.executable)
            .map(|m| self.map(m, 0))
            .collect();
        let space = self.latest(pid);
        let mut all = taken;
        all.extend(space.maps.iter());
        space.maps = Arc::new(all);
        space.complete = true;
        space.parent = None;
        (known..self.objects.len() as u32).collect()
    }

    /// Nothing more can be learnt of the space that a process had at a time: it is not asked for again.
    pub fn give_up(&mut self, pid: u32, time: u64) {
        let Some(birth) = self.at(pid, time).map(|s| s.birth) else {
            if !self.processes.contains_key(&pid) {
                self.latest(pid).complete = true;
            }
            return;
        };
        let spaces = self.processes.entry(pid).or_default();
        if let Some(space) = spaces.iter_mut().find(|s| s.birth == birth) {
            space.complete = true;
        }
    }

    /// What a process had at an address: as the last thing mapped there before `time`, or else at all.
    pub fn find(&self, pid: u32, time: u64, address: u64) -> Option<Map> {
        self.find_in(pid, time, address, GENERATIONS)
    }

    fn find_in(&self, pid: u32, time: u64, address: u64, generations: u32) -> Option<Map> {
        let space = self.at(pid, time)?;
        let mut held = space.maps.iter().rev().filter(|m| m.holds(address));
        let before = held.clone().find(|m| m.time <= time);
        if let Some(map) = before.or_else(|| held.next()) {
            return Some(*map);
        }
        let parent = space.parent.filter(|_| generations > 0)?;
        self.find_in(parent, space.birth, address, generations - 1)
    }

    /// All that a process had mapped at a time, latest first; of a process whose beginning is not known, what was seen.
    pub fn maps(&self, pid: u32, time: u64) -> impl Iterator<Item = Map> {
        let space = self.at(pid, time);
        let maps = space.map(|s| s.maps.iter().rev().copied());
        maps.into_iter().flatten()
    }

    /// Who started a process, who started that one, and so on; as far as was seen.
    pub fn starters(&self, pid: u32) -> impl Iterator<Item = u32> {
        let starter = |pid: &u32| self.processes.get(pid)?.last()?.starter;
        std::iter::successors(starter(&pid), move |p| starter(p)).take(GENERATIONS as usize)
    }

    /// Number of spaces that a process is known to have had.
    pub fn count(&self, pid: u32) -> usize {
        self.processes.get(&pid).map_or(0, Vec::len)
    }
}

/// Keeps of the mappings only those whose first address still belongs to them.
fn forget_replaced(maps: &mut Vec<Map>) {
    let mut kept: Vec<Map> = Vec::new();
    for map in maps.drain(..) {
        kept.retain(|m| !(map.start <= m.start && m.end <= map.end));
        kept.push(map);
    }
    if kept.len() > MOST_MAPS {
        kept.drain(..kept.len() - MOST_MAPS / 2);
    }
    *maps = kept;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mapping(start: u64, inode: u64) -> Mapping {
        Mapping {
            start,
            end: start + 0x1000,
            offset: 0,
            executable: true,
            writable: false,
            file: FileId {
                major: 1,
                minor: 0,
                inode,
            },
            path: PathBuf::from("/x"),
            deleted: false,
        }
    }

    fn inode(spaces: &Spaces, pid: u32, time: u64, address: u64) -> Option<u64> {
        let map = spaces.find(pid, time, address)?;
        spaces.object(map.object).map(|o| o.id.inode)
    }

    fn fork(pid: u32, parent: u32) -> Event {
        Event::Fork { pid, parent }
    }

    #[test]
    fn a_reused_number_and_another_program_are_told_apart() {
        let mut s = Spaces::default();
        s.note(10, Event::Exec(5));
        assert_eq!(s.note(11, Event::Map(5, mapping(0x1000, 1))), Some(0));
        s.note(20, Event::Exec(5));
        assert_eq!(s.note(21, Event::Map(5, mapping(0x1000, 2))), Some(1));
        s.note(30, Event::Exit(5));
        s.note(40, fork(5, 1));
        assert_eq!(s.note(41, Event::Map(5, mapping(0x1000, 1))), Some(0));
        assert_eq!(inode(&s, 5, 15, 0x1800), Some(1));
        assert_eq!(inode(&s, 5, 25, 0x1800), Some(2));
        assert_eq!(inode(&s, 5, 39, 0x1800), Some(1));
        assert_eq!(inode(&s, 5, u64::MAX, 0x1fff), Some(1));
        assert_eq!(inode(&s, 5, 5, 0x1800), None);
        assert_eq!(inode(&s, 5, 25, 0x2000), None);
        assert_eq!((s.unknown(5, 25), s.unknown(5, 5)), (None, None));
        assert!(s.unknown(6, 25).is_some() && s.unknown(5, 45).is_some());
    }

    #[test]
    fn a_child_has_what_its_parent_had_then() {
        let mut s = Spaces::default();
        s.note(10, Event::Exec(5));
        s.note(11, Event::Map(5, mapping(0x1000, 1)));
        s.note(12, fork(6, 5));
        s.note(13, Event::Map(5, mapping(0x3000, 3)));
        s.note(14, Event::Map(6, mapping(0x5000, 5)));
        s.note(15, Event::Exit(5));
        assert_eq!(inode(&s, 6, 20, 0x1000), Some(1));
        assert_eq!(inode(&s, 6, 20, 0x3000), None);
        assert_eq!(inode(&s, 6, 20, 0x5000), Some(5));
        s.note(16, Event::Exec(6));
        s.note(17, fork(7, 6));
        assert_eq!(s.starters(7).collect::<Vec<_>>(), [6, 5]);
        assert_eq!(inode(&s, 5, 20, 0x5000), None);
        assert_eq!(s.unknown(6, 20), None);
    }

    #[test]
    fn a_parent_that_is_read_later_serves_its_child() {
        let mut s = Spaces::default();
        s.note(12, fork(6, 5));
        let unknown = Unknown {
            pid: 6,
            parent: Some(5),
        };
        assert_eq!(s.unknown(6, 20), Some(unknown));
        assert_eq!(s.snapshot(5, vec![mapping(0x1000, 1)]), [0]);
        assert_eq!(inode(&s, 6, 20, 0x1000), Some(1));
        assert_eq!(s.unknown(5, 20), None);
    }

    #[test]
    fn what_is_mapped_over_counts_from_then_on() {
        let mut s = Spaces::default();
        s.note(1, Event::Exec(5));
        s.note(10, Event::Map(5, mapping(0x1000, 1)));
        s.note(20, Event::Map(5, mapping(0x1000, 2)));
        assert_eq!(inode(&s, 5, 15, 0x1000), Some(1));
        assert_eq!(inode(&s, 5, 25, 0x1000), Some(2));
        s.note(30, Event::Lost);
        assert!(s.unknown(5, 31).is_some());
        s.give_up(5, 31);
        s.give_up(6, 31);
        assert_eq!((s.unknown(5, 31), s.unknown(6, 31)), (None, None));
        assert_eq!(inode(&s, 5, 25, 0x1000), Some(2));
        assert_eq!(inode(&s, 6, 31, 0x1000), None);
    }

    #[test]
    fn memory_is_bounded() {
        let mut s = Spaces::default();
        for n in 0..(MOST_ENDED as u64 + 10) {
            let pid = n as u32 + 10;
            s.note(n, Event::Exec(pid));
            s.note(n, Event::Map(pid, mapping(0x1000, 1)));
            s.note(n, Event::Exit(pid));
        }
        assert_eq!((s.count(10), s.count(100)), (0, 1));
        s.note(1 << 40, Event::Exec(1));
        for n in 0..20_000 {
            s.note((1 << 40) + n, Event::Map(1, mapping(n % 3 * 0x1000, n)));
        }
        assert_eq!(inode(&s, 1, u64::MAX, 0x1000), Some(19_999));
        let kept = s.at(1, u64::MAX).map(|s| s.maps.len());
        assert!(kept.is_some_and(|n| n <= MOST_MAPS));
    }
}

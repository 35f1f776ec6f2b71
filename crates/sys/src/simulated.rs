//! Performance counters that do not exist, for tests: behind [`crate::perf`], in the thread that asked for them.
//!
//! The model has what the kernel's has and a test needs: so many counters a place (a CPU or a thread), groups that count
//! together or not at all, pinned events that fail where they find no counter, others that take turns, times enabled and
//! running, and refusals. Its clock moves only when told to. Descriptors are real ones (of pipes), so that closing one
//! frees its counter.

use std::cell::RefCell;
use std::io::{PipeWriter, pipe};
use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd};
use std::rc::Rc;

use crate::error::SysError;
use crate::perf::{Attr, FLAG_DISABLED, FLAG_PINNED, FORMAT_GROUP, TYPE_SOFTWARE};
use crate::seam;

/// What somebody wants to have counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked {
    /// `PERF_TYPE_*`.
    pub kind: u32,
    /// Event of that type.
    pub config: u64,
    /// In user mode.
    pub user: bool,
    /// In the kernel.
    pub kernel: bool,
    /// The thread, -1: all.
    pub pid: i32,
    /// The CPU, -1: all.
    pub cpu: i32,
}

/// Answers a question about an event.
type Answer<T> = Box<dyn Fn(&Asked) -> T>;

struct Counter {
    fd: i32,
    /// The other end of the pipe whose reader is the descriptor.
    alive: PipeWriter,
    asked: Asked,
    /// Descriptor of the group's leader, its own if it leads.
    leader: i32,
    pinned: bool,
    /// Reading gives the whole group.
    whole: bool,
    enabled: bool,
    failed: bool,
    value: u64,
    times: [u64; 2],
}

impl Counter {
    fn is_alive(&self) -> bool {
        let mut poll = libc::pollfd {
            fd: self.alive.as_raw_fd(),
            events: 0,
            revents: 0,
        };
        // SAFETY: one live pollfd, no waiting.
        unsafe { libc::poll(&mut poll, 1, 0) };
        poll.revents & libc::POLLERR == 0
    }

    fn place(&self) -> (i32, i32) {
        (self.asked.pid, self.asked.cpu)
    }
}

struct State {
    slots: usize,
    rate: Answer<u64>,
    first: Answer<u64>,
    refusal: Answer<Option<i32>>,
    counters: Vec<Counter>,
    turn: usize,
}

thread_local! {
    static MACHINE: RefCell<Option<Rc<RefCell<State>>>> = const { RefCell::new(None) };
}

/// A machine's counters.
pub struct Pmu(Rc<RefCell<State>>);

impl Pmu {
    /// So many counters on each CPU; every event happens a thousand times in a millisecond.
    pub fn new(slots: usize) -> Pmu {
        Pmu(Rc::new(RefCell::new(State {
            slots,
            rate: Box::new(|_| 1000),
            first: Box::new(|_| 0),
            refusal: Box::new(|_| None),
            counters: Vec::new(),
            turn: 0,
        })))
    }

    /// A machine without counters: it knows the kernel's own events only.
    pub fn none() -> Pmu {
        Pmu::new(0).refusing(|asked| (asked.kind != TYPE_SOFTWARE).then_some(libc::ENOENT))
    }

    /// How often an event happens in a millisecond.
    pub fn rate(self, rate: impl Fn(&Asked) -> u64 + 'static) -> Pmu {
        self.0.borrow_mut().rate = Box::new(rate);
        self
    }

    /// Where counts begin.
    pub fn first(self, first: impl Fn(&Asked) -> u64 + 'static) -> Pmu {
        self.0.borrow_mut().first = Box::new(first);
        self
    }

    /// Refuses events with an error number; may be changed later.
    pub fn refusing(self, refusal: impl Fn(&Asked) -> Option<i32> + 'static) -> Pmu {
        self.refuse(refusal);
        self
    }

    /// The same from now on.
    pub fn refuse(&self, refusal: impl Fn(&Asked) -> Option<i32> + 'static) {
        self.0.borrow_mut().refusal = Box::new(refusal);
    }

    /// Runs `body` on this machine.
    pub fn run<R>(&self, body: impl FnOnce() -> R) -> R {
        let old = MACHINE.with(|m| m.borrow_mut().replace(Rc::clone(&self.0)));
        let result = body();
        MACHINE.with(|m| *m.borrow_mut() = old);
        result
    }

    /// Lets time pass everywhere.
    pub fn advance(&self, ns: u64) {
        self.advance_where(ns, |_| true);
    }

    /// Lets time pass for some events: a thread that does not run has its counters stopped.
    pub fn advance_where(&self, ns: u64, runs: impl Fn(&Asked) -> bool) {
        self.0.borrow_mut().advance(ns, &runs);
    }

    /// Events that are open.
    pub fn open(&self) -> Vec<Asked> {
        let mut state = self.0.borrow_mut();
        state.sweep();
        state.counters.iter().map(|c| c.asked).collect()
    }
}

impl State {
    /// Forgets what was closed.
    fn sweep(&mut self) {
        self.counters.retain(Counter::is_alive);
    }

    /// Counters that a group needs.
    fn needs(&self, leader: i32) -> usize {
        let of = self.counters.iter().filter(|c| c.leader == leader);
        of.filter(|c| c.asked.kind != TYPE_SOFTWARE).count()
    }

    /// Leaders at a place, in the order in which they get counters.
    fn leaders(&self, place: (i32, i32)) -> Vec<i32> {
        let lead = self.counters.iter().filter(|c| c.fd == c.leader);
        let at = lead.filter(|c| c.place() == place && c.enabled && !c.failed);
        let (pinned, mut others): (Vec<_>, Vec<_>) = at.partition(|c| c.pinned);
        let turn = self.turn % others.len().max(1);
        others.rotate_left(turn);
        pinned.iter().chain(&others).map(|c| c.fd).collect()
    }

    fn advance(&mut self, ns: u64, runs: &dyn Fn(&Asked) -> bool) {
        self.sweep();
        let mut places: Vec<_> = self.counters.iter().map(Counter::place).collect();
        places.sort_unstable();
        places.dedup();
        for place in places {
            let mut left = self.slots;
            for leader in self.leaders(place) {
                let needs = self.needs(leader);
                let on = needs <= left;
                left -= if on { needs } else { 0 };
                let group = self.counters.iter_mut();
                for c in group.filter(|c| c.leader == leader && runs(&c.asked)) {
                    let [enabled, running] = &mut c.times;
                    *enabled += ns;
                    if on {
                        *running += ns;
                        let more = (self.rate)(&c.asked) * ns / 1_000_000;
                        c.value = c.value.wrapping_add(more);
                    }
                }
            }
        }
        self.turn += 1;
    }

    fn open(
        &mut self,
        attr: &Attr,
        pid: i32,
        cpu: i32,
        group: Option<i32>,
    ) -> Result<OwnedFd, i32> {
        self.sweep();
        let asked = Asked {
            kind: attr.kind,
            config: attr.config,
            user: attr.counts_user(),
            kernel: attr.counts_kernel(),
            pid,
            cpu,
        };
        if let Some(errno) = (self.refusal)(&asked) {
            return Err(errno);
        }
        let hardware = usize::from(attr.kind != TYPE_SOFTWARE);
        if group.map_or(0, |g| self.needs(g)) + hardware > self.slots.max(1 - hardware) {
            return Err(libc::EINVAL);
        }
        let (reader, alive) = pipe().map_err(|_| libc::EMFILE)?;
        let fd = OwnedFd::from(reader);
        self.counters.push(Counter {
            fd: fd.as_raw_fd(),
            alive,
            asked,
            leader: group.unwrap_or(fd.as_raw_fd()),
            pinned: attr.flags & FLAG_PINNED != 0,
            whole: attr.read_format & FORMAT_GROUP != 0,
            enabled: attr.flags & FLAG_DISABLED == 0,
            failed: false,
            value: (self.first)(&asked),
            times: [0; 2],
        });
        Ok(fd)
    }

    fn set(&mut self, fd: i32, on: bool) -> bool {
        self.sweep();
        let Some(at) = self.counters.iter().position(|c| c.fd == fd) else {
            return false;
        };
        let (place, slots) = (self.counters[at].place(), self.slots);
        self.counters[at].enabled = on;
        let pinned = self.counters.iter().filter(|c| c.pinned && c.enabled);
        let leaders = pinned.filter(|c| c.fd == c.leader && c.place() == place);
        let taken: usize = leaders.map(|c| self.needs(c.fd)).sum();
        let counter = &mut self.counters[at];
        counter.failed = on && counter.pinned && taken > slots;
        true
    }

    /// The words that reading gives.
    fn read(&mut self, fd: i32) -> Option<Vec<u64>> {
        self.sweep();
        let counter = self.counters.iter().find(|c| c.fd == fd)?;
        if counter.failed {
            return Some(Vec::new());
        }
        let [enabled, running] = counter.times;
        if !counter.whole {
            return Some(vec![counter.value, enabled, running]);
        }
        let group = self.counters.iter().filter(|c| c.leader == fd);
        let values: Vec<u64> = group.map(|c| c.value).collect();
        let head = [values.len() as u64, enabled, running];
        Some(head.into_iter().chain(values).collect())
    }
}

fn with<R>(f: impl FnOnce(&mut State) -> R) -> Option<R> {
    let machine = MACHINE.with(|m| m.borrow().clone())?;
    let mut state = machine.borrow_mut();
    Some(f(&mut state))
}

/// The error that a test wants a call to end in, though nobody makes it.
fn seam(name: &'static str) -> Result<(), SysError> {
    seam::refused(name).map_or(Ok(()), |errno| Err(SysError::new(name, errno)))
}

/// `perf_event_open`, if this thread is on such a machine.
pub(crate) fn open(
    attr: &Attr,
    pid: i32,
    cpu: i32,
    group: Option<BorrowedFd<'_>>,
) -> Option<Result<OwnedFd, SysError>> {
    with(|s| {
        seam("perf_event_open")?;
        let opened = s.open(attr, pid, cpu, group.map(|g| g.as_raw_fd()));
        opened.map_err(|errno| SysError::new("perf_event_open", errno))
    })
}

/// Starts or stops an event, if it is one of these.
pub(crate) fn set(event: BorrowedFd<'_>, on: bool) -> Option<Result<(), SysError>> {
    let set = with(|s| s.set(event.as_raw_fd(), on))?;
    set.then(|| seam("ioctl(perf event)"))
}

/// Reads an event, if it is one of these: how many words.
pub(crate) fn read(event: BorrowedFd<'_>, words: &mut [u64]) -> Option<Result<usize, SysError>> {
    let read = with(|s| s.read(event.as_raw_fd()))??;
    for (to, from) in words.iter_mut().zip(&read) {
        *to = *from;
    }
    Some(seam("read(perf event)").map(|()| read.len()))
}

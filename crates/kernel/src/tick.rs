//! The thread that runs `tick-N` programs.
//!
//! A perf event on a CPU clock does not fire while its CPU is idle, so ticks run from timers of this process through
//! `BPF_PROG_RUN`. One thread serves all of them; a firing that came too late is made up for, never dropped.

use std::os::fd::{AsFd, OwnedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

use image::{ProgramKind, Site};
use sys::event::{Epoll, Event, Timer};
use sys::time::monotonic_ns;

use crate::error::LoadError;
use crate::load::{LoadOptions, Program};

/// Real-time priority of the thread: the lowest, which is above everything that is not real-time.
const PRIORITY: i32 = 1;
const NICE: i32 = -20;
const STOP: u64 = u64::MAX;

/// A running tick thread; stops when dropped.
#[derive(Debug)]
pub struct Ticks {
    stop: Arc<Stop>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct Stop {
    flag: AtomicBool,
    event: Event,
}

struct Clock {
    program: OwnedFd,
    timer: Timer,
    period_ns: u64,
    /// When the next firing is due.
    due_ns: u64,
}

impl Ticks {
    /// Starts the clocks of all tick programs; `None` if there are none.
    pub fn start(programs: &[Program], options: &LoadOptions) -> Result<Option<Ticks>, LoadError> {
        let mut clocks = Vec::new();
        for program in programs
            .iter()
            .filter(|p| p.fires && p.kind == ProgramKind::Run)
        {
            if let Site::Tick { period_ns } = program.site {
                clocks.push(clock(program, period_ns.max(1))?);
            }
        }
        if clocks.is_empty() {
            return Ok(None);
        }
        let stop = Arc::new(Stop {
            flag: AtomicBool::new(false),
            event: Event::new()?,
        });
        let epoll = Epoll::new()?;
        epoll.add(stop.event.fd(), STOP)?;
        for (token, clock) in clocks.iter().enumerate() {
            epoll.add(clock.timer.fd(), token as u64)?;
        }
        let shared = stop.clone();
        let (realtime, cpu) = (options.realtime_ticks, options.cpu);
        let thread = std::thread::Builder::new()
            .name("dtrace".to_string())
            .stack_size(128 * 1024)
            .spawn(move || serve(&epoll, clocks, &shared, realtime, cpu))
            .map_err(|e| {
                sys::SysError::new("clone", e.raw_os_error().unwrap_or(errno_again()))
                    .on("tick thread")
            })?;
        Ok(Some(Ticks {
            stop,
            thread: Some(thread),
        }))
    }
}

fn errno_again() -> i32 {
    sys::errno::EAGAIN
}

fn clock(program: &Program, period_ns: u64) -> Result<Clock, LoadError> {
    let timer = Timer::new()?;
    let due_ns = monotonic_ns().saturating_add(period_ns);
    timer.start(due_ns, period_ns)?;
    let program = program.fd.as_fd().try_clone_to_owned().map_err(|e| {
        sys::SysError::new(
            "fcntl(F_DUPFD_CLOEXEC)",
            e.raw_os_error().unwrap_or(errno_again()),
        )
        .on("tick program")
    })?;
    Ok(Clock {
        program,
        timer,
        period_ns,
        due_ns,
    })
}

fn serve(epoll: &Epoll, mut clocks: Vec<Clock>, stop: &Stop, realtime: bool, cpu: Option<u32>) {
    // A signal to the process is for the thread that handles it.
    let _then_signals_may_come_here = sys::event::block_all_signals();
    if !realtime || sys::proc::realtime(PRIORITY).is_err() {
        // Ticks then merely compete with everybody else.
        let _merely_later = sys::proc::nice(NICE);
    }
    while !stop.flag.load(Ordering::Acquire) {
        let Ok(tokens) = epoll.wait(None) else { return };
        for token in tokens {
            if let Some(clock) = usize::try_from(token).ok().and_then(|i| clocks.get_mut(i)) {
                fire(clock, stop, cpu);
            }
        }
    }
}

/// Runs the program once for each expiration.
fn fire(clock: &mut Clock, stop: &Stop, cpu: Option<u32>) {
    let expired = clock.timer.expirations().unwrap_or(0);
    for _ in 0..expired {
        if stop.flag.load(Ordering::Acquire) {
            return;
        }
        let late_ns = monotonic_ns().saturating_sub(clock.due_ns);
        clock.due_ns = clock.due_ns.saturating_add(clock.period_ns);
        // Nobody to tell: a program that loads also runs, and the consumer sees that nothing came.
        let _result = sys::bpf::prog_run(clock.program.as_fd(), &[0, 0, late_ns], cpu);
    }
}

impl Drop for Ticks {
    fn drop(&mut self) {
        self.stop.flag.store(true, Ordering::Release);
        if self.stop.event.set().is_ok()
            && let Some(thread) = self.thread.take()
        {
            let _panicked = thread.join();
        }
    }
}

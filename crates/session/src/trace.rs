//! A run: load, BEGIN, attach, work, stop, END, the end.
//!
//! Order: BEGIN runs and is read before anything is attached; all probes are attached behind a closed gate, then the
//! gate opens; at the end the gate closes, everything is detached and read, then END runs on the CPU that called
//! `exit()`. Every step can fail; whatever happens, dropping the run detaches all.

mod finish;
mod late;
mod load;
mod users;

use crate::compile::Compilation;
use crate::host::{Host, KernelAggs, SystemNames, SystemSymbols, Users};
use crate::interrupt::Interrupt;
use crate::opts::Options;
use crate::output::{Destination, OutputError, Sinks};
use crate::read::{Next, Paced, Reader, Reading, View};
use crate::stopwatch::Stopwatch;
use crate::unwind::{Filler, Maker};
use crate::victim::{VictimError, Victims};
use crate::{Front, Session};
use consumer::{Consumer, Flow, Output, OutputForm};
use image::{Image, Policy, Site, layout};
use kernel::{LoadError, LoadOptions, Loaded, Unprobed};
use lang::options::Opt;
use late::Late;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What to trace, and where to.
pub struct Job {
    /// The program.
    pub program: sema::hir::Program,
    /// Its code.
    pub image: Image,
    /// What it was compiled from.
    pub compilation: Compilation,
    /// It has destructive actions.
    pub destructive: bool,
    /// Processes to follow.
    pub victims: Victims,
    /// Where output goes.
    pub output: Destination,
    /// Print JSON.
    pub json: bool,
}

/// Why a run failed.
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    /// Tracing could not begin.
    #[error("could not enable tracing: {0}")]
    Enable(String),
    /// The program has destructive actions, which were not allowed.
    #[error("could not enable tracing: Destructive actions not allowed")]
    Destructive,
    /// Output cannot be had.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// The output could not be written.
    #[error("failed to write output: {0}")]
    Write(String),
    /// A victim cannot be released.
    #[error(transparent)]
    Victim(#[from] VictimError),
    /// Something failed while tracing.
    #[error("processing aborted: {0}")]
    Aborted(String),
}

impl From<consumer::Error> for TraceError {
    fn from(e: consumer::Error) -> TraceError {
        match e {
            consumer::Error::Write(io) => TraceError::Write(crate::files::plain(&io)),
            consumer::Error::Record(_)
            | consumer::Error::Image(_)
            | consumer::Error::Aggregation { .. }
            | consumer::Error::BadNormal => TraceError::Aborted(e.to_string()),
        }
    }
}

fn aborted(e: impl std::fmt::Display) -> TraceError {
    TraceError::Aborted(e.to_string())
}

/// Why tracing is not allowed here, if it is not.
pub fn may_trace() -> Result<(), String> {
    for (needed, kind, dir) in [
        ("/proc/self/status", "proc", "/proc"),
        ("/sys/kernel", "sysfs", "/sys"),
    ] {
        if !std::path::Path::new(needed).exists() {
            return Err(format!(
                "{dir} is not mounted, and tracing needs it (mount -t {kind} {kind} {dir})"
            ));
        }
    }
    if sys::proc::may_trace() {
        return Ok(());
    }
    Err(
        "DTrace requires additional privileges (run it as root, or with CAP_BPF and CAP_PERFMON)"
            .into(),
    )
}

/// `EINVAL`, `EOPNOTSUPP`, `ENOTSUPP`.
const NOT_PROBED: [i32; 3] = [22, 95, 524];
/// Why a point with which a kernel would do harm is left alone.
const HARMFUL: &str = "this kernel would put a call in place of its five-byte no-op, which overwrites variables and kills children, \
    and it could not be kept from it";
/// Token of the signals; victims have their number.
const SIGNALS: u64 = 1 << 32;
/// Token of what processes map.
const MAPPINGS: u64 = 1 << 33;
/// Context words of programs that are run by hand.
const NO_CONTEXT: [u64; 10] = [0; 10];

/// Traces until told to stop. Gives the status for `exit(2)`.
pub fn trace(session: &mut Session, job: Job, front: &mut dyn Front) -> Result<i32, TraceError> {
    run(session, job, front, None)
}

/// Traces until told to stop, and gives the data to a reader instead of printing them.
pub fn read<'a>(
    session: &'a mut Session,
    job: Job,
    front: &'a mut dyn Front,
    reading: Reading<'a>,
) -> Result<i32, TraceError> {
    run(session, job, front, Some(Paced::new(reading)))
}

fn run<'a>(
    session: &'a mut Session,
    job: Job,
    front: &'a mut dyn Front,
    paced: Option<Paced<'a>>,
) -> Result<i32, TraceError> {
    let types = session.world.kernel_btf();
    let Session {
        options,
        world,
        stopwatch,
    } = session;
    stopwatch.lap("compile", sys::proc::cpu_time());
    if job.destructive && !options.flag(Opt::Destructive) {
        return Err(TraceError::Destructive);
    }
    let interrupt = Interrupt::new().map_err(|e| TraceError::Enable(e.to_string()))?;
    let sinks = Sinks::open(job.output)?;
    let target = job.victims.target().unwrap_or(0) as u32;
    let source = load::Source {
        program: job.program,
        image: job.image,
        generate: &|program, budget| crate::compile::image(program, world, budget, 0),
    };
    let maker = Maker::start(&source.image, job.victims.pids());
    let (image, loaded) = load::load(source, &*types, target, options, front)?;
    stopwatch.lap("load", sys::proc::cpu_time());
    let users = users::start(&image, options, front);
    let image = Arc::new(image);
    let form = output_form(paced.as_ref(), job.json);
    let consumer = Consumer::new(
        Arc::clone(&image),
        consumer_options(options, form, target),
        names(options, &users),
    )
    .with_names(Box::new(SystemNames::default()));
    let out = Output::new(
        sinks
            .sink()
            .map_err(|e| TraceError::Write(crate::files::plain(&e)))?,
    );
    let run = Run {
        image,
        loaded,
        consumer,
        users,
        out,
        host: Host {
            options,
            sinks,
            front,
            held: None,
        },
        victims: job.victims,
        interrupt,
        batch: Batch::default(),
        clock: Clock::start(),
        exited: None,
        maker,
        filler: None,
        late: Late::new(job.compilation, world),
        closed: None,
        missed: 0,
        paced,
        stopwatch: std::mem::take(stopwatch),
    };
    run.go()
}

fn output_form(paced: Option<&Paced<'_>>, json: bool) -> OutputForm {
    match paced {
        Some(paced) if paced.events => OutputForm::Events,
        Some(_) => OutputForm::Data,
        None if json => OutputForm::Json,
        None => OutputForm::Text,
    }
}

/// Where names of addresses come from.
fn names(options: &Options, users: &Users) -> Box<dyn consumer::Symbols> {
    if options.flag(Opt::Noresolve) {
        Box::new(consumer::NoSymbols)
    } else {
        Box::new(SystemSymbols::new(Users::clone(users)))
    }
}

/// The options that the consumer takes.
fn consumer_options(options: &Options, form: OutputForm, target: u32) -> consumer::Options {
    let mut taken = consumer::Options {
        target,
        form,
        ..consumer::Options::default()
    };
    for (opt, value) in options.all() {
        // What is not the consumer's own is not its business.
        taken.apply(opt, &value);
    }
    taken
}

/// Records taken out of the rings, to be consumed when the rings are no longer borrowed.
#[derive(Default)]
struct Batch {
    bytes: Vec<u8>,
    records: Vec<(u32, usize)>,
}

impl Batch {
    fn push(&mut self, cpu: u32, record: &[u8]) {
        self.bytes.extend_from_slice(record);
        self.records.push((cpu, self.bytes.len()));
    }

    fn clear(&mut self) {
        self.bytes.clear();
        self.records.clear();
    }
}

/// When the periodic work is due.
struct Clock {
    printed: Instant,
    checked: Instant,
}

impl Clock {
    fn start() -> Clock {
        let now = Instant::now();
        Clock {
            printed: now,
            checked: now,
        }
    }
}

/// No rate is faster: scripts say `switchrate=10`, which is 10 ns, and would keep a CPU busy.
const FASTEST: Duration = Duration::from_millis(1);

fn rate(options: &Options, opt: Opt) -> Duration {
    Duration::from_nanos(
        options
            .num(opt)
            .and_then(|n| u64::try_from(n).ok())
            .unwrap_or(1_000_000_000),
    )
}

/// A run.
struct Run<'a> {
    image: Arc<Image>,
    loaded: Loaded,
    consumer: Consumer,
    users: Users,
    out: Output,
    host: Host<'a>,
    victims: Victims,
    interrupt: Interrupt,
    batch: Batch,
    clock: Clock,
    /// Status of the last `exit()` seen before the gate closed.
    exited: Option<i32>,
    /// Makes tables for user stacks until they have a place, if the program has any.
    maker: Option<Maker>,
    /// Fills them in.
    filler: Option<Filler>,
    /// Looks for probes that come later.
    late: Late<'a>,
    /// When probes ceased to fire.
    closed: Option<u64>,
    /// Firings that were missed, in all.
    missed: u64,
    /// Who takes the data, if nobody prints them.
    paced: Option<Paced<'a>>,
    /// What starting takes.
    stopwatch: Stopwatch,
}

impl Run<'_> {
    fn go(mut self) -> Result<i32, TraceError> {
        if let Some(tables) = self.loaded.tables(&self.image) {
            let tables = tables.map_err(|e| load::failed(&e.into(), self.host.options))?;
            self.filler = self.maker.take().map(|m| Filler::start(m, tables));
        }
        self.stopwatch.lap("tables", sys::proc::cpu_time());
        self.run_site(&Site::Begin, None)?;
        // What is kept until the end begins here.
        self.drain(self.image.policy == Policy::Switch)?;
        let done = self.loaded.exiting();
        self.stopwatch.lap("BEGIN", sys::proc::cpu_time());
        if !done {
            self.loaded
                .attach()
                .map_err(|e| load::failed(&e, self.host.options))?;
            self.report_refused();
            self.watch()
                .map_err(|e| load::failed(&e, self.host.options))?;
            self.paced.iter_mut().for_each(Paced::begin);
            self.loaded.open();
            self.loaded
                .start_ticks()
                .map_err(|e| load::failed(&e, self.host.options))?;
            self.adopt();
            self.stopwatch.lap("attach", sys::proc::cpu_time());
            self.victims.release()?;
            self.tell_times();
            crate::priority::raise();
            while !self.work()? {}
        }
        self.finish()
    }

    /// Says what starting took, if asked to.
    fn tell_times(&mut self) {
        if self.host.options.flag(Opt::Times) {
            self.host.front.message(&self.stopwatch.report());
        }
    }

    /// Runs the programs of a site that the kernel never calls by itself.
    fn run_site(&mut self, site: &Site, cpu: Option<u32>) -> Result<(), TraceError> {
        let programs = self
            .image
            .programs
            .iter()
            .enumerate()
            .filter(|(_, p)| p.fires() && p.site == *site);
        for (index, _) in programs {
            self.loaded.run(index, &NO_CONTEXT, cpu).map_err(aborted)?;
        }
        Ok(())
    }

    /// Says which points in user-space code are not probed, by the first of each kind.
    fn report_refused(&mut self) {
        let mut kinds: Vec<(Unprobed, u32, usize)> = Vec::new();
        for point in self.loaded.refused_points() {
            match kinds.iter_mut().find(|(why, ..)| *why == point.why) {
                Some((_, _, more)) => *more += 1,
                None => kinds.push((point.why, point.probe, 0)),
            }
        }
        for (why, probe, more) in kinds {
            let Some(p) = self.image.probes.get(probe as usize) else {
                continue;
            };
            let name = format!("{}:{}:{}:{}", p.provider, p.module, p.function, p.name);
            let others = match more {
                0 => String::new(),
                1 => " and one other place".to_owned(),
                _ => format!(" and {more} other places"),
            };
            let text = format!("failed to enable {name}{others}: {}", unprobed(why));
            self.host.front.message(&text);
        }
    }

    fn watch(&self) -> Result<(), LoadError> {
        self.loaded.watch(self.interrupt.fd(), SIGNALS)?;
        for fd in self.users.borrow().fds().chain(self.late.fds()) {
            self.loaded.watch(fd, MAPPINGS)?;
        }
        for (n, fd) in self.victims.fds() {
            self.loaded.watch(fd, n as u64)?;
        }
        Ok(())
    }

    /// One round of work; true when the run is over.
    fn work(&mut self) -> Result<bool, TraceError> {
        let (switch, status) = (
            rate(self.host.options, Opt::Switchrate).max(FASTEST),
            rate(self.host.options, Opt::Statusrate).max(FASTEST),
        );
        let now = Instant::now();
        let due = (self.clock.printed + switch).min(self.clock.checked + status);
        let due = self.next_look(now, due);
        let due = self.late.next(due);
        let due = self.paced.as_ref().map_or(due, |p| p.next(due));
        let wake = self
            .loaded
            .wait(Some(due.saturating_duration_since(now)))
            .map_err(aborted)?;
        let mut over = false;
        for token in wake.tokens {
            over |= match token {
                SIGNALS => self.interrupted()?,
                // The drain below reads them.
                MAPPINGS => false,
                victim => self.victim(victim as usize)?,
            };
        }
        self.drain(false)?;
        over |= self.give_records()? == Next::Stop || self.give_interval()? == Next::Stop;
        self.look_for_code();
        let now = Instant::now();
        if now >= self.clock.checked + status {
            self.clock.checked = now;
            self.report_drops()?;
        }
        let at_once = self.host.sinks.is_terminal() && !self.host.options.is_set(Opt::Switchrate);
        if at_once || now >= self.clock.printed + switch {
            self.clock.printed = now;
            self.idle()?;
            self.out.flush()?;
        }
        Ok(over || self.loaded.exiting() || self.loaded.filled())
    }

    /// A signal came: the run ends.
    fn interrupted(&mut self) -> Result<bool, TraceError> {
        self.loaded.unwatch(self.interrupt.fd()).map_err(aborted)?;
        self.consumer.interrupted(&mut self.out)?;
        Ok(true)
    }

    /// A victim has ended.
    fn victim(&mut self, n: usize) -> Result<bool, TraceError> {
        if let Some(ended) = self.victims.ended(n) {
            if let Some(fd) = self.victims.fd(n) {
                self.loaded.unwatch(fd).map_err(aborted)?;
            }
            let quiet = self.consumer.options().quiet;
            if !quiet || (self.paced.is_some() && !ended.well) {
                self.host.front.message(&ended.message);
            }
        }
        Ok(self.victims.all_gone())
    }

    /// Consumes what the rings hold; `last`: no program runs any more, so all of it.
    fn drain(&mut self, last: bool) -> Result<(), TraceError> {
        let events = self.sightings();
        self.batch.clear();
        let batch = &mut self.batch;
        self.loaded
            .drain(last, |cpu, record| batch.push(cpu, record));
        let mut source = KernelAggs {
            loaded: &self.loaded,
            image: &self.image,
        };
        let mut start = 0;
        for (cpu, end) in &self.batch.records {
            let record = self.batch.bytes.get(start..*end).unwrap_or_default();
            start = *end;
            let flow =
                self.consumer
                    .record(*cpu, record, &mut self.out, &mut source, &mut self.host)?;
            note(&mut self.exited, flow);
            self.out.checkpoint()?;
        }
        // Faults.
        self.host.hold();
        let told = self.tell_faults(&events);
        self.host.tell();
        told
    }

    fn tell_faults(&mut self, events: &[Vec<u8>]) -> Result<(), TraceError> {
        for event in events {
            if event.starts_with(&layout::event::TABLE.to_ne_bytes()) {
                self.filler.iter().for_each(Filler::asked);
            }
            self.consumer.event(event, &mut self.out, &mut self.host)?;
        }
        Ok(())
    }

    /// Gives the reader, if there is one, what was consumed.
    fn give_records(&mut self) -> Result<Next, TraceError> {
        let records = self.consumer.records();
        let mut next = Next::Continue;
        for event in self.consumer.events() {
            if self.give(|reader, view| reader.event(event, view))? == Next::Stop {
                next = Next::Stop;
            }
        }
        for record in records {
            if self.give(|reader, view| reader.record(record, view))? == Next::Stop {
                next = Next::Stop;
            }
        }
        Ok(next)
    }

    /// Asks the reader, if there is one and it is time.
    fn give_interval(&mut self) -> Result<Next, TraceError> {
        if !self.paced.as_mut().is_some_and(Paced::passed) {
            return Ok(Next::Continue);
        }
        self.give(|reader, view| reader.interval(view))
    }

    fn give(
        &mut self,
        what: impl FnOnce(&mut dyn Reader, &mut View<'_>) -> Result<Next, TraceError>,
    ) -> Result<Next, TraceError> {
        let Some(paced) = &mut self.paced else {
            return Ok(Next::Continue);
        };
        let mut view = View {
            consumer: &mut self.consumer,
            source: KernelAggs {
                loaded: &self.loaded,
                image: &self.image,
            },
            missed: self.missed,
            begun: paced.begun,
            now: self.closed.unwrap_or_else(sys::time::monotonic_ns),
        };
        what(paced.reader, &mut view)
    }

    /// Nothing more is to be read for now.
    fn idle(&mut self) -> Result<(), TraceError> {
        let mut source = KernelAggs {
            loaded: &self.loaded,
            image: &self.image,
        };
        let flow = self
            .consumer
            .idle(&mut self.out, &mut source, &mut self.host)?;
        note(&mut self.exited, flow);
        Ok(())
    }
}

/// Why a point is not probed.
fn unprobed(why: Unprobed) -> String {
    match why {
        Unprobed::Errno(errno) if NOT_PROBED.contains(&errno) => {
            "the kernel does not probe this instruction".to_owned()
        }
        Unprobed::Errno(errno) => crate::files::plain(&std::io::Error::from_raw_os_error(errno)),
        Unprobed::Harmful => HARMFUL.to_owned(),
    }
}

fn note(exited: &mut Option<i32>, flow: Flow) {
    match flow {
        Flow::Exit(status) => *exited = Some(status),
        Flow::Continue => {}
    }
}

/// Options for the kernel side.
fn load_options(target: u32, options: &Options) -> LoadOptions {
    LoadOptions {
        target,
        cpu: options.cpu(),
        ..LoadOptions::default()
    }
}

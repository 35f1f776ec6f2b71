//! Attaches programs to their places and detaches them in bulk.

use std::collections::HashMap;
use std::ops::Range;
use std::os::fd::{AsFd, OwnedFd};

use btf::{Btf, BtfKind, BtfLoader};
use image::{Counter, Image, ProgramKind, Site};
use sys::perf::Attr;
use sys::{SysError, errno};

use crate::error::{LoadError, bad_image};
use crate::kprobes;
use crate::load::Program;
use crate::uprobes::RefusedPoint;
use crate::{types, uprobes};

const NO_TYPES: &str = "there are no type data of it";

/// Where a typed program attaches.
#[derive(Debug)]
pub struct Target {
    /// Type id of `btf_trace_NAME`, or of the function.
    pub id: u32,
    /// Type information of the module that has it.
    pub module: Option<OwnedFd>,
}

/// Targets of the typed programs by program index.
#[derive(Debug, Default)]
pub struct Targets(HashMap<usize, Target>);

impl Targets {
    /// Looks up what the image's typed programs need.
    pub fn find(image: &Image, types: &dyn BtfLoader) -> Result<Targets, LoadError> {
        let mut targets = Targets::default();
        for (index, program) in image.programs.iter().enumerate() {
            let found = match program.kind {
                ProgramKind::TpBtf => {
                    let (name, module) = tracepoint(&program.site)?;
                    target(types, module.as_deref(), |btf| btf.tracepoint_id(&name))?
                        .ok_or(LoadError::NoTracepoint(name))?
                }
                ProgramKind::Fentry | ProgramKind::Fexit => {
                    let (name, module) = function(&program.site)?;
                    target(types, module, |btf| btf.find_own(BtfKind::Func, name))?
                        .ok_or_else(|| LoadError::Function(name.into(), NO_TYPES.into()))?
                }
                ProgramKind::RawTp
                | ProgramKind::Kprobe
                | ProgramKind::PerfEvent
                | ProgramKind::Uprobe
                | ProgramKind::Run => continue,
            };
            targets.0.insert(index, found);
        }
        Ok(targets)
    }

    /// Target of program `index`.
    pub fn get(&self, index: usize) -> Option<&Target> {
        self.0.get(&index)
    }
}

/// What a typed program is loaded for; `None` if there is no such thing or its module is gone.
fn target(
    types: &dyn BtfLoader,
    module: Option<&str>,
    find: impl FnOnce(&Btf) -> Option<u32>,
) -> Result<Option<Target>, LoadError> {
    let types = match module {
        None => types.vmlinux(),
        Some(module) => types.module(module),
    };
    let types = types.ok_or_else(|| LoadError::Unsupported {
        missing: "BTF type information (CONFIG_DEBUG_INFO_BTF)",
        detail: types::path(module.unwrap_or(btf::VMLINUX))
            .display()
            .to_string(),
    })?;
    let Some(id) = find(&types) else {
        return Ok(None);
    };
    let module = match module {
        None => None,
        Some(module) => match sys::bpf::module_btf(module)? {
            Some(fd) => Some(fd),
            None => return Ok(None),
        },
    };
    Ok(Some(Target { id, module }))
}

/// Name and module of the kernel function of a site.
fn function(site: &Site) -> Result<(&str, Option<&str>), LoadError> {
    match site {
        Site::KernelFunction { name, module, .. } => Ok((name, module.as_deref())),
        Site::Begin
        | Site::End
        | Site::Error
        | Site::Tick { .. }
        | Site::Profile { .. }
        | Site::Counter(_)
        | Site::SyscallEntry
        | Site::SyscallReturn
        | Site::Tracepoint { .. }
        | Site::KernelProbe { .. }
        | Site::KernelFunctions { .. }
        | Site::User
        | Site::UserPlace { .. } => Err(bad_image(format!("{site:?} is no function"))),
    }
}

/// Kernel name and module of the tracepoint of a site.
fn tracepoint(site: &Site) -> Result<(String, Option<String>), LoadError> {
    match site {
        Site::SyscallEntry => Ok(("sys_enter".to_string(), None)),
        Site::SyscallReturn => Ok(("sys_exit".to_string(), None)),
        Site::Tracepoint { name, module } => Ok((name.clone(), module.clone())),
        Site::Begin
        | Site::End
        | Site::Error
        | Site::Tick { .. }
        | Site::Profile { .. }
        | Site::Counter(_)
        | Site::KernelFunction { .. }
        | Site::KernelProbe { .. }
        | Site::User
        | Site::UserPlace { .. }
        | Site::KernelFunctions { .. } => Err(bad_image(format!("{site:?} is no tracepoint"))),
    }
}

/// What keeps programs attached.
#[derive(Debug, Default)]
pub struct Links {
    pub(crate) links: Vec<OwnedFd>,
    pub(crate) events: Vec<OwnedFd>,
    pub(crate) refused: Vec<RefusedPoint>,
    /// Kernel functions that the kernel would not have probed.
    pub(crate) skipped: usize,
    /// Places in `links` of what attaches the kprobe programs, with their places in the image.
    kprobes: Vec<(usize, Range<usize>)>,
    /// Firings that such links missed, by the program's place in the image.
    pub(crate) missed: Vec<(usize, u64)>,
}

/// A program on more links than these is not asked what each of them missed.
const ASKED: usize = 64;

impl Links {
    /// Finds out what the kernel missed on links of kprobes.
    pub(crate) fn count_missed(&mut self) {
        for (program, links) in self.kprobes.iter().filter(|k| k.1.len() <= ASKED) {
            let links = self.links.get(links.clone()).unwrap_or_default();
            let missed = links
                .iter()
                .map(|link| sys::bpf::link_missed(link.as_fd()))
                .sum();
            match self.missed.iter_mut().find(|known| known.0 == *program) {
                Some(known) => known.1 = missed,
                None => self.missed.push((*program, missed)),
            }
        }
    }

    /// Detaches everything; says whether there was anything. Perf events are stopped first, all at once; what closing
    /// them then waits for, it waits for without anything firing.
    pub fn close(&mut self) -> bool {
        let any = !self.links.is_empty() || !self.events.is_empty();
        for event in &self.events {
            // A failure here changes nothing: closing stops the event too.
            let _stopped_by_closing = sys::perf::disable(event.as_fd());
        }
        self.count_missed();
        self.kprobes.clear();
        self.links.clear();
        self.events.clear();
        any
    }
}

/// Attaches every program that has a place in the kernel; those of clocks to one CPU if only that is traced.
pub fn attach_all(programs: &[Program], cpu: Option<u32>) -> Result<Links, LoadError> {
    let mut links = Links::default();
    for (index, program) in programs.iter().enumerate().filter(|(_, p)| p.fires) {
        match program.kind {
            ProgramKind::TpBtf => {
                let link = sys::bpf::raw_tracepoint_open(None, program.fd.as_fd());
                links.links.push(link.map_err(LoadError::from_call)?);
            }
            ProgramKind::RawTp => links.links.push(raw_tracepoint(program)?),
            ProgramKind::Fentry | ProgramKind::Fexit => links.links.push(trampoline(program)?),
            ProgramKind::Kprobe => {
                let first = links.links.len();
                links.skipped += kprobes::attach(program, &mut links.links)?;
                links.kprobes.push((index, first..links.links.len()));
            }
            ProgramKind::PerfEvent => perf_events(program, cpu, &mut links)?,
            ProgramKind::Uprobe => uprobes::attach(program, &mut links)?,
            ProgramKind::Run => {}
        }
    }
    for event in &links.events {
        sys::perf::enable(event.as_fd())?;
    }
    counting(&links.events)?;
    Ok(links)
}

/// Counters are pinned: one that finds no free place in the hardware stops instead of taking turns, which would make its
/// probe fire less often than its name says.
fn counting(events: &[OwnedFd]) -> Result<(), LoadError> {
    for event in events {
        if !sys::perf::is_counting(event.as_fd())? {
            return Err(LoadError::Unsupported {
                missing: "a free performance counter",
                detail: "fewer counters than cpc probes, or others use them".to_owned(),
            });
        }
    }
    Ok(())
}

fn raw_tracepoint(program: &Program) -> Result<OwnedFd, LoadError> {
    let (name, _) = tracepoint(&program.site)?;
    sys::bpf::raw_tracepoint_open(Some(&name), program.fd.as_fd()).map_err(|e| match e.errno {
        errno::ENOENT => LoadError::NoTracepoint(name),
        _ => LoadError::from_call(e),
    })
}

fn trampoline(program: &Program) -> Result<OwnedFd, LoadError> {
    let (name, _) = function(&program.site)?;
    sys::bpf::raw_tracepoint_open(None, program.fd.as_fd())
        .map_err(|e| LoadError::Function(name.to_owned(), sys::error::text(e.errno)))
}

fn perf_events(program: &Program, only: Option<u32>, links: &mut Links) -> Result<(), LoadError> {
    let cpus = sys::proc::online_cpus();
    for cpu in cpus.into_iter().filter(|c| only.is_none_or(|o| o == *c)) {
        let event = perf_event(&program.site, cpu)?;
        match sys::bpf::link_perf_event(program.fd.as_fd(), event.as_fd(), 0) {
            Ok(link) => links.links.push(link),
            // Kernels before 5.15 know no perf-event links.
            Err(_) => sys::perf::set_bpf(event.as_fd(), program.fd.as_fd())
                .map_err(LoadError::from_call)?,
        }
        links.events.push(event);
    }
    Ok(())
}

/// The event of a site on one CPU, stopped.
fn perf_event(site: &Site, cpu: u32) -> Result<OwnedFd, LoadError> {
    match site {
        Site::Profile { period_ns } => sys::perf::cpu_clock(cpu, *period_ns)
            .map_err(|e| no_event(e, "perf events on a CPU clock")),
        Site::Counter(counter) => sys::perf::sampling(&sampling(counter), cpu)
            .map_err(|e| no_event(e, "this performance counter on every CPU")),
        Site::Begin
        | Site::End
        | Site::Error
        | Site::Tick { .. }
        | Site::SyscallEntry
        | Site::SyscallReturn
        | Site::Tracepoint { .. }
        | Site::KernelFunction { .. }
        | Site::KernelProbe { .. }
        | Site::User
        | Site::UserPlace { .. }
        | Site::KernelFunctions { .. } => Err(bad_image(format!("{site:?} is no perf event"))),
    }
}

/// A counter as the kernel wants to have it.
fn sampling(counter: &Counter) -> Attr {
    Attr::sampling(
        counter.kind,
        [counter.config, counter.config1, counter.config2],
        counter.period,
    )
    .only(counter.user, counter.kernel)
}

fn no_event(e: SysError, missing: &'static str) -> LoadError {
    match e.errno {
        errno::ENOENT | errno::ENOTSUP => LoadError::Unsupported {
            missing,
            detail: e.to_string(),
        },
        _ => LoadError::from_call(e),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sys::simulated::Pmu;

    /// Starts counters of different events on every CPU, as probes have them; why they cannot be had.
    fn start(number: u64, pmu: &Pmu) -> Option<String> {
        let open = |config| {
            let counter = Counter {
                kind: 0,
                config,
                config1: 0,
                config2: 0,
                user: true,
                kernel: true,
                period: 100_000,
            };
            let cpus = [0, 1, 2].into_iter();
            cpus.map(move |cpu| perf_event(&Site::Counter(counter), cpu))
        };
        let events = (0..number).flat_map(open).collect::<Result<Vec<_>, _>>();
        let started = events.and_then(|events| {
            for event in &events {
                sys::perf::enable(event.as_fd())?;
            }
            pmu.advance(1_000_000);
            counting(&events)
        });
        started.err().map(|e| e.to_string())
    }

    #[test]
    fn counters_are_had_at_once_or_refused() {
        let pmu = Pmu::new(2);
        pmu.run(|| {
            assert_eq!(start(2, &pmu), None);
            assert_eq!(
                start(3, &pmu).as_deref(),
                Some(
                    "this kernel lacks a free performance counter: fewer counters than cpc probes, or others use them"
                )
            );
            assert!(pmu.open().is_empty(), "all are closed");
        });
        let none = Pmu::none();
        let why = none.run(|| start(1, &none)).unwrap_or_default();
        assert!(
            why.starts_with("this kernel lacks this performance counter on every CPU: "),
            "{why}"
        );
        // A CPU that went offline meanwhile.
        let gone = Pmu::new(2).refusing(|asked| (asked.cpu == 1).then_some(errno::ENODEV));
        let why = gone.run(|| start(1, &gone)).unwrap_or_default();
        assert!(why.contains("a counter on CPU 1"), "{why}");
        assert!(gone.open().is_empty());
    }
}

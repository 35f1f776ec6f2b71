//! Loads an image: maps, programs, links; owns all of it.

use std::collections::HashSet;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::atomic::{AtomicUsize, Ordering};

use btf::BtfLoader;
use image::{
    Attachment, Image, LineInfo, MapRole, Part, ProgramDef, ProgramKind, Reloc, Site, layout,
};
use sys::bpf::{
    ATTACH_KPROBE_MULTI, ATTACH_TRACE_FENTRY, ATTACH_TRACE_FEXIT, ATTACH_TRACE_RAW_TP,
    ATTACH_UPROBE_MULTI, Map, ProgBtf, ProgSpec, prog_load, prog_type,
};
use sys::mem::Mapping;

use crate::attach::{self, Links, Targets};
use crate::error::{LoadError, Refusal, bad_image};
use crate::features::features;
use crate::kept::Kept;
use crate::kprobes::{self, Place};
use crate::late::Late;
use crate::maps::{self, LoadedMap, MapOptions};
use crate::rings::Merger;
use crate::spec::Speculations;
use crate::tick::Ticks;
use crate::types::Files;
use crate::uprobes::RefusedPoint;
use crate::wait::Waiter;

/// First and largest size of the buffer for the verifier's log.
const LOG_SIZES: [usize; 3] = [1 << 18, 1 << 21, 1 << 24];
/// `BPF_LOG_STATS`: of the log only what is not about single instructions.
const LOG_STATS: u32 = 4;
/// `BPF_PSEUDO_MAP_FD` and `BPF_PSEUDO_MAP_VALUE`, as source registers of `ld_imm64`.
const PSEUDO_MAP_FD: u8 = 1;
const PSEUDO_MAP_VALUE: u8 = 2;
/// What the verifier says about aggregations made on demand where it wants them preallocated.
const WANTS_PREALLOCATION: &str = "preallocated";

/// How to load an image.
#[derive(Clone, Copy, Debug)]
pub struct LoadOptions {
    /// Process id of the target, 0 if none.
    pub target: u32,
    /// Make aggregation entries on demand if the kernel can; otherwise always preallocate them.
    pub lazy_aggregations: bool,
    /// Let the tick thread run with real-time priority if allowed.
    pub realtime_ticks: bool,
    /// The only CPU that is traced.
    pub cpu: Option<u32>,
}

impl Default for LoadOptions {
    fn default() -> LoadOptions {
        LoadOptions {
            target: 0,
            lazy_aggregations: true,
            realtime_ticks: true,
            cpu: None,
        }
    }
}

/// A loaded program.
#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) fd: OwnedFd,
    pub(crate) site: Site,
    pub(crate) kind: ProgramKind,
    /// The site fires it; else another program jumps to it.
    pub(crate) fires: bool,
    /// Where it is attached, if that is to many kernel functions.
    pub(crate) places: Vec<Place>,
    pub(crate) attachments: Vec<Attachment>,
}

/// An image in the kernel. Dropping it detaches and frees everything; so does the death of the process.
#[derive(Debug)]
pub struct Loaded {
    // Order matters: links go before the programs, programs before the maps.
    pub(crate) ticks: Option<Ticks>,
    pub(crate) links: Links,
    pub(crate) programs: Vec<Program>,
    pub(crate) rings: Merger,
    pub(crate) speculations: Option<Speculations>,
    pub(crate) kept: Option<Kept>,
    pub(crate) waiter: Waiter,
    pub(crate) maps: Vec<LoadedMap>,
    pub(crate) control: Option<usize>,
    globals: Option<usize>,
    pub(crate) drops: crate::drops::Counters,
    pub(crate) aggs: Vec<image::AggDesc>,
    /// User-space points that programs are attached to, with the probe's index.
    pub(crate) attached: HashSet<(u32, image::UserPoint)>,
    pub(crate) late: Vec<Late>,
    pub(crate) cpus: u32,
    options: LoadOptions,
}

impl Loaded {
    /// Makes the maps and loads the programs; nothing is attached yet and the gate is closed.
    pub fn load(image: &Image, options: &LoadOptions) -> Result<Loaded, LoadError> {
        Loaded::load_with(image, options, &Files::default())
    }

    /// As [`Loaded::load`], with the kernel's type data that the caller has open.
    pub fn load_with(
        image: &Image,
        options: &LoadOptions,
        types: &dyn BtfLoader,
    ) -> Result<Loaded, LoadError> {
        sys::proc::raise_memlock();
        let cpus = sys::proc::possible_cpus();
        sys::proc::make_room_for_files(descriptors(image, cpus));
        let mut map_options = MapOptions {
            cpus,
            lazy_aggregations: options.lazy_aggregations,
        };
        let check = crate::functions::Check::begin(image);
        let targets = Targets::find(image, types)?;
        let (maps, programs) = match load_all(image, map_options, &targets) {
            Err(LoadError::Refused(refusal))
                if map_options.lazy_aggregations && refusal.log.contains(WANTS_PREALLOCATION) =>
            {
                map_options.lazy_aggregations = false;
                load_all(image, map_options, &targets)?
            }
            other => other?,
        };
        check.end()?;
        let role = |wanted: MapRole| image.maps.iter().position(|m| m.role == wanted);
        let rings = Merger::new(image, &maps)?;
        let waiter = Waiter::new(rings.events_fd(&maps)).map_err(LoadError::Sys)?;
        let loaded = Loaded {
            ticks: None,
            links: Links::default(),
            programs,
            rings,
            speculations: Speculations::new(image),
            kept: Kept::new(image),
            waiter,
            control: role(MapRole::Control),
            globals: role(MapRole::Globals),
            drops: crate::drops::Counters::new(role(MapRole::Drops), cpus),
            aggs: image.aggs.clone(),
            attached: HashSet::new(),
            late: Vec::new(),
            maps,
            cpus,
            options: *options,
        };
        loaded.set_control(layout::control::WALL_OFFSET, sys::time::wall_offset_ns());
        loaded.set_control(layout::control::TARGET, u64::from(options.target));
        Ok(loaded)
    }

    /// Attaches every program that has a place in the kernel. The gate stays as it is.
    pub fn attach(&mut self) -> Result<(), LoadError> {
        self.links = attach::attach_all(&self.programs, self.options.cpu)?;
        let points = self.programs.iter().flat_map(|p| &p.attachments);
        self.attached = points.map(|a| (a.probe, a.point.clone())).collect();
        Ok(())
    }

    /// Points that the kernel did not let be probed; told once.
    pub fn refused_points(&mut self) -> Vec<RefusedPoint> {
        std::mem::take(&mut self.links.refused)
    }

    /// Detaches everything that [`Loaded::attach`] attached, and stops the ticks. No program runs any more when this
    /// returns: what they recorded is there to be drained.
    pub fn detach(&mut self) {
        self.stop_ticks();
        if self.links.close() {
            // Closing a link does not wait for programs that are running.
            sys::proc::visit_cpus(sys::proc::online_cpus());
        }
    }

    /// Runs program `index` (of the image) once on `cpu`, the only one traced, or this one, with these context words. Returns its result.
    pub fn run(&self, index: usize, context: &[u64], cpu: Option<u32>) -> Result<u32, LoadError> {
        let program = self
            .programs
            .get(index)
            .ok_or_else(|| bad_image(format!("no program {index}")))?;
        Ok(sys::bpf::prog_run(
            program.fd.as_fd(),
            context,
            cpu.or(self.options.cpu),
        )?)
    }

    /// Starts the clocks of the tick programs; the first firing of each comes one period from now.
    pub fn start_ticks(&mut self) -> Result<(), LoadError> {
        if self.ticks.is_none() {
            self.ticks = Ticks::start(&self.programs, &self.options)?;
        }
        Ok(())
    }

    /// Stops the tick programs; none runs any more when this returns.
    pub fn stop_ticks(&mut self) {
        self.ticks = None;
    }

    fn control_map(&self) -> Option<&Mapping> {
        self.maps.get(self.control?)?.memory.as_ref()
    }

    fn set_control(&self, offset: u32, value: u64) {
        if let Some(memory) = self.control_map() {
            memory.store_u64(offset as usize, value);
        }
    }

    fn get_control(&self, offset: u32) -> u64 {
        self.control_map()
            .and_then(|m| m.load_u64_acquire(offset as usize))
            .unwrap_or(0)
    }

    /// Lets every probe fire from now on.
    pub fn open(&self) {
        self.set_control(layout::control::GATE, layout::control::GATE_OPEN);
    }

    /// Lets no probe fire any more.
    pub fn close(&self) {
        self.set_control(layout::control::GATE, layout::control::GATE_CLOSED);
    }

    /// State of the gate: one of `layout::control::GATE_*`.
    pub fn gate(&self) -> u64 {
        self.get_control(layout::control::GATE)
    }

    /// Whether a program called `exit()`.
    pub fn exiting(&self) -> bool {
        self.gate() == layout::control::GATE_EXITING
    }

    /// Status given to the last `exit()`.
    pub fn exit_status(&self) -> i32 {
        self.get_control(layout::control::EXIT_STATUS) as i32
    }

    /// CPU on which `exit()` was called last.
    pub fn exit_cpu(&self) -> u32 {
        self.get_control(layout::control::EXIT_CPU) as u32
    }

    /// Word at a byte offset of the global variables.
    pub fn global_u64(&self, offset: usize) -> Option<u64> {
        self.maps
            .get(self.globals?)?
            .memory
            .as_ref()?
            .load_u64(offset)
    }

    /// Number of possible CPUs, for which there are rings, counters and values.
    pub fn cpus(&self) -> u32 {
        self.cpus
    }

    /// Sizes and counters of the programs, in the order of the image.
    pub fn program_info(&self) -> Result<Vec<sys::bpf::ProgInfo>, LoadError> {
        Ok(self
            .programs
            .iter()
            .map(|p| sys::bpf::prog_info(p.fd.as_fd()))
            .collect::<Result<_, _>>()?)
    }
}

impl Drop for Loaded {
    fn drop(&mut self) {
        self.detach();
    }
}

/// Descriptors that an image needs at most, with some for the rest of the process.
fn descriptors(image: &Image, cpus: u32) -> u64 {
    let cpus = u64::from(cpus);
    let program = |kind| match kind {
        ProgramKind::PerfEvent => 1 + 2 * cpus,
        ProgramKind::TpBtf
        | ProgramKind::Fentry
        | ProgramKind::Fexit
        | ProgramKind::RawTp
        | ProgramKind::Run
        | ProgramKind::Uprobe => 3,
        // Without links of many functions: an event and a link for each.
        ProgramKind::Kprobe => 1 + 2 * image.probes.len() as u64,
    };
    // One by one, if need be: an event and a link each.
    let points: usize = image.programs.iter().map(|p| p.attachments.len()).sum();
    let programs: u64 = image.programs.iter().map(|p| program(p.kind)).sum();
    let programs = programs + 2 * points as u64;
    128 + programs + image.maps.len() as u64 * 2 + cpus
}

type Parts = (Vec<LoadedMap>, Vec<Program>);

fn load_all(image: &Image, options: MapOptions, targets: &Targets) -> Result<Parts, LoadError> {
    let maps = maps::create_all(image, options)?;
    let programs = load_programs(image, &maps, targets)?;
    for (def, program) in image.programs.iter().zip(&programs) {
        if let Some(part) = def.part {
            place_part(part, program, &maps)?;
        }
    }
    Ok((maps, programs))
}

/// Instructions that one thread has the kernel check faster than two that must be started.
const FEW: usize = 1000;
/// Threads that load programs, at most.
const LOADERS: usize = 8;

/// Loads all programs: the kernel checks each in the thread that loads it, so long ones are loaded side by side.
fn load_programs(
    image: &Image,
    maps: &[LoadedMap],
    targets: &Targets,
) -> Result<Vec<Program>, LoadError> {
    let defs = &image.programs;
    let encoded = defs.iter().map(|def| encode(def, maps));
    let encoded = encoded.collect::<Result<Vec<_>, _>>()?;
    let one = |index: usize| {
        let def = defs.get(index)?;
        let code = encoded.get(index)?;
        Some(load_encoded(index, def, image, code, targets))
    };
    let all: usize = defs.iter().map(|def| def.insns.len()).sum();
    let longest = defs.iter().map(|def| def.insns.len()).max().unwrap_or(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = threads.min(LOADERS).min(1 + (all - longest) / FEW);
    // The longest first, so that none is left alone with it in the end.
    let mut order: Vec<usize> = (0..defs.len()).collect();
    order.sort_by_key(|n| std::cmp::Reverse(defs.get(*n).map(|def| def.insns.len())));
    let next = AtomicUsize::new(0);
    let work = || {
        let take = || order.get(next.fetch_add(1, Ordering::Relaxed)).copied();
        let mut done = Vec::new();
        while let Some(index) = take() {
            let loaded = one(index);
            let failed = !matches!(loaded, Some(Ok(_)));
            done.extend(loaded.map(|loaded| (index, loaded)));
            if failed {
                next.store(order.len(), Ordering::Relaxed);
            }
        }
        done
    };
    let mut done = std::thread::scope(|scope| {
        let start = |_| std::thread::Builder::new().spawn_scoped(scope, work).ok();
        let others: Vec<_> = (1..threads).filter_map(start).collect();
        let mut done = work();
        for other in others {
            match other.join() {
                Ok(more) => done.extend(more),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        done
    });
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, loaded)| loaded).collect()
}

/// Puts a later part of a program where the part before it jumps to.
pub(crate) fn place_part(
    part: Part,
    program: &Program,
    maps: &[LoadedMap],
) -> Result<(), LoadError> {
    let parts = maps
        .get(part.map as usize)
        .ok_or_else(|| bad_image(format!("no map {} of parts", part.map)))?;
    Ok(parts.map.update_program(part.index, program.fd.as_fd())?)
}

pub(crate) fn load_program(
    index: usize,
    def: &ProgramDef,
    image: &Image,
    maps: &[LoadedMap],
    targets: &Targets,
) -> Result<Program, LoadError> {
    load_encoded(index, def, image, &encode(def, maps)?, targets)
}

fn load_encoded(
    index: usize,
    def: &ProgramDef,
    image: &Image,
    code: &[u8],
    targets: &Targets,
) -> Result<Program, LoadError> {
    let kind = match def.kind {
        ProgramKind::TpBtf | ProgramKind::Fentry | ProgramKind::Fexit => prog_type::TRACING,
        ProgramKind::Kprobe => prog_type::KPROBE,
        ProgramKind::RawTp | ProgramKind::Run => prog_type::RAW_TRACEPOINT,
        ProgramKind::PerfEvent => prog_type::PERF_EVENT,
        ProgramKind::Uprobe => prog_type::KPROBE,
    };
    let mut spec = ProgSpec {
        kind,
        name: &def.name,
        insns: code,
        ..ProgSpec::default()
    };
    spec.attach_type = attach_type(def.kind);
    if def.kind.is_typed() {
        let target = targets
            .get(index)
            .ok_or_else(|| bad_image("typed program without a target"))?;
        spec.attach_btf_id = target.id;
        spec.attach_btf = target.module.as_ref().map(AsFd::as_fd);
    }
    let (types, functions) = match def.functions.is_empty() {
        true => (None, Vec::new()),
        false => {
            let (blob, functions) = crate::types::functions(&def.functions);
            (Some(sys::bpf::btf_load(&blob)?), functions)
        }
    };
    spec.btf = types.as_ref().map(|fd| ProgBtf {
        fd: fd.as_fd(),
        func_info: &functions,
        line_info: &[],
    });
    match prog_load(&spec, None) {
        Ok(fd) => Ok(Program {
            fd,
            site: def.site.clone(),
            kind: def.kind,
            fires: def.fires(),
            places: kprobes::places(image, &def.site),
            attachments: def.attachments.clone(),
        }),
        Err(e) => Err(refusal(index, def, &spec, e)),
    }
}

/// `expected_attach_type` of a kind of program.
fn attach_type(kind: ProgramKind) -> u32 {
    match kind {
        ProgramKind::TpBtf => ATTACH_TRACE_RAW_TP,
        ProgramKind::Fentry => ATTACH_TRACE_FENTRY,
        ProgramKind::Fexit => ATTACH_TRACE_FEXIT,
        ProgramKind::Kprobe if features().function_links() => ATTACH_KPROBE_MULTI,
        ProgramKind::Uprobe if features().uprobe_multi() => ATTACH_UPROBE_MULTI,
        ProgramKind::Kprobe
        | ProgramKind::Uprobe
        | ProgramKind::RawTp
        | ProgramKind::PerfEvent
        | ProgramKind::Run => 0,
    }
}

/// Loads once more with the log on, to learn why a program was refused.
fn refusal(index: usize, def: &ProgramDef, spec: &ProgSpec<'_>, error: sys::SysError) -> LoadError {
    if error.is_privilege() && !sys::proc::may_trace() {
        return LoadError::Privilege;
    }
    // What is too much for the verifier has a log of a million instructions, of which the last line is of interest.
    let level = if error.errno == sys::errno::E2BIG {
        LOG_STATS
    } else {
        1
    };
    for size in LOG_SIZES {
        let mut buffer = vec![0; size];
        let again = prog_load(spec, Some((level, &mut buffer)));
        if again.as_ref().is_err_and(|e| e.errno == sys::errno::ENOSPC)
            && size != LOG_SIZES[LOG_SIZES.len() - 1]
        {
            continue;
        }
        let end = buffer.iter().position(|b| *b == 0).unwrap_or(buffer.len());
        let log = String::from_utf8_lossy(buffer.get(..end).unwrap_or_default()).into_owned();
        if !log.trim().is_empty() {
            return LoadError::Refused(Box::new(describe(index, def, log)));
        }
        break;
    }
    LoadError::from_call(error)
}

fn describe(index: usize, def: &ProgramDef, log: String) -> Refusal {
    let insn = failing_insn(&log);
    let place = insn.and_then(|insn| place(&def.lines, insn));
    Refusal {
        program: def.name.clone(),
        index,
        insn,
        clause: place.map(|p| p.clause),
        line: place.map_or(0, |p| p.line),
        col: place.map_or(0, |p| p.col),
        reason: reason(&log),
        log,
    }
}

/// The last instruction that the verifier's log shows (`12: (85) call …`).
fn failing_insn(log: &str) -> Option<u32> {
    log.lines().rev().find_map(|line| {
        let (number, rest) = line.split_once(": ")?;
        rest.starts_with('(').then(|| number.trim().parse().ok())?
    })
}

/// The last line of the log that is not a statistic.
fn reason(log: &str) -> String {
    let statistic = |line: &str| {
        [
            "processed ",
            "verification time",
            "stack depth",
            "insn_",
            "max_states",
            "mark_precise",
        ]
        .iter()
        .any(|s| line.starts_with(s))
    };
    let mut lines = log.lines().map(str::trim).filter(|line| !line.is_empty());
    lines
        .rfind(|line| !statistic(line))
        .unwrap_or("no reason given")
        .to_string()
}

/// Source position of an instruction.
fn place(lines: &[LineInfo], insn: u32) -> Option<LineInfo> {
    let next = lines.partition_point(|line| line.insn <= insn);
    lines.get(next.checked_sub(1)?).copied()
}

/// The instructions as bytes, with the maps' descriptors filled in.
fn encode(def: &ProgramDef, maps: &[LoadedMap]) -> Result<Vec<u8>, LoadError> {
    let mut insns = def.insns.clone();
    for reloc in &def.relocs {
        patch(&mut insns, reloc, maps).ok_or_else(|| {
            bad_image(format!(
                "program {}: relocation at {}",
                def.name, reloc.insn
            ))
        })?;
    }
    Ok(bytes(&insns))
}

/// Instructions as the kernel takes them.
pub(crate) fn bytes(insns: &[bpf::Insn]) -> Vec<u8> {
    let mut code = Vec::with_capacity(insns.len() * 8);
    for insn in insns {
        code.extend([insn.code, insn.regs]);
        code.extend(insn.off.to_ne_bytes());
        code.extend(insn.imm.to_ne_bytes());
    }
    code
}

fn patch(insns: &mut [bpf::Insn], reloc: &Reloc, maps: &[LoadedMap]) -> Option<()> {
    let map: &Map = &maps.get(reloc.map as usize)?.map;
    patch_map(insns, reloc.insn, reloc.value_off, map)
}

/// Fills in a map, or the address of a byte of its value.
pub(crate) fn patch_map(
    insns: &mut [bpf::Insn],
    insn: u32,
    value_off: Option<u32>,
    map: &Map,
) -> Option<()> {
    use std::os::fd::AsRawFd;
    let fd: BorrowedFd<'_> = map.fd();
    let at = insn as usize;
    let [first, second] = insns.get_mut(at..at.checked_add(2)?)? else {
        return None;
    };
    let (source, offset) = match value_off {
        None => (PSEUDO_MAP_FD, 0),
        Some(offset) => (PSEUDO_MAP_VALUE, offset),
    };
    first.regs = (first.regs & 0x0f) | source << 4;
    first.imm = fd.as_raw_fd();
    second.imm = offset as i32;
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = "0: R1=ctx() R10=fp0\n0: (b7) r0 = 0  ; R0_w=0\n1: (61) r2 = *(u32 *)(r0 +0)\n\
                       R0 invalid mem access 'scalar'\nprocessed 2 insns (limit 1000000) max_states_per_insn 0\n";

    #[test]
    fn the_log_names_instruction_and_reason() {
        assert_eq!(failing_insn(LOG), Some(1));
        assert_eq!(reason(LOG), "R0 invalid mem access 'scalar'");
        assert_eq!(failing_insn("no instruction"), None);
        assert_eq!(reason(""), "no reason given");
    }

    #[test]
    fn an_instruction_belongs_to_the_line_before_it() {
        let at = |insn, line| LineInfo {
            insn,
            clause: 0,
            line,
            col: 1,
        };
        let lines = [at(2, 10), at(5, 11)];
        assert_eq!(place(&lines, 1), None);
        assert_eq!(place(&lines, 4).map(|l| l.line), Some(10));
        assert_eq!(place(&lines, 5).map(|l| l.line), Some(11));
    }
}

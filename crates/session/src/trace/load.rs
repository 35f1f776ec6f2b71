//! Bringing an image into the kernel, with smaller buffers if memory is short (`bufresize=auto`).

use super::{TraceError, load_options};
use crate::Front;
use crate::opts::Options;
use btf::BtfLoader;
use image::{Image, MapDef, MapKind, MapRole, Policy, Site};
use kernel::{LoadError, Loaded, Refusal};
use lang::options::Opt;
use sema::hir::{Limits, Program};

/// `ENOMEM` and `E2BIG`.
const TOO_LARGE: [i32; 2] = [12, 7];
/// Bytes below which no buffer is made smaller.
const SMALLEST: u64 = 4096;
/// Of the memory that is available, buffers may take one part in so many: what traces a machine must not starve it.
const SHARE: u64 = 4;
/// What the verifier says of programs that are right but too much for it.
const TOO_COMPLEX: [&str; 2] = ["too complex", "too large"];
/// The helper that kernels under lockdown refuse.
const WRITE_USER: &str = "probe_write_user";

/// What may be made smaller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Ring,
    Aggregation,
    Speculation,
    Dynamic,
}

impl Kind {
    const ALL: [Kind; 4] = [
        Kind::Ring,
        Kind::Aggregation,
        Kind::Speculation,
        Kind::Dynamic,
    ];

    fn of(role: MapRole) -> Option<Kind> {
        match role {
            MapRole::Rings | MapRole::Ring(_) | MapRole::Kept => Some(Kind::Ring),
            MapRole::Agg(_) => Some(Kind::Aggregation),
            MapRole::Assoc(_) => Some(Kind::Dynamic),
            MapRole::SpecBuffers => Some(Kind::Speculation),
            MapRole::Control
            | MapRole::Drops
            | MapRole::Globals
            | MapRole::Rodata
            | MapRole::Scratch
            | MapRole::Events
            | MapRole::SpecStates
            | MapRole::Slots
            | MapRole::Parts
            | MapRole::Sighted
            | MapRole::UnwindFiles
            | MapRole::UnwindPool
            | MapRole::Thread => None,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Kind::Ring => "buffer size",
            Kind::Aggregation => "aggregation size",
            Kind::Speculation => "speculation size",
            Kind::Dynamic => "dynamic variable size",
        }
    }

    fn limit(self, limits: &mut Limits) -> &mut u64 {
        match self {
            Kind::Ring => &mut limits.bufsize,
            Kind::Aggregation => &mut limits.aggsize,
            Kind::Speculation => &mut limits.specsize,
            Kind::Dynamic => &mut limits.dynvarsize,
        }
    }

    /// Bytes that an image's maps of this kind take.
    fn bytes(self, image: &Image, cpus: u64) -> u64 {
        let of_kind = image.maps.iter().filter(|m| Kind::of(m.role) == Some(self));
        of_kind.map(|m| bytes(m, cpus)).sum()
    }
}

/// Bytes of a map, about.
fn bytes(m: &MapDef, cpus: u64) -> u64 {
    let (entries, key, value) = (
        u64::from(m.max_entries),
        u64::from(m.key_size),
        u64::from(m.value_size),
    );
    match m.kind {
        MapKind::Ringbuf => entries,
        MapKind::RingbufArray => entries * cpus,
        MapKind::PercpuHash => entries * (key + value * cpus),
        MapKind::Array | MapKind::Hash => entries * (key + value),
        MapKind::TaskStorage | MapKind::Programs | MapKind::Chunks => 0,
    }
}

/// Code for a program, as its limits and the budget say.
pub type Generate<'a> = dyn Fn(&Program, &codegen::Budget) -> Result<Image, String> + 'a;

/// What is to be loaded.
pub struct Source<'a> {
    /// The typed program; its limits are lowered if need be.
    pub program: Program,
    /// Its code.
    pub image: Image,
    /// Makes that.
    pub generate: &'a Generate<'a>,
}

/// Loads an image. Gives it back as it was loaded, maybe with smaller maps and programs.
pub fn load(
    source: Source<'_>,
    types: &dyn BtfLoader,
    target: u32,
    options: &Options,
    front: &mut dyn Front,
) -> Result<(Image, Loaded), TraceError> {
    let Source {
        mut program,
        mut image,
        generate,
    } = source;
    let old = kernel::features::features().refuse_old();
    old.map_err(|e| failed(&e, options))?;
    check(&image, program.limits.bufsize)?;
    let original = program.limits;
    let manual = options.text(Opt::Bufresize).as_deref() == Some("manual");
    let room = sys::proc::available_memory().map(|n| n / SHARE);
    let cpus = u64::from(sys::proc::possible_cpus());
    let mut budget = crate::compile::budget(options);
    loop {
        let needed: u64 = image.maps.iter().map(|m| bytes(m, cpus)).sum();
        let failure = match room.filter(|room| *room < needed) {
            Some(_) => TraceError::Enable("Memory allocation failure".into()),
            None => match Loaded::load_with(&image, &load_options(target, options), types) {
                Ok(loaded) => {
                    if !options.flag(Opt::Quietresize) {
                        report(&original, program.limits, front);
                    }
                    return Ok((image, loaded));
                }
                Err(LoadError::Refused(refusal)) if too_complex(&refusal) => {
                    let before = image.programs.len();
                    if let Some(()) = smaller(&image, &refusal, &mut budget) {
                        image = generate(&program, &budget).map_err(TraceError::Enable)?;
                        if image.programs.len() > before {
                            continue;
                        }
                    }
                    return Err(failed(&LoadError::Refused(refusal), options));
                }
                Err(e) => {
                    let failure = failed(&e, options);
                    let short = matches!(&e, LoadError::Sys(e) if TOO_LARGE.contains(&e.errno));
                    if !short {
                        return Err(failure);
                    }
                    failure
                }
            },
        };
        if manual || !shrink(&image, cpus, &mut program.limits) {
            return Err(failure);
        }
        image = generate(&program, &budget).map_err(TraceError::Enable)?;
        if check(&image, program.limits.bufsize).is_err() {
            return Err(failure);
        }
    }
}

/// The program is right, but more than the verifier will look at.
fn too_complex(refusal: &Refusal) -> bool {
    TOO_COMPLEX.iter().any(|t| refusal.reason.contains(t))
}

/// Asks for half of the refused program at most, if it can be split at all.
fn smaller(image: &Image, refusal: &Refusal, budget: &mut codegen::Budget) -> Option<()> {
    let program = image.programs.get(refusal.index)?;
    let half = program.cost.min(budget.of(&program.site)) / 2;
    if !program.divisible || half == 0 {
        return None;
    }
    budget.sites.insert(program.site.clone(), half);
    Some(())
}

/// Every record must fit its buffer; under `fill`, those of END together.
fn check(image: &Image, bufsize: u64) -> Result<(), TraceError> {
    let refuse = |why: &str| Err(TraceError::Enable(why.into()));
    let records = || image.clauses.iter().filter(|c| c.records);
    let is_end = |probe: &u32| {
        image
            .probes
            .get(*probe as usize)
            .is_some_and(|p| p.site == Site::End)
    };
    let at_end: u64 = records()
        .filter(|c| c.probes.iter().any(is_end))
        .map(|c| c.record_bytes(image.strsize))
        .sum();
    if image.policy == Policy::Fill && at_end > bufsize {
        return refuse("END enablings exceed size of principal buffer");
    }
    let largest = records().map(|c| c.record_bytes(image.strsize)).max();
    if largest.unwrap_or(0) > bufsize {
        return refuse("Enabling exceeds size of buffer");
    }
    Ok(())
}

/// Halves the limit of what takes most memory; false if all are as small as can be.
fn shrink(image: &Image, cpus: u64, limits: &mut Limits) -> bool {
    let mut kinds = Kind::ALL.to_vec();
    kinds.retain(|k| *k.limit(limits) >= 2 * SMALLEST && k.bytes(image, cpus) > 0);
    let Some(largest) = kinds.into_iter().max_by_key(|k| k.bytes(image, cpus)) else {
        return false;
    };
    *largest.limit(limits) /= 2;
    true
}

/// Says what was lowered.
fn report(original: &Limits, mut now: Limits, front: &mut dyn Front) {
    let mut original = *original;
    for kind in Kind::ALL {
        let (was, is) = (*kind.limit(&mut original), *kind.limit(&mut now));
        if is < was {
            front.message(&format!("{} lowered to {}", kind.name(), size(is)));
        }
    }
}

fn size(bytes: u64) -> String {
    match bytes {
        b if b >= 1 << 20 && b % (1 << 20) == 0 => format!("{}m", b >> 20),
        b if b >= 1 << 10 && b % (1 << 10) == 0 => format!("{}k", b >> 10),
        b => format!("{b} bytes"),
    }
}

/// The message for a program that could not be loaded or attached.
pub fn failed(e: &LoadError, options: &Options) -> TraceError {
    let text = match e {
        LoadError::Refused(refusal) if too_complex(refusal) => format!(
            "one statement, or the clauses of one probe, are more than this kernel's verifier will check ({}, at line \
             {}): make several statements of it, or enable fewer clauses on the probe",
            refusal.reason, refusal.line
        ),
        LoadError::Refused(refusal) if refusal.reason.contains(WRITE_USER) => {
            "this kernel does not let tracing programs write to user memory (it is locked down, or CAP_SYS_ADMIN is \
             missing): copyout( ) and copyoutstr( ) cannot be had"
                .to_owned()
        }
        LoadError::Refused(refusal) if options.flag(Opt::Bpflog) => format!("{e}\n{}", refusal.log),
        LoadError::Refused(_) => format!("{e} (this is a bug; -xbpflog shows the kernel's log)"),
        LoadError::Sys(e) => e.to_string(),
        LoadError::Privilege
        | LoadError::Unsupported { .. }
        | LoadError::NoTracepoint(_)
        | LoadError::Function(..)
        | LoadError::Image(_) => e.to_string(),
    };
    TraceError::Enable(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::ClauseDesc;

    fn map(role: MapRole, kind: MapKind, max_entries: u32) -> MapDef {
        MapDef {
            name: "m".into(),
            role,
            kind,
            key_size: 8,
            value_size: 8,
            max_entries,
            mmap: false,
            init: Vec::new(),
        }
    }

    struct Lines(Vec<String>);
    impl Front for Lines {
        fn message(&mut self, text: &str) {
            self.0.push(text.to_owned());
        }
    }

    #[test]
    fn what_is_largest_shrinks_first_and_all_in_the_end() {
        let image = Image {
            maps: vec![
                map(MapRole::Ring(0), MapKind::Ringbuf, 8 << 20),
                map(MapRole::Agg(0), MapKind::Hash, 1 << 18),
                map(MapRole::SpecBuffers, MapKind::Array, 16),
                map(MapRole::Control, MapKind::Array, 1),
            ],
            ..Image::default()
        };
        let mut limits = Limits::default();
        assert!(shrink(&image, 1, &mut limits));
        assert_eq!((limits.bufsize, limits.aggsize), (2 << 20, 4 << 20));
        while shrink(&image, 1, &mut limits) {}
        let mut lines = Lines(Vec::new());
        report(&Limits::default(), limits, &mut lines);
        assert_eq!(
            lines.0,
            [
                "buffer size lowered to 4k",
                "aggregation size lowered to 4k",
                "speculation size lowered to 4k"
            ]
        );
    }

    #[test]
    fn records_must_fit() {
        let clause = |n| ClauseDesc {
            fixed_size: 100,
            records: true,
            probes: vec![n],
            ..ClauseDesc::default()
        };
        let probe = |site| image::Probe {
            id: 1,
            provider: "".into(),
            module: "".into(),
            function: "".into(),
            name: "".into(),
            site,
            selector: 0,
            points: [].into(),
        };
        let mut image = Image {
            clauses: vec![clause(0), clause(1), clause(1)],
            probes: vec![probe(Site::Begin), probe(Site::End)],
            ..Image::default()
        };
        assert!(check(&image, 116).is_ok());
        let why = |image: &Image, bufsize| check(image, bufsize).err().map(|e| e.to_string());
        let small = "could not enable tracing: Enabling exceeds size of buffer";
        assert_eq!(why(&image, 115).as_deref(), Some(small));
        image.policy = Policy::Fill;
        let end = "could not enable tracing: END enablings exceed size of principal buffer";
        assert_eq!(why(&image, 231).as_deref(), Some(end));
        assert_eq!(why(&image, 232), None);
    }

    #[test]
    fn sizes_are_told_in_the_largest_unit() {
        assert_eq!(
            [100, 128 << 10, 3 << 20].map(size),
            ["100 bytes", "128k", "3m"]
        );
    }
}

//! Bringing an image into the kernel, with smaller buffers if memory is short (`bufresize=auto`).

use super::{TraceError, load_options};
use crate::Front;
use crate::opts::Options;
use btf::BtfLoader;
use image::{Image, MapDef, MapRole};
use kernel::{LoadError, Loaded};
use lang::options::Opt;

/// `ENOMEM` and `E2BIG`.
const TOO_LARGE: [i32; 2] = [12, 7];
/// What the verifier says of programs that are right but too much for it.
const TOO_COMPLEX: [&str; 2] = ["too complex", "too large"];
/// The helper that kernels under lockdown refuse.
const WRITE_USER: &str = "probe_write_user";
/// Rings are not made smaller than a page.
const SMALLEST_RING: u32 = 4096;
/// Aggregations and arrays are not made smaller than this.
const FEWEST_ENTRIES: u32 = 64;

/// What may be made smaller.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Ring,
    Aggregation,
    Dynamic,
}

fn kind(map: &MapDef) -> Option<Kind> {
    match map.role {
        MapRole::Rings | MapRole::Ring(_) => Some(Kind::Ring),
        MapRole::Agg(_) if map.max_entries > 1 => Some(Kind::Aggregation),
        MapRole::Assoc(_) => Some(Kind::Dynamic),
        MapRole::Agg(_)
        | MapRole::Control
        | MapRole::Drops
        | MapRole::Globals
        | MapRole::Rodata
        | MapRole::Scratch
        | MapRole::Events
        | MapRole::SpecStates
        | MapRole::SpecBuffers
        | MapRole::Slots
        | MapRole::Parts
        | MapRole::Sighted
        | MapRole::Thread => None,
    }
}

/// Loads an image. Gives it back as it was loaded, maybe with smaller maps.
pub fn load(
    mut image: Image,
    types: &dyn BtfLoader,
    target: u32,
    options: &Options,
    front: &mut dyn Front,
) -> Result<(Image, Loaded), TraceError> {
    let original: Vec<u32> = image.maps.iter().map(|m| m.max_entries).collect();
    loop {
        match Loaded::load_with(&image, &load_options(target), types) {
            Ok(loaded) => {
                if !options.flag(Opt::Quietresize) {
                    report(&image, &original, options, front);
                }
                return Ok((image, loaded));
            }
            Err(e) => {
                let manual = options.text(Opt::Bufresize).as_deref() == Some("manual");
                let short = matches!(&e, LoadError::Sys(e) if TOO_LARGE.contains(&e.errno));
                if manual || !short || !shrink(&mut image) {
                    return Err(failed(&e, options));
                }
            }
        }
    }
}

/// Halves the largest thing that can be halved; false if there is none.
fn shrink(image: &mut Image) -> bool {
    let bytes = |m: &MapDef| match kind(m) {
        Some(Kind::Ring) if m.max_entries > SMALLEST_RING => u64::from(m.max_entries),
        Some(Kind::Aggregation | Kind::Dynamic) if m.max_entries > FEWEST_ENTRIES => {
            u64::from(m.max_entries) * u64::from(m.key_size + m.value_size)
        }
        Some(Kind::Ring | Kind::Aggregation | Kind::Dynamic) | None => 0,
    };
    let largest = image
        .maps
        .iter()
        .max_by_key(|m| bytes(m))
        .filter(|m| bytes(m) > 0);
    let Some((of, size)) = largest.map(|m| (kind(m), m.max_entries)) else {
        return false;
    };
    // Buffers of all CPUs stay of one size.
    for m in image
        .maps
        .iter_mut()
        .filter(|m| kind(m) == of && m.max_entries == size)
    {
        m.max_entries = (m.max_entries / 2).max(1);
    }
    true
}

/// Says what was lowered.
fn report(image: &Image, original: &[u32], options: &Options, front: &mut dyn Front) {
    let asked = |opt| options.num(opt).unwrap_or(0);
    for (what, of, opt) in [
        ("buffer size", Kind::Ring, Opt::Bufsize),
        ("aggregation size", Kind::Aggregation, Opt::Aggsize),
        ("dynamic variable size", Kind::Dynamic, Opt::Dynvarsize),
    ] {
        let maps = image
            .maps
            .iter()
            .zip(original)
            .filter(|(m, _)| kind(m) == Some(of));
        let worst = maps
            .map(|(m, was)| was / m.max_entries.max(1))
            .max()
            .unwrap_or(1);
        if worst > 1 {
            front.message(&format!(
                "{what} lowered to {}",
                size(asked(opt) / i64::from(worst))
            ));
        }
    }
}

fn size(bytes: i64) -> String {
    match bytes {
        b if b >= 1 << 20 && b % (1 << 20) == 0 => format!("{}m", b >> 20),
        b if b >= 1 << 10 && b % (1 << 10) == 0 => format!("{}k", b >> 10),
        b => format!("{b} bytes"),
    }
}

/// The message for a program that could not be loaded or attached.
pub fn failed(e: &LoadError, options: &Options) -> TraceError {
    let text = match e {
        LoadError::Refused(refusal) if TOO_COMPLEX.iter().any(|t| refusal.reason.contains(t)) => {
            format!(
                "the clauses of one probe are more than this kernel's verifier will check ({}, at line {}); enable fewer \
             clauses on one probe, or run them as separate programs",
                refusal.reason, refusal.line
            )
        }
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
    use image::MapKind;

    fn map(role: MapRole, max_entries: u32) -> MapDef {
        MapDef {
            name: "m".into(),
            role,
            kind: MapKind::Hash,
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
    fn the_largest_map_shrinks_first_and_all_in_the_end() {
        let mut image = Image {
            maps: vec![
                map(MapRole::Rings, 1 << 14),
                map(MapRole::Agg(0), 128),
                map(MapRole::Control, 1),
            ],
            ..Image::default()
        };
        let original: Vec<u32> = image.maps.iter().map(|m| m.max_entries).collect();
        assert!(shrink(&mut image));
        assert_eq!(image.maps.first().map(|m| m.max_entries), Some(1 << 13));
        while shrink(&mut image) {}
        let sizes: Vec<u32> = image.maps.iter().map(|m| m.max_entries).collect();
        assert_eq!(sizes, [SMALLEST_RING, FEWEST_ENTRIES, 1]);
        let mut lines = Lines(Vec::new());
        report(&image, &original, &Options::default(), &mut lines);
        assert_eq!(
            lines.0,
            [
                "buffer size lowered to 1m",
                "aggregation size lowered to 2m"
            ]
        );
    }

    #[test]
    fn sizes_are_told_in_the_largest_unit() {
        assert_eq!(
            [100, 128 << 10, 3 << 20].map(size),
            ["100 bytes", "128k", "3m"]
        );
    }
}

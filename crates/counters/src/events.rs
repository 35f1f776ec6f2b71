//! The names of performance-counter events, as rows.
//!
//! Facts: `include/uapi/linux/perf_event.h` (types, numbers, how a cache event is composed) and the generic events of
//! `generic_events(3CPC)` (the `PAPI_` names). Any `-` of a name may be written `_`, and case does not matter.

/// `PERF_TYPE_HARDWARE`.
pub const HARDWARE: u32 = 0;
/// `PERF_TYPE_SOFTWARE`.
pub const SOFTWARE: u32 = 1;
/// `PERF_TYPE_HW_CACHE`.
pub const CACHE: u32 = 3;
/// `PERF_TYPE_RAW`.
pub const RAW: u32 = 4;

/// What of an event happens in user mode, and what in the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Modes {
    /// The kernel tells the two apart.
    Apart,
    /// It happens in the kernel, whatever made it.
    Kernel,
    /// Nobody tells the two apart: it is a time.
    Whole,
}

/// An event that every kernel names alike.
#[derive(Debug, PartialEq, Eq)]
pub struct Row {
    /// Name.
    pub name: &'static str,
    /// Other names.
    pub aliases: &'static [&'static str],
    /// `PERF_TYPE_*`.
    pub kind: u32,
    /// Number within the type.
    pub config: u64,
    /// The count of the probe that is listed.
    pub usual: u64,
    /// Smaller counts are refused: the event is so frequent that its probe would take the machine.
    pub least: u64,
    /// What of it can be told apart by mode.
    pub modes: Modes,
}

/// Least count of hardware events: what `dcpc-min-overflow` is by default.
pub const LEAST: u64 = 5000;
/// Nanoseconds between two firings of a clock, as for `profile`.
const LEAST_NS: u64 = 200_000;
/// The usual count of cycles and of clocks; of a clock that is a second.
const SECOND: u64 = 1_000_000_000;

const fn hardware(
    name: &'static str,
    aliases: &'static [&'static str],
    config: u64,
    usual: u64,
) -> Row {
    Row {
        name,
        aliases,
        kind: HARDWARE,
        config,
        usual,
        least: LEAST,
        modes: Modes::Apart,
    }
}

const fn software(name: &'static str, config: u64, usual: u64, least: u64, modes: Modes) -> Row {
    Row {
        name,
        aliases: &[],
        kind: SOFTWARE,
        config,
        usual,
        least,
        modes,
    }
}

/// A cache event: `config` is cache | operation << 8 | result << 16.
const fn cache(
    name: &'static str,
    aliases: &'static [&'static str],
    cache: u64,
    operation: u64,
    result: u64,
) -> Row {
    Row {
        name,
        aliases,
        kind: CACHE,
        config: cache | operation << 8 | result << 16,
        usual: 100_000,
        least: LEAST,
        modes: Modes::Apart,
    }
}

const L1D: u64 = 0;
const L1I: u64 = 1;
const LL: u64 = 2;
const DTLB: u64 = 3;
const ITLB: u64 = 4;
const BPU: u64 = 5;
const NODE: u64 = 6;
const READ: u64 = 0;
const WRITE: u64 = 1;
const PREFETCH: u64 = 2;
const ACCESS: u64 = 0;
const MISS: u64 = 1;

/// All of them, in the order in which they are listed.
pub const ROWS: &[Row] = &[
    hardware("cpu-cycles", &["cycles", "PAPI_tot_cyc"], 0, SECOND),
    hardware("instructions", &["PAPI_tot_ins"], 1, SECOND),
    hardware("cache-references", &["PAPI_l3_tca"], 2, 1_000_000),
    hardware("cache-misses", &["PAPI_l3_tcm"], 3, 100_000),
    hardware(
        "branch-instructions",
        &["branches", "PAPI_br_ins"],
        4,
        10_000_000,
    ),
    hardware("branch-misses", &["PAPI_br_msp"], 5, 1_000_000),
    hardware("bus-cycles", &[], 6, 10_000_000),
    hardware(
        "stalled-cycles-frontend",
        &["idle-cycles-frontend", "PAPI_stl_icy"],
        7,
        10_000_000,
    ),
    hardware(
        "stalled-cycles-backend",
        &["idle-cycles-backend", "PAPI_res_stl"],
        8,
        10_000_000,
    ),
    hardware("ref-cycles", &["PAPI_ref_cyc"], 9, SECOND),
    software("cpu-clock", 0, SECOND, LEAST_NS, Modes::Whole),
    software("task-clock", 1, SECOND, LEAST_NS, Modes::Whole),
    software("page-faults", 2, 100, 1, Modes::Apart),
    software("context-switches", 3, 1000, 1, Modes::Kernel),
    software("cpu-migrations", 4, 100, 1, Modes::Kernel),
    software("minor-faults", 5, 100, 1, Modes::Apart),
    software("major-faults", 6, 1, 1, Modes::Apart),
    software("alignment-faults", 7, 1, 1, Modes::Apart),
    software("emulation-faults", 8, 1, 1, Modes::Apart),
    software("cgroup-switches", 11, 1000, 1, Modes::Kernel),
    cache("L1-dcache-loads", &["PAPI_l1_dcr"], L1D, READ, ACCESS),
    cache(
        "L1-dcache-load-misses",
        &["PAPI_l1_dcm", "PAPI_l1_ldm"],
        L1D,
        READ,
        MISS,
    ),
    cache("L1-dcache-stores", &["PAPI_l1_dcw"], L1D, WRITE, ACCESS),
    cache("L1-dcache-store-misses", &["PAPI_l1_stm"], L1D, WRITE, MISS),
    cache("L1-dcache-prefetches", &[], L1D, PREFETCH, ACCESS),
    cache("L1-dcache-prefetch-misses", &[], L1D, PREFETCH, MISS),
    cache("L1-icache-loads", &["PAPI_l1_icr"], L1I, READ, ACCESS),
    cache("L1-icache-load-misses", &["PAPI_l1_icm"], L1I, READ, MISS),
    cache("L1-icache-prefetches", &[], L1I, PREFETCH, ACCESS),
    cache("LLC-loads", &[], LL, READ, ACCESS),
    cache("LLC-load-misses", &["PAPI_l3_ldm"], LL, READ, MISS),
    cache("LLC-stores", &[], LL, WRITE, ACCESS),
    cache("LLC-store-misses", &["PAPI_l3_stm"], LL, WRITE, MISS),
    cache("LLC-prefetches", &[], LL, PREFETCH, ACCESS),
    cache("LLC-prefetch-misses", &[], LL, PREFETCH, MISS),
    cache("dTLB-loads", &[], DTLB, READ, ACCESS),
    cache("dTLB-load-misses", &["PAPI_tlb_dm"], DTLB, READ, MISS),
    cache("dTLB-stores", &[], DTLB, WRITE, ACCESS),
    cache("dTLB-store-misses", &[], DTLB, WRITE, MISS),
    cache("iTLB-loads", &[], ITLB, READ, ACCESS),
    cache("iTLB-load-misses", &["PAPI_tlb_im"], ITLB, READ, MISS),
    cache("branch-loads", &[], BPU, READ, ACCESS),
    cache("branch-load-misses", &[], BPU, READ, MISS),
    cache("node-loads", &[], NODE, READ, ACCESS),
    cache("node-load-misses", &[], NODE, READ, MISS),
    cache("node-stores", &[], NODE, WRITE, ACCESS),
    cache("node-store-misses", &[], NODE, WRITE, MISS),
    cache("node-prefetches", &[], NODE, PREFETCH, ACCESS),
    cache("node-prefetch-misses", &[], NODE, PREFETCH, MISS),
];

/// Whether two event names are the same one.
pub fn same(a: &str, b: &str) -> bool {
    let plain = |c: u8| {
        if c == b'-' {
            b'_'
        } else {
            c.to_ascii_lowercase()
        }
    };
    a.len() == b.len() && a.bytes().map(plain).eq(b.bytes().map(plain))
}

/// The row of that name.
pub fn row(name: &str) -> Option<&'static Row> {
    let named = |row: &&Row| same(row.name, name) || row.aliases.iter().any(|a| same(a, name));
    ROWS.iter().find(named)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn names_are_unambiguous() {
        let mut seen = HashSet::new();
        for row in ROWS {
            for name in row.aliases.iter().chain([&row.name]) {
                assert!(
                    seen.insert(name.to_lowercase().replace('-', "_")),
                    "{name} twice"
                );
            }
        }
        let events: HashSet<_> = ROWS.iter().map(|row| (row.kind, row.config)).collect();
        assert_eq!(events.len(), ROWS.len());
    }

    #[test]
    fn generic_events_are_in_the_manual() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/PROVIDERS.md");
        let text = std::fs::read_to_string(path).expect("the manual");
        for row in ROWS {
            for name in row.aliases.iter().filter(|name| name.starts_with("PAPI_")) {
                let line = format!("| `{name}` | `{}` |", row.name);
                assert!(text.contains(&line), "docs/PROVIDERS.md lacks {line}");
            }
        }
    }

    #[test]
    fn names_in_any_writing() {
        for name in ["PAPI_tot_cyc", "papi_TOT_CYC", "cpu_cycles", "CYCLES"] {
            assert_eq!(row(name).map(|row| row.name), Some("cpu-cycles"), "{name}");
        }
        assert!(row("cycle").is_none());
        // Level 1 data cache, read, miss.
        assert_eq!(
            row("L1_dcache_load_misses").map(|row| row.config),
            Some(0x1_0000)
        );
    }
}

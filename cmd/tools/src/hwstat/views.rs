//! What hwstat can show, as rows: the events that a table needs, and what its columns make of them.

/// What a column shows. Numbers are places in the table's list of events.
#[derive(Clone, Copy, Debug)]
pub enum Value {
    /// How many.
    Count(usize),
    /// The first of two, for each of the second, times so much.
    Per(usize, usize, f64),
    /// For each second, times so much.
    PerSecond(usize, f64),
    /// For each second in which a CPU was not idle, times so much.
    PerBusy(usize, f64),
    /// What part of the time CPUs were not idle, in per cent.
    Busy,
}

/// A title, as wide as its column is to be, and what is below.
pub type Column = (&'static str, Value);

/// Where a table's events come from.
#[derive(Clone, Copy, Debug)]
pub enum Source {
    /// The CPU's own counters, by names that every kernel knows.
    Cpu(&'static [&'static str]),
    /// Units that CPUs share: how their names begin, and the names of events, which are added up over all units. An event is
    /// that of the unit, or made of the unit's terms.
    Units(&'static str, &'static [&'static str]),
}

/// One way to make a table.
#[derive(Debug)]
pub struct View {
    /// What it is asked for by; several ways to make the same table follow each other, best first.
    pub name: &'static str,
    /// What it is about.
    pub about: &'static str,
    pub source: Source,
    pub columns: &'static [Column],
}

const MB: f64 = 1e-6;
/// Bytes of a line of a cache: what a miss moves.
const LINE: f64 = 64.0;

const CACHE: &str = "misses of the data cache and of the last cache, and what they read";
const TLB: &str = "misses of the TLBs";
const MEMORY: &str = "what the memory controllers read and write";
const LINKS: &str = "what processors send each other, and memory that is another's";

const fn way(
    name: &'static str,
    about: &'static str,
    source: Source,
    columns: &'static [Column],
) -> View {
    View {
        name,
        about,
        source,
        columns,
    }
}

const fn memory(
    units: &'static str,
    events: &'static [&'static str],
    columns: &'static [Column],
) -> View {
    way("memory", MEMORY, Source::Units(units, events), columns)
}

/// Memory controllers that count lines read and written.
const LINES: &[Column] = &[
    ("  read-MB/s", Value::PerSecond(0, LINE * MB)),
    (" write-MB/s", Value::PerSecond(1, LINE * MB)),
];

/// All of them.
pub const VIEWS: &[View] = &[
    way(
        "cpi",
        "cycles per instruction, and how busy the CPUs are",
        Source::Cpu(&["cpu-cycles", "instructions"]),
        &[
            ("  Instructions", Value::Count(1)),
            ("    CPI", Value::Per(0, 1, 1.0)),
            ("  %CPU", Value::Busy),
            ("   GHz", Value::PerBusy(0, 1e-9)),
        ],
    ),
    way(
        "stalls",
        "cycles in which nothing was begun, for want of instructions or of data",
        Source::Cpu(&[
            "cpu-cycles",
            "stalled-cycles-frontend",
            "stalled-cycles-backend",
        ]),
        &[
            ("        Cycles", Value::Count(0)),
            (" %front", Value::Per(1, 0, 100.0)),
            (" %back", Value::Per(2, 0, 100.0)),
        ],
    ),
    way(
        "branches",
        "branches that were guessed wrong",
        Source::Cpu(&["instructions", "branch-instructions", "branch-misses"]),
        &[
            ("      Branches", Value::Count(1)),
            (" %miss", Value::Per(2, 1, 100.0)),
            (" /1000", Value::Per(2, 0, 1000.0)),
        ],
    ),
    way(
        "cache",
        CACHE,
        Source::Cpu(&[
            "instructions",
            "L1-dcache-loads",
            "L1-dcache-load-misses",
            "LLC-loads",
            "LLC-load-misses",
        ]),
        &[
            ("     L1D-loads", Value::Count(1)),
            (" %miss", Value::Per(2, 1, 100.0)),
            (" /1000", Value::Per(2, 0, 1000.0)),
            ("     LLC-loads", Value::Count(3)),
            (" %miss", Value::Per(4, 3, 100.0)),
            (" /1000", Value::Per(4, 0, 1000.0)),
            ("  read-MB/s", Value::PerSecond(4, LINE * MB)),
        ],
    ),
    way(
        "cache",
        CACHE,
        Source::Cpu(&[
            "instructions",
            "L1-dcache-loads",
            "L1-dcache-load-misses",
            "cache-references",
            "cache-misses",
        ]),
        &[
            ("     L1D-loads", Value::Count(1)),
            (" %miss", Value::Per(2, 1, 100.0)),
            (" /1000", Value::Per(2, 0, 1000.0)),
            ("    cache-refs", Value::Count(3)),
            (" %miss", Value::Per(4, 3, 100.0)),
            (" /1000", Value::Per(4, 0, 1000.0)),
        ],
    ),
    way(
        "cache",
        CACHE,
        Source::Cpu(&["instructions", "cache-references", "cache-misses"]),
        &[
            ("    cache-refs", Value::Count(1)),
            (" %miss", Value::Per(2, 1, 100.0)),
            (" /1000", Value::Per(2, 0, 1000.0)),
        ],
    ),
    way(
        "tlb",
        TLB,
        Source::Cpu(&[
            "instructions",
            "dTLB-loads",
            "dTLB-load-misses",
            "iTLB-load-misses",
        ]),
        &[
            ("    dTLB-loads", Value::Count(1)),
            ("   dTLB-misses", Value::Count(2)),
            (" %miss", Value::Per(2, 1, 100.0)),
            (" /1000", Value::Per(2, 0, 1000.0)),
            ("   iTLB-misses", Value::Count(3)),
            (" /1000", Value::Per(3, 0, 1000.0)),
        ],
    ),
    way(
        "tlb",
        TLB,
        Source::Cpu(&["instructions", "dTLB-load-misses", "iTLB-load-misses"]),
        &[
            ("   dTLB-misses", Value::Count(1)),
            (" /1000", Value::Per(1, 0, 1000.0)),
            ("   iTLB-misses", Value::Count(2)),
            (" /1000", Value::Per(2, 0, 1000.0)),
        ],
    ),
    // Intel: arch/x86/events/intel/uncore_snbep.c, uncore_snb.c.
    memory("uncore_imc", &["cas_count_read", "cas_count_write"], LINES),
    memory("uncore_imc_free", &["data_read", "data_write"], LINES),
    memory("uncore_imc", &["data_reads", "data_writes"], LINES),
    // HiSilicon: drivers/perf/hisilicon/hisi_uncore_ddrc_pmu.c; 32 bytes each.
    memory(
        "hisi_sccl",
        &["flux_rd", "flux_wr"],
        &[
            ("  read-MB/s", Value::PerSecond(0, 32.0 * MB)),
            (" write-MB/s", Value::PerSecond(1, 32.0 * MB)),
        ],
    ),
    // Nine flits of data are a line and what leads it: UNC_UPI_TxL_FLITS.ALL_DATA of Intel's event files.
    way(
        "interconnect",
        LINKS,
        Source::Units("uncore_upi", &["event=0x2,umask=0xf"]),
        &[("  sent-MB/s", Value::PerSecond(0, LINE / 9.0 * MB))],
    ),
    way(
        "interconnect",
        LINKS,
        Source::Units("uncore_qpi", &["drs_data", "ncb_data"]),
        &[
            (" reply-MB/s", Value::PerSecond(0, 8.0 * MB)),
            (" other-MB/s", Value::PerSecond(1, 8.0 * MB)),
        ],
    ),
    way(
        "interconnect",
        LINKS,
        Source::Cpu(&["instructions", "node-loads", "node-load-misses"]),
        &[
            ("    node-loads", Value::Count(1)),
            ("  others'", Value::Count(2)),
            (" /1000", Value::Per(2, 0, 1000.0)),
            ("  read-MB/s", Value::PerSecond(2, LINE * MB)),
        ],
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_of_events_that_are_counted() {
        for view in VIEWS {
            let (Source::Cpu(events) | Source::Units(_, events)) = view.source;
            for (title, value) in view.columns {
                let used = match *value {
                    Value::Count(a) | Value::PerSecond(a, _) | Value::PerBusy(a, _) => vec![a],
                    Value::Per(a, b, _) => vec![a, b],
                    Value::Busy => Vec::new(),
                };
                assert!(
                    used.iter().all(|n| *n < events.len()),
                    "{} {title}",
                    view.name
                );
            }
            if let Source::Cpu(events) = view.source {
                let known = |name| counters::events::row(name).is_some();
                assert!(events.iter().all(|name| known(name)), "{}", view.name);
            }
        }
    }
}

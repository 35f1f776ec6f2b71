//! Texts of faults, drops and library errors, and the counting of drops.

use crate::error::{Error, Result};
use crate::value::{u32_at, u64_at};
use image::layout::drops::{Counts, Kind as DropKind};
use image::layout::{Fault, event};
use image::{ClauseDesc, Image, Probe};
use std::fmt::Write;

/// How one kind of drop is counted and told.
struct DropRow {
    kind: DropKind,
    tag: &'static str,
    json: &'static str,
    noun: &'static str,
    suffix: &'static str,
    per_cpu: bool,
}

const DROPS: [DropRow; DropKind::COUNT] = [
    DropRow {
        kind: DropKind::Principal,
        tag: "DTRACEDROP_PRINCIPAL",
        json: "principal",
        noun: "drop",
        suffix: "",
        per_cpu: true,
    },
    DropRow {
        kind: DropKind::Aggregation,
        tag: "DTRACEDROP_AGGREGATION",
        json: "aggregation",
        noun: "aggregation drop",
        suffix: "",
        per_cpu: true,
    },
    DropRow {
        kind: DropKind::Dynamic,
        tag: "DTRACEDROP_DYNAMIC",
        json: "dynamic",
        noun: "dynamic variable drop",
        suffix: "",
        per_cpu: false,
    },
    DropRow {
        kind: DropKind::ErrorInError,
        tag: "DTRACEDROP_DBLERROR",
        json: "error-in-error",
        noun: "error",
        suffix: " in ERROR probe enabling",
        per_cpu: false,
    },
    DropRow {
        kind: DropKind::Event,
        tag: "DTRACEDROP_EVENT",
        json: "event",
        noun: "error report drop",
        suffix: "",
        per_cpu: true,
    },
    DropRow {
        kind: DropKind::Speculative,
        tag: "DTRACEDROP_SPEC",
        json: "speculative",
        noun: "speculative drop",
        suffix: "",
        per_cpu: false,
    },
    DropRow {
        kind: DropKind::SpecBusy,
        tag: "DTRACEDROP_SPECBUSY",
        json: "speculation-busy",
        noun: "failed speculation",
        suffix: " (available buffer(s) still busy)",
        per_cpu: false,
    },
    DropRow {
        kind: DropKind::SpecUnavailable,
        tag: "DTRACEDROP_SPECUNAVAIL",
        json: "speculation-unavailable",
        noun: "failed speculation",
        suffix: " (no speculative buffer available)",
        per_cpu: false,
    },
    DropRow {
        kind: DropKind::Foreign,
        tag: "DTRACEDROP_FOREIGN",
        json: "foreign",
        noun: "system call",
        suffix: " of 32-bit processes not traced",
        per_cpu: false,
    },
    DropRow {
        kind: DropKind::Unwind,
        tag: "DTRACEDROP_UNWIND",
        json: "unwind",
        noun: "user stack",
        suffix: " walked in part by frame pointers: unwind tables not read yet, or no room for them (unwindsize)",
        per_cpu: false,
    },
    DropRow {
        kind: DropKind::Preempted,
        tag: "DTRACEDROP_PREEMPTED",
        json: "preempted",
        noun: "user probe firing",
        suffix: " lost to preemption",
        per_cpu: true,
    },
];

/// Newly counted drops.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drop {
    /// What was lost.
    pub kind: DropKind,
    /// CPU, for kinds told by CPU.
    pub cpu: Option<u32>,
    /// How many since the last report.
    pub count: u64,
}

fn row(kind: DropKind) -> &'static DropRow {
    // The table has one row a kind, which a test checks.
    DROPS.iter().find(|r| r.kind == kind).unwrap_or(&DROPS[0])
}

impl Drop {
    /// The message, without `dtrace: `.
    pub fn text(&self, tags: bool) -> String {
        let row = row(self.kind);
        let plural = if self.count == 1 { "" } else { "s" };
        let mut text = if tags {
            format!("[{}] ", row.tag)
        } else {
            String::new()
        };
        // Writing to a String cannot fail.
        let _ = write!(text, "{} {}{plural}{}", self.count, row.noun, row.suffix);
        if let Some(cpu) = self.cpu {
            let _ = write!(text, " on CPU {cpu}");
        }
        text
    }

    /// Name of the kind in JSON.
    pub fn name(&self) -> &'static str {
        row(self.kind).json
    }
}

/// The drops to report: by CPU or for all CPUs, as their kind is told. `cpus` is indexed by CPU.
pub(crate) fn collect(cpus: &[Counts]) -> Vec<Drop> {
    let mut new = Vec::new();
    for row in &DROPS {
        let kind = row.kind;
        let counts = cpus
            .iter()
            .enumerate()
            .map(|(cpu, lost)| (cpu as u32, lost[kind as usize]));
        if row.per_cpu {
            let lossy = counts.filter(|(_, count)| *count > 0);
            new.extend(lossy.map(|(cpu, count)| Drop {
                kind,
                cpu: Some(cpu),
                count,
            }));
        } else {
            let count = counts.map(|(_, count)| count).sum();
            new.extend((count > 0).then_some(Drop {
                kind,
                cpu: None,
                count,
            }));
        }
    }
    new
}

/// A fault, decoded from its event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FaultEvent {
    pub cpu: u32,
    pub clause: u32,
    pub probe: u32,
    pub action: u32,
    pub fault: Fault,
    pub address: u64,
    pub timestamp: u64,
    pub pc: u32,
}

impl FaultEvent {
    /// `None` for events of another kind.
    pub(crate) fn decode(bytes: &[u8]) -> Result<Option<FaultEvent>> {
        const SHORT: Error = Error::Record("an event is too short");
        let word = |at: u32| u32_at(bytes, at as usize).ok_or(SHORT);
        if word(event::KIND)? != event::FAULTED {
            return Ok(None);
        }
        let code = word(event::FAULT)?;
        Ok(Some(FaultEvent {
            cpu: word(event::CPU)?,
            clause: word(event::CLAUSE)?,
            probe: word(event::PROBE)?,
            action: word(event::ACTION)?,
            fault: Fault::ALL
                .get(code as usize)
                .copied()
                .unwrap_or(Fault::Unknown),
            address: u64_at(bytes, event::ADDRESS as usize).ok_or(SHORT)?,
            timestamp: u64_at(bytes, event::TIMESTAMP as usize).ok_or(SHORT)?,
            pc: word(event::PC)?,
        }))
    }

    /// The message, without `dtrace: `.
    pub(crate) fn text(&self, image: &Image) -> String {
        let mut text = where_text(image, self.clause, self.probe);
        text.push_str(self.fault.text());
        // Writing to a String cannot fail.
        if self.fault.has_address() {
            let _ = write!(text, " (0x{:x})", self.address);
        }
        let _ = match self.action {
            0 => write!(text, " in predicate"),
            n => write!(text, " in action #{n}"),
        };
        let _ = write!(text, " at BPF pc {}", self.pc);
        text
    }
}

/// Enabled-probe id of a clause at a probe, 0 if the clause does not have it.
pub(crate) fn epid(clause: &ClauseDesc, probe: u32) -> u32 {
    let at = clause.probes.iter().position(|p| *p == probe);
    at.and_then(|at| clause.epids.get(at)).copied().unwrap_or(0)
}

fn where_text(image: &Image, clause: u32, probe: u32) -> String {
    let epid = image
        .clauses
        .get(clause as usize)
        .map_or(0, |c| epid(c, probe));
    match image.probes.get(probe as usize) {
        Some(Probe {
            id,
            provider,
            module,
            function,
            name,
            ..
        }) => {
            format!(
                "error on enabled probe ID {epid} (ID {id}: {provider}:{module}:{function}:{name}): "
            )
        }
        None => format!("error on enabled probe ID {epid} (ID 0: :::): "),
    }
}

/// A library error of an action.
pub(crate) fn library_error(image: &Image, clause: u32, probe: u32, what: &str) -> String {
    where_text(image, clause, probe) + what
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drop_texts() {
        let drop = |kind, cpu, count| Drop { kind, cpu, count };
        assert_eq!(
            drop(DropKind::Principal, Some(0), 1).text(false),
            "1 drop on CPU 0"
        );
        assert_eq!(
            drop(DropKind::Principal, Some(3), 12).text(true),
            "[DTRACEDROP_PRINCIPAL] 12 drops on CPU 3"
        );
        assert_eq!(
            drop(DropKind::Aggregation, Some(1), 2).text(false),
            "2 aggregation drops on CPU 1"
        );
        assert_eq!(
            drop(DropKind::Dynamic, None, 2).text(false),
            "2 dynamic variable drops"
        );
        assert_eq!(
            drop(DropKind::ErrorInError, None, 2).text(true),
            "[DTRACEDROP_DBLERROR] 2 errors in ERROR probe enabling"
        );
        assert_eq!(
            drop(DropKind::SpecBusy, None, 2).text(false),
            "2 failed speculations (available buffer(s) still busy)"
        );
        assert_eq!(
            drop(DropKind::SpecUnavailable, None, 1).text(true),
            "[DTRACEDROP_SPECUNAVAIL] 1 failed speculation (no speculative buffer available)"
        );
        assert_eq!(
            drop(DropKind::Speculative, None, 3).text(false),
            "3 speculative drops"
        );
        for row in &DROPS {
            assert_eq!(super::row(row.kind).json, row.json, "one row a kind");
        }
    }

    #[test]
    fn drops_by_cpu_and_for_all_cpus() {
        let mut cpus = [Counts::default(); 2];
        cpus[0][DropKind::Dynamic as usize] = 1;
        cpus[1][DropKind::Dynamic as usize] = 2;
        cpus[1][DropKind::Principal as usize] = 5;
        let want = [
            Drop {
                kind: DropKind::Principal,
                cpu: Some(1),
                count: 5,
            },
            Drop {
                kind: DropKind::Dynamic,
                cpu: None,
                count: 3,
            },
        ];
        assert_eq!(collect(&cpus), want);
        assert_eq!(collect(&[Counts::default()]), []);
    }
}

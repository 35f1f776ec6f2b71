//! `flowindent`: arrows and indentation by entry and return probes.
//!
//! A return probe with several enablings unindents once, at the last of its records. Which is the last is known only
//! from the next record, so such a record is held until then (see [`crate::record`]).

use image::Probe;

/// What a probe does to the indentation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Entry,
    Return,
    Other,
}

/// Kind by the probe's name: `entry`, `return`, or ending in `-entry`, `-return`.
pub(crate) fn kind(probe: &Probe) -> Kind {
    let is = |what: &str| match probe.name.strip_suffix(what) {
        Some(rest) => rest.is_empty() || rest.ends_with('-'),
        None => false,
    };
    if is("entry") {
        Kind::Entry
    } else if is("return") {
        Kind::Return
    } else {
        Kind::Other
    }
}

/// Indentation of one CPU.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct State {
    indent: usize,
    last: Option<(u32, u32)>,
}

/// Deepest indentation shown; beyond it lines would carry nothing but spaces.
const DEEPEST: usize = 1024;

/// What to print before a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    pub indent: usize,
    pub prefix: &'static str,
    /// Show `function:name` rather than the function alone.
    pub full: bool,
}

impl State {
    /// Advances by one record of `(clause, probe)`; `last` says that no more of this firing's records follow.
    pub(crate) fn step(&mut self, probe: &Probe, kind: Kind, at: (u32, u32), last: bool) -> Line {
        let syscall = &*probe.provider == "syscall";
        let again = self
            .last
            .is_some_and(|(clause, probe)| probe == at.1 && clause != at.0);
        self.last = Some(at);
        match kind {
            Kind::Entry if !again => {
                let line = Line {
                    indent: self.indent,
                    prefix: if syscall { " => " } else { " -> " },
                    full: false,
                };
                self.indent = (self.indent + 2).min(DEEPEST);
                line
            }
            Kind::Return if last => {
                self.indent = self.indent.saturating_sub(2);
                Line {
                    indent: self.indent,
                    prefix: if syscall { " <= " } else { " <- " },
                    full: false,
                }
            }
            Kind::Entry | Kind::Return | Kind::Other => Line {
                indent: self.indent,
                prefix: "| ",
                full: true,
            },
        }
    }
}

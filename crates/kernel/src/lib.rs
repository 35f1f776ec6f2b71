//! From an [`image::Image`] to running probes, and back from them to records and values.
//!
//! Problem: a compiled D program is a set of maps, programs and places; it must be running a few milliseconds later,
//! must lose nothing uncounted, and must vanish without trace when the tracer dies. Choices: straight `bpf(2)` through
//! `sys`; features are found by trying, never by version; nothing is pinned, so the kernel takes everything back when
//! the last descriptor closes; all programs are attached behind a closed gate ([`Loaded::open`] opens it), so that all
//! probes start together. Records wait in one ring buffer a CPU and are merged by time when they are drained.
//!
//! Invariant: this crate never looks into a record beyond its header, and never writes into a kernel object that it
//! did not make.

mod aggs;
mod attach;
mod drops;
mod error;
pub mod features;
pub mod functions;
pub mod kallsyms;
mod kept;
mod kprobes;
mod late;
mod load;
mod maps;
pub mod namespace;
mod nops;
mod rings;
mod spec;
pub mod stopper;
mod tick;
mod types;
pub mod unwind;
mod uprobes;
mod wait;

pub use aggs::AggKey;
pub use error::{LoadError, Refusal};
pub use load::{LoadOptions, Loaded};
pub use rings::Drained;
pub use types::functions as function_types;
pub use uprobes::{RefusedPoint, Unprobed};
pub use wait::Wake;

//! The only home of `unsafe` and of raw system calls.
//!
//! Problem: a tracer lives on `bpf(2)`, `perf_event_open(2)`, shared memory and `ptrace(2)`, whose interfaces are
//! structures of bytes and numbers. Choice: straight system calls through `libc`, wrapped here in safe functions with
//! owned descriptors and mappings, so that no other crate needs `unsafe`. All of them pass one seam ([`seam`]) where a
//! test can make the n-th call fail.
//!
//! Invariant: nothing here knows what a probe or a D program is. Descriptors are close-on-exec, mappings are
//! unmapped on drop, nothing is pinned: a killed tracer leaves nothing behind.
#![allow(
    unsafe_code,
    reason = "this crate is the one place where the others get their system calls from"
)]

pub mod bpf;
pub mod calibrate;
pub mod error;
pub mod event;
pub mod file;
pub mod mem;
pub mod perf;
pub mod perf_ring;
pub mod proc;
pub mod ring;
pub mod seam;
#[cfg(any(test, feature = "simulated-pmu"))]
pub mod simulated;
pub mod site;
pub mod stdio;
pub mod time;
pub mod tracee;
pub mod tracefs;
pub mod trial;
pub mod victim;

pub use error::{SysError, errno};

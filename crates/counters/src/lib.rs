//! Performance counters: events by name, lists of them as `cpustat` and `cputrack` take them, and counting them on a CPU or
//! in a thread.
//!
//! Problem: each processor calls its events otherwise, the kernel a few of them by names of its own, and DTrace's users know
//! generic ones (`PAPI_tot_cyc`). Choice: one table of rows ([`events`]), then what sysfs tells of this machine's units
//! ([`Unit`]), then raw numbers. A list's events count together in a group of the kernel where they fit, so that ratios are
//! of the same moments; where they do not, they take turns, and counts are scaled and marked ([`Count`]).
//!
//! Invariant: the kernel is asked through `sys` only; nothing is sampled, nothing printed.

pub mod events;

mod count;
mod cycle;
mod find;
mod spec;
mod units;

pub use count::{Count, Counters, Known, Place, Refused, fits, is_known};
pub use cycle::{Cycle, Sets, add};
pub use find::{Event, find, refusal};
pub use spec::{Cores, Set, SpecError, Want};
pub use units::{PmuEvent, Unit, own_events, units};

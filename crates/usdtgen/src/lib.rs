//! What an application needs to have probes of its own: the header of `dtrace -h` and the object of `dtrace -G`.
//!
//! ```text
//! prov.d -> sema::Interface -> header: macros whose probe sites are nops with SystemTap notes
//!                           -> object: counters of enablings, the provider's interface, sites for calls of old headers
//! ```
//!
//! A probe site is a five-byte no-op that recent kernels can turn into a call, described by a note in `.note.stapsdt`, so
//! that perf, bpftrace and SystemTap see it too. Whether a probe is enabled is told by its semaphore, a 16-bit counter in
//! `.probes` which the kernel raises while somebody traces. The interface note (`.note.dtrace`, owner `dtrace`, type 1) is
//! the provider's definition as D text: argument types, translations, stability.
//!
//! The header is enough by itself: it defines semaphores weakly. The object of `-G` defines them strongly, and refuses to
//! be made if the application has no site of the provider.
//!
//! Facts: the layout of SystemTap's notes (`UserSpaceProbeImplementation` in the SystemTap wiki).

mod header;
mod link;
mod machine;
mod notes;

pub use header::header;
pub use link::{LinkError, link};

/// `request__start` of `http`: the semaphore's symbol.
fn semaphore(provider: &str, probe: &str) -> String {
    format!("{provider}_{probe}_semaphore")
}

//! Fuzzers of the compiler, as ordinary tests: each runs a few seconds, or `FUZZ_SECONDS=n`; `FUZZ_SEED=n`
//! repeats one case, `FUZZ_START=n` begins with it.
//!
//! * `tests/text.rs`: arbitrary and damaged text must be refused or compiled, never crash the compiler or hold it up.
//! * `tests/live.rs` (root): whatever compiles must pass the kernel's verifier and run.
//! * `tests/semantics.rs`: compiled expressions and aggregations against straightforward models in Rust.
//! * `examples/many.rs`: millions of texts, one process, for hours.
//! * `tests/golden.rs`: the code of the programs in `tests/codegen`, and how large it is.

pub mod exprs;
pub mod harm;
pub mod machine;
pub mod models;
pub mod mutate;
pub mod pipeline;
pub mod programs;
pub mod rng;

pub use pipeline::{Bench, Outcome};
pub use rng::{Rng, Run};

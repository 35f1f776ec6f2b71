//! Probe providers: which probes exist, what their arguments are, and where they fire.
//!
//! A provider only *describes*, as data: it emits no code, opens no file and attaches nothing. What it must know of the
//! running kernel it asks of an [`Env`]; [`LinuxEnv`] answers from BTF and tracefs, [`testing::FixtureEnv`] from a
//! fixed list. The [`Registry`] is the table of providers and the only thing callers need.
//!
//! Invariant: nothing is read from the kernel until a description can only be answered with it.

mod cpc;
mod derived;
mod dtrace;
mod env;
mod everywhere;
mod fbt;
mod functions;
mod glob;
mod kernel_btf;
mod linux;
mod pid;
mod plockstat;
mod process;
mod profile;
mod registry;
mod sdt;
mod spec;
mod stability;
mod suggest;
mod syscall;
pub mod testing;
mod tracefs;
mod usdt;

pub use counters::PmuEvent;
pub use derived::{Derivation, Firing, Remembers, Texted, derived_probes};
pub use env::{Arch, Env, Group, Param, Tracepoint};
pub use env::{
    FoundFunctions, FunctionMeans, FunctionParam, KernelFunction, KernelText, Signature,
};
pub use glob::Glob;
pub use kernel_btf::KernelBtf;
pub use linux::LinuxEnv;
pub use process::{Module, Process};
pub use registry::Registry;
pub use spec::{Pattern, Spec};
pub use stability::{Attributes, Class, Level, Stability};

use diag::Tag;
use image::{ArgSource, Probe};
use std::cell::Cell;
use std::rc::Rc;

/// Why a provider cannot answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// `EDT_BADPGLOB`.
    #[error("Probe description has too many globbing characters")]
    TooManyGlobs,
    /// A `profile-N` or `tick-N` that would fire too often.
    #[error("{name} would fire more than {max} times a second, which is the limit")]
    Rate {
        /// Probe name.
        name: String,
        /// Firings a second that are allowed.
        max: u64,
    },
    /// A `cpc` probe that would fire too often.
    #[error("{name} would fire too often: the least count of its event is {least}")]
    Count {
        /// Probe name.
        name: String,
        /// Least count.
        least: u64,
    },
    /// A process or a place in it cannot be traced.
    #[error("{text}")]
    Process {
        /// Tag of the message.
        tag: Tag,
        /// What is wrong.
        text: String,
    },
    /// The running kernel does not tell what is needed; the text says why.
    #[error("{0}")]
    Kernel(String),
}

/// Type of a typed argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArgType {
    /// C text, to be looked up by name (`unsigned int`, `const char *`, `struct stat *`).
    C(String),
    /// BTF type id.
    Btf {
        /// Module whose BTF it is, `None` for vmlinux.
        module: Option<String>,
        /// Type id there.
        id: u32,
    },
}

/// One of `args[]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arg {
    /// Type.
    pub ty: ArgType,
    /// A pointer to the user's memory (D `userland`).
    pub user: bool,
    /// Where the value comes from.
    pub source: ArgSource,
    /// A pointer to a kernel structure for which the kernel vouches. It may be NULL: some tracepoints pass it.
    pub trusted: bool,
}

/// A source of probes.
pub trait Provider {
    /// Name in probe descriptions.
    fn name(&self) -> &'static str;
    /// Whether probes of that description's provider may be this one's.
    fn answers(&self, provider: &Glob) -> bool {
        provider.matches(self.name())
    }
    /// Whether it looks at all processes to answer a pattern.
    fn is_far(&self) -> bool {
        false
    }
    /// Whether a probe with this provider name is this one's.
    fn is_called(&self, provider: &str) -> bool {
        provider == self.name()
    }
    /// Stability of its probes, as `dtrace -lv` reports it.
    fn stability(&self) -> &'static Stability;
    /// Probes that match, in id order. The provider field has matched already.
    fn find(&mut self, spec: &Spec, env: &mut dyn Env) -> Result<Vec<Probe>, Error>;
    /// The probe with this id, if it is one of this provider's.
    fn by_id(&mut self, id: u32, env: &mut dyn Env) -> Option<Probe>;
    /// `args[]`.
    fn args(&self, probe: &Probe, env: &mut dyn Env) -> Result<Vec<Arg>, Error>;
    /// `arg0`…; those past the end read as 0.
    fn raw_args(&self, probe: &Probe, env: &mut dyn Env) -> Vec<ArgSource>;
    /// Whether a probe with the provider's name is one of its own: providers may share a name.
    fn owns(&self, _probe: &Probe) -> bool {
        true
    }
    /// The D type (`psinfo_t *`) that a translator makes of `args[n]`.
    fn translation(&self, _probe: &Probe, _n: usize) -> Option<&'static str> {
        None
    }
    /// The definition of the probe's provider as D text, where the program that has the probe brings it.
    fn interface(&self, _probe: &Probe) -> Option<Rc<str>> {
        None
    }
    /// What the probe is derived from; `None`: it is a site of its own.
    fn derivation(&self, _probe: &Probe, _env: &mut dyn Env) -> Result<Option<Derivation>, Error> {
        Ok(None)
    }
    /// What the user should know about the descriptions looked for since the last call: one line each.
    fn notes(&mut self) -> Vec<String> {
        Vec::new()
    }
}

/// The id of the next probe of a process.
#[derive(Clone)]
pub(crate) struct NextId(Rc<Cell<u32>>);

impl Default for NextId {
    fn default() -> NextId {
        NextId(Rc::new(Cell::new(ids::PROCESSES)))
    }
}

impl NextId {
    fn take(&self) -> u32 {
        let id = self.0.get();
        self.0.set(id.saturating_add(1));
        id
    }
}

/// First probe ids. Each provider numbers its own probes from its base in a fixed order, so that an id needs no
/// enumeration and stays the same as long as the kernel does.
mod ids {
    /// `dtrace`.
    pub const DTRACE: u32 = 1;
    /// `profile`: the listed ones, then those created on demand.
    pub const PROFILE: u32 = 4;
    /// `syscall`: two for each row of its table.
    pub const SYSCALL: u32 = 100;
    /// `sdt`: in the order of [`crate::Tracepoint::index`].
    pub const SDT: u32 = 1500;
    /// Derived probes: so many for each of their tables.
    pub const DERIVED: u32 = 20_000;
    /// See `DERIVED`.
    pub const DERIVED_EACH: u32 = 100;
    /// `cpc`: the listed ones, then those created on demand.
    pub const CPC: u32 = 800_000;
    /// `cpc`: created on demand.
    pub const CPC_MORE: u32 = 850_000;
    /// Probes of processes, in the order in which they are found, after all others: one that is found later has a greater
    /// id, whatever its provider.
    pub const PROCESSES: u32 = 4_000_000;
    /// `profile` again, once its first range is used up.
    pub const PROFILE_MORE: u32 = 900_000;
    /// `fbt`: two for each number of a kernel function.
    pub const FBT: u32 = 1_000_000;
}

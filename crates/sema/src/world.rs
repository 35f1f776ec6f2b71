//! What the compiler asks of the outside world.

use ctypes::{TypeGraph, TypeId};
use diag::Tag;
use image::{ArgSource, Probe, Site, Task};

/// A probe argument as the provider describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArgDesc {
    /// Type of `args[n]`.
    pub ty: TypeId,
    /// Where its value comes from.
    pub source: ArgSource,
    /// The value is a kernel pointer that the kernel guarantees (BTF tracepoint argument): fields can be loaded without a
    /// checked helper.
    pub trusted: bool,
}

/// A probe description, split at its colons; an empty field matches all. Macro variables are already replaced.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ProbePattern {
    /// Provider glob.
    pub provider: String,
    /// Module glob.
    pub module: String,
    /// Function glob.
    pub function: String,
    /// Name glob.
    pub name: String,
}

/// Why there is no telling which probes match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoProbes {
    /// A tag of its own; the text is then the whole message.
    pub tag: Option<Tag>,
    /// Why.
    pub text: String,
}

impl From<String> for NoProbes {
    fn from(text: String) -> NoProbes {
        NoProbes { tag: None, text }
    }
}

/// A probe that is derived from places in the kernel. Every text is D over the native arguments of its place, in forms
/// for different kernels: the first that can be typed counts.
#[derive(Clone, Debug, Default)]
pub struct Derived {
    /// Where it fires, at least one.
    pub places: Vec<PlaceDesc>,
    /// Types of its native arguments.
    pub args: Vec<String>,
    /// What it needs to have remembered.
    pub setups: Vec<SetupDesc>,
}

/// A place where a derived probe fires.
#[derive(Clone, Debug)]
pub struct PlaceDesc {
    /// The site.
    pub site: Site,
    /// The current thread there.
    pub task: Task,
    /// `args[]` of the site.
    pub args: Vec<ArgDesc>,
    /// It fires where this is not 0. No text: always.
    pub when: Vec<String>,
    /// The probe's native arguments there.
    pub values: Vec<ValueDesc>,
}

/// The value of a native argument of a derived probe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueDesc {
    /// Its value.
    pub value: Vec<String>,
    /// The value of `argN`, where that is another.
    pub raw: Vec<String>,
    /// Members of its translation that the site knows better than the translator, and the forms of each.
    pub members: Vec<(&'static str, Vec<String>)>,
}

/// Hidden code of derived probes.
#[derive(Clone, Debug)]
pub struct SetupDesc {
    /// Probes with the same key share it.
    pub key: String,
    /// Declarations of the variables it uses.
    pub declares: Vec<String>,
    /// Where and when it runs.
    pub place: PlaceDesc,
    /// After the probes of its site, not before them.
    pub after: bool,
    /// Expressions.
    pub body: Vec<String>,
}

/// A kernel variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// Address.
    pub address: u64,
    /// Type, if type data name it.
    pub ty: Option<TypeId>,
    /// It is a function.
    pub function: bool,
}

/// The outside world, as far as the compiler needs it. Errors are texts fit for `failed to …: TEXT`.
pub trait World {
    /// Type names known outside D (kernel BTF) are loaded into `graph` through its own source; this only makes it ready.
    fn types(&mut self) -> TypeGraph;
    /// All probes that match, in id order. `Err`: why the providers could not tell.
    fn probes(&mut self, pattern: &ProbePattern) -> Result<Vec<Probe>, NoProbes>;
    /// The probe with this id.
    fn probe_by_id(&mut self, id: u32) -> Option<Probe>;
    /// Typed arguments (`args[]`) of a probe. `graph` is where the types are to live.
    fn args(&mut self, probe: &Probe, graph: &mut TypeGraph) -> Result<Vec<ArgDesc>, String>;
    /// The D type (`psinfo_t *`) that `args[n]` has by a translator from the native type that [`World::args`] tells.
    fn translation(&mut self, _probe: &Probe, _n: usize) -> Option<&'static str> {
        None
    }
    /// The definition of a probe's provider as D text, where the program that has the probe brings it.
    fn interface(&mut self, _probe: &Probe) -> Option<std::rc::Rc<str>> {
        None
    }
    /// What a probe is derived from; `None` for probes that are places of their own.
    fn derived(
        &mut self,
        _probe: &Probe,
        _graph: &mut TypeGraph,
    ) -> Result<Option<Derived>, String> {
        Ok(None)
    }
    /// Sources of `arg0`…`arg9` of a probe; missing ones read as 0.
    fn raw_args(&mut self, probe: &Probe) -> Vec<ArgSource>;
    /// A kernel symbol, in any module if `module` is `None`.
    fn symbol(
        &mut self,
        module: Option<&str>,
        name: &str,
        graph: &mut TypeGraph,
    ) -> Result<Symbol, String>;
}

//! The options of one session: their values, who may set them when, and what the other crates need of them.

use image::Policy;
use lang::options::{self, Kind, Opt, OptError, Value};
use std::collections::BTreeMap;

/// Who sets an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setter {
    /// Command line or environment, before anything is compiled.
    CommandLine,
    /// `#pragma D option`.
    Pragma,
    /// `setopt()`, while tracing.
    Running,
}

/// Options that are only legal on the command line.
const COMMAND_LINE_ONLY: &[Opt] = &[
    Opt::Cpp,
    Opt::Cpphdrs,
    Opt::Cpppath,
    Opt::Cppargs,
    Opt::Define,
    Opt::Undef,
    Opt::Incdir,
    Opt::Stdc,
    Opt::Libdir,
    Opt::Syslibdir,
    Opt::Nolibs,
    Opt::Errtags,
    Opt::Without,
];

/// Values of all options.
#[derive(Clone, Debug, Default)]
pub struct Options {
    values: BTreeMap<Opt, Value>,
    /// Values of all options that may be given several times, in order.
    lists: Vec<(Opt, String)>,
}

/// Why an option of `DTRACE_OPT_*` could not be set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("failed to set option '{name}' from the environment: {reason}")]
pub struct EnvError {
    /// Name of the option.
    pub name: String,
    /// Why.
    pub reason: OptError,
}

impl Options {
    /// Sets one option from text.
    pub fn set(&mut self, name: &str, value: Option<&str>, who: Setter) -> Result<(), SetError> {
        let row = options::find(name).map_err(SetError::Option)?;
        match who {
            Setter::CommandLine => {}
            Setter::Pragma if COMMAND_LINE_ONLY.contains(&row.opt) => {
                return Err(SetError::Context);
            }
            Setter::Running if !row.dynamic => return Err(SetError::Option(OptError::Active)),
            Setter::Pragma | Setter::Running => {}
        }
        let value = row.parse(value).map_err(SetError::Option)?;
        check(row.opt, &value).map_err(SetError::Option)?;
        match (row.kind, value) {
            (Kind::List, Value::Text(text)) => self.lists.push((row.opt, text)),
            (_, value) => {
                self.values.insert(row.opt, value);
            }
        }
        Ok(())
    }

    /// Sets options from `DTRACE_OPT_NAME=value` variables.
    pub fn set_from_env(
        &mut self,
        vars: impl Iterator<Item = (String, String)>,
    ) -> Result<(), EnvError> {
        for (name, value) in vars {
            let Some(name) = name.strip_prefix("DTRACE_OPT_") else {
                continue;
            };
            let name = name.to_ascii_lowercase();
            let value = Some(value.as_str()).filter(|v| !v.is_empty());
            self.set(&name, value, Setter::CommandLine)
                .map_err(|reason| match reason {
                    SetError::Option(reason) => EnvError { name, reason },
                    SetError::Context => EnvError {
                        name,
                        reason: OptError::Value,
                    },
                })?;
        }
        Ok(())
    }

    /// The value: as set, or the default; `None` if it is unset and has no default.
    pub fn get(&self, opt: Opt) -> Option<Value> {
        self.values
            .get(&opt)
            .cloned()
            .or_else(|| opt.row().default_value())
    }

    /// Whether someone has set it.
    pub fn is_set(&self, opt: Opt) -> bool {
        self.values.contains_key(&opt) || self.list(opt).next().is_some()
    }

    /// A flag's value.
    pub fn flag(&self, opt: Opt) -> bool {
        matches!(self.get(opt), Some(Value::Flag(true)))
    }

    /// A number, size (bytes) or rate (ns), if it is set or has a default.
    pub fn num(&self, opt: Opt) -> Option<i64> {
        match self.get(opt) {
            Some(Value::Num(n)) => Some(n),
            Some(Value::Flag(_) | Value::Text(_)) | None => None,
        }
    }

    /// A text, if it is set or has a default.
    pub fn text(&self, opt: Opt) -> Option<String> {
        match self.get(opt) {
            Some(Value::Text(t)) => Some(t),
            Some(Value::Flag(_) | Value::Num(_)) | None => None,
        }
    }

    /// All values of an option that may be given several times, in order.
    pub fn list(&self, opt: Opt) -> impl Iterator<Item = &String> {
        self.lists
            .iter()
            .filter(move |(o, _)| *o == opt)
            .map(|(_, v)| v)
    }

    /// All values of several such options, in the order given.
    pub fn lists<'a>(&'a self, of: &'a [Opt]) -> impl Iterator<Item = (Opt, &'a str)> {
        self.lists
            .iter()
            .filter(|(o, _)| of.contains(o))
            .map(|(o, v)| (*o, v.as_str()))
    }

    /// What the compiler needs of the options.
    pub fn limits(&self) -> sema::hir::Limits {
        let def = sema::hir::Limits::default();
        let num = |opt, or: u64| {
            self.num(opt)
                .and_then(|n| u64::try_from(n).ok())
                .unwrap_or(or)
        };
        let small = |opt, or: u32| {
            self.num(opt)
                .and_then(|n| u32::try_from(n).ok())
                .unwrap_or(or)
        };
        sema::hir::Limits {
            strsize: small(Opt::Strsize, def.strsize),
            scratchsize: small(Opt::Scratchsize, def.scratchsize),
            bufsize: num(Opt::Bufsize, def.bufsize),
            aggsize: num(Opt::Aggsize, def.aggsize),
            dynvarsize: num(Opt::Dynvarsize, def.dynvarsize),
            nspec: small(Opt::Nspec, def.nspec),
            specsize: num(Opt::Specsize, def.specsize),
            stackframes: small(Opt::Stackframes, def.stackframes),
            unwindsize: num(Opt::Unwindsize, def.unwindsize),
            ustackframes: small(Opt::Ustackframes, def.ustackframes),
            policy: self.policy(),
            cpu: self.cpu(),
            jstackframes: small(Opt::Jstackframes, def.jstackframes),
        }
    }

    /// What principal buffers do when they are full.
    pub fn policy(&self) -> Policy {
        match self.text(Opt::Bufpolicy).as_deref() {
            Some("fill") => Policy::Fill,
            Some("ring") => Policy::Ring,
            Some(_) | None => Policy::Switch,
        }
    }

    /// The only CPU to trace.
    pub fn cpu(&self) -> Option<u32> {
        self.num(Opt::Cpu).and_then(|n| u32::try_from(n).ok())
    }

    /// All options that have a value.
    pub fn all(&self) -> impl Iterator<Item = (Opt, Value)> {
        options::TABLE
            .iter()
            .filter_map(|r| self.get(r.opt).map(|v| (r.opt, v)))
    }
}

/// Bounds that depend on the machine rather than on the kind of value.
fn check(opt: Opt, value: &Value) -> Result<(), OptError> {
    let Value::Num(n) = value else { return Ok(()) };
    let ok = match opt {
        Opt::Strsize => (1..=1 << 16).contains(n),
        Opt::Scratchsize => (1..=1 << 20).contains(n),
        Opt::Specsize => (0..=1 << 26).contains(n),
        Opt::Cpu => sys::proc::online_cpus()
            .iter()
            .any(|cpu| i64::from(*cpu) == *n),
        Opt::Bufsize | Opt::Aggsize | Opt::Dynvarsize => (1..=1 << 30).contains(n),
        _ => true,
    };
    if ok { Ok(()) } else { Err(OptError::Value) }
}

/// Why an option could not be set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetError {
    /// Its name or value.
    #[error("{0}")]
    Option(OptError),
    /// It is only legal on the command line.
    #[error("Option cannot be used from within a D program")]
    Context,
}

impl SetError {
    /// The option that was probably meant where there is none called `name`.
    pub fn nearest(&self, name: &str) -> Option<&'static str> {
        match self {
            SetError::Option(OptError::Name) => {
                let names = lang::options::TABLE.iter().map(|row| row.name);
                diag::suggest::closest(name, names)
            }
            SetError::Option(_) | SetError::Context => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_those_of_the_command() {
        let opts = Options::default();
        assert_eq!(opts.num(Opt::Bufsize), Some(4 << 20));
        assert_eq!(opts.num(Opt::Switchrate), Some(1_000_000_000));
        assert!(opts.flag(Opt::Temporal) && !opts.flag(Opt::Quiet));
        assert_eq!(opts.limits(), sema::hir::Limits::default());
    }

    #[test]
    fn who_may_set_what() {
        let mut opts = Options::default();
        assert_eq!(opts.set("quiet", None, Setter::Running), Ok(()));
        assert_eq!(
            opts.set("bufsize", Some("1k"), Setter::Running),
            Err(SetError::Option(OptError::Active))
        );
        assert_eq!(
            opts.set("cpp", None, Setter::Pragma),
            Err(SetError::Context)
        );
        assert_eq!(
            opts.set("strsize", Some("0"), Setter::Pragma),
            Err(SetError::Option(OptError::Value))
        );
        assert_eq!(
            opts.set("bufsize", Some("99t"), Setter::CommandLine),
            Err(SetError::Option(OptError::Value))
        );
        assert_eq!(opts.set("strsize", Some("1k"), Setter::Pragma), Ok(()));
        assert_eq!(opts.limits().strsize, 1024);
        assert!(opts.flag(Opt::Quiet));
    }

    #[test]
    fn lists_keep_all_values() {
        let mut opts = Options::default();
        for v in ["A=1", "B"] {
            assert_eq!(opts.set("define", Some(v), Setter::CommandLine), Ok(()));
        }
        assert_eq!(opts.list(Opt::Define).collect::<Vec<_>>(), ["A=1", "B"]);
    }

    #[test]
    fn environment() {
        let mut opts = Options::default();
        let vars = |n: &str, v: &str| vec![(n.to_owned(), v.to_owned())].into_iter();
        assert_eq!(opts.set_from_env(vars("DTRACE_OPT_QUIET", "")), Ok(()));
        assert_eq!(opts.set_from_env(vars("PATH", "x")), Ok(()));
        assert!(opts.flag(Opt::Quiet));
        assert!(opts.set_from_env(vars("DTRACE_OPT_NONSENSE", "1")).is_err());
    }
}

//! Probe descriptions, as text and compiled.

use crate::Error;
use crate::glob::Glob;
use image::Probe;

/// Globbing characters that one description may have.
const GLOBS_MAX: usize = 64;

/// A probe description split at its colons; an empty field matches all.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Pattern {
    /// Provider glob.
    pub provider: String,
    /// Module glob.
    pub module: String,
    /// Function glob.
    pub function: String,
    /// Name glob.
    pub name: String,
}

impl Pattern {
    /// Splits `[[[provider:]module:]function:]name`; fields beyond four are left out.
    pub fn parse(text: &str) -> Pattern {
        let mut fields = text.rsplit(':').map(str::to_owned);
        let mut next = || fields.next().unwrap_or_default();
        let name = next();
        let function = next();
        let module = next();
        let provider = next();
        Pattern {
            provider,
            module,
            function,
            name,
        }
    }
}

/// A compiled [`Pattern`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    /// Provider.
    pub provider: Glob,
    /// Module.
    pub module: Glob,
    /// Function.
    pub function: Glob,
    /// Name.
    pub name: Glob,
}

impl Spec {
    /// Compiles a description.
    pub fn new(pattern: &Pattern) -> Result<Spec, Error> {
        let spec = Spec {
            provider: Glob::new(&pattern.provider),
            module: Glob::new(&pattern.module),
            function: Glob::new(&pattern.function),
            name: Glob::new(&pattern.name),
        };
        let globs: usize = [&spec.provider, &spec.module, &spec.function, &spec.name]
            .map(Glob::globs)
            .iter()
            .sum();
        if globs > GLOBS_MAX {
            return Err(Error::TooManyGlobs);
        }
        Ok(spec)
    }

    /// The description that matches everything.
    pub fn all() -> Spec {
        Spec {
            provider: Glob::Any,
            module: Glob::Any,
            function: Glob::Any,
            name: Glob::Any,
        }
    }

    /// Whether all four fields of a probe match.
    pub fn matches(&self, probe: &Probe) -> bool {
        self.provider.matches(&probe.provider)
            && self.module.matches(&probe.module)
            && self.function.matches(&probe.function)
            && self.name.matches(&probe.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_counted_from_the_right() {
        let p = Pattern::parse("read:entry");
        assert_eq!((p.provider.as_str(), p.module.as_str()), ("", ""));
        assert_eq!((p.function.as_str(), p.name.as_str()), ("read", "entry"));
        let p = Pattern::parse("syscall::read:entry");
        assert_eq!((p.provider.as_str(), p.module.as_str()), ("syscall", ""));
        assert_eq!(Pattern::parse("syscall:::").provider, "syscall");
    }

    #[test]
    fn too_many_globs() {
        let pattern = Pattern {
            name: "a*".repeat(GLOBS_MAX + 1),
            ..Pattern::default()
        };
        let error = Spec::new(&pattern).unwrap_err();
        assert_eq!(
            error.to_string(),
            "Probe description has too many globbing characters"
        );
        let pattern = Pattern {
            name: "a*".repeat(GLOBS_MAX),
            ..Pattern::default()
        };
        assert!(Spec::new(&pattern).is_ok());
    }
}

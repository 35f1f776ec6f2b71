//! Interface stability, as `dtrace -v` reports it.

use std::fmt;

/// Stability level, weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the variants are the names that are printed")]
pub enum Level {
    Internal,
    Private,
    Obsolete,
    External,
    Unstable,
    Evolving,
    Stable,
    Standard,
}

/// Dependency class, narrowest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the variants are the names that are printed")]
pub enum Class {
    Unknown,
    Cpu,
    Platform,
    Group,
    Isa,
    Common,
}

impl Level {
    /// Name as printed.
    pub fn name(self) -> &'static str {
        match self {
            Level::Internal => "Internal",
            Level::Private => "Private",
            Level::Obsolete => "Obsolete",
            Level::External => "External",
            Level::Unstable => "Unstable",
            Level::Evolving => "Evolving",
            Level::Stable => "Stable",
            Level::Standard => "Standard",
        }
    }
}

impl Class {
    /// Name as printed.
    pub fn name(self) -> &'static str {
        match self {
            Class::Unknown => "Unknown",
            Class::Cpu => "CPU",
            Class::Platform => "Platform",
            Class::Group => "Group",
            Class::Isa => "ISA",
            Class::Common => "Common",
        }
    }
}

/// Stability of one thing. Prints as `Name/Data/Class`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Attributes {
    /// Of its name.
    pub name: Level,
    /// Of its meaning.
    pub data: Level,
    /// Where it exists at all.
    pub class: Class,
}

impl Attributes {
    /// Attributes whose name and data are equally stable.
    pub const fn both(level: Level, class: Class) -> Attributes {
        Attributes {
            name: level,
            data: level,
            class,
        }
    }
}

impl fmt::Display for Attributes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}/{}/{}",
            self.name.name(),
            self.data.name(),
            self.class.name()
        )
    }
}

/// Stability of a provider's probes, field by field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stability {
    /// Provider field.
    pub provider: Attributes,
    /// Module field.
    pub module: Attributes,
    /// Function field.
    pub function: Attributes,
    /// Name field.
    pub name: Attributes,
    /// Arguments.
    pub args: Attributes,
}

/// Of modules and functions nearly everywhere.
const PRIVATE: Attributes = Attributes::both(Level::Private, Class::Unknown);
const EVOLVING: Attributes = Attributes::both(Level::Evolving, Class::Isa);

/// `sched`, `proc`, `io` and their like.
pub(crate) const EVOLVING_ISA: Stability = Stability {
    provider: EVOLVING,
    module: PRIVATE,
    function: PRIVATE,
    name: EVOLVING,
    args: EVOLVING,
};

/// `lockstat`.
pub(crate) const EVOLVING_COMMON: Stability = Stability {
    provider: Attributes::both(Level::Evolving, Class::Common),
    module: PRIVATE,
    function: PRIVATE,
    name: Attributes::both(Level::Evolving, Class::Common),
    args: Attributes::both(Level::Evolving, Class::Common),
};

/// `vminfo`, `sysinfo`: arguments are the kernel's business.
pub(crate) const COUNTERS: Stability = Stability {
    args: Attributes::both(Level::Private, Class::Isa),
    ..EVOLVING_ISA
};

/// `fsinfo`.
pub(crate) const FSINFO: Stability = Stability {
    name: PRIVATE,
    ..EVOLVING_ISA
};

/// `sdt`.
pub(crate) const SDT: Stability = Stability {
    name: Attributes::both(Level::Private, Class::Isa),
    args: Attributes::both(Level::Private, Class::Isa),
    ..EVOLVING_ISA
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_form() {
        assert_eq!(
            Attributes::both(Level::Evolving, Class::Isa).to_string(),
            "Evolving/Evolving/ISA"
        );
    }
}

//! Stability attributes (reference §23): name stability, data stability and dependency class, and their arithmetic.

use std::fmt;

macro_rules! levels {
    ($(#[$m:meta])* $ty:ident { $($name:ident $text:literal),* $(,)? }) => {
        $(#[$m])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[expect(missing_docs, reason = "the names say it")]
        pub enum $ty { $($name),* }
        impl $ty {
            /// All, weakest first.
            pub const ALL: &'static [$ty] = &[$($ty::$name),*];
            /// As printed.
            pub fn name(self) -> &'static str { match self { $($ty::$name => $text),* } }
            /// By name as printed.
            pub fn parse(text: &str) -> Option<$ty> { $ty::ALL.iter().copied().find(|l| l.name() == text) }
        }
        impl fmt::Display for $ty {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { f.write_str(self.name()) }
        }
    };
}

levels! {
    /// Stability of a name or of its data, weakest first.
    Level {
        Internal "Internal", Private "Private", Obsolete "Obsolete", External "External", Unstable "Unstable",
        Evolving "Evolving", Stable "Stable", Standard "Standard",
    }
}

levels! {
    /// What an interface depends on, most specific first.
    Class { Unknown "Unknown", Cpu "CPU", Platform "Platform", Group "Group", Isa "ISA", Common "Common" }
}

/// The attributes of an interface or of what uses interfaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stability {
    /// Of the name.
    pub name: Level,
    /// Of the data.
    pub data: Level,
    /// Dependency class.
    pub class: Class,
}

impl Stability {
    /// The strongest attributes: the identity of [`Stability::min`].
    pub const MAX: Stability = Stability {
        name: Level::Standard,
        data: Level::Standard,
        class: Class::Common,
    };
    /// What a plain D program has that uses nothing.
    pub const STABLE: Stability = Stability {
        name: Level::Stable,
        data: Level::Stable,
        class: Class::Common,
    };
    /// `Evolving/Evolving/Common`.
    pub const EVOLVING: Stability = Stability {
        name: Level::Evolving,
        data: Level::Evolving,
        class: Class::Common,
    };
    /// What undeclared interfaces have: `Private/Private/Unknown`.
    pub const PRIVATE: Stability = Stability {
        name: Level::Private,
        data: Level::Private,
        class: Class::Unknown,
    };

    /// Component-wise minimum: the attributes of something that uses both.
    #[must_use]
    pub fn min(self, other: Stability) -> Stability {
        Stability {
            name: self.name.min(other.name),
            data: self.data.min(other.data),
            class: self.class.min(other.class),
        }
    }

    /// Whether any component is below that of `least`.
    pub fn is_below(self, least: Stability) -> bool {
        self.name < least.name || self.data < least.data || self.class < least.class
    }

    /// Parses `Name/Data/Class`.
    pub fn parse(text: &str) -> Option<Stability> {
        let mut parts = text.split('/');
        let name = Level::parse(parts.next()?)?;
        let data = Level::parse(parts.next()?)?;
        let class = Class::parse(parts.next()?)?;
        parts
            .next()
            .is_none()
            .then_some(Stability { name, data, class })
    }
}

impl fmt::Display for Stability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.name, self.data, self.class)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minimum_is_component_wise_and_text_round_trips() {
        let a = Stability::parse("Stable/Private/Common").unwrap();
        let b = Stability::parse("Evolving/Stable/ISA").unwrap();
        assert_eq!(a.min(b).to_string(), "Evolving/Private/ISA");
        assert!(a.min(b).is_below(a));
        assert!(!a.is_below(a));
        assert_eq!(a.min(Stability::MAX), a);
        assert_eq!(Stability::parse("Stable/Stable"), None);
        assert_eq!(Stability::parse("Stable/Stable/Common/x"), None);
    }
}

//! Versions of the D language (reference §26): `1.0` … `1.13`.

use std::fmt;

/// A version: major, minor, micro.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Version(pub u8, pub u16, pub u16);

impl Version {
    /// The first.
    pub const FIRST: Version = Version(1, 0, 0);
    /// The one this compiler implements.
    pub const CURRENT: Version = Version(1, 13, 0);
    /// Every version that programs may ask for.
    pub const ALL: [Version; 20] = [
        Version(1, 0, 0),
        Version(1, 1, 0),
        Version(1, 2, 0),
        Version(1, 2, 1),
        Version(1, 2, 2),
        Version(1, 3, 0),
        Version(1, 4, 0),
        Version(1, 4, 1),
        Version(1, 5, 0),
        Version(1, 6, 0),
        Version(1, 6, 1),
        Version(1, 6, 2),
        Version(1, 6, 3),
        Version(1, 7, 0),
        Version(1, 8, 0),
        Version(1, 9, 0),
        Version(1, 10, 0),
        Version(1, 11, 0),
        Version(1, 12, 0),
        Version(1, 13, 0),
    ];

    /// Parses `major.minor[.micro]`. `None`: not properly formatted or too large.
    pub fn parse(text: &str) -> Option<Version> {
        let mut parts = text.split('.').map(|p| {
            if p.is_empty() || !p.bytes().all(|b| b.is_ascii_digit()) {
                None
            } else {
                p.parse::<u16>().ok()
            }
        });
        let major = u8::try_from(parts.next()??).ok()?;
        let minor = parts.next()??;
        let micro = match parts.next() {
            Some(p) => p?,
            None => 0,
        };
        (parts.next().is_none() && minor <= 4095 && micro <= 4095)
            .then_some(Version(major, minor, micro))
    }

    /// Whether the compiler knows this version.
    pub fn is_defined(self) -> bool {
        Version::ALL.contains(&self)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.0, self.1)?;
        if self.2 == 0 {
            Ok(())
        } else {
            write!(f, ".{}", self.2)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_parse_print_and_compare() {
        assert_eq!(Version::parse("1.6.3"), Some(Version(1, 6, 3)));
        assert_eq!(Version::parse("1.6.3").unwrap().to_string(), "1.6.3");
        assert_eq!(Version::parse("1.13").unwrap(), Version::CURRENT);
        assert!(Version(1, 9, 0) < Version(1, 10, 0));
        for bad in ["", "1", "1.", "1.x", "1.2.3.4", "999.1", "1.70000", "+1.2"] {
            assert_eq!(Version::parse(bad), None, "{bad}");
        }
        assert!(!Version(1, 5, 5).is_defined());
    }
}

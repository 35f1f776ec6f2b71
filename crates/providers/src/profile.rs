//! `profile:::profile-N[unit]` (every CPU) and `profile:::tick-N[unit]` (one CPU).
//!
//! The name is the request: any legal one exists as soon as it is asked for. A usual few are listed, so that globs
//! and `dtrace -l` have something to show.

use crate::stability::{Attributes, Class, Level, Stability};
use crate::{Arg, Env, Error, Provider, Spec, ids};
use image::{ArgSource, Probe, Site};

const EVOLVING: Attributes = Attributes::both(Level::Evolving, Class::Common);
const STABILITY: Stability = Stability {
    provider: EVOLVING,
    module: Attributes::both(Level::Unstable, Class::Unknown),
    function: Attributes::both(Level::Private, Class::Unknown),
    name: EVOLVING,
    args: EVOLVING,
};

const NS_PER_SEC: u64 = 1_000_000_000;
/// Firings a second (on one CPU) that are allowed.
const RATE_MAX: u64 = 5000;
/// Ids from [`ids::PROFILE`] on.
const FIRST_IDS: u32 = ids::SYSCALL - ids::PROFILE;

const LISTED: [&str; 13] = [
    "profile-97",
    "profile-199",
    "profile-499",
    "profile-997",
    "profile-1999",
    "profile-4001",
    "profile-4999",
    "tick-1",
    "tick-10",
    "tick-100",
    "tick-500",
    "tick-1000",
    "tick-5000",
];

/// Units of time and their nanoseconds.
const UNITS: [(&str, u64); 14] = [
    ("ns", 1),
    ("nsec", 1),
    ("us", 1000),
    ("usec", 1000),
    ("ms", 1_000_000),
    ("msec", 1_000_000),
    ("s", NS_PER_SEC),
    ("sec", NS_PER_SEC),
    ("m", 60 * NS_PER_SEC),
    ("min", 60 * NS_PER_SEC),
    ("h", 3600 * NS_PER_SEC),
    ("hour", 3600 * NS_PER_SEC),
    ("d", 86_400 * NS_PER_SEC),
    ("day", 86_400 * NS_PER_SEC),
];

/// The provider and the probes that exist so far; the place in `created` makes the id.
pub(crate) struct Profile {
    created: Vec<Probe>,
}

impl Profile {
    pub(crate) fn new() -> Profile {
        let mut profile = Profile {
            created: Vec::new(),
        };
        for name in LISTED {
            if let Ok(Some(site)) = site(name) {
                profile.create(name, site);
            }
        }
        profile
    }

    fn create(&mut self, name: &str, site: Site) -> Probe {
        let index = self.created.len() as u32;
        let id = if index < FIRST_IDS {
            ids::PROFILE + index
        } else {
            ids::PROFILE_MORE + index - FIRST_IDS
        };
        let probe = Probe {
            id,
            provider: "profile".into(),
            module: "".into(),
            function: "".into(),
            name: name.into(),
            site,
            selector: 0,
            points: Default::default(),
        };
        self.created.push(probe.clone());
        probe
    }

    fn exact(&mut self, name: &str) -> Result<Option<Probe>, Error> {
        if let Some(probe) = self.created.iter().find(|probe| &*probe.name == name) {
            return Ok(Some(probe.clone()));
        }
        Ok(site(name)?.map(|site| self.create(name, site)))
    }
}

/// Where the probe of that name fires; `None` if it is no name of this provider's.
fn site(name: &str) -> Result<Option<Site>, Error> {
    let (every_cpu, text) = match (name.strip_prefix("profile-"), name.strip_prefix("tick-")) {
        (Some(text), _) => (true, text),
        (None, Some(text)) => (false, text),
        (None, None) => return Ok(None),
    };
    let Some(period_ns) = period_ns(text) else {
        return Ok(None);
    };
    if period_ns < NS_PER_SEC / RATE_MAX {
        return Err(Error::Rate {
            name: name.into(),
            max: RATE_MAX,
        });
    }
    Ok(Some(if every_cpu {
        Site::Profile { period_ns }
    } else {
        Site::Tick { period_ns }
    }))
}

/// Parses `N[unit]`; `None` for nonsense, zero, and what does not fit 63 bits.
fn period_ns(text: &str) -> Option<u64> {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, unit) = text.split_at_checked(digits)?;
    let number: u64 = number.parse().ok().filter(|n| *n > 0)?;
    if unit.is_empty() || unit.eq_ignore_ascii_case("hz") {
        return Some(NS_PER_SEC / number);
    }
    let (_, scale) = UNITS
        .iter()
        .find(|(name, _)| unit.eq_ignore_ascii_case(name))?;
    number
        .checked_mul(*scale)
        .filter(|ns| i64::try_from(*ns).is_ok())
}

impl Provider for Profile {
    fn name(&self) -> &'static str {
        "profile"
    }

    fn stability(&self) -> &'static Stability {
        &STABILITY
    }

    fn find(&mut self, spec: &Spec, _: &mut dyn Env) -> Result<Vec<Probe>, Error> {
        if !spec.module.matches("") || !spec.function.matches("") {
            return Ok(Vec::new());
        }
        match spec.name.exact() {
            Some(name) => Ok(self.exact(name)?.into_iter().collect()),
            None => {
                let listed = self.created.iter().take(LISTED.len());
                Ok(listed
                    .filter(|probe| spec.matches(probe))
                    .cloned()
                    .collect())
            }
        }
    }

    fn by_id(&mut self, id: u32, _: &mut dyn Env) -> Option<Probe> {
        self.created.iter().find(|probe| probe.id == id).cloned()
    }

    fn args(&self, _: &Probe, _: &mut dyn Env) -> Result<Vec<Arg>, Error> {
        Ok(Vec::new())
    }

    fn raw_args(&self, probe: &Probe, _: &mut dyn Env) -> Vec<ArgSource> {
        match probe.site {
            Site::Profile { .. } => vec![
                ArgSource::SampleKernelPc,
                ArgSource::SampleUserPc,
                ArgSource::Zero,
            ],
            Site::Tick { .. } => (0..=2).map(ArgSource::CtxWord).collect(),
            Site::Begin
            | Site::End
            | Site::Error
            | Site::Counter(_)
            | Site::SyscallEntry
            | Site::SyscallReturn
            | Site::Tracepoint { .. }
            | Site::KernelFunction { .. }
            | Site::KernelProbe { .. }
            | Site::User
            | Site::UserPlace { .. }
            | Site::KernelFunctions { .. } => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn periods() {
        let table = [
            ("1", Some(1_000_000_000)),
            ("997", Some(1_003_009)),
            ("100hz", Some(10_000_000)),
            ("5s", Some(5_000_000_000)),
            ("5sec", Some(5_000_000_000)),
            ("10ms", Some(10_000_000)),
            ("10MSEC", Some(10_000_000)),
            ("300us", Some(300_000)),
            ("300usec", Some(300_000)),
            ("250000ns", Some(250_000)),
            ("250000nsec", Some(250_000)),
            ("2m", Some(120_000_000_000)),
            ("2min", Some(120_000_000_000)),
            ("1h", Some(3_600_000_000_000)),
            ("1hour", Some(3_600_000_000_000)),
            ("1d", Some(86_400_000_000_000)),
            ("1day", Some(86_400_000_000_000)),
            ("", None),
            ("0", None),
            ("0s", None),
            ("s", None),
            ("-1", None),
            ("1.5s", None),
            ("1fortnight", None),
            ("99999999999999999999", None),
            ("106752d", None),
        ];
        for (text, expected) in table {
            assert_eq!(period_ns(text), expected, "{text}");
        }
    }

    #[test]
    fn too_often_is_an_error_not_a_miss() {
        assert_eq!(
            site("profile-5000"),
            Ok(Some(Site::Profile { period_ns: 200_000 }))
        );
        assert!(site("profile-5001").is_err());
        assert!(site("profile-2000000000").is_err());
        assert!(site("tick-100us").is_err());
        assert_eq!(site("tick-0"), Ok(None));
        assert_eq!(site("entry"), Ok(None));
    }

    #[test]
    fn every_listed_name_is_legal() {
        let names: Vec<_> = Profile::new()
            .created
            .iter()
            .map(|p| p.name.to_string())
            .collect();
        assert_eq!(names, LISTED);
    }

    #[test]
    fn ids_skip_the_syscall_range() {
        let mut profile = Profile::new();
        for n in 1..=200 {
            let probe = profile.exact(&format!("tick-{n}ms"));
            let id = probe.ok().flatten().map(|p| p.id).unwrap_or_default();
            assert!(
                (ids::PROFILE..ids::SYSCALL).contains(&id) || id >= ids::PROFILE_MORE,
                "{id}"
            );
        }
    }
}

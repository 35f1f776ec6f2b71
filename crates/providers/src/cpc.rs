//! `cpc:::EVENT-MODE[-MASK]-COUNT`: every CPU, each time that so many events have happened there.
//!
//! The name is the request, as for `profile`: any event that the machine can sample may be named, in the kernel's
//! spelling (`cpu-cycles`), as a generic event (`PAPI_tot_cyc`), as an event of the CPU's own unit (what sysfs lists) or
//! raw (`r01c2`). What cannot be sampled here is an error that says why. (Name and arguments: cpc provider of the
//! dynamic tracing guide.)

use crate::stability::{Attributes, Class, Level, Stability};
use crate::{Arg, Env, Error, Provider, Spec, ids};
use counters::events::{LEAST, ROWS, row};
use counters::{Event, find};
use image::{ArgSource, Counter, Probe, Site};

const EVOLVING: Attributes = Attributes::both(Level::Evolving, Class::Common);
const STABILITY: Stability = Stability {
    provider: EVOLVING,
    module: Attributes::both(Level::Private, Class::Unknown),
    function: Attributes::both(Level::Private, Class::Unknown),
    name: Attributes::both(Level::Evolving, Class::Cpu),
    args: EVOLVING,
};

/// Count of the listed probes of the CPU's own events.
const USUAL: u64 = 1_000_000;

/// The provider, and the probes beyond the listed ones that exist so far; the place makes the id.
#[derive(Default)]
pub(crate) struct Cpc {
    created: Vec<Probe>,
}

/// A name, taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Request<'a> {
    event: &'a str,
    user: bool,
    kernel: bool,
    mask: Option<u64>,
    count: u64,
}

impl<'a> Request<'a> {
    /// Splits a name from its end, because names of events have dashes too.
    fn parse(name: &'a str) -> Option<Request<'a>> {
        let (rest, count) = name.rsplit_once('-')?;
        let count = number(count).filter(|n| *n > 0)?;
        let (rest, mask) = match rest.rsplit_once('-') {
            Some((before, mask)) if mask.starts_with("0x") => {
                (before, Some(u64::from_str_radix(mask.get(2..)?, 16).ok()?))
            }
            Some(_) | None => (rest, None),
        };
        let (event, mode) = rest.rsplit_once('-')?;
        let (user, kernel) = match mode {
            "all" => (true, true),
            "user" => (true, false),
            "kernel" => (false, true),
            _ => return None,
        };
        (!event.is_empty()).then_some(Request {
            event,
            user,
            kernel,
            mask,
            count,
        })
    }

    fn counter(&self, event: &Event) -> Counter {
        let [config, config1, config2] = event.words;
        Counter {
            kind: event.kind,
            config,
            config1,
            config2,
            user: self.user,
            kernel: self.kernel,
            period: self.count,
        }
    }
}

/// A decimal number without sign.
fn number(text: &str) -> Option<u64> {
    let digits = !text.is_empty() && text.bytes().all(|c| c.is_ascii_digit());
    text.parse()
        .ok()
        .filter(|n| digits && i64::try_from(*n).is_ok())
}

/// What `name` stands for on this machine; `None` if nobody knows it.
fn event(request: &Request<'_>, env: &mut dyn Env) -> Result<Option<Event>, Error> {
    let found = find(request.event, || env.pmu_events());
    match (found, request.mask) {
        (Some(mut event), Some(mask)) => {
            masked(&mut event, mask, request.event, env)?;
            Ok(Some(event))
        }
        (found, _) => Ok(found),
    }
}

/// Adds a unit mask, where the CPU's events have one: bits 8 to 15 of the configuration on x86.
fn masked(event: &mut Event, mask: u64, name: &str, env: &dyn Env) -> Result<(), Error> {
    let has_mask = matches!(env.arch(), crate::Arch::X86_64) && event.row.is_none();
    if !has_mask || mask > 0xff {
        return Err(Error::Kernel(format!(
            "event {name} takes no mask 0x{mask:x}"
        )));
    }
    let [config, ..] = &mut event.words;
    *config = *config & !0xff00 | mask << 8;
    Ok(())
}

/// Why an event cannot be sampled, in one line.
fn refusal(event: &str, kind: u32, errno: i32) -> Error {
    let (why, hint) = (sys::error::text(errno), counters::refusal(kind, errno));
    Error::Kernel(format!("event {event} cannot be sampled: {why}{hint}"))
}

/// Names of the probes that are listed where the machine has them. The place makes the id.
fn candidates(env: &mut dyn Env) -> Vec<String> {
    let generic = ROWS
        .iter()
        .map(|row| format!("{}-all-{}", row.name, row.usual));
    let own = env.pmu_events();
    let own = own.iter().filter(|own| row(&own.name).is_none());
    generic
        .chain(own.map(|own| format!("{}-all-{USUAL}", own.name)))
        .collect()
}

fn probe(id: u32, name: &str, counter: Counter) -> Probe {
    Probe {
        id,
        provider: "cpc".into(),
        module: "".into(),
        function: "".into(),
        name: name.into(),
        site: Site::Counter(counter),
        selector: 0,
        points: Default::default(),
    }
}

/// The counter that a name asks for, tried; `None` if the name is none of this provider's.
fn counter(name: &str, env: &mut dyn Env) -> Result<Option<Counter>, Error> {
    let Some(request) = Request::parse(name) else {
        return Ok(None);
    };
    let Some(event) = event(&request, env)? else {
        return Ok(None);
    };
    let least = event.row.map_or(LEAST, |row| row.least);
    if request.count < least {
        return Err(Error::Count {
            name: name.into(),
            least,
        });
    }
    let counter = request.counter(&event);
    env.try_counter(&counter)
        .map_err(|errno| refusal(request.event, event.kind, errno))?;
    Ok(Some(counter))
}

impl Cpc {
    fn exact(&mut self, name: &str, env: &mut dyn Env) -> Result<Option<Probe>, Error> {
        let Some(counter) = counter(name, env)? else {
            return Ok(None);
        };
        let listed = (ids::CPC..)
            .zip(candidates(env))
            .find(|(_, own)| own == name);
        if let Some((id, _)) = listed {
            return Ok(Some(probe(id, name, counter)));
        }
        if let Some(probe) = self.created.iter().find(|probe| &*probe.name == name) {
            return Ok(Some(probe.clone()));
        }
        let id = ids::CPC_MORE + self.created.len() as u32;
        self.created.push(probe(id, name, counter));
        Ok(self.created.last().cloned())
    }
}

/// The listed probe with that id, if this machine can sample its event.
fn listed(id: u32, name: &str, env: &mut dyn Env) -> Option<Probe> {
    // What this machine has no counter for is not listed.
    let counter = counter(name, env).ok().flatten()?;
    Some(probe(id, name, counter))
}

impl Provider for Cpc {
    fn name(&self) -> &'static str {
        "cpc"
    }

    fn stability(&self) -> &'static Stability {
        &STABILITY
    }

    fn find(&mut self, spec: &Spec, env: &mut dyn Env) -> Result<Vec<Probe>, Error> {
        if !spec.module.matches("") || !spec.function.matches("") {
            return Ok(Vec::new());
        }
        if let Some(name) = spec.name.exact() {
            return Ok(self.exact(name, env)?.into_iter().collect());
        }
        let names = (ids::CPC..).zip(candidates(env));
        let matching = names.filter(|(_, name)| spec.name.matches(name));
        Ok(matching
            .filter_map(|(id, name)| listed(id, &name, env))
            .collect())
    }

    fn by_id(&mut self, id: u32, env: &mut dyn Env) -> Option<Probe> {
        if let Some(probe) = self.created.iter().find(|probe| probe.id == id) {
            return Some(probe.clone());
        }
        let index = id.checked_sub(ids::CPC).filter(|_| id < ids::CPC_MORE)?;
        let name = candidates(env).into_iter().nth(index as usize)?;
        listed(id, &name, env)
    }

    fn args(&self, _: &Probe, _: &mut dyn Env) -> Result<Vec<Arg>, Error> {
        Ok(Vec::new())
    }

    fn raw_args(&self, _: &Probe, _: &mut dyn Env) -> Vec<ArgSource> {
        vec![ArgSource::SampleKernelPc, ArgSource::SampleUserPc]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::FixtureEnv;
    use crate::{Arch, LinuxEnv, Pattern};
    use counters::events::SOFTWARE;
    use std::rc::Rc;
    use sys::errno;
    use sys::simulated::Pmu;

    fn find(text: &str) -> Result<Vec<String>, Error> {
        let spec = Spec::new(&Pattern::parse(text))?;
        let found = Cpc::default().find(&spec, &mut FixtureEnv::new(Arch::X86_64))?;
        Ok(found
            .into_iter()
            .map(|probe| probe.name.to_string())
            .collect())
    }

    #[test]
    fn names_are_split_from_the_end() {
        let request = |event, user, kernel, mask, count| {
            Some(Request {
                event,
                user,
                kernel,
                mask,
                count,
            })
        };
        let table = [
            (
                "PAPI_tot_cyc-all-5000000",
                request("PAPI_tot_cyc", true, true, None, 5_000_000),
            ),
            (
                "L1-dcache-load-misses-user-10000",
                request("L1-dcache-load-misses", true, false, None, 10_000),
            ),
            (
                "mem_load-kernel-0x1f-5000",
                request("mem_load", false, true, Some(0x1f), 5000),
            ),
            ("cycles-all-0", None),
            ("cycles-all-+5", None),
            ("cycles-all", None),
            ("cycles-some-5000", None),
            ("-all-5000", None),
            ("entry", None),
            ("cycles-all-0xzz-5000", None),
            ("cycles-all-99999999999999999999", None),
        ];
        for (name, expected) in table {
            assert_eq!(Request::parse(name), expected, "{name}");
        }
    }

    #[test]
    fn what_can_be_sampled_is_listed_and_the_rest_says_why() {
        // The fixed machine has software events, one event of its own, and no generic hardware event.
        let listed = find("cpc:::").unwrap_or_default();
        assert!(listed.contains(&"page-faults-all-100".to_owned()));
        assert!(listed.contains(&"own.event-all-1000000".to_owned()));
        assert!(!listed.iter().any(|name| name.starts_with("cpu-cycles")));
        let refused = find("cpc:::cycles-all-5000000").map_err(|e| e.to_string());
        assert!(
            refused.is_err_and(|e| e.starts_with("event cycles cannot be sampled: ")
                && e.contains("no such performance counter"))
        );
        assert_eq!(find("cpc:::no_such_event-all-5000"), Ok(Vec::new()));
        assert!(matches!(
            find("cpc:::cycles-all-4999"),
            Err(Error::Count { least: 5000, .. })
        ));
        assert!(find("cpc:::page_faults-all-0x1-5000").is_err());
    }

    #[test]
    fn masks_replace_bits_8_to_15() {
        let env = &mut FixtureEnv::new(Arch::X86_64);
        let config = |name: &str, env: &mut FixtureEnv| {
            let request = Request::parse(name)?;
            event(&request, env)
                .ok()
                .flatten()
                .map(|event| event.words[0])
        };
        assert_eq!(config("r12c2-all-0x3-5000", env), Some(0x3c2));
        assert_eq!(config("r1c2-all-5000", env), Some(0x1c2));
        assert_eq!(config("r1c2-all-0x100-5000", env), None);
        let arm = &mut FixtureEnv::new(Arch::Arm64);
        assert_eq!(config("r1c2-all-0x1-5000", arm), None);
    }

    /// What the provider answers on a machine that does not exist.
    fn on(pmu: &Pmu, text: &str) -> Result<usize, String> {
        let spec = Spec::new(&Pattern::parse(text)).map_err(|e| e.to_string())?;
        let btf = Rc::new(FixtureEnv::btf());
        let mut env = LinuxEnv::new(btf, Box::new(crate::testing::Text));
        let found = pmu.run(|| Cpc::default().find(&spec, &mut env));
        assert!(pmu.open().is_empty(), "trials leave nothing open");
        found.map(|f| f.len()).map_err(|e| e.to_string())
    }

    #[test]
    fn refusals_say_what_the_machine_says() {
        let cycles = "cpc:::PAPI_tot_cyc-all-1000000";
        let refused = |errno| {
            let pmu = Pmu::new(4).refusing(move |_| Some(errno));
            on(&pmu, cycles).err().unwrap_or_default()
        };
        assert_eq!(on(&Pmu::new(4), cycles), Ok(1));
        let table = [
            (
                errno::ENOENT,
                "No such file or directory; this machine, or this guest of it, shows no such performance counter",
            ),
            (
                errno::ENOTSUP,
                "Operation not supported; this machine, or this guest of it, shows no such performance counter",
            ),
            (errno::EACCES, "Permission denied"),
            (
                errno::EBUSY,
                "Device or resource busy; others use the performance counters",
            ),
            (errno::ENODEV, "No such device"),
        ];
        for (errno, why) in table {
            let text = format!("event PAPI_tot_cyc cannot be sampled: {why}");
            assert_eq!(refused(errno), text);
        }
    }

    #[test]
    fn only_what_counts_is_listed() {
        let all = on(&Pmu::new(4), "cpc:::").unwrap_or(0);
        let kernel = on(&Pmu::none(), "cpc:::").unwrap_or(0);
        let software = ROWS.iter().filter(|row| row.kind == SOFTWARE).count();
        assert_eq!(kernel, software, "those of the kernel need no counter");
        let hardware = ROWS.len() - software;
        assert!(all >= kernel + hardware, "{all}");
        // In the kernel only: the trial asks for what the probe will.
        let user = Pmu::new(4).refusing(|a| (!a.kernel || a.user).then_some(errno::EACCES));
        assert_eq!(on(&user, "cpc:::instructions-kernel-5000"), Ok(1));
        assert!(on(&user, "cpc:::instructions-user-5000").is_err());
    }

    #[test]
    fn ids_do_not_depend_on_what_was_asked_before() {
        let env = &mut FixtureEnv::new(Arch::X86_64);
        let mut cpc = Cpc::default();
        let first = cpc.exact("page_faults-user-7", env).ok().flatten();
        assert_eq!(first.as_ref().map(|p| p.id), Some(ids::CPC_MORE));
        let all = Spec::all();
        let listed = cpc.find(&all, env).unwrap_or_default();
        for probe in listed.iter().chain(&first) {
            assert_eq!(cpc.by_id(probe.id, env).as_ref(), Some(probe));
            let again = cpc.exact(&probe.name, env).ok().flatten();
            assert_eq!(again.as_ref(), Some(probe));
        }
    }
}

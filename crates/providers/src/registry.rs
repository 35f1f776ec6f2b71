//! The table of providers, and the questions that go to all of them.

use crate::cpc::Cpc;
use crate::derived;
use crate::dtrace::Dtrace;
use crate::fbt::Fbt;
use crate::pid::Pid;
use crate::plockstat::Plockstat;
use crate::profile::Profile;
use crate::sdt::Sdt;
use crate::syscall::Syscall;
use crate::usdt::Usdt;
use crate::{Arg, Derivation, Env, Error, NextId, Pattern, Provider, Spec, Stability, suggest};
use image::{ArgSource, Probe};

/// All providers. It remembers the probes that were created on demand, so keep one for a whole run.
pub struct Registry {
    providers: Vec<Box<dyn Provider>>,
}

impl Default for Registry {
    fn default() -> Registry {
        Registry::new()
    }
}

impl Registry {
    /// The providers of this product.
    pub fn new() -> Registry {
        let mut providers: Vec<Box<dyn Provider>> = vec![
            Box::new(Dtrace),
            Box::new(Profile::new()),
            Box::new(Syscall),
        ];
        // Those that share a name with another come first: they know their own.
        providers.extend(derived::providers().map(|p| Box::new(p) as Box<dyn Provider>));
        providers.push(Box::new(Sdt));
        providers.push(Box::<Cpc>::default());
        providers.push(Box::<Fbt>::default());
        let next = NextId::default();
        providers.push(Box::new(Pid::new(next.clone())));
        providers.push(Box::new(Plockstat::new(next.clone())));
        providers.push(Box::new(Usdt::new(next)));
        Registry { providers }
    }

    /// Names of all providers.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.providers.iter().map(|provider| provider.name())
    }

    /// Stability of a provider's probes; `None` if there is no such provider.
    pub fn stability(&self, provider: &str) -> Option<&'static Stability> {
        self.named(provider).map(|provider| provider.stability())
    }

    /// All probes that match, in id order.
    pub fn find(&mut self, pattern: &Pattern, env: &mut dyn Env) -> Result<Vec<Probe>, Error> {
        let spec = Spec::new(pattern)?;
        let mut groups: Vec<Vec<Probe>> = Vec::new();
        for provider in &mut self.providers {
            // Looking at all processes takes long: only where nothing else can be meant.
            let far = provider.is_far() && !groups.is_empty();
            if provider.answers(&spec.provider) && !far {
                let probes = provider.find(&spec, env)?;
                groups.extend((!probes.is_empty()).then_some(probes));
            }
        }
        Ok(in_order(groups))
    }

    /// The probe with this id.
    pub fn by_id(&mut self, id: u32, env: &mut dyn Env) -> Option<Probe> {
        self.providers
            .iter_mut()
            .find_map(|provider| provider.by_id(id, env))
    }

    /// Typed arguments of a probe.
    pub fn args(&self, probe: &Probe, env: &mut dyn Env) -> Result<Vec<Arg>, Error> {
        self.owner(probe)
            .map_or(Ok(Vec::new()), |provider| provider.args(probe, env))
    }

    /// The D type that `args[n]` is translated to, if it is.
    pub fn translation(&self, probe: &Probe, n: usize) -> Option<&'static str> {
        self.owner(probe)?.translation(probe, n)
    }

    /// The definition of a probe's provider as D text, where the program that has the probe brings it.
    pub fn interface(&self, probe: &Probe) -> Option<std::rc::Rc<str>> {
        self.owner(probe)?.interface(probe)
    }

    /// What a probe is derived from, if it is.
    pub fn derivation(
        &self,
        probe: &Probe,
        env: &mut dyn Env,
    ) -> Result<Option<Derivation>, Error> {
        self.owner(probe)
            .map_or(Ok(None), |provider| provider.derivation(probe, env))
    }

    /// Sources of `arg0`… of a probe; those past the end read as 0.
    pub fn raw_args(&self, probe: &Probe, env: &mut dyn Env) -> Vec<ArgSource> {
        self.owner(probe)
            .map_or(Vec::new(), |provider| provider.raw_args(probe, env))
    }

    /// What the user should know about the descriptions looked for since the last call.
    pub fn notes(&mut self) -> Vec<String> {
        let providers = self.providers.iter_mut();
        providers.flat_map(|provider| provider.notes()).collect()
    }

    /// The description nearest to one that matches nothing, if one is near enough.
    pub fn suggest(&mut self, pattern: &Pattern, env: &mut dyn Env) -> Option<String> {
        suggest::suggest(self, pattern, env)
    }

    fn owner(&self, probe: &Probe) -> Option<&dyn Provider> {
        self.providers
            .iter()
            .find(|provider| provider.is_called(&probe.provider) && provider.owns(probe))
            .map(|provider| &**provider)
    }

    fn named(&self, name: &str) -> Option<&dyn Provider> {
        self.providers
            .iter()
            .find(|provider| provider.is_called(name))
            .map(|provider| &**provider)
    }
}

/// The probes of all groups in the order of their ids. Groups have ranges of ids, and the largest has a hundred thousand
/// probes in order: it stays where it is, and mostly there is nothing to sort.
fn in_order(mut groups: Vec<Vec<Probe>>) -> Vec<Probe> {
    groups.sort_by_key(|group| group.first().map(|probe| probe.id));
    let largest = (0..groups.len()).max_by_key(|n| groups.get(*n).map(Vec::len));
    let mut behind = groups.split_off(largest.unwrap_or(0)).into_iter();
    let mut all = behind.next().unwrap_or_default();
    all.splice(0..0, groups.into_iter().flatten());
    all.extend(behind.flatten());
    if !all.is_sorted_by_key(|probe| probe.id) {
        all.sort_by_key(|probe| probe.id);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Arch;
    use crate::testing::FixtureEnv;

    fn find(text: &str) -> Vec<Probe> {
        Registry::new()
            .find(&Pattern::parse(text), &mut FixtureEnv::new(Arch::X86_64))
            .unwrap()
    }

    #[test]
    fn everything_is_listed_in_id_order_and_once() {
        let all = find(":::");
        assert!(all.is_sorted_by(|a, b| a.id < b.id));
        let providers: std::collections::BTreeSet<_> = all.iter().map(|p| &*p.provider).collect();
        let registry = Registry::new();
        let names: std::collections::BTreeSet<_> = registry.names().collect();
        assert!(providers.is_subset(&names), "{providers:?}");
        // The others need tracepoints that the fixed kernel lacks, or processes.
        for name in [
            "cpc", "dtrace", "proc", "profile", "sched", "sdt", "syscall",
        ] {
            assert!(providers.contains(name), "{name}");
        }
        let ids: Vec<u32> = find("BEGIN")
            .iter()
            .chain(&find("dtrace:::"))
            .map(|p| p.id)
            .collect();
        assert_eq!(ids, [1, 1, 2, 3]);
    }

    #[test]
    fn every_id_leads_back_to_its_probe() {
        let mut registry = Registry::new();
        let env = &mut FixtureEnv::new(Arch::X86_64);
        let mut all = registry.find(&Pattern::default(), env).unwrap();
        all.extend(registry.find(&Pattern::parse("tick-17ms"), env).unwrap());
        for probe in &all {
            assert_eq!(registry.by_id(probe.id, env).as_ref(), Some(probe));
        }
        for id in [0, 99, 899_999, u32::MAX] {
            assert_eq!(registry.by_id(id, env), None);
        }
    }

    #[test]
    fn every_provider_states_its_stability() {
        let registry = Registry::new();
        for name in registry.names() {
            assert!(registry.stability(name).is_some());
        }
        assert!(registry.stability("nfs").is_none());
    }

    #[test]
    fn simple_descriptions_read_nothing_from_the_kernel() {
        let mut registry = Registry::new();
        let env = &mut FixtureEnv::new(Arch::X86_64);
        for text in [
            "BEGIN",
            "dtrace:::END",
            "tick-5s",
            "profile:::profile-997",
            "syscall:::entry",
            "syscall::read:entry",
        ] {
            assert!(
                !registry
                    .find(&Pattern::parse(text), env)
                    .unwrap()
                    .is_empty(),
                "{text}"
            );
        }
        assert_eq!(env.questions(), 0);
    }
}

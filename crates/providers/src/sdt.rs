//! `sdt:GROUP::NAME`: every tracepoint of the kernel, under its own name.
//!
//! Tracepoints are known from the `btf_trace_NAME` types of BTF, so that those without an event in tracefs are there
//! too. The module field shows the event group (`sched`), which is how people know them; a description may also say
//! `vmlinux` or the name of the kernel module. `args[]` are the tracepoint's own parameters.

use crate::stability::{SDT, Stability};
use crate::{Arg, ArgType, Env, Error, Group, Provider, Spec, Tracepoint, dtrace, ids};
use image::{ArgSource, Probe, Site};

/// Raw arguments D can name.
const RAW_ARGS: usize = 10;
const VMLINUX: &str = "vmlinux";
const HIDDEN: &str = "the groups of tracepoints cannot be told: this user may not read tracefs";

/// The provider.
pub(crate) struct Sdt;

fn probe(tracepoint: Tracepoint, module: String) -> Probe {
    Probe {
        id: ids::SDT + tracepoint.index,
        provider: "sdt".into(),
        module: module.into(),
        function: "".into(),
        name: tracepoint.name.as_str().into(),
        site: Site::Tracepoint {
            name: tracepoint.name,
            module: tracepoint.module,
        },
        selector: 0,
        points: Default::default(),
    }
}

/// The module field of a tracepoint's probe, if the description's matches.
fn module_field(spec: &Spec, tracepoint: &Tracepoint, env: &mut dyn Env) -> Option<String> {
    let own = tracepoint.module.as_deref().unwrap_or(VMLINUX);
    let asked = spec.module.exact();
    match env.group(&tracepoint.name, asked) {
        Group::Named(group) => {
            (spec.module.matches(&group) || spec.module.matches(own)).then_some(group)
        }
        Group::None => spec.module.matches(own).then(|| own.to_owned()),
        // Nobody can tell whether the group is right, but a full name identifies the tracepoint.
        Group::Unknown if spec.name.exact().is_some() => Some(asked.unwrap_or(own).to_owned()),
        Group::Unknown => spec.module.matches(own).then(|| own.to_owned()),
    }
}

/// Whether a tracepoint could have this name; spares reading BTF where the answer is clear.
fn plausible(name: &str) -> bool {
    !dtrace::reserves(name) && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Strips what keeps a parameter of a tracepoint from being named.
fn site(site: &Site) -> Option<(&str, Option<&str>)> {
    match site {
        Site::Tracepoint { name, module } => Some((name, module.as_deref())),
        Site::Begin
        | Site::End
        | Site::Error
        | Site::Tick { .. }
        | Site::Profile { .. }
        | Site::Counter(_)
        | Site::SyscallEntry
        | Site::SyscallReturn
        | Site::KernelFunction { .. }
        | Site::KernelProbe { .. }
        | Site::User
        | Site::UserPlace { .. }
        | Site::KernelFunctions { .. } => None,
    }
}

impl Provider for Sdt {
    fn name(&self) -> &'static str {
        "sdt"
    }

    fn stability(&self) -> &'static Stability {
        &SDT
    }

    fn find(&mut self, spec: &Spec, env: &mut dyn Env) -> Result<Vec<Probe>, Error> {
        if !spec.function.matches("") {
            return Ok(Vec::new());
        }
        if let Some(name) = spec.name.exact() {
            if !plausible(name) {
                return Ok(Vec::new());
            }
            let Some(tracepoint) = env.tracepoint(name).map_err(Error::Kernel)? else {
                return Ok(Vec::new());
            };
            let module = module_field(spec, &tracepoint, env);
            return Ok(module
                .map(|module| probe(tracepoint, module))
                .into_iter()
                .collect());
        }
        let all = env.tracepoints().map_err(Error::Kernel)?;
        env.load_groups();
        let named: Vec<_> = all.iter().filter(|t| spec.name.matches(&t.name)).collect();
        let found: Vec<_> = named
            .iter()
            .filter_map(|t| Some(probe((*t).clone(), module_field(spec, t, env)?)))
            .collect();
        let hidden = |t: &&Tracepoint| env.group(&t.name, None) == Group::Unknown;
        if found.is_empty() && named.first().is_some_and(hidden) {
            return Err(Error::Kernel(HIDDEN.to_owned()));
        }
        Ok(found)
    }

    fn by_id(&mut self, id: u32, env: &mut dyn Env) -> Option<Probe> {
        let index = id.checked_sub(ids::SDT)?;
        let tracepoint = env.tracepoints().ok()?.get(index as usize)?.clone();
        let module = module_field(&Spec::all(), &tracepoint, env)?;
        Some(probe(tracepoint, module))
    }

    fn args(&self, probe: &Probe, env: &mut dyn Env) -> Result<Vec<Arg>, Error> {
        args(&probe.site, env)
    }

    fn raw_args(&self, probe: &Probe, env: &mut dyn Env) -> Vec<ArgSource> {
        let Some((name, module)) = site(&probe.site) else {
            return Vec::new();
        };
        // The kernel refuses programs that read more words than the tracepoint passes.
        let words = env.params(name, module).map_or(0, |params| params.len());
        (0..=u8::MAX)
            .take(words.min(RAW_ARGS))
            .map(ArgSource::CtxWord)
            .collect()
    }
}

/// Tracepoints and arguments whose type is a pointer to a structure, but whose value may be a small number or an error:
/// kernels know it and take no program that follows such a pointer by itself (Linux 6.12's later versions).
const NO_POINTERS: [(&str, u8); 6] = [
    ("cachefiles_lookup", 2),
    ("mr_integ_alloc", 3),
    ("nfs4_inode_callback_event", 2),
    ("nfs4_inode_stateid_callback_event", 2),
    ("signal_deliver", 1),
    ("signal_generate", 1),
];

/// `args[]` of a tracepoint.
pub(crate) fn args(at: &Site, env: &mut dyn Env) -> Result<Vec<Arg>, Error> {
    let Some((name, module)) = site(at) else {
        return Ok(Vec::new());
    };
    let params = env.params(name, module).map_err(Error::Kernel)?;
    let args = (0..=u8::MAX).zip(params).map(|(n, param)| Arg {
        ty: ArgType::Btf {
            module: module.map(str::to_owned),
            id: param.ty,
        },
        user: false,
        source: ArgSource::CtxWord(n),
        trusted: param.kernel_struct && !NO_POINTERS.contains(&(name, n)),
    });
    Ok(args.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::FixtureEnv;
    use crate::{Arch, Pattern};

    fn find(text: &str, env: &mut FixtureEnv) -> Vec<String> {
        let spec = Spec::new(&Pattern::parse(text)).unwrap();
        let found = Sdt.find(&spec, env).unwrap();
        found
            .into_iter()
            .map(|p| format!("{}:{}", p.module, p.name))
            .collect()
    }

    #[test]
    fn module_field_is_group_or_module() {
        let env = &mut FixtureEnv::new(Arch::X86_64);
        for text in [
            "sdt:sched::sched_switch",
            "sdt:vmlinux::sched_switch",
            "sched_switch",
            "sdt:sch*::sched_switch",
        ] {
            assert_eq!(find(text, env), ["sched:sched_switch"], "{text}");
        }
        assert!(find("sdt:irq::sched_switch", env).is_empty());
        assert!(find("sdt::f:sched_switch", env).is_empty());
        assert!(find("sdt:::tick-1s", env).is_empty());
        assert_eq!(find("sdt:sched::", env).len(), 5);
        assert_eq!(find("sdt:testmod::", env), ["testmod:testmod_event"]);
        assert_eq!(find("testmod_event", env), ["testmod:testmod_event"]);
        assert!(find("sdt:vmlinux::testmod_event", env).is_empty());
    }

    #[test]
    fn unknown_groups_do_not_stand_in_the_way() {
        let env = &mut FixtureEnv::new(Arch::X86_64);
        env.hide_groups();
        assert_eq!(find("sdt:sched::sched_switch", env), ["sched:sched_switch"]);
        assert_eq!(find("sdt:::sched_switch", env), ["vmlinux:sched_switch"]);
        assert_eq!(find("sdt:testmod::", env), ["testmod:testmod_event"]);
        let spec = Spec::new(&Pattern::parse("sdt:sched::")).unwrap();
        assert_eq!(Sdt.find(&spec, env), Err(Error::Kernel(HIDDEN.to_owned())));
    }

    #[test]
    fn ids_lead_back() {
        let env = &mut FixtureEnv::new(Arch::X86_64);
        for probe in Sdt.find(&Spec::all(), env).unwrap() {
            assert_eq!(Sdt.by_id(probe.id, env).as_ref(), Some(&probe));
            let words = Sdt.args(&probe, env).unwrap().len();
            assert_eq!(Sdt.raw_args(&probe, env).len(), words);
        }
    }
}

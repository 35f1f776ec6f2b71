//! "Did you mean": the existing probe nearest to a description that matches none.

use crate::{Env, Glob, Pattern, Registry, Spec};
use image::Probe;

/// Nearest description in the shape of the one asked for: fields left out stay out, globs stay globs.
pub(crate) fn suggest(
    registry: &mut Registry,
    pattern: &Pattern,
    env: &mut dyn Env,
) -> Option<String> {
    if let Some(ours) = of_bpftrace(pattern) {
        return Some(ours);
    }
    let spec = Spec::new(pattern).ok()?;
    let everything = Pattern {
        provider: provider_field(registry, &spec),
        ..Pattern::default()
    };
    let probes = registry.find(&everything, env).ok()?;
    let near = as_group(pattern, &spec, &probes).or_else(|| {
        let scored = probes
            .iter()
            .filter_map(|probe| Some((distance(&spec, probe)?, probe)));
        let (_, nearest) = scored.min_by_key(|(distance, probe)| (*distance, probe.id))?;
        let corrected = Pattern {
            provider: corrected(&spec.provider, &pattern.provider, &nearest.provider),
            module: corrected(&spec.module, &pattern.module, &nearest.module),
            function: corrected(&spec.function, &pattern.function, &nearest.function),
            name: corrected(&spec.name, &pattern.name, &nearest.name),
        };
        (corrected != *pattern)
            .then(|| text(&corrected))
            .filter(|text| !text.is_empty())
    });
    if near.is_some() || everything.provider.is_empty() {
        return near;
    }
    // A provider may have the name of a group of tracepoints.
    let probes = registry.find(&Pattern::default(), env).ok()?;
    as_group(pattern, &spec, &probes)
}

/// What bpftrace calls otherwise.
fn of_bpftrace(pattern: &Pattern) -> Option<String> {
    let fields = [
        &pattern.provider,
        &pattern.module,
        &pattern.function,
        &pattern.name,
    ];
    let words: Vec<&str> = fields
        .into_iter()
        .map(String::as_str)
        .skip_while(|field| field.is_empty())
        .collect();
    match words[..] {
        ["kprobe" | "kfunc" | "fentry", function] => Some(format!("fbt::{function}:entry")),
        ["kretprobe" | "kretfunc" | "fexit", function] => Some(format!("fbt::{function}:return")),
        ["rawtracepoint", name] => Some(format!("sdt:::{name}")),
        ["tracepoint", "syscalls", name] => {
            let entry = name.strip_prefix("sys_enter_").map(|call| (call, "entry"));
            let (call, way) =
                entry.or_else(|| name.strip_prefix("sys_exit_").map(|call| (call, "return")))?;
            Some(format!("syscall::{call}:{way}"))
        }
        ["interval", unit, n] => Some(format!("tick-{n}{unit}")),
        ["profile", "hz", n] => Some(format!("profile-{n}")),
        ["profile", unit, n] => Some(format!("profile-{n}{unit}")),
        _ => None,
    }
}

/// Spares the other providers the search if the one asked for exists.
fn provider_field(registry: &Registry, spec: &Spec) -> String {
    let exists = |asked: &&str| registry.names().any(|name| name == *asked);
    spec.provider
        .exact()
        .filter(exists)
        .unwrap_or_default()
        .to_owned()
}

/// A field names the group of a tracepoint (`sched:::sched_switch`, `tracepoint:sched:sched_switch`).
fn as_group(pattern: &Pattern, spec: &Spec, probes: &[Probe]) -> Option<String> {
    let fields = [&spec.provider, &spec.module, &spec.function];
    let asked =
        |group: &str| !group.is_empty() && fields.iter().any(|field| field.exact() == Some(group));
    let found = probes
        .iter()
        .find(|probe| asked(&probe.module) && spec.name.matches(&probe.name))?;
    Some(text(&Pattern {
        provider: found.provider.to_string(),
        module: found.module.to_string(),
        function: String::new(),
        name: pattern.name.clone(),
    }))
}

/// Sum over the fields; `None` if one is too far away.
fn distance(spec: &Spec, probe: &Probe) -> Option<usize> {
    let fields = [
        (&spec.provider, &probe.provider),
        (&spec.module, &probe.module),
        (&spec.function, &probe.function),
        (&spec.name, &probe.name),
    ];
    fields
        .into_iter()
        .map(|(glob, actual)| field_distance(glob, actual))
        .sum()
}

fn field_distance(glob: &Glob, actual: &str) -> Option<usize> {
    match glob {
        Glob::Any => Some(0),
        Glob::Pattern(_) => glob.matches(actual).then_some(0),
        // A field that the probe does not have: the user put something there that does not belong.
        Glob::Exact(_) if actual.is_empty() => Some(4),
        // The kernel's name of a system call's function (`sys_open`, `__x64_sys_open`).
        Glob::Exact(asked)
            if asked
                .strip_suffix(actual)
                .is_some_and(|start| start.ends_with('_')) =>
        {
            Some(1)
        }
        Glob::Exact(asked) => {
            let limit = (asked.chars().count().max(3) / 3).min(4);
            let other_case = asked != actual && asked.eq_ignore_ascii_case(actual);
            if other_case {
                Some(1)
            } else {
                diag::suggest::distance(asked, actual, limit)
            }
        }
    }
}

fn corrected(glob: &Glob, asked: &str, actual: &str) -> String {
    match glob {
        Glob::Exact(_) => actual.to_owned(),
        Glob::Any | Glob::Pattern(_) => asked.to_owned(),
    }
}

fn text(pattern: &Pattern) -> String {
    let full = format!(
        "{}:{}:{}:{}",
        pattern.provider, pattern.module, pattern.function, pattern.name
    );
    full.trim_start_matches(':').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Arch;
    use crate::testing::FixtureEnv;

    fn check(asked: &str, expected: Option<&str>) {
        let mut env = FixtureEnv::new(Arch::X86_64);
        let found = Registry::new().suggest(&Pattern::parse(asked), &mut env);
        assert_eq!(found.as_deref(), expected, "{asked}");
    }

    #[test]
    fn nearest_probe() {
        check("syscall::opnat:entry", Some("syscall::openat:entry"));
        check("opnat:entry", Some("openat:entry"));
        check("syscal::read:entry", Some("syscall::read:entry"));
        check("syscall::read:enrty", Some("syscall::read:entry"));
        check("syscall::raed:", Some("syscall::read:"));
        check("syscall:::begin", None);
        check("dtrace:::BEGN", Some("dtrace:::BEGIN"));
        check("sdt:::sched_swtich", Some("sdt:::sched_switch"));
        check("sdt:shed::sched_switch", Some("sdt:sched::sched_switch"));
        check("sched:::sched_switch", Some("sdt:sched::sched_switch"));
        check("syscall:vmlinux:read:entry", Some("syscall::read:entry"));
        check(
            "tracepoint:sched:sched_switch",
            Some("sdt:sched::sched_switch"),
        );
        check("begin", Some("BEGIN"));
        check("kprobe:vfs_read", Some("fbt::vfs_read:entry"));
        check(
            "tracepoint:syscalls:sys_exit_read",
            Some("syscall::read:return"),
        );
        check("interval:s:1", Some("tick-1s"));
        check("profile:hz:99", Some("profile-99"));
        check(
            "syscall::__x64_sys_openat:entry",
            Some("syscall::openat:entry"),
        );
        check("nogroup::", None);
        check("fbt::vfs_read:entry", None);
        check("syscall::zzzzzzzz:entry", None);
    }
}

//! `syscall::NAME:entry` and `syscall::NAME:return`, from the system call table of the architecture.
//!
//! entry: arg0…arg5 and `args[]` are the call's arguments. return: arg0 and arg1 are the result, -1 with `errno` set if
//! the call failed. All probes share one site for entry and one for return; the number selects among them.

mod alias;
mod table;

use crate::glob::Glob;
use crate::stability::{Attributes, Class, Level, Stability};
use crate::{Arch, Arg, ArgType, Env, Error, Provider, Spec, ids};
use image::{ArgSource, Probe, Site};
use table::{Row, TABLE};

const EVOLVING: Attributes = Attributes::both(Level::Evolving, Class::Common);
const UNSTABLE: Attributes = Attributes::both(Level::Unstable, Class::Isa);
const STABILITY: Stability = Stability {
    provider: EVOLVING,
    module: Attributes::both(Level::Private, Class::Unknown),
    function: UNSTABLE,
    name: EVOLVING,
    args: UNSTABLE,
};

/// Arguments a system call can have.
const ARGS_MAX: u8 = 6;

/// The provider.
pub(crate) struct Syscall;

/// Number of the call on an architecture that has it.
fn number(row: &Row, arch: Arch) -> Option<u32> {
    let number = match arch {
        Arch::X86_64 => row.x86_64,
        Arch::Arm64 => row.arm64,
    };
    u32::try_from(number).ok()
}

/// The number of the call with this ABI name.
pub(crate) fn number_of(name: &str, arch: Arch) -> Option<u32> {
    let row = TABLE.iter().find(|row| row.name == name)?;
    number(row, arch)
}

/// The rows of an architecture with their indices and numbers.
fn rows(arch: Arch) -> impl Iterator<Item = (u32, u32, &'static Row)> {
    (0..)
        .zip(TABLE)
        .filter_map(move |(index, row)| number(row, arch).map(|number| (index, number, row)))
}

/// A kind of probe that every system call has: its name, site and offset from the first id of the call.
type Kind = (&'static str, Site, u32);
const KINDS: [Kind; 2] = [
    ("entry", Site::SyscallEntry, 0),
    ("return", Site::SyscallReturn, 1),
];

fn probe(index: u32, number: u32, row: &Row, (name, site, offset): &Kind) -> Probe {
    Probe {
        id: ids::SYSCALL + 2 * index + offset,
        provider: "syscall".into(),
        module: "".into(),
        function: row.name.into(),
        name: (*name).into(),
        site: site.clone(),
        selector: number,
        points: Default::default(),
    }
}

/// Names are looked at first: most descriptions are about other providers' probes.
fn matching(arch: Arch, function: impl Fn(&str) -> bool, name: &Glob) -> Vec<Probe> {
    let kinds: Vec<&Kind> = KINDS.iter().filter(|k| name.matches(k.0)).collect();
    if kinds.is_empty() {
        return Vec::new();
    }
    rows(arch)
        .filter(|(_, _, row)| function(row.name))
        .flat_map(|(index, number, row)| {
            let one = move |kind: &&Kind| probe(index, number, row, kind);
            kinds.iter().map(one)
        })
        .collect()
}

/// Splits a C parameter declaration at its name.
fn param_type(declaration: &str) -> &str {
    declaration
        .trim()
        .trim_end_matches(|c: char| c.is_ascii_alphanumeric() || c == '_')
        .trim_end()
}

fn entry_args(row: &Row) -> Vec<Arg> {
    let params = row
        .params
        .split(',')
        .map(param_type)
        .filter(|ty| !ty.is_empty());
    (0..ARGS_MAX)
        .zip(params)
        .map(|(n, ty)| Arg {
            ty: ArgType::C(ty.to_owned()),
            user: true,
            source: ArgSource::SyscallArg(n),
            trusted: false,
        })
        .collect()
}

impl Provider for Syscall {
    fn name(&self) -> &'static str {
        "syscall"
    }

    fn stability(&self) -> &'static Stability {
        &STABILITY
    }

    fn find(&mut self, spec: &Spec, env: &mut dyn Env) -> Result<Vec<Probe>, Error> {
        if !spec.module.matches("") {
            return Ok(Vec::new());
        }
        let found = matching(
            env.arch(),
            |function| spec.function.matches(function),
            &spec.name,
        );
        match spec.function.exact() {
            Some(asked) if found.is_empty() => {
                let targets = alias::targets(asked);
                Ok(matching(
                    env.arch(),
                    |function| targets.contains(&function),
                    &spec.name,
                ))
            }
            _ => Ok(found),
        }
    }

    fn by_id(&mut self, id: u32, env: &mut dyn Env) -> Option<Probe> {
        let index = id.checked_sub(ids::SYSCALL)? / 2;
        let row = TABLE.get(index as usize)?;
        let number = number(row, env.arch())?;
        let kind = KINDS
            .iter()
            .find(|k| ids::SYSCALL + 2 * index + k.2 == id)?;
        Some(probe(index, number, row, kind))
    }

    fn args(&self, probe: &Probe, env: &mut dyn Env) -> Result<Vec<Arg>, Error> {
        let Some((_, _, row)) = rows(env.arch()).find(|(_, number, _)| *number == probe.selector)
        else {
            return Ok(Vec::new());
        };
        if probe.site == Site::SyscallEntry {
            return Ok(entry_args(row));
        }
        let ty = ArgType::C(row.ret.to_owned());
        Ok(vec![Arg {
            ty,
            user: true,
            source: ArgSource::SyscallRet,
            trusted: false,
        }])
    }

    fn raw_args(&self, probe: &Probe, _: &mut dyn Env) -> Vec<ArgSource> {
        if probe.site == Site::SyscallEntry {
            (0..ARGS_MAX).map(ArgSource::SyscallArg).collect()
        } else {
            vec![ArgSource::SyscallRet; 2]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Pattern;
    use crate::testing::FixtureEnv;
    use std::collections::HashSet;

    fn find(text: &str, arch: Arch) -> Vec<String> {
        let mut env = FixtureEnv::new(arch);
        let spec = Spec::new(&Pattern::parse(text)).unwrap();
        let found = Syscall.find(&spec, &mut env).unwrap();
        found
            .into_iter()
            .map(|p| format!("{}:{}", p.function, p.name))
            .collect()
    }

    #[test]
    fn table_is_consistent_on_each_architecture() {
        for arch in [Arch::X86_64, Arch::Arm64] {
            let mut names = HashSet::new();
            let mut numbers = HashSet::new();
            for (_, number, row) in rows(arch) {
                assert!(names.insert(row.name), "{} twice", row.name);
                assert!(numbers.insert(number), "{number} twice");
                let args = entry_args(row);
                assert_eq!(
                    args.len(),
                    row.params.split(',').filter(|p| !p.is_empty()).count(),
                    "{}",
                    row.name
                );
            }
            assert!(names.len() > 300);
        }
        assert!(ids::SYSCALL + 2 * TABLE.len() as u32 <= ids::SDT);
    }

    #[test]
    fn known_numbers() {
        let number = |name, arch| {
            rows(arch)
                .find(|(_, _, row)| row.name == name)
                .map(|(_, n, _)| n)
        };
        assert_eq!(number("read", Arch::X86_64), Some(0));
        assert_eq!(number("read", Arch::Arm64), Some(63));
        assert_eq!(number("openat", Arch::X86_64), Some(257));
        assert_eq!(number("openat", Arch::Arm64), Some(56));
        assert_eq!(number("newfstatat", Arch::Arm64), Some(79));
        assert_eq!(number("open", Arch::Arm64), None);
        assert_eq!(number("umount2", Arch::X86_64), Some(166));
        assert_eq!(number("mseal", Arch::X86_64), Some(462));
    }

    #[test]
    fn names_and_aliases() {
        assert_eq!(
            find("syscall::read:", Arch::X86_64),
            ["read:entry", "read:return"]
        );
        assert_eq!(find("syscall::read*:entry", Arch::X86_64).len(), 5);
        assert_eq!(find("syscall::open:entry", Arch::X86_64), ["open:entry"]);
        assert_eq!(
            find("syscall::open:entry", Arch::Arm64),
            ["openat:entry", "openat2:entry"]
        );
        assert_eq!(find("syscall::newstat:entry", Arch::X86_64), ["stat:entry"]);
        assert_eq!(
            find("syscall::exece:return", Arch::X86_64),
            ["execve:return", "execveat:return"]
        );
        assert!(find("syscall::exec?:entry", Arch::X86_64).is_empty());
        assert!(find("syscall::doorfs:entry", Arch::X86_64).is_empty());
        assert!(find("syscall:vmlinux::entry", Arch::X86_64).is_empty());
    }

    #[test]
    fn arguments() {
        let mut env = FixtureEnv::new(Arch::X86_64);
        let spec = Spec::new(&Pattern::parse("syscall::openat:")).unwrap();
        let found = Syscall.find(&spec, &mut env).unwrap();
        let [entry, ret] = found.as_slice() else {
            panic!("two probes")
        };
        let types: Vec<_> = Syscall
            .args(entry, &mut env)
            .unwrap()
            .into_iter()
            .map(|a| a.ty)
            .collect();
        let expected = ["int", "const char *", "int", "umode_t"].map(|t| ArgType::C(t.to_owned()));
        assert_eq!(types, expected);
        assert_eq!(Syscall.args(ret, &mut env).unwrap().len(), 1);
        assert_eq!(Syscall.raw_args(ret, &mut env), [ArgSource::SyscallRet; 2]);
        assert_eq!(Syscall.by_id(entry.id, &mut env).as_ref(), Some(entry));
        assert_eq!(Syscall.by_id(ret.id, &mut env).as_ref(), Some(ret));
    }
}

//! What `-l -v` and `-v` tell about probes: stability and argument types.

use crate::libraries;
use crate::opts::Options;
use crate::world::SystemWorld;
use image::{Probe, UserPoint};
use sema::Compiler;
use sema::world::{ArgDesc, World};
use std::collections::HashMap;
use std::path::Path;
use symbols::{ElfFile, code};

/// Bytes of the longest instruction, and one more.
const LONGEST: u64 = 16;

/// Stability of one thing, as printed: name, data, class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attributes {
    /// `Identifier Names`.
    pub name: &'static str,
    /// `Data Semantics`.
    pub data: &'static str,
    /// `Dependency Class`.
    pub class: &'static str,
}

impl From<providers::Attributes> for Attributes {
    fn from(a: providers::Attributes) -> Attributes {
        Attributes {
            name: a.name.name(),
            data: a.data.name(),
            class: a.class.name(),
        }
    }
}

impl From<lang::Stability> for Attributes {
    fn from(a: lang::Stability) -> Attributes {
        Attributes {
            name: a.name.name(),
            data: a.data.name(),
            class: a.class.name(),
        }
    }
}

/// What is known of one probe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Described {
    /// Of its description.
    pub probe: Attributes,
    /// Of its arguments.
    pub args: Attributes,
    /// Types of `args[0]`…, or why they cannot be told.
    pub types: Result<Vec<String>, String>,
    /// The kernel must single-step an instruction where it fires: that takes about 20 times as long.
    pub stepped: bool,
}

/// The strongest attributes there are: the minimum over nothing.
const STRONGEST: providers::Attributes = providers::Attributes {
    name: providers::Level::Standard,
    data: providers::Level::Standard,
    class: providers::Class::Common,
};
/// Where it is not said which provider's probes are meant.
const UNSTABLE: providers::Attributes = providers::Attributes {
    name: providers::Level::Unstable,
    data: providers::Level::Unstable,
    class: providers::Class::Common,
};
const UNKNOWN: providers::Attributes = providers::Attributes {
    name: providers::Level::Private,
    data: providers::Level::Private,
    class: providers::Class::Unknown,
};

fn min(a: providers::Attributes, b: providers::Attributes) -> providers::Attributes {
    providers::Attributes {
        name: a.name.min(b.name),
        data: a.data.min(b.data),
        class: a.class.min(b.class),
    }
}

/// Attributes of a probe description, the weakest of those fields that say something, and of the arguments.
fn of_description(
    world: &SystemWorld,
    [provider, module, function, name]: [&str; 4],
) -> (providers::Attributes, providers::Attributes) {
    let says = |field: &str| !field.is_empty() && !field.contains(['*', '?', '[', '\\']);
    if !says(provider) {
        return (UNSTABLE, UNSTABLE);
    }
    let Some(s) = world.stability(provider) else {
        return (UNKNOWN, UNKNOWN);
    };
    let fields = [(module, s.module), (function, s.function), (name, s.name)];
    let said = fields.into_iter().filter(|(field, _)| says(field));
    (said.map(|(_, a)| a).fold(s.provider, min), s.args)
}

/// Stability and argument types of a probe.
pub fn describe(world: &mut SystemWorld, options: &Options, probe: &Probe) -> Described {
    let fields = [&probe.provider, &probe.module, &probe.function, &probe.name];
    let (description, args) = of_description(world, fields.map(|f| f.as_ref()));
    Described {
        probe: description.into(),
        args: args.into(),
        types: defined(world, options, probe).unwrap_or_else(|| types(world, probe)),
        stepped: stepped([probe]) > 0,
    }
}

/// How many of these probes fire where the kernel must single-step an instruction.
pub fn stepped<'a>(probes: impl IntoIterator<Item = &'a Probe>) -> usize {
    let mut files: HashMap<&str, Option<ElfFile>> = HashMap::new();
    let mut is_stepped = |point: &'a UserPoint| {
        let open = || ElfFile::open(Path::new(&*point.file)).ok();
        let elf = files.entry(&point.file).or_insert_with(open).as_ref();
        elf.is_some_and(|elf| {
            let code = elf.read(point.offset, LONGEST);
            code.is_ok_and(|code| code::is_stepped(elf.machine(), &code))
        })
    };
    let probes = probes.into_iter();
    probes
        .filter(|p| p.points.iter().any(&mut is_stepped))
        .count()
}

/// Types that the definition of an application's provider tells.
fn defined(
    world: &mut SystemWorld,
    options: &Options,
    probe: &Probe,
) -> Option<Result<Vec<String>, String>> {
    world.interface(probe)?;
    let mut compiler = Compiler::new(world, sema::Options::default());
    compiler.add_libraries(libraries::all(options));
    compiler.defined_types(probe)
}

/// Types that the probe's provider tells.
fn types(world: &mut SystemWorld, probe: &Probe) -> Result<Vec<String>, String> {
    let mut graph = world.types();
    world.args(probe, &mut graph).map(|args| {
        let shown = |(n, arg): (usize, &ArgDesc)| match world.translation(probe, n) {
            Some(translated) => translated.to_owned(),
            None => graph.name(arg.ty),
        };
        args.iter().enumerate().map(shown).collect()
    })
}

/// The weakest attributes of these probe descriptions.
pub fn weakest(world: &SystemWorld, descriptions: &[String]) -> Attributes {
    let attributes = descriptions.iter().map(|text| {
        let mut fields = text.splitn(4, ':');
        of_description(world, [(); 4].map(|()| fields.next().unwrap_or("")))
    });
    attributes.map(|(a, _)| a).fold(STRONGEST, min).into()
}

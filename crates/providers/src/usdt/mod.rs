//! `NAMEpid:module:function:name`: probes that programs and libraries define themselves.
//!
//! They are found by the notes in the files that a process has mapped. A provider is asked for with the number of a
//! process (`python123`, `python$target`), or by a pattern (`python*`): that gives one probe for all processes, those too
//! that start later. A pattern with digits (`python12*`) and a list have probes for each process that runs.

mod notes;
mod operand;

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;
use std::sync::Arc;

use diag::Tag;
use image::{ArgSource, EVERY, Operand, PointKind, Probe, Site, UserPoint};
use symbols::ElfFile;

use crate::stability::{Attributes, Class, Level, Stability};
use crate::{Arg, ArgType, Env, Error, Glob, Module, NextId, Provider, Spec};
use notes::Note;

const PRIVATE: Attributes = Attributes::both(Level::Private, Class::Unknown);
const STABILITY: Stability = Stability {
    provider: PRIVATE,
    module: PRIVATE,
    function: PRIVATE,
    name: PRIVATE,
    args: PRIVATE,
};

/// Provider with the number of its process, module, function, name.
type Names = [String; 4];

/// What the notes of a file tell: probes, and definitions of providers by name.
#[derive(Clone)]
struct Noted {
    notes: Rc<[Note]>,
    interfaces: Rc<HashMap<String, Rc<str>>>,
}

/// The provider and the probes found so far.
pub(crate) struct Usdt {
    next: NextId,
    /// Notes by file (which stays open, so that its address stays its own).
    files: HashMap<usize, (Arc<ElfFile>, Noted)>,
    created: Vec<Probe>,
    /// Definitions of their providers, by place in `created`.
    interfaces: HashMap<usize, Rc<str>>,
    by_names: HashMap<Names, usize>,
}

/// Whether a file has probes of its own.
pub(crate) fn has_probes(elf: &ElfFile) -> bool {
    notes::are_in(elf)
}

/// Name and process of a provider's name.
pub(crate) fn parts(provider: &str) -> Option<(&str, u32)> {
    let name = provider.trim_end_matches(|c: char| c.is_ascii_digit());
    let pid = provider.get(name.len()..)?.parse().ok()?;
    (!name.is_empty() && name != "pid" && pid > 0).then_some((name, pid))
}

impl Usdt {
    pub fn new(next: NextId) -> Usdt {
        Usdt {
            next,
            files: HashMap::new(),
            created: Vec::new(),
            interfaces: HashMap::new(),
            by_names: HashMap::new(),
        }
    }

    fn notes(&mut self, elf: &Arc<ElfFile>) -> Noted {
        let key = Arc::as_ptr(elf).addr();
        let read = || Noted {
            notes: notes::of(elf).into(),
            interfaces: Rc::new(notes::interfaces(elf)),
        };
        let (_, noted) = self
            .files
            .entry(key)
            .or_insert_with(|| (Arc::clone(elf), read()));
        noted.clone()
    }

    /// Probes of modules: those of one process, or of whatever process has them.
    fn of_modules(
        &mut self,
        modules: &[Module],
        pid: Option<u32>,
        spec: &Spec,
        found: &mut Vec<usize>,
    ) {
        let mut points: BTreeMap<usize, Vec<UserPoint>> = BTreeMap::new();
        for module in modules {
            let noted = self.notes(&module.elf);
            for note in noted.notes.iter() {
                let provider = match pid {
                    Some(pid) => format!("{}{pid}", note.provider),
                    None => format!("{}{EVERY}", note.provider),
                };
                let same = spec.provider.matches(&provider)
                    && (spec.module.matches(&module.name) || spec.module.matches(&module.path))
                    && (spec.name.matches(&note.name)
                        || spec.name.exact().map(|n| n.replace("__", "-"))
                            == Some(note.name.clone()));
                if !same {
                    continue;
                }
                let function = note.function(&module.elf);
                if !spec.function.matches(function) {
                    continue;
                }
                let names = [
                    provider,
                    module.name.clone(),
                    function.to_owned(),
                    note.name.clone(),
                ];
                let index = self.index(names);
                if let Some(interface) = noted.interfaces.get(&note.provider) {
                    self.interfaces.insert(index, Rc::clone(interface));
                }
                points.entry(index).or_default().push(UserPoint {
                    file: Arc::clone(&module.file),
                    offset: note.offset,
                    kind: PointKind::Instruction,
                    pid,
                    semaphore: note.semaphore,
                    word: 0,
                    operands: Arc::clone(&note.operands),
                });
            }
        }
        for (index, points) in points {
            if let Some(probe) = self.created.get_mut(index) {
                probe.points = points.into();
                found.push(index);
            }
        }
    }

    /// Probes of each process there is.
    fn of_each(&mut self, spec: &Spec, env: &mut dyn Env, found: &mut Vec<usize>) {
        for pid in env.processes() {
            // It may have ended meanwhile, or be out of reach.
            if let Ok(process) = env.process(pid) {
                self.of_modules(&process.modules, Some(pid), spec, found);
            }
        }
    }

    fn index(&mut self, names: Names) -> usize {
        if let Some(index) = self.by_names.get(&names) {
            return *index;
        }
        let index = self.created.len();
        let [provider, module, function, name] = names.clone();
        self.created.push(Probe {
            id: self.next.take(),
            provider: provider.into(),
            module: module.into(),
            function: function.into(),
            name: name.into(),
            site: Site::User,
            selector: 0,
            points: Arc::default(),
        });
        self.by_names.insert(names, index);
        index
    }
}

impl Provider for Usdt {
    fn name(&self) -> &'static str {
        "usdt"
    }

    fn answers(&self, provider: &Glob) -> bool {
        match provider {
            Glob::Any => false,
            Glob::Exact(text) => parts(text).is_some(),
            Glob::Pattern(_) => true,
        }
    }

    fn is_far(&self) -> bool {
        true
    }

    fn is_called(&self, provider: &str) -> bool {
        provider == self.name() || provider.ends_with(EVERY) || parts(provider).is_some()
    }

    fn stability(&self) -> &'static Stability {
        &STABILITY
    }

    fn find(&mut self, spec: &Spec, env: &mut dyn Env) -> Result<Vec<Probe>, Error> {
        let mut found = Vec::new();
        match spec.provider.exact() {
            Some(name) => {
                let Some((provider, pid)) = parts(name) else {
                    return Ok(Vec::new());
                };
                let Ok(process) = env.process(pid) else {
                    return Err(Error::Process {
                        tag: Tag::D_PROC_GRAB,
                        text: format!("failed to grab process {pid}"),
                    });
                };
                self.of_modules(&process.modules, Some(pid), spec, &mut found);
                if found.is_empty() && is_dof(&process, provider) {
                    return Err(Error::Process {
                        tag: Tag::D_PROC_CREATEFAIL,
                        text: format!(
                            "the probes of {provider} in process {pid} are in DTrace's own format (DOF), which is not read: \
                             build the program with this dtrace's -h"
                        ),
                    });
                }
            }
            None => {
                if spec.provider.ignores_numbers() && !env.lists() {
                    self.of_modules(&env.noted_files(), None, spec, &mut found);
                } else {
                    self.of_each(spec, env, &mut found);
                }
                // What was found before stays, also when its process has ended: a later compilation continues the first.
                let known = self.created.iter().enumerate();
                found.extend(known.filter(|(_, p)| spec.matches(p)).map(|(n, _)| n));
            }
        }
        found.sort_unstable();
        found.dedup();
        Ok(found
            .into_iter()
            .filter_map(|n| self.created.get(n).cloned())
            .collect())
    }

    fn by_id(&mut self, id: u32, _: &mut dyn Env) -> Option<Probe> {
        let index = self.created.binary_search_by_key(&id, |p| p.id).ok()?;
        self.created.get(index).cloned()
    }

    fn args(&self, probe: &Probe, _: &mut dyn Env) -> Result<Vec<Arg>, Error> {
        let operands = probe.points.first().map(|p| &p.operands);
        let all = operands.into_iter().flat_map(|all| all.iter());
        Ok(all
            .enumerate()
            .map(|(n, operand)| Arg {
                ty: ArgType::C(type_of(operand).to_owned()),
                user: true,
                source: ArgSource::Operand(n as u8),
                trusted: false,
            })
            .collect())
    }

    fn interface(&self, probe: &Probe) -> Option<Rc<str>> {
        let index = self
            .created
            .binary_search_by_key(&probe.id, |p| p.id)
            .ok()?;
        self.interfaces.get(&index).cloned()
    }

    fn raw_args(&self, probe: &Probe, _: &mut dyn Env) -> Vec<ArgSource> {
        let most = probe.points.iter().map(|p| p.operands.len()).max();
        (0..most.unwrap_or(0) as u8)
            .map(ArgSource::Operand)
            .collect()
    }
}

/// Whether a process has a provider in the object format of other systems' `dtrace -G`.
fn is_dof(process: &crate::Process, provider: &str) -> bool {
    let name = [&[0], provider.as_bytes(), &[0]].concat();
    process.modules.iter().any(|module| {
        let section = module.elf.section(".SUNW_dof").ok().flatten();
        section.is_some_and(|dof| dof.windows(name.len()).any(|w| w == name))
    })
}

/// What is known of an argument's type: its size and sign.
fn type_of(operand: &Operand) -> &'static str {
    match (operand.bytes, operand.signed) {
        (1, true) => "int8_t",
        (1, false) => "uint8_t",
        (2, true) => "int16_t",
        (2, false) => "uint16_t",
        (4, true) => "int32_t",
        (4, false) => "uint32_t",
        (_, true) => "int64_t",
        (_, false) => "uint64_t",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_providers() {
        assert_eq!(parts("python123"), Some(("python", 123)));
        assert_eq!(parts("a1b2"), Some(("a1b", 2)));
        for text in ["python", "pid12", "123", "python0", "x99999999999"] {
            assert_eq!(parts(text), None, "{text}");
        }
        let usdt = Usdt::new(NextId::default());
        assert!(usdt.answers(&Glob::new("py*")) && usdt.answers(&Glob::new("py12")));
        assert!(!usdt.answers(&Glob::new("")) && !usdt.answers(&Glob::new("syscall")));
    }
}

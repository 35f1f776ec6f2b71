//! `pidN:module:function:name`: functions of a process. Names are `entry`, `return` and the offsets (in hexadecimal
//! digits) of instructions; function `-` takes an absolute address as its name.
//!
//! A module is known by its path, by its file name, by that up to the first dot or to `.so` (`libc` and `libc.so` are `libc.so.6`), and the program
//! itself as `a.out` too. Probes exist only once they were asked for, with one process: `pid*` matches nothing.

pub(crate) mod points;

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use diag::Tag;
use image::{ArgSource, Probe, Site, UserPoint};
use symbols::Function;

use crate::stability::{Attributes, Class, Level, Stability};
use crate::{Arg, Env, Error, Glob, Module, NextId, Process, Provider, Spec};
use points::{Place, Refused};

const EVOLVING: Attributes = Attributes::both(Level::Evolving, Class::Isa);
const PRIVATE: Attributes = Attributes::both(Level::Private, Class::Unknown);
const STABILITY: Stability = Stability {
    provider: EVOLVING,
    module: PRIVATE,
    function: PRIVATE,
    name: EVOLVING,
    args: PRIVATE,
};

/// Arguments that `arg0`… give.
const ARGS: u8 = 10;
/// Most probes that one description may create.
const MOST: usize = 250_000;
/// What absolute addresses are looked for in.
const ABSOLUTE: &str = "-";
/// The program itself.
const PROGRAM: &str = "a.out";

/// Provider, module, function, name.
type Names = (u32, String, String, String);

/// The provider and the probes created so far.
pub(crate) struct Pid {
    next: NextId,
    created: Vec<Probe>,
    by_names: HashMap<Names, usize>,
}

fn error<T>(tag: Tag, text: String) -> Result<T, Error> {
    Err(Error::Process { tag, text })
}

/// Number of the process in a provider's name.
fn number(provider: &str) -> Option<u32> {
    let digits = provider.strip_prefix("pid")?;
    let plain = digits.bytes().all(|b| b.is_ascii_digit());
    digits.parse().ok().filter(|n| plain && *n > 0)
}

/// What a description asks for in each function.
enum Wanted<'a> {
    Entry,
    Return,
    Offset(u64),
    Matching(&'a Glob),
}

fn wanted(name: &Glob) -> Result<Wanted<'_>, Error> {
    match name.exact() {
        None => Ok(Wanted::Matching(name)),
        Some("entry") => Ok(Wanted::Entry),
        Some("return") => Ok(Wanted::Return),
        Some(text) => match u64::from_str_radix(text, 16) {
            Ok(offset) => Ok(Wanted::Offset(offset)),
            Err(_) => error(
                Tag::D_PROC_NAME,
                format!("'{text}' is an invalid probe name"),
            ),
        },
    }
}

/// Whether a description's module is this one.
fn is_module(asked: &Glob, module: &Module) -> bool {
    let stem = module.name.split('.').next().unwrap_or_default();
    (module.main && asked.exact() == Some(PROGRAM))
        || asked.matches(&module.name)
        || asked.matches(&module.path)
        || (!stem.is_empty() && asked.matches(stem))
        || module
            .name
            .split_once(".so.")
            .is_some_and(|(name, _)| asked.matches(&format!("{name}.so")))
}

/// A place found for a probe of a module.
struct Found<'a> {
    module: &'a Module,
    function: &'a str,
    name: String,
    place: Place,
}

/// Looks for the places of one description.
struct Search<'a> {
    process: &'a Process,
    spec: &'a Spec,
    found: Vec<Found<'a>>,
}

impl<'a> Search<'a> {
    fn run(&mut self) -> Result<(), Error> {
        let process = self.process;
        let wanted = wanted(&self.spec.name)?;
        let modules = process.modules.iter();
        let modules: Vec<&Module> = modules
            .filter(|m| is_module(&self.spec.module, m))
            .collect();
        if modules.is_empty() && self.spec.module.exact().is_some() {
            let program = process.modules.iter().find(|m| m.main);
            let single = process.modules.len() == 1;
            if let Some(program) = program.filter(|p| single && p.elf.interpreter().is_none()) {
                return error(
                    Tag::D_PROC_DYN,
                    format!(
                        "process {} is not a dynamically-linked executable",
                        program.path
                    ),
                );
            }
        }
        for module in modules {
            self.module(module, &wanted)?;
        }
        Ok(())
    }

    fn module(&mut self, module: &'a Module, wanted: &Wanted<'_>) -> Result<(), Error> {
        let spec = self.spec;
        let Some(exact) = spec.function.exact() else {
            let mut last = None;
            for f in module.elf.functions() {
                // Of several names of a function the first that matches counts.
                if last != Some(f.vaddr)
                    && f.size > 0
                    && !f.indirect
                    && spec.function.matches(f.name)
                {
                    last = Some(f.vaddr);
                    self.function(module, f, wanted, false)?;
                }
            }
            return Ok(());
        };
        let all: Vec<Function<'a>> = module.elf.functions().filter(|f| f.name == exact).collect();
        if all.is_empty() && self.spec.module.exact().is_some() {
            let asked = self.spec.module.exact().unwrap_or_default();
            return error(
                Tag::D_PROC_FUNC,
                format!("failed to lookup '{exact}' in module '{asked}'"),
            );
        }
        for f in all {
            self.function(module, f, wanted, true)?;
        }
        Ok(())
    }

    /// Probes of one function. What cannot be had is an error only if the function was named.
    fn function(
        &mut self,
        module: &'a Module,
        f: Function<'a>,
        wanted: &Wanted<'_>,
        named: bool,
    ) -> Result<(), Error> {
        let kept = self.found.len();
        let made = match wanted {
            Wanted::Entry => points::entry(module, &f)
                .map(|p| self.add(module, f.name, "entry".into(), p))
                .map_err(|why| created("entry probe for", f.name, why)),
            Wanted::Return => points::returns(self.process, module, &f)
                .map(|all| {
                    for p in all {
                        self.add(module, f.name, "return".into(), p);
                    }
                })
                .map_err(|why| created("return probe for", f.name, why)),
            Wanted::Offset(offset) => self.offset(module, &f, *offset),
            Wanted::Matching(name) => self.matching(module, &f, name),
        };
        if self.found.len() > MOST {
            return Err(created(
                "offset probes in",
                f.name,
                Refused(format!("a description may match {MOST} probes at most")),
            ));
        }
        match made {
            Err(e) if named => Err(e),
            Err(_) => {
                self.found.truncate(kept);
                Ok(())
            }
            Ok(()) => Ok(()),
        }
    }

    fn offset(&mut self, module: &'a Module, f: &Function<'a>, offset: u64) -> Result<(), Error> {
        if offset >= f.size {
            return error(
                Tag::D_PROC_OFF,
                format!("offset 0x{offset:x} outside of function '{}'", f.name),
            );
        }
        let why = |why: Refused| Error::Process {
            tag: Tag::D_PROC_CREATEFAIL,
            text: format!(
                "failed to create probe at '{}+0x{offset:x}': {}",
                f.name, why.0
            ),
        };
        match points::offset(module, f, offset).map_err(why)? {
            Some(place) => {
                self.add(module, f.name, format!("{offset:x}"), place);
                Ok(())
            }
            None => error(
                Tag::D_PROC_ALIGN,
                format!("offset 0x{offset:x} is not aligned on an instruction"),
            ),
        }
    }

    /// Entry, return and every instruction whose name matches.
    fn matching(&mut self, module: &'a Module, f: &Function<'a>, name: &Glob) -> Result<(), Error> {
        if name.matches("entry") {
            let place =
                points::entry(module, f).map_err(|why| created("entry probe for", f.name, why))?;
            self.add(module, f.name, "entry".into(), place);
        }
        if name.matches("return")
            && let Ok(places) = points::returns(self.process, module, f)
        {
            for place in places {
                self.add(module, f.name, "return".into(), place);
            }
        }
        // What could not be decoded has no instructions to offer.
        for (offset, place) in points::offsets(module, f).unwrap_or_default() {
            let text = format!("{offset:x}");
            if name.matches(&text) {
                self.add(module, f.name, text, place);
            }
        }
        Ok(())
    }

    fn add(&mut self, module: &'a Module, function: &'a str, name: String, place: Place) {
        self.found.push(Found {
            module,
            function,
            name,
            place,
        });
    }

    /// `-:ADDRESS`.
    fn absolute(&mut self) -> Result<(), Error> {
        if !matches!(self.spec.module.exact(), None | Some(PROGRAM)) {
            let text = "only the a.out module is valid with the '-' function";
            return error(Tag::D_PROC_LIB, text.to_owned());
        }
        let Some(name) = self.spec.name.exact() else {
            let text = "only individual addresses may be specified with the '-' function";
            return error(Tag::D_PROC_NAME, text.to_owned());
        };
        let Ok(address) = u64::from_str_radix(name, 16) else {
            return error(
                Tag::D_PROC_NAME,
                format!("'{name}' is an invalid probe name"),
            );
        };
        let failed = |why: &str| Error::Process {
            tag: Tag::D_PROC_CREATEFAIL,
            text: format!("failed to create probe at '-+0x{address:x}': {why}"),
        };
        let Some((module, place)) = self.process.at(address) else {
            return Err(failed("the process has no file's code there"));
        };
        let inside = module.elf.offset_to_vaddr(place);
        let Some((f, offset)) = inside.and_then(|v| module.elf.lookup(v)) else {
            return Err(failed(
                "it is in no known function, so an instruction may not begin there",
            ));
        };
        match points::offset(module, &f, offset).map_err(|why| failed(&why.0))? {
            Some(place) => {
                self.add(module, ABSOLUTE, format!("{address:x}"), place);
                Ok(())
            }
            None => error(
                Tag::D_PROC_ALIGN,
                format!("offset 0x{address:x} is not aligned on an instruction"),
            ),
        }
    }
}

fn created(what: &str, function: &str, why: Refused) -> Error {
    Error::Process {
        tag: Tag::D_PROC_CREATEFAIL,
        text: format!("failed to create {what} '{function}': {}", why.0),
    }
}

impl Pid {
    pub fn new(next: NextId) -> Pid {
        Pid {
            next,
            created: Vec::new(),
            by_names: HashMap::new(),
        }
    }

    /// Makes probes of places; places of one name are one probe.
    fn create(&mut self, process: &Process, found: Vec<Found<'_>>) -> Vec<Probe> {
        let mut order: Vec<usize> = Vec::new();
        let mut points: HashMap<usize, Vec<UserPoint>> = HashMap::new();
        for f in found {
            let names = (
                process.pid,
                f.module.name.clone(),
                f.function.to_owned(),
                f.name,
            );
            let index = self.index(names);
            let at = points.entry(index).or_insert_with(|| {
                order.push(index);
                Vec::new()
            });
            let point = UserPoint {
                file: f.module.file.clone(),
                offset: f.place.offset,
                kind: f.place.kind,
                pid: Some(process.pid),
                semaphore: 0,
                word: f.place.word,
                operands: f.place.operands,
            };
            if !at.contains(&point) {
                at.push(point);
            }
        }
        let mut probes = Vec::with_capacity(order.len());
        for index in order {
            if let Some(probe) = self.created.get_mut(index) {
                probe.points = Arc::from(points.remove(&index).unwrap_or_default());
                probes.push(probe.clone());
            }
        }
        probes.sort_by_key(|p| p.id);
        probes
    }

    fn index(&mut self, names: Names) -> usize {
        if let Some(index) = self.by_names.get(&names) {
            return *index;
        }
        let index = self.created.len();
        self.created.push(Probe {
            id: self.next.take(),
            provider: format!("pid{}", names.0).into(),
            module: names.1.as_str().into(),
            function: names.2.as_str().into(),
            name: names.3.as_str().into(),
            site: Site::User,
            selector: 0,
            points: Arc::default(),
        });
        self.by_names.insert(names, index);
        index
    }
}

impl Provider for Pid {
    fn name(&self) -> &'static str {
        "pid"
    }

    fn answers(&self, provider: &Glob) -> bool {
        provider.exact().is_some_and(|name| name.starts_with("pid"))
    }

    fn is_called(&self, provider: &str) -> bool {
        provider == self.name() || number(provider).is_some()
    }

    fn stability(&self) -> &'static Stability {
        &STABILITY
    }

    fn find(&mut self, spec: &Spec, env: &mut dyn Env) -> Result<Vec<Probe>, Error> {
        let name = spec.provider.exact().unwrap_or_default();
        let Some(pid) = number(name) else {
            // What $target is without a target.
            let hint = match name {
                "pid0" => ": $target needs -c or -p",
                _ => "",
            };
            return error(
                Tag::D_PROC_BADPID,
                format!("'{name}' does not contain a valid pid{hint}"),
            );
        };
        let process: Rc<Process> = match env.process(pid) {
            Ok(process) => process,
            Err(_) => {
                return error(Tag::D_PROC_GRAB, format!("failed to grab process {pid}"));
            }
        };
        let mut search = Search {
            process: &process,
            spec,
            found: Vec::new(),
        };
        if spec.function.exact() == Some(ABSOLUTE) {
            search.absolute()?;
        } else {
            search.run()?;
        }
        let found = search.found;
        Ok(self.create(&process, found))
    }

    fn by_id(&mut self, id: u32, _: &mut dyn Env) -> Option<Probe> {
        let index = self.created.binary_search_by_key(&id, |p| p.id).ok()?;
        self.created.get(index).cloned()
    }

    fn args(&self, _: &Probe, _: &mut dyn Env) -> Result<Vec<Arg>, Error> {
        Ok(Vec::new())
    }

    fn raw_args(&self, probe: &Probe, _: &mut dyn Env) -> Vec<ArgSource> {
        if &*probe.name == "return" {
            return vec![ArgSource::PointWord, ArgSource::CallRet];
        }
        let own = probe.points.first().map_or(0, |p| p.operands.len());
        if own > 0 {
            (0..own as u8).map(ArgSource::Operand).collect()
        } else {
            (0..ARGS).map(ArgSource::CallArg).collect()
        }
    }
}

#[cfg(test)]
mod tests;

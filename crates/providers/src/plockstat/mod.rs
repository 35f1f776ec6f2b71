//! `plockstatN:::`: what the threads of a process do with the mutexes and reader/writer locks of the C library.
//!
//! They are derived probes whose places are functions of a process ([`rows`]); a thread that waits is seen when it asks the
//! kernel to put it to sleep (`futex(2)`), so waits are known as they are and not guessed from how long a call took.

mod rows;

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use diag::Tag;
use image::{ArgSource, Probe, Site, Task, UserPoint};

use symbols::code;

use crate::derived::{Texts, filled};
use crate::pid::points::{self, Place};
use crate::stability::{EVOLVING_COMMON, Stability};
use crate::{
    Arg, ArgType, Derivation, Env, Error, Firing, Glob, Module, NextId, Process, Provider,
    Remembers, Spec, Texted, sdt, usdt,
};
use rows::{At, DECLARES, MARK, ROWS, Row};

/// Words of a function's arguments that texts may use.
const WORDS: u8 = 4;

/// The provider and the processes asked for so far.
pub(crate) struct Plockstat {
    next: NextId,
    /// By number: the id of the first of its probes, and its locks.
    known: HashMap<u32, (u32, Rc<Locks>)>,
}

/// The functions of a process that are about locks.
struct Locks {
    process: Rc<Process>,
    /// Place among its modules.
    module: usize,
}

impl Locks {
    fn of(process: Rc<Process>) -> Result<Locks, Error> {
        let refused = |text: String| Error::Process {
            tag: Tag::D_PROC_LIB,
            text,
        };
        let has = |m: &Module| m.elf.functions_named(MARK).next().is_some();
        let all = || process.modules.iter().enumerate().filter(|(_, m)| has(m));
        // Before glibc 2.34 the C library only leads to libpthread.
        let own = |m: &Module| m.name.starts_with("libpthread");
        let found = all().find(|(_, m)| own(m)).or_else(|| all().next());
        let Some((module, file)) = found else {
            let text = format!("process {} has no library with pthread locks", process.pid);
            return Err(refused(text));
        };
        let musl =
            file.name.contains("musl") || file.elf.functions_named("__init_libc").next().is_some();
        let native = matches!(file.elf.machine(), code::X86_64 | code::AARCH64);
        if musl || !native {
            return Err(refused(format!(
                "the locks of {} are not known: only those of glibc in 64-bit processes are",
                file.path
            )));
        }
        Ok(Locks { process, module })
    }

    fn module(&self) -> Option<&Module> {
        self.process.modules.get(self.module)
    }

    /// Where in the process something is; `None` if its library has no such function.
    fn site(&self, at: At) -> Option<Site> {
        let (kind, names) = match at {
            At::Entry(names) => ("entry", names),
            At::Return(names) => ("return", names),
            At::InPlace(names) => ("returns", names),
            At::Syscall => {
                return Some(Site::Tracepoint {
                    name: "sys_enter".to_owned(),
                    module: None,
                });
            }
        };
        let module = self.module()?;
        let mut found: Vec<UserPoint> = Vec::new();
        for f in names.iter().flat_map(|n| module.elf.functions_named(n)) {
            // A library may lack what came with a later version, and that is all that can be wrong here.
            let places: Vec<Place> = match at {
                At::Entry(_) => points::entry(module, &f).into_iter().collect(),
                At::Return(_) => points::returns_by_stack(module, &f).into_iter().collect(),
                At::InPlace(_) => points::returns_in_place(module, &f).unwrap_or_default(),
                At::Syscall => Vec::new(),
            };
            let all = places.into_iter().map(|place| self.point(module, &place));
            for point in all.collect::<Vec<_>>() {
                if !found.contains(&point) {
                    found.push(point);
                }
            }
        }
        let first = names.first().copied().unwrap_or_default();
        (!found.is_empty()).then(|| Site::UserPlace {
            name: format!("{first}:{kind}"),
            points: Arc::from(found),
        })
    }

    fn point(&self, module: &Module, place: &Place) -> UserPoint {
        UserPoint {
            file: Arc::clone(&module.file),
            offset: place.offset,
            kind: place.kind,
            pid: Some(self.process.pid),
            semaphore: 0,
            word: 0,
            operands: Arc::default(),
        }
    }

    fn firing(
        &self,
        at: At,
        when: Texts,
        values: &[Texts],
        env: &mut dyn Env,
    ) -> Result<Option<Firing>, Error> {
        let Some(site) = self.site(at) else {
            return Ok(None);
        };
        let native = match at {
            At::Entry(_) => (0..WORDS).map(ArgSource::CallArg).map(word).collect(),
            At::Return(_) | At::InPlace(_) => vec![word(ArgSource::CallRet)],
            At::Syscall => sdt::args(&site, env)?,
        };
        let arch = env.arch();
        let forms = |texts: Texts| texts.iter().map(|t| filled(t, arch)).collect();
        Ok(Some(Firing {
            site,
            task: Task::Current,
            native,
            when: forms(when),
            values: values
                .iter()
                .map(|value| Texted {
                    value: forms(value),
                    raw: Vec::new(),
                    members: Vec::new(),
                })
                .collect(),
        }))
    }

    fn derivation(&self, row: &Row, env: &mut dyn Env) -> Result<Derivation, Error> {
        let mut places = Vec::with_capacity(row.fires.len());
        for fires in row.fires {
            places.extend(self.firing(fires.at, fires.when, fires.values, env)?);
        }
        let mut setups = Vec::with_capacity(row.setups.len());
        for setup in row.setups {
            let Some(place) = self.firing(setup.at, setup.when, &[], env)? else {
                continue;
            };
            setups.push(Remembers {
                key: format!("plockstat{}-{}", self.process.pid, setup.key),
                declares: DECLARES,
                place,
                after: setup.after,
                body: setup.body.iter().map(|t| (*t).to_owned()).collect(),
            });
        }
        Ok(Derivation {
            places,
            args: row.args.iter().map(|arg| arg.native).collect(),
            setups,
        })
    }
}

/// A word of a register.
fn word(source: ArgSource) -> Arg {
    Arg {
        ty: ArgType::C("uint64_t".to_owned()),
        user: false,
        source,
        trusted: false,
    }
}

/// Number of the process in a provider's name.
fn number(provider: &str) -> Option<u32> {
    let (name, pid) = usdt::parts(provider)?;
    (name == "plockstat").then_some(pid)
}

impl Plockstat {
    pub fn new(next: NextId) -> Plockstat {
        Plockstat {
            next,
            known: HashMap::new(),
        }
    }

    /// The first id and the locks of a process.
    fn locks(&mut self, pid: u32, env: &mut dyn Env) -> Result<(u32, Rc<Locks>), Error> {
        if let Some(known) = self.known.get(&pid) {
            return Ok(known.clone());
        }
        let process = env.process(pid).map_err(|_| Error::Process {
            tag: Tag::D_PROC_GRAB,
            text: format!("failed to grab process {pid}"),
        })?;
        let locks = Rc::new(Locks::of(process)?);
        // All at once: the order of ids is that in which probes of one place fire.
        let ids: Vec<u32> = ROWS.iter().map(|_| self.next.take()).collect();
        let known = (ids.first().copied().unwrap_or_default(), locks);
        self.known.insert(pid, known.clone());
        Ok(known)
    }

    fn row(&self, probe: &Probe) -> Option<(&'static Row, Rc<Locks>)> {
        let (first, locks) = self.known.get(&number(&probe.provider)?)?;
        let row = ROWS.get(probe.id.checked_sub(*first)? as usize)?;
        Some((row, Rc::clone(locks)))
    }
}

/// The probe of a row.
fn probe(locks: &Locks, first: u32, index: usize, row: &Row) -> Option<Probe> {
    let site = row.fires.iter().find_map(|f| locks.site(f.at))?;
    Some(Probe {
        id: first + index as u32,
        provider: format!("plockstat{}", locks.process.pid).into(),
        module: locks.module()?.name.as_str().into(),
        function: "".into(),
        name: row.name.into(),
        site,
        selector: 0,
        points: Arc::default(),
    })
}

impl Provider for Plockstat {
    fn name(&self) -> &'static str {
        "plockstat"
    }

    fn answers(&self, provider: &Glob) -> bool {
        provider.exact().is_some_and(|name| number(name).is_some())
    }

    fn is_called(&self, provider: &str) -> bool {
        provider == self.name() || number(provider).is_some()
    }

    fn owns(&self, probe: &Probe) -> bool {
        self.row(probe).is_some()
    }

    fn stability(&self) -> &'static Stability {
        &EVOLVING_COMMON
    }

    fn find(&mut self, spec: &Spec, env: &mut dyn Env) -> Result<Vec<Probe>, Error> {
        let Some(pid) = spec.provider.exact().and_then(number) else {
            return Ok(Vec::new());
        };
        let (first, locks) = self.locks(pid, env)?;
        let rows = ROWS.iter().enumerate();
        let named = rows.filter(|(_, row)| spec.name.matches(row.name));
        let probes = named.filter_map(|(n, row)| probe(&locks, first, n, row));
        Ok(probes.filter(|p| spec.matches(p)).collect())
    }

    fn by_id(&mut self, id: u32, _: &mut dyn Env) -> Option<Probe> {
        self.known.values().find_map(|(first, locks)| {
            let index = id.checked_sub(*first)? as usize;
            probe(locks, *first, index, ROWS.get(index)?)
        })
    }

    fn args(&self, probe: &Probe, _: &mut dyn Env) -> Result<Vec<Arg>, Error> {
        let row = self.row(probe);
        let args = row.iter().flat_map(|(row, _)| row.args);
        Ok(args
            .map(|arg| Arg {
                ty: ArgType::C(arg.native.to_owned()),
                user: false,
                source: ArgSource::Zero,
                trusted: false,
            })
            .collect())
    }

    fn raw_args(&self, _: &Probe, _: &mut dyn Env) -> Vec<ArgSource> {
        Vec::new()
    }

    fn derivation(&self, probe: &Probe, env: &mut dyn Env) -> Result<Option<Derivation>, Error> {
        let Some((row, locks)) = self.row(probe) else {
            return Ok(None);
        };
        locks.derivation(row, env).map(Some)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_sound() {
        for (n, row) in ROWS.iter().enumerate() {
            assert!(ROWS.iter().skip(n + 1).all(|r| r.name != row.name));
            assert!(row.fires.iter().all(|f| f.values.len() == row.args.len()));
        }
        // One key is one piece of code.
        let all = || ROWS.iter().flat_map(|r| r.setups);
        for (a, b) in all().flat_map(|a| all().map(move |b| (a, b))) {
            let same = (a.at, a.when, a.after, a.body) == (b.at, b.when, b.after, b.body);
            assert_eq!(a.key == b.key, same, "{} {}", a.key, b.key);
        }
    }

    #[test]
    fn names_have_a_process() {
        assert_eq!(number("plockstat12"), Some(12));
        assert_eq!((number("plockstat"), number("lockstat1")), (None, None));
        let provider = Plockstat::new(NextId::default());
        assert!(provider.answers(&Glob::new("plockstat7")));
        assert!(!provider.answers(&Glob::new("plockstat*")));
    }
}

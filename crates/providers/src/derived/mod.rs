//! Providers whose probes are *derived* from places in the kernel: each probe is a [`Row`] of a table.
//!
//! A row says in which ways the probe can be seen, best first; the first whose sites the running kernel has is taken, and a
//! probe without such a way is not there (to name it is an error that says what the kernel lacks). Conditions, arguments
//! and set-up code are D text over the arguments of the site, as `args[n]` of its own `sdt` probe; `sema` makes code of
//! them. A text may have several forms: the first that fits the kernel's types counts. In texts `{NAME}` stands for the
//! number of a system call, and [`WORDS`] has what else differs by architecture. Variables of the texts begin with `__dt_`.
//!
//! Where several probes of one site fire, they do so in the order of their ids: first the providers as they stand in
//! [`TABLES`], then their rows.

mod fsinfo;
mod io;
mod lockstat;
mod mib;
mod net;
mod proc;
mod sched;
mod sdt_rows;
mod sysinfo;
mod vminfo;

use crate::stability::Stability;
use crate::syscall::number_of;
use crate::{Arch, Arg, ArgType, Env, Error, KernelFunction, Provider, Spec, ids, sdt};
use image::{ArgSource, Probe, Site, Task};
use std::sync::Arc;

/// Forms of a D text, for different kernels.
pub(crate) type Texts = &'static [&'static str];

/// A provider of derived probes.
pub(crate) struct Table {
    /// Its name.
    pub provider: &'static str,
    /// Stability of its probes.
    pub stability: &'static Stability,
    /// Its probes. A row's index makes its id.
    pub rows: &'static [Row],
}

/// A derived probe.
pub(crate) struct Row {
    /// Probe name.
    pub name: &'static str,
    /// Types of its arguments.
    pub args: &'static [ArgRow],
    /// How it can be seen, best first.
    pub ways: &'static [Way],
    /// Why it can never be, for what Linux does not have.
    pub never: Option<&'static str>,
}

/// An argument.
#[derive(Clone, Copy)]
pub(crate) struct ArgRow {
    /// Its native type.
    pub native: &'static str,
    /// The type that a translator makes of it.
    pub translated: Option<&'static str>,
}

/// One way to see a probe: it fires at all of these places.
pub(crate) struct Way {
    /// At least one.
    pub places: &'static [Place],
    /// What must be remembered.
    pub setups: &'static [Setup],
}

/// Kinds of places, by name.
#[derive(Clone, Copy)]
pub(crate) enum Where {
    /// A tracepoint: `args[]` are its parameters.
    Tracepoint(&'static str),
    /// Entry to a function that has type data (by fentry, else by a kprobe): `args[]` are its parameters.
    Entry(&'static str),
    /// The same for one that may have none, because the compiler made a special form of it (`NAME.isra.0`): by a kprobe,
    /// without `args[]`.
    Start(&'static str),
    /// Return from one (fexit): `args[]` are its parameters, then what it returns.
    Return(&'static str),
}

/// A place in the kernel.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    /// Its kind and name.
    pub at: Where,
    /// The current thread there.
    pub task: Task,
    /// Condition; none: every time.
    pub when: Texts,
    /// Arguments of the probe.
    pub args: &'static [Value],
}

/// Value of an argument.
#[derive(Clone, Copy)]
pub(crate) struct Value {
    /// Of `args[n]`.
    pub value: Texts,
    /// Of `argN`, where that is not the same word.
    pub raw: Texts,
    /// Members of what it is translated to that the site knows better than the translator.
    pub members: &'static [(&'static str, Texts)],
}

/// Hidden code. Its variables are shared by all probes of the program, so each name has one writer.
pub(crate) struct Setup {
    /// Probes whose set-ups have one key share it.
    pub key: &'static str,
    /// Declarations of the variables that it or the conditions use.
    pub declares: &'static [&'static str],
    /// Where and when.
    pub place: Place,
    /// After the probes of the site, not before.
    pub after: bool,
    /// Expressions, separated by semicolons.
    pub body: Texts,
}

/// A place at a tracepoint.
const fn at(tracepoint: &'static str) -> Place {
    place(Where::Tracepoint(tracepoint))
}

/// Entry to a kernel function.
const fn entry(function: &'static str) -> Place {
    place(Where::Entry(function))
}

/// Entry to a kernel function, whatever the compiler has made of it.
const fn start(function: &'static str) -> Place {
    place(Where::Start(function))
}

/// Return from a kernel function.
const fn ret(function: &'static str) -> Place {
    place(Where::Return(function))
}

const fn place(at: Where) -> Place {
    Place {
        at,
        task: Task::Current,
        when: &[],
        args: &[],
    }
}

impl Place {
    /// Only firings for which this holds.
    const fn when(self, when: Texts) -> Place {
        Place { when, ..self }
    }

    /// The probe's arguments there.
    const fn args(self, args: &'static [Value]) -> Place {
        Place { args, ..self }
    }

    /// As the thread that this word of the context points to.
    const fn as_task(self, word: u8) -> Place {
        Place {
            task: Task::Word(word),
            ..self
        }
    }
}

/// A value that is the same as a word.
const fn v(value: Texts) -> Value {
    Value {
        value,
        raw: &[],
        members: &[],
    }
}

impl Value {
    /// The same, with members of its translation.
    const fn with(self, members: &'static [(&'static str, Texts)]) -> Value {
        Value { members, ..self }
    }
}

/// One way of these places, without set-up.
const fn way(places: &'static [Place]) -> Way {
    Way {
        places,
        setups: &[],
    }
}

/// What is remembered at a place before the probes of its site fire.
const fn before(
    key: &'static str,
    declares: &'static [&'static str],
    place: Place,
    body: Texts,
) -> Setup {
    Setup {
        key,
        declares,
        place,
        after: false,
        body,
    }
}

/// What is forgotten at a place after the probes of its site have fired.
const fn after(key: &'static str, place: Place, body: Texts) -> Setup {
    Setup {
        key,
        declares: &[],
        place,
        after: true,
        body,
    }
}

/// A way that needs something remembered.
const fn remembering(places: &'static [Place], setups: &'static [Setup]) -> Way {
    Way { places, setups }
}

/// The increment of a counter's probe: one.
const ONE: Value = v(&["1"]);
/// Where a counter is that nobody can see.
const NOWHERE: Value = v(&["(uint64_t *)0"]);
/// Increment, and pointer to the counter.
const COUNTER: &[ArgRow] = &[plain("uint64_t"), plain("uint64_t *")];
/// A counter that goes up by one.
const COUNTS: &[Value] = &[ONE, NOWHERE];

/// A probe.
const fn row(name: &'static str, args: &'static [ArgRow], ways: &'static [Way]) -> Row {
    Row {
        name,
        args,
        ways,
        never: None,
    }
}

/// A probe that Linux cannot have.
const fn never(name: &'static str, why: &'static str) -> Row {
    Row {
        name,
        args: &[],
        ways: &[],
        never: Some(why),
    }
}

/// An argument without translator.
pub(crate) const fn plain(native: &'static str) -> ArgRow {
    ArgRow {
        native,
        translated: None,
    }
}

/// An argument with the type that it is translated to.
const fn to(native: &'static str, translated: &'static str) -> ArgRow {
    ArgRow {
        native,
        translated: Some(translated),
    }
}

/// `lwpsinfo_t *`.
const LWPSINFO: ArgRow = to("struct task_struct *", "lwpsinfo_t *");
/// `psinfo_t *`.
const PSINFO: ArgRow = to("struct task_struct *", "psinfo_t *");

/// What texts say in braces besides names of system calls: word, on x86-64, on arm64.
const WORDS: &[(&str, &str, &str)] = &[
    // Of `args[0]`, the registers at `sys_enter` and `sys_exit`: the number of the call, its arguments…
    ("nr", "args[0]->orig_ax", "args[0]->syscallno"),
    ("a0", "args[0]->di", "args[0]->regs[0]"),
    ("a1", "args[0]->si", "args[0]->regs[1]"),
    ("a2", "args[0]->dx", "args[0]->regs[2]"),
    // …its first argument also where it returns…
    ("first", "args[0]->di", "args[0]->orig_x0"),
    // Bytes of a page, where they are the same everywhere.
    ("page", "4096", "4096"),
    // …and whether the process is a 64-bit one, so that the number means what it says.
    (
        "native",
        "args[0]->cs != 0x23",
        "(args[0]->pstate & 0x10) == 0",
    ),
];

/// The module field of all probes.
const MODULE: &str = "vmlinux";
/// Modules that scripts for other systems name: they are the kernel too.
const OTHER_MODULES: [&str; 4] = ["genunix", "unix", "kernel", "mach_kernel"];

/// Provider and name of every derived probe that some kernel can have.
pub fn derived_probes() -> impl Iterator<Item = (&'static str, &'static str)> {
    TABLES.iter().flat_map(|table| {
        let rows = table.rows.iter().filter(|row| row.never.is_none());
        rows.map(|row| (table.provider, row.name))
    })
}

/// The providers, in the order of their ids. New ones go at the end.
pub(crate) static TABLES: &[Table] = &[
    sched::TABLE,
    proc::TABLE,
    io::TABLE,
    net::TCP,
    net::UDP,
    net::IP,
    lockstat::TABLE,
    vminfo::TABLE,
    sysinfo::TABLE,
    sdt_rows::TABLE,
    mib::TABLE,
    fsinfo::TABLE,
];

/// The provider of a table.
pub(crate) struct Derived {
    table: &'static Table,
    first_id: u32,
}

/// A provider for each table.
pub(crate) fn providers() -> impl Iterator<Item = Derived> {
    let first = (0..).map(|n| ids::DERIVED + n * ids::DERIVED_EACH);
    let one = |(table, first_id)| Derived { table, first_id };
    TABLES.iter().zip(first).map(one)
}

/// What a probe is derived from.
#[derive(Clone, Debug)]
pub struct Derivation {
    /// Where it fires.
    pub places: Vec<Firing>,
    /// Native types of its arguments.
    pub args: Vec<&'static str>,
    /// What must be remembered.
    pub setups: Vec<Remembers>,
}

/// Where a derived probe fires.
#[derive(Clone, Debug)]
pub struct Firing {
    /// The site.
    pub site: Site,
    /// The current thread there.
    pub task: Task,
    /// `args[]` of the site.
    pub native: Vec<Arg>,
    /// Forms of the condition; none: always.
    pub when: Vec<String>,
    /// Each argument.
    pub values: Vec<Texted>,
}

/// An argument in D text.
#[derive(Clone, Debug)]
pub struct Texted {
    /// Forms of `args[n]`.
    pub value: Vec<String>,
    /// Forms of `argN`, where that differs.
    pub raw: Vec<String>,
    /// Members of its translation that are not the translator's, and the forms of each.
    pub members: Vec<(&'static str, Vec<String>)>,
}

/// Hidden code of a derived probe.
#[derive(Clone, Debug)]
pub struct Remembers {
    /// Probes with the same key share it.
    pub key: String,
    /// Declarations of variables.
    pub declares: &'static [&'static str],
    /// Where and when it runs.
    pub place: Firing,
    /// After the probes of the site.
    pub after: bool,
    /// Forms of the code.
    pub body: Vec<String>,
}

impl Derived {
    fn row(&self, id: u32) -> Option<&'static Row> {
        let index = id.checked_sub(self.first_id)?;
        self.table.rows.get(index as usize)
    }

    fn probe(&self, index: usize, row: &Row, site: Site) -> Probe {
        Probe {
            id: self.first_id + index as u32,
            provider: self.table.provider.into(),
            module: MODULE.into(),
            function: "".into(),
            name: row.name.into(),
            site,
            selector: 0,
            points: Arc::default(),
        }
    }

    /// Why a probe is not there.
    fn lacking(&self, row: &Row) -> Error {
        let name = format!("{}:::{}", self.table.provider, row.name);
        if let Some(why) = row.never {
            return Error::Kernel(format!("there is no {name} on Linux: {why}"));
        }
        let needs = |way: &Way| {
            let setups = way.setups.iter().map(|s| s.place.at);
            let (mut tracepoints, mut entries, mut returns) = (Vec::new(), Vec::new(), Vec::new());
            for at in way.places.iter().map(|p| p.at).chain(setups) {
                match at {
                    Where::Tracepoint(name) => tracepoints.push(name),
                    Where::Entry(name) | Where::Start(name) => entries.push(name),
                    Where::Return(name) => returns.push(name),
                }
            }
            let kinds = [
                ("the tracepoint ", tracepoints),
                ("fentry programs or kprobes for ", entries),
                ("fentry programs for ", returns),
            ];
            let named = kinds.into_iter().filter(|(_, names)| !names.is_empty());
            let listed = named.map(|(kind, mut names)| {
                names.sort_unstable();
                names.dedup();
                format!("{kind}{}", names.join(" and "))
            });
            listed.collect::<Vec<_>>().join(" and ")
        };
        let ways: Vec<String> = row.ways.iter().map(needs).collect();
        let ways = ways.join(", or ");
        Error::Kernel(format!("this kernel has no {name}: it lacks {ways}"))
    }
}

/// Whether the kernel has all that a way needs.
fn possible(way: &Way, env: &mut dyn Env) -> Result<bool, Error> {
    let places = way.places.iter().chain(way.setups.iter().map(|s| &s.place));
    for place in places {
        if site(place, env)?.is_none() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The way in which this kernel shows a probe.
fn chosen(row: &'static Row, env: &mut dyn Env) -> Result<Option<(&'static Way, Site)>, Error> {
    for way in row.ways {
        if possible(way, env)?
            && let Some(first) = way.places.first()
            && let Some(site) = site(first, env)?
        {
            return Ok(Some((way, site)));
        }
    }
    Ok(None)
}

fn site(place: &Place, env: &mut dyn Env) -> Result<Option<Site>, Error> {
    let (name, ret) = match place.at {
        Where::Tracepoint(name) => {
            let found = env.tracepoint(name).map_err(Error::Kernel)?;
            return Ok(found.map(|t| Site::Tracepoint {
                name: t.name,
                module: t.module,
            }));
        }
        Where::Entry(name) => (name, false),
        Where::Return(name) => (name, true),
        Where::Start(name) => {
            let kprobes = env.function_means().is_ok_and(|means| means.kprobes);
            let found = kprobes.then(|| env.special_function(name)).flatten();
            return Ok(found.map(kprobe));
        }
    };
    let (Ok(means), Some(function)) = (env.function_means(), env.typed_function(name)) else {
        return Ok(None);
    };
    if means.trampolines && env.takes_program(&function) {
        return Ok(Some(Site::KernelFunction {
            name: function.name.to_string(),
            module: function.module.as_deref().map(str::to_owned),
            ret,
        }));
    }
    // At its return a kprobe has lost the arguments. Type data may tell of functions that are there in a special form only,
    // whose parameters are others.
    let itself = |f: &KernelFunction| *f.name == *name;
    let listed = (means.kprobes && !ret).then(|| env.special_function(name));
    Ok(listed.flatten().filter(itself).map(kprobe))
}

fn kprobe(function: KernelFunction) -> Site {
    Site::KernelProbe {
        name: function.name.to_string(),
        module: function.module.as_deref().map(str::to_owned),
    }
}

/// `args[]` of a site in texts.
fn site_args(place: &Place, site: &Site, env: &mut dyn Env) -> Result<Vec<Arg>, Error> {
    if let Where::Start(_) = place.at {
        return Ok(Vec::new());
    }
    let (name, module, ret, own) = match site {
        Site::KernelFunction { name, module, ret } => (name, module, *ret, true),
        Site::KernelProbe { name, module } => (name, module, false, false),
        site => return sdt::args(site, env),
    };
    let gone = || Error::Kernel(format!("nothing is known of the function {name}"));
    let function = env.typed_function(name).ok_or_else(gone)?;
    let types = function.types.ok_or_else(gone)?;
    let signature = env
        .signature(types, module.as_deref())
        .map_err(Error::Kernel)?;
    let typed = |id| ArgType::Btf {
        module: module.clone(),
        id,
    };
    let mut args: Vec<Arg> = signature
        .params
        .iter()
        .map(|param| Arg {
            ty: typed(param.ty),
            user: false,
            source: ArgSource::FuncArg(param.word),
            // At the return it may be gone, and nobody vouches for what a register holds.
            trusted: param.kernel_struct && own && !ret,
        })
        .collect();
    if let (true, Some(value)) = (ret, signature.ret) {
        args.push(Arg {
            ty: typed(value),
            user: false,
            source: ArgSource::FuncRet {
                words: signature.words,
            },
            trusted: false,
        });
    }
    Ok(args)
}

fn firing(place: &Place, env: &mut dyn Env) -> Result<Firing, Error> {
    let Some(site) = site(place, env)? else {
        return Err(Error::Kernel("a place in the kernel is gone".to_owned()));
    };
    let native = site_args(place, &site, env)?;
    let arch = env.arch();
    let forms = |texts: Texts| texts.iter().map(|t| filled(t, arch)).collect();
    Ok(Firing {
        site,
        task: place.task,
        native,
        when: forms(place.when),
        values: place
            .args
            .iter()
            .map(|v| Texted {
                value: forms(v.value),
                raw: forms(v.raw),
                members: v
                    .members
                    .iter()
                    .map(|(name, t)| (*name, forms(t)))
                    .collect(),
            })
            .collect(),
    })
}

/// A text with what stands in braces replaced.
pub(crate) fn filled(text: &str, arch: Arch) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        let Some((name, tail)) = after.split_once('}') else {
            break;
        };
        out.push_str(before);
        let word = WORDS.iter().find(|(word, ..)| *word == name);
        match (word, arch) {
            (Some((_, x86, _)), Arch::X86_64) => out.push_str(x86),
            (Some((_, _, arm)), Arch::Arm64) => out.push_str(arm),
            // -1 is no system call.
            (None, _) => match number_of(name, arch) {
                Some(number) => out.push_str(&number.to_string()),
                None => out.push_str("-1"),
            },
        }
        rest = tail;
    }
    out.push_str(rest);
    out
}

impl Provider for Derived {
    fn name(&self) -> &'static str {
        self.table.provider
    }

    fn owns(&self, probe: &Probe) -> bool {
        self.row(probe.id).is_some()
    }

    fn stability(&self) -> &'static Stability {
        self.table.stability
    }

    fn find(&mut self, spec: &Spec, env: &mut dyn Env) -> Result<Vec<Probe>, Error> {
        let elsewhere = spec
            .module
            .exact()
            .is_some_and(|m| OTHER_MODULES.contains(&m));
        if !(elsewhere || spec.module.matches(MODULE)) || !spec.function.matches("") {
            return Ok(Vec::new());
        }
        let named = spec.provider.exact().is_some() && spec.name.exact().is_some();
        if spec.name.exact().is_none() {
            // Each by its own name would take a pass over the kernel's types.
            env.tracepoints().map_err(Error::Kernel)?;
        }
        let mut found = Vec::new();
        for (index, row) in self.table.rows.iter().enumerate() {
            if !spec.name.matches(row.name) {
                continue;
            }
            match chosen(row, env)? {
                Some((_, site)) => found.push(self.probe(index, row, site)),
                None if named => return Err(self.lacking(row)),
                None => {}
            }
        }
        Ok(found)
    }

    fn by_id(&mut self, id: u32, env: &mut dyn Env) -> Option<Probe> {
        let row = self.row(id)?;
        let (_, site) = chosen(row, env).ok()??;
        Some(self.probe((id - self.first_id) as usize, row, site))
    }

    fn args(&self, probe: &Probe, _: &mut dyn Env) -> Result<Vec<Arg>, Error> {
        let args = self.row(probe.id).map_or(&[][..], |row| row.args);
        let describe = |arg: &ArgRow| Arg {
            ty: ArgType::C(arg.native.to_owned()),
            user: false,
            source: ArgSource::Zero,
            trusted: false,
        };
        Ok(args.iter().map(describe).collect())
    }

    fn translation(&self, probe: &Probe, n: usize) -> Option<&'static str> {
        self.row(probe.id)?.args.get(n)?.translated
    }

    fn raw_args(&self, _: &Probe, _: &mut dyn Env) -> Vec<ArgSource> {
        Vec::new()
    }

    fn derivation(&self, probe: &Probe, env: &mut dyn Env) -> Result<Option<Derivation>, Error> {
        let Some(row) = self.row(probe.id) else {
            return Ok(None);
        };
        let Some((way, _)) = chosen(row, env)? else {
            return Err(self.lacking(row));
        };
        let mut places = Vec::with_capacity(way.places.len());
        for place in way.places {
            places.push(firing(place, env)?);
        }
        let mut setups = Vec::with_capacity(way.setups.len());
        for setup in way.setups {
            setups.push(Remembers {
                key: setup.key.to_owned(),
                declares: setup.declares,
                place: firing(&setup.place, env)?,
                after: setup.after,
                body: setup
                    .body
                    .iter()
                    .map(|text| filled(text, env.arch()))
                    .collect(),
            });
        }
        Ok(Some(Derivation {
            places,
            args: row.args.iter().map(|arg| arg.native).collect(),
            setups,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn rows_are_sound() {
        for table in TABLES {
            let mut names = HashSet::new();
            assert!(table.rows.len() <= ids::DERIVED_EACH as usize);
            for row in table.rows {
                let name = format!("{}:::{}", table.provider, row.name);
                assert!(names.insert(row.name), "{name} twice");
                assert_eq!(row.never.is_some(), row.ways.is_empty(), "{name}");
                for way in row.ways {
                    assert!(!way.places.is_empty(), "{name}");
                    for place in way.places {
                        assert_eq!(place.args.len(), row.args.len(), "{name}");
                        assert!(place.args.iter().all(|a| !a.value.is_empty()), "{name}");
                    }
                    assert!(way.setups.iter().all(|s| s.place.args.is_empty()), "{name}");
                }
            }
        }
    }

    #[test]
    fn braces_are_filled() {
        assert_eq!(filled("args[1] == {execve}", Arch::X86_64), "args[1] == 59");
        assert_eq!(
            filled("{nr} == {execve} && {nr} == {fork}", Arch::Arm64),
            "args[0]->syscallno == 221 && args[0]->syscallno == -1"
        );
        for table in TABLES {
            for row in table.rows {
                let places = row.ways.iter().flat_map(|w| w.places);
                for text in places.flat_map(|p| p.when) {
                    for arch in [Arch::X86_64, Arch::Arm64] {
                        assert!(!filled(text, arch).contains(['{', '}']), "{text}");
                    }
                }
            }
        }
    }
}

//! The running system as the compiler sees it: probes of the providers, types of kernel BTF, symbols of the kernel.
//!
//! Everything is lazy: a program that names no kernel type, tracepoint or symbol opens nothing here.

mod symbols;

use crate::functions::{RunningKernel, SavedKernel};
use crate::victim::Victims;
use btf::{Btf, BtfKind, BtfLoader, BtfSource, VMLINUX};
use ctypes::{Kind, TypeGraph, TypeId};
use diag::Tag;
use image::{ArgSource, Probe};
use providers::testing::FixtureEnv;
use providers::{
    Arch, Arg, ArgType, Env, Firing, FunctionMeans, KernelBtf, LinuxEnv, Pattern, Registry,
    Stability, Texted,
};
use sema::world::{
    ArgDesc, Derived, NoProbes, PlaceDesc, ProbePattern, SetupDesc, Symbol, ValueDesc, World,
};
use std::path::Path;
use std::rc::Rc;
use symbols::{FixedSymbols, Kallsyms, Symbols, known_type};

/// Section of per-CPU variables.
const PERCPU: &str = ".data..percpu";

/// The running system.
pub struct SystemWorld {
    btf: Rc<KernelBtf>,
    env: Box<dyn Env>,
    registry: Registry,
    symbols: Box<dyn Symbols>,
    /// Commands that wait, and processes that are watched.
    pub(crate) victims: Victims,
    /// Source of the graph that was given out last.
    source: Option<Rc<BtfSource>>,
}

impl Default for SystemWorld {
    fn default() -> SystemWorld {
        SystemWorld::new()
    }
}

impl SystemWorld {
    /// The running system; nothing is opened yet.
    pub fn new() -> SystemWorld {
        let btf = Rc::new(KernelBtf::new());
        let env = LinuxEnv::new(Rc::clone(&btf), Box::new(RunningKernel));
        SystemWorld::with(btf, Box::new(env), Box::new(Kallsyms))
    }

    /// A fixed x86-64 kernel for golden tests: the same answers on every host.
    pub fn fixture() -> SystemWorld {
        let btf = Rc::new(FixtureEnv::btf());
        let env = FixtureEnv::with_btf(Arch::X86_64, Rc::clone(&btf));
        SystemWorld::with(btf, Box::new(env), Box::new(FixedSymbols))
    }

    /// A kernel whose type data are files in a directory (without one: this kernel's), and whose functions a text names
    /// in the form of `available_filter_functions`: what listing them costs can be measured where nobody may probe any.
    pub fn saved(types: Option<&Path>, functions: String) -> SystemWorld {
        let btf = Rc::new(types.map_or_else(KernelBtf::new, KernelBtf::at));
        let env = LinuxEnv::new(Rc::clone(&btf), Box::new(SavedKernel(functions)));
        SystemWorld::with(btf, Box::new(env), Box::new(Kallsyms))
    }

    fn with(btf: Rc<KernelBtf>, env: Box<dyn Env>, symbols: Box<dyn Symbols>) -> SystemWorld {
        SystemWorld {
            btf,
            env,
            registry: Registry::new(),
            symbols,
            victims: Victims::default(),
            source: None,
        }
    }

    /// The description nearest to one that matches nothing, for the help line of the error.
    pub fn suggest(&mut self, pattern: &ProbePattern) -> Option<String> {
        self.registry.suggest(&to_pattern(pattern), &mut *self.env)
    }

    /// What the user should know about the descriptions looked for since the last call.
    pub fn notes(&mut self) -> Vec<String> {
        self.registry.notes()
    }

    /// How kernel functions can be probed, if they can.
    pub fn function_means(&mut self) -> Option<FunctionMeans> {
        self.env.function_means().ok()
    }

    /// Does without a tracepoint, as on a kernel that lacks it.
    pub fn hide(&mut self, tracepoint: &str) {
        self.env.hide(tracepoint);
    }

    /// Whether descriptions have asked for probes of processes, which may come to have more of them.
    pub(crate) fn watches(&self) -> bool {
        self.env.watches()
    }

    /// Whether such processes have code that they had not before.
    pub(crate) fn refresh(&mut self) -> bool {
        self.env.refresh()
    }

    /// Whether they have by what these events tell.
    pub(crate) fn heard(&mut self, events: &[::symbols::events::Told]) -> bool {
        self.env.heard(events)
    }

    /// From now on the probes of each process are told by themselves.
    pub(crate) fn begin_list(&mut self) {
        self.env.begin_list();
    }

    /// Whether probes are only listed.
    pub(crate) fn lists(&self) -> bool {
        self.env.lists()
    }

    /// Stability of a provider's probes.
    pub fn stability(&self, provider: &str) -> Option<&'static Stability> {
        self.registry.stability(provider)
    }

    /// Whether kernel type data have been opened.
    pub fn opened_btf(&self) -> bool {
        !self.btf.untouched()
    }

    /// The kernel's type data, for those who may come to need them: nothing is opened before it is asked for.
    pub fn kernel_btf(&self) -> Rc<KernelBtf> {
        Rc::clone(&self.btf)
    }

    /// Type data of the kernel itself, if it has them.
    pub fn vmlinux(&self) -> Option<Rc<btf::Btf>> {
        self.btf.vmlinux().ok()
    }

    fn import(&self, graph: &mut TypeGraph, module: Option<&str>, id: u32) -> Option<TypeId> {
        self.source
            .as_ref()?
            .import(graph, module.unwrap_or(VMLINUX), id)
            .ok()
    }

    fn describe_all(&self, graph: &mut TypeGraph, args: Vec<Arg>) -> Vec<ArgDesc> {
        let import = |graph: &mut TypeGraph, ty: &ArgType| match ty {
            ArgType::C(text) => graph.parse(text),
            ArgType::Btf { module, id } => self.import(graph, module.as_deref(), *id),
        };
        let describe = |arg| describe(graph, arg, import);
        args.into_iter().map(describe).collect()
    }

    fn place(&self, graph: &mut TypeGraph, place: Firing) -> PlaceDesc {
        let value = |arg: Texted| ValueDesc {
            value: arg.value,
            raw: arg.raw,
            members: arg.members,
        };
        PlaceDesc {
            site: place.site,
            task: place.task,
            args: self.describe_all(graph, place.native),
            when: place.when,
            values: place.values.into_iter().map(value).collect(),
        }
    }

    /// Type of a kernel symbol. `Err`: it is a per-CPU variable, whose address in the symbol table is not where it is.
    fn symbol_type(
        &self,
        graph: &mut TypeGraph,
        module: Option<&str>,
        name: &str,
    ) -> Result<Option<TypeId>, String> {
        let owner = module.unwrap_or(VMLINUX);
        if let Ok(btf) = self.btf.module(owner) {
            if let Some(id) = btf.find(BtfKind::Func, name) {
                return Ok(self.import(graph, module, id));
            }
            if let Some(id) = btf.find(BtfKind::Var, name) {
                if is_percpu(&btf, id) {
                    return Err("it is a per-CPU variable, which has no single value".to_owned());
                }
                return Ok(btf.var(name).and_then(|ty| self.import(graph, module, ty)));
            }
        }
        let known = module.is_none().then(|| known_type(name)).flatten();
        Ok(known.and_then(|text| graph.parse(text)))
    }
}

impl World for SystemWorld {
    fn types(&mut self) -> TypeGraph {
        let source = Rc::new(BtfSource::new(Rc::clone(&self.btf) as Rc<dyn BtfLoader>));
        let mut graph = TypeGraph::new();
        graph.set_source(Rc::clone(&source) as Rc<dyn ctypes::TypeSource>);
        self.source = Some(source);
        graph
    }

    fn probes(&mut self, pattern: &ProbePattern) -> Result<Vec<Probe>, NoProbes> {
        let provider = &pattern.provider;
        let digits = provider.trim_start_matches(|c: char| !c.is_ascii_digit());
        if let Ok(pid) = digits.parse() {
            self.victims.reach(pid).map_err(|why| NoProbes {
                tag: Some(Tag::D_PROC_GRAB),
                text: format!("failed to grab process {pid}: {why}"),
            })?;
        }
        self.registry
            .find(&to_pattern(pattern), &mut *self.env)
            .map_err(|error| NoProbes {
                tag: match &error {
                    providers::Error::Process { tag, .. } => Some(*tag),
                    providers::Error::TooManyGlobs
                    | providers::Error::Rate { .. }
                    | providers::Error::Count { .. }
                    | providers::Error::Kernel(_) => None,
                },
                text: error.to_string(),
            })
    }

    fn probe_by_id(&mut self, id: u32) -> Option<Probe> {
        self.registry.by_id(id, &mut *self.env)
    }

    fn args(&mut self, probe: &Probe, graph: &mut TypeGraph) -> Result<Vec<ArgDesc>, String> {
        let args = self
            .registry
            .args(probe, &mut *self.env)
            .map_err(|error| error.to_string())?;
        Ok(self.describe_all(graph, args))
    }

    fn translation(&mut self, probe: &Probe, n: usize) -> Option<&'static str> {
        self.registry.translation(probe, n)
    }

    fn interface(&mut self, probe: &Probe) -> Option<Rc<str>> {
        self.registry.interface(probe)
    }

    fn derived(&mut self, probe: &Probe, graph: &mut TypeGraph) -> Result<Option<Derived>, String> {
        let found = self
            .registry
            .derivation(probe, &mut *self.env)
            .map_err(|error| error.to_string())?;
        let Some(found) = found else {
            return Ok(None);
        };
        let setups = found.setups.into_iter().map(|setup| SetupDesc {
            key: setup.key,
            declares: setup.declares.iter().map(|d| (*d).to_owned()).collect(),
            place: self.place(graph, setup.place),
            after: setup.after,
            body: setup.body,
        });
        let setups = setups.collect();
        let places = found.places.into_iter();
        Ok(Some(Derived {
            places: places.map(|place| self.place(graph, place)).collect(),
            args: found.args.into_iter().map(str::to_owned).collect(),
            setups,
        }))
    }

    fn raw_args(&mut self, probe: &Probe) -> Vec<ArgSource> {
        self.registry.raw_args(probe, &mut *self.env)
    }

    fn symbol(
        &mut self,
        module: Option<&str>,
        name: &str,
        graph: &mut TypeGraph,
    ) -> Result<Symbol, String> {
        if let Some(unknown) = module.filter(|module| !self.symbols.has_module(module)) {
            return Err(format!("Unknown module name: {unknown}"));
        }
        let place = self.symbols.find(module, name)?;
        let ty = self.symbol_type(graph, place.module.as_deref(), name)?;
        Ok(Symbol {
            address: place.address,
            ty,
            function: place.function,
        })
    }
}

/// Whether a variable is in the section of per-CPU variables.
fn is_percpu(btf: &Btf, var: u32) -> bool {
    let section = btf
        .find(BtfKind::Datasec, PERCPU)
        .and_then(|id| btf.ty(id).ok());
    section.is_some_and(|section| section.section_vars().any(|member| member.var == var))
}

fn to_pattern(pattern: &ProbePattern) -> Pattern {
    Pattern {
        provider: pattern.provider.clone(),
        module: pattern.module.clone(),
        function: pattern.function.clone(),
        name: pattern.name.clone(),
    }
}

/// Turns a provider's argument into the compiler's. A type that nobody knows is a word, or a pointer to nothing known.
fn describe(
    graph: &mut TypeGraph,
    arg: Arg,
    import: impl Fn(&mut TypeGraph, &ArgType) -> Option<TypeId>,
) -> ArgDesc {
    let ty = import(graph, &arg.ty).unwrap_or_else(|| match &arg.ty {
        ArgType::C(text) if text.ends_with('*') => TypeGraph::VOIDPTR,
        ArgType::C(_) | ArgType::Btf { .. } => TypeGraph::UINT64,
    });
    let ty = if arg.user { userland(graph, ty) } else { ty };
    ArgDesc {
        ty,
        source: arg.source,
        trusted: arg.trusted,
    }
}

/// The same pointer, and the pointers behind it, into the user's address space.
fn userland(graph: &mut TypeGraph, ty: TypeId) -> TypeId {
    let inner = match graph.kind(ty) {
        Kind::Const(inner) => Some(*inner),
        _ => None,
    };
    if let Some(inner) = inner {
        let marked = userland(graph, inner);
        return if marked == inner {
            ty
        } else {
            graph.add(Kind::Const(marked))
        };
    }
    let Kind::Pointer { to, user: false } = *graph.base(ty) else {
        return ty;
    };
    let to = userland(graph, to);
    graph.add(Kind::Pointer { to, user: true })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(text: &str) -> ProbePattern {
        let Pattern {
            provider,
            module,
            function,
            name,
        } = Pattern::parse(text);
        ProbePattern {
            provider,
            module,
            function,
            name,
        }
    }

    fn args(world: &mut SystemWorld, text: &str) -> Vec<(String, ArgSource, bool)> {
        let mut graph = world.types();
        let probes = world.probes(&pattern(text)).unwrap();
        let [probe] = probes.as_slice() else {
            panic!("{text}: {probes:?}")
        };
        let args = world.args(probe, &mut graph).unwrap();
        args.iter()
            .map(|arg| (graph.name(arg.ty), arg.source, arg.trusted))
            .collect()
    }

    fn named(types: &[(String, ArgSource, bool)]) -> Vec<&str> {
        types.iter().map(|(name, ..)| name.as_str()).collect()
    }

    #[test]
    fn system_call_arguments_are_userland() {
        let world = &mut SystemWorld::fixture();
        let openat = args(world, "syscall::openat:entry");
        assert_eq!(
            named(&openat),
            ["int", "userland const char *", "int", "umode_t"]
        );
        assert_eq!(
            openat.get(1).map(|arg| arg.1),
            Some(ArgSource::SyscallArg(1))
        );
        let execve = args(world, "syscall::execve:entry");
        assert_eq!(named(&execve).get(1), Some(&"userland const char *const *"));
        // A type that this kernel does not describe.
        let bpf = args(world, "syscall::bpf:entry");
        assert_eq!(named(&bpf), ["int", "userland void *", "unsigned int"]);
        assert_eq!(named(&args(world, "syscall::read:return")), ["ssize_t"]);
    }

    #[test]
    fn tracepoint_arguments_are_kernel_types() {
        let world = &mut SystemWorld::fixture();
        let switch = args(world, "sdt:sched::sched_switch");
        assert_eq!(
            named(&switch),
            [
                "bool",
                "struct task_struct *",
                "struct task_struct *",
                "unsigned int"
            ]
        );
        assert_eq!(
            switch.get(2),
            Some(&(
                "struct task_struct *".to_owned(),
                ArgSource::CtxWord(2),
                true
            ))
        );
        let event = args(world, "sdt:testmod::testmod_event");
        assert_eq!(named(&event), ["struct testmod_dev *", "int"]);
    }

    #[test]
    fn symbols_of_the_fixture() {
        let world = &mut SystemWorld::fixture();
        let mut graph = world.types();
        let task = world.symbol(None, "init_task", &mut graph).unwrap();
        assert_eq!(
            task.ty.map(|ty| graph.name(ty)).as_deref(),
            Some("struct task_struct")
        );
        let jiffies = world
            .symbol(Some("vmlinux"), "jiffies", &mut graph)
            .unwrap();
        assert_eq!(
            (jiffies.ty, jiffies.function),
            (Some(TypeGraph::ULONG), false)
        );
        let percpu = world.symbol(None, "current_task", &mut graph).unwrap_err();
        assert!(percpu.contains("per-CPU"));
        assert!(
            world
                .symbol(Some(btf::TEST_MODULE), "testmod_open", &mut graph)
                .unwrap()
                .function
        );
        assert_eq!(
            world.symbol(None, "nope", &mut graph).unwrap_err(),
            "Unknown symbol name"
        );
        assert!(
            world
                .symbol(Some("nfs"), "nope", &mut graph)
                .unwrap_err()
                .starts_with("Unknown module name")
        );
    }

    #[test]
    fn a_program_that_needs_no_kernel_opens_nothing() {
        let mut world = SystemWorld::new();
        let mut graph = world.types();
        for text in [
            "BEGIN",
            "END",
            "dtrace:::ERROR",
            "tick-1s",
            "syscall:::entry",
            "profile-997",
        ] {
            let probes = world.probes(&pattern(text)).unwrap();
            let probe = probes.first().unwrap();
            world.raw_args(probe);
            assert_eq!(world.probe_by_id(probe.id).as_ref(), Some(probe));
        }
        assert!(graph.parse("int *").is_some());
        assert!(!world.opened_btf());
    }

    #[test]
    fn types_of_this_kernel() {
        let mut world = SystemWorld::new();
        if world.vmlinux().is_none() {
            eprintln!("not run: this kernel has no BTF");
            return;
        }
        let switch = args(&mut world, "sdt:::sched_switch");
        assert_eq!(
            named(&switch).get(1..3),
            Some(&["struct task_struct *"; 2][..])
        );
        assert!(switch.get(1).is_some_and(|arg| arg.2));
        let stat = args(&mut world, "syscall::newfstatat:entry");
        assert_eq!(named(&stat).get(2), Some(&"userland struct stat *"));
        let mut graph = world.types();
        let unknown = world
            .symbol(None, "no_such_symbol", &mut graph)
            .unwrap_err();
        assert!(unknown.starts_with("Unknown symbol name"), "{unknown}");
    }
}

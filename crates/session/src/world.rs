//! The running system as the compiler sees it: probes of the providers, types of kernel BTF, symbols of the kernel.
//!
//! Everything is lazy: a program that names no kernel type, tracepoint or symbol opens nothing here.

use btf::{BtfKind, BtfLoader, BtfSource, TEST_MODULE, VMLINUX};
use ctypes::{Kind, TypeGraph, TypeId};
use image::{ArgSource, Probe};
use providers::testing::FixtureEnv;
use providers::{Arch, Arg, ArgType, Env, KernelBtf, LinuxEnv, Pattern, Registry, Stability};
use sema::world::{ArgDesc, ProbePattern, Symbol, World};
use std::fs;
use std::path::Path;
use std::rc::Rc;

const KALLSYMS: &str = "/proc/kallsyms";

/// The running system.
pub struct SystemWorld {
    btf: Rc<KernelBtf>,
    env: Box<dyn Env>,
    registry: Registry,
    symbols: Box<dyn Symbols>,
    /// Source of the graph that was given out last.
    source: Option<Rc<BtfSource>>,
}

/// Where a kernel symbol is.
struct Place {
    /// `None`: in the kernel proper.
    module: Option<String>,
    address: u64,
    function: bool,
}

/// The kernel's symbol table. Errors are texts for the user.
trait Symbols {
    /// Whether the kernel has such a module.
    fn has_module(&mut self, module: &str) -> bool;
    /// The symbol, in any module if `module` is `None`; the kernel proper comes first.
    fn find(&mut self, module: Option<&str>, name: &str) -> Result<Place, String>;
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
        let env = LinuxEnv::new(Rc::clone(&btf));
        SystemWorld::with(btf, Box::new(env), Box::new(Kallsyms))
    }

    /// A fixed x86-64 kernel for golden tests: the same answers on every host.
    pub fn fixture() -> SystemWorld {
        let btf = Rc::new(FixtureEnv::btf());
        let env = FixtureEnv::with_btf(Arch::X86_64, Rc::clone(&btf));
        SystemWorld::with(btf, Box::new(env), Box::new(FixedSymbols))
    }

    fn with(btf: Rc<KernelBtf>, env: Box<dyn Env>, symbols: Box<dyn Symbols>) -> SystemWorld {
        SystemWorld {
            btf,
            env,
            registry: Registry::new(),
            symbols,
            source: None,
        }
    }

    /// The description nearest to one that matches nothing, for the help line of the error.
    pub fn suggest(&mut self, pattern: &ProbePattern) -> Option<String> {
        self.registry.suggest(&to_pattern(pattern), &mut *self.env)
    }

    /// Stability of a provider's probes.
    pub fn stability(&self, provider: &str) -> Option<&'static Stability> {
        self.registry.stability(provider)
    }

    /// Whether kernel type data have been opened.
    pub fn opened_btf(&self) -> bool {
        !self.btf.untouched()
    }

    fn import(&self, graph: &mut TypeGraph, module: Option<&str>, id: u32) -> Option<TypeId> {
        self.source
            .as_ref()?
            .import(graph, module.unwrap_or(VMLINUX), id)
            .ok()
    }

    /// Type of a kernel symbol, and whether it is a function.
    fn symbol_type(
        &self,
        graph: &mut TypeGraph,
        module: &str,
        name: &str,
    ) -> (Option<TypeId>, bool) {
        let Ok(btf) = self.btf.module(module) else {
            return (None, false);
        };
        match btf.find(BtfKind::Func, name) {
            Some(id) => (self.import(graph, Some(module), id), true),
            None => (
                btf.var(name)
                    .and_then(|id| self.import(graph, Some(module), id)),
                false,
            ),
        }
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

    fn probes(&mut self, pattern: &ProbePattern) -> Result<Vec<Probe>, String> {
        self.registry
            .find(&to_pattern(pattern), &mut *self.env)
            .map_err(|error| error.to_string())
    }

    fn probe_by_id(&mut self, id: u32) -> Option<Probe> {
        self.registry.by_id(id, &mut *self.env)
    }

    fn args(&mut self, probe: &Probe, graph: &mut TypeGraph) -> Result<Vec<ArgDesc>, String> {
        let args = self
            .registry
            .args(probe, &mut *self.env)
            .map_err(|error| error.to_string())?;
        let import = |graph: &mut TypeGraph, ty: &ArgType| match ty {
            ArgType::C(text) => graph.parse(text),
            ArgType::Btf { module, id } => self.import(graph, module.as_deref(), *id),
        };
        Ok(args
            .into_iter()
            .map(|arg| describe(graph, arg, import))
            .collect())
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
        let owner = place.module.as_deref().unwrap_or(VMLINUX);
        let (ty, function) = self.symbol_type(graph, owner, name);
        Ok(Symbol {
            address: place.address,
            ty,
            function: function || place.function,
        })
    }
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

/// `/proc/kallsyms`.
struct Kallsyms;

impl Symbols for Kallsyms {
    fn has_module(&mut self, module: &str) -> bool {
        module == VMLINUX || Path::new("/sys/module").join(module).exists()
    }

    fn find(&mut self, module: Option<&str>, name: &str) -> Result<Place, String> {
        let table = fs::read_to_string(KALLSYMS)
            .map_err(|error| format!("cannot read {KALLSYMS}: {error}"))?;
        let place = find_symbol(&table, module, name).ok_or("Unknown symbol name")?;
        if place.address == 0 {
            return Err(
                "kernel addresses are hidden from this user (see kernel.kptr_restrict)".to_owned(),
            );
        }
        Ok(place)
    }
}

/// Finds a symbol in the text of kallsyms: `ADDRESS TYPE NAME[<tab>[MODULE]]`.
fn find_symbol(table: &str, module: Option<&str>, name: &str) -> Option<Place> {
    let mut lines = table.lines().filter_map(|line| {
        let mut fields = line.split_ascii_whitespace();
        let (address, kind, own) = (fields.next()?, fields.next()?, fields.next()?);
        let owner = fields.next().map(|owner| owner.trim_matches(['[', ']']));
        let wanted = own == name && module.is_none_or(|module| module == owner.unwrap_or(VMLINUX));
        wanted.then(|| Place {
            module: owner.map(str::to_owned),
            address: u64::from_str_radix(address, 16).unwrap_or(0),
            function: matches!(kind, "t" | "T" | "w" | "W"),
        })
    });
    lines.next()
}

/// Symbols of the fixed kernel: name, module, address, whether it is a function.
const FIXED_SYMBOLS: [(&str, Option<&str>, u64, bool); 5] = [
    ("vfs_read", None, 0xffff_ffff_8120_0000, true),
    ("schedule", None, 0xffff_ffff_8110_0000, true),
    ("current_task", None, 0xffff_ffff_8280_0000, false),
    ("jiffies", None, 0xffff_ffff_8280_1000, false),
    (
        "testmod_open",
        Some(TEST_MODULE),
        0xffff_ffff_c000_0000,
        true,
    ),
];

struct FixedSymbols;

impl Symbols for FixedSymbols {
    fn has_module(&mut self, module: &str) -> bool {
        [VMLINUX, TEST_MODULE].contains(&module)
    }

    fn find(&mut self, module: Option<&str>, name: &str) -> Result<Place, String> {
        let row = FIXED_SYMBOLS.iter().find(|(own, owner, ..)| {
            *own == name && module.is_none_or(|module| module == owner.unwrap_or(VMLINUX))
        });
        let (_, owner, address, function) = row.ok_or("Unknown symbol name")?;
        Ok(Place {
            module: owner.map(str::to_owned),
            address: *address,
            function: *function,
        })
    }
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
        let task = world.symbol(None, "current_task", &mut graph).unwrap();
        assert_eq!(
            task.ty.map(|ty| graph.name(ty)).as_deref(),
            Some("struct task_struct *")
        );
        let jiffies = world
            .symbol(Some("vmlinux"), "jiffies", &mut graph)
            .unwrap();
        assert_eq!((jiffies.ty, jiffies.function), (None, false));
        assert!(
            world
                .symbol(Some(TEST_MODULE), "testmod_open", &mut graph)
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
        assert_eq!(graph.parse("int *").is_some(), true);
        assert!(!world.opened_btf());
    }

    #[test]
    fn kallsyms_text() {
        let table = "0000000000000000 A fixed\nffffffff81000000 T _text\nffffffff82000000 D jiffies\nffffffffc0000000 t f\t[nf]\n";
        let find = |module, name| find_symbol(table, module, name).map(|p| (p.address, p.function));
        assert_eq!(find(None, "_text"), Some((0xffff_ffff_8100_0000, true)));
        assert_eq!(
            find(Some("vmlinux"), "jiffies"),
            Some((0xffff_ffff_8200_0000, false))
        );
        assert_eq!(find(Some("nf"), "f"), Some((0xffff_ffff_c000_0000, true)));
        assert_eq!(find(Some("nf"), "jiffies"), None);
    }
}

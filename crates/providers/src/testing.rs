//! A fixed kernel for tests: the type data of [`btf::testworld`], the same answers on every host.

use crate::{
    Arch, Env, FoundFunctions, FunctionMeans, Glob, Group, KernelBtf, KernelFunction, KernelText,
    LinuxEnv, Param, PmuEvent, Signature, Tracepoint,
};
use image::Counter;
use std::rc::Rc;

/// Event groups of the tracepoints in the fixed kernel, by the start of their names; the others have no event.
const GROUPS: [(&str, &str); 2] = [("sched_", "sched"), ("sys_", "raw_syscalls")];

/// Number of the only performance-monitoring unit of the fixed kernel's machine.
const OWN_UNIT: u32 = 40;

/// The fixed kernel.
pub struct FixtureEnv {
    arch: Arch,
    kernel: LinuxEnv,
    groups: bool,
    questions: usize,
}

impl FixtureEnv {
    /// The fixed kernel on an architecture.
    pub fn new(arch: Arch) -> FixtureEnv {
        FixtureEnv::with_btf(arch, Rc::new(FixtureEnv::btf()))
    }

    /// The same with type data from [`FixtureEnv::btf`] that are shared with others.
    pub fn with_btf(arch: Arch, btf: Rc<KernelBtf>) -> FixtureEnv {
        FixtureEnv {
            arch,
            kernel: LinuxEnv::new(btf, Box::new(Text)),
            groups: true,
            questions: 0,
        }
    }

    /// Type data of the fixed kernel.
    pub fn btf() -> KernelBtf {
        KernelBtf::of(&btf::testworld())
    }

    /// Makes event groups unknown, as for users who may not see tracefs.
    pub fn hide_groups(&mut self) {
        self.groups = false;
    }

    /// How often anything was asked that a real kernel must be read for.
    pub fn questions(&self) -> usize {
        self.questions
    }
}

/// Functions of the fixed kernel that can be traced, with their modules: some have type data, some not, two share a name.
const FUNCTIONS: [(&str, Option<&str>); 8] = [
    ("vfs_read", None),
    ("vfs_write", None),
    ("do_exit", None),
    ("special.isra.0", None),
    ("twin", None),
    ("twin", None),
    ("_raw_spin_lock", None),
    ("testmod_open", Some(btf::TEST_MODULE)),
];

/// What the fixed kernel tells about its functions.
pub(crate) struct Text;

impl KernelText for Text {
    fn means(&mut self) -> Result<FunctionMeans, String> {
        Ok(FunctionMeans {
            trampolines: true,
            kprobes: true,
            at_once: true,
        })
    }

    fn each(&mut self, tell: &mut dyn FnMut(&str, Option<&str>)) -> Result<(), String> {
        FUNCTIONS
            .iter()
            .for_each(|(name, module)| tell(name, *module));
        Ok(())
    }

    fn takes_program(&mut self, _: u32, _: Option<&str>) -> bool {
        true
    }
}

impl Env for FixtureEnv {
    fn arch(&self) -> Arch {
        self.arch
    }

    fn tracepoints(&mut self) -> Result<Rc<[Tracepoint]>, String> {
        self.questions += 1;
        self.kernel.tracepoints()
    }

    fn tracepoint(&mut self, name: &str) -> Result<Option<Tracepoint>, String> {
        self.questions += 1;
        self.kernel.tracepoint(name)
    }

    fn hide(&mut self, name: &str) {
        self.kernel.hide(name);
    }

    fn params(&mut self, name: &str, module: Option<&str>) -> Result<Vec<Param>, String> {
        self.questions += 1;
        self.kernel.params(name, module)
    }

    fn function_means(&mut self) -> Result<FunctionMeans, String> {
        self.kernel.function_means()
    }

    fn functions(&mut self, module: &Glob, name: &Glob) -> Result<FoundFunctions, String> {
        self.questions += 1;
        self.kernel.functions(module, name)
    }

    fn typed_function(&mut self, name: &str) -> Option<KernelFunction> {
        self.questions += 1;
        self.kernel.typed_function(name)
    }

    fn special_function(&mut self, name: &str) -> Option<KernelFunction> {
        self.questions += 1;
        self.kernel.special_function(name)
    }

    fn function_types(&mut self, index: u32, module: Option<&str>) -> Option<u32> {
        self.kernel.function_types(index, module)
    }

    fn signature(&mut self, id: u32, module: Option<&str>) -> Result<Signature, String> {
        self.questions += 1;
        self.kernel.signature(id, module)
    }

    fn takes_program(&mut self, function: &KernelFunction) -> bool {
        self.questions += 1;
        self.kernel.takes_program(function)
    }

    fn group(&mut self, name: &str, _: Option<&str>) -> Group {
        self.questions += 1;
        if !self.groups {
            return Group::Unknown;
        }
        let group = GROUPS.iter().find(|(start, _)| name.starts_with(start));
        group.map_or(Group::None, |(_, group)| Group::Named((*group).to_owned()))
    }

    fn load_groups(&mut self) {}

    fn pmu_events(&mut self) -> Rc<[PmuEvent]> {
        self.questions += 1;
        Rc::new([PmuEvent {
            name: "own.event".to_owned(),
            kind: OWN_UNIT,
            config: 0x3c,
            config1: 0,
            config2: 0,
        }])
    }

    fn try_counter(&mut self, counter: &Counter) -> Result<(), i32> {
        self.questions += 1;
        // Software events, and those of the machine's own unit.
        if matches!(counter.kind, 1 | OWN_UNIT) {
            Ok(())
        } else {
            Err(sys::errno::ENOENT)
        }
    }
}

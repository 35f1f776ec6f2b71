//! What providers ask of the running kernel.

use crate::Glob;
use image::Counter;
use std::rc::Rc;
use std::sync::Arc;

use crate::{Module, Process};
use symbols::events::Told;

/// Processor architecture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arch {
    /// x86-64.
    X86_64,
    /// 64-bit ARM.
    Arm64,
}

impl Arch {
    /// The architecture this program was built for.
    pub const HOST: Arch = if cfg!(target_arch = "aarch64") {
        Arch::Arm64
    } else {
        Arch::X86_64
    };
}

/// A kernel tracepoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tracepoint {
    /// Kernel name.
    pub name: String,
    /// Module whose BTF describes it, `None` for vmlinux.
    pub module: Option<String>,
    /// Place in the list of all tracepoints, vmlinux first.
    pub index: u32,
}

/// A parameter of a tracepoint (the private data pointer is not counted).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Param {
    /// BTF type id, in the BTF of the tracepoint's module.
    pub ty: u32,
    /// It is a pointer to a structure or union.
    pub kernel_struct: bool,
}

/// The event group of a tracepoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Group {
    /// The directory of tracefs it is in.
    Named(String),
    /// It has no event, only the bare tracepoint.
    None,
    /// tracefs cannot be read.
    Unknown,
}

/// How kernel functions can be probed; at least one way is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FunctionMeans {
    /// A program for each function, with typed arguments.
    pub trampolines: bool,
    /// One program for many functions.
    pub kprobes: bool,
    /// Those many are attached at once, so that it takes hardly longer than one.
    pub at_once: bool,
}

/// A kernel function that can be probed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelFunction {
    /// Name, the only one in its module.
    pub name: Arc<str>,
    /// Kernel module that has it, `None` for vmlinux.
    pub module: Option<Arc<str>>,
    /// BTF id of the function, there or in vmlinux; `None` if nothing is known of its types.
    pub types: Option<u32>,
    /// Its number among all functions; stays the same as long as the kernel and its modules do.
    pub index: u32,
}

/// Kernel functions that a description asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoundFunctions {
    /// In the order of their numbers.
    pub list: Vec<KernelFunction>,
    /// So many others there are that cannot be probed.
    pub left_out: usize,
}

/// Types of a kernel function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// Parameters.
    pub params: Vec<FunctionParam>,
    /// BTF type id of what it returns; `None` for nothing.
    pub ret: Option<u32>,
    /// Words of its arguments, structures passed by value included.
    pub words: u8,
    /// Nothing in it keeps the function from having a program of its own.
    pub plain: bool,
}

/// A parameter of a kernel function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FunctionParam {
    /// BTF type id.
    pub ty: u32,
    /// Its first word.
    pub word: u8,
    /// It is a pointer to a structure or union.
    pub kernel_struct: bool,
}

/// What the kernel tells about its functions.
pub trait KernelText {
    /// How they can be probed. `Err`: why they cannot.
    fn means(&mut self) -> Result<FunctionMeans, String>;
    /// Names all that can be probed, with their modules, in the kernel's order; a name that several have comes several
    /// times. `Err`: why nobody can tell.
    fn each(&mut self, tell: &mut dyn FnMut(&str, Option<&str>)) -> Result<(), String>;
    /// Whether the function with this type id, in vmlinux or a module, takes a program of its own.
    fn takes_program(&mut self, id: u32, module: Option<&str>) -> bool;
}

/// The running kernel, as far as providers need it. Errors are texts for the user.
pub trait Env {
    /// Architecture of the traced kernel.
    fn arch(&self) -> Arch;
    /// All tracepoints, in index order.
    fn tracepoints(&mut self) -> Result<Rc<[Tracepoint]>, String>;
    /// The tracepoint with this name; cheaper than the list.
    fn tracepoint(&mut self, name: &str) -> Result<Option<Tracepoint>, String>;
    /// From now on there is no tracepoint or function with this name, for those who ask for it by name.
    fn hide(&mut self, name: &str);
    /// Its parameters.
    fn params(&mut self, name: &str, module: Option<&str>) -> Result<Vec<Param>, String>;
    /// Its event group. `hint`: try this one first.
    fn group(&mut self, name: &str, hint: Option<&str>) -> Group;
    /// A running process; the text says why it cannot be had.
    fn process(&mut self, pid: u32) -> Result<Rc<Process>, String> {
        Err(format!("there is no process {pid} here"))
    }
    /// Whether any process has been asked for.
    fn watches(&self) -> bool {
        false
    }
    /// Looks again at the processes asked for so far, and for new ones where all were asked for; whether there may be
    /// probes that were not there before.
    fn refresh(&mut self) -> bool {
        false
    }
    /// The same of what these events tell, in their order.
    fn heard(&mut self, _: &[Told]) -> bool {
        false
    }
    /// Whether probes are to be listed, those of each process by themselves.
    fn lists(&self) -> bool {
        false
    }
    /// From now on probes are listed.
    fn begin_list(&mut self) {}
    /// The files with probes of their own (`.note.stapsdt`) that any process has had mapped, each once.
    fn noted_files(&mut self) -> Vec<Module> {
        Vec::new()
    }
    /// Numbers of all processes but this one.
    fn processes(&mut self) -> Vec<u32> {
        Vec::new()
    }
    /// Reads all groups at once, so that many calls of [`Env::group`] are cheap.
    fn load_groups(&mut self);
    /// How kernel functions can be probed. `Err`: why they cannot.
    fn function_means(&mut self) -> Result<FunctionMeans, String>;
    /// The functions whose names and modules match; of an exact name without looking at the others.
    fn functions(&mut self, module: &Glob, name: &Glob) -> Result<FoundFunctions, String>;
    /// The only function of this name, if it has type data and is not hidden.
    fn typed_function(&mut self, name: &str) -> Option<KernelFunction>;
    /// The function of this name, or the only special form that the compiler has made of it (`NAME.isra.0`), if it can be
    /// probed and is not hidden.
    fn special_function(&mut self, name: &str) -> Option<KernelFunction>;
    /// Type id of the function with this number, if its types are known.
    fn function_types(&mut self, index: u32, module: Option<&str>) -> Option<u32>;
    /// Types of a function.
    fn signature(&mut self, id: u32, module: Option<&str>) -> Result<Signature, String>;
    /// Whether this function takes a program of its own.
    fn takes_program(&mut self, function: &KernelFunction) -> bool;
    /// Events of the CPU's own units, by name.
    fn pmu_events(&mut self) -> Rc<[counters::PmuEvent]>;
    /// Whether a counter can be had. `Err`: the error number.
    fn try_counter(&mut self, counter: &Counter) -> Result<(), i32>;
}

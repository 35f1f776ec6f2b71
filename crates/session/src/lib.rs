//! The library behind `dtrace`: compile, list, trace. The only crate that sees both halves, the compiler and the running
//! system.
//!
//! ```text
//! Options, texts -> compile -> Compilation -> generate -> Image -> trace::Tracing: go, work, stop
//! ```
//!
//! Invariant: nothing here prints; whatever a user is to see goes through [`Front`] or is returned.

mod build;
mod compile;
mod cpp;
pub mod dump;
mod evaltime;
mod facts;
mod files;
mod functions;
mod headers;
mod host;
mod interrupt;
mod libraries;
mod list;
mod localtime;
mod macros;
mod opts;
mod output;
mod picture;
mod priority;
mod read;
mod stopwatch;
mod trace;
mod unwind;
mod victim;
pub mod world;

pub use build::BuildError;
pub use compile::{Compilation, CompileError, Input, Rejected, Text};
pub use consumer::data;
pub use dump::Stage;
pub use files::plain;
pub use host::local_date;
pub use image::Probe;
pub use interrupt::Interrupt;
pub use list::{Attributes, Described};
pub use opts::{EnvError, Options, SetError, Setter};
pub use output::{Destination, OutputError};
pub use picture::{Picture, PictureFile, Plan, draw};
pub use read::{Next, Reader, Reading, View};
pub use syntax::SpecDepth;
pub use trace::{Job, TraceError, may_trace, read, trace};
pub use victim::{Target, VictimError, Victims};

use sema::world::{ProbePattern, World};
use stopwatch::Stopwatch;
use world::SystemWorld;

/// Whether the process was started with a standard output to print to.
pub fn stdout_was_open() -> bool {
    sys::stdio::stdout_was_open()
}

/// Where messages go.
pub trait Front {
    /// One message (an error, a drop, a process that ended), without `dtrace: ` and newline.
    fn message(&mut self, text: &str);

    /// Several at once: to write them one by one would wake who reads them as often.
    fn messages(&mut self, texts: &[String]) {
        texts.iter().for_each(|text| self.message(text));
    }
}

/// One use of the library: options, and what is known of the system.
#[derive(Default)]
pub struct Session {
    /// Options.
    pub options: Options,
    world: SystemWorld,
    stopwatch: Stopwatch,
}

impl Session {
    /// A session with default options. Opens nothing.
    pub fn new() -> Session {
        Session::default()
    }

    /// A session that looks at another world than the running system.
    pub fn of(world: SystemWorld) -> Session {
        Session {
            world,
            ..Session::default()
        }
    }

    /// The processes that descriptions of probes may name, to be taken back with [`Session::victims`].
    pub fn follow(&mut self, victims: Victims) {
        self.world.victims = victims;
    }

    /// Takes back what [`Session::follow`] gave.
    pub fn victims(&mut self) -> Victims {
        std::mem::take(&mut self.world.victims)
    }

    /// Compiles all texts of a command line. `args` are `$1`…, `target` is `$target`.
    pub fn compile(
        &mut self,
        inputs: &[Input],
        args: &[String],
        target: Option<i32>,
    ) -> Result<Compilation, CompileError> {
        let Session { options, world, .. } = self;
        for tracepoint in options.list(lang::options::Opt::Without) {
            world.hide(tracepoint);
        }
        compile::compile(
            inputs,
            compile::Setting {
                options,
                world,
                args,
                target,
            },
        )
    }

    /// Probes are to be listed, not enabled: from now on those of each process are told by themselves.
    pub fn begin_list(&mut self) {
        self.world.begin_list();
    }

    /// Generates code; with the text of its intermediate form if `text`.
    pub fn generate(
        &self,
        compilation: &Compilation,
        text: bool,
    ) -> Result<codegen::Compiled, CompileError> {
        compile::generate(
            compilation,
            &self.world,
            &self.options,
            &compile::budget(&self.options),
            text,
        )
    }

    /// Sets options as a picture needs them, before those are set that the user chooses: graphs of stacks want them whole,
    /// with room for many.
    pub fn expect(&mut self, picture: Picture) -> Result<(), SetError> {
        match picture {
            Picture::Flame => {
                for (name, value) in picture::ROOM {
                    self.options.set(name, Some(value), Setter::CommandLine)?;
                }
                Ok(())
            }
            Picture::Heatmap | Picture::Trace => Ok(()),
        }
    }

    /// Says what a picture of a program will show, or why nothing can be drawn; before code is generated.
    pub fn plan(&self, picture: Picture, compilation: &mut Compilation) -> Result<Plan, String> {
        picture::plan(picture, compilation, &self.options)
    }

    /// All probes that there are.
    pub fn probes(&mut self) -> Result<Vec<Probe>, String> {
        for tracepoint in self.options.list(lang::options::Opt::Without) {
            self.world.hide(tracepoint);
        }
        self.world
            .probes(&ProbePattern::default())
            .map_err(|e| e.text)
    }

    /// Why there is no probe of this description, if there is none.
    pub fn missing(&mut self, description: &str) -> Option<String> {
        let [provider, module, function, name] =
            syntax::split_spec(description, SpecDepth::Name).ok()?;
        let found = self.world.probes(&ProbePattern {
            provider,
            module,
            function,
            name,
        });
        match found {
            Ok(probes) if probes.is_empty() => Some(format!("there is no probe {description}")),
            Ok(_) => None,
            Err(e) => Some(e.text),
        }
    }

    /// What the user should know about the probes asked for since the last call, one line each.
    pub fn notes(&mut self) -> Vec<String> {
        self.world.notes()
    }

    /// Stability and argument types of a probe.
    pub fn describe(&mut self, probe: &Probe) -> Described {
        list::describe(&mut self.world, &self.options, probe)
    }

    /// How many of these probes fire where the kernel must single-step an instruction, which takes about 20 times as long.
    pub fn stepped<'a>(&self, probes: impl Iterator<Item = &'a Probe>) -> usize {
        list::stepped(probes)
    }

    /// The weakest attributes of these probe descriptions.
    pub fn description_stability(&self, descriptions: &[String]) -> Attributes {
        list::weakest(&self.world, descriptions)
    }
}

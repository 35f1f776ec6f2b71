//! The compiler from text to image, in the fixed world or on the running kernel.

use std::rc::Rc;

use btf::{Btf, BtfKind};
use codegen::{Arch, Budget, Compiled, Facts, Target};
use diag::{Diagnostic, Origin, SourceMap};
use sema::Compiler;
use sema::hir::{Limits, Program};
use session::world::SystemWorld;
use syntax::{Macros, ParseInput, SpecDepth};

/// Nesting of anonymous structures that is followed.
const DEPTH: u32 = 8;
/// CPUs of the fixed world.
const FIXED_CPUS: u32 = 4;

/// What came of a text.
pub enum Outcome {
    /// Errors of syntax or meaning.
    Rejected(Vec<Diagnostic>),
    /// Well typed, but the code cannot be had on this target.
    Unlowered(Vec<Diagnostic>),
    /// Code.
    Compiled(Box<Code>),
}

/// A compiled program.
pub struct Code {
    /// Image and intermediate form.
    pub compiled: Compiled,
    /// It uses destructive actions.
    pub destructive: bool,
}

impl Outcome {
    /// The first error.
    pub fn error(&self) -> Option<&Diagnostic> {
        match self {
            Outcome::Rejected(d) | Outcome::Unlowered(d) => d.first(),
            Outcome::Compiled(_) => None,
        }
    }
}

/// A world to compile in, again and again.
pub struct Bench {
    world: SystemWorld,
    arch: Arch,
    cpus: u32,
    /// Options that shape the code.
    pub limits: Limits,
    /// How much goes into one program.
    pub budget: Budget,
}

/// Structure offsets out of type data.
struct BtfFacts(Option<Rc<Btf>>);

impl Facts for BtfFacts {
    fn offset(&self, structure: &str, member: &str) -> Option<u32> {
        let btf = self.0.as_ref()?;
        let id = btf.find(BtfKind::Struct, structure)?;
        Some(bit_offset(btf, id, member, DEPTH)? / 8)
    }
}

fn bit_offset(btf: &Btf, id: u32, member: &str, depth: u32) -> Option<u32> {
    let ty = btf.ty(btf.strip(id).ok()?).ok()?;
    ty.members().find_map(|m| match m.name {
        name if name == member => Some(m.bit_offset),
        "" if depth > 0 => Some(m.bit_offset + bit_offset(btf, m.ty, member, depth - 1)?),
        _ => None,
    })
}

impl Bench {
    /// The fixed world: the same on every host.
    pub fn fixture() -> Bench {
        Bench {
            world: SystemWorld::fixture(),
            arch: Arch::X86_64,
            cpus: FIXED_CPUS,
            limits: Limits::default(),
            budget: Budget::default(),
        }
    }

    /// The running kernel, with buffers so small that thousands of programs can be loaded one after the other.
    pub fn live(cpus: u32) -> Bench {
        let limits = Limits {
            bufsize: 16 << 10,
            aggsize: 64 << 10,
            dynvarsize: 16 << 10,
            ..Limits::default()
        };
        Bench {
            world: SystemWorld::new(),
            arch: if cfg!(target_arch = "aarch64") {
                Arch::Aarch64
            } else {
                Arch::X86_64
            },
            cpus,
            limits,
            budget: Budget::default(),
        }
    }

    /// Parses and types.
    pub fn program(&mut self, text: &str) -> Result<(Program, bool), Vec<Diagnostic>> {
        let mut sources = SourceMap::default();
        let source = sources.add(Origin::Script("fuzz.d".into()), text.to_owned());
        let options = sema::Options {
            limits: self.limits,
            ..sema::Options::default()
        };
        let mut compiler = Compiler::new(&mut self.world, options);
        let macros = Macros {
            args: vec!["fuzz".into(), "1".into(), "word".into()],
            ints: ["pid", "uid", "target"].map(|n| (n.to_owned(), 7)).into(),
            default_args: false,
        };
        let unit = syntax::parse(ParseInput {
            source,
            text,
            library: false,
            bare_specs: true,
            depth: SpecDepth::Name,
            empty_ok: true,
            macros: &macros,
            types: &mut compiler,
        })?;
        let info = compiler.add(&unit, &sources)?;
        Ok((compiler.finish(), info.destructive))
    }

    /// The whole way.
    pub fn compile(&mut self, text: &str) -> Outcome {
        let (program, destructive) = match self.program(text) {
            Ok(p) => p,
            Err(d) => return Outcome::Rejected(d),
        };
        let facts = BtfFacts(self.world.vmlinux());
        let target = Target {
            arch: self.arch,
            cpus: self.cpus,
            facts: &facts,
            generation: 0,
            text: true,
        };
        match codegen::compile_within(&program, &target, &self.budget) {
            Ok(compiled) => Outcome::Compiled(Box::new(Code {
                compiled,
                destructive,
            })),
            Err(d) => Outcome::Unlowered(d),
        }
    }
}

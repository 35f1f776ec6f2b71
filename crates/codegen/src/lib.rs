//! From the typed program to an image: plans maps and layouts, lowers each firing site to one BPF program.
//!
//! ```text
//! hir::Program -> plan (maps, layouts, sites) -> site by site: prologue, dispatch, clauses -> ir -> bpf -> Image
//! ```
//!
//! * One program a site; where that is too much for the kernel, parts that follow each other (`split`, `part`).
//! * Where a site has many probes (system calls), they are grouped by the clauses they enable, and the program dispatches
//!   on the selector through a table in read-only memory.
//! * A clause evaluates its predicate, then its statements in order, writing what it records into this CPU's scratch
//!   memory, and sends the record at its end. A fault leaves the clause, so nothing of it is sent.
//! * Scratch memory is a per-CPU array with one element a program: the kernel never runs a tracing program nested in
//!   itself, and programs run with preemption off at every site we have, so an element has one user at a time.
//!
//! Invariant: pure; the kernel's offsets come through [`Facts`].

mod agg;
mod clause;
mod clock;
mod derived;
mod expr;
mod held;
mod inet;
mod kept;
mod kernel;
mod lower;
mod part;
mod path;
mod plan;
mod points;
mod rodata;
mod rt;
mod site;
mod sites;
mod spec;
mod split;
mod stack;
mod strings;
mod subr;
mod task;
mod unwind;
mod user;
mod vars;

pub use split::Budget;

use diag::{Diagnostic, Region, Span, Tag};
use image::Image;
use sema::hir::{Pos, Program};

/// Machine architecture of the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arch {
    /// x86-64.
    X86_64,
    /// 64-bit Arm.
    Aarch64,
}

/// What the compiler must know of the kernel that will run the code.
pub trait Facts {
    /// Byte offset of a member of a kernel structure (`task_struct`, `tgid`), or of a member of a member
    /// (`mm_mt.ma_root`); `None` without type data.
    fn offset(&self, structure: &str, member: &str) -> Option<u32>;

    /// Bytes of a page, as a shift.
    fn page_shift(&self) -> u32 {
        12
    }

    /// The pid namespace whose numbers of processes are meant; `None`: those of the kernel itself.
    fn namespace(&self) -> Option<Namespace> {
        None
    }
}

/// A pid namespace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Namespace {
    /// How many others it is inside of, at least one.
    pub level: u32,
    /// Its inode.
    pub inode: u32,
}

/// The kernel that will run the code.
pub struct Target<'a> {
    /// Architecture.
    pub arch: Arch,
    /// Possible CPUs (one more than the highest number).
    pub cpus: u32,
    /// Structure offsets.
    pub facts: &'a dyn Facts,
    /// Which compilation of the program of a run this is, from 0.
    pub generation: u32,
    /// [`Compiled::ir`] is wanted.
    pub text: bool,
}

/// Why lowering stopped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Stop {
    /// What is wrong, fit for a message.
    pub message: String,
    /// Where, if it is about one place.
    pub pos: Pos,
}

pub(crate) type Result<T> = std::result::Result<T, Stop>;

pub(crate) fn stop<T>(pos: Pos, message: impl Into<String>) -> Result<T> {
    Err(Stop {
        message: message.into(),
        pos,
    })
}

/// An image with the texts of its intermediate stages.
pub struct Compiled {
    /// What to load.
    pub image: Image,
    /// `--dump=ir`: the optimised intermediate form of each program; empty if [`Target::text`] did not ask for it.
    pub ir: String,
}

/// Compiles a typed program. What the code cannot do on this target is a diagnostic with the place in the program text.
pub fn compile(
    program: &Program,
    target: &Target,
) -> std::result::Result<Compiled, Vec<Diagnostic>> {
    compile_within(program, target, &Budget::default())
}

/// As [`compile`], with programs no larger than that.
pub fn compile_within(
    program: &Program,
    target: &Target,
    budget: &Budget,
) -> std::result::Result<Compiled, Vec<Diagnostic>> {
    lower::lower(program, target, budget).map_err(|s| {
        let mut d = Diagnostic::new(Tag::D_UNKNOWN, Span::default(), Region::None, s.message);
        if s.pos.line > 0 {
            d.line_override = Some((String::new(), s.pos.line));
        }
        vec![d]
    })
}

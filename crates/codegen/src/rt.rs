//! The run-time library of string subroutines, as local BPF functions.

use bpf::Insn;
use bpf::Reg;
use bpf::asm::Assembler;
use ir::{LocalFn, Pos};

/// Most stack that one of them uses.
pub const STACK: u32 = 0;

/// The functions, as indices into [`LOCALS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
#[expect(missing_docs, reason = "placeholder")]
pub enum Local {
    Strcmp,
    Chr,
    Rchr,
    Find,
    Rfind,
    Case,
    Toll,
    Lltostr,
    Span,
    Cspan,
    Cleanpath,
    Trim,
}

fn none(a: &mut Assembler<Pos>) {
    a.emit(Insn::mov(Reg::R0, -1));
    a.emit(Insn::exit());
}

/// The functions.
pub const LOCALS: &[LocalFn] = &[
    none, none, none, none, none, none, none, none, none, none, none, none,
];

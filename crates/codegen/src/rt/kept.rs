//! Taking room in principal buffers that are read at the end ([`image::layout::kept`]).

use bpf::AluOp::{Lsh, Or, Rsh};
use bpf::Insn;
use bpf::JmpOp::{Le, Ne};
use bpf::Reg::{R0, R1, R2, R3, R4, R5, R6};
use bpf::Width;
use bpf::asm::Assembler;
use image::layout::kept;
use ir::Pos;

use super::code::Code;

/// Times that a reservation is tried: it fails only when a program interrupts this one in between.
const TRIES: u32 = 4;

/// `reserve(buffer, words, limit)`
pub(super) fn reserve(asm: &mut Assembler<Pos>) {
    let c = &mut Code(asm);
    let full = c.label();
    for _ in 0..TRIES {
        let again = c.label();
        c.ld(R0, R1, kept::HEAD as i16);
        c.mov(R4, R0);
        c.op(Rsh, R4, kept::LAST_BITS as i32);
        c.add(R4, R2);
        c.must(Le, R4, R3, full);
        c.op(Lsh, R4, kept::LAST_BITS as i32);
        c.op(Or, R4, R2);
        c.mov(R5, R0);
        c.0.emit(Insn::cmpxchg(Width::DW, R1, kept::HEAD as i16, R4));
        c.jmp(Ne, R0, R5, again);
        c.any_zero(R6);
        c.add(R0, R6);
        c.exit();
        c.at(again);
    }
    c.any_zero(R0);
    c.add(R0, -1);
    c.exit();
    c.at(full);
    c.any_zero(R0);
    c.add(R0, -2);
    c.exit();
}

//! States and buffers of speculations ([`image::layout::spec`]): every change is one atomic operation, so that CPUs, and
//! programs that interrupt each other on one CPU, agree.

use bpf::AluOp::{And, Lsh, Or, Rsh};
use bpf::JmpOp::{Eq, Le, Lt, Ne};
use bpf::Reg::{self, R0, R1, R2, R3, R4, R5, R6, R7, R8, R9};
use bpf::asm::{Assembler, Label};
use bpf::{Insn, Width};
use image::layout::spec;
use ir::Pos;

use super::code::Code;

/// Bits of a state word that hold the state.
const STATES: i32 = 0xff;
/// Times that a reservation is tried: it fails only when a program interrupts this one in between.
const TRIES: u32 = 4;

/// `take(states, n, mask)`: R6 is not 0 if some are busy, R7 counts those seen, R8 is the mask.
pub(super) fn take(asm: &mut Assembler<Pos>) {
    let c = &mut Code(asm);
    let (none, next, free, busy) = (c.label(), c.label(), c.label(), c.label());
    c.any_zero(R6);
    c.any_zero(R9);
    c.mov(R7, 0);
    c.mov(R8, R3);
    let top = c.here();
    c.must(Lt, R7, R2, none);
    c.ld(R0, R1, spec::STATE as i16);
    c.mov(R3, R0);
    c.op(And, R3, STATES);
    c.jmp(Eq, R3, spec::INACTIVE as i32, free);
    c.jmp(Eq, R3, spec::ACTIVE as i32, next);
    c.at(busy);
    c.any_zero(R6);
    c.op(Or, R6, 1);
    c.at(next);
    c.mov(R3, R8);
    c.add(R3, 1);
    c.op(Lsh, R3, spec::STATE_SHIFT as i32);
    c.add(R1, R3);
    c.add(R7, 1);
    c.ja(top);
    c.at(free);
    slot(c, R4, R8);
    c.ld(R3, R4, spec::COMMITTED as i16);
    c.jmp(Ne, R3, 0, busy);
    c.mov(R3, R0);
    c.mov(R4, R0);
    c.add(R4, spec::ACTIVE as i32);
    swap(c, R1, spec::STATE, R4);
    c.jmp(Ne, R0, R3, next);
    c.mov(R0, R7);
    c.add(R0, 1);
    c.add(R0, R9);
    c.exit();
    c.at(none);
    c.mov(R0, R6);
    c.neg(R0);
    c.add(R0, R9);
    c.exit();
}

/// `commit(state, time, clause, mask)`
pub(super) fn commit(asm: &mut Assembler<Pos>) {
    let c = &mut Code(asm);
    let out = c.label();
    c.mov(R8, R4);
    active(c, out);
    c.add(R4, (spec::CLOSING - spec::ACTIVE) as i32);
    swap(c, R1, spec::STATE, R4);
    c.must(Eq, R0, R5, out);
    slot(c, R4, R8);
    c.st(R4, spec::TIME as i16, R2);
    c.st(R4, spec::CLAUSE as i16, R3);
    c.op(Rsh, R5, spec::GENERATION_SHIFT as i32);
    c.op(Lsh, R5, spec::GENERATION_SHIFT as i32);
    c.op(Or, R5, 1);
    c.0.emit(Insn::fetch_add(Width::DW, R4, spec::COMMITTED as i16, R5));
    c.mov(R4, 1);
    c.op(Lsh, R4, spec::GENERATION_SHIFT as i32);
    c.sub(R4, spec::CLOSING as i32);
    c.0.emit(Insn::fetch_add(Width::DW, R1, spec::STATE as i16, R4));
    c.at(out);
    c.any_zero(R0);
    c.exit();
}

/// `discard(state)`: the next generation finds the buffers empty.
pub(super) fn discard(asm: &mut Assembler<Pos>) {
    let c = &mut Code(asm);
    let out = c.label();
    active(c, out);
    c.mov(R3, 1);
    c.op(Lsh, R3, spec::GENERATION_SHIFT as i32);
    c.sub(R3, spec::ACTIVE as i32);
    c.add(R4, R3);
    swap(c, R1, spec::STATE, R4);
    c.at(out);
    c.any_zero(R0);
    c.exit();
}

/// Goes to `out` unless the state at R1 is active: its word in R0, R4 and R5.
fn active(c: &mut Code<'_>, out: Label) {
    c.ld(R0, R1, spec::STATE as i16);
    c.mov(R4, R0);
    c.mov(R5, R0);
    c.op(And, R4, STATES);
    c.must(Eq, R4, spec::ACTIVE as i32, out);
    c.mov(R4, R0);
}

/// The slot in `to` that the state word in R0 uses, of the speculation at R1.
fn slot(c: &mut Code<'_>, to: Reg, mask: Reg) {
    c.mov(to, R0);
    c.op(Rsh, to, spec::GENERATION_SHIFT as i32);
    c.op(And, to, mask);
    c.op(Lsh, to, spec::STATE_SHIFT as i32);
    c.add(to, R1);
}

/// `R0 = *(base + off)`, which becomes `new` if it was R0.
fn swap(c: &mut Code<'_>, base: Reg, off: u32, new: Reg) {
    c.0.emit(Insn::cmpxchg(Width::DW, base, off as i16, new));
}

/// `reserve(state, buffer, size, limit, word)`
pub(super) fn reserve(asm: &mut Assembler<Pos>) {
    let c = &mut Code(asm);
    let (inactive, full) = (c.label(), c.label());
    c.mov(R6, 1);
    c.0.emit(Insn::fetch_add(Width::DW, R2, spec::WRITERS as i16, R6));
    c.ld(R7, R1, spec::STATE as i16);
    c.must(Eq, R7, R5, inactive);
    c.mov(R8, R7);
    c.op(And, R8, STATES);
    c.must(Eq, R8, spec::ACTIVE as i32, inactive);
    c.op(Rsh, R7, spec::GENERATION_SHIFT as i32);
    for _ in 0..TRIES {
        attempt(c, full);
    }
    c.at(full);
    failed(c, -2);
    c.at(inactive);
    failed(c, -1);
}

/// One try to take R3 of R4 bytes for generation R7; returns where, if it succeeds. R6: how many were writing before.
fn attempt(c: &mut Code<'_>, full: Label) {
    let (ours, have, again) = (c.label(), c.label(), c.label());
    c.ld(R0, R2, spec::USED as i16);
    c.mov(R5, R0);
    c.op(Rsh, R5, spec::GENERATION_SHIFT as i32);
    c.jmp(Eq, R5, R7, ours);
    // What an earlier generation left. Whom we interrupt may still be writing for that one.
    c.must(Eq, R6, 0, full);
    c.any_zero(R8);
    c.ja(have);
    c.at(ours);
    c.mov(R8, R0);
    c.op(Lsh, R8, spec::GENERATION_SHIFT as i32);
    c.op(Rsh, R8, spec::GENERATION_SHIFT as i32);
    c.at(have);
    c.mov(R1, R8);
    c.add(R1, R3);
    c.must(Le, R1, R4, full);
    c.mov(R5, R7);
    c.op(Lsh, R5, spec::GENERATION_SHIFT as i32);
    c.op(Or, R1, R5);
    c.mov(R9, R0);
    swap(c, R2, spec::USED, R1);
    c.jmp(Ne, R0, R9, again);
    c.any_zero(R0);
    c.add(R0, R8);
    c.exit();
    c.at(again);
}

/// Counts the writer out and returns `code`.
fn failed(c: &mut Code<'_>, code: i32) {
    c.mov(R6, -1);
    c.0.emit(Insn::fetch_add(Width::DW, R2, spec::WRITERS as i16, R6));
    c.any_zero(R0);
    c.add(R0, code);
    c.exit();
}

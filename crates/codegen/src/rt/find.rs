//! Searching a string in a string.
//!
//! One walk over `s` keeps its last eight bytes in a word and compares that with the last eight of `t`; where they are
//! equal, the rest of `t` is compared eight bytes at a time from both its ends. The verifier must walk every step that
//! could ever be taken, so what matters is the most steps of both loops together: with N and M the capacities and
//! x the length of `t`, there are N - x + 1 places, each with at most (x - 1) / 16 steps after its first, and x is
//! less than M. Both loops count down one counter from that bound.

use bpf::AluOp::{And, Arsh, Lsh, Mul, Or, Rsh, Xor};
use bpf::JmpOp::{Eq, Ge, Gt, Le, Ne, Sgt, Slt};
use bpf::Reg::{self, R0, R1, R2, R3, R4, R5, R6, R7, R8, R9, R10};
use bpf::asm::{Assembler, Label};
use ir::Pos;

use super::code::Code;

/// Last up to eight bytes of `t`, which of them count, its length and place.
const TAIL: i16 = -8;
const MASK: i16 = -16;
const LEN: i16 = -24;
const TEXT: i16 = -32;
const START: i16 = -40;
/// What is returned if the end is reached.
const BEST: i16 = -48;
/// Stack used.
pub(super) const STACK: u32 = 48;

/// `find(s, t, cap_s, cap_t, start)`
pub(super) fn find(asm: &mut Assembler<Pos>) {
    search(&mut Code(asm), false);
}

/// `rfind(s, t, cap_s, cap_t, start)`
pub(super) fn rfind(asm: &mut Assembler<Pos>) {
    search(&mut Code(asm), true);
}

/// R1 `s`, R3 and R4 capacities, R6 bytes of `s` read, R7 the last of them, R9 steps left.
fn search(c: &mut Code<'_>, last: bool) {
    let (top, candidate, matched, next, end, more) = (
        c.label(),
        c.label(),
        c.label(),
        c.label(),
        c.label(),
        c.label(),
    );
    c.st(R10, START, R5);
    c.st(R10, TEXT, R2);
    tail(c);
    c.any_zero(R0);
    c.sub(R0, 1);
    c.st(R10, BEST, R0);
    steps(c);
    c.any_zero(R6);
    c.any_zero(R7);

    c.at(top);
    c.sub(R9, 1);
    c.jmp(Eq, R9, 0, end);
    c.ld(R0, R10, TAIL);
    c.op(Xor, R0, R7);
    c.ld(R5, R10, MASK);
    c.op(And, R0, R5);
    c.jmp(Eq, R0, 0, candidate);
    c.at(next);
    c.jmp(Ge, R6, R3, end);
    c.addr(R0, R1, R6);
    c.ldb(R0, R0);
    c.jmp(Ne, R0, 0, more);
    c.ja(end);
    c.at(more);
    c.op(Lsh, R7, 8);
    c.op(Or, R7, R0);
    c.add(R6, 1);
    c.any_zero(R0);
    c.add(R6, R0);
    c.ja(top);

    c.at(candidate);
    c.mov(R0, R6);
    c.ld(R5, R10, LEN);
    c.sub(R0, R5);
    c.ld(R2, R10, START);
    if last {
        c.jmp(Slt, R0, 0, next);
        c.jmp(Sgt, R0, R2, end);
    } else {
        c.jmp(Slt, R0, R2, next);
    }
    // Short ones are in the word as a whole. The capacities are tested for the verifier, which knows nothing else.
    c.jmp(Le, R4, 8, matched);
    c.jmp(Le, R5, 8, matched);
    c.jmp(Le, R3, 8, end);
    confirm(c, matched, next, end);

    c.at(matched);
    c.mov(R0, R6);
    c.ld(R5, R10, LEN);
    c.sub(R0, R5);
    if last {
        c.st(R10, BEST, R0);
        c.ja(next);
    } else {
        c.any_zero(R5);
        c.add(R0, R5);
        c.exit();
    }
    c.at(end);
    c.ld(R0, R10, BEST);
    if !last {
        // Nothing is found at the end of any string.
        let something = c.label();
        c.ld(R5, R10, LEN);
        c.jmp(Ne, R5, 0, something);
        c.mov(R0, R6);
        c.any_zero(R5);
        c.add(R0, R5);
        c.at(something);
    }
    c.exit();
}

/// Compares `t` with the bytes before position R6, from both ends: R8 bytes at each end are known to be equal.
fn confirm(c: &mut Code<'_>, matched: Label, next: Label, end: Label) {
    c.any_zero(R8);
    let step = c.here();
    c.mov(R0, R8);
    reach(c, R2, R4, end);
    c.ld(R2, R10, TEXT);
    word(c, R2);
    c.mov(R0, R6);
    c.ld(R5, R10, LEN);
    c.sub(R0, R5);
    c.add(R0, R8);
    reach(c, R5, R3, end);
    c.mov(R5, R1);
    word(c, R5);
    c.jmp(Ne, R2, R5, next);

    c.ld(R0, R10, LEN);
    c.sub(R0, 8);
    c.sub(R0, R8);
    reach(c, R2, R4, end);
    c.ld(R2, R10, TEXT);
    word(c, R2);
    c.mov(R0, R6);
    c.sub(R0, 8);
    c.sub(R0, R8);
    reach(c, R5, R3, end);
    c.mov(R5, R1);
    word(c, R5);
    c.jmp(Ne, R2, R5, next);

    c.add(R8, 8);
    c.mov(R5, R8);
    c.add(R5, R8);
    c.ld(R0, R10, LEN);
    c.jmp(Ge, R5, R0, matched);
    c.sub(R9, 1);
    c.jmp(Eq, R9, 0, end);
    c.any_zero(R0);
    c.add(R8, R0);
    c.ja(step);
}

/// `end` if a word at index R0 is not inside `cap` bytes, which never happens but the verifier does not know. Uses `temp`.
fn reach(c: &mut Code<'_>, temp: Reg, cap: Reg, end: Label) {
    c.mov(temp, cap);
    c.sub(temp, 8);
    c.jmp(Gt, R0, temp, end);
}

/// `d` becomes the word at address `d + R0`.
fn word(c: &mut Code<'_>, d: Reg) {
    c.add(d, R0);
    c.ld(d, d, 0);
}

/// Stores `t`'s length, tail and mask.
fn tail(c: &mut Code<'_>) {
    let (more, done) = (c.label(), c.label());
    c.mov(R6, R2);
    c.any_zero(R7);
    c.any_zero(R8);
    c.mov(R9, R4);
    let top = c.here();
    c.jmp(Eq, R9, 0, done);
    c.ldb(R0, R6);
    c.jmp(Ne, R0, 0, more);
    c.ja(done);
    c.at(more);
    c.op(Lsh, R8, 8);
    c.op(Or, R8, R0);
    c.add(R7, 1);
    c.add(R6, 1);
    c.sub(R9, 1);
    c.ja(top);
    c.at(done);
    c.st(R10, TAIL, R8);
    c.st(R10, LEN, R7);
    // The mask without branches: -1 >> (64 - 8 n), with n at most 8, and 0 for 0: in two shifts, as one of 64 does nothing.
    c.mov(R0, R7);
    c.sub(R0, 8);
    c.mov(R5, R0);
    c.op(Arsh, R5, 63);
    c.op(And, R0, R5);
    c.neg(R0);
    c.op(Lsh, R0, 2);
    c.op(And, R0, 63);
    c.any_zero(R5);
    c.sub(R5, 1);
    c.op(Rsh, R5, R0);
    c.op(Rsh, R5, R0);
    c.st(R10, MASK, R5);
}

/// R9 becomes the number of steps of both loops, from constants only.
fn steps(c: &mut Code<'_>) {
    let (any, done) = (c.label(), c.label());
    // (N - 16 y) y for y = (x - 1) / 16 is greatest at N / 32.
    c.mov(R9, R4);
    c.sub(R9, 1);
    c.op(Rsh, R9, 4);
    c.mov(R0, R3);
    c.op(Rsh, R0, 5);
    c.jmp(Gt, R9, R0, any);
    c.mov(R5, R9);
    c.op(Lsh, R5, 4);
    c.mov(R0, R3);
    c.sub(R0, R5);
    c.op(Mul, R9, R0);
    c.ja(done);
    c.at(any);
    c.mov(R9, R3);
    c.op(Mul, R9, R3);
    c.op(Rsh, R9, 6);
    c.at(done);
    c.add(R9, R3);
    c.add(R9, 4);
}

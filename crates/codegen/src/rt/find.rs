//! Searching a string `t` in a string `s`.
//!
//! The verifier walks every step that could be taken, and paths that join in a loop are walked again and again, so
//! both loops here have no branches but those that leave, and few steps:
//! * A `t` of at most 16 bytes is compared with the last 16 bytes read, kept in two registers.
//! * A longer one is compared at one place after the other, 16 bytes from each end in a step: `(n - m + 1) ⌈m / 32⌉`
//!   steps at most for lengths n and m.

use bpf::AluOp::{And, Arsh, Lsh, Mul, Or, Rsh, Xor};
use bpf::JmpOp::{Eq, Gt, Le, Ne, Sgt, Slt};
use bpf::Reg::{R0, R1, R2, R3, R4, R5, R6, R7, R8, R9, R10};
use bpf::asm::{Assembler, Label};
use ir::Pos;

use super::code::Code;

/// Bytes that are compared as a whole, in two registers.
const WIDE: i32 = 16;

const CAP_T: i16 = -8;
/// Length of `t`.
const LEN: i16 = -16;
const START: i16 = -24;
// Short `t`: which bytes of the registers count, the end of a match at `start`, and the last match.
const LOW: i16 = -32;
const HIGH: i16 = -40;
const END: i16 = -24;
const BEST: i16 = -48;
// Long `t`: last place where it fits, offset of its last 16 bytes, steps left; what may be added to `t`; -1.
const LAST: i16 = -32;
const BACK: i16 = -40;
const STEPS: i16 = -48;
const REACH: i16 = -8;
const NONE: i16 = -16;
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

fn search(c: &mut Code<'_>, last: bool) {
    let (short_one, long_one, none) = (c.label(), c.label(), c.label());
    c.st(R10, START, R5);
    c.st(R10, CAP_T, R4);
    tail(c);
    c.ld(R4, R10, CAP_T);
    c.jmp(Le, R4, WIDE, short_one);
    c.jmp(Gt, R7, WIDE, long_one);
    c.at(short_one);
    short(c, last);
    c.at(long_one);
    c.any_zero(R0);
    c.sub(R0, 1);
    c.st(R10, NONE, R0);
    c.jmp(Le, R3, WIDE, none);
    long(c, last, none);
    c.at(none);
    c.ld(R0, R10, NONE);
    c.exit();
}

/// Stores the length of `t`, also in R7; R8 and R9 become its last 16 bytes. R4 is spent.
fn tail(c: &mut Code<'_>) {
    let done = c.label();
    c.mov(R6, R2);
    c.any_zero(R8);
    c.any_zero(R9);
    let top = c.here();
    c.jmp(Eq, R4, 0, done);
    c.ldb(R0, R6);
    c.must(Ne, R0, 0, done);
    shift(c, R8, R9);
    c.add(R6, 1);
    c.sub(R4, 1);
    c.ja(top);
    c.at(done);
    c.mov(R7, R6);
    c.sub(R7, R2);
    c.st(R10, LEN, R7);
}

/// Appends byte R0 to the 16 bytes in `low` and `high`. Uses R5.
fn shift(c: &mut Code<'_>, low: bpf::Reg, high: bpf::Reg) {
    c.op(Lsh, high, 8);
    c.mov(R5, low);
    c.op(Rsh, R5, 56);
    c.op(Or, high, R5);
    c.op(Lsh, low, 8);
    c.op(Or, low, R0);
}

/// Searches `t` of up to 16 bytes, R8 and R9, of length R7. R1 walks from R2, R3 counts down, R6 and R7 are what is read.
fn short(c: &mut Code<'_>, last: bool) {
    let (next, more, end) = (c.label(), c.label(), c.label());
    c.ld(R0, R10, START);
    c.add(R0, R7);
    c.st(R10, END, R0);
    mask(c, LOW);
    c.sub(R7, 8);
    mask(c, HIGH);
    c.any_zero(R0);
    c.sub(R0, 1);
    c.st(R10, BEST, R0);
    c.mov(R2, R1);
    c.any_zero(R6);
    c.any_zero(R7);

    let top = c.here();
    c.mov(R0, R6);
    c.op(Xor, R0, R8);
    c.ld(R4, R10, LOW);
    c.op(And, R0, R4);
    c.mov(R4, R7);
    c.op(Xor, R4, R9);
    c.ld(R5, R10, HIGH);
    c.op(And, R4, R5);
    c.op(Or, R0, R4);
    // Nor is one that is on the wrong side of `start`.
    c.mov(R4, R1);
    c.sub(R4, R2);
    c.ld(R5, R10, END);
    c.sub(R4, R5);
    if last {
        c.neg(R4);
    }
    c.op(Arsh, R4, 63);
    c.op(Or, R0, R4);
    if last {
        keep(c);
    } else {
        c.jmp(Ne, R0, 0, next);
        place(c);
        c.exit();
        c.at(next);
    }
    c.jmp(Eq, R3, 0, end);
    c.ldb(R0, R1);
    c.jmp(Ne, R0, 0, more);
    c.at(end);
    if last {
        c.ld(R0, R10, BEST);
    } else {
        // Nothing is found at the end at the latest.
        c.ld(R4, R10, LEN);
        c.sub(R4, 1);
        c.op(Arsh, R4, 63);
        c.mov(R0, R1);
        c.sub(R0, R2);
        c.add(R0, 1);
        c.op(And, R0, R4);
        c.sub(R0, 1);
    }
    c.any_zero(R4);
    c.add(R0, R4);
    c.exit();
    c.at(more);
    shift(c, R6, R7);
    c.add(R1, 1);
    c.sub(R3, 1);
    c.ja(top);
}

/// R0 becomes the place of a match that ends at R1. Uses R5.
fn place(c: &mut Code<'_>) {
    c.mov(R0, R1);
    c.sub(R0, R2);
    c.ld(R5, R10, LEN);
    c.sub(R0, R5);
}

/// Notes the place of a match if R0 is 0.
fn keep(c: &mut Code<'_>) {
    differs(c);
    c.op(Xor, R4, -1);
    place(c);
    c.ld(R5, R10, BEST);
    c.op(Xor, R0, R5);
    c.op(And, R0, R4);
    c.op(Xor, R5, R0);
    c.st(R10, BEST, R5);
}

/// R4 becomes 0 if R0 is, else -1.
fn differs(c: &mut Code<'_>) {
    c.mov(R4, R0);
    c.neg(R4);
    c.op(Or, R4, R0);
    c.op(Arsh, R4, 63);
}

/// Stores a mask of the lowest R7 bytes of eight: none if R7 is negative, all if it is more. Uses R0, R5.
fn mask(c: &mut Code<'_>, slot: i16) {
    // 8 - R7, not less than 0; then not more than 8.
    c.mov(R0, 8);
    c.sub(R0, R7);
    c.mov(R5, R0);
    c.op(Arsh, R5, 63);
    c.op(Xor, R5, -1);
    c.op(And, R0, R5);
    c.sub(R0, 8);
    c.mov(R5, R0);
    c.op(Arsh, R5, 63);
    c.op(And, R0, R5);
    c.add(R0, 8);
    // In two shifts, since one of 64 does nothing.
    c.op(Lsh, R0, 2);
    c.mov(R5, -1);
    c.op(Rsh, R5, R0);
    c.op(Rsh, R5, R0);
    c.st(R10, slot, R5);
}

/// Searches `t` of more than 16 bytes, of length R7. R6 is the place, R7 bytes at each end are known to be equal there.
fn long(c: &mut Code<'_>, last: bool, none: Label) {
    steps(c);
    length(c);
    c.sub(R8, R7);
    c.st(R10, LAST, R8);
    c.sub(R7, WIDE);
    c.st(R10, BACK, R7);
    c.ld(R6, R10, START);
    if last {
        // The lesser of both.
        c.sub(R6, R8);
        c.mov(R5, R6);
        c.op(Arsh, R5, 63);
        c.op(And, R6, R5);
        c.add(R6, R8);
    } else {
        c.jmp(Sgt, R6, R8, none);
    }
    c.any_zero(R7);
    c.add(R6, R7);
    c.sub(R4, WIDE);
    c.st(R10, REACH, R4);
    c.sub(R3, WIDE);

    let top = c.here();
    c.ld(R4, R10, STEPS);
    c.sub(R4, 1);
    c.st(R10, STEPS, R4);
    c.jmp(Eq, R4, 0, none);
    compare(c, none);
    differs(c);
    c.op(
        if last {
            bpf::AluOp::Add
        } else {
            bpf::AluOp::Sub
        },
        R6,
        R4,
    );
    c.add(R7, WIDE);
    c.op(Xor, R4, -1);
    c.op(And, R7, R4);
    // Found when both ends meet.
    c.mov(R0, R7);
    c.add(R0, R7);
    c.sub(R0, WIDE);
    c.ld(R4, R10, BACK);
    c.jmp(Slt, R0, R4, top);
    if !last {
        // Not in what is after the end of `s`.
        c.ld(R4, R10, LAST);
        c.jmp(Sgt, R6, R4, none);
    }
    c.mov(R0, R6);
    c.exit();
}

/// R0 becomes 0 if at place R6 16 bytes are equal, R7 from each end. All are inside; where the verifier does not see
/// that, and where there is no further place, the way is to `none`.
fn compare(c: &mut Code<'_>, none: Label) {
    c.ld(R8, R10, BACK);
    c.sub(R8, R7);
    c.ld(R4, R10, REACH);
    c.must(Le, R7, R4, none);
    c.must(Le, R8, R4, none);
    c.mov(R5, R6);
    c.add(R5, R7);
    c.must(Le, R5, R3, none);
    c.add(R5, R1);
    c.addr(R4, R2, R7);
    c.ld(R0, R5, 0);
    c.ld(R9, R4, 0);
    c.op(Xor, R0, R9);
    c.ld(R5, R5, 8);
    c.ld(R4, R4, 8);
    c.op(Xor, R5, R4);
    c.op(Or, R0, R5);

    c.mov(R5, R6);
    c.add(R5, R8);
    c.must(Le, R5, R3, none);
    c.add(R5, R1);
    c.add(R8, R2);
    c.ld(R9, R5, 0);
    c.ld(R5, R5, 8);
    c.ld(R4, R8, 0);
    c.ld(R8, R8, 8);
    c.op(Xor, R9, R4);
    c.op(Xor, R5, R8);
    c.op(Or, R0, R9);
    c.op(Or, R0, R5);
}

/// R8 becomes the length of `s`.
fn length(c: &mut Code<'_>) {
    let done = c.label();
    c.mov(R8, R1);
    c.mov(R5, R3);
    let top = c.here();
    c.jmp(Eq, R5, 0, done);
    c.ldb(R0, R8);
    c.must(Ne, R0, 0, done);
    c.add(R8, 1);
    c.sub(R5, 1);
    c.ja(top);
    c.at(done);
    c.sub(R8, R1);
    c.join();
}

/// Stores the number of steps, from constants only: (N - m + 1) (m + 31) / 32 for m = M, where that still grows with
/// m, else the most it can be.
fn steps(c: &mut Code<'_>) {
    let (any, done) = (c.label(), c.label());
    c.mov(R0, R3);
    c.op(Rsh, R0, 1);
    c.sub(R0, 15);
    c.jmp(Sgt, R4, R0, any);
    c.mov(R9, R3);
    c.sub(R9, R4);
    c.add(R9, 1);
    c.mov(R0, R4);
    c.add(R0, 31);
    c.op(Mul, R9, R0);
    c.op(Rsh, R9, 5);
    c.ja(done);
    c.at(any);
    c.mov(R9, R3);
    c.add(R9, 32);
    c.op(Mul, R9, R9);
    c.op(Rsh, R9, 7);
    c.at(done);
    c.add(R9, 3);
    c.st(R10, STEPS, R9);
}

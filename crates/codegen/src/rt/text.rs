//! Functions that walk one or two strings byte by byte.

use bpf::AluOp::{And, Arsh, Lsh, Or, Rsh, Xor};
use bpf::JmpOp::{Eq, Lt, Ne, Slt};
use bpf::Reg::{self, R0, R1, R2, R3, R4, R5, R6, R7, R8};
use bpf::asm::Label;
use ir::local::Body;

use super::Local;
use super::code::Code;
use super::part::{Loop, run};

fn code<'a>(b: &'a mut Body<'_>) -> Code<'a> {
    Code(&mut *b.asm)
}

/// A loop over the string at R1, of which a step looks at the byte at R6.
const fn walk(part: Local, live: &'static [Reg], step: fn(&mut Code<'_>, &[i32], Label)) -> Loop {
    Loop {
        part,
        more: None,
        two: false,
        keep: false,
        words: 0,
        live,
        step,
    }
}

/// `d` becomes the byte at R6 of the string at R1; at its end the way is to `out`. R0 becomes the byte's address.
fn next(c: &mut Code<'_>, d: Reg, caps: &[i32], out: Label) {
    c.must(Lt, R6, caps[0], out);
    c.addr(R0, R1, R6);
    c.ldb(d, R0);
}

pub(super) const STRCMP: Loop = Loop {
    two: true,
    ..walk(Local::StrcmpPart, &[R6, R4, R5], |c, caps, out| {
        next(c, R4, caps, out);
        c.addr(R0, R2, R6);
        c.ldb(R5, R0);
        c.must(Eq, R4, R5, out);
        c.must(Ne, R4, 0, out);
        c.add(R6, 1);
    })
};

/// `strcmp(a, b, cap)`
pub(super) fn strcmp(b: &mut Body<'_>) {
    let cap = b.constant(0);
    let c = &mut code(b);
    c.any_zero(R6);
    c.mov(R4, 0);
    c.mov(R5, 0);
    run(b, &STRCMP, &[cap, cap], cap as u64);
    // The sign of the difference of the last two bytes.
    let c = &mut code(b);
    c.mov(R0, R4);
    c.sub(R0, R5);
    c.mov(R1, R0);
    c.neg(R1);
    c.op(Rsh, R1, 63);
    c.op(Arsh, R0, 63);
    c.op(Or, R0, R1);
    give(c, R0);
}

/// Returns a number, of which the verifier then knows nothing. Uses R1.
fn give(c: &mut Code<'_>, number: Reg) {
    c.any_zero(R1);
    c.add(R1, number);
    c.mov(R0, R1);
    c.exit();
}

pub(super) const CHR: Loop = walk(Local::ChrPart, &[R6, R7, R4], |c, caps, out| {
    next(c, R4, caps, out);
    c.must(Ne, R4, R7, out);
    c.must(Ne, R4, 0, out);
    c.add(R6, 1);
});

/// `strchr(s, c, cap)`
pub(super) fn chr(b: &mut Body<'_>) {
    let cap = b.constant(0);
    let found = b.asm.label();
    let c = &mut code(b);
    c.mov(R7, R2);
    c.any_zero(R6);
    c.any_zero(R4);
    run(b, &CHR, &[cap], cap as u64);
    let c = &mut code(b);
    c.jmp(Eq, R4, R7, found);
    c.mov(R6, -1);
    c.at(found);
    give(c, R6);
}

/// R8 becomes R6 if R0 is -1, and stays if that is 0. Without a branch, as paths would meet in a loop.
fn keep(c: &mut Code<'_>) {
    c.mov(R5, R8);
    c.op(Xor, R5, R6);
    c.op(And, R5, R0);
    c.op(Xor, R8, R5);
}

/// R0 becomes -1 if the byte in it is 0, else 0.
fn none(c: &mut Code<'_>) {
    c.sub(R0, 1);
    c.op(Arsh, R0, 63);
}

pub(super) const RCHR: Loop = walk(Local::RchrPart, &[R6, R7, R8], |c, caps, out| {
    next(c, R4, caps, out);
    c.mov(R0, R4);
    c.op(Xor, R0, R7);
    none(c);
    keep(c);
    c.must(Ne, R4, 0, out);
    c.add(R6, 1);
});

/// `strrchr(s, c, cap)`
pub(super) fn rchr(b: &mut Body<'_>) {
    let cap = b.constant(0);
    let c = &mut code(b);
    c.mov(R7, R2);
    c.any_zero(R6);
    c.any_zero(R8);
    c.sub(R8, 1);
    run(b, &RCHR, &[cap], cap as u64);
    give(&mut code(b), R8);
}

pub(super) const TRIM: Loop = walk(Local::TrimPart, &[R6, R8], |c, caps, out| {
    next(c, R4, caps, out);
    c.must(Ne, R4, 0, out);
    c.add(R6, 1);
    c.mov(R0, R4);
    c.op(Xor, R0, i32::from(b'/'));
    none(c);
    c.op(Xor, R0, -1);
    keep(c);
});

/// `trim(s, cap)`
pub(super) fn trim(b: &mut Body<'_>) {
    let cap = b.constant(0);
    let c = &mut code(b);
    c.any_zero(R6);
    c.any_zero(R8);
    run(b, &TRIM, &[cap], cap as u64);
    give(&mut code(b), R8);
}

pub(super) const CASE: Loop = walk(Local::CasePart, &[R6, R7], |c, caps, out| {
    next(c, R5, caps, out);
    c.must(Ne, R5, 0, out);
    // Without a branch: the sign of (25 - d) | d tells whether d is outside 0..=25.
    c.mov(R3, R5);
    c.sub(R3, R7);
    c.mov(R4, 25);
    c.sub(R4, R3);
    c.op(Or, R4, R3);
    c.op(Arsh, R4, 63);
    c.add(R4, 1);
    c.op(Lsh, R4, 5);
    c.op(Xor, R5, R4);
    c.stb(R0, 0, R5);
    c.add(R6, 1);
});

/// `case(dst, cap, upper)`
pub(super) fn case(b: &mut Body<'_>) {
    let cap = b.constant(0);
    let c = &mut code(b);
    let lower = c.label();
    c.mov(R7, i32::from(b'A'));
    c.jmp(Eq, R3, 0, lower);
    c.mov(R7, i32::from(b'a'));
    c.at(lower);
    c.any_zero(R6);
    run(b, &CASE, &[cap], cap as u64);
    give(&mut code(b), R6);
}

pub(super) const SPACES: Loop = walk(Local::SpacesPart, &[R6, R7], |c, caps, out| {
    c.must(Slt, R6, R7, out);
    next(c, R4, caps, out);
    // 32 for a NUL, else 0: without a branch.
    c.mov(R8, R4);
    c.sub(R8, 1);
    c.op(Rsh, R8, 63);
    c.op(Lsh, R8, 5);
    c.op(Or, R4, R8);
    c.stb(R0, 0, R4);
    c.add(R6, 1);
});

/// `spaces(s, n, cap)`
pub(super) fn spaces(b: &mut Body<'_>) {
    let cap = b.constant(0);
    let c = &mut code(b);
    c.mov(R7, R2);
    c.sub(R7, 1);
    c.any_zero(R6);
    run(b, &SPACES, &[cap], cap as u64);
    give(&mut code(b), R6);
}

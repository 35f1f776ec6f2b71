//! Conversions between text and numbers.

use bpf::AluOp::{And, Arsh, Div, Mul, Or, Rsh, Xor};
use bpf::Insn;
use bpf::JmpOp::{Eq, Ge, Gt, Le, Lt, Ne, Sge};
use bpf::Reg::{self, R0, R1, R2, R3, R4, R5, R6, R7, R8, R9, R10};
use bpf::asm::{Assembler, Label};
use ir::Pos;
use ir::local::Body;

use super::Local;
use super::code::Code;
use super::part::{Loop, run};

/// Largest magnitude, its quotient by the base, and 1 if the number is negative.
const LIMIT: i16 = -8;
const QUOTIENT: i16 = -16;
const NEGATIVE: i16 = -24;
/// A bit for every white space character.
const SPACES: u64 = 1 << b' ' | 1 << b'\t' | 1 << b'\n' | 1 << 0x0b | 1 << 0x0c | 1 << b'\r';
/// Stack used.
pub(super) const STACK: u32 = 24;

/// Most digits: 64 bits in base 2.
const DIGITS: i32 = 64;
/// Last byte of the buffer of `lltostr`.
const LAST: i32 = 71;

/// `toll(s, cap, base)`: R6 position, R7 1 if negative, R0 magnitude.
pub(super) fn toll(b: &mut Body<'_>) {
    let cap = b.constant(0);
    let end = b.asm.label();
    let c = &mut Code(&mut *b.asm);
    c.any_zero(R6);
    run(b, &SPACE, &[cap], cap as u64);
    let c = &mut Code(&mut *b.asm);
    c.any_zero(R0);
    c.any_zero(R7);
    for word in [LIMIT, QUOTIENT, NEGATIVE] {
        c.st(R10, word, R0);
    }
    sign(c, cap, end);
    prefix(c, cap);
    // The largest magnitude is one more for negative numbers.
    c.mov(R4, -1);
    c.op(Rsh, R4, 1);
    c.add(R4, R7);
    c.st(R10, LIMIT, R4);
    c.op(Div, R4, R3);
    c.st(R10, QUOTIENT, R4);
    c.st(R10, NEGATIVE, R7);
    run(b, &DIGIT, &[cap], cap as u64);
    let c = &mut Code(&mut *b.asm);
    c.at(end);
    c.ld(R7, R10, NEGATIVE);
    c.mov(R4, R7);
    c.neg(R4);
    c.op(Xor, R0, R4);
    c.add(R0, R7);
    c.forget(R0, R1);
    c.exit();
}

/// Moves past white space.
pub(super) const SPACE: Loop = Loop {
    part: Local::TollSpace,
    more: None,
    two: false,
    keep: false,
    words: 0,
    live: &[R6, R3],
    step: |c, caps, out| {
        c.must(Lt, R6, caps[0], out);
        c.addr(R4, R1, R6);
        c.ldb(R4, R4);
        c.must(Le, R4, i32::from(b' '), out);
        c.0.emit_all(Insn::ld_imm64(R5, SPACES));
        c.op(Rsh, R5, R4);
        c.op(And, R5, 1);
        c.must(Ne, R5, 0, out);
        c.add(R6, 1);
        c.forget(R6, R0);
    },
};

/// Moves past a sign.
fn sign(c: &mut Code<'_>, cap: i32, end: Label) {
    let (skip, done) = (c.label(), c.label());
    c.jmp(Ge, R6, cap, end);
    c.addr(R4, R1, R6);
    c.ldb(R4, R4);
    c.jmp(Eq, R4, i32::from(b'+'), skip);
    c.jmp(Ne, R4, i32::from(b'-'), done);
    c.add(R7, 1);
    c.at(skip);
    c.add(R6, 1);
    c.at(done);
    c.forget(R6, R4);
}

/// Moves past `0x` in base 16.
fn prefix(c: &mut Code<'_>, cap: i32) {
    let done = c.label();
    c.jmp(Ne, R3, 16, done);
    c.mov(R5, R6);
    c.add(R5, 1);
    c.jmp(Ge, R5, cap, done);
    c.addr(R4, R1, R5);
    c.ldb(R4, R4);
    c.op(Or, R4, 0x20);
    c.jmp(Ne, R4, i32::from(b'x'), done);
    c.jmp(Ge, R6, cap, done);
    c.addr(R4, R1, R6);
    c.ldb(R4, R4);
    c.jmp(Ne, R4, i32::from(b'0'), done);
    c.add(R6, 2);
    c.at(done);
    c.any_zero(R4);
    c.add(R6, R4);
    c.add(R3, R4);
}

/// Gathers digits. The digit is found without branches, which would multiply the paths.
pub(super) const DIGIT: Loop = Loop {
    part: Local::TollDigit,
    more: None,
    two: false,
    keep: false,
    words: 3,
    live: &[R0, R3, R6],
    step: |c, caps, out| {
        let saturate = c.label();
        c.must(Lt, R6, caps[0], out);
        c.addr(R4, R1, R6);
        c.ldb(R4, R4);
        // R5: 10 and more for a letter, all ones for what is none.
        c.mov(R5, R4);
        c.op(Or, R5, 0x20);
        c.sub(R5, i32::from(b'a'));
        outside(c, R5, 25);
        c.add(R5, 10);
        c.op(Or, R5, R7);
        // R4: the digit if it is one, else R5.
        c.sub(R4, i32::from(b'0'));
        outside(c, R4, 9);
        c.op(Xor, R5, R4);
        c.op(And, R5, R7);
        c.op(Xor, R4, R5);
        c.must(Lt, R4, R3, out);
        c.ld(R5, R10, QUOTIENT);
        c.jmp(Gt, R0, R5, saturate);
        c.op(Mul, R0, R3);
        c.add(R0, R4);
        c.forget(R0, R4);
        c.ld(R5, R10, LIMIT);
        let fits = c.label();
        c.jmp(Le, R0, R5, fits);
        c.at(saturate);
        c.ld(R0, R10, LIMIT);
        c.ja(out);
        c.at(fits);
        c.add(R6, 1);
        c.any_zero(R4);
        c.add(R0, R4);
        c.add(R6, R4);
    },
};

/// R7 becomes -1 if `v` is not in `0..=most`, else 0.
fn outside(c: &mut Code<'_>, v: Reg, most: i32) {
    c.mov(R7, most);
    c.sub(R7, v);
    c.op(Or, R7, v);
    c.op(Arsh, R7, 63);
}

/// `lltostr(dst, value, base)`: R6 length, R7 position, R8 steps left, R9 zero.
pub(super) fn lltostr(asm: &mut Assembler<Pos>) {
    let c = &mut Code(asm);
    let bad = c.label();
    c.any_zero(R6);
    c.any_zero(R9);
    number_prefix(c);
    let (count, counted) = (c.label(), c.label());
    c.mov(R7, R2);
    c.mov(R8, DIGITS);
    c.at(count);
    c.add(R6, 1);
    c.op(Div, R7, R3);
    c.sub(R8, 1);
    c.jmp(Eq, R8, 0, counted);
    c.jmp(Ne, R7, 0, count);
    c.at(counted);
    c.jmp(Gt, R6, LAST, bad);
    c.addr(R4, R1, R6);
    c.stb_imm(R4, 0, 0);
    c.mov(R7, R6);
    c.mov(R8, DIGITS);

    // Digits from the last to the first.
    let write = c.here();
    let done = c.label();
    c.sub(R7, 1);
    c.must(Le, R7, LAST, bad);
    c.mov(R4, R2);
    c.op(Div, R4, R3);
    c.mov(R5, R4);
    c.op(Mul, R5, R3);
    c.mov(R0, R2);
    c.sub(R0, R5);
    c.mov(R2, R4);
    c.mov(R5, 9);
    c.sub(R5, R0);
    c.op(Rsh, R5, 63);
    c.op(Mul, R5, i32::from(b'a' - b'9' - 1));
    c.add(R0, R5);
    c.add(R0, i32::from(b'0'));
    c.addr(R4, R1, R7);
    c.stb(R4, 0, R0);
    c.sub(R8, 1);
    c.jmp(Eq, R8, 0, done);
    c.jmp(Ne, R2, 0, write);
    c.at(done);
    c.mov(R0, R6);
    c.add(R0, R9);
    c.exit();
    // No number is that long; the verifier does not know.
    c.at(bad);
    c.any_zero(R0);
    c.exit();
}

/// Writes sign and prefix, R6 becomes their length and R2 the magnitude.
fn number_prefix(c: &mut Code<'_>) {
    let (not_ten, not_hex, one, done) = (c.label(), c.label(), c.label(), c.label());
    c.jmp(Ne, R3, 10, not_ten);
    c.jmp(Sge, R2, 0, done);
    c.neg(R2);
    c.stb_imm(R1, 0, b'-');
    c.ja(one);
    c.at(not_ten);
    c.jmp(Ne, R3, 16, not_hex);
    c.stb_imm(R1, 0, b'0');
    c.stb_imm(R1, 1, b'x');
    c.add(R6, 2);
    c.ja(done);
    c.at(not_hex);
    c.jmp(Ne, R3, 8, done);
    c.jmp(Eq, R2, 0, done);
    c.stb_imm(R1, 0, b'0');
    c.at(one);
    c.add(R6, 1);
    c.at(done);
    c.add(R2, R9);
    c.add(R3, R9);
    c.add(R6, R9);
}

//! Network addresses as text, without branches: every character is written at the present end, which then moves on if it
//! was wanted.

use bpf::AluOp::{Add, And, Lsh, Mod, Mul, Or, Rsh, Sub, Xor};
use bpf::Reg::{self, R0, R1, R2, R3, R4, R5, R6, R7, R8, R9, R10};
use bpf::asm::Assembler;
use bpf::{AluOp, Insn, Width};
use ir::Pos;

use super::code::Code;

/// Ends of text are masked with this, for the verifier.
const ENDS: i32 = 63;
/// Groups of an IPv6 address.
const GROUPS: i32 = 8;
/// Places on the stack: first and last group of the run of zeros.
const FIRST: i16 = -8;
const LAST: i16 = -16;
/// Stack used.
pub(super) const STACK: u32 = 16;

/// Writes the byte in R4 at the end (R6), which moves on by `more`: 0 or 1.
fn put(c: &mut Code<'_>, more: impl Into<bpf::Src>) {
    c.op(And, R6, ENDS);
    c.addr(R5, R1, R6);
    c.stb(R5, 0, R4);
    c.op(Add, R6, more);
}

/// `d = 1` if it is not zero; d is not negative.
fn truth(c: &mut Code<'_>, d: Reg) {
    c.neg(d);
    c.op(Rsh, d, 63);
}

/// `d = 1` if it is zero; d is less than 2^63.
fn zero(c: &mut Code<'_>, d: Reg) {
    c.sub(d, 1);
    c.op(Rsh, d, 63);
}

/// `ntoa(dst, src)`
pub(super) fn ntoa(asm: &mut Assembler<Pos>) {
    let c = &mut Code(asm);
    c.any_zero(R6);
    for n in 0..4 {
        c.0.emit(Insn::ldx(Width::B, R3, R2, n));
        for unit in [100, 10] {
            c.mov(R4, R3);
            c.op(AluOp::Div, R4, unit);
            c.mov(R7, R4);
            truth(c, R7);
            c.op(Mod, R4, 10);
            c.add(R4, i32::from(b'0'));
            put(c, R7);
        }
        c.mov(R4, R3);
        c.op(Mod, R4, 10);
        c.add(R4, i32::from(b'0'));
        put(c, 1);
        c.mov(R4, if n < 3 { i32::from(b'.') } else { 0 });
        put(c, i32::from(n < 3));
    }
    end(c);
}

/// Returns the length in R6.
fn end(c: &mut Code<'_>) {
    c.any_zero(R0);
    c.add(R0, R6);
    c.exit();
}

/// `d = ` group `n` of the address at R2.
fn group(c: &mut Code<'_>, d: Reg, n: i32) {
    c.0.emit(Insn::ldx(Width::H, d, R2, (2 * n) as i16));
    c.0.emit(Insn::endian(true, 16, d));
}

/// `ntoa6(dst, src)`: the first of the longest runs of zeros is `::`.
pub(super) fn ntoa6(asm: &mut Assembler<Pos>) {
    let c = &mut Code(asm);
    longest(c);
    c.any_zero(R6);
    for n in 0..GROUPS {
        group(c, R3, n);
        // R7: 1 if the group is written.
        c.ld(R7, R10, FIRST);
        c.mov(R8, R7);
        c.op(Xor, R8, n);
        zero(c, R8);
        c.mov(R9, n);
        c.op(Sub, R9, R7);
        c.ld(R7, R10, LAST);
        c.sub(R7, n);
        c.op(Or, R7, R9);
        c.op(Rsh, R7, 63);
        // The run begins.
        c.mov(R4, i32::from(b':'));
        put(c, R8);
        if n == 0 {
            put(c, R8);
        }
        for shift in [12, 8, 4, 0] {
            c.mov(R4, R3);
            c.op(Rsh, R4, shift);
            c.mov(R8, R4);
            if shift == 0 {
                c.mov(R8, 1);
            }
            truth(c, R8);
            c.op(And, R8, R7);
            c.op(And, R4, 15);
            hex(c, b'a');
            put(c, R8);
        }
        c.mov(R4, i32::from(b':'));
        if n + 1 < GROUPS {
            put(c, R7);
        }
    }
    c.mov(R4, 0);
    put(c, 0);
    end(c);
}

/// The digit in R4 as a character; letters from `a` on. Uses R9.
fn hex(c: &mut Code<'_>, a: u8) {
    c.mov(R9, 9);
    c.op(Sub, R9, R4);
    c.op(Rsh, R9, 63);
    c.op(Mul, R9, i32::from(a) - i32::from(b'0') - 10);
    c.add(R4, i32::from(b'0'));
    c.add(R4, R9);
}

/// First and last group of the first of the longest runs of zeros, on the stack; 64 and -1 if there is none.
fn longest(c: &mut Code<'_>) {
    // R3 length of this run, R4 longest, R5 its last group.
    c.any_zero(R3);
    c.any_zero(R4);
    c.any_zero(R5);
    for n in 0..GROUPS {
        group(c, R7, n);
        zero(c, R7);
        c.add(R3, 1);
        c.op(Mul, R3, R7);
        // R8: all ones if it is longer.
        c.mov(R8, R4);
        c.sub(R8, R3);
        c.op(Rsh, R8, 63);
        c.neg(R8);
        c.mov(R9, R4);
        c.op(Xor, R9, R3);
        c.op(And, R9, R8);
        c.op(Xor, R4, R9);
        c.mov(R9, R5);
        c.op(Xor, R9, n);
        c.op(And, R9, R8);
        c.op(Xor, R5, R9);
    }
    // Without a run: first 64, last -1.
    c.mov(R7, R4);
    zero(c, R7);
    c.mov(R8, R7);
    c.op(Lsh, R8, 6);
    c.mov(R9, R5);
    c.op(Sub, R9, R4);
    c.add(R9, 1);
    c.op(Or, R9, R8);
    c.st(R10, FIRST, R9);
    c.neg(R7);
    c.op(Or, R5, R7);
    c.st(R10, LAST, R5);
}

/// `mac(dst, src, n)`: `n` bytes, at most 20, in hexadecimal with colons.
pub(super) fn mac(asm: &mut Assembler<Pos>) {
    const MOST: i16 = 20;
    let c = &mut Code(asm);
    c.any_zero(R6);
    for n in 0..MOST {
        // R7: 1 if this byte is written, R8: if another follows.
        for (d, k) in [(R7, n), (R8, n + 1)] {
            c.mov(d, i32::from(k));
            c.op(Sub, d, R3);
            c.op(Rsh, d, 63);
        }
        for shift in [4, 0] {
            c.0.emit(Insn::ldx(Width::B, R4, R2, n));
            c.op(Rsh, R4, shift);
            c.op(And, R4, 15);
            hex(c, b'a');
            put(c, R7);
        }
        c.mov(R4, i32::from(b':'));
        put(c, R8);
    }
    c.mov(R4, 0);
    put(c, 0);
    end(c);
}

//! Spans: a set of bytes as a bit map on the stack, then one walk over the string.

use bpf::AluOp::{And, Lsh, Or, Rsh};
use bpf::JmpOp::{Eq, Lt, Ne};
use bpf::Reg::{self, R0, R1, R2, R3, R4, R5, R6, R7, R8, R9, R10};
use bpf::asm::Assembler;
use ir::Pos;

use super::code::Code;

/// Place of the bit map: 32 bytes.
const MAP: i16 = -32;
/// Stack used.
pub(super) const STACK: u32 = 32;

/// `span(s, set, cap_s, cap_set, start)`
pub(super) fn span(asm: &mut Assembler<Pos>) {
    walk(&mut Code(asm), 0);
}

/// `cspan(s, set, cap_s, cap_set, start)`
pub(super) fn cspan(asm: &mut Assembler<Pos>) {
    walk(&mut Code(asm), 1);
}

/// Stops at the first byte whose bit is `stop`. The NUL's bit is `stop` too.
fn walk(c: &mut Code<'_>, stop: i32) {
    c.any_zero(R9);
    for word in 0..4 {
        c.st(R10, MAP + 8 * word, R9);
    }
    // Bit of the NUL, written at an offset that the verifier does not know: so it forgets which bytes hold what, and
    // the map looks the same to it whether members follow or not.
    c.mov(R0, R9);
    c.op(And, R0, 24);
    c.addr(R6, R10, R0);
    c.any_zero(R7);
    c.add(R7, stop);
    c.st(R6, MAP, R7);
    fill(c);

    let (inside, out) = (c.label(), c.label());
    c.mov(R4, R3);
    let top = c.here();
    c.jmp(Eq, R4, 0, out);
    c.jmp(Lt, R5, R3, inside);
    c.at(out);
    c.mov(R0, R5);
    c.add(R0, R9);
    c.exit();
    c.at(inside);
    c.addr(R0, R1, R5);
    c.ldb(R0, R0);
    word_of(c, R0);
    c.ld(R7, R6, MAP);
    c.op(And, R0, 63);
    c.op(Rsh, R7, R0);
    c.op(And, R7, 1);
    c.must(Ne, R7, stop, out);
    c.add(R5, 1);
    c.sub(R4, 1);
    c.ja(top);
}

/// Sets the bits of the bytes before the set's NUL. Uses R2, R4 and R0, R6-R8.
fn fill(c: &mut Code<'_>) {
    let done = c.label();
    let top = c.here();
    c.jmp(Eq, R4, 0, done);
    c.ldb(R0, R2);
    c.must(Ne, R0, 0, done);
    word_of(c, R0);
    c.op(And, R0, 63);
    c.mov(R8, 1);
    c.op(Lsh, R8, R0);
    c.ld(R7, R6, MAP);
    c.op(Or, R7, R8);
    c.st(R6, MAP, R7);
    c.add(R2, 1);
    c.sub(R4, 1);
    c.ja(top);
    c.at(done);
}

/// `R6 + MAP` becomes the address of the word with the bit of `byte`.
fn word_of(c: &mut Code<'_>, byte: Reg) {
    c.mov(R7, byte);
    c.op(Rsh, R7, 3);
    c.op(And, R7, 24);
    c.addr(R6, R10, R7);
}

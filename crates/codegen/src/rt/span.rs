//! Spans: a set of bytes as a bit map on the stack, then one walk over the string.

use bpf::AluOp::{And, Lsh, Or, Rsh};
use bpf::JmpOp::{Lt, Ne};
use bpf::Reg::{self, R0, R1, R2, R3, R4, R5, R6, R7, R8, R10};
use ir::local::Body;

use super::Local;
use super::code::Code;
use super::part::{Loop, run};

/// Place of the bit map: 32 bytes.
const MAP: i16 = -32;
/// Stack used.
pub(super) const STACK: u32 = 32;

/// `span(s, set, cap_s, cap_set, start)`
pub(super) fn span(b: &mut Body<'_>) {
    walk(b, 0);
}

/// `cspan(s, set, cap_s, cap_set, start)`
pub(super) fn cspan(b: &mut Body<'_>) {
    walk(b, 1);
}

/// Sets the bits of the bytes before the set's NUL.
pub(super) const FILL: Loop = Loop {
    part: Local::SpanFill,
    more: None,
    two: false,
    keep: true,
    words: 4,
    live: &[R4, R3, R8],
    step: |c, caps, out| {
        c.must(Lt, R4, caps[0], out);
        c.addr(R0, R1, R4);
        c.ldb(R0, R0);
        c.must(Ne, R0, 0, out);
        word_of(c, R0);
        c.op(And, R0, 63);
        c.mov(R5, 1);
        c.op(Lsh, R5, R0);
        c.ld(R7, R6, MAP);
        c.op(Or, R7, R5);
        c.st(R6, MAP, R7);
        c.add(R4, 1);
        c.forget(R4, R0);
    },
};

/// Stops at the first byte whose bit is what R8 says.
pub(super) const WALK: Loop = Loop {
    part: Local::SpanWalk,
    more: None,
    two: false,
    keep: false,
    words: 4,
    live: &[R3, R8],
    step: |c, caps, out| {
        c.must(Lt, R3, caps[0], out);
        c.addr(R0, R1, R3);
        c.ldb(R0, R0);
        word_of(c, R0);
        c.ld(R7, R6, MAP);
        c.op(And, R0, 63);
        c.op(Rsh, R7, R0);
        c.op(And, R7, 1);
        c.must(Ne, R7, R8, out);
        c.add(R3, 1);
        c.forget(R3, R0);
    },
};

/// Stops at the first byte whose bit is `stop`. The NUL's bit is `stop` too.
fn walk(b: &mut Body<'_>, stop: i32) {
    let caps = [b.constant(0), b.constant(1)];
    let c = &mut Code(&mut *b.asm);
    c.mov(R3, R5);
    c.any_zero(R4);
    for word in 0..4 {
        c.st(R10, MAP + 8 * word, R4);
    }
    // Bit of the NUL, written at an offset that the verifier does not know: so it forgets which bytes hold what, and
    // the map looks the same to it whether members follow or not.
    c.mov(R0, R4);
    c.op(And, R0, 24);
    c.addr(R6, R10, R0);
    c.any_zero(R8);
    c.add(R8, stop);
    c.st(R6, MAP, R8);
    swap(c);
    run(b, &FILL, &caps[1..], caps[1] as u64);
    swap(&mut Code(&mut *b.asm));
    run(b, &WALK, &caps[..1], caps[0] as u64);
    let c = &mut Code(&mut *b.asm);
    c.mov(R0, R3);
    c.forget(R0, R1);
    c.exit();
}

/// Exchanges the two strings.
pub(super) fn swap(c: &mut Code<'_>) {
    c.mov(R0, R1);
    c.mov(R1, R2);
    c.mov(R2, R0);
}

/// `R6 + MAP` becomes the address of the word with the bit of `byte`.
fn word_of(c: &mut Code<'_>, byte: Reg) {
    c.mov(R7, byte);
    c.op(Rsh, R7, 3);
    c.op(And, R7, 24);
    c.addr(R6, R10, R7);
}

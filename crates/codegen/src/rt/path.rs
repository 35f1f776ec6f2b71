//! `cleanpath`: one pass over the path with what is still undecided in a state.

use bpf::AluOp::{And, Arsh, Mul, Or, Rsh, Xor};
use bpf::Insn;
use bpf::JmpOp::{Le, Lt, Ne};
use bpf::Reg::{R0, R1, R2, R3, R4, R5, R6, R7, R8};
use bpf::asm::Label;
use ir::local::Body;

use super::Local;
use super::code::Code;
use super::part::{Loop, run};

/// The least buffer in which anything fits: five bytes must be left.
const LEAST: i32 = 6;

// States: what is pending.
const TEXT: i32 = 0;
const SLASH: i32 = 1;
const DOT: i32 = 2;
const PARENT: i32 = 3;
/// Nothing, but the last component is being removed.
const REMOVE: i32 = 4;

/// The state after a byte, by class of the byte and state before. `TEXT`: the byte and what was pending are text.
const NEXT: [[i32; STATES]; 3] = [
    [TEXT, TEXT, TEXT, TEXT, REMOVE],
    [TEXT, DOT, PARENT, TEXT, REMOVE],
    [SLASH, SLASH, SLASH, REMOVE, SLASH],
];
const STATES: usize = 5;
/// Bits of a state in the packed table.
const BITS: i32 = 3;
/// Bits of a row: the shift of the row of `.`, and half of that of `/`.
const ROW: i32 = BITS * STATES as i32;

const fn packed() -> u64 {
    let mut bits = 0;
    let mut n = 0;
    while n < 3 * STATES {
        bits |= (NEXT[n / STATES][n % STATES] as u64) << (n * BITS as usize);
        n += 1;
    }
    bits
}

/// `cleanpath(dst, src, cap)`: R5 state, R6 position in the source, R7 in the result, R4 byte.
pub(super) fn cleanpath(b: &mut Body<'_>) {
    let cap = b.constant(0);
    let full = b.asm.label();
    let c = &mut Code(&mut *b.asm);
    c.any_zero(R5);
    c.any_zero(R6);
    c.any_zero(R7);
    if cap >= LEAST {
        // A byte is read once and removed at most once.
        run(b, &CLEAN, &[cap, cap], 2 * cap as u64 + 4);
    }
    let c = &mut Code(&mut *b.asm);
    c.must(Lt, R7, cap, full);
    c.addr(R0, R1, R7);
    c.stb_imm(R0, 0, 0);
    c.at(full);
    c.any_zero(R0);
    c.add(R0, R7);
    c.exit();
}

/// Either takes a byte of the source or removes one of the result, and has no branches but those that leave: others
/// would multiply what the verifier has to walk.
pub(super) const CLEAN: Loop = Loop {
    part: Local::CleanpathPart,
    more: None,
    two: true,
    keep: false,
    words: 0,
    live: &[R5, R6, R7],
    step: |c, caps, out| {
        let (finish, on) = (c.label(), c.label());
        c.must(Le, R7, caps[0] - LEAST, out);
        c.must(Le, R5, REMOVE, out);
        take(c, caps[0], finish, out);
        advance(c);
        c.ja(on);
        // What is pending stays.
        c.at(finish);
        pending(c);
        c.add(R7, R5);
        c.ja(out);
        c.at(on);
    },
};

/// R4 becomes the next byte of the source, or the last of the result if that is being removed (R3 is -1, else 0); R8 is 1
/// if there is none to remove, else 0. Both positions move, and the byte of the source is written as if it were text.
fn take(c: &mut Code<'_>, cap: i32, finish: Label, end: Label) {
    c.mov(R3, PARENT);
    c.sub(R3, R5);
    c.op(Arsh, R3, 63);
    c.mov(R4, R3);
    c.op(Xor, R4, -1);
    c.op(And, R4, R6);
    c.must(Lt, R4, cap, finish);
    c.add(R4, R2);
    c.ldb(R4, R4);
    c.must(Ne, R4, 0, finish);
    pending(c);
    c.add(R0, R5);
    c.stb(R0, 0, R4);
    c.add(R6, 1);
    c.add(R6, R3);

    c.mov(R0, R7);
    c.sub(R0, 1);
    c.mov(R8, R0);
    c.op(Rsh, R8, 63);
    c.add(R0, R8);
    c.must(Lt, R0, cap, end);
    c.add(R0, R1);
    c.ldb(R0, R0);
    c.op(And, R8, R3);
    c.add(R7, R3);
    c.add(R7, R8);
    c.op(Xor, R0, R4);
    c.op(And, R0, R3);
    c.op(Xor, R4, R0);
}

/// Writes `/..` at the end of the result, of which as much is pending as R5 says. R0 becomes its address.
fn pending(c: &mut Code<'_>) {
    c.addr(R0, R1, R7);
    c.stb_imm(R0, 0, b'/');
    c.stb_imm(R0, 1, b'.');
    c.stb_imm(R0, 2, b'.');
}

/// The state after byte R4, with the beginning (R8) as a slash. Text moves the end of the result.
fn advance(c: &mut Code<'_>) {
    c.mov(R0, R4);
    for (r, byte) in [(R0, b'.'), (R4, b'/')] {
        c.op(Xor, r, i32::from(byte));
        c.sub(r, 1);
        c.op(Rsh, r, 63);
    }
    c.op(Or, R4, R8);
    c.mov(R8, R4);
    c.op(Xor, R8, 1);
    c.op(And, R0, R8);
    // By multiplication: for a sign and a constant mask newer verifiers look at both cases.
    c.op(Mul, R0, ROW);
    c.op(Mul, R4, 2 * ROW);
    c.add(R0, R4);
    c.mov(R4, R5);
    c.op(Mul, R4, BITS);
    c.add(R0, R4);
    c.0.emit_all(Insn::ld_imm64(R4, packed()));
    c.op(Rsh, R4, R0);
    c.op(And, R4, (1 << BITS) - 1);
    c.mov(R0, R4);
    c.sub(R0, 1);
    c.op(Arsh, R0, 63);
    c.add(R5, 1);
    c.op(And, R5, R0);
    c.add(R7, R5);
    c.mov(R5, R4);
}

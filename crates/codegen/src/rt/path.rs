//! `cleanpath`: one pass over the path with what is still undecided in a state.

use bpf::AluOp::Lsh;
use bpf::JmpOp::{Eq, Ge, Gt, Lt, Ne};
use bpf::Reg::{R0, R1, R2, R3, R4, R5, R6, R7, R8, R9};
use bpf::asm::{Assembler, Label};
use ir::Pos;

use super::code::Code;

/// Room that must be left in the result, and the least buffer in which anything fits.
const ROOM: i32 = 5;
const LEAST: i32 = ROOM + 1;
/// R5: 0 nothing is pending, 1 `/` is, 2 `/.`, 3 `/..`; more: the last component is being removed.
const PARENT: i32 = 3;
const REMOVE: i32 = 4;

/// `cleanpath(dst, src, cap)`: R6 position in the source, R7 in the result, R8 steps left, R9 zero, R4 byte.
pub(super) fn cleanpath(asm: &mut Assembler<Pos>) {
    let c = &mut Code(asm);
    let (top, remove, known, end, out) = (c.label(), c.label(), c.label(), c.label(), c.label());
    c.any_zero(R5);
    c.any_zero(R6);
    c.any_zero(R7);
    c.any_zero(R9);
    c.jmp(Lt, R3, LEAST, end);
    // A byte is read once and removed at most once.
    c.mov(R8, R3);
    c.op(Lsh, R8, 1);
    c.add(R8, 4);

    c.at(top);
    c.sub(R8, 1);
    c.jmp(Eq, R8, 0, end);
    c.add(R5, R9);
    c.add(R6, R9);
    c.add(R7, R9);
    c.mov(R0, R3);
    c.sub(R0, LEAST);
    c.jmp(Gt, R7, R0, end);
    c.jmp(Gt, R5, PARENT, remove);
    c.any_zero(R4);
    c.jmp(Ge, R6, R3, known);
    c.addr(R4, R2, R6);
    c.ldb(R4, R4);
    c.at(known);
    c.add(R6, 1);
    byte(c, top, out);

    c.at(remove);
    removing(c, top);

    c.at(end);
    let fits = c.label();
    c.jmp(Lt, R7, R3, fits);
    c.any_zero(R7);
    c.jmp(Eq, R3, 0, out);
    c.mov(R7, 0);
    c.at(fits);
    c.addr(R0, R1, R7);
    c.stb_imm(R0, 0, 0);
    c.at(out);
    c.mov(R0, R7);
    c.add(R0, R9);
    c.exit();
}

/// Takes one byte of the source.
fn byte(c: &mut Code<'_>, top: Label, out: Label) {
    let (other, slash, flush) = (c.label(), c.label(), c.label());
    c.jmp(Ne, R4, i32::from(b'/'), other);
    c.mov(R0, 1);
    c.jmp(Ne, R5, PARENT, slash);
    c.mov(R0, REMOVE);
    c.at(slash);
    c.mov(R5, R0);
    c.ja(top);

    c.at(other);
    c.jmp(Ne, R4, i32::from(b'.'), flush);
    c.mov(R0, R5);
    c.sub(R0, 1);
    c.jmp(Gt, R0, 1, flush);
    c.add(R5, 1);
    c.ja(top);

    // What is pending is ordinary text: write as much of "/.." as R5 says, then the byte over the rest.
    c.at(flush);
    c.addr(R0, R1, R7);
    c.stb_imm(R0, 0, b'/');
    c.stb_imm(R0, 1, b'.');
    c.stb_imm(R0, 2, b'.');
    c.add(R0, R5);
    c.stb(R0, 0, R4);
    c.add(R7, R5);
    c.jmp(Eq, R4, 0, out);
    c.add(R7, 1);
    c.any_zero(R5);
    c.ja(top);
}

/// Removes one byte of the result; a `/` or the beginning ends it.
fn removing(c: &mut Code<'_>, top: Label) {
    let (start, done) = (c.label(), c.label());
    c.sub(R7, 1);
    c.jmp(Gt, R7, R0, start);
    c.addr(R4, R1, R7);
    c.ldb(R4, R4);
    c.jmp(Ne, R4, i32::from(b'/'), top);
    c.ja(done);
    c.at(start);
    c.any_zero(R7);
    c.at(done);
    c.mov(R5, 1);
    c.ja(top);
}

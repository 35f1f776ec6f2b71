//! `cleanpath`: one pass over the path with what is still undecided in a state.

use bpf::AluOp::{And, Arsh, Lsh, Mul, Or, Rsh, Xor};
use bpf::Insn;
use bpf::JmpOp::{Eq, Ge, Gt, Lt, Ne};
use bpf::Reg::{R0, R1, R2, R3, R4, R5, R6, R7, R8, R9};
use bpf::asm::{Assembler, Label};
use ir::Pos;

use super::code::Code;

/// The least buffer in which anything fits: five bytes must be left.
const LEAST: i32 = 6;
/// R5: 0 nothing is pending, 1 `/` is, 2 `/.`, 3 `/..`.
const PARENT: i32 = 3;
/// R5: the last component is being removed.
const REMOVE: i32 = 4;
/// The state after a byte, four bits each: by the state before for ordinary bytes, then for dots, then for slashes.
/// 0 means that the byte, and what was pending before it, is text.
const NEXT: u64 = 0x4111_0320_0000;

/// `cleanpath(dst, src, cap)`: R6 position in the source, R7 in the result, R8 steps left, R4 byte. Where paths join
/// there is no branch but arithmetic, or each would double what the verifier has to walk.
pub(super) fn cleanpath(asm: &mut Assembler<Pos>) {
    let c = &mut Code(asm);
    let (top, remove, finish, end) = (c.label(), c.label(), c.label(), c.label());
    c.any_zero(R5);
    c.any_zero(R6);
    c.any_zero(R7);
    c.jmp(Eq, R3, 0, end);
    c.stb_imm(R1, 0, 0);
    c.jmp(Lt, R3, LEAST, end);
    // A byte is read once and removed at most once.
    c.mov(R8, R3);
    c.op(Lsh, R8, 1);
    c.add(R8, 4);

    c.at(top);
    c.sub(R8, 1);
    c.jmp(Eq, R8, 0, end);
    c.any_zero(R0);
    c.add(R5, R0);
    c.add(R6, R0);
    c.add(R7, R0);
    c.mov(R0, R3);
    c.sub(R0, LEAST);
    c.jmp(Gt, R7, R0, end);
    c.jmp(Gt, R5, PARENT, remove);
    c.jmp(Ge, R6, R3, finish);
    c.addr(R4, R2, R6);
    c.ldb(R4, R4);
    byte(c, top, finish);

    c.at(remove);
    removing(c, top, end);

    c.at(end);
    c.any_zero(R0);
    c.add(R0, R7);
    c.exit();
}

/// Takes one byte of the source.
fn byte(c: &mut Code<'_>, top: Label, finish: Label) {
    let text = c.label();
    c.jmp(Ne, R4, 0, text);
    // What is pending stays.
    c.at(finish);
    pending(c);
    c.stb_imm(R0, 0, 0);
    c.add(R7, R5);
    c.any_zero(R0);
    c.add(R0, R7);
    c.exit();

    c.at(text);
    c.add(R6, 1);
    pending(c);
    c.stb(R0, 0, R4);
    c.mov(R0, R4);
    for (r, byte, column) in [(R0, b'.', 2), (R4, b'/', 3)] {
        c.op(Xor, r, i32::from(byte));
        c.sub(r, 1);
        c.op(Rsh, r, 63);
        c.op(Lsh, r, column);
    }
    c.op(Or, R0, R4);
    c.op(Or, R0, R5);
    c.op(Lsh, R0, 2);
    c.0.emit_all(Insn::ld_imm64(R4, NEXT));
    c.op(Rsh, R4, R0);
    c.op(And, R4, 7);
    // Only text moves the end of the result.
    c.mov(R0, R4);
    c.sub(R0, 1);
    c.op(Arsh, R0, 63);
    c.add(R5, 1);
    c.op(And, R5, R0);
    c.add(R7, R5);
    c.mov(R5, R4);
    c.addr(R0, R1, R7);
    c.stb_imm(R0, 0, 0);
    c.ja(top);
}

/// Writes what is pending, as much of `/..` as R5 says; R0 becomes the address after it.
fn pending(c: &mut Code<'_>) {
    c.addr(R0, R1, R7);
    c.stb_imm(R0, 0, b'/');
    c.stb_imm(R0, 1, b'.');
    c.stb_imm(R0, 2, b'.');
    c.add(R0, R5);
}

/// Removes one byte of the result; a `/` or the beginning is the last.
fn removing(c: &mut Code<'_>, top: Label, end: Label) {
    c.sub(R7, 1);
    c.mov(R9, R7);
    c.op(Arsh, R9, 63);
    c.sub(R7, R9);
    c.jmp(Gt, R7, R0, end);
    c.addr(R4, R1, R7);
    c.ldb(R4, R4);
    c.op(Xor, R4, i32::from(b'/'));
    c.sub(R4, 1);
    c.op(Or, R4, R9);
    c.op(Rsh, R4, 63);
    c.op(Mul, R4, 1 - REMOVE);
    c.mov(R5, R4);
    c.add(R5, REMOVE);
    c.ja(top);
}

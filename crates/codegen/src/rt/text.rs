//! Functions that walk one or two strings byte by byte.

use bpf::AluOp::{Arsh, Lsh, Or, Rsh, Xor};
use bpf::JmpOp::{Eq, Lt, Ne, Slt};
use bpf::Reg::{R0, R1, R2, R3, R4, R5, R6, R8, R9};
use bpf::asm::Assembler;
use ir::Pos;

use super::code::Code;

/// `strcmp(a, b, cap)`
pub(super) fn strcmp(asm: &mut Assembler<Pos>) {
    let c = &mut Code(asm);
    let (end, same) = (c.label(), c.label());
    c.mov(R4, 0);
    c.mov(R5, 0);
    let top = c.here();
    c.jmp(Eq, R3, 0, end);
    c.ldb(R4, R1);
    c.ldb(R5, R2);
    c.add(R1, 1);
    c.add(R2, 1);
    c.sub(R3, 1);
    c.jmp(Eq, R4, R5, same);
    // The sign of the difference of the last two bytes.
    c.at(end);
    c.mov(R0, R4);
    c.sub(R0, R5);
    c.mov(R1, R0);
    c.neg(R1);
    c.op(Rsh, R1, 63);
    c.op(Arsh, R0, 63);
    c.op(Or, R0, R1);
    c.any_zero(R1);
    c.add(R0, R1);
    c.exit();
    c.at(same);
    c.jmp(Ne, R4, 0, top);
    c.ja(end);
}

/// `strchr(s, c, cap)`
pub(super) fn chr(asm: &mut Assembler<Pos>) {
    let c = &mut Code(asm);
    let (none, next, more) = (c.label(), c.label(), c.label());
    c.mov(R0, R1);
    let top = c.here();
    c.jmp(Eq, R3, 0, none);
    c.ldb(R4, R0);
    c.jmp(Ne, R4, R2, next);
    c.sub(R0, R1);
    c.exit();
    c.at(next);
    c.jmp(Ne, R4, 0, more);
    c.at(none);
    c.any_zero(R0);
    c.sub(R0, 1);
    c.exit();
    c.at(more);
    c.add(R0, 1);
    c.sub(R3, 1);
    c.ja(top);
}

/// `strrchr(s, c, cap)`
pub(super) fn rchr(asm: &mut Assembler<Pos>) {
    let c = &mut Code(asm);
    let (out, test, matches, more) = (c.label(), c.label(), c.label(), c.label());
    c.any_zero(R5);
    c.sub(R5, 1);
    c.mov(R0, R1);
    let top = c.here();
    c.jmp(Eq, R3, 0, out);
    c.ldb(R4, R0);
    c.jmp(Eq, R4, R2, matches);
    c.at(test);
    c.jmp(Ne, R4, 0, more);
    c.at(out);
    c.mov(R0, R5);
    c.exit();
    c.at(matches);
    c.mov(R5, R0);
    c.sub(R5, R1);
    c.ja(test);
    c.at(more);
    c.add(R0, 1);
    c.sub(R3, 1);
    c.ja(top);
}

/// `trim(s, cap)`
pub(super) fn trim(asm: &mut Assembler<Pos>) {
    let c = &mut Code(asm);
    let (out, more, next) = (c.label(), c.label(), c.label());
    c.any_zero(R5);
    c.mov(R0, R1);
    let top = c.here();
    c.jmp(Eq, R2, 0, out);
    c.ldb(R4, R0);
    c.jmp(Ne, R4, 0, more);
    c.at(out);
    c.mov(R0, R5);
    c.exit();
    c.at(more);
    c.add(R0, 1);
    c.sub(R2, 1);
    c.jmp(Eq, R4, i32::from(b'/'), next);
    c.mov(R5, R0);
    c.sub(R5, R1);
    c.at(next);
    c.ja(top);
}

/// `case(dst, cap, upper)`
pub(super) fn case(asm: &mut Assembler<Pos>) {
    let c = &mut Code(asm);
    let (lower, out, have) = (c.label(), c.label(), c.label());
    c.mov(R4, i32::from(b'A'));
    c.jmp(Eq, R3, 0, lower);
    c.mov(R4, i32::from(b'a'));
    c.at(lower);
    c.mov(R0, R1);
    let top = c.here();
    c.jmp(Eq, R2, 0, out);
    c.ldb(R5, R0);
    c.jmp(Ne, R5, 0, have);
    c.at(out);
    c.sub(R0, R1);
    c.exit();
    c.at(have);
    // Without a branch: the sign of (25 - d) | d tells whether d is outside 0..=25.
    c.mov(R3, R5);
    c.sub(R3, R4);
    c.mov(R9, 25);
    c.sub(R9, R3);
    c.op(Or, R9, R3);
    c.op(Arsh, R9, 63);
    c.add(R9, 1);
    c.op(Lsh, R9, 5);
    c.op(Xor, R5, R9);
    c.stb(R0, 0, R5);
    c.add(R0, 1);
    c.sub(R2, 1);
    c.ja(top);
}

/// `spaces(s, n, cap)`: a byte becomes what it is or a space, without a branch.
pub(super) fn spaces(asm: &mut Assembler<Pos>) {
    let c = &mut Code(asm);
    let out = c.label();
    c.any_zero(R9);
    c.sub(R2, 1);
    c.mov(R0, R9);
    c.mov(R6, R3);
    let top = c.here();
    c.must(Ne, R3, 0, out);
    c.must(Slt, R0, R2, out);
    c.must(Lt, R0, R6, out);
    c.addr(R5, R1, R0);
    c.ldb(R4, R5);
    // 32 for a NUL, else 0.
    c.mov(R8, R4);
    c.sub(R8, 1);
    c.op(Rsh, R8, 63);
    c.op(Lsh, R8, 5);
    c.op(Or, R4, R8);
    c.stb(R5, 0, R4);
    c.add(R0, 1);
    c.add(R0, R9);
    c.sub(R3, 1);
    c.ja(top);
    c.at(out);
    c.any_zero(R0);
    c.exit();
}

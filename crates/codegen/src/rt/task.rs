//! Ancestors of a process.

use bpf::JmpOp::{Eq, Ne};
use bpf::Reg::{R0, R1, R2, R3, R6, R7, R8, R10};
use bpf::asm::Label;
use bpf::{Helper, Insn, Width};
use ir::local::Body;

use super::code::Code;

/// Generations that are looked at.
const ANCESTORS: i32 = 512;
/// What is read, on the stack.
const WORD: i16 = -8;

/// `progeny(task, pid, tgid, parent)`: R6 task, R7 pid, R8 generations left.
pub(super) fn progeny(b: &mut Body<'_>) {
    let (tgid, parent) = (b.constant(0), b.constant(1));
    let (no, yes) = (b.asm.label(), b.asm.label());
    let c = &mut Code(&mut *b.asm);
    c.mov(R6, R1);
    c.mov(R7, R2);
    c.mov(R8, ANCESTORS);
    let top = c.here();
    c.jmp(Eq, R8, 0, no);
    read(c, tgid, 4, no);
    c.0.emit(Insn::ldx(Width::W, R0, R10, WORD));
    c.must(Ne, R0, R7, yes);
    read(c, parent, 8, no);
    c.ld(R0, R10, WORD);
    // The first task is its own parent.
    c.must(Ne, R0, R6, no);
    c.mov(R6, R0);
    c.sub(R8, 1);
    c.ja(top);
    c.at(yes);
    c.mov(R0, 1);
    c.exit();
    c.at(no);
    c.mov(R0, 0);
    c.exit();
}

/// Reads `size` bytes at an offset in the task.
fn read(c: &mut Code<'_>, offset: i32, size: i32, fail: Label) {
    c.mov(R1, R10);
    c.add(R1, i32::from(WORD));
    c.mov(R2, size);
    c.mov(R3, R6);
    c.add(R3, offset);
    c.call(Helper::ProbeReadKernel);
    c.must(Eq, R0, 0, fail);
}

//! `progenyof`: from a task to its parent, until it is the process that is asked for or the first of all.

use bpf::Helper;
use bpf::JmpOp::Ne;
use bpf::Reg::{R0, R1, R2, R3, R6, R7, R8, R9, R10};
use bpf::asm::Label;
use ir::local::Body;

use super::code::Code;

/// Ancestors that are looked at: deeper than process numbers of a usual system allow.
const STEPS: i32 = 1024;
/// What was read, and the steps left, on the stack.
const VALUE: i16 = -8;
const LEFT: i16 = -16;
/// Stack used.
pub(super) const STACK: u32 = 16;

/// Reads `bytes` at R3 into the stack, the rest of the word 0, and that into R1. What cannot be read is 0.
fn read(c: &mut Code<'_>, bytes: i32) {
    c.set(R10, VALUE, 0);
    c.mov(R1, R10);
    c.add(R1, i32::from(VALUE));
    c.mov(R2, bytes);
    c.call(Helper::ProbeReadKernel);
    c.ld(R1, R10, VALUE);
}

/// `progeny(task, process, parent, tgid)`: R6 the task, R7 the process, R8 and R9 where a task has its parent and the
/// number of its process.
pub(super) fn progeny(b: &mut Body<'_>) {
    let c = &mut Code(&mut *b.asm);
    let (found, none) = (c.label(), c.label());
    for (to, from) in [(R6, R1), (R7, R2), (R8, R3), (R9, bpf::Reg::R4)] {
        c.mov(to, from);
    }
    c.set(R10, LEFT, STEPS);
    let top = c.here();
    c.ld(R0, R10, LEFT);
    c.must(Ne, R0, 0, none);
    c.sub(R0, 1);
    c.st(R10, LEFT, R0);
    c.addr(R3, R6, R9);
    read(c, 4);
    c.must(Ne, R1, R7, found);
    c.addr(R3, R6, R8);
    read(c, 8);
    // The first task is its own parent.
    c.must(Ne, R1, R6, none);
    c.must(Ne, R1, 0, none);
    c.mov(R6, R1);
    c.ja(top);
    end(c, found, 1);
    end(c, none, 0);
}

fn end(c: &mut Code<'_>, label: Label, result: i32) {
    c.at(label);
    c.any_zero(R0);
    c.add(R0, result);
    c.exit();
}

//! Waiting for a time: loops in loops, each a function that the verifier checks once.

use bpf::AluOp::{Rsh, Xor};
use bpf::JmpOp::Eq;
use bpf::Reg::{R0, R1, R6, R7};
use bpf::{Helper, Insn};
use ir::local::Body;

use super::Local;
use super::code::Code;

/// Looks at the clock, and calls of a loop by the next. Together they last for seconds.
const LOOKS: i32 = 4096;
const OUTER: i32 = 16;

/// Calls `each` until it gives something that is not 0.
fn repeat(b: &mut Body<'_>, times: i32, each: &mut dyn FnMut(&mut Body<'_>)) {
    let (top, out) = (b.asm.label(), b.asm.label());
    let c = &mut Code(&mut *b.asm);
    c.mov(R6, R1);
    c.mov(R7, times);
    c.any_zero(R0);
    c.at(top);
    c.jmp(Eq, R7, 0, out);
    each(b);
    let c = &mut Code(&mut *b.asm);
    c.must(Eq, R0, 0, out);
    c.sub(R7, 1);
    c.ja(top);
    c.at(out);
    c.any_zero(R1);
    c.add(R0, R1);
    c.exit();
}

fn again(b: &mut Body<'_>, times: i32, inner: Local) {
    repeat(b, times, &mut |b| {
        Code(&mut *b.asm).mov(R1, R6);
        b.call(inner as u32, &[]);
    });
}

/// `wait(until)`
pub(super) fn wait(b: &mut Body<'_>) {
    again(b, OUTER, Local::WaitMore);
}

/// `more(until)`
pub(super) fn more(b: &mut Body<'_>) {
    again(b, LOOKS, Local::WaitSome);
}

/// `some(until)`
pub(super) fn some(b: &mut Body<'_>) {
    repeat(b, LOOKS, &mut |b| {
        let c = &mut Code(&mut *b.asm);
        c.0.emit(Insn::call(Helper::KtimeGetNs.id()));
        // 1 if that is the time, without a branch.
        c.op(Xor, R0, -1);
        c.add(R0, R6);
        c.op(Rsh, R0, 63);
    });
}

//! What the walk of user stacks does otherwise on 64-bit Arm: registers, frames ([`layout::LINKED`]), signal frames.
//!
//! Calls leave the return address in `x30`, which only the innermost frame still has, and that of a signal handler's
//! victim. Return addresses may be signed: the bits above those of user addresses are taken off.

use bpf::AluOp::{And, Lsh, Or, Rsh, Sub};
use bpf::JmpOp::{Eq, Ge, Gt, Lt, Ne};
use bpf::Reg::{R0, R1, R2, R6, R7, R8, R9};
use bpf::asm::Label;
use image::layout::unwind as layout;

use super::super::code::Code;
use super::{
    BP, EXACT, Exits, Facts, LINK, MASK, MM, NODE, PC, SP, TRAMPOLINE, WORDS, read_kernel,
    read_user, unknown_code,
};

/// `struct user_pt_regs`: from `x29` on `x30`, `sp`, `pc`, `pstate`.
const REGS_FP: u32 = 232;
const REGS: [(i16, i16); 4] = [(0, BP), (8, LINK), (16, SP), (24, PC)];
const REGS_STATE: i16 = 32;
const REGS_SIZE: i32 = 40;
/// Bits of `pstate` that are 0 in 64-bit user mode.
const MODE: i32 = 0x1f;
/// `x29` in the frame that the kernel makes for a signal handler, of which the other registers follow as above: behind
/// `struct siginfo` (128 bytes) there is `struct ucontext`, whose `uc_mcontext` is at 176 and has its registers at 8.
const CONTEXT_FP: i32 = 128 + 176 + 8 + 29 * 8;
/// `mov x8, #139; svc #0` (`rt_sigreturn`).
const SIGRETURN: u64 = 0xd400_0001_d280_1168;

/// The registers of the thread, whose `struct pt_regs` R0 is.
pub(super) fn registers(c: &mut Code<'_>, foreign: Label) {
    read_kernel(c, NODE, REGS_SIZE, R0, REGS_FP, foreign);
    c.ld(R1, R6, NODE + REGS_STATE);
    c.op(And, R1, MODE);
    c.must(Eq, R1, 0, foreign);
    context(c);
}

/// Notes which bits of a return address are address. User addresses end at a power of two.
pub(super) fn mask(c: &mut Code<'_>, facts: &Facts, foreign: Label) {
    c.ld(R8, R6, MM);
    read_kernel(c, MASK, 8, R8, facts.task_size, foreign);
    c.ld(R1, R6, MASK);
    c.sub(R1, 1);
    c.st(R6, MASK, R1);
}

/// The registers that were read become those of the frame.
fn context(c: &mut Code<'_>) {
    for (from, to) in REGS {
        c.ld(R1, R6, NODE + from);
        c.st(R6, to, R1);
    }
}

/// Applies rule R8: the registers become the caller's.
pub(super) fn frame(c: &mut Code<'_>, returned_at: Option<Label>, exits: Exits) {
    let (linked, signal) = (c.label(), c.label());
    c.at(exits.apply);
    c.mov(R7, R8);
    c.op(And, R7, (1 << layout::KIND_BITS) - 1);
    c.jmp(Eq, R7, layout::LINKED as i32, linked);
    c.jmp(Eq, R7, layout::SIGNAL as i32, signal);
    c.jmp(Eq, R7, layout::UNKNOWN as i32, exits.unknown);
    c.jmp(Eq, R7, layout::POINTER as i32, exits.by_pointer);
    c.ja(exits.stop);
    c.at(linked);
    link(c, exits);
    leave(c, returned_at, exits.stop);
    unknown_code(c, SIGRETURN, exits.unknown, signal, exits.stop);
    c.at(signal);
    c.ld(R9, R6, SP);
    read_user(c, NODE, REGS_SIZE - 8, R9, CONTEXT_FP, exits.stop);
    context(c);
    c.set(R6, EXACT, 1);
    c.mov(R0, 0);
    c.exit();
}

/// By rule R8: R9 becomes the beginning of the frame, R0 the return address, `x29` the caller's.
fn link(c: &mut Code<'_>, exits: Exits) {
    let stop = exits.stop;
    let (based, in_register, words) = (c.label(), c.label(), c.label());
    let (low, only, done) = (c.label(), c.label(), c.label());
    c.ld(R1, R6, SP);
    c.mov(R2, R8);
    c.op(And, R2, layout::LINK_FP as i32);
    c.jmp(Eq, R2, 0, based);
    c.ld(R1, R6, BP);
    c.at(based);
    c.mov(R9, R8);
    c.op(Rsh, R9, layout::LINK_DISTANCE as i32);
    c.op(Lsh, R9, 4);
    c.add(R9, R1);
    c.mov(R2, R8);
    c.op(Rsh, R2, layout::LINK_INDEX as i32);
    c.op(
        And,
        R2,
        (1 << (layout::LINK_DISTANCE - layout::LINK_INDEX)) - 1,
    );
    c.mov(R7, R8);
    c.op(Rsh, R7, layout::LINK_MODE as i32);
    c.op(And, R7, 3);
    c.mov(R0, R7);
    c.op(Or, R0, R2);
    c.jmp(Eq, R0, 0, in_register);
    // The callers' frames are above.
    c.ld(R0, R6, SP);
    c.must(Gt, R9, R0, stop);
    // Words or pairs; from the frame's beginning down, or up.
    c.op(Lsh, R2, 3);
    c.jmp(Lt, R7, layout::LINK_PAIR_HIGH as i32, words);
    c.op(Lsh, R2, 1);
    c.at(words);
    c.mov(R8, R1);
    c.add(R8, R2);
    c.mov(R1, R7);
    c.op(And, R1, 1);
    c.jmp(Ne, R1, 0, low);
    c.mov(R8, R9);
    c.op(Sub, R8, R2);
    c.at(low);
    c.jmp(Lt, R7, layout::LINK_PAIR_HIGH as i32, only);
    read_user(c, WORDS, 16, R8, 0, stop);
    c.ld(R1, R6, WORDS);
    c.st(R6, BP, R1);
    c.ld(R0, R6, WORDS + 8);
    c.ja(done);
    c.at(only);
    read_user(c, WORDS, 8, R8, 0, stop);
    c.ld(R0, R6, WORDS);
    c.ja(done);
    c.at(in_register);
    c.ld(R1, R6, EXACT);
    c.jmp(Eq, R1, 0, exits.unknown);
    c.ld(R0, R6, SP);
    c.must(Ge, R9, R0, stop);
    c.ld(R0, R6, LINK);
    c.at(done);
}

/// Leaves the frame that begins at R9 for R0.
fn leave(c: &mut Code<'_>, returned_at: Option<Label>, stop: Label) {
    let real = c.label();
    strip(c);
    if let Some(at) = returned_at {
        c.ld(R1, R6, TRAMPOLINE);
        c.jmp(Ne, R0, R1, real);
        c.mov(R1, R6);
        c.mov(R2, R9);
        c.0.call_local(at);
    }
    c.at(real);
    c.must(Ne, R0, 0, stop);
    c.st(R6, PC, R0);
    c.st(R6, SP, R9);
    c.set(R6, EXACT, 0);
    c.mov(R0, 0);
    c.exit();
}

/// Takes off R0 what is not address.
pub(super) fn strip(c: &mut Code<'_>) {
    c.ld(R1, R6, MASK);
    c.op(And, R0, R1);
}

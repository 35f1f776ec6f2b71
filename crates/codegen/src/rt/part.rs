//! Loops over strings of any length.
//!
//! The verifier follows every loop to its end, so the loop over a long string is cut: a function takes up to [`PART`]
//! steps and is checked once, and the loop around it calls that as often as the length asks for, up to 64 KiB and more.
//! What a step leaves to the next is in registers and on the stack; for a part it is copied to its own and back, so a step
//! is written once and is the same in both. Loops over short strings are not cut.

use bpf::JmpOp::Eq;
use bpf::Reg::{self, R0, R1, R2, R3, R6, R7, R8, R9, R10};
use bpf::asm::Label;
use ir::local::{Body, PART};

use super::Local;
use super::code::Code;

/// Bytes of what is copied.
pub(super) const STATE: u32 = 80;
const WORDS: i16 = (STATE / 8) as i16;
/// Behind it: the strings, or what is copied from.
const FIRST: i16 = -8 * (WORDS + 1);
const SECOND: i16 = FIRST - 8;
/// Stack of a function with a loop that is cut and of its part, as the kernel counts it.
pub(super) const STACK: u32 = 96 + 96;

/// A loop over the string at R1, or those at R1 and R2.
pub(super) struct Loop {
    /// Takes up to [`PART`] steps.
    pub(super) part: Local,
    /// Calls that up to [`PART`] times, for loops that are longer than strings.
    pub(super) more: Option<Local>,
    /// R2 is a string that steps read.
    pub(super) two: bool,
    /// R2 is an address to be kept.
    pub(super) keep: bool,
    /// Words of stack that steps use, all of them written before.
    pub(super) words: i16,
    /// Registers whose contents steps use and change. Steps may spend the others, except R1, R2 if it is used, and R9.
    pub(super) live: &'static [Reg],
    /// A step, with the capacities: goes to the label when there is no further one.
    pub(super) step: fn(&mut Code<'_>, &[i32], Label),
}

const fn slot(n: i16) -> i16 {
    -8 * (n + 1)
}

impl Loop {
    fn live(&self) -> impl Iterator<Item = (Reg, i16)> {
        self.live.iter().copied().zip((self.words..).map(slot))
    }

    fn used(&self) -> i16 {
        self.words + self.live.len() as i16
    }

    /// Takes up to `most` steps, R9 the number of those left.
    fn steps(&self, c: &mut Code<'_>, caps: &[i32], most: i32) {
        let out = c.label();
        c.mov(R9, most);
        let top = c.here();
        c.jmp(Eq, R9, 0, out);
        (self.step)(c, caps, out);
        c.sub(R9, 1);
        c.ja(top);
        c.at(out);
    }
}

/// Runs a loop of at most `most` steps over strings of these capacities. R1 and R2 are as they were.
pub(super) fn run(b: &mut Body<'_>, l: &Loop, caps: &[i32], most: u64) {
    if caps.iter().all(|c| *c <= PART) {
        let c = &mut Code(&mut *b.asm);
        l.steps(c, caps, most as i32);
        // So that all ways out of the loop look the same to the verifier, as when it is cut.
        c.any_zero(R9);
        for r in l.live {
            c.add(*r, R9);
        }
        c.join();
        return;
    }
    let (top, out) = (b.asm.label(), b.asm.label());
    let mut calls = most.div_ceil(PART as u64);
    let mut part = l.part;
    if let Some(more) = l.more.filter(|_| calls > PART as u64) {
        (part, calls) = (more, calls.div_ceil(PART as u64));
    }
    let second = l.two || l.keep;
    let c = &mut Code(&mut *b.asm);
    for (r, at) in l.live() {
        c.st(R10, at, r);
    }
    for n in l.used()..WORDS {
        c.set(R10, slot(n), 0);
    }
    c.st(R10, FIRST, R1);
    if second {
        c.st(R10, SECOND, R2);
    }
    c.mov(R6, calls as i32);
    c.at(top);
    c.jmp(Eq, R6, 0, out);
    c.ld(R1, R10, FIRST);
    let state = if l.two { R3 } else { R2 };
    if l.two {
        c.ld(R2, R10, SECOND);
    }
    c.mov(state, R10);
    c.add(state, -(STATE as i32));
    b.call(part as u32, caps);
    let c = &mut Code(&mut *b.asm);
    c.must(Eq, R0, 0, out);
    c.sub(R6, 1);
    c.ja(top);
    c.at(out);
    c.ld(R1, R10, FIRST);
    if second {
        c.ld(R2, R10, SECOND);
    }
    for (r, at) in l.live() {
        c.ld(r, R10, at);
    }
}

/// The function [`Loop::part`]: not 0 if there is no further step.
pub(super) fn part(b: &mut Body<'_>, l: &Loop) {
    let caps = b.consts.to_vec();
    let c = &mut Code(&mut *b.asm);
    c.mov(R9, if l.two { R3 } else { R2 });
    let there = |at: i16| STATE as i16 + at;
    for at in (0..l.words).map(slot) {
        c.ld(R0, R9, there(at));
        c.st(R10, at, R0);
    }
    for (r, at) in l.live() {
        c.ld(r, R9, there(at));
    }
    c.st(R10, FIRST, R9);
    l.steps(c, &caps, PART);
    for (r, at) in l.live() {
        c.st(R10, at, r);
    }
    c.mov(R0, R9);
    c.ld(R1, R10, FIRST);
    for at in (0..l.used()).map(slot) {
        c.ld(R2, R10, at);
        c.st(R1, there(at), R2);
    }
    c.exit();
}

/// A function that calls `part` up to [`PART`] times, with the same arguments, until it gives something that is not 0.
/// `more` of them are addresses.
pub(super) fn again(b: &mut Body<'_>, part: Local, addresses: usize) {
    let caps = b.consts.to_vec();
    let (top, out) = (b.asm.label(), b.asm.label());
    let kept = [(R6, R1), (R7, R2), (R8, R3)];
    let kept = kept.get(..addresses).unwrap_or(&kept);
    let c = &mut Code(&mut *b.asm);
    for (to, from) in kept {
        c.mov(*to, *from);
    }
    c.any_zero(R0);
    c.mov(R9, PART);
    c.at(top);
    c.jmp(Eq, R9, 0, out);
    for (from, to) in kept {
        c.mov(*to, *from);
    }
    b.call(part as u32, &caps);
    let c = &mut Code(&mut *b.asm);
    c.must(Eq, R0, 0, out);
    c.sub(R9, 1);
    c.ja(top);
    c.at(out);
    c.exit();
}

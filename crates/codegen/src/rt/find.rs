//! Searching a string `t` in a string `s`.
//!
//! The verifier walks every step that could be taken, and paths that join in a loop are walked again and again, so
//! both loops here have no branches but those that leave, and few steps:
//! * A `t` of at most 16 bytes is compared with the last 16 bytes read, kept in two registers.
//! * A longer one is compared at one place after the other, 16 bytes from each end in a step: `(n - m + 1) ⌈m / 32⌉`
//!   steps at most for lengths n and m.

use bpf::AluOp::{Add, And, Arsh, Lsh, Or, Rsh, Sub, Xor};
use bpf::JmpOp::{Gt, Le, Lt, Ne, Sgt, Slt};
use bpf::Reg::{R0, R1, R2, R3, R4, R5, R6, R7, R8, R10};
use bpf::asm::Label;
use ir::local::Body;

use super::Local;
use super::code::Code;
use super::part::{Loop, run};
use super::span::swap;

/// Bytes that are compared as a whole, in two registers.
const WIDE: i32 = 16;

/// Length of `t`.
const LEN: i16 = -8;
const START: i16 = -16;
// Short `t`: the end of a match at `start`, which bytes of the registers count.
const END: i16 = -16;
const LOW: i16 = -24;
const HIGH: i16 = -32;
// Long `t`: last place where it fits, offset of its last 16 bytes.
const LAST: i16 = -24;
const BACK: i16 = -32;
/// The result so far.
const BEST: i16 = -40;
const WORDS: i16 = 5;
/// Stack used.
pub(super) const STACK: u32 = 40;

/// `find(s, t, cap_s, cap_t, start)`
pub(super) fn find(b: &mut Body<'_>) {
    search(b, [&SHORT_FIRST, &LONG_FIRST], false);
}

/// `rfind(s, t, cap_s, cap_t, start)`
pub(super) fn rfind(b: &mut Body<'_>) {
    search(b, [&SHORT_LAST, &LONG_LAST], true);
}

fn search(b: &mut Body<'_>, [short_one, long_one]: [&Loop; 2], last: bool) {
    let caps = [b.constant(0), b.constant(1)];
    let (long_way, end) = (b.asm.label(), b.asm.label());
    let c = &mut Code(&mut *b.asm);
    for word in [LEN, LOW, HIGH] {
        c.set(R10, word, 0);
    }
    c.st(R10, START, R5);
    c.any_zero(R0);
    c.sub(R0, 1);
    c.st(R10, BEST, R0);
    swap(c);
    for r in [R3, R6, R8] {
        c.any_zero(r);
    }
    run(b, &TAIL, &caps[1..], caps[1] as u64);
    let c = &mut Code(&mut *b.asm);
    swap(c);
    c.st(R10, LEN, R6);
    c.mov(R7, R6);
    if caps[1] > WIDE {
        c.jmp(Gt, R7, WIDE, long_way);
    }
    short(b, short_one, caps[0]);
    let c = &mut Code(&mut *b.asm);
    if caps[1] > WIDE {
        c.ja(end);
        c.at(long_way);
        if caps[0] > WIDE {
            long(b, long_one, caps, last);
        }
    }
    let c = &mut Code(&mut *b.asm);
    c.at(end);
    c.ld(R0, R10, BEST);
    c.forget(R0, R1);
    c.exit();
}

const fn over_one(
    part: Local,
    live: &'static [bpf::Reg],
    step: fn(&mut Code<'_>, &[i32], Label),
) -> Loop {
    Loop {
        part,
        more: None,
        two: false,
        keep: false,
        words: WORDS,
        live,
        step,
    }
}

/// To the end of a string: R6 becomes its length, R8 and R3 its last 16 bytes.
pub(super) const TAIL: Loop = Loop {
    keep: true,
    ..over_one(Local::FindTail, &[R3, R6, R8], |c, caps, out| {
        c.must(Lt, R6, caps[0], out);
        c.addr(R0, R1, R6);
        c.ldb(R0, R0);
        c.must(Ne, R0, 0, out);
        shift(c, R8, R3);
        c.add(R6, 1);
        c.forget(R6, R0);
    })
};

/// Appends byte R0 to the 16 bytes in `low` and `high`. Uses R5.
fn shift(c: &mut Code<'_>, low: bpf::Reg, high: bpf::Reg) {
    c.op(Lsh, high, 8);
    c.mov(R5, low);
    c.op(Rsh, R5, 56);
    c.op(Or, high, R5);
    c.op(Lsh, low, 8);
    c.op(Or, low, R0);
}

/// Searches `t` of up to 16 bytes, R8 and R3, of length R7.
fn short(b: &mut Body<'_>, l: &Loop, cap: i32) {
    let c = &mut Code(&mut *b.asm);
    c.ld(R0, R10, START);
    c.add(R0, R7);
    c.st(R10, END, R0);
    mask(c, LOW);
    c.sub(R7, 8);
    mask(c, HIGH);
    for r in [R2, R6, R7] {
        c.any_zero(r);
    }
    // Once more behind the last byte.
    run(b, l, &[cap], cap as u64 + 1);
}

const SHORT: &[bpf::Reg] = &[R2, R3, R6, R7, R8];
/// Steps of [`short`].
pub(super) const SHORT_FIRST: Loop = over_one(Local::FindShort, SHORT, |c, caps, out| {
    let (next, more, end) = (c.label(), c.label(), c.label());
    differing(c, false);
    c.jmp(Ne, R0, 0, next);
    place(c);
    c.st(R10, BEST, R0);
    c.ja(out);
    c.at(next);
    c.must(Lt, R2, caps[0], end);
    c.addr(R0, R1, R2);
    c.ldb(R0, R0);
    c.jmp(Ne, R0, 0, more);
    c.at(end);
    // Nothing is found at the end at the latest.
    c.ld(R4, R10, LEN);
    c.sub(R4, 1);
    c.op(Arsh, R4, 63);
    c.mov(R0, R2);
    c.add(R0, 1);
    c.op(And, R0, R4);
    c.sub(R0, 1);
    c.st(R10, BEST, R0);
    c.ja(out);
    c.at(more);
    shift(c, R6, R7);
    c.add(R2, 1);
    c.forget(R2, R0);
});

/// Steps of [`short`], to the last match.
pub(super) const SHORT_LAST: Loop = over_one(Local::RfindShort, SHORT, |c, caps, out| {
    differing(c, true);
    keep(c);
    c.must(Lt, R2, caps[0], out);
    c.addr(R0, R1, R2);
    c.ldb(R0, R0);
    c.must(Ne, R0, 0, out);
    shift(c, R6, R7);
    c.add(R2, 1);
    c.forget(R2, R0);
});

/// R0 becomes 0 if `t` ends here, at R2 in `s`, and is on the right side of `start`.
fn differing(c: &mut Code<'_>, last: bool) {
    c.mov(R0, R6);
    c.op(Xor, R0, R8);
    c.ld(R4, R10, LOW);
    c.op(And, R0, R4);
    c.mov(R4, R7);
    c.op(Xor, R4, R3);
    c.ld(R5, R10, HIGH);
    c.op(And, R4, R5);
    c.op(Or, R0, R4);
    c.mov(R4, R2);
    c.ld(R5, R10, END);
    c.sub(R4, R5);
    if last {
        c.neg(R4);
    }
    c.op(Arsh, R4, 63);
    c.op(Or, R0, R4);
}

/// R0 becomes the place of a match that ends at R2. Uses R5.
fn place(c: &mut Code<'_>) {
    c.mov(R0, R2);
    c.ld(R5, R10, LEN);
    c.sub(R0, R5);
}

/// Notes the place of a match if R0 is 0.
fn keep(c: &mut Code<'_>) {
    differs(c);
    c.op(Xor, R4, -1);
    place(c);
    c.ld(R5, R10, BEST);
    c.op(Xor, R0, R5);
    c.op(And, R0, R4);
    c.op(Xor, R5, R0);
    c.st(R10, BEST, R5);
}

/// R4 becomes 0 if R0 is, else -1.
fn differs(c: &mut Code<'_>) {
    c.mov(R4, R0);
    c.neg(R4);
    c.op(Or, R4, R0);
    c.op(Arsh, R4, 63);
}

/// Stores a mask of the lowest R7 bytes of eight: none if R7 is negative, all if it is more. Uses R0, R5.
fn mask(c: &mut Code<'_>, slot: i16) {
    // 8 - R7, not less than 0; then not more than 8.
    c.mov(R0, 8);
    c.sub(R0, R7);
    c.mov(R5, R0);
    c.op(Arsh, R5, 63);
    c.op(Xor, R5, -1);
    c.op(And, R0, R5);
    c.sub(R0, 8);
    c.mov(R5, R0);
    c.op(Arsh, R5, 63);
    c.op(And, R0, R5);
    c.add(R0, 8);
    // In two shifts, since one of 64 does nothing.
    c.op(Lsh, R0, 2);
    c.mov(R5, -1);
    c.op(Rsh, R5, R0);
    c.op(Rsh, R5, R0);
    c.st(R10, slot, R5);
}

/// Searches `t` of more than 16 bytes, of length R7.
fn long(b: &mut Body<'_>, l: &Loop, caps: [i32; 2], last: bool) {
    let none = b.asm.label();
    let c = &mut Code(&mut *b.asm);
    c.any_zero(R8);
    run(b, &LENGTH, &caps[..1], caps[0] as u64);
    let c = &mut Code(&mut *b.asm);
    c.ld(R7, R10, LEN);
    c.ld(R6, R10, START);
    c.sub(R8, R7);
    c.st(R10, LAST, R8);
    c.sub(R7, WIDE);
    c.st(R10, BACK, R7);
    if last {
        // The lesser of both.
        c.sub(R6, R8);
        c.mov(R5, R6);
        c.op(Arsh, R5, 63);
        c.op(And, R6, R5);
        c.add(R6, R8);
    } else {
        c.jmp(Sgt, R6, R8, none);
    }
    c.any_zero(R7);
    c.add(R6, R7);
    run(b, l, &caps, steps(caps[0], caps[1]));
    Code(&mut *b.asm).at(none);
}

/// R8 becomes the length of `s`.
pub(super) const LENGTH: Loop = Loop {
    keep: true,
    ..over_one(Local::FindLength, &[R8], |c, caps, out| {
        c.must(Lt, R8, caps[0], out);
        c.addr(R0, R1, R8);
        c.ldb(R0, R0);
        c.must(Ne, R0, 0, out);
        c.add(R8, 1);
    })
};

const fn over_both(part: Local, more: Local, step: fn(&mut Code<'_>, &[i32], Label)) -> Loop {
    Loop {
        more: Some(more),
        two: true,
        ..over_one(part, &[R6, R7], step)
    }
}

/// Steps of [`long`]: R6 is the place, R7 bytes at each end are known to be equal there.
pub(super) const LONG_FIRST: Loop = over_both(Local::FindLong, Local::FindMore, |c, caps, out| {
    let on = c.label();
    compare(c, caps, out);
    onward(c, false, on);
    // Not in what is after the end of `s`.
    c.ld(R4, R10, LAST);
    c.must(Le, R6, R4, out);
    c.st(R10, BEST, R6);
    c.ja(out);
    c.at(on);
});

/// As [`LONG_FIRST`], from the end to the beginning.
pub(super) const LONG_LAST: Loop = over_both(Local::RfindLong, Local::RfindMore, |c, caps, out| {
    let on = c.label();
    compare(c, caps, out);
    onward(c, true, on);
    c.st(R10, BEST, R6);
    c.ja(out);
    c.at(on);
});

/// To the next place if R0 is not 0, else to the next bytes: on, if there are any.
fn onward(c: &mut Code<'_>, last: bool, on: Label) {
    differs(c);
    c.op(if last { Add } else { Sub }, R6, R4);
    c.add(R7, WIDE);
    c.op(Xor, R4, -1);
    c.op(And, R7, R4);
    // Found when both ends meet.
    c.mov(R0, R7);
    c.add(R0, R7);
    c.sub(R0, WIDE);
    c.ld(R4, R10, BACK);
    c.jmp(Slt, R0, R4, on);
}

/// R0 becomes 0 if at place R6 16 bytes are equal, R7 from each end. All are inside; where the verifier does not see
/// that, and where there is no further place, the way is to `none`.
fn compare(c: &mut Code<'_>, caps: &[i32], none: Label) {
    c.ld(R8, R10, BACK);
    c.sub(R8, R7);
    c.must(Le, R7, caps[1] - WIDE, none);
    c.must(Le, R8, caps[1] - WIDE, none);
    c.mov(R5, R6);
    c.add(R5, R7);
    c.must(Le, R5, caps[0] - WIDE, none);
    c.add(R5, R1);
    c.addr(R4, R2, R7);
    c.ld(R0, R5, 0);
    c.ld(R3, R4, 0);
    c.op(Xor, R0, R3);
    c.ld(R5, R5, 8);
    c.ld(R4, R4, 8);
    c.op(Xor, R5, R4);
    c.op(Or, R0, R5);

    c.mov(R5, R6);
    c.add(R5, R8);
    c.must(Le, R5, caps[0] - WIDE, none);
    c.add(R5, R1);
    c.add(R8, R2);
    c.ld(R3, R5, 0);
    c.ld(R5, R5, 8);
    c.ld(R4, R8, 0);
    c.ld(R8, R8, 8);
    c.op(Xor, R3, R4);
    c.op(Xor, R5, R8);
    c.op(Or, R0, R3);
    c.op(Or, R0, R5);
}

/// Steps of [`long`]: `(n - m + 1) (m + 31) / 32` for capacities n and m where that still grows with m, else the most it
/// can be.
fn steps(cap_s: i32, cap_t: i32) -> u64 {
    let (n, m) = (cap_s as u64, cap_t as u64);
    let most = if m as i64 > n as i64 / 2 - 15 {
        ((n + 32) * (n + 32)) >> 7
    } else {
        ((n - m + 1) * (m + 31)) >> 5
    };
    most + 3
}

//! `json()`: finds the value that a path names in a text.
//!
//! The text is walked member by member. A step is a function of its own, with any number of branches, whose state is in
//! memory; the loop around it has none, so the verifier walks it once and not once for each way through a step.

use bpf::AluOp::{And, Lsh, Mul, Or, Rsh, Xor};
use bpf::JmpOp::{Eq, Le, Lt, Ne, Sge, Slt};
use bpf::Reg::{self, R0, R1, R2, R3, R4, R5, R6, R7, R8, R9, R10};
use bpf::asm::Label;
use bpf::{Insn, Width};
use ir::local::{Body, PART};

use super::Local;
use super::code::Code;
use super::part::{Loop, run};

// What is in working memory: where the text and the path have been read to, elements to pass, what is looked for, the end
// of a key.
const POS: i16 = 0;
const PATH: i16 = 8;
const LEFT: i16 = 16;
const MODE: i16 = 24;
const KEY_END: i16 = 32;
/// Its size.
pub(super) const WORK: u32 = 40;

/// At a value, of which a part is wanted; among the elements of an array; among the members of an object.
const ENTER: i32 = 0;
const ELEMENTS: i32 = 1;
const MEMBERS: i32 = 2;

/// A set of bytes for `Span` and `Cspan`, on the stack.
const SET: i16 = -8;
const SPACES: [u8; 8] = *b" \t\n\r\0\0\0\0";
const ENDS: [u8; 8] = *b",]} \t\n\r\0";

/// Stack used, with that of what is called.
pub(super) const STEP_STACK: u32 = 32 + super::span::STACK;
/// As [`STEP_STACK`].
pub(super) const STACK: u32 = 32 + STEP_STACK;

fn code<'a>(b: &'a mut Body<'_>) -> Code<'a> {
    Code(&mut *b.asm)
}

/// `d` becomes 1 if it is `byte`, else 0.
fn is(c: &mut Code<'_>, d: Reg, byte: u8) {
    c.op(Xor, d, i32::from(byte));
    c.sub(d, 1);
    c.op(Rsh, d, 63);
}

/// Returns a number.
fn give(c: &mut Code<'_>, n: i32) {
    c.any_zero(R0);
    c.add(R0, n);
    c.exit();
}

/// `d = s[at]`; where `at` is not inside, the way is to `fail`.
fn byte(c: &mut Code<'_>, d: Reg, s: Reg, at: Reg, cap: i32, fail: Label) {
    c.must(Lt, at, cap, fail);
    c.addr(d, s, at);
    c.ldb(d, d);
}

/// R0 becomes the first index from R5 on in the text (R6) whose byte is not in the set, or is.
fn scan(b: &mut Body<'_>, f: Local, set: [u8; 8]) {
    let cap = b.constant(0);
    let c = &mut code(b);
    c.0.emit_all(Insn::ld_imm64(R2, u64::from_le_bytes(set)));
    c.st(R10, SET, R2);
    c.mov(R2, R10);
    c.add(R2, i32::from(SET));
    c.mov(R1, R6);
    b.call(f as u32, &[cap, 8]);
}

/// `json(s, path, work, cap_s, cap_path)`
pub(super) fn json(b: &mut Body<'_>) {
    let caps = [b.constant(0), b.constant(1)];
    let (fail, found, top) = (b.asm.label(), b.asm.label(), b.asm.label());
    let c = &mut code(b);
    c.mov(R6, R1);
    c.mov(R7, R2);
    c.mov(R8, R3);
    c.any_zero(R9);
    for at in [PATH, LEFT, MODE, KEY_END] {
        c.st(R8, at, R9);
    }
    c.mov(R5, 0);
    scan(b, Local::Span, SPACES);
    let c = &mut code(b);
    c.st(R8, POS, R0);
    // No step takes less than a byte.
    let (step, times) = if caps[0] > PART {
        (Local::JsonSteps, caps[0] / PART + 1)
    } else {
        (Local::JsonStep, caps[0])
    };
    c.mov(R9, times);
    c.at(top);
    c.jmp(Eq, R9, 0, fail);
    c.mov(R1, R6);
    c.mov(R2, R7);
    c.mov(R3, R8);
    b.call(step as u32, &caps);
    let c = &mut code(b);
    c.must(Eq, R0, 0, found);
    c.sub(R9, 1);
    c.ja(top);
    c.at(found);
    c.jmp(Slt, R0, 0, fail);
    extent(b, fail);
    let c = &mut code(b);
    c.at(fail);
    give(c, -1);
}

/// Returns first index and end of the value at `POS`.
fn extent(b: &mut Body<'_>, fail: Label) {
    let cap = b.constant(0);
    let (text, nested, plain, done) = (b.asm.label(), b.asm.label(), b.asm.label(), b.asm.label());
    let c = &mut code(b);
    c.ld(R9, R8, POS);
    byte(c, R0, R6, R9, cap, fail);
    c.mov(R1, R6);
    c.mov(R3, R9);
    c.add(R3, 1);
    c.jmp(Eq, R0, i32::from(b'"'), text);
    c.mov(R4, R0);
    c.op(Or, R4, 0x20);
    c.jmp(Eq, R4, i32::from(b'{'), nested);
    // A number or a word.
    c.jmp(Eq, R0, i32::from(b'-'), plain);
    c.mov(R4, R0);
    c.sub(R4, i32::from(b'0'));
    c.jmp(Lt, R4, 10, plain);
    word(c, cap, plain, fail);
    c.at(plain);
    c.mov(R5, R9);
    scan(b, Local::Cspan, ENDS);
    let c = &mut code(b);
    byte(c, R1, R6, R0, cap, fail);
    c.jmp(Eq, R1, 0, fail);
    c.ja(done);

    c.at(nested);
    c.mov(R4, 0);
    b.call(Local::JsonSkip as u32, &[cap]);
    let c = &mut code(b);
    byte(c, R1, R6, R0, cap, fail);
    c.jmp(Eq, R1, 0, fail);
    c.add(R0, 1);
    c.ja(done);

    c.at(text);
    c.add(R9, 1);
    b.call(Local::JsonQuote as u32, &[cap]);
    let c = &mut code(b);
    c.jmp(Slt, R0, 0, fail);
    c.at(done);
    c.op(Lsh, R0, 32);
    c.op(Or, R0, R9);
    c.any_zero(R1);
    c.add(R0, R1);
    c.exit();
}

/// Goes to `plain` if at R9 is a word that a text may have, else to `fail`. Whatever follows it is no part of the value.
fn word(c: &mut Code<'_>, cap: i32, plain: Label, fail: Label) {
    c.must(Lt, R9, cap - 4, fail);
    c.addr(R4, R6, R9);
    c.0.emit(Insn::ldx(Width::W, R0, R4, 0));
    c.0.emit(Insn::ldx(Width::B, R4, R4, 4));
    for word in [*b"true", *b"null", *b"fals"] {
        c.mov(R5, R0);
        c.op(Xor, R5, i32::from_le_bytes(word));
        if word == *b"fals" {
            c.op(Xor, R4, i32::from(b'e'));
            c.op(Or, R5, R4);
        }
        c.jmp(Eq, R5, 0, plain);
    }
    c.ja(fail);
}

/// `step(s, path, work, cap_s, cap_path)`
pub(super) fn step(b: &mut Body<'_>) {
    let (elements, members, value, fail) =
        (b.asm.label(), b.asm.label(), b.asm.label(), b.asm.label());
    let c = &mut code(b);
    c.mov(R6, R1);
    c.mov(R7, R2);
    c.mov(R8, R3);
    c.ld(R0, R8, MODE);
    c.ld(R9, R8, POS);
    c.jmp(Eq, R0, ELEMENTS, elements);
    c.jmp(Eq, R0, MEMBERS, members);
    enter(b, fail);
    code(b).at(elements);
    element(b, value, fail);
    code(b).at(members);
    member(b, fail);
    code(b).at(value);
    at_value(b, fail);
    let c = &mut code(b);
    c.at(fail);
    give(c, -1);
}

/// Goes into the array or object at R9, as the path says.
fn enter(b: &mut Body<'_>, fail: Label) {
    let caps = [b.constant(0), b.constant(1)];
    let (array, name) = (b.asm.label(), b.asm.label());
    let c = &mut code(b);
    c.ld(R4, R8, PATH);
    byte(c, R5, R7, R4, caps[1], fail);
    byte(c, R0, R6, R9, caps[0], fail);
    c.add(R9, 1);
    c.st(R8, POS, R9);
    c.jmp(Eq, R5, i32::from(b'['), array);
    c.jmp(Ne, R0, i32::from(b'{'), fail);
    c.jmp(Ne, R5, i32::from(b'.'), name);
    c.add(R4, 1);
    c.st(R8, PATH, R4);
    c.at(name);
    c.mov(R0, MEMBERS);
    c.st(R8, MODE, R0);
    give(c, 0);

    c.at(array);
    c.jmp(Ne, R0, i32::from(b'['), fail);
    c.mov(R1, R7);
    c.mov(R3, R4);
    c.add(R3, 1);
    b.call(Local::JsonIndex as u32, &[caps[1]]);
    let c = &mut code(b);
    c.jmp(Slt, R0, 0, fail);
    c.mov(R1, R0);
    c.op(Rsh, R1, 32);
    c.st(R8, PATH, R1);
    c.op(Lsh, R0, 32);
    c.op(Rsh, R0, 32);
    c.st(R8, LEFT, R0);
    c.mov(R0, ELEMENTS);
    c.st(R8, MODE, R0);
    give(c, 0);
}

/// Passes an element of an array, or finds the one that is wanted.
fn element(b: &mut Body<'_>, value: Label, fail: Label) {
    let here = b.asm.label();
    let c = &mut code(b);
    c.ld(R4, R8, LEFT);
    c.jmp(Eq, R4, 0, here);
    c.sub(R4, 1);
    c.st(R8, LEFT, R4);
    pass(b, fail);
    let c = &mut code(b);
    c.at(here);
    c.mov(R5, R9);
    scan(b, Local::Span, SPACES);
    let c = &mut code(b);
    c.mov(R9, R0);
    c.ja(value);
}

/// Moves behind the comma that follows R9, and returns.
fn pass(b: &mut Body<'_>, fail: Label) {
    let cap = b.constant(0);
    let c = &mut code(b);
    c.mov(R1, R6);
    c.mov(R3, R9);
    c.mov(R4, 1);
    b.call(Local::JsonSkip as u32, &[cap]);
    let c = &mut code(b);
    byte(c, R1, R6, R0, cap, fail);
    c.jmp(Ne, R1, i32::from(b','), fail);
    c.add(R0, 1);
    c.st(R8, POS, R0);
    give(c, 0);
}

/// Passes a member of an object, or finds the one that is wanted and goes on behind its colon.
fn member(b: &mut Body<'_>, fail: Label) {
    let caps = [b.constant(0), b.constant(1)];
    let same = b.asm.label();
    code(b).mov(R5, R9);
    scan(b, Local::Span, SPACES);
    let c = &mut code(b);
    byte(c, R1, R6, R0, caps[0], fail);
    c.jmp(Ne, R1, i32::from(b'"'), fail);
    c.add(R0, 1);
    c.st(R8, POS, R0);
    c.mov(R3, R0);
    c.mov(R1, R6);
    b.call(Local::JsonQuote as u32, &[caps[0]]);
    let c = &mut code(b);
    c.jmp(Slt, R0, 0, fail);
    c.st(R8, KEY_END, R0);
    c.mov(R9, R0);
    c.add(R9, 1);
    c.mov(R1, R6);
    c.mov(R2, R7);
    c.mov(R3, R8);
    b.call(Local::JsonKey as u32, &caps);
    let c = &mut code(b);
    c.jmp(Sge, R0, 0, same);
    pass(b, fail);
    let c = &mut code(b);
    c.at(same);
    c.st(R8, PATH, R0);
    c.mov(R5, R9);
    scan(b, Local::Span, SPACES);
    let c = &mut code(b);
    byte(c, R1, R6, R0, caps[0], fail);
    c.jmp(Ne, R1, i32::from(b':'), fail);
    c.mov(R5, R0);
    c.add(R5, 1);
    scan(b, Local::Span, SPACES);
    code(b).mov(R9, R0);
}

/// At a value that the path names so far.
fn at_value(b: &mut Body<'_>, fail: Label) {
    let cap = b.constant(1);
    let more = b.asm.label();
    let c = &mut code(b);
    c.st(R8, POS, R9);
    c.ld(R4, R8, PATH);
    byte(c, R5, R7, R4, cap, fail);
    c.jmp(Ne, R5, 0, more);
    give(c, 1);
    c.at(more);
    c.mov(R0, ENTER);
    c.st(R8, MODE, R0);
    give(c, 0);
}

/// `key(s, path, work, cap_s, cap_path)`: R6 place in the text, R7 in the path, R8 end of the key.
pub(super) fn key(b: &mut Body<'_>) {
    let caps = [b.constant(0), b.constant(1)];
    let c = &mut code(b);
    c.ld(R6, R3, POS);
    c.ld(R7, R3, PATH);
    c.ld(R8, R3, KEY_END);
    c.mov(R3, -1);
    run(b, &KEY, &caps, caps[1] as u64);
    let c = &mut code(b);
    c.any_zero(R0);
    c.add(R0, R3);
    c.exit();
}

/// Steps of [`key`]: R3 is the result.
pub(super) const KEY: Loop = Loop {
    part: Local::JsonKeyPart,
    more: None,
    two: true,
    keep: false,
    words: 0,
    live: &[R3, R6, R7, R8],
    step: |c, caps, out| {
        let yes = c.label();
        byte(c, R0, R2, R7, caps[1], out);
        // How many of both have ended.
        c.mov(R4, R6);
        c.op(Xor, R4, R8);
        c.sub(R4, 1);
        c.op(Rsh, R4, 63);
        for end in *b".[\0" {
            c.mov(R5, R0);
            is(c, R5, end);
            c.add(R4, R5);
        }
        c.must(Ne, R4, 2, yes);
        c.must(Eq, R4, 0, out);
        byte(c, R5, R1, R6, caps[0], out);
        c.must(Eq, R0, R5, out);
        let on = c.label();
        c.ja(on);
        c.at(yes);
        c.mov(R3, R7);
        c.ja(out);
        c.at(on);
        c.add(R6, 1);
        c.add(R7, 1);
        c.any_zero(R0);
        c.add(R6, R0);
        c.add(R7, R0);
    },
};

/// `skip(s, cap, start, comma)`: R3 position, R4 comma, R5 depth, R6 1 in a string, R7 1 behind a backslash.
pub(super) fn skip(b: &mut Body<'_>) {
    let cap = b.constant(0);
    let c = &mut code(b);
    for r in [R5, R6, R7] {
        c.any_zero(r);
    }
    run(b, &SKIP, &[cap], cap as u64);
    let c = &mut code(b);
    c.any_zero(R0);
    c.add(R0, R3);
    c.exit();
}

/// Steps of [`skip`].
pub(super) const SKIP: Loop = Loop {
    part: Local::JsonSkipPart,
    more: None,
    two: false,
    keep: false,
    words: 0,
    live: &[R3, R4, R5, R6, R7],
    step: |c, caps, out| {
        byte(c, R8, R1, R3, caps[0], out);
        c.must(Ne, R8, 0, out);
        // A quote that counts changes whether it is a string.
        c.mov(R0, R8);
        is(c, R0, b'"');
        c.op(Xor, R7, 1);
        c.op(And, R0, R7);
        c.mov(R2, R6);
        c.op(Xor, R6, R0);
        c.mov(R0, R8);
        is(c, R0, b'\\');
        c.op(And, R7, R0);
        c.op(And, R7, R2);
        // R2: 1 outside of strings.
        c.op(Xor, R2, 1);
        for (bracket, up) in [(b'[', true), (b']', false)] {
            c.mov(R0, R8);
            c.op(And, R0, 0xdf);
            is(c, R0, bracket);
            c.op(And, R0, R2);
            if up {
                c.add(R5, R0);
            } else {
                c.sub(R5, R0);
            }
        }
        c.must(Sge, R5, 0, out);
        is(c, R8, b',');
        c.op(And, R8, R2);
        c.op(And, R8, R4);
        c.mov(R0, R5);
        c.sub(R0, 1);
        c.op(Rsh, R0, 63);
        c.op(And, R8, R0);
        c.must(Eq, R8, 0, out);
        c.add(R3, 1);
    },
};

/// `quote(s, cap, start)`: R3 position, R7 1 behind a backslash.
pub(super) fn quote(b: &mut Body<'_>) {
    let cap = b.constant(0);
    let c = &mut code(b);
    c.any_zero(R6);
    c.sub(R6, 1);
    c.any_zero(R7);
    run(b, &QUOTE, &[cap], cap as u64);
    let c = &mut code(b);
    c.any_zero(R0);
    c.add(R0, R6);
    c.exit();
}

/// Steps of [`quote`]: R6 is the result.
pub(super) const QUOTE: Loop = Loop {
    part: Local::JsonQuotePart,
    more: None,
    two: false,
    keep: false,
    words: 0,
    live: &[R3, R6, R7],
    step: |c, caps, out| {
        let found = c.label();
        byte(c, R8, R1, R3, caps[0], out);
        c.must(Ne, R8, 0, out);
        c.mov(R0, R8);
        is(c, R0, b'"');
        c.op(Xor, R7, 1);
        c.op(And, R0, R7);
        c.must(Eq, R0, 0, found);
        let on = c.label();
        c.ja(on);
        c.at(found);
        c.mov(R6, R3);
        c.ja(out);
        c.at(on);
        is(c, R8, b'\\');
        c.op(And, R7, R8);
        c.add(R3, 1);
    },
};

/// Most digits of an index.
const DIGITS: i32 = 9;

/// `index(path, cap, start)`: R3 position, R4 number.
pub(super) fn index(b: &mut Body<'_>) {
    let cap = b.constant(0);
    let c = &mut code(b);
    let (none, out) = (c.label(), c.label());
    c.any_zero(R4);
    c.mov(R8, DIGITS);
    let top = c.here();
    c.jmp(Eq, R8, 0, out);
    byte(c, R0, R1, R3, cap, none);
    c.sub(R0, i32::from(b'0'));
    c.must(Le, R0, 9, out);
    c.op(Mul, R4, 10);
    c.add(R4, R0);
    c.add(R3, 1);
    c.sub(R8, 1);
    c.ja(top);
    c.at(out);
    // None at all is no number.
    c.jmp(Eq, R8, DIGITS, none);
    byte(c, R0, R1, R3, cap, none);
    c.jmp(Ne, R0, i32::from(b']'), none);
    c.add(R3, 1);
    c.op(Lsh, R3, 32);
    c.op(Or, R3, R4);
    c.any_zero(R0);
    c.add(R0, R3);
    c.exit();
    c.at(none);
    give(c, -1);
}

//! Programs made of pieces of other programs: whatever comes out, analysis must end in code or an error.

use super::errors::{CASES, program};
use super::try_compile;
use crate::Options;

/// A small generator of reproducible numbers (xorshift).
struct Rng(u64);

impl Rng {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n.max(1) as u64) as usize
    }
}

/// Words, numbers, strings and single signs of a text.
fn tokens(text: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut word = false;
    let mut quoted = false;
    for c in text.chars() {
        let part = c.is_alphanumeric() || c == '_';
        match out.last_mut() {
            Some(last) if quoted || (part && word) => last.push(c),
            _ => out.push(c.to_string()),
        }
        if c == '"' {
            quoted = !quoted;
        }
        word = part;
    }
    out
}

/// Spliced values of wrong types reach every operator and action.
const EXTRA: &[&str] = &[
    "curthread",
    "*curthread",
    "execname",
    "args[1]",
    "@a",
    "stack()",
    "self->x",
    "this->y",
    "a[1]",
    "(void)1",
    "-1",
    "0",
    "9223372036854775807",
    "&`jiffies",
    "`do_exit",
    "curthread->flags",
    "curthread->comm",
    "sizeof (int)",
    "NULL",
    "(char *)arg0",
    "\"s\"",
    "x++",
    "count()",
    "printf(\"%d\", 1)",
    "pid ? 1 : execname",
    "(userland int *)arg0",
    "copyin(arg0, 4)",
    "args",
    "arg0[1]",
    "curthread->parent->parent->comm[pid]",
    "(struct task_struct)x",
];

#[test]
fn spliced_programs_never_panic() {
    let seed = 0x9e37_79b9_7f4a_7c15;
    let mut rng = Rng(seed);
    let corpus: Vec<Vec<String>> = CASES.iter().map(|(_, t)| tokens(&program(t))).collect();
    for _ in 0..6000 {
        let mut text = corpus[rng.below(corpus.len())].clone();
        for _ in 0..=rng.below(4) {
            let at = rng.below(text.len() + 1);
            match rng.below(4) {
                0 if at < text.len() => drop(text.remove(at)),
                1 if at < text.len() => text[at] = EXTRA[rng.below(EXTRA.len())].to_owned(),
                2 => text.insert(at, EXTRA[rng.below(EXTRA.len())].to_owned()),
                _ => {
                    let other = &corpus[rng.below(corpus.len())];
                    let piece = other[rng.below(other.len())].clone();
                    text.insert(at, piece);
                }
            }
        }
        let _ = try_compile(Options::default(), &[&text.concat()]);
    }
}

#[test]
fn inline_chains_do_not_overflow_the_stack() {
    let mut text = String::from("inline int i0 = pid;");
    for i in 1..20 {
        text += &format!(
            "inline int i{i} = {}i{}{};",
            "(1 + ".repeat(60),
            i - 1,
            ")".repeat(60)
        );
    }
    text += "BEGIN { trace(i19); }";
    let error = try_compile(Options::default(), &[&text]).unwrap_err();
    assert!(
        error.message.contains("nested too deeply"),
        "{}",
        error.message
    );
}

//! Calling the library's functions: cases, random input, reference functions, the interpreter.
#![allow(
    dead_code,
    unreachable_pub,
    reason = "each test binary uses its own part of this"
)]

#[path = "../../src/rt/mod.rs"]
pub mod rt;

mod reference;

use bpf::asm::{Assembler, Program};
use bpf::interp::{Memory, NoHost, Vm};
use bpf::{Insn, Reg, Width};
use ir::local::Instances;
pub use reference::{length, reference};
pub use rt::{LOCALS, Local};

/// An argument: memory of this content, or a number.
#[derive(Clone, Debug)]
pub enum In {
    /// The address of a copy.
    Mem(Vec<u8>),
    /// Itself.
    Num(u64),
}

/// The arguments of a call.
pub type Case = Vec<In>;

/// Makes a case.
pub fn case(args: Vec<In>) -> Case {
    args
}

/// The constants among the arguments, by index.
fn constants(case: &Case) -> Vec<Option<i32>> {
    let constant = |a: &In| match a {
        In::Num(n) => i32::try_from(*n).ok(),
        In::Mem(_) => None,
    };
    case.iter().map(constant).collect()
}

/// A program that calls `f` with the five words that its context points to.
fn caller(f: Local, case: &Case) -> Program<ir::Pos> {
    let mut asm = Assembler::new();
    let mut calls = Instances::new(LOCALS);
    asm.emit(Insn::mov(Reg::R6, Reg::R1));
    for (n, reg) in [Reg::R1, Reg::R2, Reg::R3, Reg::R4, Reg::R5]
        .into_iter()
        .enumerate()
    {
        asm.emit(Insn::ldx(Width::DW, reg, Reg::R6, 8 * n as i16));
    }
    let constants = constants(case);
    calls
        .call(&mut asm, f as u32, &constants)
        .expect("constant capacities");
    asm.emit(Insn::exit());
    calls.emit(&mut asm, &[]);
    asm.finish().expect("assembles")
}

/// Result and the memory arguments afterwards.
pub fn interpret(f: Local, case: &Case) -> (u64, Vec<Vec<u8>>) {
    let program = caller(f, case);
    let mut memory = Memory::new();
    let mut context = Vec::new();
    let mut places = Vec::new();
    for arg in case {
        let word = match arg {
            In::Num(n) => *n,
            In::Mem(bytes) => {
                let at = memory.map(bytes.clone(), true);
                places.push((at, bytes.len() as u64));
                at
            }
        };
        context.extend_from_slice(&word.to_le_bytes());
    }
    context.resize(40, 0);
    let context = memory.map(context, false);
    let mut vm = Vm::new(&program.insns, memory, 10_000_000);
    let result = vm
        .run(&mut NoHost, context)
        .unwrap_or_else(|e| panic!("{f:?} {case:?}: {e}"));
    let after = places
        .iter()
        .map(|(at, len)| vm.memory.read(*at, *len).expect("mapped").to_vec())
        .collect();
    (result, after)
}

/// Whether two memories hold the same strings: what follows a NUL does not count.
pub fn same(f: Local, got: &[Vec<u8>], want: &[Vec<u8>]) -> bool {
    let writes = matches!(f, Local::Lltostr | Local::Cleanpath);
    got.iter().zip(want).enumerate().all(|(n, (g, w))| {
        if writes && n == 0 {
            let len = length(w);
            g.get(..=len) == w.get(..=len)
        } else {
            g == w
        }
    })
}

/// Compares one call with the reference; gives the result.
pub fn agree(f: Local, case: &Case) -> u64 {
    let (got, memory) = interpret(f, case);
    let (want, after) = reference(f, case);
    assert_eq!(got as i64, want as i64, "{f:?} {case:?}");
    assert!(
        same(f, &memory, &after),
        "{f:?} {case:?}: {memory:?} instead of {after:?}"
    );
    got
}

/// Compares many.
pub fn check(f: Local, rounds: usize, mut make: impl FnMut(&mut Random) -> Case) {
    let mut random = Random(0x9e37_79b9_7f4a_7c15 ^ f as u64);
    for _ in 0..rounds {
        agree(f, &make(&mut random));
    }
}

/// Reproducible random input.
pub struct Random(pub u64);

impl Random {
    /// A word.
    pub fn word(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number less than `n`.
    pub fn below(&mut self, n: usize) -> usize {
        ((self.word() >> 33) % n as u64) as usize
    }

    /// A capacity: often tiny, sometimes so large that loops are cut.
    pub fn cap(&mut self) -> usize {
        let most = [4, 12, 40, 100, 256, 530][self.below(6)];
        1 + self.below(most)
    }

    /// A byte of few.
    pub fn byte(&mut self) -> u8 {
        b"ab\0/"[self.below(4)]
    }

    fn fill(&mut self, cap: usize, mut one: impl FnMut(&mut Random) -> u8) -> Vec<u8> {
        let mut s: Vec<u8> = (0..cap).map(|_| one(self)).collect();
        // One in eight has no NUL.
        if self.below(8) != 0 {
            let at = self.below(cap);
            s[at] = 0;
        }
        s
    }

    /// A string of few different bytes, with scraps behind its NUL.
    pub fn text(&mut self, cap: usize) -> Vec<u8> {
        let kinds = 1 + self.below(3);
        self.fill(cap, |r| b"ab\xff"[r.below(kinds)])
    }

    /// A string of few `a` and `b` mostly equal to others of its kind.
    pub fn near(&mut self, cap: usize) -> Vec<u8> {
        self.fill(cap, |r| if r.below(30) == 0 { b'b' } else { b'a' })
    }

    /// A string of any bytes.
    pub fn any_text(&mut self, cap: usize) -> Vec<u8> {
        if self.below(2) == 0 {
            return self.text(cap);
        }
        self.fill(cap, |r| 1 + r.below(255) as u8)
    }

    /// Something that is probably in `s`, or almost.
    pub fn part(&mut self, s: &[u8], cap: usize) -> Vec<u8> {
        if self.below(4) == 0 {
            return self.text(cap);
        }
        let from = self.below(s.len());
        let len = self.below(s.len() - from + 1).min(cap);
        let mut t = s[from..from + len].to_vec();
        if len > 0 && self.below(4) == 0 {
            let at = self.below(len);
            t[at] = b'b';
        }
        t.resize(cap, 0);
        t
    }

    /// A base.
    pub fn base(&mut self) -> u64 {
        match self.below(5) {
            0 => 10,
            1 => 16,
            2 => 8,
            _ => 2 + self.below(35) as u64,
        }
    }

    /// A number of any size.
    pub fn number(&mut self) -> u64 {
        let n = self.word() >> self.below(64);
        if self.below(2) == 0 {
            n
        } else {
            n.wrapping_neg()
        }
    }

    /// Text that may be a number.
    pub fn number_text(&mut self, cap: usize, base: u64) -> Vec<u8> {
        let mut s = Vec::new();
        for _ in 0..self.below(3) {
            s.push(b" \t\n\r\x0b\x0c"[self.below(6)]);
        }
        s.extend_from_slice([&b""[..], b"+", b"-", b"-0x", b"0X", b"0x"][self.below(6)]);
        for _ in 0..self.below(70) {
            let d = self.below(base as usize) as u8;
            let letter = if self.below(2) == 0 { b'a' } else { b'A' };
            s.push(if d < 10 { b'0' + d } else { letter + d - 10 });
        }
        s.extend_from_slice([&b""[..], b"z", b"/", b":", b"@", b"`"][self.below(6)]);
        s.resize(cap.max(s.len().min(cap)), 0);
        s.truncate(cap);
        s
    }

    /// Text that may be a path.
    pub fn path(&mut self, cap: usize) -> Vec<u8> {
        let mut s = Vec::new();
        while s.len() < cap {
            let pieces = [
                &b"/"[..],
                b"/",
                b"//",
                b".",
                b"..",
                b"/../",
                b"/./",
                b"a",
                b"bc",
            ];
            s.extend_from_slice(pieces[self.below(pieces.len())]);
        }
        s.truncate(cap);
        if self.below(8) != 0 {
            let at = self.below(cap);
            s[at] = 0;
        }
        s
    }
}

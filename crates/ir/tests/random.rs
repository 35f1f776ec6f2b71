//! Random programs: what an interpreter of the intermediate form computes, the emitted instructions must compute too,
//! with and without the optimising passes, however many registers are live.

mod common;

use bpf::{AluOp, Helper, JmpOp, Width};
use common::{Rng, World, compare, seeds};
use ir::{Arg, Base, Func, Inst, L, Slot, V};

const ALU: [AluOp; 11] = [
    AluOp::Add,
    AluOp::Sub,
    AluOp::Mul,
    AluOp::Div,
    AluOp::Or,
    AluOp::And,
    AluOp::Lsh,
    AluOp::Rsh,
    AluOp::Mod,
    AluOp::Xor,
    AluOp::Arsh,
];
const JMP: [JmpOp; 11] = [
    JmpOp::Eq,
    JmpOp::Gt,
    JmpOp::Ge,
    JmpOp::Set,
    JmpOp::Ne,
    JmpOp::Sgt,
    JmpOp::Sge,
    JmpOp::Lt,
    JmpOp::Le,
    JmpOp::Slt,
    JmpOp::Sle,
];
/// Helpers with their number of arguments, as [`World`] plays them.
const HELPERS: [Helper; 7] = [
    Helper::KtimeGetNs,
    Helper::GetCurrentPidTgid,
    Helper::GetCurrentTask,
    Helper::MapLookupElem,
    Helper::ProbeReadKernel,
    Helper::MapUpdateElem,
    Helper::PerfEventOutput,
];

/// Makes one program.
struct Gen {
    rng: Rng,
    f: Func,
    /// Registers that have a value wherever we are.
    pool: Vec<V>,
    slots: Vec<Slot>,
    /// Values kept in the pool: how many are live at once.
    pressure: usize,
    fuel: u32,
}

impl Gen {
    fn new(seed: u64) -> Gen {
        let mut rng = Rng::new(seed);
        let pressure = [3, 6, 10, 20, 40][rng.below(5)];
        let mut f = Func::new();
        let slots: Vec<Slot> = (0..rng.below(4))
            .map(|_| f.slot(8 * (1 + rng.below(3) as u32)))
            .collect();
        let fuel = 20 + rng.below(150) as u32;
        let mut g = Gen {
            rng,
            f,
            pool: Vec::new(),
            slots,
            pressure,
            fuel,
        };
        for n in 0..g.slots.len() {
            g.f.store(g.slots[n], 0, Width::DW, n as i32);
        }
        let first = g.f.konst(g.rng.number());
        g.pool.push(first);
        g
    }

    fn pick(&mut self) -> V {
        let n = self.rng.below(self.pool.len());
        self.pool[n]
    }

    fn arg(&mut self) -> Arg {
        if self.rng.chance(3) {
            Arg::Imm(self.rng.number() as i32)
        } else {
            Arg::V(self.pick())
        }
    }

    fn keep(&mut self, v: V) {
        if self.pool.len() < self.pressure {
            self.pool.push(v);
        } else {
            let n = self.rng.below(self.pool.len());
            self.pool[n] = v;
        }
    }

    /// A place in the context (large offsets too) or on the stack, with room for eight bytes.
    fn place(&mut self) -> (Base, i32) {
        if !self.slots.is_empty() && self.rng.chance(2) {
            let n = self.rng.below(self.slots.len());
            return (self.slots[n].into(), 0);
        }
        let off = match self.rng.below(4) {
            0 => self.rng.below(common::CTX_SIZE / 8 - 1) * 8,
            1 => 32_760 + 8 * self.rng.below(4),
            _ => self.rng.below(16) * 8,
        };
        (Func::CTX.into(), off as i32)
    }

    fn width(&mut self) -> Width {
        Width::ALL[self.rng.below(4)]
    }

    fn call(&mut self) {
        let args: Vec<Arg>;
        let d = (!self.rng.chance(4)).then(|| self.f.reg());
        if self.rng.chance(4) {
            args = vec![self.arg(), self.arg()];
            let func = self.rng.below(2) as u32;
            self.f.push(Inst::CallLocal { d, func, args });
        } else {
            let helper = HELPERS[self.rng.below(HELPERS.len())];
            args = (0..common::arity(helper)).map(|_| self.arg()).collect();
            self.f.push(Inst::Call { d, helper, args });
        }
        if let Some(d) = d {
            self.keep(d);
        }
    }

    fn value(&mut self) -> Inst {
        let d = self.f.reg();
        match self.rng.below(9) {
            0 => Inst::Const {
                d,
                v: self.rng.number(),
            },
            1 => Inst::Copy { d, s: self.pick() },
            2 => Inst::Ext {
                d,
                s: self.pick(),
                bytes: [1, 2, 4][self.rng.below(3)],
                signed: self.rng.chance(2),
            },
            3 => Inst::Swap {
                d,
                s: self.pick(),
                bits: [16, 32, 64][self.rng.below(3)],
            },
            4 => {
                let (base, off) = self.place();
                let width = self.width();
                Inst::Load {
                    d,
                    base,
                    off,
                    width,
                }
            }
            5 => Inst::Alu {
                d,
                op: AluOp::Neg,
                a: self.pick(),
                b: Arg::Imm(0),
                wide: true,
            },
            _ => self.alu(d),
        }
    }

    fn alu(&mut self, d: V) -> Inst {
        let op = ALU[self.rng.below(ALU.len())];
        let wide = !self.rng.chance(4);
        let bits = if wide { 64 } else { 32 };
        let b = match (op, self.arg()) {
            // What codegen never writes.
            (AluOp::Div | AluOp::Mod, Arg::Imm(0)) => Arg::Imm(3),
            (AluOp::Lsh | AluOp::Rsh | AluOp::Arsh, Arg::Imm(n)) => Arg::Imm(n.rem_euclid(bits)),
            (_, b) => b,
        };
        Inst::Alu {
            d,
            op,
            a: self.pick(),
            b,
            wide,
        }
    }

    fn effect(&mut self) {
        let (base, off) = self.place();
        let inst = match self.rng.below(3) {
            0 => Inst::AtomicAdd {
                base,
                off,
                src: self.pick(),
            },
            1 => {
                let d = self.f.reg();
                let src = self.pick();
                self.f.push(Inst::FetchAdd { d, base, off, src });
                self.keep(d);
                return;
            }
            _ => {
                let (width, src) = (self.width(), self.arg());
                Inst::Store {
                    base,
                    off,
                    width,
                    src,
                }
            }
        };
        self.f.push(inst);
    }

    /// A register defined on both sides of a branch, or on one after a default.
    fn diamond(&mut self, depth: u32) {
        let d = self.f.reg();
        let (other, done) = (self.f.label(), self.f.label());
        let outer = self.pool.clone();
        let one_sided = self.rng.chance(2);
        if one_sided {
            let v = self.rng.number();
            self.f.push(Inst::Const { d, v });
        }
        self.branch(other);
        self.block(depth + 1);
        let s = self.pick();
        self.f.copy_to(d, s);
        self.pool.clone_from(&outer);
        if one_sided {
            self.f.bind(other);
        } else {
            self.f.jump(done);
            self.f.bind(other);
            self.block(depth + 1);
            let s = self.pick();
            self.f.copy_to(d, s);
            self.f.bind(done);
        }
        self.pool = outer;
        self.keep(d);
    }

    fn branch(&mut self, to: L) {
        let op = JMP[self.rng.below(JMP.len())];
        let (a, b) = (self.pick(), self.arg());
        self.f.branch(op, a, b, to);
    }

    fn block(&mut self, depth: u32) {
        for _ in 0..1 + self.rng.below(12) {
            if self.fuel == 0 {
                return;
            }
            self.fuel -= 1;
            match self.rng.below(10) {
                0..=4 => {
                    let inst = self.value();
                    let d = inst.def();
                    self.f.push(inst);
                    d.into_iter().for_each(|d| self.keep(d));
                }
                5 => self.effect(),
                6 | 7 => self.call(),
                8 if depth < 4 => self.diamond(depth),
                _ => {
                    // Redefinition of a register, as `x = …` of a variable does.
                    let (d, s) = (self.pick(), self.pick());
                    self.f.copy_to(d, s);
                }
            }
        }
    }

    fn program(mut self) -> Func {
        let end = self.f.label();
        while self.fuel > 0 {
            self.block(0);
            if self.rng.chance(8) {
                self.branch(end);
            }
        }
        for (n, v) in std::mem::take(&mut self.pool).into_iter().enumerate() {
            self.f.store(Func::CTX, 8 * n as i32, Width::DW, v);
        }
        self.f.bind(end);
        self.f.push(Inst::Exit);
        self.f
    }
}

#[test]
fn random_programs_compute_the_same_however_compiled() {
    let (mut ran, mut too_deep) = (0u32, 0u32);
    for seed in seeds(1500) {
        let f = Gen::new(seed).program();
        match compare(&f, &mut World::new(seed)) {
            Ok(true) => ran += 1,
            Ok(false) => too_deep += 1,
            Err(why) => panic!("seed {seed}: {why}\n{}", ir::text::dump(&f)),
        }
    }
    println!("{ran} programs, {too_deep} more needed too much stack");
    assert!(ran > 10 * too_deep, "{ran} ran, {too_deep} did not fit");
}

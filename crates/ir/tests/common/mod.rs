//! What the tests of this crate share: random numbers, an interpreter of the intermediate form, and the comparison of
//! what it computes with what the emitted instructions compute.

#![allow(dead_code, reason = "each test uses its part")]

use bpf::asm::Assembler;
use bpf::interp::{Fault, Host, Memory, Vm};
use bpf::{AluOp, Form, Helper, Insn, Reg, Src, Width};
use ir::local::{Emit, LocalFn, Param};
use ir::{Arg, Base, Func, Inst, Pos, V};

/// Bytes of the context that programs may read and write.
pub const CTX_SIZE: usize = 66_000;

/// A small generator of pseudo-random numbers (splitmix64).
#[derive(Clone)]
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Rng {
        Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5bf0_3635)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }

    /// True once in `n` times.
    pub fn chance(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// A number, with those at the edges more often.
    pub fn number(&mut self) -> u64 {
        const EDGES: [u64; 10] = [
            0,
            1,
            u64::MAX,
            2,
            i64::MAX as u64,
            i64::MIN as u64,
            u32::MAX as u64,
            i32::MAX as u64,
            i32::MIN as i64 as u64,
            63,
        ];
        match self.below(4) {
            0 => EDGES[self.below(EDGES.len())],
            1 => self.next() % 256,
            2 => 1u64 << self.below(64),
            _ => self.next(),
        }
    }
}

fn mix(v: u64) -> u64 {
    let v = (v ^ (v >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let v = (v ^ (v >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    v ^ (v >> 31)
}

/// `n` seeds, or many more from another start with `FUZZ_SEED`, `FUZZ_COUNT`.
pub fn seeds(n: u64) -> std::ops::Range<u64> {
    let var = |name: &str| std::env::var(name).ok().and_then(|v| v.parse().ok());
    let start = var("FUZZ_SEED").unwrap_or(1);
    start..start + var("FUZZ_COUNT").unwrap_or(n)
}

/// Arguments that a helper takes here.
pub fn arity(h: Helper) -> usize {
    match h {
        Helper::KtimeGetNs | Helper::GetCurrentPidTgid | Helper::GetCurrentTask => 0,
        Helper::MapLookupElem => 2,
        Helper::ProbeReadKernel => 3,
        Helper::MapUpdateElem => 4,
        _ => 5,
    }
}

/// What surrounds a program: plays the helpers and keeps a record of the calls.
#[derive(Clone)]
pub struct World {
    seed: u64,
    /// Calls so far.
    pub log: Vec<(u32, Vec<u64>)>,
}

impl World {
    pub fn new(seed: u64) -> World {
        World {
            seed,
            log: Vec::new(),
        }
    }

    fn helper(&mut self, id: u32, args: Vec<u64>) -> u64 {
        let helper = Helper::from_id(id).expect("a helper");
        if ir::func::is_pure_helper(helper) {
            return mix(self.seed ^ u64::from(id));
        }
        let sum = args.iter().fold(self.log.len() as u64, |s, a| mix(s ^ a));
        self.log.push((id, args));
        mix(sum ^ u64::from(id))
    }
}

impl Host for World {
    fn call(&mut self, _vm: &mut Vm<'_>, id: u32, args: [u64; 5]) -> Result<u64, Fault> {
        let n = Helper::from_id(id).map_or(0, arity);
        Ok(self.helper(id, args[..n].to_vec()))
    }
}

/// Local functions and what they compute.
pub const LOCALS: &[LocalFn] = &[
    local_fn("first", &[], |a: &mut Assembler<Pos>| {
        a.emit(Insn::mov(Reg::R0, Reg::R1));
        a.emit(Insn::alu64(AluOp::Mul, Reg::R0, 3));
        a.emit(Insn::alu64(AluOp::Sub, Reg::R0, Reg::R2));
        // The verifier forgets these; so must the caller.
        for r in [Reg::R1, Reg::R2, Reg::R3, Reg::R4, Reg::R5] {
            a.emit(Insn::mov(r, -7));
        }
        a.emit(Insn::exit());
    }),
    local_fn(
        "second",
        &[Param::Num, Param::Num],
        |a: &mut Assembler<Pos>| {
            a.emit(Insn::mov(Reg::R0, Reg::R2));
            a.emit(Insn::alu64(AluOp::Xor, Reg::R0, Reg::R1));
            a.emit(Insn::exit());
        },
    ),
];

const fn local_fn(
    name: &'static str,
    params: &'static [Param],
    emit: fn(&mut Assembler<Pos>),
) -> LocalFn {
    LocalFn {
        name,
        params,
        stack: 0,
        large: 0,
        emit: Emit::Leaf(emit),
    }
}

fn local(func: u32, args: &[u64]) -> u64 {
    match func {
        0 => args[0].wrapping_mul(3).wrapping_sub(args[1]),
        _ => args[1] ^ args[0],
    }
}

/// Memory with the context; the first region has the same address in every one.
fn memory() -> (Memory, u64) {
    let mut memory = Memory::new();
    let bytes = (0..CTX_SIZE).map(|n| ((n * 37) >> 3) as u8).collect();
    let ctx = memory.map(bytes, true);
    (memory, ctx)
}

/// The interpreter.
struct Eval<'a> {
    f: &'a Func,
    regs: Vec<Option<u64>>,
    memory: Memory,
    slots: Vec<u64>,
}

impl Eval<'_> {
    fn get(&self, v: V) -> Result<u64, String> {
        self.regs[v.0 as usize].ok_or_else(|| format!("{v} has no value"))
    }

    fn arg(&self, a: Arg) -> Result<u64, String> {
        match a {
            Arg::V(v) => self.get(v),
            Arg::Imm(i) => Ok(i64::from(i) as u64),
        }
    }

    fn at(&self, base: Base, off: i32) -> Result<u64, String> {
        let base = match base {
            Base::V(v) => self.get(v)?,
            Base::Slot(s) => self.slots[s.0 as usize],
        };
        Ok(base.wrapping_add(i64::from(off) as u64))
    }

    fn load(&self, at: u64, width: Width) -> Result<u64, String> {
        self.memory.load(at, width).map_err(|e| e.to_string())
    }

    fn store(&mut self, at: u64, width: Width, v: u64) -> Result<(), String> {
        self.memory.store(at, width, v).map_err(|e| e.to_string())
    }

    /// The value that an instruction defines, and its effect.
    fn value(&mut self, inst: &Inst, world: &mut World) -> Result<u64, String> {
        Ok(match inst {
            Inst::Const { v, .. } => *v,
            Inst::Copy { s, .. } => self.get(*s)?,
            Inst::Alu { op, a, b, wide, .. } => {
                op.eval(self.get(*a)?, self.arg(*b)?, if *wide { 64 } else { 32 })
            }
            Inst::Ext {
                s, bytes, signed, ..
            } => {
                let (v, up) = (self.get(*s)?, 64 - 8 * u32::from(*bytes));
                if *signed {
                    ((v << up) as i64 >> up) as u64
                } else {
                    v << up >> up
                }
            }
            Inst::Swap { s, bits, .. } => self.get(*s)?.swap_bytes() >> (64 - bits),
            Inst::Load {
                base, off, width, ..
            } => self.load(self.at(*base, *off)?, *width)?,
            Inst::FetchAdd { base, off, src, .. } | Inst::AtomicAdd { base, off, src } => {
                let at = self.at(*base, *off)?;
                let old = self.load(at, Width::DW)?;
                self.store(at, Width::DW, old.wrapping_add(self.get(*src)?))?;
                old
            }
            Inst::StackAddr { slot, off, .. } => self.at(Base::Slot(*slot), *off)?,
            Inst::Call { helper, args, .. } => {
                let args = args
                    .iter()
                    .map(|a| self.arg(*a))
                    .collect::<Result<_, _>>()?;
                world.helper(helper.id(), args)
            }
            Inst::CallLocal { func, args, .. } => {
                let args: Vec<u64> = args
                    .iter()
                    .map(|a| self.arg(*a))
                    .collect::<Result<_, _>>()?;
                local(*func, &args)
            }
            Inst::Store {
                base,
                off,
                width,
                src,
            } => {
                let v = self.arg(*src)?;
                self.store(self.at(*base, *off)?, *width, v)?;
                0
            }
            Inst::Map { .. }
            | Inst::MapValue { .. }
            | Inst::Pc { .. }
            | Inst::Label(_)
            | Inst::Jump(_)
            | Inst::Branch { .. }
            | Inst::Exit
            | Inst::Note(_) => 0,
        })
    }

    fn run(mut self, world: &mut World) -> Result<Memory, String> {
        let place = |l| self.f.insts.iter().position(|i| *i == Inst::Label(l));
        let mut pc = 0;
        while let Some(inst) = self.f.insts.get(pc) {
            pc += 1;
            let jump = match inst {
                Inst::Exit => return Ok(self.memory),
                Inst::Jump(l) => Some(*l),
                Inst::Branch { op, a, b, to } => {
                    op.eval(self.get(*a)?, self.arg(*b)?).then_some(*to)
                }
                _ => None,
            };
            if let Some(l) = jump {
                pc = place(l).ok_or("no such label")?;
                continue;
            }
            let v = self.value(inst, world)?;
            if let Some(d) = inst.def() {
                self.regs[d.0 as usize] = Some(v);
            }
        }
        Err("ran off the end".into())
    }
}

/// Contents of the context after a run, and the calls it made.
#[derive(PartialEq)]
pub struct Outcome {
    ctx: Vec<u8>,
    log: Vec<(u32, Vec<u64>)>,
}

impl Outcome {
    fn of(memory: &Memory, ctx: u64, world: World) -> Outcome {
        let ctx = memory.read(ctx, CTX_SIZE as u64).expect("the context");
        Outcome {
            ctx: ctx.to_vec(),
            log: world.log,
        }
    }

    /// The word at a byte offset of the context.
    pub fn word(&self, off: usize) -> u64 {
        u64::from_le_bytes(self.ctx[off..off + 8].try_into().expect("eight bytes"))
    }

    fn difference(&self, other: &Outcome) -> Option<String> {
        let byte = self.ctx.iter().zip(&other.ctx).position(|(a, b)| a != b);
        if let Some(n) = byte {
            let n = n & !7;
            return Some(format!(
                "context word {n}: {:#x} and {:#x}",
                self.word(n),
                other.word(n)
            ));
        }
        (self.log != other.log).then(|| format!("calls: {:x?}\nand {:x?}", self.log, other.log))
    }
}

/// Interprets the intermediate form.
pub fn evaluate(f: &Func, world: &World) -> Result<Outcome, String> {
    let (mut memory, ctx) = memory();
    let slots = f
        .slots
        .iter()
        .map(|s| memory.map(vec![0; *s as usize], true))
        .collect();
    let mut regs = vec![None; f.regs as usize];
    regs[0] = Some(ctx);
    let mut world = world.clone();
    let eval = Eval {
        f,
        regs,
        memory,
        slots,
    };
    let memory = eval.run(&mut world)?;
    Ok(Outcome::of(&memory, ctx, world))
}

/// Allocates, emits and interprets; `None` if the program needs too much stack.
pub fn execute(f: &Func, world: &World) -> Result<Option<Outcome>, String> {
    let allocation = ir::alloc::allocate(f);
    let emitted = match ir::emit::emit(f, &allocation, LOCALS, &[]) {
        Ok(e) => e,
        Err(ir::emit::EmitError::Stack(_)) => return Ok(None),
        Err(e) => return Err(format!("{e:?}")),
    };
    well_formed(&emitted.insns)?;
    let (memory, ctx) = memory();
    let mut world = world.clone();
    let mut vm = Vm::new(&emitted.insns, memory, 1_000_000);
    vm.run(&mut world, ctx).map_err(|e| {
        let listing = bpf::disasm(&emitted.insns);
        format!("{e}\n{listing}")
    })?;
    Ok(Some(Outcome::of(&vm.memory, ctx, world)))
}

/// What the kernel refuses at sight: shifts by the width or more, division by constant zero.
pub fn well_formed(insns: &[Insn]) -> Result<(), String> {
    let mut at = 0;
    while at < insns.len() {
        let (form, slots) = Form::decode(&insns[at..]).map_err(|e| format!("{at}: {e}"))?;
        let (op, src, bits) = match form {
            Form::Alu64 { op, src, .. } => (op, src, 64),
            Form::Alu32 { op, src, .. } => (op, src, 32),
            _ => (AluOp::Mov, Src::Imm(0), 64),
        };
        let refused = match (op, src) {
            (AluOp::Lsh | AluOp::Rsh | AluOp::Arsh, Src::Imm(n)) => !(0..bits).contains(&n),
            (AluOp::Div | AluOp::Mod, Src::Imm(n)) => n == 0,
            _ => false,
        };
        if refused {
            return Err(format!("{at}: the kernel refuses {form:?}"));
        }
        at += slots;
    }
    Ok(())
}

/// Compares the ways to run a program. `Ok(false)`: it needs too much stack.
pub fn compare(f: &Func, world: &mut World) -> Result<bool, String> {
    ir::verify::check(f).map_err(|b| format!("{} at {}", b.what, b.at))?;
    let wanted = evaluate(f, world).map_err(|e| format!("evaluation: {e}"))?;
    let mut optimized = f.clone();
    ir::passes::optimize(&mut optimized);
    ir::verify::check(&optimized).map_err(|b| {
        let text = ir::text::dump(&optimized);
        format!("after optimising: {} at {}\n{text}", b.what, b.at)
    })?;
    let say = |what: &str, got: &Outcome| match wanted.difference(got) {
        None => Ok(()),
        Some(d) => Err(format!("{what}: {d}")),
    };
    let dump = || ir::text::dump(&optimized);
    let got = evaluate(&optimized, world).map_err(|e| format!("optimised: {e}\n{}", dump()))?;
    say("optimised", &got).map_err(|e| format!("{e}\n{}", dump()))?;
    let mut fits = true;
    for (what, f) in [("emitted", f), ("optimised and emitted", &optimized)] {
        match execute(f, world).map_err(|e| format!("{what}: {e}\n{}", dump()))? {
            Some(got) => say(what, &got).map_err(|e| format!("{e}\n{}", dump()))?,
            None => fits = false,
        }
    }
    Ok(fits)
}

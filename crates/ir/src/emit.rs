//! From allocated intermediate form to BPF instructions.
//!
//! R0 and R5 are scratch: a spilled first operand or result goes through R0, a spilled second operand or base through
//! R5. The stack frame holds the slots first, then the spill places.

use bpf::asm::{AsmError, Assembler, Label, MapRef};
use bpf::{AluOp, Insn, Reg, Src, Width};

use crate::alloc::{Allocation, Home};
use crate::local::{Function, Instances, LocalFn, NotConstant};
use crate::{Arg, Base, Func, Inst, Pos, Slot, V};

/// The finished program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Emitted {
    /// Instructions.
    pub insns: Vec<Insn>,
    /// Map references, ascending.
    pub maps: Vec<MapRef>,
    /// Notes, each with the first instruction it is about, ascending.
    pub notes: Vec<(u32, Pos)>,
    /// The functions behind the program itself, in the order of their instructions.
    pub functions: Vec<Function>,
}

/// Bytes of stack a program may use; the kernel allows 512 over the whole call chain.
pub const STACK_LIMIT: u32 = 512;
/// What the kernel rounds the stack of each function of a chain up to.
const STACK_UNIT: u32 = 32;

/// Why a program cannot be emitted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EmitError {
    /// It needs more stack than there is.
    Stack(u32),
    /// A jump is too long, or the program.
    Asm(AsmError),
    /// A function was called with what is no constant, but should be.
    NotConstant(NotConstant),
}

/// Emits a program and the functions that it calls (`locals[i]` is function `i`), which may ask for the facts.
pub fn emit(
    f: &Func,
    a: &Allocation,
    locals: &'static [LocalFn],
    facts: &[u32],
) -> Result<Emitted, EmitError> {
    let mut slot_offs = Vec::new();
    let mut depth = 0u32;
    for size in &f.slots {
        depth += size;
        slot_offs.push(-(depth as i32));
    }
    let total = depth + a.spills * 8;
    let mut asm = Assembler::new();
    let labels = (0..f.labels).map(|_| asm.label()).collect();
    let mut e = Emitter {
        asm,
        homes: &a.homes,
        slot_offs,
        spill_base: depth as i32,
        labels,
        calls: Instances::new(locals),
        wrong: None,
    };
    if let Home::Reg(r) = e.homes[Func::CTX.0 as usize] {
        e.mov(r, Reg::R1);
    } else if let Home::Spill(n) = e.homes[0] {
        let off = e.spill_off(n);
        e.asm.emit(Insn::stx(Width::DW, Reg::R10, off, Reg::R1));
    }
    for inst in &f.insts {
        e.inst(inst);
    }
    if let Some(wrong) = e.wrong {
        return Err(EmitError::NotConstant(wrong));
    }
    let needed = match e.calls.stack() {
        None => total,
        Some(called) => {
            total.next_multiple_of(STACK_UNIT) + called.next_multiple_of(STACK_UNIT).max(STACK_UNIT)
        }
    };
    if needed > STACK_LIMIT {
        return Err(EmitError::Stack(needed));
    }
    let functions = e.calls.emit(&mut e.asm, facts);
    let done = e.asm.finish().map_err(EmitError::Asm)?;
    Ok(Emitted {
        insns: done.insns,
        maps: done.maps,
        notes: done.notes,
        functions,
    })
}

struct Emitter<'a> {
    asm: Assembler<Pos>,
    homes: &'a [Home],
    slot_offs: Vec<i32>,
    spill_base: i32,
    labels: Vec<Label>,
    calls: Instances<'static>,
    wrong: Option<NotConstant>,
}

impl Emitter<'_> {
    fn spill_off(&self, n: u32) -> i16 {
        (-(self.spill_base + 8 * (n as i32 + 1))) as i16
    }

    fn mov(&mut self, d: Reg, s: Reg) {
        if d != s {
            self.asm.emit(Insn::mov(d, s));
        }
    }

    /// Register that holds `v`, loaded into `temp` if it is spilled.
    fn source(&mut self, v: V, temp: Reg) -> Reg {
        match self.homes[v.0 as usize] {
            Home::Reg(r) => r,
            Home::Spill(n) => {
                let off = self.spill_off(n);
                self.asm.emit(Insn::ldx(Width::DW, temp, Reg::R10, off));
                temp
            }
            Home::Nowhere => temp,
        }
    }

    fn operand(&mut self, a: Arg, temp: Reg) -> Src {
        match a {
            Arg::V(v) => Src::Reg(self.source(v, temp)),
            Arg::Imm(i) => Src::Imm(i),
        }
    }

    /// Register to compute the result in; [`Emitter::finish`] stores it if it is spilled.
    fn target(&self, d: V) -> Reg {
        match self.homes[d.0 as usize] {
            Home::Reg(r) => r,
            Home::Spill(_) | Home::Nowhere => Reg::R0,
        }
    }

    fn finish(&mut self, d: V, r: Reg) {
        match self.homes[d.0 as usize] {
            Home::Reg(h) => self.mov(h, r),
            Home::Spill(n) => {
                let off = self.spill_off(n);
                self.asm.emit(Insn::stx(Width::DW, Reg::R10, off, r));
            }
            Home::Nowhere => {}
        }
    }

    /// Base register and offset of an access; large offsets are added in R5.
    fn base(&mut self, b: Base, off: i32) -> (Reg, i16) {
        match b {
            Base::Slot(Slot(n)) => (Reg::R10, (self.slot_offs[n as usize] + off) as i16),
            Base::V(v) => {
                let r = self.source(v, Reg::R5);
                match i16::try_from(off) {
                    Ok(off) => (r, off),
                    Err(_) => {
                        self.mov(Reg::R5, r);
                        self.asm.emit(Insn::alu64(AluOp::Add, Reg::R5, off));
                        (Reg::R5, 0)
                    }
                }
            }
        }
    }

    fn inst(&mut self, inst: &Inst) {
        match inst {
            Inst::Const { d, .. }
            | Inst::StackAddr { d, .. }
            | Inst::Map { d, .. }
            | Inst::MapValue { d, .. }
            | Inst::Pc { d } => {
                let r = self.target(*d);
                self.known(inst, r);
                self.finish(*d, r);
            }
            Inst::Copy { d, s } => {
                let t = self.target(*d);
                let r = self.source(*s, t);
                self.finish(*d, r);
            }
            Inst::Alu { d, op, a, b, wide } => self.alu(*d, *op, *a, *b, *wide),
            Inst::Ext {
                d,
                s,
                bytes,
                signed,
            } => self.ext(*d, *s, *bytes, *signed),
            Inst::Swap { d, s, bits } => {
                let r = self.copied_to_target(*d, *s);
                self.asm.emit(Insn::endian(true, i32::from(*bits), r));
                self.finish(*d, r);
            }
            Inst::Load { .. }
            | Inst::Store { .. }
            | Inst::AtomicAdd { .. }
            | Inst::FetchAdd { .. } => self.memory(inst),
            Inst::Call { .. }
            | Inst::CallLocal { .. }
            | Inst::Label(_)
            | Inst::Jump(_)
            | Inst::Branch { .. }
            | Inst::Exit
            | Inst::Note(_) => self.flow(inst),
        }
    }

    /// What is known without operands, into a register.
    fn known(&mut self, inst: &Inst, r: Reg) {
        match inst {
            Inst::Const { v, .. } => match i32::try_from(*v as i64) {
                Ok(i) => self.asm.emit(Insn::mov(r, i)),
                Err(_) => self.asm.emit_all(Insn::ld_imm64(r, *v)),
            },
            Inst::StackAddr { slot, off, .. } => {
                let at = self.slot_offs[slot.0 as usize] + off;
                self.asm.emit(Insn::mov(r, Reg::R10));
                self.asm.emit(Insn::alu64(AluOp::Add, r, at));
            }
            Inst::Map { map, .. } => self.asm.ld_map(r, *map),
            Inst::MapValue { map, off, .. } => self.asm.ld_map_value(r, *map, *off),
            _ => {
                let here = self.asm.here() as i32;
                self.asm.emit(Insn::mov(r, here));
            }
        }
    }

    /// Accesses to memory.
    fn memory(&mut self, inst: &Inst) {
        match inst {
            Inst::Load {
                d,
                base,
                off,
                width,
            } => {
                let (b, off) = self.base(*base, *off);
                let r = self.target(*d);
                self.asm.emit(Insn::ldx(*width, r, b, off));
                self.finish(*d, r);
            }
            Inst::Store {
                base,
                off,
                width,
                src,
            } => self.store(*base, *off, *width, *src),
            Inst::AtomicAdd { base, off, src } => {
                let (b, off) = self.base(*base, *off);
                let s = self.source(*src, Reg::R0);
                self.asm.emit(Insn::atomic_add(Width::DW, b, off, s));
            }
            Inst::FetchAdd { d, base, off, src } => {
                let (b, off) = self.base(*base, *off);
                let s = self.source(*src, Reg::R0);
                self.mov(Reg::R0, s);
                self.asm.emit(Insn::fetch_add(Width::DW, b, off, Reg::R0));
                self.finish(*d, Reg::R0);
            }
            _ => {}
        }
    }

    /// Calls, places and jumps.
    fn flow(&mut self, inst: &Inst) {
        match inst {
            Inst::Call { d, helper, args } => {
                self.arguments(args);
                self.asm.emit(Insn::call(helper.id()));
                self.result(*d);
            }
            Inst::CallLocal { d, func, args } => {
                self.arguments(args);
                let known: Vec<Option<i32>> = args
                    .iter()
                    .map(|a| match a {
                        Arg::Imm(i) => Some(*i),
                        Arg::V(_) => None,
                    })
                    .collect();
                if let Err(wrong) = self.calls.call(&mut self.asm, *func, &known) {
                    self.wrong = Some(wrong);
                }
                self.result(*d);
            }
            Inst::Label(l) => self.asm.bind(self.labels[l.0 as usize]),
            Inst::Jump(l) => self.asm.ja(self.labels[l.0 as usize]),
            Inst::Branch { op, a, b, to } => {
                let x = self.source(*a, Reg::R0);
                let y = self.operand(*b, Reg::R5);
                self.asm.jmp(*op, x, y, self.labels[to.0 as usize]);
            }
            Inst::Exit => {
                self.asm.emit(Insn::mov(Reg::R0, 0));
                self.asm.emit(Insn::exit());
            }
            Inst::Note(p) => self.asm.note(*p),
            _ => {}
        }
    }

    fn result(&mut self, d: Option<V>) {
        if let Some(d) = d {
            self.finish(d, Reg::R0);
        }
    }

    /// The result's register with `s` in it.
    fn copied_to_target(&mut self, d: V, s: V) -> Reg {
        let r = self.target(d);
        let from = self.source(s, r);
        self.mov(r, from);
        r
    }

    fn ext(&mut self, d: V, s: V, bytes: u8, signed: bool) {
        let r = self.copied_to_target(d, s);
        match (bytes, signed) {
            (4, false) => self.asm.emit(Insn::mov32(r, r)),
            (1 | 2, false) => self
                .asm
                .emit(Insn::alu64(AluOp::And, r, (1i32 << (8 * bytes)) - 1)),
            (b, _) => {
                let up = 64 - 8 * i32::from(b);
                let down = if signed { AluOp::Arsh } else { AluOp::Rsh };
                self.asm.emit(Insn::alu64(AluOp::Lsh, r, up));
                self.asm.emit(Insn::alu64(down, r, up));
            }
        }
        self.finish(d, r);
    }

    fn store(&mut self, base: Base, off: i32, width: Width, src: Arg) {
        match src {
            Arg::Imm(i) => {
                let (b, off) = self.base(base, off);
                self.asm.emit(Insn::st(width, b, off, i));
            }
            Arg::V(v) => {
                let (b, off) = self.base(base, off);
                let s = self.source(v, Reg::R0);
                self.asm.emit(Insn::stx(width, b, off, s));
            }
        }
    }

    fn alu(&mut self, d: V, op: AluOp, a: V, b: Arg, wide: bool) {
        let mut y = if op == AluOp::Neg {
            Src::Imm(0)
        } else {
            self.operand(b, Reg::R5)
        };
        let mut r = self.target(d);
        let mut x = self.source(a, Reg::R0);
        // The second operand is in the way of the result: exchange them if that is the same, else compute elsewhere.
        if y == Src::Reg(r) && x != r {
            if commutes(op) {
                (x, y) = (r, Src::Reg(x));
            } else {
                r = Reg::R0;
            }
        }
        self.mov(r, x);
        self.asm.emit(match (op, wide) {
            (AluOp::Neg, _) => Insn::neg(r),
            (_, true) => Insn::alu64(op, r, y),
            (_, false) => Insn::alu32(op, r, y),
        });
        self.finish(d, r);
    }

    /// Moves arguments to R1-R5: registers first as one parallel move, then spilled values and constants.
    fn arguments(&mut self, args: &[Arg]) {
        const REGS: [Reg; 5] = [Reg::R1, Reg::R2, Reg::R3, Reg::R4, Reg::R5];
        let mut moves: Vec<(Reg, Reg)> = Vec::new();
        for (arg, to) in args.iter().zip(REGS) {
            if let Arg::V(v) = arg
                && let Home::Reg(from) = self.homes[v.0 as usize]
                && from != to
            {
                moves.push((to, from));
            }
        }
        self.parallel(moves);
        for (arg, to) in args.iter().zip(REGS) {
            match arg {
                Arg::Imm(i) => self.asm.emit(Insn::mov(to, *i)),
                Arg::V(v) => {
                    if let Home::Spill(_) = self.homes[v.0 as usize] {
                        self.source(*v, to);
                    }
                }
            }
        }
    }

    /// Moves that must look simultaneous. R0 is free at a call, so it breaks cycles.
    fn parallel(&mut self, mut moves: Vec<(Reg, Reg)>) {
        while !moves.is_empty() {
            if let Some(n) = moves
                .iter()
                .position(|(to, _)| moves.iter().all(|(_, from)| from != to))
            {
                let (to, from) = moves.remove(n);
                self.mov(to, from);
            } else {
                let (_, from) = moves[0];
                self.mov(Reg::R0, from);
                for m in &mut moves {
                    if m.1 == from {
                        m.1 = Reg::R0;
                    }
                }
            }
        }
    }
}

fn commutes(op: AluOp) -> bool {
    matches!(
        op,
        AluOp::Add | AluOp::Mul | AluOp::And | AluOp::Or | AluOp::Xor
    )
}

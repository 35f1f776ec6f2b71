//! Optimising passes. Each takes a valid [`Func`] and leaves a valid one that computes the same.
//!
//! 1. `fold`: constants and copies of registers defined once are propagated, constant arithmetic and branches
//!    evaluated, repeated calls of pure helpers within an extended block shared.
//! 2. `retarget`: a value that is only copied, right where it is made, is made in its destination.
//! 3. `dead`: instructions after a jump up to the next label, unused pure definitions and unused labels go.

use std::collections::HashMap;

use bpf::{AluOp, Helper, JmpOp};

use crate::{Arg, Func, Inst, L, V};

/// Runs the passes until nothing changes (a few rounds at most).
pub fn optimize(f: &mut Func) {
    for _ in 0..4 {
        let before = f.insts.len();
        fold(f);
        retarget(f);
        dead(f);
        if f.insts.len() == before {
            break;
        }
    }
}

/// How often each register is defined (register 0 once on entry).
fn definitions(f: &Func) -> Vec<u32> {
    let mut defs = vec![0; f.regs as usize];
    defs[0] = 1;
    for inst in &f.insts {
        if let Some(d) = inst.def() {
            defs[d.0 as usize] += 1;
        }
    }
    defs
}

/// What is known of registers while walking the list.
struct Known {
    /// Number of definitions.
    defs: Vec<u32>,
    /// Constant value of registers defined once.
    konst: Vec<Option<u64>>,
    /// Register that a register defined once is a copy of.
    copy: Vec<Option<V>>,
    /// Results of pure helpers in this extended block.
    calls: HashMap<Helper, V>,
}

impl Known {
    fn single(&self, v: V) -> bool {
        self.defs[v.0 as usize] == 1
    }

    fn constant(&self, v: V) -> Option<u64> {
        self.konst[v.0 as usize]
    }

    fn imm(&self, a: Arg) -> Option<u64> {
        match a {
            Arg::Imm(i) => Some(i64::from(i) as u64),
            Arg::V(v) => self.constant(v),
        }
    }

    /// Replaces a register operand by a constant where it fits.
    fn shrink(&self, a: &mut Arg) {
        if let Arg::V(v) = *a
            && let Some(c) = self.constant(v)
            && let Ok(i) = i32::try_from(c as i64)
        {
            *a = Arg::Imm(i);
        }
    }

    /// As [`Known::shrink`] for an operator's second operand. The kernel refuses some constants that it takes in a
    /// register: shifts by the width or more, whose count it masks there, and a divisor of zero.
    fn shrink_operand(&self, op: AluOp, b: &mut Arg, wide: bool) {
        let register = *b;
        self.shrink(b);
        let Arg::Imm(i) = *b else { return };
        match op {
            AluOp::Lsh | AluOp::Rsh | AluOp::Arsh => {
                *b = Arg::Imm(i & if wide { 63 } else { 31 });
            }
            AluOp::Div | AluOp::Mod if i == 0 => *b = register,
            AluOp::Add
            | AluOp::Sub
            | AluOp::Mul
            | AluOp::Div
            | AluOp::Or
            | AluOp::And
            | AluOp::Neg
            | AluOp::Mod
            | AluOp::Xor
            | AluOp::Mov => {}
        }
    }
}

/// Propagation and evaluation.
fn fold(f: &mut Func) {
    let n = f.regs as usize;
    let mut known = Known {
        defs: definitions(f),
        konst: vec![None; n],
        copy: vec![None; n],
        calls: HashMap::new(),
    };
    let mut out = Vec::with_capacity(f.insts.len());
    for mut inst in std::mem::take(&mut f.insts) {
        inst.uses_mut(&mut |v| {
            if let Some(s) = known.copy[v.0 as usize] {
                *v = s;
            }
        });
        if let Some(inst) = fold_one(&mut known, inst) {
            out.push(inst);
        }
    }
    f.insts = out;
}

/// One instruction of [`fold`]; `None` if it does nothing any more.
fn fold_one(known: &mut Known, mut inst: Inst) -> Option<Inst> {
    match &mut inst {
        Inst::Alu { d, op, a, b, wide } => {
            known.shrink_operand(*op, b, *wide);
            let d = *d;
            if let Some(v) = alu_const(known, *op, *a, *b, *wide) {
                inst = Inst::Const { d, v };
            } else if let Some(s) = alu_identity(*op, *a, *b, *wide) {
                inst = Inst::Copy { d, s };
            }
        }
        Inst::Ext {
            d,
            s,
            bytes,
            signed,
        } => {
            if let Some(v) = known.constant(*s) {
                inst = Inst::Const {
                    d: *d,
                    v: extend(v, *bytes, *signed),
                };
            }
        }
        Inst::Store { src, .. } => known.shrink(src),
        Inst::Call { args, .. } | Inst::CallLocal { args, .. } => {
            args.iter_mut().for_each(|a| known.shrink(a))
        }
        Inst::Branch { op, a, b, to } => {
            known.shrink(b);
            if let (Some(x), Some(y)) = (known.constant(*a), known.imm(*b)) {
                if !op.eval(x, y) {
                    return None;
                }
                inst = Inst::Jump(*to);
            }
        }
        _ => {}
    }
    learn(known, &mut inst);
    Some(inst)
}

/// Remembers what an instruction defines.
fn learn(known: &mut Known, inst: &mut Inst) {
    match inst {
        Inst::Const { d, v } if known.single(*d) => known.konst[d.0 as usize] = Some(*v),
        Inst::Copy { d, s } if known.single(*d) && known.single(*s) => {
            known.copy[d.0 as usize] = Some(*s);
            known.konst[d.0 as usize] = known.konst[s.0 as usize];
        }
        Inst::Call {
            d: Some(d), helper, ..
        } if crate::func::is_pure_helper(*helper) && known.single(*d) => {
            match known.calls.get(helper) {
                Some(first) => {
                    known.copy[d.0 as usize] = Some(*first);
                    *inst = Inst::Copy { d: *d, s: *first };
                }
                None => {
                    known.calls.insert(*helper, *d);
                }
            }
        }
        Inst::Label(_) => known.calls.clear(),
        _ => {}
    }
}

/// Value of an arithmetic instruction on constants.
fn alu_const(known: &Known, op: AluOp, a: V, b: Arg, wide: bool) -> Option<u64> {
    let x = known.constant(a)?;
    let y = if op == AluOp::Neg { 0 } else { known.imm(b)? };
    Some(op.eval(x, y, if wide { 64 } else { 32 }))
}

/// The operand an instruction merely copies (`x + 0`, `x * 1`, …).
fn alu_identity(op: AluOp, a: V, b: Arg, wide: bool) -> Option<V> {
    let Arg::Imm(i) = b else { return None };
    let same = match op {
        AluOp::Add
        | AluOp::Sub
        | AluOp::Or
        | AluOp::Xor
        | AluOp::Lsh
        | AluOp::Rsh
        | AluOp::Arsh => i == 0,
        AluOp::Mul | AluOp::Div => i == 1,
        AluOp::And => i == -1,
        AluOp::Neg | AluOp::Mod | AluOp::Mov => false,
    };
    (same && wide).then_some(a)
}

/// Low bytes of a value, extended.
pub fn extend(v: u64, bytes: u8, signed: bool) -> u64 {
    let up = 64 - u32::from(bytes.min(8)) * 8;
    if up >= 64 {
        return 0;
    }
    if signed {
        ((v << up) as i64 >> up) as u64
    } else {
        (v << up) >> up
    }
}

/// `x = …; y = x`, and `x` is used nowhere else: `y = …`.
fn retarget(f: &mut Func) {
    let mut uses = vec![0u32; f.regs as usize];
    for inst in &f.insts {
        inst.uses(&mut |v| uses[v.0 as usize] += 1);
    }
    let defs = definitions(f);
    let mut out: Vec<Inst> = Vec::with_capacity(f.insts.len());
    for inst in std::mem::take(&mut f.insts) {
        if let Inst::Copy { d, s } = inst
            && uses[s.0 as usize] == 1
            && defs[s.0 as usize] == 1
            && let Some(made) = out.last_mut().and_then(Inst::def_mut)
            && *made == s
        {
            *made = d;
            continue;
        }
        out.push(inst);
    }
    f.insts = out;
}

/// Removes what cannot be reached or is not used.
fn dead(f: &mut Func) {
    unreachable(f);
    // Jumps only go forward, so what uses a value comes after it: one way from the end finds all that is not used.
    let mut used = vec![false; f.regs as usize];
    let mut keep = vec![true; f.insts.len()];
    for (inst, keep) in f.insts.iter_mut().zip(&mut keep).rev() {
        if inst.def().is_some_and(|d| !used[d.0 as usize]) {
            if inst.is_pure() {
                *keep = false;
                continue;
            }
            discard_result(inst);
        }
        inst.uses(&mut |v| used[v.0 as usize] = true);
    }
    let mut keep = keep.into_iter();
    f.insts.retain(|_| keep.next().unwrap_or(true));
}

/// A call for its effect only.
fn discard_result(inst: &mut Inst) {
    if let Inst::Call { d, .. } | Inst::CallLocal { d, .. } = inst {
        *d = None;
    }
}

/// Drops code behind jumps, jumps to the next place, and labels nobody jumps to.
fn unreachable(f: &mut Func) {
    let mut out: Vec<Inst> = Vec::with_capacity(f.insts.len());
    let mut live = vec![false; f.labels as usize];
    let mut reachable = true;
    for inst in std::mem::take(&mut f.insts) {
        match &inst {
            Inst::Label(l) => {
                let targeted = live[l.0 as usize];
                drop_jumps_to(&mut out, *l);
                reachable |= targeted;
                if !targeted {
                    continue;
                }
            }
            _ if !reachable => continue,
            Inst::Jump(l) => {
                live[l.0 as usize] = true;
                reachable = false;
            }
            Inst::Branch { to, .. } => live[to.0 as usize] = true,
            Inst::Exit => reachable = false,
            _ => {}
        }
        out.push(inst);
    }
    f.insts = out;
}

/// A jump right before its own label does nothing.
fn drop_jumps_to(out: &mut Vec<Inst>, l: L) {
    let mut i = out.len();
    while i > 0 && matches!(out[i - 1], Inst::Label(_) | Inst::Note(_)) {
        i -= 1;
    }
    if i > 0 && matches!(out[i - 1], Inst::Jump(t) | Inst::Branch { to: t, .. } if t == l) {
        out.remove(i - 1);
    }
}

/// The comparison with its operands exchanged.
pub fn swapped(op: JmpOp) -> JmpOp {
    match op {
        JmpOp::Gt => JmpOp::Lt,
        JmpOp::Ge => JmpOp::Le,
        JmpOp::Lt => JmpOp::Gt,
        JmpOp::Le => JmpOp::Ge,
        JmpOp::Sgt => JmpOp::Slt,
        JmpOp::Sge => JmpOp::Sle,
        JmpOp::Slt => JmpOp::Sgt,
        JmpOp::Sle => JmpOp::Sge,
        JmpOp::Eq | JmpOp::Ne | JmpOp::Set | JmpOp::Ja | JmpOp::Call | JmpOp::Exit => op,
    }
}

//! Integer expressions and conditions.

use bpf::{AluOp, Helper, JmpOp, Width};
use image::layout::Fault;
use image::{ArgSource, ProgramKind, Task};
use ir::{Arg, Func, Inst, L, V};
use lang::Builtin;
use sema::hir::{BinOp, Expr, ExprKind, IntTy, LValue, LValueKind, LogOp, Pos, Space, Ty, UnOp};

use crate::held::Held;
use crate::site::{Firing, Pointer, Root, SiteGen};
use crate::vars::{Place, width};
use crate::{Arch, Result, stop};

/// From the old value of a target: its new value, and the value of the expression.
type Update<'a, G> = &'a mut dyn FnMut(&mut G, V) -> Result<(V, V)>;

/// A base that fields can be loaded from without a checked helper.
enum Trusted {
    /// Known not to be NULL.
    Sure(V),
    /// Must be compared with NULL first.
    Maybe(V),
}

/// Places that read a pointer, from which on it is read once.
const MANY_PLACES: u32 = 3;
/// Pointers that the prologue reads at most: they take registers or stack.
const MOST_POINTERS: usize = 4;

impl SiteGen<'_> {
    /// The integer type of an expression.
    fn int_ty(e: &Expr) -> IntTy {
        match e.ty {
            Ty::Int(t) => t,
            Ty::Void | Ty::Str | Ty::Bytes { .. } | Ty::Stack { .. } | Ty::Sym(_) => IntTy::U64,
        }
    }

    /// Evaluates an integer expression; the register holds a number (never a pointer the verifier tracks).
    pub fn int(&mut self, e: &Expr) -> Result<V> {
        match &e.kind {
            ExprKind::Int(v) => Ok(self.f.konst(*v)),
            ExprKind::Builtin(b) => self.builtin(*b, e.pos),
            ExprKind::RawArg(n) => self.raw_arg(*n, e.pos),
            ExprKind::UserReg(n) => self.user_register(n),
            ExprKind::Arg { source, .. } => {
                let v = self.arg(*source, e.pos)?;
                let v = self.launder_if(v, *source);
                Ok(self.narrow(v, e))
            }
            ExprKind::Var { id, offset } => self.read_var(*id, *offset, None, Self::int_ty(e)),
            ExprKind::Assoc { id, keys, offset } => {
                self.read_assoc(*id, keys, *offset, Self::int_ty(e))
            }
            ExprKind::Element { .. } => {
                let (at, off) = self.element(e)?;
                let ty = Self::int_ty(e);
                Ok(self.load_int(
                    Place {
                        base: at.into(),
                        off,
                    },
                    ty,
                ))
            }
            ExprKind::Address(a) => self.address_of(a),
            ExprKind::Load {
                addr,
                offset,
                space,
            } => {
                let bytes = Self::int_ty(e).bytes;
                let v = self.load(addr, *offset, *space, bytes)?;
                Ok(self.narrow(v, e))
            }
            ExprKind::BitField { .. } => self.bit_field(e),
            ExprKind::Call(subr, args) => self.call_int(*subr, args, e),
            // By reference: its address.
            ExprKind::Mem { addr, offset, .. } => {
                let a = self.int(addr)?;
                Ok(self.plus(a, *offset))
            }
            ExprKind::Sym(a) => self.int(a),
            ExprKind::Assign(t, v) => self.assign_int(t, v),
            ExprKind::OpAssign { .. } => self.op_assign(e),
            ExprKind::Step { .. } => self.step(e),
            ExprKind::Unary(..)
            | ExprKind::Binary { .. }
            | ExprKind::StrCmp { .. }
            | ExprKind::Logical(..)
            | ExprKind::Cond(..)
            | ExprKind::Cast(_)
            | ExprKind::Comma(..) => self.operator(e),
            ExprKind::Once { id, value } => {
                let v = self.int(value)?;
                self.onces.insert(*id, v);
                Ok(v)
            }
            ExprKind::Again(id) => match self.onces.get(id) {
                Some(v) => Ok(*v),
                None => stop(e.pos, "internal error -- a value before it is computed"),
            },
            ExprKind::Str(_) | ExprKind::StringOf { .. } | ExprKind::Stack => {
                stop(e.pos, "internal error -- not an integer expression")
            }
        }
    }

    /// Operators without side effects of their own.
    fn operator(&mut self, e: &Expr) -> Result<V> {
        match &e.kind {
            ExprKind::Unary(op, a) => self.unary(*op, a, e),
            ExprKind::Binary { op, signed, l, r } => match compare_op(*op, *signed) {
                Some(_) => self.truth(e),
                None => self.arith(*op, *signed, l, r, e.pos),
            },
            ExprKind::Cond(..) => self.conditional(e),
            ExprKind::Cast(a) => {
                let v = self.int(a)?;
                Ok(self.narrow(v, e))
            }
            ExprKind::Comma(a, b) => {
                self.effect(a)?;
                self.int(b)
            }
            _ => self.truth(e),
        }
    }

    /// The value as the expression's own type has it.
    fn narrow(&mut self, v: V, e: &Expr) -> V {
        let ty = Self::int_ty(e);
        self.f.ext(v, ty.bytes, ty.signed)
    }

    fn bit_field(&mut self, e: &Expr) -> Result<V> {
        let ExprKind::BitField {
            addr,
            offset,
            space,
            storage,
            shift,
            bits,
            signed,
        } = &e.kind
        else {
            return crate::lower::internal("not a bit-field");
        };
        let v = self.load(addr, *offset, *space, *storage)?;
        Ok(self.take_bits(v, *shift, *bits, *signed))
    }

    fn op_assign(&mut self, e: &Expr) -> Result<V> {
        let ExprKind::OpAssign {
            target,
            op,
            signed,
            value,
        } = &e.kind
        else {
            return crate::lower::internal("not an assignment");
        };
        self.update(target, e.pos, &mut |g, old| {
            let old = g.hold(old, value);
            let r = g.int(value)?;
            let old = g.unhold(old);
            let new = g.arith_v(*op, *signed, old, r, e.pos)?;
            Ok((new, g.narrow(new, e)))
        })
    }

    fn step(&mut self, e: &Expr) -> Result<V> {
        let ExprKind::Step {
            target,
            delta,
            post,
        } = &e.kind
        else {
            return crate::lower::internal("not an increment");
        };
        self.update(target, e.pos, &mut |g, old| {
            let d = g.f.konst(*delta as u64);
            let new = g.f.alu(AluOp::Add, old, d);
            let value = if *post { old } else { g.narrow(new, e) };
            Ok((new, value))
        })
    }

    /// Evaluates for side effects only.
    pub fn effect(&mut self, e: &Expr) -> Result<()> {
        match e.ty {
            Ty::Str => self.string_effect(e),
            Ty::Bytes { .. } => self.bytes_effect(e),
            Ty::Void => match &e.kind {
                ExprKind::Call(subr, args) => self.call_void(*subr, args, e),
                ExprKind::Cast(a) => self.effect(a),
                ExprKind::Comma(a, b) => {
                    self.effect(a)?;
                    self.effect(b)
                }
                ExprKind::Cond(c, t, f) => {
                    let (other, done) = (self.f.label(), self.f.label());
                    self.branch_false(c, other)?;
                    self.effect(t)?;
                    self.f.jump(done);
                    self.f.bind(other);
                    self.effect(f)?;
                    self.f.bind(done);
                    Ok(())
                }
                _ => Ok(()),
            },
            Ty::Int(_) | Ty::Sym(_) => self.int(e).map(|_| ()),
            Ty::Stack { .. } => Ok(()),
        }
    }

    /// `a + n` for any constant.
    pub fn plus(&mut self, a: V, n: i64) -> V {
        match i32::try_from(n) {
            Ok(0) => a,
            Ok(i) => self.f.alu(AluOp::Add, a, i),
            Err(_) => {
                let k = self.f.konst(n as u64);
                self.f.alu(AluOp::Add, a, k)
            }
        }
    }

    /// A condition as 0 or 1.
    fn truth(&mut self, e: &Expr) -> Result<V> {
        let d = self.f.reg();
        let no = self.f.label();
        if self.deep() {
            // Nothing waits while the condition is computed.
            let done = self.f.label();
            self.branch_false(e, no)?;
            self.f.push(Inst::Const { d, v: 1 });
            self.f.jump(done);
            self.f.bind(no);
            self.f.push(Inst::Const { d, v: 0 });
            self.f.bind(done);
            return Ok(d);
        }
        self.f.push(Inst::Const { d, v: 0 });
        self.held += 1;
        self.branch_false(e, no)?;
        self.held -= 1;
        self.f.push(Inst::Const { d, v: 1 });
        self.f.bind(no);
        Ok(d)
    }

    /// Jumps to `to` if the condition is false.
    pub fn branch_false(&mut self, e: &Expr, to: L) -> Result<()> {
        self.branch(e, false, to)
    }

    /// Jumps to `to` if the truth of the condition is `when`.
    pub fn branch(&mut self, e: &Expr, when: bool, to: L) -> Result<()> {
        match &e.kind {
            ExprKind::Binary { op, signed, l, r } if compare_op(*op, *signed).is_some() => {
                let op = compare_op(*op, *signed).unwrap_or(JmpOp::Eq);
                let (x, y) = self.pair(l, r)?;
                self.f.branch(if when { op } else { negate(op) }, x, y, to);
                Ok(())
            }
            ExprKind::Comma(a, b) if matches!(e.ty, Ty::Int(_)) => {
                self.effect(a)?;
                self.branch(b, when, to)
            }
            ExprKind::StrCmp { op, l, r } => self.branch_strings(*op, l, r, when, to),
            ExprKind::Unary(UnOp::Not, a) if matches!(a.ty, Ty::Int(_)) => {
                self.branch(a, !when, to)
            }
            ExprKind::Logical(LogOp::And, l, r) if !when => {
                self.branch(l, false, to)?;
                self.branch(r, false, to)
            }
            ExprKind::Logical(LogOp::Or, l, r) if when => {
                self.branch(l, true, to)?;
                self.branch(r, true, to)
            }
            ExprKind::Logical(op @ (LogOp::And | LogOp::Or), l, r) => {
                let skip = self.f.label();
                self.branch(l, *op == LogOp::Or, skip)?;
                self.branch(r, when, to)?;
                self.f.bind(skip);
                Ok(())
            }
            ExprKind::Logical(LogOp::Xor, l, r) => {
                let x = self.truth(l)?;
                let x = self.hold(x, r);
                let y = self.truth(r)?;
                let x = self.unhold(x);
                self.f
                    .branch(if when { JmpOp::Ne } else { JmpOp::Eq }, x, y, to);
                Ok(())
            }
            _ => {
                let v = self.value_for_test(e)?;
                self.f
                    .branch(if when { JmpOp::Ne } else { JmpOp::Eq }, v, 0, to);
                Ok(())
            }
        }
    }

    /// A string as a condition: its address, so true.
    fn value_for_test(&mut self, e: &Expr) -> Result<V> {
        if e.ty == Ty::Str {
            let s = self.str_ref(e)?;
            return Ok(self.f.load(s.base, s.off, Width::B));
        }
        self.int(e)
    }

    fn unary(&mut self, op: UnOp, a: &Expr, e: &Expr) -> Result<V> {
        match op {
            UnOp::Not => self.truth(e),
            UnOp::Neg => {
                let v = self.int(a)?;
                Ok(self.f.alu(AluOp::Neg, v, 0))
            }
            UnOp::BitNot => {
                let v = self.int(a)?;
                Ok(self.f.alu(AluOp::Xor, v, -1))
            }
        }
    }

    fn arith(&mut self, op: BinOp, signed: bool, l: &Expr, r: &Expr, pos: Pos) -> Result<V> {
        let (x, y) = self.pair(l, r)?;
        self.arith_v(op, signed, x, y, pos)
    }

    fn arith_v(&mut self, op: BinOp, signed: bool, x: V, y: V, pos: Pos) -> Result<V> {
        let alu = match op {
            BinOp::Add => AluOp::Add,
            BinOp::Sub => AluOp::Sub,
            BinOp::Mul => AluOp::Mul,
            BinOp::And => AluOp::And,
            BinOp::Or => AluOp::Or,
            BinOp::Xor => AluOp::Xor,
            BinOp::Shl => AluOp::Lsh,
            BinOp::Shr if signed => AluOp::Arsh,
            BinOp::Shr => AluOp::Rsh,
            BinOp::Div => return self.divide(AluOp::Div, signed, x, y),
            BinOp::Mod => return self.divide(AluOp::Mod, signed, x, y),
            BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge => {
                return stop(pos, "internal error -- a comparison is not arithmetic");
            }
        };
        Ok(self.f.alu(alu, x, y))
    }

    /// Division faults on zero; signed division goes through magnitudes, as BPF v3 has only unsigned.
    fn divide(&mut self, op: AluOp, signed: bool, x: V, y: V) -> Result<V> {
        self.fault_if(JmpOp::Eq, y, 0, Fault::DivZero, None);
        if !signed {
            return Ok(self.f.alu(op, x, y));
        }
        let sx = self.f.alu(AluOp::Arsh, x, 63);
        let sy = self.f.alu(AluOp::Arsh, y, 63);
        let ax = self.magnitude(x, sx);
        let ay = self.magnitude(y, sy);
        let q = self.f.alu(op, ax, ay);
        let sign = if op == AluOp::Div {
            self.f.alu(AluOp::Xor, sx, sy)
        } else {
            sx
        };
        Ok(self.magnitude(q, sign))
    }

    /// `(v ^ sign) - sign`: negates where `sign` is -1.
    pub fn magnitude(&mut self, v: V, sign: V) -> V {
        let t = self.f.alu(AluOp::Xor, v, sign);
        self.f.alu(AluOp::Sub, t, sign)
    }

    fn assign_int(&mut self, t: &LValue, value: &Expr) -> Result<V> {
        let ty = match t.ty {
            Ty::Int(ty) => ty,
            Ty::Void | Ty::Str | Ty::Bytes { .. } | Ty::Stack { .. } | Ty::Sym(_) => {
                return stop(t.pos, "internal error -- not an integer target");
            }
        };
        let shift = self.shift(&t.indices)?;
        let v = self.int(value)?;
        if t.bits.is_some() {
            return self.update(t, t.pos, &mut |_, _| Ok((v, v)));
        }
        self.state.zero_store = matches!(value.kind, ExprKind::Int(0));
        match &t.kind {
            LValueKind::Var { id, offset } => self.write_var(*id, *offset, shift, ty, v)?,
            LValueKind::Assoc {
                id,
                keys,
                offset: 0,
            } if self.is_scalar_array(*id) => {
                let key = self.assoc_key(*id, keys)?;
                self.write_assoc_int(*id, key, v, ty);
            }
            LValueKind::Assoc { id, keys, offset } => {
                let key = self.assoc_key(*id, keys)?;
                let place = self.assoc_place(*id, key)?;
                let place = self.shifted(place, shift);
                self.f.store(place, *offset as i32, width(ty.bytes), v);
            }
            LValueKind::Mem { addr, offset } => {
                let at = self.scratch_pointer(addr, *offset, u32::from(ty.bytes))?;
                self.f.store(at, 0, width(ty.bytes), v);
            }
        }
        self.state.zero_store = false;
        Ok(self.f.ext(v, ty.bytes, ty.signed))
    }

    /// Reads an integer target, computes (new value, value of the expression), writes it back.
    fn update(&mut self, t: &LValue, pos: Pos, f: Update<'_, Self>) -> Result<V> {
        let Some(bits) = t.bits else {
            return self.update_whole(t, pos, f);
        };
        self.update_whole(t, pos, &mut |g, unit| {
            let old = g.take_bits(unit, bits.shift, bits.bits, bits.signed);
            let (new, value) = f(g, old)?;
            let value = g.take_bits(value, 0, bits.bits, bits.signed);
            let mask = (u64::MAX >> (64 - u32::from(bits.bits))) << bits.shift;
            let (inside, outside) = (g.f.konst(mask), g.f.konst(!mask));
            let new = g.f.alu(AluOp::Lsh, new, i32::from(bits.shift));
            let new = g.f.alu(AluOp::And, new, inside);
            let rest = g.f.alu(AluOp::And, unit, outside);
            Ok((g.f.alu(AluOp::Or, rest, new), value))
        })
    }

    /// Some bits of a number, extended.
    fn take_bits(&mut self, v: V, shift: u8, bits: u8, signed: bool) -> V {
        let above = 64 - i32::from(shift) - i32::from(bits);
        let up = self.f.alu(AluOp::Lsh, v, above);
        let down = if signed { AluOp::Arsh } else { AluOp::Rsh };
        self.f.alu(down, up, 64 - i32::from(bits))
    }

    fn update_whole(&mut self, t: &LValue, pos: Pos, f: Update<'_, Self>) -> Result<V> {
        let Ty::Int(ty) = t.ty else {
            return stop(pos, "internal error -- not an integer target");
        };
        let shift = self.shift(&t.indices)?;
        match &t.kind {
            LValueKind::Var { id, offset } => {
                let old = self.read_var(*id, *offset, shift, ty)?;
                let (new, value) = f(self, old)?;
                self.write_var(*id, *offset, shift, ty, new)?;
                Ok(value)
            }
            LValueKind::Assoc { id, keys, offset } => {
                let (base, off) = self.assoc_key_at(*id, keys)?;
                let mut key = self.address(base, off);
                let p = self.assoc_lookup(*id, key);
                let old = self.f.reg();
                let none = self.f.label();
                self.f.push(Inst::Const { d: old, v: 0 });
                self.f.branch(JmpOp::Eq, p, 0, none);
                let at = self.shifted(p, shift);
                let v = self.load_int(
                    Place {
                        base: at.into(),
                        off: *offset as i32,
                    },
                    ty,
                );
                self.f.copy_to(old, v);
                self.f.bind(none);
                // The key and the element wait too.
                let deep = self.deep();
                self.held += 2;
                let (new, value) = f(self, old)?;
                self.held -= 2;
                if deep {
                    key = self.address(base, off);
                }
                if self.is_scalar_array(*id) && deep {
                    self.write_assoc_int(*id, key, new, ty);
                } else if self.is_scalar_array(*id) {
                    self.store_element(*id, key, p, new, ty);
                } else {
                    let place = self.assoc_place(*id, key)?;
                    let place = self.shifted(place, shift);
                    self.f.store(place, *offset as i32, width(ty.bytes), new);
                }
                Ok(value)
            }
            LValueKind::Mem { addr, offset } => self.update_memory(addr, *offset, ty, f),
        }
    }

    /// The same for memory of the program's own.
    fn update_memory(
        &mut self,
        addr: &Expr,
        offset: i64,
        ty: IntTy,
        f: Update<'_, Self>,
    ) -> Result<V> {
        let to = self.int(addr)?;
        let to = self.plus(to, offset);
        let mut at = self.scratch_at(to, u32::from(ty.bytes))?;
        let old = self.load_int(
            Place {
                base: at.into(),
                off: 0,
            },
            ty,
        );
        let to = self.hold_if(to, true);
        let (new, value) = f(self, old)?;
        if let Held::Scratch(_) = to {
            let to = self.unhold(to);
            at = self.scratch_at(to, u32::from(ty.bytes))?;
        } else {
            self.unhold(to);
        }
        self.f.store(at, 0, width(ty.bytes), new);
        Ok(value)
    }

    /// Its elements are numbers, not structures of which a member may be at offset 0.
    fn is_scalar_array(&self, id: sema::hir::AssocId) -> bool {
        matches!(self.p.assocs[id.0 as usize].ty, Ty::Int(_))
    }

    /// Stores into an element found before, or makes it.
    fn store_element(&mut self, id: sema::hir::AssocId, key: V, found: V, value: V, ty: IntTy) {
        let (make, done) = (self.f.label(), self.f.label());
        self.f.branch(JmpOp::Eq, found, 0, make);
        self.f.branch(JmpOp::Eq, value, 0, make);
        self.f.store(found, 0, width(ty.bytes), value);
        self.f.jump(done);
        self.f.bind(make);
        self.write_assoc_int(id, key, value, ty);
        self.f.bind(done);
    }

    /// Loads `bytes` bytes at `addr + offset`, zero-extended.
    fn load(&mut self, addr: &Expr, offset: i64, space: Space, bytes: u8) -> Result<V> {
        if space == Space::Kernel
            && let Ok(off) = i32::try_from(offset)
            && let Some(base) = self.trusted(addr)?
        {
            let base = match base {
                Trusted::Sure(v) => v,
                Trusted::Maybe(v) => {
                    self.fault_if(JmpOp::Eq, v, 0, Fault::BadAddr, Some(v));
                    v
                }
            };
            return Ok(match bytes {
                8 => self.pointer(addr, base, off),
                _ => self.f.load(base, off, width(bytes)),
            });
        }
        let a = self.int(addr)?;
        let a = self.plus(a, offset);
        self.checked_load(a, bytes, space)
    }

    /// Eight bytes of what `addr` points to as a number: a pointer field is a pointer to the verifier too.
    fn pointer(&mut self, addr: &Expr, base: V, off: i32) -> V {
        let root = match &addr.kind {
            ExprKind::Builtin(Builtin::Curthread) if self.task == Task::Current => Some(Root::Task),
            ExprKind::Arg {
                source: ArgSource::CtxWord(n),
                ..
            } if self.fault_args.is_none() => Some(Root::Word(*n)),
            _ => None,
        };
        if let Some(root) = root {
            *self.used.pointers.entry((root, off)).or_default() += 1;
            if let Some(v) = self.pointers.get(&(root, off)) {
                return *v;
            }
        }
        let v = self.f.load(base, off, Width::DW);
        self.launder(v)
    }

    /// Reads in the prologue what is read in many places: verifiers search all types by name, a millisecond or two, whenever
    /// they see a pointer taken from what they know (`btf_nested_type_is_trusted()`, `kernel/bpf/btf.c`).
    pub fn fetch_pointers(&mut self) {
        let wanted = self.needs.pointers.iter();
        let wanted: Vec<Pointer> = wanted
            .filter(|((root, _), places)| {
                **places >= MANY_PLACES && (*root != Root::Task || self.task == Task::Current)
            })
            .map(|(pointer, _)| *pointer)
            .take(MOST_POINTERS)
            .collect();
        for (root, off) in wanted {
            let got = match root {
                Root::Task => {
                    let task = self.current_task();
                    let v = self.f.load(task, off, Width::DW);
                    self.launder(v)
                }
                Root::Word(n) => self.word_pointer(n, off),
            };
            self.pointers.insert((root, off), got);
        }
    }

    /// Eight bytes of what word `n` of the context points to; 0 if it is NULL, for which each use looks itself.
    fn word_pointer(&mut self, n: u8, off: i32) -> V {
        let base = self.f.load(Func::CTX, i32::from(n) * 8, Width::DW);
        let (got, none) = (self.f.reg(), self.f.label());
        self.f.push(Inst::Const { d: got, v: 0 });
        self.f.branch(JmpOp::Eq, base, 0, none);
        let v = self.f.load(base, off, Width::DW);
        let v = self.launder(v);
        self.f.copy_to(got, v);
        self.f.bind(none);
        got
    }

    /// Loads `bytes` bytes from an address that may be bad: then the clause ends with a fault.
    pub fn checked_load(&mut self, a: V, bytes: u8, space: Space) -> Result<V> {
        let slot = self.word_slot();
        let dst = self.f.slot_addr(slot, 0);
        let helper = match space {
            Space::Kernel => Helper::ProbeReadKernel,
            Space::User => Helper::ProbeReadUser,
        };
        let r = self.call(helper, &[dst.into(), Arg::Imm(i32::from(bytes)), a.into()]);
        self.fault_if(JmpOp::Ne, r, 0, Fault::BadAddr, Some(a));
        Ok(self.f.load(slot, 0, width(bytes)))
    }

    /// A base pointer that needs no checked load.
    fn trusted(&mut self, e: &Expr) -> Result<Option<Trusted>> {
        match &e.kind {
            ExprKind::Arg {
                source,
                trusted: true,
            } if self.kind.is_typed() => {
                let v = self.arg(*source, e.pos)?;
                Ok(Some(Trusted::Maybe(v)))
            }
            ExprKind::Builtin(Builtin::Curthread) => {
                let v = self.current_task();
                Ok(Some(Trusted::Sure(v)))
            }
            _ => Ok(None),
        }
    }

    /// Makes a pointer the verifier tracks a plain number, by way of memory.
    pub fn launder(&mut self, v: V) -> V {
        let scratch = self.scratch();
        self.f.store(scratch, 0, Width::DW, v);
        self.f.load(scratch, 0, Width::DW)
    }

    /// Context words of BTF programs may be pointers.
    fn launder_if(&mut self, v: V, source: ArgSource) -> V {
        match source {
            ArgSource::CtxWord(_) | ArgSource::FuncArg(_) | ArgSource::FuncRet { .. }
                if self.kind.is_typed() =>
            {
                self.launder(v)
            }
            ArgSource::CtxWord(_)
            | ArgSource::FuncArg(_)
            | ArgSource::FuncRet { .. }
            | ArgSource::SyscallArg(_)
            | ArgSource::SyscallRet
            | ArgSource::SampleKernelPc
            | ArgSource::SampleUserPc
            | ArgSource::CallArg(_)
            | ArgSource::CallRet
            | ArgSource::Operand(_)
            | ArgSource::PointWord
            | ArgSource::Zero => v,
        }
    }

    /// `argN`.
    fn raw_arg(&mut self, n: u8, pos: Pos) -> Result<V> {
        if let Some(fault) = self.fault_args {
            return Ok(match n {
                1..=5 => fault.values[usize::from(n) - 1],
                _ => self.f.konst(0),
            });
        }
        let probe = self.some_probe();
        let source = self.p.probes[probe as usize]
            .raw_args
            .get(usize::from(n))
            .copied()
            .unwrap_or(ArgSource::Zero);
        let v = self.arg(source, pos)?;
        Ok(self.launder_if(v, source))
    }

    /// The value of an argument, as the context has it.
    fn arg(&mut self, source: ArgSource, pos: Pos) -> Result<V> {
        if let (Some(fault), ArgSource::CtxWord(n @ 1..=5)) = (self.fault_args, source) {
            return Ok(fault.values[usize::from(n) - 1]);
        }
        match source {
            ArgSource::CtxWord(n) => Ok(self.f.load(Func::CTX, i32::from(n) * 8, Width::DW)),
            ArgSource::SyscallArg(n) => {
                let regs = self.pt_regs();
                let off = syscall_arg_offset(self.target.arch, n);
                Ok(self.f.load(regs, off, Width::DW))
            }
            ArgSource::SyscallRet => Ok(self.syscall_result().0),
            ArgSource::SampleKernelPc => self.sample_pc(false, pos),
            ArgSource::SampleUserPc => self.sample_pc(true, pos),
            ArgSource::FuncArg(n) => self.func_arg(n),
            ArgSource::FuncRet { words } => Ok(self.func_ret(words)),
            ArgSource::CallArg(n) => self.call_arg(n, Space::User),
            ArgSource::CallRet => Ok(self.call_result()),
            ArgSource::Operand(n) => self.operand(n, pos),
            ArgSource::PointWord => Ok(self.point_word()),
            ArgSource::Zero => Ok(self.f.konst(0)),
        }
    }

    /// Argument word `n` of the kernel function that is entered.
    fn func_arg(&mut self, n: u8) -> Result<V> {
        if self.kind.is_typed() {
            return Ok(self.f.load(Func::CTX, i32::from(n) * 8, Width::DW));
        }
        self.call_arg(n, Space::Kernel)
    }

    /// What the kernel function returns.
    fn func_ret(&mut self, words: u8) -> V {
        if self.kind.is_typed() {
            return self.f.load(Func::CTX, i32::from(words) * 8, Width::DW);
        }
        self.call_result()
    }

    /// (Return value as D shows it, errno) of a system call.
    fn syscall_result(&mut self) -> (V, V) {
        let ret = self.f.load(Func::CTX, 8, Width::DW);
        let (value, errno) = (self.f.reg(), self.f.reg());
        let done = self.f.label();
        self.f.copy_to(value, ret);
        self.f.push(Inst::Const { d: errno, v: 0 });
        // Errors are -4095..-1.
        let top = self.f.konst((-4095i64) as u64);
        self.f.branch(JmpOp::Lt, ret, top, done);
        self.f.push(Inst::Const {
            d: value,
            v: u64::MAX,
        });
        let e = self.f.alu(AluOp::Neg, ret, 0);
        self.f.copy_to(errno, e);
        self.f.bind(done);
        (value, errno)
    }

    /// Program counter of a sample if it was taken in the asked-for mode, else 0.
    fn sample_pc(&mut self, user: bool, pos: Pos) -> Result<V> {
        if self.kind != ProgramKind::PerfEvent {
            return stop(pos, "internal error -- no sample here");
        }
        let (pc_off, mode_off, mask) = match self.target.arch {
            Arch::X86_64 => (128, 136, 3),
            Arch::Aarch64 => (256, 264, 0xf),
        };
        let mode = self.f.load(Func::CTX, mode_off, Width::DW);
        let mode = self.f.alu(AluOp::And, mode, mask);
        let d = self.f.reg();
        let done = self.f.label();
        self.f.push(Inst::Const { d, v: 0 });
        let in_user = match self.target.arch {
            Arch::X86_64 => JmpOp::Ne,
            Arch::Aarch64 => JmpOp::Eq,
        };
        let skip = if user { negate(in_user) } else { in_user };
        self.f.branch(skip, mode, 0, done);
        let pc = self.f.load(Func::CTX, pc_off, Width::DW);
        self.f.copy_to(d, pc);
        self.f.bind(done);
        Ok(d)
    }

    fn builtin(&mut self, b: Builtin, pos: Pos) -> Result<V> {
        match b {
            Builtin::Pid => self.process(pos),
            Builtin::Tid => self.thread_id(pos),
            Builtin::Uid => self.user(pos),
            Builtin::Gid => self.user_group(pos),
            Builtin::Ppid => self.parent(pos),
            Builtin::Cpu => Ok(self.cpu()),
            Builtin::Curthread => Ok(self.current_task_number()),
            Builtin::Timestamp => Ok(self.time()),
            Builtin::Walltimestamp => Ok(self.wall()),
            Builtin::Vtimestamp => self.vtimestamp(),
            Builtin::Epid => {
                let clause = self.state.clause;
                let (probes, epids) = (
                    &self.p.clauses[clause as usize].probes,
                    &self.epids[clause as usize],
                );
                let table: Vec<(u32, u32)> =
                    probes.iter().copied().zip(epids.iter().copied()).collect();
                Ok(self.by_probe(&table))
            }
            Builtin::Id => {
                let probes = &self.p.clauses[self.state.clause as usize].probes;
                let table: Vec<(u32, u32)> = probes
                    .iter()
                    .map(|p| (*p, self.p.probes[*p as usize].probe.id))
                    .collect();
                Ok(self.by_probe(&table))
            }
            Builtin::Errno => match self.site.site {
                image::Site::SyscallReturn => Ok(self.syscall_result().1),
                image::Site::SyscallEntry => Ok(self.f.konst(0)),
                _ => crate::site::unavailable(pos, "errno: it is known in syscall:::return, so it"),
            },
            Builtin::Stackdepth => self.stack_words(false).map(|(_, n)| n),
            Builtin::Ustackdepth => self.stack_words(true).map(|(_, n)| n),
            Builtin::Caller => self.caller(false),
            Builtin::Ucaller => self.caller(true),
            Builtin::Curcpu
            | Builtin::Cwd
            | Builtin::Execargs
            | Builtin::Execname
            | Builtin::Ipl
            | Builtin::Probefunc
            | Builtin::Probemod
            | Builtin::Probename
            | Builtin::Probeprov
            | Builtin::Root
            | Builtin::Threadname
            | Builtin::Zonename => stop(pos, format!("{b:?} is not implemented yet")),
        }
    }

    /// A number that depends on the probe that fires.
    fn by_probe(&mut self, table: &[(u32, u32)]) -> V {
        match self.firing {
            Firing::One(p) => {
                let v = table.iter().find(|(q, _)| *q == p).map_or(0, |(_, v)| *v);
                self.f.konst(u64::from(v))
            }
            Firing::Any(v) => {
                let mut words = vec![0; self.p.probes.len()];
                for (p, value) in table {
                    words[*p as usize] = *value;
                }
                let off = self.plan.rodata.words(&words);
                let at = self.bounded_probe(v, words.len() as u32);
                let at = self.f.alu(AluOp::Lsh, at, 2);
                let base = self.f.map_value(self.plan.rodata_map, off);
                let at = self.f.alu(AluOp::Add, base, at);
                self.f.load(at, 0, Width::W)
            }
        }
    }

    /// A probe index that the verifier knows to be less than `n`.
    pub fn bounded_probe(&mut self, v: V, n: u32) -> V {
        let d = self.f.reg();
        self.f.copy_to(d, v);
        let exit = self.exit;
        self.f.branch(JmpOp::Ge, d, n as i32, exit);
        d
    }

    /// Offset of a member of `struct task_struct`.
    pub fn kernel_offset(&self, member: &str, pos: Pos) -> Result<i32> {
        match self.target.facts.offset("task_struct", member) {
            Some(o) => Ok(o as i32),
            None => stop(
                pos,
                format!("this kernel gives no type data (BTF) for task_struct.{member}"),
            ),
        }
    }

    /// Address of `value + offset` in this clause's scratch, for a store through a D pointer; else a fault.
    pub fn scratch_pointer(&mut self, addr: &Expr, offset: i64, size: u32) -> Result<V> {
        let a = self.int(addr)?;
        let a = self.plus(a, offset);
        self.scratch_at(a, size)
    }

    /// As [`Self::scratch_pointer`] for an address in a register.
    pub fn scratch_at(&mut self, a: V, size: u32) -> Result<V> {
        let scratch = self.scratch();
        let number = self.launder(scratch);
        let off = self.f.alu(AluOp::Sub, a, number);
        let (first, end) = (self.state.arena, self.state.arena_end);
        let (op, last) = match end.checked_sub(size) {
            Some(last) if last >= first && end > first => (JmpOp::Gt, last),
            // Nothing so large was allocated.
            _ => (JmpOp::Ge, 0),
        };
        self.fault_if(op, off, last as i32, Fault::BadAddr, Some(a));
        self.fault_if(JmpOp::Lt, off, first as i32, Fault::BadAddr, Some(a));
        Ok(self.f.alu(AluOp::Add, scratch, off))
    }
}

/// Comparison of a D operator.
pub fn compare_op(op: BinOp, signed: bool) -> Option<JmpOp> {
    match (op, signed) {
        (BinOp::Eq, _) => Some(JmpOp::Eq),
        (BinOp::Ne, _) => Some(JmpOp::Ne),
        (BinOp::Lt, true) => Some(JmpOp::Slt),
        (BinOp::Lt, false) => Some(JmpOp::Lt),
        (BinOp::Le, true) => Some(JmpOp::Sle),
        (BinOp::Le, false) => Some(JmpOp::Le),
        (BinOp::Gt, true) => Some(JmpOp::Sgt),
        (BinOp::Gt, false) => Some(JmpOp::Gt),
        (BinOp::Ge, true) => Some(JmpOp::Sge),
        (BinOp::Ge, false) => Some(JmpOp::Ge),
        (
            BinOp::Add
            | BinOp::Sub
            | BinOp::Mul
            | BinOp::Div
            | BinOp::Mod
            | BinOp::And
            | BinOp::Or
            | BinOp::Xor
            | BinOp::Shl
            | BinOp::Shr,
            _,
        ) => None,
    }
}

/// The opposite comparison.
pub fn negate(op: JmpOp) -> JmpOp {
    op.negated().unwrap_or(op)
}

/// Offset of a system call argument in `struct pt_regs` (arch/x86/include/asm/ptrace.h, arch/arm64/include/asm/ptrace.h).
fn syscall_arg_offset(arch: Arch, n: u8) -> i32 {
    match arch {
        Arch::X86_64 => match n {
            0 => 112,
            1 => 104,
            2 => 96,
            3 => 56,
            4 => 72,
            _ => 64,
        },
        // The first argument's register is overwritten by the return value; the kernel keeps it apart.
        Arch::Aarch64 if n == 0 => 272,
        Arch::Aarch64 => i32::from(n) * 8,
    }
}

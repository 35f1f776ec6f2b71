//! Variables: globals in a memory-mapped array, `self->` in task storage, `this->` in the frame or scratch, associative
//! arrays in hash maps.

use bpf::{AluOp, Helper, JmpOp, Width};
use image::layout::{Fault, drops};
use ir::{Arg, Base, Inst, V};
use lang::Builtin;
use sema::hir::{
    AssocId, Expr, ExprKind, Index, IntTy, LValue, LValueKind, Program, Scope, Stmt, Ty, VarId,
};

use crate::Result;
use crate::plan::{Plan, size_of};
use crate::site::{Local, SiteGen};
use crate::sites::SitePlan;
use sema::walk;

/// Where a value can be loaded from or stored to.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    pub base: Base,
    pub off: i32,
}

/// What indices add to an offset, and the most it can be.
pub type Shift = Option<(V, u32)>;

/// Walks over something, showing what it meets to its argument.
type Walk<'a> = &'a mut dyn FnMut(&mut dyn FnMut(walk::Seen));

/// More than so many bytes are zeroed by a copy of zeros.
const ZERO_INLINE: u32 = 256;
/// Clause-local integers that fit the frame live there.
const FRAME_LOCALS: usize = 12;

/// The clause-local variables that a site and the ERROR clauses use, in the order in which they appear.
pub fn locals(p: &Program, plan: &Plan, site: &SitePlan) -> Vec<u32> {
    let mut used = Vec::new();
    let mut seen = vec![false; p.vars.len()];
    let errors = plan.error.iter().flat_map(|(_, clauses)| clauses);
    for c in site.clauses().iter().chain(errors) {
        walk::clause(&p.clauses[*c as usize], &mut |s| {
            let id = match s {
                walk::Seen::Expr(Expr {
                    kind: ExprKind::Var { id, .. },
                    ..
                }) => *id,
                walk::Seen::Target(
                    LValue {
                        kind: LValueKind::Var { id, .. },
                        ..
                    },
                    _,
                ) => *id,
                walk::Seen::Expr(_) | walk::Seen::Target(..) => return,
            };
            let n = id.0 as usize;
            if p.vars[n].scope == Scope::Clause && !std::mem::replace(&mut seen[n], true) {
                used.push(id.0);
            }
        });
    }
    used
}

impl SiteGen<'_> {
    /// Gives the clause-local variables that this site uses a place.
    pub fn place_locals(&mut self) {
        let used = crate::site::uses(self.p, self.plan, self.site)
            .locals
            .iter();
        for (n, id) in used.copied().enumerate() {
            let ty = self.p.vars[id as usize].ty;
            let local = if matches!(ty, Ty::Int(_)) && n < FRAME_LOCALS && self.part.is_none() {
                Local::Slot(self.f.slot(8))
            } else {
                let off = self.persistent;
                self.persistent += size_of(ty, self.p.limits.strsize).next_multiple_of(8);
                Local::Scratch(off)
            };
            self.locals.insert(id, local);
        }
        self.bump = self.persistent;
    }

    /// Clause-local variables read as zero until assigned.
    pub fn clear_locals(&mut self) {
        for (id, local) in self.locals.clone() {
            match local {
                Local::Slot(slot) => self.f.store(slot, 0, Width::DW, 0),
                Local::Scratch(off) => {
                    let base = self.scratch();
                    match self.p.vars[id as usize].ty {
                        Ty::Bytes { size, .. } => self.zero(base, off as i32, size),
                        Ty::Int(_) | Ty::Str | Ty::Void | Ty::Stack { .. } | Ty::Sym(_) => {
                            self.f.store(base, off as i32, Width::DW, 0);
                        }
                    }
                }
            }
        }
    }

    /// Zeroes `size` bytes (rounded up to eight).
    pub fn zero(&mut self, base: V, off: i32, size: u32) {
        let size = size.next_multiple_of(8);
        if size > ZERO_INLINE {
            let zeros = self.plan.rodata.zeros(size);
            let zeros = self.f.map_value(self.plan.rodata_map, zeros);
            let to = self.address(base, off);
            let args = vec![to.into(), Arg::Imm(size as i32), zeros.into()];
            self.f.push(Inst::Call {
                d: None,
                helper: Helper::ProbeReadKernel,
                args,
            });
            return;
        }
        for n in 0..size as i32 / 8 {
            self.f.store(base, off + 8 * n, Width::DW, 0);
        }
    }

    /// Gets the thread's storage before a predicate, if that reads it.
    pub fn thread_for_predicate(&mut self, predicate: &Expr) {
        self.state.thread = None;
        if self.thread_use(&mut |f| walk::expr(predicate, f)).is_some() {
            let v = self.thread_storage(0);
            self.state.thread = Some(v);
        }
    }

    /// Gets the thread's storage before a body that uses it; makes it if the body assigns something to it.
    pub fn thread_for_body(&mut self, body: &[Stmt]) {
        let Some(writes) = self.thread_use(&mut |f| body.iter().for_each(|s| walk::stmt(s, f)))
        else {
            return;
        };
        match (self.state.thread, writes) {
            (Some(_), false) => {}
            (None, _) => {
                let v = self.thread_storage(i32::from(writes));
                self.state.thread = Some(v);
            }
            (Some(v), true) => {
                let have = self.f.label();
                self.f.branch(JmpOp::Ne, v, 0, have);
                let made = self.thread_storage(1);
                self.f.copy_to(v, made);
                self.f.bind(have);
            }
        }
    }

    /// `None`: thread storage is not used; else whether it is written.
    fn thread_use(&self, walk_all: Walk<'_>) -> Option<bool> {
        let mut found = None;
        let thread_assoc = |id: AssocId| self.p.assocs[id.0 as usize].scope == Scope::Thread;
        walk_all(&mut |s| {
            let write = match s {
                walk::Seen::Expr(e) => match &e.kind {
                    ExprKind::Var { id, .. }
                        if self.p.vars[id.0 as usize].scope == Scope::Thread =>
                    {
                        false
                    }
                    ExprKind::Assoc { id, .. } if thread_assoc(*id) => false,
                    ExprKind::Builtin(Builtin::Vtimestamp) => true,
                    _ => return,
                },
                walk::Seen::Target(t, zero) => match &t.kind {
                    LValueKind::Var { id, .. }
                        if self.p.vars[id.0 as usize].scope == Scope::Thread =>
                    {
                        !zero
                    }
                    LValueKind::Assoc { id, .. } if thread_assoc(*id) => !zero,
                    LValueKind::Var { .. } | LValueKind::Assoc { .. } | LValueKind::Mem { .. } => {
                        return;
                    }
                },
            };
            found = Some(found.unwrap_or(false) | write);
        });
        found
    }

    fn thread_storage(&mut self, flags: i32) -> V {
        let task = self.current_task();
        let map = self.f.map(self.plan.thread);
        let found = self.call(
            Helper::TaskStorageGet,
            &[map.into(), task.into(), Arg::Imm(0), Arg::Imm(flags)],
        );
        let v = self.f.reg();
        self.f.copy_to(v, found);
        v
    }

    /// This thread's storage, or a register that holds 0.
    pub fn thread(&mut self) -> V {
        match self.state.thread {
            Some(v) => v,
            None => self.thread_storage(0),
        }
    }

    /// Place of a global or clause-local variable. `None` for thread variables, which may not exist.
    fn fixed_place(&mut self, id: VarId, offset: u32) -> Option<Place> {
        let n = id.0 as usize;
        let off = self.plan.var_offs[n] + offset;
        match self.p.vars[n].scope {
            Scope::Global => {
                let base = self.f.map_value(self.plan.globals, off);
                Some(Place {
                    base: base.into(),
                    off: 0,
                })
            }
            Scope::Thread => None,
            Scope::Clause => Some(match self.locals[&id.0] {
                Local::Slot(s) => Place {
                    base: s.into(),
                    off: offset as i32,
                },
                Local::Scratch(at) => Place {
                    base: self.scratch().into(),
                    off: (at + offset) as i32,
                },
            }),
        }
    }

    /// Calls `there` with the variable's place, or `absent` where the thread has no storage.
    pub fn with_var(
        &mut self,
        id: VarId,
        offset: u32,
        there: &mut dyn FnMut(&mut Self, Place) -> Result<()>,
        absent: &mut dyn FnMut(&mut Self) -> Result<()>,
    ) -> Result<()> {
        if let Some(place) = self.fixed_place(id, offset) {
            return there(self, place);
        }
        let thread = self.thread();
        let off = (self.plan.var_offs[id.0 as usize] + offset) as i32;
        self.if_present(
            thread,
            &mut |g| {
                there(
                    g,
                    Place {
                        base: thread.into(),
                        off,
                    },
                )
            },
            absent,
        )
    }

    /// `if p != 0 { there } else { absent }`.
    pub fn if_present(
        &mut self,
        p: V,
        there: &mut dyn FnMut(&mut Self) -> Result<()>,
        absent: &mut dyn FnMut(&mut Self) -> Result<()>,
    ) -> Result<()> {
        let (none, done) = (self.f.label(), self.f.label());
        self.f.branch(JmpOp::Eq, p, 0, none);
        there(self)?;
        self.f.jump(done);
        self.f.bind(none);
        absent(self)?;
        self.f.bind(done);
        Ok(())
    }

    /// Address of a place.
    pub fn place_address(&mut self, place: Place) -> V {
        match place.base {
            Base::V(v) => self.address(v, place.off),
            Base::Slot(slot) => self.f.slot_addr(slot, place.off),
        }
    }

    /// `d = 0`, where there is nothing to read.
    pub fn absent(&mut self, d: V) -> Result<()> {
        self.f.push(Inst::Const { d, v: 0 });
        Ok(())
    }

    /// `d = address of v + off`, for what is there.
    pub fn refer(&mut self, d: V, place: Place) -> Result<()> {
        let at = self.place_address(place);
        self.f.copy_to(d, at);
        Ok(())
    }

    /// Address of what a variable or element holds by reference; where there is none, of the zeros at `zeros` in
    /// read-only memory.
    pub fn stored(&mut self, e: &Expr, zeros: u32) -> Result<V> {
        let d = self.f.reg();
        let map = self.plan.rodata_map;
        let mut none = |g: &mut Self| {
            let at = g.f.map_value(map, zeros);
            g.f.copy_to(d, at);
            Ok(())
        };
        match &e.kind {
            ExprKind::Var { id, offset } => {
                self.with_var(*id, *offset, &mut |g, place| g.refer(d, place), &mut none)?;
            }
            ExprKind::Assoc { id, keys, offset } => {
                let key = self.assoc_key(*id, keys)?;
                let p = self.assoc_lookup(*id, key);
                let (base, off) = (p.into(), *offset as i32);
                let place = Place { base, off };
                self.if_present(p, &mut |g| g.refer(d, place), &mut none)?;
            }
            _ => return crate::lower::internal("not a variable"),
        }
        Ok(d)
    }

    /// What indices add to an offset: the sum, and the most it can be. One that is too large is a fault.
    pub fn shift(&mut self, indices: &[Index]) -> Result<Shift> {
        let mut sum: Shift = None;
        for i in indices {
            let v = self.int(&i.value)?;
            self.fault_if(JmpOp::Ge, v, i.count as i32, Fault::BadAddr, Some(v));
            let last = i.count.saturating_sub(1);
            let v = self.bounded(v, last);
            let v = self.f.alu(AluOp::Mul, v, i.stride as i32);
            let most = last * i.stride;
            sum = Some(match sum {
                None => (v, most),
                Some((before, n)) => (self.f.alu(AluOp::Add, before, v), n + most),
            });
        }
        Ok(sum)
    }

    /// An address moved by what indices add.
    pub fn shifted(&mut self, at: V, shift: Shift) -> V {
        match shift {
            None => at,
            Some((v, most)) => {
                let v = self.bounded(v, most);
                self.f.alu(AluOp::Add, at, v)
            }
        }
    }

    fn shifted_place(&mut self, place: Place, shift: Shift) -> Place {
        if shift.is_none() {
            return place;
        }
        let at = self.place_address(place);
        Place {
            base: self.shifted(at, shift).into(),
            off: 0,
        }
    }

    /// Where a part of a variable or element is, for reading: zeros where there is none.
    pub fn element(&mut self, e: &Expr) -> Result<(V, i32)> {
        let (whole, shift) = match &e.kind {
            ExprKind::Element { whole, indices } => (&**whole, self.shift(indices)?),
            _ => (e, None),
        };
        let size = size_of(e.ty, self.p.limits.strsize) + shift.map_or(0, |(_, most)| most);
        let zeros = self.plan.rodata.zeros(size.next_multiple_of(8));
        let at = self.stored(whole, zeros)?;
        Ok((self.shifted(at, shift), 0))
    }

    /// Address of a part of a variable or of a string, as a number.
    pub fn address_of(&mut self, e: &Expr) -> Result<V> {
        let stored = matches!(
            e.kind,
            ExprKind::Var { .. } | ExprKind::Assoc { .. } | ExprKind::Element { .. }
        );
        let (at, off) = if stored {
            self.element(e)?
        } else if self.const_text(e).is_some() {
            let s = self.str_ref(e)?;
            (s.base, s.off)
        } else {
            // Not in a buffer that the next statement uses again.
            let off = self.allot(self.cap() + 8) as i32;
            let scratch = self.scratch();
            self.str_into(e, scratch, off)?;
            (scratch, off)
        };
        let at = self.address(at, off);
        Ok(self.launder(at))
    }

    /// Value of an integer variable.
    pub fn read_var(&mut self, id: VarId, offset: u32, shift: Shift, ty: IntTy) -> Result<V> {
        let d = self.f.reg();
        self.with_var(
            id,
            offset,
            &mut |g, place| {
                let place = g.shifted_place(place, shift);
                let v = g.load_int(place, ty);
                g.f.copy_to(d, v);
                Ok(())
            },
            &mut |g| g.absent(d),
        )?;
        Ok(d)
    }

    /// Loads an integer from our own memory.
    pub fn load_int(&mut self, place: Place, ty: IntTy) -> V {
        let width = width(ty.bytes);
        let v = self.f.load(place.base, place.off, width);
        if ty.signed && ty.bytes < 8 {
            self.f.ext(v, ty.bytes, true)
        } else {
            v
        }
    }

    /// Stores an integer into a variable.
    pub fn write_var(
        &mut self,
        id: VarId,
        offset: u32,
        shift: Shift,
        ty: IntTy,
        value: V,
    ) -> Result<()> {
        let zero = self.state.zero_store;
        self.with_var(
            id,
            offset,
            &mut |g, place| {
                let place = g.shifted_place(place, shift);
                g.f.store(place.base, place.off, width(ty.bytes), value);
                Ok(())
            },
            &mut |g| {
                if !zero {
                    g.drop_event(drops::Kind::Dynamic);
                }
                Ok(())
            },
        )
    }

    /// Builds an associative array's key; gives its address.
    pub fn assoc_key(&mut self, id: AssocId, keys: &[Expr]) -> Result<V> {
        let (base, off) = self.assoc_key_at(id, keys)?;
        Ok(self.address(base, off))
    }

    /// As [`Self::assoc_key`]; gives a base that stays, and the offset.
    pub fn assoc_key_at(&mut self, id: AssocId, keys: &[Expr]) -> Result<(V, i32)> {
        let plan = self.plan.assocs[id.0 as usize].clone();
        let array = &self.p.assocs[id.0 as usize];
        let (base, off) = self.temp(plan.key_size);
        if array.scope == Scope::Thread {
            let n = self.thread_number()?;
            self.f.store(base, off, Width::DW, n);
        }
        for ((key, ty), at) in keys.iter().zip(&array.keys).zip(&plan.key_offs) {
            let at = off + *at as i32;
            match ty {
                Ty::Int(_) => {
                    let v = self.int(key)?;
                    self.f.store(base, at, Width::DW, v);
                }
                Ty::Str => {
                    self.padded_string(key, base, at, crate::plan::str_cap(self.p.limits.strsize))?
                }
                Ty::Void | Ty::Bytes { .. } | Ty::Stack { .. } | Ty::Sym(_) => {
                    return crate::stop(
                        key.pos,
                        "this type cannot be a key of an associative array",
                    );
                }
            }
        }
        Ok((base, off))
    }

    /// A number of this thread's own, never given again: the hidden key of `self->x[k]`.
    fn thread_number(&mut self) -> Result<V> {
        let Some(off) = self.plan.thread_number else {
            return crate::lower::internal("no thread number planned");
        };
        let counter = self.plan.thread_counter;
        let thread = self.thread();
        let d = self.f.reg();
        self.if_present(
            thread,
            &mut |g| {
                let n = g.f.load(thread, off as i32, Width::DW);
                g.f.copy_to(d, n);
                let have = g.f.label();
                g.f.branch(JmpOp::Ne, n, 0, have);
                let globals = g.f.map_value(g.plan.globals, counter);
                let one = g.f.konst(1);
                let old = g.f.reg();
                g.f.push(Inst::FetchAdd {
                    d: old,
                    base: globals.into(),
                    off: 0,
                    src: one,
                });
                let new = g.f.alu(bpf::AluOp::Add, old, 1);
                g.f.store(thread, off as i32, Width::DW, new);
                g.f.copy_to(d, new);
                g.f.bind(have);
                Ok(())
            },
            &mut |g| g.absent(d),
        )?;
        Ok(d)
    }

    /// Looks an element up; the register holds its address or 0.
    pub fn assoc_lookup(&mut self, id: AssocId, key: V) -> V {
        let map = self.f.map(self.plan.assocs[id.0 as usize].map);
        let p = self.call(Helper::MapLookupElem, &[map.into(), key.into()]);
        let d = self.f.reg();
        self.f.copy_to(d, p);
        d
    }

    /// Value of an integer element, 0 if there is none.
    pub fn read_assoc(&mut self, id: AssocId, keys: &[Expr], offset: u32, ty: IntTy) -> Result<V> {
        let key = self.assoc_key(id, keys)?;
        let p = self.assoc_lookup(id, key);
        let d = self.f.reg();
        self.if_present(
            p,
            &mut |g| {
                let v = g.load_int(
                    Place {
                        base: p.into(),
                        off: offset as i32,
                    },
                    ty,
                );
                g.f.copy_to(d, v);
                Ok(())
            },
            &mut |g| g.absent(d),
        )?;
        Ok(d)
    }

    /// Stores an integer element; zero frees it.
    pub fn write_assoc_int(&mut self, id: AssocId, key: V, value: V, ty: IntTy) {
        let plan_map = self.plan.assocs[id.0 as usize].map;
        let (free, done) = (self.f.label(), self.f.label());
        self.f.branch(JmpOp::Eq, value, 0, free);
        let (base, off) = self.temp(8);
        self.f.store(base, off, Width::DW, 0);
        self.f.store(base, off, width(ty.bytes), value);
        let at = self.address(base, off);
        self.assoc_update(id, key, at);
        self.f.jump(done);
        self.f.bind(free);
        let map = self.f.map(plan_map);
        self.f.push(Inst::Call {
            d: None,
            helper: Helper::MapDeleteElem,
            args: vec![map.into(), key.into()],
        });
        self.f.bind(done);
    }

    /// Stores an element from memory; failure is a dynamic variable drop.
    pub fn assoc_update(&mut self, id: AssocId, key: V, value: V) {
        let map = self.f.map(self.plan.assocs[id.0 as usize].map);
        let r = self.call(
            Helper::MapUpdateElem,
            &[map.into(), key.into(), value.into(), Arg::Imm(0)],
        );
        let ok = self.f.label();
        self.f.branch(JmpOp::Eq, r, 0, ok);
        self.drop_event(drops::Kind::Dynamic);
        self.f.bind(ok);
    }
}

/// Width of an integer of this many bytes.
pub fn width(bytes: u8) -> Width {
    match bytes {
        1 => Width::B,
        2 => Width::H,
        4 => Width::W,
        _ => Width::DW,
    }
}

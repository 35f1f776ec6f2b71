//! Strings: NUL-terminated bytes in memory we own (scratch, variables, read-only memory), never in registers.
//!
//! A string expression is either referred to where it is ([`SiteGen::str_ref`]) or written where it is wanted
//! ([`SiteGen::str_into`]), so that `copyinstr()` in a `printf()` goes straight into the record.

use bpf::{AluOp, Helper, JmpOp, Width};
use image::layout::Fault;
use image::{ProbeField, layout::drops};
use ir::{Arg, Inst, L, V};
use lang::{Builtin, Subr};
use sema::hir::{BinOp, Expr, ExprKind, LValue, LValueKind, Pos, Space, Ty};
use sema::walk;

use crate::plan::str_cap;
use crate::rt::Local;
use crate::site::{Firing, SiteGen};
use crate::{Result, stop};

/// `TASK_COMM_LEN`.
pub const COMM: u32 = 16;
/// Longest text of a 64-bit number (base 2), rounded up.
pub const LLTOSTR: u32 = 72;
/// Longest constant that is compared or stored word by word.
const INLINE: usize = 64;

/// A string in memory: at most `cap` bytes from `base + off` may be read.
#[derive(Clone, Copy, Debug)]
pub struct StrRef {
    pub base: V,
    pub off: i32,
    pub cap: u32,
}

impl SiteGen<'_> {
    /// Bytes of a string buffer, a multiple of eight not less than `strsize`.
    pub fn cap(&self) -> u32 {
        str_cap(self.p.limits.strsize)
    }

    /// Most bytes of a string value, NUL included.
    pub fn strsize(&self) -> u32 {
        self.p.limits.strsize.max(1)
    }

    /// The text of an expression known at compile time.
    pub fn const_text(&self, e: &Expr) -> Option<Vec<u8>> {
        let text = match &e.kind {
            ExprKind::Str(s) => s.clone(),
            ExprKind::Builtin(Builtin::Zonename) => b"global".to_vec(),
            ExprKind::Builtin(b) => {
                let (field, Firing::One(p)) = (probe_field(*b)?, self.firing) else {
                    return None;
                };
                probe_text(&self.p.probes[p as usize].probe, field)
                    .as_bytes()
                    .to_vec()
            }
            _ => return None,
        };
        let mut text = text;
        text.truncate(self.strsize() as usize - 1);
        Some(text)
    }

    fn rodata_ref(&mut self, text: &[u8]) -> StrRef {
        // Few capacities, since there is an instance of a function for each.
        let cap = match text.len() as u32 + 1 {
            n @ ..=64 => n.next_multiple_of(8),
            n => n.next_power_of_two(),
        };
        let mut bytes = text.to_vec();
        bytes.resize(cap as usize, 0);
        let off = self.plan.rodata.put(&bytes);
        let base = self.f.map_value(self.plan.rodata_map, off);
        StrRef { base, off: 0, cap }
    }

    /// A buffer for a string, in scratch.
    pub fn buffer(&mut self) -> StrRef {
        // Slack for functions that write a whole number whatever its length.
        let off = self.take(self.cap() + 8);
        StrRef {
            base: self.scratch(),
            off: off as i32,
            cap: self.cap(),
        }
    }

    /// Evaluates a string for its side effects.
    pub fn string_effect(&mut self, e: &Expr) -> Result<()> {
        match &e.kind {
            ExprKind::Assign(t, v) => self.assign_str(t, v).map(|_| ()),
            ExprKind::Comma(a, b) => {
                self.effect(a)?;
                self.string_effect(b)
            }
            ExprKind::Call(..) | ExprKind::Cond(..) | ExprKind::StringOf { .. } => {
                self.str_ref(e).map(|_| ())
            }
            _ => Ok(()),
        }
    }

    /// Where the string is, writing it to a buffer if it is nowhere yet.
    pub fn str_ref(&mut self, e: &Expr) -> Result<StrRef> {
        if let Some(text) = self.const_text(e) {
            return Ok(self.rodata_ref(&text));
        }
        match &e.kind {
            ExprKind::Builtin(b) if probe_field(*b).is_some() => {
                let field = probe_field(*b).unwrap_or(ProbeField::Name);
                Ok(self.probe_text_ref(field))
            }
            ExprKind::Var { .. } | ExprKind::Assoc { .. } => {
                let off = self.plan.rodata.zeros(self.cap());
                let base = self.stored(e, off)?;
                Ok(StrRef {
                    base,
                    off: 0,
                    cap: self.cap(),
                })
            }
            ExprKind::Element { .. } => {
                let (base, off) = self.element(e)?;
                let cap = self.cap();
                Ok(StrRef { base, off, cap })
            }
            ExprKind::Assign(t, v) => self.assign_str(t, v),
            ExprKind::Comma(a, b) => {
                self.effect(a)?;
                self.str_ref(b)
            }
            ExprKind::Builtin(Builtin::Execname | Builtin::Threadname) => {
                let (base, off) = self.temp(COMM);
                self.comm_into(base, off, e.pos)?;
                let cap = COMM;
                Ok(StrRef { base, off, cap })
            }
            _ => {
                let b = self.buffer();
                self.str_into(e, b.base, b.off)?;
                let cap = longest(e).map_or(b.cap, |n| n.next_multiple_of(8).min(b.cap));
                Ok(StrRef { cap, ..b })
            }
        }
    }

    /// Writes a string to `base + off`, at most `strsize` bytes. The register holds its length with the NUL, at most `strsize`.
    pub fn str_into(&mut self, e: &Expr, base: V, off: i32) -> Result<V> {
        if let Some(text) = self.const_text(e) {
            return Ok(self.const_into(&text, base, off));
        }
        match &e.kind {
            ExprKind::Builtin(Builtin::Execname | Builtin::Threadname) => {
                let (tmp, at) = self.temp(COMM);
                self.comm_into(tmp, at, e.pos)?;
                Ok(self.copy_str(
                    StrRef {
                        base: tmp,
                        off: at,
                        cap: COMM,
                    },
                    base,
                    off,
                ))
            }
            ExprKind::StringOf {
                addr,
                offset,
                space,
                max,
            } => {
                let a = self.int(addr)?;
                let a = self.plus(a, *offset);
                let size = max.map_or(self.strsize(), |m| (m + 1).min(self.strsize()));
                Ok(self.read_str(*space, a, base, off, Arg::Imm(size as i32)))
            }
            ExprKind::Builtin(Builtin::Execargs) => self.execargs(e.pos, base, off),
            ExprKind::Call(Subr::Copyinstr, args) => self.copyinstr(args, base, off),
            ExprKind::Call(Subr::Strjoin, args) => self.strjoin(&args[0], &args[1], base, off),
            ExprKind::Call(subr, args) => self.call_str(*subr, args, e, base, off),
            ExprKind::Cond(..) => {
                let d = self.f.reg();
                self.choice_into(e, base, off, d)?;
                Ok(d)
            }
            ExprKind::Cast(a) if a.ty == Ty::Str => self.str_into(a, base, off),
            ExprKind::Comma(a, b) => {
                self.effect(a)?;
                self.str_into(b, base, off)
            }
            ExprKind::Int(0) => Ok(self.const_into(b"", base, off)),
            ExprKind::Var { .. }
            | ExprKind::Assoc { .. }
            | ExprKind::Element { .. }
            | ExprKind::Assign(..)
            | ExprKind::Builtin(_) => {
                if let ExprKind::Builtin(b) = &e.kind
                    && probe_field(*b).is_none()
                {
                    return stop(e.pos, format!("{b:?} is not implemented yet"));
                }
                let s = self.str_ref(e)?;
                Ok(self.copy_str(s, base, off))
            }
            _ => stop(e.pos, "internal error -- not a string expression"),
        }
    }

    /// A chain of `?:`: as [`Self::str_into`], with the length in a register made before.
    fn choice_into(&mut self, e: &Expr, base: V, off: i32, d: V) -> Result<()> {
        let ExprKind::Cond(c, t, f) = &e.kind else {
            let v = self.str_into(e, base, off)?;
            self.f.copy_to(d, v);
            return Ok(());
        };
        let (other, done) = (self.f.label(), self.f.label());
        self.branch_false(c, other)?;
        self.held += 1;
        self.choice_into(t, base, off, d)?;
        self.f.jump(done);
        self.f.bind(other);
        self.choice_into(f, base, off, d)?;
        self.held -= 1;
        self.f.bind(done);
        Ok(())
    }

    /// The thread's name, 16 bytes padded with zeros.
    pub fn comm_into(&mut self, base: V, off: i32, pos: Pos) -> Result<()> {
        let at = self.address(base, off);
        if !self.runs() {
            return self.comm_of_task(at, pos);
        }
        self.call(Helper::GetCurrentComm, &[at.into(), Arg::Imm(COMM as i32)]);
        Ok(())
    }

    fn const_into(&mut self, text: &[u8], base: V, off: i32) -> V {
        if text.len() < INLINE {
            let mut bytes = text.to_vec();
            bytes.resize((text.len() + 1).next_multiple_of(8), 0);
            for (n, word) in words(&bytes).enumerate() {
                let v = self.f.konst(word);
                self.f.store(base, off + 8 * n as i32, Width::DW, v);
            }
            return self.f.konst(text.len() as u64 + 1);
        }
        let s = self.rodata_ref(text);
        self.copy_str(s, base, off)
    }

    /// Copies a string from our own memory.
    pub fn copy_str(&mut self, s: StrRef, base: V, off: i32) -> V {
        let from = self.address(s.base, s.off);
        let size = s.cap.min(self.strsize());
        self.read_str(Space::Kernel, from, base, off, Arg::Imm(size as i32))
    }

    /// Reads a string of at most `size` bytes at address `a`. A bad address is a fault.
    pub fn read_str(&mut self, space: Space, a: V, base: V, off: i32, size: Arg) -> V {
        let helper = match space {
            Space::Kernel => Helper::ProbeReadKernelStr,
            Space::User => Helper::ProbeReadUserStr,
        };
        let dst = self.address(base, off);
        let len = self.call(helper, &[dst.into(), size, a.into()]);
        let most = self.strsize() as i32;
        self.fault_if(JmpOp::Gt, len, most, Fault::BadAddr, Some(a));
        len
    }

    fn copyinstr(&mut self, args: &[Expr], base: V, off: i32) -> Result<V> {
        let mut a = self.int(&args[0])?;
        let size = match args.get(1) {
            None => Arg::Imm(self.strsize() as i32),
            Some(Expr {
                kind: ExprKind::Int(n),
                ..
            }) => Arg::Imm(n.saturating_add(1).min(u64::from(self.strsize())) as i32),
            Some(e) => {
                let held = self.hold(a, e);
                let n = self.int(e)?;
                a = self.unhold(held);
                let d = self.f.reg();
                let small = self.f.label();
                let n1 = self.f.alu(AluOp::Add, n, 1);
                self.f.copy_to(d, n1);
                let most = self.strsize() as i32;
                self.f.branch(JmpOp::Le, d, most, small);
                self.f.push(Inst::Const { d, v: most as u64 });
                self.f.bind(small);
                d.into()
            }
        };
        Ok(self.read_str(Space::User, a, base, off, size))
    }

    /// `a` and then `b` over its NUL; truncated to `strsize`.
    fn strjoin(&mut self, a: &Expr, b: &Expr, base: V, off: i32) -> Result<V> {
        // The second part first to its own buffer: evaluating it may use anything. If it may use what the first changes, or
        // change what that uses, they are computed in their order.
        let (first, second) = if walk::changes(a) || walk::changes(b) {
            self.pair_of_strings(a, b)?
        } else {
            let (second, first) = self.pair_of_strings(b, a)?;
            (first, second)
        };
        let strsize = self.strsize() as i32;
        let len = self.copy_str(first, base, off);
        // Compared after the subtraction, so that also verifiers that learn nothing from `len != 0` see the bound.
        let keep = self.f.alu(AluOp::Sub, len, 1);
        self.fault_if(JmpOp::Gt, keep, strsize - 1, Fault::Unknown, None);
        let dst = self.address(base, off);
        let behind = self.bounded(keep, strsize as u32 - 1);
        let dst = self.f.alu(AluOp::Add, dst, behind);
        let room = self.f.konst(strsize as u64);
        let room = self.f.alu(AluOp::Sub, room, keep);
        let size = self.f.reg();
        self.f.copy_to(size, room);
        let cap = second.cap.min(strsize as u32) as i32;
        // The verifier does not see that the lengths add up to no more than `strsize`.
        self.slack(cap as u32);
        let fits = self.f.label();
        self.f.branch(JmpOp::Le, size, cap, fits);
        self.f.push(Inst::Const {
            d: size,
            v: cap as u64,
        });
        self.f.bind(fits);
        let from = self.address(second.base, second.off);
        let more = self.call(
            Helper::ProbeReadKernelStr,
            &[dst.into(), size.into(), from.into()],
        );
        self.fault_if(JmpOp::Gt, more, strsize, Fault::BadAddr, Some(from));
        let total = self.f.alu(AluOp::Add, keep, more);
        self.fault_if(JmpOp::Gt, total, strsize, Fault::NoScratch, None);
        Ok(total)
    }

    /// Writes a string zero-padded to `cap` bytes: a key.
    pub fn padded_string(&mut self, e: &Expr, base: V, off: i32, cap: u32) -> Result<()> {
        if matches!(
            e.kind,
            ExprKind::Builtin(Builtin::Execname | Builtin::Threadname)
        ) && cap >= COMM
        {
            if cap > COMM {
                self.zero(base, off + COMM as i32, cap - COMM);
            }
            self.comm_into(base, off, e.pos)?;
            return Ok(());
        }
        if let Some(text) = self.const_text(e) {
            let mut bytes = text;
            bytes.resize((bytes.len() + 1).next_multiple_of(8).min(cap as usize), 0);
            let rest = cap - bytes.len() as u32;
            self.zero(base, off + bytes.len() as i32, rest);
            for (n, word) in words(&bytes).enumerate() {
                let v = self.f.konst(word);
                self.f.store(base, off + 8 * n as i32, Width::DW, v);
            }
            return Ok(());
        }
        // What is not a plain read may leave scraps behind the NUL: evaluate first, then copy over zeros.
        let source = match &e.kind {
            ExprKind::StringOf { .. } | ExprKind::Call(Subr::Copyinstr, _) => None,
            _ => Some(self.str_ref(e)?),
        };
        self.zero(base, off, cap);
        match source {
            None => self.str_into(e, base, off).map(|_| ()),
            Some(s) => {
                self.copy_str(s, base, off);
                Ok(())
            }
        }
    }

    /// Assigns a string; gives where it now is.
    fn assign_str(&mut self, t: &LValue, value: &Expr) -> Result<StrRef> {
        let shift = self.shift(&t.indices)?;
        // To a buffer first: the value may read the target, and a fault must leave it whole.
        let s = self.str_ref(value)?;
        let null = matches!(value.kind, ExprKind::Int(0));
        match &t.kind {
            LValueKind::Var { id, offset } => {
                self.with_var(
                    *id,
                    *offset,
                    &mut |g, place| {
                        let at = g.place_address(place);
                        let at = g.shifted(at, shift);
                        g.copy_str(s, at, 0);
                        Ok(())
                    },
                    &mut |g| {
                        if !null {
                            g.drop_event(drops::Kind::Dynamic);
                        }
                        Ok(())
                    },
                )?;
            }
            LValueKind::Assoc {
                id,
                keys,
                offset: 0,
            } if self.p.assocs[id.0 as usize].ty == Ty::Str => {
                let key = self.assoc_key(*id, keys)?;
                if null {
                    let map = self.f.map(self.plan.assocs[id.0 as usize].map);
                    let args = vec![map.into(), key.into()];
                    self.f.push(Inst::Call {
                        d: None,
                        helper: Helper::MapDeleteElem,
                        args,
                    });
                } else {
                    let b = self.buffer();
                    self.copy_str(s, b.base, b.off);
                    let at = self.address(b.base, b.off);
                    self.assoc_update(*id, key, at);
                }
            }
            LValueKind::Assoc { id, keys, offset } => {
                let key = self.assoc_key(*id, keys)?;
                let place = self.assoc_place(*id, key)?;
                let place = self.shifted(place, shift);
                self.copy_str(s, place, *offset as i32);
            }
            LValueKind::Mem { .. } => {
                return stop(t.pos, "a string cannot be stored through a pointer");
            }
        }
        Ok(s)
    }

    /// Text of the probe that fires, from a table by probe.
    fn probe_text_ref(&mut self, field: ProbeField) -> StrRef {
        let texts: Vec<Vec<u8>> = self
            .p
            .probes
            .iter()
            .map(|e| {
                let mut t = probe_text(&e.probe, field).as_bytes().to_vec();
                t.truncate(self.strsize() as usize - 1);
                t
            })
            .collect();
        let stride = texts
            .iter()
            .map(|t| t.len() + 1)
            .max()
            .unwrap_or(1)
            .next_power_of_two()
            .max(8);
        let mut table = Vec::new();
        for t in &texts {
            table.extend_from_slice(t);
            table.resize(table.len().next_multiple_of(stride), 0);
            if t.is_empty() {
                table.resize(table.len() + stride, 0);
            }
        }
        let off = self.plan.rodata.put(&table);
        let base = self.f.map_value(self.plan.rodata_map, off);
        let at = match self.firing {
            Firing::Any(v) => {
                let n = self.bounded_probe(v, texts.len() as u32);
                let at = self.f.alu(AluOp::Lsh, n, stride.trailing_zeros() as i32);
                self.f.alu(AluOp::Add, base, at)
            }
            Firing::One(p) => self.address(base, (p as usize * stride) as i32),
        };
        StrRef {
            base: at,
            off: 0,
            cap: stride as u32,
        }
    }

    /// Jumps to `to` if the comparison of two strings is `when`.
    pub fn branch_strings(
        &mut self,
        op: BinOp,
        l: &Expr,
        r: &Expr,
        when: bool,
        to: L,
    ) -> Result<()> {
        let equality = matches!(op, BinOp::Eq | BinOp::Ne);
        let (lt, rt) = (self.const_text(l), self.const_text(r));
        if let (Some(a), Some(b)) = (&lt, &rt) {
            if string_result(op, a.cmp(b)) == when {
                self.f.jump(to);
                let after = self.f.label();
                self.f.bind(after);
            }
            return Ok(());
        }
        let want = when == (op == BinOp::Eq);
        match (equality, lt, rt) {
            (true, None, Some(t)) if t.len() < INLINE => self.branch_const(l, &t, want, to),
            (true, Some(t), None) if t.len() < INLINE => self.branch_const(r, &t, want, to),
            _ => {
                let (a, b) = self.pair_of_strings(l, r)?;
                let (pa, pb) = (self.address(a.base, a.off), self.address(b.base, b.off));
                let cap = a.cap.min(b.cap) as i32;
                let v = self.local(Local::Strcmp, &[pa.into(), pb.into(), Arg::Imm(cap)]);
                let op = crate::expr::compare_op(op, true).unwrap_or(JmpOp::Eq);
                self.f
                    .branch(if when { op } else { crate::expr::negate(op) }, v, 0, to);
                Ok(())
            }
        }
    }

    /// Equality with a constant: compares its bytes and NUL, word by word.
    fn branch_const(&mut self, e: &Expr, text: &[u8], equal: bool, to: L) -> Result<()> {
        let s = self.str_ref(e)?;
        let mut bytes = text.to_vec();
        bytes.push(0);
        if bytes.len() > s.cap as usize {
            // It cannot be that long.
            if !equal {
                self.f.jump(to);
                let after = self.f.label();
                self.f.bind(after);
            }
            return Ok(());
        }
        let differ = if equal { self.f.label() } else { to };
        let mut at = 0;
        while at < bytes.len() {
            let (width, n) = match bytes.len() - at {
                8.. => (Width::DW, 8),
                4..8 => (Width::W, 4),
                2..4 => (Width::H, 2),
                _ => (Width::B, 1),
            };
            let mut word = [0; 8];
            word[..n].copy_from_slice(&bytes[at..at + n]);
            let have = self.f.load(s.base, s.off + at as i32, width);
            let want = self.f.konst(u64::from_ne_bytes(word));
            self.f.branch(JmpOp::Ne, have, want, differ);
            at += n;
        }
        if equal {
            self.f.jump(to);
            self.f.bind(differ);
        }
        Ok(())
    }

    /// Calls a function of the run-time library.
    pub fn local(&mut self, func: Local, args: &[Arg]) -> V {
        let d = self.f.reg();
        self.f.push(Inst::CallLocal {
            d: Some(d),
            func: func as u32,
            args: args.to_vec(),
        });
        d
    }
}

/// Most bytes of a string, NUL included, where that is known to be less than `strsize`: what loops over it costs less to
/// verify.
fn longest(e: &Expr) -> Option<u32> {
    match &e.kind {
        ExprKind::StringOf { max: Some(n), .. } => Some(n + 1),
        ExprKind::Call(Subr::Lltostr, _) => Some(LLTOSTR),
        ExprKind::Call(Subr::Copyinstr, args) => match args.get(1)?.kind {
            ExprKind::Int(n) => u32::try_from(n.saturating_add(1)).ok(),
            _ => None,
        },
        _ => None,
    }
}

/// Little-endian words of bytes.
fn words(bytes: &[u8]) -> impl Iterator<Item = u64> + '_ {
    bytes.chunks(8).map(|c| {
        let mut w = [0; 8];
        w[..c.len()].copy_from_slice(c);
        u64::from_ne_bytes(w)
    })
}

/// The probe component a built-in names.
pub fn probe_field(b: Builtin) -> Option<ProbeField> {
    match b {
        Builtin::Probeprov => Some(ProbeField::Provider),
        Builtin::Probemod => Some(ProbeField::Module),
        Builtin::Probefunc => Some(ProbeField::Function),
        Builtin::Probename => Some(ProbeField::Name),
        _ => None,
    }
}

/// A component of a probe.
pub fn probe_text(p: &image::Probe, field: ProbeField) -> &str {
    match field {
        // The number of the process follows (`sema`).
        ProbeField::Provider => p.provider.trim_end_matches(image::EVERY),
        ProbeField::Module => &p.module,
        ProbeField::Function => &p.function,
        ProbeField::Name => &p.name,
    }
}

fn string_result(op: BinOp, o: std::cmp::Ordering) -> bool {
    match op {
        BinOp::Eq => o.is_eq(),
        BinOp::Ne => o.is_ne(),
        BinOp::Lt => o.is_lt(),
        BinOp::Le => o.is_le(),
        BinOp::Gt => o.is_gt(),
        _ => o.is_ge(),
    }
}

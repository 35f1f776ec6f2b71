//! Values that wait while others are computed: in registers or on the stack as long as few wait, else in scratch memory.
//!
//! A program has 512 bytes of stack, and `a + (b + (c + …` waits with every operand for the next. From the depth
//! [`AT_MOST`] on, what waits is put into scratch memory, so that the stack does not limit how deep an expression is.

use bpf::Width;
use ir::V;
use sema::hir::{Expr, ExprKind};

use crate::Result;
use crate::site::SiteGen;
use crate::strings::StrRef;

/// Values that wait in registers or on the stack.
const AT_MOST: u32 = 8;

/// A number that waits.
#[derive(Clone, Copy, Debug)]
pub enum Held {
    /// Where it was computed.
    Reg(V),
    /// At this offset in scratch.
    Scratch(i32),
}

/// Needs nothing but its result while it is computed.
fn simple(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Int(_) | ExprKind::Str(_))
}

impl SiteGen<'_> {
    /// So much waits already that more goes to scratch memory.
    pub fn deep(&self) -> bool {
        self.held >= AT_MOST
    }

    /// Keeps a number (no pointer) while `meanwhile` is computed. [`SiteGen::unhold`] must follow.
    pub fn hold(&mut self, v: V, meanwhile: &Expr) -> Held {
        self.hold_if(v, !simple(meanwhile))
    }

    /// As [`SiteGen::hold`] while something is computed that is simple or not.
    pub fn hold_if(&mut self, v: V, much: bool) -> Held {
        let deep = self.deep() && much;
        self.held += 1;
        if !deep {
            return Held::Reg(v);
        }
        let off = self.take(8) as i32;
        let scratch = self.scratch();
        self.f.store(scratch, off, Width::DW, v);
        Held::Scratch(off)
    }

    /// What was held last.
    pub fn unhold(&mut self, held: Held) -> V {
        self.held -= 1;
        self.value_of(held)
    }

    fn value_of(&mut self, held: Held) -> V {
        match held {
            Held::Reg(v) => v,
            Held::Scratch(off) => {
                let scratch = self.scratch();
                self.f.load(scratch, off, Width::DW)
            }
        }
    }

    /// Computes one number and then another.
    pub fn pair(&mut self, l: &Expr, r: &Expr) -> Result<(V, V)> {
        let x = self.int(l)?;
        let x = self.hold(x, r);
        let y = self.int(r)?;
        Ok((self.unhold(x), y))
    }

    /// A string that stays where it is while `meanwhile` is computed; [`SiteGen::unhold_str`] must follow. One whose
    /// address is not known from that of scratch memory is copied there if much waits.
    pub fn hold_str(&mut self, s: StrRef, meanwhile: &Expr) -> StrRef {
        let deep = self.deep() && !simple(meanwhile);
        self.held += 1;
        if !deep || s.base == self.scratch() {
            return s;
        }
        let b = self.buffer();
        self.copy_str(s, b.base, b.off);
        let cap = s.cap.min(b.cap);
        StrRef { cap, ..b }
    }

    /// Ends what [`SiteGen::hold_str`] began.
    pub fn unhold_str(&mut self) {
        self.held -= 1;
    }

    /// One string and then another.
    pub fn pair_of_strings(&mut self, l: &Expr, r: &Expr) -> Result<(StrRef, StrRef)> {
        let a = self.str_ref(l)?;
        let a = self.hold_str(a, r);
        let b = self.str_ref(r)?;
        self.unhold_str();
        Ok((a, b))
    }

    /// Where a value goes that more than one way leads to.
    pub fn place_for_result(&mut self) -> Held {
        if self.deep() {
            Held::Scratch(self.take(8) as i32)
        } else {
            Held::Reg(self.f.reg())
        }
    }

    /// Puts a number there.
    pub fn put(&mut self, d: Held, v: V) {
        match d {
            Held::Reg(d) => self.f.copy_to(d, v),
            Held::Scratch(off) => {
                let scratch = self.scratch();
                self.f.store(scratch, off, Width::DW, v);
            }
        }
    }

    /// The value of an expression, into a place made before. A chain of `?:` has one place for all its ways.
    pub fn int_to(&mut self, e: &Expr, d: Held) -> Result<()> {
        let ExprKind::Cond(c, t, f) = &e.kind else {
            let v = self.int(e)?;
            self.put(d, v);
            return Ok(());
        };
        let (other, done) = (self.f.label(), self.f.label());
        self.branch_false(c, other)?;
        self.held += 1;
        self.int_to(t, d)?;
        self.f.jump(done);
        self.f.bind(other);
        self.int_to(f, d)?;
        self.held -= 1;
        self.f.bind(done);
        Ok(())
    }

    /// `c ? t : f`.
    pub fn conditional(&mut self, e: &Expr) -> Result<V> {
        let d = self.place_for_result();
        self.int_to(e, d)?;
        Ok(self.value_of(d))
    }
}

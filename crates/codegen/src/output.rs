//! `copyout()`, `copyoutstr()`: writing to the memory of the traced process.

use bpf::{Helper, JmpOp};
use image::layout::Fault;
use ir::{Arg, V};
use sema::hir::Expr;

use crate::Result;
use crate::site::SiteGen;

impl SiteGen<'_> {
    /// `copyout(buf, uaddr, size)`
    pub fn copyout(&mut self, from: &Expr, to: &Expr, size: &Expr) -> Result<()> {
        let from = self.int(from)?;
        let to = self.int(to)?;
        // The kernel takes memory of ours only.
        let (off, n) = self.sized(size)?;
        let scratch = self.scratch();
        let at = self.address(scratch, off);
        let r = self.call(Helper::ProbeReadKernel, &[at.into(), n, from.into()]);
        self.fault_if(JmpOp::Ne, r, 0, Fault::BadAddr, Some(from));
        self.write_user(to, at, n);
        Ok(())
    }

    /// `copyoutstr(str, uaddr, maxlen)`: with its NUL, if that is among the first `maxlen` bytes.
    pub fn copyoutstr(&mut self, text: &Expr, to: &Expr, most: &Expr) -> Result<()> {
        let off = self.take(self.cap() + 8) as i32;
        let scratch = self.scratch();
        let len = self.str_into(text, scratch, off)?;
        let to = self.int(to)?;
        let most = self.int(most)?;
        let n = self.f.reg();
        let fits = self.f.label();
        self.f.copy_to(n, len);
        self.f.branch(JmpOp::Le, len, most, fits);
        self.f.copy_to(n, most);
        self.f.bind(fits);
        let n = self.bounded(n, self.strsize());
        let at = self.address(scratch, off);
        let none = self.f.label();
        self.f.branch(JmpOp::Eq, n, 0, none);
        self.write_user(to, at, n.into());
        self.f.bind(none);
        Ok(())
    }

    fn write_user(&mut self, to: V, from: V, n: Arg) {
        let r = self.call(Helper::ProbeWriteUser, &[to.into(), from.into(), n]);
        self.fault_if(JmpOp::Ne, r, 0, Fault::BadAddr, Some(to));
    }
}

//! The traced process: `copyout()`, `copyoutstr()`, `uregs[]`, `execargs`.

use bpf::{AluOp, Helper, JmpOp, Width};
use image::layout::Fault;
use ir::{Arg, Inst, V};
use sema::hir::{Expr, Pos};

use crate::rt::Local;
use crate::site::SiteGen;
use crate::strings::StrRef;
use crate::{Arch, Result, stop};

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

    /// `uregs[index]`
    pub fn user_register(&mut self, index: &Expr) -> Result<V> {
        let words = match self.target.arch {
            Arch::X86_64 => 21,
            Arch::Aarch64 => 34,
        };
        let index = self.int(index)?;
        self.fault_if(JmpOp::Ge, index, words, Fault::IllOp, None);
        let task = self.current_task();
        let regs = self.call(Helper::TaskPtRegs, &[task.into()]);
        let regs = self.launder(regs);
        let off = self.f.alu(AluOp::Lsh, index, 3);
        let from = self.f.alu(AluOp::Add, regs, off);
        self.kernel_word(from)
    }

    /// The word at a kernel address.
    pub fn kernel_word(&mut self, from: V) -> Result<V> {
        let slot = self.word_slot();
        let to = self.f.slot_addr(slot, 0);
        let r = self.call(
            Helper::ProbeReadKernel,
            &[to.into(), Arg::Imm(8), from.into()],
        );
        self.fault_if(JmpOp::Ne, r, 0, Fault::BadAddr, Some(from));
        Ok(self.f.load(slot, 0, Width::DW))
    }

    /// `execargs`: the arguments of the process with spaces between them, to `base + off`; the length with the NUL. A
    /// kernel thread has none.
    pub fn execargs(&mut self, pos: Pos, base: V, off: i32) -> Result<V> {
        let offset = |structure: &str, member: &str| {
            let found = self.target.facts.offset(structure, member);
            found.map_or_else(
                || {
                    stop(
                        pos,
                        format!("this kernel gives no type data (BTF) for {structure}.{member}"),
                    )
                },
                |o| Ok(i64::from(o)),
            )
        };
        let mm = offset("task_struct", "mm")?;
        let (first, last) = (
            offset("mm_struct", "arg_start")?,
            offset("mm_struct", "arg_end")?,
        );
        let most = self.strsize() - 1;
        let work = self.take(self.cap() + 8) as i32;
        let scratch = self.scratch();
        let text = self.address(scratch, work);
        self.f.store(scratch, work, Width::B, 0);
        let none = self.f.label();
        let task = self.current_task_number();
        let at = self.plus(task, mm);
        let mm = self.kernel_word(at)?;
        self.f.branch(JmpOp::Eq, mm, 0, none);
        let at = self.plus(mm, first);
        let start = self.kernel_word(at)?;
        let at = self.plus(mm, last);
        let end = self.kernel_word(at)?;
        let len = self.f.alu(AluOp::Sub, end, start);
        self.f.branch(JmpOp::Sle, len, 0, none);
        let size = self.bounded(len, most);
        let r = self.call(
            Helper::ProbeReadUser,
            &[text.into(), size.into(), start.into()],
        );
        self.fault_if(JmpOp::Ne, r, 0, Fault::BadAddr, Some(start));
        let size = self.bounded(len, most);
        let tail = self.f.alu(AluOp::Add, text, size);
        self.f.store(tail, 0, Width::B, 0);
        let size = self.bounded(len, most);
        self.f.push(Inst::CallLocal {
            d: None,
            func: Local::Spaces as u32,
            args: vec![text.into(), size.into(), Arg::Imm(self.cap() as i32)],
        });
        self.f.bind(none);
        Ok(self.copy_str(
            StrRef {
                base: scratch,
                off: work,
                cap: self.cap(),
            },
            base,
            off,
        ))
    }
}

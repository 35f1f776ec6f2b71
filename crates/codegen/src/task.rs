//! The current thread of a firing: the one that runs, or one that the site is about to make run.
//!
//! A thread that does not run yet has no stack here and its process's memory is not mapped: stacks are empty, and what reads
//! user memory or sends signals to "the current process" is a fault, never another thread's data.

use bpf::{AluOp, Helper, JmpOp, Width};
use image::Task;
use image::layout::Fault;
use ir::{Arg, Func, V};
use sema::hir::Pos;

use crate::Result;
use crate::site::SiteGen;
use crate::strings::COMM;

impl SiteGen<'_> {
    /// `struct task_struct *`, as the verifier knows it.
    pub fn current_task(&mut self) -> V {
        match self.task {
            Task::Current => self.call(Helper::GetCurrentTaskBtf, &[]),
            Task::Word(n) => self.f.load(Func::CTX, i32::from(n) * 8, Width::DW),
        }
    }

    /// Its address as a number.
    pub fn current_task_number(&mut self) -> V {
        match self.task {
            Task::Current => self.call(Helper::GetCurrentTask, &[]),
            Task::Word(_) => {
                let task = self.current_task();
                self.launder(task)
            }
        }
    }

    /// `pid`.
    pub fn process(&mut self, pos: Pos) -> Result<V> {
        match self.task {
            Task::Current => {
                let v = self.call(Helper::GetCurrentPidTgid, &[]);
                Ok(self.f.alu(AluOp::Rsh, v, 32))
            }
            Task::Word(_) => self.task_word("tgid", pos),
        }
    }

    /// `tid`.
    pub fn thread_id(&mut self, pos: Pos) -> Result<V> {
        match self.task {
            Task::Current => {
                let v = self.call(Helper::GetCurrentPidTgid, &[]);
                Ok(self.f.ext(v, 4, false))
            }
            Task::Word(_) => self.task_word("pid", pos),
        }
    }

    /// `uid`.
    pub fn user(&mut self, pos: Pos) -> Result<V> {
        match self.task {
            Task::Current => {
                let v = self.call(Helper::GetCurrentUidGid, &[]);
                Ok(self.f.ext(v, 4, false))
            }
            Task::Word(_) => self.credential("uid", pos),
        }
    }

    /// `gid`.
    pub fn user_group(&mut self, pos: Pos) -> Result<V> {
        match self.task {
            Task::Current => {
                let v = self.call(Helper::GetCurrentUidGid, &[]);
                Ok(self.f.alu(AluOp::Rsh, v, 32))
            }
            Task::Word(_) => self.credential("gid", pos),
        }
    }

    /// The thread's name to `at`.
    pub fn comm_of_task(&mut self, at: V, pos: Pos) -> Result<()> {
        let off = self.kernel_offset("comm", pos)?;
        let task = self.current_task_number();
        let from = self.plus(task, i64::from(off));
        self.call(
            Helper::ProbeReadKernel,
            &[at.into(), Arg::Imm(COMM as i32), from.into()],
        );
        Ok(())
    }

    /// Whether the current thread runs, and so has a stack.
    pub fn runs(&self) -> bool {
        self.task == Task::Current
    }

    /// A fault, unless the current thread runs.
    pub fn must_run(&mut self) {
        if !self.runs() {
            let no = self.f.konst(0);
            self.fault_if(JmpOp::Eq, no, 0, Fault::IllOp, None);
        }
    }

    fn task_word(&mut self, member: &str, pos: Pos) -> Result<V> {
        let off = self.kernel_offset(member, pos)?;
        let task = self.current_task();
        Ok(self.f.load(task, off, Width::W))
    }

    fn credential(&mut self, member: &str, pos: Pos) -> Result<V> {
        let cred = self.kernel_offset("cred", pos)?;
        let Some(off) = self.target.facts.offset("cred", member) else {
            let text = format!("this kernel gives no type data (BTF) for cred.{member}");
            return crate::stop(pos, text);
        };
        let task = self.current_task_number();
        let at = self.plus(task, i64::from(cred));
        let cred = self.kernel_word(at)?;
        let at = self.plus(cred, i64::from(off));
        let v = self.kernel_word(at)?;
        Ok(self.f.ext(v, 4, false))
    }
}

//! The current thread of a firing: the one that runs, or one that the site is about to make run.
//!
//! A thread that does not run yet has no stack here and its process's memory is not mapped: stacks are empty, and what reads
//! user memory or sends signals to "the current process" is a fault, never another thread's data.

use bpf::{AluOp, Helper, JmpOp, Width};
use image::Task;
use image::layout::Fault;
use ir::{Arg, Func, Inst, V};
use sema::hir::Pos;

use crate::site::SiteGen;
use crate::strings::COMM;
use crate::{Namespace, Result};

/// Where the process is among the pids of `struct signal_struct` (`PIDTYPE_TGID`, `linux/pid_types.h`).
const TGID: i64 = 1;

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
        if let Some(namespace) = self.target.facts.namespace() {
            let task = self.current_task_number();
            return self.process_number(task, namespace, pos);
        }
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
        if let Some(namespace) = self.target.facts.namespace() {
            let task = self.current_task_number();
            let off = self.kernel_offset("thread_pid", pos)?;
            let at = self.plus(task, i64::from(off));
            let pid = self.kernel_word(at)?;
            return self.number_in(pid, namespace, pos);
        }
        match self.task {
            Task::Current => {
                let v = self.call(Helper::GetCurrentPidTgid, &[]);
                Ok(self.f.ext(v, 4, false))
            }
            Task::Word(_) => self.task_word("pid", pos),
        }
    }

    /// `ppid`.
    pub fn parent(&mut self, pos: Pos) -> Result<V> {
        let parent = self.kernel_offset("real_parent", pos)?;
        let task = self.current_task();
        let parent = self.f.load(task, parent, Width::DW);
        let parent = self.launder(parent);
        if let Some(namespace) = self.target.facts.namespace() {
            return self.process_number(parent, namespace, pos);
        }
        let off = self.kernel_offset("tgid", pos)?;
        let at = self.plus(parent, i64::from(off));
        let word = self.kernel_word(at)?;
        Ok(self.f.ext(word, 4, false))
    }

    /// The number of the process of a `struct task_struct`.
    fn process_number(&mut self, task: V, namespace: Namespace, pos: Pos) -> Result<V> {
        let signal = self.member("task_struct", "signal", pos)?;
        let pids = self.member("signal_struct", "pids", pos)?;
        let at = self.plus(task, signal);
        let signal = self.kernel_word(at)?;
        let at = self.plus(signal, pids + TGID * 8);
        let pid = self.kernel_word(at)?;
        self.number_in(pid, namespace, pos)
    }

    /// The number that a `struct pid` has in a namespace; 0 if none, as for the kernel's own.
    fn number_in(&mut self, pid: V, namespace: Namespace, pos: Pos) -> Result<V> {
        let level = self.member("pid", "level", pos)?;
        let numbers = self.member("pid", "numbers", pos)?;
        let inode = self.member("pid_namespace", "ns.inum", pos)?;
        let (number, done) = (self.f.reg(), self.f.label());
        self.f.push(Inst::Const { d: number, v: 0 });
        self.f.branch(JmpOp::Eq, pid, 0, done);
        let at = self.plus(pid, level);
        let own = self.kernel_word(at)?;
        let own = self.f.ext(own, 4, false);
        self.f.branch(JmpOp::Lt, own, namespace.level as i32, done);
        // struct upid: the number, and a pointer to its namespace.
        let upid = numbers + 16 * i64::from(namespace.level);
        let at = self.plus(pid, upid + 8);
        let of = self.kernel_word(at)?;
        let at = self.plus(of, inode);
        let of = self.kernel_word(at)?;
        let of = self.f.ext(of, 4, false);
        let ours = self.f.konst(u64::from(namespace.inode));
        self.f.branch(JmpOp::Ne, of, ours, done);
        let at = self.plus(pid, upid);
        let found = self.kernel_word(at)?;
        let found = self.f.ext(found, 4, false);
        self.f.copy_to(number, found);
        self.f.bind(done);
        Ok(number)
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

//! Stacks: `stack()`, `ustack()` and their like, the variables that count or pick frames, and the word that says whose
//! user addresses are.

use bpf::{AluOp, Helper, JmpOp, Width};
use image::layout::{event, process};
use ir::{Arg, Func, Inst, V};

use sema::hir::Pos;

use crate::Result;
use crate::site::SiteGen;

/// `BPF_F_USER_STACK`.
const USER_STACK: i32 = 1 << 8;
/// Frames that the depth variables and `ucaller` can see.
const DEPTH: u32 = 127;

impl SiteGen<'_> {
    /// Walks a stack into memory at `dst`, which has room for `frames` words; what it does not fill is zeroed, also when
    /// it fails. Gives the bytes written or an error number.
    fn walk_stack(&mut self, user: bool, frames: u32, dst: V) -> V {
        if !self.runs() {
            self.zero(dst, 0, frames * 8);
            return self.f.konst(0);
        }
        let by_pointers = &mut |g: &mut Self| g.walk_pointers(user, frames, dst);
        if user && let Some(len) = self.unwind(frames, dst, by_pointers) {
            return len;
        }
        self.walk_pointers(user, frames, dst)
    }

    /// As the kernel walks it: user stacks by frame pointers.
    fn walk_pointers(&mut self, user: bool, frames: u32, dst: V) -> V {
        let size = (frames * 8) as i32;
        let flags = if user { USER_STACK } else { self.stack_skip() };
        let args = [
            Func::CTX.into(),
            dst.into(),
            Arg::Imm(size),
            Arg::Imm(flags),
        ];
        self.call(Helper::GetStack, &args)
    }

    /// The same; gives the bytes written, 0 if there is no stack (a kernel thread's user stack).
    fn stack_length(&mut self, user: bool, frames: u32, dst: V) -> V {
        let size = (frames * 8) as i32;
        let len = self.walk_stack(user, frames, dst);
        let d = self.f.reg();
        self.f.copy_to(d, len);
        let ok = self.f.label();
        self.f.branch(JmpOp::Le, d, size, ok);
        self.f.push(Inst::Const { d, v: 0 });
        self.f.bind(ok);
        d
    }

    /// A stack datum of the record under construction; for user stacks the process word comes first.
    pub fn record_stack(&mut self, user: bool, frames: u32, off: i32) -> Result<()> {
        let head: u32 = if user { 8 } else { 0 };
        let (base, at) = self.variable_end(frames * 8 + head);
        if user {
            self.process_into(base, at)?;
        }
        let dst = self.address(base, at + head as i32);
        let mut len = self.stack_length(user, frames, dst);
        if user {
            len = self.f.alu(AluOp::Add, len, head as i32);
        }
        self.grow_variable(off, len, frames * 8 + head);
        Ok(())
    }

    /// A stack as a key.
    pub fn stack_key(&mut self, user: bool, frames: u32, base: V, off: i32) -> Result<()> {
        let mut at = off;
        if user {
            self.process_into(base, at)?;
            at += 8;
        }
        let dst = self.address(base, at);
        self.walk_stack(user, frames, dst);
        Ok(())
    }

    /// A stack in temporary memory: its address and number of frames.
    pub fn stack_words(&mut self, user: bool) -> Result<(V, V)> {
        let off = self.take(DEPTH * 8) as i32;
        let scratch = self.scratch();
        let dst = self.address(scratch, off);
        let len = self.stack_length(user, DEPTH, dst);
        let depth = self.f.reg();
        let words = self.f.alu(AluOp::Rsh, len, 3);
        self.f.copy_to(depth, words);
        if user {
            self.without_last_zero(dst, depth);
        }
        Ok((dst, depth))
    }

    /// The walk of frame pointers may end with the 0 that the first frame has as its return address.
    fn without_last_zero(&mut self, at: V, depth: V) {
        let done = self.f.label();
        self.f.branch(JmpOp::Eq, depth, 0, done);
        let last = self.f.alu(AluOp::Sub, depth, 1);
        let last = self.bounded(last, DEPTH - 1);
        let off = self.f.alu(AluOp::Lsh, last, 3);
        let at = self.f.alu(AluOp::Add, at, off);
        let pc = self.f.load(at, 0, Width::DW);
        self.f.branch(JmpOp::Ne, pc, 0, done);
        self.f.copy_to(depth, last);
        self.f.bind(done);
    }

    /// `caller`, `ucaller`: the second frame of the stack, 0 if there is none.
    pub fn caller(&mut self, user: bool) -> Result<V> {
        let (at, depth) = self.stack_words(user)?;
        let d = self.f.reg();
        let none = self.f.label();
        self.f.push(Inst::Const { d, v: 0 });
        self.f.branch(JmpOp::Lt, depth, 2, none);
        let pc = self.f.load(at, 8, Width::DW);
        self.f.copy_to(d, pc);
        self.f.bind(none);
        Ok(d)
    }

    /// Stores the word that tells the process and its program apart from all others (`image::layout::process`). The
    /// first time that it is seen the consumer is told, so that it can look at the process while there is one.
    pub fn process_into(&mut self, base: V, off: i32) -> Result<()> {
        let pid = self.process(Pos::default())?;
        let Some(seen) = self.plan.sighted else {
            self.f.store(base, off, Width::DW, pid);
            return Ok(());
        };
        let word = self.process_word(pid);
        self.f.store(base, off, Width::DW, word);
        let known = self.f.label();
        let slot = self.f.alu(AluOp::Rsh, word, process::STAMP_SHIFT as i32);
        let slot = self.f.alu(AluOp::Xor, slot, pid);
        let slot = self.f.alu(AluOp::And, slot, (process::SLOTS - 1) as i32);
        let slot = self.f.alu(AluOp::Lsh, slot, 3);
        let table = self.f.map_value(seen, 0);
        let at = self.f.alu(AluOp::Add, table, slot);
        let last = self.f.load(at, 0, Width::DW);
        self.f.branch(JmpOp::Eq, last, word, known);
        self.f.store(at, 0, Width::DW, word);
        let now = self.time();
        let slot = self.event_slot();
        let kind = event::SIGHTED as i32;
        self.f.store(slot, event::KIND as i32, Width::W, kind);
        self.f.store(slot, event::ADDRESS as i32, Width::DW, word);
        self.f.store(slot, event::TIMESTAMP as i32, Width::DW, now);
        self.send_event(slot, Arg::Imm(crate::clause::FORCE_WAKEUP));
        self.f.bind(known);
        Ok(())
    }

    /// The number of the process with a stamp of its start and of how many programs it has run.
    fn process_word(&mut self, pid: V) -> V {
        let offset = |s, m| self.target.facts.offset(s, m).map(|o| o as i32);
        let (leader, start, execs) = (
            offset("task_struct", "group_leader"),
            offset("task_struct", "start_time"),
            offset("task_struct", "self_exec_id"),
        );
        let (Some(leader), Some(start), Some(execs)) = (leader, start, execs) else {
            return pid;
        };
        let task = self.current_task();
        let execs = self.f.load(task, execs, Width::W);
        let leader = self.f.load(task, leader, Width::DW);
        let start = self.f.load(leader, start, Width::DW);
        let start = self.f.alu(AluOp::Rsh, start, process::START_SHIFT as i32);
        let execs = self.f.alu(AluOp::Mul, execs, process::EXEC_FACTOR as i32);
        let stamp = self.f.alu(AluOp::Add, start, execs);
        let stamp = self.f.alu(AluOp::Lsh, stamp, process::STAMP_SHIFT as i32);
        self.f.alu(AluOp::Or, stamp, pid)
    }
}

//! `vtimestamp`: each thread's clock that goes while the thread is on a CPU.
//!
//! Thread storage has three words of it: ns run up to the last switch away from the thread; when it was last switched to, 0
//! while it is off the CPU (and before anything is known); when it was last switched away from. All are in the time of
//! firings, so that within one and from one to the next this clock never goes further than `timestamp` does.

use bpf::{AluOp, Helper, JmpOp, Width};
use image::ProgramKind;
use ir::{Arg, Func, Inst, V};

use crate::Result;
use crate::part::Open;
use crate::plan::Plan;
use crate::site::{Generated, Needs, SiteGen};

/// Bytes in thread storage.
pub const SIZE: u32 = 24;
const RAN: i32 = 0;
const SINCE: i32 = 8;
const UNTIL: i32 = 16;

impl SiteGen<'_> {
    /// On-CPU nanoseconds of the thread since it was first seen, at the time of the firing.
    pub fn vtimestamp(&mut self) -> Result<V> {
        let Some(off) = self.plan.vtime else {
            return crate::lower::internal("no clock planned");
        };
        let off = off as i32;
        let now = self.time();
        let thread = self.thread();
        let d = self.f.reg();
        let preemptible = self.site.site.is_user();
        self.if_present(
            thread,
            &mut |g| {
                let sum = g.f.load(thread, off + RAN, Width::DW);
                let since = g.f.load(thread, off + SINCE, Width::DW);
                let known = g.f.label();
                g.f.copy_to(d, sum);
                let started = g.f.reg();
                g.f.copy_to(started, since);
                g.f.branch(JmpOp::Ne, started, 0, known);
                // It runs: what began was not seen.
                g.f.store(thread, off + SINCE, Width::DW, now);
                g.f.copy_to(started, now);
                g.f.bind(known);
                let ran = g.f.alu(AluOp::Sub, now, started);
                if preemptible {
                    g.before_preemption(thread, off, now, ran);
                }
                let total = g.f.alu(AluOp::Add, d, ran);
                g.f.copy_to(d, total);
                Ok(())
            },
            &mut |g| g.absent(d),
        )?;
        Ok(d)
    }

    /// A thread that was switched away from and to since the firing began had not run as long as it has now.
    fn before_preemption(&mut self, thread: V, off: i32, now: V, ran: V) {
        let done = self.f.label();
        self.f.branch(JmpOp::Sge, ran, 0, done);
        let until = self.f.load(thread, off + UNTIL, Width::DW);
        let less = self.f.alu(AluOp::Sub, now, until);
        self.f.copy_to(ran, less);
        self.f.bind(done);
    }
}

/// The program that keeps the clocks, at each switch.
pub fn program(plan: &Plan, off: u32) -> Generated {
    let mut f = Func::new();
    let now = f.call(Helper::KtimeGetNs, &[]);
    for (word, incoming) in [(1, false), (2, true)] {
        let task = f.load(Func::CTX, word * 8, Width::DW);
        let map = f.map(plan.thread);
        let create = i32::from(incoming);
        let p = f.call(
            Helper::TaskStorageGet,
            &[map.into(), task.into(), Arg::Imm(0), Arg::Imm(create)],
        );
        let skip = f.label();
        f.branch(JmpOp::Eq, p, 0, skip);
        let base = off as i32;
        if incoming {
            f.store(p, base + SINCE, Width::DW, now);
        } else {
            let since = f.load(p, base + SINCE, Width::DW);
            f.branch(JmpOp::Eq, since, 0, skip);
            let ran = f.alu(AluOp::Sub, now, since);
            let sum = f.load(p, base + RAN, Width::DW);
            let sum = f.alu(AluOp::Add, sum, ran);
            f.store(p, base + RAN, Width::DW, sum);
            f.store(p, base + SINCE, Width::DW, 0);
            f.store(p, base + UNTIL, Width::DW, now);
        }
        f.bind(skip);
    }
    f.push(Inst::Exit);
    Generated {
        func: f,
        kind: ProgramKind::TpBtf,
        needs: Needs::default(),
        marks: Vec::new(),
        open: Open::default(),
    }
}

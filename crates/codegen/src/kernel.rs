//! What the kernel knows: open files, locks; `chill()`.

use bpf::{AluOp, Helper, JmpOp, Width};
use image::layout::Fault;
use ir::V;
use lang::Subr;
use sema::hir::{Expr, Pos};

use crate::rt::Local;
use crate::site::SiteGen;
use crate::{Result, stop};

/// Nanoseconds that a CPU may be held up in [`CHILL_INTERVAL`], as DTrace has it.
const CHILL_MOST: i32 = 500_000_000;
const CHILL_INTERVAL: i32 = 1_000_000_000;
/// Bits of a mutex's owner that are flags (`MUTEX_FLAGS`).
const MUTEX_FLAGS: i32 = 7;
/// Of a `struct rw_semaphore`'s count: a writer holds it; below the number of readers.
const WRITER: i32 = 1;
const READERS: i32 = 8;

impl SiteGen<'_> {
    pub fn member(&self, structure: &str, member: &str, pos: Pos) -> Result<i64> {
        match self.target.facts.offset(structure, member) {
            Some(offset) => Ok(i64::from(offset)),
            None => stop(
                pos,
                format!("this kernel gives no type data (BTF) for {structure}.{member}"),
            ),
        }
    }

    fn word(&mut self, base: V, structure: &str, member: &str, pos: Pos) -> Result<V> {
        let offset = self.member(structure, member, pos)?;
        let at = self.plus(base, offset);
        self.kernel_word(at)
    }

    /// `getf(fd)`: the process's open file, or 0.
    pub fn open_file(&mut self, fd: &Expr, pos: Pos) -> Result<V> {
        let fd = self.int(fd)?;
        let fd = self.f.ext(fd, 4, true);
        let d = self.f.reg();
        let none = self.f.label();
        self.f.push(ir::Inst::Const { d, v: 0 });
        let task = self.f.call(Helper::GetCurrentTask, &[]);
        let files = self.word(task, "task_struct", "files", pos)?;
        self.f.branch(JmpOp::Eq, files, 0, none);
        let table = self.word(files, "files_struct", "fdt", pos)?;
        let most = self.word(table, "fdtable", "max_fds", pos)?;
        let most = self.f.ext(most, 4, false);
        self.f.branch(JmpOp::Ge, fd, most, none);
        let list = self.word(table, "fdtable", "fd", pos)?;
        let at = self.f.alu(AluOp::Lsh, fd, 3);
        let at = self.f.alu(AluOp::Add, list, at);
        let file = self.kernel_word(at)?;
        self.f.copy_to(d, file);
        self.f.bind(none);
        Ok(d)
    }

    /// `mutex_owned()` and the other subroutines about locks.
    pub fn lock(&mut self, subr: Subr, lock: &Expr, pos: Pos) -> Result<V> {
        let at = self.int(lock)?;
        match subr {
            Subr::MutexOwner | Subr::MutexOwned => {
                let owner = self.word(at, "mutex", "owner", pos)?;
                let owner = self.f.alu(AluOp::And, owner, !MUTEX_FLAGS);
                if subr == Subr::MutexOwner {
                    return Ok(owner);
                }
                let me = self.f.call(Helper::GetCurrentTask, &[]);
                Ok(self.bit(JmpOp::Eq, owner, me.into()))
            }
            // Every mutex of Linux spins while its owner runs, and sleeps else.
            Subr::MutexTypeAdaptive => Ok(self.f.konst(1)),
            Subr::MutexTypeSpin => Ok(self.f.konst(0)),
            _ => {
                let count = self.word(at, "rw_semaphore", "count", pos)?;
                let writer = self.f.alu(AluOp::And, count, WRITER);
                if subr != Subr::RwReadHeld {
                    return Ok(writer);
                }
                // Without the sign, which is a flag.
                let readers = self.f.alu(AluOp::Lsh, count, 1);
                let readers = self.f.alu(AluOp::Rsh, readers, READERS + 1);
                Ok(self.bit(JmpOp::Ne, readers, 0.into()))
            }
        }
    }

    /// A comparison as 0 or 1.
    fn bit(&mut self, op: JmpOp, a: V, b: ir::Arg) -> V {
        let d = self.f.reg();
        let yes = self.f.label();
        self.f.push(ir::Inst::Const { d, v: 1 });
        self.f.branch(op, a, b, yes);
        self.f.push(ir::Inst::Const { d, v: 0 });
        self.f.bind(yes);
        d
    }

    /// `chill(ns)`: holds this CPU up; a fault if that is too much for a second.
    pub fn chill(&mut self, ns: &Expr) -> Result<()> {
        let Some(off) = self.plan.chill else {
            return crate::lower::internal("no budget planned");
        };
        let ns = self.int(ns)?;
        self.fault_if(JmpOp::Gt, ns, CHILL_MOST, Fault::IllOp, None);
        let cpu = self.cpu();
        let mask = self.plan.cpu_mask;
        let cpu = self.f.alu(AluOp::And, cpu, mask as i32);
        let at = self.f.alu(AluOp::Lsh, cpu, 4);
        let base = self.f.map_value(self.plan.globals, off);
        let budget = self.f.alu(AluOp::Add, base, at);
        let now = self.f.call(Helper::KtimeGetNs, &[]);
        let begun = self.f.load(budget, 0, Width::DW);
        let ago = self.f.alu(AluOp::Sub, now, begun);
        let same = self.f.label();
        self.f.branch(JmpOp::Le, ago, CHILL_INTERVAL, same);
        self.f.store(budget, 0, Width::DW, now);
        self.f.store(budget, 8, Width::DW, 0);
        self.f.bind(same);
        let used = self.f.load(budget, 8, Width::DW);
        let used = self.f.alu(AluOp::Add, used, ns);
        self.fault_if(JmpOp::Gt, used, CHILL_MOST, Fault::IllOp, None);
        self.f.store(budget, 8, Width::DW, used);
        let until = self.f.alu(AluOp::Add, now, ns);
        self.local(Local::Wait, &[until.into()]);
        Ok(())
    }
}

//! User stacks by tables: whether kernel and program allow it, its maps, and the call of the walk ([`rt::unwind`]).

use bpf::{AluOp, Helper, JmpOp};
use image::layout::{drops, unwind as layout};
use image::{MapDef, MapKind, MapRole};
use ir::{Arg, Inst, V};
use lang::Builtin;
use sema::hir::{ExprKind, Program, Ty};

use crate::plan::Plan;
use crate::rt::unwind as rt;
use crate::site::SiteGen;
use crate::{Arch, Target};
use sema::walk;

/// Files whose tables can be known. A process maps ten to some hundred files of code.
const FILES: u32 = 4096;

/// Adds the maps, if the program looks at user stacks and the kernel has what the walk reads; gives what it must know.
pub fn plan(p: &Program, target: &Target, plan: &mut Plan) -> Option<rt::Facts> {
    if !uses_user_stacks(p) {
        return None;
    }
    let at = |structure: &str, member: &str| target.facts.offset(structure, member);
    let vm_start = at("vm_area_struct", "vm_start")?;
    // They are read as one.
    if at("vm_area_struct", "vm_end")? != vm_start + 8 {
        return None;
    }
    let (arm, task_size) = match target.arch {
        Arch::X86_64 => (0, 0),
        Arch::Aarch64 => (1, at("mm_struct", "task_size")?),
    };
    let mut facts = rt::Facts {
        arm,
        page_shift: target.facts.page_shift(),
        task_size,
        files: 0,
        pool: 0,
        events: plan.events,
        mm: at("task_struct", "mm")?,
        root: at("mm_struct", "mm_mt.ma_root")?,
        vdso: at("mm_struct", "context.vdso")?,
        vm_start,
        vm_flags: at("vm_area_struct", "vm_flags")?,
        vm_pgoff: at("vm_area_struct", "vm_pgoff")?,
        vm_file: at("vm_area_struct", "vm_file")?,
        f_inode: at("file", "f_inode")?,
        i_ino: at("inode", "i_ino")?,
        i_size: at("inode", "i_size")?,
        i_sb: at("inode", "i_sb")?,
        s_dev: at("super_block", "s_dev")?,
        ..rt::Facts::default()
    };
    // Without, the walk ends at such functions.
    let _ = user_probes(&mut facts, &at);
    let map = |name: &str, role, kind, key_size, value_size, max_entries| MapDef {
        name: name.into(),
        role,
        kind,
        key_size,
        value_size,
        max_entries,
        mmap: false,
        init: Vec::new(),
    };
    facts.files = plan.add(map(
        "unwind_files",
        MapRole::UnwindFiles,
        MapKind::Hash,
        layout::KEY,
        layout::FILE,
        FILES,
    ));
    let chunk = u64::from(layout::ELEMENT) << layout::CHUNK_SHIFT;
    facts.pool = plan.add(map(
        "unwind_pool",
        MapRole::UnwindPool,
        MapKind::Chunks,
        4,
        layout::ELEMENT,
        p.limits.unwindsize.div_ceil(chunk).clamp(1, 1 << 14) as u32,
    ));
    Some(facts)
}

/// What must be known of functions whose return is probed: all or nothing.
fn user_probes(facts: &mut rt::Facts, at: &dyn Fn(&str, &str) -> Option<u32>) -> Option<()> {
    let with = rt::Facts {
        xol_area: at("mm_struct", "uprobes_state.xol_area")?,
        xol_vaddr: at("xol_area", "vaddr")?,
        utask: at("task_struct", "utask")?,
        returns: at("uprobe_task", "return_instances")?,
        return_stack: at("return_instance", "stack")?,
        return_address: at("return_instance", "orig_ret_vaddr")?,
        return_next: at("return_instance", "next")?,
        ..*facts
    };
    *facts = with;
    Some(())
}

fn uses_user_stacks(p: &Program) -> bool {
    let mut used = false;
    for c in &p.clauses {
        walk::clause(c, &mut |s| {
            if let walk::Seen::Expr(e) = s {
                used |= matches!(e.ty, Ty::Stack { user: true, .. })
                    || matches!(
                        e.kind,
                        ExprKind::Builtin(Builtin::Ucaller | Builtin::Ustackdepth)
                    );
            }
        });
    }
    used
}

impl SiteGen<'_> {
    /// Walks the user stack by tables into memory at `dst`, which has room for `frames` words and of which the rest
    /// becomes zero: the number of bytes; [`None`] where there are no tables, and `foreign` does what must be done for
    /// threads that are not in 64-bit user code.
    pub fn unwind(
        &mut self,
        frames: u32,
        dst: V,
        foreign: &mut dyn FnMut(&mut Self) -> V,
    ) -> Option<V> {
        self.plan.unwind?;
        let off = self.take(rt::SIZE) as i32;
        let scratch = self.scratch();
        let state = self.address(scratch, off);
        let (walked, d) = (self.f.reg(), self.f.reg());
        self.f.push(Inst::CallLocal {
            d: Some(walked),
            func: crate::rt::Local::Unwind as u32,
            args: vec![state.into()],
        });
        let (native, whole, done) = (self.f.label(), self.f.label(), self.f.label());
        self.f.branch(JmpOp::Ne, walked, rt::FOREIGN, native);
        let len = foreign(self);
        self.f.copy_to(d, len);
        self.f.jump(done);
        self.f.bind(native);
        let missing = self.f.alu(AluOp::And, walked, rt::INCOMPLETE);
        self.f.branch(JmpOp::Eq, missing, 0, whole);
        self.drop_event(drops::Kind::Unwind);
        self.f.bind(whole);
        let size = frames * 8;
        let zeros = self.plan.rodata.zeros(size);
        let zeros = self.f.map_value(self.plan.rodata_map, zeros);
        let args = [dst.into(), Arg::Imm(size as i32), zeros.into()];
        self.call(Helper::ProbeReadKernel, &args);
        let count = self.f.alu(AluOp::And, walked, rt::COUNT);
        let len = self.f.alu(AluOp::Lsh, count, 3);
        let len = self.bounded(len, size);
        let from = self.address(scratch, off + rt::FRAMES_AT as i32);
        self.call(
            Helper::ProbeReadKernel,
            &[dst.into(), len.into(), from.into()],
        );
        self.f.copy_to(d, len);
        self.f.bind(done);
        Some(d)
    }
}

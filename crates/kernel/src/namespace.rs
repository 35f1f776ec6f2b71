//! The pid namespace of this process: numbers of processes are different in each.

use std::os::fd::AsFd;

use bpf::{Helper, Insn, Reg, Width};
use sys::bpf::{ProgSpec, prog_load, prog_run, prog_type};

use crate::error::LoadError;
use crate::features::encode;

/// Inode of the first pid namespace (`PROC_PID_INIT_INO`, `linux/proc_ns.h`).
const FIRST: u32 = 0xefff_fffc;

/// Inode of this process's pid namespace; `None` if it is the first one, or nobody can tell.
pub fn inode() -> Option<u32> {
    let link = std::fs::read_link("/proc/self/ns/pid").ok()?;
    let digits = link.to_str()?.strip_prefix("pid:[")?.strip_suffix(']')?;
    digits.parse().ok().filter(|inode| *inode != FIRST)
}

/// How many namespaces this process's pid namespace is inside of. `pid`: byte offset of `thread_pid` in `struct
/// task_struct`; `level`: that of `level` in `struct pid`.
pub fn level(pid: u32, level: u32) -> Result<u32, LoadError> {
    let mut code = vec![Insn::call(Helper::GetCurrentTask.id())];
    // Each read leaves its result where the next one begins.
    for (offset, width) in [(pid, Width::DW), (level, Width::W)] {
        code.extend([
            Insn::mov(Reg::R3, Reg::R0),
            Insn::alu64(bpf::AluOp::Add, Reg::R3, offset as i32),
            Insn::mov(Reg::R1, Reg::R10),
            Insn::alu64(bpf::AluOp::Add, Reg::R1, -8),
            Insn::st(Width::DW, Reg::R10, -8, 0),
            Insn::mov(Reg::R2, width.bytes() as i32),
            Insn::call(Helper::ProbeReadKernel.id()),
            Insn::ldx(Width::DW, Reg::R0, Reg::R10, -8),
        ]);
    }
    code.push(Insn::exit());
    let code = encode(&code);
    let program = prog_load(
        &ProgSpec {
            kind: prog_type::RAW_TRACEPOINT,
            name: "dtrace_level",
            insns: &code,
            ..ProgSpec::default()
        },
        None,
    )?;
    Ok(prog_run(program.as_fd(), &[], None)?)
}

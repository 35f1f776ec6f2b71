//! Stops a held process at a place in its code, without touching its memory.
//!
//! A breakpoint written by ptrace would stay behind if the tracer died, and kill the process. So the place gets a probe
//! that sends the process a signal which does nothing unless somebody holds the process by ptrace: whoever does sees the
//! stop, and nobody else sees anything. The probe is gone with its descriptor.

use std::os::fd::{AsFd, OwnedFd};

use bpf::asm::Assembler;
use bpf::{Helper, Insn, Reg, Width};
use sys::bpf::{
    ATTACH_UPROBE_MULTI, Map, MapSpec, ProgSpec, Uprobes, link_uprobes, map_type, prog_load,
    prog_type,
};

use crate::error::{LoadError, bad_image};
use crate::features::features;

/// Ignored unless a process asks for it (`SIGURG`, on every architecture that we run on).
pub const SIGNAL: i32 = 23;
/// Words of `struct pt_regs` that are kept (x86-64; on others the first ones).
pub const WORDS: usize = 21;

/// A place where a held process stops.
#[derive(Debug)]
pub struct Stopper {
    // Order matters: the link goes before the program, the program before the map.
    _link: OwnedFd,
    _event: Option<OwnedFd>,
    _program: OwnedFd,
    registers: Map,
}

impl Stopper {
    /// At this byte of the file, in this process.
    pub fn at(path: &str, offset: u64, pid: u32) -> Result<Stopper, LoadError> {
        let size = (WORDS * 8) as u32;
        let registers = Map::create(
            &MapSpec {
                name: "registers",
                kind: map_type::ARRAY,
                key_size: 4,
                value_size: size,
                max_entries: 1,
                flags: 0,
                inner: None,
                btf: None,
            },
            1,
        )?;
        let many = features().uprobe_multi();
        let program = load(&registers, many)?;
        let (link, event) = if many {
            let points = Uprobes {
                path,
                offsets: &[offset],
                semaphores: &[],
                cookies: &[0],
                ret: false,
                pid: Some(pid),
            };
            (link_uprobes(program.as_fd(), &points)?, None)
        } else {
            single(&program, path, offset, pid)?
        };
        Ok(Stopper {
            _link: link,
            _event: event,
            _program: program,
            registers,
        })
    }

    /// The registers as they were before the instruction at the place ran.
    pub fn registers(&self) -> Option<[u64; WORDS]> {
        let mut bytes = [0; WORDS * 8];
        let found = self.registers.lookup(&0u32.to_ne_bytes(), &mut bytes);
        let words = bytes.as_chunks::<8>().0;
        let mut out = [0; WORDS];
        for (to, from) in out.iter_mut().zip(words) {
            *to = u64::from_ne_bytes(*from);
        }
        found.is_ok_and(|found| found).then_some(out)
    }
}

fn single(
    program: &OwnedFd,
    path: &str,
    offset: u64,
    pid: u32,
) -> Result<(OwnedFd, Option<OwnedFd>), LoadError> {
    let kind = sys::perf::uprobe_type().ok_or_else(|| LoadError::Unsupported {
        missing: "probes in user-space code (CONFIG_UPROBE_EVENTS)",
        detail: String::new(),
    })?;
    let event = sys::perf::uprobe(&sys::perf::Uprobe {
        kind,
        path,
        offset,
        semaphore: 0,
        ret: false,
        pid: Some(pid),
    })?;
    let link = sys::bpf::link_perf_event(program.as_fd(), event.as_fd(), 0)?;
    sys::perf::enable(event.as_fd())?;
    Ok((link, Some(event)))
}

/// Keeps the registers, sends the signal.
fn load(registers: &Map, many: bool) -> Result<OwnedFd, LoadError> {
    let mut asm: Assembler<()> = Assembler::new();
    asm.emit(Insn::mov(Reg::R6, Reg::R1));
    asm.ld_map_value(Reg::R7, 0, 0);
    for word in 0..WORDS as i16 {
        asm.emit(Insn::ldx(Width::DW, Reg::R1, Reg::R6, word * 8));
        asm.emit(Insn::stx(Width::DW, Reg::R7, word * 8, Reg::R1));
    }
    asm.emit(Insn::mov(Reg::R1, SIGNAL));
    asm.emit(Insn::call(Helper::SendSignal.id()));
    asm.emit(Insn::mov(Reg::R0, 0));
    asm.emit(Insn::exit());
    let done = asm.finish().map_err(|e| bad_image(e.to_string()))?;
    let mut insns = done.insns;
    for map in &done.maps {
        crate::load::patch_map(&mut insns, map.insn, map.value_off, registers)
            .ok_or_else(|| bad_image("stopper"))?;
    }
    let code = crate::load::bytes(&insns);
    let spec = ProgSpec {
        kind: prog_type::KPROBE,
        name: "dtrace_stop",
        insns: &code,
        attach_type: if many { ATTACH_UPROBE_MULTI } else { 0 },
        ..ProgSpec::default()
    };
    Ok(prog_load(&spec, None)?)
}

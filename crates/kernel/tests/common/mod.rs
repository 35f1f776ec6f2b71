//! Hand-assembled images for the live tests.
#![allow(dead_code, reason = "each test binary uses its own part of this")]

use std::error::Error;
use std::io::Write;

use bpf::asm::Assembler;
use bpf::{AluOp, Helper, Insn, JmpOp, Reg, Width};
use image::{Image, MapDef, MapKind, MapRole, ProgramDef, ProgramKind, Reloc, Site, layout};

/// Result of a test.
pub type Outcome = Result<(), Box<dyn Error>>;

/// Whether programs can be loaded here; says so if not.
pub fn live(test: &str) -> bool {
    let able = sys::proc::may_trace();
    if !able {
        say(&format!(
            "{test}: skipped: needs root (CAP_BPF and CAP_PERFMON)"
        ));
    }
    able
}

/// Says something on the standard error, past the test runner's capture: a skipped test must not look like a passed one.
pub fn say(text: &str) {
    let _nowhere_to_say_it = writeln!(std::io::stderr(), "{text}");
}

/// An array of one element, mapped into memory.
pub fn array(role: MapRole, value_size: u32) -> MapDef {
    MapDef {
        name: "t".into(),
        role,
        kind: MapKind::Array,
        key_size: 4,
        value_size,
        max_entries: 1,
        mmap: true,
        init: Vec::new(),
    }
}

/// The control map, the drop counters, then `more`.
pub fn maps(more: Vec<MapDef>) -> Vec<MapDef> {
    let drops = layout::drops::STRIDE * sys::proc::possible_cpus();
    let mut maps = vec![
        array(MapRole::Control, layout::control::SIZE),
        array(MapRole::Drops, drops),
    ];
    maps.extend(more);
    maps
}

/// Rings of `bytes` a CPU.
pub fn rings(bytes: u32) -> MapDef {
    MapDef {
        name: "rings".into(),
        role: MapRole::Rings,
        kind: MapKind::RingbufArray,
        key_size: 4,
        value_size: 4,
        max_entries: bytes,
        mmap: false,
        init: Vec::new(),
    }
}

/// Finishes a program.
pub fn program(
    asm: Assembler,
    site: Site,
    kind: ProgramKind,
) -> Result<ProgramDef, Box<dyn Error>> {
    let done = asm.finish()?;
    let relocs = done
        .maps
        .iter()
        .map(|m| Reloc {
            insn: m.insn,
            map: m.map,
            value_off: m.value_off,
        })
        .collect();
    Ok(ProgramDef {
        name: "t".into(),
        site,
        kind,
        insns: done.insns,
        relocs,
        functions: Vec::new(),
        lines: Vec::new(),
        clauses: Vec::new(),
        part: None,
        cost: 0,
        divisible: false,
        attachments: Vec::new(),
    })
}

/// An image of maps and programs.
pub fn image(maps: Vec<MapDef>, programs: Vec<ProgramDef>) -> Image {
    Image {
        maps,
        programs,
        strsize: 256,
        ..Image::default()
    }
}

/// Emits: return unless the gate is open.
pub fn gate(asm: &mut Assembler, out: bpf::asm::Label) {
    asm.ld_map_value(Reg::R1, 0, layout::control::GATE);
    asm.emit(Insn::ldx(Width::DW, Reg::R1, Reg::R1, 0));
    asm.jmp(JmpOp::Ne, Reg::R1, layout::control::GATE_OPEN as i32, out);
}

/// Emits: return unless this is the calling thread's system call `nr` (the context is in R6).
pub fn only_mine(asm: &mut Assembler, nr: libc::c_long, out: bpf::asm::Label) {
    let tid = tid();
    asm.emit(Insn::ldx(Width::DW, Reg::R1, Reg::R6, 8));
    asm.jmp(JmpOp::Ne, Reg::R1, nr as i32, out);
    asm.emit(Insn::call(Helper::GetCurrentPidTgid.id()));
    asm.jmp32(JmpOp::Ne, Reg::R0, tid as i32, out);
}

/// Emits: add one to the word at `offset` of map `map`.
pub fn count(asm: &mut Assembler, map: u32, offset: u32) {
    asm.ld_map_value(Reg::R1, map, offset);
    asm.emit(Insn::mov(Reg::R2, 1));
    asm.emit(Insn::atomic_add(Width::DW, Reg::R1, 0, Reg::R2));
}

/// Emits: return 0 at `out`.
pub fn end(asm: &mut Assembler, out: bpf::asm::Label) {
    asm.bind(out);
    asm.emit(Insn::mov(Reg::R0, 0));
    asm.emit(Insn::exit());
}

/// Emits: a record of 24 bytes (header and one word: a sequence number) on this CPU's ring (map `rings`), or a
/// counted drop. The sequence number is counted up in word 0 of map `globals`.
pub fn record(asm: &mut Assembler, rings: u32, globals: u32, out: bpf::asm::Label) {
    let lost = asm.label();
    asm.emit(Insn::call(Helper::GetSmpProcessorId.id()));
    asm.emit(Insn::mov(Reg::R7, Reg::R0));
    asm.emit(Insn::call(Helper::KtimeGetNs.id()));
    asm.emit(Insn::mov(Reg::R8, Reg::R0));
    asm.ld_map_value(Reg::R1, globals, 0);
    asm.emit(Insn::mov(Reg::R9, 1));
    asm.emit(Insn::fetch_add(Width::DW, Reg::R1, 0, Reg::R9));
    asm.emit(Insn::stx(Width::W, Reg::R10, -4, Reg::R7));
    asm.ld_map(Reg::R1, rings);
    asm.emit(Insn::mov(Reg::R2, Reg::R10));
    asm.emit(Insn::alu64(AluOp::Add, Reg::R2, -4));
    asm.emit(Insn::call(Helper::MapLookupElem.id()));
    asm.jmp(JmpOp::Eq, Reg::R0, 0, out);
    asm.emit(Insn::mov(Reg::R1, Reg::R0));
    asm.emit(Insn::mov(Reg::R2, 24));
    asm.emit(Insn::mov(Reg::R3, 0));
    asm.emit(Insn::call(Helper::RingbufReserve.id()));
    asm.jmp(JmpOp::Eq, Reg::R0, 0, lost);
    asm.emit(Insn::stx(Width::DW, Reg::R0, 0, Reg::R8));
    asm.emit(Insn::st(Width::DW, Reg::R0, 8, 0));
    asm.emit(Insn::stx(Width::DW, Reg::R0, 16, Reg::R9));
    asm.emit(Insn::mov(Reg::R1, Reg::R0));
    asm.emit(Insn::mov(Reg::R2, 1));
    asm.emit(Insn::call(Helper::RingbufSubmit.id()));
    asm.ja(out);
    asm.bind(lost);
    asm.emit(Insn::alu64(AluOp::And, Reg::R7, 63));
    asm.emit(Insn::alu64(
        AluOp::Mul,
        Reg::R7,
        layout::drops::STRIDE as i32,
    ));
    asm.ld_map_value(Reg::R1, 1, 0);
    let last = layout::drops::STRIDE * (sys::proc::possible_cpus() - 1);
    asm.jmp(JmpOp::Gt, Reg::R7, last as i32, out);
    asm.emit(Insn::alu64(AluOp::Add, Reg::R1, Reg::R7));
    asm.emit(Insn::mov(Reg::R2, 1));
    asm.emit(Insn::atomic_add(
        Width::DW,
        Reg::R1,
        layout::drops::Kind::Principal.offset() as i16,
        Reg::R2,
    ));
}

/// The word at `at` of a record.
pub fn word(bytes: &[u8], at: usize) -> u64 {
    bytes
        .get(at..at + 8)
        .and_then(|b| b.try_into().ok())
        .map_or(0, u64::from_ne_bytes)
}

/// Id of the calling thread.
pub fn tid() -> u32 {
    let link = std::fs::read_link("/proc/thread-self").unwrap_or_default();
    link.file_name()
        .and_then(|n| n.to_str())
        .and_then(|n| n.parse().ok())
        .unwrap_or(0)
}

/// Makes `n` system calls `getppid`.
pub fn getppid(n: usize) {
    for _ in 0..n {
        std::hint::black_box(std::os::unix::process::parent_id());
    }
}

/// Number of the system call `getppid`.
pub const GETPPID: libc::c_long = libc::SYS_getppid;

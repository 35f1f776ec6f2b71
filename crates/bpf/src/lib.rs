//! The BPF instruction set (CPU v3, Linux 5.15): encode, decode, assemble, disassemble, interpret; helper and map tables.
//!
//! Operators are rows of the tables in [`ops`], instruction forms are rows of the table in [`form`]; the encoder
//! ([`Insn`]'s constructors), the disassembler ([`disasm`]) and the interpreter ([`interp`]) are derived from those.
//! The layout of an instruction is that of `struct bpf_insn`; facts are from the kernel's UAPI headers and its
//! `Documentation/bpf/standardization/instruction-set.rst`.

pub mod asm;
mod build;
pub mod disasm;
pub mod form;
pub mod helpers;
pub mod interp;
pub mod kinds;
pub mod ops;

pub use disasm::disasm;
pub use form::Form;
pub use helpers::Helper;
pub use kinds::{AttachType, MapType, ProgType};
pub use ops::{AluOp, AtomicOp, JmpOp, Reg, Src, Width};

/// One instruction slot, as the kernel's `struct bpf_insn`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(C)]
pub struct Insn {
    /// Opcode.
    pub code: u8,
    /// Destination register in the low four bits, source register in the high four.
    pub regs: u8,
    /// Offset.
    pub off: i16,
    /// Immediate.
    pub imm: i32,
}

const _: () = assert!(size_of::<Insn>() == 8);

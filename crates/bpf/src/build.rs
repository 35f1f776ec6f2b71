//! Constructors of instructions, one for each row of the instruction table that the compiler emits.

use crate::{AluOp, AtomicOp, Insn, JmpOp, Reg, Src, Width};

/// Instruction classes (low three bits of the opcode).
pub(crate) mod class {
    pub const LD: u8 = 0x00;
    pub const LDX: u8 = 0x01;
    pub const ST: u8 = 0x02;
    pub const STX: u8 = 0x03;
    pub const ALU: u8 = 0x04;
    pub const JMP: u8 = 0x05;
    pub const JMP32: u8 = 0x06;
    pub const ALU64: u8 = 0x07;
}

/// `BPF_X`: the second operand is a register.
pub(crate) const SRC_REG: u8 = 0x08;
/// `BPF_MEM`: plain memory access.
pub(crate) const MODE_MEM: u8 = 0x60;
/// `BPF_ATOMIC`: atomic memory access.
pub(crate) const MODE_ATOMIC: u8 = 0xc0;
/// `BPF_END`: byte order conversion, in place of an [`AluOp`].
pub(crate) const OP_END: u8 = 0xd0;
/// `BPF_LD | BPF_IMM | BPF_DW`.
pub(crate) const LD_IMM64: u8 = class::LD | 0x18;

/// `BPF_PSEUDO_*`: what the immediate of an `ld_imm64` means, in its source register field.
pub(crate) mod pseudo {
    pub const MAP_FD: u8 = 1;
    pub const MAP_VALUE: u8 = 2;
    pub const FUNC: u8 = 4;
    /// In a call: the immediate is relative to this program.
    pub const CALL: u8 = 1;
}

impl Insn {
    const fn raw(code: u8, dst: u8, src: u8, off: i16, imm: i32) -> Insn {
        Insn {
            code,
            regs: dst | src << 4,
            off,
            imm,
        }
    }

    /// Number in the destination register field.
    pub const fn dst_num(self) -> u8 {
        self.regs & 0xf
    }

    /// Number in the source register field.
    pub const fn src_num(self) -> u8 {
        self.regs >> 4
    }

    const fn with_src(code: u8, dst: Reg, src: Src, off: i16) -> Insn {
        match src {
            Src::Reg(r) => Insn::raw(code | SRC_REG, dst.num(), r.num(), off, 0),
            Src::Imm(v) => Insn::raw(code, dst.num(), 0, off, v),
        }
    }

    /// `dst op= src` on 64 bits.
    pub fn alu64(op: AluOp, dst: Reg, src: impl Into<Src>) -> Insn {
        Insn::alu(class::ALU64, op, dst, src.into())
    }

    /// `dst op= src` on 32 bits; the high half of `dst` becomes zero.
    pub fn alu32(op: AluOp, dst: Reg, src: impl Into<Src>) -> Insn {
        Insn::alu(class::ALU, op, dst, src.into())
    }

    fn alu(class: u8, op: AluOp, dst: Reg, src: Src) -> Insn {
        match op {
            // The kernel demands that a negation's unused fields are zero.
            AluOp::Neg => Insn::raw(class | op.code(), dst.num(), 0, 0, 0),
            AluOp::Add
            | AluOp::Sub
            | AluOp::Mul
            | AluOp::Div
            | AluOp::Or
            | AluOp::And
            | AluOp::Lsh
            | AluOp::Rsh
            | AluOp::Mod
            | AluOp::Xor
            | AluOp::Mov
            | AluOp::Arsh => Insn::with_src(class | op.code(), dst, src, 0),
        }
    }

    /// `dst = src` on 64 bits.
    pub fn mov(dst: Reg, src: impl Into<Src>) -> Insn {
        Insn::alu64(AluOp::Mov, dst, src)
    }

    /// `dst = (u32)src`.
    pub fn mov32(dst: Reg, src: impl Into<Src>) -> Insn {
        Insn::alu32(AluOp::Mov, dst, src)
    }

    /// `dst = -dst` on 64 bits.
    pub fn neg(dst: Reg) -> Insn {
        Insn::alu64(AluOp::Neg, dst, Src::Imm(0))
    }

    /// `dst = htobeN(dst)` or `htoleN(dst)`; `bits` is 16, 32 or 64.
    pub const fn endian(to_be: bool, bits: i32, dst: Reg) -> Insn {
        let source = if to_be { SRC_REG } else { 0 };
        Insn::raw(class::ALU | OP_END | source, dst.num(), 0, 0, bits)
    }

    const fn ld_pseudo(dst: Reg, src: u8, low: i32, high: i32) -> [Insn; 2] {
        [
            Insn::raw(LD_IMM64, dst.num(), src, 0, low),
            Insn::raw(0, 0, 0, 0, high),
        ]
    }

    /// `dst = v`, two slots.
    pub const fn ld_imm64(dst: Reg, v: u64) -> [Insn; 2] {
        Insn::ld_pseudo(dst, 0, v as i32, (v >> 32) as i32)
    }

    /// `dst = &map`, two slots; the first immediate is to become the map's descriptor.
    pub const fn ld_map(dst: Reg) -> [Insn; 2] {
        Insn::ld_pseudo(dst, pseudo::MAP_FD, 0, 0)
    }

    /// `dst = &map[0] + off`, two slots; the first immediate is to become the map's descriptor.
    pub const fn ld_map_value(dst: Reg, off: u32) -> [Insn; 2] {
        Insn::ld_pseudo(dst, pseudo::MAP_VALUE, 0, off as i32)
    }

    /// `dst = &function`, two slots; `insn_off` counts slots from the one after the first slot.
    pub const fn ld_func(dst: Reg, insn_off: i32) -> [Insn; 2] {
        Insn::ld_pseudo(dst, pseudo::FUNC, insn_off, 0)
    }

    /// `dst = *(width *)(src + off)`, zero-extended.
    pub const fn ldx(width: Width, dst: Reg, src: Reg, off: i16) -> Insn {
        let code = class::LDX | MODE_MEM | width.code();
        Insn::raw(code, dst.num(), src.num(), off, 0)
    }

    /// `*(width *)(dst + off) = src`.
    pub const fn stx(width: Width, dst: Reg, off: i16, src: Reg) -> Insn {
        let code = class::STX | MODE_MEM | width.code();
        Insn::raw(code, dst.num(), src.num(), off, 0)
    }

    /// `*(width *)(dst + off) = imm`, sign-extended for eight bytes.
    pub const fn st(width: Width, dst: Reg, off: i16, imm: i32) -> Insn {
        let code = class::ST | MODE_MEM | width.code();
        Insn::raw(code, dst.num(), 0, off, imm)
    }

    /// An atomic operation on `*(width *)(dst + off)`; `width` is `W` or `DW`.
    pub const fn atomic(op: AtomicOp, width: Width, dst: Reg, off: i16, src: Reg) -> Insn {
        let code = class::STX | MODE_ATOMIC | width.code();
        Insn::raw(code, dst.num(), src.num(), off, op.code())
    }

    /// `lock *(width *)(dst + off) += src`.
    pub const fn atomic_add(width: Width, dst: Reg, off: i16, src: Reg) -> Insn {
        Insn::atomic(AtomicOp::Add, width, dst, off, src)
    }

    /// `src = fetch_add((width *)(dst + off), src)`.
    pub const fn fetch_add(width: Width, dst: Reg, off: i16, src: Reg) -> Insn {
        Insn::atomic(AtomicOp::FetchAdd, width, dst, off, src)
    }

    /// `src = fetch_or((width *)(dst + off), src)`.
    pub const fn fetch_or(width: Width, dst: Reg, off: i16, src: Reg) -> Insn {
        Insn::atomic(AtomicOp::FetchOr, width, dst, off, src)
    }

    /// `src = xchg((width *)(dst + off), src)`.
    pub const fn xchg(width: Width, dst: Reg, off: i16, src: Reg) -> Insn {
        Insn::atomic(AtomicOp::Xchg, width, dst, off, src)
    }

    /// `r0 = cmpxchg((width *)(dst + off), r0, src)`.
    pub const fn cmpxchg(width: Width, dst: Reg, off: i16, src: Reg) -> Insn {
        Insn::atomic(AtomicOp::Cmpxchg, width, dst, off, src)
    }

    /// `if dst op src goto off`, on 64 bits; `op` is a conditional one, `off` counts slots from the next.
    pub fn jmp(op: JmpOp, dst: Reg, src: impl Into<Src>, off: i16) -> Insn {
        Insn::with_src(class::JMP | op.code(), dst, src.into(), off)
    }

    /// As [`Insn::jmp`], comparing the low 32 bits.
    pub fn jmp32(op: JmpOp, dst: Reg, src: impl Into<Src>, off: i16) -> Insn {
        Insn::with_src(class::JMP32 | op.code(), dst, src.into(), off)
    }

    /// `goto off`.
    pub const fn ja(off: i16) -> Insn {
        Insn::raw(class::JMP | JmpOp::Ja.code(), 0, 0, off, 0)
    }

    /// Call of the helper with this id ([`crate::Helper::id`]).
    pub const fn call(helper: u32) -> Insn {
        Insn::raw(class::JMP | JmpOp::Call.code(), 0, 0, 0, helper as i32)
    }

    /// Call of a function of this program; `off` counts slots from the next.
    pub const fn call_local(off: i32) -> Insn {
        Insn::raw(class::JMP | JmpOp::Call.code(), 0, pseudo::CALL, 0, off)
    }

    /// Return.
    pub const fn exit() -> Insn {
        Insn::raw(class::JMP | JmpOp::Exit.code(), 0, 0, 0, 0)
    }
}

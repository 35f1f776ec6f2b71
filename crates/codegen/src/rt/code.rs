//! Short names for the instructions that the run-time library is written in.

use bpf::asm::{Assembler, Label};
use bpf::{AluOp, Helper, Insn, JmpOp, Reg, Src, Width};
use ir::Pos;

/// The assembler, seen from a function that is being written.
pub(super) struct Code<'a>(pub(super) &'a mut Assembler<Pos>);

impl Code<'_> {
    /// A label, not yet placed.
    pub(super) fn label(&mut self) -> Label {
        self.0.label()
    }

    /// Places a label here.
    pub(super) fn at(&mut self, label: Label) {
        self.0.bind(label);
    }

    /// A label that is here.
    pub(super) fn here(&mut self) -> Label {
        self.0.bind_new()
    }

    /// `d = v`
    pub(super) fn mov(&mut self, d: Reg, v: impl Into<Src>) {
        self.0.emit(Insn::mov(d, v));
    }

    /// `d op= v`
    pub(super) fn op(&mut self, op: AluOp, d: Reg, v: impl Into<Src>) {
        self.0.emit(Insn::alu64(op, d, v));
    }

    /// `d += v`
    pub(super) fn add(&mut self, d: Reg, v: impl Into<Src>) {
        self.op(AluOp::Add, d, v);
    }

    /// `d -= v`
    pub(super) fn sub(&mut self, d: Reg, v: impl Into<Src>) {
        self.op(AluOp::Sub, d, v);
    }

    /// `d = -d`
    pub(super) fn neg(&mut self, d: Reg) {
        self.0.emit(Insn::neg(d));
    }

    /// `d = 0` in a way that the verifier takes for any number: the difference of two pointers.
    pub(super) fn any_zero(&mut self, d: Reg) {
        self.mov(d, Reg::R10);
        self.sub(d, Reg::R10);
    }

    /// The verifier forgets what it knows of the number `d`. Uses `spare`.
    pub(super) fn forget(&mut self, d: Reg, spare: Reg) {
        self.any_zero(spare);
        self.add(d, spare);
    }

    /// `d = base + index`, an address.
    pub(super) fn addr(&mut self, d: Reg, base: Reg, index: Reg) {
        self.mov(d, base);
        self.add(d, index);
    }

    /// `d = *(u8 *)p`
    pub(super) fn ldb(&mut self, d: Reg, p: Reg) {
        self.0.emit(Insn::ldx(Width::B, d, p, 0));
    }

    /// `d = *(u64 *)(p + off)`
    pub(super) fn ld(&mut self, d: Reg, p: Reg, off: i16) {
        self.0.emit(Insn::ldx(Width::DW, d, p, off));
    }

    /// `*(u8 *)(p + off) = s`
    pub(super) fn stb(&mut self, p: Reg, off: i16, s: Reg) {
        self.0.emit(Insn::stx(Width::B, p, off, s));
    }

    /// `*(u8 *)(p + off) = v`
    pub(super) fn stb_imm(&mut self, p: Reg, off: i16, v: u8) {
        self.0.emit(Insn::st(Width::B, p, off, i32::from(v)));
    }

    /// `*(u64 *)(p + off) = s`
    pub(super) fn st(&mut self, p: Reg, off: i16, s: Reg) {
        self.0.emit(Insn::stx(Width::DW, p, off, s));
    }

    /// `*(u32 *)(p + off) = s`
    pub(super) fn stw(&mut self, p: Reg, off: i16, s: Reg) {
        self.0.emit(Insn::stx(Width::W, p, off, s));
    }

    /// `*(u64 *)(p + off) = v`
    pub(super) fn set(&mut self, p: Reg, off: i16, v: i32) {
        self.0.emit(Insn::st(Width::DW, p, off, v));
    }

    /// `R0 = helper(R1, …)`
    pub(super) fn call(&mut self, helper: Helper) {
        self.0.emit(Insn::call(helper.id()));
    }

    /// `if d op v goto to`
    pub(super) fn jmp(&mut self, op: JmpOp, d: Reg, v: impl Into<Src>, to: Label) {
        self.0.jmp(op, d, v, to);
    }

    /// `if !(d op v) goto out`, with the way out falling through: the verifier then follows that first, and holds no
    /// state for every iteration of a loop.
    pub(super) fn must(&mut self, op: JmpOp, d: Reg, v: impl Into<Src>, out: Label) {
        let on = self.label();
        self.jmp(op, d, v, on);
        self.ja(out);
        self.at(on);
    }

    /// A place where the verifier may see that it has been in this state: a jump to the next instruction, which the
    /// kernel removes.
    pub(super) fn join(&mut self) {
        self.0.emit(Insn::ja(0));
    }

    /// `goto to`
    pub(super) fn ja(&mut self, to: Label) {
        self.0.ja(to);
    }

    /// Returns R0.
    pub(super) fn exit(&mut self) {
        self.0.emit(Insn::exit());
    }
}

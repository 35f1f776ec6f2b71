//! The instruction table: every form of instruction, its operands, its encoding and its text, one row each.
//!
//! [`Form::decode`] is the one thing written apart, since it goes the other way; it accepts exactly what [`Form::encode`]
//! produces, so unused fields that are not zero are refused as the kernel refuses them.

use std::borrow::Cow;

use crate::build::{LD_IMM64, MODE_ATOMIC, MODE_MEM, OP_END, SRC_REG, class, pseudo};
use crate::helpers::Helper;
use crate::{AluOp, AtomicOp, Insn, JmpOp, Reg, Src, Width};

/// Names that an instruction alone does not hold, for its text.
pub trait Names {
    /// What a jump or a call over `distance` slots leads to.
    fn target(&self, distance: i64) -> String;

    /// The map that this `ld_imm64` holds, if it is known better than by its descriptor.
    fn map(&self) -> Option<Cow<'_, str>>;
}

/// Declares the forms: a row is a form, its operands, its encoding, and its text given `n`, a [`Names`].
macro_rules! forms {
    ($( $(#[$meta:meta])* $form:ident $({ $($field:ident : $ty:ty),* })? => [$($slot:expr),*], |$n:ident| $text:expr; )*) => {
        /// One instruction, decoded.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs, reason = "operands are named as in the form's text")]
        pub enum Form { $( $(#[$meta])* $form $({ $($field: $ty),* })?, )* }

        impl Form {
            /// Its slots.
            pub fn encode(self) -> Vec<Insn> {
                match self { $(Form::$form $({ $($field),* })? => forms!(@slots $($slot),*),)* }
            }

            /// Its text, in the style of the kernel verifier's listings.
            pub fn text(self, names: &dyn Names) -> String {
                match self { $(Form::$form $({ $($field),* })? => { let $n = names; let _ = $n; $text })* }
            }

            /// The names of all forms.
            pub const NAMES: &[&str] = &[$(stringify!($form)),*];

            /// The name of its row.
            pub const fn name(self) -> &'static str {
                match self { $(Form::$form $({ $($field: _),* })? => stringify!($form),)* }
            }
        }
    };
    (@slots $pair:expr) => { Vec::from($pair) };
}

forms! {
    /// `dst op= src` on 64 bits.
    Alu64 { op: AluOp, dst: Reg, src: Src } => [[Insn::alu64(op, dst, src)]], |_n| alu("r", op, dst, src);
    /// `dst op= src` on 32 bits, zero-extended.
    Alu32 { op: AluOp, dst: Reg, src: Src } => [[Insn::alu32(op, dst, src)]], |_n| alu("w", op, dst, src);
    /// Conversion of the low `bits` bits to big or little endian, zero-extended.
    Endian { to_be: bool, bits: i32, dst: Reg } => [[Insn::endian(to_be, bits, dst)]],
        |_n| format!("r{0} = {1}{bits} r{0}", dst.num(), if to_be { "be" } else { "le" });
    /// 64-bit constant.
    LdImm64 { dst: Reg, value: u64 } => [Insn::ld_imm64(dst, value)], |_n| format!("r{} = {value:#x} ll", dst.num());
    /// Address of a map.
    LdMap { dst: Reg, fd: i32 } => [with_imm(Insn::ld_map(dst), fd)], |n| format!("r{} = {}", dst.num(), map(n, fd));
    /// Address of a byte of the only value of a map.
    LdMapValue { dst: Reg, fd: i32, off: u32 } => [with_imm(Insn::ld_map_value(dst, off), fd)],
        |n| format!("r{} = {}[0] + {off}", dst.num(), map(n, fd));
    /// Address of a function of this program.
    LdFunc { dst: Reg, off: i32 } => [Insn::ld_func(dst, off)],
        |n| format!("r{} = func {}", dst.num(), n.target(i64::from(off)));
    /// Load, zero-extended.
    Ldx { width: Width, dst: Reg, src: Reg, off: i16 } => [[Insn::ldx(width, dst, src, off)]],
        |_n| format!("r{} = *{}", dst.num(), place(width, src, off));
    /// Store of a register.
    Stx { width: Width, dst: Reg, off: i16, src: Reg } => [[Insn::stx(width, dst, off, src)]],
        |_n| format!("*{} = r{}", place(width, dst, off), src.num());
    /// Store of a constant.
    St { width: Width, dst: Reg, off: i16, imm: i32 } => [[Insn::st(width, dst, off, imm)]],
        |_n| format!("*{} = {imm}", place(width, dst, off));
    /// Atomic operation on memory.
    Atomic { op: AtomicOp, width: Width, dst: Reg, off: i16, src: Reg } => [[Insn::atomic(op, width, dst, off, src)]],
        |_n| atomic(op, width, dst, off, src);
    /// Unconditional jump.
    Ja { off: i16 } => [[Insn::ja(off)]], |n| format!("goto {}", n.target(i64::from(off)));
    /// Jump if a comparison of 64 bits holds.
    Jmp64 { op: JmpOp, dst: Reg, src: Src, off: i16 } => [[Insn::jmp(op, dst, src, off)]],
        |n| cond("r", op, dst, src, &n.target(i64::from(off)));
    /// Jump if a comparison of 32 bits holds.
    Jmp32 { op: JmpOp, dst: Reg, src: Src, off: i16 } => [[Insn::jmp32(op, dst, src, off)]],
        |n| cond("w", op, dst, src, &n.target(i64::from(off)));
    /// Call of a helper.
    Call { helper: u32 } => [[Insn::call(helper)]],
        |_n| format!("call {}#{helper}", Helper::from_id(helper).map_or("unknown", Helper::name));
    /// Call of a function of this program.
    CallLocal { off: i32 } => [[Insn::call_local(off)]], |n| format!("call {}", n.target(i64::from(off)));
    /// Return.
    Exit => [[Insn::exit()]], |_n| "exit".to_owned();
}

fn with_imm(mut pair: [Insn; 2], imm: i32) -> [Insn; 2] {
    pair[0].imm = imm;
    pair
}

fn map(names: &dyn Names, fd: i32) -> String {
    match names.map() {
        Some(name) => format!("map[{name}]"),
        None => format!("map[fd:{fd}]"),
    }
}

fn operand(prefix: &str, src: Src) -> String {
    match src {
        Src::Reg(r) => format!("{prefix}{}", r.num()),
        Src::Imm(v) => v.to_string(),
    }
}

fn alu(prefix: &str, op: AluOp, dst: Reg, src: Src) -> String {
    let dst = dst.num();
    match op {
        AluOp::Neg => format!("{prefix}{dst} = -{prefix}{dst}"),
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
        | AluOp::Arsh => format!("{prefix}{dst} {} {}", op.symbol(), operand(prefix, src)),
    }
}

fn cond(prefix: &str, op: JmpOp, dst: Reg, src: Src, target: &str) -> String {
    let (dst, src) = (dst.num(), operand(prefix, src));
    format!("if {prefix}{dst} {} {src} goto {target}", op.symbol())
}

fn place(width: Width, base: Reg, off: i16) -> String {
    let (ty, base) = (width.c_type(), base.num());
    let sign = if off < 0 { '-' } else { '+' };
    format!("({ty} *)(r{base} {sign} {})", off.unsigned_abs())
}

fn atomic(op: AtomicOp, width: Width, dst: Reg, off: i16, src: Reg) -> String {
    let at = place(width, dst, off);
    let (src, suffix) = (src.num(), if width == Width::DW { "64" } else { "" });
    match op {
        AtomicOp::Add | AtomicOp::Or | AtomicOp::And | AtomicOp::Xor => {
            format!("lock *{at} {} r{src}", op.symbol())
        }
        AtomicOp::FetchAdd
        | AtomicOp::FetchOr
        | AtomicOp::FetchAnd
        | AtomicOp::FetchXor
        | AtomicOp::Xchg => format!("r{src} = atomic{suffix}_{}({at}, r{src})", op.symbol()),
        AtomicOp::Cmpxchg => format!("r0 = atomic{suffix}_{}({at}, r0, r{src})", op.symbol()),
    }
}

/// Not an instruction of this table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// No slot left.
    #[error("no instruction")]
    Empty,
    /// Unknown opcode, operand or immediate, or an unused field that is not zero.
    #[error("no such instruction: code {:#04x} regs {:#04x} off {} imm {:#x}", .0.code, .0.regs, .0.off, .0.imm)]
    Unknown(Insn),
    /// The second slot of a two-slot instruction is missing or is not one.
    #[error("second slot of a 64-bit load is missing")]
    Truncated,
}

impl Form {
    /// Decodes the first instruction; also gives the number of its slots (1 or 2).
    pub fn decode(insns: &[Insn]) -> Result<(Form, usize), DecodeError> {
        let first = *insns.first().ok_or(DecodeError::Empty)?;
        let form = if first.code == LD_IMM64 {
            let second = *insns.get(1).ok_or(DecodeError::Truncated)?;
            if second.code != 0 {
                return Err(DecodeError::Truncated);
            }
            decode_pair(first, second)
        } else {
            decode_single(first)
        };
        let form = form.ok_or(DecodeError::Unknown(first))?;
        let slots = form.encode();
        if insns.starts_with(&slots) {
            Ok((form, slots.len()))
        } else {
            Err(DecodeError::Unknown(first))
        }
    }
}

fn decode_pair(first: Insn, second: Insn) -> Option<Form> {
    let dst = Reg::from_num(first.dst_num())?;
    let (low, high) = (first.imm, second.imm);
    match first.src_num() {
        0 => {
            let value = u64::from(high as u32) << 32 | u64::from(low as u32);
            Some(Form::LdImm64 { dst, value })
        }
        pseudo::MAP_FD => Some(Form::LdMap { dst, fd: low }),
        pseudo::MAP_VALUE => {
            let off = high as u32;
            Some(Form::LdMapValue { dst, fd: low, off })
        }
        pseudo::FUNC => Some(Form::LdFunc { dst, off: low }),
        _ => None,
    }
}

fn decode_single(insn: Insn) -> Option<Form> {
    let dst = Reg::from_num(insn.dst_num())?;
    let reg = Reg::from_num(insn.src_num());
    let Insn { code, off, imm, .. } = insn;
    let src = if code & SRC_REG != 0 {
        Src::Reg(reg?)
    } else {
        Src::Imm(imm)
    };
    let width = Width::from_code(code);
    match code & 7 {
        class::ALU | class::ALU64 => decode_alu(code, dst, src, imm),
        class::JMP | class::JMP32 => decode_jmp(insn, dst, src),
        class::LDX if code & 0xe0 == MODE_MEM => {
            let src = reg?;
            Some(Form::Ldx {
                width,
                dst,
                src,
                off,
            })
        }
        class::ST if code & 0xe0 == MODE_MEM => Some(Form::St {
            width,
            dst,
            off,
            imm,
        }),
        class::STX if code & 0xe0 == MODE_MEM => {
            let src = reg?;
            Some(Form::Stx {
                width,
                dst,
                off,
                src,
            })
        }
        class::STX if code & 0xe0 == MODE_ATOMIC && width >= Width::W => {
            let (op, src) = (AtomicOp::from_code(imm)?, reg?);
            Some(Form::Atomic {
                op,
                width,
                dst,
                off,
                src,
            })
        }
        _ => None,
    }
}

fn decode_alu(code: u8, dst: Reg, src: Src, imm: i32) -> Option<Form> {
    let wide = code & 7 == class::ALU64;
    if code & 0xf0 == OP_END {
        let to_be = code & SRC_REG != 0;
        let known = !wide && matches!(imm, 16 | 32 | 64);
        return known.then_some(Form::Endian {
            to_be,
            bits: imm,
            dst,
        });
    }
    let op = AluOp::from_code(code & 0xf0)?;
    // A negation has no source, whatever the caller of the constructor gave.
    let src = if op == AluOp::Neg { Src::Imm(0) } else { src };
    Some(if wide {
        Form::Alu64 { op, dst, src }
    } else {
        Form::Alu32 { op, dst, src }
    })
}

fn decode_jmp(insn: Insn, dst: Reg, src: Src) -> Option<Form> {
    let Insn { code, off, imm, .. } = insn;
    let op = JmpOp::from_code(code & 0xf0)?;
    let wide = code & 7 == class::JMP;
    match op {
        JmpOp::Ja => wide.then_some(Form::Ja { off }),
        JmpOp::Exit => wide.then_some(Form::Exit),
        JmpOp::Call if !wide => None,
        JmpOp::Call => match insn.src_num() {
            0 => Some(Form::Call { helper: imm as u32 }),
            pseudo::CALL => Some(Form::CallLocal { off: imm }),
            _ => None,
        },
        JmpOp::Eq
        | JmpOp::Gt
        | JmpOp::Ge
        | JmpOp::Set
        | JmpOp::Ne
        | JmpOp::Sgt
        | JmpOp::Sge
        | JmpOp::Lt
        | JmpOp::Le
        | JmpOp::Slt
        | JmpOp::Sle => Some(if wide {
            Form::Jmp64 { op, dst, src, off }
        } else {
            Form::Jmp32 { op, dst, src, off }
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every combination of operators, widths and operand kinds of every row.
    fn every_form() -> Vec<Form> {
        let (dst, reg, off) = (Reg::R3, Reg::R10, -8);
        let srcs = [Src::Reg(reg), Src::Imm(-7)];
        let mut all = vec![
            Form::LdImm64 {
                dst,
                value: 0x8123_4567_89ab_cdef,
            },
            Form::LdMap { dst, fd: 5 },
            Form::LdMapValue {
                dst,
                fd: 5,
                off: 0x8000_0010,
            },
            Form::LdFunc { dst, off: -3 },
            Form::Ja { off: -2 },
            Form::Call { helper: 5 },
            Form::CallLocal { off: 100_000 },
            Form::Exit,
        ];
        for bits in [16, 32, 64] {
            all.extend([true, false].map(|to_be| Form::Endian { to_be, bits, dst }));
        }
        for &op in AluOp::ALL {
            for src in srcs {
                let src = if op == AluOp::Neg { Src::Imm(0) } else { src };
                all.extend([Form::Alu64 { op, dst, src }, Form::Alu32 { op, dst, src }]);
            }
        }
        for &op in JmpOp::ALL.iter().filter(|op| op.is_conditional()) {
            for src in srcs {
                all.extend([
                    Form::Jmp64 { op, dst, src, off },
                    Form::Jmp32 { op, dst, src, off },
                ]);
            }
        }
        for width in Width::ALL {
            all.push(Form::Ldx {
                width,
                dst,
                src: reg,
                off,
            });
            all.push(Form::Stx {
                width,
                dst,
                off,
                src: reg,
            });
            all.push(Form::St {
                width,
                dst,
                off,
                imm: i32::MIN,
            });
        }
        for &op in AtomicOp::ALL {
            for width in [Width::W, Width::DW] {
                all.push(Form::Atomic {
                    op,
                    width,
                    dst,
                    off,
                    src: reg,
                });
            }
        }
        all
    }

    #[test]
    fn round_trip_over_the_whole_table() {
        let all = every_form();
        for form in &all {
            let slots = form.encode();
            assert_eq!(Form::decode(&slots), Ok((*form, slots.len())), "{form:?}");
        }
        for name in Form::NAMES {
            assert!(all.iter().any(|f| f.name() == *name), "no sample of {name}");
        }
        for (i, a) in all.iter().enumerate() {
            let same = |b: &Form| a != b && a.encode() == b.encode();
            assert!(!all[i + 1..].iter().any(same), "{a:?} is encoded twice");
        }
    }

    #[test]
    fn decoding_is_the_inverse_for_every_opcode() {
        let mut known = 0;
        for code in 0..=255u8 {
            for (regs, imm) in [(0x21, 0), (0x01, 0), (0x01, 16), (0x21, 0xe1), (0xb1, 1)] {
                let first = Insn {
                    code,
                    regs,
                    off: 0,
                    imm,
                };
                let pair = [first, Insn::default()];
                if let Ok((form, n)) = Form::decode(&pair) {
                    assert_eq!(form.encode(), pair[..n]);
                    known += 1;
                }
            }
        }
        assert!(known > 150, "{known}");
    }

    #[test]
    fn encodings_are_the_kernels() {
        let bytes = |i: Insn| (i.code, i.regs, i.off, i.imm);
        assert_eq!(bytes(Insn::mov(Reg::R1, Reg::R2)), (0xbf, 0x21, 0, 0));
        assert_eq!(bytes(Insn::mov(Reg::R0, 1)), (0xb7, 0, 0, 1));
        assert_eq!(bytes(Insn::mov32(Reg::R1, Reg::R2)), (0xbc, 0x21, 0, 0));
        assert_eq!(
            bytes(Insn::ldx(Width::DW, Reg::R1, Reg::R6, 16)),
            (0x79, 0x61, 16, 0)
        );
        assert_eq!(
            bytes(Insn::stx(Width::W, Reg::R10, -4, Reg::R1)),
            (0x63, 0x1a, -4, 0)
        );
        assert_eq!(
            bytes(Insn::st(Width::DW, Reg::R10, -8, 0)),
            (0x7a, 0x0a, -8, 0)
        );
        assert_eq!(
            bytes(Insn::atomic_add(Width::DW, Reg::R0, 0, Reg::R1)),
            (0xdb, 0x10, 0, 0)
        );
        assert_eq!(bytes(Insn::jmp(JmpOp::Eq, Reg::R0, 0, 3)), (0x15, 0, 3, 0));
        assert_eq!(
            bytes(Insn::jmp32(JmpOp::Slt, Reg::R0, Reg::R1, 3)),
            (0xce, 0x10, 3, 0)
        );
        assert_eq!(bytes(Insn::call(5)), (0x85, 0, 0, 5));
        assert_eq!(bytes(Insn::call_local(5)), (0x85, 0x10, 0, 5));
        assert_eq!(bytes(Insn::exit()), (0x95, 0, 0, 0));
        assert_eq!(bytes(Insn::endian(true, 16, Reg::R1)), (0xdc, 1, 0, 16));
        assert_eq!(bytes(Insn::ld_imm64(Reg::R1, 1)[0]), (0x18, 1, 0, 1));
    }

    #[test]
    fn refuses_what_the_kernel_refuses() {
        let bad = [
            Insn {
                code: 0x95,
                regs: 0,
                off: 1,
                imm: 0,
            },
            Insn {
                code: 0xbf,
                regs: 0x21,
                off: 0,
                imm: 7,
            },
            Insn {
                code: 0xbf,
                regs: 0xb1,
                off: 0,
                imm: 0,
            },
            Insn {
                code: 0xbf,
                regs: 0x2c,
                off: 0,
                imm: 0,
            },
            Insn {
                code: 0xd3,
                regs: 0x21,
                off: 0,
                imm: 0,
            },
            Insn {
                code: 0x06,
                regs: 0,
                off: 1,
                imm: 0,
            },
            Insn {
                code: 0xdc,
                regs: 1,
                off: 0,
                imm: 8,
            },
        ];
        for insn in bad {
            assert_eq!(Form::decode(&[insn]), Err(DecodeError::Unknown(insn)));
        }
        assert_eq!(Form::decode(&[]), Err(DecodeError::Empty));
        let half = Insn::ld_imm64(Reg::R1, 1)[0];
        assert_eq!(Form::decode(&[half]), Err(DecodeError::Truncated));
        assert_eq!(
            Form::decode(&[half, Insn::exit()]),
            Err(DecodeError::Truncated)
        );
    }
}

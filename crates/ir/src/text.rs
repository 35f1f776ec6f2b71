//! Text form, for `--dump=ir` and golden tests.

use std::fmt::{self, Display, Formatter, Write as _};

use bpf::{AluOp, Width};

use crate::{Arg, Base, Func, Inst, L, Slot, V};

impl Display for V {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "v{}", self.0)
    }
}

impl Display for L {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "L{}", self.0)
    }
}

impl Display for Slot {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "slot{}", self.0)
    }
}

impl Display for Arg {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Arg::V(v) => write!(f, "{v}"),
            Arg::Imm(i) => write!(f, "{i}"),
        }
    }
}

impl Display for Base {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Base::V(v) => write!(f, "{v}"),
            Base::Slot(s) => write!(f, "{s}"),
        }
    }
}

fn place(base: &Base, off: i32, width: Width) -> String {
    format!("u{}[{base}{off:+}]", width.bytes() * 8)
}

fn args(list: &[Arg]) -> String {
    list.iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(", ")
}

fn defines(d: &Option<V>) -> String {
    d.map_or_else(String::new, |d| format!("{d} = "))
}

impl Display for Inst {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Inst::Const { d, v } => write!(f, "{d} = {v:#x}"),
            Inst::Copy { d, s } => write!(f, "{d} = {s}"),
            Inst::Alu {
                d,
                op: AluOp::Neg,
                a,
                ..
            } => write!(f, "{d} = -{a}"),
            Inst::Alu { d, op, a, b, wide } => {
                write!(
                    f,
                    "{d} = {a} {} {b}{}",
                    op.symbol().trim_end_matches('='),
                    if *wide { "" } else { " (32)" }
                )
            }
            Inst::Ext {
                d,
                s,
                bytes,
                signed,
            } => {
                write!(
                    f,
                    "{d} = {}ext{} {s}",
                    if *signed { "s" } else { "z" },
                    bytes * 8
                )
            }
            Inst::Swap { d, s, bits } => write!(f, "{d} = swap{bits} {s}"),
            Inst::Load {
                d,
                base,
                off,
                width,
            } => write!(f, "{d} = {}", place(base, *off, *width)),
            Inst::Store {
                base,
                off,
                width,
                src,
            } => write!(f, "{} = {src}", place(base, *off, *width)),
            Inst::AtomicAdd { base, off, src } => {
                write!(f, "atomic {} += {src}", place(base, *off, Width::DW))
            }
            Inst::FetchAdd { d, base, off, src } => {
                write!(f, "{d} = fetch_add {}, {src}", place(base, *off, Width::DW))
            }
            Inst::StackAddr { d, slot, off } => write!(f, "{d} = &{slot}{off:+}"),
            Inst::Map { d, map } => write!(f, "{d} = map {map}"),
            Inst::MapValue { d, map, off } => write!(f, "{d} = map {map}[0]{:+}", i64::from(*off)),
            Inst::Call { d, helper, args: a } => {
                write!(f, "{}{}({})", defines(d), helper.name(), args(a))
            }
            Inst::CallLocal { d, func, args: a } => {
                write!(f, "{}local{func}({})", defines(d), args(a))
            }
            Inst::Pc { d } => write!(f, "{d} = pc"),
            Inst::Label(l) => write!(f, "{l}:"),
            Inst::Jump(l) => write!(f, "goto {l}"),
            Inst::Branch { op, a, b, to } => write!(f, "if {a} {} {b} goto {to}", op.symbol()),
            Inst::Exit => write!(f, "exit"),
            Inst::Note(p) => write!(f, "; clause {} line {} column {}", p.clause, p.line, p.col),
        }
    }
}

/// The whole program, one instruction a line.
pub fn dump(f: &Func) -> String {
    let mut out = String::new();
    for inst in &f.insts {
        let indent = if matches!(inst, Inst::Label(_)) {
            ""
        } else {
            "    "
        };
        let _ = writeln!(out, "{indent}{inst}");
    }
    out
}

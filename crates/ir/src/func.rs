//! Instructions, virtual registers and the builder.

use bpf::{AluOp, Helper, JmpOp, Width};

/// A virtual register: 64 bits. May be defined more than once (on the two sides of a branch).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct V(pub u32);

/// A label.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct L(pub u32);

/// A piece of the stack frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Slot(pub u32);

/// An operand: register or sign-extended 32-bit constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arg {
    /// Register.
    V(V),
    /// Constant.
    Imm(i32),
}

impl From<V> for Arg {
    fn from(v: V) -> Arg {
        Arg::V(v)
    }
}

impl From<i32> for Arg {
    fn from(v: i32) -> Arg {
        Arg::Imm(v)
    }
}

/// Base of a memory access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Base {
    /// Address in a register.
    V(V),
    /// The stack frame.
    Slot(Slot),
}

impl From<V> for Base {
    fn from(v: V) -> Base {
        Base::V(v)
    }
}

impl From<Slot> for Base {
    fn from(s: Slot) -> Base {
        Base::Slot(s)
    }
}

/// A source position: clause index, line, column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pos {
    /// Clause index.
    pub clause: u32,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub col: u32,
}

/// One instruction.
#[derive(Clone, Debug, PartialEq)]
#[expect(
    missing_docs,
    reason = "fields: d destination, s source, a and b operands"
)]
pub enum Inst {
    /// `d = v`
    Const { d: V, v: u64 },
    /// `d = s`
    Copy { d: V, s: V },
    /// `d = a op b`, on 64 bits or (zero-extended) on 32.
    Alu {
        d: V,
        op: AluOp,
        a: V,
        b: Arg,
        wide: bool,
    },
    /// `d = ` low `bytes` bytes of `s`, extended.
    Ext { d: V, s: V, bytes: u8, signed: bool },
    /// `d = ` low `bits` bits of `s` in the other byte order, zero-extended (host is little endian).
    Swap { d: V, s: V, bits: u8 },
    /// `d = *(base + off)`, zero-extended.
    Load {
        d: V,
        base: Base,
        off: i32,
        width: Width,
    },
    /// `*(base + off) = src`
    Store {
        base: Base,
        off: i32,
        width: Width,
        src: Arg,
    },
    /// `*(u64 *)(base + off) += src`, atomically.
    AtomicAdd { base: Base, off: i32, src: V },
    /// `d = old *(u64 *)(base + off)`, which becomes `old + src`, atomically.
    FetchAdd { d: V, base: Base, off: i32, src: V },
    /// `d = &slot + off`
    StackAddr { d: V, slot: Slot, off: i32 },
    /// `d = ` the map.
    Map { d: V, map: u32 },
    /// `d = ` address of byte `off` of the map's only value.
    MapValue { d: V, map: u32, off: u32 },
    /// `d = helper(args)`
    Call {
        d: Option<V>,
        helper: Helper,
        args: Vec<Arg>,
    },
    /// `d = function(args)`: `func` is an index into the local functions of the program.
    CallLocal {
        d: Option<V>,
        func: u32,
        args: Vec<Arg>,
    },
    /// `d = ` index of this very instruction in the finished program.
    Pc { d: V },
    /// A place.
    Label(L),
    /// `goto to`
    Jump(L),
    /// `if a op b goto to`
    Branch { op: JmpOp, a: V, b: Arg, to: L },
    /// End of the program (returns 0).
    Exit,
    /// The following instructions come from here.
    Note(Pos),
}

/// The register an instruction defines, by reference; `$option` is `as_ref` or `as_mut`, as `$inst` is.
macro_rules! defined {
    ($inst:expr, $option:ident) => {
        match $inst {
            Inst::Const { d, .. }
            | Inst::Copy { d, .. }
            | Inst::Alu { d, .. }
            | Inst::Ext { d, .. }
            | Inst::Swap { d, .. }
            | Inst::Load { d, .. }
            | Inst::FetchAdd { d, .. }
            | Inst::StackAddr { d, .. }
            | Inst::Map { d, .. }
            | Inst::MapValue { d, .. }
            | Inst::Pc { d } => Some(d),
            Inst::Call { d, .. } | Inst::CallLocal { d, .. } => d.$option(),
            Inst::Store { .. }
            | Inst::AtomicAdd { .. }
            | Inst::Label(_)
            | Inst::Jump(_)
            | Inst::Branch { .. }
            | Inst::Exit
            | Inst::Note(_) => None,
        }
    };
}

/// Calls `$f` on each operand register of `$inst`, by the kind of reference that `$inst` is.
macro_rules! operands {
    ($inst:expr, $f:expr) => {
        match $inst {
            Inst::Copy { s, .. } | Inst::Ext { s, .. } | Inst::Swap { s, .. } => $f(s),
            Inst::Alu { a, b, .. } | Inst::Branch { a, b, .. } => {
                $f(a);
                if let Arg::V(v) = b {
                    $f(v);
                }
            }
            Inst::Load { base, .. } => {
                if let Base::V(v) = base {
                    $f(v);
                }
            }
            Inst::Store { base, src, .. } => {
                if let Base::V(v) = base {
                    $f(v);
                }
                if let Arg::V(v) = src {
                    $f(v);
                }
            }
            Inst::AtomicAdd { base, src, .. } | Inst::FetchAdd { base, src, .. } => {
                if let Base::V(v) = base {
                    $f(v);
                }
                $f(src);
            }
            Inst::Call { args, .. } | Inst::CallLocal { args, .. } => {
                for arg in args {
                    if let Arg::V(v) = arg {
                        $f(v);
                    }
                }
            }
            Inst::Const { .. }
            | Inst::StackAddr { .. }
            | Inst::Map { .. }
            | Inst::MapValue { .. }
            | Inst::Pc { .. }
            | Inst::Label(_)
            | Inst::Jump(_)
            | Inst::Exit
            | Inst::Note(_) => {}
        }
    };
}

impl Inst {
    /// The register it defines.
    pub fn def(&self) -> Option<V> {
        defined!(self, as_ref).copied()
    }

    /// The register it defines, to be replaced.
    pub fn def_mut(&mut self) -> Option<&mut V> {
        defined!(self, as_mut)
    }

    /// Calls `f` on every operand register, which it may replace.
    pub fn uses_mut(&mut self, f: &mut dyn FnMut(&mut V)) {
        operands!(self, f);
    }

    /// Calls `f` on every operand register.
    pub fn uses(&self, f: &mut dyn FnMut(V)) {
        let mut each = |v: &V| f(*v);
        operands!(self, each);
    }

    /// It does nothing but define its register, so it can go if that is never used.
    pub fn is_pure(&self) -> bool {
        match self {
            Inst::Const { .. }
            | Inst::Copy { .. }
            | Inst::Alu { .. }
            | Inst::Ext { .. }
            | Inst::Swap { .. }
            | Inst::Load { .. }
            | Inst::StackAddr { .. }
            | Inst::Map { .. }
            | Inst::MapValue { .. }
            | Inst::Pc { .. } => true,
            Inst::Call { helper, .. } => is_pure_helper(*helper),
            Inst::CallLocal { .. }
            | Inst::Store { .. }
            | Inst::AtomicAdd { .. }
            | Inst::FetchAdd { .. }
            | Inst::Label(_)
            | Inst::Jump(_)
            | Inst::Branch { .. }
            | Inst::Exit
            | Inst::Note(_) => false,
        }
    }

    /// It is a call, which destroys R0-R5.
    pub fn is_call(&self) -> bool {
        matches!(self, Inst::Call { .. } | Inst::CallLocal { .. })
    }
}

/// Helpers that read something that does not change during one firing.
pub fn is_pure_helper(h: Helper) -> bool {
    matches!(
        h,
        Helper::GetCurrentPidTgid
            | Helper::GetCurrentUidGid
            | Helper::GetSmpProcessorId
            | Helper::GetCurrentTask
            | Helper::GetCurrentTaskBtf
    )
}

/// A program under construction. Register 0 holds the context pointer on entry.
#[derive(Clone, Debug, Default)]
pub struct Func {
    /// Instructions in order.
    pub insts: Vec<Inst>,
    /// Number of registers.
    pub regs: u32,
    /// Number of labels.
    pub labels: u32,
    /// Size in bytes of each stack slot (aligned to 8).
    pub slots: Vec<u32>,
}

impl Func {
    /// The context pointer.
    pub const CTX: V = V(0);

    /// An empty program.
    pub fn new() -> Func {
        Func {
            regs: 1,
            ..Func::default()
        }
    }

    /// A new register.
    pub fn reg(&mut self) -> V {
        self.regs += 1;
        V(self.regs - 1)
    }

    /// A new label.
    pub fn label(&mut self) -> L {
        self.labels += 1;
        L(self.labels - 1)
    }

    /// A new stack slot.
    pub fn slot(&mut self, size: u32) -> Slot {
        self.slots.push(size.next_multiple_of(8));
        Slot((self.slots.len() - 1) as u32)
    }

    /// Appends an instruction.
    pub fn push(&mut self, inst: Inst) {
        self.insts.push(inst);
    }

    /// `v` in a new register.
    pub fn konst(&mut self, v: u64) -> V {
        let d = self.reg();
        self.push(Inst::Const { d, v });
        d
    }

    /// `d = s`.
    pub fn copy_to(&mut self, d: V, s: V) {
        self.push(Inst::Copy { d, s });
    }

    /// `a op b` on 64 bits, in a new register.
    pub fn alu(&mut self, op: AluOp, a: V, b: impl Into<Arg>) -> V {
        let d = self.reg();
        self.push(Inst::Alu {
            d,
            op,
            a,
            b: b.into(),
            wide: true,
        });
        d
    }

    /// Extension of the low bytes, in a new register.
    pub fn ext(&mut self, s: V, bytes: u8, signed: bool) -> V {
        if bytes >= 8 {
            return s;
        }
        let d = self.reg();
        self.push(Inst::Ext {
            d,
            s,
            bytes,
            signed,
        });
        d
    }

    /// A load, zero-extended.
    pub fn load(&mut self, base: impl Into<Base>, off: i32, width: Width) -> V {
        let d = self.reg();
        self.push(Inst::Load {
            d,
            base: base.into(),
            off,
            width,
        });
        d
    }

    /// A store.
    pub fn store(&mut self, base: impl Into<Base>, off: i32, width: Width, src: impl Into<Arg>) {
        self.push(Inst::Store {
            base: base.into(),
            off,
            width,
            src: src.into(),
        });
    }

    /// Address of a slot.
    pub fn slot_addr(&mut self, slot: Slot, off: i32) -> V {
        let d = self.reg();
        self.push(Inst::StackAddr { d, slot, off });
        d
    }

    /// A map.
    pub fn map(&mut self, map: u32) -> V {
        let d = self.reg();
        self.push(Inst::Map { d, map });
        d
    }

    /// Address in a map's only value.
    pub fn map_value(&mut self, map: u32, off: u32) -> V {
        let d = self.reg();
        self.push(Inst::MapValue { d, map, off });
        d
    }

    /// A helper call with its result.
    pub fn call(&mut self, helper: Helper, args: &[Arg]) -> V {
        let d = self.reg();
        self.push(Inst::Call {
            d: Some(d),
            helper,
            args: args.to_vec(),
        });
        d
    }

    /// Places a label.
    pub fn bind(&mut self, l: L) {
        self.push(Inst::Label(l));
    }

    /// `if a op b goto to`.
    pub fn branch(&mut self, op: JmpOp, a: V, b: impl Into<Arg>, to: L) {
        self.push(Inst::Branch {
            op,
            a,
            b: b.into(),
            to,
        });
    }

    /// `goto to`.
    pub fn jump(&mut self, to: L) {
        self.push(Inst::Jump(to));
    }
}

//! Operands and operators: each is one row of a table, from which enum, code, text and meaning derive.

/// A register. `R0` holds results, `R1`..`R5` arguments, `R6`..`R9` survive calls, `R10` is the frame pointer (read only).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[allow(missing_docs, reason = "the names say all")]
pub enum Reg {
    R0,
    R1,
    R2,
    R3,
    R4,
    R5,
    R6,
    R7,
    R8,
    R9,
    R10,
}

impl Reg {
    /// Every register, by number.
    pub const ALL: [Reg; 11] = [
        Reg::R0,
        Reg::R1,
        Reg::R2,
        Reg::R3,
        Reg::R4,
        Reg::R5,
        Reg::R6,
        Reg::R7,
        Reg::R8,
        Reg::R9,
        Reg::R10,
    ];

    /// The register of this number.
    pub fn from_num(n: u8) -> Option<Reg> {
        Reg::ALL.get(usize::from(n)).copied()
    }

    /// Its number.
    pub const fn num(self) -> u8 {
        self as u8
    }
}

/// The second operand of an arithmetic or jump instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Src {
    /// A register.
    Reg(Reg),
    /// A constant, sign-extended to the width of the operation.
    Imm(i32),
}

impl From<Reg> for Src {
    fn from(r: Reg) -> Src {
        Src::Reg(r)
    }
}

impl From<i32> for Src {
    fn from(v: i32) -> Src {
        Src::Imm(v)
    }
}

/// Bytes of a memory access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Width {
    /// One byte.
    B,
    /// Two bytes.
    H,
    /// Four bytes.
    W,
    /// Eight bytes.
    DW,
}

impl Width {
    /// Every width, ascending.
    pub const ALL: [Width; 4] = [Width::B, Width::H, Width::W, Width::DW];

    /// Number of bytes.
    pub const fn bytes(self) -> u32 {
        match self {
            Width::B => 1,
            Width::H => 2,
            Width::W => 4,
            Width::DW => 8,
        }
    }

    /// The width of this many bytes.
    pub const fn from_bytes(n: u32) -> Option<Width> {
        match n {
            1 => Some(Width::B),
            2 => Some(Width::H),
            4 => Some(Width::W),
            8 => Some(Width::DW),
            _ => None,
        }
    }

    /// The size bits of the opcode.
    pub const fn code(self) -> u8 {
        match self {
            Width::B => 0x10,
            Width::H => 0x08,
            Width::W => 0x00,
            Width::DW => 0x18,
        }
    }

    /// The width with these size bits (others are ignored).
    pub const fn from_code(code: u8) -> Width {
        match code & 0x18 {
            0x10 => Width::B,
            0x08 => Width::H,
            0x00 => Width::W,
            _ => Width::DW,
        }
    }

    /// The C type as the verifier's listings name it.
    pub const fn c_type(self) -> &'static str {
        match self {
            Width::B => "u8",
            Width::H => "u16",
            Width::W => "u32",
            Width::DW => "u64",
        }
    }
}

/// Declares an operator enum: a row is a variant, its code, its symbol and its meaning.
macro_rules! operators {
    (
        $(#[$em:meta])* $name:ident : $code:ty, $meaning:ty;
        $( $(#[$vm:meta])* $variant:ident = $value:literal, $sym:literal, $eval:expr; )*
    ) => {
        $(#[$em])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name {
            $( $(#[$vm])* $variant, )*
        }

        impl $name {
            /// Every operator, in table order.
            pub const ALL: &[$name] = &[$($name::$variant),*];

            /// Its bits in the encoding.
            pub const fn code(self) -> $code {
                match self { $($name::$variant => $value,)* }
            }

            /// The operator with these bits.
            pub const fn from_code(code: $code) -> Option<$name> {
                match code { $($value => Some($name::$variant),)* _ => None }
            }

            /// Its symbol in listings.
            pub const fn symbol(self) -> &'static str {
                match self { $($name::$variant => $sym,)* }
            }

            /// What it computes, as a function.
            fn meaning(self) -> $meaning {
                match self { $($name::$variant => $eval,)* }
            }
        }
    };
}

operators! {
    /// An arithmetic operator: `dst = dst op src`. Division is unsigned; by zero it gives 0, and a remainder its
    /// left operand.
    AluOp: u8, fn(u64, u64, u32) -> u64;
    /// Sum.
    Add = 0x00, "+=", |a, b, _| a.wrapping_add(b);
    /// Difference.
    Sub = 0x10, "-=", |a, b, _| a.wrapping_sub(b);
    /// Product.
    Mul = 0x20, "*=", |a, b, _| a.wrapping_mul(b);
    /// Unsigned quotient.
    Div = 0x30, "/=", |a, b, _| a.checked_div(b).unwrap_or(0);
    /// Bits set in either.
    Or = 0x40, "|=", |a, b, _| a | b;
    /// Bits set in both.
    And = 0x50, "&=", |a, b, _| a & b;
    /// Left shift; the count is taken modulo the number of bits.
    Lsh = 0x60, "<<=", |a, b, bits| a << (b & u64::from(bits - 1));
    /// Logical right shift.
    Rsh = 0x70, ">>=", |a, b, bits| a >> (b & u64::from(bits - 1));
    /// Negation of the destination; the source is unused.
    Neg = 0x80, "-", |a, _, _| a.wrapping_neg();
    /// Unsigned remainder.
    Mod = 0x90, "%=", |a, b, _| a.checked_rem(b).unwrap_or(a);
    /// Bits set in one only.
    Xor = 0xa0, "^=", |a, b, _| a ^ b;
    /// Copy of the source.
    Mov = 0xb0, "=", |_, b, _| b;
    /// Arithmetic right shift.
    Arsh = 0xc0, "s>>=", |a, b, bits| {
        let up = 64 - bits;
        (((a << up) as i64 >> up) >> (b & u64::from(bits - 1))) as u64
    };
}

operators! {
    /// A jump. 32-bit comparisons are those of the operands sign-extended from 32 bits; `Ja`, `Call` and `Exit`
    /// do not compare.
    JmpOp: u8, fn(u64, u64) -> bool;
    /// Always.
    Ja = 0x00, "goto", |_, _| true;
    /// Equal.
    Eq = 0x10, "==", |a, b| a == b;
    /// Unsigned greater.
    Gt = 0x20, ">", |a, b| a > b;
    /// Unsigned greater or equal.
    Ge = 0x30, ">=", |a, b| a >= b;
    /// A common bit is set.
    Set = 0x40, "&", |a, b| a & b != 0;
    /// Not equal.
    Ne = 0x50, "!=", |a, b| a != b;
    /// Signed greater.
    Sgt = 0x60, "s>", |a, b| a as i64 > b as i64;
    /// Signed greater or equal.
    Sge = 0x70, "s>=", |a, b| a as i64 >= b as i64;
    /// Call of a helper or of a local function.
    Call = 0x80, "call", |_, _| true;
    /// Return.
    Exit = 0x90, "exit", |_, _| true;
    /// Unsigned less.
    Lt = 0xa0, "<", |a, b| a < b;
    /// Unsigned less or equal.
    Le = 0xb0, "<=", |a, b| a <= b;
    /// Signed less.
    Slt = 0xc0, "s<", |a, b| (a as i64) < b as i64;
    /// Signed less or equal.
    Sle = 0xd0, "s<=", |a, b| a as i64 <= b as i64;
}

operators! {
    /// An atomic operation on 4 or 8 bytes of memory; the code goes into the immediate.
    AtomicOp: i32, fn(u64, u64, u64) -> u64;
    /// Add.
    Add = 0x00, "+=", |old, src, _| old.wrapping_add(src);
    /// Or.
    Or = 0x40, "|=", |old, src, _| old | src;
    /// And.
    And = 0x50, "&=", |old, src, _| old & src;
    /// Exclusive or.
    Xor = 0xa0, "^=", |old, src, _| old ^ src;
    /// Add; the source register receives the old value.
    FetchAdd = 0x01, "fetch_add", |old, src, _| old.wrapping_add(src);
    /// Or; the source register receives the old value.
    FetchOr = 0x41, "fetch_or", |old, src, _| old | src;
    /// And; the source register receives the old value.
    FetchAnd = 0x51, "fetch_and", |old, src, _| old & src;
    /// Exclusive or; the source register receives the old value.
    FetchXor = 0xa1, "fetch_xor", |old, src, _| old ^ src;
    /// Exchange with the source register.
    Xchg = 0xe1, "xchg", |_, src, _| src;
    /// Store the source if memory equals R0; R0 receives the old value.
    Cmpxchg = 0xf1, "cmpxchg", |old, src, r0| if old == r0 { src } else { old };
}

impl AluOp {
    /// Computes on `bits` (32 or 64) bits; a 32-bit result is zero-extended.
    pub fn eval(self, a: u64, b: u64, bits: u32) -> u64 {
        let mask = u64::MAX >> (64 - bits.clamp(1, 64));
        self.meaning()(a & mask, b & mask, bits) & mask
    }
}

impl AtomicOp {
    /// The new value in memory. For 4-byte operations the caller truncates.
    pub fn eval(self, old: u64, src: u64, r0: u64) -> u64 {
        self.meaning()(old, src, r0)
    }

    /// Whether a register receives the old value: R0 of `Cmpxchg`, else the source.
    pub const fn fetches(self) -> bool {
        self.code() & 1 != 0
    }
}

impl JmpOp {
    /// Whether a conditional jump on these operands is taken.
    pub fn eval(self, a: u64, b: u64) -> bool {
        self.meaning()(a, b)
    }

    /// Whether it compares two operands (so it can be the operator of [`crate::Insn::jmp`]).
    pub const fn is_conditional(self) -> bool {
        !matches!(self, JmpOp::Ja | JmpOp::Call | JmpOp::Exit)
    }

    /// The condition that holds exactly when this one does not; `None` for `Set` and the unconditional ones.
    pub const fn negated(self) -> Option<JmpOp> {
        match self {
            JmpOp::Eq => Some(JmpOp::Ne),
            JmpOp::Ne => Some(JmpOp::Eq),
            JmpOp::Gt => Some(JmpOp::Le),
            JmpOp::Le => Some(JmpOp::Gt),
            JmpOp::Ge => Some(JmpOp::Lt),
            JmpOp::Lt => Some(JmpOp::Ge),
            JmpOp::Sgt => Some(JmpOp::Sle),
            JmpOp::Sle => Some(JmpOp::Sgt),
            JmpOp::Sge => Some(JmpOp::Slt),
            JmpOp::Slt => Some(JmpOp::Sge),
            JmpOp::Set | JmpOp::Ja | JmpOp::Call | JmpOp::Exit => None,
        }
    }
}

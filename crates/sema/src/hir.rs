//! The typed program: what `sema` hands to `codegen`.
//!
//! Everything that depends on names, D types, translators, inlines and `if`/`else` has been decided. Pointer arithmetic
//! is plain arithmetic, members are offsets, conversions are explicit [`ExprKind::Cast`]s, one D clause per probe
//! description (and per part, where `if`/`else` was split). All arithmetic is 64-bit; loads extend by their own type.

use image::{ActionKind, AggFunc, ArgSource, Probe, ProbeField, Site, SymKind, Task};
use lang::{Builtin, Subr};

pub use crate::dump::dump;

/// A position in the program text, for line tables and messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pos {
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub col: u32,
}

/// A whole typed program.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Enabled probes, each once, in id order.
    pub probes: Vec<EnabledProbe>,
    /// Clauses in firing order.
    pub clauses: Vec<Clause>,
    /// Scalar variables, indexed by [`VarId`].
    pub vars: Vec<Var>,
    /// Associative arrays, indexed by [`AssocId`].
    pub assocs: Vec<Assoc>,
    /// Aggregations, indexed by [`AggId`].
    pub aggs: Vec<Agg>,
    /// What derived probes need to have remembered.
    pub setups: Vec<Setup>,
    /// Sizes and limits that shape the code.
    pub limits: Limits,
}

/// Options that shape the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of a string, NUL included.
    pub strsize: u32,
    /// Most bytes of a piece of `alloca()` or `copyin()`.
    pub scratchsize: u32,
    /// Bytes of a principal buffer, per CPU.
    pub bufsize: u64,
    /// Bytes of an aggregation buffer.
    pub aggsize: u64,
    /// Bytes of dynamic variable space.
    pub dynvarsize: u64,
    /// Number of speculations.
    pub nspec: u32,
    /// Bytes of the buffer of a speculation, per CPU.
    pub specsize: u64,
    /// Default frames of `stack()`.
    pub stackframes: u32,
    /// Bytes of tables for `ustack()`.
    pub unwindsize: u64,
    /// Default frames of `ustack()`.
    pub ustackframes: u32,
    /// What a full principal buffer does.
    pub policy: image::Policy,
    /// Only this CPU is traced.
    pub cpu: Option<u32>,
    /// Default frames of `jstack()`.
    pub jstackframes: u32,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            strsize: 256,
            scratchsize: 16 << 10,
            bufsize: 4 << 20,
            aggsize: 4 << 20,
            dynvarsize: 1 << 20,
            nspec: 1,
            specsize: 32 << 10,
            stackframes: 20,
            unwindsize: 64 << 20,
            ustackframes: 20,
            policy: image::Policy::Switch,
            cpu: None,
            jstackframes: 50,
        }
    }
}

/// A probe with where its arguments come from.
#[derive(Clone, Debug)]
pub struct EnabledProbe {
    /// The probe.
    pub probe: Probe,
    /// Sources of `arg0`…; those missing read as 0.
    pub raw_args: Vec<ArgSource>,
    /// Where it fires: its site, and for derived probes when and as which thread.
    pub places: Vec<Place>,
}

/// A place where a probe fires.
#[derive(Clone, Debug)]
pub struct Place {
    /// The site.
    pub site: Site,
    /// The current thread there.
    pub task: Task,
    /// Only firings of the site for which this is non-zero are firings of the probe.
    pub when: Option<Expr>,
}

/// Hidden code that remembers what derived probes need. It is there only while one of them is enabled.
#[derive(Clone, Debug)]
pub struct Setup {
    /// Where and when it runs.
    pub place: Place,
    /// It runs after the probes of its site, not before them.
    pub after: bool,
    /// What it does.
    pub body: Vec<Stmt>,
    /// The probes that need it (indices into [`Program::probes`]); its faults are reported as those of the first.
    pub probes: Vec<u32>,
}

/// One clause (part).
#[derive(Clone, Debug)]
pub struct Clause {
    /// Indices into [`Program::probes`], ascending.
    pub probes: Vec<u32>,
    /// It is for this place of its probe only; other places have clauses of their own, made from the same D clause.
    pub place: Option<u32>,
    /// Fires only if this is non-zero.
    pub predicate: Option<Expr>,
    /// Statements in order.
    pub body: Vec<Stmt>,
    /// It is a later part of the same D clause as the clause before it (`if`/`else` split): a fault or false predicate of
    /// the D clause's first part skips it too.
    pub continues: bool,
    /// The D clause had an empty body or none: it records its prefix line only.
    pub default_action: bool,
    /// Where it begins.
    pub pos: Pos,
}

/// Index into [`Program::vars`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VarId(pub u32);
/// Index into [`Program::assocs`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AssocId(pub u32);
/// Index into [`Program::aggs`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AggId(pub u32);

/// Where a variable lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scope {
    /// One copy.
    Global,
    /// `self->`: one a thread.
    Thread,
    /// `this->`: one a probe firing, shared by all clauses of the firing.
    Clause,
}

/// A scalar (non-array) variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Var {
    /// D name without `self->`/`this->`.
    pub name: String,
    /// Where it lives.
    pub scope: Scope,
    /// Its type.
    pub ty: Ty,
}

/// An associative array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assoc {
    /// D name.
    pub name: String,
    /// `Global` or `Thread`.
    pub scope: Scope,
    /// Key types in order.
    pub keys: Vec<Ty>,
    /// Element type.
    pub ty: Ty,
}

/// An aggregation.
#[derive(Clone, Debug, PartialEq)]
pub struct Agg {
    /// Name without `@`.
    pub name: String,
    /// Function and constant parameters.
    pub func: AggFunc,
    /// Key types in order: the widest of all uses.
    pub keys: Vec<KeyTy>,
}

/// Type of an aggregation key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KeyTy {
    /// An integer, pointer or enum.
    Int(IntTy),
    /// A string.
    Str,
    /// `execname` and the like in every use: a string of fewer than this many bytes.
    ShortStr(u32),
    /// `probefunc` and the like in every use.
    Probe(ProbeField),
    /// `stack(n)`, `ustack(n)`.
    Stack {
        /// User stack.
        user: bool,
        /// Frames.
        frames: u32,
    },
    /// `sym()` and its like.
    Sym(SymKind),
}

/// An integer type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct IntTy {
    /// 1, 2, 4 or 8.
    pub bytes: u8,
    /// Signed.
    pub signed: bool,
}

impl IntTy {
    /// `int64_t`.
    pub const I64: IntTy = IntTy {
        bytes: 8,
        signed: true,
    };
    /// `uint64_t`; also pointers.
    pub const U64: IntTy = IntTy {
        bytes: 8,
        signed: false,
    };
    /// `int`.
    pub const I32: IntTy = IntTy {
        bytes: 4,
        signed: true,
    };
    /// `unsigned int`.
    pub const U32: IntTy = IntTy {
        bytes: 4,
        signed: false,
    };
}

/// Type of a value as far as code depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ty {
    /// No value.
    Void,
    /// Integer, enum or pointer: in a register, extended from its type.
    Int(IntTy),
    /// D string: by reference, NUL-terminated in at most `strsize` bytes.
    Str,
    /// Structure, union or array by reference.
    Bytes {
        /// Size in bytes.
        size: u32,
        /// An array of char.
        chars: bool,
    },
    /// `stack()` and its like (aggregation key or record only).
    Stack {
        /// User stack.
        user: bool,
        /// Frames.
        frames: u32,
    },
    /// `sym()` and its like (aggregation key or record only).
    Sym(SymKind),
}

/// Address space of a load.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Space {
    /// Kernel memory (or, at run time, scratch from `alloca()`/`copyin()`): checked.
    Kernel,
    /// User memory of the current process: checked.
    User,
}

/// A typed expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its type.
    pub ty: Ty,
    /// Where it stands.
    pub pos: Pos,
}

/// Binary operators on 64-bit integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum BinOp {
    Add,
    Sub,
    Mul,
    Div,
    Mod,
    And,
    Or,
    Xor,
    Shl,
    Shr,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

/// Unary operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnOp {
    /// `-`
    Neg,
    /// `~`
    BitNot,
    /// `!`: 0 or 1.
    Not,
}

/// Logical operators; `And` and `Or` short-circuit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum LogOp {
    And,
    Or,
    Xor,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// An integer constant (as its 64-bit pattern).
    Int(u64),
    /// A string constant (no NUL inside).
    Str(Vec<u8>),
    /// A built-in variable.
    Builtin(Builtin),
    /// `argN` (int64_t), from the firing probe's `raw_args[n]`.
    RawArg(u8),
    /// `args[n]` with a known source.
    Arg {
        /// Source.
        source: ArgSource,
        /// A pointer whose fields may be loaded directly.
        trusted: bool,
    },
    /// A scalar variable's value. For `Ty::Bytes` variables, and members of them, `offset` and the expression's type say which part.
    Var {
        /// Variable.
        id: VarId,
        /// Byte offset in it.
        offset: u32,
    },
    /// An associative array element's value.
    Assoc {
        /// Array.
        id: AssocId,
        /// Keys.
        keys: Vec<Expr>,
        /// Byte offset in the element.
        offset: u32,
    },
    /// An element of an array in a variable, or a part of one.
    Element {
        /// The variable or element ([`ExprKind::Var`], [`ExprKind::Assoc`]), with the constant part of the offset.
        whole: Box<Expr>,
        /// What is added to the offset.
        indices: Vec<Index>,
    },
    /// Address of a part of a variable ([`ExprKind::Var`], [`ExprKind::Assoc`], [`ExprKind::Element`]) or of a string, for
    /// reading until the clause ends.
    Address(Box<Expr>),
    /// A scalar loaded from memory at `addr + offset`; the expression's type (Int) says how many bytes.
    Load {
        /// Address (integer value).
        addr: Box<Expr>,
        /// Constant offset.
        offset: i64,
        /// Address space.
        space: Space,
    },
    /// A bit-field: load `storage` bytes at `addr + offset`, take `bits` bits from bit `shift` on.
    BitField {
        /// Address.
        addr: Box<Expr>,
        /// Constant offset of the storage unit.
        offset: i64,
        /// Address space.
        space: Space,
        /// Bytes to load (1, 2, 4 or 8).
        storage: u8,
        /// Lowest bit.
        shift: u8,
        /// Number of bits.
        bits: u8,
        /// Sign-extend.
        signed: bool,
    },
    /// A structure, union or array in memory at `addr + offset`, by reference; the type says its size.
    Mem {
        /// Address.
        addr: Box<Expr>,
        /// Constant offset.
        offset: i64,
        /// Address space.
        space: Space,
    },
    /// The NUL-terminated string at `addr + offset`, at most `max` bytes of it if given (char array).
    StringOf {
        /// Address.
        addr: Box<Expr>,
        /// Constant offset.
        offset: i64,
        /// Address space.
        space: Space,
        /// Size of the char array it comes from.
        max: Option<u32>,
    },
    /// Unary operator on an integer.
    Unary(UnOp, Box<Expr>),
    /// Binary operator on integers. `signed` rules `/ % >> < <= > >=`.
    Binary {
        /// Operator.
        op: BinOp,
        /// Signed operation.
        signed: bool,
        /// Left operand.
        l: Box<Expr>,
        /// Right operand.
        r: Box<Expr>,
    },
    /// Comparison of two strings (`Eq Ne Lt Le Gt Ge`).
    StrCmp {
        /// Operator.
        op: BinOp,
        /// Left operand.
        l: Box<Expr>,
        /// Right operand.
        r: Box<Expr>,
    },
    /// Logical operator.
    Logical(LogOp, Box<Expr>, Box<Expr>),
    /// `c ? t : f` (both of the expression's type class).
    Cond(Box<Expr>, Box<Expr>, Box<Expr>),
    /// Narrow (or re-sign) to the expression's integer type.
    Cast(Box<Expr>),
    /// Assignment; the value is that of the target afterwards. The integer constant 0 assigned to an associative array
    /// element or thread-local variable of whatever type (strings and structures too) frees it.
    Assign(Box<LValue>, Box<Expr>),
    /// `op=`.
    OpAssign {
        /// Target (integer).
        target: Box<LValue>,
        /// Operator.
        op: BinOp,
        /// Signed operation.
        signed: bool,
        /// Right operand, already scaled for pointers.
        value: Box<Expr>,
    },
    /// `++`/`--` by `delta` (already scaled for pointers).
    Step {
        /// Target (integer).
        target: Box<LValue>,
        /// What to add.
        delta: i64,
        /// Value is that before the step.
        post: bool,
    },
    /// `a, b`.
    Comma(Box<Expr>, Box<Expr>),
    /// A number that is computed once, for [`ExprKind::Again`] in what follows the comma.
    Once {
        /// No other has it.
        id: u32,
        /// The number.
        value: Box<Expr>,
    },
    /// The number that [`ExprKind::Once`] has computed.
    Again(u32),
    /// A subroutine call. Optional arguments that were not given are absent.
    Call(Subr, Vec<Expr>),
    /// `uregs[]`: this word of the thread's saved user registers; a fault if there is none.
    UserReg(Box<Expr>),
    /// The current stack (type `Ty::Stack`).
    Stack,
    /// An address to be shown as a symbol (type `Ty::Sym`).
    Sym(Box<Expr>),
}

/// An index of an array in a variable: a fault if it is not less than `count`.
#[derive(Clone, Debug)]
pub struct Index {
    /// The index.
    pub value: Expr,
    /// Elements.
    pub count: u32,
    /// Bytes of each.
    pub stride: u32,
}

/// A bit-field in its storage unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bits {
    /// Lowest bit.
    pub shift: u8,
    /// Number of bits.
    pub bits: u8,
    /// Sign-extend.
    pub signed: bool,
}

/// Something that can be assigned to.
#[derive(Clone, Debug)]
pub struct LValue {
    /// What it is.
    pub kind: LValueKind,
    /// What is added to the offset, in a variable or element.
    pub indices: Vec<Index>,
    /// It is a bit-field; the type is that of its storage unit.
    pub bits: Option<Bits>,
    /// Type of the value it holds.
    pub ty: Ty,
    /// Where it stands.
    pub pos: Pos,
}

/// Kinds of assignable things.
#[derive(Clone, Debug)]
pub enum LValueKind {
    /// A variable or part of one.
    Var {
        /// Variable.
        id: VarId,
        /// Byte offset.
        offset: u32,
    },
    /// An associative array element or part of one.
    Assoc {
        /// Array.
        id: AssocId,
        /// Keys.
        keys: Vec<Expr>,
        /// Byte offset.
        offset: u32,
    },
    /// Memory at `addr + offset`, which at run time must be scratch or D variable storage.
    Mem {
        /// Address.
        addr: Expr,
        /// Constant offset.
        offset: i64,
    },
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// Where it stands.
    pub pos: Pos,
}

/// Kinds of statements.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// Evaluated for its side effects.
    Expr(Expr),
    /// A recording action and the values it records, in order. Values of type `Ty::Bytes` are copied whole.
    Record {
        /// What the consumer does.
        action: ActionKind,
        /// What is recorded.
        data: Vec<Expr>,
    },
    /// `exit(status)`.
    Exit(Expr),
    /// `@a[keys] = func(value[, increment])`.
    Aggregate {
        /// Aggregation.
        agg: AggId,
        /// Keys.
        keys: Vec<Expr>,
        /// Argument (absent for `count()`).
        value: Option<Expr>,
        /// Increment of quantize-type functions.
        incr: Option<Expr>,
    },
    /// `raise(sig)`.
    Raise(Expr),
    /// `stop()`.
    Stop,
    /// `chill(ns)`.
    Chill(Expr),
    /// `speculate(id)`: from here on the D clause, later parts included, records into that speculation; it ends here if
    /// that is not active.
    Speculate(Expr),
    /// `commit(id)`.
    Commit(Expr),
    /// `discard(id)`.
    Discard(Expr),
}

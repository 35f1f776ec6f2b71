//! The abstract syntax tree: what was written, positions kept, nothing decided but constant folding (reference §4.4).

use diag::Span;

/// One translation unit.
#[derive(Clone, Debug, Default)]
pub struct Unit {
    /// Items in order.
    pub items: Vec<Item>,
    /// `#pragma D option` lines in order: name, value, position.
    pub options: Vec<(String, Option<String>, Span)>,
    /// Which of `$1`… were referenced (index 0 is `$0`).
    pub args_used: Vec<bool>,
}

/// A top-level item.
#[derive(Clone, Debug)]
pub enum Item {
    /// A probe clause.
    Clause(Clause),
    /// A declaration.
    Decl(Decl),
    /// `inline`.
    Inline(Inline),
    /// `translator`.
    Translator(Translator),
    /// `provider`.
    Provider(Provider),
    /// `#pragma D attributes|binding|depends_on …` (options are in [`Unit::options`]).
    Pragma(Pragma),
}

/// A probe clause.
#[derive(Clone, Debug)]
pub struct Clause {
    /// Its probe specifiers.
    pub specs: Vec<Spec>,
    /// Predicate.
    pub predicate: Option<Expr>,
    /// Body; `None` for a bare specifier on the command line.
    pub body: Option<Vec<Stmt>>,
    /// All of it.
    pub span: Span,
}

/// A probe specifier.
#[derive(Clone, Debug)]
pub enum Spec {
    /// `prov:mod:func:name` text as written, macros replaced.
    Text(String, Span),
    /// A probe id.
    Id(u64, Span),
}

impl Spec {
    /// Its position.
    pub fn span(&self) -> Span {
        match self {
            Spec::Text(_, s) | Spec::Id(_, s) => *s,
        }
    }
}

/// A statement.
#[derive(Clone, Debug)]
pub enum Stmt {
    /// An expression; a lone `;` is no statement.
    Expr(Expr),
    /// `if`, with all `else if` that follow: a long chain is no deep tree.
    If {
        /// The conditions in order, one at least; the first that is non-zero has its statements run.
        arms: Vec<Arm>,
        /// Taken if none is.
        otherwise: Vec<Stmt>,
        /// The `if` word to the end.
        span: Span,
    },
}

/// One condition of an `if` and what it guards.
#[derive(Clone, Debug)]
pub struct Arm {
    /// Condition.
    pub cond: Expr,
    /// Taken if non-zero.
    pub then: Vec<Stmt>,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands.
    pub span: Span,
}

/// C integer type of a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum IntRank {
    Int,
    UInt,
    Long,
    ULong,
    LongLong,
    ULongLong,
}

impl IntRank {
    /// Bits.
    pub fn bits(self) -> u8 {
        match self {
            IntRank::Int | IntRank::UInt => 32,
            IntRank::Long | IntRank::ULong | IntRank::LongLong | IntRank::ULongLong => 64,
        }
    }
    /// Signed.
    pub fn signed(self) -> bool {
        matches!(self, IntRank::Int | IntRank::Long | IntRank::LongLong)
    }
}

/// What an expression is.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// Integer or character constant, or a folded constant expression. The value is the 64-bit pattern: a literal's is
    /// extended by its type, a folded one is the whole 64-bit result and may exceed its type, as D's arithmetic does at
    /// run time (reference §3.3).
    Int(u64, IntRank),
    /// String constant, escapes processed.
    Str(Vec<u8>),
    /// Identifier; may hold backquotes (``mod`sym``, `` `sym ``).
    Ident(String),
    /// `@name` (`_` for a bare `@`).
    Agg(String),
    /// `self`, as in `self->x` (only below `Arrow`).
    SelfKw,
    /// `this`, as in `this->x` (only below `Arrow`).
    ThisKw,
    /// `e[k, …]`.
    Index(Box<Expr>, Vec<Expr>),
    /// `e(a, …)`.
    Call(Box<Expr>, Vec<Expr>),
    /// `e.name`.
    Dot(Box<Expr>, String),
    /// `e->name`.
    Arrow(Box<Expr>, String),
    /// Prefix operator.
    Unary(UnaryOp, Box<Expr>),
    /// `e++`, `e--`.
    Post(StepOp, Box<Expr>),
    /// `++e`, `--e`.
    Pre(StepOp, Box<Expr>),
    /// Binary operator.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `c ? a : b`.
    Cond(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `a = b` or `a op= b`.
    Assign(Option<BinaryOp>, Box<Expr>, Box<Expr>),
    /// `a, b`.
    Comma(Box<Expr>, Box<Expr>),
    /// `(type) e`.
    Cast(Box<TypeName>, Box<Expr>),
    /// `sizeof (type)`.
    SizeofType(Box<TypeName>),
    /// `sizeof e`.
    Sizeof(Box<Expr>),
    /// `stringof e`.
    Stringof(Box<Expr>),
    /// `offsetof(type, member)`.
    Offsetof(Box<TypeName>, String),
    /// `xlate <type> (e)`.
    Xlate(Box<TypeName>, Box<Expr>),
}

/// Prefix operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum UnaryOp {
    Addr,
    Deref,
    Plus,
    Neg,
    BitNot,
    Not,
}

/// `++` and `--`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum StepOp {
    Inc,
    Dec,
}

/// Binary operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum BinaryOp {
    Mul,
    Div,
    Mod,
    Add,
    Sub,
    Shl,
    Shr,
    Lt,
    Gt,
    Le,
    Ge,
    Eq,
    Ne,
    And,
    Xor,
    Or,
    LAnd,
    LXor,
    LOr,
}

/// Specifiers with an abstract declarator: a type name.
#[derive(Clone, Debug)]
pub struct TypeName {
    /// Specifiers.
    pub spec: DeclSpec,
    /// Declarator without a name.
    pub declr: Declarator,
    /// Where it stands.
    pub span: Span,
}

/// Storage classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum StorageClass {
    Auto,
    Register,
    Static,
    Extern,
    Typedef,
    SelfVar,
    ThisVar,
}

/// Declaration specifiers.
#[derive(Clone, Debug)]
pub struct DeclSpec {
    /// Storage classes as written (more than one is an error).
    pub classes: Vec<(StorageClass, Span)>,
    /// The type.
    pub ty: TypeSpec,
    /// `const`.
    pub is_const: bool,
    /// `volatile`.
    pub is_volatile: bool,
    /// `restrict`.
    pub is_restrict: bool,
    /// `userland`.
    pub is_userland: bool,
    /// Where they stand.
    pub span: Span,
}

/// The type of declaration specifiers.
#[derive(Clone, Debug)]
pub enum TypeSpec {
    /// Nothing was written (defaults to int, or is an error).
    None,
    /// Arithmetic words and their combination, e.g. `unsigned long long int`.
    Arith {
        /// `void char int float double _Bool` or `None` for bare `signed`, `long` …
        base: Option<ArithBase>,
        /// `signed` (false), `unsigned` (true) or neither.
        unsigned: Option<bool>,
        /// `short`.
        short: bool,
        /// Number of `long`.
        long: u8,
        /// `complex`/`imaginary` was written.
        complex: bool,
    },
    /// `string`.
    String,
    /// A typedef name, maybe scoped (``mod`name``).
    Named(String),
    /// `struct` or `union`.
    Sou {
        /// `union`.
        is_union: bool,
        /// Tag.
        tag: Option<String>,
        /// Members, if defined here.
        members: Option<Vec<Decl>>,
    },
    /// `enum`.
    Enum {
        /// Tag.
        tag: Option<String>,
        /// Enumerators with their values, if defined here.
        items: Option<Vec<(String, Option<Expr>, Span)>>,
    },
}

/// Base words of arithmetic types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum ArithBase {
    Void,
    Char,
    Int,
    Float,
    Double,
    Bool,
}

/// A declarator: layers from the name outwards.
#[derive(Clone, Debug, Default)]
pub struct Declarator {
    /// Declared name.
    pub name: Option<(String, Span)>,
    /// Layers, innermost (next to the name) first: `int *x[3]` is `[Array(3), Pointer]`.
    pub layers: Vec<Layer>,
    /// `: bits` of a bit-field.
    pub bits: Option<Box<Expr>>,
}

/// One layer of a declarator.
#[derive(Clone, Debug)]
pub enum Layer {
    /// `*` with its qualifiers.
    Pointer {
        /// `const`.
        is_const: bool,
        /// `volatile`.
        is_volatile: bool,
        /// `restrict`.
        is_restrict: bool,
        /// `userland`.
        is_userland: bool,
    },
    /// `[]` or `[n]`.
    Array(Option<Box<Expr>>, Span),
    /// `[type, …]`: an associative array's key signature.
    Assoc(Vec<Param>, Span),
    /// `(params)`.
    Func(Vec<Param>, bool, Span),
}

/// A parameter (of a function, an inline or an associative array).
#[derive(Clone, Debug)]
pub struct Param {
    /// Specifiers.
    pub spec: DeclSpec,
    /// Declarator.
    pub declr: Declarator,
    /// Where it stands.
    pub span: Span,
}

/// A declaration (also of struct members).
#[derive(Clone, Debug)]
pub struct Decl {
    /// Specifiers.
    pub spec: DeclSpec,
    /// Declarators; may be empty (`struct s { … };`).
    pub declrs: Vec<Declarator>,
    /// All of it.
    pub span: Span,
}

/// `inline T name[params] = expr;`
#[derive(Clone, Debug)]
pub struct Inline {
    /// Specifiers.
    pub spec: DeclSpec,
    /// Declarator.
    pub declr: Declarator,
    /// Definition.
    pub body: Expr,
    /// All of it.
    pub span: Span,
}

/// `translator OUT < IN name > { member = expr; … };`
#[derive(Clone, Debug)]
pub struct Translator {
    /// Output type.
    pub output: TypeName,
    /// Input type.
    pub input: TypeName,
    /// Name of the input in the member expressions.
    pub param: String,
    /// Members.
    pub members: Vec<(String, Expr, Span)>,
    /// All of it.
    pub span: Span,
}

/// `provider NAME { probe … };`
#[derive(Clone, Debug)]
pub struct Provider {
    /// Name.
    pub name: String,
    /// Probes.
    pub probes: Vec<ProviderProbe>,
    /// All of it.
    pub span: Span,
}

/// A probe of a provider definition.
#[derive(Clone, Debug)]
pub struct ProviderProbe {
    /// Name as written (`__` not yet replaced).
    pub name: String,
    /// Native arguments.
    pub args: Vec<Param>,
    /// Translated arguments.
    pub xlated: Option<Vec<Param>>,
    /// Where it stands.
    pub span: Span,
}

/// A `#pragma D` line other than `option`.
#[derive(Clone, Debug)]
pub struct Pragma {
    /// Its name (`attributes`, `binding`, `depends_on`).
    pub name: String,
    /// The words after it.
    pub words: Vec<String>,
    /// Where it stands.
    pub span: Span,
}

//! Random integer expressions with the value that D gives them (reference §3.3, §4): a model that knows nothing of the
//! compiler.
//!
//! Values are 64-bit patterns. A variable extends from its type when read and narrows when written, a cast narrows;
//! nothing else does. The type of an operation is that of the operand of greater rank (bits, plus one if unsigned), and
//! says whether it is signed.

use std::fmt::{self, Display, Formatter};

use crate::Rng;

/// An integer type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Int {
    /// 8, 16, 32 or 64.
    pub bits: u32,
    /// Signed.
    pub signed: bool,
}

/// `int`, the type of truth values.
const INT: Int = Int {
    bits: 32,
    signed: true,
};

impl Int {
    /// All eight.
    pub const ALL: [Int; 8] = [
        Int {
            bits: 8,
            signed: true,
        },
        Int {
            bits: 8,
            signed: false,
        },
        Int {
            bits: 16,
            signed: true,
        },
        Int {
            bits: 16,
            signed: false,
        },
        INT,
        Int {
            bits: 32,
            signed: false,
        },
        Int {
            bits: 64,
            signed: true,
        },
        Int {
            bits: 64,
            signed: false,
        },
    ];

    fn rank(self) -> u32 {
        self.bits + u32::from(!self.signed)
    }

    fn promote(self, other: Int) -> Int {
        if other.rank() > self.rank() {
            other
        } else {
            self
        }
    }

    /// The value that a variable of this type holds after `v` was stored.
    pub fn narrow(self, v: i64) -> i64 {
        match (self.bits, self.signed) {
            (8, true) => i64::from(v as i8),
            (8, false) => i64::from(v as u8),
            (16, true) => i64::from(v as i16),
            (16, false) => i64::from(v as u16),
            (32, true) => i64::from(v as i32),
            (32, false) => i64::from(v as u32),
            _ => v,
        }
    }
}

impl Display for Int {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}int{}_t",
            if self.signed { "" } else { "u" },
            self.bits
        )
    }
}

/// Variables: where they live decides how they are written.
#[derive(Clone, Debug)]
pub struct Var {
    /// As the program text names it.
    pub name: String,
    /// Its declaration, if it needs one.
    pub declaration: String,
    /// Its type.
    pub ty: Int,
}

/// An expression.
#[derive(Clone, Debug)]
pub enum Expr {
    /// A constant with its text.
    Literal(i64, Int, String),
    /// A variable, by index.
    Var(usize),
    /// `- ~ !`
    Unary(&'static str, Box<Expr>),
    /// An operator on two numbers.
    Binary(&'static str, Box<Expr>, Box<Expr>),
    /// `c ? a : b`
    Cond(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `(type)e`
    Cast(Int, Box<Expr>),
    /// `v = e` and `v op= e`.
    Assign(usize, &'static str, Box<Expr>),
    /// `++v`, `v--`, …: prefix and amount.
    Step(usize, bool, i64),
    /// `a, b`
    Comma(Box<Expr>, Box<Expr>),
}

/// Division by zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DivZero;

/// Operators, those that fault last.
const BINARY: [&str; 19] = [
    "+", "-", "*", "&", "|", "^", "<<", ">>", "<", "<=", ">", ">=", "==", "!=", "&&", "||", "^^",
    "/", "%",
];
const ASSIGN: [&str; 11] = [
    "=", "+=", "-=", "*=", "&=", "|=", "^=", "<<=", ">>=", "/=", "%=",
];

/// The variables of a program and their values.
#[derive(Clone)]
pub struct State {
    /// The variables.
    pub vars: Vec<Var>,
    /// Their values.
    pub values: Vec<i64>,
}

impl State {
    fn ty(&self, e: &Expr) -> Int {
        match e {
            Expr::Literal(_, ty, _) | Expr::Cast(ty, _) => *ty,
            Expr::Var(n) | Expr::Assign(n, ..) | Expr::Step(n, ..) => self.vars[*n].ty,
            Expr::Unary("!", _) => INT,
            Expr::Unary(_, e) | Expr::Comma(_, e) => self.ty(e),
            Expr::Binary("<" | "<=" | ">" | ">=" | "==" | "!=" | "&&" | "||" | "^^", ..) => INT,
            Expr::Binary(_, a, b) | Expr::Cond(_, a, b) => self.ty(a).promote(self.ty(b)),
        }
    }

    fn truth(&mut self, e: &Expr) -> Result<bool, DivZero> {
        Ok(self.eval(e)? != 0)
    }

    /// The value, with the effects on the variables.
    pub fn eval(&mut self, e: &Expr) -> Result<i64, DivZero> {
        Ok(match e {
            Expr::Literal(v, ..) => *v,
            Expr::Var(n) => self.values[*n],
            Expr::Unary(op, e) => {
                let v = self.eval(e)?;
                match *op {
                    "-" => v.wrapping_neg(),
                    "~" => !v,
                    "+" => v,
                    _ => i64::from(v == 0),
                }
            }
            Expr::Binary("&&", a, b) => i64::from(self.truth(a)? && self.truth(b)?),
            Expr::Binary("||", a, b) => i64::from(self.truth(a)? || self.truth(b)?),
            Expr::Binary("^^", a, b) => {
                let (a, b) = (self.truth(a)?, self.truth(b)?);
                i64::from(a != b)
            }
            Expr::Binary(op, a, b) => {
                let signed = self.ty(a).promote(self.ty(b)).signed;
                let (a, b) = (self.eval(a)?, self.eval(b)?);
                arithmetic(op, signed, a, b)?
            }
            Expr::Cond(c, a, b) => {
                if self.truth(c)? {
                    self.eval(a)?
                } else {
                    self.eval(b)?
                }
            }
            Expr::Cast(ty, e) => {
                let v = self.eval(e)?;
                ty.narrow(v)
            }
            Expr::Assign(n, op, e) => self.assign(*n, op, e)?,
            Expr::Step(n, prefix, by) => {
                let old = self.values[*n];
                let new = self.vars[*n].ty.narrow(old.wrapping_add(*by));
                self.values[*n] = new;
                if *prefix { new } else { old }
            }
            Expr::Comma(a, b) => {
                self.eval(a)?;
                self.eval(b)?
            }
        })
    }

    fn assign(&mut self, n: usize, op: &str, e: &Expr) -> Result<i64, DivZero> {
        let ty = self.vars[n].ty;
        let new = match op.strip_suffix('=').filter(|op| !op.is_empty()) {
            None => self.eval(e)?,
            Some(op) => {
                let signed = ty.promote(self.ty(e)).signed;
                let old = self.values[n];
                let by = self.eval(e)?;
                arithmetic(op, signed, old, by)?
            }
        };
        self.values[n] = ty.narrow(new);
        Ok(self.values[n])
    }

    /// The text.
    pub fn text(&self, e: &Expr) -> String {
        match e {
            Expr::Literal(_, _, text) => text.clone(),
            Expr::Var(n) => self.vars[*n].name.clone(),
            Expr::Unary(op, e) => format!("({op} {})", self.text(e)),
            Expr::Binary(op, a, b) => format!("({} {op} {})", self.text(a), self.text(b)),
            Expr::Cond(c, a, b) => {
                format!("({} ? {} : {})", self.text(c), self.text(a), self.text(b))
            }
            Expr::Cast(ty, e) => format!("(({ty}){})", self.text(e)),
            Expr::Assign(n, op, e) => format!("({} {op} {})", self.vars[*n].name, self.text(e)),
            Expr::Step(n, prefix, by) => {
                let (op, name) = (if *by > 0 { "++" } else { "--" }, &self.vars[*n].name);
                if *prefix {
                    format!("({op}{name})")
                } else {
                    format!("({name}{op})")
                }
            }
            Expr::Comma(a, b) => format!("({}, {})", self.text(a), self.text(b)),
        }
    }
}

fn arithmetic(op: &str, signed: bool, a: i64, b: i64) -> Result<i64, DivZero> {
    let (x, y) = (a as u64, b as u64);
    let by = (b & 63) as u32;
    let order = if signed { a.cmp(&b) } else { x.cmp(&y) };
    Ok(match op {
        "+" => a.wrapping_add(b),
        "-" => a.wrapping_sub(b),
        "*" => a.wrapping_mul(b),
        "/" | "%" if b == 0 => return Err(DivZero),
        "/" if signed => a.wrapping_div(b),
        "%" if signed => a.wrapping_rem(b),
        "/" => (x / y) as i64,
        "%" => (x % y) as i64,
        "&" => a & b,
        "|" => a | b,
        "^" => a ^ b,
        "<<" => a << by,
        ">>" if signed => a >> by,
        ">>" => (x >> by) as i64,
        "<" => i64::from(order.is_lt()),
        "<=" => i64::from(order.is_le()),
        ">" => i64::from(order.is_gt()),
        ">=" => i64::from(order.is_ge()),
        "==" => i64::from(a == b),
        _ => i64::from(a != b),
    })
}

/// A literal. Its type is the first of `int`, `long` that holds it, with octal digits also of the unsigned ones; with `u`,
/// only of those.
fn literal(rng: &mut Rng) -> Expr {
    let v = rng.number();
    let magnitude = v as u64;
    let suffix = v < 0 || rng.chance(3);
    let (digits, octal) = match rng.below(3) {
        0 if suffix => (format!("{magnitude:#x}"), false),
        1 => (format!("0{magnitude:o}"), true),
        _ => (format!("{magnitude}"), false),
    };
    let unsigned = suffix || octal && (1 << 31..1 << 32).contains(&magnitude);
    let signed = !unsigned;
    let limit = if signed {
        i32::MAX as u64
    } else {
        u64::from(u32::MAX)
    };
    let bits = if magnitude > limit { 64 } else { 32 };
    Expr::Literal(
        v,
        Int { bits, signed },
        digits + if suffix { "u" } else { "" },
    )
}

/// Whether the text holds no variable: then the compiler folds it.
fn constant(e: &Expr) -> bool {
    match e {
        Expr::Literal(..) => true,
        Expr::Var(_) | Expr::Assign(..) | Expr::Step(..) => false,
        Expr::Unary(_, e) | Expr::Cast(_, e) => constant(e),
        Expr::Binary(_, a, b) | Expr::Comma(a, b) => constant(a) && constant(b),
        Expr::Cond(a, b, c) => constant(a) && constant(b) && constant(c),
    }
}

/// A random expression over these variables.
pub fn random(rng: &mut Rng, state: &State, depth: u32) -> Expr {
    let vars = state.vars.len();
    if depth == 0 || rng.chance(8) {
        return if rng.chance(4) {
            literal(rng)
        } else {
            Expr::Var(rng.below(vars))
        };
    }
    let sub = |rng: &mut Rng| {
        let e = random(rng, state, depth - 1);
        if std::env::var_os("FUZZ_NOFOLD").is_some() && constant(&e) {
            return Box::new(Expr::Var(rng.below(vars)));
        }
        Box::new(e)
    };
    match rng.below(20) {
        0 | 1 => Expr::Unary(["-", "~", "!", "+"][rng.below(4)], sub(rng)),
        2 | 3 => Expr::Cast(Int::ALL[rng.below(8)], sub(rng)),
        4 => {
            let c = sub(rng);
            // A constant condition chooses a branch with its type while parsing.
            let c = if constant(&c) {
                Box::new(Expr::Var(rng.below(vars)))
            } else {
                c
            };
            Expr::Cond(c, sub(rng), sub(rng))
        }
        5 => Expr::Assign(rng.below(vars), ASSIGN[rng.below(ASSIGN.len())], sub(rng)),
        6 => Expr::Step(
            rng.below(vars),
            rng.chance(2),
            if rng.chance(2) { 1 } else { -1 },
        ),
        7 => Expr::Comma(sub(rng), sub(rng)),
        _ => Expr::Binary(BINARY[rng.below(BINARY.len())], sub(rng), sub(rng)),
    }
}

/// Variables of every type and place, with values.
pub fn variables(rng: &mut Rng) -> State {
    let mut vars = Vec::new();
    for n in 0..10 {
        let ty = Int::ALL[rng.below(8)];
        let (name, declaration) = match rng.below(10) {
            0 => (format!("this->t{n}"), format!("this {ty} t{n};")),
            1 => (format!("self->s{n}"), format!("self {ty} s{n};")),
            2 => (
                format!("a{n}[{n}, \"k\"]"),
                format!("{ty} a{n}[int, string];"),
            ),
            3 => (
                format!("z{n}[{n}].first"),
                format!("struct z{n} {{ {ty} first; int64_t last; }}; struct z{n} z{n}[int];"),
            ),
            4 => (
                format!("y{n}[{n}, \"k\"].last"),
                format!("struct y{n} {{ char pad; {ty} last; }}; struct y{n} y{n}[int, string];"),
            ),
            5 => (
                format!("self->x{n}.in.last"),
                format!(
                    "struct x{n} {{ char pad; struct {{ short pad; {ty} last; }} in; }}; self struct x{n} x{n};"
                ),
            ),
            6 => (
                format!("this->w{n}.first"),
                format!("struct w{n} {{ {ty} first; char pad[3]; }}; this struct w{n} w{n};"),
            ),
            _ => (format!("g{n}"), format!("{ty} g{n};")),
        };
        vars.push(Var {
            name,
            declaration,
            ty,
        });
    }
    let values = vars.iter().map(|v| v.ty.narrow(rng.number())).collect();
    State { vars, values }
}

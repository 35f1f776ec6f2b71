//! What the values of an aggregation are: their unit, if the program says it, and names of keys and values.

use image::AggFunc;
use lang::Builtin;
use pictures::Unit;
use sema::hir::{BinOp, Expr, ExprKind, LValueKind, Program, Scope, Stmt, StmtKind};

/// Variables are looked through so deep.
const DEEPEST: u32 = 6;

/// The unit of a value.
pub fn unit(program: &Program, value: &Expr) -> Unit {
    match time(program, value, 0) {
        Some(ns) => Unit::Time(ns),
        None => Unit::Things(String::new()),
    }
}

/// What a function shows in a flame graph; `None`: its values do not add up.
pub fn additive(func: AggFunc) -> Option<Amount> {
    match func {
        AggFunc::Count => Some(Amount::Firings),
        AggFunc::Sum | AggFunc::Avg => Some(Amount::Sum),
        AggFunc::Quantize | AggFunc::Lquantize { .. } | AggFunc::Llquantize { .. } => {
            Some(Amount::Values)
        }
        AggFunc::Min | AggFunc::Max | AggFunc::Stddev => None,
    }
}

/// What is added up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amount {
    /// How often.
    Firings,
    /// Values.
    Sum,
    /// How many values.
    Values,
}

/// Nanoseconds of one, if it is a time: something of a clock, the difference of two, divided by a constant or not.
fn time(program: &Program, e: &Expr, depth: u32) -> Option<u64> {
    if depth > DEEPEST {
        return None;
    }
    let of = |e: &Expr| time(program, e, depth + 1);
    match &e.kind {
        ExprKind::Builtin(Builtin::Timestamp | Builtin::Vtimestamp | Builtin::Walltimestamp) => {
            Some(1)
        }
        ExprKind::Cast(e) => of(e),
        ExprKind::Binary { op, l, r, .. } => match (op, &r.kind) {
            (BinOp::Div, ExprKind::Int(n)) => of(l)?.checked_mul(*n),
            (BinOp::Sub | BinOp::Add, _) => of(l).or_else(|| of(r)),
            _ => None,
        },
        ExprKind::Cond(_, a, b) => of(a).or_else(|| of(b)),
        ExprKind::Var { .. } | ExprKind::Assoc { .. } => assigned(program, &e.kind).find_map(of),
        _ => None,
    }
}

/// What statements assign to a variable or to elements of an array.
fn assigned<'a>(program: &'a Program, to: &'a ExprKind) -> impl Iterator<Item = &'a Expr> {
    let same = move |target: &LValueKind| match (target, to) {
        (LValueKind::Var { id: a, .. }, ExprKind::Var { id: b, .. }) => a == b,
        (LValueKind::Assoc { id: a, .. }, ExprKind::Assoc { id: b, .. }) => a == b,
        _ => false,
    };
    let value = move |s: &'a Stmt| match &s.kind {
        StmtKind::Expr(Expr {
            kind: ExprKind::Assign(target, value),
            ..
        }) if same(&target.kind) => Some(&**value),
        _ => None,
    };
    let bodies = program.clauses.iter().flat_map(|c| &c.body);
    bodies.filter_map(value)
}

/// What a value is called, where it is something with a name.
pub fn name(program: &Program, e: &Expr) -> Option<String> {
    match &e.kind {
        ExprKind::Builtin(builtin) => builtin.row().map(|row| row.name.to_owned()),
        ExprKind::Str(text) => Some(format!("\"{}\"", String::from_utf8_lossy(text))),
        ExprKind::RawArg(n) => Some(format!("arg{n}")),
        ExprKind::Cast(e) | ExprKind::Sym(e) => name(program, e),
        ExprKind::Var { id, .. } => {
            let var = program.vars.get(id.0 as usize)?;
            Some(format!("{}{}", prefix(var.scope), var.name))
        }
        ExprKind::Assoc { id, .. } => {
            let assoc = program.assocs.get(id.0 as usize)?;
            Some(format!("{}{}[]", prefix(assoc.scope), assoc.name))
        }
        ExprKind::Call(subr, args) => {
            let of = args.first().and_then(|a| name(program, a));
            let subr = subr.row()?.name;
            Some(format!("{subr}({})", of.unwrap_or_default()))
        }
        _ => None,
    }
}

fn prefix(scope: Scope) -> &'static str {
    match scope {
        Scope::Global => "",
        Scope::Thread => "self->",
        Scope::Clause => "this->",
    }
}

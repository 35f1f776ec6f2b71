//! Walks over expressions.

use crate::hir::{Clause, Expr, ExprKind, LValue, LValueKind, Program, Stmt, StmtKind};

/// Whether computing an expression changes a variable or memory.
pub fn changes(e: &Expr) -> bool {
    let mut found = false;
    expr(e, &mut |seen| found |= matches!(seen, Seen::Target(..)));
    found
}

/// Calls `f` on an expression and everything in it, targets of assignments as [`Seen::Target`].
pub fn expr(e: &Expr, f: &mut dyn FnMut(Seen)) {
    f(Seen::Expr(e));
    match &e.kind {
        ExprKind::Int(_)
        | ExprKind::Str(_)
        | ExprKind::Builtin(_)
        | ExprKind::RawArg(_)
        | ExprKind::Arg { .. }
        | ExprKind::Var { .. }
        | ExprKind::Again(_)
        | ExprKind::Stack => {}
        ExprKind::Assoc { keys, .. } | ExprKind::Call(_, keys) => {
            keys.iter().for_each(|k| expr(k, f))
        }
        ExprKind::Element { whole, indices } => {
            expr(whole, f);
            indices.iter().for_each(|i| expr(&i.value, f));
        }
        ExprKind::Load { addr, .. }
        | ExprKind::BitField { addr, .. }
        | ExprKind::Mem { addr, .. }
        | ExprKind::StringOf { addr, .. } => expr(addr, f),
        ExprKind::Unary(_, a)
        | ExprKind::Address(a)
        | ExprKind::Cast(a)
        | ExprKind::Once { value: a, .. }
        | ExprKind::Sym(a)
        | ExprKind::UserReg(a) => expr(a, f),
        ExprKind::Binary { l, r, .. } | ExprKind::StrCmp { l, r, .. } => {
            expr(l, f);
            expr(r, f);
        }
        ExprKind::Logical(_, l, r) | ExprKind::Comma(l, r) => {
            expr(l, f);
            expr(r, f);
        }
        ExprKind::Cond(c, t, e) => {
            expr(c, f);
            expr(t, f);
            expr(e, f);
        }
        ExprKind::Assign(t, v) => {
            target(t, matches!(v.kind, ExprKind::Int(0)), f);
            expr(v, f);
        }
        ExprKind::OpAssign {
            target: t, value, ..
        } => {
            target(t, false, f);
            expr(value, f);
        }
        ExprKind::Step { target: t, .. } => target(t, false, f),
    }
}

/// What a walk meets.
pub enum Seen<'a> {
    /// An expression.
    Expr(&'a Expr),
    /// The target of an assignment; the flag says that it is assigned constant zero.
    Target(&'a LValue, bool),
}

fn target(t: &LValue, zero: bool, f: &mut dyn FnMut(Seen)) {
    f(Seen::Target(t, zero));
    t.indices.iter().for_each(|i| expr(&i.value, f));
    match &t.kind {
        LValueKind::Var { .. } => {}
        LValueKind::Assoc { keys, .. } => keys.iter().for_each(|k| expr(k, f)),
        LValueKind::Mem { addr, .. } => expr(addr, f),
    }
}

/// Every expression of a statement.
pub fn stmt(s: &Stmt, f: &mut dyn FnMut(Seen)) {
    match &s.kind {
        StmtKind::Expr(e)
        | StmtKind::Exit(e)
        | StmtKind::Raise(e)
        | StmtKind::Chill(e)
        | StmtKind::Speculate(e)
        | StmtKind::Commit(e)
        | StmtKind::Discard(e) => expr(e, f),
        StmtKind::Record { data, .. } => data.iter().for_each(|e| expr(e, f)),
        StmtKind::Aggregate {
            keys, value, incr, ..
        } => {
            keys.iter().for_each(|e| expr(e, f));
            value.iter().for_each(|e| expr(e, f));
            incr.iter().for_each(|e| expr(e, f));
        }
        StmtKind::Stop => {}
    }
}

/// Every expression of a clause.
pub fn clause(c: &Clause, f: &mut dyn FnMut(Seen)) {
    c.predicate.iter().for_each(|e| expr(e, f));
    c.body.iter().for_each(|s| stmt(s, f));
}

/// Every expression of a program, what is hidden included.
pub fn program(p: &Program, f: &mut dyn FnMut(Seen)) {
    p.clauses.iter().for_each(|c| clause(c, f));
    let places = p.probes.iter().flat_map(|e| &e.places);
    let places = places.chain(p.setups.iter().map(|s| &s.place));
    places
        .filter_map(|place| place.when.as_ref())
        .for_each(|e| expr(e, f));
    p.setups
        .iter()
        .flat_map(|s| &s.body)
        .for_each(|s| stmt(s, f));
}

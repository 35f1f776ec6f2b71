//! What every record of a timeline has first: process, thread, name of the thread.

use image::ActionKind;
use lang::Builtin;
use sema::hir::{Clause, Expr, ExprKind, IntTy, Pos, Program, Stmt, StmtKind, Ty};

/// Whether what an action records is shown in a timeline.
pub fn is_shown(action: &ActionKind) -> bool {
    match action {
        ActionKind::Trace
        | ActionKind::Tracemem { .. }
        | ActionKind::Printf(_)
        | ActionKind::Print(_)
        | ActionKind::Stack
        | ActionKind::Sym => true,
        ActionKind::Printa { .. }
        | ActionKind::Exit
        | ActionKind::Clear(_)
        | ActionKind::Trunc(_)
        | ActionKind::Normalize(_)
        | ActionKind::Denormalize(_)
        | ActionKind::System(_)
        | ActionKind::Freopen(_)
        | ActionKind::Ftruncate
        | ActionKind::Setopt => false,
    }
}

/// Whether a clause shows anything.
pub fn shows(clause: &Clause) -> bool {
    let action = |s: &Stmt| matches!(&s.kind, StmtKind::Record { action, .. } if is_shown(action));
    clause.default_action || clause.body.iter().any(action)
}

/// Makes every clause that shows anything record it.
pub fn add(program: &mut Program) {
    for clause in program.clauses.iter_mut().filter(|c| shows(c)) {
        let first = |s: &Stmt| matches!(s.kind, StmtKind::Record { .. } | StmtKind::Exit(_));
        let end = clause.body.len();
        let at = clause.body.iter().position(first).unwrap_or(end);
        clause.body.insert(at, context(clause.pos));
        clause.default_action = false;
    }
}

fn context(pos: Pos) -> Stmt {
    let builtin = |of, ty| Expr {
        kind: ExprKind::Builtin(of),
        ty,
        pos,
    };
    Stmt {
        kind: StmtKind::Record {
            action: ActionKind::Trace,
            data: vec![
                builtin(Builtin::Pid, Ty::Int(IntTy::I32)),
                builtin(Builtin::Tid, Ty::Int(IntTy::I32)),
                builtin(Builtin::Execname, Ty::Str),
            ],
        },
        pos,
    }
}

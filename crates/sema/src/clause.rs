//! Clauses: probe descriptions, predicate and actions, and the splitting of `if`/`else` into clauses of their own.
//!
//! A clause is analysed once for each of its probe descriptions. Statements up to an `if` make one part, with the
//! condition stored in a hidden clause-local variable; the branches and what follows are parts of their own that
//! continue it.

use std::rc::Rc;

use ctypes::TypeGraph;
use diag::{Diagnostic, Region, Tag};
use syntax::ast;

use crate::compiler::{Compiler, Context};
use crate::hir::{
    self, Expr, ExprKind, IntTy, LValue, LValueKind, LogOp, Stmt, StmtKind, Ty, UnOp,
};
use crate::probe::Matched;
use crate::typed::R;
use crate::types::{int, narrow};

/// One part of a clause.
struct Part {
    predicate: Option<Expr>,
    body: Vec<Stmt>,
}

/// What `if` statements guard: the hidden variable of each enclosing condition and the branch taken.
type Guards = Vec<(hir::VarId, bool)>;

impl Compiler<'_> {
    /// Analyses a clause for each of its probe descriptions. Returns the number of probes matched.
    pub(crate) fn clause(&mut self, clause: &ast::Clause) -> R<usize> {
        let mut matched = 0;
        for spec in &clause.specs {
            self.cx = Context::default();
            let found = self.match_spec(spec)?;
            matched += found.probes.len();
            self.clause_for(clause, found)?;
        }
        self.cx = Context::default();
        Ok(matched)
    }

    fn clause_for(&mut self, clause: &ast::Clause, found: Matched) -> R<()> {
        let ids: Vec<u32> = found.probes.iter().map(|p| p.id).collect();
        let probes = Rc::new(found.probes);
        self.cx.description = found.description;
        self.cx.probes = (!probes.is_empty()).then(|| probes.clone());
        let parts = self.parts(clause)?;
        if ids.is_empty() {
            return Ok(());
        }
        for probe in probes.iter() {
            self.probes.entry(probe.id).or_insert_with(|| probe.clone());
        }
        let default_action = clause.body.as_ref().is_none_or(|b| b.is_empty());
        let pos = self.pos(clause.span);
        for (i, part) in parts.into_iter().enumerate() {
            let Part { predicate, body } = part;
            let continues = i > 0;
            let probes = ids.clone();
            self.clauses.push(hir::Clause {
                probes,
                predicate,
                body,
                continues,
                default_action,
                pos,
            });
        }
        Ok(())
    }

    /// Actions first, then the predicate; if the actions lack a variable that the predicate may make, the other way round.
    fn parts(&mut self, clause: &ast::Clause) -> R<Vec<Part>> {
        let body = clause.body.as_deref().unwrap_or(&[]);
        let first = self.body(body);
        let (mut parts, predicate) = match (first, &clause.predicate) {
            (Ok(parts), predicate) => (parts, self.predicate(predicate.as_ref())?),
            (Err(error), Some(predicate)) if is_undefined(&error) => {
                let predicate = self.predicate(Some(predicate))?;
                (self.body(body)?, predicate)
            }
            (Err(error), _) => return Err(error),
        };
        if let Some(part) = parts.first_mut() {
            part.predicate = predicate;
        }
        Ok(parts)
    }

    fn predicate(&mut self, predicate: Option<&ast::Expr>) -> R<Option<Expr>> {
        let Some(predicate) = predicate else {
            return Ok(None);
        };
        self.cx.region = Some(Region::Predicate);
        if self.is_action(predicate) {
            return self.call_in_expression(predicate);
        }
        let e = self.expr(predicate)?;
        if !self.is_scalar(&e) {
            return self.fail(
                Tag::D_PRED_SCALAR,
                predicate.span,
                "predicate result must be of scalar type",
            );
        }
        let e = self.code(e)?;
        self.cx.region = None;
        Ok(Some(e))
    }

    fn body(&mut self, body: &[ast::Stmt]) -> R<Vec<Part>> {
        self.cx.region = Some(Region::Actions);
        self.check_speculation(body)?;
        let mut parts = vec![Part {
            predicate: None,
            body: Vec::new(),
        }];
        self.statements(body, &Vec::new(), &mut parts)?;
        let mut first = true;
        parts.retain(|p| std::mem::take(&mut first) || !p.body.is_empty());
        self.cx.region = None;
        Ok(parts)
    }

    fn statements(&mut self, body: &[ast::Stmt], guards: &Guards, parts: &mut Vec<Part>) -> R<()> {
        if guards.len() > 64 {
            let text = "if statements are nested too deeply";
            return Err(self.error(Tag::D_UNKNOWN, diag::Span::default(), text));
        }
        for stmt in body {
            match stmt {
                ast::Stmt::Expr(e) => {
                    let kind = self.statement(e)?;
                    let pos = self.pos(e.span);
                    push(parts, Stmt { kind, pos });
                }
                ast::Stmt::If {
                    cond,
                    then,
                    otherwise,
                    span: _,
                } => {
                    let var = self.condition(cond, parts)?;
                    for (branch, taken) in [(then, true), (otherwise, false)] {
                        let mut inner = guards.clone();
                        inner.push((var, taken));
                        let pos = self.pos(cond.span);
                        parts.push(Part {
                            predicate: guard(&inner, pos),
                            body: Vec::new(),
                        });
                        self.statements(branch, &inner, parts)?;
                    }
                    let pos = self.pos(cond.span);
                    parts.push(Part {
                        predicate: guard(guards, pos),
                        body: Vec::new(),
                    });
                }
            }
        }
        Ok(())
    }

    /// Stores the truth of a condition in a hidden variable.
    fn condition(&mut self, cond: &ast::Expr, parts: &mut [Part]) -> R<hir::VarId> {
        if self.is_action(cond) {
            return self.call_in_expression(cond);
        }
        let e = self.expr(cond)?;
        if !self.is_scalar(&e) {
            return self.fail(
                Tag::D_PRED_SCALAR,
                cond.span,
                "predicate result must be of scalar type",
            );
        }
        let pos = self.pos(cond.span);
        let value = self.code(e)?;
        let truth = match value.kind {
            ExprKind::Int(v) => int(u64::from(v != 0), IntTy::I32, pos),
            _ => not(not(value, pos), pos),
        };
        let id = self.hidden_var();
        let ty = Ty::Int(IntTy::I32);
        let target = LValue {
            kind: LValueKind::Var { id, offset: 0 },
            ty,
            pos,
        };
        let assign = Expr {
            kind: ExprKind::Assign(Box::new(target), Box::new(narrow(truth, IntTy::I32))),
            ty,
            pos,
        };
        if let Some(part) = parts.last_mut() {
            part.body.push(Stmt {
                kind: StmtKind::Expr(assign),
                pos,
            });
        }
        Ok(id)
    }

    /// A statement: an action, an assignment to an aggregation, or an expression.
    fn statement(&mut self, e: &ast::Expr) -> R<StmtKind> {
        if let Some(stmt) = crate::agg::agg_stmt(e) {
            return self.aggregate(&stmt);
        }
        if let ast::ExprKind::Call(_, args) = &e.kind
            && let Some(g) = self.callee(e)
            && let Some(kind) = self.action_call(g, args, e)?
        {
            return Ok(kind);
        }
        let typed = self.expr(e)?;
        if let crate::typed::Form::Agg(at) = typed.form {
            let text = format!("expression has null effect: @{}", self.aggs[at].name);
            return self.fail(Tag::D_AGG_NULL, e.span, text);
        }
        let void = typed.ty == TypeGraph::VOID;
        let mut value = self.code(typed)?;
        if void {
            value.ty = Ty::Void;
        }
        Ok(StmtKind::Expr(value))
    }
}

fn is_undefined(error: &Diagnostic) -> bool {
    matches!(error.tag, Tag::D_IDENT_UNDEF | Tag::D_VAR_UNDEF)
}

fn push(parts: &mut [Part], stmt: Stmt) {
    if let Some(part) = parts.last_mut() {
        part.body.push(stmt);
    }
}

fn not(e: Expr, pos: hir::Pos) -> Expr {
    Expr {
        kind: ExprKind::Unary(UnOp::Not, Box::new(e)),
        ty: Ty::Int(IntTy::I32),
        pos,
    }
}

/// All conditions, outermost first, so that one that was not evaluated is not looked at.
fn guard(guards: &Guards, pos: hir::Pos) -> Option<Expr> {
    let ty = Ty::Int(IntTy::I32);
    guards
        .iter()
        .map(|(id, taken)| {
            let var = Expr {
                kind: ExprKind::Var { id: *id, offset: 0 },
                ty,
                pos,
            };
            if *taken { var } else { not(var, pos) }
        })
        .reduce(|a, b| Expr {
            kind: ExprKind::Logical(LogOp::And, Box::new(a), Box::new(b)),
            ty,
            pos,
        })
}

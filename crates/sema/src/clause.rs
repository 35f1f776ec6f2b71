//! Clauses: probe descriptions, predicate and actions, and the splitting of `if`/`else` into clauses of their own.
//!
//! A clause is analysed once for each of its probe descriptions. Statements up to an `if` make one part, with the
//! condition stored in a hidden clause-local variable; the branches and what follows are parts of their own that
//! continue it.

use std::ops::Range;
use std::rc::Rc;

use ctypes::TypeGraph;
use diag::{Diagnostic, Region, Tag};
use image::Probe;
use syntax::ast;

use crate::compiler::{Compiler, Context};
use crate::hir::{
    self, BinOp, Expr, ExprKind, IntTy, LValue, LValueKind, LogOp, Stmt, StmtKind, Ty, UnOp,
};
use crate::probe::{Matched, is_of_call, without_twins};
use crate::typed::R;
use crate::types::{int, narrow};

/// One part of a clause.
struct Part {
    predicate: Option<Expr>,
    body: Vec<Stmt>,
}

/// What the hidden variable of an `if` holds. No more values than needed: the kernel's verifier follows each.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// No condition has held yet.
    Open = 0,
    /// The last one looked at held: its branch runs.
    Held = 1,
    /// A branch of an `else if` chain is over, and so is the chain.
    Over = 2,
}

/// A state of a hidden variable that must be; `over`: the variable may also tell that the chain is over.
#[derive(Clone, Copy)]
struct Guard {
    var: hir::VarId,
    held: bool,
    over: bool,
}

/// What probes have in common that fire the same clauses.
#[derive(PartialEq, Eq)]
enum Kind {
    /// They are of system calls, which have their arguments in the same places.
    Calls,
    /// They are beginnings or ends (the second text) of functions of a process (the first), of which each has a name.
    Functions(String, String),
}

/// Clauses that were made for some descriptions of a clause, and may do for others.
struct Shared {
    kind: Kind,
    clauses: Range<usize>,
    /// The functions that those descriptions name.
    functions: Vec<String>,
}

/// What the enclosing `if` statements demand, outermost first.
type Guards = Vec<Guard>;

/// Deepest nesting of `if` statements: how long guards may get.
const NEST_MAX: usize = 64;

impl Compiler<'_> {
    /// Analyses a clause for each of its probe descriptions. Returns the number of probes matched.
    pub(crate) fn clause(&mut self, clause: &ast::Clause) -> R<usize> {
        let (mut matched, mut all) = (0, Vec::new());
        let mut shared: Option<Shared> = None;
        for spec in &clause.specs {
            self.cx = Context::default();
            all.push(self.match_spec(spec)?);
        }
        let nothing: Vec<bool> = all.iter().map(|found| found.probes.is_empty()).collect();
        without_twins(&mut all);
        for (found, nothing) in all.into_iter().zip(nothing) {
            self.cx = Context::default();
            self.descriptions.push(found.description.clone());
            matched += found.probes.len();
            if found.probes.is_empty() && !nothing {
                continue;
            }
            let kind = kind_of(&found);
            let function = found.function().map(str::to_owned);
            if let Some(shared) = &mut shared
                && self.joins(shared, kind.as_ref(), &found)
            {
                shared.functions.extend(function);
                self.join(shared.clauses.clone(), found.probes);
                continue;
            }
            let first = self.clauses.len();
            self.clause_for(clause, found)?;
            shared = kind.filter(|_| !self.cx.by_probe).map(|kind| Shared {
                kind,
                clauses: first..self.clauses.len(),
                functions: function.into_iter().collect(),
            });
        }
        self.cx = Context::default();
        Ok(matched)
    }

    /// Whether the clauses made for an earlier description do for this one too: nothing in them depends on the probe, and
    /// none of the probes has them already, or may come to have them (it would fire them twice).
    fn joins(&self, shared: &Shared, kind: Option<&Kind>, found: &Matched) -> bool {
        let clauses = self.clauses.get(shared.clauses.clone());
        let has = |c: &hir::Clause, p: &Probe| c.probes.contains(&p.id);
        let named = found.function().map(str::to_owned);
        let more_come = matches!(shared.kind, Kind::Functions(..));
        kind == Some(&shared.kind)
            && !(more_come && named.is_some_and(|f| shared.functions.contains(&f)))
            && clauses
                .unwrap_or_default()
                .iter()
                .all(|c| !found.probes.iter().any(|p| has(c, p)))
    }

    fn join(&mut self, shared: Range<usize>, probes: Vec<Probe>) {
        for clause in self.clauses.get_mut(shared).unwrap_or_default() {
            clause.probes.extend(probes.iter().map(|p| p.id));
        }
        for probe in probes {
            self.probes.entry(probe.id).or_insert(probe);
        }
    }

    fn clause_for(&mut self, clause: &ast::Clause, found: Matched) -> R<()> {
        for probe in &found.probes {
            self.enable_derived(probe, clause.span)?;
        }
        let description = found.description;
        let outcome = self.clause_on(clause, &description, found.probes.clone());
        if outcome.is_ok() || !self.cx.split {
            return outcome;
        }
        // The arguments of each are in another place.
        for probe in found.probes {
            let derived = self.derivation(&probe, clause.span)?;
            let places = derived.map_or(0, |d| if d.is_scattered() { d.places.len() } else { 0 });
            let each = (0..places).map(Some);
            for place in each.chain((places == 0).then_some(None)) {
                self.cx = Context {
                    place,
                    ..Context::default()
                };
                self.clause_on(clause, &description, vec![probe.clone()])?;
            }
        }
        Ok(())
    }

    fn clause_on(&mut self, clause: &ast::Clause, description: &str, found: Vec<Probe>) -> R<()> {
        let ids: Vec<u32> = found.iter().map(|p| p.id).collect();
        let probes = Rc::new(found);
        self.cx.description = description.to_owned();
        self.cx.probes = (!probes.is_empty()).then(|| probes.clone());
        // A clause that matches nothing keeps its place, for probes may come.
        let parts = self.parts(clause)?;
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
                place: self.cx.place.map(|n| n as u32),
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
            return self.no_condition(predicate);
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
        for stmt in body {
            match stmt {
                ast::Stmt::Expr(e) => {
                    let kind = self.statement(e)?;
                    let pos = self.pos(e.span);
                    push(parts, Stmt { kind, pos });
                }
                ast::Stmt::If {
                    arms,
                    otherwise,
                    span,
                } => {
                    if guards.len() >= NEST_MAX {
                        let text = "if statements are nested too deeply";
                        return self.fail(Tag::D_UNKNOWN, *span, text);
                    }
                    self.if_statement(arms, otherwise, guards, parts)?;
                }
            }
        }
        Ok(())
    }

    /// One hidden variable serves all conditions of an `if`, so that guards grow with nesting only.
    fn if_statement(
        &mut self,
        arms: &[ast::Arm],
        otherwise: &[ast::Stmt],
        guards: &Guards,
        parts: &mut Vec<Part>,
    ) -> R<()> {
        let mut var = None;
        let mut pos = hir::Pos::default();
        let mut left = arms.len();
        for arm in arms {
            let value = self.condition(&arm.cond)?;
            pos = self.pos(arm.cond.span);
            let over = var.is_some();
            let var = *var.get_or_insert_with(|| self.hidden_var());
            push(parts, store(var, value, pos));
            let own = |held| {
                let mut inner = guards.clone();
                inner.push(Guard { var, held, over });
                inner
            };
            let held = own(true);
            parts.push(part(&held, pos));
            self.statements(&arm.then, &held, parts)?;
            left -= 1;
            if left > 0 {
                push(parts, store(var, number(State::Over, pos), pos));
            }
            let open = own(false);
            parts.push(part(&open, pos));
            if left == 0 {
                self.statements(otherwise, &open, parts)?;
            }
        }
        parts.push(part(guards, pos));
        Ok(())
    }

    fn no_condition<T>(&self, cond: &ast::Expr) -> R<T> {
        let text = "predicate result must be of scalar type";
        let mut e = self.error(Tag::D_PRED_SCALAR, cond.span, text);
        if matches!(cond.kind, ast::ExprKind::Assign(..)) {
            e.help = Some(crate::assign::COMPARES.into());
        }
        Err(e)
    }

    /// The truth of a condition, as a state.
    fn condition(&mut self, cond: &ast::Expr) -> R<Expr> {
        if self.is_action(cond) {
            return self.call_in_expression(cond);
        }
        let e = self.expr(cond)?;
        if !self.is_scalar(&e) {
            return self.no_condition(cond);
        }
        let pos = self.pos(cond.span);
        let value = self.code(e)?;
        Ok(match value.kind {
            ExprKind::Int(0) => number(State::Open, pos),
            ExprKind::Int(_) => number(State::Held, pos),
            _ => narrow(not(not(value, pos), pos), IntTy::I32),
        })
    }

    /// A statement: an action, an assignment to an aggregation, or an expression.
    pub(crate) fn statement(&mut self, e: &ast::Expr) -> R<StmtKind> {
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

/// What the probes of a description have in common, if a clause is the same for all of them. What decides is the text where
/// more probes may come, so that a later analysis makes the same clauses.
fn kind_of(found: &Matched) -> Option<Kind> {
    if !found.probes.is_empty() && found.probes.iter().all(is_of_call) {
        return Some(Kind::Calls);
    }
    let mut words = found.description.split(':');
    let (provider, name) = (words.next()?, words.nth(2)?);
    let process = provider.strip_prefix("pid")?;
    let is_number = !process.is_empty() && process.bytes().all(|b| b.is_ascii_digit());
    let is_one = found.function().is_some() && matches!(name, "entry" | "return");
    (is_number && is_one).then(|| Kind::Functions(provider.to_owned(), name.to_owned()))
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

fn number(state: State, pos: hir::Pos) -> Expr {
    narrow(int(state as u64, IntTy::I32, pos), IntTy::I32)
}

/// The assignment of an `if`'s state.
fn store(id: hir::VarId, value: Expr, pos: hir::Pos) -> Stmt {
    let ty = Ty::Int(IntTy::I32);
    let target = LValue {
        indices: Vec::new(),
        bits: None,
        kind: LValueKind::Var { id, offset: 0 },
        ty,
        pos,
    };
    let kind = StmtKind::Expr(Expr {
        kind: ExprKind::Assign(Box::new(target), Box::new(value)),
        ty,
        pos,
    });
    Stmt { kind, pos }
}

/// An empty part under guards.
fn part(guards: &Guards, pos: hir::Pos) -> Part {
    Part {
        predicate: guard(guards, pos),
        body: Vec::new(),
    }
}

/// All conditions, outermost first, so that one that was not evaluated is not looked at.
fn guard(guards: &Guards, pos: hir::Pos) -> Option<Expr> {
    let ty = Ty::Int(IntTy::I32);
    let one = |g: &Guard| {
        let var = Expr {
            kind: ExprKind::Var {
                id: g.var,
                offset: 0,
            },
            ty,
            pos,
        };
        let kind = match (g.held, g.over) {
            (false, _) => return not(var, pos),
            (true, false) => return var,
            (true, true) => ExprKind::Binary {
                op: BinOp::Eq,
                signed: true,
                l: Box::new(var),
                r: Box::new(number(State::Held, pos)),
            },
        };
        Expr { kind, ty, pos }
    };
    guards.iter().map(one).reduce(|a, b| Expr {
        kind: ExprKind::Logical(LogOp::And, Box::new(a), Box::new(b)),
        ty,
        pos,
    })
}

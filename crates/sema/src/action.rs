//! Actions: what a clause's statements may do, and the checks of each (reference §10, §20).

use ctypes::TypeGraph;
use diag::{Span, Tag};
use image::{ActionKind, Format, SymKind};
use lang::{Action, Global, GlobalKind};
use syntax::ast;

use crate::compiler::Compiler;
use crate::hir::{Expr, ExprKind, StmtKind, Ty};
use crate::printf::Directive;
use crate::typed::{Form, R, Typed};
use crate::types::narrow;

/// What `freopen()` may not be given: it stands for the original output inside the implementation.
const RESTORE: &[u8] = b".";
/// Most bytes that one action may record.
const MAX_DATUM: u64 = 1 << 20;

/// The symbol kind that an action shows.
pub(crate) fn sym_kind(action: Action) -> Option<SymKind> {
    match action {
        Action::Sym | Action::Func => Some(SymKind::Sym),
        Action::Mod => Some(SymKind::Mod),
        Action::Usym | Action::Ufunc => Some(SymKind::Usym),
        Action::Umod => Some(SymKind::Umod),
        Action::Uaddr => Some(SymKind::Uaddr),
        Action::Breakpoint
        | Action::Chill
        | Action::Clear
        | Action::Commit
        | Action::Denormalize
        | Action::Discard
        | Action::Exit
        | Action::Freopen
        | Action::Ftruncate
        | Action::Jstack
        | Action::Normalize
        | Action::Panic
        | Action::Pcap
        | Action::Print
        | Action::Printa
        | Action::Printf
        | Action::Printm
        | Action::Raise
        | Action::Setopt
        | Action::Speculate
        | Action::Stack
        | Action::Stop
        | Action::System
        | Action::Trace
        | Action::Tracemem
        | Action::Trunc
        | Action::Ustack => None,
    }
}

/// Tags of the actions on one aggregation: wrong count, not an aggregation, undefined, bad second argument.
struct AggTags {
    proto: Tag,
    arg: Tag,
    bad: Tag,
    scalar: Tag,
}

const CLEAR: AggTags = AggTags {
    proto: Tag::D_CLEAR_PROTO,
    arg: Tag::D_CLEAR_AGGARG,
    bad: Tag::D_CLEAR_AGGBAD,
    scalar: Tag::D_UNKNOWN,
};
const TRUNC: AggTags = AggTags {
    proto: Tag::D_TRUNC_PROTO,
    arg: Tag::D_TRUNC_AGGARG,
    bad: Tag::D_TRUNC_AGGBAD,
    scalar: Tag::D_TRUNC_SCALAR,
};
const NORMALIZE: AggTags = AggTags {
    proto: Tag::D_NORMALIZE_PROTO,
    arg: Tag::D_NORMALIZE_AGGARG,
    bad: Tag::D_NORMALIZE_AGGBAD,
    scalar: Tag::D_NORMALIZE_SCALAR,
};

/// What a clause has done so far, for the order that speculation demands.
#[derive(Default)]
struct Done {
    speculate: bool,
    commit: bool,
    data: bool,
}

fn record(action: ActionKind, data: Vec<Expr>) -> StmtKind {
    StmtKind::Record { action, data }
}

/// Kernels walk at most 127 frames unless `kernel.perf_event_max_stack` is raised; more room than this is never filled.
const MOST_FRAMES: u32 = 512;

impl Compiler<'_> {
    /// A call statement. `None`: it is a subroutine call, an expression like any other.
    pub(crate) fn action_call(
        &mut self,
        g: &'static Global,
        args: &[ast::Expr],
        e: &ast::Expr,
    ) -> R<Option<StmtKind>> {
        let span = e.span;
        let action = match g.kind {
            GlobalKind::Action(action) => action,
            GlobalKind::Agg(_) => return self.call_in_expression(e),
            GlobalKind::Subr(_)
            | GlobalKind::Builtin(_)
            | GlobalKind::Arg(_)
            | GlobalKind::Args
            | GlobalKind::Uregs
            | GlobalKind::SelfPtr
            | GlobalKind::ThisPtr
            | GlobalKind::Foreign => return Ok(None),
        };
        self.supported(g, span)?;
        self.used(g.name, g.stability, span)?;
        self.destructive |= action.is_destructive();
        self.action(action, g, args, span).map(Some)
    }

    fn action(
        &mut self,
        action: Action,
        g: &'static Global,
        args: &[ast::Expr],
        span: Span,
    ) -> R<StmtKind> {
        match action {
            Action::Trace => self.trace(g, args, span),
            Action::Print => self.print(g, args, span),
            Action::Tracemem => self.tracemem(g, args, span),
            Action::Printf => Ok(self
                .formatted(g, args, span, false)?
                .into_record(ActionKind::Printf)),
            Action::System => Ok(self
                .formatted(g, args, span, false)?
                .into_record(ActionKind::System)),
            Action::Freopen => self.freopen(g, args, span),
            Action::Printa => self.printa(g, args, span),
            Action::Clear => self.agg_action(g, args, &CLEAR, span, ActionKind::Clear),
            Action::Denormalize => {
                self.agg_action(g, args, &NORMALIZE, span, ActionKind::Denormalize)
            }
            Action::Normalize => self.normalize(g, args, span),
            Action::Trunc => self.trunc(g, args, span),
            Action::Stack | Action::Ustack | Action::Jstack => Ok(record(
                ActionKind::Stack,
                vec![self.stack_value(action, args, span)?],
            )),
            Action::Sym
            | Action::Func
            | Action::Mod
            | Action::Usym
            | Action::Ufunc
            | Action::Umod
            | Action::Uaddr => {
                let value = self.sym_address(g, args, span)?;
                let kind = sym_kind(action).unwrap_or(SymKind::Sym);
                let expr = Expr {
                    kind: ExprKind::Sym(Box::new(value)),
                    ty: Ty::Sym(kind),
                    pos: self.pos(span),
                };
                Ok(record(ActionKind::Sym, vec![expr]))
            }
            Action::Exit => Ok(StmtKind::Exit(self.only_argument(g, args, span)?)),
            Action::Raise => Ok(StmtKind::Raise(self.only_argument(g, args, span)?)),
            Action::Chill => Ok(StmtKind::Chill(self.only_argument(g, args, span)?)),
            Action::Speculate => Ok(StmtKind::Speculate(self.only_argument(g, args, span)?)),
            Action::Commit => Ok(StmtKind::Commit(self.only_argument(g, args, span)?)),
            Action::Discard => Ok(StmtKind::Discard(self.only_argument(g, args, span)?)),
            Action::Stop => self.plain_arguments(g, args, span).map(|_| StmtKind::Stop),
            Action::Ftruncate => self
                .plain_arguments(g, args, span)
                .map(|d| record(ActionKind::Ftruncate, d)),
            Action::Setopt => self
                .plain_arguments(g, args, span)
                .map(|d| record(ActionKind::Setopt, d)),
            Action::Breakpoint | Action::Panic | Action::Pcap | Action::Printm => {
                let text = format!("tracing function {}( ) is not yet supported", g.name);
                self.fail(Tag::D_UNKNOWN, span, text)
            }
        }
    }

    /// Arguments checked against the prototype.
    fn plain_arguments(
        &mut self,
        g: &'static Global,
        args: &[ast::Expr],
        span: Span,
    ) -> R<Vec<Expr>> {
        let typed = args.iter().map(|a| self.expr(a)).collect::<R<Vec<_>>>()?;
        self.arguments(g, typed, span)
    }

    fn only_argument(&mut self, g: &'static Global, args: &[ast::Expr], span: Span) -> R<Expr> {
        match self.plain_arguments(g, args, span)?.pop() {
            Some(arg) => Ok(arg),
            None => self.fail(
                Tag::D_PROTO_LEN,
                span,
                format!("{}( ) prototype mismatch", g.name),
            ),
        }
    }

    /// The value of `trace()` and `print()`.
    fn traced(
        &mut self,
        g: &'static Global,
        args: &[ast::Expr],
        tags: [Tag; 3],
        span: Span,
    ) -> R<Typed> {
        self.check_count(g, args.len(), span)?;
        let Some(arg) = args.first() else {
            return self.fail(
                Tag::D_PROTO_LEN,
                span,
                format!("{}( ) prototype mismatch", g.name),
            );
        };
        let [void, dynamic, agg] = tags;
        let name = g.name;
        if self.is_action(arg) {
            self.recordable_only(arg, void, name)?;
        }
        let e = self.recordable(arg)?;
        match e.form {
            Form::Agg(_) => {
                let hint = if name == "trace" {
                    " -- did you mean printa()?"
                } else {
                    ""
                };
                self.fail(
                    agg,
                    arg.span,
                    format!("{name}( ) may not be applied to an aggregation{hint}"),
                )
            }
            Form::Dyn(_) => self.fail(
                dynamic,
                arg.span,
                format!("{name}( ) may not be applied to a translated pointer"),
            ),
            Form::Value(_) | Form::Place(_) if e.ty == TypeGraph::VOID => self.fail(
                void,
                arg.span,
                format!("{name}( ) may not be applied to a void expression"),
            ),
            Form::Value(_) | Form::Place(_) => Ok(e),
        }
    }

    /// Of the actions only those with a value may be recorded by another.
    fn recordable_only(&self, arg: &ast::Expr, void: Tag, name: &str) -> R<()> {
        let has_value = self.callee(arg).is_some_and(|g| {
            matches!(g.kind, GlobalKind::Action(a) if a == Action::Stack || a == Action::Ustack
                || a == Action::Jstack || sym_kind(a).is_some())
        });
        if has_value {
            return Ok(());
        }
        self.fail(
            void,
            arg.span,
            format!("{name}( ) may not be applied to a void expression"),
        )
    }

    fn trace(&mut self, g: &'static Global, args: &[ast::Expr], span: Span) -> R<StmtKind> {
        let tags = [Tag::D_TRACE_VOID, Tag::D_TRACE_DYN, Tag::D_TRACE_AGG];
        let e = self.traced(g, args, tags, span)?;
        let value = self.datum(e)?;
        self.sized(&value, span)?;
        let action = match value.ty {
            Ty::Stack { .. } => ActionKind::Stack,
            Ty::Sym(_) => ActionKind::Sym,
            Ty::Void | Ty::Int(_) | Ty::Str | Ty::Bytes { .. } => ActionKind::Trace,
        };
        Ok(record(action, vec![value]))
    }

    fn print(&mut self, g: &'static Global, args: &[ast::Expr], span: Span) -> R<StmtKind> {
        let tags = [Tag::D_PRINT_VOID, Tag::D_PRINT_DYN, Tag::D_PRINT_AGG];
        let e = self.traced(g, args, tags, span)?;
        let shape = self.print_type(e.ty);
        let value = self.datum(e)?;
        self.sized(&value, span)?;
        if matches!(value.ty, Ty::Stack { .. } | Ty::Sym(_)) {
            return self.fail(
                Tag::D_PRINT_VOID,
                span,
                "print( ) may not be applied to a void expression",
            );
        }
        Ok(record(ActionKind::Print(shape), vec![value]))
    }

    /// What is recorded must fit a buffer.
    fn sized(&self, value: &Expr, span: Span) -> R<()> {
        match value.ty {
            Ty::Bytes { size, .. } if u64::from(size) > MAX_DATUM => self.fail(
                Tag::D_UNKNOWN,
                span,
                format!("a value of {size} bytes is too large to be recorded"),
            ),
            Ty::Void | Ty::Int(_) | Ty::Str | Ty::Bytes { .. } | Ty::Stack { .. } | Ty::Sym(_) => {
                Ok(())
            }
        }
    }

    fn tracemem(&mut self, g: &'static Global, args: &[ast::Expr], span: Span) -> R<StmtKind> {
        self.check_count(g, args.len(), span)?;
        let [addr, size, rest @ ..] = args else {
            return self.fail(Tag::D_PROTO_LEN, span, "tracemem( ) prototype mismatch");
        };
        if rest.len() > 1 {
            let text = "tracemem ( ) prototype mismatch: expected at most 3 args";
            return self.fail(Tag::D_TRACEMEM_ARGS, span, text);
        }
        let addr = self.expr(addr)?;
        if !self.is_pointer(&addr) && !self.is_integer(&addr) {
            let text = format!(
                "tracemem( ) argument #1 is incompatible with prototype:\n\tprototype: pointer or integer\n\t argument: {}",
                self.name_of(&addr)
            );
            return self.fail(Tag::D_TRACEMEM_ADDR, addr.span, text);
        }
        let size = self.expr(size)?;
        let bytes = size
            .constant()
            .filter(|n| (1..=MAX_DATUM).contains(n) && self.is_integer(&size));
        let Some(bytes) = bytes else {
            let text =
                "tracemem( ) argument #2 must be a non-zero positive integral constant expression";
            return self.fail(Tag::D_TRACEMEM_SIZE, size.span, text);
        };
        let space = self.space_of(addr.ty);
        let addr = self.scalar(addr)?;
        let kind = ExprKind::Mem {
            addr: Box::new(addr),
            offset: 0,
            space,
        };
        let ty = Ty::Bytes {
            size: bytes as u32,
            chars: false,
        };
        let mut data = vec![Expr {
            kind,
            ty,
            pos: self.pos(span),
        }];
        if let Some(limit) = rest.first() {
            let limit = self.expr(limit)?;
            if !self.is_scalar(&limit) {
                let text = "tracemem ( ) dynamic size (argument #3) must be of scalar type";
                return self.fail(Tag::D_TRACEMEM_DYNSIZE, limit.span, text);
            }
            data.push(self.datum(limit)?);
        }
        Ok(record(
            ActionKind::Tracemem {
                dynamic: data.len() > 1,
            },
            data,
        ))
    }

    /// `stack([n])`, `ustack([n[, strsize]])`, `jstack([n[, strsize]])`.
    pub(crate) fn stack_value(
        &mut self,
        action: Action,
        args: &[ast::Expr],
        span: Span,
    ) -> R<Expr> {
        let user = action != Action::Stack;
        let frames = if user {
            self.user_frames(action, args, span)?
        } else {
            self.kernel_frames(args, span)?
        };
        Ok(Expr {
            kind: ExprKind::Stack,
            ty: Ty::Stack {
                user,
                frames: frames.min(MOST_FRAMES),
            },
            pos: self.pos(span),
        })
    }

    /// A constant argument that is at least `least`.
    fn constant_count(&mut self, arg: &ast::Expr, least: u64) -> R<Option<u32>> {
        let n = self.expr(arg)?;
        let value = n.constant().filter(|_| self.is_integer(&n));
        Ok(value
            .filter(|v| (least..=i32::MAX as u64).contains(v))
            .map(|v| v as u32))
    }

    fn kernel_frames(&mut self, args: &[ast::Expr], span: Span) -> R<u32> {
        let arg = match args {
            [] => return Ok(self.opts.limits.stackframes),
            [n] => n,
            _ => {
                return self.fail(
                    Tag::D_STACK_PROTO,
                    span,
                    "stack( ) prototype mismatch: too many arguments",
                );
            }
        };
        match self.constant_count(arg, 1)? {
            Some(n) => Ok(n),
            None => {
                let text = "stack( ) size must be a non-zero positive integral constant expression";
                self.fail(Tag::D_STACK_SIZE, arg.span, text)
            }
        }
    }

    /// The size of strings has no effect: names of compiled code are read from files.
    fn user_frames(&mut self, action: Action, args: &[ast::Expr], span: Span) -> R<u32> {
        let limits = &self.opts.limits;
        let default = if action == Action::Jstack {
            limits.jstackframes
        } else {
            limits.ustackframes
        };
        if args.len() > 2 {
            let text = "ustack( ) prototype mismatch: too many arguments";
            return self.fail(Tag::D_USTACK_PROTO, span, text);
        }
        let frames = match args.first() {
            None => default,
            Some(arg) => match self.constant_count(arg, 1)? {
                Some(n) => n,
                None => {
                    let text = "ustack( ) argument #1 must be a non-zero positive integer constant";
                    return self.fail(Tag::D_USTACK_FRAMES, arg.span, text);
                }
            },
        };
        if let Some(arg) = args.get(1)
            && self.constant_count(arg, 0)?.is_none()
        {
            let text = "ustack( ) argument #2 must be a positive integer constant";
            return self.fail(Tag::D_USTACK_STRSIZE, arg.span, text);
        }
        Ok(frames)
    }

    /// The address that `sym()` and its like show.
    pub(crate) fn sym_address(
        &mut self,
        g: &'static Global,
        args: &[ast::Expr],
        span: Span,
    ) -> R<Expr> {
        self.only_argument(g, args, span)
    }

    /// The aggregation that an argument names.
    fn agg_argument(
        &mut self,
        g: &Global,
        arg: &ast::Expr,
        index: usize,
        wrong: Tag,
        bad: Tag,
    ) -> R<usize> {
        if let ast::ExprKind::Agg(name) = &arg.kind {
            return match self.agg_names.get(name) {
                Some(at) => Ok(*at),
                None => self.fail(bad, arg.span, format!("undefined aggregation: @{name}")),
            };
        }
        let e = self.expr(arg)?;
        let text = format!(
            "{}( ) argument #{index} is incompatible with prototype:\n\tprototype: aggregation\n\t argument: {}",
            g.name,
            self.name_of(&e)
        );
        self.fail(wrong, arg.span, text)
    }

    fn wrong_count<T>(
        &self,
        g: &Global,
        tag: Tag,
        passed: usize,
        expected: &str,
        span: Span,
    ) -> R<T> {
        let text = format!(
            "{}( ) prototype mismatch: {passed} args passed, {expected} expected",
            g.name
        );
        self.fail(tag, span, text)
    }

    fn agg_action(
        &mut self,
        g: &Global,
        args: &[ast::Expr],
        tags: &AggTags,
        span: Span,
        kind: fn(u32) -> ActionKind,
    ) -> R<StmtKind> {
        let [agg] = args else {
            return self.wrong_count(g, tags.proto, args.len(), "1", span);
        };
        let at = self.agg_argument(g, agg, 1, tags.arg, tags.bad)?;
        Ok(record(kind(at as u32), Vec::new()))
    }

    /// The scalar second argument of `trunc()` and `normalize()`.
    fn agg_number(&mut self, g: &Global, arg: &ast::Expr, tags: &AggTags) -> R<Expr> {
        let n = self.expr(arg)?;
        if !self.is_scalar(&n) {
            return self.fail(
                tags.scalar,
                n.span,
                format!("{}( ) argument #2 must be of scalar type", g.name),
            );
        }
        let value = self.code(n)?;
        Ok(narrow(value, crate::hir::IntTy::I64))
    }

    fn normalize(&mut self, g: &Global, args: &[ast::Expr], span: Span) -> R<StmtKind> {
        let [agg, n] = args else {
            return self.wrong_count(g, NORMALIZE.proto, args.len(), "2", span);
        };
        let at = self.agg_argument(g, agg, 1, NORMALIZE.arg, NORMALIZE.bad)?;
        let n = self.agg_number(g, n, &NORMALIZE)?;
        Ok(record(ActionKind::Normalize(at as u32), vec![n]))
    }

    fn trunc(&mut self, g: &Global, args: &[ast::Expr], span: Span) -> R<StmtKind> {
        let (agg, n) = match args {
            [agg] => (agg, None),
            [agg, n] => (agg, Some(n)),
            [] => return self.wrong_count(g, TRUNC.proto, 0, "at least 1", span),
            _ => return self.wrong_count(g, TRUNC.proto, args.len(), "no more than 2", span),
        };
        let at = self.agg_argument(g, agg, 1, TRUNC.arg, TRUNC.bad)?;
        let data = match n {
            Some(n) => vec![self.agg_number(g, n, &TRUNC)?],
            None => Vec::new(),
        };
        Ok(record(ActionKind::Trunc(at as u32), data))
    }

    fn printa(&mut self, g: &'static Global, args: &[ast::Expr], span: Span) -> R<StmtKind> {
        self.check_count(g, args.len(), span)?;
        let format = match args.first().map(|a| &a.kind) {
            Some(ast::ExprKind::Str(text)) => Some(text),
            _ => None,
        };
        let aggs = if format.is_some() { &args[1..] } else { args };
        if aggs.is_empty() {
            return self.wrong_count(g, Tag::D_PRINTA_PROTO, args.len(), "2", span);
        }
        let first = args.len() - aggs.len() + 1;
        let mut indices = Vec::new();
        for (i, arg) in aggs.iter().enumerate() {
            let at = self.agg_argument(
                g,
                arg,
                first + i,
                Tag::D_PRINTA_AGGARG,
                Tag::D_PRINTA_AGGBAD,
            )?;
            if let Some(other) = indices.first() {
                self.same_signature(*other as usize, at, span)?;
            }
            indices.push(at as u32);
        }
        let format = match format {
            Some(text) => Some(self.agg_format(g, text, indices[0] as usize, span)?),
            None => None,
        };
        Ok(record(
            ActionKind::Printa {
                format,
                aggs: indices,
            },
            Vec::new(),
        ))
    }

    /// Aggregations printed together must have the same keys.
    fn same_signature(&self, a: usize, b: usize, span: Span) -> R<()> {
        let (x, y) = (&self.aggs[a], &self.aggs[b]);
        let plural = |n: usize| if n == 1 { "" } else { "s" };
        if x.keys.len() != y.keys.len() {
            let text = format!(
                "printa( ): @{} and @{} do not have matching key signatures: @{} has {} key{}, @{} has {} key{}",
                x.name,
                y.name,
                x.name,
                x.keys.len(),
                plural(x.keys.len()),
                y.name,
                y.keys.len(),
                plural(y.keys.len())
            );
            return self.fail(Tag::D_PRINTA_AGGKEY, span, text);
        }
        for (i, (k, l)) in x.keys.iter().zip(&y.keys).enumerate() {
            let arg = Typed::value(
                *l,
                crate::types::int(1, crate::hir::IntTy::I64, Default::default()),
                span,
            );
            if !self.argument_fits(*k, &arg) {
                let n = i + 1;
                let text = format!(
                    "printa( ): @{}[ ] key #{n} is incompatible with @{}:\n{:>9} key #{n}: {}\n{:>9} key #{n}: {}",
                    y.name,
                    x.name,
                    x.name,
                    self.graph.name(*k),
                    y.name,
                    self.graph.name(*l)
                );
                return self.fail(Tag::D_PRINTA_AGGPROTO, span, text);
            }
        }
        Ok(())
    }

    fn freopen(&mut self, g: &'static Global, args: &[ast::Expr], span: Span) -> R<StmtKind> {
        if let [arg, ..] = args
            && let ast::ExprKind::Str(text) = &arg.kind
        {
            if text == RESTORE {
                return self.fail(
                    Tag::D_FREOPEN_INVALID,
                    span,
                    "freopen( ) argument #1 cannot be \".\"",
                );
            }
            if text.is_empty() && args.len() == 1 {
                return Ok(record(ActionKind::Freopen(Format::default()), Vec::new()));
            }
        }
        Ok(self
            .formatted(g, args, span, false)?
            .into_record(ActionKind::Freopen))
    }

    /// `printf(fmt, …)` and its like.
    pub(crate) fn formatted(
        &mut self,
        g: &'static Global,
        args: &[ast::Expr],
        span: Span,
        aggs: bool,
    ) -> R<Directive> {
        self.check_count(g, args.len(), span)?;
        let Some((first, rest)) = args.split_first() else {
            return self.fail(
                Tag::D_PROTO_LEN,
                span,
                format!("{}( ) prototype mismatch", g.name),
            );
        };
        let format = match &first.kind {
            ast::ExprKind::Str(text) => text.clone(),
            _ => {
                let e = self.expr(first)?;
                match e.string_constant() {
                    Some(text) => text.to_vec(),
                    None => {
                        let text = format!(
                            "{}( ) argument #1 is incompatible with prototype:\n\tprototype: string constant\n\t argument: {}",
                            g.name,
                            self.name_of(&e)
                        );
                        return self.fail(Tag::D_PRINTF_ARG_FMT, first.span, text);
                    }
                }
            }
        };
        let typed = rest
            .iter()
            .map(|a| self.recordable(a))
            .collect::<R<Vec<_>>>()?;
        self.directive(g.name, &format, typed, first.span, aggs)
    }

    /// The order that speculation demands of a clause's actions.
    pub(crate) fn check_speculation(&mut self, body: &[ast::Stmt]) -> R<()> {
        let mut done = Done::default();
        let mut stack: Vec<&ast::Stmt> = body.iter().rev().collect();
        while let Some(stmt) = stack.pop() {
            match stmt {
                ast::Stmt::If {
                    arms, otherwise, ..
                } => {
                    stack.extend(otherwise.iter().rev());
                    stack.extend(arms.iter().rev().flat_map(|arm| arm.then.iter().rev()));
                }
                ast::Stmt::Expr(e) if crate::agg::agg_stmt(e).is_some() => {
                    if done.speculate {
                        let text = "aggregating actions may not follow speculate( )";
                        return self.fail(Tag::D_AGG_SPEC, e.span, text);
                    }
                    if done.commit {
                        let text = "aggregating actions may not follow commit( )";
                        return self.fail(Tag::D_AGG_COMM, e.span, text);
                    }
                }
                ast::Stmt::Expr(e) => {
                    if let Some(g) = self.callee(e)
                        && let GlobalKind::Action(action) = g.kind
                    {
                        self.check_order(action, &mut done, e.span)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn check_order(&self, action: Action, done: &mut Done, span: Span) -> R<()> {
        let rules: &[(bool, Tag, &str)] = match action {
            Action::Speculate => &[
                (
                    done.speculate,
                    Tag::D_SPEC_SPEC,
                    "speculate( ) may not follow speculate( )",
                ),
                (
                    done.commit,
                    Tag::D_SPEC_COMM,
                    "speculate( ) may not follow commit( )",
                ),
                (
                    done.data,
                    Tag::D_SPEC_DREC,
                    "speculate( ) may not follow data-recording action(s)",
                ),
            ],
            Action::Commit => &[
                (
                    done.commit,
                    Tag::D_COMM_COMM,
                    "commit( ) may not follow commit( )",
                ),
                (
                    done.data,
                    Tag::D_COMM_DREC,
                    "commit( ) may not follow data-recording action(s)",
                ),
            ],
            Action::Exit => &[(
                done.speculate,
                Tag::D_EXIT_SPEC,
                "exit( ) may not follow speculate( )",
            )],
            other if other.is_destructive() => &[(
                done.speculate,
                Tag::D_ACT_SPEC,
                "destructive actions may not follow speculate( )",
            )],
            other if other.records() => &[(
                done.commit,
                Tag::D_DREC_COMM,
                "data-recording actions may not follow commit( )",
            )],
            _ => &[],
        };
        for (broken, tag, text) in rules {
            if *broken {
                return self.fail(*tag, span, *text);
            }
        }
        match action {
            Action::Speculate => done.speculate = true,
            Action::Commit => done.commit = true,
            other => done.data |= other.records(),
        }
        Ok(())
    }
}

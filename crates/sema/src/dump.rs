//! The typed program as text (`--dump=typed`). One construct a line; expressions in prefix form with their types.

use std::fmt::Write;

use image::{ActionKind, AggFunc};

use crate::hir::{
    Clause, EnabledProbe, Expr, ExprKind, Index, IntTy, KeyTy, LValue, LValueKind, Place, Program,
    Scope, Space, Stmt, StmtKind, Ty,
};

/// The whole program as text.
pub fn dump(program: &Program) -> String {
    let mut d = Dump {
        program,
        out: String::new(),
    };
    d.head();
    for (i, clause) in program.clauses.iter().enumerate() {
        d.clause(i, clause);
    }
    d.out
}

struct Dump<'a> {
    program: &'a Program,
    out: String,
}

fn int_name(i: IntTy) -> String {
    format!(
        "{}{}",
        if i.signed { 'i' } else { 'u' },
        u32::from(i.bytes) * 8
    )
}

fn ty_name(ty: Ty) -> String {
    match ty {
        Ty::Void => "void".into(),
        Ty::Int(i) => int_name(i),
        Ty::Str => "str".into(),
        Ty::Bytes { size, chars: true } => format!("chars[{size}]"),
        Ty::Bytes { size, chars: false } => format!("bytes[{size}]"),
        Ty::Stack { user, frames } => format!("{}stack[{frames}]", if user { "u" } else { "" }),
        Ty::Sym(kind) => format!("{kind:?}").to_lowercase(),
    }
}

fn key_name(key: KeyTy) -> String {
    match key {
        KeyTy::Int(i) => int_name(i),
        KeyTy::Str => "str".into(),
        KeyTy::ShortStr(n) => format!("str<{n}"),
        KeyTy::Probe(field) => format!("probe.{field:?}").to_lowercase(),
        KeyTy::Stack { user, frames } => ty_name(Ty::Stack { user, frames }),
        KeyTy::Sym(kind) => ty_name(Ty::Sym(kind)),
    }
}

fn scope_name(scope: Scope) -> &'static str {
    match scope {
        Scope::Global => "",
        Scope::Thread => "self->",
        Scope::Clause => "this->",
    }
}

fn func_name(func: AggFunc) -> String {
    match func {
        AggFunc::Lquantize { base, limit, step } => format!("lquantize({base}, {limit}, {step})"),
        AggFunc::Llquantize {
            factor,
            low,
            high,
            nsteps,
        } => format!("llquantize({factor}, {low}, {high}, {nsteps})"),
        AggFunc::Count
        | AggFunc::Sum
        | AggFunc::Min
        | AggFunc::Max
        | AggFunc::Avg
        | AggFunc::Stddev
        | AggFunc::Quantize => format!("{func:?}").to_lowercase(),
    }
}

fn list(items: impl Iterator<Item = String>) -> String {
    items.collect::<Vec<_>>().join(", ")
}

impl Dump<'_> {
    /// One line; writing to a string cannot fail.
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.out, "{text}");
    }

    fn head(&mut self) {
        for (
            i,
            EnabledProbe {
                probe,
                raw_args,
                places,
            },
        ) in self.program.probes.iter().enumerate()
        {
            let args = list(raw_args.iter().map(|a| format!("{a:?}")));
            let text = format!(
                "probe {i}: {}:{}:{}:{} [{args}]",
                probe.provider, probe.module, probe.function, probe.name
            );
            self.line(&text);
            self.places(places);
        }
        for setup in &self.program.setups {
            let probes = list(setup.probes.iter().map(u32::to_string));
            let order = if setup.after { "after" } else { "before" };
            self.line(&format!("set-up {order} probes [{probes}]"));
            self.places(std::slice::from_ref(&setup.place));
            for stmt in &setup.body {
                let text = self.stmt(stmt);
                self.line(&format!("  {text}"));
            }
        }
        for v in &self.program.vars {
            self.line(&format!(
                "var {}{}: {}",
                scope_name(v.scope),
                v.name,
                ty_name(v.ty)
            ));
        }
        for a in &self.program.assocs {
            let keys = list(a.keys.iter().map(|k| ty_name(*k)));
            self.line(&format!(
                "assoc {}{}[{keys}]: {}",
                scope_name(a.scope),
                a.name,
                ty_name(a.ty)
            ));
        }
        for a in &self.program.aggs {
            let keys = list(a.keys.iter().map(|k| key_name(*k)));
            self.line(&format!("agg @{}[{keys}] = {}", a.name, func_name(a.func)));
        }
    }

    /// Where a derived probe fires.
    fn places(&mut self, places: &[Place]) {
        for Place { site, task, when } in places {
            if when.is_none() && *task == image::Task::Current && places.len() == 1 {
                continue;
            }
            let mut text = format!("  at {site:?}");
            if let image::Task::Word(n) = task {
                text.push_str(&format!(" as the thread in word {n}"));
            }
            if let Some(when) = when {
                text.push_str(&format!(" if {}", self.expr(when)));
            }
            self.line(&text);
        }
    }

    fn clause(&mut self, i: usize, clause: &Clause) {
        let probes = list(clause.probes.iter().map(u32::to_string));
        let mut text = format!("clause {i} line {} probes [{probes}]", clause.pos.line);
        if clause.continues {
            text.push_str(" continues");
        }
        if clause.default_action {
            text.push_str(" default");
        }
        self.line(&text);
        if let Some(p) = &clause.predicate {
            self.line(&format!("  if {}", self.expr(p)));
        }
        for stmt in &clause.body {
            let text = self.stmt(stmt);
            self.line(&format!("  {text}"));
        }
    }

    fn exprs(&self, exprs: &[Expr]) -> String {
        list(exprs.iter().map(|e| self.expr(e)))
    }

    fn stmt(&self, stmt: &Stmt) -> String {
        match &stmt.kind {
            StmtKind::Expr(e) => self.expr(e),
            StmtKind::Record { action, data } => {
                format!("{}({})", action_name(action), self.exprs(data))
            }
            StmtKind::Exit(e) => format!("exit({})", self.expr(e)),
            StmtKind::Aggregate {
                agg,
                keys,
                value,
                incr,
            } => {
                let (name, func) = match self.program.aggs.get(agg.0 as usize) {
                    Some(a) => (a.name.as_str(), func_name(a.func)),
                    None => ("?", String::new()),
                };
                let args = list(value.iter().chain(incr).map(|e| self.expr(e)));
                format!("@{name}[{}] <- {func}: {args}", self.exprs(keys))
            }
            StmtKind::Raise(e) => format!("raise({})", self.expr(e)),
            StmtKind::Stop => "stop()".into(),
            StmtKind::Chill(e) => format!("chill({})", self.expr(e)),
            StmtKind::Speculate(e) => format!("speculate({})", self.expr(e)),
            StmtKind::Commit(e) => format!("commit({})", self.expr(e)),
            StmtKind::Discard(e) => format!("discard({})", self.expr(e)),
        }
    }

    fn var(&self, id: u32, offset: u32) -> String {
        let name = match self.program.vars.get(id as usize) {
            Some(v) => format!("{}{}", scope_name(v.scope), v.name),
            None => "?".into(),
        };
        if offset == 0 {
            name
        } else {
            format!("{name}+{offset}")
        }
    }

    fn assoc(&self, id: u32, keys: &[Expr], offset: u32) -> String {
        let name = match self.program.assocs.get(id as usize) {
            Some(a) => format!("{}{}", scope_name(a.scope), a.name),
            None => "?".into(),
        };
        let part = if offset == 0 {
            String::new()
        } else {
            format!("+{offset}")
        };
        format!("{name}[{}]{part}", self.exprs(keys))
    }

    fn indices(&self, list: &[Index]) -> String {
        let one = |i: &Index| format!("[{}<{}*{}]", self.expr(&i.value), i.count, i.stride);
        list.iter().map(one).collect()
    }

    fn lvalue(&self, l: &LValue) -> String {
        let bits = l
            .bits
            .map_or(String::new(), |b| format!(".{}:{}", b.shift, b.bits));
        let part = format!("{}{bits}", self.indices(&l.indices));
        let whole = match &l.kind {
            LValueKind::Var { id, offset } => self.var(id.0, *offset),
            LValueKind::Assoc { id, keys, offset } => self.assoc(id.0, keys, *offset),
            LValueKind::Mem { addr, offset } => {
                format!("(mem:{} {} {offset:+})", ty_name(l.ty), self.expr(addr))
            }
        };
        format!("{whole}{part}")
    }

    fn at(&self, what: &str, ty: Ty, addr: &Expr, offset: i64, space: Space) -> String {
        let user = match space {
            Space::Kernel => "",
            Space::User => "user ",
        };
        format!(
            "({user}{what}:{} {} {offset:+})",
            ty_name(ty),
            self.expr(addr)
        )
    }

    fn expr(&self, e: &Expr) -> String {
        let ty = ty_name(e.ty);
        match &e.kind {
            ExprKind::Int(v) => format!("{}:{ty}", *v as i64),
            ExprKind::Str(s) => format!("{:?}", String::from_utf8_lossy(s)),
            ExprKind::Builtin(b) => format!("{}:{ty}", b.row().map_or("?", |r| r.name)),
            ExprKind::RawArg(n) => format!("arg{n}"),
            ExprKind::UserReg(n) => format!("uregs[{}]", self.expr(n)),
            ExprKind::Arg { source, trusted } => {
                let sure = if *trusted { " trusted" } else { "" };
                format!("(arg:{ty} {source:?}{sure})")
            }
            ExprKind::Var { id, offset } => format!("{}:{ty}", self.var(id.0, *offset)),
            ExprKind::Assoc { id, keys, offset } => {
                format!("{}:{ty}", self.assoc(id.0, keys, *offset))
            }
            ExprKind::Element { whole, indices } => {
                format!("{}{}", self.expr(whole), self.indices(indices))
            }
            ExprKind::Address(whole) => format!("(& {})", self.expr(whole)),
            ExprKind::Load {
                addr,
                offset,
                space,
            } => self.at("load", e.ty, addr, *offset, *space),
            ExprKind::Mem {
                addr,
                offset,
                space,
            } => self.at("mem", e.ty, addr, *offset, *space),
            ExprKind::StringOf {
                addr,
                offset,
                space,
                max,
            } => {
                let max = max.map_or(String::new(), |m| format!("<={m}"));
                self.at(&format!("string{max}"), e.ty, addr, *offset, *space)
            }
            ExprKind::BitField {
                addr,
                offset,
                space,
                storage,
                shift,
                bits,
                signed,
            } => {
                let sign = if *signed { 'i' } else { 'u' };
                let what = format!("bits<{sign}{bits} at {shift} of {storage}>");
                self.at(&what, e.ty, addr, *offset, *space)
            }
            ExprKind::Unary(..)
            | ExprKind::Binary { .. }
            | ExprKind::StrCmp { .. }
            | ExprKind::Logical(..)
            | ExprKind::Cond(..)
            | ExprKind::Cast(_)
            | ExprKind::Assign(..)
            | ExprKind::OpAssign { .. }
            | ExprKind::Step { .. }
            | ExprKind::Comma(..)
            | ExprKind::Once { .. }
            | ExprKind::Again(_)
            | ExprKind::Call(..)
            | ExprKind::Stack
            | ExprKind::Sym(_) => self.operation(e),
        }
    }

    fn operation(&self, e: &Expr) -> String {
        let ty = ty_name(e.ty);
        match &e.kind {
            ExprKind::Unary(op, a) => format!("({op:?}:{ty} {})", self.expr(a)),
            ExprKind::Binary { op, signed, l, r } => {
                let sign = if *signed { 's' } else { 'u' };
                format!("({op:?}.{sign}:{ty} {} {})", self.expr(l), self.expr(r))
            }
            ExprKind::StrCmp { op, l, r } => {
                format!("(Str{op:?} {} {})", self.expr(l), self.expr(r))
            }
            ExprKind::Logical(op, l, r) => format!("(Log{op:?} {} {})", self.expr(l), self.expr(r)),
            ExprKind::Cond(c, t, f) => {
                format!(
                    "(Cond:{ty} {} {} {})",
                    self.expr(c),
                    self.expr(t),
                    self.expr(f)
                )
            }
            ExprKind::Cast(a) => format!("(Cast:{ty} {})", self.expr(a)),
            ExprKind::Assign(l, r) => format!("(= {} {})", self.lvalue(l), self.expr(r)),
            ExprKind::OpAssign {
                target,
                op,
                signed,
                value,
            } => {
                let sign = if *signed { 's' } else { 'u' };
                format!(
                    "({op:?}=.{sign} {} {})",
                    self.lvalue(target),
                    self.expr(value)
                )
            }
            ExprKind::Step {
                target,
                delta,
                post,
            } => {
                let when = if *post { "post" } else { "pre" };
                format!("({when}step {} {delta:+})", self.lvalue(target))
            }
            ExprKind::Comma(a, b) => format!("(, {} {})", self.expr(a), self.expr(b)),
            ExprKind::Again(id) => format!("#{id}"),
            ExprKind::Once { id, value } => format!("(#{id} = {})", self.expr(value)),
            ExprKind::Call(subr, args) => {
                let name = subr.row().map_or("?", |r| r.name);
                format!("({name}:{ty} {})", self.exprs(args))
            }
            ExprKind::Int(_)
            | ExprKind::Str(_)
            | ExprKind::Builtin(_)
            | ExprKind::RawArg(_)
            | ExprKind::UserReg(_)
            | ExprKind::Arg { .. }
            | ExprKind::Var { .. }
            | ExprKind::Assoc { .. }
            | ExprKind::Element { .. }
            | ExprKind::Address(_)
            | ExprKind::Load { .. }
            | ExprKind::BitField { .. }
            | ExprKind::Mem { .. }
            | ExprKind::StringOf { .. }
            | ExprKind::Stack => ty,
            ExprKind::Sym(a) => format!("({ty} {})", self.expr(a)),
        }
    }
}

fn action_name(action: &ActionKind) -> String {
    match action {
        ActionKind::Trace => "trace".into(),
        ActionKind::Tracemem { .. } => "tracemem".into(),
        ActionKind::Printf(f) => format!("printf[{}]", format_text(f)),
        ActionKind::Printa { format, aggs } => {
            let format = format
                .as_ref()
                .map_or(String::new(), |f| format!("[{}]", format_text(f)));
            format!("printa{format}@{aggs:?}")
        }
        ActionKind::Print(ty) => format!("print<{}>", ty.name),
        ActionKind::Stack => "stack".into(),
        ActionKind::Sym => "sym".into(),
        ActionKind::Exit => "exit".into(),
        ActionKind::Clear(a) => format!("clear@{a}"),
        ActionKind::Trunc(a) => format!("trunc@{a}"),
        ActionKind::Normalize(a) => format!("normalize@{a}"),
        ActionKind::Denormalize(a) => format!("denormalize@{a}"),
        ActionKind::System(f) => format!("system[{}]", format_text(f)),
        ActionKind::Freopen(f) => format!("freopen[{}]", format_text(f)),
        ActionKind::Ftruncate => "ftruncate".into(),
        ActionKind::Setopt => "setopt".into(),
    }
}

/// A format, flags left out.
fn format_text(format: &image::Format) -> String {
    format
        .segments
        .iter()
        .map(|s| match s {
            image::Segment::Text(t) => String::from_utf8_lossy(t).escape_debug().to_string(),
            image::Segment::Conv(c) => {
                format!("%{}{}{}", if c.agg { "@" } else { "" }, c.size, c.conv)
            }
        })
        .collect()
}

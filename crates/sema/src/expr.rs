//! Expressions: dispatch, identifiers, members, indexing, external symbols.

use ctypes::{Kind, TypeGraph, TypeId};
use diag::{Diagnostic, Span, Tag};
use lang::{Builtin, Global, GlobalKind, Stability, Subr};
use syntax::ast::{self, ExprKind as Ast};

use crate::compiler::Compiler;
use crate::hir::{BinOp, Expr, ExprKind, Index, IntTy, Scope, Space, Ty};
use crate::library::in_library;
use crate::typed::{Base, Form, Operands, Place, R, Typed, bit_place};
use crate::types::{binary, extend, int, rank_type};
use crate::vars::{Entity, VarName, var_name};

/// Expressions nest at most this deep, inlines and translators expanded.
const MAX_DEPTH: u32 = 600;

/// Operator words of messages.
const ARROW: &str = "->";
const DOT: &str = ".";

/// A name that is called.
pub(crate) fn is_function(g: &Global) -> bool {
    matches!(
        g.kind,
        GlobalKind::Subr(_) | GlobalKind::Action(_) | GlobalKind::Agg(_)
    )
}

impl Compiler<'_> {
    /// Types an expression.
    pub(crate) fn expr(&mut self, e: &ast::Expr) -> R<Typed> {
        if self.cx.depth >= MAX_DEPTH {
            return self.fail(Tag::D_UNKNOWN, e.span, "expression is nested too deeply");
        }
        self.cx.depth += 1;
        let typed = self.expr_at(e);
        self.cx.depth -= 1;
        typed
    }

    /// Types an operand. On the heap: expressions may be [`MAX_DEPTH`] levels deep, and what waits on each level shall be
    /// small.
    pub(crate) fn operand(&mut self, e: &ast::Expr) -> R<Box<Typed>> {
        self.expr(e).map(Box::new)
    }

    /// A constant, or `self` or `this` alone.
    fn leaf(&mut self, e: &ast::Expr) -> R<Typed> {
        let span = e.span;
        let word = match &e.kind {
            Ast::Int(value, rank) => return Ok(self.constant(*value, rank_type(*rank), span)),
            Ast::Str(bytes) => return Ok(self.string_constant(bytes, span)),
            Ast::SelfKw => "self",
            _ => "this",
        };
        let text = format!("pointer '{word}' may not be referenced as scalar");
        self.fail(Tag::D_IDENT_BADREF, span, text)
    }

    fn expr_at(&mut self, e: &ast::Expr) -> R<Typed> {
        let span = e.span;
        match &e.kind {
            Ast::Int(..) | Ast::Str(_) | Ast::SelfKw | Ast::ThisKw => self.leaf(e),
            Ast::Ident(name) => self.ident(name, span),
            Ast::Agg(name) => self.agg_ref(name, span),
            Ast::Index(base, keys) => self.index(base, keys, span),
            Ast::Call(callee, args) => self.call(callee, args, span),
            Ast::Dot(base, name) => self.member(base, name, DOT, span),
            Ast::Arrow(base, name) => match var_name(e) {
                Some(var) => self.scoped_var(var, span),
                None => self.member(base, name, ARROW, span),
            },
            Ast::Unary(op, a) => self.unary(*op, a, span),
            Ast::Post(op, a) => self.step(*op, true, a, span),
            Ast::Pre(op, a) => self.step(*op, false, a, span),
            Ast::Binary(op, a, b) => self.binary_op(*op, a, b, span),
            Ast::Cond(c, a, b) => self.conditional(c, a, b, span),
            Ast::Assign(None, a, b) => self.assign(a, b, span),
            Ast::Assign(Some(op), a, b) => self.op_assign(*op, a, b, span),
            Ast::Comma(a, b) => self.comma(a, b, span),
            Ast::Cast(ty, a) => self.cast(ty, a, span),
            Ast::SizeofType(ty) => self.sizeof_type(ty, span),
            Ast::Sizeof(a) => self.sizeof_expr(a, span),
            Ast::Stringof(a) => self.stringof(a, span),
            Ast::Offsetof(ty, name) => self.offsetof(ty, name, span),
            Ast::Xlate(ty, a) => self.xlate(ty, a, span),
        }
    }

    /// An integer constant.
    pub(crate) fn constant(&self, value: u64, ty: TypeId, span: Span) -> Typed {
        let int_ty = self.int_ty(ty).unwrap_or(IntTy::I64);
        // Folded constants are 64 bits wide, whatever their type, as all arithmetic is (reference §3.3).
        Typed::value(ty, int(value, int_ty, self.pos(span)), span)
    }

    fn string_constant(&self, bytes: &[u8], span: Span) -> Typed {
        let text = bytes.split(|b| *b == 0).next().unwrap_or(&[]).to_vec();
        let expr = Expr {
            kind: ExprKind::Str(text),
            ty: Ty::Str,
            pos: self.pos(span),
        };
        Typed::value(TypeGraph::STRING, expr, span)
    }

    /// The row of a built-in identifier that this language version has.
    pub(crate) fn builtin(&self, name: &str) -> Option<&'static Global> {
        lang::global(name).filter(|g| g.since <= self.opts.version)
    }

    /// Notes the use of something with attributes; refuses what is below the minimum asked for.
    pub(crate) fn used(&mut self, name: &str, stability: Stability, span: Span) -> R<()> {
        // What a library's definition is made of is its own business: its attributes count.
        if in_library(span) {
            return Ok(());
        }
        self.stability = self.stability.min(stability);
        match self.opts.amin {
            Some(least) if stability.is_below(least) => {
                let text =
                    format!("attributes for {name} ({stability}) are less than predefined minimum");
                self.fail(Tag::D_ATTR_MIN, span, text)
            }
            Some(_) | None => Ok(()),
        }
    }

    /// Refuses what cannot be had here.
    pub(crate) fn supported(&self, g: &Global, span: Span) -> R<()> {
        let call = match g.kind {
            GlobalKind::Subr(_) | GlobalKind::Action(_) | GlobalKind::Agg(_) => "( )",
            GlobalKind::Args | GlobalKind::Uregs => "[ ]",
            GlobalKind::Builtin(_)
            | GlobalKind::Arg(_)
            | GlobalKind::SelfPtr
            | GlobalKind::ThisPtr
            | GlobalKind::Foreign => "",
        };
        let name = g.name;
        let text = match (g.refused, g.kind) {
            (None, _) => return Ok(()),
            (Some(why), GlobalKind::Action(_)) => {
                format!("tracing function {name}( ) is not yet supported: {why}")
            }
            (Some(why), _) => format!("{name}{call} is not available: {why}"),
        };
        self.fail(Tag::D_UNKNOWN, span, text)
    }

    fn ident(&mut self, name: &str, span: Span) -> R<Typed> {
        if let Some((_, bound)) = self.cx.bindings.iter().rev().find(|(n, _)| n == name) {
            return Ok(Typed {
                span,
                ..bound.clone()
            });
        }
        if let Some((scope, symbol)) = name.rsplit_once('`') {
            return self.symbol(scope, symbol, span);
        }
        let var = VarName {
            scope: Scope::Global,
            name,
        };
        if self.entity(var).is_none() {
            self.require(name);
        }
        self.old_enough(var, span)?;
        match self.entity(var) {
            Some(Entity::Var(at)) => return Ok(self.var_place(at, span)),
            Some(Entity::Inline(at)) => return self.expand(at, span),
            Some(Entity::Assoc(_)) => {
                let text = format!("associative array '{name}' may not be referenced as scalar");
                return self.fail(Tag::D_IDENT_BADREF, span, text);
            }
            None => {}
        }
        let unfit = self.libraries.reason(name);
        if let Some(g) = self.builtin(name)
            && (g.refused.is_none() || unfit.is_none())
        {
            return self.builtin_value(g, span);
        }
        if let Some((value, ty)) = self.graph.enumerator(name) {
            let bits = value as u64;
            let bits = self.int_ty(ty).map_or(bits, |t| extend(bits, t));
            return Ok(self.constant(bits, ty, span));
        }
        let mut error = self.error(
            Tag::D_IDENT_UNDEF,
            span,
            format!("failed to resolve {name}: Unknown variable name"),
        );
        if unfit.is_some() {
            error.help = unfit;
            return Err(error);
        }
        Err(self.suggest(error, name, |g| !is_function(g)))
    }

    /// Adds the name that was probably meant: one of the program's, or a built-in of the wanted sort.
    pub(crate) fn suggest(
        &self,
        mut error: Box<Diagnostic>,
        name: &str,
        wanted: fn(&Global) -> bool,
    ) -> Box<Diagnostic> {
        let version = self.opts.version;
        let rows = lang::globals::GLOBALS.iter();
        let builtins = rows
            .filter(|g| g.refused.is_none() && g.since <= version && wanted(g))
            .map(|g| g.name);
        let own = self.globals.keys().map(String::as_str);
        error.help =
            diag::suggest::closest(name, builtins.chain(own)).map(|n| format!("did you mean {n}?"));
        error
    }

    /// `argN` of derived probes, and in their own texts. `None`: it is a word of the probe's site.
    fn derived_word(&mut self, g: &'static Global, n: u8, span: Span) -> R<Option<Typed>> {
        let ty = self.proto_type(g.proto, span)?;
        if let Some(native) = self.cx.native.clone() {
            return Ok(Some(self.site_word(&native, n, ty, span)));
        }
        let Some(probes) = self.cx.probes.clone() else {
            return Ok(None);
        };
        let Some((probe, derived)) = self.derived_among(&probes, span)? else {
            return Ok(None);
        };
        self.used(g.name, g.stability, span)?;
        self.derived_raw_arg(&probe, &derived, n, ty, span)
            .map(Some)
    }

    fn builtin_value(&mut self, g: &'static Global, span: Span) -> R<Typed> {
        if let GlobalKind::Arg(n) = g.kind
            && let Some(value) = self.derived_word(g, n, span)?
        {
            return Ok(value);
        }
        let kind = match g.kind {
            GlobalKind::Builtin(Builtin::Zonename) => ExprKind::Str(b"global".to_vec()),
            GlobalKind::Builtin(b) => ExprKind::Builtin(b),
            GlobalKind::Arg(n) => ExprKind::RawArg(n),
            GlobalKind::Foreign => {
                return self
                    .supported(g, span)
                    .and_then(|()| self.unreferable(g, span));
            }
            GlobalKind::Args
            | GlobalKind::Uregs
            | GlobalKind::Subr(_)
            | GlobalKind::Action(_)
            | GlobalKind::Agg(_)
            | GlobalKind::SelfPtr
            | GlobalKind::ThisPtr => return self.unreferable(g, span),
        };
        self.supported(g, span)?;
        self.used(g.name, g.stability, span)?;
        let ty = self.proto_type(g.proto, span)?;
        let expr = Expr {
            kind,
            ty: self.hir_ty(ty),
            pos: self.pos(span),
        };
        let expr = match g.kind {
            GlobalKind::Builtin(Builtin::Probeprov) => self.provider_text(expr),
            _ => expr,
        };
        Ok(Typed::value(ty, expr, span))
    }

    /// `probeprov`, which a pattern leaves open: what is known of its form must be the same whatever probes come later.
    fn provider_text(&mut self, name: Expr) -> Expr {
        self.cx.by_probe = true;
        let provider = self.cx.description.split(':').next().unwrap_or_default();
        if !provider.contains(['*', '?', '[']) {
            return name;
        }
        let of = |kind, ty| Expr {
            kind,
            ty,
            pos: name.pos,
        };
        let probes = self.cx.probes.iter().flat_map(|p| p.iter());
        let ty = name.ty;
        let kind = if probes.clone().any(image::Probe::is_in_every_process) {
            let pid = of(ExprKind::Builtin(Builtin::Pid), Ty::Int(IntTy::I32));
            let digits = of(ExprKind::Call(Subr::Lltostr, vec![pid]), ty);
            ExprKind::Call(Subr::Strjoin, vec![name.clone(), digits])
        } else {
            ExprKind::Cast(Box::new(name.clone()))
        };
        of(kind, ty)
    }

    fn unreferable<T>(&self, g: &Global, span: Span) -> R<T> {
        let text = format!(
            "{} '{}' may not be referenced as scalar",
            g.kind.describe(),
            g.name
        );
        self.fail(Tag::D_IDENT_BADREF, span, text)
    }

    /// A kernel symbol.
    fn symbol(&mut self, scope: &str, name: &str, span: Span) -> R<Typed> {
        let module = (!scope.is_empty()).then_some(scope);
        let full = format!("{scope}`{name}");
        let symbol = match self.world.symbol(module, name, &mut self.graph) {
            Ok(symbol) => symbol,
            Err(why) => {
                let text = format!("failed to resolve {full}: {why}");
                let mut error = self.error(Tag::D_IDENT_UNDEF, span, text);
                error.help = lang::solaris::variable(name).map(lang::solaris::help);
                return Err(error);
            }
        };
        self.used(&full, Stability::PRIVATE, span)?;
        let address = int(symbol.address, IntTy::U64, self.pos(span));
        if symbol.function {
            let ty = match symbol.ty {
                Some(ty) => ty,
                None => self.graph.add(Kind::Func {
                    ret: TypeGraph::VOID,
                    params: Vec::new(),
                    variadic: true,
                }),
            };
            return Ok(Typed::value(ty, address, span));
        }
        let Some(ty) = symbol.ty else {
            let text =
                format!("no symbolic type information is available for {full}: Unknown type name");
            return self.fail(Tag::D_SYM_NOTYPES, span, text);
        };
        let base = Base::Mem(address, Space::Kernel);
        Ok(Typed {
            ty,
            form: Form::Place(Place {
                base,
                offset: 0,
                bits: None,
                indices: Vec::new(),
                writable: false,
            }),
            span,
        })
    }

    /// `base.name`, `base->name`.
    fn member(&mut self, base: &ast::Expr, name: &str, op: &str, span: Span) -> R<Typed> {
        let base = self.expr(base)?;
        self.member_of(base, name, op, span)
    }

    fn member_of(&mut self, base: Typed, name: &str, op: &str, span: Span) -> R<Typed> {
        if name.contains('`') {
            let text = format!("D scoping operator may not be used in a member name ({name})");
            return self.fail(Tag::D_DECL_SCOPE, span, text);
        }
        if let Form::Dyn(value) = &base.form {
            let value = value.clone();
            return self.dyn_member(&value, name, op, span);
        }
        let whole = if op == ARROW {
            self.pointed_whole(base, span)?
        } else {
            base
        };
        self.whole_is_composite(&whole, op, span)?;
        let ty = whole.ty;
        let Some(member) = self.graph.member(ty, name) else {
            let text = format!("{name} is not a member of {}", self.graph.name(ty));
            let mut error = self.error(Tag::D_TYPE_MEMBER, span, text);
            let members = self.graph.members(ty).unwrap_or_default();
            let names = members.iter().map(|m| m.name.as_str());
            error.help = match lang::solaris::member(name) {
                Some(hint) => Some(lang::solaris::help(hint)),
                None => diag::suggest::closest(name, names).map(|n| format!("did you mean {n}?")),
            };
            return Err(error);
        };
        let Form::Place(mut place) = whole.form else {
            let text =
                format!("operator {op} cannot be applied to a structure that is not in memory");
            return self.fail(Tag::D_OP_LVAL, span, text);
        };
        let (offset, bits) = match member.bits {
            Some(bits) => {
                let (offset, at) = bit_place(member.bit_offset, bits);
                (offset, Some(at))
            }
            None => ((member.bit_offset / 8) as i64, None),
        };
        place.offset = place.offset.wrapping_add(offset);
        place.bits = bits;
        Ok(Typed {
            ty: member.ty,
            form: Form::Place(place),
            span,
        })
    }

    /// What the left side of `->` points to.
    fn pointed_whole(&mut self, base: Typed, span: Span) -> R<Typed> {
        if !self.is_pointer(&base) || matches!(self.graph.base(base.ty), Kind::Func { .. }) {
            return self.fail(
                Tag::D_OP_PTR,
                span,
                "operator -> must be applied to a pointer",
            );
        }
        let to = self.graph.pointee(base.ty).unwrap_or(TypeGraph::VOID);
        if !self.is_composite(to) {
            let name = self.graph.name(to);
            let text = format!(
                "operator -> cannot be applied to pointer to type \"{name}\"; must be applied to a struct or union pointer"
            );
            return self.fail(Tag::D_OP_SOU, span, text);
        }
        self.pointee_place(base, to, span)
    }

    /// The place that a pointer (or array) points to.
    pub(crate) fn pointee_place(&mut self, base: Typed, to: TypeId, span: Span) -> R<Typed> {
        if self.is_array(base.ty)
            && let Form::Place(place) = base.form
        {
            return Ok(Typed {
                ty: to,
                form: Form::Place(place),
                span,
            });
        }
        let base = self.rvalue(base)?;
        let space = self.space_of(base.ty);
        let addr = self.code(base)?;
        let base = Base::Mem(addr, space);
        let writable = space == Space::Kernel;
        Ok(Typed {
            ty: to,
            form: Form::Place(Place {
                base,
                offset: 0,
                bits: None,
                indices: Vec::new(),
                writable,
            }),
            span,
        })
    }

    fn whole_is_composite(&mut self, whole: &Typed, op: &str, span: Span) -> R<()> {
        let name = self.graph.name(whole.ty);
        if !self.is_composite(whole.ty) {
            let text = format!(
                "operator {op} cannot be applied to type \"{name}\"; must be applied to a struct or union"
            );
            return self.fail(Tag::D_OP_SOU, span, text);
        }
        if self.graph.members(whole.ty).is_none() {
            let text = format!(
                "operator {op} cannot be applied to a forward declaration: no {name} definition is available"
            );
            return self.fail(Tag::D_OP_INCOMPLETE, span, text);
        }
        Ok(())
    }

    /// `base[keys]`.
    fn index(&mut self, base: &ast::Expr, keys: &[ast::Expr], span: Span) -> R<Typed> {
        if let Some(typed) = self.indexed_var(base, keys, span)? {
            return Ok(typed);
        }
        if let Some(typed) = self.indexed_name(base, keys, span)? {
            return Ok(typed);
        }
        let base = self.operand(base)?;
        let [key] = keys else {
            return self.no_array(&base, span);
        };
        let key = self.operand(key)?;
        self.array_element((base, key), span)
    }

    /// `name[keys]` of what is neither a variable nor an expression.
    fn indexed_name(
        &mut self,
        base: &ast::Expr,
        keys: &[ast::Expr],
        span: Span,
    ) -> R<Option<Typed>> {
        match &base.kind {
            Ast::Ident(name) => self.indexed_builtin(name, keys, span),
            Ast::Agg(name) => self.agg_ref(name, span).map(Some),
            Ast::Index(inner, _) => {
                if let Ast::Agg(name) = &inner.kind {
                    let text = format!(
                        "improper attempt to reference @{name} as a multi-dimensional array"
                    );
                    return self.fail(Tag::D_AGG_MDIM, span, text);
                }
                Ok(None)
            }
            _ => Ok(None),
        }
    }

    fn no_array<T>(&self, base: &Typed, span: Span) -> R<T> {
        let text = format!(
            "cannot access {} as an associative array",
            self.name_of(base)
        );
        self.fail(Tag::D_ARR_BADREF, span, text)
    }

    fn indexed_builtin(&mut self, name: &str, keys: &[ast::Expr], span: Span) -> R<Option<Typed>> {
        if self.cx.bindings.iter().any(|(n, _)| n == name) || self.globals.contains_key(name) {
            return Ok(None);
        }
        let Some(g) = self.builtin(name) else {
            return Ok(None);
        };
        match g.kind {
            GlobalKind::Args => self.probe_arg(g, keys, span).map(Some),
            GlobalKind::Uregs => self.user_register(g, keys, span).map(Some),
            GlobalKind::Foreign => {
                self.supported(g, span)?;
                Ok(None)
            }
            GlobalKind::Builtin(_)
            | GlobalKind::Arg(_)
            | GlobalKind::Subr(_)
            | GlobalKind::Action(_)
            | GlobalKind::Agg(_)
            | GlobalKind::SelfPtr
            | GlobalKind::ThisPtr => Ok(None),
        }
    }

    fn array_element(&mut self, (base, key): Operands, span: Span) -> R<Typed> {
        let (base, key) = (*base, *key);
        let base = self.text_pointer(base)?;
        if !self.is_pointer(&base) {
            return self.no_array(&base, span);
        }
        if !self.is_integer(&key) {
            let (l, r) = (self.name_of(&base), self.name_of(&key));
            return self.fail(
                Tag::D_OP_INCOMPAT,
                span,
                format!("operands have incompatible types: \"{l}\" [ \"{r}\""),
            );
        }
        let elem = self.element_type(base.ty, span)?;
        let size = self.graph.stored_size(elem).unwrap_or(0) as i64;
        let constant = key.constant();
        let count = match self.graph.base(base.ty) {
            Kind::Array { len, .. } => u32::try_from(*len).unwrap_or(u32::MAX),
            _ => 0,
        };
        let whole = self.pointee_place(base, elem, span)?;
        let Form::Place(mut place) = whole.form else {
            return Ok(whole);
        };
        if let Some(n) = constant {
            place.offset = place.offset.wrapping_add((n as i64).wrapping_mul(size));
            return self.bounded(Typed {
                ty: elem,
                form: Form::Place(place),
                span,
            });
        }
        let pos = self.pos(span);
        let key = self.code(key)?;
        match place.base {
            Base::Mem(addr, space) => {
                let offset = self.scale(key, size, pos);
                let at = binary(BinOp::Add, false, addr, offset, IntTy::U64, pos);
                place.base = Base::Mem(at, space);
            }
            Base::Var(_) | Base::Assoc(..) => place.indices.push(Index {
                value: key,
                count,
                stride: u32::try_from(size).unwrap_or(0),
            }),
        }
        Ok(Typed {
            ty: elem,
            form: Form::Place(place),
            span,
        })
    }

    /// A part of a variable must lie in it.
    fn bounded(&self, e: Typed) -> R<Typed> {
        let whole = match &e.form {
            Form::Place(Place {
                base: Base::Var(id),
                ..
            }) => self.vars.get(id.0 as usize).map(|v| v.ty),
            Form::Place(Place {
                base: Base::Assoc(id, _),
                ..
            }) => self.assocs.get(id.0 as usize).map(|a| a.ty),
            _ => None,
        };
        let (Some(whole), Form::Place(place)) = (whole, &e.form) else {
            return Ok(e);
        };
        let end = place
            .offset
            .wrapping_add(self.size_of(e.ty).unwrap_or(0) as i64);
        if place.offset < 0 || end > self.size_of(whole).unwrap_or(0) as i64 {
            return self.fail(Tag::D_ARR_BADREF, e.span, "array index is out of bounds");
        }
        Ok(e)
    }

    /// Type of what a pointer or array leads to; it must have a size.
    pub(crate) fn element_type(&mut self, ty: TypeId, span: Span) -> R<TypeId> {
        let to = self.graph.pointee(ty).unwrap_or(TypeGraph::VOID);
        match self.graph.base(to) {
            Kind::Void => self.fail(
                Tag::D_DEREF_VOID,
                span,
                "cannot dereference pointer to void",
            ),
            Kind::Func { .. } => self.fail(
                Tag::D_DEREF_FUNC,
                span,
                "cannot dereference pointer to function",
            ),
            _ => Ok(to),
        }
    }

    /// `n * size` as code.
    pub(crate) fn scale(&self, n: Expr, size: i64, pos: crate::hir::Pos) -> Expr {
        match (&n.kind, size) {
            (_, 1) => n,
            (ExprKind::Int(v), _) => int(v.wrapping_mul(size as u64), IntTy::I64, pos),
            _ => binary(
                BinOp::Mul,
                true,
                n,
                int(size as u64, IntTy::I64, pos),
                IntTy::I64,
                pos,
            ),
        }
    }
}

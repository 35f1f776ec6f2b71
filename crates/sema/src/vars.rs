//! Variables: global, thread-local and clause-local scalars and associative arrays; how they come into being
//! (reference §5.2) and how their key signatures are kept.

use std::collections::HashMap;

use ctypes::{Kind, TypeGraph, TypeId};
use diag::{Span, Tag};
use syntax::ast;

use crate::compiler::Compiler;
use crate::derived::RESERVED;
use crate::hir::{self, Expr, IntTy, Scope, Ty};
use crate::typed::{Base, Form, Place, R, Typed};

/// Most bytes of a variable.
const MAX_VARIABLE: u64 = 16 << 10;

/// What a D name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Entity {
    /// Index into `vars`.
    Var(usize),
    /// Index into `assocs`.
    Assoc(usize),
    /// Index into `inlines`.
    Inline(usize),
}

impl Entity {
    /// The kind as messages name it.
    pub fn describe(self) -> &'static str {
        match self {
            Entity::Var(_) => "scalar",
            Entity::Assoc(_) => "associative array",
            Entity::Inline(_) => "inline",
        }
    }
}

/// A scalar variable.
pub(crate) struct VarInfo {
    pub name: String,
    pub scope: Scope,
    pub ty: TypeId,
    pub hir: Ty,
}

impl VarInfo {
    /// As code sees it.
    pub fn finish(self) -> hir::Var {
        hir::Var {
            name: self.name,
            scope: self.scope,
            ty: self.hir,
        }
    }
}

/// An associative array.
pub(crate) struct AssocInfo {
    pub name: String,
    pub scope: Scope,
    pub keys: Vec<TypeId>,
    pub ty: TypeId,
    pub hir_keys: Vec<Ty>,
    pub hir: Ty,
}

impl AssocInfo {
    /// As code sees it.
    pub fn finish(self) -> hir::Assoc {
        hir::Assoc {
            name: self.name,
            scope: self.scope,
            keys: self.hir_keys,
            ty: self.hir,
        }
    }
}

/// A name with its scope.
#[derive(Clone, Copy)]
pub(crate) struct VarName<'a> {
    pub scope: Scope,
    pub name: &'a str,
}

impl VarName<'_> {
    /// As written in D.
    pub fn text(self) -> String {
        match self.scope {
            Scope::Global => self.name.to_owned(),
            Scope::Thread => format!("self->{}", self.name),
            Scope::Clause => format!("this->{}", self.name),
        }
    }
}

/// The variable that an expression names, if it has the form of one.
pub(crate) fn var_name(e: &ast::Expr) -> Option<VarName<'_>> {
    match &e.kind {
        ast::ExprKind::Ident(name) => Some(VarName {
            scope: Scope::Global,
            name,
        }),
        ast::ExprKind::Arrow(base, name) => match base.kind {
            ast::ExprKind::SelfKw => Some(VarName {
                scope: Scope::Thread,
                name,
            }),
            ast::ExprKind::ThisKw => Some(VarName {
                scope: Scope::Clause,
                name,
            }),
            _ => None,
        },
        _ => None,
    }
}

impl Compiler<'_> {
    fn table(&self, scope: Scope) -> &HashMap<String, Entity> {
        match scope {
            Scope::Global => &self.globals,
            Scope::Thread => &self.thread,
            Scope::Clause => &self.local,
        }
    }

    fn table_mut(&mut self, scope: Scope) -> &mut HashMap<String, Entity> {
        match scope {
            Scope::Global => &mut self.globals,
            Scope::Thread => &mut self.thread,
            Scope::Clause => &mut self.local,
        }
    }

    /// What a name stands for.
    pub(crate) fn entity(&self, name: VarName<'_>) -> Option<Entity> {
        if self.is_reserved(name.name) {
            return None;
        }
        self.table(name.scope).get(name.name).copied()
    }

    /// Whether a name belongs to derived probes and cannot be used here.
    fn is_reserved(&self, name: &str) -> bool {
        self.cx.native.is_none() && name.starts_with(RESERVED)
    }

    /// Whether a global name is free for a program's own use.
    fn is_free(&self, name: VarName<'_>) -> bool {
        if self.is_reserved(name.name) {
            return false;
        }
        if self.entity(name).is_some()
            && !(name.scope == Scope::Global && self.gives_way(name.name))
        {
            return false;
        }
        if name.scope != Scope::Global {
            return true;
        }
        let bound = self.cx.bindings.iter().any(|(n, _)| n == name.name);
        !bound
            && self
                .builtin(name.name)
                .is_none_or(|g| g.kind == lang::GlobalKind::Foreign)
    }

    /// Makes a name known.
    pub(crate) fn bind(&mut self, name: VarName<'_>, entity: Entity) {
        self.table_mut(name.scope)
            .insert(name.name.to_owned(), entity);
    }

    /// Makes a scalar variable.
    pub(crate) fn create_var(&mut self, name: VarName<'_>, ty: TypeId) -> usize {
        let info = VarInfo {
            name: name.name.to_owned(),
            scope: name.scope,
            ty,
            hir: self.hir_ty(ty),
        };
        self.vars.push(info);
        let at = self.vars.len() - 1;
        self.bind(name, Entity::Var(at));
        at
    }

    /// Makes an associative array.
    pub(crate) fn create_assoc(
        &mut self,
        name: VarName<'_>,
        keys: Vec<TypeId>,
        ty: TypeId,
    ) -> usize {
        let hir_keys = keys.iter().map(|k| self.key_ty(*k)).collect();
        let hir = self.hir_ty(ty);
        let info = AssocInfo {
            name: name.name.to_owned(),
            scope: name.scope,
            keys,
            ty,
            hir_keys,
            hir,
        };
        self.assocs.push(info);
        let at = self.assocs.len() - 1;
        self.bind(name, Entity::Assoc(at));
        at
    }

    /// Keys of integer types are kept whole, so that integers of any size may index one array.
    fn key_ty(&self, ty: TypeId) -> Ty {
        match self.hir_ty(ty) {
            Ty::Int(i) => Ty::Int(IntTy {
                bytes: 8,
                signed: i.signed,
            }),
            other => other,
        }
    }

    /// A hidden clause-local variable that no program can name.
    pub(crate) fn hidden_var(&mut self) -> hir::VarId {
        self.hidden += 1;
        let name = format!("%cond{}", self.hidden);
        self.vars.push(VarInfo {
            name,
            scope: Scope::Clause,
            ty: TypeGraph::INT,
            hir: Ty::Int(IntTy::I32),
        });
        hir::VarId((self.vars.len() - 1) as u32)
    }

    /// The place of a scalar variable.
    pub(crate) fn var_place(&self, at: usize, span: Span) -> Typed {
        let base = Base::Var(hir::VarId(at as u32));
        Typed {
            ty: self.vars[at].ty,
            form: Form::Place(Place {
                base,
                offset: 0,
                bits: None,
                indices: Vec::new(),
                writable: true,
            }),
            span,
        }
    }

    /// `self->x has not yet been declared or assigned`.
    pub(crate) fn undefined<T>(&self, name: VarName<'_>, span: Span) -> R<T> {
        self.fail(
            Tag::D_VAR_UNDEF,
            span,
            format!("{} has not yet been declared or assigned", name.text()),
        )
    }

    /// `self->x`, `this->x` as an operand.
    pub(crate) fn scoped_var(&mut self, name: VarName<'_>, span: Span) -> R<Typed> {
        if name.name.contains('`') {
            let text = format!(
                "D scoping operator may not be used in a variable name ({})",
                name.name
            );
            return self.fail(Tag::D_DECL_SCOPE, span, text);
        }
        match self.entity(name) {
            Some(Entity::Var(at)) => Ok(self.var_place(at, span)),
            Some(other @ (Entity::Assoc(_) | Entity::Inline(_))) => {
                self.bad_ref(other.describe(), name, "scalar", span)
            }
            None => self.undefined(name, span),
        }
    }

    fn bad_ref<T>(&self, kind: &str, name: VarName<'_>, as_what: &str, span: Span) -> R<T> {
        let text = format!(
            "{kind} '{}' may not be referenced as {as_what}",
            name.text()
        );
        self.fail(Tag::D_IDENT_BADREF, span, text)
    }

    /// What an assignment may store to. An unknown variable comes into being with type `create`.
    pub(crate) fn target(&mut self, e: &ast::Expr, create: Option<TypeId>) -> R<Typed> {
        if let Some(ty) = create {
            if let Some(name) = var_name(e).filter(|n| self.is_free(*n) && !n.name.contains('`')) {
                let ty = self.implicit_type(name, ty, e.span)?;
                let at = self.create_var(name, ty);
                return Ok(self.var_place(at, e.span));
            }
            if let ast::ExprKind::Index(base, keys) = &e.kind
                && let Some(name) =
                    var_name(base).filter(|n| self.is_free(*n) && !n.name.contains('`'))
            {
                return self.create_element(name, keys, ty, e.span);
            }
        } else if let Some(name) = var_name(e).filter(|n| self.is_free(*n) && !n.name.contains('`'))
        {
            return self.undefined(name, e.span);
        }
        self.expr(e)
    }

    fn create_element(
        &mut self,
        name: VarName<'_>,
        keys: &[ast::Expr],
        ty: TypeId,
        span: Span,
    ) -> R<Typed> {
        if name.scope == Scope::Clause {
            let text = format!(
                "local variables may not be used as associative arrays: {}",
                name.text()
            );
            return self.fail(Tag::D_ARR_LOCAL, span, text);
        }
        let ty = self.implicit_type(name, ty, span)?;
        let keys = self.keys(keys)?;
        let mut types = Vec::new();
        for (i, key) in keys.iter().enumerate() {
            types.push(self.key_type(key, i, "associative array")?);
        }
        let at = self.create_assoc(name, types, ty);
        self.element(at, keys, span)
    }

    /// A variable may not be larger than a clause can handle.
    pub(crate) fn variable_size(&self, ty: TypeId, name: &str, span: Span) -> R<()> {
        match self.graph.size(ty) {
            Some(size) if size > MAX_VARIABLE => self.fail(
                Tag::D_UNKNOWN,
                span,
                format!("{name} is too large: {size} bytes, at most {MAX_VARIABLE}"),
            ),
            Some(_) | None => Ok(()),
        }
    }

    /// Type of a variable that its first value makes: of integers as wide as the widest that it is ever given.
    fn implicit_type(&mut self, name: VarName<'_>, ty: TypeId, span: Span) -> R<TypeId> {
        let ty = self.variable_type(ty, span)?;
        let key = (name.scope, name.name.to_owned());
        let narrow = self.is_narrow(ty);
        let wide = narrow && self.opts.wide.contains(&key);
        if narrow {
            self.implicit.insert(key);
        }
        Ok(if wide { TypeGraph::INT64 } else { ty })
    }

    /// The type of the elements of a declared array: scripts that say `int last[dev_t]` keep places on disks in it.
    pub(crate) fn array_of_int(&mut self, name: VarName<'_>, ty: TypeId) -> TypeId {
        if ty != TypeGraph::INT {
            return ty;
        }
        let key = (name.scope, name.name.to_owned());
        let wide = self.opts.wide.contains(&key);
        self.implicit.insert(key);
        if wide { TypeGraph::INT64 } else { ty }
    }

    /// An integer of fewer than 64 bits.
    fn is_narrow(&self, ty: TypeId) -> bool {
        matches!(self.graph.base(ty), Kind::Int { .. }) && self.size_of(ty).is_some_and(|n| n < 8)
    }

    /// Remembers that the variable `e`, of type `to`, should have been made wide enough for `value`.
    pub(crate) fn widen(&mut self, e: &ast::Expr, to: TypeId, value: &Typed) {
        let whole = match &e.kind {
            ast::ExprKind::Index(base, _) => base,
            _ => e,
        };
        let Some(name) = var_name(whole) else {
            return;
        };
        let key = (name.scope, name.name.to_owned());
        let fits = value
            .constant()
            .is_some_and(|v| i32::try_from(v as i64).is_ok());
        if !fits
            && self.is_narrow(to)
            && self.implicit.contains(&key)
            && matches!(self.graph.base(value.ty), Kind::Int { .. })
            && !self.is_narrow(value.ty)
        {
            self.wide.insert(key);
        }
    }

    /// Type that a variable gets from the first value assigned to it.
    fn variable_type(&mut self, ty: TypeId, span: Span) -> R<TypeId> {
        self.variable_size(ty, "variable", span)?;
        match self.graph.base(ty) {
            Kind::Array { .. } if self.graph.is_char_pointer_or_array(ty) => Ok(TypeGraph::STRING),
            Kind::Array { elem, .. } => {
                let elem = *elem;
                Ok(self.graph.pointer_to(elem))
            }
            Kind::Func { .. } => Ok(self.graph.pointer_to(ty)),
            Kind::Void
            | Kind::Dyn
            | Kind::Stack
            | Kind::SymAddr
            | Kind::UsymAddr
            | Kind::Forward { .. } => {
                let text = format!(
                    "operands have incompatible types: \"<DYN>\" = \"{}\"",
                    self.graph.name(ty)
                );
                self.fail(Tag::D_OP_INCOMPAT, span, text)
            }
            _ => Ok(ty),
        }
    }

    /// Types the key expressions.
    pub(crate) fn keys(&mut self, keys: &[ast::Expr]) -> R<Vec<Typed>> {
        keys.iter().map(|k| self.recordable(k)).collect()
    }

    /// Type that a key gives to a signature.
    pub(crate) fn key_type(&mut self, key: &Typed, index: usize, array: &str) -> R<TypeId> {
        if self.is_strcompat(key) && !self.graph.is_pointer(key.ty) {
            return Ok(TypeGraph::STRING);
        }
        if self.is_scalar(key) {
            return Ok(key.ty);
        }
        let what = self.name_of(key);
        let text = format!(
            "{what} expression may not be used as {array} index: key #{}",
            index + 1
        );
        self.fail(Tag::D_KEY_TYPE, key.span, text)
    }

    /// An element of an associative array: checks the keys against the signature.
    pub(crate) fn element(&mut self, at: usize, keys: Vec<Typed>, span: Span) -> R<Typed> {
        let name = VarName {
            scope: self.assocs[at].scope,
            name: &self.assocs[at].name,
        }
        .text();
        let want = self.assocs[at].keys.clone();
        self.check_keys(
            &format!("{name}[ ]"),
            &want,
            &keys,
            "associative array",
            span,
        )?;
        let mut code: Vec<Expr> = Vec::with_capacity(keys.len());
        for (key, (ty, hty)) in keys
            .into_iter()
            .zip(want.iter().zip(self.assocs[at].hir_keys.clone()))
        {
            let mut value = if self.graph.is_string(*ty) {
                self.string(key)?
            } else {
                self.scalar(key)?
            };
            if let Ty::Int(want) = hty {
                value = crate::types::narrow(value, want);
            }
            code.push(value);
        }
        let base = Base::Assoc(hir::AssocId(at as u32), code);
        let form = Form::Place(Place {
            base,
            offset: 0,
            bits: None,
            indices: Vec::new(),
            writable: true,
        });
        Ok(Typed {
            ty: self.assocs[at].ty,
            form,
            span,
        })
    }

    /// Number and types of keys.
    pub(crate) fn check_keys(
        &mut self,
        name: &str,
        want: &[TypeId],
        keys: &[Typed],
        array: &str,
        span: Span,
    ) -> R<()> {
        if want.len() != keys.len() {
            let plural = if keys.len() == 1 { "" } else { "s" };
            let text = format!(
                "{name} prototype mismatch: {} key{plural} passed, {} expected",
                keys.len(),
                want.len()
            );
            return self.fail(Tag::D_PROTO_LEN, span, text);
        }
        for (i, (key, want)) in keys.iter().zip(want).enumerate() {
            self.key_type(key, i, array)?;
            if !self.argument_fits(*want, key) {
                let text = format!(
                    "{name} key #{} is incompatible with prototype:\n\tprototype: {}\n\t{:>9}: {}",
                    i + 1,
                    self.graph.name(*want),
                    "key",
                    self.name_of(key)
                );
                return self.fail(Tag::D_PROTO_ARG, key.span, text);
            }
        }
        Ok(())
    }

    /// Whether a value may be passed where a prototype wants a type.
    pub(crate) fn argument_fits(&self, want: TypeId, arg: &Typed) -> bool {
        let wanted = Typed::value(
            want,
            crate::types::int(1, IntTy::I64, hir::Pos::default()),
            arg.span,
        );
        if self.is_integer(&wanted) && self.is_integer(arg) {
            return true;
        }
        if self.is_strcompat(&wanted) && self.is_strcompat(arg) {
            return true;
        }
        if self.is_composite(want)
            || matches!(
                self.graph.base(want),
                Kind::Stack | Kind::SymAddr | Kind::UsymAddr
            )
        {
            return self.graph.same(want, arg.ty);
        }
        self.ptr_compat(&wanted, arg)
    }

    /// `a[k]`, `self->a[k]` where `a` is known as an associative array; `None` if it is not.
    pub(crate) fn indexed_var(
        &mut self,
        base: &ast::Expr,
        keys: &[ast::Expr],
        span: Span,
    ) -> R<Option<Typed>> {
        let Some(name) = var_name(base) else {
            return Ok(None);
        };
        if name.scope == Scope::Global && self.cx.bindings.iter().any(|(n, _)| n == name.name) {
            return Ok(None);
        }
        if name.scope == Scope::Global && self.entity(name).is_none() {
            self.require(name.name);
        }
        self.old_enough(name, span)?;
        match self.entity(name) {
            Some(Entity::Assoc(at)) => {
                let keys = self.keys(keys)?;
                self.element(at, keys, span).map(Some)
            }
            Some(Entity::Inline(at)) if self.inlines[at].params.is_some() => {
                self.expand_array(at, keys, span).map(Some)
            }
            Some(Entity::Var(at)) => {
                let ty = self.vars[at].ty;
                if self.graph.pointee(ty).is_none() && !self.graph.is_string(ty) {
                    let text = format!("cannot access {} as an associative array", name.text());
                    return self.fail(Tag::D_ARR_BADREF, span, text);
                }
                Ok(None)
            }
            Some(Entity::Inline(_)) => Ok(None),
            None if self.is_free(name) && !name.name.contains('`') => {
                if name.scope == Scope::Clause {
                    let text = format!(
                        "local variables may not be used as associative arrays: {}",
                        name.text()
                    );
                    return self.fail(Tag::D_ARR_LOCAL, span, text);
                }
                if let Some(g) = self.builtin(name.name)
                    && name.scope == Scope::Global
                {
                    self.supported(g, span)?;
                }
                self.undefined(name, span)
            }
            None => Ok(None),
        }
    }
}

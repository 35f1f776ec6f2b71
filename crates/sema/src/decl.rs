//! Declarations: from specifiers and declarators to types, and the variables, tags and typedefs they make.

use ctypes::{Enum, Kind, NameKind, TypeGraph, TypeId};
use diag::{Span, Tag};
use syntax::ast::{self, ArithBase, Layer, StorageClass, TypeSpec};

use crate::compiler::Compiler;
use crate::derived::RESERVED;
use crate::hir::Scope;
use crate::typed::R;
use crate::vars::{Entity, VarName};

/// Name of an arithmetic type in its canonical spelling.
fn arith_name(base: Option<ArithBase>, unsigned: Option<bool>, short: bool, long: u8) -> String {
    let mut words: Vec<&str> = Vec::new();
    match (unsigned, base) {
        (Some(true), _) => words.push("unsigned"),
        (Some(false), Some(ArithBase::Char)) => words.push("signed"),
        (Some(false) | None, _) => {}
    }
    if short {
        words.push("short");
    }
    words.extend(std::iter::repeat_n("long", usize::from(long)));
    match base {
        Some(ArithBase::Void) => words.push("void"),
        Some(ArithBase::Char) => words.push("char"),
        Some(ArithBase::Float) => words.push("float"),
        Some(ArithBase::Double) => words.push("double"),
        Some(ArithBase::Bool) => words.push("_Bool"),
        Some(ArithBase::Int) | None if !short && long == 0 => words.push("int"),
        Some(ArithBase::Int) | None => {}
    }
    words.join(" ")
}

impl Compiler<'_> {
    /// A typedef or base type by name, maybe scoped.
    pub(crate) fn lookup_named(&mut self, name: &str) -> Option<TypeId> {
        self.require(name);
        match name.split_once('`') {
            None => self.graph.lookup(None, NameKind::Plain, name),
            Some((_, rest)) if rest.contains('`') => None,
            Some(("", rest)) => self.graph.lookup(None, NameKind::Plain, rest),
            Some((module, rest)) => self.graph.lookup(Some(module), NameKind::Plain, rest),
        }
    }

    /// The D scoping operator has no place in declared names.
    pub(crate) fn plain_name(&self, name: &str, span: Span) -> R<()> {
        if name.contains('`') {
            let text = format!("D scoping operator may not be used in a declaration name ({name})");
            return self.fail(Tag::D_DECL_SCOPE, span, text);
        }
        if self.cx.native.is_none() && name.starts_with(RESERVED) {
            let text = format!("identifier is reserved for probe providers: {name}");
            return self.fail(Tag::D_DECL_IDRED, span, text);
        }
        Ok(())
    }

    /// The type of a type name.
    pub(crate) fn type_name(&mut self, ty: &ast::TypeName) -> R<TypeId> {
        let base = self.spec_type(&ty.spec)?;
        self.declared_type(base, &ty.spec, &ty.declr)
    }

    /// The type of specifiers alone.
    pub(crate) fn spec_type(&mut self, spec: &ast::DeclSpec) -> R<TypeId> {
        let mut ty = match &spec.ty {
            TypeSpec::None => TypeGraph::INT,
            TypeSpec::String => TypeGraph::STRING,
            TypeSpec::Arith {
                base,
                unsigned,
                short,
                long,
                complex,
            } => {
                let mut name = arith_name(*base, *unsigned, *short, *long);
                if *complex {
                    name.push_str(" complex");
                }
                match self.graph.base_type(&name) {
                    Some(ty) => ty,
                    None => {
                        return self.fail(Tag::D_DECL_COMBO, spec.span, "invalid type combination");
                    }
                }
            }
            TypeSpec::Named(name) => match self.lookup_named(name) {
                Some(ty) => ty,
                None => {
                    let text = format!("failed to resolve type {name}: Unknown type name");
                    return self.fail(Tag::D_UNKNOWN, spec.span, text);
                }
            },
            TypeSpec::Sou {
                is_union,
                tag,
                members,
            } => {
                let kind = if *is_union {
                    NameKind::Union
                } else {
                    NameKind::Struct
                };
                match members {
                    None => self.tagged(kind, tag.as_deref().unwrap_or("")),
                    Some(members) => {
                        self.composite(*is_union, tag.as_deref(), members, spec.span)?
                    }
                }
            }
            TypeSpec::Enum { tag, items: None } => {
                self.tagged(NameKind::Enum, tag.as_deref().unwrap_or(""))
            }
            TypeSpec::Enum {
                tag,
                items: Some(items),
            } => self.enumeration(tag.as_deref(), items, spec.span)?,
        };
        if spec.is_const {
            ty = self.graph.add(Kind::Const(ty));
        }
        if spec.is_volatile {
            ty = self.graph.add(Kind::Volatile(ty));
        }
        Ok(ty)
    }

    /// A structure, union or enumeration by tag; a forward declaration if there is no definition.
    fn tagged(&mut self, kind: NameKind, tag: &str) -> TypeId {
        let (module, name) = match tag.split_once('`') {
            Some(("", rest)) => (None, rest),
            Some((module, rest)) => (Some(module), rest),
            None => (None, tag),
        };
        if module.is_none() {
            self.require(name);
        }
        if let Some(ty) = self.graph.lookup(module, kind, name) {
            return ty;
        }
        let ty = self.graph.add(Kind::Forward {
            kind,
            tag: name.to_owned(),
        });
        self.graph.define(kind, name, ty);
        ty
    }

    /// Notes that a tag is defined here; only once.
    fn define_tag(&mut self, kind: NameKind, word: &str, tag: Option<&str>, span: Span) -> R<()> {
        let Some(tag) = tag else { return Ok(()) };
        self.plain_name(tag, span)?;
        if !self.declared.insert((kind, tag.to_owned())) {
            return self.fail(
                Tag::D_DECL_TYPERED,
                span,
                format!("type redeclared: {word} {tag}"),
            );
        }
        Ok(())
    }

    fn composite(
        &mut self,
        is_union: bool,
        tag: Option<&str>,
        decls: &[ast::Decl],
        span: Span,
    ) -> R<TypeId> {
        let (kind, word) = if is_union {
            (NameKind::Union, "union")
        } else {
            (NameKind::Struct, "struct")
        };
        self.define_tag(kind, word, tag, span)?;
        // Members may point to what is being defined.
        let stub_tag = tag.unwrap_or("").to_owned();
        let id = match tag.and_then(|t| self.graph.lookup(Some("D"), kind, t)) {
            Some(known) if matches!(self.graph.kind(known), Kind::Forward { .. }) => known,
            Some(_) | None => self.graph.add(Kind::Forward {
                kind,
                tag: stub_tag,
            }),
        };
        if let Some(tag) = tag {
            self.graph.define(kind, tag, id);
        }
        let mut members: Vec<(String, TypeId, Option<u8>)> = Vec::new();
        for decl in decls {
            self.member_decl(decl, id, &mut members)?;
        }
        let composite = self.graph.layout(is_union, tag.map(str::to_owned), members);
        self.graph.replace(id, Kind::Composite(composite));
        Ok(id)
    }

    fn member_decl(
        &mut self,
        decl: &ast::Decl,
        whole: TypeId,
        out: &mut Vec<(String, TypeId, Option<u8>)>,
    ) -> R<()> {
        let base = self.spec_type(&decl.spec)?;
        if decl.declrs.is_empty() {
            if self.is_composite(base) && matches!(decl.spec.ty, TypeSpec::Sou { tag: None, .. }) {
                out.push((String::new(), base, None));
                return Ok(());
            }
            return self.fail(
                Tag::D_DECL_MNAME,
                decl.span,
                "member declaration requires a name",
            );
        }
        for declr in &decl.declrs {
            if let (Some((name, span)), Some(Layer::Assoc(..))) =
                (&declr.name, declr.layers.first())
            {
                return self.fail(
                    Tag::D_DECL_DYNOBJ,
                    *span,
                    format!("cannot have dynamic member: {name}"),
                );
            }
            let ty = self.declared_type(base, &decl.spec, declr)?;
            let bits = match &declr.bits {
                Some(bits) => Some(self.bit_width(ty, bits, declr.name.is_none())?),
                None => None,
            };
            let Some((name, span)) = &declr.name else {
                if bits.is_some() {
                    out.push((String::new(), ty, bits));
                    continue;
                }
                return self.fail(
                    Tag::D_DECL_MNAME,
                    decl.span,
                    "member declaration requires a name",
                );
            };
            if name.contains('`') {
                let text = format!("D scoping operator may not be used in a member name ({name})");
                return self.fail(Tag::D_DECL_SCOPE, *span, text);
            }
            if out.iter().any(|(n, ..)| n == name) {
                return self.fail(
                    Tag::D_DECL_IDRED,
                    *span,
                    format!("identifier redeclared: {name}"),
                );
            }
            self.member_type(ty, whole, name, *span)?;
            out.push((name.clone(), ty, bits));
        }
        Ok(())
    }

    fn member_type(&mut self, ty: TypeId, whole: TypeId, name: &str, span: Span) -> R<()> {
        match self.graph.base(ty) {
            Kind::Void => self.fail(
                Tag::D_DECL_VOIDOBJ,
                span,
                format!("cannot have void member: {name}"),
            ),
            Kind::String | Kind::Dyn | Kind::Stack | Kind::SymAddr | Kind::UsymAddr => Ok(()),
            Kind::Forward { .. } if ty == whole || self.graph.size(ty).is_none() => {
                self.incomplete_decl(ty, name, span)
            }
            _ => Ok(()),
        }
    }

    fn incomplete_decl<T>(&self, ty: TypeId, name: &str, span: Span) -> R<T> {
        let what = self.graph.name(ty);
        self.fail(
            Tag::D_DECL_INCOMPLETE,
            span,
            format!("incomplete struct/union/enum {what}: {name}"),
        )
    }

    fn bit_width(&mut self, ty: TypeId, bits: &ast::Expr, anonymous: bool) -> R<u8> {
        let width = self.constant_expr(bits)?;
        let least = i64::from(!anonymous);
        let Some(width) = width.filter(|w| *w >= least) else {
            let text = "positive integral constant expression expected as bit-field size";
            return self.fail(Tag::D_DECL_BFCONST, bits.span, text);
        };
        let size = match self.graph.base(ty) {
            Kind::Int(i) if i.bytes <= 8 => i64::from(i.bytes) * 8,
            Kind::Enum(e) => i64::from(e.bytes) * 8,
            _ => {
                let text = format!("invalid type for bit-field: {}", self.graph.name(ty));
                return self.fail(Tag::D_DECL_BFTYPE, bits.span, text);
            }
        };
        if width > size {
            let text = format!("bit-field too big for type: {}", self.graph.name(ty));
            return self.fail(Tag::D_DECL_BFSIZE, bits.span, text);
        }
        Ok(width as u8)
    }

    /// The value of a constant expression, if it is one.
    fn constant_expr(&mut self, e: &ast::Expr) -> R<Option<i64>> {
        if self.is_action(e) {
            return Ok(None);
        }
        let typed = self.expr(e)?;
        Ok(typed
            .constant()
            .filter(|_| self.graph.is_integral(typed.ty))
            .map(|v| v as i64))
    }

    fn enumeration(
        &mut self,
        tag: Option<&str>,
        items: &[(String, Option<ast::Expr>, Span)],
        span: Span,
    ) -> R<TypeId> {
        self.define_tag(NameKind::Enum, "enum", tag, span)?;
        let mut next: i64 = 0;
        let mut out: Vec<(String, i64)> = Vec::with_capacity(items.len());
        let id = self.graph.add(Kind::Forward {
            kind: NameKind::Enum,
            tag: tag.unwrap_or("").to_owned(),
        });
        for (name, value, span) in items {
            if let Some(value) = value {
                match self.constant_expr(value)? {
                    Some(v) => next = v,
                    None => {
                        let text = format!(
                            "enumerator '{name}' must be assigned to an integral constant expression"
                        );
                        return self.fail(Tag::D_DECL_ENCONST, value.span, text);
                    }
                }
            }
            if next > i64::from(i32::MAX) || next < i64::from(i32::MIN) {
                let text = format!("enumerator '{name}' value overflows INT_MAX ({})", i32::MAX);
                return self.fail(Tag::D_DECL_ENOFLOW, *span, text);
            }
            self.take_name(name);
            let known = self.globals.contains_key(name) || self.enumerators.contains_key(name);
            if known || out.iter().any(|(n, _)| n == name) {
                return self.fail(
                    Tag::D_DECL_IDRED,
                    *span,
                    format!("identifier redeclared: {name}"),
                );
            }
            // Later enumerators may use earlier ones.
            self.graph.define_enumerator(name, next, TypeGraph::INT);
            out.push((name.clone(), next));
            next += 1;
        }
        let kind = Enum {
            tag: tag.map(str::to_owned),
            bytes: 4,
            signed: true,
            items: out.clone().into(),
        };
        self.graph.replace(id, Kind::Enum(kind));
        if let Some(tag) = tag {
            self.graph.define(NameKind::Enum, tag, id);
        }
        for (name, value) in out {
            self.graph.define_enumerator(&name, value, id);
            self.enumerators.insert(name, id);
        }
        Ok(id)
    }

    /// Wraps a type in the layers of a declarator.
    pub(crate) fn declared_type(
        &mut self,
        base: TypeId,
        spec: &ast::DeclSpec,
        declr: &ast::Declarator,
    ) -> R<TypeId> {
        let mut ty = base;
        for layer in declr.layers.iter().rev() {
            ty = match layer {
                Layer::Pointer {
                    is_const,
                    is_volatile,
                    is_restrict,
                    is_userland,
                } => {
                    let user = *is_userland || spec.is_userland;
                    let mut pointer = self.graph.add(Kind::Pointer { to: ty, user });
                    if *is_const {
                        pointer = self.graph.add(Kind::Const(pointer));
                    }
                    if *is_volatile {
                        pointer = self.graph.add(Kind::Volatile(pointer));
                    }
                    if *is_restrict {
                        pointer = self.graph.add(Kind::Restrict(pointer));
                    }
                    pointer
                }
                Layer::Array(len, span) => self.array_type(ty, len.as_deref(), *span)?,
                Layer::Assoc(_, span) => {
                    return self.fail(
                        Tag::D_DECL_DYNOBJ,
                        *span,
                        "cannot declare array of associative arrays",
                    );
                }
                Layer::Func(params, variadic, _) => {
                    let params = self.prototype(params)?;
                    self.graph.add(Kind::Func {
                        ret: ty,
                        params,
                        variadic: *variadic,
                    })
                }
            };
        }
        Ok(ty)
    }

    fn array_type(&mut self, elem: TypeId, len: Option<&ast::Expr>, span: Span) -> R<TypeId> {
        if matches!(self.graph.base(elem), Kind::Void) {
            return self.fail(Tag::D_DECL_VOIDOBJ, span, "cannot declare array of void");
        }
        let len = match len {
            None => 0,
            Some(e) => match self.constant_expr(e)? {
                Some(n) if n > i64::from(i32::MAX) => {
                    return self.fail(Tag::D_DECL_ARRBIG, span, "array dimension too big");
                }
                Some(n) if n >= 0 => n as u64,
                Some(_) | None => {
                    let text = "positive integral constant expression or tuple signature expected as array \
                                declaration subscript";
                    return self.fail(Tag::D_DECL_ARRSUB, span, text);
                }
            },
        };
        let elem_size = self.size_of(elem).unwrap_or(1);
        if elem_size
            .checked_mul(len)
            .is_none_or(|n| n > i32::MAX as u64)
        {
            return self.fail(Tag::D_DECL_ARRBIG, span, "array dimension too big");
        }
        Ok(self.graph.add(Kind::Array { elem, len }))
    }

    /// Parameter types of a function.
    pub(crate) fn prototype(&mut self, params: &[ast::Param]) -> R<Vec<TypeId>> {
        let mut types = Vec::with_capacity(params.len());
        for param in params {
            let base = self.spec_type(&param.spec)?;
            let ty = self.declared_type(base, &param.spec, &param.declr)?;
            if matches!(self.graph.base(ty), Kind::Void) {
                if let Some((name, span)) = &param.declr.name {
                    let text = format!("void parameter may not have a name: {name}");
                    return self.fail(Tag::D_DECL_PROTO_NAME, *span, text);
                }
                if params.len() != 1 {
                    return self.fail(
                        Tag::D_DECL_PROTO_VOID,
                        param.span,
                        "void must be sole parameter",
                    );
                }
                return Ok(Vec::new());
            }
            types.push(ty);
        }
        Ok(types)
    }

    /// Type of a key of an associative array or of a parameter of an inline.
    pub(crate) fn param_type(&mut self, param: &ast::Param, what: &str, index: usize) -> R<TypeId> {
        let base = self.spec_type(&param.spec)?;
        let ty = self.declared_type(base, &param.spec, &param.declr)?;
        let key = self.graph.is_scalar(ty) || self.graph.is_string(ty);
        if key || what == "inline" && !matches!(self.graph.base(ty), Kind::Void) {
            return Ok(ty);
        }
        let name = param
            .declr
            .name
            .as_ref()
            .map_or("(anonymous)", |(n, _)| n.as_str());
        let text = format!(
            "{what} prototype may not use parameter of type {}: {name}, parameter #{}",
            self.graph.name(ty),
            index + 1
        );
        self.fail(Tag::D_DECL_PROTO_TYPE, param.span, text)
    }

    /// Takes a declaration item.
    pub(crate) fn declaration(&mut self, decl: &ast::Decl) -> R<()> {
        let base = self.spec_type(&decl.spec)?;
        if decl.declrs.is_empty() {
            let defines = matches!(decl.spec.ty, TypeSpec::Sou { .. } | TypeSpec::Enum { .. });
            // `typedef struct s { … };` without a name is what C warns of.
            let named = decl
                .spec
                .classes
                .iter()
                .all(|(c, _)| *c == StorageClass::Typedef);
            if !defines || !named {
                return self.fail(Tag::D_DECL_USELESS, decl.span, "useless declaration");
            }
            return Ok(());
        }
        let class = decl.spec.classes.first().copied();
        for declr in &decl.declrs {
            let Some((name, span)) = &declr.name else {
                return self.fail(Tag::D_DECL_USELESS, decl.span, "useless declaration");
            };
            self.plain_name(name, *span)?;
            match class {
                Some((StorageClass::Typedef, _)) => {
                    self.typedef(base, &decl.spec, declr, name, *span)?
                }
                Some((StorageClass::Auto | StorageClass::Register | StorageClass::Static, at)) => {
                    let text = "specified storage class not appropriate in D";
                    return self.fail(Tag::D_DECL_BADCLASS, at, text);
                }
                Some((StorageClass::SelfVar, _)) => {
                    self.variable(
                        base,
                        &decl.spec,
                        declr,
                        VarName {
                            scope: Scope::Thread,
                            name,
                        },
                        *span,
                    )?;
                }
                Some((StorageClass::ThisVar, _)) => {
                    self.variable(
                        base,
                        &decl.spec,
                        declr,
                        VarName {
                            scope: Scope::Clause,
                            name,
                        },
                        *span,
                    )?;
                }
                Some((StorageClass::Extern, _)) | None => {
                    self.variable(
                        base,
                        &decl.spec,
                        declr,
                        VarName {
                            scope: Scope::Global,
                            name,
                        },
                        *span,
                    )?;
                }
            }
        }
        Ok(())
    }

    fn typedef(
        &mut self,
        base: TypeId,
        spec: &ast::DeclSpec,
        declr: &ast::Declarator,
        name: &str,
        span: Span,
    ) -> R<()> {
        let to = self.declared_type(base, spec, declr)?;
        self.take_name(name);
        if self.globals.contains_key(name) {
            let text = format!("global variable identifier redeclared: {name}");
            return self.fail(Tag::D_DECL_IDRED, span, text);
        }
        if !self.declared.insert((NameKind::Plain, name.to_owned())) {
            return self.fail(
                Tag::D_DECL_IDRED,
                span,
                format!("typedef redeclared: {name}"),
            );
        }
        let ty = self.graph.add(Kind::Typedef {
            name: name.to_owned(),
            to,
        });
        self.graph.define(NameKind::Plain, name, ty);
        Ok(())
    }

    fn variable(
        &mut self,
        base: TypeId,
        spec: &ast::DeclSpec,
        declr: &ast::Declarator,
        name: VarName<'_>,
        span: Span,
    ) -> R<()> {
        if name.scope == Scope::Global {
            self.take_name(name.name);
            if self
                .declared
                .contains(&(NameKind::Plain, name.name.to_owned()))
            {
                let text = format!("typedef identifier redeclared: {}", name.name);
                return self.fail(Tag::D_DECL_IDRED, span, text);
            }
            if self
                .builtin(name.name)
                .is_some_and(|g| g.kind != lang::GlobalKind::Foreign)
            {
                let text = format!("built-in identifier redeclared: {}", name.name);
                return self.fail(Tag::D_DECL_IDRED, span, text);
            }
        }
        let mut declr = declr.clone();
        let keys = match declr.layers.first() {
            Some(Layer::Assoc(params, _)) => Some(params.clone()),
            Some(Layer::Array(None, span)) => {
                let text = format!(
                    "array declaration requires array dimension or tuple signature: {}",
                    name.text()
                );
                return self.fail(Tag::D_DECL_ARRNULL, *span, text);
            }
            Some(Layer::Array(Some(_), _) | Layer::Pointer { .. } | Layer::Func(..)) | None => None,
        };
        let keys = match keys {
            Some(params) => {
                declr.layers.remove(0);
                Some(self.key_signature(name, &params, span)?)
            }
            None => None,
        };
        let ty = self.declared_type(base, spec, &declr)?;
        self.object_type(ty, name, span)?;
        self.variable_size(ty, name.name, span)?;
        if matches!(self.graph.base(ty), Kind::Func { .. }) {
            return Ok(());
        }
        self.declare(name, ty, keys, span)
    }

    fn key_signature(
        &mut self,
        name: VarName<'_>,
        params: &[ast::Param],
        span: Span,
    ) -> R<Vec<TypeId>> {
        if name.scope == Scope::Clause {
            let text = format!(
                "associative arrays may not be declared as local variables: {}",
                name.name
            );
            return self.fail(Tag::D_DECL_LOCASSC, span, text);
        }
        params
            .iter()
            .enumerate()
            .map(|(i, p)| self.param_type(p, "associative array", i))
            .collect()
    }

    fn object_type(&mut self, ty: TypeId, name: VarName<'_>, span: Span) -> R<()> {
        match self.graph.base(ty) {
            Kind::Void => self.fail(
                Tag::D_DECL_VOIDOBJ,
                span,
                format!("cannot have void object: {}", name.name),
            ),
            Kind::Forward { .. } if self.graph.size(ty).is_none() => {
                self.incomplete_decl(ty, name.name, span)
            }
            _ => Ok(()),
        }
    }

    /// Makes the variable, or checks that it is declared again as it was.
    fn declare(
        &mut self,
        name: VarName<'_>,
        ty: TypeId,
        keys: Option<Vec<TypeId>>,
        span: Span,
    ) -> R<()> {
        let ty = match keys {
            Some(_) => self.array_of_int(name, ty),
            None => ty,
        };
        let clash = match (self.entity(name), keys) {
            (None, Some(keys)) => {
                self.create_assoc(name, keys, ty);
                None
            }
            (None, None) => {
                self.create_var(name, ty);
                None
            }
            (Some(Entity::Var(at)), None) => {
                self.type_clash(("scalar", ty), ("scalar", self.vars[at].ty))
            }
            (Some(Entity::Assoc(at)), Some(keys)) => {
                let array = Entity::Assoc(at).describe();
                let was = &self.assocs[at];
                self.key_clash((ty, &keys), (was.ty, &was.keys))
                    .or_else(|| self.type_clash((array, ty), (array, was.ty)))
            }
            (Some(other), keys) => {
                let now = if keys.is_some() {
                    "associative array"
                } else {
                    "scalar"
                };
                let was = other.describe();
                Some(format!(
                    "\n\t current: {now} {}\n\tprevious: {was}",
                    self.graph.name(ty)
                ))
            }
        };
        match clash {
            Some(how) => self.fail(
                Tag::D_DECL_IDRED,
                span,
                format!("identifier redeclared: {}{how}", name.text()),
            ),
            None => Ok(()),
        }
    }

    fn type_clash(&self, now: (&str, TypeId), was: (&str, TypeId)) -> Option<String> {
        let show = |(kind, ty): (&str, TypeId)| format!("{kind} {}", self.graph.name(ty));
        let same = self.graph.same(now.1, was.1);
        (!same).then(|| format!("\n\t current: {}\n\tprevious: {}", show(now), show(was)))
    }

    fn key_clash(&self, now: (TypeId, &[TypeId]), was: (TypeId, &[TypeId])) -> Option<String> {
        let array = "associative array";
        if now.1.len() != was.1.len() {
            let show = |(ty, keys): (TypeId, &[TypeId])| {
                format!(
                    "{array} of {}, tuple length {}",
                    self.graph.name(ty),
                    keys.len()
                )
            };
            return Some(format!(
                "\n\t current: {}\n\tprevious: {}",
                show(now),
                show(was)
            ));
        }
        let at = now
            .1
            .iter()
            .zip(was.1)
            .position(|(a, b)| !self.graph.same(*a, *b))?;
        let show = |keys: &[TypeId]| {
            format!(
                "{array}, key #{} of type {}",
                at + 1,
                self.graph.name(keys[at])
            )
        };
        Some(format!(
            "\n\t current: {}\n\tprevious: {}",
            show(now.1),
            show(was.1)
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_words_have_one_spelling() {
        assert_eq!(arith_name(None, Some(true), false, 2), "unsigned long long");
        assert_eq!(arith_name(Some(ArithBase::Int), None, false, 1), "long");
        assert_eq!(arith_name(None, Some(false), false, 0), "int");
        assert_eq!(
            arith_name(Some(ArithBase::Char), Some(true), false, 0),
            "unsigned char"
        );
        assert_eq!(
            arith_name(Some(ArithBase::Double), None, false, 1),
            "long double"
        );
    }
}

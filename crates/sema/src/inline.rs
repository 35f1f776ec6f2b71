//! `inline` definitions: constants, expressions and parameterised ones, re-typed at every use (reference §7).

use ctypes::{Kind, TypeGraph, TypeId};
use diag::{Span, Tag};
use lang::{Stability, Version};
use syntax::ast::{self, IntRank, Layer};

use crate::compiler::Compiler;
use crate::hir::{IntTy, Pos, Scope};
use crate::library::in_library;
use crate::typed::{Form, R, Typed};
use crate::types::int;
use crate::vars::{Entity, VarName};

/// Expansions in one clause at most: nested inlines grow exponentially.
const MAX_EXPANSIONS: u32 = 20_000;

/// Names and types of the parameters of an inline.
pub(crate) type Params = Vec<(String, TypeId)>;

/// An inline.
pub(crate) struct InlineDef {
    pub name: String,
    pub ty: TypeId,
    /// Parameters of a parameterised inline.
    pub params: Option<Params>,
    pub body: ast::Expr,
    pub stability: Stability,
    pub since: Version,
    /// A library defines it: programs may take the name.
    pub library: bool,
}

impl Compiler<'_> {
    /// `inline long NULL = 0`, there even without libraries.
    pub(crate) fn define_null(&mut self) {
        let body = ast::Expr {
            kind: ast::ExprKind::Int(0, IntRank::Int),
            span: Span::default(),
        };
        self.add_inline(InlineDef {
            name: "NULL".into(),
            ty: TypeGraph::LONG,
            params: None,
            body,
            stability: Stability::STABLE,
            since: Version::FIRST,
            library: false,
        });
    }

    fn add_inline(&mut self, def: InlineDef) {
        let name = def.name.clone();
        self.inlines.push(def.into());
        let entity = Entity::Inline(self.inlines.len() - 1);
        self.bind(
            VarName {
                scope: Scope::Global,
                name: &name,
            },
            entity,
        );
    }

    /// The value of an inline whose body is an integer constant (the lexer replaces its name by it).
    pub fn inline_constant(&mut self, name: &str) -> Option<(u64, IntRank)> {
        self.require(name);
        let Some(Entity::Inline(at)) = self.entity(VarName {
            scope: Scope::Global,
            name,
        }) else {
            return None;
        };
        let def = self.inlines.get(at)?;
        let ast::ExprKind::Int(value, rank) = def.body.kind else {
            return None;
        };
        let rank = match self.graph.resolve(def.ty) {
            TypeGraph::INT => IntRank::Int,
            TypeGraph::UINT => IntRank::UInt,
            TypeGraph::LONG | TypeGraph::INT64 => IntRank::Long,
            TypeGraph::ULONG | TypeGraph::UINT64 => IntRank::ULong,
            TypeGraph::LONGLONG => IntRank::LongLong,
            TypeGraph::ULONGLONG => IntRank::ULongLong,
            _ => rank,
        };
        (def.params.is_none() && def.since <= self.opts.version).then_some((value, rank))
    }

    /// Takes an `inline` item.
    pub(crate) fn inline_definition(&mut self, def: &ast::Inline) -> R<()> {
        let Some((name, name_span)) = def.declr.name.clone() else {
            return self.fail(
                Tag::D_DECL_USELESS,
                def.span,
                "inline declaration requires a name",
            );
        };
        if let Some((_, span)) = def.spec.classes.first() {
            let text = "specified storage class not appropriate for inline declaration";
            return self.fail(Tag::D_DECL_BADCLASS, *span, text);
        }
        self.plain_name(&name, name_span)?;
        self.inline_is_new(&name, name_span)?;
        let (ty, params) = self.inline_type(def, &name)?;
        if matches!(self.graph.base(ty), Kind::Void) {
            return self.fail(
                Tag::D_DECL_VOIDOBJ,
                def.span,
                format!("cannot declare void inline: {name}"),
            );
        }
        let (stability, since) = self.take_pending(&name);
        let value = self.trial(&def.body, params.as_deref().unwrap_or(&[]))?;
        if !self.inline_fits(ty, &value) {
            let (l, r) = (self.graph.name(ty), self.name_of(&value));
            let text =
                format!("inline {name} definition uses incompatible types: \"{l}\" = \"{r}\"");
            return self.fail(Tag::D_OP_INCOMPAT, def.span, text);
        }
        self.add_inline(InlineDef {
            name,
            ty,
            params,
            body: def.body.clone(),
            stability,
            since,
            library: self.libraries.is_reading(),
        });
        Ok(())
    }

    fn inline_is_new(&mut self, name: &str, span: Span) -> R<()> {
        self.take_name(name);
        if self.libraries.is_reading() && self.enumerators.contains_key(name) {
            return self.fail(
                Tag::D_DECL_IDRED,
                span,
                format!("identifier redeclared: {name}"),
            );
        }
        if let Some(entity) = self.entity(VarName {
            scope: Scope::Global,
            name,
        }) {
            let text = format!(
                "identifier redefined: {name}\n\t current: inline definition\n\tprevious: {} definition",
                entity.describe()
            );
            return self.fail(Tag::D_DECL_IDRED, span, text);
        }
        if self.builtin(name).is_some_and(|g| g.refused.is_none()) {
            return self.fail(
                Tag::D_DECL_IDRED,
                span,
                format!("built-in identifier redeclared: {name}"),
            );
        }
        Ok(())
    }

    /// Type of an inline, and its parameters if it has the form of an array.
    fn inline_type(&mut self, def: &ast::Inline, name: &str) -> R<(TypeId, Option<Params>)> {
        let mut declr = def.declr.clone();
        let params = match declr.layers.first() {
            Some(Layer::Array(None, span)) => {
                let text = format!("inline declaration requires array tuple signature: {name}");
                return self.fail(Tag::D_DECL_ARRNULL, *span, text);
            }
            Some(Layer::Array(Some(_), span)) => {
                let text = format!("inline declaration cannot be of scalar array type: {name}");
                return self.fail(Tag::D_DECL_ARRNULL, *span, text);
            }
            Some(Layer::Assoc(params, _)) => Some(params.clone()),
            Some(Layer::Pointer { .. } | Layer::Func(..)) | None => None,
        };
        if params.is_some() {
            declr.layers.remove(0);
        }
        let base = self.spec_type(&def.spec)?;
        let ty = self.declared_type(base, &def.spec, &declr)?;
        let params = match params {
            Some(params) => Some(self.inline_params(&params)?),
            None => None,
        };
        Ok((ty, params))
    }

    fn inline_params(&mut self, params: &[ast::Param]) -> R<Params> {
        let mut out = Vec::with_capacity(params.len());
        for (i, param) in params.iter().enumerate() {
            let ty = self.param_type(param, "inline", i)?;
            let Some((name, _)) = &param.declr.name else {
                let text = format!(
                    "parameter declaration requires a name: parameter #{}",
                    i + 1
                );
                return self.fail(Tag::D_DECL_PROTO_NAME, param.span, text);
            };
            out.push((name.clone(), ty));
        }
        Ok(out)
    }

    /// Types a body with placeholders for its parameters.
    pub(crate) fn trial(&mut self, body: &ast::Expr, params: &[(String, TypeId)]) -> R<Typed> {
        let bindings = params
            .iter()
            .map(|(name, ty)| (name.clone(), self.placeholder(*ty, body.span)))
            .collect();
        if self.is_action(body) {
            return self.call_in_expression(body);
        }
        self.with_bindings(bindings, body)
    }

    /// A value of a type, for checks only.
    pub(crate) fn placeholder(&self, ty: TypeId, span: Span) -> Typed {
        use crate::hir::{Expr, ExprKind, Space};
        use crate::typed::{Base, Place};
        let address = int(0, IntTy::U64, Pos::default());
        if self.is_composite(ty) || self.is_array(ty) {
            let base = Base::Mem(address, Space::Kernel);
            return Typed {
                ty,
                form: Form::Place(Place {
                    base,
                    offset: 0,
                    bits: None,
                    indices: Vec::new(),
                    writable: false,
                }),
                span,
            };
        }
        let kind = ExprKind::RawArg(0);
        Typed::value(
            ty,
            Expr {
                kind,
                ty: self.hir_ty(ty),
                pos: Pos::default(),
            },
            span,
        )
    }

    /// Types a body that sees only these names beside the global ones.
    pub(crate) fn with_bindings(
        &mut self,
        bindings: Vec<(String, Typed)>,
        body: &ast::Expr,
    ) -> R<Typed> {
        self.cx.expanded += 1;
        if self.cx.expanded > MAX_EXPANSIONS {
            return self.fail(
                Tag::D_UNKNOWN,
                body.span,
                "inline definitions expand to too large an expression",
            );
        }
        let outer = std::mem::replace(&mut self.cx.bindings, bindings);
        let value = self.expr(body);
        self.cx.bindings = outer;
        value
    }

    /// Types a definition's body where it is used.
    pub(crate) fn expanded(
        &mut self,
        used_at: Span,
        bindings: Vec<(String, Typed)>,
        body: &ast::Expr,
    ) -> R<Typed> {
        let outer = self.cx.used_at;
        if !in_library(used_at) {
            self.cx.used_at = Some(used_at);
        }
        let value = self.with_bindings(bindings, body);
        self.cx.used_at = outer;
        self.where_used(value, used_at)
    }

    fn inline_fits(&self, ty: TypeId, value: &Typed) -> bool {
        if value.is_dyn() {
            return self.graph.same(ty, value.ty);
        }
        let zero_string = self.graph.is_string(ty) && value.constant() == Some(0);
        zero_string || self.value_fits(ty, value) || self.placeholder_fits(ty, value)
    }

    fn placeholder_fits(&self, ty: TypeId, value: &Typed) -> bool {
        self.is_composite(ty) && self.graph.same(ty, value.ty)
    }

    /// Replaces an inline's name by its body.
    pub(crate) fn expand(&mut self, at: usize, span: Span) -> R<Typed> {
        let def = self.inlines[at].clone();
        if def.params.is_some() {
            let text = format!("inline '{}' may not be referenced as scalar", def.name);
            return self.fail(Tag::D_IDENT_BADREF, span, text);
        }
        self.inline_visible(&def, span)?;
        let value = self.expanded(span, Vec::new(), &def.body)?;
        self.retyped(value, def.ty, span)
    }

    /// Replaces `name[args]` by the body of a parameterised inline.
    pub(crate) fn expand_array(&mut self, at: usize, args: &[ast::Expr], span: Span) -> R<Typed> {
        let def = self.inlines[at].clone();
        self.inline_visible(&def, span)?;
        let params = def.params.as_deref().unwrap_or(&[]);
        let typed = self.keys(args)?;
        let want: Vec<TypeId> = params.iter().map(|(_, ty)| *ty).collect();
        self.check_keys(&format!("{}[ ]", def.name), &want, &typed, "inline", span)?;
        let bindings = params
            .iter()
            .zip(typed)
            .map(|((name, ty), arg)| Ok((name.clone(), self.retyped(arg, *ty, span)?)))
            .collect::<R<Vec<_>>>()?;
        let value = self.expanded_once(span, bindings, &def.body)?;
        self.retyped(value, def.ty, span)
    }

    fn inline_visible(&mut self, def: &InlineDef, span: Span) -> R<()> {
        self.note_use(def, span);
        if def.since > self.opts.version {
            let text = format!("failed to resolve {}: Unknown variable name", def.name);
            return self.fail(Tag::D_IDENT_UNDEF, span, text);
        }
        self.used(&def.name, def.stability, span)
    }

    /// The value in the type that the inline declares.
    fn retyped(&mut self, value: Typed, ty: TypeId, span: Span) -> R<Typed> {
        if value.is_dyn() || self.is_composite(ty) || self.is_array(ty) {
            return Ok(Typed { ty, span, ..value });
        }
        let expr = self.convert(value, ty)?;
        Ok(Typed::value(ty, expr, span))
    }
}

//! Translators: definitions, `xlate`, and the members of what is translated, expanded where they are used
//! (reference §8).

use std::collections::HashMap;
use std::rc::Rc;

use ctypes::{Kind, TypeGraph, TypeId};
use diag::{Span, Tag};
use lang::{Stability, Version};
use syntax::ast;

use crate::compiler::Compiler;
use crate::derived::SiteMembers;
use crate::typed::{DynVal, Form, R, Typed};

/// A translator.
pub(crate) struct Xlator {
    pub output: TypeId,
    pub input: TypeId,
    pub param: String,
    /// Definitions of each member. A library may have several of one: the first that fits the kernel counts.
    pub members: HashMap<String, Vec<ast::Expr>>,
    /// Members are checked when they are used.
    pub late: bool,
    pub stability: Stability,
    pub since: Version,
}

impl Compiler<'_> {
    /// Takes a `translator` item.
    pub(crate) fn translator_definition(&mut self, def: &ast::Translator) -> R<()> {
        let output = self.type_name(&def.output)?;
        let input = self.type_name(&def.input)?;
        let incomplete = self.graph.members(output).is_none();
        match self.graph.base(output) {
            Kind::Composite(_) => {}
            Kind::Forward { .. } if incomplete => {
                let text = format!("incomplete struct/union/enum {}", self.graph.name(output));
                return self.fail(Tag::D_XLATE_SOU, def.output.span, text);
            }
            Kind::Forward { .. } => {}
            _ => {
                let text = "translator output type must be a struct or union";
                return self.fail(Tag::D_XLATE_SOU, def.output.span, text);
            }
        }
        if self
            .xlators
            .iter()
            .any(|x| self.graph.same(x.output, output) && self.graph.same(x.input, input))
        {
            let (i, o) = (self.graph.name(input), self.graph.name(output));
            let text = format!("translator from {i} to {o} has already been declared");
            return self.fail(Tag::D_XLATE_REDECL, def.span, text);
        }
        let late = self.libraries.is_reading();
        let mut members: HashMap<String, Vec<ast::Expr>> = HashMap::new();
        for (name, body, span) in &def.members {
            let known = members.entry(name.clone()).or_default();
            if !late {
                self.check_member(output, (&def.param, input), name, body, *span)?;
                known.clear();
            }
            known.push(body.clone());
        }
        let (stability, since) = self.take_pending_translator();
        let param = def.param.clone();
        self.xlators.push(Rc::new(Xlator {
            output,
            input,
            param,
            members,
            late,
            stability,
            since,
        }));
        Ok(())
    }

    fn check_member(
        &mut self,
        output: TypeId,
        param: (&str, TypeId),
        name: &str,
        body: &ast::Expr,
        span: Span,
    ) -> R<()> {
        let Some(member) = self.graph.member(output, name) else {
            let text = format!(
                "translator member {name} is not a member of {}",
                self.graph.name(output)
            );
            return self.fail(Tag::D_XLATE_MEMB, span, text);
        };
        let value = self.trial(body, &[(param.0.to_owned(), param.1)])?;
        let fits = if value.is_dyn() {
            self.graph.same(member.ty, value.ty)
        } else {
            self.value_fits(member.ty, &value) || self.strings_fit(member.ty, &value)
        };
        if !fits {
            let (l, r) = (self.graph.name(member.ty), self.name_of(&value));
            let text = format!(
                "translator member {name} definition uses incompatible types: \"{l}\" = \"{r}\""
            );
            return self.fail(Tag::D_XLATE_INCOMPAT, span, text);
        }
        Ok(())
    }

    /// Strings, `char *` and `char []` stand for each other as members.
    fn strings_fit(&self, ty: TypeId, value: &Typed) -> bool {
        let stringy = self.graph.is_string(ty) || self.graph.is_char_pointer_or_array(ty);
        let zero = self.is_integer(value) && value.constant() == Some(0);
        stringy && (self.is_strcompat(value) || zero)
    }

    /// `xlate <T>(e)`.
    pub(crate) fn xlate(&mut self, ty: &ast::TypeName, a: &ast::Expr, span: Span) -> R<Typed> {
        let to = self.type_name(ty)?;
        let input = self.expr(a)?;
        self.no_dyn("xlate", &input, span)?;
        self.translated(to, input, span)
    }

    /// A value as what a translator makes of it.
    pub(crate) fn translated(&mut self, to: TypeId, input: Typed, span: Span) -> R<Typed> {
        self.translated_at(to, input, None, span)
    }

    /// The same, with members that the probe's site knows better.
    pub(crate) fn translated_at(
        &mut self,
        to: TypeId,
        input: Typed,
        members: Option<Rc<SiteMembers>>,
        span: Span,
    ) -> R<Typed> {
        let pointer = self.graph.is_pointer(to);
        let output = if pointer {
            self.graph.pointee(to).unwrap_or(to)
        } else {
            to
        };
        let Some((xlator, input)) = self.find_translator(output, input.clone())? else {
            let (i, o) = (self.name_of(&input), self.graph.name(to));
            let text = format!("cannot translate from \"{i}\" to \"{o}\"");
            return self.fail(Tag::D_XLATE_NONE, span, text);
        };
        let def = self.xlators[xlator].clone();
        self.used("translator", def.stability, span)?;
        Ok(Typed {
            ty: to,
            form: Form::Dyn(Rc::new(DynVal {
                xlator,
                input,
                pointer,
                members,
            })),
            span,
        })
    }

    /// The translator for an input, which may be given by value or by pointer.
    fn find_translator(&mut self, output: TypeId, input: Typed) -> R<Option<(usize, Typed)>> {
        let of_output: Vec<usize> = (0..self.xlators.len())
            .filter(|i| {
                let x = &self.xlators[*i];
                x.since <= self.opts.version && self.graph.same(x.output, output)
            })
            .collect();
        let exact = |c: &Self, ty: TypeId| {
            of_output
                .iter()
                .copied()
                .find(|i| c.graph.same(c.xlators[*i].input, ty))
        };
        if let Some(at) = exact(self, input.ty) {
            return Ok(Some((at, input)));
        }
        if self.graph.is_pointer(input.ty)
            && let Some(to) = self.graph.pointee(input.ty)
        {
            let user = |c: &Self, i: usize| {
                let want = c.xlators[i].input;
                c.graph.is_pointer(want)
                    && c.graph.pointee(want).is_some_and(|w| c.graph.same(w, to))
            };
            if let Some(at) = of_output.iter().copied().find(|i| user(self, *i)) {
                return Ok(Some((at, input)));
            }
            if let Some(at) = exact(self, to) {
                let span = input.span;
                return Ok(Some((at, self.pointee_place(input, to, span)?)));
            }
        } else if self.is_composite(input.ty) {
            let pointer = self.graph.pointer_to(input.ty);
            if let Some(at) = exact(self, pointer) {
                let span = input.span;
                let address = self.address(input)?;
                return Ok(Some((at, Typed::value(pointer, address, span))));
            }
        } else if self.graph.is_integral(input.ty) {
            let found = of_output
                .iter()
                .copied()
                .find(|i| self.graph.is_integral(self.xlators[*i].input));
            return Ok(found.map(|at| (at, input)));
        }
        Ok(None)
    }

    /// A member of what a translator gives.
    pub(crate) fn dyn_member(
        &mut self,
        value: &DynVal,
        name: &str,
        op: &str,
        span: Span,
    ) -> R<Typed> {
        let def = self.xlators[value.xlator].clone();
        if value.pointer != (op == "->") {
            let ty = self.graph.name(def.output);
            return if value.pointer {
                let text = format!(
                    "operator {op} cannot be applied to type \"{ty} *\"; must be applied to a struct or union"
                );
                self.fail(Tag::D_OP_SOU, span, text)
            } else {
                self.fail(
                    Tag::D_OP_PTR,
                    span,
                    format!("operator {op} must be applied to a pointer"),
                )
            };
        }
        let Some(member) = self.graph.member(def.output, name) else {
            let text = format!("{name} is not a member of {}", self.graph.name(def.output));
            return self.fail(Tag::D_TYPE_MEMBER, span, text);
        };
        if let Some(members) = &value.members
            && let Some(typed) = self.site_member(members, name, span)?
        {
            return self.as_member(typed, member.ty, span);
        }
        let body = self.conversion(&def, name, span)?;
        // A pointer into an application stays one.
        let ty = if self.is_user(value.input.ty) {
            value.input.ty
        } else {
            def.input
        };
        let input = Typed {
            ty,
            ..value.input.clone()
        };
        let typed = self.expanded_once(span, vec![(def.param.clone(), input)], body)?;
        self.as_member(typed, member.ty, span)
    }

    /// The definition of a member that fits the kernel. In a library, a text that is given for a number says why Linux has
    /// none.
    fn conversion<'a>(&mut self, def: &'a Xlator, name: &str, span: Span) -> R<&'a ast::Expr> {
        let bodies = def.members.get(name).map_or(&[][..], Vec::as_slice);
        let mut why = None;
        let mut reason = String::new();
        for body in bodies {
            if !def.late {
                return Ok(body);
            }
            if let Some(text) = self.no_value(def, name, body) {
                reason = format!(" ({text})");
                continue;
            }
            let param = (def.param.as_str(), def.input);
            match self.check_member(def.output, param, name, body, body.span) {
                Ok(()) => return Ok(body),
                Err(error) => why = Some(self.libraries.describe(&error)),
            }
        }
        let text = format!("translator does not define conversion for member: {name}{reason}");
        let mut error = self.error(Tag::D_XLATE_NOCONV, span, text);
        error.help = why;
        Err(error)
    }

    fn no_value(&mut self, def: &Xlator, name: &str, body: &ast::Expr) -> Option<String> {
        let ast::ExprKind::Str(text) = &body.kind else {
            return None;
        };
        let ty = self.graph.member(def.output, name)?.ty;
        let number = self.int_ty(ty)?;
        (number.bytes > 0).then(|| String::from_utf8_lossy(text).into_owned())
    }

    /// The value in the type of the member.
    fn as_member(&mut self, value: Typed, ty: TypeId, span: Span) -> R<Typed> {
        if value.is_dyn() {
            return Ok(Typed { ty, span, ..value });
        }
        let stringy = self.graph.is_string(ty) || self.graph.is_char_pointer_or_array(ty);
        if stringy && self.is_string(&value) {
            return Ok(Typed {
                ty: TypeGraph::STRING,
                span,
                ..value
            });
        }
        if stringy && self.graph.is_string(ty) && value.constant() == Some(0) {
            let expr = crate::hir::Expr {
                kind: crate::hir::ExprKind::Str(Vec::new()),
                ty: crate::hir::Ty::Str,
                pos: self.pos(span),
            };
            return Ok(Typed::value(ty, expr, span));
        }
        if self.is_composite(ty) || self.is_array(ty) {
            return Ok(Typed { span, ..value });
        }
        let expr = self.convert(value, ty)?;
        Ok(Typed::value(ty, expr, span))
    }
}

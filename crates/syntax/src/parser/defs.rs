//! `inline`, `translator` and `provider` definitions.

use super::Parser;
use crate::R;
use crate::ast::{ExprKind, Inline, Provider, ProviderProbe, Translator, TypeName};
use crate::token::{Kw, P};
use diag::Tag;

/// Longest provider or probe name.
const NAME_MAX: usize = 63;

impl Parser<'_> {
    /// `inline T name[params] = expr;`
    pub(super) fn inline(&mut self) -> R<Inline> {
        let start = self.bump()?.span;
        let spec = self.specifiers()?;
        if let Some((_, span)) = spec.classes.first() {
            let text = "specified storage class not appropriate for inline declaration";
            return self.fail(Tag::D_DECL_BADCLASS, *span, text);
        }
        let declr = self.declarator()?;
        let Some((name, name_span)) = declr.name.clone() else {
            return self.fail(
                Tag::D_DECL_USELESS,
                self.from(start),
                "inline declaration requires a name",
            );
        };
        if name.contains('`') {
            let text = format!("D scoping operator may not be used in a declaration name ({name})");
            return self.fail(Tag::D_DECL_SCOPE, name_span, text);
        }
        self.expect_after_declarator(P::Assign)?;
        let body = self.assign_expr()?;
        if let (true, ExprKind::Int(value, rank)) = (declr.layers.is_empty(), &body.kind) {
            self.consts.insert(name, (*value, *rank));
        } else {
            self.defined.insert(name);
        }
        self.expect_last(P::Semi)?;
        Ok(Inline {
            spec,
            declr,
            body,
            span: self.from(start),
        })
    }

    /// `translator OUT < IN name > { member = expr; … };`
    pub(super) fn translator(&mut self) -> R<Translator> {
        let start = self.bump()?.span;
        if !self.at_type() {
            return self.syntax_error();
        }
        let output = self.type_name()?;
        self.expect(P::Lt)?;
        let (input, param) = self.translator_input()?;
        self.expect(P::Gt)?;
        self.expect(P::LBrace)?;
        let mut members = Vec::new();
        while !self.at(P::RBrace) {
            let (name, span) = self.expect_member()?;
            self.expect(P::Assign)?;
            let value = self.assign_expr()?;
            self.expect(P::Semi)?;
            members.push((name, value, span));
        }
        self.expect(P::RBrace)?;
        self.expect_last(P::Semi)?;
        Ok(Translator {
            output,
            input,
            param,
            members,
            span: self.from(start),
        })
    }

    fn translator_input(&mut self) -> R<(TypeName, String)> {
        if !self.at_type() {
            return self.syntax_error();
        }
        let start = self.tok.span;
        let spec = self.specifiers()?;
        let mut declr = self.declarator()?;
        let Some((param, _)) = declr.name.take() else {
            return self.syntax_error();
        };
        Ok((
            TypeName {
                spec,
                declr,
                span: self.from(start),
            },
            param,
        ))
    }

    /// `provider NAME { probe name(params) [: (params)]; … };`
    pub(super) fn provider(&mut self) -> R<Provider> {
        let start = self.bump()?.span;
        let (name, span) = self.expect_member()?;
        if let Some(text) = bad_name("provider", &name) {
            return self.fail(Tag::D_PROV_BADNAME, span, text);
        }
        if name.ends_with(|c: char| c.is_ascii_digit()) {
            return self.fail(
                Tag::D_PROV_BADNAME,
                span,
                format!("provider name may not end with a digit: {name}"),
            );
        }
        self.expect(P::LBrace)?;
        let mut probes = Vec::new();
        while !self.at(P::RBrace) {
            probes.push(self.provider_probe()?);
        }
        self.expect(P::RBrace)?;
        self.expect_last(P::Semi)?;
        Ok(Provider {
            name,
            probes,
            span: self.from(start),
        })
    }

    fn provider_probe(&mut self) -> R<ProviderProbe> {
        if !self.at_kw(Kw::Probe) {
            return self.syntax_error();
        }
        let start = self.bump()?.span;
        let (name, span) = self.expect_member()?;
        if let Some(text) = bad_name("probe", &name) {
            return self.fail(Tag::D_PROV_BADNAME, span, text);
        }
        let args = self.provider_params()?;
        let xlated = if self.eat(P::Colon)? {
            Some(self.provider_params()?)
        } else {
            None
        };
        self.expect(P::Semi)?;
        Ok(ProviderProbe {
            name,
            args,
            xlated,
            span: self.from(start),
        })
    }

    fn provider_params(&mut self) -> R<Vec<crate::ast::Param>> {
        let start = self.expect(P::LParen)?;
        let (params, variadic) = self.params(P::RParen)?;
        if variadic {
            let text = "probe prototype may not use a variable-length argument list";
            return self.fail(Tag::D_DECL_PROTO_VARARGS, self.from(start), text);
        }
        Ok(params)
    }
}

fn bad_name(what: &str, name: &str) -> Option<String> {
    if name.contains('`') {
        return Some(format!(
            "{what} name may not contain scoping operator: {name}"
        ));
    }
    let long = name.len() > NAME_MAX;
    long.then(|| format!("{what} name may not exceed {NAME_MAX} characters: {name}"))
}

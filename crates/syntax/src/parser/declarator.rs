//! Declarators, named and abstract, and parameters.

use super::{NEST_MAX, Parser};
use crate::R;
use crate::ast::{Declarator, Layer, Param, StorageClass};
use crate::token::{Kw, P, Tok};
use diag::{Span, Tag};

impl Parser<'_> {
    /// A declarator, with or without a name. Its layers come out innermost first.
    pub(super) fn declarator(&mut self) -> R<Declarator> {
        self.nested(Self::declarator_inner)
    }

    fn declarator_inner(&mut self) -> R<Declarator> {
        let mut pointers = Vec::new();
        while self.at(P::Star) {
            pointers.push(self.pointer()?);
        }
        let mut declr = if self.at(P::LParen) && self.at_group()? {
            let inner = self.declarator()?;
            self.expect(P::RParen)?;
            inner
        } else if matches!(self.tok.tok, Tok::Ident(_)) {
            Declarator {
                name: Some(self.expect_ident()?),
                ..Declarator::default()
            }
        } else {
            Declarator::default()
        };
        self.suffixes(&mut declr)?;
        declr.layers.extend(pointers.into_iter().rev());
        if declr.layers.len() > NEST_MAX as usize {
            return self.fail(
                Tag::D_SYNTAX,
                self.last,
                format!("declarator deeper than {NEST_MAX} levels"),
            );
        }
        Ok(declr)
    }

    fn pointer(&mut self) -> R<Layer> {
        self.bump()?;
        let (mut c, mut v, mut r, mut u) = (false, false, false, false);
        loop {
            match self.tok.tok {
                Tok::Kw(Kw::Const) => c = true,
                Tok::Kw(Kw::Volatile) => v = true,
                Tok::Kw(Kw::Restrict) => r = true,
                Tok::Kw(Kw::Userland) => u = true,
                _ => {
                    return Ok(Layer::Pointer {
                        is_const: c,
                        is_volatile: v,
                        is_restrict: r,
                        is_userland: u,
                    });
                }
            }
            self.bump()?;
        }
    }

    /// At `(`: does it group a declarator (then it is taken), or open parameters?
    fn at_group(&mut self) -> R<bool> {
        let next = self.lx.peek_byte();
        let group = match next {
            b'*' | b'(' | b'[' => true,
            b'_' | b'`' => !self.peek_is_type(),
            _ if next.is_ascii_alphabetic() => !self.peek_is_type(),
            _ => false,
        };
        if group {
            self.bump()?;
        }
        Ok(group)
    }

    fn suffixes(&mut self, declr: &mut Declarator) -> R<()> {
        loop {
            let start = self.tok.span;
            let layer = if self.at(P::LBracket) {
                self.bump()?;
                self.brackets(start)?
            } else if self.at(P::LParen) {
                self.bump()?;
                let (params, variadic) = self.nested(|p| p.params(P::RParen))?;
                Layer::Func(params, variadic, self.from(start))
            } else {
                return Ok(());
            };
            declr.layers.push(layer);
        }
    }

    /// The rest after `[`: a dimension or a key signature.
    fn brackets(&mut self, start: Span) -> R<Layer> {
        if self.eat(P::RBracket)? {
            return Ok(Layer::Array(None, self.from(start)));
        }
        let class = matches!(
            self.tok.tok,
            Tok::Kw(Kw::Auto | Kw::Register | Kw::Static | Kw::Extern | Kw::Typedef)
        );
        if !self.at_type() && !class && !self.at(P::Ellipsis) {
            let size = self.const_expr()?;
            self.expect(P::RBracket)?;
            return Ok(Layer::Array(Some(Box::new(size)), self.from(start)));
        }
        let (params, variadic) = self.nested(|p| p.params(P::RBracket))?;
        if variadic {
            let text = "associative array prototype may not use a variable-length argument list";
            return self.fail(Tag::D_DECL_PROTO_VARARGS, self.from(start), text);
        }
        Ok(Layer::Assoc(params, self.from(start)))
    }

    /// Parameters up to `close`; also: does the list end in `...`?
    pub(super) fn params(&mut self, close: P) -> R<(Vec<Param>, bool)> {
        let mut params = Vec::new();
        if self.eat(close)? {
            return Ok((params, false));
        }
        loop {
            if self.eat(P::Ellipsis)? {
                self.expect(close)?;
                return Ok((params, true));
            }
            params.push(self.param()?);
            if !self.eat(P::Comma)? {
                self.expect_after_declarator(close)?;
                return Ok((params, false));
            }
        }
    }

    fn param(&mut self) -> R<Param> {
        let start = self.tok.span;
        let spec = self.specifiers()?;
        if self.last.end <= start.start {
            return self.syntax_error();
        }
        if let Some((_, span)) = spec
            .classes
            .iter()
            .find(|(class, _)| *class != StorageClass::Register)
        {
            let text = "inappropriate storage class for function or associative array parameter";
            return self.fail(Tag::D_DECL_PARMCLASS, *span, text);
        }
        let declr = self.declarator()?;
        Ok(Param {
            spec,
            declr,
            span: self.from(start),
        })
    }
}

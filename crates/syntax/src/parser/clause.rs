//! Probe clauses and statements.

use super::Parser;
use crate::R;
use crate::ast::{Arm, Clause, Expr, Spec, Stmt};
use crate::spec::{SpecDepth, split_spec};
use crate::token::{Kw, P, Tok};
use diag::{Diagnostic, Region, Span, Tag};

impl Parser<'_> {
    /// `spec, … [/ predicate /] [{ statements }]`
    pub(super) fn clause(&mut self) -> R<Clause> {
        let start = self.tok.span;
        let mut specs = vec![self.spec()?];
        while self.eat(P::Comma)? {
            specs.push(self.spec()?);
        }
        let predicate = if self.at(P::Slash) {
            Some(self.predicate()?)
        } else {
            None
        };
        if self.at(P::LBrace) {
            let body = Some(self.body()?);
            return Ok(Clause {
                specs,
                predicate,
                body,
                span: self.from(start),
            });
        }
        let span = self.from(start);
        if predicate.is_some() {
            let text = "expected actions { } following probe description and predicate";
            return self.fail(Tag::D_SYNTAX, span, text);
        }
        if !self.bare_specs {
            return Err(Box::new(self.no_actions(&specs, span)));
        }
        Ok(Clause {
            specs,
            predicate,
            body: None,
            span,
        })
    }

    /// A specifier without actions; two words in a row were rather meant as a declaration.
    fn no_actions(&self, specs: &[Spec], span: Span) -> Diagnostic {
        let text = "expected predicate and/or actions following probe description";
        let error = Diagnostic::new(Tag::D_SYNTAX, span, self.lx.region, text);
        match (specs, &self.tok.tok) {
            ([Spec::Text(name, _)], Tok::Spec(_)) if !name.contains(':') => error.with_help(
                format!("if this is a declaration: no type named {name} is known"),
            ),
            _ => error,
        }
    }

    fn spec(&mut self) -> R<Spec> {
        if !matches!(self.tok.tok, Tok::Spec(_) | Tok::Int(..)) {
            return self.syntax_error();
        }
        let token = self.bump()?;
        match token.tok {
            Tok::Spec(text) => self.text_spec(text, token.span),
            Tok::Int(id, _) => self.id_spec(id, token.span),
            _ => self.syntax_error(),
        }
    }

    /// A text specifier; fewer fields than four are completed on the right, so that every reader may count from there.
    fn text_spec(&self, text: String, span: Span) -> R<Spec> {
        if let Err(why) = split_spec(&text, self.spec_depth) {
            return self.fail(
                Tag::D_PDESC_INVAL,
                span,
                format!("invalid probe description \"{text}\": {why}"),
            );
        }
        let missing = SpecDepth::Name.fields() - self.spec_depth.fields();
        Ok(Spec::Text(text + &":".repeat(missing), span))
    }

    fn id_spec(&self, id: u64, span: Span) -> R<Spec> {
        if self.spec_depth != SpecDepth::Name {
            let word = self.spec_depth.word();
            let text = format!("probe identifier {id} not permitted when specifying {word}");
            return self.fail(Tag::D_PDESC_INVAL, span, text);
        }
        if id > u64::from(u32::MAX) {
            return self.fail(
                Tag::D_PDESC_INVAL,
                span,
                format!("identifier {id} exceeds maximum probe id"),
            );
        }
        Ok(Spec::Id(id, span))
    }

    fn predicate(&mut self) -> R<Expr> {
        self.lx.region = Region::Predicate;
        self.expect(P::Slash)?;
        let predicate = self.expr()?;
        if self.tok.tok != Tok::PredEnd {
            return self.syntax_error();
        }
        self.lx.outer();
        self.bump()?;
        Ok(predicate)
    }

    fn body(&mut self) -> R<Vec<Stmt>> {
        self.lx.region = Region::Actions;
        self.expect(P::LBrace)?;
        let mut stmts = Vec::new();
        while !self.at(P::RBrace) {
            self.statement(&mut stmts)?;
        }
        self.expect_last(P::RBrace)?;
        Ok(stmts)
    }

    /// One statement; the `;` of the last one before a `}` may be missing.
    fn statement(&mut self, stmts: &mut Vec<Stmt>) -> R<()> {
        if self.eat(P::Semi)? {
            return Ok(());
        }
        if self.at_kw(Kw::If) {
            stmts.push(self.nested(Self::if_statement)?);
            return Ok(());
        }
        stmts.push(Stmt::Expr(self.expr()?));
        if !self.at(P::RBrace) {
            self.expect(P::Semi)?;
        }
        Ok(())
    }

    fn if_statement(&mut self) -> R<Stmt> {
        let start = self.tok.span;
        let mut arms = vec![self.arm()?];
        let mut otherwise = Vec::new();
        while self.at_kw(Kw::Else) {
            self.bump()?;
            if !self.at_kw(Kw::If) {
                otherwise = self.branch()?;
                break;
            }
            arms.push(self.arm()?);
        }
        Ok(Stmt::If {
            arms,
            otherwise,
            span: self.from(start),
        })
    }

    /// `if (condition) statements`
    fn arm(&mut self) -> R<Arm> {
        self.bump()?;
        self.expect(P::LParen)?;
        let cond = self.expr()?;
        self.expect(P::RParen)?;
        let then = self.branch()?;
        Ok(Arm { cond, then })
    }

    /// A statement or a block under `if` or `else`.
    fn branch(&mut self) -> R<Vec<Stmt>> {
        let mut stmts = Vec::new();
        if self.eat(P::LBrace)? {
            while !self.at(P::RBrace) {
                self.statement(&mut stmts)?;
            }
            self.expect(P::RBrace)?;
        } else if self.at_kw(Kw::If) {
            stmts.push(self.nested(Self::if_statement)?);
        } else if !self.eat(P::Semi)? {
            stmts.push(Stmt::Expr(self.expr()?));
            self.expect(P::Semi)?;
        }
        Ok(stmts)
    }
}

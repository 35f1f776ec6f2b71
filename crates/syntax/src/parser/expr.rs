//! Expressions: precedence climbing, folding on the way.

use super::{Ex, HEIGHT_MAX, Parser};
use crate::ast::{BinaryOp, Expr, ExprKind, StepOp, UnaryOp};
use crate::fold;
use crate::token::{Kw, P, Tok};
use crate::{R, ast::TypeName};
use diag::{Span, Tag};

/// Binary operator and its level; higher binds tighter.
fn binary_op(tok: &Tok) -> Option<(BinaryOp, u8)> {
    use BinaryOp::*;
    let Tok::P(p) = tok else { return None };
    let rows = [
        (P::Star, Mul, 11),
        (P::Slash, Div, 11),
        (P::Percent, Mod, 11),
        (P::Plus, Add, 10),
        (P::Minus, Sub, 10),
        (P::Shl, Shl, 9),
        (P::Shr, Shr, 9),
        (P::Lt, Lt, 8),
        (P::Gt, Gt, 8),
        (P::Le, Le, 8),
        (P::Ge, Ge, 8),
        (P::EqEq, Eq, 7),
        (P::Ne, Ne, 7),
        (P::And, And, 6),
        (P::Caret, Xor, 5),
        (P::Or, Or, 4),
        (P::AndAnd, LAnd, 3),
        (P::CaretCaret, LXor, 2),
        (P::OrOr, LOr, 1),
    ];
    rows.iter()
        .find(|(row, ..)| row == p)
        .map(|(_, op, level)| (*op, *level))
}

/// Assignment operator: `Some(None)` is `=`.
fn assign_op(tok: &Tok) -> Option<Option<BinaryOp>> {
    use BinaryOp::*;
    let Tok::P(p) = tok else { return None };
    let rows = [
        (P::Assign, None),
        (P::StarEq, Some(Mul)),
        (P::SlashEq, Some(Div)),
        (P::PercentEq, Some(Mod)),
        (P::PlusEq, Some(Add)),
        (P::MinusEq, Some(Sub)),
        (P::ShlEq, Some(Shl)),
        (P::ShrEq, Some(Shr)),
        (P::AndEq, Some(And)),
        (P::CaretEq, Some(Xor)),
        (P::OrEq, Some(Or)),
    ];
    rows.iter().find(|(row, _)| row == p).map(|(_, op)| *op)
}

fn prefix_op(tok: &Tok) -> Option<UnaryOp> {
    let Tok::P(p) = tok else { return None };
    let rows = [
        (P::And, UnaryOp::Addr),
        (P::Star, UnaryOp::Deref),
        (P::Plus, UnaryOp::Plus),
        (P::Minus, UnaryOp::Neg),
        (P::Tilde, UnaryOp::BitNot),
        (P::Not, UnaryOp::Not),
    ];
    rows.iter().find(|(row, _)| row == p).map(|(_, op)| *op)
}

/// An operand, and whether the grammar lets it stand left of an assignment operator (`unary`, not a cast).
type Operand = (Ex, bool);

impl Parser<'_> {
    /// `expr`: with commas.
    pub(super) fn expr(&mut self) -> R<Expr> {
        Ok(self.comma()?.e)
    }

    /// `assign`: without commas.
    pub(super) fn assign_expr(&mut self) -> R<Expr> {
        Ok(self.assign()?.e)
    }

    /// `conditional`: neither commas nor assignment.
    pub(super) fn const_expr(&mut self) -> R<Expr> {
        let (left, _) = self.cast()?;
        let left = self.binary_from(left, 1)?;
        Ok(self.conditional_from(left)?.e)
    }

    fn node(&self, kind: ExprKind, span: Span, below: u32) -> R<Ex> {
        if below >= HEIGHT_MAX {
            return self.fail(
                Tag::D_SYNTAX,
                span,
                format!("expression deeper than {HEIGHT_MAX} levels"),
            );
        }
        Ok(Ex {
            e: Expr { kind, span },
            h: below + 1,
        })
    }

    fn comma(&mut self) -> R<Ex> {
        let mut left = self.assign()?;
        while self.eat(P::Comma)? {
            let right = self.assign()?;
            let (span, h) = (left.e.span.to(right.e.span), left.h.max(right.h));
            left = self.node(
                ExprKind::Comma(Box::new(left.e), Box::new(right.e)),
                span,
                h,
            )?;
        }
        Ok(left)
    }

    fn assign(&mut self) -> R<Ex> {
        let (left, assignable) = self.cast()?;
        if let Some(op) = assign_op(&self.tok.tok).filter(|_| assignable) {
            self.bump()?;
            let right = self.nested(Self::assign)?;
            let (span, h) = (left.e.span.to(right.e.span), left.h.max(right.h));
            return self.node(
                ExprKind::Assign(op, Box::new(left.e), Box::new(right.e)),
                span,
                h,
            );
        }
        let left = self.binary_from(left, 1)?;
        self.conditional_from(left)
    }

    /// The rest of `lor ? expr : lor ? expr : …`, read as a list and built from its end.
    fn conditional_from(&mut self, mut cond: Ex) -> R<Ex> {
        let mut arms = Vec::new();
        while self.eat(P::Question)? {
            let then = self.nested(Self::comma)?;
            self.expect(P::Colon)?;
            arms.push((cond, then));
            let (left, _) = self.cast()?;
            cond = self.binary_from(left, 1)?;
        }
        let mut result = cond;
        for (cond, then) in arms.into_iter().rev() {
            result = match cond.int() {
                Some((0, _)) => result,
                Some(_) => then,
                None => {
                    let h = cond.h.max(then.h).max(result.h);
                    let span = cond.e.span.to(result.e.span);
                    let kind =
                        ExprKind::Cond(Box::new(cond.e), Box::new(then.e), Box::new(result.e));
                    self.node(kind, span, h)?
                }
            };
        }
        Ok(result)
    }

    /// The rest of a binary expression whose operators bind at least as tight as `level`.
    fn binary_from(&mut self, mut left: Ex, level: u8) -> R<Ex> {
        while let Some((op, this)) = binary_op(&self.tok.tok).filter(|(_, l)| *l >= level) {
            let at = self.bump()?.span;
            let (mut right, _) = self.cast()?;
            while binary_op(&self.tok.tok).is_some_and(|(_, next)| next > this) {
                right = self.nested(|p| p.binary_from(right, this + 1))?;
            }
            left = self.binary(op, left, right, at)?;
        }
        Ok(left)
    }

    fn binary(&mut self, op: BinaryOp, left: Ex, right: Ex, at: Span) -> R<Ex> {
        let span = left.e.span.to(right.e.span);
        let h = left.h.max(right.h);
        if let (Some(l), Some(r)) = (left.int(), right.int()) {
            let Some((value, rank)) = fold::binary(op, l, r) else {
                return self.fail(Tag::D_DIV_ZERO, at, "expression contains division by zero");
            };
            return self.node(ExprKind::Int(value, rank), span, 0);
        }
        self.node(
            ExprKind::Binary(op, Box::new(left.e), Box::new(right.e)),
            span,
            h,
        )
    }

    /// `cast`: an operand of a binary operator.
    fn cast(&mut self) -> R<Operand> {
        self.nested(Self::cast_inner)
    }

    fn cast_inner(&mut self) -> R<Operand> {
        if !self.at(P::LParen) {
            return Ok((self.unary()?, true));
        }
        let start = self.bump()?.span;
        if !self.at_paren_type() {
            let inner = self.paren_rest()?;
            return Ok((self.postfix_from(inner, start)?, true));
        }
        Ok((self.cast_rest(start)?, false))
    }

    /// The rest after `(` of a cast.
    fn cast_rest(&mut self, start: Span) -> R<Ex> {
        let ty = self.boxed_type_name()?;
        self.expect(P::RParen)?;
        let (operand, _) = self.cast()?;
        let (span, h) = (start.to(operand.e.span), operand.h);
        self.node(ExprKind::Cast(ty, Box::new(operand.e)), span, h)
    }

    /// The rest after `(` of a parenthesised expression.
    fn paren_rest(&mut self) -> R<Ex> {
        let inner = self.comma()?;
        self.expect(P::RParen)?;
        Ok(inner)
    }

    fn unary(&mut self) -> R<Ex> {
        let start = self.tok.span;
        if let Some(op) = prefix_op(&self.tok.tok) {
            self.bump()?;
            let (operand, _) = self.cast()?;
            let (span, h) = (start.to(operand.e.span), operand.h);
            if let Some((value, rank)) = operand.int().and_then(|i| fold::unary(op, i)) {
                return self.node(ExprKind::Int(value, rank), span, 0);
            }
            return self.node(ExprKind::Unary(op, Box::new(operand.e)), span, h);
        }
        match self.tok.tok {
            Tok::P(P::Inc) => self.prefix(|e| ExprKind::Pre(StepOp::Inc, e)),
            Tok::P(P::Dec) => self.prefix(|e| ExprKind::Pre(StepOp::Dec, e)),
            Tok::Kw(Kw::Stringof) => self.prefix(ExprKind::Stringof),
            Tok::Kw(Kw::Sizeof) => self.sizeof(),
            _ => self.postfix(),
        }
    }

    /// A one-token prefix before a `unary`.
    fn prefix(&mut self, make: fn(Box<Expr>) -> ExprKind) -> R<Ex> {
        let start = self.bump()?.span;
        let operand = self.nested(Self::unary)?;
        let (span, h) = (start.to(operand.e.span), operand.h);
        self.node(make(Box::new(operand.e)), span, h)
    }

    fn sizeof(&mut self) -> R<Ex> {
        let start = self.bump()?.span;
        if !self.at(P::LParen) {
            let operand = self.nested(Self::unary)?;
            let (span, h) = (start.to(operand.e.span), operand.h);
            return self.node(ExprKind::Sizeof(Box::new(operand.e)), span, h);
        }
        let paren = self.bump()?.span;
        if self.at_paren_type() {
            let ty = self.boxed_type_name()?;
            self.expect(P::RParen)?;
            return self.node(ExprKind::SizeofType(ty), self.from(start), 0);
        }
        let inner = self.nested(Self::paren_rest)?;
        let operand = self.postfix_from(inner, paren)?;
        let h = operand.h;
        self.node(ExprKind::Sizeof(Box::new(operand.e)), self.from(start), h)
    }

    fn postfix(&mut self) -> R<Ex> {
        let start = self.tok.span;
        let primary = self.primary()?;
        self.postfix_from(primary, start)
    }

    fn postfix_from(&mut self, mut left: Ex, start: Span) -> R<Ex> {
        loop {
            let Tok::P(p) = self.tok.tok else {
                return Ok(left);
            };
            if !matches!(
                p,
                P::LBracket | P::LParen | P::Dot | P::Arrow | P::Inc | P::Dec
            ) {
                return Ok(left);
            }
            self.bump()?;
            let (mut h, base) = (left.h, Box::new(left.e));
            let kind = if p == P::LBracket {
                let (args, height) = self.arguments(P::RBracket)?;
                h = h.max(height);
                ExprKind::Index(base, args)
            } else if p == P::LParen {
                let (args, height) = self.arguments(P::RParen)?;
                h = h.max(height);
                ExprKind::Call(base, args)
            } else if p == P::Dot {
                ExprKind::Dot(base, self.expect_member()?.0)
            } else if p == P::Arrow {
                ExprKind::Arrow(base, self.expect_member()?.0)
            } else {
                ExprKind::Post(
                    if p == P::Inc {
                        StepOp::Inc
                    } else {
                        StepOp::Dec
                    },
                    base,
                )
            };
            left = self.node(kind, self.from(start), h)?;
        }
    }

    /// Arguments up to `close`; only a call may have none.
    fn arguments(&mut self, close: P) -> R<(Vec<Expr>, u32)> {
        let (mut args, mut h) = (Vec::new(), 0);
        if close == P::RParen && self.eat(close)? {
            return Ok((args, h));
        }
        loop {
            let arg = self.nested(Self::assign)?;
            h = h.max(arg.h);
            args.push(arg.e);
            if !self.eat(P::Comma)? {
                self.expect(close)?;
                return Ok((args, h));
            }
        }
    }

    fn primary(&mut self) -> R<Ex> {
        match self.tok.tok {
            Tok::P(P::LParen) => {
                self.bump()?;
                return self.nested(Self::paren_rest);
            }
            Tok::Kw(Kw::Offsetof) => return self.offsetof(),
            Tok::Kw(Kw::Xlate) => return self.xlate(),
            Tok::Ident(_)
            | Tok::Agg(_)
            | Tok::Int(..)
            | Tok::Str(_)
            | Tok::Kw(Kw::SelfWord | Kw::This) => {}
            Tok::Eof | Tok::Kw(_) | Tok::P(_) | Tok::PredEnd | Tok::Spec(_) | Tok::Bad => {
                return self.syntax_error();
            }
        }
        let token = self.bump()?;
        let kind = match token.tok {
            Tok::Ident(name) => match self.int_inline(&name) {
                Some((value, rank)) => ExprKind::Int(value, rank),
                None => ExprKind::Ident(name),
            },
            Tok::Agg(name) => ExprKind::Agg(name),
            Tok::Int(value, rank) => ExprKind::Int(value, rank),
            Tok::Str(bytes) => ExprKind::Str(bytes),
            Tok::Kw(Kw::SelfWord) => ExprKind::SelfKw,
            Tok::Kw(_) | Tok::Eof | Tok::P(_) | Tok::PredEnd | Tok::Spec(_) | Tok::Bad => {
                ExprKind::ThisKw
            }
        };
        self.node(kind, token.span, 0)
    }

    fn int_inline(&mut self, name: &str) -> Option<fold::Int> {
        self.consts
            .get(name)
            .copied()
            .or_else(|| (!self.defined.contains(name)).then(|| self.lx.int_inline(name))?)
    }

    fn offsetof(&mut self) -> R<Ex> {
        let start = self.bump()?.span;
        self.expect(P::LParen)?;
        let ty = self.required_type_name()?;
        self.expect(P::Comma)?;
        let (member, _) = self.expect_member()?;
        self.expect(P::RParen)?;
        self.node(ExprKind::Offsetof(ty, member), self.from(start), 0)
    }

    fn xlate(&mut self) -> R<Ex> {
        let start = self.bump()?.span;
        self.expect(P::Lt)?;
        let ty = self.required_type_name()?;
        self.expect(P::Gt)?;
        self.expect(P::LParen)?;
        let operand = self.nested(Self::paren_rest)?;
        let h = operand.h;
        self.node(
            ExprKind::Xlate(ty, Box::new(operand.e)),
            self.from(start),
            h,
        )
    }

    fn required_type_name(&mut self) -> R<Box<TypeName>> {
        if self.at_type() {
            self.boxed_type_name()
        } else {
            self.syntax_error()
        }
    }

    /// On the heap: what an expression's own recursion holds is small, so that it may go deep.
    fn boxed_type_name(&mut self) -> R<Box<TypeName>> {
        self.type_name().map(Box::new)
    }
}

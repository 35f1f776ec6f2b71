//! The parser: recursive descent with one token of look-ahead, bounded depth.

mod clause;
mod decl;
mod declarator;
mod defs;
mod expr;

use crate::ast::{Expr, ExprKind, IntRank, Item, Pragma, Unit};
use crate::lexer::Lexer;
use crate::token::{Kw, P, Tok, Token};
use crate::{ParseInput, R, SpecDepth};
use diag::{Diagnostic, Span, Tag};
use std::collections::{HashMap, HashSet};

/// Deepest nesting of parentheses, operators, blocks, declarators and structures: what our own stack must carry.
const NEST_MAX: u32 = 256;
/// Highest expression tree, whatever its shape: what later passes may recurse over.
const HEIGHT_MAX: u32 = 600;

/// An expression with the height of its tree.
struct Ex {
    e: Expr,
    h: u32,
}

impl Ex {
    fn int(&self) -> Option<(u64, IntRank)> {
        match self.e.kind {
            ExprKind::Int(value, rank) => Some((value, rank)),
            _ => None,
        }
    }
}

/// The parser of one text.
pub(crate) struct Parser<'a> {
    lx: Lexer<'a>,
    tok: Token,
    /// Span of the token before [`Parser::tok`].
    last: Span,
    depth: u32,
    /// The `{` that are open.
    open: Vec<Span>,
    /// Inlines of this text that are integer constants.
    consts: HashMap<String, (u64, IntRank)>,
    /// Other names that this text defines: inlines from elsewhere do not stand for them.
    defined: HashSet<String>,
    bare_specs: bool,
    spec_depth: SpecDepth,
    empty_ok: bool,
}

impl<'a> Parser<'a> {
    pub(crate) fn new(input: ParseInput<'a>) -> R<Parser<'a>> {
        let mut lx = Lexer::new(
            input.source,
            input.text,
            input.library,
            input.macros,
            input.types,
        );
        let tok = lx.next()?;
        let consts = HashMap::from([("NULL".to_owned(), (0, IntRank::Int))]);
        let last = Span {
            source: input.source,
            start: 0,
            end: 0,
        };
        Ok(Parser {
            lx,
            tok,
            last,
            depth: 0,
            open: Vec::new(),
            consts,
            defined: HashSet::new(),
            bare_specs: input.bare_specs,
            spec_depth: input.depth,
            empty_ok: input.empty_ok,
        })
    }

    /// The whole text.
    pub(crate) fn unit(mut self) -> R<Unit> {
        let mut items = Vec::new();
        loop {
            items.extend(self.pragmas());
            if self.tok.tok == Tok::Eof {
                break;
            }
            let item = self.item()?;
            items.extend(self.pragmas_before(&item));
            items.push(item);
        }
        let only_pragmas = items.iter().all(|i| matches!(i, Item::Pragma(_)));
        if only_pragmas && !self.empty_ok {
            return self.fail(
                Tag::D_EMPTY,
                self.tok.span,
                "empty D program translation unit",
            );
        }
        Ok(Unit {
            items,
            options: self.lx.options,
            args_used: self.lx.args_used,
        })
    }

    fn pragmas(&mut self) -> impl Iterator<Item = Item> + use<> {
        std::mem::take(&mut self.lx.pragmas)
            .into_iter()
            .map(Item::Pragma)
    }

    /// Pragmas that stand before the end of `item`; the look-ahead may have met later ones.
    fn pragmas_before(&mut self, item: &Item) -> Vec<Item> {
        let end = item_span(item).end;
        let early = |p: &Pragma| p.span.start < end;
        let n = self.lx.pragmas.iter().take_while(|p| early(p)).count();
        self.lx.pragmas.drain(..n).map(Item::Pragma).collect()
    }

    fn item(&mut self) -> R<Item> {
        match &self.tok.tok {
            Tok::Spec(_) | Tok::Int(..) => self.clause().map(Item::Clause),
            Tok::Kw(Kw::Inline) => self.inline().map(Item::Inline),
            Tok::Kw(Kw::Translator) => self.translator().map(Item::Translator),
            Tok::Kw(Kw::Provider) => self.provider().map(Item::Provider),
            Tok::Kw(_) | Tok::Ident(_) => self.declaration().map(Item::Decl),
            Tok::Eof | Tok::Agg(_) | Tok::Str(_) | Tok::P(_) | Tok::PredEnd | Tok::Bad => {
                self.syntax_error()
            }
        }
    }

    fn bump(&mut self) -> R<Token> {
        let next = self.lx.next()?;
        self.last = self.tok.span;
        Ok(std::mem::replace(&mut self.tok, next))
    }

    fn at(&self, p: P) -> bool {
        self.tok.tok == Tok::P(p)
    }

    fn at_kw(&self, kw: Kw) -> bool {
        self.tok.tok == Tok::Kw(kw)
    }

    /// Takes the punctuation if it is next.
    fn eat(&mut self, p: P) -> R<bool> {
        let found = self.at(p);
        if found {
            self.brace(p);
            self.bump()?;
        }
        Ok(found)
    }

    fn expect(&mut self, p: P) -> R<Span> {
        if self.at(p) {
            self.brace(p);
            Ok(self.bump()?.span)
        } else {
            self.syntax_error()
        }
    }

    /// Notes a brace that is taken.
    fn brace(&mut self, p: P) {
        match p {
            P::LBrace => self.open.push(self.tok.span),
            P::RBrace => drop(self.open.pop()),
            _ => {}
        }
    }

    /// Takes the last token of an item: what follows stands between clauses.
    fn expect_last(&mut self, p: P) -> R<Span> {
        if !self.at(p) {
            return self.syntax_error();
        }
        self.brace(p);
        self.lx.outer();
        Ok(self.bump()?.span)
    }

    fn expect_ident(&mut self) -> R<(String, Span)> {
        if !matches!(self.tok.tok, Tok::Ident(_)) {
            return self.syntax_error();
        }
        let token = self.bump()?;
        match token.tok {
            Tok::Ident(name) => Ok((name, token.span)),
            _ => self.syntax_error(),
        }
    }

    /// A member name: keywords will do, since structures of the kernel use some (`counter`).
    fn expect_member(&mut self) -> R<(String, Span)> {
        match self.tok.tok {
            Tok::Kw(kw) => Ok((kw.text().to_owned(), self.bump()?.span)),
            _ => self.expect_ident(),
        }
    }

    fn from(&self, start: Span) -> Span {
        start.to(self.last)
    }

    fn fail<T>(&self, tag: Tag, span: Span, message: impl Into<String>) -> R<T> {
        Err(Box::new(Diagnostic::new(
            tag,
            span,
            self.lx.region,
            message,
        )))
    }

    /// `syntax error near …` at the current token.
    fn syntax_error<T>(&self) -> R<T> {
        let text = self
            .lx
            .slice(self.tok.span)
            .split('\n')
            .next()
            .unwrap_or_default();
        let near = if self.tok.tok == Tok::Eof {
            "end of input".to_owned()
        } else {
            format!("\"{text}\"")
        };
        let message = format!("syntax error near {near}");
        let mut error = Diagnostic::new(Tag::D_SYNTAX, self.tok.span, self.lx.region, message);
        error.help = match self.open.last() {
            Some(brace) if self.tok.tok == Tok::Eof => Some(self.unclosed(*brace)),
            _ => self.hint().map(str::to_owned),
        };
        Err(Box::new(error))
    }

    fn unclosed(&self, brace: Span) -> String {
        let before = Span { start: 0, ..brace };
        let lines = self.lx.slice(before).matches('\n').count();
        format!(
            "the {{ of line {} is not closed: a }} is missing",
            lines + 1
        )
    }

    /// What a C programmer has probably meant by the current token.
    fn hint(&self) -> Option<&'static str> {
        match &self.tok.tok {
            Tok::PredEnd | Tok::P(P::Slash)
                if self.lx.from(self.tok.span.start).starts_with("//") =>
            {
                Some("comments are written /* ... */")
            }
            Tok::Kw(
                Kw::While | Kw::For | Kw::Do | Kw::Goto | Kw::Break | Kw::Continue | Kw::Return,
            ) => Some(
                "D has neither loops nor jumps: a clause runs from its first statement to its last",
            ),
            Tok::Kw(Kw::Switch | Kw::Case | Kw::Default) => {
                Some("D has no switch: use if and else, or predicates")
            }
            _ => None,
        }
    }

    /// Runs `f` one level deeper.
    fn nested<T>(&mut self, f: impl FnOnce(&mut Self) -> R<T>) -> R<T> {
        if self.depth >= NEST_MAX {
            return self.fail(
                Tag::D_SYNTAX,
                self.tok.span,
                format!("nesting deeper than {NEST_MAX} levels"),
            );
        }
        self.depth += 1;
        let result = f(self);
        self.depth -= 1;
        result
    }
}

fn item_span(item: &Item) -> Span {
    match item {
        Item::Clause(c) => c.span,
        Item::Decl(d) => d.span,
        Item::Inline(i) => i.span,
        Item::Translator(t) => t.span,
        Item::Provider(p) => p.span,
        Item::Pragma(p) => p.span,
    }
}

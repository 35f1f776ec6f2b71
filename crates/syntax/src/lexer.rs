//! The lexer: one token at a time, in one of two states, because between clauses `syscall::read*:entry` is one token.
//!
//! It switches to expression state by itself (a keyword, a type name, `{` or `/`); only the parser knows when a clause or
//! declaration is over and calls [`Lexer::outer`]. Control lines never reach the parser: they are kept as data.

use crate::ast::{IntRank, Pragma};
use crate::control::{self, Control};
use crate::literal::{self, IntError, Scan};
use crate::macros::{self, Expansion, MacroError, Macros};
use crate::token::{Kw, P, Tok, Token};
use crate::{R, TypeNames};
use diag::{Diagnostic, Region, Span, Tag};
use std::collections::HashSet;

/// Type names that the language defines (reference §3.2, and `_Bool`).
const INTRINSIC_TYPES: [&str; 21] = [
    "_Bool",
    "int8_t",
    "int16_t",
    "int32_t",
    "int64_t",
    "intptr_t",
    "ssize_t",
    "uint8_t",
    "uint16_t",
    "uint32_t",
    "uint64_t",
    "uchar_t",
    "ushort_t",
    "uint_t",
    "ulong_t",
    "u_longlong_t",
    "ptrdiff_t",
    "uintptr_t",
    "size_t",
    "id_t",
    "pid_t",
];

/// How far a module name with dots is looked ahead for its backquote.
const MODULE_NAME_MAX: usize = 64;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Outer,
    Expr,
}

/// The lexer of one text.
pub(crate) struct Lexer<'a> {
    source: u32,
    text: &'a str,
    pos: usize,
    state: State,
    /// Only blanks since the line began.
    line_start: bool,
    parens: u32,
    brackets: u32,
    braces: u32,
    library: bool,
    macros: &'a Macros,
    types: &'a mut dyn TypeNames,
    typedefs: HashSet<String>,
    /// Which arguments were referenced.
    pub(crate) args_used: Vec<bool>,
    /// Pragmas not yet taken by the parser.
    pub(crate) pragmas: Vec<Pragma>,
    /// Options so far.
    pub(crate) options: Vec<(String, Option<String>, Span)>,
    /// Part of the clause, for messages; the parser keeps it.
    pub(crate) region: Region,
}

fn is_ident_start(b: u8) -> bool {
    b.is_ascii_alphabetic() || matches!(b, b'_' | b'`')
}

fn is_ident(b: u8) -> bool {
    is_ident_start(b) || b.is_ascii_digit()
}

fn is_blank(b: u8) -> bool {
    matches!(b, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c)
}

fn is_spec_start(b: u8) -> bool {
    b.is_ascii_alphabetic() || b"-$:_.?*\\[]!".contains(&b)
}

fn is_spec(b: u8) -> bool {
    is_spec_start(b) || b.is_ascii_digit() || b == b'`'
}

impl<'a> Lexer<'a> {
    pub(crate) fn new(
        source: u32,
        text: &'a str,
        library: bool,
        macros: &'a Macros,
        types: &'a mut dyn TypeNames,
    ) -> Lexer<'a> {
        Lexer {
            source,
            text,
            pos: 0,
            state: State::Outer,
            line_start: true,
            parens: 0,
            brackets: 0,
            braces: 0,
            library,
            macros,
            types,
            typedefs: HashSet::new(),
            args_used: vec![false; macros.args.len()],
            pragmas: Vec::new(),
            options: Vec::new(),
            region: Region::None,
        }
    }

    /// The next token is one between clauses.
    pub(crate) fn outer(&mut self) {
        self.state = State::Outer;
        self.region = Region::None;
    }

    /// Is the name one of a type?
    pub(crate) fn is_type(&mut self, name: &str) -> bool {
        INTRINSIC_TYPES.contains(&name) || self.typedefs.contains(name) || self.types.is_type(name)
    }

    /// A `typedef` of this text.
    pub(crate) fn add_typedef(&mut self, name: &str) {
        self.typedefs.insert(name.to_owned());
    }

    /// An inline of earlier texts that is an integer constant.
    pub(crate) fn int_inline(&mut self, name: &str) -> Option<(u64, IntRank)> {
        self.types.int_inline(name)
    }

    /// The text of a span.
    pub(crate) fn slice(&self, span: Span) -> &'a str {
        self.text
            .get(span.start as usize..span.end as usize)
            .unwrap_or_default()
    }

    /// The text from an offset on.
    pub(crate) fn from(&self, start: u32) -> &'a str {
        self.text.get(start as usize..).unwrap_or_default()
    }

    /// The first byte that is no white space at or after the current position; 0 at the end.
    pub(crate) fn peek_byte(&self) -> u8 {
        self.nonblank_from(self.pos)
    }

    /// The identifier that begins at [`Lexer::peek_byte`]; empty if there is none.
    pub(crate) fn peek_word(&self) -> &'a str {
        let rest = self
            .rest()
            .trim_start_matches([' ', '\t', '\n', '\r', '\u{b}', '\u{c}']);
        let len = rest.bytes().take_while(|b| is_ident(*b)).count();
        rest.get(..len).unwrap_or_default()
    }

    fn nonblank_from(&self, from: usize) -> u8 {
        let rest = self.text.as_bytes().get(from..).unwrap_or_default();
        rest.iter().copied().find(|b| !is_blank(*b)).unwrap_or(0)
    }

    fn byte(&self, ahead: usize) -> u8 {
        self.text
            .as_bytes()
            .get(self.pos + ahead)
            .copied()
            .unwrap_or(0)
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.pos..).unwrap_or_default()
    }

    fn count(&self, ahead: usize, ok: fn(u8) -> bool) -> usize {
        let rest = self
            .text
            .as_bytes()
            .get(self.pos + ahead..)
            .unwrap_or_default();
        rest.iter().take_while(|b| ok(**b)).count()
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span {
            source: self.source,
            start: start as u32,
            end: end as u32,
        }
    }

    fn fail<T>(&self, tag: Tag, len: usize, message: impl Into<String>) -> R<T> {
        let end = (self.pos + len).min(self.text.len());
        Err(Box::new(Diagnostic::new(
            tag,
            self.span(self.pos, end),
            self.region,
            message,
        )))
    }

    /// The next token.
    pub(crate) fn next(&mut self) -> R<Token> {
        self.skip_blank()?;
        let start = self.pos;
        let tok = if start >= self.text.len() {
            Tok::Eof
        } else {
            match self.state {
                State::Outer => self.outer_token()?,
                State::Expr => self.expr_token()?,
            }
        };
        Ok(Token {
            tok,
            span: self.span(start, self.pos),
        })
    }

    fn skip_blank(&mut self) -> R<()> {
        loop {
            match self.byte(0) {
                b'\n' => {
                    self.line_start = true;
                    self.pos += 1;
                }
                b if is_blank(b) => self.pos += 1,
                b'\\' if self.byte(1) == b'\n' => self.pos += 2,
                b'\\' if self.byte(1) == b'\r' && self.byte(2) == b'\n' => self.pos += 3,
                b'/' if self.byte(1) == b'*' => self.comment()?,
                b'#' if self.line_start => self.control_line()?,
                _ => {
                    self.line_start = false;
                    return Ok(());
                }
            }
        }
    }

    fn comment(&mut self) -> R<()> {
        self.line_start = false;
        let rest = self.rest();
        let body = rest.get(2..).unwrap_or_default();
        let Some(end) = body.find("*/") else {
            self.pos = self.text.len();
            return self.fail(
                Tag::D_SYNTAX,
                0,
                "end-of-file encountered before matching */",
            );
        };
        if let Some(nested) = body.get(..end).and_then(|b| b.find("/*")) {
            self.pos += 2 + nested;
            return self.fail(Tag::D_SYNTAX, 2, "/* encountered inside a comment");
        }
        self.pos += end + 4;
        Ok(())
    }

    fn control_line(&mut self) -> R<()> {
        let line = self.rest().split('\n').next().unwrap_or_default();
        let at = self.span(self.pos, self.pos + line.len());
        match control::read(line, at, self.library) {
            Ok(Control::Nothing) => {}
            Ok(Control::Option(name, value, span)) => self.options.push((name, value, span)),
            Ok(Control::Pragma(pragma)) => self.pragmas.push(pragma),
            Err((tag, text, span)) => {
                return Err(Box::new(Diagnostic::new(tag, span, Region::None, text)));
            }
        }
        self.pos += line.len();
        Ok(())
    }

    fn outer_token(&mut self) -> R<Tok> {
        let b = self.byte(0);
        match b {
            b'/' => self.enter_expr(P::Slash),
            b'{' => {
                self.braces += 1;
                self.enter_expr(P::LBrace)
            }
            b'}' => self.fail(Tag::D_SYNTAX, 1, "extra } in input stream"),
            b',' => Ok(self.punct(P::Comma)),
            b';' => Ok(self.punct(P::Semi)),
            b'0'..=b'9' => self.number(),
            _ if is_spec_start(b) || b == b'`' => self.spec(),
            _ => Ok(self.bad()),
        }
    }

    fn enter_expr(&mut self, p: P) -> R<Tok> {
        self.state = State::Expr;
        Ok(self.punct(p))
    }

    fn punct(&mut self, p: P) -> Tok {
        self.pos += p.text().len();
        Tok::P(p)
    }

    fn bad(&mut self) -> Tok {
        self.pos += self.rest().chars().next().map_or(1, char::len_utf8);
        Tok::Bad
    }

    /// A keyword, a type name or a probe specifier. A backslash before a newline is a line splice, not a glob escape.
    fn spec(&mut self) -> R<Tok> {
        let bytes = self.rest().as_bytes();
        let mut len = self.count(0, is_spec);
        if len > 1
            && bytes.get(len - 1) == Some(&b'\\')
            && matches!(bytes.get(len), Some(b'\n' | b'\r'))
        {
            len -= 1;
        }
        let text = self.rest().get(..len).unwrap_or_default();
        if let Some(kw) = Kw::from_text(text).filter(|k| k.is_outer()) {
            self.state = State::Expr;
            self.pos += len;
            return Ok(Tok::Kw(kw));
        }
        let name = text.bytes().next().is_some_and(is_ident_start)
            && text.bytes().all(|b| is_ident(b) || b == b'.');
        if name && !self.spec_follows(len) && self.is_type(text) {
            self.state = State::Expr;
            self.pos += len;
            return Ok(Tok::Ident(text.to_owned()));
        }
        let used = &mut self.args_used;
        let note = |index: usize| {
            if let Some(slot) = used.get_mut(index) {
                *slot = true;
            }
        };
        let Ok(spec) = macros::expand_spec(self.macros, text, note) else {
            let why = "Undefined macro variable in probe description";
            return self.fail(
                Tag::D_PDESC_INVAL,
                len,
                format!("invalid probe description \"{text}\": {why}"),
            );
        };
        self.pos += len;
        Ok(Tok::Spec(spec))
    }

    /// No declaration goes on like this after its type, so the name need not be looked up (which would read the kernel's
    /// type data for nothing).
    fn spec_follows(&self, len: usize) -> bool {
        let after = self
            .rest()
            .get(len..)
            .unwrap_or_default()
            .trim_ascii_start();
        let comment = after.starts_with("/*");
        after.is_empty() || (after.starts_with(['{', '/', ',']) && !comment)
    }

    fn expr_token(&mut self) -> R<Tok> {
        let b = self.byte(0);
        match b {
            b'0'..=b'9' if self.is_scoped() => Ok(self.ident()),
            b'0'..=b'9' => self.number(),
            b'.' if self.byte(1).is_ascii_digit() => self.number(),
            b'"' => self.string(),
            b'\'' => self.character(),
            b'@' => Ok(self.aggregation()),
            b'$' => self.macro_word(),
            b'/' => self.slash(),
            _ if is_ident_start(b) => Ok(self.ident()),
            _ => self.operator(),
        }
    }

    /// The word has a module, whose name may begin with a digit (``9p`f``, ``8021q`f``).
    fn is_scoped(&self) -> bool {
        let word = self.rest().bytes().take_while(|b| is_ident(*b));
        word.take(MODULE_NAME_MAX).any(|b| b == b'`')
    }

    fn ident(&mut self) -> Tok {
        let mut len = self.count(0, is_ident);
        if self.byte(len) == b'.' {
            let ahead = self
                .rest()
                .as_bytes()
                .iter()
                .skip(len)
                .take(MODULE_NAME_MAX);
            let run = ahead.take_while(|b| is_ident(**b) || **b == b'.');
            if let Some(quote) = run
                .enumerate()
                .filter(|(_, b)| **b == b'`')
                .map(|(i, _)| i)
                .last()
            {
                len += quote + 1;
                len += self.count(len, is_ident);
            }
        }
        let text = self.rest().get(..len).unwrap_or_default();
        self.pos += len;
        Kw::from_text(text).map_or_else(|| Tok::Ident(text.to_owned()), Tok::Kw)
    }

    fn aggregation(&mut self) -> Tok {
        let start = self.byte(1).is_ascii_alphabetic() || self.byte(1) == b'_';
        let len = if start {
            self.count(1, |b| b.is_ascii_alphanumeric() || b == b'_')
        } else {
            0
        };
        let name = self.rest().get(1..=len).unwrap_or_default();
        self.pos += 1 + len;
        Tok::Agg(if name.is_empty() {
            "_".to_owned()
        } else {
            name.to_owned()
        })
    }

    fn number(&mut self) -> R<Tok> {
        let len = match literal::scan_number(self.rest().as_bytes()) {
            Scan::Int(len) => len,
            Scan::Float(len) => {
                return self.fail(
                    Tag::D_SYNTAX,
                    len,
                    "floating-point constants are not permitted",
                );
            }
        };
        let text = self.rest().get(..len).unwrap_or_default();
        match literal::int_value(text) {
            Ok((value, rank)) => {
                self.pos += len;
                Ok(Tok::Int(value, rank))
            }
            Err(error) => {
                let (tag, message) = int_error(text, error);
                self.fail(tag, len, message)
            }
        }
    }

    /// The raw inside of a quoted constant and its length with quotes; `Err` holds what ended it too early.
    fn quoted(&self, quote: u8) -> Result<(&'a [u8], usize), u8> {
        let bytes = self.rest().as_bytes();
        let len = control::quoted(bytes, quote);
        let closed =
            len >= 2 && bytes.get(len - 1) == Some(&quote) && !ends_in_escape(&bytes[1..len - 1]);
        match (closed, bytes.get(len)) {
            (true, _) => Ok((&bytes[1..len - 1], len)),
            (false, Some(_)) => Err(b'\n'),
            (false, None) => Err(0),
        }
    }

    fn string(&mut self) -> R<Tok> {
        match self.quoted(b'"') {
            Ok((raw, len)) => {
                self.pos += len;
                Ok(Tok::Str(literal::unescape(raw)))
            }
            Err(b'\n') => self.fail(Tag::D_STR_NL, 1, "newline encountered in string literal"),
            Err(_) => self.fail(
                Tag::D_SYNTAX,
                1,
                "end-of-file encountered before matching \"",
            ),
        }
    }

    fn character(&mut self) -> R<Tok> {
        let (raw, len) = match self.quoted(b'\'') {
            Ok(found) => found,
            Err(b'\n') => {
                return self.fail(
                    Tag::D_CHR_NL,
                    1,
                    "newline encountered in character constant",
                );
            }
            Err(_) => {
                return self.fail(
                    Tag::D_SYNTAX,
                    1,
                    "end-of-file encountered before matching '",
                );
            }
        };
        let bytes = literal::unescape(raw);
        match bytes.len() {
            0 => return self.fail(Tag::D_CHR_NULL, len, "empty character constant"),
            1..=8 => {}
            _ => return self.fail(Tag::D_CHR_OFLOW, len, "character constant is too long"),
        }
        let value = bytes.iter().fold(0u64, |v, b| v << 8 | u64::from(*b));
        let Some(rank) = literal::int_rank(value, true, false, 0) else {
            let (tag, message) = int_error("", IntError::NoType(value));
            return self.fail(tag, len, message);
        };
        self.pos += len;
        Ok(Tok::Int(value, rank))
    }

    fn macro_word(&mut self) -> R<Tok> {
        let Some(word) = macros::word(self.rest()) else {
            return Ok(self.bad());
        };
        if let Some(used) = word.index().and_then(|i| self.args_used.get_mut(i)) {
            *used = true;
        }
        let text = self.rest().get(..word.len).unwrap_or_default();
        let failure = match macros::expand(self.macros, word) {
            Ok(expansion) => {
                self.pos += word.len;
                return Ok(match expansion {
                    Expansion::Int(value, rank) => Tok::Int(value, rank),
                    Expansion::Ident(name) => Tok::Ident(name),
                    Expansion::Str(bytes) => Tok::Str(bytes),
                });
            }
            Err(failure) => failure,
        };
        let (tag, message) = match failure {
            MacroError::Variable => (
                Tag::D_MACRO_UNDEF,
                format!("macro variable {text} is not defined"),
            ),
            MacroError::Argument => (
                Tag::D_MACRO_UNDEF,
                format!("macro argument {text} is not defined"),
            ),
            MacroError::Constant(value, IntError::Overflow | IntError::NoType(_)) => (
                Tag::D_MACRO_OFLOW,
                format!("macro argument {text} constant {value} results in integer overflow"),
            ),
            MacroError::Constant(value, error @ IntError::Digit(_)) => int_error(&value, error),
        };
        let argument = tag == Tag::D_MACRO_UNDEF && message.starts_with("macro argument");
        self.fail(tag, word.len, message).map_err(|e: Box<Diagnostic>| {
            if !argument {
                return e;
            }
            let help = "arguments follow the options on the command line; with -xdefaultargs missing ones are 0 or \"\"";
            Box::new(e.with_help(help))
        })
    }

    /// `/` closes a predicate if the next character cannot begin a divisor (reference §1.2).
    fn slash(&mut self) -> R<Tok> {
        if self.byte(1) == b'=' {
            return Ok(self.punct(P::SlashEq));
        }
        if !matches!(self.nonblank_from(self.pos + 1), 0 | b';' | b'{' | b'/') {
            return Ok(self.punct(P::Slash));
        }
        if self.parens > 0 {
            return self.fail(Tag::D_SYNTAX, 1, "closing ) expected in predicate before /");
        }
        if self.brackets > 0 {
            return self.fail(Tag::D_SYNTAX, 1, "closing ] expected in predicate before /");
        }
        self.pos += 1;
        Ok(Tok::PredEnd)
    }

    fn operator(&mut self) -> R<Tok> {
        let longest = (1..=3)
            .rev()
            .find_map(|n| P::from_text(self.rest().get(..n)?));
        let Some(p) = longest else {
            return Ok(self.bad());
        };
        let count = if matches!(p, P::LParen | P::RParen) {
            &mut self.parens
        } else if matches!(p, P::LBracket | P::RBracket) {
            &mut self.brackets
        } else if matches!(p, P::LBrace | P::RBrace) {
            &mut self.braces
        } else {
            return Ok(self.punct(p));
        };
        if matches!(p, P::LParen | P::LBracket | P::LBrace) {
            *count += 1;
        } else if *count == 0 {
            return self.fail(
                Tag::D_SYNTAX,
                1,
                format!("extra {} in input stream", p.text()),
            );
        } else {
            *count -= 1;
        }
        Ok(self.punct(p))
    }
}

/// Is the last byte of a quoted constant's inside the first half of an escape?
fn ends_in_escape(inner: &[u8]) -> bool {
    inner.iter().rev().take_while(|b| **b == b'\\').count() % 2 == 1
}

fn int_error(text: &str, error: IntError) -> (Tag, String) {
    match error {
        IntError::Digit(digit) => (
            Tag::D_INT_DIGIT,
            format!("constant {text} contains invalid digit {digit}"),
        ),
        IntError::Overflow => (
            Tag::D_INT_OFLOW,
            format!("constant {text} results in integer overflow"),
        ),
        IntError::NoType(value) => (
            Tag::D_INT_OFLOW,
            format!(
                "integer constant 0x{value:x} cannot be represented in any built-in integral type"
            ),
        ),
    }
}

//! `printf()` formats: parsing and the checks of conversions against arguments and aggregation keys (reference §13).

use ctypes::{Kind, TypeGraph, TypeId};
use diag::{Span, Tag};
use image::{ActionKind, Conversion, Format, Segment, Star};
use lang::Global;

use crate::compiler::Compiler;
use crate::hir::{Expr, IntTy, Pos, StmtKind};
use crate::typed::{R, Typed};

/// What a conversion accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Accepts {
    /// An integer.
    Int,
    /// An integer of exactly this many bytes and signedness.
    Exact(u8, bool),
    /// An integer no wider than `int`.
    Char,
    /// A string or array of char.
    Str,
    /// A string, array of char or pointer to char.
    StrPtr,
    /// A pointer or integer.
    Addr,
    /// A pointer, integer or `sym()` and its like.
    Sym,
    /// `usym()` and its like; a pointer or integer if there is a target.
    Usym,
    /// A 64-bit integer.
    Time,
    /// A stack.
    Stack,
    /// A 16-bit unsigned integer.
    Port,
    /// A string.
    Text,
    /// A floating-point number of this many bytes or any.
    Float,
    /// An array of wide characters, which have four bytes each.
    Wide,
}

impl Accepts {
    /// The prototype as messages show it.
    fn prototype(self) -> &'static str {
        match self {
            Accepts::Int => "int, short, long, or long long",
            Accepts::Exact(2, true) => "short",
            Accepts::Exact(2, false) => "unsigned short",
            Accepts::Exact(_, true) => "long, long long",
            Accepts::Exact(_, false) => "unsigned long, unsigned long long",
            Accepts::Char => "char, short, or int",
            Accepts::Str => "char [] or string (or use stringof)",
            Accepts::StrPtr => "char *, char [] or string",
            Accepts::Addr => "pointer or integer",
            Accepts::Sym => "pointer or integer",
            Accepts::Usym => "pointer or integer (with -p/-c) or _usymaddr (without -p/-c)",
            Accepts::Time => "int64_t",
            Accepts::Stack => "stack",
            Accepts::Port => "uint16_t",
            Accepts::Text => "string",
            Accepts::Float => "float, double, or long double",
            Accepts::Wide => "wchar_t []",
        }
    }
}

/// Every conversion: size prefix, letter, what it accepts.
const CONVERSIONS: &[(&str, char, Accepts)] = &[
    ("", 'a', Accepts::Sym),
    ("", 'A', Accepts::Usym),
    ("", 'c', Accepts::Char),
    ("", 'C', Accepts::Char),
    ("", 'd', Accepts::Int),
    ("", 'e', Accepts::Float),
    ("", 'E', Accepts::Float),
    ("", 'f', Accepts::Float),
    ("", 'g', Accepts::Float),
    ("", 'G', Accepts::Float),
    ("", 'i', Accepts::Int),
    ("", 'I', Accepts::Text),
    ("", 'k', Accepts::Stack),
    ("", 'o', Accepts::Int),
    ("", 'p', Accepts::Addr),
    ("", 'P', Accepts::Port),
    ("", 's', Accepts::Str),
    ("", 'S', Accepts::StrPtr),
    ("", 'T', Accepts::Time),
    ("", 'u', Accepts::Int),
    ("", 'x', Accepts::Int),
    ("", 'X', Accepts::Int),
    ("", 'Y', Accepts::Time),
    ("h", 'd', Accepts::Exact(2, true)),
    ("h", 'i', Accepts::Exact(2, true)),
    ("h", 'o', Accepts::Exact(2, false)),
    ("h", 'u', Accepts::Exact(2, false)),
    ("h", 'x', Accepts::Exact(2, false)),
    ("h", 'X', Accepts::Exact(2, false)),
    ("l", 'c', Accepts::Char),
    ("l", 'd', Accepts::Exact(8, true)),
    ("l", 'i', Accepts::Exact(8, true)),
    ("l", 'o', Accepts::Exact(8, false)),
    ("l", 's', Accepts::Wide),
    ("l", 'u', Accepts::Exact(8, false)),
    ("l", 'x', Accepts::Exact(8, false)),
    ("l", 'X', Accepts::Exact(8, false)),
    ("ll", 'd', Accepts::Exact(8, true)),
    ("ll", 'i', Accepts::Exact(8, true)),
    ("ll", 'o', Accepts::Exact(8, false)),
    ("ll", 'u', Accepts::Exact(8, false)),
    ("ll", 'x', Accepts::Exact(8, false)),
    ("ll", 'X', Accepts::Exact(8, false)),
    ("L", 'e', Accepts::Float),
    ("L", 'E', Accepts::Float),
    ("L", 'f', Accepts::Float),
    ("L", 'g', Accepts::Float),
    ("L", 'G', Accepts::Float),
    ("w", 'c', Accepts::Char),
    ("w", 's', Accepts::Wide),
];

/// Width that `%?` sets: hexadecimal digits of a pointer.
const POINTER_WIDTH: u32 = 16;

/// A format with what its conversions accept, in order.
#[derive(Debug, Default)]
pub(crate) struct Parsed {
    pub format: Format,
    pub accepts: Vec<Accepts>,
}

/// A checked `printf()` and its data.
pub(crate) struct Directive {
    format: Format,
    data: Vec<Expr>,
}

impl Directive {
    /// The statement that records it.
    pub fn into_record(self, action: fn(Format) -> ActionKind) -> StmtKind {
        StmtKind::Record {
            action: action(self.format),
            data: self.data,
        }
    }
}

/// Reads a format.
struct Reader<'a> {
    rest: &'a [u8],
    count: usize,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<u8> {
        self.rest.first().copied()
    }

    fn next(&mut self) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*first)
    }

    /// Text up to the next `%` that begins a conversion.
    fn text(&mut self) -> Vec<u8> {
        let mut text = Vec::new();
        while let Some(b) = self.peek() {
            if b == b'%' {
                if self.rest.get(1) != Some(&b'%') {
                    break;
                }
                self.next();
            }
            self.next();
            text.push(b);
        }
        text
    }

    fn number(&mut self) -> u32 {
        let mut n = 0u32;
        while let Some(b) = self.peek().filter(u8::is_ascii_digit) {
            n = n.saturating_mul(10).saturating_add(u32::from(b - b'0'));
            self.next();
        }
        n.min(i32::MAX as u32)
    }

    /// Flags, width and `@` in any order, as far as they go.
    fn flags(&mut self, c: &mut Conversion) -> Result<(), String> {
        let n = self.count;
        while let Some(b) = self.peek() {
            match b {
                b'#' => c.alt = true,
                b'-' => c.left = true,
                b'0' => c.zero = true,
                b'+' => c.plus = true,
                b'\'' => c.group = true,
                b' ' => c.space = true,
                b'@' => c.agg = true,
                b'?' => c.width = Star::Fixed(POINTER_WIDTH),
                b'*' if c.width == Star::Arg => {
                    return Err(format!(
                        "format conversion #{n} has more than one '*' specified for the output width"
                    ));
                }
                b'*' => c.width = Star::Arg,
                b'1'..=b'9' => {
                    c.width = Star::Fixed(self.number());
                    continue;
                }
                b'$' => {
                    return Err(format!(
                        "format conversion #{n} uses unsupported positional format (%n$)"
                    ));
                }
                _ => return Ok(()),
            }
            self.next();
        }
        Ok(())
    }

    fn precision(&mut self, c: &mut Conversion) -> Result<(), String> {
        let n = self.count;
        while self.peek() == Some(b'.') {
            self.next();
            if c.prec != Star::None {
                return Err(format!(
                    "format conversion #{n} has more than one '.' specified"
                ));
            }
            c.prec = match self.peek() {
                Some(b'*') => {
                    self.next();
                    Star::Arg
                }
                _ => Star::Fixed(self.number()),
            };
            if self.peek() == Some(b'*') {
                return Err(format!(
                    "format conversion #{n} has more than one '*' specified for the output precision"
                ));
            }
            self.flags(c)?;
        }
        Ok(())
    }

    fn conversion(&mut self) -> Result<(Conversion, Accepts), String> {
        self.count += 1;
        let n = self.count;
        let mut c = Conversion::default();
        self.flags(&mut c)?;
        self.precision(&mut c)?;
        if self.peek() == Some(b'%') {
            return Err(format!(
                "format conversion #{n} cannot be combined with other format flags: %%"
            ));
        }
        let size: String = std::iter::from_fn(|| {
            let b = self
                .peek()
                .filter(|b| matches!(b, b'h' | b'l' | b'L' | b'w'))?;
            self.next();
            Some(char::from(b))
        })
        .collect();
        let Some(letter) = self.next().map(char::from) else {
            return Err(format!(
                "format conversion #{n} name expected before end of format string"
            ));
        };
        let Some((size, conv, accepts)) = CONVERSIONS
            .iter()
            .find(|(s, l, _)| *s == size && *l == letter)
        else {
            return Err(format!(
                "format conversion #{n} is undefined: %{size}{letter}"
            ));
        };
        // A precision of 0 is no precision.
        if c.prec == Star::Fixed(0) {
            c.prec = Star::None;
        }
        c.size = size;
        c.conv = *conv;
        Ok((c, *accepts))
    }
}

/// Parses a format. The error is the message.
pub(crate) fn parse(text: &[u8]) -> Result<Parsed, String> {
    let mut reader = Reader {
        rest: text,
        count: 0,
    };
    let mut parsed = Parsed::default();
    loop {
        let text = reader.text();
        if !text.is_empty() {
            parsed.format.segments.push(Segment::Text(text));
        }
        if reader.next().is_none() {
            return Ok(parsed);
        }
        let (conversion, accepts) = reader.conversion()?;
        parsed.format.segments.push(Segment::Conv(conversion));
        parsed.accepts.push(accepts);
    }
}

fn conversions(format: &Format) -> impl Iterator<Item = &Conversion> {
    format.segments.iter().filter_map(|s| match s {
        Segment::Conv(c) => Some(c),
        Segment::Text(_) => None,
    })
}

/// The conversion without flags, as messages show it.
fn show(c: &Conversion) -> String {
    format!("{}{}", c.size, c.conv)
}

/// Arguments on their way to the conversions.
struct Args {
    left: std::vec::IntoIter<Typed>,
    taken: usize,
    given: usize,
}

impl Compiler<'_> {
    fn parse_format(&self, name: &str, text: &[u8], span: Span) -> R<Parsed> {
        if text.is_empty() {
            return self.fail(
                Tag::D_PRINTF_FMT_EMPTY,
                span,
                format!("{name}( ) format string is empty"),
            );
        }
        parse(text).map_err(|message| self.error(Tag::D_SYNTAX, span, message))
    }

    /// Checks a format against its arguments.
    pub(crate) fn directive(
        &mut self,
        name: &str,
        text: &[u8],
        args: Vec<Typed>,
        span: Span,
        aggs: bool,
    ) -> R<Directive> {
        let parsed = self.parse_format(name, text, span)?;
        let mut data = Vec::with_capacity(args.len());
        let mut args = Args {
            given: args.len(),
            left: args.into_iter(),
            taken: 0,
        };
        for (i, (c, accepts)) in conversions(&parsed.format).zip(&parsed.accepts).enumerate() {
            let n = i + 1;
            if c.agg && !aggs {
                let text = format!(
                    "%@ conversion requires an aggregation and is not for use with {name}( )"
                );
                return self.fail(Tag::D_PRINTF_AGG_CONV, span, text);
            }
            for (what, star) in [("width", c.width), ("prec", c.prec)] {
                if star == Star::Arg {
                    data.push(self.star(name, what, (n, c), &mut args, span)?);
                }
            }
            let Some(arg) = args.left.next() else {
                let text = format!(
                    "{name}( ) prototype mismatch: conversion #{n} (%{}) is missing a corresponding value argument",
                    show(c)
                );
                return self.fail(Tag::D_PRINTF_ARG_PROTO, span, text);
            };
            args.taken += 1;
            let what = format!("argument #{}", args.taken + 1);
            data.push(self.converted(name, &what, (n, c), *accepts, arg)?);
        }
        if args.taken < args.given {
            let needed = args.taken + 1;
            let text = format!(
                "{name}( ) prototype mismatch: only {needed} arguments required by this format string"
            );
            return self.fail(Tag::D_PRINTF_ARG_EXTRA, span, text);
        }
        Ok(Directive {
            format: parsed.format,
            data,
        })
    }

    /// The argument of a `*`.
    fn star(
        &mut self,
        name: &str,
        what: &str,
        c: (usize, &Conversion),
        args: &mut Args,
        span: Span,
    ) -> R<Expr> {
        let (n, conv) = (c.0, show(c.1));
        let Some(arg) = args.left.next() else {
            let text = format!(
                "{name}( ) prototype mismatch: conversion #{n} (%{conv}) is missing a corresponding \"{what}\" argument"
            );
            return self.fail(Tag::D_PRINTF_DYN_PROTO, span, text);
        };
        args.taken += 1;
        if !self.is_integer(&arg) {
            let star = if what == "width" { "*" } else { ".*" };
            let text = format!(
                "{name}( ) argument #{} is incompatible with conversion #{n} prototype:\n\tconversion: %{star}{conv}\n\t prototype: int\n\t  argument: {}",
                args.taken + 1,
                self.name_of(&arg)
            );
            return self.fail(Tag::D_PRINTF_DYN_TYPE, arg.span, text);
        }
        let value = self.code(arg)?;
        Ok(crate::types::narrow(value, IntTy::I32))
    }

    /// The value that a conversion shows.
    fn converted(
        &mut self,
        name: &str,
        what: &str,
        c: (usize, &Conversion),
        accepts: Accepts,
        arg: Typed,
    ) -> R<Expr> {
        if !self.accepted(accepts, &arg) {
            let text = format!(
                "{name}( ) {what} is incompatible with conversion #{} prototype:\n\tconversion: %{}\n\t prototype: {}\n\t  argument: {}",
                c.0,
                show(c.1),
                accepts.prototype(),
                self.name_of(&arg)
            );
            return self.fail(Tag::D_PRINTF_ARG_TYPE, arg.span, text);
        }
        match accepts {
            Accepts::Str | Accepts::StrPtr | Accepts::Text => self.string(arg),
            Accepts::Addr | Accepts::Sym | Accepts::Usym if self.is_array(arg.ty) => {
                self.scalar(arg)
            }
            Accepts::Int
            | Accepts::Exact(..)
            | Accepts::Char
            | Accepts::Addr
            | Accepts::Sym
            | Accepts::Usym
            | Accepts::Time
            | Accepts::Stack
            | Accepts::Port
            | Accepts::Float
            | Accepts::Wide => self.datum(arg),
        }
    }

    fn accepted(&self, accepts: Accepts, arg: &Typed) -> bool {
        let int = self.int_ty(arg.ty).filter(|_| self.is_integer(arg));
        let kind = self.graph.base(arg.ty);
        match accepts {
            Accepts::Int => int.is_some(),
            Accepts::Exact(bytes, _) => int.is_some_and(|i| i.bytes == bytes),
            Accepts::Char => int.is_some_and(|i| i.bytes <= 4),
            Accepts::Str => {
                self.is_string(arg) || (self.is_strcompat(arg) && self.is_array(arg.ty))
            }
            Accepts::StrPtr => self.is_strcompat(arg),
            Accepts::Addr => int.is_some() || self.is_pointer(arg),
            Accepts::Sym => int.is_some() || self.is_pointer(arg) || matches!(kind, Kind::SymAddr),
            Accepts::Usym => {
                let number = int.is_some() || self.is_pointer(arg);
                matches!(kind, Kind::UsymAddr) || (self.opts.target && number)
            }
            Accepts::Time => int.is_some_and(|i| i.bytes == 8),
            Accepts::Stack => matches!(kind, Kind::Stack),
            Accepts::Port => {
                int == Some(IntTy {
                    bytes: 2,
                    signed: false,
                })
            }
            Accepts::Text => self.is_string(arg),
            Accepts::Float => matches!(kind, Kind::Float { .. }),
            Accepts::Wide => {
                let elem = self.graph.pointee(arg.ty).map(|e| self.graph.base(e));
                self.is_array(arg.ty) && matches!(elem, Some(Kind::Int(i)) if i.bytes == 4)
            }
        }
    }

    /// The format of `printa()`: its conversions take the keys in order, those with `@` the values.
    pub(crate) fn agg_format(
        &mut self,
        g: &Global,
        text: &[u8],
        agg: usize,
        span: Span,
    ) -> R<Format> {
        let parsed = self.parse_format(g.name, text, span)?;
        let keys: Vec<TypeId> = self.aggs[agg].keys.clone();
        let mut left = keys.into_iter().enumerate();
        for (i, (c, accepts)) in conversions(&parsed.format).zip(&parsed.accepts).enumerate() {
            let n = i + 1;
            if let Some(what) = [("width", c.width), ("prec", c.prec)]
                .iter()
                .find(|(_, s)| *s == Star::Arg)
            {
                let text = format!(
                    "{}( ) prototype mismatch: conversion #{n} (%{}) is missing a corresponding \"{}\" argument",
                    g.name,
                    show(c),
                    what.0
                );
                return self.fail(Tag::D_PRINTF_DYN_PROTO, span, text);
            }
            if c.agg {
                continue;
            }
            let Some((at, key)) = left.next() else {
                let text = format!(
                    "{}( ) prototype mismatch: conversion #{n} (%{}) is missing a corresponding value argument",
                    g.name,
                    show(c)
                );
                return self.fail(Tag::D_PRINTF_ARG_PROTO, span, text);
            };
            let value = Typed::value(key, crate::types::int(1, IntTy::I64, Pos::default()), span);
            let what = format!("aggregation @{} key #{}", self.aggs[agg].name, at + 1);
            let string = key == TypeGraph::STRING;
            if !(string && matches!(accepts, Accepts::Str | Accepts::StrPtr | Accepts::Text)) {
                self.converted(g.name, &what, (n, c), *accepts, value)?;
            }
        }
        Ok(parsed.format)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str) -> Conversion {
        let parsed = parse(text.as_bytes()).unwrap();
        conversions(&parsed.format).next().unwrap().clone()
    }

    #[test]
    fn text_and_percent_signs() {
        let p = parse(b"100%% of %d\n").unwrap();
        assert_eq!(p.format.segments[0], Segment::Text(b"100% of ".to_vec()));
        assert_eq!(p.format.segments.len(), 3);
    }

    #[test]
    fn flags_width_and_aggregation_mark_in_any_order() {
        for text in ["%8@d", "%@8d"] {
            let c = one(text);
            assert!(c.agg);
            assert_eq!((c.width, c.conv), (Star::Fixed(8), 'd'));
        }
        let c = one("%-24.24s");
        assert!(c.left);
        assert_eq!((c.width, c.prec), (Star::Fixed(24), Star::Fixed(24)));
        assert_eq!(one("%?p").width, Star::Fixed(16));
        assert_eq!(one("%.0s").prec, Star::None);
        let c = one("%*.*llx");
        assert_eq!(
            (c.width, c.prec, c.size, c.conv),
            (Star::Arg, Star::Arg, "ll", 'x')
        );
    }

    #[test]
    fn malformed_conversions_are_named() {
        for (text, part) in [
            ("%", "name expected before end"),
            ("%d %q", "#2 is undefined: %q"),
            ("%**d", "more than one '*'"),
            ("%.1.2d", "more than one '.'"),
            ("%1$d", "positional"),
            ("%5%", "cannot be combined"),
            ("%hs", "is undefined: %hs"),
        ] {
            let error = parse(text.as_bytes()).unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}

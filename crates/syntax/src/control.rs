//! Control lines: `#pragma D …`, `#line`, `#error` and their relatives (reference §1.5, §9).

use crate::ast::Pragma;
use diag::{Span, Tag};
use lang::{stability::Stability, version::Version};

/// What a control line means for the parser.
#[derive(Clone, Debug)]
pub(crate) enum Control {
    /// Nothing.
    Nothing,
    /// `#pragma D option name[=value]`.
    Option(String, Option<String>, Span),
    /// Another `#pragma D` line.
    Pragma(Pragma),
}

/// A refused control line: tag, text, position.
pub(crate) type Refusal = (Tag, String, Span);

/// A word of a control line.
struct Word<'a> {
    text: &'a str,
    quoted: bool,
    span: Span,
}

/// What `#pragma D attributes … provider P X` may name.
const COMPONENTS: [&str; 5] = ["provider", "module", "function", "name", "args"];
/// What `#pragma D depends_on X` may name.
const DEPENDENCIES: [&str; 3] = ["provider", "module", "library"];

/// Reads a control line: `line` begins with its `#`, ends before the newline and stands at `at`.
/// `library`: the text is a library file.
pub(crate) fn read(line: &str, at: Span, library: bool) -> Result<Control, Refusal> {
    if line.starts_with("#!") {
        return Ok(Control::Nothing);
    }
    let words = split(line, at)?;
    let Some((first, rest)) = words.split_first() else {
        return Ok(Control::Nothing);
    };
    if first.quoted {
        return Err((Tag::D_PRAGCTL_INVAL, "invalid control directive".into(), at));
    }
    match first.text {
        text if is_number(text) => line_mark(&words, "line", at),
        "line" => line_mark(rest, "line", at),
        "ident" => Ok(Control::Nothing),
        "error" => Err(error(rest, line, at)),
        "pragma" => pragma(rest, line, at, library),
        other => Err((
            Tag::D_PRAGCTL_INVAL,
            format!("invalid control directive: #{other}"),
            at,
        )),
    }
}

/// Options of a text, found before it is compiled: every `#pragma D option NAME[=VALUE]` in order. Malformed lines are
/// left for [`crate::parse`] to report.
pub fn scan_options(source: u32, text: &str) -> Vec<(String, Option<String>, Span)> {
    scan(source, text)
        .into_iter()
        .filter_map(|c| match c {
            Control::Option(name, value, span) => Some((name, value, span)),
            Control::Pragma(_) | Control::Nothing => None,
        })
        .collect()
}

/// The `#pragma D` lines of a text other than options, found before it is compiled (`depends_on` of library files).
pub fn scan_pragmas(source: u32, text: &str) -> Vec<Pragma> {
    scan(source, text)
        .into_iter()
        .filter_map(|c| match c {
            Control::Pragma(pragma) => Some(pragma),
            Control::Option(..) | Control::Nothing => None,
        })
        .collect()
}

fn scan(source: u32, text: &str) -> Vec<Control> {
    let bytes = text.as_bytes();
    let (mut found, mut i, mut line_start) = (Vec::new(), 0, true);
    while let Some(byte) = bytes.get(i) {
        let rest = text.get(i..).unwrap_or_default();
        match byte {
            b'#' if line_start => {
                let line = rest.split('\n').next().unwrap_or_default();
                let at = Span {
                    source,
                    start: i as u32,
                    end: (i + line.len()) as u32,
                };
                found.extend(read(line, at, true));
                i += line.len();
            }
            b'/' if rest.starts_with("/*") => {
                i += rest
                    .get(2..)
                    .and_then(|r| r.find("*/"))
                    .map_or(rest.len(), |p| p + 4)
            }
            b'"' | b'\'' => i += quoted(&bytes[i..], *byte),
            _ => {
                let blank = matches!(byte, b' ' | b'\t' | 0x0b | 0x0c);
                line_start = *byte == b'\n' || (line_start && blank);
                i += 1;
                continue;
            }
        }
        line_start = false;
    }
    found
}

/// Bytes of a quoted constant; it ends with the line at the latest.
pub(crate) fn quoted(bytes: &[u8], quote: u8) -> usize {
    let mut i = 1;
    while let Some(b) = bytes.get(i) {
        match b {
            b'\n' => return i,
            b'\\' if bytes.get(i + 1).is_some_and(|n| *n != b'\n') => i += 2,
            _ if *b == quote => return i + 1,
            _ => i += 1,
        }
    }
    i
}

fn split(line: &str, at: Span) -> Result<Vec<Word<'_>>, Refusal> {
    let mut words = Vec::new();
    let mut i = 1;
    let blank = |c: char| matches!(c, ' ' | '\t' | '\r' | '\u{b}' | '\u{c}');
    while let Some(rest) = line.get(i..).filter(|r| !r.is_empty()) {
        let skipped = rest.len() - rest.trim_start_matches(blank).len();
        if skipped > 0 {
            i += skipped;
            continue;
        }
        let span = |from: usize, len: usize| Span {
            start: at.start + from as u32,
            end: at.start + (from + len) as u32,
            ..at
        };
        if let Some(inner) = rest.strip_prefix('"') {
            let Some(len) = inner.find('"') else {
                return Err((
                    Tag::D_STR_NL,
                    "newline encountered in string literal".into(),
                    span(i, rest.len()),
                ));
            };
            words.push(Word {
                text: &inner[..len],
                quoted: true,
                span: span(i, len + 2),
            });
            i += len + 2;
        } else {
            let len = rest.find(|c| blank(c) || c == '"').unwrap_or(rest.len());
            words.push(Word {
                text: &rest[..len],
                quoted: false,
                span: span(i, len),
            });
            i += len;
        }
    }
    Ok(words)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

fn line_mark(words: &[Word<'_>], name: &str, at: Span) -> Result<Control, Refusal> {
    let number = words
        .first()
        .is_some_and(|w| !w.quoted && is_number(w.text));
    let file = words.get(1).is_none_or(|w| w.quoted);
    let state = words.iter().skip(2).all(|w| !w.quoted && is_number(w.text));
    if number && file && state {
        return Ok(Control::Nothing);
    }
    Err((
        Tag::D_PRAGMA_MALFORM,
        format!("malformed #{name} <line> [ [\"file\"] state ]"),
        at,
    ))
}

fn error(rest: &[Word<'_>], line: &str, at: Span) -> Refusal {
    let from = rest.first().map_or(line.len(), |w| {
        w.span.start.saturating_sub(at.start) as usize
    });
    (
        Tag::D_PRAGERR,
        format!(
            "#error: {}",
            line.get(from..).unwrap_or_default().trim_end()
        ),
        at,
    )
}

fn pragma(words: &[Word<'_>], line: &str, at: Span, library: bool) -> Result<Control, Refusal> {
    let Some((first, rest)) = words.split_first() else {
        return Ok(Control::Nothing);
    };
    match (first.quoted, first.text) {
        (false, "D") => d_pragma(rest, line, at, library),
        (false, "error") => Err(error(rest, line, at)),
        (false, "line") => line_mark(rest, "line", at),
        _ => Ok(Control::Nothing),
    }
}

fn d_pragma(words: &[Word<'_>], line: &str, at: Span, library: bool) -> Result<Control, Refusal> {
    let Some((name, rest)) = words.split_first() else {
        return Err((Tag::D_PRAGMA_INVAL, "invalid D pragma: ".into(), at));
    };
    match name.text {
        "option" => option(rest, at),
        "attributes" => attributes(rest, at),
        "binding" => binding(rest, at),
        "depends_on" => depends_on(rest, at, library),
        "error" => Err(error(rest, line, at)),
        "ident" => Ok(Control::Nothing),
        "line" => line_mark(rest, "line", at),
        other => Err((
            Tag::D_PRAGMA_INVAL,
            format!("invalid D pragma: {other}"),
            name.span,
        )),
    }
}

fn malformed(name: &str, form: &str, at: Span) -> Refusal {
    (
        Tag::D_PRAGMA_MALFORM,
        format!("malformed #pragma {name} {form}"),
        at,
    )
}

fn superfluous(name: &str, word: &Word<'_>) -> Refusal {
    (
        Tag::D_PRAGMA_MALFORM,
        format!("superfluous arguments specified for #pragma {name}"),
        word.span,
    )
}

fn finish(name: &str, words: &[Word<'_>], at: Span) -> Control {
    let words = words.iter().map(|w| w.text.to_owned()).collect();
    Control::Pragma(Pragma {
        name: name.into(),
        words,
        span: at,
    })
}

fn option(words: &[Word<'_>], at: Span) -> Result<Control, Refusal> {
    let Some(word) = words.first().filter(|w| !w.quoted) else {
        return Err(malformed("option", "<option>=<val>", at));
    };
    if let Some(extra) = words.get(1) {
        return Err(superfluous("option", extra));
    }
    let (name, value) = match word.text.split_once('=') {
        Some((name, value)) => (name, Some(value.to_owned())),
        None => (word.text, None),
    };
    if name.is_empty() {
        return Err(malformed("option", "<option>=<val>", at));
    }
    Ok(Control::Option(name.to_owned(), value, word.span))
}

fn is_ident(word: &Word<'_>) -> bool {
    let first = |c: char| c.is_ascii_alphabetic() || matches!(c, '_' | '`');
    !word.quoted
        && word.text.starts_with(first)
        && word.text.chars().all(|c| first(c) || c.is_ascii_digit())
}

fn attributes(words: &[Word<'_>], at: Span) -> Result<Control, Refusal> {
    let [stability, entity, rest @ ..] = words else {
        return Err(malformed("attributes", "<attributes> <ident>", at));
    };
    if stability.quoted || !is_ident(entity) {
        return Err(malformed("attributes", "<attributes> <ident>", at));
    }
    if Stability::parse(stability.text).is_none() {
        let text = "invalid attributes specified by #pragma attributes";
        return Err((Tag::D_PRAGMA_INVAL, text.into(), stability.span));
    }
    match (entity.text, rest) {
        ("provider", [_]) | (_, []) => {}
        ("provider", [provider, component]) => {
            if !COMPONENTS.contains(&component.text) {
                let (part, provider) = (component.text, provider.text);
                let text = format!(
                    "invalid component \"{part}\" in attribute #pragma for provider {provider}"
                );
                return Err((Tag::D_PRAGMA_INVAL, text, component.span));
            }
        }
        ("provider", [_, _, extra, ..]) | (_, [extra, ..]) => {
            return Err(superfluous("attributes", extra));
        }
    }
    Ok(finish("attributes", words, at))
}

fn binding(words: &[Word<'_>], at: Span) -> Result<Control, Refusal> {
    let [version, ident, rest @ ..] = words else {
        return Err(malformed("binding", "\"version\" <ident>", at));
    };
    if !version.quoted || !is_ident(ident) {
        return Err(malformed("binding", "\"version\" <ident>", at));
    }
    if Version::parse(version.text).is_none() {
        let text = "invalid version string specified by #pragma binding";
        return Err((Tag::D_PRAGMA_INVAL, text.into(), version.span));
    }
    match rest.first() {
        Some(extra) => Err(superfluous("binding", extra)),
        None => Ok(finish("binding", words, at)),
    }
}

fn depends_on(words: &[Word<'_>], at: Span, library: bool) -> Result<Control, Refusal> {
    let [class, name, rest @ ..] = words else {
        return Err(malformed("depends_on", "<class> <name>", at));
    };
    if class.quoted || name.quoted {
        return Err(malformed("depends_on", "<class> <name>", at));
    }
    if let Some(extra) = rest.first() {
        return Err(superfluous("depends_on", extra));
    }
    if !DEPENDENCIES.contains(&class.text) {
        let text = format!(
            "invalid class {} specified by #pragma depends_on",
            class.text
        );
        return Err((Tag::D_PRAGMA_INVAL, text, class.span));
    }
    if class.text == "library" && !library {
        let text = "main program may not explicitly depend on a library";
        return Err((Tag::D_PRAGMA_DEPEND, text.into(), at));
    }
    Ok(finish("depends_on", words, at))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(line: &str) -> (Tag, String) {
        match read(line, Span::default(), false) {
            Err((tag, text, _)) => (tag, text),
            Ok(c) => panic!("accepted {c:?}"),
        }
    }

    #[test]
    fn harmless_lines() {
        for line in [
            "#",
            "# ",
            "#!/usr/sbin/dtrace -s",
            "# 1 \"x.d\" 2 3",
            "#line 7",
            "#line 7 \"a b\"",
            "#ident \"v\"",
            "#pragma once",
            "#pragma",
            "#pragma D ident \"x\"",
            "#pragma D line 4 \"x\"",
            "# 12",
        ] {
            assert!(
                matches!(read(line, Span::default(), false), Ok(Control::Nothing)),
                "{line}"
            );
        }
    }

    const REFUSED: &[(&str, Tag, &str)] = &[
        (
            "#include <x.h>",
            Tag::D_PRAGCTL_INVAL,
            "invalid control directive: #include",
        ),
        (
            "#define X 1",
            Tag::D_PRAGCTL_INVAL,
            "invalid control directive: #define",
        ),
        ("#\"x\"", Tag::D_PRAGCTL_INVAL, "invalid control directive"),
        ("#error no  way \t", Tag::D_PRAGERR, "#error: no  way"),
        ("#pragma error stop", Tag::D_PRAGERR, "#error: stop"),
        (
            "#line x",
            Tag::D_PRAGMA_MALFORM,
            "malformed #line <line> [ [\"file\"] state ]",
        ),
        (
            "#pragma D nope",
            Tag::D_PRAGMA_INVAL,
            "invalid D pragma: nope",
        ),
        (
            "#pragma D option",
            Tag::D_PRAGMA_MALFORM,
            "malformed #pragma option <option>=<val>",
        ),
        (
            "#pragma D option a b",
            Tag::D_PRAGMA_MALFORM,
            "superfluous arguments specified for #pragma option",
        ),
        (
            "#pragma D attributes",
            Tag::D_PRAGMA_MALFORM,
            "malformed #pragma attributes <attributes> <ident>",
        ),
        (
            "#pragma D attributes A/B/C x",
            Tag::D_PRAGMA_INVAL,
            "invalid attributes specified by #pragma attributes",
        ),
        (
            "#pragma D attributes Stable/Stable/Common provider p nope",
            Tag::D_PRAGMA_INVAL,
            "invalid component \"nope\" in attribute #pragma for provider p",
        ),
        (
            "#pragma D binding 1.0 x",
            Tag::D_PRAGMA_MALFORM,
            "malformed #pragma binding \"version\" <ident>",
        ),
        (
            "#pragma D binding \"one\" x",
            Tag::D_PRAGMA_INVAL,
            "invalid version string specified by #pragma binding",
        ),
        (
            "#pragma D depends_on module",
            Tag::D_PRAGMA_MALFORM,
            "malformed #pragma depends_on <class> <name>",
        ),
        (
            "#pragma D depends_on x y",
            Tag::D_PRAGMA_INVAL,
            "invalid class x specified by #pragma depends_on",
        ),
        (
            "#pragma D depends_on library x.d",
            Tag::D_PRAGMA_DEPEND,
            "main program may not explicitly depend on a library",
        ),
        (
            "#line 5 \"x",
            Tag::D_STR_NL,
            "newline encountered in string literal",
        ),
    ];

    #[test]
    fn refusals() {
        for (line, tag, text) in REFUSED {
            assert_eq!(refused(line), (*tag, (*text).to_owned()), "{line}");
        }
    }

    #[test]
    fn options_are_found_before_compiling() {
        let text = "#!/usr/sbin/dtrace -s\n  #pragma D option quiet\n#pragma D option strsize=1k\r\n\
                    /*\n#pragma D option no1\n*/ BEGIN { s = \"/*\"; x #pragma D option no2\n}\n\
                    #pragma D option bufsize=4m";
        let names: Vec<_> = scan_options(3, text)
            .into_iter()
            .map(|(n, v, _)| (n, v))
            .collect();
        let expect = [
            ("quiet", None),
            ("strsize", Some("1k")),
            ("bufsize", Some("4m")),
        ];
        assert_eq!(
            names,
            expect.map(|(n, v)| (n.to_owned(), v.map(str::to_owned)))
        );
        let span = scan_options(3, text)[0].2;
        assert_eq!(&text[span.start as usize..span.end as usize], "quiet");
    }

    #[test]
    fn pragmas_are_found_before_compiling() {
        let found = scan_pragmas(
            0,
            "#pragma D depends_on library procfs.d\n#pragma D depends_on module x\nint x;",
        );
        let words: Vec<_> = found.iter().map(|p| p.words.join(" ")).collect();
        assert_eq!(words, ["library procfs.d", "module x"]);
    }
}

//! Diagnostics to text: the one line that `dtrace` prints, and the source line with a caret for terminals.

use crate::{Diagnostic, Origin, Region, SourceMap, Span};
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

/// Longest piece of a source line that a snippet shows, in bytes.
const LINE_SHOWN: usize = 200;

/// File (if one is to be named) and line of a diagnostic: `#line` and cpp line marks count.
fn position(map: &SourceMap, diag: &Diagnostic) -> (Option<String>, u32) {
    if let Some((file, line)) = &diag.line_override {
        return (Some(file.clone()).filter(|f| !f.is_empty()), *line);
    }
    let (line, _) = map.line_col(diag.span.source, diag.span.start);
    let Some(source) = map.sources.get(diag.span.source as usize) else {
        return (None, line);
    };
    let own = match &source.origin {
        Origin::Library(file) => Some(file.clone()),
        Origin::CommandLine | Origin::Script(_) => None,
    };
    match last_mark(&source.text, diag.span.start as usize) {
        Some(mark) => (
            mark.file.or(own),
            line.saturating_sub(mark.at).saturating_add(mark.line),
        ),
        None => (own, line),
    }
}

/// What a `#line` control line says.
struct Mark {
    /// Line of the text (from 1) that the mark renumbers: the one after the mark.
    at: u32,
    /// Its number by the mark.
    line: u32,
    /// File by this or an earlier mark.
    file: Option<String>,
}

fn last_mark(text: &str, upto: usize) -> Option<Mark> {
    let mut found: Option<Mark> = None;
    let mut offset = 0;
    for (number, line) in (1u32..).zip(text.split_inclusive('\n')) {
        offset += line.len();
        if offset > upto {
            break;
        }
        if let Some((to, file)) = line_mark(line) {
            let file = file.or(found.and_then(|m| m.file));
            found = Some(Mark {
                at: number + 1,
                line: to,
                file,
            });
        }
    }
    found
}

/// Reads `# N "file" …`, `#line N "file"`, `#pragma line N "file"` or `#pragma D line N "file"`.
fn line_mark(line: &str) -> Option<(u32, Option<String>)> {
    let mut rest = line.trim().strip_prefix('#')?.trim_start();
    for word in ["pragma", "D ", "line"] {
        rest = rest.strip_prefix(word).unwrap_or(rest).trim_start();
    }
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, rest) = rest.split_at(digits);
    let file = rest
        .trim_start()
        .strip_prefix('"')
        .and_then(|r| r.split('"').next());
    Some((number.parse().ok()?, file.map(str::to_owned)))
}

/// The message as `dtrace` words it, without the `dtrace: …` that the command puts before it: `[D_TAG] ` if `errtags`,
/// then `"FILE", line N: ` for a named file, `line N: ` for a script or the region for command-line text, then the text.
pub fn message(map: &SourceMap, diag: &Diagnostic, errtags: bool) -> String {
    let tag = if errtags {
        format!("[{}] ", diag.tag.name())
    } else {
        String::new()
    };
    let origin = map
        .sources
        .get(diag.span.source as usize)
        .map(|s| &s.origin);
    let prefix = match (position(map, diag), origin) {
        ((Some(file), line), _) => format!("\"{file}\", line {line}: "),
        ((None, line), Some(Origin::Script(_) | Origin::Library(_))) => format!("line {line}: "),
        ((None, _), Some(Origin::CommandLine) | None) => region(diag.region).to_owned(),
    };
    let text = diag.message.strip_suffix('\n').unwrap_or(&diag.message);
    format!("{tag}{prefix}{text}")
}

fn region(region: Region) -> &'static str {
    match region {
        Region::None => "",
        Region::Predicate => "in predicate: ",
        Region::Actions => "in action list: ",
    }
}

/// The line of the text where the error stands, a caret under it, and the hint if there is one; empty if the position is
/// outside all texts. Ends without a newline.
pub fn snippet(map: &SourceMap, diag: &Diagnostic, color: bool) -> String {
    let Some(source) = map.sources.get(diag.span.source as usize) else {
        return String::new();
    };
    let (line, range) = shown(&source.text, diag.span);
    let path = match (position(map, diag).0, &source.origin) {
        (Some(file), _) => Some(file),
        (None, Origin::Script(file) | Origin::Library(file)) => Some(file.clone()),
        (None, Origin::CommandLine) => None,
    };
    let mut piece = Snippet::source(line)
        .line_start(position(map, diag).1 as usize)
        .annotation(AnnotationKind::Primary.span(range));
    if let Some(path) = path {
        piece = piece.path(path);
    }
    let mut group = Group::with_level(Level::ERROR).element(piece);
    if let Some(help) = &diag.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    let renderer = if color {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    renderer.render(&[group])
}

/// The piece of the line to show, and the marked bytes in it. Characters that would disturb a terminal become spaces.
fn shown(text: &str, span: Span) -> (String, std::ops::Range<usize>) {
    let floor = |i: usize| {
        (0..=i.min(text.len()))
            .rev()
            .find(|i| text.is_char_boundary(*i))
            .unwrap_or(0)
    };
    let start = floor(span.start as usize);
    let line_start = text[..start].rfind('\n').map_or(0, |p| p + 1);
    let line_end = text[start..].find('\n').map_or(text.len(), |p| start + p);
    let from = if start - line_start > LINE_SHOWN {
        floor(start - LINE_SHOWN / 2)
    } else {
        line_start
    };
    let to = floor(line_end.min(from + LINE_SHOWN)).max(start);
    let end = floor((span.end as usize).clamp(start, to)).max(start);
    let clean = |s: &str| {
        s.chars()
            .map(|c| if c.is_control() && c != '\t' { ' ' } else { c })
            .collect::<String>()
    };
    let (head, marked, tail) = (
        clean(&text[from..start]),
        clean(&text[start..end]),
        clean(&text[end..to]),
    );
    let range = head.len()..head.len() + marked.len();
    (format!("{head}{marked}{tail}"), range)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Tag;

    fn at(map: &SourceMap, needle: &str, region: Region) -> Diagnostic {
        let start = map.sources[0].text.find(needle).unwrap_or(0) as u32;
        let span = Span {
            source: 0,
            start,
            end: start + needle.len() as u32,
        };
        Diagnostic::new(
            Tag::D_IDENT_UNDEF,
            span,
            region,
            "failed to resolve foo: Unknown variable name\n",
        )
    }

    fn map(origin: Origin, text: &str) -> SourceMap {
        let mut map = SourceMap::default();
        map.add(origin, text.to_owned());
        map
    }

    #[test]
    fn command_line_names_the_region() {
        let m = map(Origin::CommandLine, "BEGIN { trace(foo) }");
        let d = at(&m, "foo", Region::Actions);
        assert_eq!(
            message(&m, &d, false),
            "in action list: failed to resolve foo: Unknown variable name"
        );
        assert_eq!(
            message(&m, &at(&m, "foo", Region::Predicate), true),
            "[D_IDENT_UNDEF] in predicate: failed to resolve foo: Unknown variable name"
        );
        assert_eq!(
            message(&m, &at(&m, "foo", Region::None), false),
            "failed to resolve foo: Unknown variable name"
        );
    }

    #[test]
    fn files_name_line_and_marks_name_file() {
        let text = "BEGIN\n{ trace(foo) }\n";
        let m = map(Origin::Script("x.d".into()), text);
        assert!(message(&m, &at(&m, "foo", Region::Actions), false).starts_with("line 2: failed"));
        let m = map(Origin::Library("/lib/a.d".into()), text);
        assert!(
            message(&m, &at(&m, "foo", Region::None), true)
                .starts_with("[D_IDENT_UNDEF] \"/lib/a.d\", line 2: ")
        );
        let m = map(
            Origin::Script("x.d".into()),
            "# 1 \"y.d\" 2\nint x;\n#line 40\n\ntrace(foo)",
        );
        assert!(message(&m, &at(&m, "foo", Region::None), false).starts_with("\"y.d\", line 41: "));
        assert!(message(&m, &at(&m, "int", Region::None), false).starts_with("\"y.d\", line 1: "));
        for mark in [
            "#line 7 \"y.d\"",
            "#pragma line 7 \"y.d\"",
            "# pragma D line 7 \"y.d\" 1",
        ] {
            let m = map(Origin::Script("x.d".into()), &format!("{mark}\ntrace(foo)"));
            let told = message(&m, &at(&m, "foo", Region::None), false);
            assert!(told.starts_with("\"y.d\", line 7: "), "{mark}: {told}");
        }
        let m = map(Origin::Script("x.d".into()), text);
        let mut d = at(&m, "foo", Region::None);
        d.line_override = Some(("z.h".into(), 7));
        assert!(message(&m, &d, false).starts_with("\"z.h\", line 7: "));
    }

    #[test]
    fn snippet_puts_carets_under_the_span() {
        let m = map(Origin::Script("x.d".into()), "BEGIN\n{\ttrace(foo) }\n");
        let d = at(&m, "foo", Region::Actions).with_help("declare it");
        let text = snippet(&m, &d, false);
        assert!(text.contains("^^^") && !text.contains("^^^^"), "{text}");
        assert!(
            text.contains("trace(foo)") && text.contains("x.d:2") && text.contains("declare it"),
            "{text}"
        );
        assert!(snippet(&m, &d, true).contains('\u{1b}'));
    }

    #[test]
    fn snippet_survives_any_span() {
        let text = format!("{}é\u{1b}[31m\nsecond", "x".repeat(1000));
        let m = map(Origin::CommandLine, &text);
        for start in (0..text.len() as u32 + 3).step_by(7).chain(990..1012) {
            let span = Span {
                source: 0,
                start,
                end: start + 5,
            };
            let d = Diagnostic::new(Tag::D_SYNTAX, span, Region::None, "m");
            assert!(!snippet(&m, &d, false).contains('\u{1b}'));
        }
        let outside = Diagnostic::new(
            Tag::D_SYNTAX,
            Span {
                source: 9,
                start: 0,
                end: 1,
            },
            Region::None,
            "m",
        );
        assert_eq!(snippet(&m, &outside, false), "");
    }
}

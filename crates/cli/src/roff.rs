//! Manual pages: Markdown prose and rows of flags as troff takes them.

use crate::Row;
use std::fmt::Write as _;

/// Text as troff takes it: backslashes, hyphens, and lines that begin with a control character.
pub fn text(text: &str) -> String {
    let text = text.replace('\\', "\\e").replace('-', "\\-");
    if text.starts_with(['.', '\'']) {
        format!("\\&{text}")
    } else {
        text
    }
}

/// A line of Markdown: `code` and **bold** become bold.
fn inline_markup(line: &str) -> String {
    let mut out = String::new();
    let mut bold = false;
    for part in text(line).replace("**", "`").split_inclusive('`') {
        out.push_str(part.trim_end_matches('`'));
        if part.ends_with('`') {
            bold = !bold;
            out.push_str(if bold { "\\fB" } else { "\\fR" });
        }
    }
    out
}

/// Paragraphs, code blocks and second-level headings of Markdown.
pub fn prose(markdown: &str) -> String {
    let mut out = String::new();
    let mut code = false;
    for line in markdown.lines() {
        if line.starts_with("```") {
            code = !code;
            out.push_str(if code {
                ".PP\n.nf\n.RS 2\n"
            } else {
                ".RE\n.fi\n"
            });
        } else if code {
            // Writing to a String cannot fail.
            let _ = writeln!(out, "{}", text(line));
        } else if line.is_empty() {
            if !out.ends_with(".PP\n") && !out.is_empty() {
                out.push_str(".PP\n");
            }
        } else if let Some(heading) = line.strip_prefix("## ") {
            let before = out.trim_end_matches(".PP\n").len();
            out.truncate(before);
            let _ = writeln!(out, ".SS {}", text(heading));
        } else {
            let _ = writeln!(out, "{}", inline_markup(line));
        }
    }
    out.trim_end_matches(".PP\n").to_owned()
}

/// The flags, a paragraph each.
pub fn flags<F>(rows: &[Row<F>]) -> String {
    let mut out = String::new();
    for row in rows {
        let _ = writeln!(
            out,
            ".TP\n.B {} \\fI{}\\fR\n{}",
            text(row.name),
            text(row.arg),
            text(row.doc)
        );
    }
    out
}

/// The head of a page: `made` says by what command, `synopsis` is troff.
pub fn head(made: &str, name: &str, summary: &str, synopsis: &str) -> String {
    format!(
        ".\\\" Made from the tables of the command by {made}. Do not edit.\n\
         .TH {} 1 \"\" Probeworks \"User Commands\"\n\
         .SH NAME\n{} \\- {}\n\
         .SH SYNOPSIS\n{synopsis}.SH DESCRIPTION\n",
        name.to_uppercase(),
        text(name),
        text(summary)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_becomes_troff() {
        let page = prose("a `b-c` **d**\n\n```\n.x \\n\n```\n");
        assert_eq!(
            page,
            "a \\fBb\\-c\\fR \\fBd\\fR\n.PP\n.PP\n.nf\n.RS 2\n\\&.x \\en\n.RE\n.fi\n"
        );
    }
}

//! The manual page and the completions of shells, made from the tables that the command itself works by. The files are in
//! `man/` and `completions/`; `UPDATE=1 cargo test -p dtrace` writes them.

use crate::flags::{Row, TABLE};
use lang::options::{Kind, Support};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Text as troff takes it: backslashes, hyphens, and lines that begin with a control character.
fn roff(text: &str) -> String {
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
    for part in roff(line).replace("**", "`").split_inclusive('`') {
        out.push_str(part.trim_end_matches('`'));
        if part.ends_with('`') {
            bold = !bold;
            out.push_str(if bold { "\\fB" } else { "\\fR" });
        }
    }
    out
}

/// Paragraphs and code blocks of Markdown.
fn prose(markdown: &str) -> String {
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
            let _ = writeln!(out, "{}", roff(line));
        } else if line.is_empty() {
            if !out.ends_with(".PP\n") && !out.is_empty() {
                out.push_str(".PP\n");
            }
        } else if let Some(heading) = line.strip_prefix("## ") {
            let before = out.trim_end_matches(".PP\n").len();
            out.truncate(before);
            let _ = writeln!(out, ".SS {}", roff(heading));
        } else {
            let _ = writeln!(out, "{}", inline_markup(line));
        }
    }
    out.trim_end_matches(".PP\n").to_owned()
}

fn note(support: Support) -> String {
    match support {
        Support::Yes => String::new(),
        Support::NoEffect(why) => format!(" (no effect: {why})"),
        Support::Refused(why) => format!(" (refused: {why})"),
    }
}

fn values(kind: Kind) -> String {
    match kind {
        Kind::Flag => String::new(),
        Kind::Size => "=size".to_owned(),
        Kind::Rate => "=rate".to_owned(),
        Kind::Int(..) => "=number".to_owned(),
        Kind::Text | Kind::List => "=text".to_owned(),
        Kind::Enum(words) => {
            let words: Vec<&str> = words.iter().map(|(w, _)| *w).collect();
            format!("={}", words.join("|"))
        }
    }
}

/// dtrace(1).
fn page(manual: &str) -> String {
    let (head, _) = manual.split_once("## Flags\n").unwrap_or((manual, ""));
    let body = head.split_once('\n').map_or(head, |(_, body)| body);
    let mut out = String::from(
        ".\\\" Made from the tables of the command by UPDATE=1 cargo test -p dtrace. Do not edit.\n\
         .TH DTRACE 1 \"\" Probeworks \"User Commands\"\n\
         .SH NAME\ndtrace \\- trace the system with programs in the D language\n\
         .SH SYNOPSIS\n.B dtrace\n[\\fIflags\\fR] [\\fIargument ...\\fR]\n.SH DESCRIPTION\n",
    );
    out.push_str(&prose(body));
    out.push_str(".SH FLAGS\n");
    for row in TABLE {
        let _ = writeln!(
            out,
            ".TP\n.B {} \\fI{}\\fR\n{}",
            roff(row.name),
            roff(row.arg),
            roff(row.doc)
        );
    }
    out.push_str(".SH OPTIONS\nOptions are set by \\fB\\-x\\fR \\fIname\\fR[=\\fIvalue\\fR] or in a program by \\fB#pragma D option\\fR.\n");
    for row in lang::options::TABLE {
        let _ = writeln!(
            out,
            ".TP\n.B {}\\fI{}\\fR\n{}{}{}",
            roff(row.name),
            roff(&values(row.kind)),
            roff(row.doc),
            if row.default.is_empty() {
                String::new()
            } else {
                format!(". Default: {}", roff(row.default))
            },
            roff(&note(row.support))
        );
    }
    out.push_str(".SH SEE ALSO\n.BR bpf (2),\n.BR perf_event_open (2)\n");
    out
}

/// Options that can be set, as `-x` takes them.
fn settable() -> impl Iterator<Item = &'static lang::options::Row> {
    let rows = lang::options::TABLE.iter();
    rows.filter(|r| !matches!(r.support, Support::Refused(_)))
}

/// What `-x` is completed with.
fn option_words() -> String {
    let word = |r: &lang::options::Row| match r.kind {
        Kind::Flag => r.name.to_owned(),
        Kind::Size | Kind::Rate | Kind::Int(..) | Kind::Text | Kind::List | Kind::Enum(_) => {
            format!("{}=", r.name)
        }
    };
    settable().map(word).collect::<Vec<_>>().join(" ")
}

/// Whether a flag is of use to somebody who types.
fn offered(row: &Row) -> bool {
    !row.doc.starts_with("not supported")
}

fn bash() -> String {
    let flags: Vec<&str> = TABLE
        .iter()
        .filter(|r| offered(r))
        .map(|r| r.name)
        .collect();
    let of = |arg: &str| {
        let rows = TABLE.iter().filter(|r| offered(r) && r.arg == arg);
        rows.map(|r| r.name).collect::<Vec<_>>().join("|")
    };
    format!(
        "# Completion of dtrace for bash. Made by UPDATE=1 cargo test -p dtrace; do not edit.\n\
_dtrace() {{\n\
    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}}\n\
    COMPREPLY=()\n\
    case $before in\n\
    {files}) COMPREPLY=($(compgen -f -- \"$word\")) ;;\n\
    {dirs}) COMPREPLY=($(compgen -d -- \"$word\")) ;;\n\
    {pids}) COMPREPLY=($(cd /proc && compgen -W \"$(echo [0-9]*)\" -- \"$word\")) ;;\n\
    {formats}) COMPREPLY=($(compgen -W \"text json\" -- \"$word\")) ;;\n\
    {stages}) COMPREPLY=($(compgen -W \"ast typed ir asm\" -- \"$word\")) ;;\n\
    {options}) COMPREPLY=($(compgen -W \"{names}\" -- \"$word\")); [[ ${{COMPREPLY[0]}} == *= ]] && compopt -o nospace ;;\n\
    *)\n\
        case $word in\n\
        -*) COMPREPLY=($(compgen -W \"{flags}\" -- \"$word\")) ;;\n\
        *) COMPREPLY=($(compgen -f -- \"$word\")) ;;\n\
        esac ;;\n\
    esac\n\
}}\n\
complete -F _dtrace dtrace\n",
        files = of("file"),
        dirs = of("dir"),
        pids = of("pid"),
        formats = of("format"),
        stages = of("stage"),
        options = of("opt[=val]"),
        names = option_words(),
        flags = flags.join(" "),
    )
}

fn zsh() -> String {
    let clean = |t: &str| {
        t.replace('\'', "'\\''")
            .replace('[', "\\[")
            .replace(']', "\\]")
            .replace(':', "\\:")
    };
    let mut out = String::from(
        "#compdef dtrace\n# Completion of dtrace for zsh. Made by UPDATE=1 cargo test -p dtrace; do not edit.\n_arguments -s \\\n",
    );
    for row in TABLE.iter().filter(|r| offered(r)) {
        let action = match row.arg {
            "" => String::new(),
            "file" => ":file:_files".to_owned(),
            "dir" => ":directory:_files -/".to_owned(),
            "pid" => ":process:_pids".to_owned(),
            "format" => ":format:(text json)".to_owned(),
            "stage" => ":stage:(ast typed ir asm)".to_owned(),
            "opt[=val]" => format!(":option:({})", option_words()),
            "command" => ":command:_cmdstring".to_owned(),
            other => format!(":{}:", clean(other)),
        };
        let _ = writeln!(out, "  '*{}[{}]{action}' \\", row.name, clean(row.doc));
    }
    out.push_str("  '*:argument:_files'\n");
    out
}

/// The table of all built-in names, the end of the language reference.
fn names() -> String {
    let cell = |text: &str| text.replace('|', "\\|");
    let mut out = String::from(
        "## Built-in names\n\n`@` stands for an argument of any type, `[T]` for one that may be left out, `...` for any number more.\n\n\
         | name | prototype | since | |\n|---|---|---|---|\n",
    );
    for g in lang::globals::GLOBALS {
        let proto = match g.proto.split_once('(') {
            _ if g.proto.is_empty() => String::new(),
            Some((ret, args)) => format!("`{ret} {}({args}`", g.name),
            None => format!("`{} {}`", g.proto, g.name),
        };
        let note = g
            .refused
            .map_or(String::new(), |why| format!("not available: {why}"));
        let _ = writeln!(
            out,
            "| `{}` | {} | {} | {} |",
            g.name,
            cell(&proto),
            g.since,
            cell(&note)
        );
    }
    out
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn fresh(path: &str, want: &str) {
    let path = root().join(path);
    if std::env::var_os("UPDATE").is_some() {
        std::fs::create_dir_all(path.parent().expect("a directory")).expect("it can be made");
        std::fs::write(&path, want).expect("it can be written");
        return;
    }
    let have = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        have == want,
        "run `UPDATE=1 cargo test -p dtrace` to bring {} up to date",
        path.display()
    );
}

#[test]
fn manual_page_is_fresh() {
    let manual = std::fs::read_to_string(root().join("docs/DTRACE.md")).expect("docs/DTRACE.md");
    let page = page(&manual);
    for row in TABLE {
        assert!(page.contains(&roff(row.doc)), "{}", row.name);
    }
    fresh("man/dtrace.1", &page);
}

#[test]
fn language_reference_has_every_name() {
    let path = root().join("docs/D-LANGUAGE.md");
    let text = std::fs::read_to_string(path).expect("docs/D-LANGUAGE.md");
    let head = text.split("## Built-in names").next().unwrap_or("");
    fresh("docs/D-LANGUAGE.md", &format!("{head}{}", names()));
}

#[test]
fn completions_are_fresh() {
    fresh("completions/dtrace.bash", &bash());
    fresh("completions/_dtrace", &zsh());
}

#[test]
fn markdown_becomes_troff() {
    let page = prose("a `b-c` **d**\n\n```\n.x \\n\n```\n");
    assert_eq!(
        page,
        "a \\fBb\\-c\\fR \\fBd\\fR\n.PP\n.PP\n.nf\n.RS 2\n\\&.x \\en\n.RE\n.fi\n"
    );
}

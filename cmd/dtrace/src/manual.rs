//! The manual page and the completions of shells, made from the tables that the command itself works by. The files are in
//! `man/` and `completions/`; `UPDATE=1 cargo test -p dtrace` writes them.

use crate::args::FORMS;
use crate::flags::TABLE;
use cli::complete::{Completion, Kind, Values};
use cli::{Row, roff};
use lang::options::{self, Support};
use std::fmt::Write;
use std::path::{Path, PathBuf};

fn note(support: Support) -> String {
    match support {
        Support::Yes => String::new(),
        Support::NoEffect(why) => format!(" (no effect: {why})"),
        Support::Refused(why) => format!(" (refused: {why})"),
    }
}

fn values(kind: options::Kind) -> String {
    match kind {
        options::Kind::Flag => String::new(),
        options::Kind::Size => "=size".to_owned(),
        options::Kind::Rate => "=rate".to_owned(),
        options::Kind::Int(..) => "=number".to_owned(),
        options::Kind::Text | options::Kind::List => "=text".to_owned(),
        options::Kind::Enum(words) => {
            let words: Vec<&str> = words.iter().map(|(w, _)| *w).collect();
            format!("={}", words.join("|"))
        }
    }
}

/// How the files are made.
const MADE: &str = "UPDATE=1 cargo test -p dtrace";

/// dtrace(1).
fn page(manual: &str) -> String {
    let (head, _) = manual.split_once("## Flags\n").unwrap_or((manual, ""));
    let body = head.split_once('\n').map_or(head, |(_, body)| body);
    let synopsis = ".B dtrace\n[\\fIflags\\fR] [\\fIargument ...\\fR]\n";
    let summary = "trace the system with programs in the D language";
    let mut out = roff::head(MADE, "dtrace", summary, synopsis);
    out.push_str(&roff::prose(body));
    out.push_str(".SH FLAGS\n");
    out.push_str(&roff::flags(TABLE));
    out.push_str(".SH OPTIONS\nOptions are set by \\fB\\-x\\fR \\fIname\\fR[=\\fIvalue\\fR] or in a program by \\fB#pragma D option\\fR.\n");
    for row in lang::options::TABLE {
        let _ = writeln!(
            out,
            ".TP\n.B {}\\fI{}\\fR\n{}{}{}",
            roff::text(row.name),
            roff::text(&values(row.kind)),
            roff::text(row.doc),
            if row.default.is_empty() {
                String::new()
            } else {
                format!(". Default: {}", roff::text(row.default))
            },
            roff::text(&note(row.support))
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
        options::Kind::Flag => r.name.to_owned(),
        options::Kind::Size
        | options::Kind::Rate
        | options::Kind::Int(..)
        | options::Kind::Text
        | options::Kind::List
        | options::Kind::Enum(_) => {
            format!("{}=", r.name)
        }
    };
    settable().map(word).collect::<Vec<_>>().join(" ")
}

/// Whether a flag is of use to somebody who types.
fn offered<F>(row: &Row<F>) -> bool {
    !row.doc.starts_with("not supported")
}

/// How words are completed.
fn completed(made: impl Fn(&Completion<'_>) -> String) -> String {
    let rows: Vec<Row<()>> = TABLE
        .iter()
        .filter(|r| offered(r))
        .map(Row::shown)
        .collect();
    let words = |text: &str| Values::Words(text.to_owned());
    let kinds = [
        ("file", Values::Files),
        ("dir", Values::Directories),
        ("pid", Values::Processes),
        ("format", words(&FORMS.map(|(word, _)| word).join(" "))),
        ("stage", words("ast typed ir asm")),
        ("opt[=val]", Values::Words(option_words())),
        ("command", Values::Command),
    ];
    made(&Completion {
        command: "dtrace",
        made: MADE,
        rows: &rows,
        kinds: &kinds.map(|(arg, values)| Kind { arg, values }),
        operands: Values::Files,
    })
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
        assert!(page.contains(&roff::text(row.doc)), "{}", row.name);
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
    fresh("completions/dtrace.bash", &completed(|c| c.bash()));
    fresh("completions/_dtrace", &completed(|c| c.zsh()));
}

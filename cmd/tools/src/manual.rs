//! The manual pages and completions of all commands, made from their rows and from `docs/tools/NAME.md`.
//! `UPDATE=1 cargo test -p tools` writes them.

use crate::TOOLS;
use crate::tool::Tool;
use cli::complete::{Completion, Kind, Values};
use cli::{Operands, roff};
use std::path::{Path, PathBuf};

/// How the files are made.
const MADE: &str = "UPDATE=1 cargo test -p tools";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn fresh(path: &str, want: &str) {
    let path = root().join(path);
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, want).expect("it can be written");
        return;
    }
    let have = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        have == want,
        "run `{MADE}` to bring {} up to date",
        path.display()
    );
}

/// How the arguments of flags are completed, by what rows call them.
fn kinds() -> Vec<Kind> {
    let kinds = [
        ("file", Values::Files),
        ("pid", Values::Processes),
        ("command", Values::Command),
        ("u|d", Values::Words("u d".to_owned())),
    ];
    let kind = |(arg, values)| Kind { arg, values };
    kinds.map(kind).into_iter().collect()
}

/// How operands are completed.
fn operands(tool: &Tool) -> Values {
    match tool.operands {
        Operands::Last => Values::Command,
        Operands::Anywhere => Values::Words(String::new()),
    }
}

fn page(tool: &Tool) -> String {
    let path = root().join(format!("docs/tools/{}.md", tool.name));
    let text = std::fs::read_to_string(&path).expect("every command has a page in docs/tools");
    let body = text
        .split_once('\n')
        .map_or(text.as_str(), |(_, body)| body);
    let synopsis = format!(".B {}\n{}\n", tool.name, roff::text(tool.synopsis));
    let mut out = roff::head(MADE, tool.name, tool.summary, &synopsis);
    out.push_str(&roff::prose(body));
    out.push_str(".SH FLAGS\n");
    out.push_str(&roff::flags(&(tool.flags)()));
    out.push_str(".SH SEE ALSO\n.BR dtrace (1)\n");
    out
}

#[test]
fn manual_pages_are_fresh() {
    for tool in TOOLS {
        fresh(&format!("man/{}.1", tool.name), &page(tool));
    }
}

#[test]
fn completions_are_fresh() {
    for tool in TOOLS {
        let completion = Completion {
            command: tool.name,
            made: MADE,
            rows: &(tool.flags)(),
            kinds: &kinds(),
            operands: operands(tool),
        };
        fresh(
            &format!("completions/{}.bash", tool.name),
            &completion.bash(),
        );
        fresh(&format!("completions/_{}", tool.name), &completion.zsh());
    }
}

#[test]
fn every_command_is_named_where_people_look() {
    for (path, form) in [("docs/TOOLS.md", "](tools/NAME.md)"), ("Makefile", " NAME")] {
        let text = std::fs::read_to_string(root().join(path)).expect(path);
        for tool in TOOLS {
            assert!(
                text.contains(&form.replace("NAME", tool.name)),
                "{path} lacks {}",
                tool.name
            );
        }
    }
}

#[test]
fn every_flag_of_every_command_is_one_row() {
    for tool in TOOLS {
        let rows = (tool.flags)();
        for (n, row) in rows.iter().enumerate() {
            let again = rows.iter().skip(n + 1).any(|other| other.name == row.name);
            assert!(!again, "{} {}", tool.name, row.name);
        }
        let dump = rows.iter().any(|r| r.name == "--help" || r.name == "-h");
        assert!(dump, "{} has no help", tool.name);
    }
}

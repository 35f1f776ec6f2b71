//! Every row of our tables must be exercised by a test in tests/d: by its code, not by a comment.
//!
//! What has no test is listed in `tests/d/untested.txt` with the reason, and that list fails when an entry is tested
//! after all, or names no row.

mod tool_flags;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use image::layout::Fault;
use lang::globals::{GLOBALS, GlobalKind};
use lang::options::{Support, TABLE};

/// Conversions of `printf()` ([`image::Conversion`]).
const CONVERSIONS: &str = "d i u o x X c C s S p a A Y T k P I";
/// Size prefixes with the conversions that take them.
const SIZES: &str = "hd hi ho hu hx hX ld li lo lu lx lX lld lli llo llu llx llX lc ls wc ws";
/// Flags of conversions.
const FLAGS: &str = "#-0+' @?*";
/// Pragmas.
const PRAGMAS: [&str; 6] = [
    "option",
    "attributes",
    "binding",
    "depends_on",
    "error",
    "line",
];
/// What the command says, apart from errors, drops and faults.
const MESSAGES: [&str; 22] = [
    "matched 1 probe",
    "invalid probe specifier",
    "failed to compile script",
    "failed to open",
    "no probes specified",
    "no probes matched",
    "allowing destructive actions",
    "could not enable tracing",
    "Destructive actions not allowed",
    "speculation size lowered to",
    "failed to set -x",
    "has exited",
    "terminated by",
    "exited with status",
    "additional privileges",
    "END enablings exceed size of principal buffer",
    "Enabling exceeds size of buffer",
    "Memory allocation failure",
    "Operation illegal when tracing is active",
    "Invalid option name",
    "Invalid value for specified option",
    "only one of the",
];

/// The texts of the tests.
struct Corpus {
    /// Code that runs (`tst`, `drp`), without comments.
    live: String,
    /// The same with everything that must not compile, and what is expected.
    all: String,
    /// Names of the files.
    names: Vec<String>,
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn files(dir: &Path, out: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            files(&path, out);
        } else {
            out.push(path);
        }
    }
}

/// D text without comments; what `@@` directives in them say stays.
fn without_comments(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find("/*") {
        out += &rest[..start];
        let comment = &rest[start..];
        let end = comment.find("*/").map_or(comment.len(), |n| n + 2);
        let directives = comment[..end].lines().filter_map(|l| l.split_once("@@"));
        for (_, directive) in directives {
            out += "\n@@";
            out += directive;
            out.push('\n');
        }
        rest = &comment[end..];
    }
    out + rest
}

impl Corpus {
    fn read() -> Corpus {
        let mut list = Vec::new();
        files(&repository().join("tests/d"), &mut list);
        let (mut live, mut all, mut names) = (String::new(), String::new(), Vec::new());
        for path in list {
            let Ok(text) = fs::read_to_string(&path) else {
                continue;
            };
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let text = match path.extension().and_then(|e| e.to_str()) {
                Some("d") => without_comments(&text),
                Some("sh") => {
                    let code = text.lines().filter(|l| !l.trim_start().starts_with("# "));
                    code.collect::<Vec<_>>().join("\n")
                }
                Some("out") => text,
                _ => continue,
            };
            all += &text;
            all.push('\n');
            if !name.starts_with("err.") && !name.ends_with(".out") {
                live += &text;
                live.push('\n');
            }
            names.push(name.into_owned());
        }
        Corpus { live, all, names }
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// What follows each occurrence of a whole word.
fn after<'a>(text: &'a str, word: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
    text.match_indices(word).filter_map(move |(at, _)| {
        let (before, rest) = (&text[..at], &text[at + word.len()..]);
        let apart = |c: Option<char>| c.is_none_or(|c| !is_word(c));
        (apart(before.chars().next_back()) && apart(rest.chars().next())).then_some((before, rest))
    })
}

fn called(text: &str, name: &str) -> bool {
    after(text, name).any(|(_, rest)| rest.trim_start().starts_with('('))
}

fn variable(text: &str, name: &str) -> bool {
    after(text, name).any(|(before, rest)| {
        !before.ends_with('.') && !before.ends_with("->") && !rest.starts_with('(')
    })
}

/// Set by a flag, a pragma, the environment or `setopt()`, or named as `option=value` in a list of such.
fn option_set(text: &str, name: &str) -> bool {
    let environment = format!("DTRACE_OPT_{}", name.to_uppercase());
    let set = |(before, rest): (&str, &str)| {
        let line = before.rsplit('\n').next().unwrap_or_default();
        ["-x ", "-x", "option ", "setopt(\"", "'"]
            .iter()
            .any(|p| line.ends_with(p))
            || (rest.starts_with('=') && line.ends_with(' '))
            || (line.trim_start().starts_with("for ") && line.contains(" in "))
    };
    text.contains(&environment) || after(text, name).any(set)
}

fn flag_used(text: &str, name: &str) -> bool {
    if name.starts_with("--") {
        return text.contains(name);
    }
    let letter = name.trim_start_matches('-');
    text.split_whitespace().any(|word| {
        let letters = word.strip_prefix('-').unwrap_or_default();
        let letters: String = letters
            .chars()
            .take_while(|c| c.is_alphanumeric())
            .collect();
        // A group such as -qn, or the flag with its value.
        letters.starts_with(letter)
            || (letters.contains(letter) && letters.starts_with(|c| "qwFSevlZC".contains(c)))
    })
}

/// Every conversion in the texts: its flags and width, then its size and letter.
fn conversions(text: &str) -> Vec<(String, String)> {
    let mut out = Vec::new();
    for (at, _) in text.match_indices('%') {
        let rest = &text[at + 1..];
        let head: String = rest
            .chars()
            .take_while(|c| c.is_ascii_digit() || "#-0+' @?*.".contains(*c))
            .collect();
        let tail: String = rest[head.len()..]
            .chars()
            .take_while(char::is_ascii_alphabetic)
            .take(3)
            .collect();
        out.push((head, tail));
    }
    out
}

/// Rows by kind and name, and whether a test exercises them.
type Rows = BTreeMap<String, bool>;

fn row(rows: &mut Rows, kind: &str, name: &str, tested: bool) {
    rows.insert(format!("{kind} {name}"), tested);
}

fn names(c: &Corpus, rows: &mut Rows) {
    for g in GLOBALS {
        let text = if g.refused.is_some() { &c.all } else { &c.live };
        let (kind, tested) = match g.kind {
            GlobalKind::Foreign => continue,
            GlobalKind::Builtin(_) | GlobalKind::Arg(_) => ("variable", variable(text, g.name)),
            GlobalKind::Args | GlobalKind::Uregs => {
                ("variable", text.contains(&format!("{}[", g.name)))
            }
            GlobalKind::SelfPtr | GlobalKind::ThisPtr => {
                ("variable", text.contains(&format!("{}->", g.name)))
            }
            GlobalKind::Subr(_) => ("subroutine", called(text, g.name)),
            GlobalKind::Action(_) => ("action", called(text, g.name)),
            GlobalKind::Agg(_) => ("aggregating", called(text, g.name)),
        };
        row(rows, kind, g.name, tested);
    }
}

fn settings(c: &Corpus, rows: &mut Rows) {
    for o in TABLE {
        let text = match o.support {
            Support::Refused(_) => &c.all,
            Support::Yes | Support::NoEffect(_) => &c.live,
        };
        row(rows, "option", o.name, option_set(text, o.name));
    }
    for pragma in PRAGMAS {
        let written = [format!("#pragma D {pragma}"), format!("#{pragma} ")];
        let tested = written.iter().any(|w| c.all.contains(w));
        row(rows, "pragma", pragma, tested);
    }
    for flag in table(&read("cmd/dtrace/src/flags.rs"), "\"-", &['"']) {
        let flag = format!("-{flag}");
        row(rows, "flag", &flag, flag_used(&c.live, &flag));
    }
}

/// Flags of the commands around dtrace.
fn tools(c: &Corpus, rows: &mut Rows) {
    let commands = tool_flags::commands(&repository().join("cmd/tools/src"));
    assert!(commands.len() >= 5, "{} commands", commands.len());
    for command in commands {
        let used = command.used(&c.live);
        for (flag, _) in &command.flags {
            row(rows, &command.name, flag, used.contains(flag));
        }
    }
}

fn formats(c: &Corpus, rows: &mut Rows) {
    let seen = conversions(&c.live);
    for conv in CONVERSIONS.split(' ').chain(SIZES.split(' ')) {
        let tested = seen.iter().any(|(_, tail)| tail.starts_with(conv));
        row(rows, "conversion", conv, tested);
    }
    for flag in FLAGS.chars() {
        let used = |(head, tail): &(String, String)| head.contains(flag) && !tail.is_empty();
        let name = flag.to_string().replace(' ', "space");
        row(rows, "conversion-flag", &name, seen.iter().any(used));
    }
}

fn reports(c: &Corpus, rows: &mut Rows) {
    let file = |prefix: &str| c.names.iter().any(|n| n.starts_with(prefix));
    for tag in diag::Tag::ALL {
        let name = tag.name();
        let tested = file(&format!("err.{name}.")) || c.live.contains(name);
        row(rows, "tag", name, tested);
    }
    for tag in table(&read("crates/consumer/src/messages.rs"), "tag: \"", &['"']) {
        let tested = file(&format!("drp.{tag}.")) || c.live.contains(&tag);
        row(rows, "drop", &tag, tested);
    }
    for fault in Fault::ALL {
        row(rows, "fault", fault.text(), c.all.contains(fault.text()));
    }
    for message in MESSAGES {
        row(rows, "message", message, c.all.contains(message));
    }
}

fn derived(c: &Corpus, rows: &mut Rows) {
    for (provider, name) in providers::derived_probes() {
        let probe = format!("{provider}:::{name}");
        let in_full = |(_, rest): (&str, &str)| !rest.starts_with('-');
        let tested = after(&c.live, &probe).any(in_full);
        row(rows, "probe", &probe, tested);
    }
}

fn read(path: &str) -> String {
    fs::read_to_string(repository().join(path)).unwrap_or_default()
}

/// What follows `start` up to one of `ends`, once for each line that has it.
fn table(text: &str, start: &str, ends: &[char]) -> Vec<String> {
    let rows = text.lines().filter(|l| l.starts_with("    "));
    rows.filter_map(|l| Some(l.split_once(start)?.1.split(ends).next()?.to_owned()))
        .filter(|w| !w.is_empty() && !w.contains(' '))
        .collect()
}

#[test]
fn every_row_has_a_test() {
    let (corpus, mut rows) = (Corpus::read(), Rows::new());
    names(&corpus, &mut rows);
    settings(&corpus, &mut rows);
    tools(&corpus, &mut rows);
    formats(&corpus, &mut rows);
    reports(&corpus, &mut rows);
    derived(&corpus, &mut rows);
    let list = read("tests/d/untested.txt");
    let mut wrong = Vec::new();
    let mut excused = BTreeMap::new();
    for line in list
        .lines()
        .filter(|l| !l.is_empty() && !l.starts_with('#'))
    {
        match line.split_once(": ") {
            Some((row, why)) if !why.trim().is_empty() => {
                excused.insert(row, why);
            }
            _ => wrong.push(format!("untested.txt: no reason: {line}")),
        }
    }
    for row in excused.keys() {
        match rows.get(*row) {
            None => wrong.push(format!("untested.txt: there is no such row: {row}")),
            Some(true) => wrong.push(format!("untested.txt: is tested now: {row}")),
            Some(false) => {}
        }
    }
    for (row, _) in rows.iter().filter(|(_, tested)| !**tested) {
        if !excused.contains_key(row.as_str()) {
            wrong.push(format!("no test: {row}"));
        }
    }
    assert!(
        wrong.is_empty(),
        "{}\n{} rows",
        wrong.join("\n"),
        rows.len()
    );
    assert!(rows.len() > 500, "{} rows", rows.len());
}

/// The scan must tell use from mention.
#[test]
fn use_is_told_from_mention() {
    let text = without_comments(
        "/* copyin(1) @@flags -x quiet */ BEGIN { trace(basename (execname)); x->pid; }",
    );
    assert!(!called(&text, "copyin") && called(&text, "basename") && called(&text, "trace"));
    assert!(variable(&text, "execname") && !variable(&text, "pid"));
    assert!(option_set(&text, "quiet") && !option_set(&text, "quie"));
    assert!(flag_used("run -qn x", "-n") && !flag_used("run -n x", "-q"));
    assert_eq!(
        conversions("%-5.3lld"),
        [("-5.3".to_owned(), "lld".to_owned())]
    );
}

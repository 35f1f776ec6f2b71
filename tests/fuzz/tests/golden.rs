//! The code of the programs in `tests/codegen`, in the fixed world: the intermediate form or the instructions where a
//! program asks for them (`/* golden: ir asm */`), its size (`at most N instructions` a firing site), and a table of all
//! sizes, which may only fall. `UPDATE=1` accepts what there is.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use fuzz::pipeline::Code;
use fuzz::{Bench, Outcome};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../codegen")
}

/// One program.
struct Golden {
    name: String,
    header: String,
    code: Box<Code>,
}

fn all() -> Vec<Golden> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder())
        .expect("tests/codegen")
        .map(|e| e.expect("an entry").path())
        .filter(|p| p.extension().is_some_and(|e| e == "d"))
        .collect();
    paths.sort();
    let mut bench = Bench::fixture();
    paths.iter().map(|p| golden(&mut bench, p)).collect()
}

fn golden(bench: &mut Bench, path: &Path) -> Golden {
    let text = std::fs::read_to_string(path).expect("a text");
    let name = path
        .file_stem()
        .map_or(String::new(), |n| n.to_string_lossy().into_owned());
    assert!(text.lines().count() <= 60, "{name}: too long to be read");
    let code = match bench.compile(&text) {
        Outcome::Compiled(code) => code,
        other => panic!("{name}: {}", other.error().map_or("", |d| &d.message)),
    };
    let header = text.lines().next().unwrap_or_default();
    assert!(
        header.starts_with("/*"),
        "{name}: the first line says what is expected"
    );
    Golden {
        name,
        header: header.to_owned(),
        code,
    }
}

fn updating() -> bool {
    std::env::var_os("UPDATE").is_some_and(|v| v != "0")
}

/// Compares with a file, or writes it. Says how to see the difference.
fn compare(file: &Path, got: &str) -> Option<String> {
    if updating() {
        std::fs::write(file, got).expect("can write");
        return None;
    }
    let wanted = std::fs::read_to_string(file).unwrap_or_default();
    let line = wanted.lines().zip(got.lines()).position(|(a, b)| a != b);
    (wanted != got).then(|| {
        let at = line.unwrap_or(wanted.lines().count().min(got.lines().count()));
        let show = |text: &str| text.lines().nth(at).unwrap_or("(nothing)").to_owned();
        format!(
            "{}:{}: {}\n  but now {}",
            file.display(),
            at + 1,
            show(&wanted),
            show(got)
        )
    })
}

#[test]
fn code_is_as_it_was() {
    let mut faults = Vec::new();
    for g in all() {
        for (kind, text) in [
            ("ir", g.code.compiled.ir.clone()),
            ("asm", session::dump::asm(&g.code.compiled.image)),
        ] {
            let golden = g.header.split_once("golden:").map_or("", |(_, rest)| rest);
            let wanted = golden
                .split([';', '*'])
                .next()
                .unwrap_or("")
                .split_whitespace()
                .any(|w| w == kind);
            if wanted {
                faults.extend(compare(&folder().join(format!("{}.{kind}", g.name)), &text));
            }
        }
    }
    assert!(
        faults.is_empty(),
        "UPDATE=1 accepts:\n{}",
        faults.join("\n")
    );
}

/// The number in `at most N instructions`.
fn limit(header: &str) -> Option<usize> {
    header
        .split_once("at most ")?
        .1
        .split(' ')
        .next()?
        .parse()
        .ok()
}

#[test]
fn programs_are_within_their_limits() {
    let mut faults = Vec::new();
    for g in all() {
        let Some(limit) = limit(&g.header) else {
            continue;
        };
        for p in &g.code.compiled.image.programs {
            if p.insns.len() > limit {
                faults.push(format!(
                    "{}: {} has {} instructions, at most {limit}",
                    g.name,
                    p.name,
                    p.insns.len()
                ));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn programs_do_not_grow() {
    let file = folder().join("counts.txt");
    let mut table = String::new();
    for g in all() {
        for p in &g.code.compiled.image.programs {
            let _ = writeln!(table, "{:24} {:12} {:4}", g.name, p.name, p.insns.len());
        }
    }
    if updating() {
        std::fs::write(&file, &table).expect("can write");
        return;
    }
    let size = |line: &str| {
        line.split_whitespace()
            .last()
            .and_then(|n| n.parse::<usize>().ok())
    };
    let old = std::fs::read_to_string(&file).unwrap_or_default();
    let mut faults = Vec::new();
    for line in table.lines() {
        let key = line.get(..37).unwrap_or(line);
        match old.lines().find(|l| l.starts_with(key)).and_then(size) {
            None => faults.push(format!("new: {line}")),
            Some(before) if size(line) > Some(before) => {
                faults.push(format!("{line}, was {before}"))
            }
            Some(_) => {}
        }
    }
    assert!(
        faults.is_empty(),
        "UPDATE=1 accepts:\n{}",
        faults.join("\n")
    );
}

#[test]
fn differences_are_noticed() {
    if updating() {
        return;
    }
    let file = folder().join("counts.txt");
    let text = std::fs::read_to_string(&file).expect("the table");
    assert_eq!(compare(&file, &text), None);
    assert!(compare(&file, &format!("{text}one more\n")).is_some_and(|w| w.contains("one more")));
    assert_eq!(limit("/* golden: ir; at most 80 instructions */"), Some(80));
}

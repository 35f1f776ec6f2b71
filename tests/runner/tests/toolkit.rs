//! Every script of `toolkit/` tells what it answers, how it is used and what it prints, has an example beside it and a test in
//! `tests/d/toolkit`, and is in the index (`toolkit/README.md`).

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Areas, in the order of the index, and what they are about.
const AREAS: [(&str, &str); 10] = [
    ("disk", "Disks"),
    ("files", "Files"),
    ("net", "Network"),
    ("process", "Processes"),
    ("scheduler", "CPUs and the scheduler"),
    ("memory", "Memory"),
    ("locks", "Locks"),
    ("syscalls", "System calls"),
    ("user", "Functions of programs"),
    ("languages", "Languages and servers"),
];
/// Before and after the index in `README.md`.
const MARKS: [&str; 2] = ["<!-- index -->\n", "<!-- end of index -->\n"];
/// How many scripts there must be.
const LEAST: usize = 60;

/// A script, read.
struct Script {
    area: &'static str,
    /// File name without `.d`.
    name: String,
    path: PathBuf,
    /// The comment at its head, without stars.
    header: String,
    /// What follows the comment.
    program: String,
}

fn toolkit() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../toolkit")
}

impl Script {
    fn read(area: &'static str, path: PathBuf) -> Result<Script, String> {
        let text = fs::read_to_string(&path).map_err(|e| e.to_string())?;
        let rest = text
            .strip_prefix("#!/usr/sbin/dtrace -s\n/*\n")
            .ok_or("does not begin with #!/usr/sbin/dtrace -s and a comment")?;
        let (comment, program) = rest.split_once("\n */\n").ok_or("the comment has no end")?;
        let mut header = String::new();
        for line in comment.lines() {
            let line = line.strip_prefix(" *").ok_or("a line without star")?;
            header += line.strip_prefix(' ').unwrap_or(line);
            header.push('\n');
        }
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        Ok(Script {
            area,
            name: name.into_owned(),
            program: program.to_owned(),
            header,
            path,
        })
    }

    /// The question that the script answers.
    fn question(&self) -> Result<String, String> {
        let first = self.header.split("\n\n").next().unwrap_or_default();
        let text = first
            .strip_prefix(&format!("{}.d: ", self.name))
            .ok_or("the header does not begin with its name")?;
        if !text.ends_with('?') {
            return Err("the header does not begin with a question".into());
        }
        Ok(text.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    /// Names of the columns that it prints; none where it describes its output otherwise.
    fn columns(&self) -> Result<Vec<&str>, String> {
        let Some((_, table)) = self.header.split_once("\n\nColumns:\n") else {
            return match self.header.contains("\n\nOutput: ") {
                true => Ok(Vec::new()),
                false => Err("the header has neither Columns: nor Output:".into()),
            };
        };
        let rows = table.lines().take_while(|l| l.starts_with('\t'));
        rows.map(|row| match row.trim_start().split_once('\t') {
            Some((name, meaning)) if !meaning.trim().is_empty() => Ok(name),
            _ => Err(format!("a column without meaning: {row}")),
        })
        .collect()
    }

    /// What is wrong with it.
    fn faults(&self) -> Vec<String> {
        let mut out = Vec::new();
        let mode = fs::metadata(&self.path).map_or(0, |m| m.permissions().mode());
        if mode & 0o111 != 0o111 {
            out.push("is not executable".to_owned());
        }
        if let Err(why) = self.question() {
            out.push(why);
        }
        if !self.header.contains(&format!("\n\nUsage: {}.d", self.name)) {
            out.push("no Usage:".to_owned());
        }
        match self.columns() {
            Err(why) => out.push(why),
            Ok(columns) => self.missing_columns(&columns, &mut out),
        }
        if self.header.lines().any(|l| l.chars().count() > 125) {
            out.push("a line of the header is too long".to_owned());
        }
        let test = format!("../tests/d/toolkit/tst.{}.sh", self.name);
        match fs::read_to_string(toolkit().join(test)) {
            Ok(text) if text.contains(&format!("script {}", self.name)) => {}
            Ok(text) if text.contains(&format!("/{}.d", self.name)) => {}
            Ok(_) => out.push("its test does not run it".to_owned()),
            Err(_) => out.push("no test".to_owned()),
        }
        out
    }

    /// Columns must be in the program, and in the example, which must be there.
    fn missing_columns(&self, columns: &[&str], out: &mut Vec<String>) {
        let example = fs::read_to_string(self.path.with_extension("txt")).unwrap_or_default();
        if !example.starts_with(&format!("# {}.d", self.name)) || example.lines().count() < 3 {
            out.push("no example".to_owned());
        }
        for column in columns {
            if !self.program.contains(column) {
                out.push(format!("does not print the column {column}"));
            }
            if !example.contains(column) {
                out.push(format!("the example lacks the column {column}"));
            }
        }
    }
}

/// All scripts, by area and name; what cannot be read is told.
fn scripts(wrong: &mut Vec<String>) -> Vec<Script> {
    let mut out = Vec::new();
    for (area, _) in AREAS {
        let entries = fs::read_dir(toolkit().join(area)).into_iter().flatten();
        let mut paths: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
        paths.sort();
        for path in paths {
            let extension = path.extension().and_then(|e| e.to_str());
            match extension {
                Some("d") => match Script::read(area, path.clone()) {
                    Ok(script) => out.push(script),
                    Err(why) => wrong.push(format!("{}: {why}", path.display())),
                },
                Some("txt") if path.with_extension("d").exists() => {}
                _ => wrong.push(format!("{}: neither script nor example", path.display())),
            }
        }
    }
    out
}

/// The index: what each script answers, by area.
fn index(scripts: &[Script]) -> String {
    let mut out = String::new();
    for (area, title) in AREAS {
        let _ = write!(
            out,
            "\n## {title}\n\n| question | script | |\n|---|---|---|\n"
        );
        for s in scripts.iter().filter(|s| s.area == area) {
            let mut question = s.question().unwrap_or_default();
            if let Some(first) = question.get(..1).map(str::to_uppercase) {
                question.replace_range(..1, &first);
            }
            let (name, question) = (&s.name, question.replace('|', "\\|"));
            let _ = writeln!(
                out,
                "| {question} | [{name}.d]({area}/{name}.d) | [example]({area}/{name}.txt) |"
            );
        }
    }
    out.push('\n');
    out
}

#[test]
fn every_script_is_whole() {
    let mut wrong = Vec::new();
    let scripts = scripts(&mut wrong);
    let mut names = BTreeSet::new();
    for script in &scripts {
        let faults = script.faults().into_iter();
        wrong.extend(faults.map(|fault| format!("{}/{}.d: {fault}", script.area, script.name)));
        if !names.insert(&script.name) {
            wrong.push(format!("{}: two scripts of this name", script.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(scripts.len() >= LEAST, "{} scripts", scripts.len());
}

/// `UPDATE=1` writes it.
#[test]
fn index_is_up_to_date() {
    let path = toolkit().join("README.md");
    let text = fs::read_to_string(&path).expect("toolkit/README.md");
    let (before, rest) = text.split_once(MARKS[0]).expect("the mark of the index");
    let (_, after) = rest
        .split_once(MARKS[1])
        .expect("the mark of the index's end");
    let index = index(&scripts(&mut Vec::new()));
    let want = format!("{before}{}{index}{}{after}", MARKS[0], MARKS[1]);
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, want).expect("written");
    } else {
        assert!(
            text == want,
            "toolkit/README.md: UPDATE=1 cargo test -p dtests --test toolkit"
        );
    }
}

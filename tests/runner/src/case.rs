//! One test file: its verdict, from the name, and its directives, from the text.

use std::path::{Path, PathBuf};
use std::time::Duration;

/// What must happen, by the first part of the name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// `tst.`: exits as expected and prints the golden text.
    Succeeds,
    /// `err.TAG.`: does not compile, with this tag.
    Error(String),
    /// `drp.TAG.`: reports this drop.
    Drops(String),
}

/// What a test needs from the machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Need {
    /// May load BPF programs.
    Root,
    /// A command on the path.
    Command(String),
    /// A probe that this kernel may not have.
    Probe(String),
    /// Processors that programs can run on at the same time.
    Cpus(usize),
}

/// A test.
#[derive(Clone, Debug)]
pub struct Case {
    /// File.
    pub path: PathBuf,
    /// `area/tst.NAME.d`.
    pub name: String,
    /// Run by the shell.
    pub shell: bool,
    /// What must happen.
    pub verdict: Verdict,
    /// Options for the command, before `-s`.
    pub flags: Vec<String>,
    /// `$1`….
    pub args: Vec<String>,
    /// Command for `-c`.
    pub trigger: Option<String>,
    /// Killed, and failed, after this.
    pub timeout: Duration,
    /// Requirements.
    pub needs: Vec<Need>,
    /// Exit status of a test that succeeds.
    pub status: i32,
}

impl Case {
    /// Reads a test; `Err` says what is wrong with its name or directives. `None`: not a test.
    pub fn read(root: &Path, path: &Path, text: &str) -> Option<Result<Case, String>> {
        let file = path.file_name()?.to_str()?;
        let (stem, ext) = file.rsplit_once('.')?;
        if ext != "d" && ext != "sh" {
            return None;
        }
        let name = path
            .strip_prefix(root)
            .unwrap_or(path)
            .to_string_lossy()
            .into_owned();
        let parts: Vec<&str> = stem.splitn(3, '.').collect();
        let verdict = match parts.as_slice() {
            ["tst", _, ..] => Verdict::Succeeds,
            ["err", tag, _] => Verdict::Error((*tag).to_owned()),
            ["drp", tag, _] => Verdict::Drops((*tag).to_owned()),
            _ => {
                return Some(Err(format!(
                    "{name}: names are tst.NAME, err.TAG.NAME or drp.TAG.NAME"
                )));
            }
        };
        let needs = if matches!(verdict, Verdict::Error(_)) {
            Vec::new()
        } else {
            vec![Need::Root]
        };
        let mut needs = needs;
        if ext == "sh" {
            needs.push(Need::Command("bash".to_owned()));
        }
        let mut case = Case {
            path: path.to_path_buf(),
            name,
            shell: ext == "sh",
            verdict,
            flags: Vec::new(),
            args: Vec::new(),
            trigger: None,
            timeout: Duration::from_secs(20),
            needs,
            status: 0,
        };
        Some(case.directives(text).map(|()| case))
    }

    fn directives(&mut self, text: &str) -> Result<(), String> {
        for line in text.lines().take(40) {
            let Some((_, directive)) = line.split_once("@@") else {
                continue;
            };
            let directive = directive.trim_end_matches("*/").trim();
            let (word, value) = directive.split_once([' ', ':']).unwrap_or((directive, ""));
            let bad = |what: &str| Err(format!("{}: @@{word}: {what}", self.name));
            match word {
                "flags" => self.flags = words(value),
                "args" => self.args = words(value),
                "trigger" => self.trigger = Some(value.trim().to_owned()),
                "timeout" => match value.trim().parse() {
                    Ok(n) => self.timeout = Duration::from_secs(n),
                    Err(_) => return bad("not a number of seconds"),
                },
                "status" => match value.trim().parse() {
                    Ok(n) => self.status = n,
                    Err(_) => return bad("not a number"),
                },
                "needs" => self.needs(value),
                _ => return bad("unknown directive"),
            }
        }
        Ok(())
    }

    fn needs(&mut self, value: &str) {
        for word in value.split_whitespace() {
            match word {
                "nothing" => self.needs.clear(),
                "root" => self.needs.push(Need::Root),
                word => self.needs.push(need(word)),
            }
        }
    }

    /// The file with the expected standard output.
    pub fn golden(&self) -> PathBuf {
        let mut name = self.path.clone().into_os_string();
        name.push(".out");
        PathBuf::from(name)
    }
}

/// `probe=…`, `cpus=N` or a command.
fn need(word: &str) -> Need {
    match word.split_once('=') {
        Some(("probe", probe)) => Need::Probe(probe.to_owned()),
        Some(("cpus", n)) => Need::Cpus(n.parse().unwrap_or(usize::MAX)),
        _ => Need::Command(word.to_owned()),
    }
}

/// Splits at blanks; single and double quotes hold words together.
fn words(text: &str) -> Vec<String> {
    let (mut out, mut word, mut quote, mut open) = (Vec::new(), String::new(), None, false);
    for c in text.trim().chars() {
        match (quote, c) {
            (Some(q), c) if c == q => quote = None,
            (Some(_), c) => word.push(c),
            (None, '"' | '\'') => (quote, open) = (Some(c), true),
            (None, c) if c.is_whitespace() => {
                if open || !word.is_empty() {
                    out.push(std::mem::take(&mut word));
                }
                open = false;
            }
            (None, c) => word.push(c),
        }
    }
    if open || !word.is_empty() {
        out.push(word);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &str, text: &str) -> Option<Result<Case, String>> {
        Case::read(Path::new("/t"), &Path::new("/t/area").join(name), text)
    }

    #[test]
    fn names_give_verdicts() {
        let verdict = |n| read(n, "").map(|c| c.map(|c| c.verdict));
        assert_eq!(verdict("tst.a.d"), Some(Ok(Verdict::Succeeds)));
        assert_eq!(
            verdict("err.D_SYNTAX.a.d"),
            Some(Ok(Verdict::Error("D_SYNTAX".into())))
        );
        assert_eq!(
            verdict("drp.DTRACEDROP_DYNAMIC.x.d"),
            Some(Ok(Verdict::Drops("DTRACEDROP_DYNAMIC".into())))
        );
        assert_eq!(verdict("tst.a.d.out"), None);
        assert!(matches!(verdict("nonsense.d"), Some(Err(_))));
    }

    #[test]
    fn directives_are_read() {
        let c = read(
            "tst.a.d",
            "/* @@flags: -q -x 'a b' */\n * @@args 1 two\n# @@timeout 3\n@@needs nothing cpp\n@@status 2\n",
        );
        let c = c.and_then(Result::ok).expect("a test");
        assert_eq!(
            (c.flags, c.args),
            (
                vec!["-q".into(), "-x".into(), "a b".into()],
                vec!["1".into(), "two".into()]
            )
        );
        assert_eq!(
            (c.timeout.as_secs(), c.status, c.needs),
            (3, 2, vec![Need::Command("cpp".into())])
        );
        assert!(matches!(read("tst.a.d", "@@nonsense"), Some(Err(_))));
    }
}

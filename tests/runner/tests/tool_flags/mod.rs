//! Flags of the commands of `cmd/tools`, and which of them the tests use.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// A command and its flags: as typed, and whether they take an argument.
pub struct Command {
    /// Its name.
    pub name: String,
    /// `-n`, `--help`; with an argument or not.
    pub flags: Vec<(String, bool)>,
}

/// What stands between the next two quotation marks, and what follows.
fn quoted(text: &str) -> Option<(&str, &str)> {
    text.split_once('"')?.1.split_once('"')
}

/// A row: `Name "-n" "argument" "what it does";`
fn row(line: &str) -> Option<(String, bool)> {
    let (name, rest) = quoted(line)?;
    let (arg, _) = quoted(rest)?;
    name.starts_with('-')
        .then(|| (name.to_owned(), !arg.is_empty()))
}

/// The command of a file that declares one.
fn command(text: &str) -> Option<Command> {
    let name = quoted(text.split_once("Tool = Tool {")?.1)?.0.to_owned();
    let block = text.split_once("cli::flags! {")?.1.split_once("\n}")?.0;
    Some(Command {
        name,
        flags: block.lines().filter_map(row).collect(),
    })
}

/// Every command.
pub fn commands(sources: &Path) -> Vec<Command> {
    let mut files = Vec::new();
    super::files(sources, &mut files);
    files.sort();
    let texts = files.iter().filter_map(|f| fs::read_to_string(f).ok());
    texts.filter_map(|text| command(&text)).collect()
}

impl Command {
    /// Adds the flags of a word, and says whether the last one's argument is the next word.
    fn word(&self, word: &str, used: &mut BTreeSet<String>) -> bool {
        if word.starts_with("--") {
            used.insert(word.split('=').next().unwrap_or(word).to_owned());
            return false;
        }
        let mut letters = word.chars().skip(1).peekable();
        while let Some(letter) = letters.next() {
            let typed = format!("-{letter}");
            let Some((name, takes)) = self.flags.iter().find(|(name, _)| *name == typed) else {
                return false;
            };
            used.insert(name.clone());
            if *takes {
                return letters.peek().is_none();
            }
        }
        false
    }

    /// Flags with which tests call it: what follows its name up to the first operand.
    pub fn used(&self, tests: &str) -> BTreeSet<String> {
        let mut used = BTreeSet::new();
        let called = |word: &str| {
            let word = word.trim_matches(|c| "\"'$(){}".contains(c));
            word == self.name
        };
        for line in tests.lines() {
            let mut words = line.split_whitespace();
            while let Some(word) = words.next() {
                if !called(word) {
                    continue;
                }
                let mut argument = false;
                for word in words.by_ref() {
                    let word = word.trim_matches(|c| "\"'".contains(c));
                    if argument {
                        argument = false;
                    } else if word.starts_with('-') {
                        argument = self.word(word, &mut used);
                    } else {
                        break;
                    }
                }
            }
        }
        used
    }
}

/// Uses are found in groups, before operands, after arguments.
#[test]
fn flags_are_found_where_a_command_is_called() {
    let text = "pub const TOOL: Tool = Tool {\n    name: \"x\",\n};\ncli::flags! {\n    A \"-a\" \"\" \"a\";\n    \
                B \"-b\" \"n\" \"b\";\n    C \"-c\" \"\" \"c\";\n    H \"--help\" \"\" \"h\";\n}\n";
    let Some(x) = command(text) else {
        panic!("no command")
    };
    assert_eq!(x.flags.len(), 4);
    let used = |tests: &str| x.used(tests).into_iter().collect::<Vec<_>>().join(" ");
    assert_eq!(used("run x -ab 5 ls -c\nnox -c"), "-a -b");
    assert_eq!(used("\"$x\" -b5 -c"), "-b -c");
    assert_eq!(used("start x --help"), "--help");
    assert_eq!(used("x; -a"), "");
}

//! Messages to the standard error. A standard error that is gone is no reason to stop.

use session::{Front, Rejected};
use std::io::{IsTerminal, Write};

/// One message.
pub fn message(text: &str) {
    raw(&format!("dtrace: {text}\n"));
}

/// Text as it is.
pub fn raw(text: &str) {
    // There is nowhere to report that reports cannot be written.
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

/// The errors of a text; on a terminal with the place and hints.
pub fn rejected(rejected: &Rejected) {
    for line in rejected.lines() {
        message(&line);
    }
    if std::io::stderr().is_terminal() {
        let color = std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty());
        raw(&format!("{}\n", rejected.snippets(color)));
    }
}

/// How to mend what was just said; only for people.
pub fn help(text: &str) {
    if std::io::stderr().is_terminal() {
        raw(&format!("  help: {text}\n"));
    }
}

/// Messages of a run.
pub struct Reporter;

impl Front for Reporter {
    fn message(&mut self, text: &str) {
        message(text);
    }

    fn messages(&mut self, texts: &[String]) {
        let lines = texts.iter().map(|text| format!("dtrace: {text}\n"));
        raw(&lines.collect::<String>());
    }
}

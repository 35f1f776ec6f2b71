//! Commands around DTrace in one program: which one is decided by the name it is called by, or by its first argument.
//! Each is a module with its flags as rows, a D program, and a report made of the data that the program gathers.

mod counting;
mod run;
mod stamp;
mod tool;
mod units;
mod wait;

mod calibrate;
mod cpustat;
mod cputrack;
mod dmpstat;
mod hwstat;
mod intrstat;
mod lockstat;
#[cfg(test)]
mod manual;
mod plockstat;
mod prstat;

use std::ffi::OsString;
use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;
use tool::{Stop, Tool};

/// Every command, by name.
const TOOLS: &[Tool] = &[
    calibrate::TOOL,
    cpustat::TOOL,
    cputrack::TOOL,
    dmpstat::TOOL,
    hwstat::TOOL,
    intrstat::TOOL,
    lockstat::TOOL,
    plockstat::TOOL,
    prstat::TOOL,
];

/// Its own name.
const PROGRAM: &str = "dtrace-tools";
/// Exit status after a mistake on the command line.
const USAGE: u8 = 2;
/// Exit status after any other error.
const ERROR: u8 = 1;

fn main() -> ExitCode {
    let mut typed = std::env::args_os();
    let name = typed.next().unwrap_or_default();
    let mut word = None;
    let mut first = || named(word.insert(typed.next()?));
    let Some(tool) = named(&name).or_else(&mut first) else {
        return ExitCode::from(no_command(word.as_ref()));
    };
    let ended = if session::stdout_was_open() {
        (tool.run)(tool, typed.collect())
    } else {
        Err(Stop::Failed(
            "failed to write output: the standard output is not open".to_owned(),
        ))
    };
    ExitCode::from(match ended {
        Ok(status) => status,
        Err(Stop::Shown(text)) => show(tool.name, &text),
        Err(Stop::Usage(text)) => {
            if !text.is_empty() {
                complain(&format!("{}: {text}\n", tool.name));
            }
            complain(&tool.usage());
            USAGE
        }
        Err(Stop::Failed(text)) => {
            complain(&format!("{}: {text}\n", tool.name));
            ERROR
        }
    })
}

/// The command of this name, which may be a path.
fn named(name: &OsString) -> Option<&'static Tool> {
    let name = Path::new(name).file_name()?;
    TOOLS.iter().find(|t| name == t.name)
}

/// No command was called: help, or what is wrong with the word that should have named one; gives the exit status.
fn no_command(word: Option<&OsString>) -> u8 {
    let text = match word {
        Some(word) if word == "-h" || word == "--help" => return show(PROGRAM, &overview()),
        Some(word) => format!("{PROGRAM}: no such command: {}\n", word.to_string_lossy()),
        None => String::new(),
    };
    complain(&(text + &overview()));
    USAGE
}

fn overview() -> String {
    let mut text = String::from(
        "Usage: dtrace-tools command [flags] [argument ...]\n\n\
         A link to this program that has the name of a command is that command.\n\n",
    );
    for tool in TOOLS {
        text += &format!("  {:<14}  {}\n", tool.name, tool.summary);
    }
    text
}

fn show(name: &str, text: &str) -> u8 {
    match std::io::stdout().lock().write_all(text.as_bytes()) {
        Ok(()) => 0,
        Err(e) => {
            complain(&format!(
                "{name}: failed to write output: {}\n",
                session::plain(&e)
            ));
            ERROR
        }
    }
}

/// Prints to the standard error.
fn complain(text: &str) {
    // There is nowhere to report that reports cannot be written.
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_found_by_path_and_sorted() {
        let found = named(&OsString::from("/usr/sbin/intrstat"));
        assert_eq!(found.map(|t| t.name), Some("intrstat"));
        assert!(named(&OsString::from("dtrace-tools")).is_none());
        assert!(TOOLS.is_sorted_by_key(|t| t.name));
        assert!(overview().contains("  intrstat        "));
    }
}

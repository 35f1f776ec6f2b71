//! plockstat(1): what the threads of a process lose to its locks. Arguments and printing; the tracing is in the crate
//! `session`, the probes are those of the provider `plockstat`.

mod args;
mod program;
mod report;
mod results;
mod run;

use args::{Args, Mode};
use std::io::Write;
use std::process::ExitCode;

/// Exit status after a mistake on the command line.
const USAGE: u8 = 2;
/// Exit status after any other error.
const ERROR: u8 = 1;

fn main() -> ExitCode {
    let args = match Args::parse(std::env::args_os().skip(1)) {
        Ok(args) => args,
        Err(why) => {
            message(&why);
            raw(&args::usage());
            return ExitCode::from(USAGE);
        }
    };
    let done = match args.mode {
        Mode::Help => print(&args::usage()),
        Mode::Program => print(&program::text(&args)),
        Mode::Trace => run::trace(&args).and_then(|text| print(&text)),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            message(&why);
            ExitCode::from(ERROR)
        }
    }
}

/// Prints to the standard output.
fn print(text: &str) -> Result<(), String> {
    let mut out = std::io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    written.map_err(|e| format!("failed to write output: {}", session::plain(&e)))
}

/// One message.
fn message(text: &str) {
    raw(&format!("plockstat: {text}\n"));
}

fn raw(text: &str) {
    // There is nowhere to report that reports cannot be written.
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

//! dtrace(1): arguments and printing. What it does is in the crate `session`.

mod args;
mod build;
mod explain;
mod flags;
mod list;
#[cfg(test)]
mod manual;
mod report;
mod run;

use args::{ArgError, Args, Mode};
use std::io::Write;
use std::process::ExitCode;

/// Exit status after a mistake on the command line.
const USAGE: u8 = 2;
/// Exit status after any other error.
const ERROR: u8 = 1;

fn main() -> ExitCode {
    let typed: Vec<_> = std::env::args_os().skip(1).collect();
    if typed.is_empty() {
        report::raw(&flags::usage());
        return ExitCode::from(USAGE);
    }
    match Args::parse(typed) {
        Ok(args) if args.output.is_none() && !session::stdout_was_open() => ExitCode::from(refuse(
            "failed to write output: the standard output is not open (open it, or use -o FILE)",
        )),
        Ok(args) => ExitCode::from(dispatch(&args)),
        Err(ArgError::Usage(text)) => {
            report::message(&text);
            report::raw(&flags::usage());
            ExitCode::from(USAGE)
        }
        Err(ArgError::Plain(text)) => {
            report::message(&text);
            ExitCode::from(USAGE)
        }
        Err(ArgError::Refused(text)) => {
            report::message(&text);
            ExitCode::from(ERROR)
        }
    }
}

fn dispatch(args: &Args) -> u8 {
    match args.mode {
        Mode::Exec => run::exec(args),
        Mode::List => run::list(args),
        Mode::Version => print(concat!(
            "dtrace: Probeworks D 1.13 (",
            env!("CARGO_PKG_VERSION"),
            ")\n"
        )),
        Mode::Help => print(&flags::usage()),
        Mode::Explain => match explain::tag(args.explain.as_deref().unwrap_or_default()) {
            Ok(text) => print(&text),
            Err(text) => refuse(&text),
        },
        Mode::Header => build::header(args),
        Mode::Link => build::object(args),
        Mode::Anonymous => refuse("-A is not supported: there is no anonymous tracing"),
    }
}

fn refuse(text: &str) -> u8 {
    report::message(text);
    ERROR
}

/// Prints to the standard output.
fn print(text: &str) -> u8 {
    match std::io::stdout().lock().write_all(text.as_bytes()) {
        Ok(()) => 0,
        Err(e) => refuse(&format!("failed to write output: {}", session::plain(&e))),
    }
}

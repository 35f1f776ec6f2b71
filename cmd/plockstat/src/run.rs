//! A run of the program on its process.

use crate::args::{Args, Target};
use crate::results::Results;
use crate::{program, report};
use session::{CompileError, Destination, Front, Input, Job, Session, Setter, SpecDepth, Victims};
use std::io::{PipeReader, Read};
use std::thread::{self, JoinHandle};

/// Messages of a run.
struct Reporter;

impl Front for Reporter {
    fn message(&mut self, text: &str) {
        crate::message(text);
    }
}

/// Traces until the process or the user ends it; gives the report.
pub fn trace(args: &Args) -> Result<String, String> {
    session::may_trace()?;
    let mut session = Session::new();
    // How the process ended is no news to who started it.
    let quiet = ("quiet".to_owned(), None);
    for (name, value) in std::iter::once(&quiet).chain(&args.options) {
        let done = session
            .options
            .set(name, value.as_deref(), Setter::CommandLine);
        done.map_err(|why| format!("failed to set -x {name}: {why}"))?;
    }
    let target = args.target.iter().map(target).collect::<Vec<_>>();
    let victims = Victims::take(&target, &session.options).map_err(|e| e.to_string())?;
    let pid = victims.target();
    session.follow(victims);
    let input = Input::Probe(SpecDepth::Name, program::text(args));
    let compilation = session.compile(&[input], &[], pid).map_err(|e| why(&e))?;
    let code = session.generate(&compilation, false).map_err(|e| why(&e))?;
    let (reader, output) = pipe()?;
    let job = Job {
        destructive: false,
        program: compilation.program.clone(),
        image: code.image,
        victims: session.victims(),
        output,
        json: true,
        compilation,
    };
    if args.verbose {
        crate::message("tracing enabled");
    }
    let done = session::trace(&mut session, job, &mut Reporter);
    let results = reader
        .join()
        .map_err(|_| "the results were lost".to_owned())?;
    done.map_err(|e| e.to_string())?;
    let results = Results::read(&results?).map_err(|e| e.to_string())?;
    Ok(report::text(args, &results))
}

fn target(target: &Target) -> session::Target {
    match target {
        Target::Pid(pid) => session::Target::Pid(*pid),
        Target::Command(words) => session::Target::Command(quoted(words)),
    }
}

/// Words as one text that is split into the same words.
fn quoted(words: &[String]) -> String {
    let quote = |word: &String| format!("'{}'", word.replace('\'', "'\\''"));
    words.iter().map(quote).collect::<Vec<_>>().join(" ")
}

/// What the run writes is gathered as it comes.
fn pipe() -> Result<(JoinHandle<Result<String, String>>, Destination), String> {
    let failed = |e: std::io::Error| format!("failed to make a pipe: {}", session::plain(&e));
    let (reader, writer) = std::io::pipe().map_err(failed)?;
    let gather = |mut reader: PipeReader| {
        let mut text = String::new();
        let read = reader.read_to_string(&mut text);
        read.map(|_| text)
            .map_err(|e| format!("failed to read the results: {}", session::plain(&e)))
    };
    Ok((
        thread::spawn(move || gather(reader)),
        Destination::Pipe(writer),
    ))
}

/// Why the program does not compile: the first reason, which is about the process.
fn why(error: &CompileError) -> String {
    match error {
        CompileError::Rejected(rejected) => {
            let first = rejected.diagnostics.first();
            first.map_or_else(|| rejected.title.clone(), |d| d.message.clone())
        }
        CompileError::Read(_)
        | CompileError::Cpp(..)
        | CompileError::Version(_)
        | CompileError::Amin => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stay_words() {
        let words = ["sh", "-c", "echo 'a b' \"c\""].map(str::to_owned);
        assert_eq!(quoted(&words), r#"'sh' '-c' 'echo '\''a b'\'' "c"'"#);
    }
}

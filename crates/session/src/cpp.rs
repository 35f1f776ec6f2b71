//! `-C`: running the C preprocessor over a script file.

use crate::headers::without_functions;
use crate::opts::Options;
use lang::options::Opt;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// Why the preprocessor gave no text.
#[derive(Debug, thiserror::Error)]
pub enum CppError {
    /// There is no such command.
    #[error("Preprocessor not found: {0} (install it, or name another with -xcpppath=PATH)")]
    NotFound(String),
    /// It could not be started.
    #[error("Failed to exec preprocessor: {0}")]
    Exec(std::io::Error),
    /// It refused the text; its own messages went to the standard error.
    #[error("Preprocessor failed to process input program")]
    Failed,
}

/// Macros that scripts test.
const MACROS: &[&str] = &[
    "-D__linux",
    "-D__linux__",
    "-D__unix",
    "-D__SVR4",
    "-D__SUNW_D=1",
    "-D__SUNW_D_64",
    "-D__SUNW_D_VERSION=0x0100d000",
];

/// What headers say to a C compiler only, taken out of them; scripts and `-U` can put it back.
const QUIET: &[&str] = &[
    "-D__attribute__(x)=",
    "-D__asm__(x)=",
    "-D__extension__=",
    "-D__restrict=",
    "-D__inline=",
    "-D__signed__=signed",
    "-D__volatile__=volatile",
    "-D__const=const",
    "-D_Static_assert(...)=",
];

/// Options that become arguments, in the order given: a later `-U` undoes an earlier `-D`.
const FLAGS: [(Opt, &str); 4] = [
    (Opt::Define, "-D"),
    (Opt::Undef, "-U"),
    (Opt::Incdir, "-I"),
    (Opt::Cppargs, ""),
];

/// Runs the preprocessor over `text`, which came from `path` (for `#include "…"` and line marks).
pub fn run(path: &Path, text: &[u8], opts: &Options) -> Result<Vec<u8>, CppError> {
    let program = opts.text(Opt::Cpppath).unwrap_or_else(|| "cpp".into());
    let mut cmd = Command::new(&program);
    cmd.args(arguments(opts));
    if let Some(dir) = path.parent().filter(|d| !d.as_os_str().is_empty()) {
        cmd.arg("-iquote").arg(dir);
    }
    cmd.stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit());
    let mut child = cmd.spawn().map_err(|e| match e.kind() {
        std::io::ErrorKind::NotFound => CppError::NotFound(program),
        _ => CppError::Exec(e),
    })?;
    let stdin = child.stdin.take();
    let output = std::thread::scope(|scope| {
        // A preprocessor that stops reading says by its status what it thinks of the text.
        scope.spawn(move || stdin.map(|mut to| feed(&mut to, path, text)));
        child.wait_with_output()
    });
    let output = output.map_err(CppError::Exec)?;
    if output.status.success() {
        Ok(without_functions(&output.stdout))
    } else {
        Err(CppError::Failed)
    }
}

fn arguments(opts: &Options) -> Vec<String> {
    let mut args: Vec<String> = MACROS
        .iter()
        .chain(QUIET)
        .map(|m| (*m).to_owned())
        .collect();
    match opts.text(Opt::Stdc).as_deref() {
        Some("s") => args.push("-traditional-cpp".into()),
        Some("c") => args.push("-std=c99".into()),
        _ => {}
    }
    if opts.flag(Opt::Cpphdrs) {
        args.push("-H".into());
    }
    for (opt, value) in opts.lists(&FLAGS.map(|(opt, _)| opt)) {
        let flag = FLAGS.iter().find(|(o, _)| *o == opt).map_or("", |f| f.1);
        args.push(format!("{flag}{value}"));
    }
    args
}

/// Writes a line mark, so that messages name the script, and the text with its `#!` line blanked.
fn feed(to: &mut impl Write, path: &Path, text: &[u8]) -> std::io::Result<()> {
    writeln!(to, "# 1 \"{}\"", path.display())?;
    let skip = if text.starts_with(b"#!") {
        text.iter().position(|b| *b == b'\n').unwrap_or(text.len())
    } else {
        0
    };
    to.write_all(text.get(skip..).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::opts::Setter;

    #[test]
    fn missing_preprocessor_is_named() {
        let mut opts = Options::default();
        opts.set("cpppath", Some("no-such-cpp"), Setter::CommandLine)
            .expect("an option");
        let error = run(Path::new("x.d"), b"BEGIN", &opts).expect_err("no such command");
        assert!(error.to_string().contains("no-such-cpp"));
    }

    #[test]
    fn flags_become_arguments() {
        let mut opts = Options::default();
        for (n, v) in [
            ("define", "A=1"),
            ("incdir", "inc"),
            ("undef", "B"),
            ("define", "B=2"),
            ("stdc", "s"),
        ] {
            opts.set(n, Some(v), Setter::CommandLine)
                .expect("an option");
        }
        let args = arguments(&opts);
        for want in ["-DA=1", "-Iinc", "-UB", "-traditional-cpp", "-D__SUNW_D=1"] {
            assert!(args.iter().any(|a| a == want), "{want}");
        }
        let at = |arg: &str| args.iter().position(|a| a == arg);
        assert!(at("-UB") < at("-DB=2"));
    }
}

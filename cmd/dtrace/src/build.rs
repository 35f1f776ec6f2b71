//! `-h` and `-G`: what an application needs to have probes.

use crate::args::{Args, Text};
use crate::run::{failed, inputs, prepare};
use crate::{USAGE, refuse, report};
use session::{BuildError, plain};
use std::path::{Path, PathBuf};

/// What to build.
#[derive(Clone, Copy, PartialEq, Eq)]
enum What {
    Header,
    Object,
}

/// `-h`: writes the header.
pub fn header(args: &Args) -> u8 {
    build(args, What::Header).unwrap_or_else(|status| status)
}

/// `-G`: writes the object.
pub fn object(args: &Args) -> u8 {
    build(args, What::Object).unwrap_or_else(|status| status)
}

fn build(args: &Args, what: What) -> Result<u8, u8> {
    let output = output(args, what)?;
    let mut session = prepare(args)?;
    let inputs = inputs(args);
    let verb = match what {
        What::Header => format!("failed to create header file {}", output.display()),
        What::Object => format!("failed to link {}", scripts(args)),
    };
    let stopped = |error: &BuildError| match error {
        BuildError::Compile(error) => failed(error),
        BuildError::NoProvider
        | BuildError::Interface(_)
        | BuildError::Read { .. }
        | BuildError::Link(_) => refuse(&format!("{verb}: {error}")),
    };
    let bytes = match what {
        What::Header => session
            .header(&inputs, &args.operands, &output)
            .map_err(|e| stopped(&e))?
            .into_bytes(),
        What::Object => session
            .link(&inputs, &args.operands)
            .map_err(|e| stopped(&e))?,
    };
    write(&output, &bytes)
}

/// What the user calls the definitions.
fn scripts(args: &Args) -> String {
    let paths = args.texts.iter().filter_map(|text| match text {
        Text::Script(path) => Some(path.display().to_string()),
        Text::Probe(..) => None,
    });
    let paths: Vec<_> = paths.collect();
    if paths.is_empty() {
        "description".to_owned()
    } else {
        format!("script {}", paths.join(", "))
    }
}

/// A half-written file is worse than none: whoever compiles with it is told nothing.
fn write(path: &Path, bytes: &[u8]) -> Result<u8, u8> {
    std::fs::write(path, bytes).map(|()| 0).map_err(|e| {
        // Only what was begun here is removed: a device or a file that could not be opened stays.
        if path.is_file() && e.kind() != std::io::ErrorKind::PermissionDenied {
            let _left_if_it_cannot_be_removed = std::fs::remove_file(path);
        }
        refuse(&format!(
            "failed to write {}: {}",
            path.display(),
            plain(&e)
        ))
    })
}

/// `-o`, or the only script's name with another ending, in the current directory.
fn output(args: &Args, what: What) -> Result<PathBuf, u8> {
    if let Some(path) = &args.output {
        return Ok(path.clone());
    }
    let script = match args.texts.as_slice() {
        [Text::Script(path)] if path.extension().is_some_and(|e| e == "d") => path.file_stem(),
        _ => None,
    };
    match (script, what) {
        (Some(stem), What::Header) => Ok(Path::new(stem).with_added_extension("h")),
        (Some(stem), What::Object) => Ok(Path::new(stem).with_added_extension("o")),
        (None, What::Object) if !args.texts.is_empty() => Ok(PathBuf::from("d.out")),
        (None, _) => {
            let flag = if what == What::Header { "-h" } else { "-G" };
            report::message(&format!(
                "{flag} needs one script (-s NAME.d), or the name of the file to write (-o)"
            ));
            Err(USAGE)
        }
    }
}

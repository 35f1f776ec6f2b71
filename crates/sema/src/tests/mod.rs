//! Whole programs against a small world: what they become, and which error each wrong one gives.

mod errors;
mod fuzz;
mod libraries;
mod programs;
mod world;

use diag::{Diagnostic, Origin, SourceMap};
use syntax::{Macros, ParseInput, SpecDepth};
use world::FakeWorld;

use crate::{AddInfo, Compiler, Options, dump};

/// Parses and adds one text.
fn add(compiler: &mut Compiler<'_>, text: &str) -> Result<AddInfo, Vec<Diagnostic>> {
    let mut sources = SourceMap::default();
    let source = sources.add(Origin::CommandLine, text.into());
    let macros = Macros::default();
    let unit = syntax::parse(ParseInput {
        source,
        text,
        library: false,
        bare_specs: true,
        depth: SpecDepth::Name,
        empty_ok: true,
        macros: &macros,
        types: compiler,
    })?;
    compiler.add(&unit, &sources)
}

/// The error of a program, or the dump of what it became.
fn try_compile(options: Options, texts: &[&str]) -> Result<String, Diagnostic> {
    let mut world = FakeWorld;
    let mut compiler = Compiler::new(&mut world, options);
    for text in texts {
        add(&mut compiler, text).map_err(|mut e| e.remove(0))?;
    }
    Ok(dump(&compiler.finish()))
}

/// The dump of a program that must compile.
fn compile(text: &str) -> String {
    match try_compile(Options::default(), &[text]) {
        Ok(dump) => dump,
        Err(e) => panic!("{text}: [{}] {}", e.tag.name(), e.message),
    }
}

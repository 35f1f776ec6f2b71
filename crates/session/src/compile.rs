//! From the texts of a command line to one typed program and its image.
//!
//! All texts are read and their options set first, because options shape the whole program; then each text is parsed and
//! analysed in command-line order, so that a later one sees the definitions of those before it.

use crate::cpp::{self, CppError};
use crate::facts;
use crate::files::{self, ReadError};
use crate::libraries;
use crate::opts::{Options, Setter};
use crate::world::SystemWorld;
use diag::{Diagnostic, Origin, Region, SourceMap, Span, Tag};
use lang::options::Opt;
use lang::{Stability, Version};
use sema::world::ProbePattern;
use sema::{AddInfo, Compiler};
use std::path::{Path, PathBuf};
use syntax::{Macros, ParseInput, SpecDepth, ast};

/// One text of the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// `-n`, `-P`, `-m`, `-f`, `-i`.
    Probe(SpecDepth, String),
    /// `-s`.
    Script(PathBuf),
    /// The program of a command with this name.
    Own(&'static str, String),
}

impl Input {
    /// What messages call it: `description 'TEXT'` (cropped at the predicate or body) or `script 'FILE'`.
    pub fn described(&self) -> String {
        match self {
            Input::Probe(_, text) => {
                let end = text.find(['{', '/', ';']).unwrap_or(text.len());
                format!("description '{}'", text.get(..end).unwrap_or(text))
            }
            Input::Script(path) => format!("script '{}'", path.display()),
            Input::Own(name, _) => format!("the program of {name}"),
        }
    }

    /// How an error message about it begins.
    fn failed(&self) -> String {
        match self {
            Input::Probe(_, text) => format!("invalid probe specifier {text}"),
            Input::Script(path) => format!("failed to compile script {}", path.display()),
            Input::Own(name, _) => format!("failed to compile the program of {name}"),
        }
    }
}

/// Errors of one text, with all that is needed to show them.
#[derive(Debug)]
pub struct Rejected {
    /// How the message begins (`invalid probe specifier TEXT`).
    pub title: String,
    /// The errors.
    pub diagnostics: Vec<Diagnostic>,
    /// The texts.
    pub sources: SourceMap,
    /// Show tags.
    pub errtags: bool,
}

impl Rejected {
    /// One line an error, without `dtrace: `.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        let line = |d| {
            format!(
                "{}: {}",
                self.title,
                diag::render::message(&self.sources, d, self.errtags)
            )
        };
        self.diagnostics.iter().map(line)
    }

    /// The place in the text with a caret, and hints; may be empty.
    pub fn snippets(&self, color: bool) -> String {
        let texts = self
            .diagnostics
            .iter()
            .map(|d| diag::render::snippet(&self.sources, d, color));
        texts
            .filter(|t| !t.is_empty())
            .collect::<Vec<_>>()
            .join("\n")
    }
}

/// Why texts could not be compiled.
#[derive(Debug, thiserror::Error)]
pub enum CompileError {
    /// A file could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The preprocessor did not give a text.
    #[error("failed to compile script {0}: {1}")]
    Cpp(PathBuf, CppError),
    /// The language version cannot be had.
    #[error("failed to set -x version: {0}")]
    Version(&'static str),
    /// The stability of `-x amin` is not one.
    #[error("failed to set -x amin: Invalid value for specified option")]
    Amin,
    /// A text has errors.
    #[error("{}", .0.title)]
    Rejected(Box<Rejected>),
}

/// One text, compiled.
#[derive(Clone, Debug)]
pub struct Text {
    /// Where it came from.
    pub input: Input,
    /// Its syntax tree.
    pub unit: ast::Unit,
    /// Probes matched, stability.
    pub info: AddInfo,
}

/// All texts, compiled.
pub struct Compilation {
    /// Texts in order.
    pub texts: Vec<Text>,
    /// The typed program.
    pub program: sema::hir::Program,
    /// The texts' contents, for messages.
    pub sources: SourceMap,
    /// The providers that the texts define. `Err`: what no application can pass.
    pub interfaces: Result<Vec<sema::Interface>, String>,
    /// The variables that had to be made wide.
    wide: sema::Wide,
    /// What the user should know about the probes, one line each.
    pub notes: Vec<String>,
    /// Records say first which thread they are of.
    pub(crate) threads: bool,
}

impl Compilation {
    /// The probes that one text enables, in the order of its clauses. (Clauses say how many probes they match, texts how
    /// many their clauses do together; that is how they find each other.)
    pub fn probes_of(&self, text: usize) -> impl Iterator<Item = &image::Probe> {
        let matched = |upto: usize| {
            self.texts
                .iter()
                .take(upto)
                .map(|t| t.info.matched)
                .sum::<usize>()
        };
        let (from, to) = (matched(text), matched(text + 1));
        let first = |c: &&sema::hir::Clause| !c.continues && c.place.unwrap_or(0) == 0;
        let clauses = self.program.clauses.iter().filter(first);
        let probes = clauses.flat_map(|c| &c.probes).skip(from).take(to - from);
        probes
            .filter_map(|p| self.program.probes.get(*p as usize))
            .map(|p| &p.probe)
    }

    /// Whether any text uses destructive actions.
    pub fn destructive(&self) -> bool {
        self.texts.iter().any(|t| t.info.destructive)
    }
}

/// What the texts are compiled with.
pub struct Setting<'a> {
    /// Options; pragmas add to them.
    pub options: &'a mut Options,
    /// The running system.
    pub world: &'a mut SystemWorld,
    /// `$1`….
    pub args: &'a [String],
    /// `$target`.
    pub target: Option<i32>,
}

/// Reads, parses and analyses all texts.
pub fn compile(inputs: &[Input], setting: Setting<'_>) -> Result<Compilation, CompileError> {
    let Setting {
        options,
        world,
        args,
        target,
    } = setting;
    let mut sources = SourceMap::default();
    for input in inputs {
        read(input, options, &mut sources)?;
    }
    for (index, input) in inputs.iter().enumerate() {
        set_pragmas(index as u32, input, options, &sources)?;
    }
    let mut sema_options = sema_options(options, target)?;
    let Analysed {
        texts,
        bad,
        interfaces,
        mut program,
    } = loop {
        let mut job = Job {
            compiler: Compiler::new(world, sema_options.clone()),
            sources: &sources,
            options,
            args,
            integers: crate::macros::integers(target),
        };
        job.compiler.add_libraries(libraries::all(options));
        let (texts, bad) = job.all(inputs);
        let wide = job.compiler.wide();
        if bad.is_none() && !wide.is_empty() && !wide.is_subset(&sema_options.wide) {
            sema_options.wide.extend(wide.iter().cloned());
            continue;
        }
        break Analysed {
            texts,
            bad,
            interfaces: job.compiler.interfaces(),
            program: job.compiler.finish(),
        };
    };
    let mut notes = Vec::new();
    if program.probes.iter().any(|p| is_function(&p.probe.site)) {
        let note = crate::functions::share(&mut program, world.function_means());
        notes.extend(note.filter(|_| !world.lists()));
    }
    match bad {
        None => Ok(Compilation {
            texts,
            program,
            sources,
            interfaces,
            wide: sema_options.wide,
            notes: world.notes().into_iter().chain(notes).collect(),
            threads: false,
        }),
        Some((input, mut diagnostics)) => {
            suggest(&mut diagnostics, input, &sources, world);
            Err(rejected(input, diagnostics, &sources, options))
        }
    }
}

fn is_function(site: &image::Site) -> bool {
    use image::Site;
    matches!(
        site,
        Site::KernelFunction { .. } | Site::KernelFunctions { .. }
    )
}

/// Says how to mend descriptions that match no probe: the nearest existing one, or where a process comes from.
fn suggest(
    diagnostics: &mut [Diagnostic],
    input: &Input,
    sources: &SourceMap,
    world: &mut SystemWorld,
) {
    let depth = match input {
        Input::Probe(depth, _) => *depth,
        Input::Script(_) | Input::Own(..) => SpecDepth::Name,
    };
    for d in diagnostics.iter_mut().filter(|d| d.help.is_none()) {
        let text = sources
            .sources
            .get(d.span.source as usize)
            .map_or("", |s| s.text.as_str());
        let spec = text
            .get(d.span.start as usize..d.span.end as usize)
            .unwrap_or_default();
        if d.tag == Tag::D_PROC_BADPID && spec.contains("$target") {
            d.help = Some("$target is the process of -c or -p".into());
        }
        if !matches!(d.tag, Tag::D_PDESC_ZERO | Tag::D_PDESC_INVAL) {
            continue;
        }
        let Ok([provider, module, function, name]) = syntax::split_spec(spec, depth) else {
            continue;
        };
        if let Some(hint) = lang::solaris::probe(&provider, &function, &name) {
            d.help = Some(lang::solaris::help(hint));
            continue;
        }
        if d.tag == Tag::D_PDESC_INVAL {
            continue;
        }
        let nearest = world.suggest(&ProbePattern {
            provider,
            module,
            function,
            name,
        });
        d.help = nearest.map(|n| format!("did you mean {n}?"));
    }
}

/// How much goes into one program by the options.
pub fn budget(options: &Options) -> codegen::Budget {
    let mut budget = codegen::Budget::default();
    if let Some(usual) = options
        .num(Opt::Progsize)
        .and_then(|n| u32::try_from(n).ok())
    {
        budget.usual = usual;
    }
    budget
}

/// An image of a compilation, and the text of its intermediate form if that is wanted.
pub fn generate(
    compilation: &Compilation,
    world: &SystemWorld,
    options: &Options,
    budget: &codegen::Budget,
    text: bool,
) -> Result<codegen::Compiled, CompileError> {
    let last = compilation.texts.last();
    code(&compilation.program, world, budget, (0, text)).map_err(|diagnostics| {
        let input = last.map_or(Input::Probe(SpecDepth::Name, String::new()), |t| {
            t.input.clone()
        });
        rejected(&input, diagnostics, &compilation.sources, options)
    })
}

fn code(
    program: &sema::hir::Program,
    world: &SystemWorld,
    budget: &codegen::Budget,
    (generation, text): (u32, bool),
) -> Result<codegen::Compiled, Vec<Diagnostic>> {
    let facts = facts::KernelFacts::of(world);
    let target = codegen::Target {
        arch: facts::arch(),
        cpus: sys::proc::possible_cpus(),
        facts: &facts,
        generation,
        text,
    };
    codegen::compile_within(program, &target, budget)
}

/// The image of a program that has compiled before, with other limits.
pub(crate) fn image(
    program: &sema::hir::Program,
    world: &SystemWorld,
    budget: &codegen::Budget,
    generation: u32,
) -> Result<image::Image, String> {
    let compiled = code(program, world, budget, (generation, false)).map_err(|diagnostics| {
        let first = diagnostics.first().map(|d| d.message.clone());
        first.unwrap_or_default()
    })?;
    Ok(compiled.image)
}

/// Analyses texts that have compiled before with the probes that there are now.
pub(crate) fn again(
    compilation: &Compilation,
    options: &Options,
    world: &mut SystemWorld,
    target: Option<i32>,
) -> Result<sema::hir::Program, String> {
    let mut sema_options = sema_options(options, target).map_err(|e| e.to_string())?;
    sema_options.wide.clone_from(&compilation.wide);
    let mut compiler = Compiler::new(world, sema_options);
    compiler.add_libraries(libraries::all(options));
    for text in &compilation.texts {
        compiler
            .add(&text.unit, &compilation.sources)
            .map_err(|all| all.first().map_or_else(String::new, |d| d.message.clone()))?;
    }
    let mut program = compiler.finish();
    if compilation.threads {
        crate::picture::record_threads(&mut program);
    }
    Ok(program)
}

struct Job<'a, 'w> {
    compiler: Compiler<'w>,
    sources: &'a SourceMap,
    options: &'a Options,
    args: &'a [String],
    integers: Vec<(String, i64)>,
}

/// What analysing all texts gave.
struct Analysed<'i> {
    texts: Vec<Text>,
    /// The text that was refused.
    bad: Option<(&'i Input, Vec<Diagnostic>)>,
    interfaces: Result<Vec<sema::Interface>, String>,
    program: sema::hir::Program,
}

impl Job<'_, '_> {
    /// Adds texts until one is refused.
    fn all<'i>(
        &mut self,
        inputs: &'i [Input],
    ) -> (Vec<Text>, Option<(&'i Input, Vec<Diagnostic>)>) {
        let mut texts = Vec::new();
        for (index, input) in inputs.iter().enumerate() {
            match self.add(index as u32, input) {
                Ok(text) => texts.push(text),
                Err(diagnostics) => return (texts, Some((input, diagnostics))),
            }
        }
        (texts, None)
    }

    fn add(&mut self, index: u32, input: &Input) -> Result<Text, Vec<Diagnostic>> {
        let text = self
            .sources
            .sources
            .get(index as usize)
            .map_or("", |s| s.text.as_str());
        let (depth, name) = match input {
            Input::Probe(depth, _) => (*depth, "dtrace".to_owned()),
            Input::Script(path) => (SpecDepth::Name, path.display().to_string()),
            Input::Own(name, _) => (SpecDepth::Name, (*name).to_owned()),
        };
        let macros = Macros {
            args: std::iter::once(name)
                .chain(self.args.iter().cloned())
                .collect(),
            ints: self.integers.clone(),
            default_args: self.options.flag(Opt::Defaultargs),
        };
        let unit = syntax::parse(ParseInput {
            source: index,
            text,
            library: false,
            bare_specs: matches!(input, Input::Probe(..)) || self.options.flag(Opt::Pspec),
            depth,
            empty_ok: self.options.flag(Opt::Empty),
            macros: &macros,
            types: &mut self.compiler,
        })?;
        if !self.options.flag(Opt::Argref) {
            unused_argument(&unit, &macros, index, text)?;
        }
        let info = self.compiler.add(&unit, self.sources)?;
        Ok(Text {
            input: input.clone(),
            unit,
            info,
        })
    }
}

fn unused_argument(
    unit: &ast::Unit,
    macros: &Macros,
    source: u32,
    text: &str,
) -> Result<(), Vec<Diagnostic>> {
    let unused = (1..macros.args.len()).find(|n| !unit.args_used.get(*n).copied().unwrap_or(false));
    let Some((n, arg)) = unused.and_then(|n| Some((n, macros.args.get(n)?))) else {
        return Ok(());
    };
    let end = text.trim_end().len() as u32;
    let message = format!("extraneous argument '{arg}' (${n} is not referenced)");
    let d = Diagnostic::new(
        Tag::D_MACRO_UNUSED,
        Span {
            source,
            start: end,
            end,
        },
        Region::None,
        message,
    );
    Err(vec![d.with_help("leave the argument out, or set -xargref")])
}

fn rejected(
    input: &Input,
    diagnostics: Vec<Diagnostic>,
    sources: &SourceMap,
    options: &Options,
) -> CompileError {
    CompileError::Rejected(Box::new(Rejected {
        title: input.failed(),
        diagnostics,
        sources: sources.clone(),
        errtags: options.flag(Opt::Errtags),
    }))
}

/// Reads one text into the source map.
fn read(input: &Input, options: &Options, sources: &mut SourceMap) -> Result<(), CompileError> {
    let (origin, text) = match input {
        Input::Probe(_, text) | Input::Own(_, text) => (Origin::CommandLine, text.clone()),
        Input::Script(path) => (
            Origin::Script(path.display().to_string()),
            script(path, options)?,
        ),
    };
    sources.add(origin, text);
    Ok(())
}

fn script(path: &Path, options: &Options) -> Result<String, CompileError> {
    let mut bytes = files::bytes(path)?;
    if options.flag(Opt::Cpp) {
        bytes = cpp::run(path, &bytes, options).map_err(|e| CompileError::Cpp(path.into(), e))?;
    }
    Ok(files::text(path, bytes)?)
}

/// Sets the options that a text's `#pragma D option` lines ask for.
fn set_pragmas(
    index: u32,
    input: &Input,
    options: &mut Options,
    sources: &SourceMap,
) -> Result<(), CompileError> {
    let text = sources
        .sources
        .get(index as usize)
        .map_or("", |s| s.text.as_str());
    for (name, value, span) in syntax::scan_options(index, text) {
        if let Err(why) = options.set(&name, value.as_deref(), Setter::Pragma) {
            let to = value.map_or_else(String::new, |v| format!(" to '{v}'"));
            let message = format!("failed to set option '{name}'{to}: {why}");
            let mut d = Diagnostic::new(Tag::D_PRAGMA_OPTSET, span, Region::None, message);
            d.help = why.nearest(&name).map(|n| format!("did you mean {n}?"));
            return Err(rejected(input, vec![d], sources, options));
        }
    }
    Ok(())
}

fn sema_options(options: &Options, target: Option<i32>) -> Result<sema::Options, CompileError> {
    let version = match options.text(Opt::Version) {
        None => Version::CURRENT,
        Some(text) => {
            let bad = CompileError::Version("Version is not properly formatted or is too large");
            let version = Version::parse(&text).ok_or(bad)?;
            if !version.is_defined() {
                return Err(CompileError::Version(
                    "Requested version is not supported by compiler",
                ));
            }
            version
        }
    };
    let amin = match options.text(Opt::Amin) {
        None => None,
        Some(text) => Some(Stability::parse(&text).ok_or(CompileError::Amin)?),
    };
    Ok(sema::Options {
        limits: options.limits(),
        zdefs: options.flag(Opt::Zdefs),
        amin,
        version,
        target: target.is_some(),
        wide: sema::Wide::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptions_are_cropped() {
        let described = |t: &str| Input::Probe(SpecDepth::Name, t.into()).described();
        assert_eq!(described("BEGIN { exit(0); }"), "description 'BEGIN '");
        assert_eq!(
            described("syscall::read:entry /pid == 1/"),
            "description 'syscall::read:entry '"
        );
        assert_eq!(Input::Script("a/b.d".into()).described(), "script 'a/b.d'");
    }

    #[test]
    fn versions_and_stability_are_checked() {
        let with = |name: &str, value: &str| {
            let mut options = Options::default();
            options
                .set(name, Some(value), Setter::CommandLine)
                .expect("an option");
            sema_options(&options, None)
        };
        assert!(with("version", "1.6").is_ok());
        assert!(matches!(
            with("version", "x"),
            Err(CompileError::Version(_))
        ));
        assert!(matches!(
            with("version", "1.99"),
            Err(CompileError::Version(_))
        ));
        assert!(with("amin", "Stable/Stable/Common").is_ok());
        assert!(matches!(with("amin", "Stable"), Err(CompileError::Amin)));
    }
}

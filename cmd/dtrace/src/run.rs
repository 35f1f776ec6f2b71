//! Tracing, listing and compiling, as the command line asks.

use crate::args::{Args, Form, Target, Text};
use crate::flags::Flag;
use crate::report::{self, Reporter};
use crate::{ERROR, USAGE, list, print, refuse};
use lang::options::Opt;
use session::{
    Compilation, CompileError, Input, PictureFile, Plan, Session, Setter, SpecDepth, Stage, Victims,
};
use std::fmt::Write as _;
use std::io::Write as _;

/// What stopped a mode early: the exit status, its message printed.
type Stop = u8;

/// Traces.
pub fn exec(args: &Args) -> u8 {
    run(args).unwrap_or_else(|status| status)
}

/// Lists probes.
pub fn list(args: &Args) -> u8 {
    listing(args).unwrap_or_else(|status| status)
}

/// A session with the options of environment and command line.
pub(crate) fn prepare(args: &Args) -> Result<Session, Stop> {
    let mut session = Session::new();
    if let Form::Picture(picture) = args.form {
        let set = session.expect(picture);
        set.map_err(|why| refuse(&why.to_string()))?;
    }
    let env = std::env::vars_os()
        .filter_map(|(n, v)| Some((n.into_string().ok()?, v.into_string().ok()?)));
    session
        .options
        .set_from_env(env)
        .map_err(|e| refuse(&e.to_string()))?;
    for (name, value) in &args.options {
        if let Err(why) = session
            .options
            .set(name, value.as_deref(), Setter::CommandLine)
        {
            let refused = refuse(&format!("failed to set -x {name}: {why}"));
            if let Some(near) = why.nearest(name) {
                report::help(&format!("did you mean {near}?"));
            }
            return Err(refused);
        }
    }
    Ok(session)
}

pub(crate) fn inputs(args: &Args) -> Vec<Input> {
    let depth = |flag: &Flag| match flag {
        Flag::Provider => SpecDepth::Provider,
        Flag::Module => SpecDepth::Module,
        Flag::Function => SpecDepth::Function,
        _ => SpecDepth::Name,
    };
    let input = |text: &Text| match text {
        Text::Probe(flag, text) => Input::Probe(depth(flag), text.clone()),
        Text::Script(path) => Input::Script(path.clone()),
    };
    args.texts.iter().map(input).collect()
}

fn compile(session: &mut Session, args: &Args, target: Option<i32>) -> Result<Compilation, Stop> {
    session
        .compile(&inputs(args), &args.operands, target)
        .map_err(|e| failed(&e))
}

/// Says why a program could not be compiled.
pub(crate) fn failed(error: &CompileError) -> Stop {
    match error {
        CompileError::Rejected(rejected) => report::rejected(rejected),
        CompileError::Read(_)
        | CompileError::Cpp(..)
        | CompileError::Version(_)
        | CompileError::Amin => {
            report::message(&error.to_string());
        }
    }
    ERROR
}

fn run(args: &Args) -> Result<u8, Stop> {
    let mut session = prepare(args)?;
    let stage = stage(args)?;
    if args.texts.is_empty() {
        return Err(refuse("no probes specified"));
    }
    let tracing = stage.is_none() && !args.compile_only;
    if tracing {
        session::may_trace().map_err(|why| refuse(&why))?;
    }
    let canvas = match args.form {
        Form::Picture(_) if tracing => Some(canvas(args)?),
        Form::Picture(_) | Form::Text | Form::Json => None,
    };
    let pid = follow(&mut session, args, tracing)?;
    let mut compilation = compile(&mut session, args, pid)?;
    let plan = plan(&session, args, &mut compilation)?;
    if let Some(stage) = stage {
        return dump(&session, &compilation, stage);
    }
    let code = session
        .generate(&compilation, false)
        .map_err(|e| failed(&e))?;
    if session.options.flag(Opt::Verbose) {
        report::raw(&session::dump::asm(&code.image));
    }
    if args.compile_only {
        return Ok(if args.verbose {
            print(&stability(&session, &compilation))
        } else {
            0
        });
    }
    let matched: usize = compilation.texts.iter().map(|t| t.info.matched).sum();
    if matched == 0 && !session.options.flag(Opt::Zdefs) {
        return Err(refuse("no probes matched"));
    }
    announce(&session, &compilation);
    let picture = plan.zip(canvas);
    if args.verbose {
        let text = stability(&session, &compilation);
        match &picture {
            Some(_) => report::raw(&text),
            None => output(args, &text)?,
        }
    }
    let job = session::Job {
        destructive: compilation.destructive(),
        program: compilation.program.clone(),
        image: code.image,
        victims: session.victims(),
        output: match &picture {
            Some(_) => session::Destination::Standard,
            None => args.output.clone().into(),
        },
        json: args.form == Form::Json,
        compilation,
    };
    trace(&mut session, job, picture)
}

/// Takes the processes that are to be followed, and gives the first one's number.
fn follow(session: &mut Session, args: &Args, tracing: bool) -> Result<Option<i32>, Stop> {
    let targets: Vec<session::Target> = args.targets.iter().map(target).collect();
    // Descriptions may ask for functions of a command.
    let follows = tracing || session::may_trace().is_ok();
    let victims = if follows {
        Victims::take(&targets, &session.options)
    } else {
        Ok(Victims::default())
    };
    let victims = victims.map_err(|e| refuse(&e.to_string()))?;
    let pid = victims
        .target()
        .or(args.targets.iter().find_map(|t| match t {
            Target::Pid(pid) => Some(*pid),
            Target::Command(_) => None,
        }));
    session.follow(victims);
    Ok(pid)
}

/// Where the picture goes.
fn canvas(args: &Args) -> Result<PictureFile, Stop> {
    PictureFile::open(args.output.as_deref()).map_err(|e| refuse(&e.to_string()))
}

/// What the picture shows, if there is to be one.
fn plan(
    session: &Session,
    args: &Args,
    compilation: &mut Compilation,
) -> Result<Option<Plan>, Stop> {
    let Form::Picture(picture) = args.form else {
        return Ok(None);
    };
    let plan = session
        .plan(picture, compilation)
        .map_err(|why| refuse(&why))?;
    if !session.options.flag(Opt::Quiet) {
        plan.notes.iter().for_each(|n| report::message(n));
    }
    Ok(Some(plan))
}

fn trace(
    session: &mut Session,
    job: session::Job,
    picture: Option<(Plan, PictureFile)>,
) -> Result<u8, Stop> {
    let traced = match picture {
        None => session::trace(session, job, &mut Reporter),
        Some((plan, file)) => session::draw(session, job, &mut Reporter, plan, file),
    };
    let status = traced.map_err(|e| {
        let refused = refuse(&e.to_string());
        if let session::TraceError::Destructive = e {
            crate::report::help("-w allows them");
        }
        refused
    })?;
    // An exit status is what the low byte of the number is.
    Ok(status as u8)
}

fn target(target: &Target) -> session::Target {
    match target {
        Target::Command(command) => session::Target::Command(command.clone()),
        Target::Pid(pid) => session::Target::Pid(*pid),
    }
}

fn stage(args: &Args) -> Result<Option<Stage>, Stop> {
    let Some(name) = &args.dump else {
        return Ok(None);
    };
    Stage::parse(name).map(Some).ok_or_else(|| {
        report::message(&format!("invalid stage: {name} (ast, typed, ir or asm)"));
        USAGE
    })
}

fn dump(session: &Session, compilation: &Compilation, stage: Stage) -> Result<u8, Stop> {
    let generate = |text| session.generate(compilation, text).map_err(|e| failed(&e));
    let text = match stage {
        Stage::Ast => session::dump::ast(compilation),
        Stage::Typed => session::dump::typed(compilation),
        Stage::Ir => generate(true)?.ir,
        Stage::Asm => session::dump::asm(&generate(false)?.image),
    };
    Ok(print(&text))
}

/// What is known before tracing begins: matches, destructive actions.
fn announce(session: &Session, compilation: &Compilation) {
    if session.options.flag(Opt::Quiet) {
        return;
    }
    compilation.notes.iter().for_each(|n| report::message(n));
    for text in &compilation.texts {
        let matched = text.info.matched;
        let plural = if matched == 1 { "" } else { "s" };
        report::message(&format!(
            "{} matched {matched} probe{plural}",
            text.input.described()
        ));
    }
    if session.options.flag(Opt::Destructive) {
        report::message("allowing destructive actions");
    }
}

/// `-v`: the stability of each text.
fn stability(session: &Session, compilation: &Compilation) -> String {
    let mut text = String::new();
    for (n, t) in compilation.texts.iter().enumerate() {
        let described = t.input.described().replace('\'', "");
        // Writing to a String cannot fail.
        let _ = writeln!(text, "\nStability attributes for {described}:");
        let description = session.description_stability(&t.info.descriptions);
        text += &list::attributes("Minimum Probe Description Attributes", description);
        text += &list::attributes("Minimum Statement Attributes", t.info.stability.into());
        match session.stepped(compilation.probes_of(n)) {
            0 => {}
            // Writing to a String cannot fail.
            n => drop(writeln!(
                text,
                "\n\tThe kernel single-steps the instruction of {n} probe{}: 20 times the cost (list them with -lv)",
                if n == 1 { "" } else { "s" }
            )),
        }
    }
    text.push('\n');
    text
}

/// Prints to where the output goes, before tracing does.
fn output(args: &Args, text: &str) -> Result<(), Stop> {
    let Some(path) = &args.output else {
        return match print(text) {
            0 => Ok(()),
            status => Err(status),
        };
    };
    let file = std::fs::File::options()
        .append(true)
        .create(true)
        .open(path);
    let written = file.and_then(|mut f| f.write_all(text.as_bytes()));
    written.map_err(|e| {
        refuse(&format!(
            "failed to open output file '{}': {}",
            path.display(),
            session::plain(&e)
        ))
    })
}

fn listing(args: &Args) -> Result<u8, Stop> {
    let mut session = prepare(args)?;
    session.begin_list();
    let mut status = 0;
    let json = args.form == Form::Json;
    let mut text = if json { String::new() } else { list::header() };
    let probes = if args.texts.is_empty() {
        let probes = session
            .probes()
            .map_err(|why| refuse(&format!("failed to list probes: {why}")))?;
        session.notes().iter().for_each(|n| report::message(n));
        probes
    } else {
        let targets: Vec<session::Target> = args.targets.iter().map(target).collect();
        let victims =
            Victims::take(&targets, &session.options).map_err(|e| refuse(&e.to_string()))?;
        let pid = victims.target();
        session.follow(victims);
        let compilation = compile(&mut session, args, pid)?;
        compilation.notes.iter().for_each(|n| report::message(n));
        let mut probes = Vec::new();
        for n in 0..compilation.texts.len() {
            let before = probes.len();
            probes.extend(compilation.probes_of(n).cloned());
            if probes.len() == before {
                let described = compilation
                    .texts
                    .get(n)
                    .map(|t| t.input.described())
                    .unwrap_or_default();
                report::message(&format!(
                    "failed to match {described}: No probe matches description"
                ));
                status = ERROR;
            }
        }
        probes
    };
    if !json && !args.verbose {
        list::rows(&mut text, &probes);
    } else {
        for p in &probes {
            let known = args.verbose.then(|| session.describe(p));
            text += &list::told(p, known.as_ref(), json);
        }
    }
    let printed = print(&text);
    // The process ends now, and giving back a hundred thousand probes one by one takes a while.
    std::mem::forget(probes);
    Ok(status.max(printed))
}

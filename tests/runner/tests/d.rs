//! `cargo test -p dtests`: every test below `tests/d`. The command under test is `$DTRACE`, or is built here; so are the
//! commands around it, `$TOOLS`.

use dtests::{case::Case, host, run};
use libtest_mimic::{Arguments, Failed, Trial};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    let mut args = Arguments::from_args();
    // Live tests share the machine with what they measure.
    args.test_threads = args.test_threads.or(Some(2));
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../d");
    let mut cases = Vec::new();
    collect(&root, &root, &mut cases);
    let (dtrace, tools) = if args.list {
        <(PathBuf, PathBuf)>::default()
    } else {
        (binary(), tools())
    };
    let made = Made { dtrace, tools };
    let mut skipped: BTreeMap<String, usize> = BTreeMap::new();
    let small: Vec<Trial> = cut_up(&cases)
        .map(|case| run_trial(case.clone(), &made, Some(SMALLEST)))
        .collect();
    if let Some(filter) = &args.filter {
        cases.retain(|case| {
            case.as_ref()
                .map_or(true, |case| case.name.contains(filter))
        });
    }
    let mut trials: Vec<Trial> = cases
        .into_iter()
        .map(|c| trial(c, &made, &mut skipped))
        .collect();
    trials.extend(small);
    for (why, n) in &skipped {
        eprintln!("NOT RUN: {n} tests: {why}");
    }
    libtest_mimic::run(&args, trials).exit();
}

/// What is tested.
#[derive(Clone)]
struct Made {
    dtrace: PathBuf,
    tools: PathBuf,
}

fn trial(case: Result<Case, String>, made: &Made, skipped: &mut BTreeMap<String, usize>) -> Trial {
    let case = match case {
        Ok(case) => case,
        Err(why) => return Trial::test(why.clone(), move || Err(Failed::from(why))),
    };
    let missing = case
        .needs
        .iter()
        .find_map(|need| host::missing(need, &made.dtrace));
    if let Some(why) = missing {
        *skipped.entry(why).or_default() += 1;
    }
    run_trial(case, made, None)
}

/// Runs a case, with a variable of the environment perhaps.
fn run_trial(case: Case, made: &Made, with: Option<(&'static str, &'static str)>) -> Trial {
    let mut needs = case.needs.iter();
    let missing = needs.any(|need| host::missing(need, &made.dtrace).is_some());
    let made = made.clone();
    let name = match with {
        Some((variable, value)) => format!("{variable}={value} {}", case.name),
        None => case.name.clone(),
    };
    let trial = Trial::test(name, move || {
        let mut command = run::command(&case, &made.dtrace);
        command.env("TOOLS", &made.tools).envs(with);
        let outcome = run::run(command, case.timeout * slowness())
            .map_err(|e| Failed::from(e.to_string()))?;
        run::judge(&case, &outcome).map_err(Failed::from)
    });
    trial.with_ignored_flag(missing)
}

/// Puts every statement into a BPF program of its own.
const SMALLEST: (&str, &str) = ("DTRACE_OPT_PROGSIZE", "1");

/// Areas whose tests are about what clauses compute; of each so many of its tests run with [`SMALLEST`] too.
const CUT_UP: [(&str, usize); 9] = [
    ("aggs/", 14),
    ("predicates/", 5),
    ("printf/", 6),
    ("spec/", 4),
    ("split/", 3),
    ("strings/", 5),
    ("subr/", 12),
    ("types/", 6),
    ("variables/", 10),
];

/// Evenly spread over each area, D programs only.
fn cut_up(cases: &[Result<Case, String>]) -> impl Iterator<Item = &Case> {
    CUT_UP.iter().flat_map(|(area, wanted)| {
        let of_area: Vec<&Case> = cases
            .iter()
            .flatten()
            .filter(|c| c.name.starts_with(&format!("{area}tst.")) && c.name.ends_with(".d"))
            .collect();
        let step = of_area.len().div_ceil(*wanted).max(1);
        of_area.into_iter().step_by(step)
    })
}

/// How many times as long as on an ordinary machine a test may take (`$SLOW`).
fn slowness() -> u32 {
    let told = std::env::var("SLOW")
        .ok()
        .and_then(|text| text.parse().ok());
    told.unwrap_or(1)
}

fn collect(root: &Path, dir: &Path, cases: &mut Vec<Result<Case, String>>) {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(dir)
        .into_iter()
        .flatten()
        .flatten()
        .map(|e| e.path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            collect(root, &path, cases);
        } else if let Some(case) = Case::read(
            root,
            &path,
            &String::from_utf8_lossy(&std::fs::read(&path).unwrap_or_default()),
        ) {
            cases.push(case);
        }
    }
}

/// The command under test: `$DTRACE`, or one built here with this program's profile.
fn binary() -> PathBuf {
    if let Some(path) = given("DTRACE") {
        return path;
    }
    built("dtrace", "dtrace")
}

/// The program of the commands around it: `$TOOLS`, or the one beside `$DTRACE`, or one built here.
fn tools() -> PathBuf {
    if let Some(path) = given("TOOLS") {
        return path;
    }
    match given("DTRACE") {
        Some(dtrace) => dtrace.with_file_name("dtrace-tools"),
        None => built("tools", "dtrace-tools"),
    }
}

/// A path from the environment.
fn given(variable: &str) -> Option<PathBuf> {
    let path = std::env::var_os(variable).filter(|p| !p.is_empty())?;
    Some(std::path::absolute(path).expect("a path"))
}

fn built(package: &str, name: &str) -> PathBuf {
    let mut build = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    build.args(["build", "-q", "-p", package]);
    build.arg("--message-format=json");
    if !cfg!(debug_assertions) {
        build.arg("--release");
    }
    let output = build
        .stderr(std::process::Stdio::inherit())
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "cargo build -p {package} failed");
    let messages = String::from_utf8_lossy(&output.stdout);
    let wanted = format!("\"name\":\"{name}\"");
    let path = messages.lines().filter(|l| l.contains(&wanted));
    let path = path
        .filter_map(|l| l.split_once("\"executable\":\"")?.1.split('"').next())
        .next_back();
    PathBuf::from(path.expect("cargo tells where the command is"))
}

//! `cargo test -p dtests`: every test below `tests/d`. The command under test is `$DTRACE`, or is built here.

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
    let dtrace = if args.list { PathBuf::new() } else { binary() };
    let mut skipped: BTreeMap<String, usize> = BTreeMap::new();
    if let Some(filter) = &args.filter {
        cases.retain(|case| {
            case.as_ref()
                .map_or(true, |case| case.name.contains(filter))
        });
    }
    let trials = cases
        .into_iter()
        .map(|c| trial(c, &dtrace, &mut skipped))
        .collect();
    for (why, n) in &skipped {
        eprintln!("NOT RUN: {n} tests: {why}");
    }
    libtest_mimic::run(&args, trials).exit();
}

fn trial(
    case: Result<Case, String>,
    dtrace: &Path,
    skipped: &mut BTreeMap<String, usize>,
) -> Trial {
    let case = match case {
        Ok(case) => case,
        Err(why) => return Trial::test(why.clone(), move || Err(Failed::from(why))),
    };
    let missing = case
        .needs
        .iter()
        .find_map(|need| host::missing(need, dtrace));
    if let Some(why) = &missing {
        *skipped.entry(why.clone()).or_default() += 1;
    }
    let dtrace = dtrace.to_path_buf();
    let trial = Trial::test(case.name.clone(), move || {
        let outcome = run::run(run::command(&case, &dtrace), case.timeout * slowness())
            .map_err(|e| Failed::from(e.to_string()))?;
        run::judge(&case, &outcome).map_err(Failed::from)
    });
    trial.with_ignored_flag(missing.is_some())
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
    if let Some(path) = std::env::var_os("DTRACE").filter(|p| !p.is_empty()) {
        return std::path::absolute(path).expect("a path");
    }
    let mut build = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    build.args(["build", "-q", "-p", "dtrace", "--message-format=json"]);
    if !cfg!(debug_assertions) {
        build.arg("--release");
    }
    let output = build
        .stderr(std::process::Stdio::inherit())
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "cargo build -p dtrace failed");
    let messages = String::from_utf8_lossy(&output.stdout);
    let path = messages
        .lines()
        .filter(|l| l.contains("\"name\":\"dtrace\""));
    let path = path
        .filter_map(|l| l.split_once("\"executable\":\"")?.1.split('"').next())
        .next_back();
    PathBuf::from(path.expect("cargo tells where the command is"))
}

//! Whatever compiles must pass the running kernel's verifier, and run. Needs the right to load programs.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use fuzz::pipeline::Code;
use fuzz::{Bench, Outcome, Run, programs};
use image::Site;
use kernel::{LoadError, LoadOptions, Loaded};

/// Where programs are cut: as by default, in the middle, after each statement.
const PROGSIZES: [u32; 4] = [16_000, 16_000, 300, 1];
/// A machine with more CPUs than share an aggregation's entry or choose their buffers by comparing.
const MANY_CPUS: u32 = 64;
/// Every so many programs are attached for a moment.
const ATTACH_EVERY: u64 = 40;

fn load(code: &Code) -> Result<Loaded, LoadError> {
    Loaded::load(&code.compiled.image, &LoadOptions::default())
}

/// Runs what can be run at will.
fn run(code: &Code, loaded: &Loaded) -> Result<(), LoadError> {
    for (n, p) in code.compiled.image.programs.iter().enumerate() {
        if matches!(p.site, Site::Begin | Site::End | Site::Tick { .. }) {
            loaded.open();
            loaded.run(n, &[0; 12], None)?;
        }
    }
    Ok(())
}

/// Lets the programs see a few events.
fn attach(loaded: &mut Loaded) -> Result<(), LoadError> {
    loaded.attach()?;
    loaded.open();
    let _ = std::fs::read("/proc/self/stat");
    std::thread::sleep(Duration::from_millis(3));
    loaded.close();
    loaded.detach();
    Ok(())
}

/// Removes lines while the program stays one that the kernel refuses.
fn shrink(bench: &mut Bench, text: &str) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    let mut refused = |lines: &[&str]| match bench.compile(&lines.join("\n")) {
        Outcome::Compiled(code) => matches!(load(&code), Err(LoadError::Refused(_))),
        Outcome::Rejected(_) | Outcome::Unlowered(_) => false,
    };
    let mut size = lines.len() / 2;
    while size > 0 {
        let mut at = 0;
        while at + size <= lines.len() {
            let mut fewer = lines.clone();
            fewer.drain(at..at + size);
            if refused(&fewer) {
                lines = fewer;
            } else {
                at += 1;
            }
        }
        size /= 2;
    }
    lines.join("\n")
}

/// The verifier gave up.
fn too_long(reason: &str) -> bool {
    ["too large", "too complex"]
        .iter()
        .any(|t| reason.contains(t))
}

fn tail(log: &str) -> String {
    let lines: Vec<&str> = log.lines().collect();
    lines[lines.len().saturating_sub(40)..].join("\n")
}

/// Says why a program failed, made as small as may be.
fn report(bench: &mut Bench, seed: u64, text: &str, error: &LoadError) -> String {
    // Each load of a program that is too complex takes seconds: it stays as it is.
    if !matches!(error, LoadError::Refused(r) if !too_long(&r.reason)) {
        return format!("FUZZ_SEED={seed}: {error}\n{text}");
    }
    let small = shrink(bench, text);
    let (log, ir) = match bench.compile(&small) {
        Outcome::Compiled(code) => match load(&code) {
            Err(LoadError::Refused(r)) => (tail(&r.log), code.compiled.ir),
            _ => Default::default(),
        },
        _ => Default::default(),
    };
    let ir = if ir.len() < 20_000 { ir } else { String::new() };
    format!("FUZZ_SEED={seed}: {error}\n{small}\n{ir}\n{log}")
}

#[test]
fn what_compiles_is_loaded_and_runs() {
    if !sys::proc::may_trace() {
        eprintln!("not run: needs root");
        return;
    }
    // Of so many CPUs the code differs in places.
    let mut benches = [sys::proc::possible_cpus(), MANY_CPUS].map(Bench::live);
    let mut reasons: BTreeMap<String, u32> = BTreeMap::new();
    let mut slowest = (Duration::ZERO, 0);
    let (mut loaded_ones, mut failures) = (0u64, Vec::new());
    let keep_going = std::env::var_os("FUZZ_KEEP_GOING").is_some();
    for seed in Run::new(5) {
        let text = programs::random(seed, seed % 10 == 0);
        let bench = &mut benches[usize::from(seed % 5 == 0)];
        let sizes = [256, 256, 256, 16, 1, 512, 4096, 65536];
        bench.limits.strsize = sizes[(seed % 8) as usize];
        bench.budget.usual = PROGSIZES[(seed / 7 % PROGSIZES.len() as u64) as usize];
        let outcome = bench.compile(&text);
        let code = match outcome {
            Outcome::Compiled(code) => code,
            Outcome::Rejected(d) | Outcome::Unlowered(d) => {
                let why = d
                    .first()
                    .map_or(String::new(), |d| format!("{} {}", d.tag.name(), d.message));
                *reasons.entry(why).or_default() += 1;
                continue;
            }
        };
        let start = Instant::now();
        let result = load(&code).and_then(|mut loaded| {
            if !code.destructive {
                run(&code, &loaded)?;
                if seed % ATTACH_EVERY == 0 {
                    attach(&mut loaded)?;
                }
            }
            Ok(())
        });
        match result {
            Ok(()) => {
                loaded_ones += 1;
                slowest = slowest.max((start.elapsed(), seed));
            }
            Err(e) => {
                let report = report(bench, seed, &text, &e);
                if !keep_going {
                    panic!("{report}");
                }
                println!("{report}\n--------");
                failures.push(seed);
            }
        }
    }
    let mut reasons: Vec<(u32, String)> = reasons.into_iter().map(|(s, n)| (n, s)).collect();
    reasons.sort_unstable_by(|a, b| b.cmp(a));
    let refused: u32 = reasons.iter().map(|(n, _)| n).sum();
    println!("slowest to load: {slowest:?}");
    println!("{loaded_ones} programs loaded and ran, {refused} did not compile:");
    for (n, why) in reasons.iter().take(25) {
        println!("{n:6} {why}");
    }
    assert!(
        failures.is_empty(),
        "{} failures: {failures:?}",
        failures.len()
    );
}

//! Text must be refused or compiled: never a panic, never more than a second, never an error that is our own fault.

use std::time::{Duration, Instant};

use fuzz::harm::{LONGEST, fault};
use fuzz::{Bench, Outcome, Run, mutate};

/// Removes characters while the fault stays.
fn shrink(text: &str) -> String {
    let mut list: Vec<char> = text.chars().collect();
    let start = Instant::now();
    let mut size = list.len() / 2;
    while size > 0 && start.elapsed() < Duration::from_secs(20) {
        let mut at = 0;
        while at + size <= list.len() {
            let mut fewer = list.clone();
            fewer.drain(at..at + size);
            let text: String = fewer.iter().collect();
            if fault(|| Bench::fixture().compile(&text)).is_some() {
                list = fewer;
            } else {
                at += size;
            }
        }
        size /= 2;
    }
    list.into_iter().collect()
}

#[test]
fn text_is_refused_or_compiled() {
    let mut bench = Bench::fixture();
    let keep_going = std::env::var_os("FUZZ_KEEP_GOING").is_some();
    let (mut compiled, mut refused, mut faults) = (0u64, 0u64, 0u64);
    for seed in Run::new(5) {
        let text = mutate::text(seed);
        let mut ok = false;
        let found = fault(|| {
            let outcome = bench.compile(&text);
            ok = matches!(outcome, Outcome::Compiled(_));
            outcome
        });
        // Other work on the machine must not count: what took long is tried again.
        let again = |why: &String| {
            !why.starts_with("took")
                || (0..3).all(|_| fault(|| Bench::fixture().compile(&text)).is_some())
        };
        if let Some(why) = found.filter(again) {
            let small = shrink(&text);
            let small = if small.len() > 3000 {
                &small[..3000]
            } else {
                &small
            };
            if !keep_going {
                panic!("FUZZ_SEED={seed}: {why}\n{small}");
            }
            println!("FUZZ_SEED={seed}: {why}\n{small}\n--------");
            bench = Bench::fixture();
            faults += 1;
        } else if ok {
            compiled += 1;
        } else {
            refused += 1;
        }
    }
    println!("{compiled} texts compiled, {refused} were refused, {faults} did harm");
    assert_eq!(faults, 0);
}

#[test]
fn the_corpus_compiles() {
    let mut bench = Bench::fixture();
    let list: Vec<String> = mutate::CORPUS
        .iter()
        .filter_map(|text| Some(format!("{text}: {}", bench.compile(text).error()?.message)))
        .collect();
    println!("{}", list.join("\n"));
    assert!(list.len() < mutate::CORPUS.len() / 2);
}

/// Faults of every kind must be found, or the fuzzer proves nothing.
#[test]
fn faults_are_noticed() {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let panicked = fault(|| panic!("canary"));
    std::panic::set_hook(hook);
    assert_eq!(panicked.as_deref(), Some("panic: canary"));
    assert!(fault(|| Outcome::Rejected(Vec::new())).is_some());
    let slow = fault(|| {
        std::thread::sleep(LONGEST + Duration::from_millis(10));
        Bench::fixture().compile("BEGIN")
    });
    assert!(slow.is_some_and(|why| why.starts_with("took")));
    assert_eq!(fault(|| Bench::fixture().compile("BEGIN")), None);
}

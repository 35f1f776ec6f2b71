//! `many COUNT [FIRST]`: compiles the texts of COUNT seeds in the fixed world, says what did harm (with its seed, for
//! `FUZZ_SEED`), and how far it is. Build it with `--profile fuzz`: optimised, with overflow checks, and panics unwind.

use std::time::Instant;

use fuzz::harm::fault;
use fuzz::{Bench, Outcome, mutate};

/// Seeds between two lines of progress.
const STEP: u64 = 100_000;
/// Seeds after which a new world is made, so that nothing grows for ever.
const WORLD: u64 = 10_000;

fn main() {
    let mut args = std::env::args()
        .skip(1)
        .map_while(|a| a.parse::<u64>().ok());
    let (count, first) = (args.next().unwrap_or(STEP), args.next().unwrap_or(0));
    std::panic::set_hook(Box::new(|_| {}));
    let (mut compiled, mut harm) = (0u64, 0u64);
    let start = Instant::now();
    let mut bench = Bench::fixture();
    for n in 0..count {
        if n % WORLD == 0 {
            bench = Bench::fixture();
        }
        let seed = first + n;
        let text = mutate::brief(seed);
        let found = fault(|| {
            let outcome = bench.compile(&text);
            compiled += u64::from(matches!(outcome, Outcome::Compiled(_)));
            outcome
        });
        if let Some(why) = found {
            harm += 1;
            bench = Bench::fixture();
            println!("seed {seed}: {why}\n{text}\n--------");
        }
        if (n + 1) % STEP == 0 {
            let seconds = start.elapsed().as_secs();
            println!(
                "{} texts in {seconds} s: {compiled} compiled, {harm} did harm",
                n + 1
            );
        }
    }
    println!("{count} texts from seed {first}: {compiled} compiled, {harm} did harm");
}

//! `show SEED` prints the random program of a seed; `show FILE…` compiles each file for this kernel, loads it, and prints
//! what the verifier made of it.

use fuzz::{Bench, Outcome, programs};
use kernel::{LoadError, LoadOptions, Loaded};

fn main() {
    for arg in std::env::args().skip(1) {
        match arg.parse::<u64>() {
            Ok(seed) => println!("{}", programs::random(seed, seed % 10 == 0)),
            Err(_) => match std::fs::read_to_string(&arg) {
                Ok(text) => show(&arg, &text),
                Err(_) => show("text", &arg),
            },
        }
    }
}

fn show(name: &str, text: &str) {
    let mut bench = Bench::live(sys::proc::possible_cpus());
    if let Some(n) = std::env::var("STRSIZE").ok().and_then(|v| v.parse().ok()) {
        bench.limits.strsize = n;
    }
    let code = match bench.compile(text) {
        Outcome::Compiled(code) => code,
        Outcome::Rejected(d) | Outcome::Unlowered(d) => {
            d.iter().for_each(|d| println!("{name}: {}", d.message));
            return;
        }
    };
    let image = &code.compiled.image;
    match Loaded::load(image, &LoadOptions::default()) {
        Ok(loaded) => {
            for (p, info) in image
                .programs
                .iter()
                .zip(loaded.program_info().unwrap_or_default())
            {
                println!(
                    "{name}: {} {} instructions, {} verified",
                    p.name,
                    p.insns.len(),
                    info.verified_insns
                );
            }
        }
        Err(LoadError::Refused(r)) => {
            println!("{name}: {} {}:{}: {}", r.program, r.line, r.col, r.reason);
            if std::env::var_os("LOG").is_some() {
                println!("{}\n{}", code.compiled.ir, r.log);
            }
        }
        Err(e) => println!("{name}: {e}"),
    }
}

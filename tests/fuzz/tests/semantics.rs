//! What compiled programs compute, against models: expressions, buckets of the quantizing functions, sums of squares.

use fuzz::exprs::{self, DivZero, Expr, State};
use fuzz::machine::Machine;
use fuzz::{Bench, Outcome, Rng, Run};

/// Value of a result that was not computed because its clause stopped.
const UNTOUCHED: i64 = 0x5a5a_5a5a_5a5a;
/// Expressions of one program.
const BATCH: usize = 12;

/// A program of several expressions, each in a clause of its own.
struct Batch {
    text: String,
    wanted: Vec<i64>,
}

fn program(seed: u64) -> Batch {
    let mut rng = Rng::new(seed);
    let state = exprs::variables(&mut rng);
    let depth = 1 + rng.below(5) as u32;
    let list: Vec<Expr> = (0..BATCH)
        .map(|_| exprs::random(&mut rng, &state, depth))
        .collect();
    build(&state, &list)
}

/// The text, and what the results must be. Results come first among the globals, so that they are found.
fn build(state: &State, list: &[Expr]) -> Batch {
    let results = |f: &dyn Fn(usize) -> String| (0..list.len()).map(f).collect::<String>();
    let mut text = results(&|n| format!("int64_t r{n};\n"));
    for v in &state.vars {
        text += &format!("{}\n", v.declaration);
    }
    text += &format!(
        "BEGIN {{ {} }}\n",
        results(&|n| format!("r{n} = {UNTOUCHED}; "))
    );
    let mut wanted = Vec::new();
    for (n, e) in list.iter().enumerate() {
        text += "BEGIN {\n";
        for (v, value) in state.vars.iter().zip(&state.values) {
            text += &format!("\t{} = ({}){:#x};\n", v.name, v.ty, *value as u64);
        }
        text += &format!("}}\nBEGIN {{ r{n} = {}; }}\n", state.text(e));
        wanted.push(match state.clone().eval(e) {
            Ok(v) => v,
            Err(DivZero) => UNTOUCHED,
        });
    }
    Batch { text, wanted }
}

/// Results, or `None` for a program that divides by a constant zero.
fn results(bench: &mut Bench, batch: &Batch) -> Result<Option<Vec<i64>>, String> {
    let code = match bench.compile(&batch.text) {
        Outcome::Compiled(c) => c,
        other => {
            let d = other.error().ok_or("no error given")?;
            return match d.tag.name() {
                "D_DIV_ZERO" => Ok(None),
                tag => Err(format!("refused: [{tag}] {}", d.message)),
            };
        }
    };
    let mut machine = Machine::new(&code.compiled.image);
    machine
        .begin()
        .map_err(|e| format!("{e}\n{}", code.compiled.ir))?;
    let word = |n: usize| machine.global(8 * n as u64).map(|v| v as i64);
    (0..batch.wanted.len())
        .map(word)
        .collect::<Option<_>>()
        .map(Some)
        .ok_or("no globals".into())
}

fn check(bench: &mut Bench, batch: &Batch) -> Result<bool, String> {
    match results(bench, batch)? {
        None => Ok(false),
        Some(got) if got == batch.wanted => Ok(true),
        Some(got) => {
            let n = got
                .iter()
                .zip(&batch.wanted)
                .position(|(a, b)| a != b)
                .unwrap_or(0);
            let line = batch
                .text
                .lines()
                .find(|l| l.contains(&format!("{{ r{n} =")) && !l.contains("r0 = 99"))
                .unwrap_or("");
            Err(format!(
                "r{n} is {:#x}, not {:#x}: {line}",
                got[n], batch.wanted[n]
            ))
        }
    }
}

/// Makes a wrong expression smaller while it stays wrong.
fn shrink(bench: &mut Bench, state: &State, e: Expr) -> Expr {
    let parts: Vec<Expr> = match &e {
        Expr::Literal(..) | Expr::Var(_) | Expr::Step(..) => Vec::new(),
        Expr::Unary(_, a) | Expr::Cast(_, a) | Expr::Assign(_, _, a) => vec![(**a).clone()],
        Expr::Binary(_, a, b) | Expr::Comma(a, b) => vec![(**a).clone(), (**b).clone()],
        Expr::Cond(a, b, c) => vec![(**a).clone(), (**b).clone(), (**c).clone()],
    };
    for part in parts {
        if check(bench, &build(state, std::slice::from_ref(&part))).is_err() {
            return shrink(bench, state, part);
        }
    }
    e
}

#[test]
fn expressions_have_the_value_of_the_model() {
    let mut bench = Bench::fixture();
    let (mut ran, mut skipped) = (0u64, 0u64);
    for seed in Run::new(5) {
        let batch = program(seed);
        match check(&mut bench, &batch) {
            Ok(true) => ran += 1,
            Ok(false) => skipped += 1,
            Err(why) => {
                let mut rng = Rng::new(seed);
                let state = exprs::variables(&mut rng);
                let depth = 1 + rng.below(5) as u32;
                for _ in 0..BATCH {
                    let e = exprs::random(&mut rng, &state, depth);
                    if let Err(why) = check(&mut bench, &build(&state, std::slice::from_ref(&e))) {
                        let small = shrink(&mut bench, &state, e);
                        let small = build(&state, &[small]);
                        let again = check(&mut bench, &small);
                        panic!("FUZZ_SEED={seed}: {why}\n{again:?}\n{}", small.text);
                    }
                }
                panic!("FUZZ_SEED={seed}: {why}\n{}", batch.text);
            }
        }
    }
    println!("{ran} programs of {BATCH} expressions agree, {skipped} divide by a constant zero");
    assert!(ran > skipped);
}

#[test]
fn a_wrong_value_is_noticed() {
    let mut batch = program(1);
    for seed in 2.. {
        if let Ok(true) = check(&mut Bench::fixture(), &batch) {
            break;
        }
        batch = program(seed);
    }
    batch.wanted[3] ^= 1;
    assert!(check(&mut Bench::fixture(), &batch).is_err());
}

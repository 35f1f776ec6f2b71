//! What compiled programs compute, against models: expressions, buckets of the quantizing functions, sums of squares.

use fuzz::exprs::{self, DivZero, Expr, State};
use fuzz::machine::Machine;
use fuzz::models::Func;
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

/// Values at every edge.
fn edges() -> Vec<i64> {
    let mut list = vec![
        i64::MIN,
        i64::MIN + 1,
        i64::MAX,
        i64::MAX - 1,
        0,
        9,
        10,
        11,
        99,
        100,
        101,
        999_999,
        1_000_000,
    ];
    for bit in 0..63 {
        for near in [-1, 0, 1] {
            list.push((1i64 << bit) + near);
            list.push(-(1i64 << bit) + near);
        }
    }
    list.sort_unstable();
    list.dedup();
    list
}

const FUNCS: [Func; 16] = [
    Func::Quantize,
    Func::Lquantize(0, 100, 10),
    Func::Lquantize(-1000, 1000, 7),
    Func::Lquantize(-5, 6000, 1),
    Func::Lquantize(i32::MIN / 2, i32::MAX / 2, 65_535),
    Func::Lquantize(3, 4, 1),
    Func::Llquantize(10, 0, 6, 20),
    Func::Llquantize(10, 0, 17, 10),
    Func::Llquantize(2, 1, 20, 4),
    Func::Llquantize(2, 0, 61, 2),
    Func::Llquantize(10, 3, 6, 100),
    Func::Llquantize(16, 2, 10, 256),
    Func::Stddev,
    Func::Avg,
    Func::Extreme(true),
    Func::Extreme(false),
];

/// Compares one function over values, each in an aggregation of its own, and all together in one.
fn check_function(bench: &mut Bench, func: Func, values: &[i64]) -> Result<(), String> {
    let mut text = String::from("int64_t v;\nBEGIN {\n");
    for (n, v) in values.iter().enumerate() {
        text += &format!(
            "v = (int64_t){:#x}; @a{n} = {}; @all = {};\n",
            *v as u64,
            func.call("v"),
            func.call("v")
        );
    }
    text += "}\n";
    let code = match bench.compile(&text) {
        Outcome::Compiled(code) => code,
        other => return Err(other.error().map_or(String::new(), |d| d.message.clone())),
    };
    let mut machine = Machine::new(&code.compiled.image);
    machine.begin()?;
    let single = values
        .iter()
        .enumerate()
        .map(|(n, v)| (format!("a{n}"), std::slice::from_ref(v)));
    for (name, values) in single.chain([("all".to_owned(), values)]) {
        let got = machine.aggregation(&name).ok_or("no such aggregation")?;
        let wanted = func.model(values, got.len());
        if got != wanted {
            let at = got
                .iter()
                .zip(&wanted)
                .position(|(a, b)| a != b)
                .unwrap_or(0);
            return Err(format!(
                "{} of {values:?}: word {at} is {:#x}, not {:#x}",
                func.call("v"),
                got[at],
                wanted[at]
            ));
        }
    }
    Ok(())
}

#[test]
fn aggregations_hold_what_the_models_say() {
    let mut bench = Bench::fixture();
    let edges = edges();
    let mut faults = Vec::new();
    for func in FUNCS {
        for values in edges.chunks(24) {
            faults.extend(check_function(&mut bench, func, values).err());
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    for seed in Run::new(3) {
        let mut rng = Rng::new(seed);
        let func = FUNCS[rng.below(FUNCS.len())];
        let values: Vec<i64> = (0..20).map(|_| rng.number()).collect();
        if let Err(why) = check_function(&mut bench, func, &values) {
            panic!("FUZZ_SEED={seed}: {why}");
        }
    }
}

/// The interpreter must be right about the machine: the same results in the kernel, where that is allowed.
#[test]
fn the_kernel_computes_the_same() {
    if !sys::proc::may_trace() {
        eprintln!("not run: needs root");
        return;
    }
    let mut bench = Bench::live(sys::proc::possible_cpus());
    let mut ran = 0;
    for seed in Run::new(3) {
        let batch = program(seed);
        let Outcome::Compiled(code) = bench.compile(&batch.text) else {
            continue;
        };
        let loaded = kernel::Loaded::load(&code.compiled.image, &kernel::LoadOptions::default());
        let loaded = loaded.unwrap_or_else(|e| panic!("FUZZ_SEED={seed}: {e}\n{}", batch.text));
        loaded.run(0, &[0; 12], None).expect("runs");
        for (n, wanted) in batch.wanted.iter().enumerate() {
            let got = loaded.global_u64(8 * n).map(|v| v as i64);
            assert_eq!(got, Some(*wanted), "FUZZ_SEED={seed}: r{n}\n{}", batch.text);
        }
        ran += 1;
    }
    println!("{ran} programs agree in the kernel");
    assert!(ran > 0);
}

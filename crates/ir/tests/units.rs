//! Each pass, the allocator under pressure and the emitter's corners, one at a time.

mod common;

use bpf::{AluOp, Helper, Insn, JmpOp, Width};
use common::{World, compare, evaluate, execute};
use ir::alloc::{Home, allocate};
use ir::{Arg, Func, Inst, Pos, V};

fn end(mut f: Func) -> Func {
    f.push(Inst::Exit);
    f
}

fn optimized(f: &Func) -> Vec<Inst> {
    let mut f = f.clone();
    ir::passes::optimize(&mut f);
    f.insts
}

/// Runs the program in every way; gives the first words of the context.
fn words<const N: usize>(f: &Func) -> [u64; N] {
    let world = World::new(7);
    compare(f, &mut world.clone()).unwrap_or_else(|e| panic!("{e}"));
    let outcome = execute(f, &world)
        .unwrap_or_else(|e| panic!("{e}"))
        .expect("fits the stack");
    std::array::from_fn(|n| outcome.word(8 * n))
}

fn out(f: &mut Func, n: i32, v: V) {
    f.store(Func::CTX, 8 * n, Width::DW, v);
}

fn unknown(f: &mut Func) -> V {
    f.call(Helper::KtimeGetNs, &[])
}

#[test]
fn constants_are_folded_into_one_store() {
    let mut f = Func::new();
    let a = f.konst(6);
    let b = f.alu(AluOp::Mul, a, 7);
    let c = f.ext(b, 1, true);
    out(&mut f, 0, c);
    let f = end(f);
    assert_eq!(
        optimized(&f),
        [
            Inst::Store {
                base: Func::CTX.into(),
                off: 0,
                width: Width::DW,
                src: Arg::Imm(42)
            },
            Inst::Exit
        ]
    );
    assert_eq!(words(&f), [42]);
}

#[test]
fn constants_that_do_not_fit_stay_in_registers() {
    let mut f = Func::new();
    let a = f.konst(0x1_0000_0000);
    out(&mut f, 0, a);
    let x = unknown(&mut f);
    let y = f.alu(AluOp::And, x, 0);
    let z = f.alu(AluOp::Or, y, a);
    out(&mut f, 1, z);
    assert_eq!(words(&end(f)), [0x1_0000_0000, 0x1_0000_0000]);
}

#[test]
fn a_branch_on_constants_drops_the_dead_side() {
    let mut f = Func::new();
    let (no, done) = (f.label(), f.label());
    let k = f.konst(1);
    f.branch(JmpOp::Eq, k, 0, no);
    out(&mut f, 0, k);
    f.jump(done);
    f.bind(no);
    f.call(Helper::KtimeGetNs, &[]);
    f.bind(done);
    let f = end(f);
    let left = optimized(&f);
    assert!(!left.iter().any(Inst::is_call), "{left:?}");
    assert_eq!(left.len(), 2, "{left:?}");
    assert_eq!(words(&f), [1]);
}

#[test]
fn pure_helpers_are_called_once_in_a_block_but_not_over_a_merge() {
    let calls = |f: &Func| optimized(f).iter().filter(|i| i.is_call()).count();
    let mut f = Func::new();
    for n in 0..3 {
        let v = f.call(Helper::GetCurrentPidTgid, &[]);
        out(&mut f, n, v);
    }
    let straight = end(f);
    assert_eq!(calls(&straight), 1);
    let [a, b, c] = words(&straight);
    assert!(a == b && b == c);

    // The first call happens on one path only.
    let mut f = Func::new();
    let skip = f.label();
    let t = unknown(&mut f);
    f.branch(JmpOp::Eq, t, 0, skip);
    let v = f.call(Helper::GetCurrentPidTgid, &[]);
    out(&mut f, 0, v);
    f.bind(skip);
    let v = f.call(Helper::GetCurrentPidTgid, &[]);
    out(&mut f, 1, v);
    let merged = end(f);
    assert_eq!(calls(&merged), 3);
    words::<2>(&merged);
}

#[test]
fn impure_calls_stay() {
    let mut f = Func::new();
    unknown(&mut f);
    unknown(&mut f);
    assert_eq!(optimized(&end(f)).len(), 3);
}

#[test]
fn copies_of_what_changes_later_are_not_forwarded() {
    let mut f = Func::new();
    let x = f.reg();
    f.push(Inst::Const { d: x, v: 1 });
    let old = f.reg();
    f.copy_to(old, x);
    f.push(Inst::Const { d: x, v: 2 });
    out(&mut f, 0, old);
    out(&mut f, 1, x);
    assert_eq!(words(&end(f)), [1, 2]);
}

#[test]
fn shift_counts_are_taken_modulo_the_width() {
    let mut f = Func::new();
    let x = unknown(&mut f);
    for (n, (op, by)) in [(AluOp::Lsh, 65), (AluOp::Rsh, 64), (AluOp::Arsh, u64::MAX)]
        .into_iter()
        .enumerate()
    {
        let k = f.konst(by);
        let v = f.alu(op, x, k);
        out(&mut f, n as i32, v);
    }
    out(&mut f, 3, x);
    let [a, b, c, x] = words(&end(f));
    assert_eq!([a, b, c], [x << 1, x, ((x as i64) >> 63) as u64]);
}

#[test]
fn division_by_a_constant_zero_can_be_emitted() {
    let mut f = Func::new();
    let x = unknown(&mut f);
    let zero = f.konst(0);
    let q = f.alu(AluOp::Div, x, zero);
    let r = f.alu(AluOp::Mod, x, zero);
    out(&mut f, 0, q);
    out(&mut f, 1, r);
    out(&mut f, 2, x);
    let [q, r, x] = words(&end(f));
    assert_eq!((q, r), (0, x));
}

#[test]
fn arguments_that_change_places_move_at_once() {
    // Five values, passed in every rotation: cycles of every length.
    let mut f = Func::new();
    let vs: Vec<V> = (0..5).map(|_| unknown(&mut f)).collect();
    for turn in 0..5 {
        let args: Vec<Arg> = (0..5).map(|n| vs[(n + turn) % 5].into()).collect();
        let d = f.call(Helper::PerfEventOutput, &args);
        out(&mut f, turn as i32, d);
    }
    // Two cycles at once, and one value twice.
    for order in [[1, 0, 3, 2, 4], [2, 2, 0, 1, 0]] {
        let args: Vec<Arg> = order.iter().map(|n| vs[*n].into()).collect();
        f.call(Helper::PerfEventOutput, &args);
    }
    words::<5>(&end(f));
}

#[test]
fn values_in_argument_registers_change_places() {
    // Loads do not cross a call, so they sit in R1-R4 and must be permuted.
    for order in [[1, 2, 3, 0], [1, 0, 3, 2], [3, 2, 1, 0], [2, 0, 1, 1]] {
        let mut f = Func::new();
        let vs: Vec<V> = (0..4)
            .map(|n| f.load(Func::CTX, 8 * n, Width::DW))
            .collect();
        let args: Vec<Arg> = order.iter().map(|n| vs[*n].into()).collect();
        f.call(Helper::MapUpdateElem, &args);
        words::<1>(&end(f));
    }
}

#[test]
fn more_values_than_registers_are_spilled() {
    for count in [5, 9, 20, 60] {
        let mut f = Func::new();
        let vs: Vec<V> = (0..count).map(|_| unknown(&mut f)).collect();
        for (n, v) in vs.iter().enumerate() {
            out(&mut f, n as i32, *v);
        }
        let f = end(f);
        let spills = allocate(&f).spills as usize;
        assert!(spills + 4 >= count, "{count} values, {spills} spilled");
        words::<5>(&f);
    }
}

#[test]
fn too_many_values_are_an_error_that_says_how_much() {
    let mut f = Func::new();
    let vs: Vec<V> = (0..100).map(|_| unknown(&mut f)).collect();
    vs.iter().for_each(|v| out(&mut f, 0, *v));
    let f = end(f);
    match ir::emit::emit(&f, &allocate(&f), common::LOCALS, &[]) {
        Err(ir::emit::EmitError::Stack(n)) => assert!(n > ir::emit::STACK_LIMIT),
        other => panic!("{other:?}"),
    }
}

#[test]
fn values_across_calls_are_not_in_registers_that_calls_destroy() {
    let mut f = Func::new();
    let a = unknown(&mut f);
    let b = unknown(&mut f);
    let c = f.alu(AluOp::Add, a, b);
    out(&mut f, 0, c);
    let f = end(f);
    let homes = allocate(&f).homes;
    assert!(matches!(homes[a.0 as usize], Home::Reg(r) if r.num() >= 6));
    assert!(matches!(homes[c.0 as usize], Home::Reg(r) if r.num() < 6));
}

#[test]
fn no_two_live_values_share_a_home() {
    let mut f = Func::new();
    let vs: Vec<V> = (0..30)
        .map(|n| f.load(Func::CTX, 8 * n, Width::DW))
        .collect();
    vs.iter()
        .rev()
        .enumerate()
        .for_each(|(n, v)| out(&mut f, n as i32, *v));
    let homes = allocate(&end(f)).homes;
    let mut seen: Vec<Home> = Vec::new();
    for v in vs {
        assert!(!seen.contains(&homes[v.0 as usize]), "{homes:?}");
        seen.push(homes[v.0 as usize]);
    }
}

#[test]
fn large_offsets() {
    let mut f = Func::new();
    let keep: Vec<V> = (0..12).map(|_| unknown(&mut f)).collect();
    for (n, off) in [0, 32_760, 32_768, 40_000, 65_000].into_iter().enumerate() {
        let v = keep[n];
        f.store(Func::CTX, off, Width::DW, v);
        f.push(Inst::AtomicAdd {
            base: Func::CTX.into(),
            off,
            src: v,
        });
        let d = f.reg();
        f.push(Inst::FetchAdd {
            d,
            base: Func::CTX.into(),
            off,
            src: v,
        });
        let got = f.load(Func::CTX, off, Width::DW);
        let twice = f.alu(AluOp::Mul, v, 3);
        let same = f.alu(AluOp::Sub, got, twice);
        out(&mut f, 100 + n as i32, same);
    }
    keep.iter()
        .enumerate()
        .for_each(|(n, v)| out(&mut f, 200 + n as i32, *v));
    let f = end(f);
    let outcome = evaluate(&f, &World::new(7)).unwrap_or_else(|e| panic!("{e}"));
    assert!((100..105).all(|n| outcome.word(8 * n) == 0));
    words::<1>(&f);
}

#[test]
fn the_program_counter_is_that_of_its_own_instruction() {
    let mut f = Func::new();
    f.konst(1);
    let pc = f.reg();
    let far = f.konst(u64::MAX >> 1);
    out(&mut f, 0, far);
    f.push(Inst::Pc { d: pc });
    out(&mut f, 1, pc);
    let f = end(f);
    let emitted = ir::emit::emit(&f, &allocate(&f), common::LOCALS, &[]).expect("emits");
    let at = emitted
        .insns
        .iter()
        .position(|i| i.code == Insn::mov(bpf::Reg::R1, 0).code && i.imm > 1);
    let at = at.expect("the instruction") as i32;
    assert_eq!(emitted.insns[at as usize].imm, at);
}

#[test]
fn notes_and_maps_are_handed_on() {
    let mut f = Func::new();
    let note = Pos {
        clause: 1,
        line: 2,
        col: 3,
    };
    f.push(Inst::Note(note));
    let m = f.map_value(4, 16);
    f.store(m, 0, Width::DW, 1);
    let f = end(f);
    let emitted = ir::emit::emit(&f, &allocate(&f), common::LOCALS, &[]).expect("emits");
    assert_eq!(emitted.notes.len(), 1);
    assert_eq!(emitted.notes[0].1, note);
    assert_eq!(
        (emitted.maps[0].map, emitted.maps[0].value_off),
        (4, Some(16))
    );
}

#[test]
fn broken_programs_are_found() {
    let broken = |build: &dyn Fn(&mut Func)| {
        let mut f = Func::new();
        build(&mut f);
        ir::verify::check(&f).expect_err("is broken").what
    };
    assert_eq!(
        broken(&|f| {
            let (v, l) = (f.reg(), f.label());
            f.branch(JmpOp::Eq, Func::CTX, 0, l);
            f.push(Inst::Const { d: v, v: 1 });
            f.bind(l);
            out(f, 0, v);
        }),
        "use before definition"
    );
    assert_eq!(
        broken(&|f| f.push(Inst::Const { d: V(0), v: 1 })),
        "runs off the end"
    );
    assert_eq!(
        broken(&|f| {
            let v = f.reg();
            out(f, 0, v);
        }),
        "use before definition"
    );
    assert_eq!(
        broken(&|f| {
            let l = f.label();
            f.bind(l);
            f.jump(l);
        }),
        "backward jump"
    );
    assert_eq!(
        broken(&|f| {
            let l = f.label();
            f.jump(l);
        }),
        "jump to a label that is not bound"
    );
    assert_eq!(
        broken(&|f| {
            f.call(Helper::KtimeGetNs, &[Arg::Imm(0); 6]);
        }),
        "more than five arguments"
    );
}

/// The comparison itself must be able to fail: a program of which the evaluator and the machine see different halves.
#[test]
fn a_wrong_program_is_noticed() {
    let mut f = Func::new();
    let x = unknown(&mut f);
    out(&mut f, 0, x);
    let good = end(f.clone());
    let mut bad = f;
    let y = bad.alu(AluOp::Add, x, 1);
    out(&mut bad, 0, y);
    let bad = end(bad);
    let world = World::new(1);
    let (a, b) = (evaluate(&good, &world), execute(&bad, &world));
    let (Ok(a), Ok(Some(b))) = (a, b) else {
        panic!("both run")
    };
    assert!(a != b);
}

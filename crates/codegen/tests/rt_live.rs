//! The run-time library in the running kernel: what the verifier makes of it, and whether it computes the same.
//! Needs root; says so where it is not.

mod rt_common;

use std::io::Write;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};

use bpf::asm::{Assembler, Program};
use bpf::{Insn, JmpOp, MapType, ProgType, Reg, Width};
use image::FunctionDef;
use ir::local::{Function, Instances};
use rt_common::*;
use sys::bpf::{Map, MapSpec, ProgBtf, ProgSpec, btf_load, prog_info, prog_load, prog_run};

/// Places in the map's value: numbers that the verifier cannot know, the result, two strings.
const NUMBERS: u32 = 0;
const RESULT: u32 = 64;
const FIRST: u32 = 128;
const SECOND: u32 = FIRST + ROOM;
const SIZE: u32 = SECOND + ROOM;
/// For each string.
const ROOM: u32 = 65536 + 8;

/// Capacities to try. Programs may be a million verified instructions long.
const CAPS: [u32; 6] = [16, 64, 256, 512, 4096, 65536];
/// Most verified instructions of a call with capacity 256.
const GOAL: u32 = 60_000;

/// What an argument is where the function is called.
#[derive(Clone, Copy)]
enum Kind {
    Mem,
    /// The capacity, a constant.
    Cap,
    /// A small capacity, as that of a text in the program.
    Short,
    /// Any number.
    Any,
    /// A number up to the capacity.
    Upto,
}

use Kind::{Any, Cap, Mem, Short, Upto};

const ALL: [(Local, &[Kind]); 12] = [
    (Local::Strcmp, &[Mem, Mem, Cap]),
    (Local::Chr, &[Mem, Any, Cap]),
    (Local::Rchr, &[Mem, Any, Cap]),
    (Local::Find, &[Mem, Mem, Cap, Cap, Upto]),
    (Local::Rfind, &[Mem, Mem, Cap, Cap, Upto]),
    (Local::Case, &[Mem, Cap, Any]),
    (Local::Toll, &[Mem, Cap, Any]),
    (Local::Lltostr, &[Mem, Any, Any]),
    (Local::Span, &[Mem, Mem, Cap, Cap, Upto]),
    (Local::Cspan, &[Mem, Mem, Cap, Cap, Upto]),
    (Local::Cleanpath, &[Mem, Mem, Cap]),
    (Local::Trim, &[Mem, Cap]),
];

const ARGS: [Reg; 5] = [Reg::R1, Reg::R2, Reg::R3, Reg::R4, Reg::R5];

fn live(test: &str) -> bool {
    let able = sys::proc::may_trace();
    if !able {
        say(&format!("{test}: skipped: needs root"));
    }
    able
}

fn say(text: &str) {
    let _nowhere_to_say_it = writeln!(std::io::stderr(), "{text}");
}

/// Calls each function of `calls`, and after each uses the result as an index, as code from a D program does.
fn program(calls: &[(Local, &[Kind])], cap: u32) -> (Program<ir::Pos>, Vec<Function>) {
    let mut asm = Assembler::new();
    let mut instances = Instances::new(LOCALS);
    let out = asm.label();
    for (f, kinds) in calls {
        asm.ld_map_value(Reg::R9, 0, 0);
        let mut mems = [FIRST, SECOND].into_iter();
        for (n, (kind, reg)) in kinds.iter().zip(ARGS).enumerate() {
            let number = NUMBERS as i16 + 8 * n as i16;
            match kind {
                Mem => {
                    asm.emit(Insn::mov(reg, Reg::R9));
                    let at = mems.next().expect("two strings at most");
                    asm.emit(Insn::alu64(bpf::AluOp::Add, reg, at as i32));
                }
                Cap => asm.emit(Insn::mov(reg, cap as i32)),
                Short => asm.emit(Insn::mov(reg, 16)),
                Any => asm.emit(Insn::ldx(Width::DW, reg, Reg::R9, number)),
                Upto => {
                    asm.emit(Insn::ldx(Width::DW, reg, Reg::R9, number));
                    asm.jmp(JmpOp::Gt, reg, cap as i32, out);
                }
            }
        }
        let known = |k: &Kind| match k {
            Cap => Some(cap as i32),
            Short => Some(16),
            Mem | Any | Upto => None,
        };
        let known: Vec<Option<i32>> = kinds.iter().map(known).collect();
        instances
            .call(&mut asm, *f as u32, &known)
            .expect("constant capacities");
        asm.emit(Insn::stx(Width::DW, Reg::R9, RESULT as i16, Reg::R0));
        let skip = asm.label();
        asm.jmp(JmpOp::Gt, Reg::R0, cap as i32, skip);
        asm.emit(Insn::mov(Reg::R1, Reg::R9));
        asm.emit(Insn::alu64(bpf::AluOp::Add, Reg::R1, Reg::R0));
        asm.emit(Insn::ldx(Width::B, Reg::R2, Reg::R1, 0));
        asm.emit(Insn::stx(Width::DW, Reg::R9, RESULT as i16 + 8, Reg::R2));
        asm.bind(skip);
    }
    asm.bind(out);
    asm.emit(Insn::mov(Reg::R0, 0));
    asm.emit(Insn::exit());
    let functions = instances.emit(&mut asm, &[]);
    (asm.finish().expect("assembles"), functions)
}

struct Live {
    map: Map,
    program: OwnedFd,
    verified: u32,
}

/// Loads the program; the error has the end of the verifier's words.
fn load(calls: &[(Local, &[Kind])], cap: u32) -> Result<Live, String> {
    let spec = MapSpec {
        kind: MapType::Array.id(),
        name: "rt_test",
        key_size: 4,
        value_size: SIZE,
        max_entries: 1,
        ..MapSpec::default()
    };
    let map = Map::create(&spec, 1).map_err(|e| e.to_string())?;
    let (mut p, functions) = program(calls, cap);
    let functions: Vec<FunctionDef> = functions
        .into_iter()
        .map(|f| FunctionDef {
            insn: f.insn,
            name: f.name,
            params: f.params,
        })
        .collect();
    let (blob, info) = kernel::function_types(&functions);
    let types = btf_load(&blob).map_err(|e| e.to_string())?;
    for r in &p.maps {
        p.insns[r.insn as usize].imm = map.fd().as_raw_fd();
    }
    let bytes: Vec<u8> = p
        .insns
        .iter()
        .flat_map(|i| {
            let mut b = [0; 8];
            b[0] = i.code;
            b[1] = i.regs;
            b[2..4].copy_from_slice(&i.off.to_ne_bytes());
            b[4..].copy_from_slice(&i.imm.to_ne_bytes());
            b
        })
        .collect();
    let spec = ProgSpec {
        kind: ProgType::RawTracepoint.id(),
        name: "rt_test",
        insns: &bytes,
        btf: Some(ProgBtf {
            fd: types.as_fd(),
            func_info: &info,
            line_info: &[],
        }),
        ..ProgSpec::default()
    };
    let program = prog_load(&spec, None).map_err(|e| {
        let mut log = vec![0; 64 << 20];
        let _ = prog_load(&spec, Some((1, &mut log)));
        let end = log.iter().position(|b| *b == 0).unwrap_or(0);
        let from = end.saturating_sub(3000);
        format!("{e}\n{}", String::from_utf8_lossy(&log[from..end]))
    })?;
    let verified = prog_info(program.as_fd())
        .map_err(|e| e.to_string())?
        .verified_insns;
    Ok(Live {
        map,
        program,
        verified,
    })
}

#[test]
fn the_verifier_accepts_every_function_cheaply() {
    if !live("verifier cost") {
        return;
    }
    say(
        "verified instructions by capacity (in brackets: of eight calls); then Find and Rfind of short strings",
    );
    say(&format!("{:10} {CAPS:?}", ""));
    let mut bad = Vec::new();
    let short: &[Kind] = &[Mem, Mem, Cap, Short, Upto];
    let short = [(Local::Find, short), (Local::Rfind, short)];
    for (f, kinds) in ALL.into_iter().chain(short) {
        let name = format!("{f:?}");
        let mut row = format!("{name:10}");
        for cap in CAPS {
            // Eight of the dearest at more would be over the kernel's limit.
            let times: &[usize] = if cap > 256 { &[1] } else { &[1, 8] };
            for &n in times {
                match load(&vec![(f, kinds); n], cap) {
                    Ok(l) if n == 1 => {
                        row += &format!(" {}", l.verified);
                        if cap == 256 && l.verified > GOAL {
                            bad.push(format!("{f:?}: {}", l.verified));
                        }
                    }
                    Ok(l) => row += &format!(" ({})", l.verified),
                    Err(e) => {
                        row += " -";
                        if cap <= 256 {
                            bad.push(format!("{f:?} {n} x {cap}: {e}"));
                        }
                    }
                }
            }
        }
        say(&row);
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

/// Random arguments for a function with all capacities `cap`.
fn arguments(f: Local, r: &mut Random, cap: usize) -> Case {
    let k = In::Num(cap as u64);
    match f {
        Local::Strcmp => vec![In::Mem(r.text(cap)), In::Mem(r.near(cap)), k],
        Local::Chr | Local::Rchr => {
            vec![In::Mem(r.text(cap)), In::Num(r.byte().into()), k]
        }
        Local::Find | Local::Rfind => {
            let s = r.text(cap);
            let t = r.part(&s, cap);
            let start = In::Num(r.below(cap + 1) as u64);
            vec![In::Mem(s), In::Mem(t), k.clone(), k, start]
        }
        Local::Case => vec![In::Mem(r.any_text(cap)), k, In::Num(r.below(2) as u64)],
        Local::Toll => {
            let base = r.base();
            vec![In::Mem(r.number_text(cap, base)), k, In::Num(base)]
        }
        Local::Lltostr => vec![In::Mem(vec![0; 72]), In::Num(r.number()), In::Num(r.base())],
        Local::Span | Local::Cspan => {
            let (s, set) = (r.any_text(cap), r.any_text(cap));
            let start = In::Num(r.below(length(&s) + 1) as u64);
            vec![In::Mem(s), In::Mem(set), k.clone(), k, start]
        }
        Local::Cleanpath => vec![In::Mem(vec![0; cap]), In::Mem(r.path(cap)), k],
        Local::Trim => vec![In::Mem(r.path(cap)), k],
        _ => unreachable!("{f:?} is tested elsewhere"),
    }
}

/// Result and memory arguments afterwards.
fn run(l: &Live, case: &Case) -> (u64, Vec<Vec<u8>>) {
    let mut value = vec![0xa5; SIZE as usize];
    let mut places = [FIRST, SECOND].into_iter();
    let mut used = Vec::new();
    for (n, arg) in case.iter().enumerate() {
        match arg {
            In::Num(v) => {
                let at = NUMBERS as usize + 8 * n;
                value[at..at + 8].copy_from_slice(&v.to_ne_bytes());
            }
            In::Mem(bytes) => {
                let at = places.next().expect("two strings at most") as usize;
                value[at..at + bytes.len()].copy_from_slice(bytes);
                used.push((at, bytes.len()));
            }
        }
    }
    l.map.update(&[0; 4], &value).expect("map update");
    prog_run(l.program.as_fd(), &[], None).expect("runs");
    assert!(l.map.lookup(&[0; 4], &mut value).expect("map look-up"));
    let at = RESULT as usize;
    let result = u64::from_ne_bytes(value[at..at + 8].try_into().expect("eight bytes"));
    let memory = used.iter().map(|(at, len)| value[*at..at + len].to_vec());
    (result, memory.collect())
}

#[test]
fn the_kernel_computes_the_same() {
    if !live("functions in the kernel") {
        return;
    }
    for (f, kinds) in ALL {
        for cap in [8, 24, 256, 264, 1500] {
            let l = load(&[(f, kinds)], cap).unwrap_or_else(|e| panic!("{f:?} {cap}: {e}"));
            let mut random = Random(0x1234_5678_9abc_def1 ^ u64::from(cap));
            for _ in 0..400 {
                let case = arguments(f, &mut random, cap as usize);
                let (got, memory) = run(&l, &case);
                let (want, after) = reference(f, &case);
                assert_eq!(got as i64, want as i64, "{f:?} {case:?}");
                assert!(
                    same(f, &memory, &after),
                    "{f:?} {case:?}: {memory:?} instead of {after:?}"
                );
            }
        }
    }
}

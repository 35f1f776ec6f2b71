//! Programs with known results.

use super::*;
use crate::asm::{AsmError, Assembler};
use crate::{Helper, JmpOp};

fn run(insns: &[Insn]) -> Result<u64, Fault> {
    Vm::new(insns, Memory::new(), 10_000).run(&mut NoHost, 0)
}

fn alu(bits: u32, op: AluOp, a: u64, b: u64) -> u64 {
    let mut code = Vec::from(Insn::ld_imm64(Reg::R0, a));
    code.extend(Insn::ld_imm64(Reg::R1, b));
    code.push(if bits == 64 {
        Insn::alu64(op, Reg::R0, Reg::R1)
    } else {
        Insn::alu32(op, Reg::R0, Reg::R1)
    });
    code.push(Insn::exit());
    run(&code).expect("runs")
}

#[test]
fn arithmetic() {
    const M: u64 = u64::MAX;
    let cases = [
        (64, AluOp::Add, M, 2, 1),
        (32, AluOp::Add, M, 2, 1),
        (32, AluOp::Sub, 0, 1, 0xffff_ffff),
        (64, AluOp::Mul, M, M, 1),
        (64, AluOp::Div, 7, 2, 3),
        (64, AluOp::Div, 7, 0, 0),
        (64, AluOp::Mod, 7, 0, 7),
        (32, AluOp::Mod, 0x1_0000_0007, 0, 7),
        (32, AluOp::Div, 9, 0xf_0000_0002, 4),
        (64, AluOp::Lsh, 1, 65, 2),
        (32, AluOp::Lsh, 1, 33, 2),
        (32, AluOp::Rsh, 0xf_8000_0000, 31, 1),
        (64, AluOp::Arsh, 1 << 63, 63, M),
        (32, AluOp::Arsh, 0x8000_0000, 31, 0xffff_ffff),
        (32, AluOp::Mov, 0, M, 0xffff_ffff),
        (64, AluOp::Neg, 5, 0, M - 4),
        (32, AluOp::Neg, 5, 0, 0xffff_fffb),
        (64, AluOp::Xor, 6, 3, 5),
        (64, AluOp::Or, 6, 3, 7),
        (64, AluOp::And, 6, 3, 2),
    ];
    for (bits, op, a, b, want) in cases {
        assert_eq!(alu(bits, op, a, b), want, "{op:?}{bits} {a:#x} {b:#x}");
    }
}

#[test]
fn immediates_are_sign_extended() {
    let code = [Insn::mov(Reg::R0, -1), Insn::exit()];
    assert_eq!(run(&code), Ok(u64::MAX));
    let code = [Insn::mov32(Reg::R0, -1), Insn::exit()];
    assert_eq!(run(&code), Ok(0xffff_ffff));
}

#[test]
fn byte_order() {
    for (be, bits, want) in [
        (true, 16, 0x8877),
        (true, 32, 0x8877_6655),
        (true, 64, 0x8877_6655_4433_2211),
        (false, 16, 0x7788),
        (false, 64, 0x1122_3344_5566_7788),
    ] {
        let mut code = Vec::from(Insn::ld_imm64(Reg::R0, 0x1122_3344_5566_7788));
        code.extend([Insn::endian(be, bits, Reg::R0), Insn::exit()]);
        assert_eq!(run(&code), Ok(want), "{be} {bits}");
    }
}

#[test]
fn jumps_compare_as_they_say() {
    let taken = |wide: bool, op, a: i32, b: i32| {
        let jump = if wide { Insn::jmp } else { Insn::jmp32 };
        let code = [
            Insn::mov(Reg::R1, a),
            Insn::mov(Reg::R0, 1),
            jump(op, Reg::R1, b, 1),
            Insn::mov(Reg::R0, 0),
            Insn::exit(),
        ];
        run(&code) == Ok(1)
    };
    for wide in [true, false] {
        assert!(taken(wide, JmpOp::Gt, -1, 1));
        assert!(!taken(wide, JmpOp::Sgt, -1, 1));
        assert!(taken(wide, JmpOp::Slt, -1, 1));
        assert!(taken(wide, JmpOp::Set, 6, 2));
        assert!(!taken(wide, JmpOp::Set, 6, 1));
        for op in JmpOp::ALL {
            if let Some(not) = op.negated() {
                for (a, b) in [(1, 2), (2, 1), (-1, 1), (5, 5)] {
                    assert_ne!(taken(wide, *op, a, b), taken(wide, not, a, b), "{op:?}");
                }
            }
        }
    }
}

#[test]
fn memory_and_atomics() {
    let mut memory = Memory::new();
    let at = memory.map(vec![0; 16], true);
    let code = [
        Insn::mov(Reg::R6, Reg::R1),
        Insn::st(Width::DW, Reg::R6, 0, -2),
        Insn::mov(Reg::R2, 5),
        Insn::fetch_add(Width::W, Reg::R6, 0, Reg::R2),
        Insn::stx(Width::W, Reg::R6, 8, Reg::R2),
        Insn::mov(Reg::R0, 3),
        Insn::mov(Reg::R3, 9),
        Insn::cmpxchg(Width::W, Reg::R6, 0, Reg::R3),
        Insn::xchg(Width::DW, Reg::R6, 0, Reg::R3),
        Insn::mov(Reg::R0, Reg::R3),
        Insn::exit(),
    ];
    let mut vm = Vm::new(&code, memory, 100);
    assert_eq!(vm.run(&mut NoHost, at), Ok(0xffff_ffff_0000_0009));
    assert_eq!(vm.memory.load(at, Width::DW), Ok(9));
    assert_eq!(vm.memory.load(at + 8, Width::W), Ok(0xffff_fffe));
}

#[test]
fn accesses_outside_are_faults() {
    let store = |off| {
        run(&[
            Insn::st(Width::DW, Reg::R10, off, 0),
            Insn::mov(Reg::R0, 0),
            Insn::exit(),
        ])
    };
    assert_eq!(store(-8), Ok(0));
    assert_eq!(store(-512), Ok(0));
    for off in [-4, 0, -513] {
        let fault = store(off);
        assert!(
            matches!(
                fault,
                Err(Fault::Access {
                    write: true,
                    len: 8,
                    ..
                })
            ),
            "{off} {fault:?}"
        );
    }
    let mut memory = Memory::new();
    let at = memory.map(vec![0; 8], false);
    let code = [Insn::stx(Width::B, Reg::R1, 0, Reg::R1), Insn::exit()];
    let fault = Vm::new(&code, memory, 9).run(&mut NoHost, at);
    assert_eq!(
        fault,
        Err(Fault::Access {
            addr: at,
            len: 1,
            write: true
        })
    );
    assert!(Memory::new().read(u64::MAX, u64::MAX).is_err());
}

#[test]
fn local_calls_have_their_own_stack_and_registers() {
    let mut asm: Assembler = Assembler::new();
    let func = asm.label();
    asm.emit(Insn::mov(Reg::R6, 7));
    asm.emit(Insn::st(Width::DW, Reg::R10, -8, 7));
    asm.emit(Insn::mov(Reg::R1, 5));
    asm.call_local(func);
    asm.emit(Insn::ldx(Width::DW, Reg::R1, Reg::R10, -8));
    asm.emit(Insn::alu64(AluOp::Add, Reg::R0, Reg::R1));
    asm.emit(Insn::alu64(AluOp::Add, Reg::R0, Reg::R6));
    asm.emit(Insn::exit());
    asm.bind(func);
    asm.emit(Insn::st(Width::DW, Reg::R10, -8, 1000));
    asm.emit(Insn::mov(Reg::R6, 0));
    asm.emit(Insn::mov(Reg::R0, Reg::R1));
    asm.emit(Insn::exit());
    let code = asm.finish().expect("assembles").insns;
    assert_eq!(run(&code), Ok(19));
}

#[test]
fn faults() {
    let forever = [Insn::ja(-1)];
    assert_eq!(run(&forever), Err(Fault::Steps));
    let recursion = [Insn::call_local(-1), Insn::exit()];
    assert_eq!(run(&recursion), Err(Fault::Depth));
    assert_eq!(
        run(&[Insn::exit()]),
        Err(Fault::Unset {
            pc: 0,
            reg: Reg::R0
        })
    );
    assert_eq!(run(&[Insn::ja(-2)]), Err(Fault::Jump { pc: 0 }));
    let off_the_end = run(&[Insn::ja(0)]);
    assert_eq!(
        off_the_end,
        Err(Fault::Decode {
            pc: 1,
            error: DecodeError::Empty
        })
    );
    assert_eq!(
        run(&[Insn::mov(Reg::R10, 0)]),
        Err(Fault::FramePointer { pc: 0 })
    );
    assert_eq!(run(&[Insn::call(5)]), Err(Fault::Helper(5)));
}

/// Counts calls, loops with callbacks, and has one map of eight bytes.
struct TestHost {
    value: u64,
    calls: Vec<(u32, u64)>,
}

impl Host for TestHost {
    fn call(&mut self, vm: &mut Vm<'_>, id: u32, args: [u64; 5]) -> Result<u64, Fault> {
        self.calls.push((id, args[0]));
        match Helper::from_id(id) {
            Some(Helper::KtimeGetNs) => Ok(42),
            Some(Helper::Loop) => {
                for i in 0..args[0] {
                    vm.call_function(self, args[1], &[i, args[2]])?;
                }
                Ok(args[0])
            }
            _ => Err(Fault::Helper(id)),
        }
    }

    fn map_value(&mut self, _fd: i32) -> Result<u64, Fault> {
        Ok(self.value)
    }
}

#[test]
fn helpers_callbacks_and_map_values() {
    let mut asm: Assembler = Assembler::new();
    let func = asm.label();
    asm.emit(Insn::call(Helper::KtimeGetNs.id()));
    asm.emit(Insn::mov(Reg::R7, Reg::R0));
    asm.emit(Insn::mov(Reg::R1, 4));
    asm.ld_func(Reg::R2, func);
    asm.ld_map_value(Reg::R3, 0, 4);
    asm.emit(Insn::mov(Reg::R4, 0));
    asm.emit(Insn::call(Helper::Loop.id()));
    asm.emit(Insn::mov(Reg::R0, Reg::R7));
    asm.emit(Insn::exit());
    asm.bind(func);
    asm.emit(Insn::atomic_add(Width::W, Reg::R2, 0, Reg::R1));
    asm.emit(Insn::mov(Reg::R0, 0));
    asm.emit(Insn::exit());
    let code = asm.finish().expect("assembles").insns;
    let mut memory = Memory::new();
    let value = memory.map(vec![0; 8], true);
    let calls = Vec::new();
    let mut host = TestHost { value, calls };
    let mut vm = Vm::new(&code, memory, 100);
    assert_eq!(vm.run(&mut host, 0), Ok(42));
    assert_eq!(vm.memory.load(value + 4, Width::W), Ok(1 + 2 + 3));
    assert_eq!(host.calls, [(5, 0), (181, 4)]);
    let clobbered = [Insn::call(5), Insn::mov(Reg::R0, Reg::R1), Insn::exit()];
    let fault = Vm::new(&clobbered, Memory::new(), 9).run(&mut host, 0);
    assert_eq!(
        fault,
        Err(Fault::Unset {
            pc: 1,
            reg: Reg::R1
        })
    );
}

#[test]
fn assembler_errors() {
    let mut far: Assembler = Assembler::new();
    let end = far.label();
    far.ja(end);
    far.emit_all(std::iter::repeat_n(Insn::mov(Reg::R0, 0), 32_768));
    far.bind(end);
    far.emit(Insn::exit());
    let err = far.finish();
    assert_eq!(
        err.err(),
        Some(AsmError::JumpTooFar {
            insn: 0,
            distance: 32_768
        })
    );

    let mut just: Assembler = Assembler::new();
    let end = just.label();
    just.ja(end);
    just.emit_all(std::iter::repeat_n(Insn::mov(Reg::R0, 0), 32_767));
    just.bind(end);
    just.emit(Insn::exit());
    let code = just.finish().expect("fits").insns;
    assert_eq!(code[0].off, i16::MAX);

    let mut unbound: Assembler = Assembler::new();
    let label = unbound.label();
    unbound.ja(label);
    let foreign = {
        let mut asm: Assembler = Assembler::new();
        asm.ja(label);
        asm.finish()
    };
    assert_eq!(
        unbound.clone().finish().err(),
        Some(AsmError::Unbound { insn: 0, label: 0 })
    );
    assert_eq!(foreign.err(), Some(AsmError::Foreign { label: 0 }));
    unbound.bind(label);
    unbound.bind(label);
    assert_eq!(unbound.finish().err(), Some(AsmError::Rebound { label: 0 }));
}

#[test]
fn notes_and_maps_point_at_their_instructions() {
    let mut asm = Assembler::new();
    asm.note(1);
    asm.note(2);
    asm.emit(Insn::mov(Reg::R0, 0));
    asm.note(2);
    asm.ld_map(Reg::R1, 3);
    asm.note(5);
    asm.ld_map_value(Reg::R1, 4, 8);
    asm.emit(Insn::exit());
    let program = asm.finish().expect("assembles");
    assert_eq!(program.notes, [(0, 2), (3, 5)]);
    let maps: Vec<_> = program
        .maps
        .iter()
        .map(|m| (m.insn, m.map, m.value_off))
        .collect();
    assert_eq!(maps, [(1, 3, None), (3, 4, Some(8))]);
    assert_eq!(program.insns.len(), 6);
}

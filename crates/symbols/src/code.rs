//! Machine code of functions: where instructions begin, where a function is left, and what a breakpoint costs.
//!
//! A breakpoint that is not at the beginning of an instruction destroys the program. Compilers put nothing but
//! instructions between the beginning and the end of a function, assembly may not: so a function counts as known only if
//! it decodes from end to end and all of its own jumps lead to beginnings.

use iced_x86::{Decoder, DecoderOptions, Instruction, Mnemonic, OpKind};

/// `e_machine` of x86-64 and AArch64.
pub const X86_64: u16 = 62;
/// `e_machine` of AArch64.
pub const AARCH64: u16 = 183;

/// A decoded function. Offsets are from its beginning.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Body {
    /// Where instructions begin, ascending.
    pub starts: Vec<u32>,
    /// Instructions that return.
    pub returns: Vec<u32>,
    /// Jumps without a condition out of the function: where they are and what they lead to, as an offset too.
    pub exits: Vec<(u32, i64)>,
    /// Where jumps within the function lead to, ascending.
    pub targets: Vec<u32>,
    /// Instructions between an exclusive load and its store, ascending: with a breakpoint there the store never succeeds.
    pub exclusive: Vec<u32>,
}

/// Decodes a function; `None` if it is not plain code.
pub fn body(machine: u16, code: &[u8]) -> Option<Body> {
    match machine {
        X86_64 => x86(code),
        AARCH64 => aarch64(code),
        _ => None,
    }
}

fn x86(code: &[u8]) -> Option<Body> {
    let mut body = Body::default();
    let mut decoder = Decoder::with_ip(64, code, 0, DecoderOptions::NONE);
    let mut instruction = Instruction::default();
    while decoder.can_decode() {
        decoder.decode_out(&mut instruction);
        if instruction.is_invalid() {
            return None;
        }
        let at = instruction.ip() as u32;
        body.starts.push(at);
        match instruction.mnemonic() {
            Mnemonic::Ret => body.returns.push(at),
            _ if is_jump(&instruction) => {
                let target = instruction.near_branch_target() as i64;
                match u32::try_from(target) {
                    Ok(inside) if (inside as usize) < code.len() => body.targets.push(inside),
                    _ if instruction.mnemonic() == Mnemonic::Jmp => body.exits.push((at, target)),
                    _ => {}
                }
            }
            _ => {}
        }
    }
    checked(body)
}

/// Whether it jumps, maybe on a condition, to a place that it names.
fn is_jump(i: &Instruction) -> bool {
    let direct = i.op_count() == 1
        && matches!(
            i.op0_kind(),
            OpKind::NearBranch16 | OpKind::NearBranch32 | OpKind::NearBranch64
        );
    direct && i.mnemonic() != Mnemonic::Call
}

fn aarch64(code: &[u8]) -> Option<Body> {
    let mut body = Body::default();
    let mut exclusive = false;
    let words = code.chunks_exact(4);
    if !words.remainder().is_empty() {
        return None;
    }
    for (n, bytes) in words.enumerate() {
        let word = u32::from_le_bytes(bytes.try_into().ok()?);
        let at = n as u32 * 4;
        body.starts.push(at);
        if exclusive {
            body.exclusive.push(at);
        }
        exclusive = match (arm::exclusive(word), exclusive) {
            (Some(loads), _) => loads,
            (None, still) => still,
        };
        // RET, RETAA, RETAB; B. Arm Architecture Reference Manual, C4.1.
        if word & 0xffff_fc1f == 0xd65f_0000 || word & 0xffff_fbff == 0xd65f_0bff {
            body.returns.push(at);
            exclusive = false;
        } else if let Some((offset, always)) = arm::jump(word) {
            let target = i64::from(at) + offset;
            match u32::try_from(target) {
                Ok(inside) if (inside as usize) < code.len() => body.targets.push(inside),
                _ if always => body.exits.push((at, target)),
                _ => {}
            }
        }
    }
    checked(body)
}

/// Instructions of AArch64 (Arm Architecture Reference Manual, C4.1).
mod arm {
    /// Where a direct jump leads to from its place, and whether it always does.
    pub(super) fn jump(word: u32) -> Option<(i64, bool)> {
        let signed = |low: u32, bits: u32| {
            let top = word << (32 - low - bits);
            i64::from(top as i32 >> (32 - bits)) * 4
        };
        if word >> 26 == 0b00_0101 {
            // B
            Some((signed(0, 26), true))
        } else if word >> 24 == 0x54 || word & 0x7e00_0000 == 0x3400_0000 {
            // B.cond; CBZ, CBNZ
            Some((signed(5, 19), false))
        } else if word & 0x7e00_0000 == 0x3600_0000 {
            // TBZ, TBNZ
            Some((signed(5, 14), false))
        } else {
            None
        }
    }

    /// Whether it is an exclusive load, or a store or what else ends one (CLREX).
    pub(super) fn exclusive(word: u32) -> Option<bool> {
        if word & 0xffff_f0ff == 0xd503_305f {
            return Some(false);
        }
        // Compare-and-swap of pairs is in this group, and needs no other instruction.
        let pair = word & (1 << 21) != 0;
        let swap = pair && word >> 31 == 0;
        let found = word & 0x3f80_0000 == 0x0800_0000 && !swap;
        found.then_some(word & (1 << 22) != 0)
    }

    /// Whether the kernel puts breakpoints there (arch/arm64/kernel/probes/decode-insn.c: `aarch64_insn_is_steppable`).
    pub(super) fn is_probed(word: u32) -> bool {
        // SVC, BRK and their like; ERET; MSR.
        let system = word >> 24 == 0xd4
            || word & 0xffff_f3ff == 0xd69f_03e0
            || word & 0xfff8_f01f == 0xd500_401f
            || word & 0xfff0_0000 == 0xd510_0000;
        // Of the hints those that do nothing, sign or check addresses, or are landing pads.
        let hint = word & 0xffff_f01f == 0xd503_201f;
        let known = matches!(
            word >> 5 & 0x7f,
            0 | 7 | 8 | 10 | 12 | 14 | 24..=32 | 34 | 36 | 38
        );
        exclusive(word).is_none() && !system && (!hint || known)
    }
}

/// Only if jumps lead to instructions.
fn checked(mut body: Body) -> Option<Body> {
    body.targets.sort_unstable();
    body.targets.dedup();
    let known = |at: &u32| body.starts.binary_search(at).is_ok();
    body.targets.iter().all(known).then_some(body)
}

/// Where to put the breakpoint of a function's entry, and what it costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Bytes behind the beginning, where nothing has happened yet.
    pub skip: u8,
    /// The kernel must single-step the instruction there, which costs many times more than to emulate it.
    pub stepped: bool,
}

const ENDBR64: [u8; 4] = [0xf3, 0x0f, 0x1e, 0xfa];

/// The cheapest place for the breakpoint of a function that begins with this code (16 bytes suffice).
pub fn entry(machine: u16, code: &[u8]) -> Entry {
    let stepped = is_stepped(machine, code);
    match code.strip_prefix(&ENDBR64) {
        Some(rest) if machine == X86_64 && is_emulated(rest) => Entry {
            skip: ENDBR64.len() as u8,
            stepped: false,
        },
        _ => Entry { skip: 0, stepped },
    }
}

/// Whether the kernel must single-step the instruction that begins with these bytes, which takes about 20 times as long.
pub fn is_stepped(machine: u16, code: &[u8]) -> bool {
    machine == X86_64 && !is_emulated(code)
}

/// Whether the kernel emulates the instruction (arch/x86/kernel/uprobes.c: `push_setup_xol_ops`, `branch_setup_xol_ops`).
fn is_emulated(code: &[u8]) -> bool {
    matches!(
        code,
        [0x50..=0x57 | 0x70..=0x7f | 0x90 | 0xe8 | 0xe9 | 0xeb, ..]
            | [0x41, 0x50..=0x57, ..]
            | [0x0f, 0x80..=0x8f | 0x1f, ..]
            | [0x66, 0x90, ..]
            | [0x66, 0x0f, 0x1f, ..]
    )
}

/// Whether the kernel puts breakpoints on an instruction that begins with these bytes, as far as its first bytes tell
/// (arch/x86/kernel/uprobes.c: `good_insns_64`, `is_prefix_bad`).
pub fn is_probed(machine: u16, code: &[u8]) -> bool {
    if machine == AARCH64 {
        let word = code.first_chunk().map(|word| u32::from_le_bytes(*word));
        return word.is_some_and(arm::is_probed);
    }
    let Some((first, _)) = code.split_first() else {
        return false;
    };
    // EVEX and VEX (vector instructions), breakpoints, `lock`, `hlt` and other privileged instructions.
    machine != X86_64
        || !matches!(
            first,
            0x62 | 0xc4 | 0xc5 | 0xcc..=0xcf | 0xe4..=0xe7 | 0xec..=0xef | 0xf0 | 0xf1 | 0xf4 | 0xfa | 0xfb
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_decoded() {
        // push rbp; mov rbp,rsp; test edi,edi; je 1f; call x; 1: pop rbp; ret
        let code = [
            0x55, 0x48, 0x89, 0xe5, 0x85, 0xff, 0x74, 0x05, 0xe8, 0, 0, 0, 0, 0x5d, 0xc3,
        ];
        let body = body(X86_64, &code).unwrap();
        assert_eq!(body.starts, [0, 1, 4, 6, 8, 13, 14]);
        assert_eq!((body.returns, body.targets), (vec![14], vec![13]));
        assert_eq!(body.exits, []);
    }

    #[test]
    fn tail_calls_leave() {
        // jmp -16; then a jump past the end
        let body = body(X86_64, &[0xeb, 0xee, 0xe9, 0x10, 0, 0, 0]).unwrap();
        assert_eq!(body.exits, [(0, -16), (2, 23)]);
    }

    #[test]
    fn what_is_not_code_is_not_known() {
        // A jump into the middle of an instruction, an opcode that is none, half an instruction.
        for code in [&[0xeb, 0x01, 0xe8, 0, 0, 0, 0][..], &[0x06], &[0xe8, 0, 0]] {
            assert_eq!(body(X86_64, code), None, "{code:x?}");
        }
        assert_eq!(body(3, &[0xc3]), None);
    }

    #[test]
    fn arm_functions() {
        // nop; b .-4; ret
        let code = [0xd503_201fu32, 0x17ff_ffff, 0xd65f_03c0];
        let bytes: Vec<u8> = code.iter().flat_map(|w| w.to_le_bytes()).collect();
        let body = body(AARCH64, &bytes).unwrap();
        assert_eq!(body.starts, [0, 4, 8]);
        assert_eq!((body.returns, body.targets), (vec![8], vec![0]));
        // 0: ldaxr w1, [x0]; add w1, w1, 1; stlxr w2, w1, [x0]; cbnz w2, 0b; tbz w1, 3, 1f; b.ne 2f (out); 1: ret
        let words = [
            0x885f_fc01u32,
            0x1100_0421,
            0x8802_fc01,
            0x35ff_ffa2,
            0x3618_0041,
            0x5400_1001,
            0xd65f_03c0,
        ];
        let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
        let body = super::body(AARCH64, &bytes).unwrap();
        assert_eq!(body.exclusive, [4, 8]);
        assert_eq!((body.targets, body.exits), (vec![0, 24], vec![]));
    }

    #[test]
    fn what_arm_kernels_probe() {
        let probed = |word: u32| is_probed(AARCH64, &word.to_le_bytes());
        // nop, bti c, paciasp, stp x29, x30, [sp, -48]!, svc 0, yield, ldaxr, stlxr, casp, brk, half an instruction
        for word in [
            0xd503_201f,
            0xd503_245f,
            0xd503_233f,
            0xa9bd_7bfd,
            0x0820_7c82,
        ] {
            assert!(probed(word), "{word:#x}");
        }
        for word in [
            0xd400_0001,
            0xd503_203f,
            0x885f_fc01,
            0x8802_fc01,
            0xd420_0000,
        ] {
            assert!(!probed(word), "{word:#x}");
        }
        assert!(!is_probed(AARCH64, &[0, 0]));
    }

    #[test]
    fn the_cheaper_of_two_equal_places() {
        let at = |code: &[u8]| {
            let e = entry(X86_64, code);
            (e.skip, e.stepped)
        };
        assert_eq!(at(&[0xf3, 0x0f, 0x1e, 0xfa, 0x55]), (4, false));
        assert_eq!(at(&[0xf3, 0x0f, 0x1e, 0xfa, 0x41, 0x57]), (4, false));
        assert_eq!(at(&[0xf3, 0x0f, 0x1e, 0xfa, 0x48, 0x89]), (0, true));
        assert_eq!(at(&[0x55]), (0, false));
        assert_eq!(at(&[0x48, 0x83, 0xec, 8]), (0, true));
        assert!(!entry(AARCH64, &[0; 4]).stepped);
    }
}

//! The code that the kernel maps into each process, which on 64-bit Arm has no unwind data: its functions are looked at.
//!
//! Those that read clocks call nothing and leave the stack alone, so the return address stays in `x30`; others keep
//! frame pointers. Encodings: Arm Architecture Reference Manual, C4.1.

use crate::cfi::Range;
use crate::elf::{self, Source};
use crate::{Cfa, Error, Link, Machine, Rule, Table};

/// The table of that code of a process, which is the whole `source`.
pub fn vdso(source: &dyn Source, machine: Machine) -> Result<Table, Error> {
    match (crate::read(source, machine), machine) {
        (Err(Error::Absent), Machine::Aarch64) => {
            let found = elf::functions(source, machine)?;
            let ranges = found.into_iter().map(|(start, code)| range(start, &code));
            Ok(Table::new(&ranges.collect()))
        }
        (table, _) => table,
    }
}

fn range(start: u64, code: &[u8]) -> Range {
    let words = code.chunks_exact(4).filter_map(|w| w.first_chunk());
    let mut words = words.map(|word| u32::from_le_bytes(*word));
    let rule = if words.any(makes_frame) {
        Rule::Pointer
    } else {
        Rule::Linked(Cfa::Sp(0), Link::Register)
    };
    Range {
        start,
        end: start + code.len() as u64,
        rule,
    }
}

/// Whether an instruction calls, or moves the stack pointer.
fn makes_frame(word: u32) -> bool {
    const SP: u32 = 31;
    let (target, base) = (word & 31, word >> 5 & 31);
    // BL; BLR.
    let calls = word >> 26 == 0b10_0101 || word & 0xffff_fc1f == 0xd63f_0000;
    // ADD, SUB of a number, of a register.
    let adds = matches!(word & 0x3f80_0000, 0x1100_0000) || word & 0x3f20_0000 == 0x0b20_0000;
    // One register, two registers, with the base changed before or after.
    let one = word & 0x3b20_0400 == 0x3800_0400;
    let two = word & 0x3a80_0000 == 0x2880_0000;
    calls || adds && target == SP || (one || two) && base == SP
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_makes_a_frame() {
        // bl; blr x3; sub sp, sp, 32; add sp, sp, x5; str x30, [sp, -16]!; ldr x30, [sp], 16; stp x29, x30, [sp, -128]!;
        // ldp x29, x30, [sp], 128
        for word in [
            0x9400_00a2,
            0xd63f_0060,
            0xd100_83ff,
            0x8b25_63ff,
            0xf81f_0ffe,
            0xf841_07fe,
            0xa9b8_7bfd,
            0xa8c8_7bfd,
        ] {
            assert!(makes_frame(word), "{word:#x}");
        }
        // add x5, sp, x5; ret; ldr x0, [sp, 96]; stp x19, x20, [sp, 16]; add x19, sp, 0x78; ldr x1, [x2], 8; svc 0
        for word in [
            0x8b25_63e5,
            0xd65f_03c0,
            0xf940_33e0,
            0xa901_53f3,
            0x9101_e3f3,
            0xf840_8441,
            0xd400_0001,
        ] {
            assert!(!makes_frame(word), "{word:#x}");
        }
    }
}

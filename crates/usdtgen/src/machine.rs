//! The few instructions of the object that `dtrace -G` writes, for each machine.
//!
//! An object compiled with a header of the old kind calls `__dtrace_PROVIDER___PROBE()`, and
//! `__dtraceenabled_PROVIDER___PROBE()` to learn whether the probe is enabled. The first is a site and a return, the
//! second reads the semaphore.

use object::{Architecture, RelocationFlags, elf};
use sema::InterfaceArg;

/// A machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Machine {
    X86_64,
    Aarch64,
}

/// A relocation of the function that reads the semaphore: offset, type, addend.
pub(crate) type Fixup = (u64, RelocationFlags, i64);

impl Machine {
    pub(crate) fn of(architecture: Architecture) -> Option<Machine> {
        match architecture {
            Architecture::X86_64 => Some(Machine::X86_64),
            Architecture::Aarch64 => Some(Machine::Aarch64),
            _ => None,
        }
    }

    pub(crate) fn architecture(self) -> Architecture {
        match self {
            Machine::X86_64 => Architecture::X86_64,
            Machine::Aarch64 => Architecture::Aarch64,
        }
    }

    /// A no-op that is the site, and a return.
    pub(crate) fn fire(self) -> &'static [u8] {
        match self {
            // nopl 0x0(%rax,%rax,1); ret
            Machine::X86_64 => &[0x0f, 0x1f, 0x44, 0, 0, 0xc3],
            // nop; ret
            Machine::Aarch64 => &[0x1f, 0x20, 0x03, 0xd5, 0xc0, 0x03, 0x5f, 0xd6],
        }
    }

    /// Returns the semaphore; the relocations put its address in.
    pub(crate) fn enabled(self) -> (&'static [u8], Vec<Fixup>) {
        let elf = |r_type| RelocationFlags::Elf { r_type };
        match self {
            // movzwl semaphore(%rip),%eax; ret
            Machine::X86_64 => (
                &[0x0f, 0xb7, 0x05, 0, 0, 0, 0, 0xc3],
                vec![(3, elf(elf::R_X86_64_PC32), -4)],
            ),
            // adrp x0, semaphore; ldrh w0, [x0, :lo12:semaphore]; ret
            Machine::Aarch64 => (
                &[0, 0, 0, 0x90, 0, 0, 0x40, 0x79, 0xc0, 0x03, 0x5f, 0xd6],
                vec![
                    (0, elf(elf::R_AARCH64_ADR_PREL_PG_HI21), 0),
                    (4, elf(elf::R_AARCH64_LDST16_ABS_LO12_NC), 0),
                ],
            ),
        }
    }

    /// An address of 64 bits.
    pub(crate) fn absolute(self) -> RelocationFlags {
        let r_type = match self {
            Machine::X86_64 => elf::R_X86_64_64,
            Machine::Aarch64 => elf::R_AARCH64_ABS64,
        };
        RelocationFlags::Elf { r_type }
    }

    /// Where a called function finds its arguments, as a note says it.
    pub(crate) fn arguments(self, args: &[InterfaceArg]) -> String {
        let place = |(n, arg): (usize, &InterfaceArg)| {
            let sign = if arg.signed { "-" } else { "" };
            format!("{sign}{}@{}", arg.bytes, self.place(n, arg.bytes))
        };
        let places = args.iter().enumerate().map(place);
        places.collect::<Vec<_>>().join(" ")
    }

    fn place(self, n: usize, bytes: u8) -> String {
        match self {
            Machine::X86_64 => {
                // Eight, four, two bytes, one byte of the registers for arguments; then the stack, above the return address.
                const REGISTERS: [[&str; 4]; 6] = [
                    ["rdi", "edi", "di", "dil"],
                    ["rsi", "esi", "si", "sil"],
                    ["rdx", "edx", "dx", "dl"],
                    ["rcx", "ecx", "cx", "cl"],
                    ["r8", "r8d", "r8w", "r8b"],
                    ["r9", "r9d", "r9w", "r9b"],
                ];
                let width = match bytes {
                    8 => 0,
                    4 => 1,
                    2 => 2,
                    _ => 3,
                };
                match REGISTERS.get(n).and_then(|names| names.get(width)) {
                    Some(name) => format!("%{name}"),
                    None => format!("{}(%rsp)", 8 * (n - REGISTERS.len()) + 8),
                }
            }
            Machine::Aarch64 if n < 8 => format!("{}{n}", if bytes == 8 { 'x' } else { 'w' }),
            Machine::Aarch64 => format!("[sp, {}]", 8 * (n - 8)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_follow_the_calling_convention() {
        let arg = |bytes, signed| InterfaceArg {
            bytes,
            signed,
            pointer: false,
        };
        let mut args = vec![arg(8, false), arg(4, true), arg(1, false)];
        assert_eq!(Machine::X86_64.arguments(&args), "8@%rdi -4@%esi 1@%dl");
        assert_eq!(Machine::Aarch64.arguments(&args), "8@x0 -4@w1 1@w2");
        args.resize(10, arg(8, true));
        assert!(
            Machine::X86_64
                .arguments(&args)
                .ends_with("-8@%r9 -8@8(%rsp) -8@16(%rsp) -8@24(%rsp) -8@32(%rsp)")
        );
        assert!(
            Machine::Aarch64
                .arguments(&args)
                .ends_with("-8@x7 -8@[sp, 0] -8@[sp, 8]")
        );
    }
}

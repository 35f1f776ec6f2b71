//! The machines whose code is understood, and what of them the unwind data name.

use gimli::{AArch64, Register, Vendor, X86_64};

/// A machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Machine {
    /// x86-64.
    X86_64,
    /// 64-bit Arm.
    Aarch64,
}

impl Machine {
    /// The machine that this was compiled for.
    pub const HOST: Machine = if cfg!(target_arch = "aarch64") {
        Machine::Aarch64
    } else {
        Machine::X86_64
    };

    /// `e_machine` of its ELF files.
    pub(crate) fn number(self) -> u16 {
        match self {
            Machine::X86_64 => 62,
            Machine::Aarch64 => 183,
        }
    }

    /// Whose extensions of the unwind data there may be.
    pub(crate) fn vendor(self) -> Vendor {
        match self {
            Machine::X86_64 => Vendor::Default,
            Machine::Aarch64 => Vendor::AArch64,
        }
    }

    pub(crate) fn stack_pointer(self) -> Register {
        match self {
            Machine::X86_64 => X86_64::RSP,
            Machine::Aarch64 => AArch64::SP,
        }
    }

    pub(crate) fn frame_pointer(self) -> Register {
        match self {
            Machine::X86_64 => X86_64::RBP,
            Machine::Aarch64 => AArch64::X29,
        }
    }

    /// The return address: of x86-64 no register, but a column of the table.
    pub(crate) fn return_address(self) -> Register {
        match self {
            Machine::X86_64 => X86_64::RA,
            Machine::Aarch64 => AArch64::X30,
        }
    }
}

//! Places in user-space code: where a probe fires, and what its arguments are there.
//!
//! A point is a place in a file, not in a process: the kernel puts the breakpoint into every mapping of the file, those
//! that come later too.

use std::sync::Arc;

/// One place where a user-space probe fires. A probe may have several.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UserPoint {
    /// Path of the file, as the attaching process can open it (below `/proc`, if it is of another mount namespace).
    pub file: Arc<str>,
    /// Byte offset of the instruction in the file.
    pub offset: u64,
    /// What happens there.
    pub kind: PointKind,
    /// Only in this process (as the attaching process numbers it); `None`: in every one.
    pub pid: Option<u32>,
    /// Byte offset in the file of a 16-bit counter that is raised while the probe is enabled, 0 for none.
    pub semaphore: u32,
    /// What [`crate::ArgSource::PointWord`] reads: fewer than 2^28.
    pub word: u32,
    /// Arguments of a statically defined probe.
    pub operands: Arc<[Operand]>,
}

/// What makes a point fire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PointKind {
    /// The instruction at the offset is about to run.
    Instruction,
    /// The function that begins at the offset has returned.
    Return,
}

/// Where an argument of a statically defined probe is, at one of its points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Operand {
    /// Bytes: 1, 2, 4 or 8.
    pub bytes: u8,
    /// Sign-extended.
    pub signed: bool,
    /// Place.
    pub place: Place,
}

/// The place of an [`Operand`]. Registers are words of the kernel's `struct pt_regs`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Place {
    /// A number.
    Constant(i64),
    /// A register; `shift` is the bit where the value begins (8 for `%ah`).
    Register {
        /// Word of `pt_regs`.
        word: u8,
        /// Bits below the value.
        shift: u8,
    },
    /// User memory at `base + index << scale + offset`.
    Memory {
        /// Word of `pt_regs`.
        base: u8,
        /// Word of `pt_regs`, and what its value is shifted left by.
        index: Option<(u8, u8)>,
        /// Bytes added.
        offset: i64,
    },
    /// In a place that a program cannot read (a vector register).
    Unreadable,
}

/// Where a program is attached, and what it finds as its cookie there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attachment {
    /// The place.
    pub point: UserPoint,
    /// Index into [`crate::Image::probes`], for messages.
    pub probe: u32,
    /// Attach cookie.
    pub cookie: u64,
}

/// Attach cookies: the probe's index in the low bits, the point's own number in the high ones, between them which of the
/// program's groups of clauses fires.
pub mod cookie {
    /// Bits of a probe index.
    pub const PROBE_BITS: u32 = 24;
    /// Bits of a group.
    pub const GROUP_BITS: u32 = 12;
    /// Bits below the point's number.
    pub const WORD_SHIFT: u32 = PROBE_BITS + GROUP_BITS;

    /// A cookie; `None` if one of the numbers does not fit.
    pub fn of(probe: u32, group: u32, word: u32) -> Option<u64> {
        let fits = probe >> PROBE_BITS == 0 && group >> GROUP_BITS == 0;
        let fits = fits && u64::from(word) >> (64 - WORD_SHIFT) == 0;
        fits.then(|| {
            u64::from(probe) | u64::from(group) << PROBE_BITS | u64::from(word) << WORD_SHIFT
        })
    }
}

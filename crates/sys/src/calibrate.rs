//! Loops of known numbers of instructions, by which performance counters are judged: in registers only, over bytes in order,
//! over bytes anywhere.
//!
//! They are assembly, because what a compiler makes of a loop is not known.

use core::arch::asm;
use std::ptr::NonNull;

use crate::error::SysError;
use crate::seam;

/// What a loop does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// Each addition waits for the one before it; no memory.
    Registers,
    /// Reads and adds bytes in order, again from the beginning at the end.
    Sequential,
    /// Reads bytes anywhere; where is known only when the byte before has come.
    Scattered,
}

/// Additions of a turn of [`Work::Registers`] (the `.rept` of [`registers`]).
const ADDITIONS: u64 = 14;
/// Bytes that a turn of [`Work::Sequential`] reads (the `.irp` of [`sequential`]).
const BYTES: u64 = 8;
/// A full-period generator: Knuth, MMIX.
const MULTIPLIER: u64 = 6_364_136_223_846_793_005;
const INCREMENT: u64 = 1_442_695_040_888_963_407;
/// Bytes of a page at least.
const PAGE: usize = 4096;

impl Work {
    /// Instructions of one turn.
    pub const fn instructions(self) -> u64 {
        match self {
            // Counting down and jumping are two.
            Work::Registers => ADDITIONS + 2,
            Work::Sequential => 2 * BYTES + 3,
            Work::Scattered if cfg!(target_arch = "x86_64") => 8,
            Work::Scattered => 7,
        }
    }

    /// Bytes that one turn reads.
    pub const fn bytes(self) -> u64 {
        match self {
            Work::Registers => 0,
            Work::Sequential => BYTES,
            Work::Scattered => 1,
        }
    }
}

/// A loop and what it goes on from.
#[derive(Debug)]
pub struct Loop {
    work: Work,
    memory: Memory,
    /// The next byte (sequential) or the generator (scattered).
    place: u64,
    sum: u64,
}

impl Loop {
    /// Gets the memory, `1 << log2` bytes (a page at least), every page of which is there and its own.
    pub fn new(work: Work, log2: u32) -> Result<Loop, SysError> {
        let log2 = log2.clamp(PAGE.trailing_zeros(), 47);
        let log2 = if work == Work::Registers { 12 } else { log2 };
        Ok(Loop {
            work,
            memory: Memory::new(log2)?,
            place: 0,
            sum: 0,
        })
    }

    /// Makes so many turns.
    pub fn run(&mut self, turns: u64) {
        let mut left = turns;
        while left > 0 {
            let now = match self.work {
                Work::Registers => {
                    self.sum = registers(left, self.sum);
                    left
                }
                Work::Sequential => {
                    let (now, sum) = self.memory.sequential(self.place, left);
                    self.place = (self.place + now * BYTES) % self.memory.len();
                    self.sum = self.sum.wrapping_add(sum);
                    now
                }
                Work::Scattered => {
                    self.place = self.memory.scattered(self.place, left);
                    left
                }
            };
            left -= now;
        }
    }

    /// What came of it: something that nobody can know without making the turns.
    pub fn result(&self) -> u64 {
        self.sum.wrapping_add(self.place)
    }
}

/// `turns` (one at least) of dependent additions.
fn registers(turns: u64, sum: u64) -> u64 {
    let mut sum = sum;
    // SAFETY: it changes its operands only, touches no memory, and ends when the turns are done.
    unsafe {
        #[cfg(target_arch = "x86_64")]
        asm!(
            "2:",
            ".rept 14",
            "add {sum}, {one}",
            ".endr",
            "dec {n}",
            "jnz 2b",
            sum = inout(reg) sum, one = in(reg) 1u64, n = inout(reg) turns => _,
            options(nomem, nostack)
        );
        #[cfg(target_arch = "aarch64")]
        asm!(
            "2:",
            ".rept 14",
            "add {sum}, {sum}, {one}",
            ".endr",
            "subs {n}, {n}, #1",
            "b.ne 2b",
            sum = inout(reg) sum, one = in(reg) 1u64, n = inout(reg) turns => _,
            options(nomem, nostack)
        );
    }
    sum
}

/// Private memory of a power of two of bytes.
#[derive(Debug)]
struct Memory {
    base: NonNull<u8>,
    log2: u32,
}

// SAFETY: the memory belongs to this value alone.
unsafe impl Send for Memory {}

impl Memory {
    fn new(log2: u32) -> Result<Memory, SysError> {
        let len = 1usize << log2;
        let prot = (libc::PROT_READ | libc::PROT_WRITE) as usize;
        let flags = (libc::MAP_PRIVATE | libc::MAP_ANONYMOUS) as usize;
        // SAFETY: a new mapping at an address the kernel chooses touches no memory in use.
        let at =
            unsafe { seam::call("mmap", libc::SYS_mmap, [0, len, prot, flags, usize::MAX, 0]) }?;
        let base =
            NonNull::new(at as *mut u8).ok_or_else(|| SysError::new("mmap", libc::ENOMEM))?;
        let memory = Memory { base, log2 };
        // Large pages would need few entries of the TLB. A kernel without them refuses; then there are none.
        // SAFETY: it is advice about memory that was mapped above.
        let _ = unsafe {
            let advice = libc::MADV_NOHUGEPAGE as usize;
            seam::call("madvise", libc::SYS_madvise, [at, len, advice, 0, 0, 0])
        };
        for page in (0..len).step_by(PAGE) {
            // Memory that was never written is one page of zeros, wherever it is read.
            // SAFETY: the page is within the mapping, which is writable.
            unsafe { base.add(page).write_volatile(1) };
        }
        Ok(memory)
    }

    fn len(&self) -> u64 {
        1 << self.log2
    }

    /// Reads from `place` (a multiple of [`BYTES`] below the length) to the end at most; gives the turns made, and the sum.
    fn sequential(&self, place: u64, turns: u64) -> (u64, u64) {
        let turns = turns.min((self.len() - place) / BYTES);
        let mut sum = 0u64;
        if turns == 0 {
            return (0, sum);
        }
        // SAFETY: place + turns * BYTES is at most the length, so every byte read is within the mapping.
        unsafe {
            let from = self.base.as_ptr().add(place as usize);
            #[cfg(target_arch = "x86_64")]
            asm!(
                "2:",
                ".irp k,0,1,2,3,4,5,6,7",
                "movzx {byte:e}, byte ptr [{p} + \\k]",
                "add {sum}, {byte}",
                ".endr",
                "add {p}, 8",
                "dec {n}",
                "jnz 2b",
                p = inout(reg) from => _, byte = out(reg) _, sum = inout(reg) sum, n = inout(reg) turns => _,
                options(readonly, nostack)
            );
            #[cfg(target_arch = "aarch64")]
            asm!(
                "2:",
                ".irp k,0,1,2,3,4,5,6,7",
                "ldrb {byte:w}, [{p}, #\\k]",
                "add {sum}, {sum}, {byte}",
                ".endr",
                "add {p}, {p}, #8",
                "subs {n}, {n}, #1",
                "b.ne 2b",
                p = inout(reg) from => _, byte = out(reg) _, sum = inout(reg) sum, n = inout(reg) turns => _,
                options(readonly, nostack)
            );
        }
        (turns, sum)
    }

    /// `turns` (one at least) from that state of the generator; gives the next state.
    fn scattered(&self, state: u64, turns: u64) -> u64 {
        let mut state = state;
        let shift = u64::from(64 - self.log2);
        // SAFETY: the index has log2 bits, so every byte read is within the mapping.
        unsafe {
            #[cfg(target_arch = "x86_64")]
            asm!(
                "2:",
                "imul {x}, {a}",
                "add {x}, {c}",
                "add {x}, {byte}",
                "mov {at}, {x}",
                "shr {at}, cl",
                "movzx {byte:e}, byte ptr [{p} + {at}]",
                "dec {n}",
                "jnz 2b",
                x = inout(reg) state, a = in(reg) MULTIPLIER, c = in(reg) INCREMENT, byte = inout(reg) 0u64 => _,
                at = out(reg) _, p = in(reg) self.base.as_ptr(), in("rcx") shift, n = inout(reg) turns => _,
                options(readonly, nostack)
            );
            #[cfg(target_arch = "aarch64")]
            asm!(
                "2:",
                "mul {x}, {x}, {a}",
                "add {x}, {x}, {c}",
                "add {x}, {x}, {byte}",
                "lsr {at}, {x}, {shift}",
                "ldrb {byte:w}, [{p}, {at}]",
                "subs {n}, {n}, #1",
                "b.ne 2b",
                x = inout(reg) state, a = in(reg) MULTIPLIER, c = in(reg) INCREMENT, byte = inout(reg) 0u64 => _,
                at = out(reg) _, p = in(reg) self.base.as_ptr(), shift = in(reg) shift, n = inout(reg) turns => _,
                options(readonly, nostack)
            );
        }
        state
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: the mapping is this value's own, and nobody has it any more. A failure leaves it to the end of the process.
        let _ = unsafe {
            let at = self.base.as_ptr() as usize;
            seam::call("munmap", libc::SYS_munmap, [at, 1 << self.log2, 0, 0, 0, 0])
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_turn_is_made() {
        let result = |work, parts: &[u64]| {
            let mut it = Loop::new(work, 13).expect("memory");
            parts.iter().for_each(|turns| it.run(*turns));
            it.result()
        };
        assert_eq!(result(Work::Registers, &[1, 999]), 14 * 1000);
        // One byte a page is 1, the others 0; 8192 bytes are 1024 turns.
        assert_eq!(result(Work::Sequential, &[1, 2, 1021]), 2);
        assert_eq!(result(Work::Sequential, &[1024 * 5]), 10);
        assert_eq!(result(Work::Sequential, &[1024 * 5 + 1]), 11 + 8);
    }

    #[test]
    fn scattered_bytes_are_where_the_generator_says() {
        let log2 = 13;
        let mut it = Loop::new(Work::Scattered, log2).expect("memory");
        it.run(1000);
        let (mut state, mut byte) = (0u64, 0u64);
        for _ in 0..1000 {
            state = state.wrapping_mul(MULTIPLIER).wrapping_add(INCREMENT);
            state = state.wrapping_add(byte);
            byte = u64::from((state >> (64 - log2)).is_multiple_of(4096));
        }
        assert_eq!(it.result(), state);
    }

    #[test]
    fn no_memory_is_an_error() {
        let (made, _) = seam::fail_nth(1, libc::ENOMEM, || Loop::new(Work::Scattered, 20));
        assert_eq!(made.map(|_| ()).map_err(|e| e.errno), Err(libc::ENOMEM));
    }
}

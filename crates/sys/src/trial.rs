//! No-ops of files that this process runs itself, one at a time, to learn or to settle what the kernel makes of them.
//!
//! A no-op is mapped privately, gets a return behind it and is called; nothing else of the file runs.

use std::os::fd::{AsRawFd, BorrowedFd};

use crate::error::SysError;
use crate::mem::page_size;
use crate::seam;

/// The no-op of five bytes that kernels turn into a call (x86-64).
pub const NOP: [u8; 5] = [0x0f, 0x1f, 0x44, 0, 0];
/// First byte of a breakpoint.
const BREAKPOINT: u8 = 0xcc;
/// First byte of a call.
const CALL: u8 = 0xe8;
const RETURN: u8 = 0xc3;
/// How far a call reaches, and a little more.
const REACH: usize = (1 << 31) + (1 << 20);

/// Places for pages of files.
#[derive(Debug)]
pub struct Trial {
    base: usize,
    len: usize,
    slots: usize,
}

fn map(
    address: usize,
    len: usize,
    prot: i32,
    flags: i32,
    fd: i64,
    at: u64,
) -> Result<usize, SysError> {
    let args = [
        address,
        len,
        prot as usize,
        (libc::MAP_PRIVATE | flags) as usize,
        fd as usize,
        at as usize,
    ];
    // SAFETY: a new mapping, or one over a reservation of ours that nothing points into.
    let mapped = unsafe { seam::call("mmap", libc::SYS_mmap, args) }?;
    Ok(mapped)
}

const RUN: i32 = libc::PROT_READ | libc::PROT_EXEC;
const WRITE: i32 = libc::PROT_READ | libc::PROT_WRITE;

impl Trial {
    /// Room for so many no-ops, with no free address near enough for the kernel to put anything there that a call could
    /// reach.
    pub fn new(slots: usize) -> Result<Trial, SysError> {
        let len = slots * 2 * page_size() + 2 * REACH;
        let flags = libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        let base = map(0, len, libc::PROT_NONE, flags, -1, 0)?;
        Ok(Trial { base, len, slots })
    }

    fn slot(&self, n: usize) -> Result<usize, SysError> {
        if n < self.slots {
            Ok(self.base + REACH + n * 2 * page_size())
        } else {
            Err(SysError::new("trial", libc::EINVAL))
        }
    }

    /// Maps the page of a file where byte `offset` is, and behind it a page of returns.
    pub fn place(&self, n: usize, file: BorrowedFd<'_>, offset: u64) -> Result<(), SysError> {
        let (at, page) = (self.slot(n)?, page_size());
        let start = offset - offset % page as u64;
        map(
            at,
            page,
            RUN,
            libc::MAP_FIXED,
            file.as_raw_fd().into(),
            start,
        )?;
        let flags = libc::MAP_FIXED | libc::MAP_ANONYMOUS;
        let behind = map(at + page, page, WRITE, flags, -1, 0)?;
        // SAFETY: the page was just mapped, for writing.
        unsafe { std::ptr::write_bytes(behind as *mut u8, RETURN, page) };
        self.protect(behind, RUN)
    }

    fn protect(&self, at: usize, prot: i32) -> Result<(), SysError> {
        let args = [at, page_size(), prot as usize, 0, 0, 0];
        // SAFETY: a page of ours that nothing points into.
        unsafe { seam::call("mprotect", libc::SYS_mprotect, args) }.map(drop)
    }

    /// Runs the no-op at byte `offset` of the file, which [`Trial::place`] has mapped. It must be in one page as a whole, be
    /// one, and have been mapped before anything was done to it but what the kernel does for probes.
    pub fn run(&self, n: usize, offset: u64) -> Result<(), SysError> {
        let (slot, page) = (self.slot(n)?, page_size());
        let at = slot + (offset % page as u64) as usize;
        let behind = at + NOP.len();
        if behind < slot + page {
            self.protect(slot, WRITE)?;
            // SAFETY: the page is writable and nothing else refers to it.
            unsafe { std::ptr::write_volatile(behind as *mut u8, RETURN) };
            self.protect(slot, RUN)?;
        }
        if behind > slot + page || !self.is_nop(at) {
            return Err(SysError::new("trial", libc::EINVAL));
        }
        // SAFETY: the bytes there are a no-op, or what the kernel made of it for a probe, which comes back behind it as if it
        // had run; behind it is a return. Neither needs a stack nor changes a register that the convention keeps.
        unsafe {
            let code: extern "C" fn() = std::mem::transmute(at);
            code();
        }
        Ok(())
    }

    /// Whether the kernel calls its own code instead of the no-op at byte `offset`.
    pub fn is_call(&self, n: usize, offset: u64) -> Result<bool, SysError> {
        let at = self.slot(n)? + (offset % page_size() as u64) as usize;
        Ok(byte(at) == CALL)
    }

    fn is_nop(&self, at: usize) -> bool {
        let rest = NOP.iter().enumerate().skip(1);
        let same = rest.clone().all(|(n, b)| byte(at + n) == *b);
        match byte(at) {
            CALL => true,
            first => same && (first == BREAKPOINT || first == 0x0f),
        }
    }
}

/// A byte of a mapping of a trial.
fn byte(at: usize) -> u8 {
    // SAFETY: callers compute `at` from a slot, whose two pages are readable.
    unsafe { std::ptr::read_volatile(at as *const u8) }
}

impl Drop for Trial {
    fn drop(&mut self) {
        // SAFETY: unmaps exactly what `new` mapped; nothing points into it.
        unsafe { libc::munmap(self.base as *mut libc::c_void, self.len) };
    }
}

#[cfg(test)]
#[cfg(target_arch = "x86_64")]
mod tests {
    use super::*;
    use std::os::fd::AsFd;

    #[test]
    fn a_noop_comes_back() -> Result<(), SysError> {
        let path = std::env::temp_dir().join(format!("trial{}", std::process::id()));
        let page = page_size();
        let mut code = vec![RETURN; 2 * page];
        for at in [0, page - NOP.len()] {
            code[at..at + NOP.len()].copy_from_slice(&NOP);
        }
        std::fs::write(&path, &code).expect("a file");
        let file = std::fs::File::open(&path).expect("the file");
        std::fs::remove_file(&path).expect("the file");
        let trial = Trial::new(2)?;
        trial.place(1, file.as_fd(), 0)?;
        for at in [0, page - NOP.len()] {
            trial.run(1, at as u64)?;
            assert!(!trial.is_call(1, at as u64)?);
        }
        // A return is no no-op, and there are two places only.
        assert!(trial.run(1, 6).is_err());
        assert!(trial.place(2, file.as_fd(), 0).is_err());
        Ok(())
    }
}

//! Reader of the records that perf events write: new mappings, programs, processes and their ends.
//!
//! Layout (`perf_event_open(2)`, "MMAP layout"): a page with the position of the writer at 1024 and of the reader at
//! 1032, then the data pages. A record is a u32 type, u16 flags, u16 size in bytes, and its fields.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use crate::error::SysError;
use crate::mem::{Mapping, page_size};
use crate::perf;

const HEAD: usize = 1024;
const TAIL: usize = 1032;
/// Bytes before the fields of a record.
pub const HEADER: usize = 8;

/// The perf event of one CPU, with its ring.
#[derive(Debug)]
pub struct PerfRing {
    event: OwnedFd,
    map: Mapping,
    size: u64,
    piece: Vec<u8>,
}

impl PerfRing {
    /// An event that says what processes of `cpu` map, run, start and end, with times of the monotonic clock; into a ring
    /// of `size` bytes (a power of two of pages), which becomes readable when `wake` bytes of it are full.
    pub fn mappings(cpu: u32, size: u32, wake: u32) -> Result<PerfRing, SysError> {
        let event = perf::open(&perf::Attr::mappings(wake), -1, cpu as i32)
            .map_err(|e| e.on(format!("records of mappings on CPU {cpu}")))?;
        let page = page_size();
        let map = Mapping::new(event.as_fd(), page + size as usize, 0, true)?;
        Ok(PerfRing {
            event,
            map,
            size: u64::from(size),
            piece: Vec::new(),
        })
    }

    /// To wait on.
    pub fn fd(&self) -> BorrowedFd<'_> {
        self.event.as_fd()
    }

    fn copy(&mut self, at: u64, len: usize) -> Option<()> {
        let page = page_size();
        let from = (at % self.size) as usize;
        let first = len.min(self.size as usize - from);
        self.piece.clear();
        self.piece.extend(self.map.read(page + from, first)?);
        self.piece.extend(self.map.read(page, len - first)?);
        Some(())
    }

    /// Hands out the type, flags and bytes (header included) of each record, and frees its place.
    pub fn drain(&mut self, mut emit: impl FnMut(u32, u16, &[u8])) {
        let head = self.map.load_u64_acquire(HEAD).unwrap_or(0);
        let mut tail = self.map.load_u64(TAIL).unwrap_or(head);
        while tail < head {
            if self.copy(tail, HEADER).is_none() {
                break;
            }
            let Ok([a, b, c, d, e, f, g, h]) = <[u8; HEADER]>::try_from(self.piece.as_slice())
            else {
                break;
            };
            let kind = u32::from_ne_bytes([a, b, c, d]);
            let flags = u16::from_ne_bytes([e, f]);
            let len = usize::from(u16::from_ne_bytes([g, h]));
            // A damaged ring is given up rather than read for ever.
            if len < HEADER || self.copy(tail, len).is_none() {
                tail = head;
                break;
            }
            emit(kind, flags, &self.piece);
            tail += len as u64;
        }
        self.map.store_u64(TAIL, tail);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_program_is_told() -> Result<(), SysError> {
        if !crate::proc::may_trace() {
            println!("NOT RUN: needs root");
            return Ok(());
        }
        let mut rings = Vec::new();
        for cpu in crate::proc::online_cpus() {
            rings.push(PerfRing::mappings(cpu, 1 << 16, 1 << 14)?);
        }
        let child = std::process::Command::new("true").spawn();
        let mut child = child.map_err(|_| SysError::new("spawn", libc::ENOENT))?;
        let pid = child.id();
        let _status = child.wait();
        let mut kinds = Vec::new();
        for ring in &mut rings {
            ring.drain(|kind, _, bytes| {
                if bytes.get(HEADER..HEADER + 4) == Some(&pid.to_ne_bytes()) {
                    kinds.push(kind);
                }
            });
        }
        // PERF_RECORD_COMM, _EXIT, _FORK, _MMAP2
        for kind in [3, 4, 7, 10] {
            assert!(kinds.contains(&kind), "{kind} of {kinds:?}");
        }
        Ok(())
    }
}

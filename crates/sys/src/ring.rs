//! Reader of one BPF ring buffer (`BPF_MAP_TYPE_RINGBUF`) on its shared pages.
//!
//! Layout (kernel documentation, `Documentation/bpf/ringbuf.rst`): a consumer page with the consumer position, a
//! producer page with the producer position, then the data pages, mapped twice in a row so that no record is split.
//! A record is a u32 length whose top bits say "busy" and "discarded", a u32 for the kernel, then the bytes, 8-aligned.

use std::os::fd::BorrowedFd;

use crate::error::SysError;
use crate::mem::{Mapping, page_size};

const BUSY: u32 = 1 << 31;
const DISCARD: u32 = 1 << 30;
const HEADER: u64 = 8;

/// What is at a position of the ring.
#[derive(Debug, PartialEq, Eq)]
pub enum Slot<'a> {
    /// Nothing yet: the producer has not come here.
    End,
    /// Reserved and not yet committed.
    Busy,
    /// Given up by the program.
    Discarded {
        /// Position of the next record.
        next: u64,
    },
    /// A record.
    Record {
        /// Its bytes.
        bytes: &'a [u8],
        /// Position of the next record.
        next: u64,
    },
}

/// A ring buffer mapped for reading. Positions count bytes since the ring was made; they never wrap.
#[derive(Debug)]
pub struct Ring {
    consumer: Mapping,
    producer: Mapping,
    data: usize,
    size: u64,
    position: u64,
    end: u64,
}

impl Ring {
    /// Maps the ring buffer `fd` of `size` bytes.
    pub fn new(fd: BorrowedFd<'_>, size: u32) -> Result<Ring, SysError> {
        let page = page_size();
        if !size.is_power_of_two() || !(size as usize).is_multiple_of(page) {
            return Err(
                SysError::new("mmap", libc::EINVAL).on(format!("ring buffer of {size} bytes"))
            );
        }
        let consumer = Mapping::new(fd, page, 0, true)?;
        let producer = Mapping::new(fd, page + 2 * size as usize, page, false)?;
        let position = consumer.load_u64_acquire(0).unwrap_or(0);
        Ok(Ring {
            consumer,
            producer,
            data: page,
            size: u64::from(size),
            position,
            end: position,
        })
    }

    /// Bytes of the ring.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// First position not yet given back.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// Looks how far the producer has come; [`Ring::slot`] goes no further than that. Returns the bytes waiting.
    pub fn refresh(&mut self) -> u64 {
        self.end = self.producer.load_u64_acquire(0).unwrap_or(self.position);
        self.end.saturating_sub(self.position)
    }

    /// What is at `at`, a position that an earlier slot named or [`Ring::position`].
    pub fn slot(&self, at: u64) -> Slot<'_> {
        if at < self.position || at >= self.end {
            return Slot::End;
        }
        let offset = self.data + (at & (self.size - 1)) as usize;
        let Some(head) = self.producer.load_u32_acquire(offset) else {
            return Slot::End;
        };
        if head & BUSY != 0 {
            return Slot::Busy;
        }
        let len = head & !(BUSY | DISCARD);
        let next = at + (HEADER + u64::from(len)).next_multiple_of(8);
        if head & DISCARD != 0 {
            return Slot::Discarded { next };
        }
        // SAFETY: the record is committed and lies at or after the consumer position, which only `release` moves and
        // which needs `&mut self`; until then the kernel does not touch it.
        match unsafe {
            self.producer
                .settled(offset + HEADER as usize, len as usize)
        } {
            Some(bytes) => Slot::Record { bytes, next },
            None => Slot::End,
        }
    }

    /// Gives everything before `to` back to the producer.
    pub fn release(&mut self, to: u64) {
        if to > self.position && to <= self.end {
            self.position = to;
            self.consumer.store_u64(0, to);
        }
    }
}

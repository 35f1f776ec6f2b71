//! Owned memory mappings with typed loads and stores; the memory is shared with the kernel or with BPF programs.

use std::os::fd::{AsRawFd, BorrowedFd};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use crate::error::SysError;
use crate::seam;

/// A shared mapping of a descriptor. Offsets are in bytes; every access is checked against the length and alignment.
#[derive(Debug)]
pub struct Mapping {
    base: NonNull<u8>,
    len: usize,
    writable: bool,
}

// SAFETY: the mapping is plain shared memory; all access goes through atomics or copies of settled bytes.
unsafe impl Send for Mapping {}
// SAFETY: as above.
unsafe impl Sync for Mapping {}

impl Mapping {
    /// Maps `len` bytes of `fd` from `offset` (a multiple of the page size).
    pub fn new(
        fd: BorrowedFd<'_>,
        len: usize,
        offset: usize,
        writable: bool,
    ) -> Result<Mapping, SysError> {
        let prot = if writable {
            libc::PROT_READ | libc::PROT_WRITE
        } else {
            libc::PROT_READ
        };
        let args = [
            0,
            len,
            prot as usize,
            libc::MAP_SHARED as usize,
            fd.as_raw_fd() as usize,
            offset,
        ];
        // SAFETY: a new mapping at an address the kernel chooses touches no memory in use.
        let address = unsafe { seam::call("mmap", libc::SYS_mmap, args) }?;
        match NonNull::new(address as *mut u8) {
            Some(base) => Ok(Mapping {
                base,
                len,
                writable,
            }),
            None => Err(SysError::new("mmap", libc::ENOMEM)),
        }
    }

    /// Length in bytes.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether the mapping has no bytes.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    fn at(&self, offset: usize, bytes: usize) -> Option<NonNull<u8>> {
        let end = offset.checked_add(bytes)?;
        // SAFETY: offset lies within the mapping.
        (end <= self.len && offset.is_multiple_of(bytes)).then(|| unsafe { self.base.add(offset) })
    }

    fn u64_at(&self, offset: usize) -> Option<&AtomicU64> {
        // SAFETY: in range and aligned (`at`); the memory lives as long as self and is only accessed atomically.
        self.at(offset, 8)
            .map(|p| unsafe { AtomicU64::from_ptr(p.as_ptr().cast()) })
    }

    fn u32_at(&self, offset: usize) -> Option<&AtomicU32> {
        // SAFETY: as in `u64_at`.
        self.at(offset, 4)
            .map(|p| unsafe { AtomicU32::from_ptr(p.as_ptr().cast()) })
    }

    /// Loads a u64 (relaxed); `None` outside the mapping or unaligned.
    pub fn load_u64(&self, offset: usize) -> Option<u64> {
        self.u64_at(offset).map(|w| w.load(Ordering::Relaxed))
    }

    /// Loads a u64 with acquire ordering.
    pub fn load_u64_acquire(&self, offset: usize) -> Option<u64> {
        self.u64_at(offset).map(|w| w.load(Ordering::Acquire))
    }

    /// Loads a u32 (relaxed).
    pub fn load_u32(&self, offset: usize) -> Option<u32> {
        self.u32_at(offset).map(|w| w.load(Ordering::Relaxed))
    }

    /// Loads a u32 with acquire ordering.
    pub fn load_u32_acquire(&self, offset: usize) -> Option<u32> {
        self.u32_at(offset).map(|w| w.load(Ordering::Acquire))
    }

    /// Stores a u64 with release ordering; `false` outside the mapping or if it is read-only.
    pub fn store_u64(&self, offset: usize, value: u64) -> bool {
        match self.u64_at(offset) {
            Some(word) if self.writable => {
                word.store(value, Ordering::Release);
                true
            }
            Some(_) | None => false,
        }
    }

    /// Copies bytes in from `offset`; `false` if they do not fit or the mapping is read-only.
    pub fn write(&self, offset: usize, bytes: &[u8]) -> bool {
        let fits = offset
            .checked_add(bytes.len())
            .is_some_and(|end| end <= self.len);
        if !fits || !self.writable {
            return false;
        }
        for (i, byte) in bytes.iter().enumerate() {
            // SAFETY: offset + i < len; volatile because others may look at the memory.
            unsafe { self.base.add(offset + i).write_volatile(*byte) };
        }
        true
    }

    /// Copies `len` bytes out from `offset`.
    pub fn read(&self, offset: usize, len: usize) -> Option<Vec<u8>> {
        if offset.checked_add(len)? > self.len {
            return None;
        }
        // SAFETY: every byte read is within the mapping; volatile because others may change it.
        Some(
            (offset..offset + len)
                .map(|i| unsafe { self.base.add(i).read_volatile() })
                .collect(),
        )
    }

    /// Bytes that nobody changes while the result lives.
    ///
    /// # Safety
    /// The caller knows that the kernel has settled `offset .. offset + len` and will not reuse it before `self` is
    /// borrowed mutably.
    pub(crate) unsafe fn settled(&self, offset: usize, len: usize) -> Option<&[u8]> {
        if offset.checked_add(len)? > self.len {
            return None;
        }
        // SAFETY: in range; settled by the caller's word.
        Some(unsafe { std::slice::from_raw_parts(self.base.add(offset).as_ptr(), len) })
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: unmaps exactly what `new` mapped; no borrow outlives self.
        unsafe { libc::munmap(self.base.as_ptr().cast(), self.len) };
    }
}

/// Bytes of a page.
pub fn page_size() -> usize {
    // SAFETY: sysconf has no preconditions.
    let size = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    usize::try_from(size).unwrap_or(4096)
}

/// Kernel type data: mapped where the kernel can (Linux 6.16), else read.
#[derive(Debug)]
pub enum TypeData {
    /// Mapped pages of the kernel.
    Mapped(PrivateMapping),
    /// A copy.
    Copied(Vec<u8>),
}

/// A private read-only mapping of bytes that never change.
#[derive(Debug)]
pub struct PrivateMapping {
    base: NonNull<u8>,
    len: usize,
}

impl TypeData {
    /// Opens a file of `/sys/kernel/btf`; their contents never change while they exist.
    pub fn open(path: &std::path::Path) -> std::io::Result<TypeData> {
        use std::os::fd::AsFd;
        let file = std::fs::File::open(path)?;
        let len = usize::try_from(file.metadata()?.len()).unwrap_or(0);
        if path.starts_with("/sys/kernel/btf") && len > 0 {
            let fd = file.as_fd().as_raw_fd() as usize;
            let args = [
                0,
                len,
                libc::PROT_READ as usize,
                libc::MAP_PRIVATE as usize,
                fd,
                0,
            ];
            // SAFETY: a new mapping at an address the kernel chooses touches no memory in use.
            let mapped = unsafe { seam::call("mmap", libc::SYS_mmap, args) };
            if let Some(base) = mapped.ok().and_then(|at| NonNull::new(at as *mut u8)) {
                return Ok(TypeData::Mapped(PrivateMapping { base, len }));
            }
        }
        std::fs::read(path).map(TypeData::Copied)
    }
}

impl AsRef<[u8]> for TypeData {
    fn as_ref(&self) -> &[u8] {
        match self {
            // SAFETY: the mapping lives as long as self, and the kernel's type data never change.
            TypeData::Mapped(map) => unsafe {
                std::slice::from_raw_parts(map.base.as_ptr(), map.len)
            },
            TypeData::Copied(bytes) => bytes,
        }
    }
}

impl Drop for PrivateMapping {
    fn drop(&mut self) {
        // SAFETY: unmaps exactly what `TypeData::open` mapped; no borrow outlives self.
        unsafe { libc::munmap(self.base.as_ptr().cast(), self.len) };
    }
}

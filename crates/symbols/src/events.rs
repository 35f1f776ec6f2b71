//! What processes map, run and start, as the kernel tells it while tracing (perf's side-band records).
//!
//! Facts: `perf_event_open(2)`, "Overflow handling"; `PERF_RECORD_*` in `linux/perf_event.h`.

use std::ffi::OsStr;
use std::os::fd::BorrowedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use sys::SysError;
use sys::perf_ring::{HEADER, PerfRing};
use sys::time::monotonic_ns;

use crate::process::{FileId, Mapping};

const LOST: u32 = 2;
const COMM: u32 = 3;
const EXIT: u32 = 4;
const FORK: u32 = 7;
const MMAP2: u32 = 10;
/// `PERF_RECORD_MISC_COMM_EXEC`.
const COMM_EXEC: u16 = 1 << 13;
/// `PROT_EXEC`, `PROT_WRITE`.
const EXECUTE: u32 = 4;
const WRITE: u32 = 2;
/// Bytes of a CPU's ring: a few hundred programs started between two looks.
const RING: u32 = 256 << 10;
/// The same on machines with many CPUs.
const SMALL_RING: u32 = 64 << 10;
const MANY_CPUS: usize = 32;

/// What happened to a process. Numbers are process ids; threads tell nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// It mapped something executable.
    Map(u32, Mapping),
    /// It runs a new program: its address space is empty.
    Exec(u32),
    /// It was started by another, and has a copy of what that one has mapped.
    Fork {
        /// New process.
        pid: u32,
        /// Who started it.
        parent: u32,
    },
    /// It ended (its first thread did).
    Exit(u32),
    /// Records of an unknown number of processes did not fit.
    Lost,
}

/// Events with their times (`CLOCK_MONOTONIC` ns).
pub type Told = (u64, Event);

/// Listens on all CPUs.
#[derive(Debug)]
pub struct Watch {
    rings: Vec<PerfRing>,
    /// Read, but later than what was still being written elsewhere when it was read.
    held: Vec<Told>,
}

impl Watch {
    /// Begins to listen; to be read when a ring is a quarter full, or before something is asked.
    pub fn open() -> Result<Watch, SysError> {
        Watch::open_with(|size| size / 4)
    }

    /// Begins to listen; to be read whenever there is something.
    pub fn open_prompt() -> Result<Watch, SysError> {
        Watch::open_with(|_| 1)
    }

    fn open_with(wake: impl Fn(u32) -> u32) -> Result<Watch, SysError> {
        let cpus = sys::proc::online_cpus();
        let size = if cpus.len() > MANY_CPUS {
            SMALL_RING
        } else {
            RING
        };
        let wake = wake(size);
        let rings = cpus.iter().map(|cpu| PerfRing::mappings(*cpu, size, wake));
        Ok(Watch {
            rings: rings.collect::<Result<_, _>>()?,
            held: Vec::new(),
        })
    }

    /// Readable when there is as much as was asked for.
    pub fn fds(&self) -> impl Iterator<Item = BorrowedFd<'_>> {
        self.rings.iter().map(PerfRing::fd)
    }

    /// All that happened before this call, in the order in which it did.
    pub fn drain(&mut self) -> Vec<Told> {
        let now = monotonic_ns();
        let mut all = std::mem::take(&mut self.held);
        for ring in &mut self.rings {
            ring.drain(|kind, flags, bytes| all.extend(parse(kind, flags, bytes)));
        }
        all.sort_by_key(|(time, _)| *time);
        let ready = all.partition_point(|(time, _)| *time <= now);
        self.held = all.split_off(ready);
        all
    }

    /// All that there is; of what happened on different CPUs at once the order may be wrong.
    pub fn take(&mut self) -> Vec<Told> {
        let mut all = std::mem::take(&mut self.held);
        for ring in &mut self.rings {
            ring.drain(|kind, flags, bytes| all.extend(parse(kind, flags, bytes)));
        }
        all.sort_by_key(|(time, _)| *time);
        all
    }
}

fn parse(kind: u32, flags: u16, bytes: &[u8]) -> Option<Told> {
    let (fields, time) = bytes.get(HEADER..)?.split_last_chunk::<8>()?;
    let time = u64::from_ne_bytes(*time);
    let half = |at: usize| {
        let word = fields.get(at..)?.first_chunk::<4>()?;
        Some(u32::from_ne_bytes(*word))
    };
    let event = match kind {
        LOST => Event::Lost,
        COMM if flags & COMM_EXEC != 0 => Event::Exec(half(0)?),
        FORK if half(0)? != half(4)? => Event::Fork {
            pid: half(0)?,
            parent: half(4)?,
        },
        EXIT if half(0)? == half(8)? => Event::Exit(half(0)?),
        MMAP2 => Event::Map(half(0)?, mapping(fields)?),
        _other => return None,
    };
    Some((time, event))
}

fn mapping(fields: &[u8]) -> Option<Mapping> {
    let (fixed, name) = fields.split_at_checked(64)?;
    let half = |at: usize| Some(u32::from_ne_bytes(*fixed.get(at..)?.first_chunk()?));
    let word = |at: usize| Some(u64::from_ne_bytes(*fixed.get(at..)?.first_chunk()?));
    let name = name.split(|b| *b == 0).next().unwrap_or_default();
    let (path, deleted) = match name.strip_suffix(b" (deleted)") {
        Some(path) => (path, true),
        None => (name, false),
    };
    let (start, protection) = (word(8)?, half(56)?);
    Some(Mapping {
        start,
        end: start.checked_add(word(16)?)?,
        offset: word(24)?,
        executable: protection & EXECUTE != 0,
        writable: protection & WRITE != 0,
        file: FileId {
            major: half(32)?,
            minor: half(36)?,
            inode: word(40)?,
        },
        path: own_name(path),
        deleted,
    })
}

/// perf's names of memory without a file, as `/proc/PID/maps` has them.
fn own_name(name: &[u8]) -> PathBuf {
    match name {
        b"//anon" | b"//toolong" | b"//enomem" => PathBuf::new(),
        other => Path::new(OsStr::from_bytes(other)).to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(fields: &[&[u8]], time: u64) -> Vec<u8> {
        let mut bytes = vec![0; HEADER];
        bytes.extend(fields.concat());
        bytes.extend(time.to_ne_bytes());
        bytes
    }

    #[test]
    fn records_are_read() {
        let halves = |all: [u32; 4]| all.map(u32::to_ne_bytes).concat();
        let fork = record(&[&halves([7, 5, 7, 5]), &[0; 8]], 99);
        let event = Event::Fork { pid: 7, parent: 5 };
        assert_eq!(parse(FORK, 0, &fork), Some((99, event)));
        let thread = record(&[&halves([7, 7, 8, 7]), &[0; 8]], 99);
        assert_eq!(parse(FORK, 0, &thread), None);
        assert_eq!(parse(EXIT, 0, &thread), None);
        assert_eq!(parse(EXIT, 0, &fork), Some((99, Event::Exit(7))));
        let comm = record(&[&halves([7, 7, 0, 0])], 98);
        assert_eq!(parse(COMM, 0, &comm), None);
        assert_eq!(parse(COMM, COMM_EXEC, &comm), Some((98, Event::Exec(7))));
        assert_eq!(parse(MMAP2, 0, &comm), None);
        assert_eq!(parse(COMM, COMM_EXEC, &[1, 2]), None);
        let words = |all: &[u64]| all.iter().flat_map(|w| w.to_ne_bytes()).collect::<Vec<_>>();
        let map = record(
            &[
                &halves([7, 7, 0, 0])[..8],
                &words(&[0x1000, 0x200, 0x3000, 0x12_0000_0034, 55, 0]),
                &halves([5, 2, 0, 0])[..8],
                b"/x/y (deleted)\0\0",
            ],
            100,
        );
        let Some((100, Event::Map(7, m))) = parse(MMAP2, 0, &map) else {
            panic!("no mapping");
        };
        assert_eq!((m.start, m.end, m.offset), (0x1000, 0x1200, 0x3000));
        assert_eq!((m.file.major, m.file.minor, m.file.inode), (0x34, 0x12, 55));
        assert!(m.executable && !m.writable && m.deleted && m.path == Path::new("/x/y"));
    }
}

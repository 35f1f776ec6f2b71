//! `perf_event_open(2)` as far as sampling and counting need it.

use std::ffi::CString;
use std::mem::{offset_of, size_of};
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd};

use crate::error::SysError;
use crate::seam;
#[cfg(any(test, feature = "simulated-pmu"))]
use crate::simulated;

/// Outside of tests every event is the kernel's.
#[cfg(not(any(test, feature = "simulated-pmu")))]
mod simulated {
    use super::{Attr, BorrowedFd, OwnedFd, SysError};

    pub(super) fn open(
        _: &Attr,
        _: i32,
        _: i32,
        _: Option<BorrowedFd<'_>>,
    ) -> Option<Result<OwnedFd, SysError>> {
        None
    }

    pub(super) fn set(_: BorrowedFd<'_>, _: bool) -> Option<Result<(), SysError>> {
        None
    }

    pub(super) fn read(_: BorrowedFd<'_>, _: &mut [u64]) -> Option<Result<usize, SysError>> {
        None
    }
}

/// `struct perf_event_attr`, up to the fields of its fifth version.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct Attr {
    /// `PERF_TYPE_*`.
    pub kind: u32,
    /// Bytes of this structure.
    pub size: u32,
    /// Event of that type.
    pub config: u64,
    /// Period in events, or frequency.
    pub sample_period: u64,
    /// `PERF_SAMPLE_*`.
    pub sample_type: u64,
    /// `PERF_FORMAT_*`.
    pub read_format: u64,
    /// Bit-field of flags; bit 0 is `disabled`.
    pub flags: u64,
    /// Wake the reader after so many.
    pub wakeup: u32,
    /// Breakpoint type.
    pub bp_type: u32,
    /// First extension of `config`.
    pub config1: u64,
    /// Second extension of `config`.
    pub config2: u64,
    /// `branch_sample_type`, `sample_regs_user`.
    rest: [u64; 2],
    /// Bytes of user stack in a sample.
    pub stack_user: u32,
    /// Clock of the times in records, with [`FLAG_CLOCK`].
    pub clock: i32,
    /// `sample_regs_intr`, and from `aux_watermark` on.
    last: [u64; 2],
}

const _: () = assert!(size_of::<Attr>() == 112);
const _: () = assert!(offset_of!(Attr, clock) == 92);
const _: () = assert!(offset_of!(Attr, flags) == 40 && offset_of!(Attr, config1) == 56);

/// `PERF_TYPE_SOFTWARE`.
pub const TYPE_SOFTWARE: u32 = 1;
/// `PERF_COUNT_SW_CPU_CLOCK`.
pub const SW_CPU_CLOCK: u64 = 0;
/// `attr.flags`: created disabled.
pub const FLAG_DISABLED: u64 = 1;

/// `attr.flags`: always on the hardware, or in error.
pub(crate) const FLAG_PINNED: u64 = 1 << 2;
const FLAG_EXCLUDE_USER: u64 = 1 << 4;
const FLAG_EXCLUDE_KERNEL: u64 = 1 << 5;
/// `PERF_FORMAT_TOTAL_TIME_ENABLED`, `PERF_FORMAT_TOTAL_TIME_RUNNING`.
const FORMAT_TIMES: u64 = 1 | 2;
/// `PERF_FORMAT_GROUP`.
pub(crate) const FORMAT_GROUP: u64 = 1 << 3;

const FLAG_MMAP: u64 = 1 << 8;
const FLAG_COMM: u64 = 1 << 9;
const FLAG_TASK: u64 = 1 << 13;
const FLAG_WATERMARK: u64 = 1 << 14;
const FLAG_SAMPLE_ID_ALL: u64 = 1 << 18;
const FLAG_MMAP2: u64 = 1 << 23;
const FLAG_COMM_EXEC: u64 = 1 << 24;
/// `attr.flags`: times are of `attr.clock`.
pub const FLAG_CLOCK: u64 = 1 << 25;
/// `PERF_COUNT_SW_DUMMY`.
const SW_DUMMY: u64 = 9;
/// `PERF_SAMPLE_TIME`.
const SAMPLE_TIME: u64 = 1 << 2;

impl Attr {
    /// Nothing is counted, but executable mappings, programs, starts and ends of processes are told, each record with its
    /// time (`CLOCK_MONOTONIC`) as its last field. The reader is woken when `bytes` wait for it.
    pub fn mappings(bytes: u32) -> Attr {
        Attr {
            kind: TYPE_SOFTWARE,
            config: SW_DUMMY,
            sample_type: SAMPLE_TIME,
            flags: FLAG_MMAP
                | FLAG_MMAP2
                | FLAG_COMM
                | FLAG_COMM_EXEC
                | FLAG_TASK
                | FLAG_WATERMARK
                | FLAG_SAMPLE_ID_ALL
                | FLAG_CLOCK,
            wakeup: bytes,
            clock: libc::CLOCK_MONOTONIC,
            ..Attr::default()
        }
    }

    /// An event of type `kind` that overflows every `period` events; created stopped. `config` is `config`, `config1`,
    /// `config2`.
    pub fn sampling(kind: u32, [config, config1, config2]: [u64; 3], period: u64) -> Attr {
        Attr {
            kind,
            config,
            config1,
            config2,
            sample_period: period,
            flags: FLAG_DISABLED | FLAG_PINNED,
            ..Attr::default()
        }
    }

    /// An event that is counted, not sampled; created stopped. Reading it gives its count, and for how many ns it was wanted
    /// and had a counter.
    pub fn counting(kind: u32, [config, config1, config2]: [u64; 3]) -> Attr {
        Attr {
            kind,
            config,
            config1,
            config2,
            read_format: FORMAT_TIMES,
            flags: FLAG_DISABLED,
            ..Attr::default()
        }
    }

    /// The same as leader of a group: reading it gives the counts of all of them.
    pub fn leading(mut self) -> Attr {
        self.read_format |= FORMAT_GROUP;
        self
    }

    /// The same as member of a group, which starts and stops with its leader.
    pub fn following(mut self) -> Attr {
        self.read_format |= FORMAT_GROUP;
        self.flags &= !FLAG_DISABLED;
        self
    }

    /// The same, always on a counter of its own, or failed ([`is_counting`]).
    pub fn pinned(mut self) -> Attr {
        self.flags |= FLAG_PINNED;
        self
    }

    /// Whether it counts in user mode.
    pub fn counts_user(&self) -> bool {
        self.flags & FLAG_EXCLUDE_USER == 0
    }

    /// Whether it counts in the kernel.
    pub fn counts_kernel(&self) -> bool {
        self.flags & FLAG_EXCLUDE_KERNEL == 0
    }

    /// The same, counting in user mode, in the kernel, or in both.
    pub fn only(mut self, user: bool, kernel: bool) -> Attr {
        if !user {
            self.flags |= FLAG_EXCLUDE_USER;
        }
        if !kernel {
            self.flags |= FLAG_EXCLUDE_KERNEL;
        }
        self
    }
}

const IOC_ENABLE: usize = 0x2400;
const IOC_DISABLE: usize = 0x2401;
const IOC_SET_BPF: usize = 0x4004_2408;
const FLAG_FD_CLOEXEC: usize = 8;

/// Opens an event for `pid` (-1: all) on `cpu` (-1: all).
pub fn open(attr: &Attr, pid: i32, cpu: i32) -> Result<OwnedFd, SysError> {
    open_in(attr, pid, cpu, None)
}

/// The same as a member of the group that an event leads.
pub fn open_in(
    attr: &Attr,
    pid: i32,
    cpu: i32,
    group: Option<BorrowedFd<'_>>,
) -> Result<OwnedFd, SysError> {
    if let Some(answer) = simulated::open(attr, pid, cpu, group) {
        return answer;
    }
    let mut attr = *attr;
    attr.size = size_of::<Attr>() as u32;
    let args = [
        &raw const attr as usize,
        pid as usize,
        cpu as usize,
        group.map_or(usize::MAX, |leader| leader.as_raw_fd() as usize),
        FLAG_FD_CLOEXEC,
        0,
    ];
    // SAFETY: attr is a live structure of the size it states.
    let fd = unsafe { seam::call("perf_event_open", libc::SYS_perf_event_open, args) }?;
    // SAFETY: the kernel returned a new descriptor that nobody else owns.
    Ok(unsafe { OwnedFd::from_raw_fd(fd as i32) })
}

/// A CPU clock that samples every `period_ns` on `cpu`, created disabled.
pub fn cpu_clock(cpu: u32, period_ns: u64) -> Result<OwnedFd, SysError> {
    let attr = Attr {
        kind: TYPE_SOFTWARE,
        config: SW_CPU_CLOCK,
        sample_period: period_ns,
        flags: FLAG_DISABLED,
        ..Attr::default()
    };
    open(&attr, -1, cpu as i32).map_err(|e| e.on(format!("CPU clock on CPU {cpu}")))
}

/// Number of the event source for single kprobes, if the kernel has it.
pub fn kprobe_source() -> Option<u32> {
    let text = std::fs::read_to_string("/sys/bus/event_source/devices/kprobe/type").ok()?;
    text.trim().parse().ok()
}

/// A place in the kernel's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KernelPlace<'a> {
    /// A function by name (`vfs_read`, `ext4:ext4_sync_fs`).
    Name(&'a str),
    /// An address.
    Address(u64),
}

/// A kprobe at the start of a kernel function, or (`ret`) at its returns, on all CPUs; `source` is [`kprobe_source`].
pub fn kprobe(source: u32, place: KernelPlace<'_>, ret: bool) -> Result<OwnedFd, SysError> {
    let what = || match place {
        KernelPlace::Name(name) => format!("kprobe on {name}"),
        KernelPlace::Address(address) => format!("kprobe on {address:#x}"),
    };
    let name = match place {
        KernelPlace::Name(name) => std::ffi::CString::new(name)
            .map(Some)
            .map_err(|_| SysError::new("perf_event_open", libc::EINVAL).on(what()))?,
        KernelPlace::Address(_) => None,
    };
    let attr = Attr {
        kind: source,
        config: u64::from(ret),
        config1: name.as_ref().map_or(0, |name| name.as_ptr() as u64),
        config2: match place {
            KernelPlace::Name(_) => 0,
            KernelPlace::Address(address) => address,
        },
        ..Attr::default()
    };
    open(&attr, -1, 0).map_err(|e| e.on(what()))
}

/// One user-space point as a perf event, created disabled.
#[derive(Clone, Copy, Debug)]
pub struct Uprobe<'a> {
    /// Type of the PMU ([`uprobe_type`]).
    pub kind: u32,
    /// The file.
    pub path: &'a str,
    /// Byte offset of the instruction.
    pub offset: u64,
    /// Byte offset of the counter that is raised while attached, 0 for none.
    pub semaphore: u32,
    /// When the function returns that begins there.
    pub ret: bool,
    /// Only in this process; `None`: in every one.
    pub pid: Option<u32>,
}

/// Type number of the PMU that makes uprobes; `None` if this kernel has none.
pub fn uprobe_type() -> Option<u32> {
    let text = std::fs::read_to_string("/sys/bus/event_source/devices/uprobe/type").ok()?;
    text.trim().parse().ok()
}

/// Bit of `config` where the semaphore's offset begins (format/ref_ctr_offset of the PMU).
const SEMAPHORE_SHIFT: u32 = 32;

/// Opens the event of a user-space point.
pub fn uprobe(point: &Uprobe<'_>) -> Result<OwnedFd, SysError> {
    let failed = |errno| SysError::new("perf_event_open", errno).on(point.path);
    let path = CString::new(point.path).map_err(|_| failed(libc::EINVAL))?;
    let attr = Attr {
        kind: point.kind,
        config: u64::from(point.ret) | u64::from(point.semaphore) << SEMAPHORE_SHIFT,
        config1: path.as_ptr() as u64,
        config2: point.offset,
        flags: FLAG_DISABLED,
        ..Attr::default()
    };
    // The kernel has copied the path when this returns. An event is for one process or for one CPU; the breakpoint
    // itself is in all of its threads, or in all processes.
    let (pid, cpu) = match point.pid {
        Some(pid) => (pid as i32, -1),
        None => (-1, 0),
    };
    open(&attr, pid, cpu).map_err(|e| e.on(point.path))
}

/// A sampling event on `cpu`.
pub fn sampling(attr: &Attr, cpu: u32) -> Result<OwnedFd, SysError> {
    open(attr, -1, cpu as i32).map_err(|e| e.on(format!("a counter on CPU {cpu}")))
}

/// Whether an event counts; a pinned one that found no place gives end of file (`perf_event_open(2)`, `pinned`).
pub fn is_counting(event: BorrowedFd<'_>) -> Result<bool, SysError> {
    // A group gives three words and one an event; too small a buffer is an error of its own.
    let read = read(event, &mut [0; 64]);
    read.map(|words| words != 0)
}

/// Reads a counting event: how many words it gave, 0 if it is pinned and has no counter. Alone it gives its count, the time
/// (ns) for which it was wanted and that for which it had a counter; leading a group it gives the number of its events, the two
/// times, and the counts in the order in which the events were opened.
pub fn read(event: BorrowedFd<'_>, words: &mut [u64]) -> Result<usize, SysError> {
    if let Some(answer) = simulated::read(event, words) {
        return answer;
    }
    let args = [
        event.as_raw_fd() as usize,
        words.as_mut_ptr() as usize,
        size_of_val(words),
        0,
        0,
        0,
    ];
    // SAFETY: the buffer is live and of the size it states.
    let read = unsafe { seam::call("read(perf event)", libc::SYS_read, args) }?;
    Ok(read / size_of::<u64>())
}

fn ioctl(
    name: &'static str,
    event: BorrowedFd<'_>,
    request: usize,
    arg: usize,
) -> Result<(), SysError> {
    // SAFETY: the requests used here take a plain number.
    unsafe {
        seam::call(
            name,
            libc::SYS_ioctl,
            [event.as_raw_fd() as usize, request, arg, 0, 0, 0],
        )
    }
    .map(drop)
}

/// Starts an event.
pub fn enable(event: BorrowedFd<'_>) -> Result<(), SysError> {
    if let Some(answer) = simulated::set(event, true) {
        return answer;
    }
    ioctl("ioctl(PERF_EVENT_IOC_ENABLE)", event, IOC_ENABLE, 0)
}

/// Stops an event.
pub fn disable(event: BorrowedFd<'_>) -> Result<(), SysError> {
    if let Some(answer) = simulated::set(event, false) {
        return answer;
    }
    ioctl("ioctl(PERF_EVENT_IOC_DISABLE)", event, IOC_DISABLE, 0)
}

/// Attaches a program to an event (kernels without perf-event links).
pub fn set_bpf(event: BorrowedFd<'_>, program: BorrowedFd<'_>) -> Result<(), SysError> {
    ioctl(
        "ioctl(PERF_EVENT_IOC_SET_BPF)",
        event,
        IOC_SET_BPF,
        program.as_raw_fd() as usize,
    )
}

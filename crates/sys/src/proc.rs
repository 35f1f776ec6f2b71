//! This process and this machine: identity, privileges, limits, scheduling, CPUs.

use std::os::fd::{AsRawFd, BorrowedFd};
use std::time::Duration;

use crate::error::SysError;
use crate::seam;

/// Raises the limit on locked memory as far as allowed; kernels before 5.11 charge BPF maps to it. Failing is not an
/// error: newer kernels do not need it.
pub fn raise_memlock() {
    let limit = libc::rlimit {
        rlim_cur: libc::RLIM_INFINITY,
        rlim_max: libc::RLIM_INFINITY,
    };
    let args = [
        0,
        libc::RLIMIT_MEMLOCK as usize,
        &raw const limit as usize,
        0,
        0,
        0,
    ];
    // SAFETY: limit is a live rlimit; no old limit is asked for.
    let _unneeded_on_new_kernels = unsafe { seam::call("prlimit", libc::SYS_prlimit64, args) };
}

/// Makes room for `needed` open descriptors as far as the hard limit allows. The limit stays as it is if it suffices,
/// because commands started later inherit it.
pub fn make_room_for_files(needed: u64) {
    let mut limit = libc::rlimit {
        rlim_cur: 0,
        rlim_max: 0,
    };
    let args = [
        0,
        libc::RLIMIT_NOFILE as usize,
        0,
        &raw mut limit as usize,
        0,
        0,
    ];
    // SAFETY: limit is a live rlimit; no new limit is set.
    let known = unsafe { seam::call("prlimit", libc::SYS_prlimit64, args) };
    if known.is_err() || limit.rlim_cur >= needed {
        return;
    }
    limit.rlim_cur = needed.min(limit.rlim_max);
    let args = [
        0,
        libc::RLIMIT_NOFILE as usize,
        &raw const limit as usize,
        0,
        0,
        0,
    ];
    // SAFETY: limit is a live rlimit; the old limit is not asked for.
    let _then_opening_fails_and_says_so =
        unsafe { seam::call("prlimit", libc::SYS_prlimit64, args) };
}

/// `OVERLAYFS_SUPER_MAGIC` (`linux/magic.h`).
const OVERLAY: i64 = 0x794c_7630;

/// Whether an open file is on an overlay file system.
pub fn is_on_overlay(file: BorrowedFd<'_>) -> bool {
    let mut about = std::mem::MaybeUninit::<libc::statfs>::zeroed();
    let args = [
        file.as_raw_fd() as usize,
        about.as_mut_ptr() as usize,
        0,
        0,
        0,
        0,
    ];
    // SAFETY: about has room for a statfs.
    let known = unsafe { seam::call("fstatfs", libc::SYS_fstatfs, args) };
    // SAFETY: it was zeroed, which is a value of all its members.
    let about = unsafe { about.assume_init() };
    known.is_ok() && about.f_type == OVERLAY
}

/// Binds the calling thread to one CPU.
pub fn bind_to_cpu(cpu: u32) -> Result<(), SysError> {
    let mut mask = vec![0u8; (cpu as usize / 64 + 1) * 8];
    if let Some(byte) = mask.get_mut(cpu as usize / 8) {
        *byte |= 1 << (cpu % 8);
    }
    let args = [0, mask.len(), mask.as_ptr() as usize, 0, 0, 0];
    // SAFETY: mask is a live buffer of the stated length.
    unsafe { seam::call("sched_setaffinity", libc::SYS_sched_setaffinity, args) }.map(drop)
}

/// Returns when every CPU of `cpus` has switched tasks once: a thread visits them one after the other. Whatever ran with
/// preemption disabled when this was called is then over. CPUs that cannot be visited are passed over.
pub fn visit_cpus(cpus: Vec<u32>) {
    let visit = move || {
        let _merely_slower = realtime(1);
        for cpu in cpus {
            let _not_ours_to_visit = bind_to_cpu(cpu);
        }
    };
    // The visitor is a thread of its own so that the caller's affinity and priority stay as they are.
    if let Ok(thread) = std::thread::Builder::new()
        .name("visitor".to_string())
        .stack_size(64 * 1024)
        .spawn(visit)
    {
        let _panicked = thread.join();
    }
}

/// Gives the calling thread real-time priority (`SCHED_FIFO`).
pub fn realtime(priority: i32) -> Result<(), SysError> {
    schedule(libc::SCHED_FIFO, priority)
}

/// Lets the calling thread run only where no other wants to (`SCHED_IDLE`).
pub fn idle() -> Result<(), SysError> {
    schedule(libc::SCHED_IDLE, 0)
}

fn schedule(class: i32, priority: i32) -> Result<(), SysError> {
    let param = libc::sched_param {
        sched_priority: priority,
    };
    let args = [0, class as usize, &raw const param as usize, 0, 0, 0];
    // SAFETY: param is a live sched_param.
    unsafe { seam::call("sched_setscheduler", libc::SYS_sched_setscheduler, args) }.map(drop)
}

/// Sets the nice value of the calling thread.
pub fn nice(value: i32) -> Result<(), SysError> {
    let args = [libc::PRIO_PROCESS as usize, 0, value as usize, 0, 0, 0];
    // SAFETY: plain numbers.
    unsafe { seam::call("setpriority", libc::SYS_setpriority, args) }.map(drop)
}

/// CPU time that the process has used, in user and in kernel mode together.
pub fn cpu_time() -> Duration {
    // SAFETY: rusage is plain data for which all zeroes are valid.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    let args = [
        libc::RUSAGE_SELF as usize,
        &raw mut usage as usize,
        0,
        0,
        0,
        0,
    ];
    // SAFETY: usage is a live rusage.
    let _all_zeroes = unsafe { seam::call("getrusage", libc::SYS_getrusage, args) };
    let time = |t: libc::timeval| {
        Duration::from_secs(t.tv_sec as u64) + Duration::from_micros(t.tv_usec as u64)
    };
    time(usage.ru_utime) + time(usage.ru_stime)
}

/// Effective user id.
pub fn effective_uid() -> u32 {
    // SAFETY: no arguments.
    unsafe { libc::geteuid() }
}

/// Real user id.
pub fn uid() -> u32 {
    // SAFETY: no arguments.
    unsafe { libc::getuid() }
}

/// Capability numbers.
pub mod cap {
    /// `CAP_SYS_PTRACE`.
    pub const SYS_PTRACE: u32 = 19;
    /// `CAP_SYS_ADMIN`.
    pub const SYS_ADMIN: u32 = 21;
    /// `CAP_PERFMON`.
    pub const PERFMON: u32 = 38;
    /// `CAP_BPF`.
    pub const BPF: u32 = 39;
}

/// Effective capabilities as a bit set, from /proc/self/status; 0 if it cannot be read.
pub fn capabilities() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    status
        .lines()
        .find_map(|line| line.strip_prefix("CapEff:"))
        .and_then(|hex| u64::from_str_radix(hex.trim(), 16).ok())
        .unwrap_or(0)
}

/// Whether the process may load tracing programs.
pub fn may_trace() -> bool {
    let caps = capabilities();
    let has = |c: u32| caps & (1 << c) != 0;
    has(cap::SYS_ADMIN) || (has(cap::BPF) && has(cap::PERFMON))
}

/// Bytes of memory that can be had without swapping, if /proc/meminfo says so.
pub fn available_memory() -> Option<u64> {
    memory("MemAvailable:")
}

/// Bytes of memory that the machine has, if /proc/meminfo says so.
pub fn memory_total() -> Option<u64> {
    memory("MemTotal:")
}

fn memory(what: &str) -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|l| l.strip_prefix(what))?;
    line.trim()
        .strip_suffix("kB")?
        .trim()
        .parse::<u64>()
        .ok()?
        .checked_mul(1024)
}

/// Parses the kernel's list format (`0-3,5`).
pub fn parse_cpu_list(text: &str) -> Vec<u32> {
    let mut cpus = Vec::new();
    for part in text.trim().split(',').filter(|p| !p.is_empty()) {
        let (low, high) = part.split_once('-').unwrap_or((part, part));
        if let (Ok(low), Ok(high)) = (low.parse::<u32>(), high.parse::<u32>()) {
            cpus.extend(low..=high.min(low.saturating_add(1 << 16)));
        }
    }
    cpus
}

fn cpu_file(path: &str) -> Vec<u32> {
    match parse_cpu_list(&std::fs::read_to_string(path).unwrap_or_default()) {
        cpus if cpus.is_empty() => vec![0],
        cpus => cpus,
    }
}

/// CPUs that run now.
pub fn online_cpus() -> Vec<u32> {
    cpu_file("/sys/devices/system/cpu/online")
}

/// Number of CPUs that the kernel keeps per-CPU data for: the highest possible number plus one.
pub fn possible_cpus() -> u32 {
    cpu_file("/sys/devices/system/cpu/possible")
        .last()
        .map_or(1, |last| last + 1)
}

/// What `uname(2)` says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Uname {
    /// Operating system.
    pub sysname: String,
    /// Host.
    pub nodename: String,
    /// Kernel release.
    pub release: String,
    /// Kernel version.
    pub version: String,
    /// Machine.
    pub machine: String,
}

/// Names of system, host, kernel and machine.
pub fn uname() -> Uname {
    // SAFETY: utsname is plain bytes, for which zeros are valid.
    let mut raw: libc::utsname = unsafe { std::mem::zeroed() };
    // SAFETY: raw is a live utsname.
    unsafe { libc::uname(&mut raw) };
    let text = |field: &[libc::c_char]| {
        field
            .iter()
            .take_while(|c| **c != 0)
            .flat_map(|c| c.to_ne_bytes())
            .map(char::from)
            .collect::<String>()
    };
    Uname {
        sysname: text(&raw.sysname),
        nodename: text(&raw.nodename),
        release: text(&raw.release),
        version: text(&raw.version),
        machine: text(&raw.machine),
    }
}

/// Whether a descriptor is a terminal.
pub fn is_terminal(fd: std::os::fd::BorrowedFd<'_>) -> bool {
    std::io::IsTerminal::is_terminal(&fd)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cpu_lists() {
        assert_eq!(parse_cpu_list("0-2,5,7-8\n"), [0, 1, 2, 5, 7, 8]);
        assert!(parse_cpu_list("\n").is_empty());
        assert!(possible_cpus() as usize >= online_cpus().len());
    }

    #[test]
    fn a_refused_memlock_limit_is_survived() {
        let ((), hit) = seam::fail_nth(1, libc::EPERM, raise_memlock);
        assert!(hit);
    }

    #[test]
    fn a_visit_leaves_the_caller_where_it_was() {
        let allowed = || {
            let status = std::fs::read_to_string("/proc/thread-self/status").unwrap_or_default();
            status
                .lines()
                .find(|l| l.starts_with("Cpus_allowed_list"))
                .map(str::to_string)
        };
        let before = allowed();
        visit_cpus(online_cpus());
        assert!(before.is_some() && allowed() == before);
    }

    #[test]
    fn machine_has_a_name() {
        assert_eq!(uname().sysname, "Linux");
    }
}

//! Clocks.

/// Nanoseconds of a clock since its epoch.
fn clock(id: libc::clockid_t) -> u64 {
    let mut ts = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: ts is writable; the ids used below always exist.
    unsafe { libc::clock_gettime(id, &mut ts) };
    (ts.tv_sec as u64)
        .saturating_mul(1_000_000_000)
        .saturating_add(ts.tv_nsec as u64)
}

/// `CLOCK_MONOTONIC` in nanoseconds: the clock of record timestamps.
pub fn monotonic_ns() -> u64 {
    clock(libc::CLOCK_MONOTONIC)
}

/// `CLOCK_REALTIME` in nanoseconds since 1970.
pub fn realtime_ns() -> u64 {
    clock(libc::CLOCK_REALTIME)
}

/// CPU time that this thread has used, in nanoseconds.
pub fn thread_cpu_ns() -> u64 {
    clock(libc::CLOCK_THREAD_CPUTIME_ID)
}

/// What to add to the monotonic clock for wall-clock time; the tightest of a few tries.
pub fn wall_offset_ns() -> u64 {
    let mut best = (u64::MAX, 0);
    for _ in 0..5 {
        let before = monotonic_ns();
        let wall = realtime_ns();
        let after = monotonic_ns();
        let middle = before + (after - before) / 2;
        best = best.min((after - before, wall.wrapping_sub(middle)));
    }
    best.1
}

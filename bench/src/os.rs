//! System calls that only the benchmark needs.
#![allow(
    unsafe_code,
    reason = "resource use of a child, signals and foreign BPF programs are of no use to the product"
)]

use std::io;
use std::os::fd::{AsFd, FromRawFd, OwnedFd};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ExitStatus};
use std::time::Duration;

use sys::event::{Epoll, pidfd};

/// How a child ended.
#[derive(Clone, Copy, Debug)]
pub struct Ended {
    /// Its status.
    pub status: ExitStatus,
    /// Most memory it ever had resident, in bytes.
    pub peak_rss: u64,
}

/// Waits for a child's end; one that takes longer than `limit` is killed.
pub fn wait(child: &Child, limit: Duration) -> crate::Result<Ended> {
    if !ended_within(child, limit)? {
        signal(child, libc::SIGKILL);
        reap(child)?;
        return crate::fail(format!("killed after {} s", limit.as_secs()));
    }
    Ok(reap(child)?)
}

/// Whether a child has ended (it stays to be waited for).
pub fn has_ended(child: &Child) -> bool {
    ended_within(child, Duration::ZERO).unwrap_or(true)
}

fn ended_within(child: &Child, limit: Duration) -> crate::Result<bool> {
    let fd = pidfd(child.id() as i32)?;
    let epoll = Epoll::new()?;
    epoll.add(fd.as_fd(), 0)?;
    Ok(!epoll.wait(Some(limit))?.is_empty())
}

fn reap(child: &Child) -> io::Result<Ended> {
    let pid = child.id() as libc::pid_t;
    let mut status = 0;
    // SAFETY: rusage is plain data for which all zeroes are valid.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    loop {
        // SAFETY: both pointers are to live objects of the right type.
        let got = unsafe { libc::wait4(pid, &raw mut status, 0, &raw mut usage) };
        if got == pid {
            break;
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
    Ok(Ended {
        status: ExitStatus::from_raw(status),
        peak_rss: usage.ru_maxrss as u64 * 1024,
    })
}

/// Interrupts a child as Ctrl-C would.
pub fn interrupt(child: &Child) {
    signal(child, libc::SIGINT);
}

fn signal(child: &Child, number: libc::c_int) {
    // SAFETY: no pointers; the child has not been waited for, so the number is still its own.
    unsafe { libc::kill(child.id() as libc::pid_t, number) };
}

/// Opens a loaded BPF program by its kernel id.
pub fn program_by_id(id: u32) -> io::Result<OwnedFd> {
    const GET_FD_BY_ID: libc::c_long = 13;
    let attr: [u32; 3] = [id, 0, 0];
    let size = size_of_val(&attr);
    // SAFETY: attr is live, of the stated size, and holds no pointers.
    let fd = unsafe { libc::syscall(libc::SYS_bpf, GET_FD_BY_ID, attr.as_ptr(), size) };
    if fd < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the kernel returned a new descriptor that nobody else owns.
    Ok(unsafe { OwnedFd::from_raw_fd(fd as i32) })
}

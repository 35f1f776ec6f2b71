//! The error of a system call: which call, on what, why, and how to mend it.

use std::fmt;

/// A failed system call.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct SysError {
    /// Name of the call (`bpf(BPF_MAP_CREATE)`, `perf_event_open`).
    pub call: &'static str,
    /// Error number.
    pub errno: i32,
    /// What it was applied to (`map 'agg'`), may be empty.
    pub object: String,
}

impl SysError {
    /// An error of `call`, with the object still unknown.
    pub fn new(call: &'static str, errno: i32) -> SysError {
        SysError {
            call,
            errno,
            object: String::new(),
        }
    }

    /// The same error with the object named.
    pub fn on(mut self, object: impl Into<String>) -> SysError {
        self.object = object.into();
        self
    }

    /// Whether the privilege for the call is missing.
    pub fn is_privilege(&self) -> bool {
        matches!(self.errno, libc::EPERM | libc::EACCES)
    }

    /// What a person can do about it, if there is something.
    pub fn remedy(&self) -> Option<&'static str> {
        match self.errno {
            libc::EPERM => {
                Some("DTrace requires additional privileges (root, or CAP_BPF and CAP_PERFMON)")
            }
            libc::ENOMEM => Some("not enough memory: use smaller bufsize, aggsize or dynvarsize"),
            libc::E2BIG => {
                Some("larger than this kernel accepts: use fewer clauses or smaller buffers")
            }
            libc::ENOSPC => Some("no space left in the kernel's table"),
            libc::EMFILE => Some("too many open files: raise the limit with ulimit -n"),
            libc::ENFILE => Some("too many open files in the system"),
            _ => None,
        }
    }
}

impl fmt::Display for SysError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.call)?;
        if !self.object.is_empty() {
            write!(f, " of {}", self.object)?;
        }
        write!(f, " failed: {}", text(self.errno))?;
        match self.remedy() {
            Some(remedy) => write!(f, "; {remedy}"),
            None => Ok(()),
        }
    }
}

/// Text of an error number, without the number.
pub fn text(errno: i32) -> String {
    let text = std::io::Error::from_raw_os_error(errno).to_string();
    match text.find(" (os error") {
        Some(end) => text[..end].to_string(),
        None => text,
    }
}

/// Error numbers that callers decide by.
pub mod errno {
    pub use libc::{
        E2BIG, EACCES, EAGAIN, EBADF, EBUSY, EEXIST, EFAULT, EINTR, EINVAL, EIO, EMFILE, ENODEV,
        ENOENT, ENOEXEC, ENOMEM, ENOSPC, ENOSYS, ENOTSUP, EPERM, ESRCH,
    };
    /// Kernel-internal "not supported" that escapes from some `bpf(2)` commands.
    pub const ENOTSUPP: i32 = 524;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_what_on_what_and_how_to_mend() {
        let e = SysError::new("bpf(BPF_MAP_CREATE)", libc::EPERM).on("map 'agg'");
        assert_eq!(
            e.to_string(),
            "bpf(BPF_MAP_CREATE) of map 'agg' failed: Operation not permitted; \
             DTrace requires additional privileges (root, or CAP_BPF and CAP_PERFMON)"
        );
        assert_eq!(
            SysError::new("epoll_wait", libc::EBADF).to_string(),
            "epoll_wait failed: Bad file descriptor"
        );
    }
}

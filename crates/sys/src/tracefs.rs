//! Where the kernel lists its events.
//!
//! tracefs may not be mounted, and mounting it would change the machine. A *detached* mount does not: it has no place
//! in any mount table, is seen only through its descriptor and is gone with it.

use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::path::{Path, PathBuf};

use crate::error::SysError;
use crate::seam;

const USUAL: [&str; 2] = ["/sys/kernel/tracing", "/sys/kernel/debug/tracing"];
const FSOPEN_CLOEXEC: usize = 1;
const FSCONFIG_CMD_CREATE: usize = 6;
const FSMOUNT_CLOEXEC: usize = 1;
const MOUNT_ATTR_RDONLY: usize = 1;

/// A readable tracefs.
#[derive(Debug)]
pub struct Tracefs {
    root: PathBuf,
    /// Keeps a detached mount.
    _mount: Option<OwnedFd>,
}

impl Tracefs {
    /// The mounted tracefs, else a detached one; the error is that of the detached mount.
    pub fn open() -> Result<Tracefs, SysError> {
        let mounted = USUAL
            .iter()
            .map(Path::new)
            .find(|root| root.join("events").is_dir());
        match mounted {
            Some(root) => Ok(Tracefs {
                root: root.to_path_buf(),
                _mount: None,
            }),
            None => Tracefs::detached(),
        }
    }

    /// A detached, read-only tracefs.
    pub fn detached() -> Result<Tracefs, SysError> {
        let name = c"tracefs".as_ptr() as usize;
        // SAFETY: name is a constant string.
        let context = unsafe {
            descriptor(
                "fsopen",
                libc::SYS_fsopen,
                [name, FSOPEN_CLOEXEC, 0, 0, 0, 0],
            )
        }?;
        let fd = context.as_raw_fd() as usize;
        // SAFETY: the command takes no further arguments.
        unsafe {
            seam::call(
                "fsconfig",
                libc::SYS_fsconfig,
                [fd, FSCONFIG_CMD_CREATE, 0, 0, 0, 0],
            )
        }
        .map_err(|e| e.on("tracefs"))?;
        let args = [fd, FSMOUNT_CLOEXEC, MOUNT_ATTR_RDONLY, 0, 0, 0];
        // SAFETY: plain numbers.
        let mount = unsafe { descriptor("fsmount", libc::SYS_fsmount, args) }?;
        let root = PathBuf::from(format!("/proc/self/fd/{}", mount.as_raw_fd()));
        Ok(Tracefs {
            root,
            _mount: Some(mount),
        })
    }

    /// Path of a file in it (`events/sched/sched_switch/format`); good as long as `self` lives.
    pub fn path(&self, file: impl AsRef<Path>) -> PathBuf {
        self.root.join(file)
    }

    /// Whether it is mounted where everybody sees it.
    pub fn is_mounted(&self) -> bool {
        self._mount.is_none()
    }
}

/// Makes a system call that returns a new descriptor.
///
/// # Safety
/// As [`seam::call`].
unsafe fn descriptor(
    name: &'static str,
    nr: libc::c_long,
    args: [usize; 6],
) -> Result<OwnedFd, SysError> {
    // SAFETY: the caller vouches for the arguments.
    let fd = unsafe { seam::call(name, nr, args) }.map_err(|e| e.on("tracefs"))?;
    // SAFETY: the kernel returned a new descriptor that nobody else owns.
    Ok(unsafe { OwnedFd::from_raw_fd(fd as i32) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_detached_mount_lists_events_and_shows_nowhere() {
        let mounts = || std::fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
        let before = mounts();
        match Tracefs::detached() {
            Ok(fs) => {
                assert!(fs.path("events/sched/sched_switch/format").is_file());
                assert!(!fs.is_mounted());
                assert_eq!(mounts(), before);
            }
            Err(e) => {
                // Where it is refused, it is for want of privilege or of tracefs.
                assert!(
                    !crate::proc::may_trace() || e.is_privilege() || e.errno == libc::ENODEV,
                    "{e}"
                );
            }
        }
    }

    #[test]
    fn a_refused_mount_is_an_error() {
        for n in 1..=3 {
            let (result, hit) = seam::fail_nth(n, libc::EPERM, || Tracefs::detached().map(drop));
            assert!(result.is_err(), "call {n}");
            assert!(hit || !crate::proc::may_trace());
        }
    }
}

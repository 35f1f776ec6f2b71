//! Files that have no name yet: of what is not finished, nothing stays when the process ends in any way.

use std::ffi::CString;
use std::fs::File;
use std::os::fd::{AsRawFd, FromRawFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use crate::error::SysError;
use crate::seam;

fn text(call: &'static str, path: &Path) -> Result<CString, SysError> {
    CString::new(path.as_os_str().as_bytes()).map_err(|_| SysError::new(call, libc::EINVAL))
}

/// Makes a file without a name in a directory (`O_TMPFILE`), readable for all within the umask. An error where the file
/// system cannot have such files (`EOPNOTSUPP`, `EISDIR`).
pub fn unnamed(directory: &Path) -> Result<File, SysError> {
    let path = text("openat", directory)?;
    let flags = libc::O_TMPFILE | libc::O_WRONLY | libc::O_CLOEXEC;
    let args = [
        libc::AT_FDCWD as usize,
        path.as_ptr() as usize,
        flags as usize,
        0o666,
        0,
        0,
    ];
    // SAFETY: the path is a text that lives until the call returns.
    let fd = unsafe { seam::call("openat", libc::SYS_openat, args) }?;
    // SAFETY: the kernel has just made this descriptor, nobody else has it.
    Ok(unsafe { File::from_raw_fd(fd as i32) })
}

/// Gives a file of [`unnamed`] a name that is free.
pub fn name(file: &File, path: &Path) -> Result<(), SysError> {
    // Linking by the descriptor alone (`AT_EMPTY_PATH`) needs a capability.
    let own = format!("/proc/self/fd/{}", file.as_raw_fd());
    let (own, path) = (text("linkat", Path::new(&own))?, text("linkat", path)?);
    let args = [
        libc::AT_FDCWD as usize,
        own.as_ptr() as usize,
        libc::AT_FDCWD as usize,
        path.as_ptr() as usize,
        libc::AT_SYMLINK_FOLLOW as usize,
        0,
    ];
    // SAFETY: both paths are texts that live until the call returns.
    unsafe { seam::call("linkat", libc::SYS_linkat, args) }.map(drop)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn nothing_is_there_until_it_is_named() {
        let dir = std::env::temp_dir().join(format!("sys-file-{}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        let mut file = unnamed(&dir).unwrap();
        file.write_all(b"whole").unwrap();
        assert_eq!(std::fs::read_dir(&dir).unwrap().count(), 0);
        name(&file, &dir.join("a")).unwrap();
        assert_eq!(std::fs::read(dir.join("a")).unwrap(), b"whole");
        assert!(name(&file, &dir.join("a")).is_err());
        std::fs::remove_dir_all(&dir).unwrap();
    }
}

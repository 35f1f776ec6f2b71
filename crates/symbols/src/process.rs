//! Processes: their mappings, programs and identity, from `/proc`.

use std::fs::File;
use std::io::{Error, ErrorKind, Result};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The identity of a file as the kernel shows it for mappings (`/proc/PID/maps`, perf's mmap records). On stacked file
/// systems it is that of the lower file, so it must not be compared with what `stat(2)` says of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId {
    /// Major number of the device.
    pub major: u32,
    /// Minor number of the device.
    pub minor: u32,
    /// Inode; 0 if the mapping is of no file.
    pub inode: u64,
}

/// One line of `/proc/PID/maps`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapping {
    /// First address.
    pub start: u64,
    /// First address behind it.
    pub end: u64,
    /// Where in the file the first byte is.
    pub offset: u64,
    /// May be executed.
    pub executable: bool,
    /// May be written.
    pub writable: bool,
    /// Which file.
    pub file: FileId,
    /// Path in the process's own root, or a name such as `[vdso]`; empty for plain memory.
    pub path: PathBuf,
    /// The file is no longer there under that path.
    pub deleted: bool,
}

impl Mapping {
    /// The file's address space: where a byte of memory is in the file.
    pub fn file_offset(&self, address: u64) -> Option<u64> {
        (self.start <= address && address < self.end)
            .then(|| self.offset.checked_add(address - self.start))
            .flatten()
    }

    /// Whether it is a file's.
    pub fn is_file(&self) -> bool {
        self.file.inode != 0 && self.path.is_absolute()
    }
}

/// Root directory of a process's mount namespace, as seen from here.
pub fn root(pid: u32) -> PathBuf {
    PathBuf::from(format!("/proc/{pid}/root"))
}

/// Mappings of a process, by address. Empty for kernel threads and zombies.
pub fn maps(pid: u32) -> Result<Vec<Mapping>> {
    let text = std::fs::read(format!("/proc/{pid}/maps"))?;
    Ok(parse_maps(&text))
}

/// Parses the text of `/proc/PID/maps`; lines that are none are passed over.
pub fn parse_maps(text: &[u8]) -> Vec<Mapping> {
    text.split(|b| *b == b'\n').filter_map(line).collect()
}

fn line(text: &[u8]) -> Option<Mapping> {
    let mut rest = text;
    let mut field = || {
        let len = rest.iter().position(|b| *b == b' ').unwrap_or(rest.len());
        let (field, behind) = rest.split_at_checked(len)?;
        rest = behind.get(1..).unwrap_or_default();
        std::str::from_utf8(field).ok()
    };
    let (range, mode, offset, device, inode) = (field()?, field()?, field()?, field()?, field()?);
    let hex = |text: &str| u64::from_str_radix(text, 16).ok();
    let small = |text: &str| u32::from_str_radix(text, 16).ok();
    let (start, end) = range.split_once('-')?;
    let (major, minor) = device.split_once(':')?;
    let path = rest.trim_ascii_start();
    let (path, deleted) = match path.strip_suffix(b" (deleted)") {
        Some(path) => (path, true),
        None => (path, false),
    };
    Some(Mapping {
        start: hex(start)?,
        end: hex(end)?,
        offset: hex(offset)?,
        executable: mode.as_bytes().get(2) == Some(&b'x'),
        writable: mode.as_bytes().get(1) == Some(&b'w'),
        file: FileId {
            major: small(major)?,
            minor: small(minor)?,
            inode: inode.parse().ok()?,
        },
        path: PathBuf::from(std::ffi::OsStr::from_bytes(&unescape(path))),
        deleted,
    })
}

/// The kernel writes newlines in paths as `\012`; nothing else.
fn unescape(path: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(path.len());
    let mut rest = path;
    while let Some((first, behind)) = rest.split_first() {
        if let Some(behind) = rest.strip_prefix(b"\\012") {
            out.push(b'\n');
            rest = behind;
        } else {
            out.push(*first);
            rest = behind;
        }
    }
    out
}

/// Opens the file of a mapping: the very file, if the kernel lets us (deleted ones too), else the one of that path and
/// inode in the process's root.
pub fn open_mapping(pid: u32, mapping: &Mapping) -> Result<File> {
    let link = format!(
        "/proc/{pid}/map_files/{:x}-{:x}",
        mapping.start, mapping.end
    );
    if let Ok(file) = File::open(link) {
        return Ok(file);
    }
    open_in_root(pid, &mapping.path, mapping.file.inode)
}

/// Opens a path in a process's root, if the file there still has that inode (0: any).
pub fn open_in_root(pid: u32, path: &Path, inode: u64) -> Result<File> {
    let relative = path
        .strip_prefix("/")
        .map_err(|_| Error::from(ErrorKind::NotFound))?;
    open_same(&root(pid).join(relative), inode)
}

/// Opens a regular file, if it has that inode (0: any). Never waits, as opening a pipe could.
pub fn open_same(path: &Path, inode: u64) -> Result<File> {
    let meta = std::fs::metadata(path)?;
    if !meta.is_file() || (inode != 0 && meta.ino() != inode) {
        return Err(ErrorKind::NotFound.into());
    }
    File::open(path)
}

/// The program of a process: its path in the process's root, and whether it has been deleted.
pub fn executable(pid: u32) -> Result<(PathBuf, bool)> {
    let path = std::fs::read_link(format!("/proc/{pid}/exe"))?;
    match path.as_os_str().as_bytes().strip_suffix(b" (deleted)") {
        Some(plain) => Ok((PathBuf::from(std::ffi::OsStr::from_bytes(plain)), true)),
        None => Ok((path, false)),
    }
}

/// Opens the very file that a process runs.
pub fn open_executable(pid: u32) -> Result<File> {
    File::open(format!("/proc/{pid}/exe"))
}

/// Reads memory of a process.
pub fn read_memory(pid: u32, address: u64, size: u64) -> Result<Vec<u8>> {
    use std::os::unix::fs::FileExt;
    let mut bytes = vec![0; usize::try_from(size).map_err(|_| ErrorKind::InvalidInput)?];
    File::open(format!("/proc/{pid}/mem"))?.read_exact_at(&mut bytes, address)?;
    Ok(bytes)
}

/// When a process started, in clock ticks since boot: together with the number it names a process for good.
pub fn start_time(pid: u32) -> Result<u64> {
    let text = std::fs::read(format!("/proc/{pid}/stat"))?;
    let malformed = || Error::from(ErrorKind::InvalidData);
    // The name in parentheses may hold anything, so fields are counted from its end; the third follows it.
    let behind = text
        .iter()
        .rposition(|b| *b == b')')
        .ok_or_else(malformed)?;
    let rest = std::str::from_utf8(text.get(behind + 1..).unwrap_or_default());
    rest.ok()
        .and_then(|r| r.split_ascii_whitespace().nth(22 - 3))
        .and_then(|t| t.parse().ok())
        .ok_or_else(malformed)
}

/// The process's number in its own pid namespace, which is what it writes into names such as `/tmp/perf-PID.map`.
pub fn own_pid(pid: u32) -> Result<u32> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/status"))?;
    let line = text.lines().find_map(|l| l.strip_prefix("NSpid:"));
    line.and_then(|l| l.split_ascii_whitespace().last())
        .and_then(|n| n.parse().ok())
        .ok_or_else(|| ErrorKind::InvalidData.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_maps() {
        let text = b"55d0-66e0 r-xp 00001000 fe:1a 1234   /usr/bin/a b (deleted)\n\
            7000-8000 rw-p 00000000 00:00 0    [heap]\n\
            8000-9000 ---p 00000000 00:00 0 \nrubbish\n\
            9000-a000 r--s 00000000 00:01 7   /tmp/x\\012y\n";
        let maps = parse_maps(text);
        assert_eq!(maps.len(), 4);
        let first = &maps[0];
        assert_eq!(
            (first.start, first.end, first.offset),
            (0x55d0, 0x66e0, 0x1000)
        );
        assert_eq!(
            (first.file.major, first.file.minor, first.file.inode),
            (0xfe, 0x1a, 1234)
        );
        assert_eq!(
            (first.path.to_str(), first.deleted),
            (Some("/usr/bin/a b"), true)
        );
        assert!(first.executable && !first.writable && first.is_file());
        assert_eq!(first.file_offset(0x55d4), Some(0x1004));
        assert_eq!(first.file_offset(0x66e0), None);
        assert!(!maps[1].is_file() && maps[1].writable);
        assert_eq!(maps[2].path, Path::new(""));
        assert_eq!(maps[3].path, Path::new("/tmp/x\ny"));
    }

    #[test]
    fn this_process() {
        let pid = std::process::id();
        let maps = maps(pid).unwrap_or_default();
        let (exe, deleted) = executable(pid).unwrap();
        let own = maps.iter().find(|m| m.executable && m.path == exe);
        let own = own.expect("the program is mapped");
        assert!(!deleted && open_mapping(pid, own).is_ok());
        assert!(open_in_root(pid, &own.path, own.file.inode).is_ok());
        assert!(open_in_root(pid, &own.path, own.file.inode + 1).is_err());
        assert!(start_time(pid).unwrap() > 0);
        assert!(own_pid(pid).is_ok());
        assert!(start_time(u32::MAX).is_err());
    }
}

//! Where the output goes: standard output or files, which `freopen()` may change and `ftruncate()` empty.

use crate::files::plain;
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};

/// Why output cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    /// The file of `-o` cannot be opened.
    #[error("failed to open output file '{path}': {reason}")]
    Open {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// A picture would go to a terminal.
    #[error("a picture is not for a terminal: use -o FILE, or redirect the output")]
    Terminal,
}

/// Where a run's output goes.
#[derive(Debug)]
pub enum Destination {
    /// The standard output.
    Standard,
    /// This file, behind what it has.
    File(PathBuf),
    /// A program that makes something else of it.
    Pipe(io::PipeWriter),
}

impl From<Option<PathBuf>> for Destination {
    fn from(file: Option<PathBuf>) -> Destination {
        file.map_or(Destination::Standard, Destination::File)
    }
}

/// A descriptor that is written to at once.
#[derive(Debug)]
pub struct Sink(File);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The sinks of a run.
#[derive(Debug)]
pub struct Sinks {
    /// What the run began with.
    original: File,
    /// What it writes to now.
    current: File,
    /// That is a terminal.
    terminal: bool,
}

impl Sinks {
    /// Opens what output goes to.
    pub fn open(to: Destination) -> Result<Sinks, OutputError> {
        let (file, path) = match to {
            Destination::File(path) => (append(&path), path),
            Destination::Standard => (
                io::stdout().as_fd().try_clone_to_owned().map(File::from),
                "standard output".into(),
            ),
            Destination::Pipe(pipe) => (Ok(File::from(OwnedFd::from(pipe))), "pipe".into()),
        };
        let open = || {
            let original = file?;
            Ok(Sinks {
                current: original.try_clone()?,
                terminal: sys::proc::is_terminal(original.as_fd()),
                original,
            })
        };
        open().map_err(|e: io::Error| OutputError::Open {
            path,
            reason: plain(&e),
        })
    }

    /// A writer to the present sink.
    pub fn sink(&self) -> io::Result<Box<dyn Write>> {
        Ok(Box::new(Sink(self.current.try_clone()?)))
    }

    /// Whether the present sink is a terminal.
    pub fn is_terminal(&self) -> bool {
        self.terminal
    }

    /// Goes on with another file, or (empty path) with the first sink.
    pub fn reopen(&mut self, path: &[u8]) -> io::Result<Box<dyn Write>> {
        use std::os::unix::ffi::OsStrExt;
        self.current = if path.is_empty() {
            self.original.try_clone()?
        } else {
            append(Path::new(std::ffi::OsStr::from_bytes(path)))?
        };
        self.terminal = sys::proc::is_terminal(self.current.as_fd());
        self.sink()
    }

    /// Empties the present file; sinks that are no files stay as they are.
    pub fn truncate(&self) -> io::Result<()> {
        if self.current.metadata()?.is_file() {
            self.current.set_len(0)
        } else {
            Ok(())
        }
    }
}

fn append(path: &Path) -> io::Result<File> {
    File::options().append(true).create(true).open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_appended_reopened_and_truncated() -> io::Result<()> {
        let path = std::env::temp_dir().join(format!("session-output-{}", std::process::id()));
        std::fs::write(&path, "old ")?;
        let mut sinks =
            Sinks::open(Some(path.clone()).into()).map_err(|e| io::Error::other(e.to_string()))?;
        sinks.sink()?.write_all(b"new")?;
        assert_eq!(std::fs::read(&path)?, b"old new");
        sinks.reopen(b"/dev/null")?.write_all(b"nowhere")?;
        sinks.truncate()?;
        sinks.reopen(b"")?.write_all(b" more")?;
        assert_eq!(std::fs::read(&path)?, b"old new more");
        sinks.truncate()?;
        assert_eq!(std::fs::read(&path)?, b"");
        std::fs::remove_file(&path)?;
        assert!(Sinks::open(Destination::File("/no/such/dir/x".into())).is_err());
        Ok(())
    }
}

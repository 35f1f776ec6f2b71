//! Where a picture goes: a file that has its name only when it is whole, or the standard output.

use crate::files::plain;
use crate::localtime::Zone;
use crate::output::OutputError;
use crate::trace::TraceError;
use std::fs::File;
use std::io::{BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// A picture that is being written.
pub struct PictureFile {
    out: BufWriter<Box<dyn Write>>,
    /// The name it has until it is whole, and its own.
    names: Option<(PathBuf, PathBuf)>,
}

impl PictureFile {
    /// Opens the file, or the standard output. What was in the file is there until the picture is whole.
    pub fn open(path: Option<&Path>) -> Result<PictureFile, OutputError> {
        let Some(path) = path else {
            let out = std::io::stdout();
            if out.is_terminal() {
                return Err(OutputError::Terminal);
            }
            return Ok(PictureFile {
                out: BufWriter::new(Box::new(out)),
                names: None,
            });
        };
        let failed = |e: std::io::Error| OutputError::Open {
            path: path.to_owned(),
            reason: plain(&e),
        };
        // A link stays one; a device or pipe is written to as it is.
        let own = std::fs::canonicalize(path).unwrap_or_else(|_new| path.to_owned());
        match std::fs::metadata(&own) {
            Ok(found) if !found.is_file() => {
                let file = File::options().write(true).open(&own).map_err(failed)?;
                return Ok(PictureFile {
                    out: BufWriter::new(Box::new(file)),
                    names: None,
                });
            }
            Ok(_) | Err(_) => {}
        }
        let name = own.file_name().map(|n| n.to_string_lossy().into_owned());
        let unfinished = format!(
            ".{}.unfinished-{}",
            name.unwrap_or_default(),
            std::process::id()
        );
        let unfinished = own.with_file_name(unfinished);
        let file = create(&unfinished).map_err(failed)?;
        Ok(PictureFile {
            out: BufWriter::new(Box::new(file)),
            names: Some((unfinished, own)),
        })
    }

    /// Appends text.
    pub(crate) fn write(&mut self, text: &str) -> Result<(), TraceError> {
        self.out.write_all(text.as_bytes()).map_err(failed)
    }

    /// The picture is whole: gives the file its name.
    pub(crate) fn finish(mut self) -> Result<(), TraceError> {
        self.out.flush().map_err(failed)?;
        if let Some((unfinished, own)) = self.names.take() {
            std::fs::rename(&unfinished, &own).map_err(|e| {
                // It is of no use, and the message is on its way.
                let _ = std::fs::remove_file(&unfinished);
                failed(e)
            })?;
        }
        Ok(())
    }
}

impl Drop for PictureFile {
    fn drop(&mut self) {
        if let Some((unfinished, _)) = &self.names {
            // Nobody is there to be told.
            let _ = std::fs::remove_file(unfinished);
        }
    }
}

/// Makes a file that is not there: others must not choose what is written to.
fn create(path: &Path) -> std::io::Result<File> {
    let new = || File::options().write(true).create_new(true).open(path);
    match new() {
        Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => {
            std::fs::remove_file(path)?;
            new()
        }
        made => made,
    }
}

fn failed(e: std::io::Error) -> TraceError {
    TraceError::Write(plain(&e))
}

/// When, how long and where a run was, in one line.
pub(crate) fn made(begun: u64, elapsed: u64) -> String {
    let elapsed = if begun == 0 { 0 } else { elapsed };
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let now = now.map_or(0, |d| d.as_nanos());
    let began = now.saturating_sub(u128::from(elapsed)) / 1_000_000_000;
    let began = i64::try_from(began).unwrap_or(0);
    let tm = consumer::utc(began.saturating_add(Zone::local().offset(began)));
    let of_kernel = |name: &str| {
        let text = std::fs::read_to_string(Path::new("/proc/sys/kernel").join(name));
        text.map_or_else(|_| "?".to_owned(), |t| t.trim().to_owned())
    };
    format!(
        "{}, {:.1} s, on {} (Linux {})",
        tm_text(&tm),
        elapsed as f64 / 1e9,
        of_kernel("hostname"),
        of_kernel("osrelease")
    )
}

fn tm_text(tm: &consumer::Tm) -> String {
    format!(
        "{:04}-{:02}-{:02} {:02}:{:02}:{:02}",
        tm.year,
        tm.month + 1,
        tm.day,
        tm.hour,
        tm.min,
        tm.sec
    )
}

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
    /// The file it becomes.
    becomes: Option<Becomes>,
}

/// A file and the name it gets when it is whole.
struct Becomes {
    file: File,
    /// Beside its own name, for the moment in which it takes the place of another; a file has it earlier only where the
    /// file system knows no files without a name.
    passing: PathBuf,
    own: PathBuf,
    named: bool,
}

impl Becomes {
    fn new(own: PathBuf) -> std::io::Result<Becomes> {
        let name = own.file_name().map(|n| n.to_string_lossy().into_owned());
        let passing = format!(
            ".{}.unfinished-{}",
            name.unwrap_or_default(),
            std::process::id()
        );
        let passing = own.with_file_name(passing);
        let dir = passing.parent().filter(|p| !p.as_os_str().is_empty());
        let (file, named) = match sys::file::unnamed(dir.unwrap_or(Path::new("."))) {
            Ok(file) => (file, false),
            Err(_) => (create(&passing)?, true),
        };
        if let Ok(old) = std::fs::metadata(&own) {
            file.set_permissions(old.permissions())?;
        }
        Ok(Becomes {
            file,
            passing,
            own,
            named,
        })
    }

    fn finish(&mut self) -> std::io::Result<()> {
        if !self.named {
            let named = sys::file::name(&self.file, &self.passing);
            named.map_err(|e| std::io::Error::from_raw_os_error(e.errno))?;
            self.named = true;
        }
        std::fs::rename(&self.passing, &self.own)?;
        self.named = false;
        Ok(())
    }
}

impl Drop for Becomes {
    fn drop(&mut self) {
        if self.named {
            // Nobody is there to be told.
            let _ = std::fs::remove_file(&self.passing);
        }
    }
}

impl PictureFile {
    /// Opens the file, or the standard output. What was in the file is there until the picture is whole.
    pub fn open(path: Option<&Path>) -> Result<PictureFile, OutputError> {
        let Some(path) = path else {
            let out = std::io::stdout();
            if out.is_terminal() {
                return Err(OutputError::Terminal);
            }
            return Ok(PictureFile::on(Box::new(out), None));
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
                return Ok(PictureFile::on(Box::new(file), None));
            }
            Ok(_) | Err(_) => {}
        }
        let becomes = Becomes::new(own).map_err(failed)?;
        let out = becomes.file.try_clone().map_err(failed)?;
        Ok(PictureFile::on(Box::new(out), Some(becomes)))
    }

    fn on(out: Box<dyn Write>, becomes: Option<Becomes>) -> PictureFile {
        PictureFile {
            out: BufWriter::new(out),
            becomes,
        }
    }

    /// Appends text.
    pub(crate) fn write(&mut self, text: &str) -> Result<(), TraceError> {
        self.out.write_all(text.as_bytes()).map_err(failed)
    }

    /// The picture is whole: gives the file its name.
    pub(crate) fn finish(mut self) -> Result<(), TraceError> {
        self.out.flush().map_err(failed)?;
        let becomes = self.becomes.as_mut();
        becomes.map_or(Ok(()), |b| b.finish().map_err(failed))
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

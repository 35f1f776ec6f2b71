//! Gives programs the tables that they walk user stacks with: those of the targets and of what nearly every process
//! maps before tracing begins, the others in the background, and at once where a program has met a file without.

use std::collections::HashSet;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use kernel::unwind::{FileKey, Request, Tables};
use symbols::process::{self, FileId, Mapping};

/// Minor numbers have so many bits (`include/linux/kdev_t.h`).
const MINOR_BITS: u32 = 20;
/// Tracing begins without the tables of other processes than the targets after this time.
const PATIENCE: Duration = Duration::from_millis(250);
/// Name of the kernel's code in processes.
const VDSO: &str = "[vdso]";

/// The thread that fills the tables; it ends when this is dropped.
pub struct Filler {
    wake: Sender<()>,
}

impl Filler {
    /// Fills in what must be there at the beginning, and leaves the rest to a thread.
    pub fn start(tables: Tables, targets: impl Iterator<Item = i32>) -> Filler {
        let (wake, woken) = channel();
        let mut work = Work {
            tables,
            full: false,
            seen: HashSet::new(),
            woken,
            gone: false,
        };
        work.vdso(std::process::id());
        for pid in targets {
            work.process(pid as u32, None);
        }
        let until = Instant::now() + PATIENCE;
        let mut rest = processes();
        // The parent has the libraries that many have.
        rest.push(std::os::unix::process::parent_id());
        while let Some(pid) = rest.pop() {
            if !work.process(pid, Some(until)) {
                rest.push(pid);
                break;
            }
        }
        let run = move || work.run(rest);
        // Without a thread, what was filled in so far must do; stacks through other files are counted.
        let _ = std::thread::Builder::new().name("unwind".into()).spawn(run);
        Filler { wake }
    }

    /// A program has asked for a table.
    pub fn asked(&self) {
        // It may have ended because there was no room for more.
        let _ = self.wake.send(());
    }
}

struct Work {
    tables: Tables,
    /// There is no room for more.
    full: bool,
    /// Files of running processes that were looked at.
    seen: HashSet<FileId>,
    woken: Receiver<()>,
    /// Nobody asks any more.
    gone: bool,
}

impl Work {
    fn run(mut self, rest: Vec<u32>) {
        for pid in rest {
            self.process(pid, None);
        }
        while !self.gone && self.woken.recv().is_ok() {
            self.requests();
        }
    }

    /// Answers requests, if there are.
    fn pending(&mut self) {
        use std::sync::mpsc::TryRecvError::{Disconnected, Empty};
        match self.woken.try_recv() {
            Ok(()) => self.requests(),
            Err(Empty) => {}
            Err(Disconnected) => self.gone = true,
        }
    }

    fn requests(&mut self) {
        for request in self.tables.requests().unwrap_or_default() {
            if self.full {
                return;
            }
            if self.request(request).is_err() {
                // The process is gone, or the file: whoever needs it next may have more to show.
                let _ = self.tables.forget(request.key);
            }
        }
    }

    fn request(&mut self, request: Request) -> io::Result<()> {
        let maps = process::maps(request.pid)?;
        let mapping = maps.iter().find(|m| m.start == request.address);
        let mapping = mapping.ok_or(io::ErrorKind::NotFound)?;
        let file = process::open_mapping(request.pid, mapping)?;
        if file.metadata()?.len() != request.key.size {
            return Err(io::ErrorKind::NotFound.into());
        }
        self.file(request.key, &file);
        Ok(())
    }

    /// Everything that a process can execute; false if time was up before that was done.
    fn process(&mut self, pid: u32, until: Option<Instant>) -> bool {
        for mapping in process::maps(pid).unwrap_or_default() {
            self.pending();
            if self.full || self.gone {
                return true;
            }
            if until.is_some_and(|until| Instant::now() > until) {
                return false;
            }
            let code = mapping.executable && mapping.is_file();
            if code && !self.seen.contains(&mapping.file) && self.mapping(pid, &mapping).is_ok() {
                self.seen.insert(mapping.file);
            }
        }
        true
    }

    fn mapping(&mut self, pid: u32, mapping: &Mapping) -> io::Result<()> {
        let file = process::open_mapping(pid, mapping)?;
        let key = FileKey {
            inode: mapping.file.inode,
            size: file.metadata()?.len(),
            device: mapping.file.major << MINOR_BITS | mapping.file.minor,
        };
        if !self.tables.knows(key) {
            self.file(key, &file);
        }
        Ok(())
    }

    fn file(&mut self, key: FileKey, file: &File) {
        self.give(key, unwind::read(file));
    }

    fn vdso(&mut self, pid: u32) {
        let maps = process::maps(pid).unwrap_or_default();
        let Some(vdso) = maps.iter().find(|m| m.path == Path::new(VDSO)) else {
            return;
        };
        let read = || {
            use unwind::Source;
            let memory = File::open(format!("/proc/{pid}/mem"))?;
            memory.bytes(vdso.start, (vdso.end - vdso.start) as usize)
        };
        if let Ok(bytes) = read() {
            self.give(FileKey::VDSO, unwind::read(&bytes));
        }
    }

    fn give(&mut self, key: FileKey, table: Result<unwind::Table, unwind::Error>) {
        let done = match table {
            Ok(table) => {
                let place = |address| table.place(address);
                let added = self.tables.add(key, table.first(), table.pages(), &place);
                self.full |= matches!(added, Ok(false));
                added.map(drop)
            }
            Err(unwind::Error::Io(_)) => self.tables.forget(key),
            Err(unwind::Error::Foreign | unwind::Error::Absent) => self.tables.none(key),
        };
        // What cannot be given is counted where it is missed.
        let _ = done;
    }
}

/// All processes.
fn processes() -> Vec<u32> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    entries
        .filter_map(|e| e.file_name().to_str()?.parse().ok())
        .collect()
}

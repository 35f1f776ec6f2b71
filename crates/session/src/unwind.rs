//! Gives programs the tables that they walk user stacks with: those of the targets and of what nearly every process
//! maps before tracing begins, the others in the background, and at once where a program has met a file without.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};

use kernel::unwind::{FileKey, Request, Tables};
use symbols::process::{self, Mapping};

/// Minor numbers have so many bits (`include/linux/kdev_t.h`).
const MINOR_BITS: u32 = 20;
/// Name of the kernel's code in processes.
const VDSO: &str = "[vdso]";

/// The thread that fills the tables; it ends when this is dropped.
pub struct Filler {
    wake: Sender<()>,
}

impl Filler {
    /// Fills in what must be there at the beginning, and leaves the rest to a thread.
    pub fn start(tables: Tables, targets: &[u32]) -> Filler {
        let (wake, woken) = channel();
        let mut work = Work { tables, full: false };
        let own = std::process::id();
        work.vdso(own);
        // The parent and the first process have the libraries that the others have.
        let near = [std::os::unix::process::parent_id(), 1];
        for pid in targets.iter().copied().chain(near) {
            work.process(pid);
        }
        let run = move || work.run(&woken);
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
    full: bool,
}

impl Work {
    fn run(mut self, woken: &Receiver<()>) {
        for pid in processes() {
            if !self.pending(woken) {
                return;
            }
            self.process(pid);
        }
        while woken.recv().is_ok() {
            self.requests();
        }
    }

    /// Answers requests, if there are; false when nobody asks any more.
    fn pending(&mut self, woken: &Receiver<()>) -> bool {
        use std::sync::mpsc::TryRecvError::{Disconnected, Empty};
        match woken.try_recv() {
            Ok(()) => self.requests(),
            Err(Empty) => {}
            Err(Disconnected) => return false,
        }
        true
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

    /// Everything that a process can execute.
    fn process(&mut self, pid: u32) {
        for mapping in process::maps(pid).unwrap_or_default() {
            if mapping.executable && mapping.is_file() && !self.full {
                // Another process may have it still.
                let _ = self.mapping(pid, &mapping);
            }
        }
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
                let added = self
                    .tables
                    .add(key, table.first(), table.pages(), &place);
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

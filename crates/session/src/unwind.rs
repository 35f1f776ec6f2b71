//! Gives programs the tables that they walk user stacks with: before tracing begins those of the targets, and as many of
//! what runs as can be made in a moment; the others when a program has met a file without.

use std::collections::HashSet;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use kernel::unwind::{FileKey, Request, Tables};
use symbols::process::{self, FileId, Mapping};
use unwind::Machine;

/// Minor numbers have so many bits (`include/linux/kdev_t.h`).
const MINOR_BITS: u32 = 20;
/// Tracing begins without the tables of other processes than the targets after this time.
const PATIENCE: Duration = Duration::from_millis(150);
/// Name of the kernel's code in processes.
const VDSO: &str = "[vdso]";

/// Fills the tables; the thread that does ends when this is dropped.
pub struct Filler {
    wake: Sender<()>,
    work: Arc<Work>,
}

impl Drop for Filler {
    fn drop(&mut self) {
        self.work.ended.store(true, Relaxed);
    }
}

impl Filler {
    /// Fills in what must be there at the beginning, and leaves what is asked for later to a thread.
    pub fn start(tables: Tables, targets: impl Iterator<Item = i32>) -> Filler {
        let (wake, woken) = channel();
        let work = Arc::new(Work {
            tables: Mutex::new(tables),
            ended: AtomicBool::new(false),
        });
        let mut seen = HashSet::new();
        work.vdso(std::process::id());
        // The parent has the libraries that commands are going to map.
        let parent = std::os::unix::process::parent_id();
        for pid in targets.map(|pid| pid as u32).chain([parent]) {
            work.process(pid, &mut seen, None);
        }
        let until = Instant::now() + PATIENCE;
        for pid in processes() {
            if !work.process(pid, &mut seen, Some(until)) {
                break;
            }
        }
        let of = Arc::clone(&work);
        let thread = std::thread::Builder::new().name("unwind".into());
        // Without it, what was filled in so far must do; stacks that lack a table are counted.
        let _ = thread.spawn(move || of.answer(&woken));
        Filler { wake, work }
    }

    /// A program has asked for a table.
    pub fn asked(&self) {
        // Nobody is there to hear it if there was no thread to be had.
        let _ = self.wake.send(());
    }
}

struct Work {
    tables: Mutex<Tables>,
    /// There is no room for more, or nobody wants any.
    ended: AtomicBool,
}

impl Work {
    fn tables(&self) -> MutexGuard<'_, Tables> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn ended(&self) -> bool {
        self.ended.load(Relaxed)
    }

    /// Answers requests.
    fn answer(&self, woken: &Receiver<()>) {
        while woken.recv().is_ok() && !self.ended() {
            let requests = self.tables().requests().unwrap_or_default();
            for request in requests {
                if self.request(request).is_err() {
                    // The process is gone, or the file: whoever needs it next may have more to show.
                    let _ = self.tables().forget(request.key);
                }
            }
        }
    }

    fn request(&self, request: Request) -> io::Result<()> {
        let maps = process::maps(request.pid)?;
        let mapping = maps.iter().find(|m| m.start == request.address);
        let mapping = mapping.ok_or(io::ErrorKind::NotFound)?;
        let file = process::open_mapping(request.pid, mapping)?;
        if file.metadata()?.len() != request.key.size {
            return Err(io::ErrorKind::NotFound.into());
        }
        self.give(request.key, unwind::read(&file, Machine::HOST));
        Ok(())
    }

    /// Everything that a process can execute; false if time was up before that was done.
    fn process(&self, pid: u32, seen: &mut HashSet<FileId>, until: Option<Instant>) -> bool {
        for mapping in process::maps(pid).unwrap_or_default() {
            if self.ended() {
                return true;
            }
            if until.is_some_and(|until| Instant::now() > until) {
                return false;
            }
            let code = mapping.executable && mapping.is_file();
            if code && !seen.contains(&mapping.file) && self.mapping(pid, &mapping).is_ok() {
                seen.insert(mapping.file);
            }
        }
        true
    }

    fn mapping(&self, pid: u32, mapping: &Mapping) -> io::Result<()> {
        let file = process::open_mapping(pid, mapping)?;
        let key = FileKey {
            inode: mapping.file.inode,
            size: file.metadata()?.len(),
            device: mapping.file.major << MINOR_BITS | mapping.file.minor,
        };
        if !self.tables().knows(key) {
            self.give(key, unwind::read(&file, Machine::HOST));
        }
        Ok(())
    }

    fn vdso(&self, pid: u32) {
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
            self.give(FileKey::VDSO, unwind::vdso(&bytes, Machine::HOST));
        }
    }

    fn give(&self, key: FileKey, table: Result<unwind::Table, unwind::Error>) {
        let mut tables = self.tables();
        if tables.knows(key) {
            return;
        }
        let done = match table {
            Ok(table) => {
                let place = |address| table.place(address);
                let added = tables.add(key, table.first(), table.pages(), &place);
                if matches!(added, Ok(false)) {
                    self.ended.store(true, Relaxed);
                }
                added.map(drop)
            }
            Err(unwind::Error::Io(_)) => tables.forget(key),
            Err(unwind::Error::Foreign | unwind::Error::Absent) => tables.none(key),
        };
        // What cannot be given is counted where it is missed.
        let _ = done;
    }
}

/// All processes but this one.
fn processes() -> impl Iterator<Item = u32> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = entries.filter_map(|e| e.file_name().to_str()?.parse().ok());
    pids.filter(|pid| *pid != std::process::id())
}

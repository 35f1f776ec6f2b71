//! Gives programs the tables that they walk user stacks with: before tracing begins those of the targets, and as many of
//! what runs as can be made in a moment; the others when a program has met a file without.
//!
//! Making begins while the programs are still being loaded, by a thread for each of a few CPUs.

use std::collections::{HashSet, VecDeque};
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use image::{Image, MapRole};
use kernel::unwind::{FileKey, Request, Tables};
use symbols::process::{self, FileId, Mapping};
use unwind::{Machine, Table};

/// Minor numbers have so many bits (`include/linux/kdev_t.h`).
const MINOR_BITS: u32 = 20;
/// When all else is ready, tracing waits so long for the tables of other processes than the targets.
const PATIENCE: Duration = Duration::from_millis(20);
/// After this time those that are left are made only when programs have met their files.
const EAGERNESS: Duration = Duration::from_millis(150);
/// Threads that make tables, at most.
const MAKERS: usize = 4;
/// Name of the kernel's code in processes.
const VDSO: &str = "[vdso]";

type Made = Result<Table, unwind::Error>;

/// Makes tables before there is a place for them.
pub struct Maker {
    work: Arc<Work>,
}

impl Maker {
    /// Begins, if the image walks user stacks: with the targets, and this process's parent, which has the libraries that
    /// commands are going to map.
    pub fn start(image: &Image, targets: impl Iterator<Item = i32>) -> Option<Maker> {
        image.maps.iter().find(|m| m.role == MapRole::UnwindFiles)?;
        let parent = std::os::unix::process::parent_id();
        let first: Vec<u32> = targets.map(|pid| pid as u32).chain([parent]).collect();
        let work = Arc::new(Work {
            files: Mutex::new(Files::new(first)),
            shared: Mutex::default(),
            progress: Condvar::new(),
            ended: AtomicBool::new(false),
        });
        let cpus = std::thread::available_parallelism().map_or(1, usize::from);
        for _ in 0..cpus.min(MAKERS) {
            work.shared().makers += 1;
            let of = Arc::clone(&work);
            let thread = std::thread::Builder::new().name("unwind".into());
            if thread.spawn(move || of.make()).is_err() {
                // What nobody makes now is made when it is asked for.
                work.shared().makers -= 1;
            }
        }
        Some(Maker { work })
    }
}

impl Drop for Maker {
    fn drop(&mut self) {
        self.work.ended.store(true, Relaxed);
    }
}

/// Fills the tables; the threads that do end when this is dropped.
pub struct Filler {
    wake: Sender<()>,
    /// Ends what is still being made.
    _maker: Maker,
}

impl Filler {
    /// Fills in what must be there at the beginning, and leaves what is asked for later to a thread.
    pub fn start(maker: Maker, tables: Tables) -> Filler {
        let (wake, woken) = channel();
        let work = &maker.work;
        work.install(tables);
        work.wait();
        let of = Arc::clone(work);
        let thread = std::thread::Builder::new().name("unwind".into());
        // Without it, what was filled in so far must do; stacks that lack a table are counted.
        let _ = thread.spawn(move || of.answer(&woken));
        Filler {
            wake,
            _maker: maker,
        }
    }

    /// A program has asked for a table.
    pub fn asked(&self) {
        // Nobody is there to hear it if there was no thread to be had.
        let _ = self.wake.send(());
    }
}

/// The files whose tables are made before they are asked for, in their order.
struct Files {
    /// Processes that must be seen to, then all others once they were looked for.
    first: VecDeque<u32>,
    others: Option<VecDeque<u32>>,
    /// What is left of the process that is looked at, and its number.
    mappings: (u32, VecDeque<Mapping>),
    seen: HashSet<FileId>,
    vdso: bool,
}

/// What to make a table of.
enum Job {
    Vdso,
    File(FileKey, File),
}

impl Files {
    fn new(first: Vec<u32>) -> Files {
        Files {
            first: first.into(),
            others: None,
            mappings: (0, VecDeque::new()),
            seen: HashSet::new(),
            vdso: true,
        }
    }

    /// The next file, and whether it must be there before tracing begins.
    fn next(&mut self) -> Option<(Job, bool)> {
        if std::mem::take(&mut self.vdso) {
            return Some((Job::Vdso, true));
        }
        loop {
            while let Some(mapping) = self.mappings.1.pop_front() {
                let code = mapping.executable && mapping.is_file();
                if code
                    && !self.seen.contains(&mapping.file)
                    && let Ok((key, file)) = open(self.mappings.0, &mapping)
                {
                    self.seen.insert(mapping.file);
                    return Some((Job::File(key, file), self.others.is_none()));
                }
            }
            let pid = match self.first.pop_front() {
                Some(pid) => pid,
                None => {
                    let others = self.others.get_or_insert_with(|| processes().collect());
                    others.pop_front()?
                }
            };
            self.mappings = (pid, process::maps(pid).unwrap_or_default().into());
        }
    }
}

fn open(pid: u32, mapping: &Mapping) -> io::Result<(FileKey, File)> {
    let file = process::open_mapping(pid, mapping)?;
    let key = FileKey {
        inode: mapping.file.inode,
        size: file.metadata()?.len(),
        device: mapping.file.major << MINOR_BITS | mapping.file.minor,
    };
    Ok((key, file))
}

/// What makers have done.
#[derive(Default)]
struct Shared {
    /// Where tables go, once that is there.
    tables: Option<Tables>,
    /// What was made before.
    made: Vec<(FileKey, Made)>,
    /// Tables in the making that must be there.
    needed: usize,
    /// All that must be there is made, or in the making.
    begun: bool,
    /// Threads that make tables.
    makers: usize,
    /// When they stop.
    until: Option<Instant>,
}

struct Work {
    files: Mutex<Files>,
    shared: Mutex<Shared>,
    progress: Condvar,
    /// There is no room for more, or nobody wants any.
    ended: AtomicBool,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Work {
    fn shared(&self) -> MutexGuard<'_, Shared> {
        lock(&self.shared)
    }

    fn ended(&self) -> bool {
        self.ended.load(Relaxed)
    }

    /// The next file, noted as needed if it is.
    fn next(&self) -> Option<(Job, bool)> {
        let mut files = lock(&self.files);
        let until = self.shared().until;
        if self.ended() || until.is_some_and(|until| Instant::now() > until) {
            return None;
        }
        let next = files.next();
        let needed = matches!(next, Some((_, true)));
        let mut shared = self.shared();
        shared.needed += usize::from(needed);
        shared.begun |= !needed;
        next
    }

    /// Makes tables until there are no more files, or it is told to end.
    fn make(&self) {
        while let Some((job, needed)) = self.next() {
            let (key, made) = match job {
                Job::Vdso => (FileKey::VDSO, Some(vdso())),
                // Maybe asked for and given in the meantime.
                Job::File(key, _) if self.knows(key) => (key, None),
                Job::File(key, file) => (key, Some(unwind::read(&file, Machine::HOST))),
            };
            if let Some(made) = made {
                self.give(key, made);
            }
            self.shared().needed -= usize::from(needed);
            self.progress.notify_all();
        }
        let mut shared = self.shared();
        shared.makers -= 1;
        self.progress.notify_all();
    }

    fn knows(&self, key: FileKey) -> bool {
        let shared = self.shared();
        shared.tables.as_ref().is_some_and(|t| t.knows(key))
    }

    /// Takes the place for tables, and puts in what was made so far.
    fn install(&self, tables: Tables) {
        let made = {
            let mut shared = self.shared();
            shared.tables = Some(tables);
            std::mem::take(&mut shared.made)
        };
        made.into_iter()
            .for_each(|(key, made)| self.give(key, made));
    }

    /// Waits for what must be there, and a moment for the others.
    fn wait(&self) {
        let begun = Instant::now();
        let mut shared = self.shared();
        shared.until = Some(begun + EAGERNESS);
        while shared.makers > 0 && !self.ended() {
            let left = PATIENCE.saturating_sub(begun.elapsed());
            let done = shared.begun && shared.needed == 0;
            if done && left.is_zero() {
                return;
            }
            let left = if done { left } else { Duration::from_secs(1) };
            let waited = self.progress.wait_timeout(shared, left);
            shared = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Answers requests.
    fn answer(&self, woken: &Receiver<()>) {
        while woken.recv().is_ok() && !self.ended() {
            let requests = self.shared().tables.as_ref().map(Tables::requests);
            for request in requests.and_then(Result::ok).unwrap_or_default() {
                if self.request(request).is_err() {
                    // The process is gone, or the file: whoever needs it next may have more to show.
                    let shared = self.shared();
                    let _ = shared.tables.as_ref().map(|t| t.forget(request.key));
                }
            }
        }
    }

    fn request(&self, request: Request) -> io::Result<()> {
        let maps = process::maps(request.pid)?;
        let mapping = maps.iter().find(|m| m.start == request.address);
        let mapping = mapping.ok_or(io::ErrorKind::NotFound)?;
        let (key, file) = open(request.pid, mapping)?;
        if key.size != request.key.size {
            return Err(io::ErrorKind::NotFound.into());
        }
        self.give(request.key, unwind::read(&file, Machine::HOST));
        Ok(())
    }

    fn give(&self, key: FileKey, made: Made) {
        let mut shared = self.shared();
        let Some(tables) = &mut shared.tables else {
            shared.made.push((key, made));
            return;
        };
        if tables.knows(key) {
            return;
        }
        let done = match made {
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

/// The table of the code that the kernel maps into each process, by that of this one.
fn vdso() -> Made {
    use unwind::Source;
    let maps = process::maps(std::process::id())?;
    let vdso = maps.iter().find(|m| m.path == Path::new(VDSO));
    let vdso = vdso.ok_or(unwind::Error::Absent)?;
    let memory = File::open("/proc/self/mem")?;
    let bytes = memory.bytes(vdso.start, (vdso.end - vdso.start) as usize)?;
    unwind::vdso(&bytes, Machine::HOST)
}

/// All processes but this one.
fn processes() -> impl Iterator<Item = u32> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = entries.filter_map(|e| e.file_name().to_str()?.parse().ok());
    pids.filter(|pid| *pid != std::process::id())
}

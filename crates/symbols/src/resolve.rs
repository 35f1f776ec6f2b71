//! Names of user addresses, also of processes that have ended.
//!
//! Problem: when a stack is printed, its process may be gone, its number somebody else's, its program deleted. Choice:
//! the kernel tells what every process maps while tracing goes on ([`crate::events`]); files are opened when they are
//! first met; a process that is older than tracing is looked at when a program first records an address of it.
//!
//! Invariant: only what is certain is named.

use std::collections::{HashMap, HashSet, VecDeque};
use std::path::Path;
use std::sync::Arc;

use sys::SysError;
use sys::time::monotonic_ns;

use crate::events::{Event, Watch};
use crate::jit::PerfMap;
use crate::process::{self, Mapping};
use crate::spaces::{Map, Spaces, Unknown};
use crate::{ElfFile, Files, demangle};

/// Files held open that nobody has asked about yet; enough for the programs that a machine runs in a while.
const MOST_OPEN: usize = 512;
/// Times of first sight that are remembered.
const MOST_SIGHTED: usize = 1 << 20;
/// Undone names that are remembered.
const MOST_NAMES: usize = 1 << 17;
/// Perf map files that are remembered.
const MOST_JITS: usize = 4096;
/// How many parents are looked at.
const GENERATIONS: u32 = 8;
/// Where the kernel maps its old system call page, and the entries in it.
const VSYSCALL: u64 = 0xffff_ffff_ff60_0000;
const VSYSCALLS: [&str; 3] = ["gettimeofday", "time", "getcpu"];
const VSYSCALL_SIZE: u64 = 0x400;

/// What is known of an address.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Symbol {
    /// Base name of the object; none for code that was compiled at run time.
    pub module: Option<Arc<str>>,
    /// Function.
    pub name: Option<Arc<str>>,
    /// Bytes behind the function's start, or if that is not known, in the object's mapping.
    pub offset: u64,
}

/// What an object turned out to be.
#[derive(Debug, Default)]
enum Content {
    /// Not opened yet.
    #[default]
    Unknown,
    /// An ELF file.
    Elf(Arc<ElfFile>),
    /// Nothing with symbols.
    Plain,
}

#[derive(Debug)]
struct Object {
    content: Content,
    module: Option<Arc<str>>,
    /// Somebody asked about it: it stays open.
    used: bool,
}

/// A process as whoever recorded an address knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Whose {
    /// Its number.
    pub pid: u32,
    /// What tells it from others with that number; equal for equal processes running the same program.
    pub word: u64,
    /// The word does so (it is not only the number).
    pub stamped: bool,
    /// When the address was recorded, if that is known (`CLOCK_MONOTONIC` ns).
    pub time: Option<u64>,
}

/// Answers questions about user addresses.
#[derive(Debug)]
pub struct Resolver {
    watch: Option<Watch>,
    drained: u64,
    spaces: Spaces,
    files: Files,
    objects: Vec<Object>,
    open: VecDeque<u32>,
    sighted: HashMap<u64, u64>,
    /// Processes that were sighted and live.
    live: HashSet<u32>,
    jits: HashMap<(u32, u64), PerfMap>,
    vdso: Option<Option<Arc<ElfFile>>>,
    demangle: bool,
    names: HashMap<(u32, u64), Arc<str>>,
}

impl Resolver {
    /// Begins to listen to what processes map. `demangle`: show names as C++ and Rust sources have them.
    pub fn start(demangle: bool) -> Result<Resolver, SysError> {
        Watch::open().map(|watch| Resolver::new(Some(watch), demangle))
    }

    /// One that only looks at processes while they live.
    pub fn without_watch(demangle: bool) -> Resolver {
        Resolver::new(None, demangle)
    }

    fn new(watch: Option<Watch>, demangle: bool) -> Resolver {
        Resolver {
            watch,
            drained: 0,
            spaces: Spaces::default(),
            files: Files::default(),
            objects: Vec::new(),
            open: VecDeque::new(),
            sighted: HashMap::new(),
            live: HashSet::new(),
            jits: HashMap::new(),
            vdso: None,
            demangle,
            names: HashMap::new(),
        }
    }

    /// Descriptors that become readable when there is much to [`Resolver::drain`].
    pub fn fds(&self) -> impl Iterator<Item = std::os::fd::BorrowedFd<'_>> {
        self.watch.iter().flat_map(Watch::fds)
    }

    /// Takes note of what happened until now.
    pub fn drain(&mut self) {
        self.drained = monotonic_ns();
        let told = self.watch.as_mut().map(Watch::drain).unwrap_or_default();
        let mut compilers = HashSet::new();
        for (time, event) in told {
            match &event {
                Event::Map(pid, m) if is_nameless(&m.path) && self.live.contains(pid) => {
                    compilers.insert(*pid);
                }
                Event::Exit(pid) => {
                    self.live.remove(pid);
                    compilers.remove(pid);
                }
                Event::Map(..) | Event::Exec(_) | Event::Fork { .. } | Event::Lost => {}
            }
            let mapping = match &event {
                Event::Map(pid, mapping) => Some((*pid, mapping.clone())),
                Event::Exec(_) | Event::Fork { .. } | Event::Exit(_) | Event::Lost => None,
            };
            let object = self.spaces.note(time, event);
            if let (Some(object), Some((pid, mapping))) = (object, mapping)
                && matches!(self.object(object).content, Content::Unknown)
            {
                self.open_object(object, pid, &mapping);
            }
        }
        for pid in compilers {
            let birth = self.spaces.birth(pid, u64::MAX);
            self.jit(pid, birth).open(pid);
        }
    }

    /// A program has recorded the first address of a process, at `time`.
    pub fn sighted(&mut self, pid: u32, word: u64, time: u64) {
        self.drain();
        if self.sighted.len() >= MOST_SIGHTED {
            self.sighted.clear();
        }
        let first = *self.sighted.entry(word).or_insert(time);
        self.look(pid, first);
        if self.spaces.is_over(pid, first) {
            return;
        }
        self.live.insert(pid);
        if self.has_nameless(pid, first) {
            let birth = self.spaces.birth(pid, first);
            self.jit(pid, birth).open(pid);
        }
    }

    /// Whether a process has executable memory that no file describes.
    fn has_nameless(&self, pid: u32, time: u64) -> bool {
        let mut paths = self.spaces.maps(pid, time);
        paths.any(|m| {
            let object = self.spaces.object(m.object);
            object.is_some_and(|o| is_nameless(&o.path))
        })
    }

    /// A process that is going to be traced: what it has mapped so far is read now.
    pub fn adopt(&mut self, pid: u32) {
        self.drain();
        self.look(pid, u64::MAX);
    }

    /// Reads the mappings of a process if they are not known.
    fn look(&mut self, pid: u32, time: u64) {
        let mut next = self.spaces.unknown(pid, time);
        let mut time = time;
        for _ in 0..GENERATIONS {
            let Some(Unknown { pid, parent }) = next else {
                return;
            };
            if self.read_maps(pid, time) {
                return;
            }
            self.spaces.give_up(pid, time);
            time = self.spaces.birth(pid, time);
            next = parent.and_then(|parent| self.spaces.unknown(parent, time));
        }
    }

    fn read_maps(&mut self, pid: u32, time: u64) -> bool {
        let maps = process::maps(pid).unwrap_or_default();
        // What happened while they were read is part of them, unless it is another program by now.
        self.drain();
        let birth = self.spaces.birth(pid, time);
        if maps.is_empty() || self.spaces.birth(pid, u64::MAX) != birth {
            return false;
        }
        let known: Vec<Mapping> = maps.iter().filter(|m| m.executable).cloned().collect();
        for object in self.spaces.snapshot(pid, maps) {
            let path = self.spaces.object(object).map(|o| (o.id, o.path.clone()));
            let of = known
                .iter()
                .find(|m| Some((m.file, m.path.clone())) == path);
            if let Some(mapping) = of {
                self.open_object(object, pid, mapping);
            }
        }
        true
    }

    fn object(&mut self, index: u32) -> &mut Object {
        let index = index as usize;
        while self.objects.len() <= index {
            let path = self.spaces.object(self.objects.len() as u32);
            let module = path.and_then(|o| o.path.file_name());
            self.objects.push(Object {
                content: Content::Unknown,
                module: module.map(|n| printable(&n.to_string_lossy())),
                used: false,
            });
        }
        &mut self.objects[index]
    }

    /// Opens the file behind an object while somebody has it mapped.
    fn open_object(&mut self, index: u32, pid: u32, mapping: &Mapping) {
        let content = if mapping.is_file() {
            let file = self.open_file(pid, mapping);
            let root = process::root(pid);
            match file {
                Some(file) => match self.files.get(file, &mapping.path, &root) {
                    Some(elf) => Content::Elf(elf),
                    None => Content::Plain,
                },
                None => Content::Unknown,
            }
        } else {
            Content::Plain
        };
        if matches!(content, Content::Elf(_)) {
            self.open.push_back(index);
        }
        self.object(index).content = content;
        if self.open.len() > MOST_OPEN
            && let Some(oldest) = self.open.pop_front()
            && !self.object(oldest).used
        {
            self.object(oldest).content = Content::Unknown;
            self.files.forget_unused();
        }
    }

    /// The file of a mapping, through the process itself, or else through those that may have the same root: who started
    /// it, and this process.
    fn open_file(&self, pid: u32, mapping: &Mapping) -> Option<std::fs::File> {
        let inode = mapping.file.inode;
        let own = process::open_mapping(pid, mapping).ok();
        own.or_else(|| {
            let mut starters = self.spaces.starters(pid);
            starters.find_map(|p| process::open_in_root(p, &mapping.path, inode).ok())
        })
        .or_else(|| process::open_same(&mapping.path, inode).ok())
    }

    fn jit(&mut self, pid: u32, birth: u64) -> &mut PerfMap {
        if self.jits.len() >= MOST_JITS && !self.jits.contains_key(&(pid, birth)) {
            self.jits.clear();
        }
        self.jits.entry((pid, birth)).or_default()
    }

    /// What a process has, or had, at the address of a frame; `None` if nothing is certain.
    pub fn lookup(&mut self, whose: Whose, address: u64) -> Option<Symbol> {
        let time = self.prepare(whose)?;
        self.code(whose.pid, time, address)
    }

    /// What a process has, or had, at any address: also variables.
    pub fn lookup_any(&mut self, whose: Whose, address: u64) -> Option<Symbol> {
        let time = self.prepare(whose)?;
        self.code(whose.pid, time, address)
            .or_else(|| self.data(whose.pid, time, address))
    }

    /// Sees to it that all is known that can be; gives a time for which it is.
    fn prepare(&mut self, whose: Whose) -> Option<u64> {
        let time = self.time(whose)?;
        if time > self.drained {
            self.drain();
        }
        if self.spaces.unknown(whose.pid, time).is_some() {
            self.look(whose.pid, time);
        }
        Some(time)
    }

    fn code(&mut self, pid: u32, time: u64, address: u64) -> Option<Symbol> {
        if address & !0xfff == VSYSCALL {
            return Some(vsyscall(address));
        }
        match self.spaces.find(pid, time, address) {
            Some(map) => self.in_map(pid, time, &map, address),
            None => self.compiled(pid, time, address),
        }
    }

    /// Variables lie at a fixed distance from the code of their object.
    fn data(&mut self, pid: u32, time: u64, address: u64) -> Option<Symbol> {
        let maps: Vec<Map> = self.spaces.maps(pid, time).collect();
        maps.iter().find_map(|map| {
            let (elf, module) = self.elf(pid, map)?;
            let base = map.start.wrapping_sub(elf.offset_to_vaddr(map.offset)?);
            let vaddr = address.wrapping_sub(base);
            let inside = |s: &crate::elf::Segment| vaddr.wrapping_sub(s.vaddr) < s.mem_size;
            elf.segments().iter().find(|s| inside(s))?;
            let found = elf.lookup_variable(vaddr);
            Some(Symbol {
                module,
                name: found.map(|(name, _)| self.shown(name)),
                offset: found.map_or(vaddr, |(_, offset)| offset),
            })
        })
    }

    /// A time at which the process had the address space that is asked about.
    fn time(&self, whose: Whose) -> Option<u64> {
        if whose.time.is_some() {
            return whose.time;
        }
        match self.sighted.get(&whose.word) {
            Some(time) => Some(*time),
            // Nobody else ever had the number, or whoever has it now is meant.
            None if !whose.stamped || self.spaces.count(whose.pid) <= 1 => Some(u64::MAX),
            None => None,
        }
    }

    fn in_map(&mut self, pid: u32, time: u64, map: &Map, address: u64) -> Option<Symbol> {
        let offset = map.offset.checked_add(address - map.start)?;
        let object = self.spaces.object(map.object)?;
        let path = object.path.clone();
        if path == Path::new("[vdso]") {
            let elf = self.vdso()?;
            return Some(self.named(map.object, &elf, offset));
        }
        // Compilers put code into plain memory, and into files that exist for that only.
        if is_nameless(&path)
            && let Some(found) = self.compiled(pid, time, address)
        {
            return Some(found);
        }
        if path.as_os_str().is_empty() {
            return None;
        }
        if let Some((elf, _)) = self.elf(pid, map) {
            return Some(self.named(map.object, &elf, offset));
        }
        Some(Symbol {
            module: self.object(map.object).module.clone(),
            name: None,
            offset,
        })
    }

    /// The file of a mapping, if it is an ELF file, and its base name.
    fn elf(&mut self, pid: u32, map: &Map) -> Option<(Arc<ElfFile>, Option<Arc<str>>)> {
        if matches!(self.object(map.object).content, Content::Unknown) {
            let known = self.spaces.object(map.object)?;
            let mapping = Mapping {
                start: map.start,
                end: map.end,
                offset: map.offset,
                executable: true,
                writable: false,
                file: known.id,
                path: known.path.clone(),
                deleted: false,
            };
            self.open_object(map.object, pid, &mapping);
        }
        let object = self.object(map.object);
        object.used = true;
        match &object.content {
            Content::Elf(elf) => Some((Arc::clone(elf), object.module.clone())),
            Content::Plain | Content::Unknown => None,
        }
    }

    fn shown(&self, name: &str) -> Arc<str> {
        match self.demangle {
            true => printable(&demangle::name(name)),
            false => printable(name),
        }
    }

    /// The mangled name of a stub ends where its `@plt` begins.
    fn shown_stub(&self, name: &str) -> Arc<str> {
        match name.strip_suffix("@plt") {
            Some(function) => format!("{}@plt", self.shown(function)).into(),
            None => self.shown(name),
        }
    }

    /// The function at an offset of a file.
    fn named(&mut self, object: u32, elf: &ElfFile, offset: u64) -> Symbol {
        let module = self.object(object).module.clone();
        let vaddr = elf.offset_to_vaddr(offset);
        let Some((function, offset)) = vaddr.and_then(|a| elf.lookup(a)) else {
            let stub = vaddr.and_then(|a| elf.lookup_stub(a));
            return Symbol {
                module,
                name: stub.map(|(name, _)| self.shown_stub(name)),
                offset: stub.map_or(offset, |(_, behind)| behind),
            };
        };
        if self.names.len() >= MOST_NAMES {
            self.names.clear();
        }
        let key = (object, function.vaddr);
        let name = match self.names.get(&key) {
            Some(name) => Arc::clone(name),
            None => {
                let name = self.shown(function.name);
                self.names.insert(key, Arc::clone(&name));
                name
            }
        };
        Symbol {
            module,
            name: Some(name),
            offset,
        }
    }

    fn compiled(&mut self, pid: u32, time: u64, address: u64) -> Option<Symbol> {
        let birth = self.spaces.birth(pid, time);
        let (name, offset) = self.jit(pid, birth).find(pid, address)?;
        Some(Symbol {
            module: None,
            name: Some(printable(name)),
            offset,
        })
    }

    /// The code that the kernel maps into every process: the same in this one.
    fn vdso(&mut self) -> Option<Arc<ElfFile>> {
        let read = || -> Option<Arc<ElfFile>> {
            let own = std::process::id();
            let maps = process::maps(own).ok()?;
            let map = maps.iter().find(|m| m.path == Path::new("[vdso]"))?;
            let bytes = process::read_memory(own, map.start, map.end - map.start).ok()?;
            ElfFile::from_bytes(bytes, &map.path).ok().map(Arc::new)
        };
        self.vdso.get_or_insert_with(read).clone()
    }
}

/// Whether compiled code may lie there: plain memory, `[heap]` and the like, files that are memory.
fn is_nameless(path: &Path) -> bool {
    !path.is_absolute() && !path.starts_with("[vdso]") && !path.starts_with("[vsyscall]")
        || is_memory(path)
}

/// Names are what somebody wrote into a file: they must not steer a terminal.
fn printable(name: &str) -> Arc<str> {
    if name.chars().any(char::is_control) {
        let plain = name.chars().map(|c| if c.is_control() { '?' } else { c });
        return plain.collect::<String>().into();
    }
    name.into()
}

/// Files that are memory: they have paths but no contents that last.
fn is_memory(path: &Path) -> bool {
    path.starts_with("/dev/zero")
        || path.starts_with("/dev/shm")
        || path.to_string_lossy().starts_with("/memfd:")
        || path.to_string_lossy().starts_with("/SYSV")
}

fn vsyscall(address: u64) -> Symbol {
    let behind = address - VSYSCALL;
    let name = VSYSCALLS.get((behind / VSYSCALL_SIZE) as usize);
    Symbol {
        module: Some("[vsyscall]".into()),
        name: name.map(|n| (*n).into()),
        offset: behind % VSYSCALL_SIZE,
    }
}

#[cfg(test)]
mod tests;

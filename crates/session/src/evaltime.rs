//! `evaltime`: how far a command of `-c` runs before it waits for tracing to begin.
//!
//! Right after its `execve` a command has nothing mapped but itself and the dynamic linker, so that functions of its
//! libraries cannot be found. It goes on to the place asked for when a description names its process.

use std::path::{Path, PathBuf};

use kernel::stopper::{SIGNAL, Stopper};
use symbols::{ElfFile, process};
use sys::victim::Victim;

/// Where a command waits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Evaltime {
    /// After its `execve`.
    Exec,
    /// When its libraries are mapped, before any of their code runs.
    Preinit,
    /// At its entry point, when its libraries have been initialised.
    #[default]
    Postinit,
    /// At `main()`.
    Main,
}

impl Evaltime {
    /// By its name.
    pub fn of(text: &str) -> Evaltime {
        match text {
            "exec" => Evaltime::Exec,
            "preinit" => Evaltime::Preinit,
            "main" => Evaltime::Main,
            _ => Evaltime::Postinit,
        }
    }
}

/// The function by which the dynamic linker tells debuggers of changes to the list of libraries (`<link.h>`, `r_brk`).
const TELLS: [&str; 2] = ["_dl_debug_state", "dl_debug_state"];

/// A place in a file.
struct Place {
    path: String,
    offset: u64,
    /// Times that it is passed.
    times: u32,
}

/// Lets a stopped command run to its place. It may end on the way.
pub fn reach(victim: &mut Victim, evaltime: Evaltime) -> Result<(), String> {
    let pid = victim.pid() as u32;
    let places = places(pid, evaltime).unwrap_or_default();
    let mut stoppers = Vec::new();
    for place in &places {
        let stopper = Stopper::at(&place.path, place.offset, pid).map_err(|e| e.to_string())?;
        stoppers.push((stopper, place.times));
    }
    if stoppers.is_empty() {
        return Ok(());
    }
    let most = stoppers.iter().map(|(_, times)| *times).max().unwrap_or(1);
    for passed in 1..=most {
        if !victim.run_until(SIGNAL).map_err(|e| e.to_string())? {
            return Ok(());
        }
        // The place that was reached has kept registers; the entry point ends the way at once.
        let reached = stoppers
            .iter()
            .filter_map(|(s, times)| {
                Some((s.registers().filter(|r| r.iter().any(|w| *w != 0))?, *times))
            })
            .min_by_key(|(_, times)| *times);
        if let Some((registers, times)) = reached
            && times <= passed
        {
            return victim.rewind(&registers).map_err(|e| e.to_string());
        }
    }
    Ok(())
}

/// Where to stop: the first of these that is reached.
fn places(pid: u32, evaltime: Evaltime) -> Option<Vec<Place>> {
    let program = PathBuf::from(format!("/proc/{pid}/exe"));
    let elf = ElfFile::open(&program).ok()?;
    let at = |elf: &ElfFile, path: &Path, vaddr: u64, times: u32| {
        Some(Place {
            path: path.to_string_lossy().into_owned(),
            offset: elf.vaddr_to_offset(vaddr)?,
            times,
        })
    };
    let entry = at(&elf, &program, elf.entry(), 1)?;
    let named = match evaltime {
        Evaltime::Exec => return None,
        Evaltime::Postinit => None,
        Evaltime::Main => {
            let main = elf.functions_named("main").next();
            main.and_then(|f| at(&elf, &program, f.vaddr, 1))
        }
        Evaltime::Preinit => linker(pid, &elf).and_then(|(path, linker)| {
            let found = linker.functions().find(|f| TELLS.contains(&f.name));
            // It tells when it begins and when all is mapped.
            found.and_then(|f| at(&linker, &path, f.vaddr, 2))
        }),
    };
    match (named, evaltime) {
        // The entry point comes first, and the linker tells before it.
        (Some(place), Evaltime::Main) => Some(vec![place]),
        (Some(place), _) => Some(vec![place, entry]),
        (None, _) => Some(vec![entry]),
    }
}

/// The dynamic linker of a process, by a path to open it.
fn linker(pid: u32, elf: &ElfFile) -> Option<(PathBuf, ElfFile)> {
    let asked = elf.interpreter()?;
    let path = process::root(pid).join(asked.strip_prefix("/").ok()?);
    let linker = ElfFile::open(&path).ok()?;
    Some((path, linker))
}

//! D libraries: those of `dlib/`, which are part of the program, and those of the library directories.

use crate::opts::Options;
use lang::options::Opt;
use sema::{Library, LibraryText};
use std::path::{Path, PathBuf};

/// What depends on the machine.
const REGS: &str = if cfg!(target_arch = "aarch64") {
    include_str!("../../../dlib/regs_aarch64.d")
} else {
    include_str!("../../../dlib/regs_x86_64.d")
};

/// The libraries that are part of the program.
const EMBEDDED: &[(&str, &str)] = &[
    ("errno.d", include_str!("../../../dlib/errno.d")),
    ("fcntl.d", include_str!("../../../dlib/fcntl.d")),
    ("io.d", include_str!("../../../dlib/io.d")),
    ("net.d", include_str!("../../../dlib/net.d")),
    ("procfs.d", include_str!("../../../dlib/procfs.d")),
    ("regs.d", REGS),
    ("sched.d", include_str!("../../../dlib/sched.d")),
    ("signal.d", include_str!("../../../dlib/signal.d")),
    ("tcp.d", include_str!("../../../dlib/tcp.d")),
    ("unistd.d", include_str!("../../../dlib/unistd.d")),
];

/// All libraries of a run: the user's first, so that they win, then those of `-x syslibdir` or, without it, our own.
pub(crate) fn all(options: &Options) -> Vec<Library> {
    if options.flag(Opt::Nolibs) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for dir in options.list(Opt::Libdir) {
        found.extend(directory(Path::new(dir)));
    }
    match options.text(Opt::Syslibdir) {
        Some(dir) => found.extend(directory(Path::new(&dir))),
        None => found.extend(EMBEDDED.iter().map(|(name, text)| Library {
            name: (*name).to_owned(),
            text: LibraryText::Written((*text).into()),
        })),
    }
    found.push(Library {
        name: "machine.d".into(),
        text: LibraryText::Made {
            names: &[
                "CPU_CHIP",
                "CPU_NODE",
                "CPU_CLOCK",
                "CPU_TYPE",
                "CPU_FPU",
                "MEM_PAGE_KIB",
                "MEM_PAGES",
            ],
            make: machine,
        },
    });
    found
}

/// What computes with floating point.
const FPU: &str = if cfg!(target_arch = "aarch64") {
    "ARMv8"
} else {
    "i387 compatible"
};

/// This machine as inlines: where each CPU sits and its clock (MHz), the architecture, the size of a page and how many
/// there are.
fn machine() -> String {
    let of = |f: &dyn Fn(u32) -> u32| {
        let value = |cpu| (cpu, f(cpu));
        ranges((0..sys::proc::possible_cpus()).map(value))
    };
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let (chip, node, clock) = (of(&chip), of(&node), of(&|c| clock(c, &info)));
    let page = sys::mem::page_size() as u64 / 1024;
    let pages = sys::proc::memory_total().unwrap_or(0) / 1024 / page.max(1);
    format!(
        "inline int CPU_CHIP[int c] = {chip};\ninline int CPU_NODE[int c] = {node};\n\
         inline int CPU_CLOCK[int c] = {clock};\n\
         inline string CPU_TYPE = \"{}\";\ninline string CPU_FPU = \"{FPU}\";\n\
         inline int MEM_PAGE_KIB = {page};\ninline int64_t MEM_PAGES = {};\n",
        std::env::consts::ARCH,
        pages.max(1),
    )
}

/// The highest clock of a CPU in MHz, or the one that it has now, as `/proc/cpuinfo` tells it.
fn clock(cpu: u32, info: &str) -> u32 {
    let path = format!("/sys/devices/system/cpu/cpu{cpu}/cpufreq/cpuinfo_max_freq");
    let khz = std::fs::read_to_string(path).ok();
    let most = khz.and_then(|t| t.trim().parse::<u32>().ok());
    most.map_or_else(|| clock_now(cpu, info).unwrap_or(0), |khz| khz / 1000)
}

fn clock_now(cpu: u32, info: &str) -> Option<u32> {
    let value = |line: &str, name: &str| {
        let (key, value) = line.split_once(':')?;
        (key.trim() == name).then(|| value.trim().to_owned())
    };
    let number = cpu.to_string();
    let mut lines = info.lines();
    lines.find(|l| value(l, "processor").as_ref() == Some(&number))?;
    let mhz = lines
        .take_while(|l| !l.is_empty())
        .find_map(|l| value(l, "cpu MHz"))?;
    mhz.split('.').next()?.parse().ok()
}

fn chip(cpu: u32) -> u32 {
    let path = format!("/sys/devices/system/cpu/cpu{cpu}/topology/physical_package_id");
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.trim().parse().unwrap_or(0)
}

fn node(cpu: u32) -> u32 {
    let entries = std::fs::read_dir(format!("/sys/devices/system/cpu/cpu{cpu}"));
    let mut names = entries.into_iter().flatten().flatten();
    let number = |e: std::fs::DirEntry| e.file_name().to_str()?.strip_prefix("node")?.parse().ok();
    names.find_map(number).unwrap_or(0)
}

/// A function of the CPU `c` as nested conditionals over ranges of equal values.
fn ranges(values: impl Iterator<Item = (u32, u32)>) -> String {
    let mut text = String::new();
    let mut last = None;
    for (cpu, value) in values {
        if let Some(before) = last.replace(value)
            && before != value
        {
            text.push_str(&format!("c < {cpu} ? {before} : "));
        }
    }
    text + &last.unwrap_or(0).to_string()
}

/// The libraries of a directory in order of their names. What cannot be read is none.
fn directory(dir: &Path) -> Vec<Library> {
    let entries = std::fs::read_dir(dir);
    let mut paths: Vec<PathBuf> = entries
        .into_iter()
        .flatten()
        .flatten()
        .map(|e| e.path())
        .collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "d"));
    paths.sort();
    let library = |path: &PathBuf| {
        let name = path.file_name()?.to_string_lossy().into_owned();
        let text = std::fs::read(path).ok()?;
        let text = LibraryText::Written(String::from_utf8_lossy(&text).into_owned().into());
        Some(Library { name, text })
    };
    paths.iter().filter_map(library).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_every_library() {
        let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/../../dlib");
        let mut names: Vec<String> = directory(Path::new(dir))
            .into_iter()
            .map(|l| l.name)
            .collect();
        let table: Vec<&str> = EMBEDDED.iter().map(|(name, _)| *name).collect();
        let machine = |n: &String| n.starts_with("regs_");
        assert_eq!(names.iter().filter(|n| machine(n)).count(), 2);
        names.retain(|n| !machine(n));
        names.push("regs.d".into());
        names.sort();
        assert_eq!(names, table);
    }

    #[test]
    fn the_clock_of_each_cpu_is_its_own() {
        let info = "processor\t: 0\ncpu MHz\t\t: 2100.000\n\nprocessor\t: 1\nflags\t: fpu\n\n\
                    processor\t: 2\ncpu MHz\t: 1799.998\n";
        let clocks = [0, 1, 2, 3].map(|c| clock_now(c, info));
        assert_eq!(clocks, [Some(2100), None, Some(1799), None]);
    }

    #[test]
    fn cpus_are_grouped_in_ranges() {
        let text = |v: &[u32]| ranges((0..).zip(v.iter().copied()));
        assert_eq!(text(&[]), "0");
        assert_eq!(text(&[0, 0, 0]), "0");
        assert_eq!(text(&[0, 0, 1, 1, 2]), "c < 2 ? 0 : c < 4 ? 1 : 2");
    }

    #[test]
    fn every_name_is_defined_by_one_library() {
        let mut seen = std::collections::HashMap::new();
        for (library, text) in EMBEDDED {
            for name in syntax::defined_names(text) {
                let first = seen.entry(name).or_insert(*library);
                assert_eq!(first, library, "{name}");
            }
        }
        assert!(seen.len() > 300);
    }
}

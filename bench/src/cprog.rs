//! The hand-written BPF C programs: compile with the distribution's clang, load, attach, read their counters.

use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::process::Command;

use sys::bpf::{self, Map, MapSpec, ProgSpec, prog_type};

use crate::elf::{self, Object};
use crate::{Result, fail};

/// Bytes of an instruction slot, and where the source register and the immediate are in it.
const SLOT: usize = 8;
const SRC_REG_AT: usize = 1;
const IMM_AT: usize = 4;
/// `BPF_PSEUDO_MAP_FD` in the source register field.
const MAP_FD: u8 = 1 << 4;

/// A program that is attached until dropped.
pub struct Attached {
    maps: Maps,
    program: OwnedFd,
    _link: OwnedFd,
}

/// Compiles `bpf/NAME.bpf.c` into `dir`.
pub fn compile(name: &str, dir: &Path) -> Result<Object> {
    let source = source_dir().join(format!("{name}.bpf.c"));
    let object = dir.join(format!("{name}.bpf.o"));
    let mut clang = Command::new("clang");
    clang.args(["-O2", "-target", "bpf", "-mcpu=v3", "-c", "-o"]);
    if cfg!(target_arch = "aarch64") {
        clang.arg("-DBENCH_ARM64");
    }
    let status = clang.arg(&object).arg(&source).status();
    match status {
        Ok(s) if s.success() => {}
        Ok(s) => return fail(format!("clang {}: {s}", source.display())),
        Err(e) => return fail(format!("clang: {e}")),
    }
    let file = std::fs::read(&object)?;
    elf::object(&file).ok_or_else(|| format!("{}: not as expected", object.display()).into())
}

fn source_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("bpf")
}

/// Loads and attaches a program.
pub fn attach(object: &Object) -> Result<Attached> {
    let (maps, program) = load(object, prog_type::RAW_TRACEPOINT, 0)?;
    let link = bpf::raw_tracepoint_open(Some(&object.tracepoint), program.as_fd())?;
    Ok(Attached {
        maps,
        program,
        _link: link,
    })
}

/// Loads a program that does not look at its context, and attaches it to a place of a file in one process.
pub fn attach_uprobe(object: &Object, path: &str, offset: u64, pid: u32) -> Result<Attached> {
    let (maps, program) = load(object, prog_type::KPROBE, bpf::ATTACH_UPROBE_MULTI)?;
    let link = bpf::link_uprobes(
        program.as_fd(),
        &bpf::Uprobes {
            path,
            offsets: &[offset],
            semaphores: &[],
            cookies: &[0],
            ret: false,
            pid: Some(pid),
        },
    )?;
    Ok(Attached {
        maps,
        program,
        _link: link,
    })
}

type Maps = Vec<(elf::MapDef, Map)>;

fn load(object: &Object, kind: u32, attach_type: u32) -> Result<(Maps, OwnedFd)> {
    let cpus = sys::proc::possible_cpus();
    let mut maps = Vec::new();
    for def in &object.maps {
        let spec = MapSpec {
            kind: def.kind,
            name: &def.name,
            key_size: def.key_size,
            value_size: def.value_size,
            max_entries: def.max_entries,
            ..MapSpec::default()
        };
        maps.push((def.clone(), Map::create(&spec, cpus)?));
    }
    let mut code = object.code.clone();
    for (at, map) in &object.relocs {
        use std::os::fd::AsRawFd;
        let fd = maps.get(*map).map(|(_, m)| m.fd().as_raw_fd());
        let (Some(fd), Some(slot)) = (fd, code.get_mut(*at..*at + SLOT)) else {
            return fail("relocation outside the program");
        };
        slot[SRC_REG_AT] |= MAP_FD;
        slot[IMM_AT..].copy_from_slice(&fd.to_le_bytes());
    }
    let spec = ProgSpec {
        kind,
        name: "bench",
        insns: &code,
        attach_type,
        ..ProgSpec::default()
    };
    let program = bpf::prog_load(&spec, None)?;
    Ok((maps, program))
}

impl Attached {
    /// Instructions after the verifier's rewriting.
    pub fn xlated(&self) -> Result<u32> {
        Ok(bpf::prog_info(self.program.as_fd())?.xlated_insns)
    }

    /// A map by its name.
    pub fn map(&self, name: &str) -> Result<(&elf::MapDef, &Map)> {
        let found = self.maps.iter().find(|(def, _)| def.name == name);
        let (def, map) = found.ok_or_else(|| format!("no map '{name}'"))?;
        Ok((def, map))
    }

    /// Sum of a per-CPU map of u64 over all keys and CPUs.
    pub fn total(&self, name: &str) -> Result<u64> {
        let (_, map) = self.map(name)?;
        let mut value = vec![0; map.value_bytes()];
        let mut key = vec![0; map.key_size()];
        let mut sum = 0;
        let mut more = map.next_key(None, &mut key)?;
        while more {
            if map.lookup(&key, &mut value)? {
                let (words, _) = value.as_chunks::<8>();
                sum += words.iter().map(|w| u64::from_ne_bytes(*w)).sum::<u64>();
            }
            let last = key.clone();
            more = map.next_key(Some(&last), &mut key)?;
        }
        Ok(sum)
    }
}

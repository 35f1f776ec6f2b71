//! Tests with files made by the C compiler that also links this test.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::*;

const SOURCE: &str = "
int counter[4] = {1};
static int hidden(int x) { return x * 3; }
int shown(int x) { return hidden(x) + 1; }
int __alias(int x) __attribute__((alias(\"shown\")));
int main(int argc, char **argv) { return shown(argc); }
__asm__(\".text\\n.globl bare\\nbare:\\n nop\\n nop\\n nop\\n nop\\n\");
";

/// A directory that goes away with the test.
struct Dir(PathBuf);

impl Dir {
    fn new(name: &str) -> Dir {
        let dir = std::env::temp_dir().join(format!("symbols-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        Dir(dir)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn run(&self, command: &str) {
        let status = Command::new("sh")
            .args(["-c", command])
            .current_dir(&self.0)
            .status();
        assert!(status.unwrap().success(), "{command}");
    }

    /// Compiles the source.
    fn compile(&self, name: &str, flags: &str) -> PathBuf {
        std::fs::write(self.path("a.c"), SOURCE).unwrap();
        self.run(&format!("cc -O0 {flags} -o {name} a.c"));
        self.path(name)
    }
}

impl Drop for Dir {
    fn drop(&mut self) {
        let _gone = std::fs::remove_dir_all(&self.0);
    }
}

fn names(file: &ElfFile) -> Vec<String> {
    file.functions().map(|f| f.name.to_string()).collect()
}

fn vaddr(file: &ElfFile, name: &str) -> u64 {
    file.functions_named(name).next().expect(name).vaddr
}

#[test]
fn a_program_tells_everything() {
    let dir = Dir::new("program");
    let file = ElfFile::open(&dir.compile("a", "-Wl,--build-id=sha1")).unwrap();
    assert_eq!((file.class(), file.kind()), (Class::Elf64, Kind::Dyn));
    assert_eq!(file.build_id().map(<[u8]>::len), Some(20));
    assert!(file.interpreter().is_some_and(Path::is_absolute));
    let main = file.functions_named("main").next().unwrap();
    assert_eq!(
        file.offset_to_vaddr(main.file_offset.unwrap()),
        Some(main.vaddr)
    );
    assert_eq!(file.vaddr_to_offset(main.vaddr), main.file_offset);
    let inside = file.lookup(main.vaddr + main.size - 1).unwrap();
    assert_eq!((inside.0.name, inside.1), ("main", main.size - 1));
    assert_eq!(
        file.lookup(file.entry()).map(|(f, at)| (f.name, at)),
        Some(("_start", 0))
    );
    let text = file.section(".text").unwrap().unwrap();
    assert!(!text.is_empty() && file.section(".nothing").unwrap().is_none());
    assert_eq!(file.section(".bss").unwrap(), None);
    let data = file.segments().iter().find(|s| s.writable).unwrap();
    let mut data = (data.vaddr..data.vaddr + data.mem_size).filter_map(|a| file.lookup_variable(a));
    assert!(data.any(|found| found == ("counter", 15)));
    assert_eq!(file.lookup_variable(main.vaddr), None);
    assert_eq!(file.lookup(u64::MAX), None);
    assert_eq!(file.lookup(0), None);
}

#[test]
fn the_plain_name_is_shown_and_labels_are_no_functions() {
    let dir = Dir::new("alias");
    let file = ElfFile::open(&dir.compile("a", "")).unwrap();
    let shown = vaddr(&file, "shown");
    assert_eq!(vaddr(&file, "__alias"), shown);
    assert_eq!(file.lookup(shown + 1).map(|(f, _)| f.name), Some("shown"));
    assert!(!names(&file).contains(&"bare".to_string()));
    let main = file.functions_named("main").next().unwrap();
    let mut label = (main.vaddr..main.vaddr + 4096).filter_map(|a| file.lookup(a));
    assert!(label.any(|(f, at)| f.name == "bare" && at == 3));
}

#[test]
fn a_stripped_file_names_only_what_it_exports() {
    let dir = Dir::new("stripped");
    let whole = ElfFile::open(&dir.compile("a.so", "-shared -fPIC")).unwrap();
    dir.run("strip -o s.so a.so");
    let stripped = ElfFile::open(&dir.path("s.so")).unwrap();
    let shown = vaddr(&whole, "shown");
    assert_eq!(stripped.lookup(shown).map(|(f, _)| f.name), Some("shown"));
    assert_eq!(stripped.lookup(vaddr(&whole, "hidden")), None);
    assert!(whole.lookup(vaddr(&whole, "hidden")).is_some());
}

#[test]
fn separate_debug_files() {
    let dir = Dir::new("debug");
    let whole = ElfFile::open(&dir.compile("a", "-Wl,--build-id=none")).unwrap();
    let hidden = vaddr(&whole, "hidden");
    dir.run("mkdir .debug && objcopy --only-keep-debug a .debug/a.dbg && cd .debug && objcopy -S --add-gnu-debuglink=a.dbg ../a ../s");
    let name = |path: &Path| {
        let file = ElfFile::open(path).unwrap();
        file.lookup(hidden).map(|(f, _)| f.name.to_string())
    };
    assert_eq!(name(&dir.path("s")), Some("hidden".into()));
    // A debug file of another build is not believed.
    dir.run("echo >> .debug/a.dbg");
    assert_eq!(name(&dir.path("s")), None);
}

#[test]
fn symbols_packed_inside() {
    let dir = Dir::new("packed");
    let whole = ElfFile::open(&dir.compile("a", "")).unwrap();
    let hidden = vaddr(&whole, "hidden");
    if Command::new("xz").arg("--version").output().is_err() {
        println!("NOT RUN: needs xz");
        return;
    }
    dir.run("objcopy --only-keep-debug a mini && xz mini && objcopy -S --add-section .gnu_debugdata=mini.xz a s");
    let file = ElfFile::open(&dir.path("s")).unwrap();
    assert_eq!(file.lookup(hidden).map(|(f, _)| f.name), Some("hidden"));
}

#[test]
fn fixed_addresses() {
    let dir = Dir::new("exec");
    let file = ElfFile::open(&dir.compile("a", "-no-pie -fno-pie -static")).unwrap();
    assert_eq!((file.kind(), file.interpreter()), (Kind::Exec, None));
    assert!(vaddr(&file, "main") > 0x40_0000);
    assert_eq!(
        file.lookup(vaddr(&file, "main")).map(|(f, _)| f.name),
        Some("main")
    );
}

#[test]
fn what_is_no_elf_file() {
    let open = |bytes: &[u8]| ElfFile::from_bytes(bytes.to_vec(), Path::new("x"));
    assert!(matches!(open(b"#!/bin/sh\n"), Err(Error::NotElf(_))));
    assert!(matches!(open(b""), Err(Error::NotElf(_))));
    assert!(matches!(
        open(b"\x7fELF\x02\x01"),
        Err(Error::Malformed { .. })
    ));
    assert!(matches!(
        ElfFile::open(Path::new("/")),
        Err(Error::Io { .. })
    ));
}

/// Whatever is packed inside, there is an answer.
#[test]
fn damaged_packed_symbols_do_no_harm() {
    let dir = Dir::new("packed-damage");
    dir.compile("a", "");
    if Command::new("xz").arg("--version").output().is_err() {
        println!("NOT RUN: needs xz");
        return;
    }
    dir.run("objcopy --only-keep-debug a mini && xz mini && objcopy -S --add-section .gnu_debugdata=mini.xz a s");
    let bytes = std::fs::read(dir.path("s")).unwrap();
    let whole = ElfFile::from_bytes(bytes.clone(), Path::new("x")).unwrap();
    let section = whole.header.section(".gnu_debugdata").unwrap();
    let (from, len) = (section.offset as usize, section.size as usize);
    let mut seed = 11u64;
    let mut random = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) as usize % below
    };
    for _ in 0..300 {
        let mut bytes = bytes.clone();
        for _ in 0..1 + random(4) {
            bytes[from + random(len)] = random(256) as u8;
        }
        let file = ElfFile::from_bytes(bytes, Path::new("x")).unwrap();
        let _any = file.functions().count();
    }
}

/// Whatever is damaged, there is an answer.
#[test]
fn damaged_files_do_no_harm() {
    let dir = Dir::new("damage");
    let bytes = std::fs::read(dir.compile("a", "-Wl,--build-id=sha1")).unwrap();
    let mut seed = 7u64;
    let mut random = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) as usize % below
    };
    for _ in 0..300 {
        let mut bytes = bytes.clone();
        let headers = bytes.len() - 2000;
        for _ in 0..8 {
            let at = if random(2) == 0 {
                random(1024)
            } else {
                headers + random(2000)
            };
            bytes[at] = random(256) as u8;
        }
        if random(4) == 0 {
            bytes.truncate(random(headers));
        }
        if let Ok(file) = ElfFile::from_bytes(bytes, Path::new("x")) {
            for function in file.functions().take(100) {
                let _any = file.lookup(function.vaddr.wrapping_add(function.size));
            }
        }
    }
}

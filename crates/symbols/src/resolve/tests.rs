//! Tests with this process and with children that end.

use super::*;

fn whose(pid: u32, time: Option<u64>) -> Whose {
    Whose {
        pid,
        word: u64::from(pid),
        stamped: false,
        time,
    }
}

#[inline(never)]
fn landmark() -> u64 {
    std::hint::black_box(1)
}

fn text(symbol: Option<Symbol>) -> String {
    let symbol = symbol.unwrap_or_default();
    format!(
        "{}`{}",
        symbol.module.unwrap_or_default(),
        symbol.name.unwrap_or_default()
    )
}

#[test]
fn this_process() {
    let mut resolver = Resolver::without_watch(true);
    let pid = std::process::id();
    let address = landmark as fn() -> u64 as usize as u64;
    assert_eq!(landmark(), 1);
    let found = text(resolver.lookup(whose(pid, None), address));
    assert!(found.ends_with("resolve::tests::landmark"), "{found}");
    assert_eq!(resolver.lookup(whose(pid, None), 16), None);
    assert_eq!(resolver.lookup(whose(u32::MAX, None), address), None);
    let maps = process::maps(pid).unwrap();
    let vdso = maps.iter().find(|m| m.path == Path::new("[vdso]")).unwrap();
    let elf = resolver.vdso().unwrap();
    let function = elf.functions().next().unwrap();
    let found = text(resolver.lookup(whose(pid, None), vdso.start + function.vaddr));
    assert!(found.starts_with("[vdso]`") && found.len() > 8, "{found}");
    let old = text(resolver.lookup(whose(pid, None), VSYSCALL + 0x400));
    assert_eq!(old, "[vsyscall]`time");
}

#[test]
fn names_do_not_steer_terminals() {
    assert_eq!(&*printable("a\x1b[31mb\n"), "a?[31mb?");
    assert_eq!(&*printable("plain é"), "plain é");
}

/// A child that runs a program and is gone when it is asked about.
#[test]
fn an_ended_process() {
    if !sys::proc::may_trace() {
        println!("NOT RUN: needs root");
        return;
    }
    let mut resolver = Resolver::start(true).unwrap();
    let mut child = std::process::Command::new("sleep")
        .arg("0.05")
        .spawn()
        .unwrap();
    let pid = child.id();
    std::thread::sleep(std::time::Duration::from_millis(25));
    let time = monotonic_ns();
    let maps = process::maps(pid).unwrap();
    child.wait().unwrap();
    let program = maps
        .iter()
        .find(|m| m.executable && m.path.ends_with("sleep"));
    let start = program.expect("sleep is mapped").start;
    let found = resolver.lookup(whose(pid, Some(time)), start + 8);
    assert_eq!(found.and_then(|s| s.module).as_deref(), Some("sleep"));
    assert_eq!(resolver.lookup(whose(pid, Some(1)), start + 8), None);
}

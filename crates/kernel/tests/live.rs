//! Images on the running kernel: loading, attaching, running, counting. Needs root; says so where it is not.

mod common;

use std::time::{Duration, Instant};

use bpf::asm::Assembler;
use bpf::{Helper, Insn, JmpOp, Reg, Width};
use common::*;
use image::{LineInfo, MapDef, MapKind, MapRole, ProgramKind, Site, layout};
use kernel::{LoadError, LoadOptions, Loaded};

fn counter(
    site: Site,
    kind: ProgramKind,
    mine: bool,
) -> Result<image::ProgramDef, Box<dyn std::error::Error>> {
    let mut asm = Assembler::new();
    let out = asm.label();
    asm.emit(Insn::mov(Reg::R6, Reg::R1));
    gate(&mut asm, out);
    if mine {
        only_mine(&mut asm, GETPPID, out);
    }
    count(&mut asm, 2, 0);
    end(&mut asm, out);
    program(asm, site, kind)
}

fn load(program: image::ProgramDef) -> Result<Loaded, LoadError> {
    let image = image(maps(vec![array(MapRole::Globals, 64)]), vec![program]);
    Loaded::load(&image, &LoadOptions::default())
}

#[test]
fn system_calls_are_counted_exactly_while_the_gate_is_open() -> Outcome {
    if !live("system calls") {
        return Ok(());
    }
    for kind in [ProgramKind::RawTp, ProgramKind::TpBtf] {
        let mut loaded = load(counter(Site::SyscallEntry, kind, true)?)?;
        loaded.attach()?;
        getppid(10);
        loaded.open();
        getppid(1000);
        loaded.close();
        getppid(10);
        assert_eq!(loaded.global_u64(0), Some(1000), "{kind:?}");
        loaded.open();
        loaded.detach();
        getppid(10);
        assert_eq!(loaded.global_u64(0), Some(1000), "{kind:?} after detaching");
    }
    Ok(())
}

#[test]
fn begin_runs_on_the_cpu_asked_for_with_its_context() -> Outcome {
    if !live("BEGIN") {
        return Ok(());
    }
    let mut asm = Assembler::new();
    asm.emit(Insn::ldx(Width::DW, Reg::R6, Reg::R1, 16));
    asm.emit(Insn::call(Helper::GetSmpProcessorId.id()));
    asm.ld_map_value(Reg::R1, 2, 0);
    asm.emit(Insn::stx(Width::DW, Reg::R1, 0, Reg::R0));
    asm.emit(Insn::stx(Width::DW, Reg::R1, 8, Reg::R6));
    asm.emit(Insn::mov(Reg::R0, 7));
    asm.emit(Insn::exit());
    let loaded = load(program(asm, Site::Begin, ProgramKind::Run)?)?;
    for cpu in sys::proc::online_cpus() {
        assert_eq!(loaded.run(0, &[1, 2, 3], Some(cpu))?, 7);
        assert_eq!(loaded.global_u64(0), Some(u64::from(cpu)));
        assert_eq!(loaded.global_u64(8), Some(3));
    }
    assert!(loaded.run(1, &[], None).is_err());
    Ok(())
}

#[test]
fn profile_fires_on_a_busy_cpu() -> Outcome {
    if !live("profile") {
        return Ok(());
    }
    let site = Site::Profile {
        period_ns: 1_000_000,
    };
    let mut loaded = load(counter(site, ProgramKind::PerfEvent, false)?)?;
    loaded.attach()?;
    loaded.open();
    let start = Instant::now();
    while start.elapsed() < Duration::from_millis(200) {
        std::hint::spin_loop();
    }
    loaded.close();
    let fired = loaded.global_u64(0).unwrap_or(0);
    assert!(
        fired >= 150,
        "{fired} samples in 200 ms on at least one busy CPU"
    );
    Ok(())
}

#[test]
fn a_tick_fires_once_a_period_and_stops() -> Outcome {
    if !live("tick") {
        return Ok(());
    }
    let mut loaded = load(counter(
        Site::Tick { period_ns: 200_000 },
        ProgramKind::Run,
        false,
    )?)?;
    loaded.open();
    let start = Instant::now();
    loaded.start_ticks()?;
    std::thread::sleep(Duration::from_millis(200));
    loaded.stop_ticks();
    let periods = start.elapsed().as_nanos() as u64 / 200_000;
    let fired = loaded.global_u64(0).unwrap_or(0);
    assert!((900..=periods).contains(&fired), "{fired} of {periods}");
    std::thread::sleep(Duration::from_millis(5));
    assert_eq!(loaded.global_u64(0), Some(fired));
    Ok(())
}

fn map(role: MapRole, kind: MapKind, value_size: u32, max_entries: u32) -> MapDef {
    MapDef {
        name: "t".into(),
        role,
        kind,
        key_size: 4,
        value_size,
        max_entries,
        mmap: false,
        init: Vec::new(),
    }
}

#[test]
fn thread_local_storage_counts_for_each_thread() -> Outcome {
    if !live("task storage") {
        return Ok(());
    }
    // globals[0] = ++self->n, for the calling thread's getppid calls.
    let mut asm = Assembler::new();
    let out = asm.label();
    asm.emit(Insn::mov(Reg::R6, Reg::R1));
    asm.emit(Insn::ldx(Width::DW, Reg::R1, Reg::R6, 8));
    asm.jmp(JmpOp::Ne, Reg::R1, GETPPID as i32, out);
    asm.emit(Insn::call(Helper::GetCurrentPidTgid.id()));
    asm.emit(Insn::alu64(bpf::AluOp::Rsh, Reg::R0, 32));
    asm.jmp(JmpOp::Ne, Reg::R0, std::process::id() as i32, out);
    asm.emit(Insn::call(Helper::GetCurrentTaskBtf.id()));
    asm.ld_map(Reg::R1, 3);
    asm.emit(Insn::mov(Reg::R2, Reg::R0));
    asm.emit(Insn::mov(Reg::R3, 0));
    asm.emit(Insn::mov(Reg::R4, 1));
    asm.emit(Insn::call(Helper::TaskStorageGet.id()));
    asm.jmp(JmpOp::Eq, Reg::R0, 0, out);
    asm.emit(Insn::ldx(Width::DW, Reg::R1, Reg::R0, 16));
    asm.emit(Insn::alu64(bpf::AluOp::Add, Reg::R1, 1));
    asm.emit(Insn::stx(Width::DW, Reg::R0, 16, Reg::R1));
    asm.ld_map_value(Reg::R2, 2, 0);
    asm.emit(Insn::stx(Width::DW, Reg::R2, 0, Reg::R1));
    end(&mut asm, out);
    let def = program(asm, Site::SyscallEntry, ProgramKind::RawTp)?;
    let storage = map(MapRole::Thread, MapKind::TaskStorage, 40, 0);
    let image = image(maps(vec![array(MapRole::Globals, 64), storage]), vec![def]);
    let mut loaded = Loaded::load(&image, &LoadOptions::default())?;
    loaded.attach()?;
    for calls in [5, 9] {
        std::thread::spawn(move || getppid(calls))
            .join()
            .map_err(|_| "thread panicked")?;
        assert_eq!(loaded.global_u64(0), Some(calls as u64));
    }
    Ok(())
}

#[test]
fn an_event_wakes_the_reader_at_once() -> Outcome {
    if !live("events") {
        return Ok(());
    }
    // Sends an event and closes the gate with status 3, as exit(3) does.
    let mut asm = Assembler::new();
    let out = asm.label();
    asm.emit(Insn::st(
        Width::DW,
        Reg::R10,
        -8,
        i32::from_ne_bytes(*b"evnt"),
    ));
    asm.ld_map_value(Reg::R1, 0, 0);
    asm.emit(Insn::st(
        Width::DW,
        Reg::R1,
        layout::control::EXIT_STATUS as i16,
        3,
    ));
    asm.emit(Insn::st(
        Width::DW,
        Reg::R1,
        layout::control::GATE as i16,
        2,
    ));
    asm.ld_map(Reg::R1, 3);
    asm.emit(Insn::mov(Reg::R2, Reg::R10));
    asm.emit(Insn::alu64(bpf::AluOp::Add, Reg::R2, -8));
    asm.emit(Insn::mov(Reg::R3, 8));
    asm.emit(Insn::mov(Reg::R4, 0));
    asm.emit(Insn::call(Helper::RingbufOutput.id()));
    end(&mut asm, out);
    let tick = Site::Tick {
        period_ns: 20_000_000,
    };
    let def = program(asm, tick, ProgramKind::Run)?;
    let events = map(MapRole::Events, MapKind::Ringbuf, 0, 4096);
    let image = image(maps(vec![array(MapRole::Globals, 64), events]), vec![def]);
    let mut loaded = Loaded::load(&image, &LoadOptions::default())?;
    loaded.open();
    let flag = sys::event::Event::new()?;
    loaded.watch(flag.fd(), 42)?;
    flag.set()?;
    assert_eq!(loaded.wait(None)?.tokens, [42]);
    flag.clear()?;
    assert!(!loaded.exiting());
    loaded.start_ticks()?;
    let start = Instant::now();
    let wake = loaded.wait(Some(Duration::from_secs(5)))?;
    assert!(wake.events && start.elapsed() < Duration::from_secs(2));
    loaded.stop_ticks();
    let mut seen = 0;
    loaded.drain_events(|bytes| seen += usize::from(bytes.starts_with(b"evnt")));
    assert!(seen >= 1);
    assert_eq!((loaded.exiting(), loaded.exit_status()), (true, 3));
    assert_eq!(loaded.drain_events(|_| ()), 0);
    Ok(())
}

#[test]
fn constants_and_initial_values_are_there() -> Outcome {
    if !live("constants") {
        return Ok(());
    }
    let mut asm = Assembler::new();
    let out = asm.label();
    asm.ld_map_value(Reg::R1, 3, 8);
    asm.emit(Insn::ldx(Width::DW, Reg::R1, Reg::R1, 0));
    asm.ld_map_value(Reg::R2, 2, 0);
    asm.emit(Insn::atomic_add(Width::DW, Reg::R2, 0, Reg::R1));
    end(&mut asm, out);
    let def = program(asm, Site::Begin, ProgramKind::Run)?;
    let mut globals = array(MapRole::Globals, 64);
    globals.init = 100u64.to_ne_bytes().to_vec();
    let mut constants = map(MapRole::Rodata, MapKind::Array, 20, 1);
    constants.init = [7u64, 23].iter().flat_map(|w| w.to_ne_bytes()).collect();
    let image = image(maps(vec![globals, constants]), vec![def]);
    let loaded = Loaded::load(&image, &LoadOptions::default())?;
    loaded.run(0, &[], None)?;
    assert_eq!(loaded.global_u64(0), Some(123));
    Ok(())
}

#[test]
fn a_refused_program_names_the_place_in_the_source() -> Outcome {
    if !live("refusal") {
        return Ok(());
    }
    let mut asm = Assembler::new();
    asm.emit(Insn::mov(Reg::R0, 0));
    asm.emit(Insn::ldx(Width::DW, Reg::R0, Reg::R0, 0));
    asm.emit(Insn::exit());
    let mut bad = program(asm, Site::SyscallEntry, ProgramKind::RawTp)?;
    let at = |insn, line| LineInfo {
        insn,
        clause: 3,
        line,
        col: 5,
    };
    bad.lines = vec![at(0, 10), at(1, 11)];
    let Err(LoadError::Refused(refusal)) = load(bad) else {
        return Err("not refused".into());
    };
    assert_eq!(
        (refusal.line, refusal.col, refusal.clause),
        (11, 5, Some(3))
    );
    assert!(
        refusal.reason.contains("R0 invalid mem access"),
        "{refusal}"
    );
    Ok(())
}

#[test]
fn a_missing_tracepoint_is_named() -> Outcome {
    if !live("missing tracepoint") {
        return Ok(());
    }
    let site = Site::Tracepoint {
        name: "no_such_thing".into(),
        module: None,
    };
    for kind in [ProgramKind::TpBtf, ProgramKind::RawTp] {
        let result = load(counter(site.clone(), kind, false)?).and_then(|mut l| l.attach());
        assert!(matches!(result, Err(LoadError::NoTracepoint(name)) if name == "no_such_thing"));
    }
    Ok(())
}

#[test]
fn any_system_call_may_fail_without_leaving_anything_open() -> Outcome {
    if !live("fault injection") {
        return Ok(());
    }
    let open = || std::fs::read_dir("/proc/thread-self/fd").map_or(0, Iterator::count);
    let def = counter(Site::SyscallEntry, ProgramKind::RawTp, true)?;
    let image = image(
        maps(vec![array(MapRole::Globals, 64), rings(4096)]),
        vec![def],
    );
    for n in 1.. {
        let before = open();
        let (result, hit) = sys::seam::fail_nth(n, sys::errno::ENOMEM, || {
            Loaded::load(&image, &LoadOptions::default()).and_then(|mut loaded| loaded.attach())
        });
        // Other tests of this process open and close descriptors meanwhile; a leak grows without bound.
        assert!(open() <= before + 64, "after failing call {n}");
        if !hit {
            result?;
            assert!(n > 8, "only {n} system calls");
            return Ok(());
        }
    }
    Ok(())
}

#[test]
fn system_calls_of_an_enabling_grow_with_programs_only() -> Outcome {
    if !live("system calls of an enabling") {
        return Ok(());
    }
    let def = counter(Site::SyscallEntry, ProgramKind::RawTp, false)?;
    let calls = |copies: usize| -> Result<usize, LoadError> {
        let seen = std::rc::Rc::new(std::cell::Cell::new(0));
        let counter = seen.clone();
        let hook = move |_: &'static str| {
            counter.set(counter.get() + 1);
            None
        };
        let programs = vec![def.clone(); copies];
        let image = image(maps(vec![array(MapRole::Globals, 64)]), programs);
        sys::seam::with_hook(Box::new(hook), || {
            Loaded::load(&image, &LoadOptions::default())?.attach()
        })?;
        Ok(seen.get())
    };
    // Limits, three maps made and mapped, epoll; then load and attach for each program.
    let (one, ten) = (calls(1)?, calls(10)?);
    assert!(one <= 12, "{one} system calls for one program");
    assert_eq!(ten - one, 18);
    Ok(())
}

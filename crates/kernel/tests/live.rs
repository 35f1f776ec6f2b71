//! Images on the running kernel: loading, attaching, running, counting. Needs root; says so where it is not.

mod common;

use std::time::{Duration, Instant};

use bpf::asm::Assembler;
use bpf::{Insn, Reg, Width};
use common::*;
use image::{LineInfo, MapRole, ProgramKind, Site};
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
    asm.emit(Insn::call(bpf::Helper::GetSmpProcessorId.id()));
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

/// Not a gate: prints what attaching and detaching cost.
#[test]
#[ignore = "measures time"]
fn cost_of_attaching() -> Outcome {
    if !live("cost") {
        return Ok(());
    }
    let profile = Site::Profile {
        period_ns: 1_000_000,
    };
    for (site, kind) in [
        (Site::SyscallEntry, ProgramKind::RawTp),
        (Site::SyscallEntry, ProgramKind::TpBtf),
        (profile, ProgramKind::PerfEvent),
    ] {
        for copies in [1, 50] {
            let def = counter(site.clone(), kind, false)?;
            let image = image(maps(vec![array(MapRole::Globals, 64)]), vec![def; copies]);
            let start = Instant::now();
            let mut loaded = Loaded::load(&image, &LoadOptions::default())?;
            let load = start.elapsed();
            loaded.attach()?;
            let attach = start.elapsed() - load;
            let start = Instant::now();
            loaded.detach();
            let detach = start.elapsed();
            drop(loaded);
            let free = start.elapsed() - detach;
            eprintln!(
                "{kind:?} x{copies}: load {load:?} attach {attach:?} detach {detach:?} free {free:?}"
            );
        }
    }
    Ok(())
}

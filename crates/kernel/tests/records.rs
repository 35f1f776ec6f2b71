//! Records through the rings: nothing lost uncounted, in order of time.

mod common;

use bpf::asm::Assembler;
use bpf::{Insn, Reg};
use common::*;
use image::layout::drops::Kind;
use image::{Image, MapRole, ProgramKind, Site};
use kernel::{LoadOptions, Loaded};

fn recorder(ring_bytes: u32, mine: bool) -> Result<Image, Box<dyn std::error::Error>> {
    let mut asm = Assembler::new();
    let out = asm.label();
    asm.emit(Insn::mov(Reg::R6, Reg::R1));
    gate(&mut asm, out);
    if mine {
        only_mine(&mut asm, GETPPID, out);
    }
    record(&mut asm, 3, 2, out);
    end(&mut asm, out);
    let def = program(asm, Site::SyscallEntry, ProgramKind::RawTp)?;
    Ok(image(
        maps(vec![array(MapRole::Globals, 64), rings(ring_bytes)]),
        vec![def],
    ))
}

/// Records newly lost, on all CPUs.
fn principal_drops(loaded: &mut Loaded) -> u64 {
    let counts = loaded.drops();
    counts
        .iter()
        .map(|lost| lost[Kind::Principal as usize])
        .sum()
}

#[test]
fn every_record_is_delivered_or_counted_as_lost() -> Outcome {
    if !live("records") {
        return Ok(());
    }
    let mut loaded = Loaded::load(&recorder(4096, true)?, &LoadOptions::default())?;
    loaded.attach()?;
    loaded.open();
    let mut delivered = 0;
    for calls in [50, 1000] {
        getppid(calls);
        loaded.drain(true, |_, bytes| {
            assert_eq!(bytes.len(), 24);
            delivered += 1;
        });
    }
    let lost = principal_drops(&mut loaded);
    assert_eq!(loaded.global_u64(0), Some(1050));
    assert_eq!(delivered + lost, 1050);
    assert!(
        lost > 0 && delivered >= 50 + 4096 / 32 - 1,
        "{delivered} delivered, {lost} lost"
    );
    assert_eq!(principal_drops(&mut loaded), 0, "drops are reported once");
    Ok(())
}

#[test]
fn records_of_all_cpus_come_by_time() -> Outcome {
    if !live("merge") {
        return Ok(());
    }
    let mut loaded = Loaded::load(&recorder(1 << 20, false)?, &LoadOptions::default())?;
    loaded.attach()?;
    loaded.open();
    let threads: Vec<_> = sys::proc::online_cpus()
        .into_iter()
        .map(|cpu| {
            std::thread::spawn(move || {
                let bound = sys::proc::bind_to_cpu(cpu);
                getppid(100_000);
                bound
            })
        })
        .collect();
    let (mut last, mut records, mut disorder, mut cpus) = (0, 0u64, 0u64, 0u64);
    let mut see = |cpu: u32, bytes: &[u8]| {
        disorder += u64::from(word(bytes, 0) < last);
        last = last.max(word(bytes, 0));
        records += 1;
        cpus |= 1 << cpu;
    };
    while threads.iter().any(|t| !t.is_finished()) {
        loaded.wait(None)?;
        loaded.drain(false, &mut see);
    }
    loaded.close();
    loaded.detach();
    loaded.drain(true, &mut see);
    let lost = principal_drops(&mut loaded);
    assert_eq!(Some(records + lost), loaded.global_u64(0));
    // On a busy machine many are lost, and counted.
    assert!(records > 10_000 && records + lost > 100_000, "{records}");
    assert_eq!(cpus.count_ones() as usize, threads.len());
    // A virtual CPU that its host stops between timestamp and record makes one late record each time.
    assert!(disorder <= records / 10_000, "{disorder} of {records}");
    for thread in threads {
        thread.join().map_err(|_| "thread panicked")??;
    }
    Ok(())
}

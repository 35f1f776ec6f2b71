//! Aggregations: per-CPU hashes and slots, read, deleted and reset.

mod common;

use std::collections::BTreeMap;

use bpf::asm::Assembler;
use bpf::{AluOp, Helper, Insn, JmpOp, Reg, Width};
use common::*;
use image::{AggDesc, AggFunc, AggStorage, Image, MapDef, MapKind, MapRole, ProgramKind, Site};
use kernel::{AggKey, LoadOptions, Loaded};

fn hash(entries: u32) -> MapDef {
    MapDef {
        name: "agg".into(),
        role: MapRole::Agg(0),
        kind: MapKind::PercpuHash,
        key_size: 8,
        value_size: 8,
        max_entries: entries,
        mmap: false,
        init: Vec::new(),
    }
}

fn desc(storage: AggStorage) -> AggDesc {
    AggDesc {
        name: "a".into(),
        func: AggFunc::Count,
        keys: Vec::new(),
        key_size: 8,
        words: 1,
        storage,
    }
}

/// `@[globals[0]++ % keys] = count()`, run by hand, for program kind `kind`.
fn keyed(
    keys: i32,
    entries: u32,
    site: Site,
    kind: ProgramKind,
) -> Result<Image, Box<dyn std::error::Error>> {
    let mut asm = Assembler::new();
    let (out, there) = (asm.label(), asm.label());
    asm.ld_map_value(Reg::R1, 2, 0);
    asm.emit(Insn::mov(Reg::R2, 1));
    asm.emit(Insn::fetch_add(Width::DW, Reg::R1, 0, Reg::R2));
    asm.emit(Insn::alu64(AluOp::Mod, Reg::R2, keys));
    asm.emit(Insn::stx(Width::DW, Reg::R10, -8, Reg::R2));
    asm.emit(Insn::st(Width::DW, Reg::R10, -16, 0));
    let lookup = |asm: &mut Assembler| {
        asm.ld_map(Reg::R1, 3);
        asm.emit(Insn::mov(Reg::R2, Reg::R10));
        asm.emit(Insn::alu64(AluOp::Add, Reg::R2, -8));
        asm.emit(Insn::call(Helper::MapLookupElem.id()));
    };
    lookup(&mut asm);
    asm.jmp(JmpOp::Ne, Reg::R0, 0, there);
    asm.ld_map(Reg::R1, 3);
    asm.emit(Insn::mov(Reg::R2, Reg::R10));
    asm.emit(Insn::alu64(AluOp::Add, Reg::R2, -8));
    asm.emit(Insn::mov(Reg::R3, Reg::R10));
    asm.emit(Insn::alu64(AluOp::Add, Reg::R3, -16));
    asm.emit(Insn::mov(Reg::R4, 1));
    asm.emit(Insn::call(Helper::MapUpdateElem.id()));
    lookup(&mut asm);
    asm.jmp(JmpOp::Eq, Reg::R0, 0, out);
    asm.bind(there);
    asm.emit(Insn::mov(Reg::R1, 1));
    asm.emit(Insn::atomic_add(Width::DW, Reg::R0, 0, Reg::R1));
    end(&mut asm, out);
    let def = program(asm, site, kind)?;
    let maps = maps(vec![array(MapRole::Globals, 64), hash(entries)]);
    Ok(Image {
        aggs: vec![desc(AggStorage::Hash(3))],
        ..image(maps, vec![def])
    })
}

fn snapshot(loaded: &Loaded) -> Result<BTreeMap<Vec<u8>, u64>, kernel::LoadError> {
    let mut all = BTreeMap::new();
    loaded.aggregation(0, |key, values| {
        if let AggKey::Bytes(key) = key {
            *all.entry(key.to_vec()).or_default() += values.iter().sum::<u64>();
        }
    })?;
    Ok(all)
}

#[test]
fn a_keyed_aggregation_is_read_whole_and_entries_can_be_taken() -> Outcome {
    if !live("keyed aggregation") {
        return Ok(());
    }
    let cpus = sys::proc::online_cpus();
    let loaded = Loaded::load(
        &keyed(1000, 2000, Site::Begin, ProgramKind::Run)?,
        // The program counts no drops, and without preallocation the kernel may now and then have no memory at hand.
        &LoadOptions {
            lazy_aggregations: false,
            ..LoadOptions::default()
        },
    )?;
    for i in 0..3000usize {
        loaded.run(0, &[], cpus.get(i / 7 % cpus.len()).copied())?;
    }
    let all = snapshot(&loaded)?;
    assert_eq!(all.len(), 1000);
    assert!(all.values().all(|n| *n == 3));
    let refuse = |name: &'static str| name.contains("BATCH").then_some(sys::errno::EINVAL);
    let walked = sys::seam::with_hook(Box::new(refuse), || snapshot(&loaded))?;
    assert_eq!(walked, all, "key by key");
    let key = 5u64.to_ne_bytes();
    assert_eq!(
        loaded.take_entry(0, &key)?.map(|v| v.iter().sum()),
        Some(3u64)
    );
    assert_eq!(loaded.take_entry(0, &key)?, None);
    loaded.reset_entry(0, AggKey::Bytes(&6u64.to_ne_bytes()))?;
    let all = snapshot(&loaded)?;
    assert_eq!(
        (all.len(), all.get(&6u64.to_ne_bytes()[..])),
        (999, Some(&0))
    );
    assert!(loaded.reset_entry(0, AggKey::Slot(0)).is_err());
    Ok(())
}

#[test]
fn aggregations_work_from_every_kind_of_program() -> Outcome {
    if !live("aggregation kinds") {
        return Ok(());
    }
    for (site, kind) in [
        (
            Site::Profile {
                period_ns: 1_000_000,
            },
            ProgramKind::PerfEvent,
        ),
        (Site::SyscallEntry, ProgramKind::TpBtf),
    ] {
        let image = keyed(8, 16, site, kind)?;
        for lazy_aggregations in [true, false] {
            let options = LoadOptions {
                lazy_aggregations,
                ..LoadOptions::default()
            };
            let mut loaded = Loaded::load(&image, &options)?;
            loaded.attach()?;
            let start = std::time::Instant::now();
            while start.elapsed().as_millis() < 50 {
                getppid(1);
            }
            loaded.detach();
            let total: u64 = snapshot(&loaded)?.values().sum();
            assert_eq!(Some(total), loaded.global_u64(0), "{kind:?}");
            assert!(total > 8, "{kind:?}");
        }
    }
    Ok(())
}

#[test]
fn slots_are_read_from_memory() -> Outcome {
    if !live("slots") {
        return Ok(());
    }
    let cpus = sys::proc::possible_cpus();
    let mut asm = Assembler::new();
    let out = asm.label();
    count(&mut asm, 2, 64 + 16);
    count(&mut asm, 2, 64 + (cpus - 1) * 128 + 16);
    end(&mut asm, out);
    let def = program(asm, Site::Begin, ProgramKind::Run)?;
    let storage = AggStorage::Slots {
        map: 2,
        offset: 64,
        slots: 4,
        stride: 16,
        cpu_stride: 128,
    };
    let maps = maps(vec![array(MapRole::Globals, 64 + cpus * 128)]);
    let image = Image {
        aggs: vec![desc(storage)],
        ..image(maps, vec![def])
    };
    let loaded = Loaded::load(&image, &LoadOptions::default())?;
    for _ in 0..5 {
        loaded.run(0, &[], None)?;
    }
    let mut seen = Vec::new();
    loaded.aggregation(0, |key, values| {
        seen.push((
            key == AggKey::Slot(1),
            values.len(),
            values.iter().sum::<u64>(),
        ));
    })?;
    assert_eq!(seen, [(true, cpus as usize, 10)]);
    loaded.reset_entry(0, AggKey::Slot(1))?;
    loaded.aggregation(0, |_, _| seen.clear())?;
    assert_eq!(seen.len(), 1, "a slot of zeros is no entry");
    Ok(())
}

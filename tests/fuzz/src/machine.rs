//! Runs the BEGIN program of an image in the interpreter: maps are memory of the test, helpers are played.

use std::collections::HashMap;

use bpf::Helper;
use bpf::interp::{Fault, Host, Memory, Vm};
use image::{AggStorage, Image, MapKind, MapRole, Site};

/// Instructions that a program may execute.
const STEPS: u64 = 4_000_000;
/// `-ENOENT`, as helpers give it.
const NOT_FOUND: u64 = -2i64 as u64;

/// One map: array elements, or the entries of a hash by key. Values are addresses of regions.
struct Map {
    size: usize,
    key: usize,
    hash: bool,
    array: Vec<u64>,
    entries: HashMap<Vec<u8>, u64>,
}

/// The maps of an image.
pub struct Machine<'a> {
    image: &'a Image,
    maps: Vec<Map>,
    memory: Memory,
    /// Regions that ring buffer reservations gave.
    reserved: u64,
}

/// Plays helpers while the program runs.
struct Player<'m> {
    maps: &'m mut Vec<Map>,
    reserved: u64,
}

impl<'a> Machine<'a> {
    /// Fresh maps. CPU 0 is the only one that runs.
    pub fn new(image: &'a Image) -> Machine<'a> {
        let mut memory = Memory::new();
        let reserved = memory.map(vec![0; 1 << 16], true);
        let maps = image.maps.iter().map(|m| {
            let hash = matches!(m.kind, MapKind::Hash | MapKind::PercpuHash);
            let elements = match m.kind {
                MapKind::Array => m.max_entries,
                MapKind::RingbufArray => 1,
                MapKind::TaskStorage => 1,
                MapKind::Hash
                | MapKind::PercpuHash
                | MapKind::Ringbuf
                | MapKind::Chunks
                | MapKind::Programs => 0,
            };
            let size = m.value_size as usize;
            let mut element = |_| {
                let mut bytes = m.init.clone();
                bytes.resize(size.max(8), 0);
                memory.map(bytes, true)
            };
            Map {
                size,
                key: m.key_size as usize,
                hash,
                array: (0..elements).map(&mut element).collect(),
                entries: HashMap::new(),
            }
        });
        let maps = maps.collect();
        Machine {
            image,
            maps,
            memory,
            reserved,
        }
    }

    /// Runs BEGIN once.
    pub fn begin(&mut self) -> Result<(), String> {
        let program = self.image.programs.iter().find(|p| p.site == Site::Begin);
        let program = program.ok_or("no BEGIN")?;
        let mut insns = program.insns.clone();
        for reloc in &program.relocs {
            insns[reloc.insn as usize].imm = reloc.map as i32;
            if reloc.value_off.is_some() {
                let first = &mut insns[reloc.insn as usize];
                first.regs = (first.regs & 0x0f) | 2 << 4;
            } else {
                let first = &mut insns[reloc.insn as usize];
                first.regs = (first.regs & 0x0f) | 1 << 4;
            }
        }
        let mut memory = std::mem::take(&mut self.memory);
        let ctx = memory.map(vec![0; 128], false);
        let mut vm = Vm::new(&insns, memory, STEPS);
        let mut player = Player {
            maps: &mut self.maps,
            reserved: self.reserved,
        };
        let result = vm.run(&mut player, ctx);
        self.memory = vm.memory;
        result.map(|_| ()).map_err(|e| format!("{e}"))
    }

    fn word(&self, at: u64) -> Option<u64> {
        self.memory.load(at, bpf::Width::DW).ok()
    }

    /// Word at a byte offset of the global variables.
    pub fn global(&self, offset: u64) -> Option<u64> {
        let n = self
            .image
            .maps
            .iter()
            .position(|m| m.role == MapRole::Globals)?;
        self.word(self.maps[n].array.first()? + offset)
    }

    /// Words of an aggregation's only value on CPU 0.
    pub fn aggregation(&self, name: &str) -> Option<Vec<u64>> {
        let agg = self.image.aggs.iter().find(|a| a.name == name)?;
        let at = match agg.storage {
            AggStorage::Slots { map, offset, .. } => {
                self.maps[map as usize].array.first()? + u64::from(offset)
            }
            AggStorage::Hash(map) => *self.maps[map as usize].entries.values().next()?,
        };
        (0..u64::from(agg.words))
            .map(|n| self.word(at + 8 * n))
            .collect()
    }
}

impl Player<'_> {
    fn lookup(&mut self, vm: &Vm<'_>, map: u64, key: u64) -> Result<u64, Fault> {
        let map = self.maps.get(map as usize).ok_or(Fault::NotFunction(map))?;
        let key = vm.memory.read(key, map.key.max(4) as u64)?;
        if map.hash {
            return Ok(map.entries.get(key).copied().unwrap_or(0));
        }
        let index = u32::from_le_bytes([key[0], key[1], key[2], key[3]]);
        Ok(map.array.get(index as usize).copied().unwrap_or(0))
    }

    fn update(&mut self, vm: &mut Vm<'_>, map: u64, key: u64, value: u64) -> Result<u64, Fault> {
        let map = self
            .maps
            .get_mut(map as usize)
            .ok_or(Fault::NotFunction(map))?;
        let key = vm.memory.read(key, map.key as u64)?.to_vec();
        let value = vm.memory.read(value, map.size as u64)?.to_vec();
        match map.entries.get(&key) {
            Some(at) => vm.memory.write(*at, &value)?,
            None => {
                let at = vm.memory.map(value, true);
                map.entries.insert(key, at);
            }
        }
        Ok(0)
    }

    fn delete(&mut self, vm: &mut Vm<'_>, map: u64, key: u64) -> Result<u64, Fault> {
        let map = self
            .maps
            .get_mut(map as usize)
            .ok_or(Fault::NotFunction(map))?;
        let key = vm.memory.read(key, map.key as u64)?;
        Ok(map.entries.remove(key).map_or(NOT_FOUND, |_| 0))
    }

    /// `probe_read_*`: nothing outside can be read.
    fn read(vm: &mut Vm<'_>, dst: u64, len: u64, src: u64) -> Result<u64, Fault> {
        match vm.memory.read(src, len).map(<[u8]>::to_vec) {
            Ok(bytes) => vm.memory.write(dst, &bytes).map(|()| 0),
            Err(_) => vm
                .memory
                .write(dst, &vec![0; len as usize])
                .map(|()| -14i64 as u64),
        }
    }

    fn read_str(vm: &mut Vm<'_>, dst: u64, len: u64, src: u64) -> Result<u64, Fault> {
        let Ok(text) = vm.memory.read_cstr(src).map(<[u8]>::to_vec) else {
            return Ok(-14i64 as u64);
        };
        let mut text = text;
        text.truncate((len as usize).saturating_sub(1));
        text.push(0);
        vm.memory.write(dst, &text)?;
        Ok(text.len() as u64)
    }
}

impl Host for Player<'_> {
    fn call(&mut self, vm: &mut Vm<'_>, id: u32, a: [u64; 5]) -> Result<u64, Fault> {
        match Helper::from_id(id) {
            Some(Helper::MapLookupElem) => self.lookup(vm, a[0], a[1]),
            Some(Helper::MapUpdateElem) => self.update(vm, a[0], a[1], a[2]),
            Some(Helper::MapDeleteElem) => self.delete(vm, a[0], a[1]),
            Some(Helper::ProbeReadKernel | Helper::ProbeReadUser) => {
                Self::read(vm, a[0], a[1], a[2])
            }
            Some(Helper::ProbeReadKernelStr | Helper::ProbeReadUserStr) => {
                Self::read_str(vm, a[0], a[1], a[2])
            }
            Some(Helper::TaskStorageGet) => {
                let map = self
                    .maps
                    .get(a[0] as usize)
                    .ok_or(Fault::NotFunction(a[0]))?;
                Ok(map.array.first().copied().unwrap_or(0))
            }
            Some(Helper::RingbufReserve) => Ok(self.reserved),
            Some(Helper::KtimeGetNs) => Ok(1_000_000_007),
            Some(Helper::GetCurrentTask | Helper::GetCurrentTaskBtf) => Ok(0x1234_5678),
            Some(Helper::GetCurrentPidTgid) => Ok(100 << 32 | 101),
            _ => Ok(0),
        }
    }

    fn map_value(&mut self, fd: i32) -> Result<u64, Fault> {
        let first = self.maps.get(fd as usize).and_then(|m| m.array.first());
        first.copied().ok_or(Fault::NotFunction(fd as u64))
    }
}

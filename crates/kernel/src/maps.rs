//! Makes the maps of an image.

use std::os::fd::{AsFd, OwnedFd};

use image::{Image, MapDef, MapKind, MapRole};
use sys::bpf::{Map, MapSpec, map_flag, map_type};
use sys::mem::{Mapping, page_size};
use sys::{SysError, errno};

use crate::error::{LoadError, bad_image};

/// A map of the image, made.
#[derive(Debug)]
pub struct LoadedMap {
    /// The map.
    pub map: Map,
    /// Values of CPUs that one value holds, one after the other.
    pub cpus: u32,
    /// Its memory, if the image asks for it.
    pub memory: Option<Mapping>,
    /// The ring of each CPU, for [`MapKind::RingbufArray`].
    pub rings: Vec<Map>,
    /// Type information that it was made with.
    pub(crate) _btf: Option<OwnedFd>,
}

impl LoadedMap {
    /// The same map for another program; its memory is not mapped again.
    pub(crate) fn share(&self) -> Result<LoadedMap, SysError> {
        Ok(LoadedMap {
            map: self.map.share()?,
            cpus: self.cpus,
            memory: None,
            rings: Vec::new(),
            _btf: None,
        })
    }
}

/// How to make maps.
#[derive(Clone, Copy, Debug)]
pub struct MapOptions {
    /// Possible CPUs.
    pub cpus: u32,
    /// Make the entries of aggregations when they are first used instead of all at once.
    pub lazy_aggregations: bool,
}

fn kernel_type(kind: MapKind) -> u32 {
    match kind {
        MapKind::Array => map_type::ARRAY,
        MapKind::Hash => map_type::HASH,
        MapKind::PercpuHash => map_type::PERCPU_HASH,
        MapKind::Ringbuf => map_type::RINGBUF,
        MapKind::RingbufArray => map_type::ARRAY_OF_MAPS,
        MapKind::Chunks => map_type::ARRAY_OF_MAPS,
        MapKind::TaskStorage => map_type::TASK_STORAGE,
        MapKind::Programs => map_type::PROG_ARRAY,
    }
}

fn flags(def: &MapDef, options: MapOptions) -> u32 {
    let mmap = if def.mmap { map_flag::MMAPABLE } else { 0 };
    let role = match def.role {
        // Task storage exists only without preallocation.
        MapRole::Thread => map_flag::NO_PREALLOC,
        MapRole::Agg(_) if def.kind == MapKind::PercpuHash && options.lazy_aggregations => {
            map_flag::NO_PREALLOC
        }
        // To the verifier a global function may write to what it gets the address of: constants too, so the map of
        // constants is frozen, but not read-only to programs.
        MapRole::Rodata
        | MapRole::Control
        | MapRole::Drops
        | MapRole::Globals
        | MapRole::Scratch
        | MapRole::Rings
        | MapRole::Ring(_)
        | MapRole::Slots
        | MapRole::Kept
        | MapRole::Sighted
        | MapRole::Events
        | MapRole::UnwindFiles
        | MapRole::UnwindPool
        | MapRole::SpecStates
        | MapRole::SpecBuffers
        | MapRole::Assoc(_)
        | MapRole::Parts
        | MapRole::Agg(_) => 0,
    };
    mmap | role
}

/// Makes every map of the image, in its order.
pub fn create_all(image: &Image, options: MapOptions) -> Result<Vec<LoadedMap>, LoadError> {
    let made = |def: &MapDef| {
        let mut made = create(def, options)?;
        if let (MapRole::Agg(n), MapKind::Hash) = (def.role, def.kind)
            && let Some(agg) = image.aggs.get(n as usize)
        {
            // Where a value has room for one CPU only, all share it.
            made.cpus = made
                .cpus
                .min((def.value_size / (agg.words * 8).max(1)).max(1));
        }
        Ok(made)
    };
    image.maps.iter().map(made).collect()
}

pub(crate) fn create(def: &MapDef, options: MapOptions) -> Result<LoadedMap, LoadError> {
    let made = match def.kind {
        MapKind::RingbufArray => ring_array(def, options),
        MapKind::TaskStorage => task_storage(def, options),
        MapKind::Chunks => crate::unwind::pool(def),
        MapKind::Array
        | MapKind::Hash
        | MapKind::PercpuHash
        | MapKind::Ringbuf
        | MapKind::Programs => plain(def, options),
    };
    let made = made.map_err(|e| explain(def, e))?;
    fill(def, &made)?;
    Ok(made)
}

fn explain(def: &MapDef, error: SysError) -> LoadError {
    if error.errno == errno::EINVAL {
        let missing = match def.kind {
            MapKind::TaskStorage => Some("task-local storage for BPF (Linux 5.11)"),
            MapKind::Ringbuf | MapKind::RingbufArray => Some("BPF ring buffers (Linux 5.8)"),
            MapKind::Array
            | MapKind::Hash
            | MapKind::PercpuHash
            | MapKind::Chunks
            | MapKind::Programs => None,
        };
        if let Some(missing) = missing {
            return LoadError::Unsupported {
                missing,
                detail: error.to_string(),
            };
        }
    }
    LoadError::from_call(error)
}

fn spec<'a>(def: &'a MapDef, options: MapOptions) -> MapSpec<'a> {
    MapSpec {
        kind: kernel_type(def.kind),
        name: &def.name,
        key_size: def.key_size,
        value_size: def.value_size,
        max_entries: def.max_entries,
        flags: flags(def, options),
        btf: None,
        inner: None,
    }
}

fn plain(def: &MapDef, options: MapOptions) -> Result<LoadedMap, SysError> {
    let mut spec = spec(def, options);
    if def.kind == MapKind::Ringbuf {
        // The kernel wants zeros; the image may state record sizes.
        (spec.key_size, spec.value_size) = (0, 0);
    }
    let map = Map::create(&spec, options.cpus)?;
    let memory = match def.mmap && def.kind == MapKind::Array {
        true => {
            let bytes = (def.value_size as usize).next_multiple_of(8) * def.max_entries as usize;
            Some(Mapping::new(
                map.fd(),
                bytes.next_multiple_of(page_size()),
                0,
                true,
            )?)
        }
        false => None,
    };
    // Plain hashes of aggregations have room for a power of two of CPUs (image::AggStorage::Hash).
    let cpus = match def.kind {
        MapKind::Hash => options.cpus.next_power_of_two(),
        MapKind::Array
        | MapKind::PercpuHash
        | MapKind::Ringbuf
        | MapKind::RingbufArray
        | MapKind::Chunks
        | MapKind::TaskStorage
        | MapKind::Programs => options.cpus,
    };
    Ok(LoadedMap {
        map,
        cpus,
        memory,
        rings: Vec::new(),
        _btf: None,
    })
}

fn ring_array(def: &MapDef, options: MapOptions) -> Result<LoadedMap, SysError> {
    let ring = MapSpec {
        kind: map_type::RINGBUF,
        name: &def.name,
        max_entries: def.max_entries,
        ..MapSpec::default()
    };
    let rings = (0..options.cpus)
        .map(|_| Map::create(&ring, 1))
        .collect::<Result<Vec<_>, _>>()?;
    let outer = MapSpec {
        kind: map_type::ARRAY_OF_MAPS,
        name: &def.name,
        key_size: 4,
        value_size: 4,
        max_entries: options.cpus,
        inner: rings.first().map(Map::fd),
        ..MapSpec::default()
    };
    let map = Map::create(&outer, 1)?;
    for (cpu, ring) in rings.iter().enumerate() {
        map.update_inner(cpu as u32, ring)?;
    }
    Ok(LoadedMap {
        map,
        cpus: options.cpus,
        memory: None,
        rings,
        _btf: None,
    })
}

fn task_storage(def: &MapDef, options: MapOptions) -> Result<LoadedMap, SysError> {
    let (blob, key, value) = crate::types::task_storage(def.value_size);
    let btf = sys::bpf::btf_load(&blob)?;
    let mut spec = spec(def, options);
    (spec.key_size, spec.max_entries) = (4, 0);
    spec.btf = Some((btf.as_fd(), key, value));
    let map = Map::create(&spec, options.cpus)?;
    Ok(LoadedMap {
        map,
        cpus: options.cpus,
        memory: None,
        rings: Vec::new(),
        _btf: Some(btf),
    })
}

/// Makes a task storage map, to see whether the kernel can.
pub fn try_task_storage() -> Result<(), SysError> {
    let def = MapDef {
        name: "probe".to_string(),
        role: MapRole::Thread,
        kind: MapKind::TaskStorage,
        key_size: 4,
        value_size: 8,
        max_entries: 0,
        mmap: false,
        init: Vec::new(),
    };
    task_storage(
        &def,
        MapOptions {
            cpus: 1,
            lazy_aggregations: false,
        },
    )
    .map(drop)
}

fn fill(def: &MapDef, made: &LoadedMap) -> Result<(), LoadError> {
    if def.init.len() > def.value_size as usize {
        return Err(bad_image(format!(
            "map {}: contents larger than its value",
            def.name
        )));
    }
    match &made.memory {
        Some(memory) => {
            memory.write(0, &def.init);
        }
        None if !def.init.is_empty() => {
            let mut value = def.init.clone();
            value.resize(def.value_size as usize, 0);
            made.map.update(&0u32.to_ne_bytes(), &value)?;
        }
        None => {}
    }
    if def.role == MapRole::Rodata {
        made.map.freeze()?;
    }
    Ok(())
}

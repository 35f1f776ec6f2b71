//! Tables for walking user stacks ([`image::layout::unwind`]): the maps that hold them, filled while programs run.

use image::layout::unwind as layout;
use image::{Image, MapDef, MapRole};
use sys::SysError;
use sys::bpf::{Map, MapSpec, map_flag, map_type};
use sys::mem::Mapping;

use crate::load::Loaded;
use crate::maps::LoadedMap;

/// Bytes and words of a chunk.
const CHUNK: u64 = (layout::ELEMENT as u64) << layout::CHUNK_SHIFT;
const CHUNK_WORDS: u64 = CHUNK / 8;
/// Tables begin at cache lines.
const ALIGN: u64 = 8;

/// A file of code as programs know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileKey {
    /// Inode number.
    pub inode: u64,
    /// Bytes.
    pub size: u64,
    /// Device number as the kernel has it: 12 bits major, 20 bits minor.
    pub device: u32,
}

impl FileKey {
    /// The code that the kernel maps into each process.
    pub const VDSO: FileKey = FileKey {
        inode: 0,
        size: 0,
        device: layout::VDSO,
    };

    fn bytes(self) -> Vec<u8> {
        let mut out = self.inode.to_ne_bytes().to_vec();
        out.extend(self.size.to_ne_bytes());
        out.extend(u64::from(self.device).to_ne_bytes());
        out
    }

    fn parse(bytes: &[u8]) -> Option<FileKey> {
        let word = |at: usize| Some(u64::from_ne_bytes(bytes.get(at..at + 8)?.try_into().ok()?));
        Some(FileKey {
            inode: word(0)?,
            size: word(8)?,
            device: word(16)? as u32,
        })
    }
}

/// A file whose table programs have asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// Which file.
    pub key: FileKey,
    /// A process that has it mapped.
    pub pid: u32,
    /// Where its mapping begins.
    pub address: u64,
}

/// The maps of tables, shared with the programs; lives as long as its owner wants.
#[derive(Debug)]
pub struct Tables {
    files: Map,
    pool: Map,
    most: usize,
    chunks: Vec<(Map, Mapping)>,
    /// Words used.
    used: u64,
}

/// Makes the map of an image that chunks are put in.
pub(crate) fn pool(def: &MapDef) -> Result<LoadedMap, SysError> {
    let template = chunk()?;
    let map = Map::create(
        &MapSpec {
            kind: map_type::ARRAY_OF_MAPS,
            name: &def.name,
            key_size: 4,
            value_size: 4,
            max_entries: def.max_entries,
            inner: Some(template.fd()),
            ..MapSpec::default()
        },
        1,
    )?;
    Ok(LoadedMap {
        map,
        cpus: 1,
        memory: None,
        rings: Vec::new(),
        _btf: None,
    })
}

fn chunk() -> Result<Map, SysError> {
    let spec = MapSpec {
        kind: map_type::ARRAY,
        name: "unwind_chunk",
        key_size: 4,
        value_size: layout::ELEMENT,
        max_entries: 1 << layout::CHUNK_SHIFT,
        flags: map_flag::MMAPABLE,
        ..MapSpec::default()
    };
    Map::create(&spec, 1)
}

impl Loaded {
    /// The maps of tables, if the image has them.
    pub fn tables(&self, image: &Image) -> Option<Result<Tables, SysError>> {
        let role = |wanted: MapRole| {
            let index = image.maps.iter().position(|m| m.role == wanted)?;
            Some((image.maps.get(index)?, self.maps.get(index)?))
        };
        let (_, files) = role(MapRole::UnwindFiles)?;
        let (def, pool) = role(MapRole::UnwindPool)?;
        let share = || {
            Ok(Tables {
                files: files.map.share()?,
                pool: pool.map.share()?,
                most: def.max_entries as usize,
                chunks: Vec::new(),
                used: 0,
            })
        };
        Some(share())
    }
}

impl Tables {
    /// Files whose tables have been asked for and not been given.
    pub fn requests(&self) -> Result<Vec<Request>, SysError> {
        let mut out = Vec::new();
        let mut key = vec![0; layout::KEY as usize];
        let mut value = vec![0; layout::FILE as usize];
        let mut more = self.files.next_key(None, &mut key)?;
        while more {
            if self.files.lookup(&key, &mut value)? {
                out.extend(request(&key, &value));
            }
            let last = key.clone();
            more = self.files.next_key(Some(&last), &mut key)?;
        }
        Ok(out)
    }

    /// Whether there is an answer for a file.
    pub fn knows(&self, key: FileKey) -> bool {
        let mut value = vec![0; layout::FILE as usize];
        let found = self.files.lookup(&key.bytes(), &mut value);
        found.is_ok_and(|found| found && word(&value, layout::STATE) != Some(layout::ASKED))
    }

    /// Adds the table of a file, whose pages begin at number `first`; `place` makes its words for an address in the pool.
    /// `false` if there is no room for it.
    pub fn add(
        &mut self,
        key: FileKey,
        first: u32,
        pages: u32,
        place: &dyn Fn(u64) -> Vec<u64>,
    ) -> Result<bool, SysError> {
        let address = self.used.next_multiple_of(ALIGN);
        let words = place(address);
        let end = address + words.len() as u64;
        if end.div_ceil(CHUNK_WORDS) > self.most as u64 {
            return Ok(false);
        }
        while (self.chunks.len() as u64) * CHUNK_WORDS < end {
            self.grow()?;
        }
        self.write(address, &words);
        self.used = end;
        self.answer(key, layout::READY, (first, pages), address)?;
        Ok(true)
    }

    /// Says that a file has no table, and its code keeps frame pointers.
    pub fn none(&self, key: FileKey) -> Result<(), SysError> {
        self.answer(key, layout::NONE, (0, 0), 0)
    }

    /// Forgets a request, so that the next process that needs the table asks for it.
    pub fn forget(&self, key: FileKey) -> Result<(), SysError> {
        self.files.delete(&key.bytes()).map(drop)
    }

    /// Bytes used.
    pub fn bytes(&self) -> u64 {
        self.used * 8
    }

    fn grow(&mut self) -> Result<(), SysError> {
        let map = chunk()?;
        let memory = Mapping::new(map.fd(), CHUNK as usize, 0, true)?;
        self.pool.update_inner(self.chunks.len() as u32, &map)?;
        self.chunks.push((map, memory));
        Ok(())
    }

    fn write(&self, address: u64, words: &[u64]) {
        let mut rest = words;
        let mut at = address;
        while !rest.is_empty() {
            let within = at % CHUNK_WORDS;
            let n = (CHUNK_WORDS - within).min(rest.len() as u64) as usize;
            let (now, later) = rest.split_at(n);
            let bytes: Vec<u8> = now.iter().flat_map(|w| w.to_ne_bytes()).collect();
            if let Some((_, memory)) = self.chunks.get((at / CHUNK_WORDS) as usize) {
                memory.write(within as usize * 8, &bytes);
            }
            (rest, at) = (later, at + n as u64);
        }
    }

    fn answer(
        &self,
        key: FileKey,
        state: u32,
        (first, pages): (u32, u32),
        address: u64,
    ) -> Result<(), SysError> {
        let mut value = Vec::with_capacity(layout::FILE as usize);
        for word in [state, first, pages, 0] {
            value.extend(word.to_ne_bytes());
        }
        value.extend(address.to_ne_bytes());
        self.files.update(&key.bytes(), &value)
    }
}

fn word(value: &[u8], at: u32) -> Option<u32> {
    let at = at as usize;
    Some(u32::from_ne_bytes(value.get(at..at + 4)?.try_into().ok()?))
}

fn request(key: &[u8], value: &[u8]) -> Option<Request> {
    if word(value, layout::STATE)? != layout::ASKED {
        return None;
    }
    let low = word(value, layout::ADDRESS)?;
    let high = word(value, layout::ADDRESS + 4)?;
    Some(Request {
        key: FileKey::parse(key)?,
        pid: word(value, layout::PID)?,
        address: u64::from(low) | u64::from(high) << 32,
    })
}

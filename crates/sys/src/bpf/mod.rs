//! `bpf(2)`: maps, programs, type information, links.
//!
//! Every buffer that the kernel reads or writes is a slice whose length is checked here against the sizes the caller
//! states for the map, so a wrong size is an error and never a stray write.

mod attr;

use std::ffi::CString;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd};

use crate::error::SysError;
use crate::seam;
use attr::{
    BtfLoad, GetId, KprobeMulti, LinkCreate, LinkUprobes, MapBatch, MapCreate, MapElem, ObjInfo,
    ProgLoad, RawBtfInfo, RawLinkInfo, RawProgInfo, RawTracepointOpen, TestRun,
};

/// Kinds of links: a program on a perf event, on many kernel functions.
const LINK_PERF_EVENT: u32 = 7;
const LINK_KPROBE_MULTI: u32 = 8;

/// A command: number and name in messages.
type Command = (usize, &'static str);

const MAP_CREATE: Command = (0, "bpf(BPF_MAP_CREATE)");
const MAP_LOOKUP: Command = (1, "bpf(BPF_MAP_LOOKUP_ELEM)");
const MAP_UPDATE: Command = (2, "bpf(BPF_MAP_UPDATE_ELEM)");
const MAP_DELETE: Command = (3, "bpf(BPF_MAP_DELETE_ELEM)");
const MAP_NEXT_KEY: Command = (4, "bpf(BPF_MAP_GET_NEXT_KEY)");
const PROG_LOAD: Command = (5, "bpf(BPF_PROG_LOAD)");
const PROG_RUN: Command = (10, "bpf(BPF_PROG_RUN)");
const BTF_FD_BY_ID: Command = (19, "bpf(BPF_BTF_GET_FD_BY_ID)");
const OBJ_INFO: Command = (15, "bpf(BPF_OBJ_GET_INFO_BY_FD)");
const RAW_TP_OPEN: Command = (17, "bpf(BPF_RAW_TRACEPOINT_OPEN)");
const BTF_LOAD: Command = (18, "bpf(BPF_BTF_LOAD)");
const MAP_TAKE: Command = (21, "bpf(BPF_MAP_LOOKUP_AND_DELETE_ELEM)");
const MAP_FREEZE: Command = (22, "bpf(BPF_MAP_FREEZE)");
const BTF_NEXT_ID: Command = (23, "bpf(BPF_BTF_GET_NEXT_ID)");
const MAP_LOOKUP_BATCH: Command = (24, "bpf(BPF_MAP_LOOKUP_BATCH)");
const LINK_CREATE: Command = (28, "bpf(BPF_LINK_CREATE)");

/// Times a program load is tried again when a signal interrupts the verifier.
const LOAD_RETRIES: usize = 5;

/// `BPF_MAP_TYPE_*`.
pub mod map_type {
    /// Hash.
    pub const HASH: u32 = 1;
    /// Array.
    pub const ARRAY: u32 = 2;
    /// Array of programs.
    pub const PROG_ARRAY: u32 = 3;
    /// Per-CPU hash.
    pub const PERCPU_HASH: u32 = 5;
    /// Per-CPU array.
    pub const PERCPU_ARRAY: u32 = 6;
    /// Array of maps.
    pub const ARRAY_OF_MAPS: u32 = 12;
    /// Ring buffer.
    pub const RINGBUF: u32 = 27;
    /// Task-local storage.
    pub const TASK_STORAGE: u32 = 29;
}

/// `BPF_F_*` of map creation.
pub mod map_flag {
    /// Entries are allocated when made.
    pub const NO_PREALLOC: u32 = 1;
    /// Programs may only read.
    pub const RDONLY_PROG: u32 = 1 << 7;
    /// Can be mapped into memory.
    pub const MMAPABLE: u32 = 1 << 10;
}

/// `BPF_PROG_TYPE_*`.
pub mod prog_type {
    /// Kprobe and uprobe.
    pub const KPROBE: u32 = 2;
    /// Perf event.
    pub const PERF_EVENT: u32 = 7;
    /// Raw tracepoint.
    pub const RAW_TRACEPOINT: u32 = 17;
    /// Tracing (BTF tracepoints among others).
    pub const TRACING: u32 = 26;
}

/// `BPF_TRACE_RAW_TP`: attach type of BTF tracepoints.
pub const ATTACH_TRACE_RAW_TP: u32 = 23;
/// `BPF_TRACE_FENTRY`.
pub const ATTACH_TRACE_FENTRY: u32 = 24;
/// `BPF_TRACE_FEXIT`.
pub const ATTACH_TRACE_FEXIT: u32 = 25;
/// `BPF_TRACE_KPROBE_MULTI`: attach type of one link for many kernel functions.
pub const ATTACH_KPROBE_MULTI: u32 = 42;
/// `BPF_PERF_EVENT`: attach type of perf-event links.
pub const ATTACH_PERF_EVENT: u32 = 41;
/// `BPF_TRACE_UPROBE_MULTI`: attach type of links to many user-space points.
pub const ATTACH_UPROBE_MULTI: u32 = 48;
/// `BPF_F_UPROBE_MULTI_RETURN`.
const UPROBE_MULTI_RETURN: u32 = 1;
const TEST_RUN_ON_CPU: u32 = 1;

/// Makes a `bpf` call with an attribute structure.
///
/// # Safety
/// Every pointer inside `attr` must be valid for what the command does with it.
unsafe fn bpf<T>(command: Command, attr: &mut T) -> Result<usize, SysError> {
    let args = [
        command.0,
        std::ptr::from_mut(attr) as usize,
        size_of::<T>(),
        0,
        0,
        0,
    ];
    // SAFETY: attr is live and of the stated size; the rest is the caller's word.
    unsafe { seam::call(command.1, libc::SYS_bpf, args) }
}

fn owned(fd: usize) -> OwnedFd {
    // SAFETY: the kernel returned a new descriptor that nobody else owns.
    unsafe { OwnedFd::from_raw_fd(fd as i32) }
}

fn raw(fd: BorrowedFd<'_>) -> u32 {
    fd.as_raw_fd() as u32
}

fn address(bytes: &[u8]) -> u64 {
    if bytes.is_empty() {
        0
    } else {
        bytes.as_ptr() as u64
    }
}

fn address_mut(bytes: &mut [u8]) -> u64 {
    if bytes.is_empty() {
        0
    } else {
        bytes.as_mut_ptr() as u64
    }
}

/// Kernel object names: at most 15 bytes of `[A-Za-z0-9_.]`.
fn object_name(name: &str) -> [u8; 16] {
    let mut out = [0; 16];
    for (to, from) in out.iter_mut().take(15).zip(name.bytes()) {
        *to = if from.is_ascii_alphanumeric() || from == b'.' {
            from
        } else {
            b'_'
        };
    }
    out
}

fn wrong_size(command: Command, what: &str) -> SysError {
    SysError::new(command.1, libc::EINVAL).on(format!("{what} buffer of the wrong size"))
}

/// How to make a map.
#[derive(Clone, Copy, Debug, Default)]
pub struct MapSpec<'a> {
    /// `map_type`.
    pub kind: u32,
    /// Name as the kernel shows it.
    pub name: &'a str,
    /// Bytes of a key.
    pub key_size: u32,
    /// Bytes of a value (one CPU's for per-CPU maps).
    pub value_size: u32,
    /// Entries, or bytes of a ring.
    pub max_entries: u32,
    /// `map_flag`.
    pub flags: u32,
    /// Type information with the ids of key and value.
    pub btf: Option<(BorrowedFd<'a>, u32, u32)>,
    /// Template of the elements of a map of maps.
    pub inner: Option<BorrowedFd<'a>>,
}

/// An open map; knows its sizes so that every buffer is checked.
#[derive(Debug)]
pub struct Map {
    fd: OwnedFd,
    key_size: usize,
    /// Bytes that a look-up returns: for per-CPU maps 8-rounded value times possible CPUs.
    value_bytes: usize,
}

impl Map {
    /// Makes a map; `cpus` is the number of possible CPUs.
    pub fn create(spec: &MapSpec<'_>, cpus: u32) -> Result<Map, SysError> {
        let mut attr = MapCreate {
            kind: spec.kind,
            key_size: spec.key_size,
            value_size: spec.value_size,
            max_entries: spec.max_entries,
            flags: spec.flags,
            inner_map_fd: spec.inner.map_or(0, raw),
            name: object_name(spec.name),
            ..MapCreate::default()
        };
        if let Some((fd, key, value)) = spec.btf {
            (attr.btf_fd, attr.btf_key_type_id, attr.btf_value_type_id) = (raw(fd), key, value);
        }
        // SAFETY: the structure holds no pointers.
        let fd = unsafe { bpf(MAP_CREATE, &mut attr) }
            .map_err(|e| e.on(format!("map '{}'", spec.name)))?;
        let percpu = matches!(spec.kind, map_type::PERCPU_ARRAY | map_type::PERCPU_HASH);
        let value = spec.value_size as usize;
        let value_bytes = if percpu {
            value.next_multiple_of(8) * cpus as usize
        } else {
            value
        };
        Ok(Map {
            fd: owned(fd),
            key_size: spec.key_size as usize,
            value_bytes,
        })
    }

    /// The descriptor.
    pub fn fd(&self) -> BorrowedFd<'_> {
        use std::os::fd::AsFd;
        self.fd.as_fd()
    }

    /// The same map by a descriptor of its own.
    pub fn share(&self) -> Result<Map, SysError> {
        let fd = self
            .fd
            .try_clone()
            .map_err(|e| SysError::new("fcntl(F_DUPFD_CLOEXEC)", e.raw_os_error().unwrap_or(0)))?;
        Ok(Map { fd, ..*self })
    }

    /// Bytes of a key.
    pub fn key_size(&self) -> usize {
        self.key_size
    }

    /// Bytes of what [`Map::lookup`] returns.
    pub fn value_bytes(&self) -> usize {
        self.value_bytes
    }

    fn element(
        &self,
        command: Command,
        key: &[u8],
        value: u64,
        flags: u64,
    ) -> Result<(), SysError> {
        if key.len() != self.key_size {
            return Err(wrong_size(command, "key"));
        }
        let mut attr = MapElem {
            map_fd: raw(self.fd()),
            key: address(key),
            value,
            flags,
            ..MapElem::default()
        };
        // SAFETY: key has the map's size; value is 0 or points to value_bytes (get-next-key: key_size) bytes, which
        // the callers below check.
        unsafe { bpf(command, &mut attr) }.map(drop)
    }

    /// Reads the value of `key`; `false` if there is none.
    pub fn lookup(&self, key: &[u8], value: &mut [u8]) -> Result<bool, SysError> {
        self.look(MAP_LOOKUP, key, value)
    }

    /// Reads and deletes the value of `key`; `false` if there is none.
    pub fn take(&self, key: &[u8], value: &mut [u8]) -> Result<bool, SysError> {
        self.look(MAP_TAKE, key, value)
    }

    fn look(&self, command: Command, key: &[u8], value: &mut [u8]) -> Result<bool, SysError> {
        if value.len() != self.value_bytes {
            return Err(wrong_size(command, "value"));
        }
        found(self.element(command, key, address_mut(value), 0))
    }

    /// Writes the value of `key`.
    pub fn update(&self, key: &[u8], value: &[u8]) -> Result<(), SysError> {
        if value.len() != self.value_bytes {
            return Err(wrong_size(MAP_UPDATE, "value"));
        }
        self.element(MAP_UPDATE, key, address(value), 0)
    }

    /// Puts a map into a map of maps at index `key`.
    pub fn update_inner(&self, key: u32, inner: &Map) -> Result<(), SysError> {
        self.update(&key.to_ne_bytes(), &raw(inner.fd()).to_ne_bytes())
    }

    /// Puts a program into an array of programs at index `key`.
    pub fn update_program(&self, key: u32, program: BorrowedFd<'_>) -> Result<(), SysError> {
        self.update(&key.to_ne_bytes(), &raw(program).to_ne_bytes())
    }

    /// Deletes `key`; `false` if there was none.
    pub fn delete(&self, key: &[u8]) -> Result<bool, SysError> {
        found(self.element(MAP_DELETE, key, 0, 0))
    }

    /// Key after `key` (`None`: the first) in the map's own order; `false` at the end.
    pub fn next_key(&self, key: Option<&[u8]>, next: &mut [u8]) -> Result<bool, SysError> {
        if next.len() != self.key_size || key.is_some_and(|k| k.len() != self.key_size) {
            return Err(wrong_size(MAP_NEXT_KEY, "key"));
        }
        let mut attr = MapElem {
            map_fd: raw(self.fd()),
            key: key.map_or(0, address),
            value: address_mut(next),
            ..MapElem::default()
        };
        // SAFETY: both keys have the map's key size; a null key asks for the first.
        found(unsafe { bpf(MAP_NEXT_KEY, &mut attr) }.map(drop))
    }

    /// Forbids this process further writes.
    pub fn freeze(&self) -> Result<(), SysError> {
        let mut attr = MapElem {
            map_fd: raw(self.fd()),
            ..MapElem::default()
        };
        // SAFETY: no pointers.
        unsafe { bpf(MAP_FREEZE, &mut attr) }.map(drop)
    }

    /// Reads the next batch of entries; see [`Batch`].
    pub fn lookup_batch(&self, batch: &mut Batch) -> Result<(), SysError> {
        let room = (batch.keys.len() / self.key_size.max(1))
            .min(batch.values.len() / self.value_bytes.max(1));
        let mut attr = MapBatch {
            in_batch: if batch.started {
                batch.token.as_ptr() as u64
            } else {
                0
            },
            out_batch: batch.next_token.as_mut_ptr() as u64,
            keys: address_mut(&mut batch.keys),
            values: address_mut(&mut batch.values),
            count: room as u32,
            map_fd: raw(self.fd()),
            ..MapBatch::default()
        };
        if batch.next_token.len() < self.key_size.max(4)
            || batch.token.len() < self.key_size.max(4)
            || room == 0
        {
            return Err(wrong_size(MAP_LOOKUP_BATCH, "batch"));
        }
        // SAFETY: keys and values have room for `count` entries; the tokens are at least as long as a key and a u32.
        let result = unsafe { bpf(MAP_LOOKUP_BATCH, &mut attr) };
        match result {
            Ok(_) => {}
            Err(e) if e.errno == libc::ENOENT => batch.done = true,
            Err(e) => {
                batch.count = 0;
                return Err(e);
            }
        }
        batch.count = (attr.count as usize).min(room);
        batch.started = true;
        std::mem::swap(&mut batch.token, &mut batch.next_token);
        Ok(())
    }
}

fn found(result: Result<(), SysError>) -> Result<bool, SysError> {
    match result {
        Ok(()) => Ok(true),
        Err(e) if e.errno == libc::ENOENT => Ok(false),
        Err(e) => Err(e),
    }
}

/// Buffers and position of a batched read. After each [`Map::lookup_batch`], the first `count` entries are filled;
/// `done` says that there are no more.
#[derive(Debug)]
pub struct Batch {
    /// Keys in a row.
    pub keys: Vec<u8>,
    /// Values in a row.
    pub values: Vec<u8>,
    /// Entries filled.
    pub count: usize,
    /// The end was reached.
    pub done: bool,
    started: bool,
    token: Vec<u8>,
    next_token: Vec<u8>,
}

impl Batch {
    /// Room for `entries` entries of `map`.
    pub fn new(map: &Map, entries: usize) -> Batch {
        let token = map.key_size.max(8);
        Batch {
            keys: vec![0; map.key_size * entries],
            values: vec![0; map.value_bytes * entries],
            count: 0,
            done: false,
            started: false,
            token: vec![0; token],
            next_token: vec![0; token],
        }
    }

    /// Makes room for `entries` entries, keeping the position.
    pub fn grow(&mut self, map: &Map, entries: usize) {
        self.keys.resize(map.key_size * entries, 0);
        self.values.resize(map.value_bytes * entries, 0);
    }
}

/// How to load a program.
#[derive(Clone, Copy, Debug, Default)]
pub struct ProgSpec<'a> {
    /// `prog_type`.
    pub kind: u32,
    /// Name as the kernel shows it.
    pub name: &'a str,
    /// Instructions, 8 bytes each.
    pub insns: &'a [u8],
    /// Expected attach type.
    pub attach_type: u32,
    /// Type id of the attach point.
    pub attach_btf_id: u32,
    /// Type information of the module that has it; `None` for vmlinux.
    pub attach_btf: Option<BorrowedFd<'a>>,
    /// Program flags.
    pub flags: u32,
    /// Type information of the program with its function and line records (8 and 16 bytes each).
    pub btf: Option<ProgBtf<'a>>,
}

/// Type information of a program.
#[derive(Clone, Copy, Debug)]
pub struct ProgBtf<'a> {
    /// Loaded type information.
    pub fd: BorrowedFd<'a>,
    /// `struct bpf_func_info` records, 8 bytes each.
    pub func_info: &'a [u8],
    /// `struct bpf_line_info` records, 16 bytes each.
    pub line_info: &'a [u8],
}

/// Loads a program. With `log`, its second part is filled with the verifier's text at that level.
pub fn prog_load(spec: &ProgSpec<'_>, log: Option<(u32, &mut [u8])>) -> Result<OwnedFd, SysError> {
    let mut attr = ProgLoad {
        kind: spec.kind,
        insn_cnt: (spec.insns.len() / 8) as u32,
        insns: address(spec.insns),
        license: c"Dual MIT/GPL".as_ptr() as u64,
        flags: spec.flags,
        name: object_name(spec.name),
        expected_attach_type: spec.attach_type,
        attach_btf_id: spec.attach_btf_id,
        attach_btf_obj_fd: spec.attach_btf.map_or(0, raw),
        ..ProgLoad::default()
    };
    if let Some((level, buffer)) = log {
        (attr.log_level, attr.log_size, attr.log_buf) =
            (level, buffer.len() as u32, address_mut(buffer));
    }
    if let Some(btf) = spec.btf {
        attr.btf_fd = raw(btf.fd);
        (attr.func_info, attr.func_info_rec_size) = (address(btf.func_info), 8);
        attr.func_info_cnt = (btf.func_info.len() / 8) as u32;
        (attr.line_info, attr.line_info_rec_size) = (address(btf.line_info), 16);
        attr.line_info_cnt = (btf.line_info.len() / 16) as u32;
    }
    let mut tries = 0;
    loop {
        // SAFETY: every pointer is to a live slice of the stated length or to a constant string.
        match unsafe { bpf(PROG_LOAD, &mut attr) } {
            Ok(fd) => return Ok(owned(fd)),
            Err(e) if e.errno == libc::EAGAIN && tries < LOAD_RETRIES => tries += 1,
            Err(e) => return Err(e.on(format!("program '{}'", spec.name))),
        }
    }
}

/// Loads type information.
pub fn btf_load(blob: &[u8]) -> Result<OwnedFd, SysError> {
    let mut attr = BtfLoad {
        btf: address(blob),
        size: blob.len() as u32,
        ..BtfLoad::default()
    };
    // SAFETY: blob is live and of that size.
    unsafe { bpf(BTF_LOAD, &mut attr) }.map(owned)
}

/// Attaches a raw-tracepoint program by name, or (with `None`) a BTF tracepoint program to the point it was loaded for.
pub fn raw_tracepoint_open(
    name: Option<&str>,
    program: BorrowedFd<'_>,
) -> Result<OwnedFd, SysError> {
    let object = || format!("tracepoint {}", name.unwrap_or("of the program"));
    let text = match name.map(CString::new) {
        Some(Ok(text)) => Some(text),
        Some(Err(_)) => return Err(SysError::new(RAW_TP_OPEN.1, libc::EINVAL).on(object())),
        None => None,
    };
    let pointer = text.as_ref().map_or(0, |t| t.as_ptr() as u64);
    let mut attr = RawTracepointOpen {
        name: pointer,
        prog_fd: raw(program),
        pad: 0,
    };
    // SAFETY: name is null or a live NUL-terminated string.
    unsafe { bpf(RAW_TP_OPEN, &mut attr) }
        .map(owned)
        .map_err(|e| e.on(object()))
}

/// Attaches a program to a perf event with a link.
pub fn link_perf_event(
    program: BorrowedFd<'_>,
    event: BorrowedFd<'_>,
    cookie: u64,
) -> Result<OwnedFd, SysError> {
    let mut attr = LinkCreate {
        prog_fd: raw(program),
        target_fd: raw(event),
        attach_type: ATTACH_PERF_EVENT,
        flags: 0,
        cookie,
    };
    // SAFETY: no pointers.
    unsafe { bpf(LINK_CREATE, &mut attr) }.map(owned)
}

/// The kernel functions of one link.
#[derive(Clone, Copy, Debug)]
pub enum Functions<'a> {
    /// By name; the first of several functions of one name counts.
    Names(&'a [CString]),
    /// By address.
    Addresses(&'a [u64]),
}

/// Attaches a kprobe program to many kernel functions, or to their returns, with a cookie for each.
pub fn link_functions(
    program: BorrowedFd<'_>,
    functions: Functions<'_>,
    cookies: &[u64],
    ret: bool,
) -> Result<OwnedFd, SysError> {
    let names: Vec<u64> = match functions {
        Functions::Names(names) => names.iter().map(|name| name.as_ptr() as u64).collect(),
        Functions::Addresses(_) => Vec::new(),
    };
    let (count, symbols, addresses) = match functions {
        Functions::Names(_) => (names.len(), names.as_ptr() as u64, 0),
        Functions::Addresses(list) => (list.len(), 0, list.as_ptr() as u64),
    };
    if count != cookies.len() || count == 0 {
        return Err(SysError::new(LINK_CREATE.1, libc::EINVAL).on("functions and cookies differ"));
    }
    let mut attr = KprobeMulti {
        prog_fd: raw(program),
        attach_type: ATTACH_KPROBE_MULTI,
        multi_flags: u32::from(ret),
        count: count as u32,
        symbols,
        addresses,
        cookies: cookies.as_ptr() as u64,
        ..KprobeMulti::default()
    };
    // SAFETY: the lists are live and have `count` elements; names are NUL-terminated.
    unsafe { bpf(LINK_CREATE, &mut attr) }
        .map(owned)
        .map_err(|e| e.on(format!("{count} kernel functions")))
}

/// Whether the kernel knows links of many functions, by asking for one whose list cannot be read: only a kernel that
/// would make it finds that out.
pub fn knows_function_links(program: BorrowedFd<'_>) -> bool {
    let mut attr = KprobeMulti {
        prog_fd: raw(program),
        attach_type: ATTACH_KPROBE_MULTI,
        count: 1,
        addresses: 1,
        ..KprobeMulti::default()
    };
    // SAFETY: the kernel checks the address, which no process has, and reads nothing.
    let tried = unsafe { bpf(LINK_CREATE, &mut attr) }.map(owned);
    tried.is_err_and(|e| e.errno == libc::EFAULT)
}

/// Points in one file for [`link_uprobes`].
#[derive(Clone, Copy, Debug)]
pub struct Uprobes<'a> {
    /// The file.
    pub path: &'a str,
    /// Byte offsets of the instructions.
    pub offsets: &'a [u64],
    /// Byte offsets of the counters that are raised while attached, 0 for none; as many as offsets, or empty.
    pub semaphores: &'a [u64],
    /// As many as offsets.
    pub cookies: &'a [u64],
    /// When the function returns that begins there.
    pub ret: bool,
    /// Only in this process; `None`: in every one.
    pub pid: Option<u32>,
}

/// Attaches a program to many user-space points with one link (Linux 6.6).
pub fn link_uprobes(program: BorrowedFd<'_>, points: &Uprobes<'_>) -> Result<OwnedFd, SysError> {
    let failed = |errno| SysError::new(LINK_CREATE.1, errno).on(points.path);
    let path = CString::new(points.path).map_err(|_| failed(libc::EINVAL))?;
    let count = points.offsets.len();
    let semaphores = points.semaphores.len();
    if points.cookies.len() != count || (semaphores != 0 && semaphores != count) {
        return Err(failed(libc::EINVAL));
    }
    let array = |numbers: &[u64]| {
        if numbers.is_empty() {
            0
        } else {
            numbers.as_ptr() as u64
        }
    };
    let mut attr = LinkUprobes {
        prog_fd: raw(program),
        attach_type: ATTACH_UPROBE_MULTI,
        path: path.as_ptr() as u64,
        offsets: array(points.offsets),
        ref_ctr_offsets: array(points.semaphores),
        cookies: array(points.cookies),
        cnt: count as u32,
        flags: if points.ret { UPROBE_MULTI_RETURN } else { 0 },
        pid: points.pid.unwrap_or(0),
        ..LinkUprobes::default()
    };
    // SAFETY: path is a live NUL-terminated string, the arrays are live and have cnt elements each or are absent.
    unsafe { bpf(LINK_CREATE, &mut attr) }
        .map(owned)
        .map_err(|e| e.on(points.path))
}

/// Runs a raw-tracepoint program once with these context words, on `cpu` or the current one. Returns its result.
pub fn prog_run(
    program: BorrowedFd<'_>,
    context: &[u64],
    cpu: Option<u32>,
) -> Result<u32, SysError> {
    let mut attr = TestRun {
        prog_fd: raw(program),
        ctx_in: if context.is_empty() {
            0
        } else {
            context.as_ptr() as u64
        },
        ctx_size_in: size_of_val(context) as u32,
        flags: if cpu.is_some() { TEST_RUN_ON_CPU } else { 0 },
        cpu: cpu.unwrap_or(0),
        ..TestRun::default()
    };
    // SAFETY: ctx_in points to ctx_size_in live bytes, only read.
    unsafe { bpf(PROG_RUN, &mut attr) }?;
    Ok(attr.retval)
}

/// What the kernel says about a loaded program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProgInfo {
    /// Kernel id.
    pub id: u32,
    /// Instructions after the verifier's rewriting.
    pub xlated_insns: u32,
    /// Bytes of machine code, 0 if it is interpreted.
    pub jited_bytes: u32,
    /// Runs (only counted while BPF statistics are on).
    pub run_cnt: u64,
    /// Firings skipped because the program was already running on that CPU.
    pub recursion_misses: u64,
    /// Instructions the verifier walked.
    pub verified_insns: u32,
}

/// Reads a structure about an object.
///
/// # Safety
/// `T` must be plain data for which every byte pattern is valid, and any pointer in it valid for the kernel's use.
unsafe fn object_info<T>(fd: BorrowedFd<'_>, info: &mut T) -> Result<(), SysError> {
    let mut attr = ObjInfo {
        fd: raw(fd),
        len: size_of::<T>() as u32,
        info: std::ptr::from_mut(info) as u64,
    };
    // SAFETY: info is live and of the stated size; its inner pointers are the caller's word.
    unsafe { bpf(OBJ_INFO, &mut attr) }.map(drop)
}

/// Asks the kernel about a program.
pub fn prog_info(program: BorrowedFd<'_>) -> Result<ProgInfo, SysError> {
    let mut info = RawProgInfo::default();
    // SAFETY: plain data; all inner pointers and their lengths are zero.
    unsafe { object_info(program, &mut info) }?;
    Ok(ProgInfo {
        id: info.id,
        xlated_insns: info.xlated_len / 8,
        jited_bytes: info.jited_len,
        run_cnt: info.run_cnt,
        recursion_misses: info.recursion_misses,
        verified_insns: info.verified_insns,
    })
}

/// Firings that the kernel itself skipped on a link of kprobes, before there was a program to run (Linux 6.7); 0 for others.
pub fn link_missed(link: BorrowedFd<'_>) -> u64 {
    let mut info = RawLinkInfo::default();
    // SAFETY: plain data; all inner pointers and their lengths are zero.
    match unsafe { object_info(link, &mut info) } {
        Ok(()) if info.kind == LINK_KPROBE_MULTI => info.words[2],
        Ok(()) if info.kind == LINK_PERF_EVENT => info.words[4],
        Ok(()) | Err(_) => 0,
    }
}

/// Opens the type information of a kernel module by name; `None` if the module is not loaded or has none.
pub fn module_btf(module: &str) -> Result<Option<OwnedFd>, SysError> {
    let mut id = 0;
    while let Some(next) = next_btf_id(id)? {
        id = next;
        let mut attr = GetId {
            id,
            ..GetId::default()
        };
        // SAFETY: no pointers.
        let fd = match unsafe { bpf(BTF_FD_BY_ID, &mut attr) } {
            Ok(fd) => owned(fd),
            // Gone since the id was read.
            Err(e) if e.errno == libc::ENOENT => continue,
            Err(e) => return Err(e),
        };
        if kernel_btf_name(&fd)? == Some(module.to_string()) {
            return Ok(Some(fd));
        }
    }
    Ok(None)
}

fn next_btf_id(id: u32) -> Result<Option<u32>, SysError> {
    let mut attr = GetId {
        id,
        ..GetId::default()
    };
    // SAFETY: no pointers.
    match unsafe { bpf(BTF_NEXT_ID, &mut attr) } {
        Ok(_) => Ok(Some(attr.next_id)),
        Err(e) if e.errno == libc::ENOENT => Ok(None),
        Err(e) => Err(e),
    }
}

fn kernel_btf_name(fd: &OwnedFd) -> Result<Option<String>, SysError> {
    use std::os::fd::AsFd;
    let mut name = [0u8; 64];
    let mut info = RawBtfInfo {
        name: name.as_mut_ptr() as u64,
        name_len: 64,
        ..RawBtfInfo::default()
    };
    // SAFETY: name points to 64 live bytes; the type data pointer and length are zero.
    unsafe { object_info(fd.as_fd(), &mut info) }?;
    if info.kernel_btf == 0 {
        return Ok(None);
    }
    let end = name.iter().position(|b| *b == 0).unwrap_or(name.len());
    Ok(name
        .get(..end)
        .map(|n| String::from_utf8_lossy(n).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_cut_and_cleaned() {
        assert_eq!(
            &object_name("syscall:::entry and more")[..],
            b"syscall___entry\0"
        );
    }

    #[test]
    fn wrong_sizes_never_reach_the_kernel() {
        let null = std::fs::File::open("/dev/null").map(OwnedFd::from).ok();
        let Some(fd) = null else { return };
        let map = Map {
            fd,
            key_size: 4,
            value_bytes: 16,
        };
        let bad = |r: Result<bool, SysError>| r.is_err_and(|e| e.errno == libc::EINVAL);
        assert!(bad(map.lookup(&[0; 4], &mut [0; 8])));
        assert!(bad(map.lookup(&[0; 3], &mut [0; 16])));
        assert!(bad(map.next_key(Some(&[0; 3]), &mut [0; 4])));
        assert!(
            map.update(&[0; 4], &[0; 15])
                .is_err_and(|e| e.errno == libc::EINVAL)
        );
    }
}

//! The contract between the compiler and the consumer: programs, maps, probes, record layouts and formats.
//!
//! `codegen` writes an [`Image`]; `kernel` loads it; `consumer` reads what it records. Nothing else is shared between
//! the two halves, so either can be replaced or tested alone.
//!
//! Invariant: an image is plain data. It holds no file descriptor, no address of this process and no kernel type id.

pub mod format;
pub mod layout;
pub mod print;
pub mod user;

pub use format::{Conversion, Format, Segment, Star};
pub use print::{PrintMember, PrintType};
pub use user::{Attachment, Operand, Place, PointKind, UserPoint};

use std::sync::Arc;

/// A whole compiled D program, ready to be loaded.
#[derive(Clone, Debug, Default)]
pub struct Image {
    /// Maps, referred to by index from [`Reloc`] and [`AggStorage`].
    pub maps: Vec<MapDef>,
    /// Programs: those that fire, and the later parts of those that are too much for one program.
    pub programs: Vec<ProgramDef>,
    /// Enabled probes; a record's `probe` field is an index into this.
    pub probes: Vec<Probe>,
    /// Clauses; a record's `clause` field is an index into this.
    pub clauses: Vec<ClauseDesc>,
    /// Aggregations by variable id (order of first appearance in the program text).
    pub aggs: Vec<AggDesc>,
    /// Strings are at most this long, terminating NUL included.
    pub strsize: u32,
    /// What the principal buffers do when they are full.
    pub policy: Policy,
}

/// What happens when a principal buffer is full (`bufpolicy`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Policy {
    /// It is read all the time; what does not fit is lost and counted.
    #[default]
    Switch,
    /// Tracing ends; buffers are read at the end.
    Fill,
    /// The oldest records give way; buffers are read at the end.
    Ring,
}

/// Where a probe fires. Programs are grouped by site: one BPF program a site, whatever the number of probes there; what
/// is too much for one goes on in programs that it jumps to ([`Part`]).
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Site {
    /// `dtrace:::BEGIN`, run by the consumer before anything else is armed.
    Begin,
    /// `dtrace:::END`, run by the consumer after everything else is disarmed.
    End,
    /// `dtrace:::ERROR`, compiled into the fault path of every other program.
    Error,
    /// `profile:::tick-N`: one CPU at a time, every `period_ns`.
    Tick {
        /// Nanoseconds between two firings.
        period_ns: u64,
    },
    /// `profile:::profile-N`: every CPU, every `period_ns`.
    Profile {
        /// Nanoseconds between two firings on one CPU.
        period_ns: u64,
    },
    /// `cpc:::EVENT-mode-count`: every CPU, each time the counter has counted so many.
    Counter(Counter),
    /// Raw tracepoint `sys_enter`; the probe's `selector` is the system call number.
    SyscallEntry,
    /// Raw tracepoint `sys_exit`; the probe's `selector` is the system call number.
    SyscallReturn,
    /// A kernel tracepoint.
    Tracepoint {
        /// Kernel name of the tracepoint, e.g. `sched_switch`.
        name: String,
        /// Kernel module that has it (its BTF is there), `None` for vmlinux.
        module: Option<String>,
    },
    /// Entry to a kernel function or return from it, with a program of its own (fentry, fexit).
    KernelFunction {
        /// Its name, which is unique in its module and has type data.
        name: String,
        /// Kernel module that has it, `None` for vmlinux.
        module: Option<String>,
        /// At its return.
        ret: bool,
    },
    /// Entry to a kernel function by a kprobe, with a program of its own.
    KernelProbe {
        /// Its name, as kernel symbols have it (`finish_task_switch.isra.0`).
        name: String,
        /// Kernel module that has it, `None` for vmlinux.
        module: Option<String>,
    },
    /// Entry to any of many kernel functions or return from them, with one program for all (kprobes). The attach cookie
    /// is the index into [`Image::probes`], whose `module` and `function` name the place.
    KernelFunctions {
        /// At their return.
        ret: bool,
    },
    /// Places in user-space code, all of them: those of [`Probe::points`].
    User,
    /// Places in user-space code with a program of their own, at each of which the same probes fire, one after the other.
    UserPlace {
        /// What they are called in messages.
        name: String,
        /// Where.
        points: Arc<[UserPoint]>,
    },
}

impl Site {
    /// Whether it is in user-space code, where a thread can be preempted within the program.
    pub fn is_user(&self) -> bool {
        match self {
            Site::User | Site::UserPlace { .. } => true,
            Site::Begin
            | Site::End
            | Site::Error
            | Site::Tick { .. }
            | Site::Profile { .. }
            | Site::Counter(_)
            | Site::SyscallEntry
            | Site::SyscallReturn
            | Site::Tracepoint { .. }
            | Site::KernelFunction { .. }
            | Site::KernelProbe { .. }
            | Site::KernelFunctions { .. } => false,
        }
    }
}

/// Which thread is the current one of a firing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Task {
    /// The one that runs.
    #[default]
    Current,
    /// The `struct task_struct *` in this word of the program's context: everything that D tells of the current thread is
    /// told of it. It does not run, so it has no stack here, and its process's memory cannot be read.
    Word(u8),
}

/// A performance counter and when it overflows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Counter {
    /// `PERF_TYPE_*`, or the number of a unit of this machine.
    pub kind: u32,
    /// Event of that type.
    pub config: u64,
    /// More of it.
    pub config1: u64,
    /// More of it.
    pub config2: u64,
    /// Count in user mode.
    pub user: bool,
    /// Count in the kernel.
    pub kernel: bool,
    /// Events between two firings on one CPU.
    pub period: u64,
}

/// One probe, as the provider describes it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Probe {
    /// Stable probe id as shown by `dtrace -l`.
    pub id: u32,
    /// Provider name.
    pub provider: Arc<str>,
    /// Module name, may be empty.
    pub module: Arc<str>,
    /// Function name, may be empty.
    pub function: Arc<str>,
    /// Probe name.
    pub name: Arc<str>,
    /// Where it fires; the first of several places.
    pub site: Site,
    /// Which of the probes of one site it is (the system call number; 0 where a site has one probe).
    pub selector: u32,
    /// Where it fires, for [`Site::User`].
    pub points: Arc<[UserPoint]>,
}

/// What the provider's name of a probe ends in, if the probe fires in every process that has its code: elsewhere the
/// number of the process is in that place.
pub const EVERY: char = '*';

impl Probe {
    /// Whether it fires in every process that has its code. `probeprov` then ends in the number of the process.
    pub fn is_in_every_process(&self) -> bool {
        self.provider.ends_with(EVERY)
    }
}

/// Where the value of one probe argument comes from, as data: no provider emits code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ArgSource {
    /// Word `n` of the program's context (raw and BTF tracepoints, programs run by the consumer).
    CtxWord(u8),
    /// System call argument `n` (0..=5), from the `pt_regs` that context word 0 points to.
    SyscallArg(u8),
    /// System call return value as D shows it: -1 where the kernel returned a negative errno.
    SyscallRet,
    /// Kernel program counter of a sample, 0 if it was taken in user mode.
    SampleKernelPc,
    /// User program counter of a sample, 0 if it was taken in kernel mode.
    SampleUserPc,
    /// Word `n` of a kernel function's arguments (structures passed by value may take two), at its entry.
    FuncArg(u8),
    /// Return value of a kernel function whose arguments take `words` words, at its return.
    FuncRet {
        /// Words of its arguments.
        words: u8,
    },
    /// Argument `n` (from 0) of the function whose first instruction is about to run, by the C calling convention.
    CallArg(u8),
    /// Value that a function returned.
    CallRet,
    /// Operand `n` of the point that fires: [`UserPoint::operands`].
    Operand(u8),
    /// The point's own number: [`UserPoint::word`].
    PointWord,
    /// Reads as 0.
    Zero,
}

/// How a program is loaded and attached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ProgramKind {
    /// `BPF_PROG_TYPE_TRACING`, attach type `BPF_TRACE_RAW_TP`: context words are typed pointers.
    TpBtf,
    /// `BPF_PROG_TYPE_RAW_TRACEPOINT`: context words are numbers.
    RawTp,
    /// `BPF_PROG_TYPE_TRACING`, attach type `BPF_TRACE_FENTRY`: context words are typed arguments.
    Fentry,
    /// `BPF_PROG_TYPE_TRACING`, attach type `BPF_TRACE_FEXIT`: as before, then the return value.
    Fexit,
    /// `BPF_PROG_TYPE_KPROBE` on kernel functions: the context is `struct pt_regs`.
    Kprobe,
    /// `BPF_PROG_TYPE_PERF_EVENT` on a CPU clock or a counter.
    PerfEvent,
    /// `BPF_PROG_TYPE_KPROBE` on user-space points: the context is the `pt_regs` of the thread.
    Uprobe,
    /// `BPF_PROG_TYPE_RAW_TRACEPOINT` never attached, run by the consumer through `BPF_PROG_RUN`.
    Run,
}

impl ProgramKind {
    /// Whether the verifier knows the types of context words, so that fields load without a helper.
    pub fn is_typed(self) -> bool {
        match self {
            ProgramKind::TpBtf | ProgramKind::Fentry | ProgramKind::Fexit => true,
            ProgramKind::RawTp
            | ProgramKind::Kprobe
            | ProgramKind::PerfEvent
            | ProgramKind::Uprobe
            | ProgramKind::Run => false,
        }
    }
}

/// One BPF program.
#[derive(Clone, Debug)]
pub struct ProgramDef {
    /// Name as the kernel shows it (at most 15 bytes, `[A-Za-z0-9_]`).
    pub name: String,
    /// Where it is attached.
    pub site: Site,
    /// How it is loaded.
    pub kind: ProgramKind,
    /// Instructions; the immediates of those in `relocs` are filled in at load time.
    pub insns: Vec<bpf::Insn>,
    /// Instructions that refer to maps.
    pub relocs: Vec<Reloc>,
    /// Functions behind the program itself, ascending by `insn`.
    pub functions: Vec<FunctionDef>,
    /// Which source position each run of instructions comes from, ascending by `insn`.
    pub lines: Vec<LineInfo>,
    /// Indices of the clauses compiled into it.
    pub clauses: Vec<u32>,
    /// Where a [`ProgramKind::Uprobe`] is attached.
    pub attachments: Vec<Attachment>,
    /// Its place, if it is a later part of its site's program: nothing fires it, the part before it jumps there.
    pub part: Option<Part>,
    /// How much it is, in the measure of the compiler's budget.
    pub cost: u32,
    /// It could be split into smaller parts.
    pub divisible: bool,
}

impl ProgramDef {
    /// Whether it is what the site fires, and no later part of that.
    pub fn fires(&self) -> bool {
        self.part.is_none()
    }
}

/// Place of a program in a map of programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Index into [`Image::maps`].
    pub map: u32,
    /// Element of the map.
    pub index: u32,
}

/// A function that the program calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionDef {
    /// Its first instruction.
    pub insn: u32,
    /// Name (`[A-Za-z0-9_]`).
    pub name: String,
    /// Of a function that the verifier is to check by itself, its arguments: bytes of memory that one is the address
    /// of, or `None` for a number.
    pub params: Option<Vec<Option<u32>>>,
}

/// A two-slot `ld_imm64` that is to hold a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reloc {
    /// Index of the first slot of the instruction.
    pub insn: u32,
    /// Index into [`Image::maps`].
    pub map: u32,
    /// `None`: the map itself; `Some(off)`: the address of byte `off` of the map's (only) value.
    pub value_off: Option<u32>,
}

/// Source position of the instructions from `insn` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineInfo {
    /// First instruction.
    pub insn: u32,
    /// Clause index.
    pub clause: u32,
    /// Line in its source, from 1.
    pub line: u32,
    /// Column, from 1.
    pub col: u32,
}

/// What a map is for; says how the kernel side sizes, fills and shares it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MapRole {
    /// Gate, exit status: [`layout::control`]. Array of one, memory-mapped.
    Control,
    /// Drop counters: [`layout::drops`], one stride a CPU. Array of one, memory-mapped.
    Drops,
    /// Global scalar variables. Array of one, memory-mapped.
    Globals,
    /// Constants (`init`), frozen before the programs are loaded. Array of one.
    Rodata,
    /// Working memory, one element a program and CPU. Array.
    Scratch,
    /// Principal buffer of this CPU: a ring buffer of `bufsize` bytes.
    Ring(u32),
    /// Principal buffers of a machine with many CPUs: array of maps indexed by CPU, each a ring buffer.
    Rings,
    /// Principal buffers that are read at the end: [`layout::kept`], one element a CPU. Array, memory-mapped.
    Kept,
    /// Control events: [`layout::event`]. One ring buffer.
    Events,
    /// Files and their tables: [`layout::unwind`]. Hash.
    UnwindFiles,
    /// Tables: [`layout::unwind`]. Array of maps.
    UnwindPool,
    /// The process words seen last: [`layout::process`]. Array of one.
    Sighted,
    /// States of speculations: [`layout::spec`]. Array of one, memory-mapped.
    SpecStates,
    /// Buffers of speculations: [`layout::spec`]. Array, memory-mapped.
    SpecBuffers,
    /// Thread-local variables. Task storage.
    Thread,
    /// An associative array.
    Assoc(u32),
    /// A keyed aggregation's entries, by index into [`Image::aggs`].
    Agg(u32),
    /// The values of all aggregations with [`AggStorage::Slots`]. Array of one, memory-mapped.
    Slots,
    /// The later parts of one site's program, by number. Array of programs.
    Parts,
}

/// Kernel type of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MapKind {
    /// `BPF_MAP_TYPE_ARRAY`.
    Array,
    /// `BPF_MAP_TYPE_HASH`.
    Hash,
    /// `BPF_MAP_TYPE_PERCPU_HASH`.
    PercpuHash,
    /// `BPF_MAP_TYPE_RINGBUF`.
    Ringbuf,
    /// `BPF_MAP_TYPE_ARRAY_OF_MAPS` whose elements are ring buffers, one a CPU.
    RingbufArray,
    /// `BPF_MAP_TYPE_ARRAY_OF_MAPS` whose elements are arrays ([`layout::unwind`]), made when they are needed;
    /// `value_size` is that of their elements, `max_entries` the most arrays.
    Chunks,
    /// `BPF_MAP_TYPE_TASK_STORAGE`.
    TaskStorage,
    /// `BPF_MAP_TYPE_PROG_ARRAY`.
    Programs,
}

/// One map.
#[derive(Clone, Debug)]
pub struct MapDef {
    /// Name as the kernel shows it (at most 15 bytes).
    pub name: String,
    /// What it is for.
    pub role: MapRole,
    /// Kernel type.
    pub kind: MapKind,
    /// Bytes of a key.
    pub key_size: u32,
    /// Bytes of a value. For arrays with one stride a CPU this is the whole, for all possible CPUs.
    pub value_size: u32,
    /// Entries; for rings, bytes of one ring (a power of two, multiple of the page size).
    pub max_entries: u32,
    /// Map it into this process's memory (`BPF_F_MMAPABLE`).
    pub mmap: bool,
    /// Initial contents of element 0, for `Rodata` and `Globals`.
    pub init: Vec<u8>,
}

/// One clause (after `if`/`else` has been split into clauses of its own).
#[derive(Clone, Debug, Default)]
pub struct ClauseDesc {
    /// Bytes of the fixed part of its record, header not counted.
    pub fixed_size: u32,
    /// Recording actions in order. Empty with `records` set: the default action (prefix line only).
    pub actions: Vec<ActionDesc>,
    /// Whether a firing sends a record at all.
    pub records: bool,
    /// Enabled-probe ids: `epids[i]` belongs to probe index `probes[i]`.
    pub probes: Vec<u32>,
    /// See `probes`. Enabled-probe ids count from 1 over the whole program.
    pub epids: Vec<u32>,
    /// Source line of the clause, for messages.
    pub line: u32,
}

impl ClauseDesc {
    /// Most bytes that a record of this clause takes.
    pub fn record_bytes(&self, strsize: u32) -> u64 {
        let variable = |d: &Datum| match d.kind {
            DatumKind::VarStr => u64::from(strsize),
            DatumKind::Stack { user, frames } => 8 * (u64::from(frames) + u64::from(user)),
            DatumKind::Int { .. }
            | DatumKind::Bytes { .. }
            | DatumKind::InlineStr { .. }
            | DatumKind::Sym(_)
            | DatumKind::Probe(_) => 0,
        };
        let data = self.actions.iter().flat_map(|a| &a.data);
        u64::from(layout::record::HEADER)
            + u64::from(self.fixed_size)
            + data.map(variable).sum::<u64>()
    }
}

/// One recording action and where its data lie.
#[derive(Clone, Debug)]
pub struct ActionDesc {
    /// What to do with the data.
    pub kind: ActionKind,
    /// Its data in order.
    pub data: Vec<Datum>,
}

/// What the consumer does when it reads an action's data.
#[derive(Clone, Debug)]
pub enum ActionKind {
    /// `trace(e)`: one datum.
    Trace,
    /// `tracemem(addr, n[, dyn])`: a `Bytes` datum, and with `dynamic` an `Int` that limits it.
    Tracemem {
        /// The third argument was given.
        dynamic: bool,
    },
    /// `printf(fmt, …)`: one datum a conversion argument (and a `*`).
    Printf(Format),
    /// `printa([fmt,] @a, …)`: no data.
    Printa {
        /// The format, if given.
        format: Option<Format>,
        /// Indices into [`Image::aggs`].
        aggs: Vec<u32>,
    },
    /// `print(e)`: one datum, shown as this type.
    Print(PrintType),
    /// `stack()`, `ustack()`, `jstack()`: one `Stack` datum.
    Stack,
    /// `sym() func() mod() usym() ufunc() umod() uaddr()` as a statement: one `Sym` datum.
    Sym,
    /// `exit(status)`: one `Int` datum.
    Exit,
    /// `clear(@a)`.
    Clear(u32),
    /// `trunc(@a[, n])`: an `Int` datum if `n` was given.
    Trunc(u32),
    /// `normalize(@a, n)`: one `Int` datum.
    Normalize(u32),
    /// `denormalize(@a)`.
    Denormalize(u32),
    /// `system(fmt, …)`.
    System(Format),
    /// `freopen(fmt, …)`.
    Freopen(Format),
    /// `ftruncate()`.
    Ftruncate,
    /// `setopt(name[, value])`: one or two string data.
    Setopt,
}

/// One piece of recorded data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Datum {
    /// Encoding.
    pub kind: DatumKind,
    /// Byte offset in the fixed part of the record (after the header).
    pub offset: u32,
}

/// Encoding of a datum in a record (native byte order), see [`layout`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DatumKind {
    /// An integer or pointer of 1, 2, 4 or 8 bytes.
    Int {
        /// Bytes.
        bytes: u8,
        /// Signed type.
        signed: bool,
    },
    /// `len` raw bytes in the fixed part.
    Bytes {
        /// Length in bytes.
        len: u32,
        /// The D type was an array of char (shown as a string if it looks like one).
        chars: bool,
    },
    /// A string of fewer than `cap` bytes, NUL-terminated in `cap` bytes of the fixed part.
    InlineStr {
        /// Bytes reserved.
        cap: u32,
    },
    /// A string in the variable part; the fixed part holds its length (u32, NUL not counted).
    VarStr,
    /// Program counters (u64) in the variable part; the fixed part holds their length in bytes (u32).
    /// For user stacks the process id (u64) comes first and is counted in the length.
    Stack {
        /// User or kernel stack.
        user: bool,
        /// Words of frames: for kernel stacks [`layout::SPARE_FRAMES`] more than are shown.
        frames: u32,
    },
    /// One address to be shown as a symbol; for user kinds followed by the process id (u64 each).
    Sym(SymKind),
    /// A field of the probe that fired; nothing is recorded.
    Probe(ProbeField),
}

/// How an address is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SymKind {
    /// `sym()`, `func()`: kernel function.
    Sym,
    /// `mod()`: kernel module.
    Mod,
    /// `usym()`, `ufunc()`: user function.
    Usym,
    /// `umod()`: user module.
    Umod,
    /// `uaddr()`: user address with offset.
    Uaddr,
}

/// A component of the probe's description.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ProbeField {
    /// `probeprov`.
    Provider,
    /// `probemod`.
    Module,
    /// `probefunc`.
    Function,
    /// `probename`.
    Name,
}

/// One aggregation.
#[derive(Clone, Debug)]
pub struct AggDesc {
    /// Name without `@` (`_` for the anonymous one).
    pub name: String,
    /// Function and constant parameters.
    pub func: AggFunc,
    /// Keys in order.
    pub keys: Vec<KeyDesc>,
    /// Bytes of the whole key (0 without keys).
    pub key_size: u32,
    /// 64-bit words of one CPU's value: [`AggFunc::words`].
    pub words: u32,
    /// Where the values are.
    pub storage: AggStorage,
}

/// Where an aggregation's values are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AggStorage {
    /// Index of a per-CPU hash, or of a plain hash whose values hold one stride a CPU, for the next power of two of
    /// CPUs, or one value for all CPUs.
    Hash(u32),
    /// A memory-mapped array of one element: `slots` values of `stride` bytes for CPU 0, then for CPU 1, …
    /// With `slots` > 1 the slot is the probe index (its only keys are probe fields).
    Slots {
        /// Index of the map.
        map: u32,
        /// Byte offset of CPU 0's first slot in the map's value.
        offset: u32,
        /// Values a CPU.
        slots: u32,
        /// Bytes a value.
        stride: u32,
        /// Bytes from one CPU's slots to the next CPU's.
        cpu_stride: u32,
    },
}

/// One key of an aggregation and where it lies in the key bytes. Keys are zero-padded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyDesc {
    /// Encoding.
    pub kind: KeyKind,
    /// Byte offset in the key.
    pub offset: u32,
}

/// Encoding of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyKind {
    /// An integer.
    Int {
        /// Bytes.
        bytes: u8,
        /// Signed type.
        signed: bool,
    },
    /// A string, zero-padded to `cap` bytes.
    Str {
        /// Bytes reserved.
        cap: u32,
    },
    /// A component of the probe that fired: a u32 probe index (absent with [`AggStorage::Slots`]).
    /// Several probes may share the component: the consumer merges them.
    Probe(ProbeField),
    /// `frames` program counters, zero-padded; for user stacks the process id (u64) comes first.
    Stack {
        /// User or kernel stack.
        user: bool,
        /// Words of frames: for kernel stacks [`layout::SPARE_FRAMES`] more than are shown.
        frames: u32,
    },
    /// An address (u64); for user kinds the process id (u64) comes after it.
    Sym(SymKind),
}

/// An aggregating function with its constant parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AggFunc {
    /// `count()`: `[n]`.
    Count,
    /// `sum(e)`: `[Σ, seen]`; `seen` tells a sum of zero from no sum.
    Sum,
    /// `min(e)`: `[valid, value]`.
    Min,
    /// `max(e)`: `[valid, value]`.
    Max,
    /// `avg(e)`: `[n, Σ]`.
    Avg,
    /// `stddev(e)`: `[n, Σ, Σx² low, Σx² high]`.
    Stddev,
    /// `quantize(e)`: 127 buckets.
    Quantize,
    /// `lquantize(e, base, limit, step)`: underflow, levels, overflow.
    Lquantize {
        /// Lower bound of the first level.
        base: i32,
        /// Upper bound.
        limit: i32,
        /// Width of a level.
        step: u32,
    },
    /// `llquantize(e, factor, low, high, nsteps)`.
    Llquantize {
        /// Base of the magnitudes.
        factor: u32,
        /// Lowest magnitude.
        low: u32,
        /// Highest magnitude.
        high: u32,
        /// Linear steps a magnitude.
        nsteps: u32,
    },
}

impl AggFunc {
    /// 64-bit words of a value.
    pub fn words(self) -> u32 {
        match self {
            AggFunc::Count => 1,
            AggFunc::Sum | AggFunc::Min | AggFunc::Max | AggFunc::Avg => 2,
            AggFunc::Stddev => 4,
            AggFunc::Quantize => layout::QUANTIZE_BUCKETS,
            AggFunc::Lquantize { base, limit, step } => {
                ((i64::from(limit) - i64::from(base)) / i64::from(step.max(1))) as u32 + 2
            }
            AggFunc::Llquantize {
                factor,
                low,
                high,
                nsteps,
            } => layout::llquantize_buckets(factor, low, high, nsteps),
        }
    }
}

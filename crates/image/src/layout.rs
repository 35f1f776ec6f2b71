//! Byte layouts that the BPF programs write and the consumer reads. Native byte order throughout.
//!
//! A record in a principal buffer is a header, the clause's fixed part, then its variable part: the bytes of each
//! `VarStr` and `Stack` datum in action order, without padding between them.

/// Header of every record: `u64 timestamp`, `u32 clause`, `u32 probe`.
pub mod record {
    /// Bytes of the header.
    pub const HEADER: u32 = 16;
    /// Offset of the timestamp (u64, `CLOCK_MONOTONIC` ns).
    pub const TIMESTAMP: u32 = 0;
    /// Offset of the clause index (u32).
    pub const CLAUSE: u32 = 8;
    /// Offset of the probe index (u32).
    pub const PROBE: u32 = 12;
}

/// The control map's value (u64 words).
pub mod control {
    /// 0 closed, 1 open, 2 exiting.
    pub const GATE: u32 = 0;
    /// Status given to the last `exit()`.
    pub const EXIT_STATUS: u32 = 8;
    /// CPU that called `exit()` last.
    pub const EXIT_CPU: u32 = 16;
    /// Added to the monotonic clock gives `walltimestamp` (written by the consumer before start).
    pub const WALL_OFFSET: u32 = 24;
    /// Process id of the target (`$target`), 0 if none.
    pub const TARGET: u32 = 32;
    /// A fault before this time wakes nobody: the consumer has just been woken by one, and looks again soon.
    pub const QUIET_UNTIL: u32 = 40;
    /// Bytes.
    pub const SIZE: u32 = 64;
    /// Nanoseconds from the fault that wakes the consumer to the next one that does. What fires when the consumer gets the
    /// processor, and faults each time, would otherwise keep everybody else from it.
    pub const QUIET_NS: u32 = 5_000_000;
    /// Gate values.
    pub const GATE_CLOSED: u64 = 0;
    /// Tracing.
    pub const GATE_OPEN: u64 = 1;
    /// `exit()` was called.
    pub const GATE_EXITING: u64 = 2;
}

/// The drops map's value: per CPU one stride of u64 counters, one a [`Kind`](drops::Kind).
pub mod drops {
    /// Why data was lost.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Kind {
        /// Records that did not fit the principal buffer.
        Principal,
        /// Aggregation entries that could not be made.
        Aggregation,
        /// Dynamic variables that could not be made.
        Dynamic,
        /// Faults in ERROR clauses.
        ErrorInError,
        /// Events (fault reports) that did not fit the event ring.
        Event,
        /// Records that did not fit a speculative buffer.
        Speculative,
        /// `speculation()` found none free, but some that are being committed.
        SpecBusy,
        /// `speculation()` found none free.
        SpecUnavailable,
        /// System calls of 32-bit processes, whose numbers are not those of the traced ones.
        Foreign,
        /// User stacks that were walked by frame pointers in part, because tables were not there.
        Unwind,
        /// Firings of user-space probes that found too many others under way on their CPU.
        Preempted,
    }

    impl Kind {
        /// How many there are.
        pub const COUNT: usize = Kind::Preempted as usize + 1;

        /// Bytes from the start of a CPU's counters to the one of this kind.
        pub const fn offset(self) -> u32 {
            self as u32 * 8
        }
    }

    /// What one CPU lost, by kind.
    pub type Counts = [u64; Kind::COUNT];

    /// Bytes from one CPU's counters to the next's.
    pub const STRIDE: u32 = 128;
    const _: () = assert!(Kind::COUNT * 8 <= STRIDE as usize);
}

/// Speculations: a map of states and a map of buffers. Each speculation has the same number of slots, a power of two; a
/// slot is an entry of the map of states and, for each CPU, an element of the map of buffers, in order of speculation,
/// slot and CPU.
///
/// A speculation's state word, in its first slot, is a generation in the high half, which grows when the speculation
/// ends, and a state in the low half. A generation uses the slot that its low bits say. `commit()` leaves time and
/// clause in that slot, and the speculation is free at once; it cannot be had only while the slot of its next generation
/// has not been read. The consumer clears the slot's word when it has read the buffers.
///
/// A buffer belongs to the generation that its own word names; one of another generation is empty. Who writes to a buffer
/// counts itself in, looks whether the state word is still the one that led to the buffer, writes, and counts itself out:
/// so a buffer that is committed and has no writers will not change any more.
pub mod spec {
    /// Bytes of an entry of the map of states, as a shift.
    pub const STATE_SHIFT: u32 = 5;
    /// Bytes of an entry of the map of states.
    pub const STATE_STRIDE: u32 = 1 << STATE_SHIFT;
    /// In the first entry of a speculation: u64 state word.
    pub const STATE: u32 = 0;
    /// In an entry: u64 timestamp of the `commit()`.
    pub const TIME: u32 = 8;
    /// In an entry: u64 index of the clause that committed.
    pub const CLAUSE: u32 = 16;
    /// In an entry: u64, 0, or while the consumer is to read the buffers, the generation that was committed in the high
    /// half and 1 in the low half.
    pub const COMMITTED: u32 = 24;
    /// State: free.
    pub const INACTIVE: u32 = 0;
    /// State: `speculation()` gave it away.
    pub const ACTIVE: u32 = 1;
    /// State: `commit()` is noting time and clause.
    pub const CLOSING: u32 = 2;
    /// Bits of the state word below the generation.
    pub const GENERATION_SHIFT: u32 = 32;
    /// In a buffer: u64, generation in the high half, bytes used in the low half.
    pub const USED: u32 = 0;
    /// In a buffer: u64 count of those who write to it.
    pub const WRITERS: u32 = 8;
    /// In a buffer: the first entry. An entry is the u64 length of a record, the record, and padding to eight bytes.
    pub const DATA: u32 = 16;
    /// Bytes before the record of an entry.
    pub const ENTRY: u32 = 8;
}

/// Principal buffers of the policies `fill` and `ring`: an array with one element a CPU, read when nothing writes to it.
///
/// Positions count the bytes that records have taken, in words; a position's place is its remainder by the size of the
/// buffer. An entry never wraps: one that begins before the end of the buffer ends in the slack behind it. As each entry
/// says how long the one before it is, the reader goes backwards from the newest to the oldest that is not overwritten.
pub mod kept {
    /// u64: words taken so far in the high bits, words of the newest entry in the low ones ([`LAST_BITS`]).
    pub const HEAD: u32 = 0;
    /// u64: 1 when a record did not fit (`fill`).
    pub const FILLED: u32 = 8;
    /// First byte of the buffer proper.
    pub const DATA: u32 = 64;
    /// In an entry: u32 length of the record in bytes.
    pub const LEN: u32 = 0;
    /// In an entry: u32 words of the entry before it.
    pub const BEFORE: u32 = 4;
    /// Bytes of an entry before its record. Entries are padded to words of eight bytes.
    pub const ENTRY: u32 = 8;
    /// Bits of [`HEAD`] that hold the newest entry's words.
    pub const LAST_BITS: u32 = 24;
}

/// Control events, all of one size.
pub mod event {
    /// u32: one of the kinds below.
    pub const KIND: u32 = 0;
    /// u32 CPU.
    pub const CPU: u32 = 4;
    /// u32 clause index.
    pub const CLAUSE: u32 = 8;
    /// u32 probe index.
    pub const PROBE: u32 = 12;
    /// u32 action number, counted from 1; 0 for the predicate.
    pub const ACTION: u32 = 16;
    /// u32 fault code ([`super::Fault`]).
    pub const FAULT: u32 = 20;
    /// u64 faulting address.
    pub const ADDRESS: u32 = 24;
    /// u64 timestamp.
    pub const TIMESTAMP: u32 = 32;
    /// u32 BPF instruction index.
    pub const PC: u32 = 40;
    /// Bytes of an event.
    pub const SIZE: u32 = 48;
    /// Kind: a fault; wakes the consumer, but not soon after another has ([`super::control::QUIET_UNTIL`]).
    pub const FAULTED: u32 = 1;
    /// Kind: `exit()` was called; wakes the consumer.
    pub const EXITED: u32 = 2;
    /// Kind: a process word ([`super::process`], in `ADDRESS`) was seen for the first time; wakes the consumer. Losing it
    /// may cost names of its addresses.
    pub const SIGHTED: u32 = 4;
    /// Kind: `commit()` was called; wakes the consumer. Losing it only costs time.
    pub const COMMITTED: u32 = 3;
    /// Kind: a program asks for the table of a file ([`super::unwind`]); wakes the consumer. Losing it only costs time.
    pub const TABLE: u32 = 5;
    /// Kind: a buffer is full; wakes the consumer.
    pub const FILLED: u32 = 6;
}

/// The word that goes with user addresses: the process id in the low half, in the high half a stamp of when the process
/// started and how many programs it has run, so that neither a reused number nor `execve(2)` mixes up two address spaces.
/// Who knows no more may compare stamps, but not take them apart.
pub mod process {
    /// Bits below the stamp.
    pub const STAMP_SHIFT: u32 = 32;
    /// The start time counts in units of so many bits of nanoseconds.
    pub const START_SHIFT: u32 = 12;
    /// What each `execve(2)` adds to the stamp.
    pub const EXEC_FACTOR: u32 = 0x1e37_79b1;
    /// Entries of the table of words seen last.
    pub const SLOTS: u32 = 2048;

    /// The process id.
    pub fn pid(word: u64) -> u32 {
        word as u32
    }
}

/// Tables for walking user stacks without frame pointers: a map of files and a pool of 64-bit words.
///
/// A file's table is keyed by offsets in the file. It begins with an entry for each page of 256 bytes of code, then has
/// rows. An entry is a rule (below [`unwind::ROWS`]), or the pool address of rows, in units of 32 bits, with their
/// number at [`unwind::ROWS`]. A row is the offset in the page where it begins to hold, in the low byte, and a rule
/// above it; a page's first row is for offset 0, and the rows of a page lie in one element of the pool.
///
/// A rule says how the caller's registers are found: a kind, where `rbp` was saved, and a distance. On 64-bit Arm, where
/// calls leave the return address in a register (`x30`) that is saved beside `x29` if at all, one kind has them all
/// ([`unwind::LINKED`]).
pub mod unwind {
    /// Bytes of code that an entry is for, as a shift.
    pub const PAGE_SHIFT: u32 = 8;
    /// In an entry: where the number of rows begins, as a shift; 0 rows mean that the low bits are a rule.
    pub const ROWS: u32 = 32;
    /// In a row: where the rule begins, as a shift.
    pub const ROW_RULE: u32 = 8;
    /// Bits of a rule.
    pub const RULE_BITS: u32 = 24;
    /// In a rule: bits of the kind.
    pub const KIND_BITS: u32 = 3;
    /// In a rule: bits of where `rbp` was saved, above the kind.
    pub const RBP_BITS: u32 = 5;
    /// In a rule: where the distance begins, as a shift. It counts in 8 bytes, from [`DISTANCE_BIAS`] below zero.
    pub const DISTANCE: u32 = KIND_BITS + RBP_BITS;
    /// What the distance of 0 is stored as.
    pub const DISTANCE_BIAS: u32 = 64;

    /// Kind: nothing is known of this code.
    pub const UNKNOWN: u32 = 0;
    /// Kind: the frame begins at `rsp` plus the distance.
    pub const RSP: u32 = 1;
    /// Kind: the frame begins at `rbp` plus the distance.
    pub const RBP: u32 = 2;
    /// Kind: the frame begins where the word at `rbp` plus the distance says, and the caller's `rbp` is at `rbp`.
    pub const AT_RBP: u32 = 3;
    /// Kind: the return from a signal handler; `rsp` is the address of the kernel's `struct ucontext`.
    pub const SIGNAL: u32 = 4;
    /// Kind: the outermost frame.
    pub const END: u32 = 5;
    /// Kind: the code keeps frame pointers.
    pub const POINTER: u32 = 6;
    /// Kind: a frame of 64-bit Arm. Above the kind: the bit [`LINK_FP`], a mode, an index, a distance.
    pub const LINKED: u32 = 7;

    /// In a rule of kind [`LINKED`]: the frame begins at `x29` plus the distance, not at `sp` plus the distance.
    pub const LINK_FP: u32 = 1 << KIND_BITS;
    /// In such a rule: where the mode begins, as a shift.
    pub const LINK_MODE: u32 = KIND_BITS + 1;
    /// In such a rule: where the index begins, as a shift.
    pub const LINK_INDEX: u32 = LINK_MODE + 2;
    /// In such a rule: where the distance begins, as a shift. It counts in 16 bytes, as the index of pairs does.
    pub const LINK_DISTANCE: u32 = LINK_INDEX + 6;
    /// Mode: `x29` was not changed, the return address was saved so many words below the beginning of the frame; at 0 it is
    /// still in `x30`.
    pub const LINK_ONLY_HIGH: u32 = 0;
    /// Mode: `x29` was not changed, the return address was saved so many words above what the distance is from.
    pub const LINK_ONLY_LOW: u32 = 1;
    /// Mode: `x29` and behind it the return address were saved at the index below the beginning of the frame.
    pub const LINK_PAIR_HIGH: u32 = 2;
    /// Mode: they were saved at the index above what the distance is from.
    pub const LINK_PAIR_LOW: u32 = 3;

    /// Where `rbp` was saved: it was not changed. Other values are words below the one that holds the return address.
    pub const RBP_SAME: u32 = 0;
    /// Where `rbp` was saved: that is not known.
    pub const RBP_LOST: u32 = 31;

    /// Bytes of an element of the pool.
    pub const ELEMENT: u32 = 4096;
    /// Words of an element, as a shift.
    pub const ELEMENT_SHIFT: u32 = 9;
    /// Elements of a chunk, as a shift: the pool grows by chunks.
    pub const CHUNK_SHIFT: u32 = 8;

    /// Key of the map of files: u64 inode number, u64 size in bytes, u32 device, u32 zero.
    pub const KEY: u32 = 24;
    /// Device that stands for the code that the kernel maps into each process (vDSO); inode and size are 0.
    pub const VDSO: u32 = u32::MAX;
    /// In a file's entry: u32, one of the states below.
    pub const STATE: u32 = 0;
    /// In a file's entry: u32 number of the first page in its table.
    pub const FIRST: u32 = 4;
    /// In a file's entry: u32 number of pages.
    pub const PAGES: u32 = 8;
    /// In a file's entry: u32 process that asks for the table.
    pub const PID: u32 = 12;
    /// In a file's entry: u64 pool address of the table, in words; while it is asked for, an address of the mapping.
    pub const ADDRESS: u32 = 16;
    /// Bytes of a file's entry.
    pub const FILE: u32 = 24;
    /// State: a program has met the file, and asks for its table.
    pub const ASKED: u32 = 0;
    /// State: the table is there.
    pub const READY: u32 = 1;
    /// State: the file has none; its code is taken to keep frame pointers.
    pub const NONE: u32 = 2;
}

/// Run-time fault codes, as `dtrace:::ERROR`'s arg4 shows them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum Fault {
    /// unknown fault
    Unknown = 0,
    /// invalid address
    BadAddr = 1,
    /// invalid alignment
    BadAlign = 2,
    /// illegal operation
    IllOp = 3,
    /// divide-by-zero
    DivZero = 4,
    /// out of scratch space
    NoScratch = 5,
    /// invalid kernel access
    KPriv = 6,
    /// invalid user access
    UPriv = 7,
    /// tuple stack overflow
    TupOflow = 8,
    /// bad stack
    BadStack = 9,
}

impl Fault {
    /// Every fault, in code order.
    pub const ALL: [Fault; 10] = [
        Fault::Unknown,
        Fault::BadAddr,
        Fault::BadAlign,
        Fault::IllOp,
        Fault::DivZero,
        Fault::NoScratch,
        Fault::KPriv,
        Fault::UPriv,
        Fault::TupOflow,
        Fault::BadStack,
    ];

    /// Text of the fault in messages.
    pub fn text(self) -> &'static str {
        match self {
            Fault::Unknown => "unknown fault",
            Fault::BadAddr => "invalid address",
            Fault::BadAlign => "invalid alignment",
            Fault::IllOp => "illegal operation",
            Fault::DivZero => "divide-by-zero",
            Fault::NoScratch => "out of scratch space",
            Fault::KPriv => "invalid kernel access",
            Fault::UPriv => "invalid user access",
            Fault::TupOflow => "tuple stack overflow",
            Fault::BadStack => "bad stack",
        }
    }

    /// Whether messages show the faulting address.
    pub fn has_address(self) -> bool {
        matches!(self, Fault::BadAddr | Fault::BadAlign | Fault::BadStack)
    }
}

/// Frames of a kernel stack that are recorded beyond those asked for: where a tracepoint has several programs, also those of
/// other tracers, the kernel calls them through one or two functions more, which the consumer drops.
pub const SPARE_FRAMES: u32 = 3;

/// Buckets of `quantize()`: −2^62 … −1, 0, 1 … 2^62; bucket 63 is zero.
pub const QUANTIZE_BUCKETS: u32 = 127;
/// Index of the zero bucket of `quantize()`.
pub const QUANTIZE_ZERO: u32 = 63;

/// Lower bound of a `quantize()` bucket.
pub fn quantize_value(bucket: u32) -> i64 {
    match bucket {
        b if b < QUANTIZE_ZERO => -(1i64 << (QUANTIZE_ZERO - 1 - b)),
        QUANTIZE_ZERO => 0,
        b => 1i64 << (b - QUANTIZE_ZERO - 1),
    }
}

/// Number of buckets of `llquantize()`: under, each magnitude's steps without those of the one below, over.
pub fn llquantize_buckets(factor: u32, low: u32, high: u32, nsteps: u32) -> u32 {
    llquantize_bounds(factor, low, high, nsteps).len() as u32 + 1
}

/// Lower bounds of the `llquantize()` buckets 1.. (bucket 0 is below the first bound; the last bucket begins at the
/// last bound). Source: the algorithm of `dtrace_aggregate_llquantize_bucket`.
pub fn llquantize_bounds(factor: u32, low: u32, high: u32, nsteps: u32) -> Vec<i64> {
    let factor = i64::from(factor);
    let mut bounds = Vec::new();
    let mut value: i64 = 1;
    for _ in 0..low {
        value = value.saturating_mul(factor);
    }
    for _ in low..=high {
        let next = value.saturating_mul(factor);
        let steps = next.min(i64::from(nsteps));
        let step = (next / steps.max(1)).max(1);
        let mut v = value;
        while v < next {
            bounds.push(v);
            v = match v.checked_add(step) {
                Some(v) => v,
                None => break,
            };
        }
        value = next;
    }
    bounds.push(value);
    bounds
}

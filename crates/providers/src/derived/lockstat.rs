//! `lockstat`: threads that wait for locks of the kernel, from `contention_begin` and `contention_end` (Linux 5.19).
//!
//! A wait is remembered by thread and lock, because waits nest: an interrupt may spin while a thread spins, and a mutex has a
//! spin lock inside. Taking and releasing locks without waiting shows at their functions only.

use super::{
    ArgRow, Place, Row, Setup, Table, Value, after, at, before, entry, never, plain, remembering,
    ret, row, v, way,
};
use crate::stability::EVOLVING_COMMON;

pub(super) const TABLE: Table = Table {
    provider: "lockstat",
    stability: &EVOLVING_COMMON,
    rows: ROWS,
};

/// The wait is over.
const END: &str = "contention_end";
const BEGIN: &str = "contention_begin";

const LOCK: Value = v(&["args[0]"]);

const fn since(text: super::Texts) -> Value {
    v(text)
}

/// Flags of `contention_begin`: 1 spins, 2 reads, 4 writes, 8 a real-time mutex, 16 one per CPU, 32 a mutex.
const MUTEX_SPINS: Setup = before(
    "mutex-spins",
    &["self uint64_t __dt_mspin[uintptr_t];"],
    at(BEGIN).when(&["(args[1] & 0x21) == 0x21"]),
    &[
        "self->__dt_mspin[(uintptr_t)args[0]] = self->__dt_mspin[(uintptr_t)args[0]] != 0 ? self->__dt_mspin[(uintptr_t)args[0]] : timestamp",
    ],
);
const MUTEX_BLOCKS: Setup = before(
    "mutex-blocks",
    &["self uint64_t __dt_mblock[uintptr_t];"],
    at(BEGIN).when(&["(args[1] & 0x21) == 0x20"]),
    &[
        "self->__dt_mblock[(uintptr_t)args[0]] = self->__dt_mblock[(uintptr_t)args[0]] != 0 ? self->__dt_mblock[(uintptr_t)args[0]] : timestamp",
    ],
);
const MUTEX_OVER: Setup = after(
    "mutex-over",
    at(END).when(&["self->__dt_mspin[(uintptr_t)args[0]] != 0"]),
    &["self->__dt_mspin[(uintptr_t)args[0]] = 0"],
);
const MUTEX_WOKEN: Setup = after(
    "mutex-woken",
    at(END).when(&["self->__dt_mblock[(uintptr_t)args[0]] != 0"]),
    &["self->__dt_mblock[(uintptr_t)args[0]] = 0"],
);
const SPINS: Setup = before(
    "spins",
    &["self uint64_t __dt_spin[uintptr_t];"],
    at(BEGIN).when(&["(args[1] & 0x27) == 1"]),
    &["self->__dt_spin[(uintptr_t)args[0]] = timestamp"],
);
const SPUN: Setup = after(
    "spun",
    at(END).when(&["self->__dt_spin[(uintptr_t)args[0]] != 0"]),
    &["self->__dt_spin[(uintptr_t)args[0]] = 0"],
);
/// The time, with the kind in the lowest bit: 1 reads.
const RW_SPINS: Setup = before(
    "rw-spins",
    &["self uint64_t __dt_rwspin[uintptr_t];"],
    at(BEGIN).when(&["(args[1] & 1) != 0 && (args[1] & 6) != 0"]),
    &["self->__dt_rwspin[(uintptr_t)args[0]] = (timestamp & ~1) | ((args[1] >> 1) & 1)"],
);
const RW_SPUN: Setup = after(
    "rw-spun",
    at(END).when(&["self->__dt_rwspin[(uintptr_t)args[0]] != 0"]),
    &["self->__dt_rwspin[(uintptr_t)args[0]] = 0"],
);
const RW_BLOCKS: Setup = before(
    "rw-blocks",
    &["self uint64_t __dt_rw[uintptr_t];", "self uint64_t __dt_rwcount[uintptr_t];"],
    at(BEGIN).when(&["(args[1] & 0x11) == 0 && (args[1] & 6) != 0"]),
    &["self->__dt_rw[(uintptr_t)args[0]] = (timestamp & ~1) | ((args[1] >> 1) & 1),
       self->__dt_rwcount[(uintptr_t)args[0]] = ((struct rw_semaphore *)(uintptr_t)args[0])->count.counter"],
);
const RW_WOKEN: Setup = after(
    "rw-woken",
    at(END).when(&["self->__dt_rw[(uintptr_t)args[0]] != 0"]),
    &["self->__dt_rw[(uintptr_t)args[0]] = 0, self->__dt_rwcount[(uintptr_t)args[0]] = 0"],
);

const ENDS: Place = at(END);
const LOCK_AND_TIME: &[ArgRow] = &[plain("void *"), plain("uint64_t")];

const MUTEX: &[ArgRow] = &[plain("struct mutex *")];
const RW: &[ArgRow] = &[plain("struct rw_semaphore *"), plain("int")];
/// `RW_READER`, `RW_WRITER`
const READER: Value = v(&["1"]);
const WRITER: Value = v(&["0"]);

const INVISIBLE: &str = "taking and giving back a spin lock is often no call of a function";

const ROWS: &[Row] = &[
    row(
        "adaptive-spin",
        LOCK_AND_TIME,
        &[remembering(
            &[ENDS
                .when(&["self->__dt_mspin[(uintptr_t)args[0]] != 0 && self->__dt_mblock[(uintptr_t)args[0]] == 0"])
                .args(&[LOCK, since(&["timestamp - self->__dt_mspin[(uintptr_t)args[0]]"])])],
            &[MUTEX_SPINS, MUTEX_BLOCKS, MUTEX_OVER, MUTEX_WOKEN],
        )],
    ),
    row(
        "adaptive-block",
        LOCK_AND_TIME,
        &[remembering(
            &[ENDS
                .when(&["self->__dt_mblock[(uintptr_t)args[0]] != 0"])
                .args(&[LOCK, since(&["timestamp - self->__dt_mblock[(uintptr_t)args[0]]"])])],
            &[MUTEX_BLOCKS, MUTEX_WOKEN],
        )],
    ),
    row(
        "spin-spin",
        LOCK_AND_TIME,
        &[remembering(
            &[ENDS
                .when(&["self->__dt_spin[(uintptr_t)args[0]] != 0"])
                .args(&[LOCK, since(&["timestamp - self->__dt_spin[(uintptr_t)args[0]]"])])],
            &[SPINS, SPUN],
        )],
    ),
    row(
        "rw-spin",
        &[plain("void *"), plain("uint64_t"), plain("int")],
        &[remembering(
            &[ENDS
                .when(&["self->__dt_rwspin[(uintptr_t)args[0]] != 0"])
                .args(&[
                    LOCK,
                    since(&["timestamp - (self->__dt_rwspin[(uintptr_t)args[0]] & ~1)"]),
                    v(&["(int)(self->__dt_rwspin[(uintptr_t)args[0]] & 1)"]),
                ])],
            &[RW_SPINS, RW_SPUN],
        )],
    ),
    row(
        "rw-block",
        &[
            plain("struct rw_semaphore *"),
            plain("uint64_t"),
            plain("int"),
            plain("int"),
            plain("int"),
        ],
        &[remembering(
            &[ENDS
                .when(&["self->__dt_rw[(uintptr_t)args[0]] != 0"])
                .args(&[
                    v(&["(struct rw_semaphore *)(uintptr_t)args[0]"]),
                    since(&["timestamp - (self->__dt_rw[(uintptr_t)args[0]] & ~1)"]),
                    v(&["(int)(self->__dt_rw[(uintptr_t)args[0]] & 1)"]),
                    v(&["(int)(self->__dt_rwcount[(uintptr_t)args[0]] & 1)"]),
                    v(&["(int)(self->__dt_rwcount[(uintptr_t)args[0]] >> 8)"]),
                ])],
            &[RW_BLOCKS, RW_WOKEN],
        )],
    ),
    row(
        "adaptive-acquire",
        MUTEX,
        &[way(&[
            ret("mutex_lock").args(&[LOCK]),
            ret("mutex_lock_interruptible").when(&["(int)args[1] == 0"]).args(&[LOCK]),
            ret("mutex_lock_killable").when(&["(int)args[1] == 0"]).args(&[LOCK]),
            ret("mutex_trylock").when(&["(int)args[1] == 1"]).args(&[LOCK]),
        ])],
    ),
    row(
        "adaptive-acquire-error",
        &[plain("struct mutex *"), plain("int")],
        &[way(&[
            ret("mutex_lock_interruptible").when(&["(int)args[1] != 0"]).args(&[LOCK, v(&["(int)args[1]"])]),
            ret("mutex_lock_killable").when(&["(int)args[1] != 0"]).args(&[LOCK, v(&["(int)args[1]"])]),
        ])],
    ),
    row("adaptive-release", MUTEX, &[way(&[entry("mutex_unlock").args(&[LOCK])])]),
    row(
        "rw-acquire",
        RW,
        &[way(&[
            ret("down_read").args(&[LOCK, READER]),
            ret("down_read_interruptible").when(&["(int)args[1] == 0"]).args(&[LOCK, READER]),
            ret("down_read_killable").when(&["(int)args[1] == 0"]).args(&[LOCK, READER]),
            ret("down_read_trylock").when(&["(int)args[1] == 1"]).args(&[LOCK, READER]),
            ret("down_write").args(&[LOCK, WRITER]),
            ret("down_write_killable").when(&["(int)args[1] == 0"]).args(&[LOCK, WRITER]),
            ret("down_write_trylock").when(&["(int)args[1] == 1"]).args(&[LOCK, WRITER]),
        ])],
    ),
    row(
        "rw-release",
        RW,
        &[way(&[
            entry("up_read").args(&[LOCK, READER]),
            entry("up_write").args(&[LOCK, WRITER]),
        ])],
    ),
    row(
        "rw-downgrade",
        &[plain("struct rw_semaphore *")],
        &[way(&[entry("downgrade_write").args(&[LOCK])])],
    ),
    never("spin-acquire", INVISIBLE),
    never("spin-release", INVISIBLE),
    never("rw-upgrade", "its readers cannot become writers"),
    never("thread-spin", "threads have no lock of their own"),
];

/// The set-ups of a mutex, for counters of others.
pub(super) const MUTEX_WAITS: &[Setup] = &[MUTEX_SPINS, MUTEX_BLOCKS, MUTEX_OVER, MUTEX_WOKEN];

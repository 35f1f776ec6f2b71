//! The probes: where in the C library each fires, when, and what its arguments are. Texts are D, as in the tables of derived
//! probes; `args[]` are the words that the function was called with, at its return the one that it gave.
//!
//! Offsets are those of glibc's 64-bit `pthread_mutex_t` (count 4, owner 8, kind 16) and `pthread_rwlock_t` (current writer
//! 24). Each variable has one meaning: `__dt_mx` the mutex that the thread wants, `__dt_mxs` how that went so far (1 it spun,
//! 2 it waited), `__dt_mr` the mutex that it gives back, `__dt_rw` the reader/writer lock that it wants, `__dt_rws` how that
//! went (2 it waited, 4 to write).

use crate::derived::{ArgRow, Texts, plain};

/// A place of the C library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum At {
    /// Entry to any of these.
    Entry(&'static [&'static str]),
    /// Return from any of these, which nothing unwinds.
    Return(&'static [&'static str]),
    /// The instructions by which any of these returns: a thread may be cancelled within.
    InPlace(&'static [&'static str]),
    /// Entry to a system call.
    Syscall,
}

/// A probe.
pub(super) struct Row {
    /// Name.
    pub name: &'static str,
    /// Types of its arguments.
    pub args: &'static [ArgRow],
    /// Where it fires.
    pub fires: &'static [Fires],
    /// What must be remembered.
    pub setups: &'static [Setup],
}

/// A place of a probe.
pub(super) struct Fires {
    /// Where.
    pub at: At,
    /// Condition; none: every time.
    pub when: Texts,
    /// Value of each argument.
    pub values: &'static [Texts],
}

/// Hidden code; those with the same key are the same.
pub(super) struct Setup {
    /// Name.
    pub key: &'static str,
    /// Where.
    pub at: At,
    /// Condition; none: every time.
    pub when: Texts,
    /// After the probes of the place.
    pub after: bool,
    /// Expressions.
    pub body: Texts,
}

/// Declarations of the variables.
pub(super) const DECLARES: &[&str] = &[
    "self uintptr_t __dt_mx;",
    "self uint32_t __dt_mxs;",
    "self uintptr_t __dt_mr;",
    "self uintptr_t __dt_rw;",
    "self uint32_t __dt_rws;",
];

/// What tells which file has the locks.
pub(super) const MARK: &str = "pthread_mutex_lock";

const LOCK: &[&str] = &[
    "pthread_mutex_lock",
    "pthread_mutex_timedlock",
    "pthread_mutex_clocklock",
    "pthread_mutex_trylock",
];
const UNLOCK: &[&str] = &["pthread_mutex_unlock"];
const COND: &[&str] = &[
    "pthread_cond_wait",
    "pthread_cond_timedwait",
    "pthread_cond_clockwait",
];
const RDLOCK: &[&str] = &[
    "pthread_rwlock_rdlock",
    "pthread_rwlock_timedrdlock",
    "pthread_rwlock_clockrdlock",
    "pthread_rwlock_tryrdlock",
];
const WRLOCK: &[&str] = &[
    "pthread_rwlock_wrlock",
    "pthread_rwlock_timedwrlock",
    "pthread_rwlock_clockwrlock",
    "pthread_rwlock_trywrlock",
];
const RWLOCK: &[&str] = &[
    "pthread_rwlock_rdlock",
    "pthread_rwlock_timedrdlock",
    "pthread_rwlock_clockrdlock",
    "pthread_rwlock_tryrdlock",
    "pthread_rwlock_wrlock",
    "pthread_rwlock_timedwrlock",
    "pthread_rwlock_clockwrlock",
    "pthread_rwlock_trywrlock",
];
const RWUNLOCK: &[&str] = &["pthread_rwlock_unlock"];

/// `futex(2)` that waits (bits: `FUTEX_WAIT`, `FUTEX_LOCK_PI`, `FUTEX_WAIT_BITSET`, `FUTEX_LOCK_PI2`) for a word of the
/// mutex, for the first time.
const MUTEX_WAITS: Texts = &[
    "self->__dt_mx != 0 && (self->__dt_mxs & 2) == 0 && args[1] == {futex} && {native} && {a0} - self->__dt_mx < 40 && ((0x2241 >> ({a1} & 0x7f)) & 1) != 0",
];
/// The same for a reader/writer lock.
const RW_WAITS: Texts = &[
    "self->__dt_rw != 0 && (self->__dt_rws & 2) == 0 && args[1] == {futex} && {native} && {a0} - self->__dt_rw < 56 && ((0x2241 >> ({a1} & 0x7f)) & 1) != 0",
];
/// It spun before its first wait.
const SPUN_WAITS: Texts = &[
    "self->__dt_mx != 0 && self->__dt_mxs == 1 && args[1] == {futex} && {native} && {a0} - self->__dt_mx < 40 && ((0x2241 >> ({a1} & 0x7f)) & 1) != 0",
];

/// An adaptive mutex that somebody holds.
const SPINS: Texts =
    &["(*(userland uint32_t *)(args[0] + 16) & 3) == 3 && *(userland uint32_t *)args[0] != 0"];
/// The mutex is the thread's: `EOWNERDEAD` (130) says that the last owner died with it.
const GOT: Texts = &["self->__dt_mx != 0 && ((int)args[0] == 0 || (int)args[0] == 130)"];
/// Unlocking is sure to succeed: such mutexes do not ask whose they are, or this one is the thread's.
const OWNED: Texts = &[
    "(*(userland uint32_t *)(args[0] + 16) & 0x73) == 0 || (*(userland uint32_t *)(args[0] + 16) & 0x73) == 3 || *(userland int *)(args[0] + 8) == ((struct upid *)&curthread->thread_pid->numbers)[curthread->thread_pid->level].nr",
];

const MUTEX: Texts = &["(void *)self->__dt_mx"];
const RELEASED: Texts = &["(void *)self->__dt_mr"];
/// A recursive mutex that the thread has taken more than once.
const DEEPER: Texts = &[
    "(*(userland uint32_t *)(self->__dt_mx + 16) & 3) == 1 && *(userland uint32_t *)(self->__dt_mx + 4) > 1",
];
const LESS_DEEP: Texts = &[
    "(*(userland uint32_t *)(self->__dt_mr + 16) & 3) == 1 && *(userland uint32_t *)(self->__dt_mr + 4) > 1",
];
const RW: Texts = &["(void *)self->__dt_rw"];
const WRITES: Texts = &["(int)(self->__dt_rws >> 2)"];
const ERRNO: Texts = &["(int)args[0]"];
const YES: Texts = &["1"];
const NO: Texts = &["0"];

const fn before(key: &'static str, at: At, body: Texts) -> Setup {
    Setup {
        key,
        at,
        when: &[],
        after: false,
        body,
    }
}

const fn after(key: &'static str, at: At, body: Texts) -> Setup {
    Setup {
        after: true,
        ..before(key, at, body)
    }
}

impl Setup {
    const fn when(self, when: Texts) -> Setup {
        Setup { when, ..self }
    }
}

const WANTS: Setup = before(
    "wants",
    At::Entry(LOCK),
    &["self->__dt_mx = args[0], self->__dt_mxs = 0"],
);
const WANTS_SPINNING: Setup = before("spins", At::Entry(LOCK), &["self->__dt_mxs = 1"]).when(SPINS);
const HAS: Setup = after("has", At::Return(LOCK), &["self->__dt_mx = 0"]);
const WANTS_AGAIN: Setup = before(
    "again",
    At::Entry(COND),
    &["self->__dt_mx = args[1], self->__dt_mxs = 0"],
);
const HAS_AGAIN: Setup = after("has-again", At::InPlace(COND), &["self->__dt_mx = 0"]);
const WAITS: Setup = after(
    "waits",
    At::Syscall,
    &["self->__dt_mxs = self->__dt_mxs | 2"],
)
.when(MUTEX_WAITS);
const GIVES: Setup = before("gives", At::Entry(UNLOCK), &["self->__dt_mr = args[0]"]);
const GIVES_MEANWHILE: Setup = before("lends", At::Entry(COND), &["self->__dt_mr = args[1]"]);
const TRIES_TO_GIVE: Setup = before("tries", At::Entry(UNLOCK), &["self->__dt_mx = args[0]"]);
const GAVE: Setup = after("gave", At::Return(UNLOCK), &["self->__dt_mx = 0"]);
const READS: Setup = before(
    "reads",
    At::Entry(RDLOCK),
    &["self->__dt_rw = args[0], self->__dt_rws = 0"],
);
const TO_WRITE: Setup = before(
    "writes",
    At::Entry(WRLOCK),
    &["self->__dt_rw = args[0], self->__dt_rws = 4"],
);
const HAS_RW: Setup = after("has-rw", At::Return(RWLOCK), &["self->__dt_rw = 0"]);
const WAITS_RW: Setup = after(
    "waits-rw",
    At::Syscall,
    &["self->__dt_rws = self->__dt_rws | 2"],
)
.when(RW_WAITS);

const fn fires(at: At, when: Texts, values: &'static [Texts]) -> Fires {
    Fires { at, when, values }
}

const POINTER: ArgRow = plain("void *");
const INT: ArgRow = plain("int");

/// Where several fire at one place, they do so in this order.
pub(super) const ROWS: &[Row] = &[
    Row {
        name: "mutex-spin",
        args: &[POINTER],
        fires: &[fires(At::Entry(LOCK), SPINS, &[MUTEX])],
        setups: &[WANTS, HAS],
    },
    Row {
        name: "mutex-spun",
        args: &[POINTER, INT, INT],
        fires: &[
            fires(
                At::Return(LOCK),
                &["self->__dt_mx != 0 && self->__dt_mxs == 1"],
                &[MUTEX, &["(int)args[0] == 0 || (int)args[0] == 130"], YES],
            ),
            fires(At::Syscall, SPUN_WAITS, &[MUTEX, NO, YES]),
        ],
        setups: &[WANTS, WANTS_SPINNING, HAS, WAITS],
    },
    Row {
        name: "mutex-block",
        args: &[POINTER],
        fires: &[fires(At::Syscall, MUTEX_WAITS, &[MUTEX])],
        setups: &[WANTS, HAS, WANTS_AGAIN, HAS_AGAIN, WAITS],
    },
    Row {
        name: "mutex-blocked",
        args: &[POINTER, INT],
        fires: &[
            fires(
                At::Return(LOCK),
                &["self->__dt_mx != 0 && (self->__dt_mxs & 2) != 0"],
                &[MUTEX, &["(int)args[0] == 0 || (int)args[0] == 130"]],
            ),
            fires(
                At::InPlace(COND),
                &["self->__dt_mx != 0 && (self->__dt_mxs & 2) != 0"],
                &[MUTEX, YES],
            ),
        ],
        setups: &[WANTS, HAS, WANTS_AGAIN, HAS_AGAIN, WAITS],
    },
    Row {
        name: "mutex-acquire",
        args: &[POINTER, INT, INT],
        fires: &[
            fires(
                At::Return(LOCK),
                GOT,
                &[MUTEX, DEEPER, &["(int)(self->__dt_mxs & 1)"]],
            ),
            fires(
                At::InPlace(COND),
                &["self->__dt_mx != 0"],
                &[MUTEX, DEEPER, &["(int)(self->__dt_mxs & 1)"]],
            ),
        ],
        setups: &[WANTS, WANTS_SPINNING, HAS, WANTS_AGAIN, HAS_AGAIN],
    },
    Row {
        name: "mutex-release",
        args: &[POINTER, INT],
        fires: &[
            fires(At::Entry(UNLOCK), OWNED, &[RELEASED, LESS_DEEP]),
            fires(At::Entry(COND), &[], &[RELEASED, LESS_DEEP]),
        ],
        setups: &[GIVES, GIVES_MEANWHILE],
    },
    Row {
        name: "mutex-error",
        args: &[POINTER, INT],
        fires: &[
            fires(
                At::Return(LOCK),
                // EBUSY (16) is what a try finds.
                &[
                    "self->__dt_mx != 0 && (int)args[0] != 0 && (int)args[0] != 130 && (int)args[0] != 16",
                ],
                &[MUTEX, ERRNO],
            ),
            fires(
                At::Return(UNLOCK),
                &["self->__dt_mx != 0 && (int)args[0] != 0"],
                &[MUTEX, ERRNO],
            ),
        ],
        setups: &[WANTS, HAS, TRIES_TO_GIVE, GAVE],
    },
    Row {
        name: "rw-block",
        args: &[POINTER, INT],
        fires: &[fires(At::Syscall, RW_WAITS, &[RW, WRITES])],
        setups: &[READS, TO_WRITE, HAS_RW, WAITS_RW],
    },
    Row {
        name: "rw-blocked",
        args: &[POINTER, INT, INT],
        fires: &[fires(
            At::Return(RWLOCK),
            &["self->__dt_rw != 0 && (self->__dt_rws & 2) != 0"],
            &[RW, WRITES, &["(int)args[0] == 0"]],
        )],
        setups: &[READS, TO_WRITE, HAS_RW, WAITS_RW],
    },
    Row {
        name: "rw-acquire",
        args: &[POINTER, INT],
        fires: &[fires(
            At::Return(RWLOCK),
            &["self->__dt_rw != 0 && (int)args[0] == 0"],
            &[RW, WRITES],
        )],
        setups: &[READS, TO_WRITE, HAS_RW],
    },
    Row {
        name: "rw-release",
        args: &[POINTER, INT],
        fires: &[fires(
            At::Entry(RWUNLOCK),
            &[],
            &[
                &["(void *)args[0]"],
                &["*(userland int *)(args[0] + 24) != 0"],
            ],
        )],
        setups: &[],
    },
    Row {
        name: "rw-error",
        args: &[POINTER, INT],
        fires: &[fires(
            At::Return(RWLOCK),
            &["self->__dt_rw != 0 && (int)args[0] != 0 && (int)args[0] != 16"],
            &[RW, ERRNO],
        )],
        setups: &[READS, TO_WRITE, HAS_RW],
    },
];

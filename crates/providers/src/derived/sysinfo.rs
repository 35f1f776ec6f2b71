//! `sysinfo`: what Solaris counts in its `sys` statistics, as far as Linux has it. `arg0` is the increment.

use super::lockstat::MUTEX_WAITS;
use super::sched::PREEMPTED;
use super::{
    ArgRow, COUNTER, COUNTS, NOWHERE, Place, Row, Table, Texts, Value, at, entry, never,
    remembering, row, v, way,
};
use crate::stability::COUNTERS;

pub(super) const TABLE: Table = Table {
    provider: "sysinfo",
    stability: &COUNTERS,
    rows: ROWS,
};

const ARGS: &[ArgRow] = COUNTER;

/// Every firing of a tracepoint.
const fn each(tracepoint: &'static str) -> Place {
    at(tracepoint).args(COUNTS)
}

/// Some firings of a tracepoint.
const fn some(tracepoint: &'static str, when: Texts) -> Place {
    at(tracepoint).when(when).args(COUNTS)
}

/// The bytes that a system call moved.
const fn moved(when: Texts) -> Place {
    at("sys_exit").when(when).args(BYTES)
}
const BYTES: &[Value] = &[v(&["(uint64_t)args[1]"]), NOWHERE];

/// `CLONE_THREAD` 0x10000, `CLONE_VFORK` 0x4000; `PF_KTHREAD` 0x200000.
const FORKS: Texts = &["(args[1] & 0x14000) == 0 && (args[0]->flags & 0x200000) == 0"];
const VFORKS: Texts = &["(args[1] & 0x14000) == 0x4000 && (args[0]->flags & 0x200000) == 0"];

const UFS: &str = "UFS is not traced";

const ROWS: &[Row] = &[
    row("pswitch", ARGS, &[way(&[each("sched_switch")])]),
    row(
        "inv_swtch",
        ARGS,
        &[way(&[some("sched_switch", PREEMPTED)])],
    ),
    row(
        "idlethread",
        ARGS,
        &[way(&[some("sched_switch", &["args[2]->pid == 0"])])],
    ),
    row("nthreads", ARGS, &[way(&[each("sched_process_fork")])]),
    row("sysfork", ARGS, &[way(&[some("task_newtask", FORKS)])]),
    row("sysvfork", ARGS, &[way(&[some("task_newtask", VFORKS)])]),
    row(
        "sysexec",
        ARGS,
        &[way(&[some(
            "sys_enter",
            &["(args[1] == {execve} || args[1] == {execveat}) && {native}"],
        )])],
    ),
    row(
        "sysread",
        ARGS,
        &[way(&[some(
            "sys_enter",
            &[
                "(args[1] == {read} || args[1] == {readv} || args[1] == {pread64} || args[1] == {preadv} || args[1] == {preadv2}) && {native}",
            ],
        )])],
    ),
    row(
        "syswrite",
        ARGS,
        &[way(&[some(
            "sys_enter",
            &[
                "(args[1] == {write} || args[1] == {writev} || args[1] == {pwrite64} || args[1] == {pwritev} || args[1] == {pwritev2}) && {native}",
            ],
        )])],
    ),
    row(
        "readch",
        ARGS,
        &[way(&[moved(&[
            "args[1] > 0 && ({nr} == {read} || {nr} == {readv} || {nr} == {pread64} || {nr} == {preadv} || {nr} == {preadv2}) && {native}",
        ])])],
    ),
    row(
        "writech",
        ARGS,
        &[way(&[moved(&[
            "args[1] > 0 && ({nr} == {write} || {nr} == {writev} || {nr} == {pwrite64} || {nr} == {pwritev} || {nr} == {pwritev2}) && {native}",
        ])])],
    ),
    row(
        "msg",
        ARGS,
        &[way(&[some(
            "sys_enter",
            &["(args[1] == {msgsnd} || args[1] == {msgrcv}) && {native}"],
        )])],
    ),
    row(
        "sema",
        ARGS,
        &[way(&[some(
            "sys_enter",
            &["(args[1] == {semop} || args[1] == {semtimedop}) && {native}"],
        )])],
    ),
    // EAGAIN
    row(
        "procovf",
        ARGS,
        &[way(&[some(
            "sys_exit",
            &[
                "args[1] == -11 && ({nr} == {clone} || {nr} == {clone3} || {nr} == {fork} || {nr} == {vfork}) && {native}",
            ],
        )])],
    ),
    row(
        "trap",
        ARGS,
        &[way(&[each("page_fault_user"), each("page_fault_kernel")])],
    ),
    // What asks another CPU only to look at its run queue passes no function.
    row(
        "xcalls",
        ARGS,
        &[
            way(&[
                some("ipi_send_cpu", &["args[2] != NULL"]),
                some("ipi_send_cpumask", &["args[2] != NULL"]),
            ]),
            way(&[
                each("call_function_entry"),
                each("call_function_single_entry"),
            ]),
        ],
    ),
    row(
        "mutex_adenters",
        ARGS,
        &[remembering(
            &[some(
                "contention_end",
                &[
                    "self->__dt_mspin[(uintptr_t)args[0]] != 0 || self->__dt_mblock[(uintptr_t)args[0]] != 0",
                ],
            )],
            MUTEX_WAITS,
        )],
    ),
    row(
        "rw_rdfails",
        ARGS,
        &[way(&[some("contention_begin", &["(args[1] & 2) != 0"])])],
    ),
    row(
        "rw_wrfails",
        ARGS,
        &[way(&[some("contention_begin", &["(args[1] & 4) != 0"])])],
    ),
    row("modload", ARGS, &[way(&[each("module_load")])]),
    row("modunload", ARGS, &[way(&[each("module_free")])]),
    row(
        "bread",
        ARGS,
        &[way(&[some(
            "block_bio_queue",
            &["(args[0]->bi_opf & 0xff) == 0"],
        )])],
    ),
    row(
        "bwrite",
        ARGS,
        &[way(&[some(
            "block_bio_queue",
            &["(args[0]->bi_opf & 0xff) == 1"],
        )])],
    ),
    // REQ_SYNC is bit 11.
    row(
        "bawrite",
        ARGS,
        &[way(&[some(
            "block_bio_queue",
            &["(args[0]->bi_opf & 0x8ff) == 1"],
        )])],
    ),
    row(
        "namei",
        ARGS,
        &[
            way(&[
                entry("path_lookupat").args(COUNTS),
                entry("path_openat").args(COUNTS),
                entry("path_parentat").args(COUNTS),
            ]),
            way(&[entry("link_path_walk").args(COUNTS)]),
        ],
    ),
    row("lread", ARGS, &[way(&[each("mm_filemap_get_pages")])]),
    never("lwrite", "no tracepoint tells of it"),
    never(
        "phread",
        "all devices are read by way of requests: see bread",
    ),
    never(
        "phwrite",
        "all devices are written by way of requests: see bwrite",
    ),
    never("intrblk", "its interrupts cannot block"),
    never("ufsdirblk", UFS),
    never("ufsiget", UFS),
    never("ufsinopage", UFS),
    never("ufsipage", UFS),
];

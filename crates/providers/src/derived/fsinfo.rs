//! `fsinfo`: operations on files, at the functions through which all file systems are reached, or, where the kernel gives
//! functions no programs of their own, at the system calls that ask for them. `args[0]` is the file, `args[1]` what the
//! operation gave (a negative number is an error).

use super::{ArgRow, Place, Row, Table, Texts, Value, at, plain, ret, row, to, v, way};
use crate::stability::FSINFO;

pub(super) const TABLE: Table = Table {
    provider: "fsinfo",
    stability: &FSINFO,
    rows: ROWS,
};

const ARGS: &[ArgRow] = &[to("struct file *", "fileinfo_t *"), plain("int64_t")];

const FIRST: Value = v(&["args[0]"]);
const SECOND: Value = v(&["args[1]"]);

/// Since 6.6 close(2) does not go through `filp_close()`, but all that closes goes through a part of it.
const CLOSED: &[Value] = &[FIRST, v(&["(int64_t)(int)args[2]"])];

/// The file of the system call's descriptor, and its result.
const OF_DESCRIPTOR: &[Value] = &[
    v(&[
        "(unsigned)({first}) < curthread->files->fdt->max_fds ? curthread->files->fdt->fd[(unsigned)({first})] : NULL",
    ]),
    v(&["(int64_t)args[1]"]),
];
/// The file that the system call opened.
const OF_RESULT: &[Value] = &[
    v(&["curthread->files->fdt->fd[(unsigned)args[1]]"]),
    v(&["0"]),
];

/// System calls on a descriptor, other than on one that is not open (`EBADF` 9).
const fn call(when: Texts) -> Place {
    at("sys_exit").when(when).args(OF_DESCRIPTOR)
}

const OPENS: Texts = &[
    "args[1] >= 0 && ({nr} == {open} || {nr} == {openat} || {nr} == {openat2} || {nr} == {creat}) && {native}",
];
const READS: Texts = &[
    "args[1] != -9 && ({nr} == {read} || {nr} == {readv} || {nr} == {pread64} || {nr} == {preadv} || {nr} == {preadv2}) && {native}",
];
const WRITES: Texts = &[
    "args[1] != -9 && ({nr} == {write} || {nr} == {writev} || {nr} == {pwrite64} || {nr} == {pwritev} || {nr} == {pwritev2}) && {native}",
];
const SYNCS: Texts = &["args[1] != -9 && ({nr} == {fsync} || {nr} == {fdatasync}) && {native}"];
const LISTS: Texts = &["args[1] != -9 && {nr} == {getdents64} && {native}"];
const SEEKS: Texts = &["args[1] != -9 && {nr} == {lseek} && {native}"];

const CLOSES: Texts = &[
    "args[1] == {close} && {native} && (unsigned)({first}) < curthread->files->fdt->max_fds && curthread->files->fdt->fd[(unsigned)({first})] != NULL",
];
const TO_CLOSE: &[Value] = &[
    v(&["curthread->files->fdt->fd[(unsigned)({first})]"]),
    v(&["0"]),
];

const ROWS: &[Row] = &[
    row(
        "open",
        ARGS,
        &[
            way(&[ret("vfs_open").args(&[SECOND, v(&["(int64_t)(int)args[2]"])])]),
            way(&[at("sys_exit").when(OPENS).args(OF_RESULT)]),
        ],
    ),
    row(
        "close",
        ARGS,
        &[
            way(&[ret("filp_flush").args(CLOSED)]),
            way(&[ret("filp_close").args(CLOSED)]),
            // When it is asked for: afterwards the descriptor has no file.
            way(&[at("sys_enter").when(CLOSES).args(TO_CLOSE)]),
        ],
    ),
    row(
        "read",
        ARGS,
        &[
            way(&[ret("vfs_read").args(&[FIRST, v(&["(int64_t)args[4]"])])]),
            way(&[call(READS)]),
        ],
    ),
    row(
        "write",
        ARGS,
        &[
            way(&[ret("vfs_write").args(&[FIRST, v(&["(int64_t)args[4]"])])]),
            way(&[call(WRITES)]),
        ],
    ),
    row(
        "fsync",
        ARGS,
        &[
            way(&[ret("vfs_fsync_range").args(&[FIRST, v(&["(int64_t)(int)args[4]"])])]),
            way(&[call(SYNCS)]),
        ],
    ),
    row(
        "readdir",
        ARGS,
        &[
            way(&[ret("iterate_dir").args(&[FIRST, v(&["(int64_t)(int)args[2]"])])]),
            way(&[call(LISTS)]),
        ],
    ),
    // Compilers put what lseek(2) calls into it.
    row("seek", ARGS, &[way(&[call(SEEKS)])]),
];

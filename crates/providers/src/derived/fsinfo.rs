//! `fsinfo`: operations on files, at the functions through which all file systems are reached; where the kernel gives those no
//! programs of their own, the system calls that ask for them. `args[0]` is the file, `args[1]` what the operation gave (a
//! negative number is an error).

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

/// The file of a system call's descriptor, and what the call gave.
const ITS_FILE: Value = v(&[
    "(int){fd} >= 0 && (int){fd} < curthread->files->fdt->max_fds ? curthread->files->fdt->fd[(int){fd}] : NULL",
]);
const GAVE: Value = v(&["(int64_t)args[1]"]);
/// The file that was opened.
const OPENED: Value = v(&[
    "args[1] >= 0 && (int)args[1] < curthread->files->fdt->max_fds ? curthread->files->fdt->fd[(int)args[1]] : NULL",
]);

/// The return of some system calls.
const fn call(when: Texts) -> Place {
    at("sys_exit").when(when).args(&[ITS_FILE, GAVE])
}

const OPENS: Texts =
    &["({nr} == {open} || {nr} == {openat} || {nr} == {openat2} || {nr} == {creat}) && {native}"];
const READS: Texts = &[
    "({nr} == {read} || {nr} == {readv} || {nr} == {pread64} || {nr} == {preadv} || {nr} == {preadv2}) && {native}",
];
const WRITES: Texts = &[
    "({nr} == {write} || {nr} == {writev} || {nr} == {pwrite64} || {nr} == {pwritev} || {nr} == {pwritev2}) && {native}",
];

const ROWS: &[Row] = &[
    row(
        "open",
        ARGS,
        &[
            way(&[ret("vfs_open").args(&[SECOND, v(&["(int64_t)(int)args[2]"])])]),
            way(&[at("sys_exit")
                .when(OPENS)
                .args(&[OPENED, v(&["args[1] < 0 ? (int64_t)args[1] : 0"])])]),
        ],
    ),
    row(
        "close",
        ARGS,
        &[
            way(&[ret("filp_close").args(&[FIRST, v(&["(int64_t)(int)args[2]"])])]),
            way(&[at("sys_enter")
                .when(&["args[1] == {close} && {native}"])
                .args(&[ITS_FILE, v(&["(int64_t)0"])])]),
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
            way(&[call(&[
                "({nr} == {fsync} || {nr} == {fdatasync}) && {native}",
            ])]),
        ],
    ),
    row(
        "readdir",
        ARGS,
        &[
            way(&[ret("iterate_dir").args(&[FIRST, v(&["(int64_t)(int)args[2]"])])]),
            way(&[call(&[
                "({nr} == {getdents} || {nr} == {getdents64}) && {native}",
            ])]),
        ],
    ),
    row(
        "seek",
        ARGS,
        &[
            way(&[ret("vfs_llseek").args(&[FIRST, v(&["(int64_t)args[3]"])])]),
            way(&[call(&["{nr} == {lseek} && {native}"])]),
        ],
    ),
];

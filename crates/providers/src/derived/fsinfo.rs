//! `fsinfo`: operations on files, at the functions through which all file systems are reached. They need kernels that give
//! functions programs of their own. `args[0]` is the file, `args[1]` what the operation gave (a negative number is an error).

use super::{ArgRow, Row, Table, Value, plain, ret, row, to, v, way};
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

const ROWS: &[Row] = &[
    row(
        "open",
        ARGS,
        &[way(&[
            ret("vfs_open").args(&[SECOND, v(&["(int64_t)(int)args[2]"])])
        ])],
    ),
    row(
        "close",
        ARGS,
        &[
            way(&[ret("filp_flush").args(CLOSED)]),
            way(&[ret("filp_close").args(CLOSED)]),
        ],
    ),
    row(
        "read",
        ARGS,
        &[way(&[
            ret("vfs_read").args(&[FIRST, v(&["(int64_t)args[4]"])])
        ])],
    ),
    row(
        "write",
        ARGS,
        &[way(&[
            ret("vfs_write").args(&[FIRST, v(&["(int64_t)args[4]"])])
        ])],
    ),
    row(
        "fsync",
        ARGS,
        &[way(&[
            ret("vfs_fsync_range").args(&[FIRST, v(&["(int64_t)(int)args[4]"])])
        ])],
    ),
    row(
        "readdir",
        ARGS,
        &[way(&[
            ret("iterate_dir").args(&[FIRST, v(&["(int64_t)(int)args[2]"])])
        ])],
    ),
    row(
        "seek",
        ARGS,
        &[way(&[
            ret("vfs_llseek").args(&[FIRST, v(&["(int64_t)args[3]"])])
        ])],
    ),
];

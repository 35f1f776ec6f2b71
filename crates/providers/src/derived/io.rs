//! `io`: requests to block devices.
//!
//! `start` is when a request is made, in the context of who makes it where that can be seen (Linux 6.5); a request that is
//! enlarged later by a neighbour has its first size there, and its whole size at `done`. Requests that are no input or
//! output of the disk (commands of its own kind) and the parts of a flush are left out, as in `/proc/diskstats`.

use super::{ArgRow, Place, Row, Setup, Table, Texts, Value, Way, Where, at, row, to, v, way};
use crate::stability::EVOLVING_ISA;
use image::Task;

pub(super) const TABLE: Table = Table {
    provider: "io",
    stability: &EVOLVING_ISA,
    rows: ROWS,
};

const BUFINFO: ArgRow = to("struct request *", "bufinfo_t *");
const DEVINFO: ArgRow = to("struct block_device *", "devinfo_t *");
const FILEINFO: ArgRow = to("struct inode *", "fileinfo_t *");
const ARGS: &[ArgRow] = &[BUFINFO, DEVINFO, FILEINFO];

const REQUEST: Value = v(&["args[0]"]);
const DEVICE: Value = v(&["REQUEST_DEVICE[args[0]]"]);
const FILE: Value = v(&["REQUEST_INODE[args[0]]"]);
const NOTHING: Value = v(&["NULL"]);

/// Reads, writes, discards…: operations below `REQ_OP_DRV_IN`.
const OF_THE_DISK: Texts = &["(args[0]->cmd_flags & 0xff) < 34"];
/// The same, and no part of a flush (`RQF_FLUSH_SEQ`).
const WHOLE: Texts = &[
    "(args[0]->cmd_flags & 0xff) < 34 && (args[0]->rq_flags & (1 << __RQF_FLUSH_SEQ)) == 0",
    "(args[0]->cmd_flags & 0xff) < 34 && (args[0]->rq_flags & (1 << 4)) == 0",
];

/// Pieces of a request that have been completed, and how.
const PIECES: Setup = Setup {
    key: "io.pieces",
    declares: &[],
    place: at("block_rq_complete").when(OF_THE_DISK),
    after: false,
    body: &[
        "__dt_io_block[args[0]] = args[0]->__sector - (__dt_io_bytes[args[0]] >> 9); __dt_io_bytes[args[0]] += args[2]; __dt_io_error[args[0]] = args[1]; __dt_io_file[args[0]] = (uintptr_t)REQUEST_INODE[args[0]]",
    ],
};
/// The first of the two: it gives the variables their types.
const FORGET: Setup = Setup {
    key: "io.forget",
    declares: &[],
    place: at("block_io_done"),
    after: true,
    body: &[
        "__dt_io_bytes[args[0]] = (uint64_t)0; __dt_io_block[args[0]] = (uint64_t)0; __dt_io_error[args[0]] = 0; __dt_io_file[args[0]] = (uintptr_t)0",
    ],
};

/// A request that is over: what it was before it was completed.
const DONE: Value = REQUEST.with(&[
    ("b_bcount", &["__dt_io_bytes[args[0]]"]),
    ("b_bufsize", &["__dt_io_bytes[args[0]]"]),
    ("b_blkno", &["__dt_io_block[args[0]]"]),
    ("b_lblkno", &["__dt_io_block[args[0]]"]),
    ("b_error", &["__dt_io_error[args[0]]"]),
    (
        "b_flags",
        &["REQUEST_FLAGS[args[0]] | 2 | (__dt_io_error[args[0]] != 0 ? 4 : 0)"],
    ),
]);

/// The file of its last piece.
const ITS_FILE: Value = v(&["(struct inode *)__dt_io_file[args[0]]"]);

/// The last piece.
const LAST: Texts =
    &["(args[0]->cmd_flags & 0xff) < 34 && args[0]->bio != NULL && args[0]->__data_len == args[2]"];
const LAST_PIECE: Value = REQUEST.with(&[
    ("b_error", &["args[1]"]),
    (
        "b_flags",
        &["REQUEST_FLAGS[args[0]] | 2 | (args[1] != 0 ? 4 : 0)"],
    ),
]);

/// A thread stops to wait for input or output, and comes back.
const STOPS: Place = at("sched_switch")
    .when(&["args[1]->in_iowait"])
    .args(&[NOTHING, NOTHING, NOTHING]);
const BACK: Texts = &["curthread->in_iowait"];
const WAITED: Place = Place {
    at: Where::Tracepoint("sched_exit_tp"),
    task: Task::Current,
    when: BACK,
    args: &[NOTHING, NOTHING, NOTHING],
};

/// The same on older kernels, which show the switch only before it is done.
const WAITED_THEN: Place = at("sched_switch")
    .as_task(2)
    .when(&["args[2]->in_iowait"])
    .args(&[NOTHING, NOTHING, NOTHING]);

const ROWS: &[Row] = &[
    row(
        "start",
        ARGS,
        &[
            way(&[at("block_io_start")
                .when(OF_THE_DISK)
                .args(&[REQUEST, DEVICE, FILE])]),
            way(&[at("block_rq_issue")
                .when(WHOLE)
                .args(&[REQUEST, DEVICE, FILE])]),
        ],
    ),
    row(
        "done",
        ARGS,
        &[
            Way {
                places: &[at("block_io_done")
                    .when(WHOLE)
                    .args(&[DONE, DEVICE, ITS_FILE])],
                setups: &[FORGET, PIECES],
            },
            way(&[at("block_rq_complete")
                .when(LAST)
                .args(&[LAST_PIECE, DEVICE, FILE])]),
        ],
    ),
    row("wait-start", ARGS, &[way(&[STOPS])]),
    row("wait-done", ARGS, &[way(&[WAITED]), way(&[WAITED_THEN])]),
];

//! `vminfo`: what Solaris counts in its `vm` statistics, as far as Linux shows when it happens. `arg0` is the increment.
//!
//! * Faults are told apart by what the processor says of them (x86). A write to a page that is there but may not be written
//!   is a copy-on-write fault, also where the file system only wanted to know of the write.
//! * Pages come and go with the block device's requests; `pgpgin`, `pgpgout` count pages, `pgin`, `pgout` requests.

use super::{
    ArgRow, COUNTER, COUNTS, NOWHERE, Place, Row, Table, Texts, Value, Way, at, entry, never, ret,
    row, v, way,
};
use crate::stability::COUNTERS;

pub(super) const TABLE: Table = Table {
    provider: "vminfo",
    stability: &COUNTERS,
    rows: ROWS,
};

const ARGS: &[ArgRow] = COUNTER;

/// One fault of a process.
const fn fault(when: Texts) -> Place {
    at("page_fault_user").when(when).args(COUNTS)
}

/// Requests by operation.
const READS: Texts = &["(args[0]->bi_opf & 0xff) == 0"];
const WRITES: Texts = &["(args[0]->bi_opf & 0xff) == 1"];
const PAGES: &[Value] = &[
    v(&["(uint64_t)((args[0]->bi_iter.bi_size + {page} - 1) / {page})"]),
    NOWHERE,
];
/// Pages looked at, and freed.
const SCANNED: &[Value] = &[v(&["(uint64_t)args[1]"]), NOWHERE];
const FREED: &[Value] = &[v(&["(uint64_t)args[2]"]), NOWHERE];

const NO_SWAPPING: &str = "it swaps pages, never whole processes";
const NO_FREE_LIST: &str = "a page that was freed is never taken back";
const NO_KINDS: &str = "it does not tell when pages of this kind are read or written";

/// `VM_FAULT_MAJOR` of what `handle_mm_fault()` returns.
const MAJOR: Texts = &["((int)args[4] & 4) != 0"];
/// A page comes from swap space, or goes there: the functions of different kernels.
const SWAP_IN: &[Way] = &[
    way(&[entry("swap_read_folio").args(COUNTS)]),
    way(&[entry("swap_readpage").args(COUNTS)]),
];
const SWAP_OUT: &[Way] = &[
    way(&[entry("__swap_writepage").args(COUNTS)]),
    way(&[entry("swap_writeout").args(COUNTS)]),
];

const ROWS: &[Row] = &[
    row("as_fault", ARGS, &[way(&[fault(&["(args[2] & 1) == 0"])])]),
    row(
        "prot_fault",
        ARGS,
        &[way(&[fault(&["(args[2] & 1) != 0"])])],
    ),
    row(
        "cow_fault",
        ARGS,
        &[
            way(&[entry("wp_page_copy").args(COUNTS)]),
            way(&[fault(&["(args[2] & 3) == 3"])]),
        ],
    ),
    row(
        "kernel_asflt",
        ARGS,
        &[way(&[at("page_fault_kernel").args(COUNTS)])],
    ),
    row(
        "pgin",
        ARGS,
        &[way(&[at("block_bio_queue").when(READS).args(COUNTS)])],
    ),
    row(
        "pgout",
        ARGS,
        &[way(&[at("block_bio_queue").when(WRITES).args(COUNTS)])],
    ),
    row(
        "pgpgin",
        ARGS,
        &[way(&[at("block_bio_queue").when(READS).args(PAGES)])],
    ),
    row(
        "pgpgout",
        ARGS,
        &[way(&[at("block_bio_queue").when(WRITES).args(PAGES)])],
    ),
    row(
        "scan",
        ARGS,
        &[way(&[at("mm_vmscan_lru_shrink_inactive").args(SCANNED)])],
    ),
    row(
        "dfree",
        ARGS,
        &[way(&[at("mm_vmscan_lru_shrink_inactive").args(FREED)])],
    ),
    row(
        "anonfree",
        ARGS,
        &[way(&[at("mm_vmscan_lru_shrink_inactive")
            .when(&["args[5] == 0"])
            .args(FREED)])],
    ),
    row(
        "fsfree",
        ARGS,
        &[way(&[at("mm_vmscan_lru_shrink_inactive")
            .when(&["args[5] != 0"])
            .args(FREED)])],
    ),
    row(
        "pgrrun",
        ARGS,
        &[way(&[at("mm_vmscan_kswapd_wake").args(COUNTS)])],
    ),
    row(
        "maj_fault",
        ARGS,
        &[way(&[ret("handle_mm_fault").when(MAJOR).args(COUNTS)])],
    ),
    // Not those that read only and get the one page of zeros.
    row(
        "zfod",
        ARGS,
        &[
            way(&[entry("alloc_anon_folio").args(COUNTS)]),
            way(&[entry("do_anonymous_page").args(COUNTS)]),
        ],
    ),
    row("anonpgin", ARGS, SWAP_IN),
    row("anonpgout", ARGS, SWAP_OUT),
    row("pgswapin", ARGS, SWAP_IN),
    row("pgswapout", ARGS, SWAP_OUT),
    never("swapin", NO_SWAPPING),
    never("swapout", NO_SWAPPING),
    never("pgrec", NO_FREE_LIST),
    never("pgfrec", NO_FREE_LIST),
    never("rev", "page reclaim has no clock hand"),
    never("softlock", "pages are not locked softly"),
    never("execfree", NO_KINDS),
    never("execpgin", NO_KINDS),
    never("execpgout", NO_KINDS),
    never("fspgin", NO_KINDS),
    never("fspgout", NO_KINDS),
];

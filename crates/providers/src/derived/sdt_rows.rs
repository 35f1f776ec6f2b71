//! Probes of `sdt` that are no tracepoints: those that Solaris has under these names, and their like.
//!
//! `interrupt-start` and `interrupt-complete` are those of devices: what the CPUs send each other, and the timer of each, are
//! the tracepoints of `irq_vectors`. Arguments are the action of the driver (it has `name`, `handler`, `dev_id`), the
//! handler, its argument, and the number of the interrupt or what the handler said.

use super::{ArgRow, Row, Table, Value, at, plain, row, v, way};
use crate::stability::SDT;

pub(super) const TABLE: Table = Table {
    provider: "sdt",
    stability: &SDT,
    rows: ROWS,
};

const INTERRUPT: &[ArgRow] = &[
    plain("struct irqaction *"),
    plain("uintptr_t"),
    plain("void *"),
    plain("int"),
];
const CALLOUT: &[ArgRow] = &[plain("uintptr_t"), plain("uintptr_t")];

const ACTION: Value = v(&["args[1]"]);
const HANDLER: Value = v(&["(uintptr_t)args[1]->handler"]);
const ARGUMENT: Value = v(&["args[1]->dev_id"]);

/// A timer and its function.
const TIMER: &[Value] = &[
    v(&["(uintptr_t)args[0]"]),
    v(&["(uintptr_t)args[0]->function"]),
];
/// The same of the other kind, whose function lies elsewhere.
const HRTIMER: &[Value] = &[
    v(&["(uintptr_t)args[0]"]),
    v(&["(uintptr_t)((struct hrtimer *)args[0])->function"]),
];
/// A timer whose function is over: it may be gone.
const TIMER_OVER: &[Value] = &[v(&["(uintptr_t)args[0]"]), v(&["(uintptr_t)0"])];

const ROWS: &[Row] = &[
    row(
        "interrupt-start",
        INTERRUPT,
        &[way(&[at("irq_handler_entry").args(&[
            ACTION,
            HANDLER,
            ARGUMENT,
            v(&["args[0]"]),
        ])])],
    ),
    row(
        "interrupt-complete",
        INTERRUPT,
        &[way(&[at("irq_handler_exit").args(&[
            ACTION,
            HANDLER,
            ARGUMENT,
            v(&["args[2]"]),
        ])])],
    ),
    row(
        "softirq-start",
        &[plain("uint_t")],
        &[way(&[at("softirq_entry").args(&[v(&["args[0]"])])])],
    ),
    row(
        "softirq-complete",
        &[plain("uint_t")],
        &[way(&[at("softirq_exit").args(&[v(&["args[0]"])])])],
    ),
    row(
        "callout-start",
        CALLOUT,
        &[way(&[
            at("timer_expire_entry").args(TIMER),
            at("hrtimer_expire_entry").args(HRTIMER),
        ])],
    ),
    row(
        "callout-end",
        CALLOUT,
        &[way(&[
            at("timer_expire_exit").args(TIMER_OVER),
            at("hrtimer_expire_exit").args(TIMER_OVER),
        ])],
    ),
];

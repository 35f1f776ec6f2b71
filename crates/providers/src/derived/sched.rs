//! `sched`: who runs, who waits, who wakes whom.
//!
//! * `on-cpu` runs as the thread that comes: `sched_exit_tp` fires in it, when it leaves `schedule()`. A new thread does not
//!   come from there the first time, so that is taken from `sched_switch`, with the next thread as the current one. Kernels
//!   without `sched_exit_tp` call `finish_task_switch()` in it; where no program can be there, all of `on-cpu` is taken from
//!   `sched_switch`.
//! * `enqueue` and `dequeue` tell of threads that wait for a CPU, as on Solaris: one that runs is on no queue. Linux keeps it
//!   there, so its own idea of a queue is another.
//! * `preempt` is what Linux counts as a nonvoluntary switch.
//! * Idle threads are neither preempted nor queued.

use super::{
    LWPSINFO, PSINFO, Place, Row, Table, Texts, Value, at, entry, never, plain, row, start, to, v,
    way,
};
use crate::stability::EVOLVING_ISA;

pub(super) const TABLE: Table = Table {
    provider: "sched",
    stability: &EVOLVING_ISA,
    rows: ROWS,
};

const CPUINFO: super::ArgRow = to("int", "cpuinfo_t *");

/// The outgoing thread could have gone on.
pub(super) const PREEMPTED: Texts = &[
    "(args[0] || args[3] == 0) && args[1]->pid != 0",
    "(args[0] || args[1]->__state == 0) && args[1]->pid != 0",
    "(args[0] || args[1]->state == 0) && args[1]->pid != 0",
];
/// It waits, and is not gone (`TASK_DEAD`).
const SLEEPS: Texts = &[
    "!args[0] && args[3] != 0 && (args[3] & 0x80) == 0",
    "!args[0] && args[1]->__state != 0 && (args[1]->__state & 0x80) == 0",
    "!args[0] && args[1]->state != 0 && (args[1]->state & 0x80) == 0",
];
/// The timer is that of the scheduler.
const TICKS: Texts = &[
    "(uintptr_t)args[0]->function == (uintptr_t)&`tick_nohz_handler",
    "(uintptr_t)args[0]->function == (uintptr_t)&`tick_sched_timer",
];

const FIRST: Value = v(&["args[0]"]);
const PREV: Value = v(&["args[1]"]);
const NEXT: Value = v(&["args[2]"]);
const CURRENT: Value = v(&["curthread"]);
const THIS_CPU: Value = v(&["cpu"]);
const ITS_CPU: Value = v(&["args[0]->thread_info.cpu", "args[0]->cpu"]);
const BEHIND: Value = v(&["0"]);

/// A thread waits for a mutex of another, which gets its priority if that is better.
const INHERITS: Place = at("sched_pi_setprio").args(&[
    FIRST,
    FIRST,
    v(&["args[1] != NULL && args[1]->prio < args[0]->normal_prio ? args[1]->prio : args[0]->normal_prio"]),
]);
/// The priority of a nice value.
const NICE: Value = v(&["(int)args[1] + 120"]);

/// A thread becomes runnable.
const fn woken(tracepoint: &'static str) -> Place {
    at(tracepoint).args(&[FIRST, FIRST, ITS_CPU, BEHIND])
}

const SOLARIS_YIELD: &str = "it has no schedctl(3C)";
const SOLARIS_CAPS: &str =
    "its CPU caps are limits of control groups, which do not tell when they delay a thread";

const ROWS: &[Row] = &[
    row(
        "preempt",
        &[],
        &[way(&[at("sched_switch").when(PREEMPTED)])],
    ),
    row("sleep", &[], &[way(&[at("sched_switch").when(SLEEPS)])]),
    row(
        "enqueue",
        &[LWPSINFO, PSINFO, CPUINFO, plain("int")],
        &[way(&[
            woken("sched_wakeup"),
            woken("sched_wakeup_new"),
            at("sched_switch")
                .when(PREEMPTED)
                .args(&[PREV, PREV, THIS_CPU, BEHIND]),
        ])],
    ),
    row(
        "dequeue",
        &[LWPSINFO, PSINFO, CPUINFO, plain("int")],
        &[way(&[at("sched_switch")
            .when(&["args[2]->pid != 0"])
            .args(&[NEXT, NEXT, THIS_CPU, BEHIND])])],
    ),
    row(
        "off-cpu",
        &[LWPSINFO, PSINFO],
        &[way(&[at("sched_switch").args(&[NEXT, NEXT])])],
    ),
    row(
        "on-cpu",
        &[],
        &[
            // Also where a new thread begins (`schedule_tail()`).
            way(&[at("sched_exit_tp").when(&["args[0]"])]),
            way(&[entry("finish_task_switch")]),
            way(&[start("finish_task_switch")]),
            way(&[at("sched_switch").as_task(2)]),
        ],
    ),
    row(
        "remain-cpu",
        &[],
        &[way(&[at("sched_exit_tp").when(&["!args[0]"])])],
    ),
    row(
        "wakeup",
        &[LWPSINFO, PSINFO],
        &[
            way(&[at("sched_waking").args(&[FIRST, FIRST])]),
            way(&[at("sched_wakeup").args(&[FIRST, FIRST])]),
        ],
    ),
    row(
        "tick",
        &[LWPSINFO, PSINFO],
        &[
            way(&[at("hrtimer_expire_entry")
                .when(TICKS)
                .args(&[CURRENT, CURRENT])]),
            way(&[entry("sched_tick").args(&[CURRENT, CURRENT])]),
            way(&[entry("scheduler_tick").args(&[CURRENT, CURRENT])]),
        ],
    ),
    row(
        "change-pri",
        &[LWPSINFO, PSINFO, plain("int")],
        &[
            way(&[INHERITS, entry("set_user_nice").args(&[FIRST, FIRST, NICE])]),
            way(&[INHERITS]),
        ],
    ),
    row(
        "surrender",
        &[LWPSINFO, PSINFO],
        &[way(&[at("sys_enter")
            .when(&["args[1] == {sched_yield} && {native}"])
            .args(&[CURRENT, CURRENT])])],
    ),
    never("schedctl-yield", SOLARIS_YIELD),
    never("schedctl-preempt", SOLARIS_YIELD),
    never("schedctl-nopreempt", SOLARIS_YIELD),
    never("cpucaps-sleep", SOLARIS_CAPS),
    never("cpucaps-wakeup", SOLARIS_CAPS),
];

//! `proc`: processes and threads come and go, run programs, get signals.
//!
//! * A new thread is first seen in its own context when it leaves the system call that made it: `lwp-start`, `start`.
//!   Threads of the kernel do not.
//! * `fault` is a machine fault that becomes a signal; what the kernel mends (a page that is fetched) is `vminfo`'s.

use super::{ArgRow, LWPSINFO, PSINFO, Row, Table, Texts, Value, at, plain, row, to, v, way};
use crate::stability::EVOLVING_ISA;

pub(super) const TABLE: Table = Table {
    provider: "proc",
    stability: &EVOLVING_ISA,
    rows: ROWS,
};

const SIGINFO: ArgRow = to("struct kernel_siginfo *", "siginfo_t *");

/// The second task of `sched_process_fork`.
const CHILD: Value = v(&["args[1]"]);
/// The task that a signal goes to.
const TARGET: Value = v(&["args[2]"]);
const SIGNAL: Value = v(&["args[0]"]);
/// Of `signal_generate`: the kernel's own signals have a small number instead of a pointer.
const SIGNAL_INFO: Value = v(&["args[1]"]);

/// Comes out of a call that makes a thread as that thread.
const NEWBORN: Texts = &[
    "args[1] == 0 && {native} && ({nr} == {clone} || {nr} == {clone3} || {nr} == {fork} || {nr} == {vfork})",
];
const NEWBORN_LEADER: Texts = &[
    "args[1] == 0 && {native} && ({nr} == {clone} || {nr} == {clone3} || {nr} == {fork} || {nr} == {vfork}) && curthread->pid == curthread->tgid",
];
/// The last thread of a process ends.
const LAST: Texts = &["args[1]", "args[0]->signal->live.counter == 0"];
/// `CLD_EXITED`, `CLD_KILLED`, `CLD_DUMPED` of a task's exit code.
const HOW: Value = v(&[
    "(args[0]->signal->group_exit_code | args[0]->exit_code) & 0x80 ? 3 : (args[0]->signal->group_exit_code | args[0]->exit_code) & 0x7f ? 2 : 1",
]);
/// Signals that the machine's faults become, with a code of the kernel's. A small number is no pointer.
const MACHINE_FAULT: Texts = &[
    "(args[0] == 4 || args[0] == 5 || args[0] == 7 || args[0] == 8 || args[0] == 11) && (uintptr_t)args[1] > 1 && ((struct kernel_siginfo *)(uintptr_t)args[1])->si_code > 0",
];
/// `TRACE_SIGNAL_IGNORED`
const IGNORED: Texts = &["args[4] == 1"];
const SENT: Texts = &["args[4] != 1"];

const ROWS: &[Row] = &[
    row(
        "lwp-create",
        &[LWPSINFO, PSINFO],
        &[way(&[at("sched_process_fork").args(&[CHILD, CHILD])])],
    ),
    row(
        "create",
        &[PSINFO],
        &[way(&[at("sched_process_fork")
            .when(&["args[1]->pid == args[1]->tgid"])
            .args(&[CHILD])])],
    ),
    row("lwp-start", &[], &[way(&[at("sys_exit").when(NEWBORN)])]),
    row("start", &[], &[way(&[at("sys_exit").when(NEWBORN_LEADER)])]),
    row(
        "exec",
        &[plain("string")],
        &[way(&[at("sys_enter")
            .when(&["(args[1] == {execve} || args[1] == {execveat}) && {native}"])
            .args(&[Value {
                value: &["copyinstr(args[1] == {execve} ? {a0} : {a1})"],
                raw: &["args[1] == {execve} ? {a0} : {a1}"],
                members: &[],
            }])])],
    ),
    row("exec-success", &[], &[way(&[at("sched_process_exec")])]),
    row(
        "exec-failure",
        &[plain("int")],
        &[way(&[at("sys_exit")
            .when(&["args[1] < 0 && ({nr} == {execve} || {nr} == {execveat}) && {native}"])
            .args(&[v(&["-args[1]"])])])],
    ),
    row("lwp-exit", &[], &[way(&[at("sched_process_exit")])]),
    row(
        "exit",
        &[plain("int")],
        &[way(&[at("sched_process_exit").when(LAST).args(&[HOW])])],
    ),
    row(
        "fault",
        &[plain("int"), SIGINFO],
        &[way(&[at("signal_generate").when(MACHINE_FAULT).args(&[
            v(&[
                "(int)curthread->thread.trap_nr",
                "(int)curthread->thread.fault_code",
            ]),
            SIGNAL_INFO,
        ])])],
    ),
    row(
        "signal-send",
        &[LWPSINFO, PSINFO, plain("int")],
        &[way(&[at("signal_generate")
            .when(SENT)
            .args(&[TARGET, TARGET, SIGNAL])])],
    ),
    row(
        "signal-discard",
        &[LWPSINFO, PSINFO, plain("int")],
        &[way(&[at("signal_generate")
            .when(IGNORED)
            .args(&[TARGET, TARGET, SIGNAL])])],
    ),
    row(
        "signal-handle",
        &[plain("int"), SIGINFO, plain("void *")],
        &[way(&[at("signal_deliver")
            .when(&["(uintptr_t)args[2]->sa.sa_handler > 1"])
            .args(&[
                SIGNAL,
                SIGNAL_INFO,
                v(&["(void *)(uintptr_t)args[2]->sa.sa_handler"]),
            ])])],
    ),
    row(
        "signal-clear",
        &[plain("int"), SIGINFO],
        &[way(&[at("sys_exit")
            .when(&["args[1] > 0 && {nr} == {rt_sigtimedwait} && {native}"])
            .args(&[
                v(&["(int)args[1]"]),
                v(&["(struct kernel_siginfo *)0"]),
            ])])],
    ),
];

//! Kernel functions that are not probed, whatever the kernel allows, and why.
//!
//! A program at such a function would run whenever a program runs, or while the kernel holds a lock that the program
//! takes itself: it would slow down or stop what it is to observe. The kernel's own list of what can be traced excludes
//! many of them, but not all, and not on every kernel.

use std::sync::LazyLock;

const OWN: &str = "tracing programs run it themselves";
const LOCK: &str = "tracing programs may take the lock that it takes or holds";
const MACHINERY: &str = "the kernel runs it to call tracing programs";
const EXCEPTION: &str = "it runs before the kernel can call tracing programs";

/// Beginnings of names, and why what begins so is left out.
const ROWS: &[(&str, &str)] = &[
    ("_raw_spin_", LOCK),
    ("_raw_read_", LOCK),
    ("_raw_write_", LOCK),
    ("__raw_spin_", LOCK),
    ("do_raw_spin_", LOCK),
    ("queued_spin_lock_slowpath", LOCK),
    ("native_queued_spin_lock_slowpath", LOCK),
    ("__pv_queued_spin_", LOCK),
    ("queued_read_lock_slowpath", LOCK),
    ("queued_write_lock_slowpath", LOCK),
    ("resilient_queued_spin_lock_slowpath", LOCK),
    ("resilient_tas_spin_lock", LOCK),
    ("bpf_", OWN),
    ("__bpf_", OWN),
    ("___bpf_", OWN),
    ("htab_", OWN),
    ("__htab_", OWN),
    ("alloc_htab_elem", OWN),
    ("free_htab_elem", OWN),
    ("array_map_", OWN),
    ("percpu_array_", OWN),
    ("pcpu_freelist_", OWN),
    ("__pcpu_freelist_", OWN),
    ("ringbuf_", OWN),
    ("task_storage_", OWN),
    ("irq_work_", OWN),
    ("__irq_work_", OWN),
    ("arch_irq_work_", OWN),
    ("ktime_get_mono_fast_ns", OWN),
    ("ktime_get_boot_fast_ns", OWN),
    ("copy_from_kernel_nofault", OWN),
    ("strncpy_from_kernel_nofault", OWN),
    ("copy_from_user_nofault", OWN),
    ("copy_to_user_nofault", OWN),
    ("strncpy_from_user_nofault", OWN),
    ("strnlen_user_nofault", OWN),
    ("get_perf_callchain", OWN),
    ("get_callchain_", OWN),
    ("put_callchain_", OWN),
    ("perf_callchain_", OWN),
    ("perf_get_callchain", OWN),
    ("stack_map_", OWN),
    ("unwind_", OWN),
    ("__unwind_", OWN),
    ("orc_", OWN),
    ("arch_stack_walk", OWN),
    ("callchain_trace", OWN),
    ("rcu_read_", OWN),
    ("__rcu_read_", OWN),
    ("rcu_is_watching", OWN),
    ("rcu_nmi_", MACHINERY),
    ("rcu_irq_", MACHINERY),
    ("rcu_tasks_", MACHINERY),
    ("migrate_disable", OWN),
    ("migrate_enable", OWN),
    ("preempt_count_", OWN),
    ("preempt_schedule", MACHINERY),
    ("trace_call_bpf", MACHINERY),
    ("perf_trace_", MACHINERY),
    ("perf_tp_", MACHINERY),
    ("perf_swevent_", MACHINERY),
    ("perf_event_output", MACHINERY),
    ("trace_event_", MACHINERY),
    ("__traceiter_", MACHINERY),
    ("trace_clock", MACHINERY),
    ("ring_buffer_", MACHINERY),
    ("rb_", MACHINERY),
    ("ftrace_", MACHINERY),
    ("__ftrace_", MACHINERY),
    ("function_graph_", MACHINERY),
    ("prepare_ftrace_return", MACHINERY),
    ("return_to_handler", MACHINERY),
    ("fprobe_", MACHINERY),
    ("__fprobe_", MACHINERY),
    ("rethook_", MACHINERY),
    ("arch_rethook_", MACHINERY),
    ("kprobe_", MACHINERY),
    ("__kprobe_", MACHINERY),
    ("kretprobe_", MACHINERY),
    ("__kretprobe_", MACHINERY),
    ("arch_kprobe_", MACHINERY),
    ("optimized_callback", MACHINERY),
    ("text_poke", MACHINERY),
    ("exc_", EXCEPTION),
    ("asm_exc_", EXCEPTION),
    ("nmi_", EXCEPTION),
    ("irqentry_", EXCEPTION),
    ("do_int3", EXCEPTION),
    ("notify_die", EXCEPTION),
];

/// The rows by the first byte of their texts: fifty thousand names are asked for, most begin like no row.
static BY_FIRST: LazyLock<Vec<Vec<(&str, &str)>>> = LazyLock::new(|| {
    let rows = |first: u8| {
        let begins = |row: &&(&str, &str)| row.0.as_bytes().first() == Some(&first);
        ROWS.iter().filter(begins).copied().collect()
    };
    (0..=u8::MAX).map(rows).collect()
});

/// Functions from which nothing returns.
const NO_RETURN: &[&str] = &[
    "do_exit",
    "do_group_exit",
    "make_task_dead",
    "kthread_exit",
    "kthread_complete_and_exit",
    "__kthread_exit",
    "panic",
    "nmi_panic_self_stop",
    "rewind_stack_and_make_dead",
    "stop_this_cpu",
    "cpu_startup_entry",
    "do_idle",
    "play_dead_common",
    "machine_real_restart",
    "__x64_sys_exit",
    "__x64_sys_exit_group",
    "__arm64_sys_exit",
    "__arm64_sys_exit_group",
    "__do_sys_exit",
    "__do_sys_exit_group",
];

/// Why a function is not probed, if so.
pub(crate) fn unsafe_to_probe(name: &str) -> Option<&'static str> {
    let rows = BY_FIRST.get(usize::from(*name.as_bytes().first()?))?;
    let row = rows.iter().find(|(start, _)| name.starts_with(start))?;
    Some(row.1)
}

/// Whether a function has no return to probe.
pub(crate) fn never_returns(name: &str) -> bool {
    NO_RETURN.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_row_begins_another() {
        for (n, (a, _)) in ROWS.iter().enumerate() {
            let mut others = ROWS.iter().skip(n + 1);
            assert!(
                others.all(|(b, _)| !b.starts_with(a) && !a.starts_with(b)),
                "{a}"
            );
        }
    }

    #[test]
    fn what_tracing_needs_is_left_out() {
        for name in [
            "_raw_spin_lock_irqsave",
            "bpf_ringbuf_reserve",
            "htab_map_update_elem",
        ] {
            assert!(unsafe_to_probe(name).is_some(), "{name}");
        }
        for name in ["vfs_read", "schedule", "tcp_v4_rcv", "finish_task_switch"] {
            assert!(unsafe_to_probe(name).is_none(), "{name}");
        }
        assert!(never_returns("do_exit") && !never_returns("do_exit_work"));
    }
}

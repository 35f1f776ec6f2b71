//! What Solaris' kernel calls otherwise, or has and Linux has not, for messages: scripts of the books name it.
//!
//! Source: the scripts of the books and their examples; the Linux side is this system's own probes and types.

/// A name of Solaris and what to write on Linux.
type Hint = (&'static str, &'static str);

/// Members of `kthread_t`, `proc_t`, `cpu_t` and their like, where `curthread` leads to them.
const MEMBERS: &[Hint] = &[
    ("p_brksize", "curthread->mm->brk - curthread->mm->start_brk"),
    ("p_cred", "uid and gid"),
    ("p_lwpcnt", "curpsinfo->pr_nlwp"),
    ("p_mstart", "curthread->group_leader->start_time"),
    ("p_parent", "curthread->real_parent"),
    ("p_pidp", "curthread->tgid, or pid"),
    ("p_stime", "curthread->stime, in ns and of one thread"),
    ("p_stksize", "curthread->mm->stack_vm, in pages"),
    ("p_user", "curpsinfo and fds[]"),
    ("p_utime", "curthread->utime, in ns and of one thread"),
    ("t_bound_cpu", "curthread->nr_cpus_allowed"),
    ("t_cid", "curlwpsinfo->pr_clname"),
    (
        "t_cpu",
        "cpu or curcpu; the length of its queue: count sched:::enqueue and sched:::dequeue",
    ),
    ("t_cred", "uid and gid"),
    ("t_did", "tid"),
    ("t_lwp", "curlwpsinfo"),
    ("t_name", "curthread->comm, or execname"),
    ("t_pri", "curlwpsinfo->pr_pri"),
    (
        "t_procp",
        "curpsinfo, or curthread, which is the thread and its process in one",
    ),
    (
        "t_sobj_ops",
        "curlwpsinfo->pr_stype, or stack() at sched:::off-cpu",
    ),
    ("t_start", "curthread->start_time"),
    ("t_state", "curlwpsinfo->pr_state"),
    ("t_tid", "tid"),
    ("t_wchan", "curlwpsinfo->pr_wchan"),
    ("uio_iov", "the struct iov_iter of the function"),
    (
        "uio_resid",
        "the count of bytes that vfs_read and vfs_write have as args[2]",
    ),
    ("v_path", "d_path(&file->f_path), or fds[fd].fi_pathname"),
];

/// Functions of Solaris' kernel: the nearest of Linux', and where there is one the probe that stays the same.
const FUNCTIONS: &[Hint] = &[
    ("as_fault", "fbt::handle_mm_fault:, or vminfo:::as_fault"),
    ("bdev_strategy", "fbt::submit_bio:, or io:::start"),
    ("biodone", "fbt::bio_endio:, or io:::done"),
    (
        "biowait",
        "fbt::io_schedule:, or io:::wait-start and io:::wait-done",
    ),
    ("clock", "sched:::tick"),
    ("cnwrite", "fbt::tty_write:"),
    ("cv_broadcast", "fbt::__wake_up:, or sched:::wakeup"),
    ("cv_signal", "fbt::__wake_up:, or sched:::wakeup"),
    ("cv_wait", "sched:::sleep"),
    ("dnlc_lookup", "fbt::__d_lookup:"),
    ("exec_common", "proc:::exec"),
    ("fop_close", "fbt::filp_close:, or fsinfo:::close"),
    ("fop_create", "fbt::vfs_create:"),
    ("fop_fsync", "fbt::vfs_fsync_range:, or fsinfo:::fsync"),
    ("fop_getattr", "fbt::vfs_getattr:"),
    ("fop_ioctl", "syscall::ioctl:"),
    ("fop_lookup", "fbt::path_lookupat:"),
    ("fop_mkdir", "fbt::vfs_mkdir:"),
    ("fop_open", "fbt::vfs_open:, or fsinfo:::open"),
    ("fop_read", "fbt::vfs_read:, or fsinfo:::read"),
    ("fop_readdir", "fbt::iterate_dir:, or fsinfo:::readdir"),
    ("fop_remove", "fbt::vfs_unlink:"),
    ("fop_rename", "fbt::vfs_rename:"),
    ("fop_rmdir", "fbt::vfs_rmdir:"),
    ("fop_write", "fbt::vfs_write:, or fsinfo:::write"),
    ("fsflush", "sdt:writeback::"),
    ("ip_input", "fbt::ip_rcv:, or ip:::receive"),
    ("kmem_alloc", "sdt:::kmalloc"),
    ("kmem_free", "sdt:::kfree"),
    ("lookuppn", "fbt::path_lookupat:"),
    (
        "mutex_enter",
        "fbt::mutex_lock:, or lockstat:::adaptive-block",
    ),
    ("mutex_exit", "fbt::mutex_unlock:"),
    ("pagefault", "fbt::handle_mm_fault:, or vminfo:::as_fault"),
    ("putnext", "(there are no STREAMS)"),
    ("resume", "sched:::on-cpu"),
    (
        "rw_enter",
        "fbt::down_read: and fbt::down_write:, or lockstat:::rw-block",
    ),
    ("sd_send_scsi_cmd", "sdt:::scsi_dispatch_cmd_start"),
    ("sdstrategy", "sdt:::scsi_dispatch_cmd_start, or io:::start"),
    ("segkmem_page_create", "sdt:::mm_page_alloc"),
    ("sigtoproc", "proc:::signal-send"),
    ("so_socketpair", "syscall::socketpair:"),
    ("squeue_enter", "ip:::receive"),
    (
        "ssdstrategy",
        "sdt:::scsi_dispatch_cmd_start, or io:::start",
    ),
    ("swtch", "sched:::off-cpu"),
    (
        "taskq_dispatch",
        "fbt::__queue_work:, or sdt:::workqueue_queue_work",
    ),
    ("tcp_send_data", "fbt::tcp_sendmsg:, or tcp:::send"),
    ("ufs_read", "fbt::ext4_file_read_iter:, or fsinfo:::read"),
    ("ufs_write", "fbt::ext4_file_write_iter:, or fsinfo:::write"),
    ("xcopyin", "fbt::_copy_from_user:"),
    ("zfs_read", "fbt::zpl_iter_read:, or fsinfo:::read"),
    ("zfs_write", "fbt::zpl_iter_write:, or fsinfo:::write"),
];

/// Variables of Solaris' kernel.
const VARIABLES: &[Hint] = &[
    ("_ncpu", "`nr_cpu_ids"),
    ("_pagesize", "4096, or what getconf PAGE_SIZE says"),
    (
        "availrmem",
        "/proc/meminfo (MemAvailable); probes that count are in vminfo",
    ),
    (
        "freemem",
        "/proc/meminfo (MemFree); probes that count are in vminfo",
    ),
    ("hp_avenrun", "`avenrun[n] / 2048"),
    ("k_anoninfo", "/proc/meminfo (SwapFree)"),
    ("lbolt", "`jiffies"),
    ("lbolt64", "`jiffies_64"),
    ("maxusers", "sysctl kernel.threads-max"),
    ("ncpus", "`nr_cpu_ids"),
    ("ncpus_online", "`nr_cpu_ids"),
    ("nproc", "`nr_threads, threads of all processes"),
    (
        "nswapped",
        "vminfo:::pgswapout: whole processes are not swapped out",
    ),
    ("physmem", "`max_pfn, in pages"),
    ("utsname", "`init_uts_ns.name"),
];

/// Probes by provider and name (`*` is any name) that have another name on Linux.
const PROBES: &[(&str, &str, &str)] = &[
    ("sdt", "taskq-enqueue", "sdt:::workqueue_queue_work"),
    ("sdt", "taskq-exec-start", "sdt:::workqueue_execute_start"),
    ("sdt", "taskq-exec-end", "sdt:::workqueue_execute_end"),
    ("sdt", "page-fault", "sdt:::page_fault_user"),
    ("mib", "icmpInEchoReps", "mib:::icmpInMsgs"),
    (
        "mib",
        "ipIfStatsHCInOctets",
        "ip:::receive, and sum(args[2]->ip_plength)",
    ),
    (
        "mib",
        "ipIfStatsHCOutOctets",
        "ip:::send, and sum(args[2]->ip_plength)",
    ),
    ("mib", "ipIfStatsInDiscards", "ip:::drop-in"),
    ("mib", "ipIfStatsOutDiscards", "ip:::drop-out"),
    ("mib", "rawipOutDatagrams", "mib:::icmpOutMsgs"),
    (
        "mib",
        "tcpInDataInorderBytes",
        "tcp:::receive, and sum(args[2]->ip_plength - args[4]->tcp_offset)",
    ),
    (
        "mib",
        "tcpOutDataBytes",
        "tcp:::send, and sum(args[2]->ip_plength - args[4]->tcp_offset)",
    ),
    ("mib", "tcpRetransBytes", "mib:::tcpRetransSegs"),
    ("mib", "udpHCInDatagrams", "mib:::udpInDatagrams"),
    ("mib", "udpHCOutDatagrams", "mib:::udpOutDatagrams"),
    ("mib", "udpInErrors", "mib:::udpInOverflows"),
    ("mib", "udpNoPorts", "sdt:::kfree_skb"),
    ("vfs", "*", "fsinfo:::"),
    ("nfsv3", "*", "sdt:nfsd::"),
    ("nfsv4", "*", "sdt:nfsd::"),
    ("smb", "*", "sdt:cifs::"),
    ("iscsi", "*", "sdt:scsi::"),
    ("fc", "*", "sdt:scsi::"),
    ("hotspot", "*", "hotspot$target::: for one process"),
    ("perl", "*", "perl$target:::, or perl*::: for all"),
    ("php", "*", "php$target:::, or php*::: for all"),
    ("python", "*", "python$target:::, or python*::: for all"),
    ("ruby", "*", "ruby$target:::, or ruby*::: for all"),
    ("tcl", "*", "tcl$target:::, or tcl*::: for all"),
    ("mysql", "*", "mysql$target:::, or mysql*::: for all"),
    (
        "postgresql",
        "*",
        "postgresql$target:::, or postgresql*::: for all",
    ),
];

fn row(table: &'static [Hint], name: &str) -> Option<&'static str> {
    let (_, hint) = table.iter().find(|(own, _)| *own == name)?;
    Some(hint)
}

/// What to write for a member of the kernel's structures.
pub fn member(name: &str) -> Option<&'static str> {
    row(MEMBERS, name)
}

/// What to write for a variable of the kernel.
pub fn variable(name: &str) -> Option<&'static str> {
    row(VARIABLES, name)
}

/// What to write for a probe.
pub fn probe(provider: &str, function: &str, name: &str) -> Option<&'static str> {
    if provider == "fbt" {
        return row(FUNCTIONS, function);
    }
    let (.., hint) = PROBES
        .iter()
        .find(|(p, n, _)| *p == provider && (*n == name || *n == "*"))?;
    Some(hint)
}

/// The sentence of a message.
pub fn help(hint: &str) -> String {
    format!("that is a name of Solaris; on Linux: {hint}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_found() {
        assert_eq!(member("t_pri"), Some("curlwpsinfo->pr_pri"));
        assert_eq!(member("comm"), None);
        assert_eq!(variable("lbolt"), Some("`jiffies"));
        assert!(probe("fbt", "fop_read", "entry").is_some_and(|h| h.contains("vfs_read")));
        assert_eq!(probe("vfs", "", "vop_read"), Some("fsinfo:::"));
        assert_eq!(probe("sdt", "", "sched_switch"), None);
    }

    #[test]
    fn every_name_is_there_once() {
        for table in [MEMBERS, FUNCTIONS, VARIABLES] {
            let names: std::collections::BTreeSet<_> = table.iter().map(|(name, _)| name).collect();
            assert_eq!(names.len(), table.len());
        }
    }
}

# on-cpu tells everything of the thread that comes; where it is only about to run, its stacks are empty.
. "$(dirname "$0")/../cli/lib.bash"
for how in -q -xwithout=sched_exit_tp '-xwithout=sched_exit_tp -xwithout=finish_task_switch'; do
    run -q $how -n 'sched:::on-cpu { seen++; }
        sched:::on-cpu /curthread->tgid != pid || curthread->pid != tid || execname != stringof(curthread->comm)
            || curlwpsinfo->pr_lwpid != tid || curpsinfo->pr_pid != pid || curpsinfo->pr_ppid != ppid
            || curthread->cred->uid.val != uid || curthread->cred->gid.val != gid/
        { printf("%s %d %d\n", execname, pid, tid); }
        tick-500ms { exit(0); }
        END { printf("%s\n", seen > 0 ? "seen" : "never seen"); }' -c 'sleep 0.2'
    ended 0
    printed seen
done
run -qxwithout=sched_exit_tp -xwithout=finish_task_switch -n 'sched:::on-cpu { @[stackdepth] = count(); } tick-200ms { exit(0); }' -c 'sleep 0.1'
ended 0
[ "$(printf '%s' "$out" | awk 'NF { print $1 }')" = 0 ] || fail "a stack of a thread that does not run"
run -qxwithout=sched_exit_tp -xwithout=finish_task_switch -n 'sched:::on-cpu /pid == $target/ { trace(copyinstr(1)); exit(0); }' -c 'sleep 0.1'
says 'illegal operation in action #1'

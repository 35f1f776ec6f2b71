# pswitch is every switch; inv_swtch those that were not asked for; idlethread those to nothing.
. "$(dirname "$0")/../cli/lib.bash"
run -qn 'sysinfo:::pswitch { @["pswitch"] = sum(arg0); } sched:::off-cpu { @["pswitch"] = sum(-1); }
    sysinfo:::inv_swtch { @["inv_swtch"] = sum(arg0); } sched:::preempt { @["inv_swtch"] = sum(-1); }
    sysinfo:::idlethread { @["idlethread"] = sum(arg0); } sched:::off-cpu /args[0]->pr_lwpid == 0/ { @["idlethread"] = sum(-1); }
    sysinfo:::pswitch { n++; }
    tick-300ms { exit(0); } END { printf("%d\n", n > 10); printa("%s %@d\n", @); }' -c 'bash -c "for i in {1..20}; do sleep 0; done"'
ended 0
prints 'pswitch 0'
printf '%s\n' "$out" | awk 'NR == 1 && $1 != 1 || NF == 2 && $2 != 0 { exit 1 }' || fail "differ from sched"

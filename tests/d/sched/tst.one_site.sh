# A tracepoint and the probes derived from it fire together, in the order of their ids, and count the same.
. "$(dirname "$0")/../cli/lib.bash"
run -qn 'sdt:::sched_switch, sched:::off-cpu { @[probename] = count(); }
    sched:::sleep, sched:::preempt { self->why = 1; } sched:::off-cpu /self->why/ { self->why = 0; @["explained"] = count(); }
    sched:::off-cpu /tid == 0/ { @["explained"] = count(); }
    END { printa("%s %@d\n", @); }' -c 'bash -c "for i in {1..50}; do sleep 0; done"'
ended 0
switches=$(printf '%s\n' "$out" | awk '$1 == "sched_switch" { print $2 }')
off=$(printf '%s\n' "$out" | awk '$1 == "off-cpu" { print $2 }')
[ "$switches" = "$off" ] && [ "$off" -gt 50 ] || fail "sched_switch and off-cpu differ"
run -l -n 'sched:::off-cpu'
prints ' sched '

# What fires whenever a thread gets a processor, the consumer too, and faults each time: reports must not make the next
# ones, and each fault is reported or counted.
. "$(dirname "$0")/../cli/lib.bash"
$DTRACE -q -n 'sched:::on-cpu { @faults = count(); }
    sched:::on-cpu /pid == $pid/ { @mine = count(); }
    sched:::on-cpu { trace(*(int *)8); }
    tick-2s { exit(0); }
    END { printa("traced %@d", @faults); printa(" %@d\n", @mine); }' 2>&1 | while read -r line; do printf '%s\n' "$line"; done >"$dir/all"
read -r _ faults mine < <(grep '^traced' "$dir/all")
reported=$(grep -c 'error on enabled probe .* invalid address' "$dir/all")
dropped=$(sed -n 's/^dtrace: \([0-9]*\) error report drops on CPU.*/\1/p' "$dir/all" | awk '{ n += $1 } END { print n + 0 }')
[ "$faults" -gt 50 ] && [ $((reported + dropped)) = "$faults" ] ||
    fail "$faults faults, $reported reported, $dropped dropped: $(grep -v 'error on enabled' "$dir/all")"
# 200 looks a second, and as many writes.
[ "$mine" -le 2000 ] || fail "the consumer got a processor $mine times in 2 seconds"

# aggpercpu: under each value those of the CPUs that have one, which together make it.
. "$(dirname "$0")/../cli/lib.bash"
run -q -x aggpercpu -n 'syscall:::entry { @["calls"] = count(); } tick-300ms { exit(0); }' -c 'dd if=/dev/zero of=/dev/null bs=5 status=none'
ended 0
[[ $out =~ 'calls'\ +([0-9]+) ]] || fail 'no value'
total=${BASH_REMATCH[1]} sum=0
for n in $(sed -n 's/^    \[CPU [0-9]*\] *\([0-9]*\)$/\1/p' "$dir/.out"); do sum=$((sum + n)); done
[ "$sum" = "$total" ] || fail "$sum is not $total"
# On one CPU, and after clear().
run -q -x aggpercpu -x cpu=0 -n 'BEGIN { @ = sum(7); printa(@); clear(@); printa(@); exit(0); }'
ended 0
printed '
                7
    [CPU 0]                7

                0'
run -O json -x aggpercpu -x cpu=0 -n 'BEGIN { @ = max(7); exit(0); }'
prints '"cpus":[{"cpu":0,"value":7}]'

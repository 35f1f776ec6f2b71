# cpu=N: probes fire on that CPU only, BEGIN, END and ticks run there.
. "$(dirname "$0")/../cli/lib.bash"
cpus=$(getconf _NPROCESSORS_ONLN)
# Something runs on every CPU.
echo 'for ((n = 0; n < '"$cpus"'; n++)); do taskset -c $n cat /proc/self/stat >/dev/null; done; sleep 0.2' >"$dir/work"
for only in 0 $((cpus - 1)); do
    run -q -x cpu=$only -n 'BEGIN,END { printf("%s %d\n", probename, cpu); }
	syscall:::entry,syscall:::return,tick-10ms,profile-997 { @[probeprov, cpu] = count(); }' \
	-c "bash $dir/work"
    ended 0
    prints "BEGIN $only"
    prints "END $only"
    others=$(awk -v n=$only 'NF == 3 && $2 != n' "$dir/.out")
    [ -z "$others" ] || fail "other CPUs: $others"
    prints '  syscall '
done
for bad in -1 65535 x; do
    run -x cpu=$bad -n BEGIN
    ended 1
    said 'dtrace: failed to set -x cpu: Invalid value for specified option'
done

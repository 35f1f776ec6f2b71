# Priorities as /proc/PID/stat has them, NUMA nodes, and what kind of CPU it is.
. "$(dirname "$0")/../cli/lib.bash"
cat > "$dir/p.d" <<'D'
syscall::write:entry /pid == $target/ {
	printf("%d %d\n", curlwpsinfo->pr_oldpri, curlwpsinfo->pr_nice);
	printf("%d\n", curlwpsinfo->pr_lgrp);
	printf("%s %d %d\n", curcpu->cpu_info.pi_processor_type, curcpu->cpu_info.pi_state == P_ONLINE,
	    curcpu->cpu_info.pi_clock >= 0 && curcpu->cpu_info.pi_clock < 10000);
	exit(0);
}
D
run -qs "$dir/p.d" -c "nice -n 5 cut -d' ' -f18,19 /proc/self/stat"
ended 0
lines=($(echo "$out" | head -1))
printed "${lines[0]} ${lines[1]}
25 5
$(sed -n 3p <<< "$out")
$(uname -m) 1 1"
node=$(sed -n 3p <<< "$out")
[ -e /sys/devices/system/node ] && [ ! -e "/sys/devices/system/node/node$node" ] && fail "no node $node"
true

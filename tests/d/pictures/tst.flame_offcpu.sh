# The off-CPU profiler of the toolkit as a flame graph, in time.
# @@timeout 60
. "$(dirname "$0")/lib.bash"
draw flame -s "$(dirname "$0")/../../../toolkit/scheduler/offcpu.d" -c 'sleep 0.5'
ended 0
shows '>offcpu.d</text>'
grep -qE '<title>sleep \((5[0-9][0-9]|[6-9][0-9][0-9]) ms, ' "$picture" || fail "not 0.5 s"
shows '<title>vmlinux`schedule ('

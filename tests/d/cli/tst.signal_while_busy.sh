# Interrupted under load, it still ends soon and prints.
. "$(dirname "$0")/lib.bash"
start -qn 'BEGIN { printf("ready\n"); } syscall:::entry { @[probefunc] = count(); } END { printf("end\n"); }'
wait_for ready
for _ in 1 2 3; do cat /proc/self/maps; done > /dev/null
finish INT
ended 0
prints end
prints ' read '

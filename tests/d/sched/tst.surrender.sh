# Every sched_yield(2) is a surrender.
# @@needs python3
. "$(dirname "$0")/../cli/lib.bash"
run -qn 'sched:::surrender /args[1]->pr_pid == $target && args[0]->pr_lwpid == tid/ { @ = count(); } END { printa("%@d\n", @); }' \
    -c 'python3 -c "import os
for _ in range(100): os.sched_yield()"'
ended 0
printed 100

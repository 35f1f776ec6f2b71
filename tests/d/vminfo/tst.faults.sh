# Pages that are touched for the first time, and pages that a child writes to after a fork.
# @@needs python3
. "$(dirname "$0")/../cli/lib.bash"
cat > "$dir/t.py" <<'P'
import mmap, os
m = mmap.mmap(-1, 4096 * 600, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
m.madvise(mmap.MADV_NOHUGEPAGE)
os.sched_get_priority_max(0)
for n in range(600): m[n * 4096] = 1
os.sched_get_priority_max(0)
if os.fork() == 0:
    os.sched_get_priority_max(0)
    for n in range(600): m[n * 4096] = 2
    os.sched_get_priority_max(0)
    os._exit(0)
os.wait()
P
run -qn 'int touched, copied, refused;
    syscall::sched_get_priority_max:entry /pid == $target || ppid == $target/ { step++; }
    vminfo:::as_fault /pid == $target && step == 1/ { touched += arg0; }
    vminfo:::cow_fault /ppid == $target && step == 3/ { copied += arg0; }
    vminfo:::prot_fault /ppid == $target && step == 3/ { refused += arg0; }
    END { printf("%d %d %d\n", touched >= 600 && touched < 650, copied >= 600 && copied < 650, refused >= copied); }' \
    -c "python3 $dir/t.py"
ended 0
printed '1 1 1'

# Names that are looked up.
# @@needs python3 probe=sysinfo:::namei
. "$(dirname "$0")/../cli/lib.bash"
cat > "$dir/t.py" <<'P'
import os
os.sched_get_priority_max(0)
for n in range(100): os.stat("/etc/passwd")
os.sched_get_priority_max(0)
P
run -qn 'syscall::sched_get_priority_max:entry /pid == $target/ { step++; }
    sysinfo:::namei /pid == $target && step == 1/ { @ = sum(arg0); } END { printa("%@d\n", @); }' -c "python3 $dir/t.py"
ended 0
printed 100

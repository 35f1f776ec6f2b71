# A thread that yields either leaves its CPU or stays on it.
# @@needs python3 probe=sched:::remain-cpu
. "$(dirname "$0")/../cli/lib.bash"
cat > "$dir/t.py" <<'P'
import os
os.sched_setaffinity(0, {0})
os.sched_get_priority_max(0)
for n in range(1000): os.sched_yield()
os.sched_get_priority_max(0)
P
run -qn 'int yields, stays, leaves;
    syscall::sched_get_priority_max:entry /pid == $target/ { step++; }
    sched:::surrender /pid == $target && step == 1/ { yields++; }
    sched:::remain-cpu /pid == $target && step == 1/ { stays++; }
    sched:::off-cpu /pid == $target && step == 1/ { leaves++; }
    END { printf("%d %d %d\n", yields, stays > 0, stays + leaves >= yields); }' -c "python3 $dir/t.py"
ended 0
printed '1000 1 1'

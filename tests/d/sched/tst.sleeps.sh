# Off-CPU time: every sleep of every thread is seen, in the thread that slept; on kernels that show the incoming thread and
# on those that do not.
# @@needs python3
. "$(dirname "$0")/../cli/lib.bash"
cat > "$dir/t.py" <<'P'
import threading, time
def sleeper():
    for _ in range(50):
        time.sleep(0.01)
ts = [threading.Thread(target=sleeper) for _ in range(2)]
for t in ts: t.start()
for t in ts: t.join()
P
for how in -q -xwithout=sched_exit_tp '-xwithout=sched_exit_tp -xwithout=finish_task_switch'; do
    run -q $how -n 'sched:::off-cpu /pid == $target/ { self->t = timestamp; self->me = tid; }
        sched:::on-cpu /self->t && self->me == tid && timestamp - self->t >= 5000000/ { @[tid] = count(); }
        sched:::on-cpu /self->t/ { self->t = 0; }
        sched:::on-cpu /self->me && self->me != tid/ { printf("as %d, not %d\n", tid, self->me); }
        END { printa("%@d\n", @); }' -c "python3 $dir/t.py"
    ended 0
    # A thread that loses its CPU on the way to sleep sleeps a little less; one that waits long for a CPU is counted too.
    printf '%s\n' "$out" | awk '$1 >= 50 && $1 <= 60 { n++ } END { exit n != 2 }' || fail "not 50 sleeps in each of 2 threads"
    case $out in *as*) fail "self-> of another thread" ;; esac
done

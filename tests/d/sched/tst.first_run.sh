# A new thread's first time on a CPU is seen too, and once.
# @@needs python3
. "$(dirname "$0")/../cli/lib.bash"
cat > "$dir/t.py" <<'P'
import threading, time
ts = [threading.Thread(target=lambda: time.sleep(0.01)) for _ in range(20)]
for t in ts: t.start()
for t in ts: t.join()
P
for how in -q -xwithout=sched_exit_tp '-xwithout=sched_exit_tp -xwithout=finish_task_switch'; do
    run -q $how -n 'int again; self int now; sched:::on-cpu /pid == $target && !self->on/ { self->on = 1; first++; }
        sched:::on-cpu /pid == $target/ { again += self->now; self->now = 1; } sched:::off-cpu /pid == $target/ { self->now = 0; }
        sched:::off-cpu /pid == $target && !self->on/ { missed++; }
        END { printf("%d %d %d\n", first, missed, again); }' -c "python3 $dir/t.py"
    ended 0
    printed '21 0 0'
done

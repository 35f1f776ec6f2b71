# wakeup fires in the thread that wakes another, and tells which.
# @@needs python3
. "$(dirname "$0")/../cli/lib.bash"
cat > "$dir/t.py" <<'P'
import os, time
r, w = os.pipe()
child = os.fork()
if child == 0:
    os.close(w)
    while os.read(r, 1): pass
    os._exit(0)
os.close(r)
for _ in range(50):
    time.sleep(0.002)
    os.write(w, b"x")
os.close(w)
os.wait()
P
run -qn 'proc:::create /pid == $target/ { child = args[0]->pr_pid; }
    sched:::wakeup /pid == $target && child && args[1]->pr_pid == child/ { @ = count(); }
    END { printa("%@d\n", @); }' -c "python3 $dir/t.py"
ended 0
[ "$out" -ge 40 ] && [ "$out" -le 60 ] || fail "not about 50"

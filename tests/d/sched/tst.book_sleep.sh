# The script of the book: how long sleepers slept, by who woke them.
# @@needs python3
. "$(dirname "$0")/../cli/lib.bash"
cat > "$dir/t.py" <<'P'
import os, time
r, w = os.pipe()
if os.fork() == 0:
    os.close(w)
    open("/proc/self/comm", "w").write("sleeper")
    while os.read(r, 1): pass
    os._exit(0)
open("/proc/self/comm", "w").write("waker")
os.close(r)
for _ in range(20):
    time.sleep(0.02)
    os.write(w, b"x")
os.close(w)
os.wait()
P
run -qn 'sched:::off-cpu /curlwpsinfo->pr_state == SSLEEP && execname == "sleeper"/ { bedtime[curlwpsinfo->pr_addr] = timestamp; }
    sched:::wakeup /bedtime[args[0]->pr_addr]/ {
        @[args[1]->pr_fname, execname] = sum(timestamp - bedtime[args[0]->pr_addr] >= 15000000);
        bedtime[args[0]->pr_addr] = 0; }
    END { printa("%s %s %@d\n", @); }' -c "python3 $dir/t.py"
ended 0
n=$(printf '%s\n' "$out" | awk '$1 == "sleeper" && $2 == "waker" { print $3 }')
[ "${n:-0}" -ge 15 ] && [ "$n" -le 21 ] || fail "not about 20 sleeps of 20 ms"

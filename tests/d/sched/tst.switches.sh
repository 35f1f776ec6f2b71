# sleep and preempt are what the kernel counts as voluntary and nonvoluntary switches of a thread.
# @@needs python3
. "$(dirname "$0")/../cli/lib.bash"
cat > "$dir/t.py" <<'P'
import os, time, resource
def counts():
    return resource.getrusage(resource.RUSAGE_THREAD)
a = counts()
for n in range(100):
    time.sleep(0.001)
    os.sched_yield()
end = time.time() + 0.3
while time.time() < end: pass
b = counts()
print(b.ru_nvcsw - a.ru_nvcsw, b.ru_nivcsw - a.ru_nivcsw)
P
run -qn 'sched:::sleep /tid == $target/ { sleeps++; } sched:::preempt /tid == $target/ { preempts++; }
    syscall::getrusage:entry /pid == $target && args[0] == 1/ { calls++; }
    syscall::getrusage:entry /pid == $target && calls == 1/ { sleeps = 0; preempts = 0; }
    syscall::getrusage:entry /pid == $target && calls == 2/ { printf("%d %d\n", sleeps, preempts); }' -c "python3 $dir/t.py"
ended 0
[ "$(printf '%s\n' "$out" | grep . | sort -u | wc -l)" = 1 ] || fail "not what the kernel counts"

# What a thread sleeps for (pr_stype): a lock of the program, or anything else; one that runs sleeps for nothing.
# @@needs python3
. "$(dirname "$0")/../cli/lib.bash"
cat >"$dir/waits.py" <<'P'
import threading, time
lock = threading.Lock()
def second():
    with lock:
        pass
for i in range(5):
    lock.acquire()
    thread = threading.Thread(target=second)
    thread.start()
    time.sleep(0.02)
    lock.release()
    thread.join()
P
run -qn 'BEGIN { printf("%d ", curlwpsinfo->pr_stype == SOBJ_NONE); }
    sched:::off-cpu /pid == $target && curlwpsinfo->pr_state == SSLEEP/
    {
        @[curlwpsinfo->pr_stype == SOBJ_USER ? "lock" : curlwpsinfo->pr_stype == SOBJ_CV ? "other" : "none",
            tid == pid ? "first" : "second"] = count();
    }
    END { printa("%s %s %@d\n", @); }' -c "python3 $dir/waits.py"
ended 0
case $out in 1\ *) ;; *) fail "what runs sleeps for something" ;; esac
count() { printf '%s\n' "$out" | sed -n "s/^\(1 \)\{0,1\}$1 //p"; }
[ "$(count 'lock second')" -ge 5 ] || fail "the lock was not seen five times"
[ "$(count 'other first')" -ge 5 ] || fail "the sleeps were not seen"
printf '%s\n' "$out" | grep -q none && fail "asleep for nothing"
:

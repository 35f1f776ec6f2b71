# Threads are no processes.
# @@needs python3
. "$(dirname "$0")/../cli/lib.bash"
cat > "$dir/t.py" <<'P'
import threading, time
ts = [threading.Thread(target=lambda: time.sleep(0.01)) for _ in range(10)]
for t in ts: t.start()
for t in ts: t.join()
P
run -qn 'proc:::lwp-create /pid == $target && args[0]->pr_lwpid != args[1]->pr_pid/ { @[probename] = count(); }
    proc:::create /pid == $target/ { children++; }
    proc:::lwp-start, proc:::start, proc:::lwp-exit, proc:::exit
    /pid == $target/ { @[probename] = count(); }
    proc:::lwp-start /pid == $target && tid == pid/ { printf("started as the first thread\n"); }
    END { printa("%s %@d\n", @); }' -c "python3 $dir/t.py"
ended 0
[ "$(printf '%s\n' "$out" | sort)" = 'exit 1
lwp-create 10
lwp-exit 11
lwp-start 10' ] || fail "counts of threads"

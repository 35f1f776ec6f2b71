# Processes that wait for a mutex (of an open file that they share) and for a reader/writer semaphore (of the file itself): which
# lock, how long, as what.
# @@needs python3
. "$(dirname "$0")/../cli/lib.bash"
cat > "$dir/t.py" <<'P'
import os, sys, time
f = os.open(sys.argv[1], os.O_CREAT | os.O_RDWR)
g = os.open(sys.argv[1], os.O_RDWR)
end = time.time() + 1.0
for n in range(4):
    if os.fork() == 0:
        while time.time() < end:
            if n < 2:
                os.pwrite(f, bytes(1 << 20), 0)
            else:
                os.lseek(g, 0, 0)
                os.write(g, bytes(1 << 20))
        os._exit(0)
for n in range(4): os.wait()
P
run -qn 'lockstat:::adaptive-block, lockstat:::adaptive-spin, lockstat:::rw-block /progenyof($target)/
    { @n[probename] = count(); @bad[probename] = sum(args[0] == 0 || args[1] > 2000000000 || arg1 != args[1]); }
    lockstat:::rw-block /progenyof($target)/ { @as[args[2] == 0 || args[2] == 1] = count(); }
    END { printa("%s %@d\n", @n); printa("bad %s %@d\n", @bad); }' -c "python3 $dir/t.py $dir/file"
ended 0
prints 'rw-block '
printf '%s\n' "$out" | awk '$1 == "bad" && $3 != 0 { exit 1 }' || fail "a wait that cannot be"
printf '%s\n' "$out" | grep -q '^adaptive-' || fail "no wait for a mutex"

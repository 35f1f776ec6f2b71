# Every wait for a mutex is one that blocked or one that only spun.
# @@needs python3
. "$(dirname "$0")/../cli/lib.bash"
cat > "$dir/t.py" <<'P'
import os, sys, time
f = os.open(sys.argv[1], os.O_CREAT | os.O_RDWR)
end = time.time() + 0.5
for n in range(3):
    if os.fork() == 0:
        while time.time() < end:
            os.lseek(f, 0, 0)
            os.write(f, bytes(1 << 20))
        os._exit(0)
for n in range(3): os.wait()
P
run -qn 'sysinfo:::mutex_adenters { n++; } sysinfo:::mutex_adenters { @["mutex"] = sum(arg0); } lockstat:::adaptive-block, lockstat:::adaptive-spin { @["mutex"] = sum(-1); }
    END { printf("%d", n > 0); printa(" %@d\n", @); }' -c "python3 $dir/t.py $dir/file"
ended 0
printed '1 0'
# The same for reader/writer locks: four opens of a file write to it.
sed -i 's/^    if os.fork.*/&\n        f = os.open(sys.argv[1], os.O_RDWR)/' "$dir/t.py"
run -qn 'sysinfo:::rw_rdfails, sysinfo:::rw_wrfails /progenyof($target)/ { n++; @["rw"] = sum(arg0); }
    lockstat:::rw-block, lockstat:::rw-spin /progenyof($target)/ { @["rw"] = sum(-1); }
    END { printf("%d", n > 0); printa(" %@d\n", @); }' -c "python3 $dir/t.py $dir/file"
ended 0
printed '1 0'

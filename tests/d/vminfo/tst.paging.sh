# Pages written to a disk are those that the kernel counts.
# @@needs python3
. "$(dirname "$0")/../cli/lib.bash"
cat > "$dir/t.py" <<'P'
import os, sys
def out():
    return next(int(l.split()[1]) for l in open("/proc/vmstat") if l.startswith("pgpgout "))
before = out()
f = os.open(sys.argv[1], os.O_CREAT | os.O_WRONLY)
for _ in range(20):
    os.write(f, bytes(65536))
    os.fsync(f)
print("kernel", out() - before)
P
run -qn 'int pages, requests;
    vminfo:::pgpgout { pages += arg0; } vminfo:::pgout { requests += arg0; }
    END { printf("traced %d\nrequests %d\n", pages * 4, requests); }' -c "python3 $dir/t.py $dir/file"
ended 0
kernel=$(printf '%s\n' "$out" | awk '$1 == "kernel" { print $2 }')
traced=$(printf '%s\n' "$out" | awk '$1 == "traced" { print $2 }')
[ "$traced" -ge "$kernel" ] || fail "fewer pages than the kernel counts"
[ "$traced" -le $((kernel * 4 + 100000)) ] || fail "far more pages than the kernel counts"

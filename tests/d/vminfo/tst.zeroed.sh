# Pages that are filled with zeros for a process, and faults that wait for the disk.
# @@needs python3 probe=vminfo:::zfod
. "$(dirname "$0")/../cli/lib.bash"
file=$(mktemp -p /var/tmp) || exit 1
trap 'rm -rf "$dir" "$file"' EXIT
cat > "$dir/t.py" <<'P'
import mmap, os, sys
m = mmap.mmap(-1, 4096 * 300, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
m.madvise(mmap.MADV_NOHUGEPAGE)
f = os.open(sys.argv[1], os.O_RDWR)
os.write(f, bytes(1 << 20))
os.fsync(f)
os.posix_fadvise(f, 0, 0, os.POSIX_FADV_DONTNEED)
g = mmap.mmap(f, 1 << 20)
g.madvise(mmap.MADV_RANDOM)
os.sched_get_priority_max(0)
for n in range(300): m[n * 4096] = 1
os.sched_get_priority_max(0)
for n in range(20): g[n * 16384]
os.sched_get_priority_max(0)
P
run -qn 'int zeroed, waited;
    syscall::sched_get_priority_max:entry /pid == $target/ { step++; }
    vminfo:::zfod /pid == $target && step == 1/ { zeroed += arg0; }
    vminfo:::maj_fault /pid == $target && step == 2/ { waited += arg0; }
    END { printf("%d %d\n", zeroed >= 300 && zeroed < 340, waited); }' -c "python3 $dir/t.py $file"
ended 0
case $out in "1 "[0-9]*) ;; *) fail "pages" ;; esac

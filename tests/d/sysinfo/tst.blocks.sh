# Blocks read, written at once and written later; page cache reads.
# @@needs python3 losetup mkfs.ext4
. "$(dirname "$0")/../cli/lib.bash"
. "$(dirname "$0")/../io/disk.bash"
cat > "$dir/t.py" <<'P'
import os, sys
f = os.open(sys.argv[1], os.O_RDWR)
os.write(f, bytes(1 << 20))
os.sched_get_priority_max(0)
os.fsync(f)
os.sched_get_priority_max(0)
os.posix_fadvise(f, 0, 0, os.POSIX_FADV_DONTNEED)
for n in range(16): os.pread(f, 4096, n * 65536)
P
run -qn 'int reads, writes, later, cached;
    syscall::sched_get_priority_max:entry /pid == $target/ { step++; }
    sysinfo:::bwrite /pid == $target && step == 1/ { writes += arg0; }
    sysinfo:::bawrite /pid == $target && step == 1/ { later += arg0; }
    sysinfo:::bread /pid == $target && step == 2/ { reads += arg0; }
    sysinfo:::lread /pid == $target && step == 2/ { cached += arg0; }
    END { printf("%d %d %d %d\n", writes > 0, later <= writes, reads > 0 && reads <= cached, cached >= 16); }' \
    -c "python3 $dir/t.py $file"
ended 0
printed '1 1 1 1'

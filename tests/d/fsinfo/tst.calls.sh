# Operations on a file by a process, with their files and results; what fails is there, too.
# @@needs python3 unshare
. "$(dirname "$0")/../cli/lib.bash"
cat > "$dir/t.py" <<'P'
import os, sys
os.sched_get_priority_max(0)
f = os.open(sys.argv[1] + "/known", os.O_CREAT | os.O_RDWR)
for n in range(3): os.write(f, bytes(10))
os.fsync(f)
os.lseek(f, 5, os.SEEK_SET)
os.read(f, 100)
os.read(f, 100)
try: os.lseek(f, -1, os.SEEK_SET)
except OSError: pass
os.close(f)
os.listdir(sys.argv[1] + "/sub")
os.sched_get_priority_max(0)
P
run -qn 'syscall::sched_get_priority_max:entry /pid == $target/ { step++; }
    fsinfo:::open, fsinfo:::write, fsinfo:::fsync, fsinfo:::seek, fsinfo:::read, fsinfo:::close
    /pid == $target && step == 1 && args[0]->fi_name == "known"/ { printf("%s %d\n", probename, args[1]); }
    fsinfo:::readdir /pid == $target && step == 1 && args[0]->fi_name == "sub"/ { listed++; }
    END { printf("%d\n", listed > 0); }' -c "unshare -m sh -c 'exec 3<$dir/t.py; mount -t tmpfs none $dir; mkdir $dir/sub; exec python3 /dev/fd/3 $dir'"
ended 0
printed 'open 0
write 10
write 10
write 10
fsync 0
seek 5
read 25
read 0
seek -22
close 0
1'

# Every lock that a process takes it gives back, and is the one it took.
# @@needs python3 probe=lockstat:::adaptive-acquire
. "$(dirname "$0")/../cli/lib.bash"
cat > "$dir/t.py" <<'P'
import os, sys
os.sched_get_priority_max(0)
f = os.open(sys.argv[1], os.O_CREAT | os.O_RDWR)
for n in range(200):
    os.lseek(f, 0, 0)
    os.write(f, b"x")
    a, b = os.pipe()
    os.write(b, b"x")
    os.read(a, 1)
    os.close(a)
    os.close(b)
os.sched_get_priority_max(0)
P
run -qn 'int mutexes, rws, wrong;
    syscall::sched_get_priority_max:entry /pid == $target/ { step++; }
    lockstat:::adaptive-acquire /pid == $target && step == 1/ { mutexes++; @held["mutexes held"] = sum(1); self->last = (uintptr_t)args[0]; }
    lockstat:::adaptive-release /pid == $target && step == 1/ { @held["mutexes held"] = sum(-1); wrong += args[0] == NULL; }
    lockstat:::rw-acquire /pid == $target && step == 1/ { rws++; @held["rws held"] = sum(1); }
    lockstat:::rw-release /pid == $target && step == 1/ { @held["rws held"] = sum(-1); }
    lockstat:::rw-downgrade, lockstat:::adaptive-acquire-error { wrong += args[0] == NULL; }
    END { printf("%d %d %d\n", mutexes > 200, rws > 200, wrong); printa("%s %@d\n", @held); }' -c "python3 $dir/t.py $dir/file"
ended 0
printed '1 1 0
mutexes held 0
rws held 0'

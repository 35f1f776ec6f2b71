# Entry and return are matched by thread, with other threads about.
# @@needs python3
. "$(dirname "$0")/../cli/lib.bash"
cat > "$dir/t.py" <<'P'
import os, threading
fd = os.open("/dev/zero", os.O_RDONLY)
def work(n):
    for _ in range(500):
        os.read(fd, n)
threads = [threading.Thread(target=work, args=(n,)) for n in (1001, 1002, 1003, 1004)]
for t in threads: t.start()
for t in threads: t.join()
P
run -qn 'BEGIN { wrong = 0; }' -n 'syscall::read:entry /pid == $target && arg2 > 1000 && arg2 < 1005/ { self->n = arg2; }' \
    -n 'syscall::read:return /self->n/ { @[self->n, arg0] = count(); wrong += self->n != arg0; self->n = 0; }' \
    -n 'END { printa("%d %d %@d\n", @); printf("%d wrong", wrong); }' -c "python3 $dir/t.py"
ended 0
said ''
printed '1001 1001 500
1002 1002 500
1003 1003 500
1004 1004 500
0 wrong'

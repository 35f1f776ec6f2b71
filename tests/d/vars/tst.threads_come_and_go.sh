# 50,000 threads (fewer on a slow machine) that come and go, each with a variable of its own: nothing is lost, no value is another thread's, and
# what was stored goes with the thread. @@timeout 120
# @@needs python3
. "$(dirname "$0")/../cli/lib.bash"
threads=$((50000 / ${SLOW:-1}))
cat >"$dir/threads.py" <<'X'
import _thread, os, sys, time
left = int(sys.argv[1])
lock = _thread.allocate_lock()
done = 0
def work():
    global done
    os.getsid(0)
    with lock:
        done += 1
_thread.stack_size(1 << 18)
for n in range(left):
    while True:
        try:
            _thread.start_new_thread(work, ())
            break
        except RuntimeError:
            time.sleep(0.001)
while done < left:
    time.sleep(0.01)
X
run -q -n '
	syscall::set_robust_list:entry /pid == $target/ { self->x = tid; }
	syscall::getsid:entry /pid == $target && self->x == tid/ { right++; }
	syscall::getsid:entry /pid == $target && self->x != tid/ { wrong++; }
	END { printf("%d %d", right, wrong); }' -c "$(command -v python3) $dir/threads.py $threads"
ended 0
said ''
printed "$threads 0"

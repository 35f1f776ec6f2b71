# Threads: -c of a program with threads ends when the whole process does.
# @@needs python3
. "$(dirname "$0")/../cli/lib.bash"
cat > "$dir/t.py" <<'P'
import threading, time
t = threading.Thread(target=lambda: time.sleep(0.3))
t.start()
P
run -qn 'BEGIN { x = timestamp; } END { printf("%d", (timestamp - x) / 1000000 >= 250); }' -c "python3 $dir/t.py"
ended 0
printed 1

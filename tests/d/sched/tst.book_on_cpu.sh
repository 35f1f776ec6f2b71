# The script of the book: time on the CPU. It is what the kernel charges the process.
# @@needs python3
. "$(dirname "$0")/../cli/lib.bash"
cat > "$dir/t.py" <<'P'
import time
while time.process_time() < 0.4: pass
print("charged", int(time.process_time() * 1000), flush=True)
P
run -qn 'sched:::on-cpu /pid == $target/ { self->ts = timestamp; }
    sched:::off-cpu /self->ts/ { @ = sum(timestamp - self->ts); self->ts = 0; }
    END { normalize(@, 1000000); printa("traced %@d\n", @); }' -c "python3 $dir/t.py"
ended 0
printf '%s\n' "$out" | awk '$1 == "charged" { c = $2 } $1 == "traced" { t = $2 } END { exit !(t >= c * 0.9 && t <= c * 1.25 + 50) }' || fail "far from it"

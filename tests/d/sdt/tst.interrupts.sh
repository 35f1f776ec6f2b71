# Interrupts of devices, as many as /proc/interrupts says; what starts completes.
# @@needs python3
. "$(dirname "$0")/../cli/lib.bash"
cat > "$dir/t.py" <<'P'
import os, sys
def counts():
    os.sched_get_priority_max(0)
    text = open("/proc/interrupts").read()
    out = {}
    for line in text.splitlines()[1:]:
        words = line.split()
        if words and words[0][:-1].isdigit():
            out[int(words[0][:-1])] = sum(int(w) for w in words[1:] if w.isdigit())
    return out
f = os.open(sys.argv[1], os.O_CREAT | os.O_WRONLY)
a = counts()
for _ in range(100):
    os.write(f, bytes(4096))
    os.fsync(f)
b = counts()
for irq in b:
    if b[irq] != a.get(irq, 0): print("kernel", irq, b[irq] - a.get(irq, 0))
P
run -qn 'int on, balance, ended;
    syscall::sched_get_priority_max:entry /pid == $target/ { on = !on; }
    sdt:::interrupt-start /on && args[0]->irq == args[3]/ { @[args[3]] = count(); balance++; }
    sdt:::interrupt-complete /on/ { ended++; }
    END { printa("traced %d %@d\n", @); }' -c "python3 $dir/t.py $dir/file"
ended 0
printf '%s\n' "$out" | awk '
    $1 == "kernel" { kernel[$2] = $3 }
    $1 == "traced" { traced[$2] = $3 }
    END { for (irq in kernel) { d = kernel[irq] - traced[irq]; if (d < -3 || d > 3) exit 1 } }' || fail "not as many as the kernel counts"

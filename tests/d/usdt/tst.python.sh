# A Python program has probes: typed, with is-enabled, traced by dtrace and bpftrace, silent and cheap when nobody traces.
# @@needs python3
# @@timeout 90
. "$(dirname "$0")/lib.bash"
module=$(cd "$(dirname "$0")/../../../crates/usdt/python" && pwd)
cd "$dir" || exit 1
cat >shop.py <<'C'
import os, sys, time
sys.path.insert(0, sys.argv[1])
import usdt
shop = usdt.Provider("shop", "order__placed(int id, char *item, int64_t delta, uint8_t small)", "order__done(int id)", "idle()")
assert shop.available
assert not shop.idle.enabled
print("ready", flush=True)
for _ in range(400):
    if shop.order__placed.enabled:
        # The tracer is still attaching the others.
        time.sleep(0.3)
        break
    time.sleep(0.02)
asked = 0
for i in range(100):
    shop.order__placed(i, "tea %d" % (i % 2), -i, i + 250)
    if shop.order__done.enabled:
        asked += 1
        shop.order__done(-i)
    shop.idle()
print("asked", asked)
C
python3 shop.py "$module" >shop.out &
shop=$!
for _ in $(seq 200); do [ -s shop.out ] && break; sleep 0.02; done
run -l -v -n "shop$shop:::order-placed"
ended 0; prints "args[0]: int"; prints "args[3]: uint8_t"
run -q -p $shop -n 'shop$target:::order-placed { @n[copyinstr((uintptr_t)args[1])] = count(); @a = sum(args[0]); @b = sum(args[2]); @c = max(args[3]); }
shop$target:::order-done { @d[probefunc] = sum(args[0]); }
END { printa("%s %@d\n", @n); printa("%@d\n", @a); printa("%@d\n", @b); printa("%@d\n", @c); printa("%s %@d\n", @d); }'
ended 0
printed "tea 0 50
tea 1 50
4950
-4950
255
order__done -4950"
wait $shop
[ "$(cat shop.out)" = "ready
asked 100" ] || fail "the program: $(cat shop.out)"
cat >wrong.py <<'C'
import sys
sys.path.insert(0, sys.argv[1])
import usdt
for name, probe in (("p", "x(double d)"), ("p", "x"), ("p1", "x()"), ("p", "x(int a,int b,int c,int d,int e,int f,int g)")):
    try:
        usdt.Provider(name, probe)
    except ValueError:
        continue
    print("taken:", name, probe)
p = usdt.Provider("p", "x(int a)")
try:
    p.x()
    print("called without argument")
except TypeError:
    pass
C
[ -z "$(python3 wrong.py "$module" 2>&1)" ] || fail "mistakes: $(python3 wrong.py "$module" 2>&1)"

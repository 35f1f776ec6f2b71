# The example that shows the flow of a Python program: on the interpreter of the distribution, which has no probes.
# @@needs python3
# @@timeout 60
. "$(dirname "$0")/../cli/lib.bash"
top=$(cd "$(dirname "$0")/../../.." && pwd)
cat >"$dir/shop.py" <<'P'
import sys, threading, time

class Till:
    def pay(self, amount):
        if amount < 0:
            raise ValueError(amount)
        return amount

def factorial(n):
    return 1 if n == 0 else n * factorial(n - 1)

def nap():
    time.sleep(0.05)

def main(argument):
    till = Till()
    till.pay(3)
    try:
        till.pay(-1)
    except ValueError:
        factorial(2)
    thread = threading.Thread(target=nap)
    thread.start()
    thread.join()
    print("argument", argument)

main(sys.argv[1])
P
export PYTHONPATH=$top/examples/python:$top/crates/usdt/python
run -Z -s "$top/examples/python/flow.d" -c "python3 -m flow --wait $dir/shop.py seven"
ended 0
said ''
prints 'argument seven'
flow=$(printf '%s\n' "$out" | grep -v '^argument' | grep -v ' nap ' | sed 's/ [0-9]* us$//; s/ ([a-z]*\.py:[0-9]*)$//')
[ "$flow" = '-> <module>
  -> Till
  <- Till
  -> main
    -> pay
    <- pay
    -> pay
    <- pay
    -> factorial
      -> factorial
        -> factorial
        <- factorial
      <- factorial
    <- factorial
  <- main
<- <module>' ] || fail "not the flow"
prints '-> nap (shop.py:12)'
us=$(printf '%s\n' "$out" | sed -n 's/.*<- nap \([0-9]*\) us/\1/p')
[ "${us:-0}" -ge 50000 ] || fail "the nap took ${us:-no} us"

# A division by zero at run time is a fault of the action, and ERROR runs.
fail() { echo "$*"; exit 1; }
err=$("$DTRACE" -qn 'BEGIN { x = 0; trace(1 / x); } ERROR { printf("code %d\n", arg4); exit(0); }' 2>&1)
echo "$err" | grep -q '^dtrace: error on enabled probe ID [0-9]* (ID 1: dtrace:::BEGIN): divide-by-zero in action #[0-9]* at BPF pc [0-9]*$' || fail "$err"
echo "$err" | grep -q 'code 4' || fail "$err"

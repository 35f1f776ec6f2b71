# Faults and drops are objects among the others; every line is JSON whatever is traced.
# @@needs python3
. "$(dirname "$0")/lib.bash"
run -q -O json -x aggsize=4k -n 'BEGIN { trace(*(int *)8); } syscall::write:entry /pid == $target/ { @[n++] = count(); }' -c 'dd if=/dev/zero of=/dev/null bs=5 count=1000 status=none'
ended 0
python3 - "$dir/.out" <<'P' || fail "other objects"
import json, sys
lines = [json.loads(l) for l in open(sys.argv[1])]
fault = [o for o in lines if o["type"] == "fault"]
assert len(fault) == 1 and fault[0]["fault"] == "invalid address" and fault[0]["address"] == 8 and fault[0]["code"] == 1, fault
dropped = sum(o["count"] for o in lines if o["type"] == "drop" and o["kind"] == "aggregation")
kept = sum(len(o["entries"]) for o in lines if o["type"] == "aggregation")
assert dropped > 0 and dropped + kept == 1000, (dropped, kept)
P
run -O json -qn 'syscall::write:entry /pid == $target/ { trace(stringof(copyin(arg1, arg2))); printf("%s", copyinstr(arg1)); }' -c "printf '\\377\\376\\001\"\\\\x\\r\\n'"
ended 0
grep -a '^{' "$dir/.out" | grep -a -v '^{"' && fail "no JSON"
grep -a '"type"' "$dir/.out" | sed 's/^[^{]*//' | python3 -c '
import json, sys
for line in sys.stdin.buffer: json.loads(line)
' || fail "not JSON, or not UTF-8"

# Machine output: every kind of datum as JSON, with its type and all of its bytes.
# @@needs python3
. "$(dirname "$0")/lib.bash"
run -q -O json -n 'BEGIN { trace(1); trace(-1); trace("s\"\\\n\t\001"); printf("%d %s|", 7, "x"); stack(2); tracemem(curthread, 4); exit(3); }' -n 'END { printf("bye"); }'
ended 3
said ''
python3 - "$dir/.out" <<'P' || fail "other objects"
import json, sys
lines = [json.loads(l) for l in open(sys.argv[1])]
begin, end, last = lines
assert begin["type"] == end["type"] == "record"
assert begin["probe"] == {"id": 1, "provider": "dtrace", "module": "", "function": "", "name": "BEGIN"}
a = begin["actions"]
assert [x["action"] for x in a] == ["trace", "trace", "trace", "printf", "stack", "tracemem", "exit"], a
assert [x["value"] for x in a[:3]] == [1, -1, "s\"\\\n\t\x01"], a
assert a[3]["text"] == "7 x|" and a[3]["args"] == [7, "x"], a
assert len(a[4]["value"]) == 2 and all("vmlinux`" in f for f in a[4]["value"]), a
assert len(a[5]["bytes"]) == 8 and a[6]["status"] == 3
assert isinstance(begin["timestamp"], int) and isinstance(begin["cpu"], int)
assert end["probe"]["name"] == "END" and end["actions"][0]["text"] == "bye"
assert last == {"type": "end", "status": 3}, last
P

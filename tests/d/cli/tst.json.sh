# Machine output is one JSON object a line.
# @@needs python3
"$DTRACE" -O json -n 'BEGIN { printf("a \"b\" %d", 1); @x["k"] = count(); exit(0); }' 2>/dev/null | python3 -c '
import json, sys
lines = [json.loads(line) for line in sys.stdin]
assert len(lines) >= 2, lines
'

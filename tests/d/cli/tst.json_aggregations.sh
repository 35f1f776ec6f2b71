# Aggregations as JSON: keys of every kind, buckets, what printa() showed is not shown again.
# @@needs python3
. "$(dirname "$0")/lib.bash"
run -q -O json -n 'BEGIN { @c = count(); @k[1, "a"] = sum(-5); @k[2, "b"] = sum(6); @q = quantize(5); @q = quantize(-5); @q = quantize(0);
    @l = lquantize(3, 0, 10, 2); @a = avg(3); @a = avg(4); @n = min(3); @n = min(-4); @x = max(9); @s = stddev(1); @s = stddev(5); @s = stddev(9); exit(0); }'
ended 0
python3 - "$dir/.out" <<'P' || fail "other objects"
import json, sys
got = {o["name"]: o for o in map(json.loads, open(sys.argv[1])) if o["type"] == "aggregation"}
value = lambda n: [(e["key"], e["value"]) for e in got[n]["entries"]]
buckets = lambda n: [(b["value"], b["count"]) for b in got[n]["entries"][0]["buckets"]]
assert value("c") == [([], 1)]
assert value("k") == [([1, "a"], -5), ([2, "b"], 6)]
assert buckets("q") == [(-4, 1), (0, 1), (4, 1)], buckets("q")
assert buckets("l") == [(2, 1)], buckets("l")
assert value("a") == [([], 3)] and value("n") == [([], -4)] and value("x") == [([], 9)] and value("s") == [([], 3)]
assert {n: o["function"] for n, o in got.items()} == {"c": "count", "k": "sum", "q": "quantize", "l": "lquantize", "a": "avg", "n": "min", "x": "max", "s": "stddev"}
P

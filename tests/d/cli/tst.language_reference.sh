# Every example of docs/D-LANGUAGE.md compiles; those with output print it.
. "$(dirname "$0")/lib.bash"
awk -v dir="$dir" '
    /^```d/ { file = sprintf("%s/%02d.%s", dir, ++n, $2 == "run" ? "run" : "d"); printf "" > file; next }
    /^```output/ { file = sprintf("%s/%02d.out", dir, n); printf "" > file; next }
    /^```/ { if (file != "") close(file); file = ""; next }
    file != "" { print > file }
' "$(dirname "$0")/../../../docs/D-LANGUAGE.md"
for f in "$dir"/*.d; do
    run -es "$f"
    [ "$status" = 0 ] || fail "does not compile: $(cat "$f")"
done
for f in "$dir"/*.run; do
    run -qs "$f"
    expected=$(cat "${f%.run}.out")
    [ "$out" = "$expected" ] || fail "printed otherwise than expected: $(cat "$f") -- $expected"
done
[ "$(ls "$dir"/*.d "$dir"/*.run | wc -l)" -ge 14 ] || fail "examples are missing"

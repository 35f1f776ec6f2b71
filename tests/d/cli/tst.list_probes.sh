# -l lists every probe once; ids are unique and ascending; each provider is there.
. "$(dirname "$0")/lib.bash"
run -l
ended 0
ids=$(printf '%s\n' "$out" | awk 'NR > 1 { print $1 }')
[ "$ids" = "$(printf '%s\n' "$ids" | sort -nu)" ] || fail "ids do not ascend"
for p in dtrace profile syscall sdt; do
    n=$(printf '%s\n' "$out" | awk -v p=$p '$2 == p' | wc -l)
    run -lP $p
    ended 0
    [ $((n + 1)) = "$(printf '%s\n' "$out" | wc -l)" ] || fail "-lP $p lists another number than $n"
    run -l
done
run -l; first=$out
run -l; [ "$first" = "$out" ] || fail "two lists differ"

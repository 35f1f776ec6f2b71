# More aggregations with keys, or associative arrays, than a BPF program may have maps.
. "$(dirname "$0")/../cli/lib.bash"
many() { for i in $(seq "$1"); do printf '%s\n' "${2//#/$i}"; done; }
(many 100 'BEGIN { @a#[execname] = count(); }'; echo 'BEGIN { exit(0); }') > "$dir/a.d"
run -qs "$dir/a.d"
ended 0
said ''
[ "$(printf '%s\n' "$out" | grep -c '^  dtrace  *1$')" = 100 ] || fail "not 100 lines"
(many 100 'BEGIN { a#[execname] = #; }'; echo 'BEGIN { printf("%d", a100[execname]); exit(0); }') > "$dir/b.d"
run -qs "$dir/b.d"
ended 0
printed 100

# The id of a counter's probe is the same whether it is listed or asked for.
. "$(dirname "$0")/../cli/lib.bash"
run -l -n 'cpc:::context-switches-all-1000'; ended 0
one=$(printf '%s\n' "$out" | awk 'NR == 2 { print $1 }')
run -l -P cpc; ended 0
all=$(printf '%s\n' "$out" | awk '/context-switches-all-1000$/ { print $1 }')
[ -n "$one" ] && [ "$one" = "$all" ] || fail "$one is not $all"
run -l -i "$one"; ended 0
printf '%s\n' "$out" | grep -q 'context-switches-all-1000$' || fail "the id leads elsewhere"

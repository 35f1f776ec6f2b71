# One speculation is committed 60 times in one firing: it is free again at once, whether or not the consumer runs. Of 200
# times, those that did not find it free are counted, and only those.
. "$(dirname "$0")/../cli/lib.bash"
rounds() {
    for n in $(seq "$1"); do
        printf 'BEGIN { i = speculation(); } BEGIN /i/ { speculate(i); printf("n %d\\n"); } BEGIN /i/ { commit(i); }\n' "$n"
    done
    printf 'BEGIN { exit(0); }\n'
}
run -q -x nspec=1 -n "$(rounds 60)"
ended 0
said ''
[ "$(printf '%s\n' "$out" | grep '^n')" = "$(seq -f 'n %g' 60)" ] || fail "not all 60 in order: $out"
run -q -x nspec=1 -n "$(rounds 200)"
ended 0
kept=$(printf '%s\n' "$out" | grep -c '^n')
lost=$(printf '%s\n' "$err" | sed -n 's/.*: \([0-9]*\) failed speculations\{0,1\} (available buffer(s) still busy).*/\1/p' | awk '{ n += $1 } END { print n + 0 }')
[ "$kept" -ge 64 ] && [ $((kept + lost)) = 200 ] || fail "$kept committed, $lost counted: $err"

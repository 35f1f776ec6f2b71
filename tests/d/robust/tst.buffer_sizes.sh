# Absurd sizes: they work, are lowered with a word, or are refused in one line.
. "$(dirname "$0")/../cli/lib.bash"
for o in bufsize=1 bufsize=100 bufsize=4k bufsize=1g bufsize=100g aggsize=1 aggsize=100g dynvarsize=1 dynvarsize=100g specsize=1; do
    run -q -x $o -n 'BEGIN { a[1] = 2; self->x = 1; @[1] = count(); printf("%d", a[1]); exit(0); }'
    case $status in
    0) [[ $out == 2* || $err == *drop* ]] || fail "$o: nothing printed and no drop" ;;
    1) [ -n "$err" ] || fail "no word" ;;
    *) fail "$o" ;;
    esac
    [ "$(printf '%s\n' "$err" | wc -l)" -le 3 ] || fail "many lines"
done

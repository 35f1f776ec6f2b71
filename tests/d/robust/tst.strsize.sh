# Strings end at strsize - 1 bytes, whatever makes them; strsize=1 leaves none.
. "$(dirname "$0")/../cli/lib.bash"
run -q -x strsize=8 -n 'BEGIN { x = "0123456789abcdef"; printf("[%s] %d [%s] %d", x, strlen(x), "0123456789", sizeof (string)); exit(0); }'
ended 0
printed '[0123456] 7 [0123456] 8'
run -q -x strsize=8 -n 'BEGIN { printf("[%s][%s][%s]", substr("0123456789abcdef", 2), basename("/x/0123456789abcdef"), execname); exit(0); }'
ended 0
run -q -x strsize=1 -n 'BEGIN { x = "abc"; printf("[%s] %d", x, strlen(x)); @[x, execname] = count(); a[x] = 1; self->s = "xyz"; printf("[%s]", self->s); exit(0); }'
ended 0
[[ $out == '[] 0[]'* ]] || fail "strsize=1"
run -q -x strsize=0 -n 'BEGIN { exit(0); }'
case $status in 0) ;; 1) one_line ;; *) fail "strsize=0" ;; esac
for size in 2 3 7 255 257 1k 4k; do
    run -q -x strsize=$size -n 'BEGIN { x = "0123456789"; printf("%d", strlen(x)); exit(0); }'
    ended 0
    n=${size/k/000}
    printed "$((n - 1 < 10 ? n - 1 : 10))"
done
for size in 100k 1m 1g 16e; do
    run -q -x strsize=$size -n 'BEGIN { x = "0123456789"; printf("%d", strlen(x)); exit(0); }'
    case $status in 0) printed 10 ;; 1) one_line ;; *) fail "strsize=$size" ;; esac
done

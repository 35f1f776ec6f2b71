# Strings of 4 KB and more, several of them, as keys too.
. "$(dirname "$0")/../cli/lib.bash"
for size in 4k 16k; do
    run -q -x strsize=$size -n 'BEGIN { x = strjoin(execname, "x"); @[x, x] = count(); a[x, x] = 7; printf("%s %s %d", x, x, a[x, x]); exit(0); }'
    ended 0
    [[ $out == 'dtracex dtracex 7'* ]] || fail "$size"
done
run -qn 'BEGIN { tracemem(curthread, 60000); exit(0); }'
ended 0

# A tracepoint with numbers: sizes asked and given.
. "$(dirname "$0")/../cli/lib.bash"
run -qn 'BEGIN { small = 0; n = 0; } sdt:kmem::kmalloc { small += args[3] < args[2]; n++; @ = quantize(args[2]); } END { printf("%d %d", n > 0, small); trunc(@); }' -c 'ls -R /etc -l'
ended 0
[[ $out == *'1 0'* ]] || fail "other numbers"

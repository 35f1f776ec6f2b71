# Inlines that use themselves are refused.
# @@needs nothing
. "$(dirname "$0")/../cli/lib.bash"
run -en 'inline int a = a; BEGIN { trace(a); }'
ended 1
one_line
run -en 'inline int a = b; inline int b = a; BEGIN { trace(a); }'
ended 1
one_line
run -en 'int b; inline int a[int x] = a[x - 1]; BEGIN { trace(a[1]); }'
ended 1
one_line
# Each doubles the one before: 2 to the 40th of them.
text='inline int a0 = pid;'
for i in $(seq 40); do text+=" inline int a$i = a$((i - 1)) + a$((i - 1));"; done
run -en "$text BEGIN { trace(a40); }"
ended 1
[ "$(printf '%s\n' "$err" | wc -l)" = 1 ] || fail "lines"
says 'inline definitions expand to too large an expression'

# -C runs the preprocessor; a missing one is named.
# @@needs cpp
dir=$(mktemp -d)
trap 'rm -r "$dir"' EXIT
fail() { echo "$*"; exit 1; }
echo '#define NUMBER 40' > "$dir/inc.h"
printf '#include "inc.h"\nBEGIN { printf("%%d", NUMBER + EXTRA); exit(0); }\n' > "$dir/a.d"
[ "$("$DTRACE" -C -D EXTRA=2 -qs "$dir/a.d")" = 42 ] || fail "no 42"
err=$("$DTRACE" -qs "$dir/a.d" 2>&1) && fail "no error"
echo "$err" | head -1 | grep -q 'invalid control directive: #include$' || fail "$err"
err=$("$DTRACE" -C -xcpppath=/no/cpp -s "$dir/a.d" 2>&1) && fail "no error"
echo "$err" | grep -q 'Preprocessor not found' || fail "$err"

# A process without locks of the C library, and one that is not there, are told of.
# @@needs cc
. "$(dirname "$0")/lib.bash"
cat >"$dir/bare.c" <<'C'
void _start(void) { for (;;) { } }
C
cc -static -nostdlib -nostartfiles -o "$dir/bare" "$dir/bare.c" || fail "cc"
"$dir/bare" & bare=$!
run -p "$bare" -n 'plockstat$target:::mutex-acquire'
kill -9 "$bare"
ended 1; says "process $bare has no library with pthread locks"
run -n 'plockstat999999999:::mutex-acquire'; ended 1; says "failed to grab process 999999999"
sleep 60 & other=$!
until [ "$(cat "/proc/$other/comm")" = sleep ] && grep -q libc "/proc/$other/maps"; do sleep 0.02; done
run -p "$other" -n 'plockstat$target:::mutex-stolen'
kill "$other"
ended 1; says "does not match any probes"

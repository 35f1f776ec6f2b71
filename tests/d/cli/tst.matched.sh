# What is said about matches, and that -q says nothing.
fail() { echo "$*"; exit 1; }
err=$("$DTRACE" -n 'BEGIN,END { exit(0); }' 2>&1 >/dev/null)
[ "$err" = "dtrace: description 'BEGIN,END ' matched 2 probes" ] || fail "$err"
err=$("$DTRACE" -qn 'BEGIN { exit(0); }' 2>&1)
[ -z "$err" ] || fail "$err"
out=$("$DTRACE" -n 'BEGIN { exit(0); }' 2>/dev/null | head -1)
[ "$out" = "CPU     ID                    FUNCTION:NAME" ] || fail "$out"
out=$("$DTRACE" -n 'BEGIN { exit(0); }' 2>/dev/null | sed -n 2p | cut -c4-)
[ "$out" = "      1                           :BEGIN " ] || fail "$out"

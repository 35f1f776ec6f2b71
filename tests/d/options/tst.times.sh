# -xtimes says what starting took, step by step, in dtrace and in the other commands; without it nothing is said.
steps='started in [0-9.]+ ms \([0-9.]+\): compile [0-9.]+ \([0-9.]+\), load [0-9.]+ \([0-9.]+\), tables [0-9.]+ \([0-9.]+\), BEGIN [0-9.]+ \([0-9.]+\), attach [0-9.]+ \([0-9.]+\)'
said=$("$DTRACE" -q -xtimes -n 'tick-1ms { exit(0); }' 2>&1)
grep -qE "^dtrace: $steps$" <<<"$said" || { echo "dtrace says: $said"; exit 1; }

# The parts are no more than the whole.
awk '{ gsub(/[(),:]/, " "); sum = $7 + $10 + $13 + $16 + $19; exit sum > $4 + 0.5 }' <<<"$said" ||
    { echo "the steps are more than all: $said"; exit 1; }

said=$("$DTRACE" -q -n 'tick-1ms { exit(0); }' 2>&1)
[ -z "$said" ] || { echo "unasked: $said"; exit 1; }

said=$("$TOOLS" intrstat -xtimes 1 1 2>&1 >/dev/null)
grep -qE "^intrstat: $steps$" <<<"$said" || { echo "intrstat says: $said"; exit 1; }

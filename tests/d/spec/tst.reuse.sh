# Ids come back at once, after a commit as after a discard.
. "$(dirname "$0")/../cli/lib.bash"
run -q -n 'tick-20ms { i = speculation(); } tick-20ms /i/ { speculate(i); printf("n %d\n", n++); }
	tick-20ms /i && n % 2/ { commit(i); i = 0; } tick-20ms /i/ { discard(i); i = 0; } tick-20ms /n == 20/ { exit(0); }'
ended 0
said ''
[ "$(printf '%s\n' "$out" | grep -c '^n [0-9]*[02468]$')" = 10 ] || fail "not the ten committed ones: $out"
[ "$(printf '%s\n' "$out" | grep -c '^n [0-9]*[13579]$')" = 0 ] || fail "discarded ones: $out"

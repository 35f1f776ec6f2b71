# profile-N fires on every busy CPU, near its rate.
. "$(dirname "$0")/../cli/lib.bash"
n=$(nproc)
what=loops pids=
for _ in $(seq $((n * 2))); do
    (while :; do :; done) &
    pids="$pids $!"
done
run -qn 'profile-100 { @[cpu] = count(); } tick-1s { exit(0); }'
kill $pids
ended 0
[ "$(printf '%s\n' "$out" | grep -c '[0-9]')" = "$n" ] || fail "not $n CPUs"
printf '%s\n' "$out" | awk 'NF == 2 && ($2 < 60 || $2 > 125) { exit 1 }' || fail "not about 100 on each"

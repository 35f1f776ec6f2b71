# Every CPU writes to one speculation; its records come out in the order of time, each once.
. "$(dirname "$0")/../cli/lib.bash"
cpus=$(nproc)
for _ in $(seq "$cpus"); do timeout 3 sh -c 'while :; do :; done' & done
run -q -x specsize=4m -n 'BEGIN { i = speculation(); } profile-499 { speculate(i); printf("%d %d\n", cpu, timestamp); }
	tick-1s { commit(i); exit(0); }'
ended 0
said ''
printf '%s\n' "$out" | awk -v cpus="$cpus" 'NF == 2 { if ($2 < last) exit 1; last = $2; n[$1]++ }
	END { for (c in n) { seen++; if (n[c] < 100) exit 1 } exit seen != cpus }' || fail "records are missing or out of order"
kill $(jobs -p) 2>/dev/null
wait
exit 0

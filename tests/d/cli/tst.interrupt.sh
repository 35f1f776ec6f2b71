# The first interrupt ends the run and prints everything.
out=$(mktemp)
trap 'rm "$out"' EXIT
"$DTRACE" -qn 'BEGIN { @a["kept"] = count(); } END { printf("end"); }' > "$out" &
pid=$!
sleep 1
kill -TERM $pid
wait $pid
status=$?
[ $status = 0 ] && grep -q '^end$' "$out" && grep -q '^  kept  *1$' "$out" || { echo "$status: $(cat "$out")"; exit 1; }

# A glob of 1,000 functions is enabled within 2 s of the start of dtrace (as many times that as tests may take longer here),
# and all are released at its end.
# @@needs probe=fbt::vfs_read:entry
# @@timeout 300
set -e
glob='fbt::tcp_*:entry,fbt::ip*:entry,fbt::udp*:entry,fbt::vfs_*:entry'
enabled=/sys/kernel/tracing/enabled_functions
err=$(mktemp) out=$(mktemp)
trap 'rm -f "$err" "$out"' EXIT
count=$($DTRACE -ln "$glob" 2>/dev/null | grep -c ' entry$')
[ "$count" -ge 1000 ] || { echo "only $count functions"; exit 1; }
limit=$((2000 * ${SLOW:-1}))
before=$(wc -l <$enabled)
best=
for _ in 1 2 3 4 5; do
	begin=$(date +%s%N)
	# The first tick comes when everything is attached and the gate is open.
	$DTRACE -q -w -n "int open; $glob { @ = count(); } tick-1ms /!open/ { open = 1; printf(\"%d \", walltimestamp); system(\"wc -l <$enabled\"); }
		tick-500ms { printf(\"%d\n\", walltimestamp); exit(0); } END { trunc(@); }" >"$out" 2>"$err" || true
	end=$(date +%s%N)
	{ read -r open during && read -r closed; } <"$out" || { cat "$out" "$err"; exit 1; }
	[ "$during" -ge $((before + count - count / 20)) ] || { echo "$during functions of $count are enabled"; exit 1; }
	after=$(wc -l <$enabled)
	[ "$after" = "$before" ] || { echo "$after functions are still enabled, $before were before"; exit 1; }
	took=$(((open - begin) / 1000000))
	echo "$count functions: enabled in $took ms, released in $(((end - closed) / 1000000)) ms"
	[ -n "$best" ] && [ "$best" -le "$took" ] || best=$took
	[ "$best" -gt $limit ] || exit 0
done
echo "enabled in $best ms at best"
exit 1

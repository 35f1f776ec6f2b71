# A disk that data are written to interrupts, unless it is one that does not.
. "$(dirname "$0")/lib.bash"
start -s "$toolkit/scheduler/irqtime.d"
for _ in $(seq 300); do [ "$(programs_of $pid)" != 0 ] && break; sleep 0.02; done
counted() { awk '$1 ~ /^[0-9]+:$/ { for (n = 2; $n ~ /^[0-9]+$/; n++) sum += $n } END { print sum }' /proc/interrupts; }
sleep 0.2
before=$(counted)
"$load" write 20 4096 "$dir/file" fsync
after=$(counted)
finish INT
ended 0
like 'IRQ DEVICE COUNT TOTAL_us AVG_ns MAX_ns'
n=$(printf '%s\n' "$out" | awk 'NR > 1 && NF >= 6 { n += $(NF - 3) } END { print n + 0 }')
[ "$n" -ge $((after - before)) ] || fail "/proc/interrupts counts more: $((after - before))"
printf '%s\n' "$out" | awk 'NR > 1 && NF >= 6 && ($(NF - 1) > $NF || $(NF - 2) * 1000 > $(NF - 3) * $NF + 1000) { exit 1 }' || fail "times do not fit"

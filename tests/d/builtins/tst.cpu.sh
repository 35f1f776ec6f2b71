# The CPU of the event.
# @@needs taskset
for cpu in $(taskset -pc $$ | sed 's/.*: //; s/[,-]/ /g'); do
    out=$(taskset -c "$cpu" "$DTRACE" -qn 'BEGIN { printf("%d", cpu); exit(0); }')
    [ "$out" = "$cpu" ] || { echo "<$out> is not $cpu"; exit 1; }
done

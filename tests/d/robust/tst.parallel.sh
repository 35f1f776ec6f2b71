# Several at once do not disturb each other.
. "$(dirname "$0")/../cli/lib.bash"
pids=
for i in 1 2 3 4; do
    "$DTRACE" -qn 'syscall::write:return /pid == $target && arg0 == 13/ { @ = count(); } END { printa("%@d", @); }' \
        -c 'dd if=/dev/zero of=/dev/null bs=13 count=3000 status=none' > "$dir/$i" 2>&1 &
    pids="$pids $!"
done
wait $pids
for i in 1 2 3 4; do
    out=$(cat "$dir/$i")
    printed 3000
done

# Latencies by command: the histogram of sleeps of 20 ms has its rows at 2^24 ns.
. "$(dirname "$0")/../cli/lib.bash"
cat > "$dir/lat.d" <<'D'
#pragma D option quiet
syscall::*nanosleep:entry
/pid == $target/
{
	self->ts = timestamp;
}

syscall::*nanosleep:return
/self->ts/
{
	@time[execname] = quantize(timestamp - self->ts);
	self->ts = 0;
}
D
run -s "$dir/lat.d" -c 'sleep 0.02'
ended 0
prints '  sleep  '
prints "$(printf '%16s %41s %-9s' value '------------- Distribution -------------' count)"
printf '%s\n' "$out" | grep -Eqx ' +(16777216|33554432) \|@{40} 1 +' || fail "another row"

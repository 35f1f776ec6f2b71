# A second signal ends it at once, whatever it waits for; nothing is left in the kernel.
. "$(dirname "$0")/lib.bash"
mkfifo "$dir/pipe"
sleep 20 < "$dir/pipe" &
reader=$!
env --default-signal=INT "$DTRACE" -qn 'tick-1ms { printf("%s\n", "a long line that fills the pipe, which nobody reads, again and again and again"); }' \
    -n 'profile-4999 { printf("%200s\n", "x"); }' > "$dir/pipe" 2>"$dir/.err" &
pid=$! what='dtrace that cannot write'
sleep 1.5
kill -INT $pid
sleep 0.3
kill -0 $pid 2>/dev/null && kill -INT $pid
for _ in $(seq 100); do kill -0 $pid 2>/dev/null || break; sleep 0.02; done
kill -0 $pid 2>/dev/null && { kill -9 $pid $reader; fail "still there"; }
kill $reader
true

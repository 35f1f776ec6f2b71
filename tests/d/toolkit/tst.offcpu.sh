# Ten sleeps of 10 ms, where they were asked for.
. "$(dirname "$0")/lib.bash"
script offcpu -c "$load sleep 10 10" 5000
ended 0
printf '%s\n' "$out" | awk '{ sub(/\+0x.*/, ""); $1 = $1 } /sleeps$/ { on = 1 } on' >"$dir/stack"
for line in 'load`nap' 'load`do_sleep' 'load`main'; do
    grep -Fxq "$line" "$dir/stack" || fail "lacks $line"
done
grep -q '^vmlinux`.*nanosleep' "$dir/stack" || fail "not in nanosleep"
us=$(printf '%s\n' "$out" | awk '$2 == "us" { n = $1 } END { print n }')
between 100000 "$us" 200000

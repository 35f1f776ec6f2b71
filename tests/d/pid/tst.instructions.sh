# Probes on every instruction of a function, on one by its offset, and by its address.
# @@needs cc
# @@needs nm
# @@timeout 60
. "$(dirname "$0")/lib.bash"
target -no-pie
run -q -c "$dir/target" -n 'pid$target:a.out:add: { @[probename] = count(); } END { printa("%s %@d\n", @); }'
ended 0
first=$out
for line in 'entry 1' 'return 1' '0 1'; do prints "$line"; done
[ "$(printf '%s\n' "$out" | grep -vc ' 1$')" = 0 ] || fail "an instruction ran more than once"
[ "$(printf '%s\n' "$out" | wc -l)" -ge 4 ] || fail "too few instructions"
last=$(printf '%s\n' "$first" | grep -v -e entry -e return | sort | tail -1 | cut -d' ' -f1)
run -q -c "$dir/target" -n "pid\$target:a.out:add:$last { printf(\"%s\", probename); }"
printed "$last"
# A function that is left in one place tells where.
run -q -c "$dir/target" -n 'pid$target:a.out:add:return { printf("%x", arg0); }'
printed "$last"
address=$(nm "$dir/target" | sed -n 's/^0*\([0-9a-f]*\) T add$/\1/p')
run -q -c "$dir/target" -n "pid\$target:a.out:-:$address { printf(\"%s %s %d\", probefunc, probename, arg0); }"
printed "- $address 40"

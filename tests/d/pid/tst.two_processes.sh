# Probes in several processes at once; each fires in its own only.
# @@needs cc
# @@timeout 60
. "$(dirname "$0")/lib.bash"
target
"$dir/target" on & a=$!
"$dir/target" on & b=$!
"$dir/target" on & c=$!
run -q -p $a -n 'pid$target:a.out:add:entry, pid'$b':a.out:add:entry { @[probeprov, pid] = count(); } tick-500ms { exit(0); }
END { printa("%s %d\n", @); }'
kill $a $b $c
ended 0
[ "$(printf '%s\n' "$out" | sort)" = "$(printf 'pid%s %s\n' "$a" "$a" "$b" "$b" | sort)" ] || fail "wrong processes"

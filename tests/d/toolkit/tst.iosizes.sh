# Writes of 100 bytes.
. "$(dirname "$0")/lib.bash"
script iosizes -c "$load write 50 100 $dir/file"
ended 0
[ "$(printf '%s\n' "$out" | awk '$0 == "load, write, bytes:" { on = 1 } on && $1 == 64 { print $NF; exit }')" = 50 ] || fail "not 50 of 64 to 127"

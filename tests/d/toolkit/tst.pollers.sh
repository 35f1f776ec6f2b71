# Twenty time-outs of 2 ms.
. "$(dirname "$0")/lib.bash"
script pollers -c "$load poll 20 2"
ended 0
[ "$(with_frame 'load`do_poll' times)" = 20 ] || fail "not 20 times"
[ "$(printf '%s\n' "$out" | awk '$0 ~ /^load, p?poll, us:$/ { on = 1 } on && $2 ~ /^\|/ && $1 >= 1024 { n += $NF } on && !NF { exit } END { print n + 0 }')" = 20 ] || fail "not 20 of 2 ms"
script pollers -c "$load pingpong 5 1"
[ "$(lines '.*read.*')" = 0 ] || fail "no time-out"

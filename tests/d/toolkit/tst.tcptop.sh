# Bytes of each connection, by process and direction.
. "$(dirname "$0")/lib.bash"
script tcptop -c "$load tcp 2 5000 1"
ended 0
port=$(printf '%s\n' "$out" | sed -n 's/port //p')
here="127.0.0.1:$port" there='127.0.0.1:[0-9]+'
for line in "$there $here S 5000" "$there $here R 10" "$here $there R 5000" "$here $there S 10"; do
    [ "$(lines "[0-9]+ load $line")" = 2 ] || fail "not twice: $line"
done
script tcptop -c "$load pingpong 5 1"
[ "$(lines '[0-9]+ load .*')" = 0 ] || fail "pipes"

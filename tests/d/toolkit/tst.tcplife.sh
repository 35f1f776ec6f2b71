# Connections of 30 ms that carry 3000 bytes one way and 10 back.
. "$(dirname "$0")/lib.bash"
alone
script tcplife -c "$load tcp 2 3000 30"
ended 0
port=$(printf '%s\n' "$out" | sed -n 's/port //p')
life='(3[0-9]|[4-9][0-9]|[1-9][0-9]{2})'
[ "$(lines "[0-9]+ 127.0.0.1:[1-9][0-9]* 127.0.0.1:$port 300[0-2] 1[0-1] $life")" = 2 ] || fail "not 2 at the client's end"
[ "$(lines "[0-9]+ 127.0.0.1:$port 127.0.0.1:[1-9][0-9]* 1[0-2] 300[0-1] $life")" = 2 ] || fail "not 2 at the server's end"

# Connections that succeed and one that is refused, by process.
. "$(dirname "$0")/lib.bash"
script tcpconnect -c "$load tcp 3 100 1"
ended 0
port=$(printf '%s\n' "$out" | sed -n 's/port //p')
to="[0-9]+ [0-9]+ load 127.0.0.1:[1-9][0-9]* 127.0.0.1:$port [0-9]+"
[ "$(lines "$to established")" = 3 ] || fail "not 3"
[ "$(lines "$to refused")" = 1 ] || fail "not 1 refused"
script tcpconnect -c "$load tcp 1 100 1" 1
[ "$(lines '.* established')" = 0 ] || fail "another port"

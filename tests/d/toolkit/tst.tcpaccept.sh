# Connections that a server takes.
. "$(dirname "$0")/lib.bash"
script tcpaccept -c "$load tcp 3 100 1"
ended 0
port=$(printf '%s\n' "$out" | sed -n 's/port //p')
[ "$(lines "[0-9]+ [0-9]+ load 127.0.0.1:[1-9][0-9]* $port 0 8")" = 3 ] || fail "not 3"
script tcpaccept -c "$load tcp 3 100 1" 1
[ "$(lines '.* load .*')" = 0 ] || fail "another port"

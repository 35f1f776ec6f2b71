# Datagrams of 100 bytes, those that nobody wants too.
. "$(dirname "$0")/lib.bash"
alone
script udpsnoop -c "$load udp 4 100"
ended 0
port=$(printf '%s\n' "$out" | sed -n 's/port //p')
for way in '->' '<-'; do
    [ "$(lines "[0-9]+ $way 127.0.0.1:[1-9][0-9]* 127.0.0.1:$port 100")" = 4 ] || fail "not 4"
    [ "$(lines "[0-9]+ $way 127.0.0.1:[1-9][0-9]* 127.0.0.1:1 100")" = 4 ] || fail "not 4 that nobody wants"
done
script udpsnoop -c "$load udp 4 100" 1
[ "$(lines '[0-9]+ .*')" = 8 ] || fail "of other ports too"

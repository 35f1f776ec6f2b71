# Segments of a conversation, from its SYN to its FINs, and one that is refused.
. "$(dirname "$0")/lib.bash"
alone
start -s "$toolkit/net/tcpsnoop.d"
wait_for TIME_us
port=$("$load" tcp 1 500 1 | sed -n 's/port //p')
wait_for "$port.* 0 AR"
finish INT
ended 0
here="127.0.0.1:$port" there='127.0.0.1:[0-9]+'
for way in '->' '<-'; do
    like "[0-9]+ $way $there $here 0 S"
    like "[0-9]+ $way $here $there 0 SA"
    like "[0-9]+ $way $there $here 500 AP"
    like "[0-9]+ $way $here $there 10 AP"
    like "[0-9]+ $way $there $here 0 AF"
    like "[0-9]+ $way $here $there 0 AR"
done
start -s "$toolkit/net/tcpsnoop.d" 1
wait_for TIME_us
"$load" tcp 1 500 1 >/dev/null
finish INT
[ "$(lines '.*')" = 1 ] || fail "another port"

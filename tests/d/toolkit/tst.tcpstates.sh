# The states of a connection of 30 ms.
. "$(dirname "$0")/lib.bash"
alone
script tcpstates -c "$load tcp 1 100 30"
ended 0
port=$(printf '%s\n' "$out" | sed -n 's/port //p')
here="127.0.0.1:$port" there='127.0.0.1:[1-9][0-9]*'
like "[0-9]+ $there $here state-syn-sent state-established [0-9]+"
like "[0-9]+ $here $there state-syn-received state-established [0-9]+"
like "[0-9]+ $there $here state-established state-fin-wait-1 [1-9][0-9]{4,}"
like "[0-9]+ $here $there state-established state-close-wait [1-9][0-9]{4,}"
like "[0-9]+ $here $there state-last-ack state-closed [0-9]+"

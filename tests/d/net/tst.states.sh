# Every change of a connection's state, old and new.
# @@timeout 60
. "$(dirname "$0")/lib.bash"
run -qn 'tcp:::state-change /args[3]->tcps_laddr == "127.0.0.1" || args[3]->tcps_raddr == "127.0.0.1"/
    { @[tcp_state_string[args[5]->tcps_state], tcp_state_string[args[3]->tcps_state]] = count(); }' \
    -c "$dir/talk 4 20"
ended 0
has "state-closed state-syn-sent 23"
has "state-syn-sent state-established 20"
has "state-syn-sent state-closed 3"
has "state-syn-received state-established 20"
has "state-established state-close-wait 20"
has "state-close-wait state-last-ack 20"
has "state-last-ack state-closed 20"

# A connection that is closed still has its port.
# @@timeout 60
. "$(dirname "$0")/lib.bash"
run -qn 'tcp:::state-change /args[3]->tcps_state == TCP_STATE_CLOSED && args[3]->tcps_laddr == "127.0.0.1"/
    { @[args[3]->tcps_lport != 0] = count(); }' -c "$dir/talk 4 20"
ended 0
has "1 $(printf '%s\n' "$out" | awk '$1 == 1 { print $2 }')"
[ "$(printf '%s\n' "$out" | awk '$1 == 0 && NF == 2' | wc -l)" = 0 ] || fail "a port is 0"

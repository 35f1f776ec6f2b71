# Every connection is seen, with the addresses and ports of both ends, and what becomes of it.
# @@timeout 60
. "$(dirname "$0")/lib.bash"
for family in 4 6; do
    [ $family = 4 ] && host=127.0.0.1 || host=::1
    run -qn '
        tcp:::connect-request, tcp:::accept-refused { this->port = args[4]->tcp_dport; this->other = args[4]->tcp_sport; }
        tcp:::connect-request
        { @[probename, args[2]->ip_saddr, args[2]->ip_daddr, args[4]->tcp_dport, args[4]->tcp_flags,
            args[4]->tcp_sport == args[3]->tcps_lport, tcp_state_string[args[3]->tcps_state]] = count(); }
        tcp:::connect-established
        { @[probename, args[2]->ip_saddr, args[2]->ip_daddr, args[4]->tcp_sport, args[4]->tcp_flags,
            args[4]->tcp_dport == args[3]->tcps_lport, tcp_state_string[args[3]->tcps_state]] = count(); }
        tcp:::accept-established
        { @[probename, args[3]->tcps_raddr, args[3]->tcps_laddr, args[3]->tcps_lport, args[4]->tcp_flags,
            args[4]->tcp_sport == args[3]->tcps_rport, tcp_state_string[args[3]->tcps_state]] = count(); }
        tcp:::connect-refused
        { @[probename, args[2]->ip_saddr, args[2]->ip_daddr, args[4]->tcp_sport, args[4]->tcp_flags,
            args[4]->tcp_dport == args[3]->tcps_lport, tcp_state_string[args[3]->tcps_state]] = count(); }
        tcp:::accept-refused
        { @[probename, args[2]->ip_saddr, args[2]->ip_daddr, args[4]->tcp_sport, args[4]->tcp_flags,
            args[4]->tcp_dport == args[3]->tcps_rport, tcp_state_string[args[3]->tcps_state]] = count(); }' \
        -c "$dir/talk $family 100"
    ended 0
    port=$(printf '%s\n' "$out" | awk 'NF == 1 { print $1 }')
    has "connect-request $host $host $port 2 1 state-syn-sent 100"
    has "connect-request $host $host 1 2 1 state-syn-sent 3"
    has "connect-established $host $host $port 18 1 state-established 100"
    has "accept-established $host $host $port 16 1 state-established 100"
    has "connect-refused $host $host 1 20 1 state-syn-sent 3"
    has "accept-refused $host $host 1 20 1 state-closed 3"
done

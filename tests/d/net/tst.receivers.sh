# A segment or datagram that comes knows the socket that it is for: the one that has the connection. None is kept longer
# than its connection lives.
# @@timeout 60
. "$(dirname "$0")/lib.bash"
for family in 4 6; do
    run -qn '
        tcp:::accept-established, tcp:::connect-established
        { socket[args[3]->tcps_lport, args[3]->tcps_rport] = args[1]->cs_addr; }
        tcp:::receive /args[2]->ip_plength > args[4]->tcp_offset/
        { @t[args[1]->cs_addr != 0 && args[1]->cs_addr == socket[args[4]->tcp_dport, args[4]->tcp_sport],
            tcp_state_string[args[3]->tcps_state], args[3]->tcps_addr == args[1]->cs_addr, args[3]->tcps_rnxt == args[4]->tcp_seq]
            = count(); }
        tcp:::receive /args[4]->tcp_flags == TH_SYN/ { @s[args[1]->cs_addr, args[3]->tcps_state] = count(); }
        udp:::receive /args[4]->udp_length == 41 && args[1]->cs_addr != 0/
        { @u[args[3]->udps_addr == args[1]->cs_addr, args[3]->udps_lport == args[4]->udp_dport] = count(); }
        END { printa("data %d %s %d %d %@d\n", @t); printa("syn %d %d %@d\n", @s); printa("udp %d %d %@d\n", @u); }' \
        -c "$dir/talk $family 20"
    ended 0
    # Hello, and ten bytes back, which may come with the end.
    printf '%s\n' "$out" | awk '$1 == "data" && $2 == 1 && $3 == "state-established" && $4 == 1 && $5 == 1 { n += $6 }
        $1 == "data" && $2 == 0 { bad = 1 } END { exit bad || n != 40 }' || fail "segments without their socket"
    has "syn 0 -1 23"
    # The first comes before anything was read, which Linux tells since 6.3.
    if "$DTRACE" -l -n sdt:::sock_recv_length >/dev/null 2>&1; then has "udp 1 1 6"; fi
done
run -qxdynvarsize=8k -n 'tcp:::receive /args[1]->cs_addr != 0/ { @ = count(); }' -c "$dir/talk 4 300"
ended 0
case $err in *drop*) fail "sockets of connections that are over are kept: $err" ;; esac

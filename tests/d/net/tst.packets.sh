# Packets of a conversation over the loopback: each is sent and received, with its length and addresses.
# @@timeout 60
. "$(dirname "$0")/lib.bash"
for family in 4 6; do
    [ $family = 4 ] && host=127.0.0.1 || host=::1
    run -qn '
        tcp:::send, tcp:::receive /args[2]->ip_plength > args[4]->tcp_offset && args[2]->ip_saddr == $$1/
        { @t[probename, args[2]->ip_daddr, args[2]->ip_plength - args[4]->tcp_offset,
            args[4]->tcp_flags & TH_ACK ? "ack" : ""] = count(); }
        udp:::send, udp:::receive /args[4]->udp_length == 41/
        { @u[probename, args[2]->ip_saddr, args[2]->ip_ver, args[3]->udps_raddr,
            probename == "send" ? args[3]->udps_rport == args[4]->udp_dport : args[3]->udps_lport == args[4]->udp_dport]
            = count(); }
        ip:::send, ip:::receive /args[3]->if_name == "lo" && args[3]->if_local/
        { @i[probename, args[2]->ip_ver, $$2 == "4" ? args[4]->ipv4_protostr : args[5]->ipv6_nextstr,
            $$2 == "4" ? args[4]->ipv4_saddr : args[5]->ipv6_saddr] = count(); }
        END { printa("%s %s %d %s %@d\n", @t); printa("%s %s %d %s %d %@d\n", @u); printa("%s %d %s %s %@d\n", @i); }' \
        -c "$dir/talk $family 20" $host $family
    ended 0
    for way in send receive; do
        has "$way $host 5 ack 20"
        has "$way $host 10 ack 20"
        has "$way $host $family $host 1 7"
        has "$way $family UDP $host 7"
        printf '%s\n' "$out" | awk -v way=$way -v f=$family -v h=$host \
            '$1 == way && $2 == f && $3 == "TCP" && $4 == h && $5 >= 140 { ok = 1 } END { exit !ok }' ||
            fail "too few segments"
    done
done

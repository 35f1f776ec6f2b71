# Datagrams that nobody takes are dropped on their way in, and answered; the counters of the network see each of them.
# @@needs python3
. "$(dirname "$0")/lib.bash"
cat > "$dir/t.py" <<'P'
import socket
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for _ in range(9):
    s.sendto(b"x" * 40, ("127.0.0.1", 9))
P
run -qn 'ip:::drop-in /args[4]->ipv4_protostr == "UDP" && args[2]->ip_plength == 48/
    { @[args[2]->ip_saddr, args[2]->ip_daddr, args[3]->if_name, args[4]->ipv4_length, args[5]->ipv6_hdr != NULL] = count(); }
    ip:::drop-out /args[2]->ip_plength == 48/ { out++; }
    mib:::udpOutDatagrams, mib:::udpInDatagrams, mib:::icmpOutMsgs, mib:::ipOutRequests /pid == $target/
    { @m[probename] = sum(arg0); }
    END { printa("%s %s %s %d %d %@d\n", @); printa("%s %@d\n", @m); printf("out %d\n", out); }' -c "python3 $dir/t.py"
ended 0
has '127.0.0.1 127.0.0.1 lo 68 0 9'
has 'out 0'
has 'udpOutDatagrams 9'
has 'udpInDatagrams 9'
has 'icmpOutMsgs 9'
has 'ipOutRequests 18'

# Each counter goes up by as much as the kernel's own: those of a namespace that the test has to itself, and at most what the
# machine's own counted meanwhile.
# @@needs python3 unshare ip
. "$(dirname "$0")/../cli/lib.bash"
cat > "$dir/t.py" <<'P'
import socket, struct
server = socket.create_server(("127.0.0.1", 0))
here = server.getsockname()
for _ in range(10):
    c = socket.create_connection(here)
    a, _ = server.accept()
    a.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    a.close()
    c.close()
server.close()
for _ in range(7):
    try: socket.create_connection(here)
    except ConnectionRefusedError: pass
try: socket.create_connection(("10.1.2.3", 9), timeout=1.6)  # nobody answers: one more try after a second
except TimeoutError: pass
full = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
full.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
full.bind(("127.0.0.1", 0))
sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for _ in range(50): sender.sendto(bytes(1000), full.getsockname())
sender.sendto(b"x", ("127.0.0.1", 9))  # nobody listens, and a message says so
bad = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_TCP)
for _ in range(3): bad.sendto(struct.pack("!HHIIHHHH", 1, 2, 0, 0, 0x5002, 512, 0xdead, 0), ("127.0.0.1", 0))
P
cat > "$dir/inside" <<P
ip link set lo up && ip route add 10.0.0.0/8 dev lo && python3 $dir/t.py && cat /proc/self/net/snmp
P
# counters FILE: the counters of a file like /proc/net/snmp by their names here.
counters() {
    awk 'BEGIN { split("Tcp ActiveOpens tcpActiveOpens Tcp PassiveOpens tcpPassiveOpens Tcp AttemptFails tcpAttemptFails Tcp EstabResets tcpEstabResets Tcp OutRsts tcpOutRsts Tcp RetransSegs tcpRetransSegs Udp RcvbufErrors udpInOverflows Tcp InErrs tcpInErrs Tcp InSegs tcpInSegs Tcp OutSegs tcpOutSegs Ip InReceives ipInReceives Ip OutRequests ipOutRequests Icmp InMsgs icmpInMsgs Icmp OutMsgs icmpOutMsgs Udp OutDatagrams udpOutDatagrams", w)
            for (n = 1; n in w; n += 3) name[w[n] ":" w[n + 1]] = w[n + 2] }
        $1 != last { for (n = 2; n <= NF; n++) head[n] = $1 $n; last = $1; next }
        { for (n = 2; n <= NF; n++) if (head[n] in name) print name[head[n]], $n; last = "" }' "$1" | sort
}
# Other namespaces may have connections meanwhile, whose counters cannot be read: then it is tried again.
try() {
    counters /proc/net/snmp >"$dir/before"
    run -qn 'mib:::tcpActiveOpens, mib:::tcpPassiveOpens, mib:::tcpAttemptFails, mib:::tcpEstabResets, mib:::tcpOutRsts, mib:::tcpRetransSegs,
        mib:::udpInOverflows, mib:::tcpInErrs, mib:::tcpInSegs, mib:::tcpOutSegs, mib:::ipInReceives, mib:::ipOutRequests,
        mib:::icmpInMsgs, mib:::icmpOutMsgs, mib:::udpOutDatagrams { @[probename] = sum(arg0); } END { printa("traced %s %@d\n", @); }' -c "unshare -n sh $dir/inside"
    counters /proc/net/snmp >"$dir/after"
    ended 0
    printf '%s\n' "$out" >"$dir/inside.snmp"
    counters "$dir/inside.snmp" >"$dir/kernel"
    printf '%s\n' "$out" | sed -n 's/^traced //p' | sort >"$dir/traced"
    [ "$(wc -l <"$dir/kernel")" = 15 ] || fail "the kernel's own counters"
    join -a 1 -e 0 -o 0,1.2,2.2 "$dir/kernel" "$dir/traced" | join - "$dir/before" | join - "$dir/after" |
        while read -r name kernel traced before after; do
            # Closing the connection that nobody answers is such a failure too (RFC 1213), which Linux does not count.
            [ "$name" != tcpAttemptFails ] || kernel=$((kernel + 1))
            # Segments that leave are all of them: the one sent again, and the three of the raw socket.
            [ "$name" != tcpOutSegs ] || kernel=$((kernel + 4))
            [ "$kernel" -gt 0 ] || fail "$name: the load made none"
            [ "$traced" -ge "$kernel" ] && [ "$traced" -le $((kernel + after - before)) ] ||
                fail "$name: traced $traced, the kernel counted $kernel, and $((after - before)) elsewhere"
        done
}
for _ in 1 2 3 4 5; do
    try && exit 0
    sleep 1
done
exit 1

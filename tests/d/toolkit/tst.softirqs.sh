# Datagrams over the loopback are received in softirqs.
. "$(dirname "$0")/lib.bash"
script softirqs -c "$load udp 50 100"
ended 0
n=$(printf '%s\n' "$out" | awk '$2 == "NET_RX" { n += $3 } END { print n + 0 }')
[ "$n" -ge 50 ] || fail "$n only"

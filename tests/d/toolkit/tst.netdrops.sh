# Datagrams that nobody wants are dropped for that reason.
# @@needs probe=sdt:skb::kfree_skb
. "$(dirname "$0")/lib.bash"
alone
script netdrops -c "$load udp 10 100"
ended 0
n=$(printf '%s\n' "$out" | awk '/^reason .* SKB_DROP_REASON_NO_SOCKET$/ { why = $2 + 0 } $1 ~ /udp4/ && why && $2 == why { print $3 }')
between 10 "${n:-0}" 50

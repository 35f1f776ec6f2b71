# Datagrams, and the answers to those that nobody wants.
. "$(dirname "$0")/lib.bash"
alone
script ipproto -c "$load udp 5 100"
ended 0
for way in '->' '<-'; do
    like "lo $way 127.0.0.1 127.0.0.1 UDP 10 1080"
    like "lo $way 127.0.0.1 127.0.0.1 ICMP 5 [0-9]+"
done

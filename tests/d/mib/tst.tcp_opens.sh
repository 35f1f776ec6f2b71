# Connections that are opened, from both ends, and those that are refused.
# @@needs python3
. "$(dirname "$0")/../cli/lib.bash"
cat > "$dir/t.py" <<'P'
import socket
s = socket.create_server(("127.0.0.1", 0))
for _ in range(50):
    c = socket.create_connection(s.getsockname())
    a, _ = s.accept()
    c.close()
    a.close()
port = s.getsockname()[1]
s.close()
for _ in range(10):
    try: socket.create_connection(("127.0.0.1", port))
    except ConnectionRefusedError: pass
P
run -qn 'mib:::tcpActiveOpens, mib:::tcpPassiveOpens, mib:::tcpAttemptFails /pid == $target/ { @[probename] = sum(arg0); }
    END { printa("%s %@d\n", @); }' -c "python3 $dir/t.py"
ended 0
[ "$(printf '%s\n' "$out" | sort)" = 'tcpActiveOpens 60
tcpAttemptFails 10
tcpPassiveOpens 50' ] || fail "counts"

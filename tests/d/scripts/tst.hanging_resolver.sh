# "Which look-up makes this program hang": a stock program asks a name server that never answers; what waited longest is named
# from the look-up down to the wait. In mount and network name spaces of its own: the machine's resolv.conf stays as it is.
# @@needs unshare
# @@needs python3
# @@needs getent
# @@needs ip
# @@timeout 60
. "$(dirname "$0")/../cli/lib.bash"
unshare -m -n true 2>/dev/null || { echo "no name spaces here"; exit 0; }
echo 'nameserver 127.0.0.1
options timeout:1 attempts:2' >"$dir/resolv.conf"
sed 's/^hosts:.*/hosts: files dns/' /etc/nsswitch.conf >"$dir/nsswitch.conf"
cat >"$dir/silent.py" <<'P'
import socket, sys
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.bind(("127.0.0.1", 53))
print("bound", flush=True)

while True:
    s.recvfrom(512)
P
cat >"$dir/inside.sh" <<'S'
dir=$1 script=$2
mount --bind "$dir/resolv.conf" "$(readlink -f /etc/resolv.conf)" && mount --bind "$dir/nsswitch.conf" /etc/nsswitch.conf || exit 9
ip link set lo up || exit 9
python3 "$dir/silent.py" >"$dir/bound" & server=$!
until [ -s "$dir/bound" ]; do sleep 0.02; done
"$DTRACE" -s "$script" -c 'getent ahosts no-answer.example.org'
status=$?
kill $server
exit $status
S
out=$(unshare -m -n bash "$dir/inside.sh" "$dir" "$(dirname "$0")/../../../examples/offcpu/offcpu.d" 2>"$dir/.err")
status=$? err=$(cat "$dir/.err") what='offcpu.d of a look-up without an answer'
ended 0
printf '%s\n' "$out" | awk -v RS= 'END { print }' >"$dir/last"
what="$what; its last stack"
out=$(sed 's/^ *//; s/+0x[0-9a-f]*$//' "$dir/last")
[[ $out == getent* ]] || fail "of another program"
[[ $out =~ (libresolv|libc)[^$'\n']*'`__res_context_send'.*'`'(__)?(res|getaddrinfo|gaih|gethost).*'`'getaddrinfo.*'getent`' ]] ||
    fail "no way from the look-up to the wait"
ms=$(awk 'END { print $1 }' "$dir/last")
[ "$ms" -ge 1900 ] || fail "waited $ms ms"

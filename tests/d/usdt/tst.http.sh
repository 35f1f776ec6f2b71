# The example server: a structure of its own, translated by a library, in scripts that know nothing of it.
# @@timeout 60
. "$(dirname "$0")/lib.bash"
http=$(cd "$(dirname "$0")/../../../examples/http" && pwd)
cd "$dir" || exit 1
run -h -L "$http/lib" -s "$http/httpd.d"; ended 0
cc -O2 -Wall -Wextra -Werror -I. -o httpd "$http/httpd.c" || fail "does not compile"
./httpd 0 31 >port &
server=$!
trap 'kill $server 2>/dev/null; rm -rf "$dir"' EXIT
for _ in $(seq 100); do [ -s port ] && break; sleep 0.05; done

run -lv -L "$http/lib" -n "httpd$server:::request-done"; ended 0
prints "args[0]: conninfo_t *"
prints "args[1]: http_reqinfo_t *"
prints "args[2]: int"

start -q -L "$http/lib" -n 'BEGIN { printf("ready\n"); }' -s "$http/latency.d" -p $server
wait_for ready
get() {
    exec 3<>"/dev/tcp/127.0.0.1/$(cat port)"
    printf 'GET %s HTTP/1.0\r\nUser-Agent: tester/1\r\n\r\n' "$1" >&3
    cat <&3 >/dev/null
    exec 3>&-
}
for _ in $(seq 10); do
    get /; get /slow; get /none
done
get /
finish
ended 0
printf '%s\n' "$out" | awk '$1 == "127.0.0.1" && $2 == "tester/1" && $3 == 31 { ok = 1 } END { exit !ok }' || fail "not 31 requests"
printf '%s\n' "$out" | awk '
    $1 == "GET" { key = $2 " " $3 }
    NF == 3 && $2 ~ /@/ { n[key] += $3; if (key == "/slow 200" && $1 < 16384) bad = 1 }
    END { exit bad || n["/ 200"] != 11 || n["/slow 200"] != 10 || n["/none 404"] != 10 }' || fail "wrong latencies"

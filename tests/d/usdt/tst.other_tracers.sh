# bpftrace and perf find the probes of an application by the same notes; bpftrace raises its semaphores and reads its arguments.
# @@needs cc bpftrace perf
# @@timeout 90
. "$(dirname "$0")/lib.bash"
provider; application
cd "$dir" || exit 1
run -h -s myserv.d; ended 0
cc -O2 -o app app.c || fail "cc"
what="bpftrace -l"
out=$(bpftrace -l "usdt:$dir/app:*" 2>err | sed 's/.*:\(myserv:\)/\1/' | sort | tr '\n' ' ') err=$(cat err)
[ "$out" = "myserv:idle myserv:query__done myserv:query__start myserv:req " ] || fail "bpftrace's list"
what="bpftrace -e"
out=$(bpftrace -e "usdt:$dir/app:myserv:query__start { @n = count(); @conn = sum(arg1); }
    usdt:$dir/app:myserv:req { @enabled = count(); }" -c ./app 2>err) err=$(cat err)
prints "3 enabled"; prints "@n: 3"; prints "@conn: 3"; prints "@enabled: 3"
what="perf list"
perf --buildid-dir "$dir/.debug" buildid-cache --add ./app >err 2>&1 || fail "perf: $(cat err)"
out=$(perf --buildid-dir "$dir/.debug" list sdt 2>&1)
prints "sdt_myserv:query__start"; prints "sdt_myserv:idle"

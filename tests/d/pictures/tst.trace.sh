# A timeline: system calls of a process as slices with their values, whatever else happens as instants.
# @@needs cc
# @@timeout 60
. "$(dirname "$0")/../ustack/lib.bash"
. "$(dirname "$0")/lib.bash"
chain
draw trace -n 'syscall::write:entry /pid == $target/ { trace(arg2); } syscall::write:return /pid == $target/ { trace(arg1); trace(errno); }
    syscall::exit_group:entry /pid == $target/ { printf("bye %d", 7); }' -c './chain 2 >/dev/null'
ended 0
slice='^{"ph":"X","name":"write","cat":"syscall","pid":[0-9]*,"tid":[0-9]*,"ts":[0-9]*\.[0-9]\{3\},"dur":[0-9]*\.[0-9]\{3\},'
[ "$(grep -c "$slice"'"args":{"entry":{"arg2":2},"return":{"arg1":2,"errno":0}}},\{0,1\}$' "$picture")" = 2 ] || fail "not two writes
$(cat "$picture")"
# What did not return is there until the end.
grep -q '"ph":"X","name":"exit_group".*"args":{"entry":{"printf":"bye 7"},"note":"it had not ended when tracing did"}' "$picture" ||
    fail "exit_group: $(cat "$picture")"
grep -q '"ph":"M","name":"thread_name","pid":\([0-9]*\),"tid":\1,"args":{"name":"chain"}' "$picture" || fail "no name"
grep -q '^\],"otherData":{"title":.*"slices":2,"instants":0,"beginnings without end":1,"ends without beginning":0,"lost":""}}$' "$picture" ||
    fail "$(tail -n 1 "$picture")"
# Empty bodies, and functions of a process, nested.
draw trace -n 'pid$target:chain:outer:entry,pid$target:chain:outer:return,pid$target:chain:inner:entry,pid$target:chain:inner:return { }' \
    -c './chain 1 >/dev/null'
ended 0
[ "$(grep -o '"ph":"X","name":"[a-z]*"' "$picture" | tr '\n' ' ')" = '"ph":"X","name":"inner" "ph":"X","name":"outer" ' ] || fail "$(cat "$picture")"
# Instants only; clauses that show nothing are not in it.
run -O trace -o "$picture" -n 'BEGIN { trace("x"); } BEGIN { exit(0); }'
says 'the timeline has instants only'
shows '"ph":"i","name":"dtrace:::BEGIN: x"'
# Speculations come late, and stand where they were.
draw trace -n 'BEGIN { self->s = speculation(); } BEGIN { speculate(self->s); printf("first"); } BEGIN { printf("second"); }
    BEGIN { commit(self->s); exit(0); }'
[ "$(grep -o '"BEGIN":{[^}]*}' "$picture" | head -1)" = '"BEGIN":{"printf":"first","printf (2)":"second"}' ] || fail "$(cat "$picture")"

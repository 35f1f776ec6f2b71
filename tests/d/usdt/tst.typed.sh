# Arguments have the types of the provider's definition, which the application brings along.
# @@timeout 60
. "$(dirname "$0")/lib.bash"
provider; application
cd "$dir" || exit 1
run -h -s myserv.d; ended 0
cc -O2 -o app app.c || exit 1
run -qn 'typedef struct req { int id; char *path; } req_t;
    myserv$target:::query-start { printf("%s %s %d\n", probename, copyinstr((uintptr_t)args[0]), args[1]); }
    myserv$target:::req { printf("%s %d %s\n", probename, args[0]->id, copyinstr((uintptr_t)args[0]->path)); }
    myserv$target:::query-done { printf("%s %d %x %d\n", probename, args[1], args[2], args[3]); }
    myserv$target:::idle { printf("%s\n", probename); }' -c ./app
ended 0
want="3 enabled"
for n in 0 1 2; do
    minus=$([ $n = 0 ] || echo -)
    want="$want
query-start query $n
req $n query
query-done $minus$n 10000000000 -2
idle"
done
[ "$(printf '%s\n' "$out" | grep -v '^$' | sort)" = "$(printf '%s\n' "$want" | sort)" ] || printed "$want"

# The type of one probe is not known here: the others have theirs, and that one is numbers.
run -lv -n 'myserv$target:::' -c ./app; ended 0
prints "args[0]: char *"
prints "args[2]: uint64_t"
run -qn 'myserv$target:::req { printf("%d\n", args[0] == arg0); }' -c ./app; ended 0

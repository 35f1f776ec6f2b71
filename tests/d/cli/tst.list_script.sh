# -l with a script lists the probes of its clauses and runs nothing.
. "$(dirname "$0")/lib.bash"
printf 'syscall::getpid:entry { printf("ran"); }\nEND { }\n' > "$dir/a.d"
run -ls "$dir/a.d"
ended 0
[ "$(printf '%s\n' "$out" | awk 'NR > 1 { print $2, $3, $4 }')" = 'dtrace END 
syscall getpid entry' ] || [ "$(printf '%s\n' "$out" | awk 'NR > 1 { print $2, $3, $4 }')" = 'syscall getpid entry
dtrace END ' ] || fail "other probes"
run -ln 'syscall::getpid:entry { printf("ran"); }'
ended 0
[ "$(printf '%s\n' "$out" | wc -l)" = 2 ] || fail "not one probe"

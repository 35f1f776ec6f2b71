# A signal on its way: number, and who gets it.
. "$(dirname "$0")/../cli/lib.bash"
run -qn 'sdt:signal::signal_generate /args[0] == 12 && pid == $target/ { printf("%d %s %d", args[0], args[2]->comm, args[2]->tgid == $target); }' -c 'sh -c "kill -USR2 $$"'
ended 0
[[ $out == '12 sh 1'* ]] || fail "no signal"

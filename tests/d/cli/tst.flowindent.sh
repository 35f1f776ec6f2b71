# -F: header, arrows of the syscall provider, indentation.
. "$(dirname "$0")/lib.bash"
run -F -n 'syscall::close:entry, syscall::close:return /pid == $target/ { trace(1); }' -c 'true'
ended 0
[ "$(printf '%s\n' "$out" | head -1)" = "$(printf '%3s %-41s' CPU FUNCTION)" ] || fail header
printf '%s\n' "$out" | grep -Eq '^ +[0-9]+  => close +' || fail "no entry"
printf '%s\n' "$out" | grep -Eq '^ +[0-9]+  <= close +' || fail "no return"
run -x flowindent -n 'BEGIN { trace(1); exit(0); }'
[[ $out == *' | :BEGIN '* ]] || fail "no | for BEGIN"

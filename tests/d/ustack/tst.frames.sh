# ustack(), jstack() and %k name the functions that the source has; the variables and symbol actions agree with them.
# @@needs cc
# @@timeout 60
. "$(dirname "$0")/lib.bash"
chain
probe='syscall::write:entry /pid == $target/'
for action in 'ustack(4)' 'jstack(4)' 'printf("%k", ustack(4))' 'trace(ustack(4))'; do
    run -qn "$probe { $action; }" -c ./chain
    ended 0
    out=${out#x} all_are "$frames"
done
run -qn "$probe { ustack(2); }" -c ./chain
[ "$(grep -c '`' <<<"$out")" = 2 ] || fail "not two frames"
run -qn "$probe { ustack(); }" -xustackframes=3 -c ./chain
[ "$(grep -c '`' <<<"$out")" = 3 ] || fail "not three frames"
run -qn "$probe { jstack(); }" -xjstackframes=1 -xstackindent=3 -c ./chain
grep -q '^   chain`inner+0x[0-9a-f]*$' <<<"$out" || fail "indentation, or the text of a frame"
[ "$(grep -c '`' <<<"$out")" = 1 ] || fail "not one frame"

run -qn "$probe"' { printf("%d|", ustackdepth >= 4); usym(ucaller); printf("|"); ufunc(ucaller); printf("|"); umod(ucaller);
    printf("|"); uaddr(ucaller); printf("|%A|", ucaller); uaddr(arg1); printf("|"); uaddr(arg1 + 3); printf("|"); umod(arg1); }' -c ./chain
[[ $(tr -d ' \n' <<<"$out") =~ ^x?1\|chain\`middle\|chain\`middle\|chain\|chain\`middle\+0x[0-9a-f]+\|chain\`middle\+0x[0-9a-f]+\|chain\`message\|chain\`message\+0x3\|chain$ ]] ||
    fail "symbols"
run -O json -n "$probe { ustack(2); usym(ucaller); }" -c ./chain
[[ $out =~ \"value\":\[\"chain\`inner\+0x[0-9a-f]+\",\"chain\`middle\+0x[0-9a-f]+\"\] ]] || fail "JSON of a stack"
[[ $out == *'"value":"chain`middle"'* ]] || fail "JSON of a symbol"
run -qn "$probe { ustack(2); stack(2); }" -x noresolve -c ./chain
[ "$(grep -c '^ *0x[0-9a-f]*$' <<<"$out")" = 4 ] || fail "addresses only"

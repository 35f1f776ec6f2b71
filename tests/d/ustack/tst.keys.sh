# Stacks and symbols as keys are named after their processes have ended: by function, by address, by module.
# @@needs cc
# @@timeout 60
. "$(dirname "$0")/lib.bash"
chain
probe='syscall::write:entry /execname == "chain"/'
for _ in 1 2 3 4 5 6 7 8 9 10; do echo './chain 3 >/dev/null'; done >ten.sh
run -qn "$probe { @[ustack(4)] = count(); }" -c 'sh ten.sh'
ended 0
all_are "$frames"
[ "$(grep -c '^ *3$' <<<"$out")" = 10 ] || fail "not ten processes with three calls each"

# All addresses of a function are one key, and one for each process.
run -qn "$probe"' { @s[usym(ucaller)] = count(); @s[usym(ucaller + 1)] = count(); @f[ufunc(ucaller), umod(ucaller)] = count();
    @a[uaddr(ucaller)] = count(); @a[uaddr(ucaller + 1)] = count(); }
    END { printa("s %A %@d\n", @s); printa("f %A %A %@d\n", @f); printa("a %A %@d\n", @a); }' -c './chain 4'
prints 's chain`middle 8'
prints 'f chain`middle chain 4'
[ "$(grep -c '^a chain`middle+0x[0-9a-f]* 4$' <<<"$out")" = 2 ] || fail "uaddr() keeps addresses apart"
# A stack and what is no code.
run -qn "$probe"' { @[umod(16), usym(16)] = count(); }' -c ./chain
[[ $out =~ 0x10\ +0x10\ +1$ ]] || fail "an address that nobody has mapped"

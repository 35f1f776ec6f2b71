# A stripped program has the names of its debug file; without it, only the object is named, and never a neighbour.
# @@needs cc
# @@timeout 60
. "$(dirname "$0")/lib.bash"
chain -Wl,--build-id=none
probe='syscall::write:entry /pid == $target/ { ustack(4); uaddr(arg1); }'
objcopy --only-keep-debug chain chain.debug
strip chain
objcopy --add-gnu-debuglink=chain.debug chain
run -qn "$probe" -c ./chain
prints 'chain`inner+0x'
prints 'chain`main+0x'
prints 'chain`message'
rm chain.debug
run -qn "$probe" -c ./chain
[ "$(grep -c '^              chain`0x[0-9a-f]*$' <<<"$out")" = 4 ] || fail "frames of a stripped program"

# A flame graph: keys carry the program's stack, that carries the kernel's; widths are counts.
# @@needs cc
# @@timeout 60
. "$(dirname "$0")/../ustack/lib.bash"
. "$(dirname "$0")/lib.bash"
chain
draw flame -n 'syscall::write:entry /pid == $target/ { @[execname, pid, stack(), ustack()] = count(); }' -c './chain 3'
ended 0
says ''
whole '</svg>'
for frame in all chain 'chain`main' 'chain`outer' 'chain`middle' 'chain`inner' 'vmlinux`do_syscall_64'; do
    [ "$(uname -m)" = x86_64 ] || [ "$frame" != 'vmlinux`do_syscall_64' ] || continue
    shows "<title>$frame (3 events, 100.0 %)</title>"
done
grep -q '<title>pid [0-9]* (3 events, 100.0 %)</title>' "$picture" || fail "a key without its name"
# Files stand before functions only where they are needed; offsets never.
shows '>inner</text>'
hides 'inner+0x'
shows '@[execname, pid, stack(), ustack()] = count(): 3 events in 1 stack'
# To the standard output, too.
run -q -O flame -n 'syscall::write:entry /pid == $target/ { @[ustack()] = count(); }' -c './chain 2 >/dev/null'
prints '<title>chain`inner (2 events, 100.0 %)</title>'

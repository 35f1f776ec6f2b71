# Kernel stacks are shown by name.
out=$("$DTRACE" -qn 'syscall::read:entry { stack(3); exit(0); }' -c 'cat /etc/hostname')
echo "$out" | grep -q '`.*+0x' || { echo "$out"; exit 1; }

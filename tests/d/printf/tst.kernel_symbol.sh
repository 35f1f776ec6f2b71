# %a names a kernel address.
out=$("$DTRACE" -qn 'BEGIN { printf("%a\n%a", (uint64_t)&`schedule, (uint64_t)&`schedule + 1); exit(0); }')
[ "$out" = 'vmlinux`schedule
vmlinux`schedule+0x1' ] || { echo "$out"; exit 1; }

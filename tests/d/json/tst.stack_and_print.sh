# Stacks are lists of frames; print() gives type and text.
out=$("$DTRACE" -O json -n 'syscall::write:entry /pid == $target/ { stack(2); print((char)65); exit(0); }' -c 'sh -c "echo x > /dev/null"' 2>/dev/null)
echo "$out" | grep -q '"actions":\[{"action":"stack","value":\["vmlinux`[^"]*","vmlinux`[^"]*"\]},{"action":"print","ctype":"char","text":"char .A."},{"action":"exit","status":0}\]' || { echo "$out"; exit 1; }

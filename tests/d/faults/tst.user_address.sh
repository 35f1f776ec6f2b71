# An address that the process does not have.
err=$("$DTRACE" -qn 'syscall::write:entry /pid == $target/ { trace(copyinstr(0x10)); } syscall::write:entry /pid == $target/ { trace(*(char *)copyin(0x18, 1)); } syscall::write:entry /pid == $target/ { exit(0); }' -c 'sh -c "echo x > /dev/null"' 2>&1 >/dev/null)
[ "$(echo "$err" | grep -c ':write:entry): invalid address (0x1[08]) in action #1')" = 2 ] || { echo "<$err>"; exit 1; }

# copyout() and copyoutstr() write to the process.
out=$("$DTRACE" -qwn 'syscall::write:entry /pid == $target/ { this->p = (char *)alloca(2); this->p[0] = 0x48; this->p[1] = 0x45; copyout(this->p, arg1, 2); copyoutstr("y!", arg1 + 3, 8); }' -c 'sh -c "echo hello; sleep 0.1"' 2>/dev/null)
case "$out" in HEly!*) ;; *) echo "<$out>"; exit 1;; esac

# Frames begin in column 14, or where stackindent says; names have offsets.
run() { "$DTRACE" -q "$@" -n 'syscall::write:entry /pid == $target/ { stack(2); exit(0); }' -c 'sh -c "echo x > /dev/null"' 2>/dev/null; }
[ "$(run | grep -c '^              [a-z_0-9.]*`[^ ]*$')" = 2 ] || { run; exit 1; }
[ "$(run -x stackindent=3 | grep -c '^   [a-z_0-9.]*`[^ ]*$')" = 2 ] || { run -x stackindent=3; exit 1; }

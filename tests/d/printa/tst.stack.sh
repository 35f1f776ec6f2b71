# Stacks as keys: on lines of their own; the width of %k is their indentation.
out=$("$DTRACE" -qn 'syscall::write:entry /pid == $target/ { @[stack(1), "k"] = count(); exit(0); } END { printa("%k|%s|%@d\n", @); printa("%-20k|%s|%@d\n", @); printa(@); }' -c 'sh -c "echo x > /dev/null"' | sed 's/`[a-z_0-9]*+0x[0-9a-f]*$/`F/')
f='vmlinux`F'
[ "$out" = "$(printf '\n%14s%s\n|k|1\n\n%20s%s\n|k|1\n\n\n%14s%s\n  %-50s %16d' '' "$f" '' "$f" '' "$f" k 1)" ] || { echo "$out"; exit 1; }

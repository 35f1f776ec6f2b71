# The directories of the process.
cd /usr/lib || exit 1
out=$("$DTRACE" -qn 'BEGIN { printf("%s %s", cwd, root); exit(0); }')
[ "$out" = '/usr/lib /' ] || { echo "<$out>"; exit 1; }

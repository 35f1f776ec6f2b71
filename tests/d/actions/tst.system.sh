# system() runs a command in order with the output.
out=$("$DTRACE" -qwn 'BEGIN { printf("one\n"); system("echo %s %d", "two", 2); printf("three"); exit(0); }')
[ "$out" = 'one
two 2
three' ] || { echo "<$out>"; exit 1; }

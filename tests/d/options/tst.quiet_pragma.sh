# As -q, from the program.
printf '#pragma D option quiet\nBEGIN { printf("x"); exit(0); }\n' > "${f:=$(mktemp)}"
out=$("$DTRACE" -s "$f" 2>&1); rm "$f"
[ "$out" = x ] || { echo "<$out>"; exit 1; }

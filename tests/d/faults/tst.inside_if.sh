# A fault in a branch ends the clause; its effects before stay.
out=$("$DTRACE" -qn 'int y; BEGIN { x = 0; if (x == 0) { y = 4; printf("a"); z = 1 / x; printf("b"); } printf("c"); exit(1); } BEGIN { printf("d%d", y); exit(0); }' 2>/dev/null)
[ "$out" = 'd4' ] || { echo "<$out>"; exit 1; }

# Arrows, indentation and columns of -F.
"$DTRACE" -Fn 'BEGIN { trace(5); } BEGIN { printf("text"); } BEGIN { exit(0); }' 2>/dev/null | sed 's/^  *[0-9][0-9]* /CPU /'

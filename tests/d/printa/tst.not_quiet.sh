# printa() within a clause that prints a prefix.
"$DTRACE" -n 'BEGIN { @["k"] = count(); printa(@); printa("%s %@d", @); exit(0); }' 2>/dev/null | sed 's/^...\( .*:\(BEGIN\|END\|ERROR\) \)/CPU\1/'

# A value of half a megabyte, for which all CPUs share one entry: exact all the same.
out=$("$DTRACE" -qs /dev/stdin <<'D' | awk '$NF > 0 && NF > 1' | tr -s ' @'
BEGIN { @["x", 1] = lquantize(65534, 0, 65535, 1); @["x", 1] = lquantize(65534, 0, 65535, 1, 4); @["x", 1] = lquantize(3, 0, 65535, 1); }
BEGIN { @["y", 2] = lquantize(-1, 0, 65535, 1); @["y", 2] = lquantize(7, 0, 65535, 1); }
profile-497 { @p[0] = lquantize(70000, 0, 65535, 1); @c = count(); }
tick-500ms { exit(0); }
END { printa("p %@d\n", @p); printa("c %@d\n", @c); clear(@p); clear(@c); }
D
)
fired=$(sed -n 's/^c //p' <<< "$out")
[ "${fired:-0}" -gt 0 ] || { echo "nothing fired: $out"; exit 1; }
for line in " >= 65535 |@ $fired " ' < 0 |@ 1 ' ' 7 |@ 1 ' ' 3 |@ 1 ' ' 65534 |@ 5 '; do
    grep -qxF -- "$line" <<< "$out" || { echo "lacks <$line>: $out"; exit 1; }
done

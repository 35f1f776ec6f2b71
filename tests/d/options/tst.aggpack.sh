# Histograms on one line each, between the least and the greatest bucket.
out=$("$DTRACE" -q -x aggpack -n 'BEGIN { @["k"] = quantize(1); @["k"] = quantize(4, 3); exit(0); }')
echo "$out" | grep -q '^  *k   *0 :.*: 8  *| 4$' || { echo "$out"; exit 1; }

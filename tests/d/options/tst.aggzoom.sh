# Bars are scaled to the highest.
"$DTRACE" -q -x aggzoom -n 'BEGIN { @ = quantize(1); @ = quantize(4, 3); exit(0); }' 

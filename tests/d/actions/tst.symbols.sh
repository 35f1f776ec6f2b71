# sym(), func() and mod() name kernel addresses.
out=$("$DTRACE" -qn 'BEGIN { sym((uint64_t)&`schedule); func((uint64_t)&`schedule); mod((uint64_t)&`schedule); printf("|"); exit(0); }')
[ "$out" = "$(printf '  %-50s  %-50s  %-50s|' 'vmlinux`schedule' 'vmlinux`schedule' 'vmlinux')" ] || { echo "<$out>"; exit 1; }

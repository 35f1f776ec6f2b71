# Times are those of TZ.
TZ=EST5 "$DTRACE" -qn 'BEGIN { printf("%Y\n", (int64_t)123456789 * 1000000000); exit(0); }'

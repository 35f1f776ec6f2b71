# %Y of walltimestamp is the time of the day.
before=$(date -u '+%Y %b %e %H:%M')
out=$(TZ=UTC "$DTRACE" -qn 'BEGIN { printf("%Y", walltimestamp); exit(0); }')
after=$(date -u '+%Y %b %e %H:%M')
case "$out" in "$before":*|"$after":*) ;; *) echo "<$out> is not $before"; exit 1;; esac

# Above each report, if wanted, is when it was made: seconds since 1970, or the clock on the wall.
. "$(dirname "$0")/lib.bash"
for command in 'cpustat -c page-faults -T' 'dmpstat -T' 'intrstat -T' 'prstat -n 1 -d'; do
    before=$(date +%s)
    run $command u 0.1 2
    ended 0
    said ''
    mapfile -t stamps < <(printf '%s\n' "$out" | grep -E '^[0-9]+$')
    [ ${#stamps[@]} = 2 ] || fail "not two stamps"
    [ "$before" -le "${stamps[0]}" ] && [ "${stamps[0]}" -le "${stamps[1]}" ] && [ "${stamps[1]}" -le "$(date +%s)" ] || fail "another time"
    before=$(date +%s)
    TZ=EST5 run $command d 0.1 1
    ended 0
    stamp=$(printf '%s\n' "$out" | grep -E '^[A-Z][a-z]{2} [A-Z][a-z]{2} [ 123][0-9] [0-9:]{8} [0-9]{4}$') || fail "no date"
    printed_at=$(date -d "$(awk '{ print $2, $3, $5, $4 }' <<<"$stamp") -0500" +%s)
    [ "$before" -le "$printed_at" ] && [ "$printed_at" -le "$(date +%s)" ] || fail "another date"
    [ "$(date -u -d "@$((printed_at - 18000))" +'%a %b %e %T %Y')" = "$stamp" ] || fail "another day"
    run $command x 0.1 1
    ended 2
    says 'invalid format for -'
done

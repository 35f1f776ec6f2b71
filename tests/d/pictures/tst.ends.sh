# An interrupt ends a picture well; what is killed leaves none, and what was there stays.
# @@timeout 60
. "$(dirname "$0")/lib.bash"
picture=$dir/picture
for form in flame heatmap trace; do
    rm -f "$picture"
    start -O $form -o "$picture" -n 'BEGIN { printf("begun"); system("echo ready >'"$dir"'/ready"); } tick-20ms { @[stack()] = quantize(1); trace(1); }' -w
    for _ in $(seq 500); do [ -s "$dir/ready" ] && break; sleep 0.02; done
    sleep 0.2
    [ ! -e "$picture" ] || fail "$form: it has its name before it is whole"
    finish INT
    [ "$status" = 0 ] || fail "$form"
    case $form in trace) grep -q '^\],"otherData":' "$picture" ;; *) whole '</svg>' ;; esac || fail "$form is not whole"
    rm "$dir/ready"
done
echo old >"$picture"
start -O trace -o "$picture" -n 'BEGIN { system("echo ready >'"$dir"'/ready"); } tick-20ms { trace(1); }' -w
for _ in $(seq 500); do [ -s "$dir/ready" ] && break; sleep 0.02; done
kill -9 "$pid"
wait "$pid" 2>/dev/null
[ "$(cat "$picture")" = old ] || fail "a killed run has changed the file"
[ -z "$(ls -A "$dir" | grep unfinished)" ] || fail "a killed run has left a file"
# The next one takes its place, with the rights it had.
chmod 600 "$picture"
run -q -O flame -o "$picture" -n 'BEGIN { @[stack()] = count(); exit(0); }'
whole '</svg>'
[ "$(stat -c %a "$picture")" = 600 ] || fail "others may read it now"
# What is no file is written to as it is.
run -q -O flame -o /dev/stdout -n 'BEGIN { @[stack()] = count(); exit(0); }'
prints '</svg>'

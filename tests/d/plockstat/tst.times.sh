# How long a thread waits, and how long a lock is held, which it is not while its holder waits for a condition.
# @@needs cc
# @@timeout 60
. "$(dirname "$0")/lib.bash"
locks
run -q -c "$dir/locks" -n '
plockstat$target:::mutex-acquire { self->held[arg0] = timestamp; }
plockstat$target:::mutex-release /self->held[arg0]/
{ @held[usym(arg0)] = max((timestamp - self->held[arg0]) / 1000000); self->held[arg0] = 0; }
plockstat$target:::mutex-block, plockstat$target:::rw-block { self->since = timestamp; }
plockstat$target:::mutex-blocked, plockstat$target:::rw-blocked /self->since/
{ @waited[usym(arg0)] = max((timestamp - self->since) / 1000000); }
END { printa("held %A %@d\n", @held); printa("waited %A %@d\n", @waited); }'
ended 0
# within KIND LOCK FROM TO: milliseconds.
within() {
    local n
    n=$(printf '%s\n' "$out" | awk -v k="$1" -v l="locks\`$2" '$1 == k && $2 == l { print $3 }')
    [ -n "$n" ] && [ "$n" -ge "$3" ] && [ "$n" -le "$4" ] || fail "$1 $2: '$n', not $3 to $4 ms"
}
within held plain 290 800
within held again 0 200
within waited plain 150 800
within waited spinning 150 800
within waited rw 150 800

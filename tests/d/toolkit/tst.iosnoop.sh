# Each request: its size, place, direction and process, and how long it took.
# @@needs losetup
. "$(dirname "$0")/lib.bash"
disk
script iosnoop -c "$load disk r 4 8192 65536 $loop" "$name"
ended 0
for n in 0 1 2 3; do like "[0-9]+ [0-9]+ $name R $((n * 128)) 8192 [0-9]+ load <none>"; done
script iosnoop -c "$load disk w 2 4096 4096 $loop"
for n in 0 1; do like "[0-9]+ [0-9]+ $name W $((n * 8)) 4096 [0-9]+ load <none>"; done
printf '%s\n' "$out" | awk '$3 ~ /loop/ && ($2 < 1 || $2 > 5000000) { exit 1 }' || fail "cannot take so long"
script iosnoop -c "$load disk r 4 8192 65536 $loop" none
[ "$(lines '.*')" = 1 ] || fail "another device"

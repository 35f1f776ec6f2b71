# The sizes of requests of a process.
# @@needs losetup
. "$(dirname "$0")/lib.bash"
disk
cat >"$dir/both" <<SH
$load disk r 30 4096 65536 $loop
$load disk w 7 32768 65536 $loop
SH
script bitesize -c "sh $dir/both"
ended 0
printf '%s\n' "$out" | awk -v d="$name" '
    / bytes:$/ { way = "" }
    $0 == "load, " d ", R, bytes:" { way = "R" }
    $0 == "load, " d ", W, bytes:" { way = "W" }
    way && $1 ~ /^[0-9]+$/ && $NF > 0 { seen = seen " " way $1 "x" $NF }
    END { exit !(seen ~ / R4096x30/ && seen ~ / W32768x7/ && split(seen, a, " ") == 2) }' || fail "other sizes"

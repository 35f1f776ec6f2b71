# Ten waits of 20 ms for a mutex, in the function that asks for it.
. "$(dirname "$0")/lib.bash"
script futexwaits -c "$load mutex 10 20"
ended 0
n=$(printf '%s\n' "$out" | awk '{ f = $1; sub(/\+0x.*/, "", f) } f == "load`contender" { on = 1 } on && $2 ~ /^\|/ && $1 >= 8192 { n += $NF } !NF { on = 0 } END { print n + 0 }')
between 8 "$n" 12
us=$(printf '%s\n' "$out" | awk '/^load waited/ { print $3 }')
[ "${us:-0}" -ge 150000 ] || fail "waited $us us"

# A child that its parent wakes every 10 ms.
. "$(dirname "$0")/lib.bash"
script wakechain -c "$load pingpong 10 10"
ended 0
us=$(printf '%s\n' "$out" | awk '/^load waited for load: / { print $5 }')
between 90000 "${us:-0}" 300000
n=$(printf '%s\n' "$out" | awk '$0 == "load waited for load, us:" { on = 1 } on && $2 ~ /^\|/ && $1 >= 8192 { n += $NF } on && !NF { exit } END { print n }')
between 8 "$n" 11

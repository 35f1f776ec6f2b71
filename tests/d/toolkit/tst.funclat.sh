# A function of 3 ms, its time on the CPU by interrupts, and the clock that interrupts it.
. "$(dirname "$0")/lib.bash"
script funclat -c "$load functions 40" outer
ended 0
count() { printf '%s\n' "$out" | awk -v like="$1" '$0 ~ like { on = 1 } on && $2 ~ /^\|/ { n += $NF; if ($NF && (!least || $1 < least)) least = $1 } !NF { on = 0 } END { print n + 0, least + 0 }'; }
read -r n least <<<"$(count '^outer, from entry to return')"
[ "$n" = 40 ] || fail "not 40"
# work() of 1 and of 2 ms.
[ "$least" -ge 2097152 ] || fail "shorter than it is"
read -r n least <<<"$(count '^on a CPU, with')"
[ "$n" = 40 ] || fail "not 40 on a CPU"
# 120 ms of work: the clock of the scheduler interrupts at 100 Hz at least.
n=$(printf '%s\n' "$out" | awk '$1 == "clock" { print $3 }')
between 5 "${n:-0}" 2000
script funclat -c "$load functions 4"
ended 1
one_line

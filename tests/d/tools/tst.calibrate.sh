# The known work: as many instructions as were asked for, turns unbroken; a time is kept; interrupted it says how far it came.
. "$(dirname "$0")/lib.bash"
for work in registers sequential scattered; do
    run calibrate -n 20 -m 1 $work
    ended 0
    printf '%s\n' "$out" | awk -v work=$work '
        NR == 1 {
            turn = $9; sub(/\),/, "", turn); turns = substr($6, 2)
            known = $1 == turns * turn && $1 >= 20000000 && $1 < 20000000 + turn
        }
        NR == 2 { bytes = $1; known = known && $5 == 1 && $6 == "MiB," && (work == "sequential" ? bytes == 8 * turns : bytes == turns) }
        END { exit !(known && NR == (work == "registers" ? 1 : 2)) }' || fail "$work: $out"
done
run calibrate -t 0.5 registers
ended 0
printf '%s\n' "$out" | awk '{ exit !($10 >= 0.5 && $10 < 5 && $1 > 1000000) }' || fail "not half a second: $out"
start calibrate -m 1 sequential
sleep 1
finish INT
ended 0
prints 'instructions in user mode'

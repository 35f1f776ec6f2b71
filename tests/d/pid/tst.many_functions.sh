# Every function of a program and its libraries at once, several clauses on each, in order.
# @@needs cc
# @@timeout 60
. "$(dirname "$0")/lib.bash"
target
run -q -c "$dir/target" -n 'pid$target:::entry { this->n = 1; @all = count(); }
pid$target:::entry /this->n == 1 && probefunc == "add"/ { @add[probemod, probefunc] = count(); }
pid$target:a.out:add:entry { printf("%s %d\n", probefunc, this->n); }
END { printa("%s %s %@d\n", @add); printa("%@d\n", @all); }'
ended 0
prints 'add 1
target add 1
'
[ "${out##*$'\n'}" -ge 4 ] || fail "too few calls"
